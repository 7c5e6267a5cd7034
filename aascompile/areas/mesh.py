"""From leaves to areas: the reached leaves with the portals between them become a mesh of areas and shared faces."""

from __future__ import annotations

import numpy as np

from aascompile import tolerances
from aascompile.areas.ladder_faces import Climbed
from aascompile.areas.mesh_kernel import AreaMesh
from aascompile.csr import rows_of, starts_of
from aascompile.model.contents import WET
from aascompile.model.mapdata import Planes
from aascompile.model.tree import LeafContents, Tree
from aascompile.records import dataclass
from aascompile.settings import Settings

SOLID_CHILD = -(1 << 30)
"""A tree child that leads to no area."""


@dataclass(frozen=True, slots=True)
class StartMesh:
    """A mesh with what was in the areas it began with."""

    mesh: AreaMesh
    """Changes as areas are split and merged."""
    contents: LeafContents
    """Of each area that the mesh began with: those made later have the key of the area they came from."""


def make_mesh(planes: Planes, tree: Tree, walls: Climbed, settings: Settings) -> StartMesh:
    """The mesh of the open leaves, in the tree's order."""
    leaf = np.flatnonzero(tree.leaf_blocks != settings.all_boxes)
    number = np.full(tree.leaves, -1, np.int32)
    number[leaf] = np.arange(len(leaf), dtype=np.int32)
    child = tree.node[:, 1:]
    area = number[np.maximum(-1 - child, 0)]
    node = tree.node.copy()
    node[:, 1:] = np.where(child >= 0, child, np.where(area >= 0, -1 - area, SOLID_CHILD))

    portals, physics = walls.portals, settings.physics
    blocks, contains = tree.leaf_blocks[leaf], tree.leaf_contains[leaf]
    fillings, filling = np.unique(contains, return_inverse=True)
    _, key = np.unique(blocks * np.int64(len(fillings)) + filling, return_inverse=True)
    front, back = number[portals.front], number[portals.back]
    used = np.flatnonzero((front >= 0) | (back >= 0))
    mesh = AreaMesh(
        planes.normal, planes.dist, node, len(leaf), tolerances,
        physics.floor_up, settings.areas.gap_up, physics.max_step,
    )  # fmt: skip
    mesh.load(
        key.astype(np.int64, copy=False),
        ((contains & int(WET)) != 0).astype(np.int8),
        portals.plane[used],
        front[used],
        back[used],
        walls.ladder[used],
        starts_of(np.diff(portals.vertex_start)[used]),
        np.ascontiguousarray(portals.xyz[rows_of(portals.vertex_start, used)]),
    )
    return StartMesh(mesh, LeafContents(blocks, contains))
