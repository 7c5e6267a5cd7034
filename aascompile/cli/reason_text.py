"""Verdicts of ``aas explain`` in words."""

from __future__ import annotations

from collections.abc import Sequence

from aascompile.cli.lines import rounded
from aascompile.model.links import ROOM_MEASURED, Links, MissCost, Tier, Travel
from aascompile.nav.explain import Verdict
from aascompile.nav.words import units
from aascompile.player.reason import Reason

MAX_AREAS = 8
"""Limit on the areas that a clause names."""

PLAIN = {
    Reason.CROUCHED: "the ceiling is too low: a crouching player cannot jump",
    Reason.WALL: "a wall without a top blocks it",
    Reason.TOUCHING: "the floors are less than a unit apart, so there is no gap to jump over",
    Reason.LINKED: "not tried: another link joins the two areas",
    Reason.NO_LADDER: "neither area has a ladder",
    Reason.OFF: "disabled in the settings",
    Reason.NEEDLESS: "possible with skill, but an easier route leads there",
    Reason.UPSTREAM: "the current carries players back",
    Reason.SHALLOW: "too shallow to swim where the areas touch, or too low without ducking",
    Reason.NEARER: "possible, but only the nearest areas below an item are linked",
}
"""Clauses without numbers."""

GIVER = {Tier.RUNNING: "running", Tier.CIRCLE: "a circle jump", Tier.STRAFE: "a strafe jump"}
"""What gives the speed for a jump."""


COSTS_OF_A_MISS = {MissCost.NOTHING: "nothing", MissCost.TIME: "time", MissCost.LIFE: "a life"}
"""Words for what a miss costs."""


def margin(links: Links, row: int) -> str:
    """Clause that says how simulated bots fare on a link; empty if it has no margins."""
    if links.miss[row] < 0:
        return ""
    text = f"of simulated bots {100 * links.arrives[row]:.0f} % arrive and {100 * links.dies[row]:.0f} % die"
    if links.room[row] >= 0.0:
        beyond = f"{links.room[row]:.0f}" if links.room[row] < ROOM_MEASURED else f"at least {ROOM_MEASURED}"
        text += f"; they land at up to {links.landing_speed[row]:.0f} units/s, with {beyond} units of ground beyond"
    return f"{text}; a miss costs {COSTS_OF_A_MISS[MissCost(int(links.miss[row]))]}"


def clause(verdict: Verdict, by: str, source: int, target: int) -> str:
    """Clause that says why a link of one travel type exists or not."""
    return _clause(verdict, by, source, target) + _speed(verdict)


def _clause(verdict: Verdict, by: str, source: int, target: int) -> str:
    """The clause without the speed that a jump needs."""
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
        return _tried(verdict, by, source, target)
    if verdict.why in (
        Reason.TOO_HIGH,
        Reason.TOO_LOW,
        Reason.TOO_FAR,
        Reason.TOO_DEEP,
        Reason.APART,
        Reason.NOT_LOWER,
    ):
        return _measured(verdict, target)
    return _placed(verdict, source, target)


def _speed(verdict: Verdict) -> str:
    """Clause about the speed that a jump needs; "" if that is unknown."""
    if verdict.tier is None or verdict.needs < 0.0:
        return ""
    if verdict.tier is Tier.STANDING:
        return "; needs no run-up"
    needs = f"; needs {verdict.needs:.0f} units/s, "
    if verdict.gives < verdict.needs:
        return f"{needs}a strafe jump gives {verdict.gives:.0f} at most"
    return f"{needs}{GIVER[verdict.tier]} gives {verdict.gives:.0f}"


