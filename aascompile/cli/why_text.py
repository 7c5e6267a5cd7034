"""Reasons in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aascompile.cli.lines import rounded
from aascompile.model.compiled import Compiled
from aascompile.model.links import Travel
from aascompile.nav.explain import Verdict
from aascompile.player.reason import Reason

NEAR = 1.0
"""Units from a player's box to a face that it ran into."""

MOST_AREAS = 8
"""Areas that a clause names."""

PLAIN = {
    Reason.CROUCHED: "the ceiling is too low: who must crouch cannot jump",
    Reason.WALL: "there is a wall without a top",
    Reason.TOUCHING: "the grounds are less than a unit apart, so there is nothing to jump over",
    Reason.LINKED: "possible, but not looked for: another way joins the two",
    Reason.NO_LADDER: "neither area has a ladder",
    Reason.OFF: "the settings do not ask for it",
    Reason.NEEDLESS: "possible with skill, but one gets there in another way",
    Reason.SHALLOW: "where the areas touch it is too shallow to swim, or too low without ducking",
    Reason.NEARER: "possible, but only the nearest places below an item are linked",
}
"""Clauses without numbers."""


def clause(one: Verdict, by: str, source: int, target: int) -> str:
    """What is to be said of one kind of way."""
    if one.why in PLAIN:
        return PLAIN[one.why]
    if one.why in (
        Reason.HELD_UP,
        Reason.LATE,
        Reason.HARMED,
        Reason.TAKEN,
        Reason.START_BLOCKED,
        Reason.NO_START,
        Reason.NO_GAP,
    ):
        return _tried(one, by, source, target)
    if one.why in (Reason.TOO_HIGH, Reason.TOO_LOW, Reason.TOO_FAR, Reason.TOO_DEEP, Reason.APART, Reason.NOT_LOWER):
        return _measured(one, target)
    return _placed(one, source, target)


def _tried(one: Verdict, by: str, source: int, target: int) -> str:
    """What became of a try."""
    start, place = f"({rounded(one.start)})", f"({rounded(one.place)})"
    if one.why == Reason.START_BLOCKED:
        return f"nobody can be where it starts, at {start}"
    if one.why == Reason.NO_START:
        if one.kind in (Travel.ROCKET_JUMP, Travel.BFG_JUMP):
            return f"nobody stands and shoots at the floor in area {source}"
        return f"the place before the edge, {start}, is not in area {source}"
    if one.why == Reason.NO_GAP:
        if one.place[0] != one.place[0]:
            return "one of the areas has no edge to jump from, or onto"
        return f"there is no gap to jump over: ground or a wall at {place}"
    if one.why == Reason.TAKEN and one.place[0] != one.place[0]:
        return f"a jump pad or teleporter takes away whoever is in area {source}"
    if one.why == Reason.TAKEN:
        return f"from {start} it leads into a jump pad or teleporter, at {place}"
    if one.why == Reason.HARMED:
        return f"from {start} it leads into lava, slime or what hurts, at {place}"
    if one.hit:
        return f"from {start} it is blocked at {place} by " + (by or f"a {one.hit}")
    if one.area == target:
        return f"from {start} it gets to {place}, and does not come to stand in area {target}"
    if one.area < 0:
        return f"from {start} it leads nowhere safe, at {place}"
    told = "is held up" if one.why == Reason.HELD_UP else "ends"
    return f"from {start} it {told} in area {one.area}, at {place}"


def _measured(one: Verdict, target: int) -> str:
    """By how much it fails."""
    way, much = f"from ({rounded(one.start)}) to ({rounded(one.place)})", units(one.measure)
    if one.why == Reason.TOO_LOW:
        if one.kind == Travel.BARRIER_JUMP:
            return f"too low to need one, by {much}: {way}"
        return f"too low to need a weapon, by {much}: {way}"
    if one.why == Reason.APART:
        return f"the grounds are {much} apart: {way}"
    if one.why == Reason.NOT_LOWER:
        told = f"{much} higher" if one.measure > 0.0 else "hardly lower"
        return f"area {target} is {told}, and one only falls down"
    word = {Reason.TOO_HIGH: "high", Reason.TOO_FAR: "far", Reason.TOO_DEEP: "deep"}[one.why]
    limit = {Travel.WALK: " for a step", Travel.CROUCH: " for a step", Travel.BARRIER_JUMP: " to climb"}
    return f"too {word} by {much}{limit.get(one.kind, '')}: {way}"


