"""Bulk questions about the faces of areas: spheres that move, the nearest wall, the nearest area."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.model.areas import Areas
from aascompile.model.mapdata import Float, Index, Int
from aascompile.records import dataclass
from aascompile.sampling.sample import CHUNK, Traces, areas_at, rows_in_order, sampler_of, trace_columns
from aascompile.sampling.sample_kernel import AreaTree, trace_rows
from aascompile.sampling.shape_kernel import AreaFaces, nearest_rows, sweep_rows, wall_rows
from aascompile.threads import over_ranges

FACES_CHUNK: Final = 256
"""Questions about faces that a thread answers at a time."""


@dataclass(frozen=True, slots=True)
class Polygons:
    """The faces of all areas, as the kernel wants them."""

    area_start: Index
    """(areas + 1,) CSR into ``area_face``."""
    area_face: Int
    """(j,) faces of the areas."""
    face_start: Index
    """(f + 1,) CSR into ``corner``."""
    corner: Float
    """(k, 3) corners, counter-clockwise seen from the front."""
    plane: Float
    """(f, 4) normal, which points to the front, and distance."""
    front: Int
    """(f,) area; −1: solid."""
    back: Int
    """(f,) area; −1: solid."""
    top: Float
    """(f,) greatest z of the corners."""


@dataclass(frozen=True, slots=True)
class Walls:
    """The nearest wall of each of n points."""

    distance: Float
    """(n,) units; infinite if there is no wall within reach."""
    point: Float
    """(n, 3) nearest point of the wall; NaN if there is none."""
    normal: Float
    """(n, 3) normal of the wall on its free side; 0 if there is none."""
    face: Int
    """(n,) row of the face; −1 if there is none."""


@dataclass(frozen=True, slots=True)
class NearestAreas:
    """The nearest area of each of n points."""

    area: Int
    """(n,) −1 if there is no area to choose from."""
    point: Float
    """(n, 3) point of the area nearest to the point asked for: that point itself if the area contains it."""
    distance: Float
    """(n,) units; infinite if there is no area."""


def polygons_of(areas: Areas) -> Polygons:
    """The faces of a map's areas."""
    planes = areas.planes
    z = areas.vertex[areas.face_vertex, 2]
    top = np.maximum.reduceat(z, areas.face_start[:-1]) if len(areas.face_plane) else np.zeros(0)
    return Polygons(
        area_start=np.ascontiguousarray(areas.area_start, np.int64),
        area_face=np.array(areas.area_face, np.int32),
        face_start=np.ascontiguousarray(areas.face_start, np.int64),
        corner=np.ascontiguousarray(areas.vertex[areas.face_vertex]),
        plane=np.ascontiguousarray(np.column_stack((planes.normal, planes.dist))[areas.face_plane]),
        front=np.array(areas.face_front, np.int32),
        back=np.array(areas.face_back, np.int32),
        top=top,
    )


def sphere_traces(
    tree: AreaTree, polygons: Polygons, starts: Float, ends: Float, radius: float, presence: int, threads: int = 1
) -> Traces:
    """Traces of spheres with a radius in units, from ``starts (n, 3)`` to ``ends (n, 3)``."""
    n = len(starts)
    boxes = np.full(n, presence, np.uint32)
    fraction, reached, normal = np.empty(n), np.empty((n, 3)), np.zeros((n, 3))
    number: NDArray[np.int32] = np.empty((n, 5), np.int32)

    def work(first: int, last: int) -> None:
        sampler = sampler_of(tree)
        trace_rows(sampler, starts, ends, boxes, rows_in_order(starts, first, last), fraction, reached, normal, number)
        shapes, before = AreaFaces(polygons, sampler), tolerances.STOP_BEFORE
        sweep_rows(shapes, starts, ends, radius, boxes, before, first, last, fraction, reached, normal, number)

    over_ranges(work, n, CHUNK if radius <= 0.0 else FACES_CHUNK, threads)
    return trace_columns(fraction, reached, normal, number)


def nearest_walls(
    tree: AreaTree, polygons: Polygons, points: Float, reach: float, level: float, step: float, presence: int,
    threads: int = 1,
) -> Walls:  # fmt: skip
    """The nearest wall of each of ``points (n, 3)`` within ``reach`` units.

    A wall is a face that blocks the box, is steeper than a floor (``level`` is the least z of a floor's normal), and
    rises more than ``step`` above the point.
    """
    n = len(points)
    distance, nearest, face = np.full(n, np.inf), np.full((n, 3), np.nan), np.full(n, -1, np.int32)

    def work(first: int, last: int) -> None:
        shapes = AreaFaces(polygons, sampler_of(tree))
        wall_rows(shapes, points, reach, level, step, presence, first, last, distance, nearest, face)

    over_ranges(work, n, FACES_CHUNK, threads)
    normal = np.zeros((n, 3))
    hit = np.flatnonzero(face >= 0)
    free = np.append((np.asarray(tree.presence) & np.uint32(presence)) != 0, False)  # the last answers for solid
    sign = np.where(free[polygons.front[face[hit]]], 1.0, -1.0)
    normal[hit] = sign[:, None] * polygons.plane[face[hit], :3]
    return Walls(distance, nearest, normal, face)


def nearest_areas(
    tree: AreaTree, polygons: Polygons, points: Float, wanted: NDArray[np.bool_], threads: int = 1
) -> NearestAreas:
    """The nearest of the areas in ``wanted (areas,)`` for each of ``points (n, 3)``."""
    n = len(points)
    area, nearest, distance = np.full(n, -1, np.int32), np.full((n, 3), np.nan), np.full(n, np.inf)
    mask = np.ascontiguousarray(wanted, np.uint8)

    def work(first: int, last: int) -> None:
        nearest_rows(AreaFaces(polygons, sampler_of(tree)), points, mask, first, last, area, nearest, distance)

    over_ranges(work, n, FACES_CHUNK, threads)
    # A point in an area that is not convex may lie behind some of its faces.
    found = areas_at(tree, points)
    own = np.flatnonzero((found >= 0) & (distance > 0.0) & np.append(wanted, False)[found])
    area[own], nearest[own], distance[own] = found[own], points[own], 0.0
    return NearestAreas(area, nearest, distance)
