"""Replays of rides: whether a simulated player who waits for a mover gets on, is carried, and arrives."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Final

import numpy as np

from aascompile.distinct import distinct
from aascompile.model.carried import legs_of, mover_of, stops_of
from aascompile.model.compiled import Compiled
from aascompile.model.links import RIDES, Travel, are_of
from aascompile.model.mapdata import Float, Index
from aascompile.model.movers import ALWAYS, BrushMover, Carrier
from aascompile.nav.rides import TURNS, carrier_name, passed, place_text, ride_of
from aascompile.player.carried import Arrival, Rider, Trip
from aascompile.player.movement import Movement
from aascompile.player.moving import Moving
from aascompile.player.reason import Reason
from aascompile.records import dataclass
from aascompile.sampling.locate import fall
from aascompile.sampling.sample import tree_of
from aascompile.sampling.sample_kernel import AreaTree
from aascompile.settings import Settings


@dataclass(frozen=True, slots=True)
class ReplayedRides:
    """Replays of links on movers."""

    rows: Index
    """(n,) links that were replayed."""
    arrival: tuple[Arrival, ...]
    """How each ended."""
    turning: int
    """Number of links on movers that turn, in files that do not say how."""
    unknown: int
    """Number of links on movers that the file does not describe."""


def replay_rides(compiled: Compiled, settings: Settings) -> ReplayedRides:
    """Replay all links on movers: rides, and walks on plats at rest."""
    links = compiled.links
    assert links is not None
    rows, arrivals, turning, unknown = [], [], 0, 0
    rider = Rider(compiled.areas, Movement(compiled.areas, settings))
    on_foot = are_of(links.kind, (Travel.WALK, Travel.WALK_OFF_LEDGE)) & (links.model >= 0)
    for link in np.flatnonzero(are_of(links.kind, RIDES) | on_foot).tolist():
        trip = trip_of(compiled, link)
        ride = ride_of(compiled, link)
        if trip is None and ride is not None and ride.carrier in TURNS:
            turning += 1
        elif trip is None:
            unknown += 1
        else:
            rows.append(link)
            arrivals.append(rider.ride(trip))
    return ReplayedRides(np.array(rows, np.int64), tuple(arrivals), turning, unknown)


def trip_of(compiled: Compiled, link: int) -> Trip | None:
    """A link on a mover as a ride to simulate; None if the file does not describe the mover, or how it turns."""
    links, rides = compiled.links, compiled.rides
    assert links is not None
    model = int(links.model[link])
    mover, legs = mover_of(rides, model), legs_of(rides, model)
    if mover is None or rides.half[legs[0]].min() < 0.0:
        return None
    if mover.carrier in TURNS and not rides.angles[legs].any():
        return None
    walks = int(links.kind[link]) not in RIDES
    stops = (0, 0) if walks else stops_of(rides, links, link, mover, compiled.boxes.feet)
    return _trip(compiled, mover, stops, links.start[link], links.end[link], int(links.target[link]))


def _trip(
    compiled: Compiled, mover: BrushMover, between: tuple[int, int], start: Float, end: Float, target: int
) -> Trip:
    """A ride between two stops of a mover, from beside the first to beside the second."""
    rides, model, (on, off) = compiled.rides, mover.models[0], between
    parts = _team(compiled, model)
    seconds, stops, leaves = _timeline(mover, on, off)
    middle = np.array([[_middle(compiled, part, stop) for part in parts] for stop in stops])
    first = [int(legs_of(rides, part)[0]) for part in parts]
    angles = rides.angles[legs_of(rides, model)[list(stops)]]
    swings = mover.carrier in (Carrier.BOBBING, Carrier.PENDULUM)
    moving = Moving(rides.half[first], rides.floor[first], seconds, middle, angles, swings)
    started = mover.carrier not in ALWAYS and on == 0 and off != 0
    return Trip(moving, parts.index(model), start, end, target, leaves, started)


def _team(compiled: Compiled, model: int) -> list[int]:
    """Models that move together with one, itself among them."""
    rides, entities = compiled.rides, compiled.entities
    legs = legs_of(rides, model)
    row = int(rides.entity[legs[0]])
    team = entities.entity(row).get("team") if row >= 0 else ""
    if not team or rides.carrier[legs[0]] != Carrier.DOOR:
        return [model]
    doors = distinct(rides.model[(rides.carrier == Carrier.DOOR) & (rides.entity >= 0)]).tolist()
    return [door for door in doors if entities.entity(int(rides.entity[legs_of(rides, door)[0]])).get("team") == team]


def _middle(compiled: Compiled, model: int, stop: int) -> Float:
    """(3,) middle of a model's box at a stop."""
    low: Float = compiled.rides.low[legs_of(compiled.rides, model)[stop]]
    return low


