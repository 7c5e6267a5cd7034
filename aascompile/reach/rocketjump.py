"""Rocket jumps (thesis §6.4): from the middle of an area's floor up to areas with items, steered in the air.

Many are possible and few are useful, so only the nearest areas below an item are tried. BFG jumps are the same, but
higher.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile import tolerances
from aascompile.distinct import occurs
from aascompile.geometry.vectors import flat_lengths
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.contents import DEADLY, Kind
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float, Index, Int
from aascompile.model.places import Places
from aascompile.player.flight import fall_time, gain, highest, steered
from aascompile.player.movement import Movement
from aascompile.player.reason import Reason
from aascompile.reach import times
from aascompile.reach.candidates import Candidates
from aascompile.sampling.middle import floor_points
from aascompile.sampling.sample import areas_at

LEAST_RISE: Final = 64.0
"""Units: targets that are less high need no rocket."""

NEAREST: Final = 16
"""Areas tried below each item's area."""

INSIDE: Final = 16.0
"""Units inside an area's bounds at which a jump aims."""

NO_START: Final = Kind.WATER | Kind.JUMPPAD | Kind.TELEPORTER
"""Contents in which a player cannot stand long enough to shoot at the floor."""


def rocketjump_links(candidates: Candidates, areas: Areas, places: Places, movement: Movement) -> None:
    """Add rocket jumps and BFG jumps, if enabled in the settings."""
    settings = movement.settings
    physics, wanted = settings.physics, settings.reach
    floor = floor_points(areas)
    for kind, on, speed in (
        (Travel.ROCKET_JUMP, wanted.rocket_jump, physics.rocket_jump_velocity),
        (Travel.BFG_JUMP, wanted.bfg_jump, physics.bfg_jump_velocity),
    ):
        if not on:
            continue
        source, target = _pairs(areas, floor, places, speed, movement)
        if len(source):
            _jump(candidates, kind, floor, source, target, areas, speed, movement)


def _pairs(areas: Areas, floor: Float, places: Places, speed: float, movement: Movement) -> tuple[Index, Index]:
    """Pairs of an area to jump from and an area with an item within a flight: the nearest few for each item."""
    start, items = np.flatnonzero(~np.isnan(floor[:, 0])), places.areas_of_items().astype(np.int64)
    near = _within_flight(areas, floor[start, :2], items, speed, movement)
    source, target = start[np.concatenate(near)] if near else start[:0], np.repeat(items, [len(rows) for rows in near])
    if not len(source):
        return source, target
    why, _ = misfits(areas, floor, places, speed, source, target, movement)
    source, target = source[why == Reason.ARRIVES], target[why == Reason.ARRIVES]
    error = _aim(areas, floor, source, target) - floor[source, :2]
    rows = np.lexsort((source, flat_lengths(error), target))
    _, first, count = np.unique(target[rows], return_index=True, return_counts=True)
    rows = rows[np.arange(len(rows)) - np.repeat(first, count) < NEAREST]
    return source[rows], target[rows]


def _within_flight(areas: Areas, floor: Float, items: Index, speed: float, movement: Movement) -> list[Index]:
    """For each of the item areas, the rows of ``floor (n, 2)`` from which the longest flight could reach its bounds."""
    physics = movement.settings.physics
    longest = physics.walk_speed * float(fall_time(np.array([LEAST_RISE]), speed, physics)[0])
    low, high = areas.area_mins[items, :2] - longest, areas.area_maxs[items, :2] + longest
    order = np.argsort(floor[:, 0], kind="stable")
    sorted_x = floor[order, 0]
    found = []
    for first, last, bottom, top in zip(
        np.searchsorted(sorted_x, low[:, 0]), np.searchsorted(sorted_x, high[:, 0], "right"), low[:, 1], high[:, 1],
        strict=True,
    ):  # fmt: skip
        rows = order[first:last]
        found.append(rows[(floor[rows, 1] >= bottom) & (floor[rows, 1] <= top)])
    return found


def misfits(
    areas: Areas, floor: Float, places: Places, speed: float, source: Index, target: Index, movement: Movement
) -> tuple[Int, Float]:
    """Why no such jump can lead from ``source (n,)`` to ``target (n,)``, ARRIVES if one may; and by how many units."""
    physics, standing = movement.settings.physics, np.uint32(movement.settings.boxes[0].presence)
    stands = ((areas.area_presence & standing) != 0) & ((areas.area_flags & np.uint32(AreaFlag.GROUNDED)) != 0)
    stands &= (areas.area_contents & np.uint32(DEADLY)) == 0
    shoots = stands & ((areas.area_contents & np.uint32(NO_START)) == 0)
    rise = floor[target, 2] - floor[source, 2]
    most = highest(speed, physics)
    error = _aim(areas, floor, source, target) - floor[source, :2]
    seconds = np.maximum(fall_time(rise, speed, physics), 0.0)
    far = flat_lengths(error) - gain(error, np.zeros(2), seconds, physics.walk_speed, physics)
    faults = {
        Reason.NO_START: (~shoots[source], rise),
        Reason.NO_ITEM: (~occurs(target, places.areas_of_items()), rise),
        Reason.NO_GROUND: (~stands[target], rise),
        Reason.TOO_LOW: (rise < LEAST_RISE, LEAST_RISE - rise),
        Reason.TOO_HIGH: (rise > most, rise - most),
        Reason.TOO_FAR: (far > 0.0, far),
    }
    holds = [mask for mask, _ in faults.values()]
    why = np.select(holds, [int(reason) for reason in faults], int(Reason.ARRIVES)).astype(np.int32)
    return why, np.select(holds, [measure for _, measure in faults.values()], 0.0)


def _aim(areas: Areas, floor: Float, source: Index, target: Index) -> Float:
    """(n, 2) the nearest point well inside the target's bounds."""
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
    movement: Movement,
) -> None:
    """Add the jumps that arrive."""
    area, _, end = fly(areas, floor, source, target, speed, movement)
    good = area == target
    velocity, time = (0.0, 0.0, speed), times.weapon_jump(kind, movement.settings)
    candidates.add(kind, source[good], target[good], floor[source[good]], end[good], time, velocity=velocity)


def fly(
    areas: Areas, floor: Float, source: Index, target: Index, speed: float, movement: Movement
) -> tuple[Int, Float, Float]:
    """Areas (n,) and points (n, 3) where jumps end, and the points they aim at: just past the rim, else the floor's
    middle."""
    start = floor[source]
    velocity = np.tile((0.0, 0.0, speed), (len(start), 1))
    near = np.column_stack((_aim(areas, floor, source, target), floor[target, 2]))
    above = near + np.array((0.0, 0.0, tolerances.STOP_BEFORE))
    aim = np.where((areas_at(movement.tree, above) == target)[:, None], near, floor[target])
    area, end = steered(movement, start, velocity, aim, target)
    left = np.flatnonzero(area != target)
    aim[left] = floor[target[left]]
    area[left], end[left] = steered(movement, start[left], velocity[left], aim[left], target[left])
    return area, end, aim
