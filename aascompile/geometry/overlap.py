"""How much convex shapes of two sets overlap: arrays in, arrays out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.csr import owners_of, rows_of
from aascompile.geometry.grid_kernel import BoxGrid, BoxQuery
from aascompile.geometry.hull import builder
from aascompile.geometry.overlap_kernel import Shapes, measure
from aascompile.threads import over_ranges

CELL = 128.0
"""Width of a cell of the grid that finds pairs, units."""

MOST_CELLS = 64
"""Cells along an axis at most."""

CHUNK = 512
"""Pairs a thread takes at a time."""


@dataclass(frozen=True, slots=True)
class Convex:
    """n convex shapes: their sides and their corners."""

    normal: NDArray[np.float64]
    """(s, 3) of the sides, facing outward."""
    dist: NDArray[np.float64]
    """(s,) of the sides."""
    side_start: NDArray[np.int64]
    """(n + 1,) CSR into the two columns above."""
    corner_start: NDArray[np.int64]
    """(n + 1,) CSR into ``corner``."""
    corner: NDArray[np.float64]
    """(c, 3)"""

    @classmethod
    def enclosing(
        cls,
        normal: NDArray[np.float64],
        side_start: NDArray[np.int64],
        corner_start: NDArray[np.int64],
        corner: NDArray[np.float64],
    ) -> Convex:
        """Shapes whose sides lie on their farthest corners: none is dented, and a crooked sliver cuts nothing."""
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
        """The same for kernels."""
        return Shapes(self.normal, self.dist, self.side_start, self.corner_start, self.corner)


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Pairs of shapes that share more than a touch, sorted by the first, then by the second."""

    first: NDArray[np.int32]
    """(k,) row in the first set."""
    second: NDArray[np.int32]
    """(k,) row in the second set."""
    volume: NDArray[np.float64]
    """(k,) cubic units that both fill."""
    sticks_out: NDArray[np.float64]
    """(k,) units by which a corner of either lies outside the other, at the most."""

    def __len__(self) -> int:
        return len(self.first)


def touching(
    first: Convex, second: Convex, rows: NDArray[np.integer], others: NDArray[np.integer]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Pairs of these rows of the two sets whose boxes touch."""
    bounds = first.bounds()
    query = BoxQuery(BoxGrid(second.bounds()[others], CELL, MOST_CELLS))
    found = [query.ask(bounds[row]) for row in rows.tolist()]
    sizes = np.array([len(one) for one in found], np.int64)
    near = np.concatenate([*found, np.zeros(0, np.int32)])
    return np.repeat(rows, sizes).astype(np.int32), others[near].astype(np.int32)


def overlaps(
    first: Convex, second: Convex, pair: tuple[NDArray[np.int32], NDArray[np.int32]], threads: int = 1
) -> Overlaps:
    """What the shapes of these pairs share; pairs that share nothing are left out."""
    left, right = (np.ascontiguousarray(rows, np.int32) for rows in pair)
    volume, sticks_out = np.zeros(len(left)), np.zeros(len(left))
    a, b = first.shapes(), second.shapes()

    def work(begin: int, end: int) -> None:
        measure(builder(), a, b, left, right, tolerances.TOUCH, begin, end, volume, sticks_out)

    over_ranges(work, len(left), CHUNK, threads)
    kept = np.flatnonzero(volume > 0.0)
    return Overlaps(left[kept], right[kept], volume[kept], sticks_out[kept])


def own_volumes(shapes: Convex, rows: NDArray[np.integer], threads: int = 1) -> NDArray[np.float64]:
    """(n,) what is behind all sides of each of these shapes, as overlaps measure it; 0 for the others."""
    every = rows.astype(np.int32)
    found = overlaps(shapes, shapes, (every, every), threads)
    volume = np.zeros(len(shapes))
    volume[found.first] = found.volume
    return volume
