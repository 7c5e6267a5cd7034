"""Reachabilities: the ways from area to area (thesis §6.4)."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np

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
    JUMP_PAD = 18
    BOBBING = 19


OWN_MOVES: Final = (
    Travel.WALK,
    Travel.CROUCH,
    Travel.BARRIER_JUMP,
    Travel.JUMP,
    Travel.LADDER,
    Travel.WALK_OFF_LEDGE,
    Travel.SWIM,
    Travel.WATER_JUMP,
)
"""Travel types that need neither an entity nor a weapon."""

CARRIED: Final = (Travel.TELEPORT, Travel.ELEVATOR, Travel.JUMP_PAD, Travel.BOBBING)
"""Travel types in which an entity moves the player."""

RIDES: Final = (Travel.ELEVATOR, Travel.BOBBING)
"""Travel types in which the player stands on a brush model that moves."""

NEEDS_WEAPON: Final = (Travel.ROCKET_JUMP, Travel.BFG_JUMP, Travel.GRAPPLE)
"""Travel types that need a weapon, so that not every player can use them."""

FLIGHTS: Final = (
    Travel.BARRIER_JUMP,
    Travel.JUMP,
    Travel.WALK_OFF_LEDGE,
    Travel.WATER_JUMP,
    Travel.ROCKET_JUMP,
    Travel.BFG_JUMP,
    Travel.JUMP_PAD,
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
)
"""Travel types that predicted movement can replay, unless a brush model carries the player."""

MOST_TIME: Final = 65535
"""Hundredths of a second: the engine keeps a link's time in 16 bits."""


@dataclass(frozen=True, slots=True)
class Links:
    """All ways, sorted by the area they leave, then by kind and goal.

    Requirements: ``source`` and ``target`` differ; links of one (source, target, kind) start in different places;
    ``time`` ≥ 1; the start lies in or on the source area and the end in or on the target, for all but what an entity
    carries.
    """

    source: Int
    """(n,) area it leaves."""
    target: Int
    """(n,) area it leads to."""
    kind: Int
    """(n,) Travel."""
    start: Float
    """(n, 3) player origin where it begins."""
    end: Float
    """(n, 3) player origin where it ends."""
    face: Int
    """(n,) the face it goes through; −1: none."""
    edge: Int
    """(n,) the edge it goes over; −1: none."""
    time: Int
    """(n,) 1/100 s, at most 65,535."""
    model: Int
    """(n,) brush model that carries, or bears (elevator, bobbing platform, train); −1: none."""
    velocity: Float
    """(n, 3) units a second at the start of a flight (jump, ledge, jump pad, rocket jump); 0 otherwise."""
    area_start: Index
    """(areas + 1,) CSR: the links of area a are rows ``area_start[a]:area_start[a + 1]``."""

    def __len__(self) -> int:
        return len(self.source)


def by_kind(links: Links) -> dict[int, int]:
    """Number of links of each kind that there is."""
    kinds, counts = np.unique(links.kind, return_counts=True)
    return dict(zip(kinds.tolist(), counts.tolist(), strict=True))
