"""Items that hang in the air or lie on a steep slope: whether a player can touch them at all.

An area reaches up to the ceiling, so an item high above a floor lies in the area of that floor, and so may a slope
beside it. A route to the area says nothing about the item then.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

import numpy as np

from aascompile.csr import owners_of
from aascompile.graph.flood import Mask
from aascompile.model.areas import AreaFlag
from aascompile.model.compiled import Compiled, stored_number
from aascompile.model.entity_classes import is_suspended
from aascompile.model.hanging import TOUCH
from aascompile.model.links import SPECIAL, Links, are_of
from aascompile.model.mapdata import Float, Index, Int
from aascompile.model.places import ITEM_BOX, LOOKS_DOWN, Places
from aascompile.sampling.locate import fall
from aascompile.sampling.sample import areas_in_box
from aascompile.sampling.sample_kernel import AreaTree, Sampler

TOUCHES: Final = 36.0
"""Units on each axis from a player's origin to the origin of an item that it touches, in the game."""

AROUND: Final = (-32.0, -16.0, 0.0, 16.0, 32.0)
"""Units from an item, on both axes, at which a floor is looked for."""


def touching(sampler: Sampler, point: Sequence[float] | Float) -> Int:
    """Areas in which a player certainly touches an item, from the player's origin that stands for it."""
    at = np.asarray(point)
    return areas_in_box(sampler, at - TOUCH, at + TOUCH)


def jump_height(compiled: Compiled) -> float:
    """Units that a standing jump rises."""
    velocity, gravity = (stored_number(compiled, "physics", name) for name in ("jump_velocity", "gravity"))
    return velocity * velocity / (2.0 * gravity)


def highest_touched(compiled: Compiled) -> float:
    """Units above a floor up to which a player who jumps touches an item's origin."""
    return compiled.boxes.feet + jump_height(compiled) + TOUCHES


def item_origin(compiled: Compiled, point: Float) -> Float:
    """Origin of an item, from the player's origin that `Places` holds."""
    lift = compiled.boxes.feet - ITEM_BOX[2]
    moved: Float = point - np.array((0.0, 0.0, lift))
    return moved


def slopes(compiled: Compiled, tree: AreaTree, points: Float) -> Float:
    """(n,) degrees of the slope that each point lies on, if players cannot stand on it; otherwise 0."""
    found = fall(tree, points, stored_number(compiled, "physics", "max_step"))
    up = found.normal[:, 2]
    steep = (found.fraction < 1.0) & (up > 0.0) & (up < stored_number(compiled, "physics", "floor_up"))
    return np.where(steep, np.degrees(np.arccos(np.clip(up, -1.0, 1.0))), 0.0)


def out_of_reach(compiled: Compiled, links: Links, places: Places, tree: AreaTree, reached: Mask) -> Mask:
    """(places,) whether an item hangs or lies on a steep slope where no player touches it: no reached floor is near
    enough, and no link passes it."""
    found = np.zeros(len(places), np.bool_)
    rows = _doubtful(compiled, places, tree)
    if not len(rows) or not json.loads(compiled.provenance.settings):
        return found
    origins = {row: item_origin(compiled, places.point[row]) for row in rows.tolist()}
    high = {row: at for row, at in origins.items() if not _over_floor(compiled, tree, at, reached)}
    if not high:
        return found
    from aascompile.nav.arcs import link_paths

    used = reached[links.source] & ~are_of(links.kind, SPECIAL)
    start, points = link_paths(compiled, links)
    whole = owners_of(start)
    joined = np.flatnonzero((whole[1:] == whole[:-1]) & used[whole[1:]])
    first, last = points[joined], points[joined + 1]
    for row, origin in high.items():
        found[row] = not _passed(first, last, origin)
    return found


def _doubtful(compiled: Compiled, places: Places, tree: AreaTree) -> Index:
    """Rows of the items that stay in the air or lie on a steep slope, where no player swims or climbs."""
    rows: Index = np.flatnonzero(places.item & (places.area >= 0))
    climbs = compiled.areas.area_flags[places.area[rows]] & np.uint32(AreaFlag.LIQUID | AreaFlag.LADDER)
    rows = rows[climbs == 0]
    steep = slopes(compiled, tree, places.point[rows]) > 0.0
    high = fall(tree, places.point[rows], LOOKS_DOWN).fraction >= 1.0
    entity = compiled.entities.entity
    hangs = np.array([is_suspended(entity(row)) for row in places.entity[rows].tolist()], np.bool_)
    doubtful: Index = rows[steep | (high & hangs)]
    return doubtful


def _over_floor(compiled: Compiled, tree: AreaTree, origin: Float, reached: Mask) -> bool:
    """Whether a player who stands or jumps on a reached floor touches an item."""
    x, y = (axis.reshape(-1) for axis in np.meshgrid(AROUND, AROUND))
    starts = origin + np.stack([x, y, np.full(len(x), TOUCHES)], axis=1)
    fallen = fall(tree, starts, 2.0 * TOUCHES + jump_height(compiled))
    floor = fallen.normal[:, 2] >= stored_number(compiled, "physics", "floor_up")
    stands = (fallen.fraction < 1.0) & (fallen.end_area >= 0) & floor
    return bool(reached[fallen.end_area[stands]].any())


def _passed(first: Float, last: Float, origin: Float) -> bool:
    """Whether any of the segments passes the box in which a player's origin touches an item."""
    along = last - first
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (origin - TOUCHES - first) / along, (origin + TOUCHES - first) / along
    inside = (np.abs(first - origin) <= TOUCHES) & (along == 0.0)
    enters = np.where(along == 0.0, np.where(inside, -np.inf, np.inf), np.minimum(low, high)).max(axis=1)
    leaves = np.where(along == 0.0, np.where(inside, np.inf, -np.inf), np.maximum(low, high)).min(axis=1)
    return bool(((enters <= leaves) & (leaves >= 0.0) & (enters <= 1.0)).any())
