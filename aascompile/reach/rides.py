"""Rides on movers (thesis §6.4): bobbing platforms, trains, pendulums, rotating brushes; doors as lifts and bridges.

A mover that moves by itself leads from every floor beside one of its stops to every floor beside a later one. A door
rests until it is started. Players who start it while they stand on it ride to its other end, and players who start it
from elsewhere get on at its other end, and ride back or walk over it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

import numpy as np

from aascompile.distinct import distinct
from aascompile.geometry.vectors import flat_lengths, lengths
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.entity_facts import EntityFacts
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float, Index, MapData
from aascompile.model.movers import ALWAYS, BrushMover, Carrier, first_rides, movers
from aascompile.player.movement import Movement
from aascompile.reach import times
from aascompile.reach.aboard import ByMover, between, path, with_riders
from aascompile.reach.candidates import Candidates
from aascompile.reach.openers import Start, near, standing, touched
from aascompile.reach.platforms import (
    LEAST_LIFT,
    Beside,
    Platform,
    alights,
    beside,
    boards,
    carries,
    levels,
    over_pit,
    platforms_at,
)
from aascompile.records import dataclass
from aascompile.sampling.sample import areas_at
from aascompile.sampling.walk import WalkEnd, straight_walks
from aascompile.settings import STANDING, Settings

MOST_LEVELS: Final = 4
"""Floors of a mover that are tried, the highest first, until one has ground beside it at two stops."""

FASTEST: Final = 160.0
"""Units/s: players do not get onto the rim of a rotating brush that is faster."""

DEEP: Final = 4.0
"""Units inside the edge of a trigger or button from which players start it."""


@dataclass(frozen=True, slots=True)
class Called:
    """Ground from which players get onto doors that were started."""

    here: Beside
    """Where they start the doors, or wait for them."""
    bank: Float
    """(n, 3) the ground right beside the doors."""
    delay: float
    """Seconds from starting the doors until they move."""
    elsewhere: bool
    """Something else has to start them first."""


@dataclass(frozen=True, slots=True)
class Ridden:
    """A mover with the ground beside its stops."""

    mover: BrushMover
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
                places.append(_places(map_data, mover, heights[level]))
        ground = iter(beside([place for stops in places for place in stops], areas, movement))
        pending = []
        for (mover, first), stops in zip(left, places, strict=True):
            mine = tuple(next(ground) for _ in stops)
            if len({area for each in mine for area in each.area.tolist()}) > 1:
                yield Ridden(mover, first, tuple(stops), mine)
            else:
                pending.append((mover, first))


def _places(map_data: MapData, mover: BrushMover, height: float) -> list[Platform]:
    """A mover at each of its stops, on one of its floors. A door that is a lift comes down to where it is lower."""
    rise = [stop.offsets[0][2] for stop in mover.stops]
    lifts = [mover.carrier == Carrier.DOOR and z < max(rise) for z in rise]
    there = platforms_at(map_data, mover, height)
    return [replace(each, comes_down=down) for each, down in zip(there, lifts, strict=True)]


def _carries(mover: BrushMover, map_data: MapData) -> bool:
    """Whether players ride it: plats have links of their own, what turns about a level axis throws them off, and few
    doors are as wide as a player."""
    if mover.carrier == Carrier.DOOR:
        models = list(mover.models)
        size = (map_data.models.maxs[models] - map_data.models.mins[models])[:, :2]
        return bool((size >= 2.0 * STANDING.maxs[0]).all())
    return mover.carrier != Carrier.PLAT and not (mover.carrier == Carrier.ROTATING and mover.stops[0].axis != 2)


# --- movers that move by themselves -----------------------------------------------------------------------------------


def _rounds(candidates: Candidates, ridden: Ridden, movement: Movement) -> None:
    """Add the links of a mover that moves by itself: from each stop to all others, in the order of travel. A rotating
    brush may also touch two floors at once."""
    mover, settings, n = ridden.mover, movement.settings, len(ridden.mover.stops)
    on = [boards(_slow(ridden, stop), movement) for stop in range(n)]
    off = [alights(_slow(ridden, stop), movement) for stop in range(n)]
    stops: dict[int, list[int]] = {}
    for stop, ground in enumerate(on):
        for area in ground.area.tolist():
            stops.setdefault(area, []).append(stop)
    wait = {area: times.waiting(mover, mine) for area, mine in stops.items()}
    for here, there in product(range(n), range(n)):
        apart = np.abs(ridden.places[here].middle - ridden.places[there].middle).max()
        if mover.carrier != Carrier.ROTATING and apart <= settings.physics.max_step:
            continue
        if len(on[here].area) and len(off[there].area):
            time = [times.ride(mover, wait[area], here, there, settings) for area in on[here].area.tolist()]
            links = between(on[here], off[there])
            _add(candidates, ridden, here, there, links, np.repeat(time, len(off[there].area)))


def _slow(ridden: Ridden, stop: int) -> Beside:
    """The ground beside a stop where the rim is slow enough to get on."""
    mover, ground = ridden.mover, ridden.ground[stop]
    if mover.carrier != Carrier.ROTATING:
        return ground
    away = flat_lengths(ground.on - np.array(mover.stops[stop].offsets[0]))
    return ground.where(2.0 * np.pi * away / mover.round <= FASTEST)


# --- doors ------------------------------------------------------------------------------------------------------------


def _started(candidates: Candidates, ridden: Ridden, areas: Areas, map_data: MapData, movement: Movement) -> None:
    """Add the links of doors: rides to where they move, rides back, and walks over them at either end."""
    mover, settings = ridden.mover, movement.settings
    starts = _starts(mover, map_data, settings)
    if not mover.touch:
        at_rest = boards(ridden.ground[0], movement)
        _bridge(candidates, ridden, 0, Called(at_rest, at_rest.point, 0.0, False), areas, map_data, movement)
    if starts is not None and not starts:
        return
    on = [boards(ground, movement) for ground in ridden.ground]
    off = [alights(ground, movement) for ground in ridden.ground]
    apart = np.abs(ridden.places[0].middle - ridden.places[1].middle).max() > settings.physics.max_step
    delay = min((start.delay for start in starts), default=0.0) if starts is not None else 0.0
    if apart and len(on[0].area) and (starts is None or _from_on(ridden.places[0], starts, movement)):
        rest, moved = ridden.places
        links = with_riders(rest, moved, on[0], off[1], movement, on_the_way=True)
        _add(candidates, ridden, 0, 1, links, times.lift(mover, delay, settings))
    called = [Called(on[1], on[1].point, delay, starts is not None)]
    for start in starts or ():
        called += _beside_starts(start, on[1], areas, movement)
    for each in called:
        _bridge(candidates, ridden, 1, each, areas, map_data, movement)
        if apart and np.isfinite(mover.stops[1].wait):
            time = times.lift_back(mover, each.delay, settings)
            _add(candidates, ridden, 1, 0, between(each.here, off[0]), time, each.elsewhere)


def _starts(mover: BrushMover, map_data: MapData, settings: Settings) -> list[Start] | None:
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


def _beside_starts(start: Start, ground: Beside, areas: Areas, movement: Movement) -> Iterator[Called]:
    """The ground from which doors are started, as ground beside them: in each area that is deep enough in the trigger
    or button, if a straight walk leads from there to the doors. A button is solid to players, who press it by running
    against it, and the engine's bots stop 12 units before the start of a ride. So it is the middle of the button."""
    area, point = standing(start, areas, movement)
    settings = movement.settings
    depth = np.minimum(point - start.low, start.high - point)[:, :2].min(axis=1)
    aside = flat_lengths(point - (start.low + start.high) / 2.0)
    for row in range(len(ground.area)):
        goal = np.tile(ground.point[row], (len(area), 1))
        walks = straight_walks(movement.tree, point, goal, settings.physics, settings.boxes[0].presence)
        good = walks.why == WalkEnd.ARRIVES
        good &= depth >= DEEP
        for source in distinct(area[good]).tolist():
            mine = np.flatnonzero(good & (area == source))
            best = mine[np.lexsort((aside[mine], -depth[mine].round(3)))[0]]
            one = ground.where(np.arange(len(ground.area)) == row)
            pushed = np.append((start.low + start.high)[:2] / 2.0, point[best, 2])
            here = Beside(np.array([source]), pushed[None], one.rise, one.on)
            yield Called(here, one.point, start.delay, False)


