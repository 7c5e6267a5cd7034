"""Brute-force collision of a player's box with a map: every query tests every brush.

A brush grown by the box is the set of origins at which the box overlaps it. With all bevels, its planes moved out by
the box bound exactly that set.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile.geometry.bevels import bevels
from aascompile.geometry.box import expansion
from aascompile.geometry.hull import hulls
from aascompile.geometry.planes import PlaneTable
from aascompile.model.contents import BLOCKS_PLAYER
from aascompile.model.mapdata import MapData

Point = tuple[float, float, float]
GRAVITY = 800.0
RUN = 320.0
JUMP = 270.0
STEP = 18.0
FEET = 24.0
"""Height of a player's origin above the feet."""

TICK = 0.004
"""Seconds per step of a flight."""

TOUCH = 0.01
"""Boxes that overlap by less than this only touch."""


@dataclass(frozen=True)
class Box:
    """An axial box around an origin."""

    mins: Point
    maxs: Point


STANDING = Box((-15, -15, -24), (15, 15, 32))
CROUCHED = Box((-15, -15, -24), (15, 15, 16))
ITEM = Box((-15, -15, -15), (15, 15, 15))
POINT = Box((0, 0, 0), (0, 0, 0))


class Solids:
    """Brushes of a map with given contents, by default those that block players."""

    def __init__(
        self, source: MapData, contents: int = BLOCKS_PLAYER, model: int = 0, *, bevelled: bool = True
    ) -> None:
        """Brushes of a model that have any of these contents. Without bevels, only their own sides count."""
        brushes = source.brushes
        table = PlaneTable.of(source.planes.normal, source.planes.dist)
        shape = hulls(table.normal, table.dist, brushes.side_start, brushes.side_plane)
        full = bevels(table, brushes.side_start, brushes.side_plane, shape)
        normal, dist = table.normal, table.dist
        self._planes: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
        for row in np.flatnonzero((brushes.model == model) & ((brushes.contents & contents) != 0)):
            side = slice(full.side_start[row], full.side_start[row + 1])
            plane = full.side_plane[side][full.side_source[side] >= 0] if not bevelled else full.side_plane[side]
            self._planes.append((normal[plane], dist[plane]))

    def __len__(self) -> int:
        return len(self._planes)

    def sides(self) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Normals and distances of each brush's sides, including bevels."""
        return self._planes

    def hit(self, points: ArrayLike, box: Box = POINT) -> NDArray[np.bool_]:
        """(n,) whether the box at each of ``points (n, 3)`` overlaps a brush by more than a touch."""
        at = np.asarray(points, np.float64).reshape(-1, 3)
        found = np.zeros(len(at), np.bool_)
        for normal, dist in self._planes:
            behind = np.flatnonzero(~found)
            for plane, limit in zip(normal, dist + expansion(normal, box.mins, box.maxs) - TOUCH, strict=True):
                behind = behind[at[behind] @ plane < limit]
            found[behind] = True
        return found

    def free(self, point: ArrayLike, box: Box = STANDING) -> bool:
        """Whether the box fits at a point."""
        return not self.hit(point, box)[0]

    def rest(self, x: float, y: float, z: float, box: Box = STANDING) -> float:
        """Height at which the underside of a box comes to rest after a straight fall; −inf if it never does."""
        best = -np.inf
        for normal, dist in self._planes:
            room = dist + expansion(normal, box.mins, box.maxs) - TOUCH - normal[:, :2] @ (x, y)
            up, down, level = normal[:, 2] > 0, normal[:, 2] < 0, normal[:, 2] == 0
            if (room[level] <= 0).any():
                continue
            highest = (room[up] / normal[up, 2]).min(initial=np.inf)
            lowest = (room[down] / normal[down, 2]).max(initial=-np.inf)
            if lowest < highest <= z:
                best = max(best, highest + TOUCH)
        return float(best + box.mins[2])

    def fly(
        self, start: Point, velocity: Point, box: Box = STANDING, seconds: float = 4.0, gravity: float = GRAVITY
    ) -> Point:
        """Where a thrown box lands. A wall stops horizontal movement, a floor ends the flight."""
        at, speed = np.array(start, np.float64), np.array(velocity, np.float64)
        across, down = np.array((1.0, 1.0, 0.0)), np.array((0.0, 0.0, 1.0))
        for _ in range(round(seconds / TICK)):
            move = (speed - (0, 0, gravity * TICK / 2)) * TICK
            speed[2] -= gravity * TICK
            if self.free(at + move, box):
                at = at + move
            elif self.free(at + move * down, box):
                at = at + move * down
                speed *= down
            elif move[2] <= 0:
                break
            else:
                speed *= across
        return float(at[0]), float(at[1]), float(at[2])
