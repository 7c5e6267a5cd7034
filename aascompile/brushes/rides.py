"""Ends of the rides on platforms and trains, from their entities."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from aascompile import tolerances
from aascompile.model.compiled import Rides
from aascompile.model.entity_facts import EntityFacts, Point
from aascompile.model.mapdata import Float, MapData
from aascompile.settings import Box

HEAD: Final = 16.0
"""Units above a standing player's origin that belong to the place: thin layers of air count too."""


def standing_boxes(map_data: MapData, rides: Rides, box: Box) -> Float:
    """(n, 6) boxes of the origins of players who stand on a platform or train at either end of its ride."""
    half = (map_data.models.maxs[rides.model] - map_data.models.mins[rides.model]) / 2.0
    half[:, :2] += box.maxs[:2]
    ends = [rides.low, rides.high]
    low = np.vstack([np.column_stack(((at - half)[:, :2], (at + half)[:, 2] - box.mins[2])) for at in ends])
    high = np.vstack([np.column_stack(((at + half)[:, :2], (at + half)[:, 2] - box.mins[2] + HEAD)) for at in ends])
    return np.hstack([low, high])


def rides(map_data: MapData, facts: EntityFacts) -> Rides:
    """A row for each plat, each bobbing platform, and each two successive stops of a train. Rides with an end beyond
    the extent of a map are left out."""
    legs: list[tuple[int, Point, Point]] = [(plat.model, plat.bottom, plat.top) for plat in facts.plats]
    for bobbing in facts.bobbings:
        swing = np.zeros(3)
        swing[bobbing.axis] = bobbing.amplitude
        low, high = (tuple((np.array(bobbing.middle) + offset).tolist()) for offset in (-swing, swing))
        legs.append((bobbing.model, low, high))
    for train in facts.trains:
        stops = [*train.stops, train.stops[0]] if train.loops and len(train.stops) > 2 else train.stops
        legs += [(train.model, here, there) for here, there in pairwise(stops)]
    legs = [leg for leg in legs if leg[0] >= 0]
    if not legs:
        return Rides.none()
    model = np.array([leg[0] for leg in legs], np.int32)
    middle = (map_data.models.mins[model] + map_data.models.maxs[model]) / 2.0
    ends = middle[:, None] + np.array([leg[1:] for leg in legs])
    near = (np.abs(ends) <= tolerances.PLANE_FAR).all(axis=(1, 2))
    return Rides(model[near], ends[near, 0], ends[near, 1])
