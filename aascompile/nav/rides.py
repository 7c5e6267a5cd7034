"""Rides of links: what carries the player, where the player waits, gets on and off, and how long it takes."""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.distinct import distinct
from aascompile.geometry.vectors import lengths
from aascompile.model.carried import legs_of, mover_of, stops_of
from aascompile.model.compiled import Compiled, Rides
from aascompile.model.links import RIDES, Links
from aascompile.model.mapdata import Float
from aascompile.model.movers import ALWAYS, BrushMover, Carrier
from aascompile.nav.words import units
from aascompile.records import dataclass

INNER: Final = 16.0
"""Units inside the rim of a mover at which players stand on it."""

TURNS: Final = (Carrier.PENDULUM, Carrier.ROTATING)
"""Movers that turn."""

CLASSES: Final = {
    Carrier.PLAT: "func_plat",
    Carrier.BOBBING: "func_bobbing",
    Carrier.TRAIN: "func_train",
    Carrier.DOOR: "func_door",
    Carrier.PENDULUM: "func_pendulum",
    Carrier.ROTATING: "func_rotating",
    Carrier.CALLED_DOOR: "func_door",
}
"""The entity class of each carrier."""


@dataclass(frozen=True, slots=True)
class Ride:
    """How a mover carries the player who takes a link."""

    carrier: Carrier
    model: int
    entity: int
    """Row of the entity that moves; −1 if unknown."""
    half: Float
    """(3,) half the size of its box."""
    path: Float
    """(n, 3) middles of its box, from where the player gets on, at every stop to where the player gets off."""
    wait_at: Float
    """(3,) player origin where the player waits for it, or starts it."""
    board: Float
    """(3,) player origin on it where the player gets on."""
    leave: Float
    """(3,) player origin on it where the player gets off."""
    waiting: float
    """Seconds until it leaves with the player, on average."""
    riding: float
    """Seconds that it moves the player, with its waits at stops between."""
    every: float
    """Seconds between two visits if it moves by itself; otherwise infinite."""
    elsewhere: bool
    """Something else has to start it first."""

    @property
    def is_bridge(self) -> bool:
        """Whether the player only walks over it."""
        return len(self.path) == 1


def ride_of(compiled: Compiled, link: int, links: Links | None = None) -> Ride | None:
    """The ride of a link, of the file itself or of others; None if it has none, or the file does not describe it."""
    links, rides, feet = links if links is not None else compiled.links, compiled.rides, compiled.boxes.feet
    if links is None or int(links.kind[link]) not in RIDES or not 0 <= links.ride[link] < len(rides):
        return None
    row, model = int(links.ride[link]), int(rides.model[links.ride[link]])
    mover = mover_of(rides, model)
    if mover is None or rides.half[row].min() < 0.0:
        return None
    on, off = stops_of(rides, links, link, mover, feet)
    path = np.array([mover.stops[stop].offsets[0] for stop in passed(mover, on, off)])
    waiting, riding = _seconds(rides, links, link, mover, (on, off))
    board, leave = (
        _on(point, middle, rides.half[row], rides.floor[row] + feet, mover.carrier in TURNS)
        for point, middle in ((links.start[link], path[0]), (links.end[link], path[-1]))
    )
    return Ride(
        carrier=mover.carrier,
        model=model,
        entity=int(rides.entity[row]),
        half=rides.half[row],
        path=path,
        wait_at=links.start[link],
        board=board,
        leave=leave,
        waiting=waiting,
        riding=riding,
        every=mover.round,
        elsewhere=rides.carrier[row] == Carrier.CALLED_DOOR,
    )


def passed(mover: BrushMover, on: int, off: int) -> list[int]:
    """Stops from where players get on to where they get off; one if they only walk over it."""
    stops = [on]
    while stops[-1] != off:
        stops.append((stops[-1] + 1) % len(mover.stops))
    return stops