def _placed(one: Verdict, source: int, target: int) -> str:
    """What an area is or has."""
    if one.why == Reason.ARRIVES:
        if one.link < 0:
            return f"from ({rounded(one.start)}) it would lead there, but the file does not have it"
        return f"from ({rounded(one.start)}) to ({rounded(one.place)}) in {one.measure / 100:g} s"
    if one.why == Reason.ELSEWHERE:
        return f"leads from area {source} to {_areas(one.areas)}" if one.areas else f"none leads from area {source}"
    if one.why == Reason.SAME_FLOOR and source in one.areas:
        return "possible, but it leads back to the floor of the pad"
    if one.why == Reason.SAME_FLOOR:
        return f"possible, but one area of a level floor is enough, and it leads to {_areas(one.areas)} of it"
    if one.why == Reason.SLOWER:
        return f"possible in {one.measure / 100:g} s, but the way round is quicker"
    if one.why == Reason.NO_FACE:
        bank = one.kind == Travel.WATER_JUMP
        return f"no water of area {source} lies at an edge of area {target}" if bank else "the two do not touch"
    return {
        Reason.NO_GROUND: f"area {one.area} has no ground to stand on",
        Reason.NO_LIQUID: f"area {one.area} is dry",
        Reason.NO_TELEPORTER: f"area {source} is not in a teleporter",
        Reason.NO_PAD: f"area {source} is on no jump pad that throws anybody",
        Reason.NO_PLATFORM: f"nothing takes players along from area {source}",
        Reason.NO_ITEM: f"area {target} has no item that would be worth it",
    }[one.why]


def units(measure: float) -> str:
    """A length."""
    number = f"{measure:.2f}" if measure < 1.0 else f"{measure:.1f}"
    number = number.rstrip("0").rstrip(".")
    return f"{number} unit" + "s" * (number != "1")


def _areas(numbers: Sequence[int]) -> str:
    told = ", ".join(str(number) for number in numbers[:MOST_AREAS])
    if len(numbers) > MOST_AREAS:
        told += f" and {len(numbers) - MOST_AREAS:,} more"
    return f"area {told}" if len(numbers) == 1 else f"areas {told}"


def hit_by(compiled: Compiled, one: Verdict) -> str:
    """The brush or patch that a player ran into, by the nearest of the faces that the player's box touches."""
    context = compiled.context
    if not one.hit or not len(context):
        return ""
    place = np.array(one.place)
    mins, maxs = place + compiled.boxes.mins[0] - NEAR, place + compiled.boxes.maxs[0] + NEAR
    corner = context.vertex[context.corner]
    low = np.minimum.reduceat(corner, context.start[:-1])
    high = np.maximum.reduceat(corner, context.start[:-1])
    rows = np.flatnonzero(((low <= maxs) & (high >= mins)).all(axis=1))
    best, found = 2.0 * NEAR, -1
    for row in rows.tolist():
        points = context.vertex[context.corner[context.start[row] : context.start[row + 1]]]
        normal = np.cross(points[1] - points[0], points[2] - points[0])
        size = float(np.linalg.norm(normal))
        if size <= 0.0:
            continue
        normal /= size
        nearest = np.where(normal > 0.0, compiled.boxes.mins[0], compiled.boxes.maxs[0])
        away = abs(float(normal @ (place + nearest - points[0])))
        if away < best:
            best, found = away, row
    if found < 0:
        return ""
    if context.brush[found] >= 0:
        return f"a {one.hit} (brush {context.brush[found]})"
    return f"a {one.hit} (patch {context.patch[found]})"
