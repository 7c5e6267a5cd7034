"""Rocket jumps (thesis §6.4): from the middle of an area's floor, up to areas with items, steered in the air.

Many are possible and few are of interest, so only the nearest places below an item are tried. Jumps with the BFG are
the same, only higher.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile import tolerances
from aascompile.geometry.sample import areas_at
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.contents import Kind
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float, Index
from aascompile.model.places import Places
from aascompile.reach.candidates import DEADLY, Candidates
from aascompile.reach.flight import comes_down_after, gain, steered
from aascompile.reach.floors import floor_points
from aascompile.reach.movement import Movement

LEAST_RISE: Final = 64.0
"""Units: whatever is lower needs no rocket."""

NEAREST: Final = 16
"""Places tried below each item's area."""

INSIDE: Final = 16.0
"""Units inside an area's bounds at which a jump aims."""

NO_START: Final = Kind.WATER | Kind.JUMPPAD | Kind.TELEPORTER
"""Nobody stands there long enough to shoot at the floor."""


def rocketjump_links(candidates: Candidates, areas: Areas, places: Places, movement: Movement) -> None:
    """Rocket jumps, and BFG jumps, if the settings ask for them."""
    settings = movement.settings
    physics, costs, wanted = settings.physics, settings.costs, settings.reach
    floor = floor_points(areas)
    for kind, on, speed, time in (
        (Travel.ROCKET_JUMP, wanted.rocket_jump, physics.rocket_jump_velocity, costs.rocket_jump),
        (Travel.BFG_JUMP, wanted.bfg_jump, physics.bfg_jump_velocity, costs.bfg_jump),
    ):
        if not on:
            continue
        source, target = _pairs(areas, floor, places, speed, movement)
        if len(source):
            _jump(candidates, kind, floor, source, target, areas, speed, time, movement)


def _pairs(areas: Areas, floor: Float, places: Places, speed: float, movement: Movement) -> tuple[Index, Index]:
    """Areas to jump from, and with items to jump to, that a flight could join: for each of these the nearest few."""
    physics, standing = movement.settings.physics, np.uint32(movement.settings.boxes[0].presence)
    stands = ((areas.area_presence & standing) != 0) & ((areas.area_flags & np.uint32(AreaFlag.GROUNDED)) != 0)
    safe = (areas.area_contents & DEADLY) == 0
    start = np.flatnonzero(stands & safe & ((areas.area_contents & np.uint32(NO_START)) == 0))
    items = places.areas_of_items().astype(np.int64)
    items = items[(stands & safe)[items]]
    rise = floor[items, 2][:, None] - floor[start, 2]
    one, other = np.nonzero((rise >= LEAST_RISE) & (rise <= speed**2 / (2.0 * physics.gravity)))
    source, target, rise = start[other], items[one], rise[one, other]
    error = _aim(areas, floor, source, target) - floor[source, :2]
    miss = np.hypot(error[:, 0], error[:, 1])
    seconds = comes_down_after(rise, speed, physics)
    rows = np.flatnonzero(miss <= gain(error, np.zeros(2), seconds, physics.walk_speed, physics))
    rows = rows[np.lexsort((rows, miss[rows], target[rows]))]
    _, first, count = np.unique(target[rows], return_index=True, return_counts=True)
    rows = rows[np.arange(len(rows)) - np.repeat(first, count) < NEAREST]
    return source[rows], target[rows]


def _aim(areas: Areas, floor: Float, source: Index, target: Index) -> Float:
    """(n, 2) the nearest place that is well inside the bounds of the target."""
    low, high = areas.area_mins[target, :2], areas.area_maxs[target, :2]
    inside = np.minimum(INSIDE, (high - low) / 2.0)
    return np.clip(floor[source, :2], low + inside, high - inside)


def _jump(
    candidates: Candidates,
    kind: Travel,
    floor: Float,
    source: Index,
    target: Index,
    areas: Areas,
    speed: float,
    time: float,
    movement: Movement,
) -> None:
    """Try to come down just past the rim; then in the middle of the floor."""
    start = floor[source]
    velocity = np.tile((0.0, 0.0, speed), (len(start), 1))
    near = np.column_stack((_aim(areas, floor, source, target), floor[target, 2]))
    above = near + np.array((0.0, 0.0, tolerances.STOP_BEFORE))
    end = np.where((areas_at(movement.tree, above) == target)[:, None], near, floor[target])
    good = steered(movement, start, velocity, end, target)[0] == target
    left = np.flatnonzero(~good)
    end[left] = floor[target[left]]
    good[left] = steered(movement, start[left], velocity[left], end[left], target[left])[0] == target[left]
    candidates.add(kind, source[good], target[good], start[good], end[good], time, velocity=(0.0, 0.0, speed))
