"""Subdivision by gravity and at ladders, and merging (thesis §6.2), on the mesh of areas."""

from __future__ import annotations

import numpy as np

from aascompile import tolerances
from aascompile.areas.gravity_kernel import Gravity
from aascompile.areas.ladder_split_kernel import Ladders
from aascompile.areas.merge_kernel import AreaMerger
from aascompile.areas.mesh_kernel import AreaMesh
from aascompile.geometry.planes import PlaneTable
from aascompile.model.mapdata import Int


def subdivide_by_gravity(mesh: AreaMesh, table: PlaneTable) -> tuple[int, int]:
    """Split areas until none has both ground and a gap; answers the splits, and the areas that no plane could part."""
    before = mesh.plane_count
    gravity = Gravity(mesh, tolerances.MIN_EDGE)
    gravity.run()
    _intern(mesh, table, before)
    return gravity.splits, gravity.stuck


def subdivide_at_ladders(mesh: AreaMesh, table: PlaneTable) -> int:
    """Split areas until none has both ground and a ladder that begins out of reach above it; answers the splits."""
    before = mesh.plane_count
    ladders = Ladders(mesh)
    ladders.run()
    _intern(mesh, table, before)
    return int(ladders.splits)


def _intern(mesh: AreaMesh, table: PlaneTable, before: int) -> None:
    """Give the planes that the mesh made a place in the map's table."""
    made = slice(before, mesh.plane_count)
    ids = table.intern(np.asarray(mesh.normal)[made], np.asarray(mesh.dist)[made])
    mesh.renumber_planes(np.concatenate([np.arange(before, dtype=np.int32), ids]))
    mesh.use_planes(table.normal, table.dist)


def merge_areas(mesh: AreaMesh) -> Int:
    """Merge neighbours whose union is an area too; answers the area that each one went into."""
    merger = AreaMerger(mesh, tolerances.CONVEX)
    merger.run()
    into: Int = merger.result()
    return into
