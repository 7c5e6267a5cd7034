"""Bobbing platforms, and trains that shuttle between two stops along one axis: the engine's bots ride both alike.

Links go in both directions, from every area at one end where a player can get on to every area at the other end where a
player can get off (thesis §6.4).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aascompile.model.areas import Areas
from aascompile.model.entity_facts import EntityFacts, Point
from aascompile.model.links import Travel
from aascompile.model.mapdata import MapData
from aascompile.player.movement import Movement
from aascompile.reach import times
from aascompile.reach.candidates import Candidates
from aascompile.reach.platforms import Beside, alights, beside, boards, platform


def bobbing_links(
    candidates: Candidates, areas: Areas, map_data: MapData, facts: EntityFacts, movement: Movement
) -> None:
    """Add the links of every bobbing platform and two-stop train, in both directions."""
    least = movement.settings.physics.max_step
    rides = [ride for ride in swings(facts) if max(map(abs, np.subtract(ride[1], ride[2]).tolist())) > least]
    ends = [platform(map_data, model).moved(end) for model, *both in rides for end in both]
    ground = beside(ends, areas, movement)
    settings = movement.settings
    slow = {train.model: times.train(train, settings) for train in facts.trains if train.axis >= 0}
    for i, (model, _, _) in enumerate(rides):
        here, there = ground[2 * i], ground[2 * i + 1]
        time = slow.get(model, times.bobbing(settings))
        _add(candidates, model, boards(here, movement), alights(there, movement), time)
        _add(candidates, model, boards(there, movement), alights(here, movement), time)


def swings(facts: EntityFacts) -> Iterator[tuple[int, Point, Point]]:
    """Model and both end offsets of everything that shuttles along one axis."""
    for bobbing in facts.bobbings:
        swing = np.zeros(3)
        swing[bobbing.axis] = bobbing.amplitude
        middle = np.array(bobbing.middle)
        if bobbing.model >= 0:
            yield bobbing.model, tuple((middle - swing).tolist()), tuple((middle + swing).tolist())
    for train in facts.trains:
        if train.model >= 0 and train.axis >= 0:
            yield train.model, train.stops[0], train.stops[1]


def _add(candidates: Candidates, model: int, on: Beside, off: Beside, time: float) -> None:
    """Add links from every area to get on from to every area to get off to."""
    n, m = len(on.area), len(off.area)
    candidates.add(
        Travel.BOBBING,
        np.repeat(on.area, m),
        np.tile(off.area, n),
        np.repeat(on.point, m, axis=0),
        np.tile(off.point, (n, 1)),
        time,
        model=model,
    )
