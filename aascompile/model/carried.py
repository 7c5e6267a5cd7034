"""The movers of a compiled file, put together again from its rides, and the stops between which links use them."""

from __future__ import annotations

import numpy as np

from aascompile.model.compiled import Rides
from aascompile.model.links import Links
from aascompile.model.mapdata import Float, Index
from aascompile.model.movers import ALWAYS, FOREVER, BrushMover, Carrier, Stop


def legs_of(rides: Rides, model: int) -> Index:
    """Rows of the rides of a model."""
    return np.flatnonzero(rides.model == model)


def mover_of(rides: Rides, model: int) -> BrushMover | None:
    """The mover of a model, with the middles of its box as offsets; None if the file does not say what it is."""
    rows = legs_of(rides, model)
    if len(rows) < 2 or rides.carrier[rows[0]] not in list(Carrier):
        return None
    carrier = Carrier(int(rides.carrier[rows[0]]))
    stops = []
    for row in (rows if carrier in ALWAYS else rows[:2]).tolist():
        x, y, z = rides.low[row].tolist()
        stood = float(rides.wait[row])
        stops.append(Stop(((x, y, z),), stood if stood >= 0.0 else FOREVER, max(float(rides.seconds[row]), 0.0)))
    return BrushMover(carrier, (model,), tuple(stops))


def stops_of(rides: Rides, links: Links, row: int, mover: BrushMover, feet: float) -> tuple[int, int]:
    """The stops at which players get on and off if they take a link. They stay on to the stop nearest to its end."""
    leg = int(np.searchsorted(legs_of(rides, mover.models[0]), links.ride[row]))
    here, there = mover.legs[min(leg, len(mover.legs) - 1)]
    n = len(mover.stops)
    if mover.carrier in ALWAYS and n > 2:
        onward = [(here + number) % n for number in range(1, n)]
        middle = np.array([mover.stops[stop].offsets[0] for stop in onward])
        there = onward[int(_outside(links.end[row], middle, rides.half[links.ride[row]], feet).round().argmin())]
    return here, there


def _outside(place: Float, middle: Float, half: Float, feet: float) -> Float:
    """(n,) distances of the feet of a player at a place from boxes around ``middle (n, 3)``."""
    away = np.abs(place - np.array((0.0, 0.0, feet)) - middle) - np.maximum(half, 0.0)
    return np.asarray(np.linalg.norm(np.maximum(away, 0.0), axis=1))
