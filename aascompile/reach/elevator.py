"""Elevators (thesis §6.4): a func_plat rests at its bottom, and rises when a player steps on it.

Its own links only go up: from the ground beside it at the bottom to the ground beside it at the top, and by way of the
areas of players standing on it at the bottom. Bots that come from the bottom wait beside it, or the plat would come
down on them.

Over a pit a resting plat is the only floor, and the areas do not know it. Players drop onto it from the top and walk
off it. If there is ground right below the plat, ordinary links lead onto that ground and off it, unless the mapper
marked it DONOTENTER to keep bots from under the plat.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from aascompile.distinct import occurs
from aascompile.geometry.vectors import flat_lengths
from aascompile.model.areas import Areas
from aascompile.model.entity_facts import EntityFacts, Plat
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float, MapData
from aascompile.model.movers import first_rides, movers
from aascompile.player.movement import Movement
from aascompile.reach import times
from aascompile.reach.aboard import standing_on, with_riders
from aascompile.reach.candidates import Candidates
from aascompile.reach.platforms import Beside, Platform, alights, beside, boards, over_pit, platform
from aascompile.sampling.sample import areas_at

EDGES: Final = (1.125, 2.0, 4.0, 8.0, 16.0, 24.0, 32.0)
"""Units outwards from ``Beside.on`` to where a drop may begin: ground flush with the platform ends 1 unit from it."""

ONWARD: Final = 16.0
"""Units inwards from ``Beside.on`` to where a drop ends: bots that aim too near to the edge do not leave it."""


def elevator_links(
    candidates: Candidates, areas: Areas, map_data: MapData, facts: EntityFacts, movement: Movement
) -> None:
    """Add the links of every plat that rises by more than a step."""
    plats = [p for p in facts.plats if p.model >= 0 and p.height >= movement.settings.physics.max_step]
    drawn = [platform(map_data, plat.model) for plat in plats]
    lows = [replace(there.moved(plat.bottom), comes_down=True) for there, plat in zip(drawn, plats, strict=True)]
    highs = [there.moved(plat.top) for there, plat in zip(drawn, plats, strict=True)]
    ground = beside(lows + highs, areas, movement)
    every = movers(facts)
    rides = {mover.models[0]: first for mover, first in zip(every, first_rides(every), strict=True)}
    for i, (plat, low) in enumerate(zip(plats, lows, strict=True)):
        below, above = ground[i], ground[len(plats) + i]
        on = _on(low, movement)
        by = with_riders(low, highs[i], boards(below, movement), alights(above, movement), movement, on_the_way=False)
        time = times.elevator(plat, movement.settings)
        candidates.add(
            Travel.ELEVATOR,
            by.source,
            by.target,
            by.start,
            by.end,
            time,
            model=plat.model,
            ride=rides.get(plat.model, -1),
        )
        floor = on.where(over_pit(areas, on.point, movement))
        if len(floor.area):
            _walk_off(candidates, plat, below, floor, movement)
            _drop(candidates, plat, boards(above, movement), floor, movement)


def _on(low: Platform, movement: Movement) -> Beside:
    """Areas of a player standing on a plat, and a point in each."""
    points = standing_on(low, movement)
    area = areas_at(movement.tree, points).astype(np.int64)
    found, first = np.unique(area, return_index=True)
    first = first[found >= 0]
    return Beside(area[first], points[first], np.zeros(len(first)), points[first])


def _walk_off(candidates: Candidates, plat: Plat, below: Beside, on: Beside, movement: Movement) -> None:
    """Add links from a resting plat to the ground beside it."""
    step = movement.settings.physics.max_step
    level = below.where(np.abs(below.rise) < step)
    n, m = len(on.area), len(level.area)
    start, end = np.repeat(on.point, m, axis=0), np.tile(level.point, (n, 1))
    time = times.plat_walk(start, end, movement.settings)
    candidates.add(Travel.WALK, np.repeat(on.area, m), np.tile(level.area, n), start, end, time, model=plat.model)


def _drop(candidates: Candidates, plat: Plat, above: Beside, floor: Beside, movement: Movement) -> None:
    """Add links from the ground at the top down onto the resting plat. The player may have to wait for it."""
    inward = (above.on - above.point)[:, :2]
    inward *= ONWARD / np.maximum(flat_lengths(inward), 1.0)[:, None]
    end = above.on + np.column_stack((inward, np.full(len(inward), -plat.height)))
    start = _edge(above, movement)
    target = areas_at(movement.tree, end)
    time = times.plat_drop(start, end, plat, movement.settings)
    rows = occurs(target, floor.area)
    candidates.add(
        Travel.WALK_OFF_LEDGE, above.area[rows], target[rows], start[rows], end[rows], time[rows], model=plat.model
    )


def _edge(above: Beside, movement: Movement) -> Float:
    """(n, 3) where the ground ends in front of a platform: the last point that is still in its area."""
    away = (above.point - above.on)[:, :2]
    away /= np.maximum(flat_lengths(away), 1.0)[:, None]
    places = np.repeat(above.point[:, None], len(EDGES) + 1, axis=1)
    places[:, :-1, :2] = above.on[:, None, :2] + np.array(EDGES)[:, None] * away[:, None]
    inside = areas_at(movement.tree, places).reshape(len(places), len(EDGES) + 1) == above.area[:, None]
    inside[:, -1] = True
    edge: Float = places[np.arange(len(places)), inside.argmax(axis=1)]
    return edge
