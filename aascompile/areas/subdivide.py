"""Subdivision by gravity and at ladders, and merging (thesis §6.2), on the mesh of areas."""

from __future__ import annotations

import numpy as np

from aascompile import tolerances
from aascompile.areas.gravity_kernel import Gravity
from aascompile.areas.ladder_split_kernel import Ladders
from aascompile.areas.merge_kernel import AreaMerger
from aascompile.areas.mesh_kernel import AreaMesh
from aascompile.geometry.planes import PlaneTable
from aascompile.model.mapdata import Index, Int
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class Subdivision:
    """What a subdivision did."""

    splits: int
    stuck: int
    """Areas that should be split, but that no plane parts."""


def subdivide_by_gravity(mesh: AreaMesh, table: PlaneTable) -> Subdivision:
    """Split areas until none has both ground and a gap."""
    before = mesh.plane_count
    gravity = Gravity(mesh, tolerances.MIN_EDGE)
    gravity.run()
    intern_planes(mesh, table, before)
    return Subdivision(gravity.splits, gravity.stuck)


def subdivide_at_ladders(mesh: AreaMesh, table: PlaneTable) -> int:
    """Split areas until none has both ground and a ladder out of reach above it. Returns the number of splits."""
    before = mesh.plane_count
    ladders = Ladders(mesh)
    ladders.run()
    intern_planes(mesh, table, before)
    return int(ladders.splits)


def intern_planes(mesh: AreaMesh, table: PlaneTable, before: int) -> None:
    """Give the planes that the mesh made a place in the map's table."""
    made = slice(before, mesh.plane_count)
    ids = table.intern(np.asarray(mesh.normal)[made], np.asarray(mesh.dist)[made])
    mesh.renumber_planes(np.concatenate([np.arange(before, dtype=np.int32), ids]))
    mesh.use_planes(table.normal, table.dist)


@dataclass(frozen=True, slots=True)
class Merged:
    """Which areas of a mesh were merged."""

    into: Int
    """(n,) the area that each area of the mesh went into; itself if it is left."""
    left: Index
    """(k,) the areas that are left, ascending."""


def merge_areas(mesh: AreaMesh) -> Merged:
    """Merge neighbours whose union is an area too."""
    merger = AreaMerger(mesh, tolerances.CONVEX)
    merger.run()
    into: Int = merger.result()
    return Merged(into, np.flatnonzero(into == np.arange(len(into))))
