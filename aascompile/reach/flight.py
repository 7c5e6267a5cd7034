"""Steering in the air, in closed form: the one steady wish that corrects where a flight comes down.

A wish at a speed gains rate · speed units a second, along its direction, every second, until the velocity along that
direction is the speed itself. Directions across are left alone, so a wish straight at the error is the best there is.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.model.mapdata import Float
from aascompile.reach.movement import HAZARDS, Event
from aascompile.settings import Physics

LANDS: Final = Event.LANDED | Event.SWIM | Event.TELEPORTER | Event.JUMP_PAD | HAZARDS
"""The end of a flight. A teleporter or a jump pad on the way has its own ways out."""

LONGEST: Final = 10.0
"""Seconds: no flight in a real map lasts longer."""

FRAME: Final = 0.05
"""Seconds: flight is exact for any frame time, and steering nearly so."""

SOLVING: Final = 16
"""Halvings of the interval of wish speeds: the last is a hundredth of a unit a second."""


def comes_down_after(rise: Float, speed: float, physics: Physics) -> Float:
    """(n,) seconds until what goes up with a speed is down to ``rise (n,)`` above its start; −1: never."""
    under = speed**2 - 2.0 * physics.gravity * rise
    return np.where(under >= 0.0, (speed + np.sqrt(np.maximum(under, 0.0))) / physics.gravity, -1.0)


def gain(error: Float, velocity: Float, seconds: Float, speed: Float | float, physics: Physics) -> Float:
    """(n,) how far wishes towards ``error (n, 2)``, at a speed, move landings after ``seconds (n,)``.

    ``velocity (2,)`` or ``(n, 2)``: the flight's own.
    """
    way = error / np.maximum(np.hypot(error[:, 0], error[:, 1]), 1.0)[:, None]
    lacks = np.maximum(speed - (way * velocity).sum(axis=1), 0.0)
    rate = np.maximum(physics.air_accelerate * np.asarray(speed), np.finfo(np.float64).tiny)
    gaining = np.minimum(lacks / rate, seconds)
    gained: Float = rate * gaining * (seconds - gaining / 2.0)
    return gained


def steady_wish(error: Float, velocity: Float, seconds: Float, physics: Physics) -> tuple[Float, Float]:
    """Directions (n, 3) and speeds (n,) of the wishes that correct errors, or do the most that can be done."""
    need = np.hypot(error[:, 0], error[:, 1])
    low, high = np.zeros(len(need)), np.full(len(need), physics.walk_speed)
    for _ in range(SOLVING):
        middle = (low + high) / 2.0
        short = gain(error, velocity, seconds, middle, physics) < need
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return np.column_stack((error, np.zeros(len(need)))), high