def _bridge(
    candidates: Candidates,
    ridden: Ridden,
    stop: int,
    called: Called,
    areas: Areas,
    map_data: MapData,
    movement: Movement,
) -> None:
    """Add walks over doors that stand over a pit at a stop, to all ground beside them, unless they would be gone before
    the player is across. The engine's bots stop on a door in an area that no link leaves, so air over it has links."""
    mover, settings, here = ridden.mover, movement.settings, called.here
    there = alights(ridden.ground[stop], movement)
    n, m = len(here.area), len(there.area)
    rows, goals = np.repeat(np.arange(n), m), np.tile(np.arange(m), n)
    walks = straight_walks(
        movement.tree, called.bank[rows], there.point[goals], settings.physics, settings.boxes[0].presence
    )
    for row, goal, walk in zip(rows.tolist(), goals.tolist(), walks.why.tolist(), strict=True):
        way = path(here.on[row], there.on[goal])
        far = float(lengths(np.diff(np.vstack((here.point[row], way, there.point[goal])), axis=0)).sum())
        if walk == WalkEnd.ARRIVES or far > mover.stops[stop].wait * settings.physics.walk_speed:
            continue
        if not carries(map_data, mover, mover.stops[stop], way) or not over_pit(areas, way, movement).any():
            continue
        part = _last_part(ridden, stop, there.on[goal], map_data)
        leg = mover.leg(stop, stop, called.elsewhere)
        time = times.bridge(mover, stop, called.delay, far, settings)
        rows_of_part = ridden.first + part * len(mover.legs)
        candidates.add(
            Travel.BOBBING,
            here.area[row],
            there.area[goal],
            here.point[row],
            there.point[goal],
            time,
            model=mover.models[part],
            ride=rows_of_part + leg,
            hard=called.elsewhere,
        )
        if called.elsewhere:
            continue
        area, at = _passed(way + np.array((0.0, 0.0, LEAST_LIFT)), movement)
        air = (areas.area_flags[area] & np.uint32(AreaFlag.GROUNDED)) == 0
        candidates.add(
            Travel.BOBBING,
            area[air],
            there.area[goal],
            way[at[air]],
            there.point[goal],
            times.on_foot(settings) * lengths(way[at[air]] - there.point[goal]),
            model=mover.models[part],
            ride=rows_of_part + mover.leg(stop, stop),
        )


