"""Traces by brute force, against every grown brush, without a tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile.geometry.box import expansion
from aascompile.model.mapdata import MapData, Planes
from aascompile.model.volumes import Volumes
from tests.reference.collision import Box, Solids

STOP_BEFORE = 0.125
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Trace:
    """Result of a trace."""

    fraction: float
    """Fraction of the move that is free, up to STOP_BEFORE before the hit."""
    end: Array
    normal: Array | None
    """Normal of the side that was hit."""
    start_solid: bool


class Grown:
    """Convex bodies that a point must not enter: sides of all bodies, with the first row of each in ``first``."""

    def __init__(self, bodies: list[tuple[Array, Array]]) -> None:
        self.normal = np.concatenate([normal for normal, _ in bodies])
        self.dist = np.concatenate([dist for _, dist in bodies])
        self.first = np.concatenate(([0], np.cumsum([len(dist) for _, dist in bodies])))[:-1]

    @classmethod
    def of_map(cls, source: MapData, box: Box) -> Grown:
        """Brushes of a map that block a player, grown by a box."""
        return cls([(normal, dist + expansion(normal, box.mins, box.maxs)) for normal, dist in Solids(source).sides()])

    @classmethod
    def of_volumes(cls, planes: Planes, volumes: Volumes, bit: int) -> Grown:
        """Volumes that block one of the boxes."""
        bodies = []
        for row in np.flatnonzero(volumes.blocks & np.uint32(bit)):
            plane = volumes.side_plane[volumes.side_start[row] : volumes.side_start[row + 1]]
            bodies.append((planes.normal[plane], planes.dist[plane]))
        return cls(bodies)

    def enter(self, start: ArrayLike, end: ArrayLike, grow: float = 0.0) -> tuple[float, int, bool]:
        """Where a move first enters a body, with all bodies grown by ``grow``: the fraction (inf: never), the side, and
        whether the start is inside a body."""
        a = self.normal @ np.asarray(start, np.float64) - self.dist - grow
        b = self.normal @ np.asarray(end, np.float64) - self.dist - grow
        with np.errstate(divide="ignore", invalid="ignore"):
            cross = a / (a - b)
        arrive = np.where(a < 0, -np.inf, np.where(b < 0, cross, np.inf))
        leave = np.where((a < 0) & (b >= 0), cross, np.inf)
        begin = np.maximum.reduceat(arrive, self.first)
        finish = np.minimum.reduceat(leave, self.first)
        if (begin == -np.inf).any():
            return 0.0, -1, True
        hit = np.flatnonzero((begin <= 1) & (begin < finish))
        if not len(hit):
            return np.inf, -1, False
        body = hit[np.argmin(begin[hit])]
        last = self.first[body + 1] if body + 1 < len(self.first) else len(self.dist)
        side = self.first[body] + np.argmax(arrive[self.first[body] : last])
        return float(begin[body]), int(side), False

    def trace(self, start: ArrayLike, end: ArrayLike) -> Trace:
        """Move from a point towards another until something blocks."""
        a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
        at, side, inside = self.enter(a, b)
        if inside:
            return Trace(0.0, a, None, True)
        if at == np.inf:
            return Trace(1.0, b, None, False)
        normal = self.normal[side]
        at = max(at + STOP_BEFORE / (normal @ (b - a)), 0.0)
        return Trace(at, a + at * (b - a), normal, False)
