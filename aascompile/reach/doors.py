"""Doors that something else opens, and lifts and bridges that something else starts: a button, or a trigger.

A player who wants to pass must first get to the opener, on the near side. So a link into such a door, or onto a mover
that is started elsewhere, takes as long as the route to its opener and back. It takes very long if no route leads
there, because then only another player can open the door.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from aascompile.geometry.vectors import norm
from aascompile.model.areas import Areas
from aascompile.model.entity_facts import EntityFacts, Opener
from aascompile.model.links import MOST_TIME, RIDES, Links, are_of, select_links
from aascompile.model.mapdata import Float, MapData
from aascompile.model.movers import ALWAYS, CALLED, BrushMover, Carrier, first_rides, movers, opens_near, teams
from aascompile.reach import times
from aascompile.reach.detour_kernel import Detours
from aascompile.reach.local import detours
from aascompile.reach.openers import Start, near, timer_of, touched
from aascompile.records import dataclass
from aascompile.settings import Settings


@dataclass(frozen=True, slots=True)
class Gate:
    """Doors that open together, and stay closed until something else opens them."""

    models: tuple[int, ...]
    openers: tuple[Opener, ...]
    """Empty if nothing opens it."""


def gates(facts: EntityFacts) -> Iterator[Gate]:
    """All gates. Doors that are shot, or that open for a player who comes near, are not gates."""
    shot = {button.row for button in facts.buttons if button.shot}
    for doors in teams(facts):
        openers = {opener.row: opener for door in doors for opener in door.openers}
        eased = opens_near(doors) or doors[0].shot or any(door.start_open for door in doors)
        if not eased and not set(openers) & shot:
            yield Gate(tuple(door.model for door in doors), tuple(openers[row] for row in sorted(openers)))


def shot_doors(facts: EntityFacts) -> Iterator[tuple[int, ...]]:
    """The models of doors that open together, and for nobody who does not shoot them or their button."""
    shot = {button.row for button in facts.buttons if button.shot}
    for doors in teams(facts):
        openers = {opener.row for door in doors for opener in door.openers}
        eased = opens_near(doors) or any(door.start_open for door in doors) or bool(openers - shot)
        if not eased and (doors[0].shot or openers):
            yield tuple(door.model for door in doors)


def through_doors(links: Links, areas: Areas, map_data: MapData, facts: EntityFacts, settings: Settings) -> Links:
    """The links, with the time to open the gate or to shoot at the door added to those that lead into one, and the time
    to start a lift or bridge to those that use one.

    What a timer opens or starts takes half the time between two firings. A door that is no higher than a step keeps
    nobody out.
    """
    time = links.time.astype(np.int64)
    for gate in gates(facts):
        inside = np.isin(areas.area_model, gate.models)
        if _is_stepped_on(areas, inside, settings):
            continue
        enters = inside[links.target] & ~inside[links.source]
        starts = touched(map_data, gate.openers, settings)
        if starts is not None:
            time += _on_the_way(links, enters, starts)
            for start in starts:
                enters = enters & ~start.has(links.end)
            time += _opening(links, areas, enters, ~inside[links.target], starts, settings)
        else:
            time += times.timer(timer_of(gate.openers)) * enters
    for models in shot_doors(facts):
        inside = np.isin(areas.area_model, models)
        time += times.shot_door(settings) * (inside[links.target] & ~inside[links.source])
    for mover, used in _started(links, facts):
        starts = touched(map_data, mover.openers, settings)
        if starts is not None and mover.touch:
            starts.append(near(map_data, mover, settings))
        if starts is not None:
            time += _opening(links, areas, used, ~used, starts, settings, mover)
        elif not mover.touch:
            time += times.timer(timer_of(mover.openers)) * used
    return replace(links, time=np.minimum(time, MOST_TIME).astype(np.int32))


def _on_the_way(links: Links, enters: NDArray[np.bool_], starts: Sequence[Start]) -> NDArray[np.int64]:
    """(n,) time, in 1/100 s, to add to the links that ``enters (n,)`` a gate and that touch a start at one end: the
    delay until it opens."""
    delay = np.full(len(links), np.inf)
    for start in starts:
        touched = start.has(links.start) | start.has(links.end)
        delay = np.where(touched, np.minimum(delay, times.held_back(start.delay)), delay)
    return np.where(enters & np.isfinite(delay), delay, 0.0).astype(np.int64)


def _is_stepped_on(areas: Areas, inside: NDArray[np.bool_], settings: Settings) -> bool:
    """Whether doors are no higher than a step: players walk over what closes no doorway."""
    low, high = areas.area_mins[inside, 2], areas.area_maxs[inside, 2]
    return bool(high.max(initial=-np.inf) - low.min(initial=np.inf) <= settings.physics.max_step)


def _started(links: Links, facts: EntityFacts) -> Iterator[tuple[BrushMover, NDArray[np.bool_]]]:
    """Movers that something else has to start, and the links that use them."""
    every = movers(facts)
    carried = are_of(links.kind, RIDES)
    for mover, first in zip(every, first_rides(every), strict=True):
        if mover.carrier in ALWAYS or (mover.carrier == Carrier.PLAT and mover.touch):
            continue
        own = carried & (links.ride >= first) & (links.ride < first + mover.rides)
        timed = not mover.touch and timer_of(mover.openers) > 0.0
        called = 0 if timed or mover.carrier == Carrier.PLAT else len(mover.legs) - len(CALLED)
        used = own & ((links.ride - first) % len(mover.legs) >= called)
        if used.any():
            yield mover, used


def _opening(
    links: Links,
    areas: Areas,
    enters: NDArray[np.bool_],
    on_foot: NDArray[np.bool_],
    starts: Sequence[Start],
    settings: Settings,
    mover: BrushMover | None = None,
) -> NDArray[np.int64]:
    """(n,) time, in 1/100 s, to add to the links that ``enters (n,)``: that of a route by other links to one of the
    starts, and back. Links that begin there need none."""
    touches = np.zeros(len(areas), np.bool_)
    for start in starts:
        touches |= ((areas.area_maxs >= start.low) & (areas.area_mins <= start.high)).all(axis=1)
        enters = enters & ~start.has(links.start)
    time = np.zeros(len(links), np.int64)
    if enters.any():
        worker = detours(select_links(links, on_foot), settings)()
        for row in np.flatnonzero(enters).tolist():
            time[row] = _opening_time(worker, touches, starts, links, row, settings, mover)
    return time


def _opening_time(
    worker: Detours,
    touches: NDArray[np.bool_],
    starts: Sequence[Start],
    links: Links,
    row: int,
    settings: Settings,
    mover: BrushMover | None,
) -> int:
    """Time, in 1/100 s, from the start of a link to the nearest area that touches an opener, and there to the nearest
    of the boxes, as often as it has to be touched, and back; to a mover only if it is still there then."""
    most = times.longest_opening(settings)
    area, cost, place = worker.times(int(links.source[row]), links.start[row], most)
    for here in np.flatnonzero(touches[area]).tolist():
        for start in starts:
            way = float(cost[here]) + times.on_foot(settings) * _away(place[here], start.low, start.high)
            if mover is None:
                most = min(most, times.shut_door(way, start.times, start.delay, settings))
            elif way <= times.stays(mover, start.delay):
                most = min(most, times.by_way_of_opener(way, start.times))
    return round(most)


def _away(at: Float, low: Float, high: Float) -> float:
    """Distance of a point from a box."""
    return norm(at - np.clip(at, low, high))
