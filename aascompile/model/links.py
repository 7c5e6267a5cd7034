"""Reachabilities: the ways from area to area (thesis §6.4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from aascompile.model.mapdata import Float, Index, Int


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
