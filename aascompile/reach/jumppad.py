"""Jump pads (thesis §6.4): flights predicted from where the player leaves the trigger to where the player lands.

While a player touches the trigger, the game sets the velocity anew in every frame, so the way out of it is straight;
gravity and steering begin where the trigger ends. A flight is tried without steering, and steered to all ground that
air control may reach: first with the one steady wish that a closed form finds, then, for what that misses, by always
wishing towards the goal, which presses on along a wall until it ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.contents import Kind
from aascompile.model.entities import EntityFacts, Push
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float, Index, Int, MapData
from aascompile.reach.candidates import DEADLY, Candidates
from aascompile.reach.floors import floor_points, level_floors
from aascompile.reach.movement import HAZARDS, Event, Flag, Movement, Predictions
from aascompile.reach.triggers import Grown, areas_in, placed, trigger_volumes

LANDS: Final = Event.LANDED | Event.SWIM | Event.TELEPORTER | Event.JUMP_PAD | HAZARDS
"""The end of a flight."""

LONGEST: Final = 10.0
"""Seconds: no flight of a real map lasts longer."""

FRAME: Final = 0.05
"""Seconds: flight is exact for any frame time, and steering nearly so."""

NEAREST: Final = 4
"""Places tried on each floor."""

SOLVING: Final = 40
"""Halvings of an interval of wish speeds: more than enough for a unit."""


@dataclass(frozen=True, slots=True)
class _Floors:
    """Where one can stand."""

    point: Float
    """(a, 3) in each area."""
    label: Index
    """(a,) the same for areas of one level floor."""


@dataclass(frozen=True, slots=True)
class _Pad:
    """One brush of a push trigger."""

    sources: Index
    """Its areas."""
    place: Float
    """(3,) where the player stands on it."""
    leaves: Float
    """(3,) where the player leaves it, flying."""
    velocity: Float
    """(3,)"""


def jumppad_links(
    candidates: Candidates, areas: Areas, map_data: MapData, facts: EntityFacts, movement: Movement
) -> None:
    """Links from each of a pad's areas to wherever it throws; all start on the largest area's floor."""
    if not facts.pushes:
        return
    point = floor_points(areas)
    floors = _Floors(point, level_floors(areas, point))
    box = movement.settings.boxes[0]
    for push in facts.pushes:
        for volume in trigger_volumes(map_data, push.model, placed(map_data, push.row), box):
            pad = _pad(areas, floors.point, push, volume)
            if pad is not None:
                _fly(candidates, areas, floors, pad, movement)


def _pad(areas: Areas, floor: Float, push: Push, volume: Grown) -> _Pad | None:
    """A pad, or None where the trigger made no area."""
    sources = areas_in(areas, volume, Kind.JUMPPAD)
    if not len(sources):
        return None
    grounded = (areas.area_flags[sources] & np.uint32(AreaFlag.GROUNDED)) != 0
    size = (areas.area_maxs - areas.area_mins)[sources, :2].prod(axis=1)
    main = int(sources[np.lexsort((sources, -size, ~grounded))[0]])
    place = areas.area_centre[main] if np.isnan(floor[main, 0]) else floor[main]
    velocity = np.array(push.velocity)
    return _Pad(sources, place, place + volume.leaves_at(place, velocity) * velocity, velocity)


def _fly(candidates: Candidates, areas: Areas, floors: _Floors, pad: _Pad, movement: Movement) -> None:
    """Add what one pad reaches: unsteered, and of every other floor in reach the place that needs least steering."""
    costs, physics = movement.settings.costs, movement.settings.physics
    free = _predict(movement, pad, np.zeros((1, 3)), 0.0, 0)
    landed = _lands(free, pad)
    _add(candidates, pad, free.area[landed], free.end[landed], costs.jump_pad)
    done = np.concatenate((floors.label[pad.sources], floors.label[free.area[landed]]))

    goals, error, seconds = _in_range(areas, floors, pad, movement, done)
    wish, speed = _steady_wish(error, pad.velocity, seconds, movement)
    done = _steered(candidates, floors, pad, _predict(movement, pad, wish, speed, 0), done, movement)
    goals = goals[~np.isin(floors.label[goals], done)]
    pressed = _predict(movement, pad, floors.point[goals], physics.walk_speed, Flag.STEER)
    _steered(candidates, floors, pad, pressed, done, movement)


def _steered(
    candidates: Candidates, floors: _Floors, pad: _Pad, found: Predictions, done: Index, movement: Movement
) -> Index:
    """Add the first flight to each floor that is not done yet; answers what is done then."""
    rows = np.flatnonzero(_lands(found, pad))
    labels = floors.label[found.area[rows]]
    new, first = np.unique(labels, return_index=True)
    rows = rows[first[~np.isin(new, done)]]
    _add(candidates, pad, found.area[rows], found.end[rows], movement.settings.costs.jump_pad_steered)
    return np.concatenate((done, new))


def _predict(movement: Movement, pad: _Pad, wish: Float, speed: Float | float, flags: int) -> Predictions:
    """Flights from where the pad is left."""
    starts = np.tile(pad.leaves, (len(wish), 1))
    return movement.predict_many(starts, pad.velocity, wish, speed, flags, LANDS, max_time=LONGEST, frame_time=FRAME)


def _in_range(areas: Areas, floors: _Floors, pad: _Pad, movement: Movement, done: Index) -> tuple[Index, Float, Float]:
    """Areas that steering may reach, of each floor that is not done the nearest few, nearest first.

    Their numbers, by how much (n, 2) the unsteered flight misses them, and how long it takes to get to their height.
    """
    physics = movement.settings.physics
    usable = ~np.isnan(floors.point[:, 0]) & ((areas.area_contents & DEADLY) == 0) & ~np.isin(floors.label, done)
    goals = np.flatnonzero(usable)
    rise = floors.point[goals, 2] - pad.leaves[2]
    under = pad.velocity[2] ** 2 - 2.0 * physics.gravity * rise
    goals, under = goals[under >= 0.0], under[under >= 0.0]
    seconds = (pad.velocity[2] + np.sqrt(under)) / physics.gravity
    error = floors.point[goals, :2] - (pad.leaves[:2] + seconds[:, None] * pad.velocity[:2])
    miss = np.hypot(error[:, 0], error[:, 1])
    most = _gain(error, pad.velocity, seconds, np.full(len(goals), physics.walk_speed), physics.air_accelerate)
    half = (areas.area_maxs - areas.area_mins)[goals, :2].max(axis=1, initial=0.0) / 2.0
    rows = np.flatnonzero((miss <= most + half) & (seconds > 0.0))
    rows = rows[np.lexsort((rows, miss[rows], floors.label[goals[rows]]))]
    _, first, count = np.unique(floors.label[goals[rows]], return_index=True, return_counts=True)
    rows = rows[np.arange(len(rows)) - np.repeat(first, count) < NEAREST]
    rows = rows[np.lexsort((rows, miss[rows]))]
    return goals[rows], error[rows], seconds[rows]


def _gain(error: Float, velocity: Float, seconds: Float, speed: Float, rate: float) -> Float:
    """How far a steady wish at a speed takes the landing towards where it should be.

    It gains rate·speed a second along its direction until the velocity there is the speed itself.
    """
    way = error / np.maximum(np.hypot(error[:, 0], error[:, 1]), 1.0)[:, None]
    lacks = np.maximum(speed - way @ velocity[:2], 0.0)
    gaining = np.minimum(lacks / np.maximum(rate * speed, 1.0), seconds)
    gained: Float = rate * speed * gaining * (seconds - gaining / 2.0)
    return gained


def _steady_wish(error: Float, velocity: Float, seconds: Float, movement: Movement) -> tuple[Float, Float]:
    """Directions (n, 3) and speeds (n,) that correct errors of the landing, or the best that can be done."""
    physics = movement.settings.physics
    need = np.hypot(error[:, 0], error[:, 1])
    low, high = np.zeros(len(need)), np.full(len(need), physics.walk_speed)
    for _ in range(SOLVING):
        middle = (low + high) / 2.0
        short = _gain(error, velocity, seconds, middle, physics.air_accelerate) < need
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return np.column_stack((error, np.zeros(len(need)))), high


def _lands(found: Predictions, pad: _Pad) -> NDArray[np.bool_]:
    """Which flights end well, outside the pad."""
    ended = (found.stopped & np.uint32(LANDS)) != 0
    unharmed = (found.seen & np.uint32(HAZARDS)) == 0
    good: NDArray[np.bool_] = ended & unharmed & ~np.isin(found.area, pad.sources)
    return good


def _add(candidates: Candidates, pad: _Pad, target: Int, end: Float, time: float) -> None:
    """Links from all areas of a pad to where flights landed."""
    n, m = len(pad.sources), len(target)
    source, target = np.repeat(pad.sources, m), np.tile(target, n)
    candidates.add(Travel.JUMP_PAD, source, target, pad.place, np.tile(end, (n, 1)), time, velocity=pad.velocity)
