# mypy: ignore-errors
"""Straight walks over the floor: whether a player who only steps up and down arrives.

The walk goes forward in strides. Each stride rises over what is no higher than a step, and then needs a floor no more
than a step below. A gap narrower than a stride counts as floor.
"""

import cython
from cython.cimports.aascompile.sampling.sample_kernel import Sampler
from cython.cimports.libc.math import fabs, sqrt

STRIDE = cython.declare(cython.double, 8.0)  # units
WET = cython.declare(cython.uint, 0x7)
DEADLY = cython.declare(cython.uint, 0x20006)
TAKES_AWAY = cython.declare(cython.uint, 0xC0)

# Why a walk ends; sampling.walk.WalkEnd has the same numbers.
ARRIVES = cython.declare(cython.int, 0)
NO_ROOM = cython.declare(cython.int, 1)
WALL = cython.declare(cython.int, 2)
GAP = cython.declare(cython.int, 3)
STEEP = cython.declare(cython.int, 4)
LIQUID = cython.declare(cython.int, 5)
HAZARD = cython.declare(cython.int, 6)
TRIGGER = cython.declare(cython.int, 7)
OTHER_LEVEL = cython.declare(cython.int, 8)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def stride(
    s: Sampler, at: cython.double[::1], x: cython.double, y: cython.double, step: cython.double, presence: cython.uint
) -> cython.bint:
    """Move ``at`` to (x, y), over a step if there is one; false if a wall is in the way."""
    if not s.trace(at[0], at[1], at[2], x, y, at[2], presence):
        at[0] = x
        at[1] = y
        return True
    s.trace(at[0], at[1], at[2], at[0], at[1], at[2] + step, presence)
    up: cython.double = s.z
    if s.trace(at[0], at[1], up, x, y, up, presence):
        return False
    at[0] = x
    at[1] = y
    at[2] = up
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def land(
    s: Sampler,
    at: cython.double[::1],
    floor: cython.double,
    step: cython.double,
    floor_up: cython.double,
    presence: cython.uint,
) -> cython.int:
    """Lower ``at`` onto the floor, which is at most a step below the height ``floor``. Return why the walk ends."""
    contents: cython.uint
    if not s.trace(at[0], at[1], at[2], at[0], at[1], floor - step - s.stop_before, presence):
        contents = s.contents[s.end_area]
        if contents & DEADLY:
            return HAZARD
        return LIQUID if contents & WET else GAP
    if s.normal_z < floor_up:
        return STEEP
    at[2] = s.z
    contents = s.contents[s.end_area]
    if contents & DEADLY:
        return HAZARD
    if contents & TAKES_AWAY:
        return TRIGGER
    return ARRIVES


def walk_rows(
    sampler: Sampler,
    start: cython.double[:, ::1],
    end: cython.double[:, ::1],
    step: cython.double,
    floor_up: cython.double,
    presence: cython.uint,
    first: cython.int,
    last: cython.int,
    why: cython.int[::1],
    reached: cython.double[:, ::1],
):
    """Walk the rows first..last−1. ``reached`` is where each walk ends, ``why`` is its reason."""
    i: cython.int
    k: cython.int
    n: cython.int
    far: cython.double
    floor: cython.double
    with cython.nogil:
        for i in range(first, last):
            for k in range(3):
                reached[i, k] = start[i, k]
            why[i] = ARRIVES
            if not sampler.is_free(start[i, 0], start[i, 1], start[i, 2], presence):
                why[i] = NO_ROOM
                continue
            far = sqrt((end[i, 0] - start[i, 0]) ** 2 + (end[i, 1] - start[i, 1]) ** 2)
            n = cython.cast(cython.int, far / STRIDE) + 1
            for k in range(n + 1):
                floor = reached[i, 2]
                if not stride(
                    sampler,
                    reached[i],
                    start[i, 0] + (end[i, 0] - start[i, 0]) * k / n,
                    start[i, 1] + (end[i, 1] - start[i, 1]) * k / n,
                    step,
                    presence,
                ):
                    why[i] = WALL
                    break
                why[i] = land(sampler, reached[i], floor, step, floor_up, presence)
                if why[i] != ARRIVES:
                    break
            if why[i] == ARRIVES and fabs(reached[i, 2] - end[i, 2]) > step:
                why[i] = OTHER_LEVEL
