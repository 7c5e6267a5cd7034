"""The movers of a compiled file, put together again from its rides, and the stops between which links use them."""

from __future__ import annotations

import numpy as np

from aascompile.geometry.turning import turned_by
from aascompile.geometry.vectors import norm
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
    """The stops at which players get on and off if they take a link. They stay on to the stop nearest to its end. What
    rotates may be there already: then they only walk over it."""
    legs = legs_of(rides, mover.models[0])
    leg = int(np.searchsorted(legs, links.ride[row]))
    here, there = mover.legs[min(leg, len(mover.legs) - 1)]
    n = len(mover.stops)
    if mover.carrier in ALWAYS and n > 2:
        first = 0 if mover.carrier == Carrier.ROTATING else 1
        onward = [(here + number) % n for number in range(first, n)]
        away = [_outside(rides, int(legs[stop]), links.end[row], feet) for stop in onward]
        there = onward[int(np.array(away).round().argmin())]
    return here, there


def _outside(rides: Rides, row: int, place: Float, feet: float) -> float:
    """Distance of the feet of a player at a place from the box of a mover where a ride begins."""
    from_middle = place - np.array((0.0, 0.0, feet)) - rides.low[row]
    away = np.abs(turned_by(from_middle[None], rides.angles[row], back=True)[0]) - np.maximum(rides.half[row], 0.0)
    return norm(np.maximum(away, 0.0))
