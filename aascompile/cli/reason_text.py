"""Text of the reasons why a link is rejected."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aascompile.cli.lines import rounded
from aascompile.model.compiled import Compiled
from aascompile.model.links import Travel
from aascompile.nav.explain import Verdict
from aascompile.player.reason import Reason

NEAR = 1.0
"""A face at most this many units from the player's box may be the one that it hit."""

MAX_AREAS = 8
"""Limit on the areas that are listed in a text."""

PLAIN = {
    Reason.CROUCHED: "the ceiling is too low: a crouched player cannot jump",
    Reason.WALL: "a wall without a top is in between",
    Reason.TOUCHING: "the floors are less than a unit apart, so there is nothing to jump over",
    Reason.LINKED: "possible, but not searched for: another link joins the two areas",
    Reason.NO_LADDER: "neither area has a ladder",
    Reason.OFF: "switched off in the settings",
    Reason.NEEDLESS: "possible with skill, but another route leads there",
    Reason.SHALLOW: "where the areas touch, the liquid is too shallow to swim, or the opening too low",
    Reason.NEARER: "possible, but only the nearest places below an item get a link",
}
"""Texts without numbers."""


def clause(verdict: Verdict, by: str, source: int, target: int) -> str:
    """Text for a verdict: why a travel type does or does not lead from the source to the target."""
    if verdict.why in PLAIN:
        return PLAIN[verdict.why]
    if verdict.why in (
        Reason.HELD_UP,
        Reason.LATE,
        Reason.HARMED,
        Reason.TAKEN,
        Reason.START_BLOCKED,
        Reason.NO_START,
        Reason.NO_GAP,
    ):
        return _probed(verdict, by, source, target)
    if verdict.why in (
        Reason.TOO_HIGH,
        Reason.TOO_LOW,
        Reason.TOO_FAR,
        Reason.TOO_DEEP,
        Reason.APART,
        Reason.NOT_LOWER,
    ):
        return _measured(verdict, target)
    return _described(verdict, source, target)


def _probed(verdict: Verdict, by: str, source: int, target: int) -> str:
    """Text for the outcome of a probe."""
    start, place = f"({rounded(verdict.start)})", f"({rounded(verdict.place)})"
    if verdict.why == Reason.START_BLOCKED:
        return f"a player does not fit at its start, {start}"
    if verdict.why == Reason.NO_START:
        if verdict.kind in (Travel.ROCKET_JUMP, Travel.BFG_JUMP):
            return f"area {source} has no place to stand and shoot at the floor"
        return f"the place before the edge, {start}, is not in area {source}"
    if verdict.why == Reason.NO_GAP:
        if verdict.place[0] != verdict.place[0]:
            return "one of the areas has no edge to jump from or onto"
        return f"there is no gap to jump over, but a floor or wall at {place}"
    if verdict.why == Reason.TAKEN and verdict.place[0] != verdict.place[0]:
        return f"a jump pad or teleporter carries away every player in area {source}"
    if verdict.why == Reason.TAKEN:
        return f"from {start} it leads into a jump pad or teleporter, at {place}"
    if verdict.why == Reason.HARMED:
        return f"from {start} it leads into lava, slime or a hurt trigger, at {place}"
    if verdict.hit:
        return f"from {start} it is blocked at {place} by " + (by or f"a {verdict.hit}")
    if verdict.area == target:
        return f"from {start} it leads to {place}, but the player does not come to rest in area {target}"
    if verdict.area < 0:
        return f"from {start} it ends in no area, at {place}"
    ending = "gets stuck" if verdict.why == Reason.HELD_UP else "ends"
    return f"from {start} it {ending} in area {verdict.area}, at {place}"


def _measured(verdict: Verdict, target: int) -> str:
    """Text with the measure by which a link fails."""
    path, much = f"from ({rounded(verdict.start)}) to ({rounded(verdict.place)})", units(verdict.measure)
    if verdict.why == Reason.TOO_LOW:
        if verdict.kind == Travel.BARRIER_JUMP:
            return f"too low to need a barrier jump, by {much}: {path}"
        return f"too low to need a weapon, by {much}: {path}"
    if verdict.why == Reason.APART:
        return f"the floors are {much} apart: {path}"
    if verdict.why == Reason.NOT_LOWER:
        height = f"{much} higher" if verdict.measure > 0.0 else "hardly lower"
        return f"area {target} is {height}, but a ledge leads down"
    word = {Reason.TOO_HIGH: "high", Reason.TOO_FAR: "far", Reason.TOO_DEEP: "deep"}[verdict.why]
    limit = {Travel.WALK: " for a step", Travel.CROUCH: " for a step", Travel.BARRIER_JUMP: " to climb"}
    return f"too {word} by {much}{limit.get(verdict.kind, '')}: {path}"


def _described(verdict: Verdict, source: int, target: int) -> str:
    """Text about a property of the areas, or about a link that exists."""
    if verdict.why == Reason.ARRIVES:
        if verdict.link < 0:
            return f"from ({rounded(verdict.start)}) it would lead there, but the file has no such link"
        return f"from ({rounded(verdict.start)}) to ({rounded(verdict.place)}) in {verdict.measure / 100:g} s"
    if verdict.why == Reason.ELSEWHERE:
        return f"leads from area {source} to {_areas(verdict.areas)}" if verdict.areas else f"none leaves area {source}"
    if verdict.why == Reason.SAME_FLOOR and source in verdict.areas:
        return "possible, but it leads back to the floor around the pad"
    if verdict.why == Reason.SAME_FLOOR:
        return f"possible, but one link to a level floor is enough, and it leads to {_areas(verdict.areas)}"
    if verdict.why == Reason.SLOWER:
        return f"possible in {verdict.measure / 100:g} s, but walking around is faster"
    if verdict.why == Reason.NO_FACE:
        bank = verdict.kind == Travel.WATER_JUMP
        return f"no water of area {source} borders on an edge of area {target}" if bank else "the areas do not touch"
    return {
        Reason.NO_GROUND: f"area {verdict.area} has no floor to stand on",
        Reason.NO_LIQUID: f"area {verdict.area} is dry",
        Reason.NO_TELEPORTER: f"area {source} is not in a teleporter",
        Reason.NO_PAD: f"area {source} is not on a jump pad that throws players",
        Reason.NO_PLATFORM: f"no platform carries players from area {source}",
        Reason.NO_ITEM: f"area {target} has no item that is worth the jump",
    }[verdict.why]


def units(measure: float) -> str:
    """A length as text."""
    number = f"{measure:.2f}" if measure < 1.0 else f"{measure:.1f}"
    number = number.rstrip("0").rstrip(".")
    return f"{number} unit" + "s" * (number != "1")


def _areas(numbers: Sequence[int]) -> str:
    shown = ", ".join(str(number) for number in numbers[:MAX_AREAS])
    if len(numbers) > MAX_AREAS:
        shown += f" and {len(numbers) - MAX_AREAS:,} more"
    return f"area {shown}" if len(numbers) == 1 else f"areas {shown}"


def blocker(compiled: Compiled, verdict: Verdict) -> str:
    """Description of the brush or patch that a player hit: that of the nearest face that the player's box touches."""
    context = compiled.context
    if not verdict.hit or not len(context):
        return ""
    place = np.array(verdict.place)
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
        return f"a {verdict.hit} (brush {context.brush[found]})"
    return f"a {verdict.hit} (patch {context.patch[found]})"
