"""Portalisation (thesis §6.2): every pair of adjacent leaves gets its exact shared polygon."""

from __future__ import annotations

from typing import Any

import numpy as np

from aascompile import tolerances
from aascompile.bsp.portals_kernel import PortalCutter
from aascompile.csr import joined
from aascompile.model.mapdata import Planes
from aascompile.model.tree import Portals, Tree
from aascompile.threads import over_ranges


def make_portals(planes: Planes, tree: Tree, all_boxes: int, threads: int, *, exact: bool) -> Portals:
    """All portals, in the order of the tree's nodes.

    Exact ones close round every leaf, slivers and all; the others leave out what is too narrow to pass.
    """
    near, least = (tolerances.CLIP, 0.0) if exact else (tolerances.ON_PLANE, tolerances.MIN_AREA)
    solid = (tree.leaf_blocks == all_boxes).astype(np.int8)

    def cut(first: int, last: int) -> Any:
        cutter = PortalCutter(
            planes.normal, planes.dist, tree.node, tree.section_start, tree.section_xyz, solid,
            near, least,
        )  # fmt: skip
        cutter.cut(first, last)
        return cutter.result()

    parts = over_ranges(cut, len(tree.node), max(64, len(tree.node) // 32), threads)
    row = np.concatenate([part[0] for part in parts]) if parts else np.zeros((0, 3), np.int32)
    return Portals(
        plane=np.ascontiguousarray(row[:, 0]),
        front=np.ascontiguousarray(row[:, 1]),
        back=np.ascontiguousarray(row[:, 2]),
        vertex_start=joined([part[1] for part in parts]),
        xyz=np.concatenate([part[2] for part in parts]) if parts else np.zeros((0, 3)),
    )