def _tried(verdict: Verdict, by: str, source: int, target: int) -> str:
    """Clause about an attempt that failed."""
    start, place = f"({rounded(verdict.start)})", f"({rounded(verdict.place)})"
    if verdict.why == Reason.START_BLOCKED:
        return f"no player fits at its start, {start}"
    if verdict.why == Reason.NO_START:
        if verdict.kind in (Travel.ROCKET_JUMP, Travel.BFG_JUMP):
            return f"a player cannot stand and shoot at the floor in area {source}"
        return f"the point before the edge, {start}, is not in area {source}"
    if verdict.why == Reason.NO_GAP:
        if verdict.place[0] != verdict.place[0]:
            return "one of the areas has no edge to jump from or to"
        return f"no gap to jump over: ground or a wall at {place}"
    if verdict.why == Reason.TAKEN and verdict.place[0] != verdict.place[0]:
        return f"a jump pad or teleporter in area {source} takes the player away first"
    if verdict.why == Reason.TAKEN:
        return f"from {start} it leads into a jump pad or teleporter, at {place}"
    if verdict.why == Reason.HARMED:
        return f"from {start} it leads into lava, slime or a hurt trigger, at {place}"
    if verdict.hit:
        return f"from {start} it is blocked at {place} by " + (by or f"a {verdict.hit}")
    if verdict.area == target:
        return f"from {start} it reaches {place}, but the player does not come to stand in area {target}"
    if verdict.area < 0:
        return f"from {start} it ends nowhere safe, at {place}"
    ends = "is blocked" if verdict.why == Reason.HELD_UP else "ends"
    return f"from {start} it {ends} in area {verdict.area}, at {place}"


def _measured(verdict: Verdict, target: int) -> str:
    """Clause that says by how much it fails."""
    path, much = f"from ({rounded(verdict.start)}) to ({rounded(verdict.place)})", units(verdict.measure)
    if verdict.why == Reason.TOO_LOW:
        if verdict.kind == Travel.BARRIER_JUMP:
            return f"no higher than a step, by {much}: {path}"
        return f"too low to need a weapon, by {much}: {path}"
    if verdict.why == Reason.APART:
        return f"the floors are {much} apart: {path}"
    if verdict.why == Reason.NOT_LOWER:
        height = f"{much} higher" if verdict.measure > 0.0 else "hardly lower"
        return f"area {target} is {height}; a fall only leads down"
    word = {Reason.TOO_HIGH: "high", Reason.TOO_FAR: "far", Reason.TOO_DEEP: "deep"}[verdict.why]
    limit = {Travel.WALK: " for a step", Travel.CROUCH: " for a step", Travel.BARRIER_JUMP: " to climb"}
    return f"too {word} by {much}{limit.get(verdict.kind, '')}: {path}"


def _placed(verdict: Verdict, source: int, target: int) -> str:
    """Clause about what an area is or has."""
    if verdict.why == Reason.ARRIVES:
        if verdict.link < 0:
            return f"possible from ({rounded(verdict.start)}), but the file has no such link"
        return f"from ({rounded(verdict.start)}) to ({rounded(verdict.place)}) in {verdict.measure / 100:g} s"
    if verdict.why == Reason.ELSEWHERE:
        return f"leads from area {source} to {_areas(verdict.areas)}" if verdict.areas else f"none leaves area {source}"
    if verdict.why == Reason.SAME_FLOOR and source in verdict.areas:
        return "possible, but it leads back to the pad's own floor"
    if verdict.why == Reason.SAME_FLOOR:
        verb = "is" if len(verdict.areas) == 1 else "are"
        return f"possible, but {_areas(verdict.areas)} of the same floor {verb} linked already"
    if verdict.why == Reason.NO_ROOM:
        return f"no floor for a run-up of {units(round(verdict.measure))}"
    if verdict.why == Reason.SLOW:
        return "too far for any run-up"
    if verdict.why == Reason.SLOWER:
        return f"possible in {verdict.measure / 100:g} s, but the detour on foot is faster"
    if verdict.why == Reason.NO_FACE:
        bank = verdict.kind == Travel.WATER_JUMP
        return f"area {source} has no water at an edge of area {target}" if bank else "the areas do not touch"
    return {
        Reason.NO_GROUND: f"area {verdict.area} has no ground to stand on",
        Reason.NO_LIQUID: f"area {verdict.area} is dry",
        Reason.NO_TELEPORTER: f"area {source} is not in a teleporter",
        Reason.NO_PAD: f"area {source} is not on a working jump pad",
        Reason.NO_PLATFORM: f"no platform stops at area {source}",
        Reason.NO_ITEM: f"area {target} has no item to jump for",
    }[verdict.why]


def _areas(numbers: Sequence[int]) -> str:
    names = ", ".join(str(number) for number in numbers[:MAX_AREAS])
    if len(numbers) > MAX_AREAS:
        names += f" and {len(numbers) - MAX_AREAS:,} more"
    return f"area {names}" if len(numbers) == 1 else f"areas {names}"
