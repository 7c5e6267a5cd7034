"""Links, or reachabilities: directed edges from area to area (thesis §6.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from enum import IntEnum
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import starts_of
from aascompile.model.mapdata import Float, Index, Int
from aascompile.records import dataclass


class Travel(IntEnum):
    """Travel types, numbered as in the engine's file."""

    WALK = 2
    CROUCH = 3
    BARRIER_JUMP = 4
    JUMP = 5
    LADDER = 6
    WALK_OFF_LEDGE = 7
    SWIM = 8
    WATER_JUMP = 9
    TELEPORT = 10
    ELEVATOR = 11
    ROCKET_JUMP = 12
    BFG_JUMP = 13
    GRAPPLE = 14
    DOUBLE_JUMP = 15
    RAMP_JUMP = 16
    STRAFE_JUMP = 17
    JUMP_PAD = 18
    BOBBING = 19

    @classmethod
    def _missing_(cls, value: object) -> Travel | None:
        """A type that this program does not know, as foreign files may have: TYPE_100 is no member of the class."""
        if not isinstance(value, int):
            return None
        unknown = int.__new__(cls, value)
        unknown._name_, unknown._value_ = f"TYPE_{value}", value
        return unknown

    @classmethod
    def named(cls, name: str) -> Travel | None:
        """The travel type with a name, such as "rocket_jump" or "rocket jump"; None if there is none."""
        return cls.__members__.get(name.strip().upper().replace(" ", "_").replace("-", "_"))

    @property
    def words(self) -> str:
        """Its name for people."""
        return self.name.lower().replace("_", " ")


class Tier(IntEnum):
    """How a player gets the speed for a jump, from the easiest to the hardest."""

    STANDING = 0
    """None is needed: from a standstill at the rim."""
    RUNNING = 1
    """At most the top speed of a runner."""
    CIRCLE = 2
    """Gained on the ground by turning: a circle jump."""
    STRAFE = 3
    """Gained in the air, in jumps on the way to the rim: a strafe jump."""


CIRCLE_SHARE: Final = 1.375
"""Speed that a circle jump gives, as a multiple of a runner's: 440 units/s in Quake III. The player leaves the ground
at 410 and gains the rest in the air."""


def tier_speeds(walk_speed: float) -> Float:
    """(4,) the highest needed speed of jumps of each Tier. That of strafe jumps depends on the room for the run-up."""
    return np.array([0.0, walk_speed, CIRCLE_SHARE * walk_speed, np.inf])


def tiers_of(needed_speed: Float, walk_speed: float) -> Int:
    """(n,) the lowest Tier that gives each speed."""
    return np.searchsorted(tier_speeds(walk_speed), needed_speed).astype(np.int32)


FAST_JUMPS: Final = (Travel.DOUBLE_JUMP, Travel.RAMP_JUMP, Travel.STRAFE_JUMP)
"""Jumps that a runner does not make. They are looked for only if the settings say so, and bots do not use them."""

JUMPS: Final = (Travel.JUMP, *FAST_JUMPS)
"""Jumps over a gap, which have a needed speed and a tier."""

OWN_MOVES: Final = (
    Travel.WALK,
    Travel.CROUCH,
    Travel.BARRIER_JUMP,
    Travel.JUMP,
    Travel.LADDER,
    Travel.WALK_OFF_LEDGE,
    Travel.SWIM,
    Travel.WATER_JUMP,
    *FAST_JUMPS,
)
"""Travel types that need neither an entity nor a weapon."""

CARRIED: Final = (Travel.TELEPORT, Travel.ELEVATOR, Travel.JUMP_PAD, Travel.BOBBING)
"""Travel types in which an entity moves the player."""

RIDES: Final = (Travel.ELEVATOR, Travel.BOBBING)
"""Travel types in which the player stands on a brush model that moves."""

NEEDS_WEAPON: Final = (Travel.ROCKET_JUMP, Travel.BFG_JUMP, Travel.GRAPPLE)
"""Travel types that need a weapon."""

SPECIAL: Final = (*NEEDS_WEAPON, *FAST_JUMPS)
"""Travel types that need a weapon or skill, so that not every player can use them."""

FLIGHTS: Final = (
    Travel.BARRIER_JUMP,
    Travel.JUMP,
    Travel.WALK_OFF_LEDGE,
    Travel.WATER_JUMP,
    Travel.ROCKET_JUMP,
    Travel.BFG_JUMP,
    Travel.JUMP_PAD,
    *FAST_JUMPS,
)
"""Travel types whose path is an arc through the air."""

REPLAYED: Final = (
    Travel.WALK,
    Travel.CROUCH,
    Travel.BARRIER_JUMP,
    Travel.JUMP,
    Travel.WALK_OFF_LEDGE,
    Travel.WATER_JUMP,
    Travel.JUMP_PAD,
    *FAST_JUMPS,
)
"""Travel types that can be replayed by predicted movement, unless a brush model carries the player."""


class MissCost(IntEnum):
    """What it costs to miss the end of a link."""

    NOTHING = 0
    """The floor goes on all round."""
    TIME = 1
    """The player comes down on a lower floor, or elsewhere."""
    LIFE = 2
    """The player dies."""


ROOM_MEASURED: Final = 128
"""Units beyond a landing up to which its room is measured."""

