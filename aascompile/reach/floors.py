"""A point to stand on in every area with ground, and which areas belong to one level floor."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import owners_of, starts_of
from aascompile.graph.components import components
from aascompile.model.areas import Areas, FaceFlag
from aascompile.model.mapdata import Float

LEVEL: Final = 1.0
"""Units: floors whose heights differ by more are separate."""


def floor_points(areas: Areas) -> Float:
    """(a, 3) player origin in the middle of each area's largest ground face; NaN where there is no ground."""
    points = np.full((len(areas), 3), np.nan)
    ground = np.flatnonzero((areas.face_flags & np.uint32(FaceFlag.GROUND)) != 0)
    if not len(ground):
        return points
    middle, size = _middles(areas, ground)
    owner = np.where(areas.face_front[ground] >= 0, areas.face_front[ground], areas.face_back[ground])
    order = np.lexsort((ground, -size, owner))
    owners, first = np.unique(owner[order], return_index=True)
    points[owners] = middle[order[first]]
    return points


def _middles(areas: Areas, faces: NDArray[np.int64]) -> tuple[Float, Float]:
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


def level_floors(areas: Areas, floor: Float) -> NDArray[np.int64]:
    """(a,) label of each area, equal for areas that touch and whose ``floor`` points have the same height."""
    front, back = areas.face_front.astype(np.int64), areas.face_back.astype(np.int64)
    open_face = (front >= 0) & (back >= 0)
    front, back = front[open_face], back[open_face]
    level = np.abs(floor[front, 2] - floor[back, 2]) <= LEVEL
    front, back = front[level], back[level]
    return components(len(areas), front, back)
