"""Eyes of players who stand in areas: points spread evenly over the floor of each area."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.csr import owners_of, starts_of
from aascompile.model.areas import AreaFlag, Areas, FaceFlag
from aascompile.model.compiled import Boxes
from aascompile.model.mapdata import Float, Index
from aascompile.sampling.locate import fall
from aascompile.sampling.middle import middles
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.sampling.sample_kernel import AreaTree

BELOW_TOP: Final = (6.0, 4.0)
"""Units from the top of the box down to the eyes, standing and crouched, as in the game."""

TRIES: Final = 16
"""Points that are tried for each eye in an area without ground."""

STAY: Final = np.uint32(AreaFlag.GROUNDED | AreaFlag.LIQUID | AreaFlag.LADDER)
"""Flags of areas in which a player can stay. Only they have eyes."""


def eyes_of(areas: Areas, boxes: Boxes, count: int) -> tuple[Index, Float]:
    """(n,) areas in which a player can stay, ascending, and (n, count, 3) eyes of players there.

    Players stand on the ground of an area. Where there is none they are anywhere in it: they swim or climb.
    """
    area = np.flatnonzero((areas.area_flags & STAY) != 0)
    tree = tree_of(areas)
    origin = np.empty((len(area), count, 3))
    floors, floor = _on_floors(areas, count)
    stands = np.isin(area, floors)
    origin[stands] = floor[np.isin(floors, area)]
    otherwise = middles(areas)
    for row in np.flatnonzero(~stands).tolist():
        origin[row] = _inside(areas, tree, int(area[row]), count, otherwise[area[row]])
    origin[..., 2] += eye_heights(areas, boxes)[area, None]
    return area, origin


def eye_heights(areas: Areas, boxes: Boxes) -> Float:
    """(areas,) units from a player's origin up to the eyes: crouched where only the low box fits."""
    stands = (areas.area_presence & boxes.presence[0]) != 0
    heights: Float = np.where(stands, boxes.maxs[0, 2] - BELOW_TOP[0], boxes.maxs[-1, 2] - BELOW_TOP[1])
    return heights


def floor_sizes(areas: Areas) -> Float:
    """(areas,) square units of ground, seen from above; of its box if the file has no faces, as optimized ones."""
    owner, corner = _floor_triangles(areas)
    sizes: Float = np.bincount(owner, _plan_sizes(corner), minlength=len(areas)).astype(np.float64)
    stripped = _grounded(areas) & (sizes == 0.0) & (np.diff(areas.area_start) == 0)
    sizes[stripped] = (areas.area_maxs - areas.area_mins)[stripped, :2].prod(axis=1)
    return sizes


def _on_floors(areas: Areas, count: int) -> tuple[Index, Float]:
    """(n,) areas with ground, ascending, and (n, count, 3) origins spread over the ground of each."""
    owner, corner = _floor_triangles(areas)
    size = _plan_sizes(corner)
    owner, corner, size = owner[size > 0.0], corner[size > 0.0], size[size > 0.0]
    floors, first = np.unique(owner, return_index=True)
    made = np.empty((len(floors), count, 3))
    spread = _spread(count)
    share = (np.arange(count) + 0.5) / count
    ends = np.append(first, len(owner))[1:]
    for row, (begin, end) in enumerate(zip(first.tolist(), ends.tolist(), strict=False)):
        reached = np.cumsum(size[begin:end])
        chosen = begin + np.minimum(np.searchsorted(reached, share * reached[-1]), end - begin - 1)
        a, b, c = corner[chosen, 0], corner[chosen, 1], corner[chosen, 2]
        root = np.sqrt(spread[:, 0:1])
        made[row] = (1.0 - root) * a + root * (1.0 - spread[:, 1:2]) * b + root * spread[:, 1:2] * c
    made[..., 2] += tolerances.STOP_BEFORE
    return floors, made


def _floor_triangles(areas: Areas) -> tuple[Index, Float]:
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


def _inside(areas: Areas, tree: AreaTree, area: int, count: int, otherwise: Float) -> Float:
    """(count, 3) points of an area, repeated if few are found; ``otherwise`` if none is."""
    low, high = areas.area_mins[area], areas.area_maxs[area]
    grounded = bool(_grounded(areas)[area])
    tried = low + (high - low) * np.column_stack((_spread(TRIES * count), _digits(TRIES * count, 5)))
    if not len(areas.node_plane):
        return np.tile(otherwise, (count, 1))
    tried = tried[areas_at(tree, tried) == area]
    fallen = fall(tree, tried) if grounded else None
    found = tried if fallen is None else fallen.end[(fallen.fraction < 1.0) & (fallen.end_area == area)]
    points = found if len(found) else otherwise[None]
    every = len(points) // count if len(points) > count else 1
    return np.asarray(points[every * np.arange(count) % len(points)])


def _grounded(areas: Areas) -> NDArray[np.bool_]:
    """(areas,) whether players stand in it."""
    grounded: NDArray[np.bool_] = (areas.area_flags & np.uint32(AreaFlag.GROUNDED)) != 0
    return grounded


def _spread(count: int) -> Float:
    """(count, 2) numbers from 0 to 1 that fill the square evenly (Halton's sequence)."""
    return np.column_stack((_digits(count, 2), _digits(count, 3)))


def _digits(count: int, base: int) -> NDArray[np.float64]:
    """(count,) the digits of 1, 2, 3, … in a base, mirrored at the point."""
    number, made, scale = np.arange(1, count + 1), np.zeros(count), 1.0
    while number.any():
        scale /= base
        made += scale * (number % base)
        number = number // base
    return made
