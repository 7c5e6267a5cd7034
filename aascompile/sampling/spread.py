"""Points spread evenly over the floor of each area. They are the same in every run."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.csr import owners_of, starts_of
from aascompile.model.areas import AreaFlag, Areas, FaceFlag
from aascompile.model.mapdata import Float, Index

BASES: Final = (2, 3, 5)
"""Bases of the digits along each axis (Halton's sequence)."""


def floor_sizes(areas: Areas) -> Float:
    """(areas,) square units of ground, seen from above; of its box if the file has no faces, as optimized ones."""
    owner, corner = floor_triangles(areas)
    sizes: Float = np.bincount(owner, _plan_sizes(corner), minlength=len(areas)).astype(np.float64)
    stripped = grounded(areas) & (sizes == 0.0) & (np.diff(areas.area_start) == 0)
    sizes[stripped] = (areas.area_maxs - areas.area_mins)[stripped, :2].prod(axis=1)
    return sizes


def on_floors(areas: Areas, count: int) -> tuple[Index, Float]:
    """(n,) areas with ground, ascending, and (n, count, 3) origins spread over the ground of each."""
    owner, corner = floor_triangles(areas)
    size = _plan_sizes(corner)
    owner, corner, size = owner[size > 0.0], corner[size > 0.0], size[size > 0.0]
    floors, first = np.unique(owner, return_index=True)
    made = np.empty((len(floors), count, 3))
    even = spread(count, 2)
    share = (np.arange(count) + 0.5) / count
    ends = np.append(first, len(owner))[1:]
    for row, (begin, end) in enumerate(zip(first.tolist(), ends.tolist(), strict=False)):
        reached = np.cumsum(size[begin:end])
        chosen = begin + np.minimum(np.searchsorted(reached, share * reached[-1]), end - begin - 1)
        a, b, c = corner[chosen, 0], corner[chosen, 1], corner[chosen, 2]
        root = np.sqrt(even[:, 0:1])
        made[row] = (1.0 - root) * a + root * (1.0 - even[:, 1:2]) * b + root * even[:, 1:2] * c
    made[..., 2] += tolerances.STOP_BEFORE
    return floors, made


def floor_triangles(areas: Areas) -> tuple[Index, Float]:
    """(t,) areas, ascending, and (t, 3, 3) corners of triangles that make up their ground."""
    ground = np.flatnonzero((areas.face_flags & np.uint32(FaceFlag.GROUND)) != 0)
    owner = np.where(areas.face_front[ground] >= 0, areas.face_front[ground], areas.face_back[ground])
    order = np.lexsort((ground, owner))
    ground, owner = ground[order], owner[order]
    start = starts_of(np.diff(areas.face_start)[ground] - 2)
    which = owners_of(start)
    first = areas.face_start[ground][which]
    second = first + np.arange(start[-1]) - start[which] + 1
    rows = np.stack((first, second, second + 1), axis=1)
    return owner[which].astype(np.int64), areas.vertex[areas.face_vertex[rows]]


def _plan_sizes(corner: Float) -> Float:
    """(t,) square units of triangles seen from above."""
    b, c = corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]
    return 0.5 * np.abs(b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0])


def grounded(areas: Areas) -> NDArray[np.bool_]:
    """(areas,) whether players stand in it."""
    found: NDArray[np.bool_] = (areas.area_flags & np.uint32(AreaFlag.GROUNDED)) != 0
    return found


def spread(count: int, axes: int) -> Float:
    """(count, axes) numbers from 0 to 1 that fill a square or a cube evenly."""
    return np.column_stack([_digits(count, base) for base in BASES[:axes]])


def _digits(count: int, base: int) -> NDArray[np.float64]:
    """(count,) the digits of 1, 2, 3, … in a base, mirrored at the point."""
    number, made, scale = np.arange(1, count + 1), np.zeros(count), 1.0
    while number.any():
        scale /= base
        made += scale * (number % base)
        number = number // base
    return made
