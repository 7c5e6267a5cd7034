"""Where players start a mover: at a button or trigger, near a door, or on it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.contents import DEADLY, TAKES_AWAY
from aascompile.model.entity_facts import Opener
from aascompile.model.mapdata import Float, Index, MapData
from aascompile.model.movers import BrushMover
from aascompile.player.movement import Movement
from aascompile.records import dataclass
from aascompile.sampling.locate import fall
from aascompile.settings import Settings

REACH: Final = 1.0
"""Units by which the engine grows a model's box."""

NEAR: Final = 120.0
"""Units on both sides of a door, along its thinnest side, from which it opens by itself."""

ACROSS: Final = 7
"""Points across a trigger, in both directions, where players are tried."""


@dataclass(frozen=True, slots=True)
class Start:
    """A box of the origins of players who start a mover."""

    low: Float
    """(3,)"""
    high: Float
    """(3,)"""
    delay: float
    """Seconds until the mover starts."""
    times: int
    """How often it has to be left and touched again."""

    def has(self, points: Float) -> NDArray[np.bool_]:
        """(n,) which of ``points (n, 3)`` are in the box."""
        return np.asarray(((points >= self.low) & (points <= self.high)).all(axis=1))


def touched(map_data: MapData, openers: Iterable[Opener], settings: Settings) -> list[Start] | None:
    """Where players touch openers; None if one of them fires by itself."""
    found = []
    for opener in openers:
        model = np.flatnonzero(map_data.models.entity == opener.row)
        if not len(model) or not model[0]:
            return None
        offset = map_data.entities[opener.row].offset
        low, high = (corner[model[0]] + offset for corner in (map_data.models.mins, map_data.models.maxs))
        found.append(_grown(low, high, opener.delay, opener.times, settings))
    return found


def timer_of(openers: Iterable[Opener]) -> float:
    """Seconds between two firings of the quickest timer among openers; 0 without one."""
    return min((opener.times * opener.every for opener in openers if opener.every > 0.0), default=0.0)


def near(map_data: MapData, mover: BrushMover, settings: Settings) -> Start:
    """Where players start doors that open for those who come near: around where they rest."""
    models, rest = list(mover.models), np.array(mover.stops[0].offsets)
    low = (map_data.models.mins[models] + rest).min(axis=0)
    high = (map_data.models.maxs[models] + rest).max(axis=0)
    thin = int(np.argmin(high - low))
    low[thin] -= NEAR
    high[thin] += NEAR
    return _grown(low, high, 0.0, 1, settings)


def _grown(low: Float, high: Float, delay: float, times: int, settings: Settings) -> Start:
    """The origins of players whose box touches a box."""
    box = settings.boxes[0]
    return Start(low - np.array(box.maxs) - REACH, high - np.array(box.mins) + REACH, delay, times)


def standing(start: Start, areas: Areas, movement: Movement) -> tuple[Index, Float]:
    """Areas (n,) and origins (n, 3) of players who stand in a box."""
    x, y = (
        np.linspace(start.low[k] + REACH, start.high[k] - REACH, ACROSS) if start.high[k] - start.low[k] > 2.0 * REACH
        else np.array([(start.low[k] + start.high[k]) / 2.0])
        for k in (0, 1)
    )  # fmt: skip
    plan = np.array([(px, py) for px in x.tolist() for py in y.tolist()])
    heights = np.linspace(start.high[2], start.low[2], 3)[:2]
    points = np.vstack([np.column_stack((plan, np.full(len(plan), height))) for height in heights.tolist()])
    down = fall(movement.tree, points, float(start.high[2] - start.low[2]))
    area = down.end_area.astype(np.int64)
    good = (down.fraction < 1.0) & ~down.start_solid & (area >= 0)
    good &= (areas.area_flags[area] & np.uint32(AreaFlag.GROUNDED)) != 0
    good &= (areas.area_contents[area] & np.uint32(DEADLY | TAKES_AWAY)) == 0
    good &= start.has(down.end)
    return area[good], down.end[good]
