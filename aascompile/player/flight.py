"""Steered flights. First with the constant wish that corrects the landing, in closed form. If that misses, with a wish
that always points at the goal, which follows a wall until it ends.

A wish with a speed accelerates the player along its direction by rate · speed, until the velocity along it is the speed
itself. Velocity across it does not change, so a wish straight at the error is the best one.
"""

from __future__ import annotations

from typing import Final, TypeVar

import numpy as np

from aascompile.geometry.vectors import flat_lengths
from aascompile.model.mapdata import Float, Index, Int
from aascompile.player.movement import HAZARDS, Event, Flag, Movement, Predictions
from aascompile.settings import Physics

LANDS: Final = Event.LANDED | Event.SWIM | Event.TELEPORTER | Event.JUMP_PAD | HAZARDS
"""Events that end a flight. A teleporter or jump pad that is entered has links of its own."""

LONGEST: Final = 10.0
"""Seconds: no flight in a real map lasts longer."""

FRAME: Final = 0.05
"""Seconds: flight is exact for any frame time, and steering nearly so."""

LEAST_RATE: Final = float(np.finfo(np.float32).tiny)
"""Units/s² that stand for no control in the air: no speed divided by it overflows."""

SOLVING: Final = 16
"""Halvings of the interval of wish speeds: the last is a hundredth of a unit per second."""


def fall_time(rise: Float, speed: Float | float, physics: Physics) -> Float:
    """(n,) seconds until something thrown up at a speed has come down to ``rise (n,)`` above its start; −1: never."""
    under = np.square(speed) - 2.0 * physics.gravity * rise
    return np.where(under >= 0.0, (speed + np.sqrt(np.maximum(under, 0.0))) / physics.gravity, -1.0)


Number = TypeVar("Number", float, Float)


def highest(speed: Number, physics: Physics) -> Number:
    """Height, in units, that something thrown up at a speed reaches."""
    return speed**2 / (2.0 * physics.gravity)


def needed_speed(gap: Float, rise: Float, physics: Physics, lift: Float | float = 0.0) -> Float:
    """(n,) least horizontal speeds at take-off with which jumps cross gaps ``gap (n,)`` units wide to floors
    ``rise (n,)`` units higher, the player pushing forwards in the air; infinite where no jump gets that high.

    Up to the top speed of a runner the push adds to the speed during the flight, beyond it does not. ``lift``: upward
    velocity at take-off; 0: that of a jump.
    """
    seconds = fall_time(rise, np.where(lift, lift, physics.jump_velocity), physics)
    top, rate = physics.walk_speed, physics.air_accelerate * physics.walk_speed
    steady = gap / np.where(seconds > 0.0, seconds, 1.0)
    # The push lasts for the whole flight, or until the player is as fast as a runner.
    short = steady - 0.5 * rate * seconds
    long = top - np.sqrt(np.maximum(2.0 * rate * (top * seconds - gap), 0.0))
    slow = np.where(short + rate * seconds <= top, short, long)
    return np.where(seconds < 0.0, np.inf, np.maximum(np.where(steady >= top, steady, slow), 0.0))


def gain(error: Float, velocity: Float, seconds: Float, speed: Float | float, physics: Physics) -> Float:
    """(n,) units by which wishes towards ``error (n, 2)`` at a speed move landings after ``seconds (n,)``.

    ``velocity (2,)`` or ``(n, 2)``: the flight's own.
    """
    return _gain(_along(error, velocity), seconds, speed, physics)


def _along(error: Float, velocity: Float) -> Float:
    """(n,) the part of velocities that leads towards errors."""
    direction = error / np.maximum(flat_lengths(error), 1.0)[:, None]
    along: Float = (direction * velocity).sum(axis=1)
    return along


def _gain(along: Float, seconds: Float, speed: Float | float, physics: Physics) -> Float:
    """``gain``, from the part of the velocity that leads towards the error."""
    lacks = np.maximum(speed - along, 0.0)
    rate = np.maximum(physics.air_accelerate * np.asarray(speed), LEAST_RATE)
    gaining = np.minimum(lacks / rate, seconds)
    gained: Float = rate * gaining * (seconds - gaining / 2.0)
    return gained


def steady_wish(error: Float, velocity: Float, seconds: Float, physics: Physics) -> tuple[Float, Float]:
    """Directions (n, 3) and speeds (n,) of the wishes that correct errors, or come as close as possible."""
    need = flat_lengths(error)
    along = _along(error, velocity)
    low, high = np.zeros(len(need)), np.full(len(need), physics.walk_speed)
    for _ in range(SOLVING):
        middle = (low + high) / 2.0
        short = _gain(along, seconds, middle, physics) < need
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return np.column_stack((error, np.zeros(len(need)))), high


def unsteered(movement: Movement, start: Float, velocity: Float) -> tuple[Int, Float]:
    """Areas (n,) and places (n, 3) where unsteered flights end; −1 if they end in a hazard or never."""
    return _safe(_predict(movement, start, velocity, np.zeros((len(start), 3)), 0.0, 0))


def steered(movement: Movement, start: Float, velocity: Float, goal: Float, wanted: Int | Index) -> tuple[Int, Float]:
    """Areas (n,) and places (n, 3) where flights from ``start (n, 3)`` with ``velocity (n, 3)`` end, steered to goals.

    Where a constant wish does not lead to the ``wanted`` area (n,), a wish towards the goal is tried, and used if it
    does.
    """
    physics = movement.settings.physics
    seconds = fall_time(goal[:, 2] - start[:, 2], velocity[:, 2], physics)
    error = goal[:, :2] - (start[:, :2] + np.maximum(seconds, 0.0)[:, None] * velocity[:, :2])
    wish, speed = steady_wish(error, velocity[:, :2], np.maximum(seconds, 0.0), physics)
    area, end = _safe(_predict(movement, start, velocity, wish, speed, 0))
    left = np.flatnonzero(area != wanted)
    if not len(left):
        return area, end
    pressed, place = _safe(
        _predict(movement, start[left], velocity[left], goal[left], physics.walk_speed, int(Flag.STEER))
    )
    better = (pressed == wanted[left]) | (area[left] < 0)
    area[left[better]], end[left[better]] = pressed[better], place[better]
    return area, end


def _predict(
    movement: Movement, start: Float, velocity: Float, wish: Float, speed: Float | float, flags: int
) -> Predictions:
    return movement.predict_many(start, velocity, wish, speed, flags, LANDS, max_time=LONGEST, frame_time=FRAME)


def _safe(found: Predictions) -> tuple[Int, Float]:
    """Where flights end; −1 for those that fall for ever or into a hazard."""
    good = ((found.stopped & np.uint32(LANDS)) != 0) & ((found.seen & np.uint32(HAZARDS)) == 0)
    return np.where(good, found.area, -1).astype(np.int32), found.end.copy()
