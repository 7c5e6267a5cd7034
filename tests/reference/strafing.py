"""How turning gains speed, written out: the game's friction and acceleration on an endless level floor.

The slow twin of the run-ups in aascompile/player/strafe_kernel.py. Complex numbers are velocities and places seen from
above.
"""

from __future__ import annotations

from cmath import phase, rect
from math import acos, radians

FRAME = 0.008
WISH = 320.0  # units/s: the speed that a player wishes
GRAVITY, JUMP = 800.0, 270.0
FRICTION, STOP_SPEED = 6.0, 100.0
ON_FOOT, IN_AIR = 10.0, 1.0  # 1/s: acceleration, in wished speeds
TURNING = 48  # frames of turning on the ground
SWING = radians(9.5)


def accelerated(velocity: complex, wish: complex, rate: float) -> complex:
    """The velocity after a frame's acceleration towards a wished direction: at most up to the wished speed along it."""
    along = (velocity * wish.conjugate()).real
    return velocity + min(rate * FRAME * WISH, max(WISH - along, 0.0)) * wish


def slowed(velocity: complex) -> complex:
    """The velocity after a frame's friction."""
    speed = abs(velocity)
    if speed < 1.0:
        return 0j
    return velocity * max(speed - max(speed, STOP_SPEED) * FRICTION * FRAME, 0.0) / speed


def best_wish(velocity: complex, rate: float, side: float, otherwise: complex = 1 + 0j) -> complex:
    """The direction to wish for the most speed: the velocity along it lacks just what the frame can add."""
    most = WISH - rate * FRAME * WISH
    if velocity == 0:
        return otherwise
    return rect(1.0, phase(velocity) + side * (acos(most / abs(velocity)) if abs(velocity) > most else 0.0))


def turned_on_ground() -> tuple[complex, complex]:
    """Place and velocity after turning left on the ground, from rest, looking east."""
    place = velocity = 0j
    for _ in range(TURNING):
        velocity = slowed(velocity)
        velocity = accelerated(velocity, best_wish(velocity, ON_FOOT, 1.0), ON_FOOT)
        place += FRAME * velocity
    return place, velocity


def run_up(hops: int) -> tuple[float, float, float]:
    """Units ahead, units to the left and the speed at the end of a run-up: turning left on the ground, then hops that
    swing to and fro about a direction, which counts as ahead."""
    place, velocity = turned_on_ground()
    ahead = rect(1.0, phase(velocity) + SWING)
    side = 1.0
    for _ in range(hops):
        height, up = 0.0, JUMP
        while up > 0.0 or height > 0.0:
            if side * phase(ahead / velocity) < -SWING:
                side = -side
            velocity = accelerated(velocity, best_wish(velocity, IN_AIR, side), IN_AIR)
            place += FRAME * velocity
            height += FRAME * (up - GRAVITY * FRAME / 2)
            up -= GRAVITY * FRAME
    seen = place / ahead
    return seen.real, seen.imag, abs(velocity)
