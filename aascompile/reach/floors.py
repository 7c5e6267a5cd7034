"""Floors as wholes: which areas belong to one, how wide they are, and which are rails."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.distinct import distinct, occurs
from aascompile.geometry.vectors import flat_lengths
from aascompile.graph.components import components
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.links import MOST_TIME, Links, Travel, are_of
from aascompile.model.mapdata import Float
from aascompile.reach import times
from aascompile.sampling.ground import GroundEdges, ground_edges

LEVEL: Final = 1.0
"""Units: floors whose heights differ by more are separate."""

RAIL: Final = 64.0
"""Units: narrower floors with a drop all around them are rails. A bot in a fight takes no step towards a gap up to 100
units ahead. On a rail there is a gap in nearly every direction."""

CLIMBS: Final = (Travel.BARRIER_JUMP, Travel.JUMP, Travel.WATER_JUMP)
"""Travel types by which bots get onto rails. Those that fall onto a ledge run on."""


def level_floors(areas: Areas, floor: Float) -> NDArray[np.int64]:
    """(a,) label of each area, equal for areas that touch and whose ``floor`` points have the same height."""
    front, back = areas.face_front.astype(np.int64), areas.face_back.astype(np.int64)
    open_face = (front >= 0) & (back >= 0)
    front, back = front[open_face], back[open_face]
    level = np.abs(floor[front, 2] - floor[back, 2]) <= LEVEL
    front, back = front[level], back[level]
    return components(len(areas), front, back)


def are_narrow(areas: Areas, edges: GroundEdges, width: float) -> NDArray[np.bool_]:
    """(a,) whether the ground of each area, seen from above, has a mean width of less than this."""
    cross = edges.a[:, 0] * edges.b[:, 1] - edges.b[:, 0] * edges.a[:, 1]
    size = 0.5 * np.abs(np.bincount(edges.area, weights=cross, minlength=len(areas)))
    narrow: NDArray[np.bool_] = size < width * flat_lengths(areas.area_maxs - areas.area_mins)
    return narrow


def over_rails(links: Links, areas: Areas) -> Links:
    """The links, with the time that fights cost there added to jumps onto rails: narrow dry floors that nobody walks
    onto or off, such as parapets and window sills."""
    level = are_of(links.kind, (Travel.WALK, Travel.CROUCH))
    island = np.ones(len(areas), np.bool_)
    island[links.source[level]] = island[links.target[level]] = False
    island &= (areas.area_flags & (AreaFlag.GROUNDED | AreaFlag.LIQUID)) == AreaFlag.GROUNDED
    onto = np.flatnonzero(island[links.target] & are_of(links.kind, CLIMBS))
    if len(onto) == 0:
        return links
    edges = ground_edges(areas)
    found = distinct(links.target[onto])
    rails = found[[_width(edges, area) < RAIL for area in found.tolist()]]
    time = links.time.copy()
    time[onto] += times.RAIL * occurs(links.target[onto], rails)
    return replace(links, time=np.minimum(time, MOST_TIME))


def _width(edges: GroundEdges, area: int) -> float:
    """Least width of an area's ground, seen from above."""
    mine = slice(edges.area_start[area], edges.area_start[area + 1])
    x, y = edges.out[mine][edges.rim[mine]].T
    across = edges.a[mine, 0, None] * x + edges.a[mine, 1, None] * y
    return float((across.max(axis=0) - across.min(axis=0)).min(initial=np.inf))
