"""Merging of many coplanar convex polygons, such as patch facets and faces of areas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile import tolerances
from aascompile.csr import joined, rows_of, starts_of
from aascompile.geometry.merging_kernel import PolygonMerger
from aascompile.geometry.polygon_kernel import Polys
from aascompile.records import dataclass
from aascompile.threads import over_ranges

AT_ONCE: Final = 1 << 16
"""Polygons that a thread merges at a time, at most."""

LEAST: Final = 1 << 10
"""Polygons that are worth being merged by another thread."""


@dataclass(frozen=True, slots=True)
class MergedPolygons:
    """The m polygons that remain after merging n polygons, ordered by group."""

    vertex_start: NDArray[np.int64]
    """(m + 1,) CSR: polygon i is ``xyz[vertex_start[i]:vertex_start[i + 1]]``."""
    xyz: NDArray[np.float64]
    """(k, 3) corners. No corner is collinear with its neighbours."""
    group: NDArray[np.int32]
    """(m,) group of the polygon."""
    part_of: NDArray[np.int32]
    """(n,) merged polygon that each input polygon became part of; −1 for a sliver without three corners."""

    def __len__(self) -> int:
        return len(self.group)


def merge_polygons(
    vertex_start: ArrayLike,
    xyz: ArrayLike,
    group: ArrayLike,
    normal: ArrayLike,
    eps: float = tolerances.MERGE,
    threads: int = 1,
) -> MergedPolygons:
    """Merge polygons ``xyz[vertex_start[i]:vertex_start[i + 1]]`` within their ``group (n,)``.

    The polygons of a group lie on one plane and face ``normal[group]``. Merging is greedy, in input order, until no two
    polygons form a convex one.
    """
    starts = np.ascontiguousarray(vertex_start, np.int64)
    corners = np.ascontiguousarray(xyz, np.float64).reshape(-1, 3)
    groups = np.asarray(group, np.int32)
    normals = np.ascontiguousarray(normal, np.float64).reshape(-1, 3)
    if len(starts) != len(groups) + 1 or starts[0] != 0 or starts[-1] != len(corners) or (np.diff(starts) < 0).any():
        raise ValueError("the columns of the polygons have inconsistent lengths")
    if len(groups) and (groups.min() < 0 or groups.max() >= len(normals)):
        raise ValueError("a group has no normal")
    order = np.argsort(groups, kind="stable").astype(np.int32)
    group_start = np.searchsorted(groups[order], np.arange(len(normals) + 1)).astype(np.int64)
    into, row = np.empty(len(groups), np.int32), np.empty(len(groups), np.int32)

    def merge(first: int, end: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        rows = order[group_start[first] : group_start[end]]
        own_corners = corners[rows_of(starts, rows)]
        polys = Polys(2 * len(own_corners), 2 * len(rows))
        polys.load(starts_of(np.diff(starts)[rows]), own_corners)
        part = slice(group_start[first], group_start[end])
        begin = group_start[first : end + 1] - group_start[first]
        own = np.arange(len(rows), dtype=np.int32)
        PolygonMerger(polys, eps).merge_all(own, begin, normals[first:end], into[part], row[part])
        columns: tuple[NDArray[np.int64], NDArray[np.float64]] = polys.columns(row[part][into[part] == own])
        into[part] = np.where(into[part] >= 0, into[part] + group_start[first], -1)
        return columns

    # Groups do not depend on one another, and all at once would need several times the memory of the polygons.
    ranges = list(_ranges(group_start, min(AT_ONCE, max(len(groups) // (4 * threads), LEAST))))
    found = over_ranges(lambda number, _: merge(*ranges[number]), len(ranges), 1, threads)
    alive = np.flatnonzero(into == np.arange(len(into)))
    number = np.full(len(groups) + 1, -1, np.int32)  # the last entry is the result for −1
    number[alive] = np.arange(len(alive), dtype=np.int32)
    part_of = np.empty(len(groups), np.int32)
    part_of[order] = number[into]
    out_start = joined([start for start, _ in found])
    out_xyz = np.concatenate([np.zeros((0, 3)), *(xyz for _, xyz in found)])
    return MergedPolygons(out_start, out_xyz, groups[order][alive], part_of)


def _ranges(group_start: NDArray[np.int64], least: int) -> Iterator[tuple[int, int]]:
    """Ranges of groups with at least so many polygons, except for the last."""
    first, groups = 0, len(group_start) - 1
    while first < groups:
        end = min(int(np.searchsorted(group_start, group_start[first] + least)), groups)
        yield first, max(end, first + 1)
        first = max(end, first + 1)