def _timeline(mover: BrushMover, on: int, off: int) -> tuple[tuple[float, ...], Sequence[int], float]:
    """Times, the stops at which the mover is then, and the time at which players get off; below 0 if they only walk
    over it. Time 0 is when it comes to stand where they get on. What moves by itself goes on for another round."""
    n, way = len(mover.stops), passed(mover, on, off)
    before = (on - 1) % n
    seconds, stops = [0.0], [on]
    if len(way) > 1 and mover.stops[before].leg > 0.0 and not (on == 0 and mover.carrier not in ALWAYS):
        seconds, stops = [-mover.stops[before].leg, 0.0], [before, on]
    leaves = -1.0 if len(way) == 1 else 0.0
    starts = on == 0 and mover.carrier not in ALWAYS
    after = n if mover.carrier in ALWAYS else 1
    for stop in (*way[1:], *((way[-1] + 1 + number) % n for number in range(after))):
        here = stops[-1]
        stood = 0.0 if starts and here == on and len(way) > 1 else mover.stops[here].wait
        if not np.isfinite(stood):
            break
        if stood > 0.0:
            seconds.append(seconds[-1] + stood)
            stops.append(here)
        if mover.stops[here].leg > 0.0:
            seconds.append(seconds[-1] + mover.stops[here].leg)
            stops.append(stop)
        if stop == off and leaves == 0.0:
            leaves = seconds[-1]
    return tuple(seconds), stops, leaves


# --- movers without links ---------------------------------------------------------------------------------------------

AROUND: Final = (16.0, 32.0, 48.0)
"""Units from the rim of a mover at which players may wait for it."""


def why_not_ridden(compiled: Compiled, settings: Settings, source: int, target: int) -> str:
    """Why no link leads from one area to another by a mover that stops at both: "func_plat (model 1, entity 4) stops at
    both, but …"; "" if there is no such mover, or players arrive."""
    tree = tree_of(compiled.areas)
    rider = Rider(compiled.areas, Movement(compiled.areas, settings))
    for model in distinct(compiled.rides.model).tolist():
        mover = mover_of(compiled.rides, model)
        row = int(legs_of(compiled.rides, model)[0])
        if mover is None or mover.carrier in TURNS or compiled.rides.half[row].min() < 0.0:
            continue
        for on, off in permutations(range(len(mover.stops)), 2):
            start, end = (_beside(compiled, settings, tree, mover, *at) for at in ((on, source), (off, target)))
            if start is None or end is None:
                continue
            found = rider.ride(_trip(compiled, mover, (on, off), start, end, target))
            if found.why in FAILS:
                what = carrier_name(mover.carrier, model, int(compiled.rides.entity[row]))
                return f"a {what} stops at both, but {FAILS[found.why]} at {place_text(found.place)}"
    return ""


FAILS: Final = {
    Reason.HELD_UP: "it crushes players who ride it,",
    Reason.HARMED: "players who ride it come to harm,",
    Reason.LATE: "players who try to ride it end",
}
"""Words for how rides fail."""


def _beside(
    compiled: Compiled, settings: Settings, tree: AreaTree, mover: BrushMover, stop: int, area: int
) -> Float | None:
    """(3,) origin of a player who stands in an area beside a mover at a stop; None if nobody can."""
    row = int(legs_of(compiled.rides, mover.models[0])[0])
    middle, half = np.array(mover.stops[stop].offsets[0]), compiled.rides.half[row]
    height = middle[2] + compiled.rides.floor[row] + compiled.boxes.feet
    sides = np.array([(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
    plan = np.vstack([middle[:2] + sides * (half[:2] + away) for away in AROUND])
    physics = settings.physics
    point = np.column_stack((plan, np.full(len(plan), height + physics.max_step)))
    down = fall(tree, point, physics.max_step + physics.max_barrier)
    good = np.flatnonzero((down.end_area == area) & ~down.start_solid & (down.fraction < 1.0))
    return down.end[good[0]] if len(good) else None
