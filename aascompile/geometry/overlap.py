"""Overlap volumes of convex shapes from two sets: arrays in, arrays out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.csr import owners_of, rows_of
from aascompile.geometry.grid_kernel import BoxGrid, BoxQuery
from aascompile.geometry.hull import builder
from aascompile.geometry.overlap_kernel import Shapes, measure
from aascompile.records import dataclass
from aascompile.threads import over_ranges

CELL = 128.0
"""Width in units of a cell of the grid that finds pairs."""

MAX_CELLS = 64
"""Limit on the number of cells along an axis."""

CHUNK = 512
"""Pairs that a thread processes at a time."""


@dataclass(frozen=True, slots=True)
class Convex:
    """n convex shapes, by sides and by corners."""

    normal: NDArray[np.float64]
    """(s, 3) normals of the sides, facing outward."""
    dist: NDArray[np.float64]
    """(s,) plane distances of the sides."""
    side_start: NDArray[np.int64]
    """(n + 1,) CSR into ``normal`` and ``dist``."""
    corner_start: NDArray[np.int64]
    """(n + 1,) CSR into ``corner``."""
    corner: NDArray[np.float64]
    """(c, 3) corners."""

    @classmethod
    def enclosing(
        cls,
        normal: NDArray[np.float64],
        side_start: NDArray[np.int64],
        corner_start: NDArray[np.int64],
        corner: NDArray[np.float64],
    ) -> Convex:
        """Shapes whose sides go through their farthest corners, so that an inexact side never cuts off a corner."""
        sizes = np.diff(corner_start)[owners_of(side_start)]
        height = (np.repeat(normal, sizes, axis=0) * corner[rows_of(corner_start, owners_of(side_start))]).sum(axis=1)
        first = np.cumsum(sizes) - sizes
        dist = np.maximum.reduceat(height, first) if len(first) else np.zeros(0)
        return cls(np.ascontiguousarray(normal), dist, side_start, corner_start, np.ascontiguousarray(corner))

    def __len__(self) -> int:
        return len(self.side_start) - 1

    def bounds(self) -> NDArray[np.float64]:
        """(n, 6) minima, maxima of the corners."""
        box = np.empty((len(self), 6))
        if len(self):
            box[:, :3] = np.minimum.reduceat(self.corner, self.corner_start[:-1])
            box[:, 3:] = np.maximum.reduceat(self.corner, self.corner_start[:-1])
        return box

    def shapes(self) -> Shapes:
        """The shapes in the form that kernels use."""
        return Shapes(self.normal, self.dist, self.side_start, self.corner_start, self.corner)


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Pairs of shapes that share volume, sorted by first and then by second shape."""

    first: NDArray[np.int32]
    """(k,) row in the first set."""
    second: NDArray[np.int32]
    """(k,) row in the second set."""
    volume: NDArray[np.float64]
    """(k,) shared volume in cubic units."""
    sticks_out: NDArray[np.float64]
    """(k,) greatest distance in units of a corner of either outside the other."""

    def __len__(self) -> int:
        return len(self.first)


def touching(
    first: Convex, second: Convex, rows: NDArray[np.integer], others: NDArray[np.integer]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Pairs of shapes whose bounds touch, from ``rows`` of the first set and ``others`` of the second."""
    bounds = first.bounds()
    query = BoxQuery(BoxGrid(second.bounds()[others], CELL, MAX_CELLS))
    found = [query.ask(bounds[row]) for row in rows.tolist()]
    sizes = np.array([len(boxes) for boxes in found], np.int64)
    near = np.concatenate([*found, np.zeros(0, np.int32)])
    return np.repeat(rows, sizes).astype(np.int32), others[near].astype(np.int32)


def overlaps(
    first: Convex, second: Convex, pair: tuple[NDArray[np.int32], NDArray[np.int32]], threads: int = 1
) -> Overlaps:
    """Overlaps of the shapes of these pairs. Pairs that share no volume are left out."""
    left, right = (np.ascontiguousarray(rows, np.int32) for rows in pair)
    volume, sticks_out = np.zeros(len(left)), np.zeros(len(left))
    a, b = first.shapes(), second.shapes()

    def work(begin: int, end: int) -> None:
        measure(builder(), a, b, left, right, tolerances.TOUCH, begin, end, volume, sticks_out)

    over_ranges(work, len(left), CHUNK, threads)
    kept = np.flatnonzero(volume > 0.0)
    return Overlaps(left[kept], right[kept], volume[kept], sticks_out[kept])


def own_volumes(shapes: Convex, rows: NDArray[np.integer], threads: int = 1) -> NDArray[np.float64]:
    """(n,) volume of the shapes in ``rows``, measured like overlaps; 0 for the others."""
    selected = rows.astype(np.int32)
    found = overlaps(shapes, shapes, (selected, selected), threads)
    volume = np.zeros(len(shapes))
    volume[found.first] = found.volume
    return volume
