"""Merging of many coplanar convex polygons, such as patch facets and faces of areas."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile import tolerances
from aascompile.geometry.merging_kernel import PolygonMerger
from aascompile.geometry.polygon_kernel import Polys
from aascompile.records import dataclass


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
    vertex_start: ArrayLike, xyz: ArrayLike, group: ArrayLike, normal: ArrayLike, eps: float = tolerances.MERGE
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
    polys = Polys(len(corners) * 2, len(groups) * 2)
    polys.load(starts, corners)
    into = np.empty(len(groups), np.int32)
    row = np.empty(len(groups), np.int32)
    PolygonMerger(polys, eps).merge_all(order, group_start, normals, into, row)
    alive = np.flatnonzero(into == np.arange(len(into)))
    number = np.full(len(groups) + 1, -1, np.int32)  # the last entry is the result for −1
    number[alive] = np.arange(len(alive), dtype=np.int32)
    part_of = np.empty(len(groups), np.int32)
    part_of[order] = number[into]
    out_start, out_xyz = polys.columns(row[alive])
    return MergedPolygons(out_start, out_xyz, groups[order][alive], part_of)