def _passed(way: Float, movement: Movement) -> tuple[Index, Index]:
    """Areas (n,) that a way passes, and their first points (n,) on it."""
    area, at = np.unique(areas_at(movement.tree, way).astype(np.int64), return_index=True)
    return area[area >= 0], at[area >= 0]


def _last_part(ridden: Ridden, stop: int, on: Float, map_data: MapData) -> int:
    """Number of the door that players at ``on (3,)`` leave. The engine's bots walk to its middle, so they pass the
    others."""
    at, models = ridden.mover.stops[stop], list(ridden.mover.models)
    middle = (map_data.models.mins[models] + map_data.models.maxs[models]) / 2.0 + np.array(at.offsets)
    return int(flat_lengths(middle - on).argmin())


def _add(
    candidates: Candidates,
    ridden: Ridden,
    here: int,
    there: int,
    links: ByMover,
    time: Float | float,
    elsewhere: bool = False,
) -> None:
    """Add links that use a mover between two stops; ``elsewhere``: something else has to start it first, so that they
    are kept only where nothing else leads."""
    rise = ridden.places[there].middle[2] - ridden.places[here].middle[2]
    lifts = (
        ridden.mover.carrier == Carrier.DOOR
        and rise > np.abs((ridden.places[there].middle - ridden.places[here].middle)[:2]).max()
    )
    candidates.add(
        Travel.ELEVATOR if lifts else Travel.BOBBING,
        links.source,
        links.target,
        links.start,
        links.end,
        time,
        model=ridden.mover.models[0],
        ride=ridden.first + ridden.mover.leg(here, there, elsewhere),
        hard=elsewhere,
    )