LANDINGS: Final = (Travel.JUMP, Travel.WALK_OFF_LEDGE, Travel.JUMP_PAD)
"""Travel types with a flight whose landing is measured."""

MEASURED: Final = (Travel.WALK, Travel.CROUCH, Travel.BARRIER_JUMP, *LANDINGS)
"""Travel types that simulated bots take, to measure their margins; walks only near drops, hazards and triggers."""

KINDS: Final = 64
"""More than the number of the last travel type."""


def are_of(kind: Int | Index, kinds: tuple[Travel, ...]) -> NDArray[np.bool_]:
    """(n,) whether each of the travel types ``kind (n,)`` is one of ``kinds``. ``np.isin`` takes 0.1 ms, however
    few there are."""
    return _table_of(kinds).take(kind, mode="clip")


@cache
def _table_of(kinds: tuple[Travel, ...]) -> NDArray[np.bool_]:
    """(KINDS,) whether each number is one of some travel types; neither the first nor the last is."""
    table = np.zeros(KINDS, np.bool_)
    table[list(kinds)] = True
    return table


MOST_TIME: Final = 65535
"""Highest time in 1/100 s: the engine stores a link's time in 16 bits."""


@dataclass(frozen=True, slots=True)
class Links:
    """All links, sorted by source area, then by travel type and target area.

    Requirements: ``source`` and ``target`` differ; links with equal source, target and kind start at different points;
    ``time`` ≥ 1; unless an entity carries the player, the start lies in or on the source area and the end in or on the
    target area.
    """

    source: Int
    """(n,) area where it starts."""
    target: Int
    """(n,) area where it ends."""
    kind: Int
    """(n,) Travel."""
    start: Float
    """(n, 3) player origin at its start."""
    end: Float
    """(n, 3) player origin at its end."""
    face: Int
    """(n,) face that it passes through; −1: none."""
    edge: Int
    """(n,) edge that it passes over; −1: none."""
    time: Int
    """(n,) 1/100 s, at most 65,535."""
    model: Int
    """(n,) brush model that throws, teleports or carries the player; −1: none."""
    velocity: Float
    """(n, 3) velocity in units/s at the start of a flight (jump, ledge, jump pad, rocket jump); otherwise 0."""
    ride: Int
    """(n,) ride of the brush model on which the player gets on; −1: none."""
    needed_speed: Float
    """(n,) for jumps over a gap, the least horizontal speed in units/s at take-off that leads across; otherwise −1."""
    tier: Int
    """(n,) Tier of a jump over a gap; otherwise −1."""
    arrives: Float
    """(n,) for jumps, falls, jump pads, barrier jumps, and walks near drops, hazards and triggers, the share of
    simulated bots that arrive; otherwise, and if no bot could try it, −1, like the next four columns."""
    dies: Float
    """(n,) share of them that die."""
    room: Float
    """(n,) least length in units, up to ROOM_MEASURED, of the ground beyond their landings, in the direction in which
    they move; −1 too if none of them lands in the target."""
    landing_speed: Float
    """(n,) highest horizontal speed in units/s with which they land; −1 like ``room``."""
    miss: Int
    """(n,) MissCost: what it costs to come down beside its end, at worst."""
    entity: Int
    """(n,) row of the entity with which the mapper added it by hand (``by_hand``); −1: the compiler found it."""
    area_start: Index
    """(areas + 1,) CSR: the links of area a are rows ``area_start[a]:area_start[a + 1]``."""

    def __len__(self) -> int:
        return len(self.source)


def null_columns(count: int) -> dict[str, Any]:
    """Columns that only some links have, without a value."""
    floats = {name: np.full(count, -1.0) for name in ("needed_speed", "arrives", "dies", "room", "landing_speed")}
    return {**floats, **{name: np.full(count, -1, np.int32) for name in ("tier", "miss", "entity", "ride")}}


def with_rows(links: Links, new: Mapping[str, Any]) -> Links:
    """The links, and after those of each area new ones. ``new`` has their source, target, travel type, start and end;
    the rest has no value unless it is given."""
    count = len(new["source"])
    rest = {"face": -1, "edge": -1, "time": 1, "model": -1, "velocity": 0.0, **dict.fromkeys(null_columns(0), -1)}
    order = np.argsort(np.concatenate([links.source, new["source"]]), kind="stable")
    columns = {}
    for name, value in {**rest, **new}.items():
        old = getattr(links, name)
        column = np.broadcast_to(np.asarray(value, old.dtype), (count, *old.shape[1:]))
        columns[name] = np.concatenate([old, column])[order]
    return Links(**columns, area_start=starts_of(np.bincount(columns["source"], minlength=len(links.area_start) - 1)))


def select_links(links: Links, keep: NDArray[np.bool_]) -> Links:
    """The chosen links."""
    if keep.all():
        return links
    columns = {
        column.name: getattr(links, column.name)[keep] for column in fields(links) if column.name != "area_start"
    }
    count = np.bincount(links.source[keep], minlength=len(links.area_start) - 1)
    return replace(links, **columns, area_start=starts_of(count))


def by_kind(links: Links) -> dict[int, int]:
    """Number of links of each travel type that occurs."""
    kinds, counts = np.unique(links.kind, return_counts=True)
    return dict(zip(kinds.tolist(), counts.tolist(), strict=True))
