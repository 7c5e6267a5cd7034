"""A point in the middle of every area: on its floor if it has ground, or else anywhere inside it."""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile import tolerances
from aascompile.csr import owners_of, rows_of, starts_of
from aascompile.model.areas import Areas, FaceFlag
from aascompile.model.mapdata import Float, Index, Int
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.sampling.sample_kernel import AreaTree

DEPTHS: Final = (tolerances.STOP_BEFORE, tolerances.STOP_BEFORE / 4.0)
"""Units behind a face at which a point of an area is looked for: areas may be thin."""

LEAST_UP: Final = 0.01
"""Least z of the normal of a face that has a height at a point; files from elsewhere may call anything ground."""


def middles(areas: Areas) -> Float:
    """(a, 3) a point of each area. ``areas.area_centre`` holds the centres of mass, which serve for areas so thin that
    the tree finds no point in them."""
    point = areas.area_centre.copy()
    floors, floor = _floor_middles(areas)
    point[floors] = floor + np.array((0.0, 0.0, tolerances.STOP_BEFORE))
    tree = tree_of(areas)
    outside = np.flatnonzero(areas_at(tree, point) != np.arange(len(areas)))
    point[outside] = _inside(areas, tree, outside, areas.area_centre[outside])
    return point


def _inside(areas: Areas, tree: AreaTree, rows: Index, otherwise: Float) -> Float:
    """(n, 3) a point of each of some areas: above the middle of its largest ground face that is not too thin, or behind
    the middle of its widest face; ``otherwise (n, 3)`` where there is none, as in optimized files."""
    found = otherwise.copy()
    sizes = np.diff(areas.area_start)[rows]
    face, which = areas.area_face[rows_of(areas.area_start, rows)], np.repeat(np.arange(len(rows)), sizes)
    middle, wide = _rings(areas, face)
    side = np.where(areas.face_front[face] == rows[which], 1.0, -1.0)
    inward = areas.planes.normal[areas.face_plane[face]] * side[:, None]
    ground = (areas.face_flags[face] & np.uint32(FaceFlag.GROUND)) != 0
    order = np.lexsort((face, -wide, ~ground, which))
    missing = np.ones(len(rows), np.bool_)
    for depth in DEPTHS:
        tried = np.where(ground[:, None], middle + np.array((0.0, 0.0, depth)), middle + depth * inward)[order]
        hit = np.flatnonzero((areas_at(tree, tried) == rows[which]) & missing[which])[::-1]
        found[which[hit]] = tried[hit]  # the last assignment to an area is that of its first hit
        missing[which[hit]] = False
    return found


def _rings(areas: Areas, faces: Int) -> tuple[Float, Float]:
    """(n, 3) mean of the corners of each face, and (n,) its largest extent along an axis."""
    first, sizes = areas.face_start[faces], np.diff(areas.face_start)[faces]
    low = areas.vertex[areas.face_vertex[first]]
    high, total = low.copy(), low.copy()
    for k in range(1, int(sizes.max(initial=0))):
        some = np.flatnonzero(sizes > k)
        corner = areas.vertex[areas.face_vertex[first[some] + k]]
        total[some] += corner
        low[some], high[some] = np.minimum(low[some], corner), np.maximum(high[some], corner)
    return total / sizes[:, None], (high - low).max(axis=1)


def floor_points(areas: Areas) -> Float:
    """(a, 3) player origin in the middle of each area's largest ground face; NaN where there is no ground."""
    point = np.full((len(areas), 3), np.nan)
    floors, middle = _floor_middles(areas)
    point[floors] = middle
    return point


def _floor_middles(areas: Areas) -> tuple[Index, Float]:
    """(n,) areas with ground, ascending, and (n, 3) the middle of the largest ground face of each."""
    level = np.abs(areas.planes.normal[areas.face_plane, 2]) > LEAST_UP
    ground = np.flatnonzero(((areas.face_flags & np.uint32(FaceFlag.GROUND)) != 0) & level)
    if not len(ground):
        return np.zeros(0, np.int64), np.zeros((0, 3))
    owner = np.where(areas.face_front[ground] >= 0, areas.face_front[ground], areas.face_back[ground])
    middle, size = _face_middles(areas, ground)
    order = np.lexsort((ground, -size, owner))
    floors, first = np.unique(owner[order], return_index=True)
    return floors.astype(np.int64), middle[order[first]]


def _face_middles(areas: Areas, faces: Index) -> tuple[Float, Float]:
    """Centres of mass (n, 3) and horizontal sizes (n,) of faces, each divided into triangles from its first corner."""
    sizes = np.diff(areas.face_start)[faces]
    start = starts_of(sizes - 2)
    which = owners_of(start)
    corner = areas.face_start[faces][which] + np.arange(start[-1]) - start[which] + 1
    a = areas.vertex[areas.face_vertex[areas.face_start[faces][which]]]
    b = areas.vertex[areas.face_vertex[corner]]
    c = areas.vertex[areas.face_vertex[corner + 1]]
    twice = np.abs((b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0]))
    whole = np.maximum(np.add.reduceat(twice, start[:-1]), np.finfo(np.float64).tiny)
    middle = np.add.reduceat(twice[:, None] * (a + b + c) / 3.0, start[:-1]) / whole[:, None]
    return middle, whole / 2.0
