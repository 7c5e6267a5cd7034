"""Where players stand on platforms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from aascompile.model.mapdata import Float, MapData
from aascompile.model.movers import BrushMover, Carrier
from aascompile.settings import Box

HEAD: Final = 16.0
"""Units above a standing player's origin that belong to the place: thin layers of air count too."""

STOOD_ON: Final = (Carrier.PLAT, Carrier.BOBBING, Carrier.TRAIN)
"""Movers whose riders get areas of their own."""


def standing_boxes(map_data: MapData, movers: Sequence[BrushMover], box: Box) -> Float:
    """(n, 6) boxes of the origins of players who stand on a plat, bobbing platform or train at one of its stops."""
    rows = [(mover.models[0], stop.offsets[0]) for mover in movers if mover.carrier in STOOD_ON for stop in mover.stops]
    if not rows:
        return np.zeros((0, 6))
    model = np.array([row[0] for row in rows], np.int32)
    at = np.array([row[1] for row in rows])
    low, high = map_data.models.mins[model] + at, map_data.models.maxs[model] + at
    top = high[:, 2] - box.mins[2]
    return np.column_stack((low[:, :2] - box.maxs[:2], top, high[:, :2] + box.maxs[:2], top + HEAD))
