"""Eyes of players who stand in areas: points spread evenly over the floor of each area."""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.compiled import Boxes
from aascompile.model.mapdata import Float, Index
from aascompile.sampling.locate import fall
from aascompile.sampling.middle import middles
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.sampling.sample_kernel import AreaTree
from aascompile.sampling.spread import grounded, on_floors, spread

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
    floors, floor = on_floors(areas, count)
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


def _inside(areas: Areas, tree: AreaTree, area: int, count: int, otherwise: Float) -> Float:
    """(count, 3) points of an area, repeated if few are found; ``otherwise`` if none is."""
    low, high = areas.area_mins[area], areas.area_maxs[area]
    stands = bool(grounded(areas)[area])
    tried = low + (high - low) * spread(TRIES * count, 3)
    if not len(areas.node_plane):
        return np.tile(otherwise, (count, 1))
    tried = tried[areas_at(tree, tried) == area]
    fallen = fall(tree, tried) if stands else None
    found = tried if fallen is None else fallen.end[(fallen.fraction < 1.0) & (fallen.end_area == area)]
    points = found if len(found) else otherwise[None]
    every = len(points) // count if len(points) > count else 1
    return np.asarray(points[every * np.arange(count) % len(points)])
