"""Merging many coplanar convex polygons: patch facets, faces of areas."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile import tolerances
from aascompile.geometry.merging_kernel import PolygonMerger
from aascompile.geometry.polygon_kernel import Polys


@dataclass(frozen=True, slots=True)
class Merged:
    """What is left of n polygons after merging, in the order of the groups."""

    vertex_start: NDArray[np.int64]
    """(m + 1,) CSR: polygon i is ``xyz[vertex_start[i]:vertex_start[i + 1]]``."""
    xyz: NDArray[np.float64]
    """(k, 3) corners, none collinear with its neighbours."""
    group: NDArray[np.int32]
    """(m,) the group it is of."""
    part_of: NDArray[np.int32]
    """(n,) for each polygon of the input the one it is part of; −1 for a sliver without three corners."""

    def __len__(self) -> int:
        return len(self.group)


def merge_polygons(
    vertex_start: ArrayLike, xyz: ArrayLike, group: ArrayLike, normal: ArrayLike, eps: float = tolerances.MERGE
) -> Merged:
    """Merge polygons ``xyz[vertex_start[i]:vertex_start[i + 1]]`` within their ``group (n,)``.

    A group's polygons lie on one plane and face ``normal[group]``. Greedy: in order of input, until no two make a
    convex one.
    """
    starts = np.ascontiguousarray(vertex_start, np.int64)
    corners = np.ascontiguousarray(xyz, np.float64).reshape(-1, 3)
    groups = np.asarray(group, np.int32)
    normals = np.ascontiguousarray(normal, np.float64).reshape(-1, 3)
    if len(starts) != len(groups) + 1 or starts[0] != 0 or starts[-1] != len(corners) or (np.diff(starts) < 0).any():
        raise ValueError("the columns of the polygons do not fit together")
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
    number = np.full(len(groups) + 1, -1, np.int32)  # its last entry answers for −1
    number[alive] = np.arange(len(alive), dtype=np.int32)
    part_of = np.empty(len(groups), np.int32)
    part_of[order] = number[into]
    out_start, out_xyz = polys.columns(row[alive])
    return Merged(out_start, out_xyz, groups[order][alive], part_of)
