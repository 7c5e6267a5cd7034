"""Requirements of what players do in an area: walk straight over its ground, and fall.

Walks and falls are samples, at the same points in every run.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile import tolerances
from aascompile.checks.check_areas import has, heights
from aascompile.checks.requirement import Mask, Requirement, Rows, rows_in
from aascompile.geometry.outline_kernel import Outline
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.compiled import Boxes, Compiled
from aascompile.model.contents import DEADLY, TAKES_AWAY
from aascompile.model.mapdata import Bits, Float, Index
from aascompile.sampling.ground import ground_edges
from aascompile.sampling.locate import fall
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.sampling.sample_kernel import AreaTree
from aascompile.sampling.spread import on_floors, spread
from aascompile.sampling.walk import WalkEnd, straight_walks
from aascompile.settings_file import settings_from_json

WALKS: Final = 8
"""Straight walks over the ground of each area."""

DROPS: Final = 16
"""Points in the box around each area from which a player falls."""

HALVINGS: Final = 24
"""Halvings of a line of 4,096 units or less, to find where it leaves an area."""

INSIDE: Final = tolerances.PLAN_CONVEX + tolerances.GROUND_CONVEX + tolerances.AREA_CONVEX
"""Units inside the outline of an area's ground: farther inside, the outline has no dents."""

MAY_END: Final = (WalkEnd.ARRIVES, WalkEnd.STEEP)
"""How a walk may end: below a convex area, steep slopes may lie between floors."""


def _floors(areas: Areas, without: int = 0) -> Mask:
    """(areas,) which areas are dry, have ground and no ladder, and none of these contents."""
    flags = areas.area_flags
    floors: Mask = has(flags, AreaFlag.GROUNDED) & ~has(flags, AreaFlag.LIQUID | AreaFlag.LADDER)
    return floors & ~has(areas.area_contents, without)


def _depths(areas: Areas, floors: Index, points: Float) -> Float:
    """(n, k) units that ``points (n, k, 3)`` lie inside the outline of the ground of their areas, seen from above."""
    edges, outline = ground_edges(areas), Outline()
    depth = np.empty(points.shape[:2])
    for row, area in enumerate(floors.tolist()):
        outline.enclose(np.ascontiguousarray(edges.a[edges.area_start[area] : edges.area_start[area + 1], :2]))
        depth[row] = outline.depths(np.ascontiguousarray(points[row, :, :2]))
    return depth


def _presences(areas: Areas, boxes: Boxes) -> Bits:
    """(areas,) the presence of the first box that fits into each area."""
    fits = (areas.area_presence[:, None] & boxes.presence) != 0
    first: Bits = boxes.presence[fits.argmax(axis=1)]
    return first


def _walked(it: Compiled) -> Rows:
    areas = it.areas
    floors, points = on_floors(areas, 2 * WALKS)
    mine = _floors(areas, int(TAKES_AWAY | DEADLY))[floors]
    floors, points = floors[mine], points[mine]
    tree = tree_of(areas)
    stands = areas_at(tree, points.reshape(-1, 3)).reshape(points.shape[:2]) == floors[:, None]
    stands &= _depths(areas, floors, points) > INSIDE
    row, pair = np.nonzero(stands[:, :WALKS] & stands[:, WALKS:])
    start, end, area = points[row, pair], points[row, pair + WALKS], floors[row]
    physics = settings_from_json(it.provenance.settings, it.provenance.name).physics
    presence = _presences(areas, it.boxes)[area]
    fails = np.zeros(len(area), np.bool_)
    for box in it.boxes.presence.tolist():
        some = np.flatnonzero(presence == box)
        walks = straight_walks(tree, start[some], end[some], physics, box)
        fails[some] = walks.left | ~np.isin(walks.why, MAY_END)
    return rows_in(area[fails])


def _dropped(it: Compiled) -> Rows:
    areas = it.areas
    floors = np.flatnonzero(_floors(areas))
    low, high = areas.area_mins[floors, None], areas.area_maxs[floors, None]
    points = (low + (high - low) * spread(DROPS, 3)).reshape(-1, 3)
    tree, area = tree_of(areas), np.repeat(floors, DROPS)
    inside = areas_at(tree, points) == area
    area, points = area[inside], points[inside]
    found = fall(tree, points, points[:, 2] - areas.area_mins[area, 2] + tolerances.LINK_END)
    lost = np.flatnonzero((found.fraction >= 1.0) | (found.end_area != area))
    leaves = _leaving(tree, area[lost], points[lost], found.end[lost])
    gap_up = settings_from_json(it.provenance.settings, it.provenance.name).areas.gap_up
    through = [_nearly_upright(areas, number, at, gap_up) for number, at in zip(area[lost], leaves, strict=True)]
    return rows_in(area[lost[~np.array(through, np.bool_)]])


def _leaving(tree: AreaTree, area: Index, inside: Float, outside: Float) -> Float:
    """(n, 3) where lines from inside areas to points outside leave them."""
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        mine = (areas_at(tree, middle) == area)[:, None]
        inside, outside = np.where(mine, middle, inside), np.where(mine, outside, middle)
    return inside


def _nearly_upright(areas: Areas, area: int, point: Float, gap_up: float) -> bool:
    """Whether a point lies on a face of an area that is too upright to be a gap."""
    face = areas.area_face[areas.area_start[area] : areas.area_start[area + 1]]
    plane = areas.face_plane[face]
    near = np.abs(heights(areas, plane, point[None])) <= tolerances.ON_PLANE
    return bool((near & (np.abs(areas.planes.normal[plane, 2]) < gap_up)).any())


OF_WALKS: tuple[Requirement, ...] = (
    Requirement(
        "A17",
        "areas",
        "a player who walks straight between two points of its dry ground, PLAN_CONVEX + GROUND_CONVEX + AREA_CONVEX "
        "or farther inside the outline, stays in it and arrives, or gets to a slope too steep to stand on; unless it "
        "has a ladder, a trigger or a hazard",
        _walked,
    ),
    Requirement(
        "A18",
        "areas",
        "whatever falls straight down in a dry area with ground lands in it, unless it passes a face whose normal rises"
        " by less than areas.gap_up",
        _dropped,
    ),
)
"""In the order in which they are checked."""