def _seconds(rides: Rides, links: Links, link: int, mover: BrushMover, stops: tuple[int, int]) -> tuple[float, float]:
    """Seconds of waiting, on average, and of riding. What rests has to be started: that takes the rest of the time."""
    total, (on, off) = links.time[link] / 100.0, stops
    if mover.carrier not in ALWAYS:
        riding = 0.0 if on == off else mover.stops[on].leg
        return max(total - riding, 0.0), riding
    if mover.carrier == Carrier.ROTATING or mover.round <= 0.0:  # where it is boarded is not in the file
        return total, 0.0
    legs = legs_of(rides, mover.models[0])
    same = np.flatnonzero((links.source == links.source[link]) & np.isin(links.ride, legs))
    boarded = distinct(np.searchsorted(legs, links.ride[same])).tolist()
    return mover.waiting(boarded), mover.ride(on, off)


def _on(point: Float, middle: Float, half: Float, floor: float, turns: bool) -> Float:
    """(3,) origin of a player on a mover, as near to a point as it goes. What turns is boarded right there."""
    if turns:
        return point
    inner = np.maximum(half[:2] - INNER, 0.0)
    return np.append(np.clip(point[:2], middle[:2] - inner, middle[:2] + inner), middle[2] + floor)


# --- words ------------------------------------------------------------------------------------------------------------


def carrier_name(carrier: Carrier, model: int, entity: int) -> str:
    """A mover: "func_train (model 2, entity 5)"."""
    return f"{CLASSES[carrier]} (model {model}{f', entity {entity}' if entity >= 0 else ''})"


def ride_lines(ride: Ride) -> list[str]:
    """A ride in words, a clause a line: what carries the player, where the player gets on and off, and when."""
    what = f"a {carrier_name(ride.carrier, ride.model, ride.entity)}, " + " × ".join(f"{2 * x:.0f}" for x in ride.half)
    at, on, off = (place_text(point) for point in (ride.wait_at, ride.board, ride.leave))
    if ride.is_bridge:
        return [f"{what}, is a bridge, from which the player gets off at {off}", _starts(ride)]
    return [
        f"carried by {what}",
        f"waits at {at}, gets on at {on}, gets off at {off}",
        _starts(ride) + (f"; then the ride{_way(ride)} takes {ride.riding:.1f} s" if ride.riding else ""),
    ]


def ride_path(ride: Ride) -> Float:
    """(n, 3) origins of the player, from where the player gets on to where the player gets off, at every stop."""
    stood = ride.board + (ride.path - ride.path[0])
    return np.vstack((stood, ride.leave))


def _starts(ride: Ride) -> str:
    """Clause about the wait."""
    if ride.carrier == Carrier.ROTATING:
        return f"it turns once in {ride.every:.1f} s; waiting and riding take {ride.waiting:.1f} s on average"
    if ride.carrier in ALWAYS:
        return f"it comes every {ride.every:.1f} s, and players wait {ride.waiting:.1f} s on average"
    if ride.elsewhere:
        return f"something else has to start it first, which takes {ride.waiting:.1f} s"
    what = "starting it, if it has to be started, and crossing it" if ride.is_bridge else "starting it and getting on"
    return f"{what} takes {ride.waiting:.1f} s"


def _way(ride: Ride) -> str:
    """Length and direction of a ride."""
    if ride.carrier in TURNS:
        return ""
    legs = np.diff(ride.path, axis=0)
    far, rise = float(lengths(legs).sum()), float(ride.path[-1, 2] - ride.path[0, 2])
    between = len(legs) - 1
    over = f" with {between} {'stop' if between == 1 else 'stops'} between" if between else ""
    if abs(rise) == far:
        return f", {units(far)} {'up' if rise > 0 else 'down'}{over},"
    return f", {units(far)}{over},"


def place_text(point: Float) -> str:
    """A point in whole units: "(0 -80 24)"."""
    return "(" + " ".join(f"{number:.0f}" for number in point) + ")"
