"""Contents of space by brute force: the Minkowski sum of every brush with every box, from the corners as drawn."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import ConvexHull

from aascompile.model.contents import Kind
from aascompile.settings import QUAKE3, Box
from tests.builders import ENTITY, Layout, Piece

Planes = NDArray[np.float64]
"""(n, 4) outward unit normals and negated distances: a point is inside if all values are below 0."""


def grown(points: ArrayLike, box: Box) -> ConvexHull:
    """Hull of all origins at which the box overlaps a brush with these corners."""
    corners = np.array(list(product(*zip(box.mins, box.maxs, strict=True))))
    return ConvexHull((np.asarray(points, np.float64)[:, None] - corners).reshape(-1, 3))


def depth(planes: Planes, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lower bound on the distance of each point from a hull; negative inside."""
    return (points @ planes[:, :3].T + planes[:, 3]).max(axis=1)


class Space:
    """Grown pieces of a layout: solids by every box, the rest by the first."""

    def __init__(self, layout: Layout, boxes: Sequence[Box] = QUAKE3.boxes) -> None:
        solids = [piece for piece in layout.pieces if piece.kind is Kind.SOLID]
        self.boxes = boxes
        self.solid: list[list[Planes]] = [[grown(p.points, box).equations for p in solids] for box in boxes]
        fills: list[Piece] = [piece for piece in layout.pieces if piece.kind is not Kind.SOLID]
        self.fill = [(piece.kind, grown(piece.points, boxes[0]).equations) for piece in fills]
        models = itertools.count(1)
        self.model = [next(models) if piece.kind in ENTITY else -1 for piece in fills]

    def at(self, points: NDArray[np.float64], margin: float) -> tuple[NDArray, NDArray, NDArray]:
        """Presence bits and Kind bits at the points, and whether they are certain: no surface within ``margin``."""
        presence, kind = np.zeros(len(points), np.uint32), np.zeros(len(points), np.uint32)
        sure = np.ones(len(points), bool)
        for box, hulls in zip(self.boxes, self.solid, strict=True):
            nearest = np.min([depth(planes, points) for planes in hulls], axis=0)
            presence[nearest > 0] |= np.uint32(box.presence)
            sure &= np.abs(nearest) > margin
        for bit, planes in self.fill:
            deep = depth(planes, points)
            kind[deep < 0] |= np.uint32(bit)
            sure &= np.abs(deep) > margin
        kind[presence == 0] = 0
        return presence, kind, sure

    def owners(self, points: NDArray[np.float64]) -> tuple[NDArray, NDArray]:
        """Models of the door and of the teleporter or jump pad at the points; −1: none."""
        door, trigger = np.full(len(points), -1), np.full(len(points), -1)
        for kind, first in ((Kind.MOVER, False), (Kind.JUMPPAD, True), (Kind.TELEPORTER, True)):
            found = door if kind is Kind.MOVER else trigger
            rows = [row for row, (bit, _) in enumerate(self.fill) if bit is kind]
            for row in reversed(rows) if first else rows:
                found[depth(self.fill[row][1], points) < 0] = self.model[row]
        return door, trigger

    def solid_between(self, a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
        """Whether a straight move of the smallest box from a to b is blocked."""
        for planes in self.solid[-1]:
            da, db = planes[:, :3] @ a + planes[:, 3], planes[:, :3] @ b + planes[:, 3]
            enter, leave = 0.0, 1.0
            for p, q in zip(da, db, strict=True):
                if p >= 0 and q >= 0:
                    enter, leave = 1.0, 0.0
                    break
                if p * q < 0:
                    t = p / (p - q)
                    enter, leave = (max(enter, t), leave) if p > 0 else (enter, min(leave, t))
            if enter < leave:
                return True
        return False
