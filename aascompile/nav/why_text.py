"""Explanations of `nav.why` as sentences, each with a place and a remedy in terms of the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil, hypot
from typing import Final

import numpy as np

from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.model.entity_classes import PLAIN_SPAWN
from aascompile.model.links import FAST_JUMPS, Travel, are_of
from aascompile.nav.hanging import highest_touched
from aascompile.nav.obstacle import obstacle
from aascompile.nav.unreached import Cause
from aascompile.nav.why import Attempt, Why
from aascompile.nav.words import point_text, units
from aascompile.player.reason import Reason
from aascompile.settings import Physics
from aascompile.settings_file import settings_from_json

MAX_NAMES: Final = 4
"""Limit on the classes that a sentence names."""

MARGIN: Final = 1.0
"""Units by which a remedy moves something farther than the attempt misses."""

LOWERED: Final = 256
"""Units by which a remedy lowers an item at most."""

HAZARDS: Final = {Kind.LAVA: "lava", Kind.SLIME: "slime", Kind.HURT: "a trigger_hurt"}


def names(compiled: Compiled, why: Why) -> str:
    """The entities of an explanation: "item_quad", "2 item_health and weapon_railgun"."""
    if not why.entities:
        return f"({point_text(why.point)})"
    classes = Counter(compiled.entities.classname[row] for row in why.entities)
    words = [name if number == 1 else f"{number} {name}" for name, number in classes.most_common(MAX_NAMES)]
    rest = sum(classes.values()) - sum(number for _, number in classes.most_common(MAX_NAMES))
    if rest:
        words.append(f"{rest} more")
    return _listed(words)


def sentence(compiled: Compiled, why: Why) -> str:
    """Why something is not reached, and what to change, without the names of the entities."""
    plain = _placed(compiled, why)
    if plain:
        return plain
    parts = []
    if why.attempt is not None:
        parts.append(attempt_text(compiled, why.attempt))
    elif why.cause is Cause.CLOSED:
        parts.append(
            f"walls close it off; the nearest floor that players reach is {units(round(why.height))} away, at "
            f"({point_text(why.near)}): open a passage, or add a teleporter"
        )
    elif why.cause is Cause.NARROW:
        (low, high) = compiled.boxes.mins[0], compiled.boxes.maxs[0]
        wide, tall = high[0] - low[0], high[2] - low[2]
        parts.append(
            f"the opening at ({point_text(why.near)}) is too small: players need {wide:g} x {tall:g} units, and some "
            "room to spare"
        )
    elif why.cause is Cause.STUCK:
        parts.append("nothing leads out: open a passage, or add a teleporter or jump pad")
    else:
        parts.append(
            f"the nearest floor that players reach is {units(round(why.height))} away, at ({point_text(why.near)}): "
            "add stairs, a lift, a jump pad or a teleporter"
        )
    if not np.isnan(why.pad[0]):
        parts.append(f"no throw of the jump pad at ({point_text(why.pad)}) lands: check its target")
    if why.armed:
        fast = compiled.links is not None and are_of(compiled.links.kind, FAST_JUMPS).any()
        parts.append(f"only a weapon jump {'or a fast jump ' * bool(fast)}leads there")
    return "; ".join(parts)


def island_text(why: Why) -> str:
    """The island that something lies on; "" if it is a single area with nothing else on it."""
    if (
        why.cause not in (Cause.MISSED, Cause.CLOSED, Cause.NARROW, Cause.FAR, Cause.SHUT, Cause.STUCK)
        or len(why.areas) < 2
    ):
        return ""
    items = f" with {why.items:,} item{'s' * (why.items != 1)}" if why.items else ""
    return f"on an island of {len(why.areas):,} areas{items}"


def _placed(compiled: Compiled, why: Why) -> str:
    """Sentence about a cause that is no failed attempt; "" for the others."""
    s, it = ("", "them") if len(why.entities) > 1 else ("s", "it")
    if why.cause is Cause.IN_AIR:
        most = highest_touched(compiled)
        over = f", over {_hazards(why.hazard)}" if why.hazard else ""
        lower = ceil(why.height - most)
        less = f"lower it by {lower}" if lower <= LOWERED and not why.hazard else "move it to a floor"
        return (
            f"hang{s} {round(why.height):,} units above the floor{over}, and players who jump touch items up to "
            f"{int(most)}: {less}, or let a jump pad throw players through it"
        )
    if why.cause is Cause.SHUT:
        door = f" (entity {why.entity})" if why.entity >= 0 else ""
        return f"behind a func_door{door} that nothing opens: target its targetname, or remove that key"
    if why.cause is Cause.HAZARD:
        return f"lie{s} in {_hazards(why.hazard)}: move {it} out, or build a floor above the hazard"
    if why.cause is Cause.STEEP:
        limit = _steepest(compiled)
        return (
            f"lie{s} on a slope of {why.height:.0f} degrees, too steep to stand on: flatten it to {limit:.0f}, or move "
            "the item"
        )
    return {
        Cause.IN_SOLID: f"start{s} in solid, so the game removes {it}: move {it} out of the wall or floor",
        Cause.NO_FLOOR: "no floor is below, so it falls out of the map: put a floor under it",
        Cause.NO_ROOM: "no player fits near it: give it room of 30 x 30 x 56 units",
        Cause.BARRED: "behind areas that bots must not enter: remove the donotenter brush",
        Cause.NO_SPAWN: f"the map has no spawn that players can start from: add an {PLAIN_SPAWN}",
    }.get(why.cause, "")


def attempt_text(compiled: Compiled, attempt: Attempt) -> str:
    """The attempt that failed, with what to change."""
    verdict = attempt.verdict
    start, place = f"({point_text(verdict.start)})", f"({point_text(verdict.place)})"
    if verdict.why is Reason.TOO_FAR:
        return _too_far(compiled, attempt)
    if verdict.why is Reason.TOO_HIGH:
        return _too_high(compiled, attempt)
    if verdict.why is Reason.TOO_DEEP:
        much = units(verdict.measure)
        return f"a fall from {start} to {place} is {much} too deep: add a floor or water between"
    what = _noun(verdict.kind)
    if verdict.why is Reason.HARMED:
        return f"{what} from {start} leads into a hazard at {place}: widen the landing, or cover the hazard"
    if verdict.why is Reason.TAKEN:
        return f"{what} from {start} leads into a jump pad or teleporter at {place}: move the trigger"
    if verdict.why is Reason.CROUCHED:
        return f"the ceiling over {start} is too low to jump: raise it by 16"
    if verdict.why is Reason.START_BLOCKED:
        return f"{what} would start at {start}, where no player fits: make room there"
    if verdict.why is Reason.SHALLOW:
        return f"the water at {place} is too shallow to swim through, or the ceiling too low: make it deeper"
    by = obstacle(compiled, verdict) or (f"a {verdict.hit}" if verdict.hit else "")
    if by:
        return f"{what} from {start} is blocked at {place} by {by}: move or lower it"
    if verdict.why is Reason.ARRIVES:
        return f"{what} from {start} to {place} would arrive, but the file has no such link: compile again"
    return f"{what} from {start} ends at {place} instead: make room for it, or widen the landing"


def _too_far(compiled: Compiled, attempt: Attempt) -> str:
    """A gap that is too wide: nearer or lower."""
    verdict, physics = attempt.verdict, _physics(compiled)
    (x, y, z), (u, v, w) = verdict.start, verdict.place
    apart, drop, miss = hypot(u - x, v - y), z - w, verdict.measure
    text = (
        f"{_noun(verdict.kind)} of {apart:.0f} units from ({point_text(verdict.start)}) to "
        f"({point_text(verdict.place)}) is {units(miss)} too far"
    )
    nearer = ceil(miss + MARGIN)
    remedy = f"move the far side {nearer} units nearer"
    if verdict.kind is Travel.JUMP_PAD:
        return f"{text}: {remedy}, or aim the pad's target_position at it"
    lower = ceil(_drop_for(apart + MARGIN, physics) - drop)
    if drop + lower <= physics.max_jump_fall:
        remedy += f", or lower it by {lower}"
    return f"{text}: {remedy}"


def _too_high(compiled: Compiled, attempt: Attempt) -> str:
    """A rise that is too high."""
    verdict, physics = attempt.verdict, _physics(compiled)
    rise, miss = verdict.place[2] - verdict.start[2], verdict.measure
    lower = int(miss) + 1
    if verdict.kind is Travel.JUMP_PAD:
        return (
            f"the jump pad at ({point_text(verdict.start)}) throws {units(miss)} too low for "
            f"({point_text(verdict.place)}): raise its target_position by {ceil(miss + MARGIN)}"
        )
    if verdict.kind is Travel.WATER_JUMP:
        return (
            f"the bank at ({point_text(verdict.place)}) is {units(miss)} too high to leave the water: lower it, or "
            f"raise the water, by {lower}"
        )
    where = f"from ({point_text(verdict.start)}) to ({point_text(verdict.place)})"
    text = f"a rise of {rise:.0f} units {where} is {units(miss)} too high"
    limit = physics.max_barrier
    text += f" to climb (less than {limit:g})" if verdict.kind is Travel.BARRIER_JUMP else " to jump"
    if miss <= physics.max_barrier:
        return f"{text}: lower it by {lower}, or put a step of at least {lower} before it"
    return f"{text}: add stairs, a ladder, a lift or a jump pad"


def _drop_for(apart: float, physics: Physics) -> float:
    """How much lower the far side of a gap must be for a running jump to cross it (negative: higher)."""
    seconds = apart / physics.walk_speed
    return physics.gravity * seconds * seconds / 2.0 - physics.jump_velocity * seconds


def _noun(kind: Travel) -> str:
    return {
        Travel.WALK: "a walk",
        Travel.CROUCH: "a crouched walk",
        Travel.BARRIER_JUMP: "a jump onto the ledge",
        Travel.WALK_OFF_LEDGE: "a step off the ledge",
        Travel.JUMP: "a jump",
        Travel.WATER_JUMP: "a jump out of the water",
        Travel.JUMP_PAD: "the jump pad's throw",
    }[kind]


def _hazards(kind: Kind) -> str:
    return _listed([name for bit, name in HAZARDS.items() if bit & kind])


def _physics(compiled: Compiled) -> Physics:
    return settings_from_json(compiled.provenance.settings, "").physics


def _steepest(compiled: Compiled) -> float:
    """Degrees of the steepest slope that players stand on."""
    return float(np.degrees(np.arccos(_physics(compiled).floor_up)))


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
