"""How much work patches make for later stages, besides their number: where they lie close together, and where they cut
through each other."""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.csr import starts_of, within
from aascompile.model.mapdata import Float, Index
from aascompile.records import dataclass

MAX_CLOSE: Final = 1 << 16
"""Limit on the pairs of quads, of all patches, so close that a player touches both at once. Beyond it, the patches with
most of them are halved less often, then left out: later stages take time for each pair. Real maps have up to 13,000
pairs, nearly all of them neighbours in their patch."""

MAX_PIECES: Final = 1 << 10
"""The same for the pieces into which quads cut each other. They become floors of their own with rims all round, and
every rim is probed. Real maps have up to 400."""

SAMPLED: Final = 1024
"""Quads whose pairs are counted, at most; the rest is estimated."""

COMPARED: Final = 1 << 24
"""Limit on the quads compared for that."""

TOUCHING: Final = 32.0
"""Units between two quads that a player touches at once, along each axis: the width of a player."""

TOGETHER: Final = 1 << 19
"""Pairs of quads that are compared together, to bound memory."""

PIECE: Final = 64.0
"""Units: width of the least piece. Quads that are grown by a player's box bury what is narrower."""

DEEP: Final = 2.0
"""Units that corners of both quads must lie on either side of the other, for a pair that cuts: what meets at a seam, or
dips into a surface by less, is common in real maps."""


@dataclass(frozen=True, slots=True)
class _Quads:
    """Quads between the points of grids."""

    corner: Float
    """(n, 4, 3)"""
    normal: Float
    """(n, 3) unit normals; 0 for a quad without area."""
    dist: Float
    """(n,) distance of the middle along the normal."""
    area: Float
    """(n,) square units."""
    low: Float
    """(n, 3)"""
    high: Float
    """(n, 3)"""
    grid: Index
    """(n,) grid of each."""


def load_of(grids: list[Float]) -> Float:
    """(n,) share of the work that all patches together may make, by grid. If the sum is above 1, it is too much."""
    count = np.array([(grid.shape[0] - 1) * (grid.shape[1] - 1) for grid in grids])
    if count.sum() == 0:
        return np.zeros(len(grids))
    quads = _quads(grids, count)
    size = min(len(quads.grid), SAMPLED, COMPARED // len(quads.grid))
    sample = np.arange(size) * len(quads.grid) // size
    close, cuts = np.zeros(size), np.zeros(size)
    together = max(1, TOGETHER // len(quads.grid))
    for first in range(0, size, together):
        part = slice(first, first + together)
        at, other = _close_to(quads, sample[part])
        close[part] = np.bincount(at, minlength=len(sample[part]))
        cuts[part] = _cuts(quads, sample[part], at, other)
    # Of a quad that many lines cross, which cross each other.
    pieces = np.where(cuts > 0, 1.0 + np.minimum(cuts + cuts * cuts / 2.0, quads.area[sample] / PIECE**2), 0.0)
    of = quads.grid[sample]
    loads = [_estimated(of, close, count) / MAX_CLOSE, _estimated(of, pieces, count) / MAX_PIECES]
    return max(loads, key=lambda load: float(load.sum()))


def _estimated(grid: Index, number: Float, count: Index) -> Float:
    """(n,) sum of a number over all quads of each grid, from sampled quads. ``grid``: grid of each of these."""
    taken, total = np.bincount(grid, minlength=len(count)), np.bincount(grid, number, len(count))
    each: Float = np.where(taken > 0, total / np.maximum(taken, 1), np.mean(number))
    return each * count


def _close_to(quads: _Quads, rows: Index) -> tuple[Index, Index]:
    """Pairs of quads that a player touches at once: numbers in ``rows``, ascending, and rows of the other quads."""
    close = np.ones((len(rows), len(quads.grid)), np.bool_)
    for axis in range(3):
        close &= quads.low[:, axis] <= quads.high[rows, axis, None] + TOUCHING
        close &= quads.high[:, axis] >= quads.low[rows, axis, None] - TOUCHING
    at, other = np.nonzero(close)
    return at, other


def _cuts(quads: _Quads, rows: Index, at: Index, other: Index) -> Index:
    """(n,) how many of the ``other`` quads close to each of ``rows`` have corners deep on either side of it, and it of
    them.

    Planes decide, not outlines: a quad beside the other may count, if their boxes overlap. Neighbours do not.
    """
    a, b = rows[at], other
    for _ in range(2):  # b on either side of a, then a on either side of b
        height = (quads.corner[b] * quads.normal[a, None]).sum(axis=2) - quads.dist[a, None]
        deep = (height.min(axis=1) < -DEEP) & (height.max(axis=1) > DEEP)
        a, b, at = b[deep], a[deep], at[deep]
    meets = (quads.corner[a][:, :, None] == quads.corner[b][:, None]).all(axis=3).any(axis=(1, 2))
    overlap = ((quads.low[a] <= quads.high[b]) & (quads.high[a] >= quads.low[b])).all(axis=1)
    return np.bincount(at[overlap & ~meets], minlength=len(rows))


def corners_of(grids: list[Float]) -> tuple[Index, Index]:
    """Quads of all grids: (n + 1,) where the points of each grid start among those of all, and (q, 4) the corners of
    the quads as rows of these points, row by row of each grid."""
    rows, columns = np.array([grid.shape[:2] for grid in grids], np.int64).reshape(-1, 2).T
    start, count = starts_of(rows * columns), (rows - 1) * (columns - 1)
    width = columns.repeat(count)
    down, across = np.divmod(within(count), width - 1)
    first = start[:-1].repeat(count) + down * width + across
    return start, np.stack((first, first + 1, first + width + 1, first + width), axis=1)


def _quads(grids: list[Float], count: Index) -> _Quads:
    """The quads of all grids."""
    corner = np.concatenate([grid.reshape(-1, 3) for grid in grids])[corners_of(grids)[1]]
    normal = np.cross(corner[:, 2] - corner[:, 0], corner[:, 3] - corner[:, 1])
    double = np.sqrt((normal * normal).sum(axis=1))
    normal /= np.maximum(double, 1.0)[:, None]
    dist = (normal * corner.mean(axis=1)).sum(axis=1)
    grid = np.repeat(np.arange(len(grids)), count)
    return _Quads(corner, normal, dist, double / 2.0, corner.min(axis=1), corner.max(axis=1), grid)
