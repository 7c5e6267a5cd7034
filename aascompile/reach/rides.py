"""Rides on movers (thesis §6.4): bobbing platforms, trains, pendulums, rotating brushes; doors as lifts and bridges.

A mover that moves by itself leads from every floor beside one of its stops to every floor beside a later one. A door
rests until it is started. Players who start it while they stand on it ride to its other end, and players who start it
from elsewhere get on at its other end, and ride back or walk over it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from aascompile.model.areas import Areas
from aascompile.model.entity_facts import EntityFacts
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float, Index, MapData
from aascompile.model.movers import ALWAYS, Carrier, Mover, first_rides, movers
from aascompile.player.movement import Movement
from aascompile.reach import times
from aascompile.reach.candidates import Candidates
from aascompile.reach.openers import Start, near, standing, touched
from aascompile.reach.platforms import Beside, Platform, alights, beside, boards, carries, levels, over_pit, platform_at
from aascompile.records import dataclass
from aascompile.sampling.sample import areas_at
from aascompile.sampling.walk import WalkEnd, straight_walks
from aascompile.settings import STANDING, Settings

MOST_LEVELS: Final = 4
"""Floors of a mover that are tried, the highest first, until one has ground beside it at two stops."""

FASTEST: Final = 160.0
"""Units/s: players do not get onto the rim of a rotating brush that is faster."""

ALONG: Final = 16.0
"""Units between the points of a ride or a bridge that are examined."""

DEEP: Final = 4.0
"""Units inside the edge of a trigger or button from which players start it."""


@dataclass(frozen=True, slots=True)
class Ridden:
    """A mover with the ground beside its stops."""

    mover: Mover
    first: int
    """Number of its first ride."""
    places: tuple[Platform, ...]
    """The mover at each stop."""
    ground: tuple[Beside, ...]
    """The ground beside it there."""


def ride_links(candidates: Candidates, areas: Areas, map_data: MapData, facts: EntityFacts, movement: Movement) -> None:
    """Add the links of every mover but plats."""
    for ridden in ridden_movers(areas, map_data, facts, movement):
        if ridden.mover.carrier in ALWAYS:
            _rounds(candidates, ridden, movement)
        else:
            _started(candidates, ridden, areas, map_data, movement)


def ridden_movers(areas: Areas, map_data: MapData, facts: EntityFacts, movement: Movement) -> Iterator[Ridden]:
    """All movers but plats that have ground beside them, on the highest of their floors that has."""
    every = movers(facts)
    pending = [
        (mover, first) for mover, first in zip(every, first_rides(every), strict=True) if _carries(mover, map_data)
    ]
    for level in range(MOST_LEVELS):
        left, places = [], []
        for mover, first in pending:
            heights = levels(map_data, mover.models[0])
            if level < len(heights):
                left.append((mover, first))
                places.append([platform_at(map_data, mover, stop, heights[level]) for stop in mover.stops])
        ground = iter(beside([place for stops in places for place in stops], areas, movement))
        pending = []
        for (mover, first), stops in zip(left, places, strict=True):
            mine = tuple(next(ground) for _ in stops)
            if len({area for each in mine for area in each.area.tolist()}) > 1:
                yield Ridden(mover, first, tuple(stops), mine)
            else:
                pending.append((mover, first))


def _carries(mover: Mover, map_data: MapData) -> bool:
    """Whether players ride it: plats have links of their own, what turns about a level axis throws them off, and few
    doors are as wide as a player."""
    if mover.carrier == Carrier.DOOR:
        models = list(mover.models)
        size = (map_data.models.maxs[models] - map_data.models.mins[models])[:, :2]
        return bool((size >= 2.0 * STANDING.maxs[0]).all())
    return mover.carrier != Carrier.PLAT and not (mover.carrier == Carrier.ROTATING and mover.stops[0].axis != 2)


# --- movers that move by themselves -----------------------------------------------------------------------------------


def _rounds(candidates: Candidates, ridden: Ridden, movement: Movement) -> None:
    """Add the links of a mover that moves by itself: from each stop to all others, in the order of travel."""
    mover, settings = ridden.mover, movement.settings
    on = [boards(_slow(ridden, stop), movement) for stop in range(len(mover.stops))]
    off = [alights(_slow(ridden, stop), movement) for stop in range(len(mover.stops))]
    for here in range(len(mover.stops)):
        for there in range(len(mover.stops)):
            if not len(on[here].area) or not len(off[there].area):
                continue
            if here == there:
                if mover.carrier == Carrier.ROTATING:
                    _over(candidates, ridden, here, on[here], off[here], movement)
                continue
            apart = ridden.places[here].middle - ridden.places[there].middle
            if np.abs(apart).max() > settings.physics.max_step:
                time = times.ride(mover, here, there, settings)
                _add(candidates, ridden, here, there, on[here], off[there], time)


def _slow(ridden: Ridden, stop: int) -> Beside:
    """The ground beside a stop where the rim is slow enough to get on."""
    mover, ground = ridden.mover, ridden.ground[stop]
    if mover.carrier != Carrier.ROTATING:
        return ground
    away = np.hypot(*(ground.on - np.array(mover.stops[stop].offsets[0]))[:, :2].T)
    return ground.where(2.0 * np.pi * away / mover.round <= FASTEST)


def _over(candidates: Candidates, ridden: Ridden, stop: int, on: Beside, off: Beside, movement: Movement) -> None:
    """Add links over a rotating brush that touches two floors at once."""
    wait = times.waiting(ridden.mover, movement.settings)
    far = np.linalg.norm(on.point[:, None] - off.point[None], axis=2)
    _add(candidates, ridden, stop, stop, on, off, wait + times.on_foot(movement.settings) * far.reshape(-1))


# --- doors ------------------------------------------------------------------------------------------------------------


def _started(candidates: Candidates, ridden: Ridden, areas: Areas, map_data: MapData, movement: Movement) -> None:
    """Add the links of doors: rides to where they move, rides back, and walks over them at either end."""
    mover, settings = ridden.mover, movement.settings
    starts = _starts(mover, map_data, settings)
    if not mover.touch:
        _bridge(candidates, ridden, 0, ridden.ground[0], areas, map_data, movement, 0.0, False)
    if starts is not None and not starts:
        return
    on = [boards(ground, movement) for ground in ridden.ground]
    off = [alights(ground, movement) for ground in ridden.ground]
    apart = np.abs(ridden.places[0].middle - ridden.places[1].middle).max() > settings.physics.max_step
    delay = min((start.delay for start in starts), default=0.0) if starts is not None else 0.0
    if apart and (starts is None or _from_on(ridden.places[0], starts, movement)):
        time = times.lift(mover, delay, settings)
        _add(candidates, ridden, 0, 1, on[0], off[1], time)
        _aboard(candidates, ridden, on[0], off[1], time, movement)
    called = [(on[1], delay, starts is not None)]
    for start in starts or ():
        called += [(here, start.delay, False) for here in _beside_starts(start, on[1], areas, movement)]
    for here, delay, elsewhere in called:
        _bridge(candidates, ridden, 1, here, areas, map_data, movement, delay, elsewhere)
        if apart and np.isfinite(mover.stops[1].wait):
            _add(candidates, ridden, 1, 0, here, off[0], times.lift_back(mover, delay, settings), elsewhere)


def _starts(mover: Mover, map_data: MapData, settings: Settings) -> list[Start] | None:
    """Where players start doors; None if they start by themselves or can be shot from anywhere."""
    if mover.shot:
        return None
    found = touched(map_data, mover.openers, settings)
    if found is not None and mover.touch:
        found.append(near(map_data, mover, settings))
    return found


def _from_on(rest: Platform, starts: Sequence[Start], movement: Movement) -> bool:
    """Whether a player who stands on doors at rest starts them."""
    feet = -movement.settings.boxes[0].mins[2]
    points = np.vstack((rest.on, rest.middle[None])) + np.array((0.0, 0.0, feet))
    return any(start.has(points).any() for start in starts)


def _beside_starts(start: Start, ground: Beside, areas: Areas, movement: Movement) -> Iterator[Beside]:
    """The ground from which doors are started, as ground beside them: in each area there the place that is deepest in
    the trigger or button, if a straight walk leads from there to the doors. A button is pressed by running against it,
    and is solid to players, so its edge is not enough."""
    area, point = standing(start, areas, movement)
    settings = movement.settings
    depth = np.minimum(point - start.low, start.high - point)[:, :2].min(axis=1)
    for row in range(len(ground.area)):
        goal = np.tile(ground.point[row], (len(area), 1))
        walks = straight_walks(movement.tree, point, goal, settings.physics, settings.boxes[0].presence)
        good = walks.why == WalkEnd.ARRIVES
        good &= depth >= DEEP
        for source in np.unique(area[good]).tolist():
            mine = np.flatnonzero(good & (area == source))
            best = mine[depth[mine].argmax()]
            one = ground.where(np.arange(len(ground.area)) == row)
            yield Beside(np.array([source]), point[best][None], one.rise, one.on)


def _bridge(
    candidates: Candidates,
    ridden: Ridden,
    stop: int,
    here: Beside,
    areas: Areas,
    map_data: MapData,
    movement: Movement,
    delay: float,
    elsewhere: bool,
) -> None:
    """Add walks over doors that stand over a pit at a stop, from the ground ``here`` to all ground beside them, unless
    they would be gone before the player is across; ``elsewhere``: something else has to start them first."""
    mover, settings = ridden.mover, movement.settings
    there = alights(ridden.ground[stop], movement)
    here = boards(here, movement)
    n, m = len(here.area), len(there.area)
    if not n or not m:
        return
    rows, goals = np.repeat(np.arange(n), m), np.tile(np.arange(m), n)
    start, end = here.point[rows], there.point[goals]
    far = np.linalg.norm(here.on - here.point, axis=1)[rows]
    far = far + np.linalg.norm(there.on[goals] - here.on[rows], axis=1)
    far += np.linalg.norm(there.point - there.on, axis=1)[goals]
    wait = mover.stops[stop].wait
    keep = (here.area[rows] != there.area[goals]) & (far <= wait * settings.physics.walk_speed)
    walks = straight_walks(movement.tree, start, end, settings.physics, settings.boxes[0].presence)
    keep &= walks.why != WalkEnd.ARRIVES
    for row in np.flatnonzero(keep).tolist():
        path = _path(here.on[rows[row]], there.on[goals[row]])
        keep[row] = carries(map_data, mover, mover.stops[stop], path) and over_pit(areas, path, movement).any()
    time = times.bridge(mover, stop, delay, far[keep], settings)
    part = _last_part(ridden, stop, there.on[goals[keep]], map_data)
    candidates.add(
        Travel.BOBBING,
        here.area[rows[keep]],
        there.area[goals[keep]],
        start[keep],
        end[keep],
        time,
        model=np.array(mover.models)[part],
        ride=ridden.first + mover.leg(stop, stop, elsewhere) + part * len(mover.legs),
        hard=elsewhere,
    )


def _path(here: Float, there: Float) -> Float:
    """(n, 3) points on the straight line between two."""
    count = int(np.linalg.norm(there - here) / ALONG) + 2
    path: Float = here + np.linspace(0.0, 1.0, count)[:, None] * (there - here)
    return path


def _last_part(ridden: Ridden, stop: int, on: Float, map_data: MapData) -> Index:
    """(n,) number of the door that players at ``on (n, 3)`` leave. The engine's bots walk to its middle, so they pass
    the others."""
    at, models = ridden.mover.stops[stop], list(ridden.mover.models)
    middle = (map_data.models.mins[models] + map_data.models.maxs[models]) / 2.0 + np.array(at.offsets)
    away = np.linalg.norm(on[:, None, :2] - middle[None, :, :2], axis=2)
    return np.asarray(away.argmin(axis=1))


def _aboard(candidates: Candidates, ridden: Ridden, on: Beside, off: Beside, time: float, movement: Movement) -> None:
    """Add links from the areas without ground that riders pass. The engine's bots give up a ride on a door in an area
    that no link leaves."""
    if not len(on.area):
        return
    feet = -movement.settings.boxes[0].mins[2]
    here, there = (place.middle + np.array((0.0, 0.0, feet + 1.0)) for place in ridden.places)
    path = _path(here, there)
    area = areas_at(movement.tree, path).astype(np.int64)
    found, first = np.unique(area, return_index=True)
    rows = first[(found >= 0) & ~np.isin(found, np.concatenate((on.area, off.area)))]
    aboard = Beside(area[rows], np.tile(on.point[:1], (len(rows), 1)), np.zeros(len(rows)), path[rows])
    _add(candidates, ridden, 0, 1, aboard, off, time)


def _add(
    candidates: Candidates,
    ridden: Ridden,
    here: int,
    there: int,
    on: Beside,
    off: Beside,
    time: Float | float,
    elsewhere: bool = False,
) -> None:
    """Add links from every area to get on from to every area to get off to; ``elsewhere``: something else has to start
    the mover first, so that the link is kept only where nothing else leads."""
    n, m = len(on.area), len(off.area)
    rise = ridden.places[there].middle[2] - ridden.places[here].middle[2]
    lifts = (
        ridden.mover.carrier == Carrier.DOOR
        and rise > np.abs((ridden.places[there].middle - ridden.places[here].middle)[:2]).max()
    )
    candidates.add(
        Travel.ELEVATOR if lifts else Travel.BOBBING,
        np.repeat(on.area, m),
        np.tile(off.area, n),
        np.repeat(on.point, m, axis=0),
        np.tile(off.point, (n, 1)),
        time,
        model=ridden.mover.models[0],
        ride=ridden.first + ridden.mover.leg(here, there, elsewhere),
        hard=elsewhere,
    )
