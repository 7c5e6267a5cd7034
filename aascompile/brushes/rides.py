"""Rides on movers as a compiled file stores them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aascompile.geometry.turning import turned
from aascompile.model.compiled import Rides
from aascompile.model.mapdata import MapData
from aascompile.model.movers import CALLED, BrushMover, Carrier


def rides(map_data: MapData, movers: Sequence[BrushMover]) -> Rides:
    """A row for each leg of each model of each mover."""
    rows = [
        (mover, part, here, there)
        for mover in movers
        for part in range(len(mover.models))
        for here, there in mover.legs
    ]
    carrier = [
        int(
            Carrier.CALLED_DOOR
            if mover.carrier == Carrier.DOOR and leg >= len(mover.legs) - len(CALLED)
            else mover.carrier
        )
        for mover in movers
        for _ in mover.models
        for leg in range(len(mover.legs))
    ]
    if not rows:
        return Rides.none()
    model = np.array([mover.models[part] for mover, part, _, _ in rows], np.int32)
    middle = (map_data.models.mins[model] + map_data.models.maxs[model]) / 2.0
    ends = np.zeros((len(rows), 2, 3))
    for row, (mover, part, *both) in enumerate(rows):
        for side, stop in enumerate(mover.stops[number] for number in both):
            around = turned(middle[row : row + 1], stop.axis, stop.turn, stop.yaw)[0]
            ends[row, side] = around + np.array(stop.offsets[part])
    stood = np.array([mover.stops[here].wait for mover, _, here, _ in rows])
    return Rides(
        model=model,
        low=ends[:, 0].copy(),
        high=ends[:, 1].copy(),
        carrier=np.array(carrier, np.int32),
        seconds=np.array([0.0 if here == there else mover.stops[here].leg for mover, _, here, there in rows]),
        wait=np.where(np.isfinite(stood), stood, -1.0),
    )
