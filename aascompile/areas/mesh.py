"""From leaves to areas: the reached leaves with the portals between them become a mesh of areas and shared faces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.areas.mesh_kernel import AreaMesh
from aascompile.csr import rows_of, starts_of
from aascompile.model.contents import WET
from aascompile.model.mapdata import Int, Planes
from aascompile.model.tree import Portals, Tree

SOLID_CHILD = -(1 << 30)
"""A tree child that leads to no area."""


def make_mesh(
    planes: Planes,
    tree: Tree,
    portals: Portals,
    ladders: Int,
    reached: NDArray[np.bool_],
    floor_up: float,
    gap_up: float,
    step: float,
) -> tuple[AreaMesh, NDArray[np.uint32], NDArray[np.int64]]:
    """The mesh, with blocks and contains of each area. Areas are the reached leaves, in the tree's order.

    ``ladders``: a 1 for each portal that is one; ``floor_up``, ``gap_up``: least height of the normal of ground and of
    a gap; ``step``: a ladder that begins higher above the ground is out of reach.
    """
    leaf = np.flatnonzero(reached)
    number = np.full(tree.leaves, -1, np.int32)
    number[leaf] = np.arange(len(leaf), dtype=np.int32)
    child = tree.node[:, 1:]
    area = number[np.maximum(-1 - child, 0)]
    node = tree.node.copy()
    node[:, 1:] = np.where(child >= 0, child, np.where(area >= 0, -1 - area, SOLID_CHILD))

    blocks, contains = tree.leaf_blocks[leaf], tree.leaf_contains[leaf]
    _, key = np.unique(np.stack([blocks.astype(np.int64), contains], axis=1), axis=0, return_inverse=True)
    front, back = number[portals.front], number[portals.back]
    used = np.flatnonzero((front >= 0) | (back >= 0))
    mesh = AreaMesh(planes.normal, planes.dist, node, len(leaf), tolerances, floor_up, gap_up, step)
    mesh.load(
        np.ascontiguousarray(key.reshape(-1), np.int64),
        ((contains & int(WET)) != 0).astype(np.int8),
        portals.plane[used],
        front[used],
        back[used],
        ladders[used],
        starts_of(np.diff(portals.vertex_start)[used]),
        np.ascontiguousarray(portals.xyz[rows_of(portals.vertex_start, used)]),
    )
    return mesh, blocks, contains
