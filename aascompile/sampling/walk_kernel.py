# mypy: ignore-errors
"""Straight walks over the floor: whether a player who only steps up and down arrives.

The walk goes from foothold to foothold. A stride follows the slopes on its way, floors and ceilings, straight in plan
view. If something else is in the way, it is repeated from a step higher. Then it needs a floor no more than a step
below. Where a stride fails, shorter ones are tried, so that a rise and a slope right behind it count as two, and so do
two rises with a narrow tread between them. A gap, or ground too steep to stand on, counts as floor if it is narrower
than a stride.
"""

import cython
from cython.cimports.aascompile.sampling.sample_kernel import Sampler
from cython.cimports.libc.math import fabs, sqrt

STRIDE = cython.declare(cython.double, 8.0)  # units
PARTS = cython.declare(cython.int, 4)  # of a stride: shorter strides are one, two or three of them
HALVINGS = cython.declare(cython.int, 3)  # of such a part: the treads of winding stairs are narrow at the inner end
MOST_SLOPES = cython.declare(cython.int, 6)  # on the way of a stride
NEARER = cython.declare(cython.double, 0.8)  # of the way down to the ground, whose area may be thin there
FARTHEST = cython.declare(cython.double, 524288.0)  # units: no place of a map is farther from another
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


@cython.final
@cython.cclass
class Walker:
    """A player on a walk: the origin, the normal of the slope that it follows, and the area of the ground below."""

    sampler: Sampler
    step: cython.double
    floor_up: cython.double
    presence: cython.uint
    x: cython.double
    y: cython.double
    z: cython.double
    nx: cython.double
    ny: cython.double
    nz: cython.double
    area: cython.int

    def __init__(self, sampler, step: cython.double, floor_up: cython.double, presence: cython.uint):
        self.sampler = sampler
        self.step = step
        self.floor_up = floor_up
        self.presence = presence

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put(
        self,
        x: cython.double,
        y: cython.double,
        z: cython.double,
        nx: cython.double,
        ny: cython.double,
        nz: cython.double,
    ) -> cython.void:
        """Put the player at a point, on a slope."""
        self.x = x
        self.y = y
        self.z = z
        self.nx = nx
        self.ny = ny
        self.nz = nz

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def follow(self, x: cython.double, y: cython.double) -> cython.bint:
        """Move to (x, y), straight in plan view, along the slopes on the way; false if something else is in the way."""
        k: cython.int
        rise: cython.double
        for k in range(MOST_SLOPES):
            rise = -(self.nx * (x - self.x) + self.ny * (y - self.y)) / self.nz
            if not self.sampler.trace(self.x, self.y, self.z, x, y, self.z + rise, self.presence):
                self.x = x
                self.y = y
                self.z += rise
                return True
            if self.sampler.start_solid or fabs(self.sampler.normal_z) < self.floor_up:
                return False
            self.put(
                self.sampler.x, self.sampler.y, self.sampler.z,
                self.sampler.normal_x, self.sampler.normal_y, self.sampler.normal_z,
            )  # fmt: skip
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def stride(self, x: cython.double, y: cython.double) -> cython.bint:
        """Move to (x, y), over a step if there is one; false if a wall is in the way."""
        x0: cython.double = self.x
        y0: cython.double = self.y
        z0: cython.double = self.z
        if self.follow(x, y):
            return True
        self.sampler.trace(x0, y0, z0, x0, y0, z0 + self.step, self.presence)
        self.put(x0, y0, self.sampler.z, 0.0, 0.0, 1.0)
        return self.follow(x, y)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def land(self, floor: cython.double) -> cython.int:
        """Come down onto the floor, which is at most a step below the height ``floor``. Return why the walk ends.

        A trace that ends in a plane does not hit it, so it goes on a little: a step may be exactly as high as players
        step. A player who is nearer to the floor than players stop comes down again from higher up: where planes cross at
        flat angles, the tree may have a crack in a floor, thinner than ON_PLANE, from which no stride would lead."""
        contents: cython.uint
        low: cython.double = floor - self.step - 2.0 * self.sampler.stop_before
        high: cython.double = self.z + 2.0 * self.sampler.stop_before
        blocked: cython.bint = self.sampler.trace(self.x, self.y, self.z, self.x, self.y, low, self.presence)
        if blocked and self.sampler.fraction == 0.0 and self.sampler.is_free(self.x, self.y, high, self.presence):
            blocked = self.sampler.trace(self.x, self.y, high, self.x, self.y, low, self.presence)
        if not blocked:
            contents = self.sampler.contents[self.sampler.end_area]
            if contents & DEADLY:
                return HAZARD
            return LIQUID if contents & WET else GAP
        if self.sampler.normal_z < self.floor_up:
            return STEEP
        self.put(self.x, self.y, self.sampler.z, self.sampler.normal_x, self.sampler.normal_y, self.sampler.normal_z)
        contents = self.sampler.contents[self.sampler.end_area]
        self.area = self.sampler.area_at(self.x, self.y, self.z - NEARER * self.sampler.stop_before)
        if contents & DEADLY:
            return HAZARD
        if contents & TAKES_AWAY:
            return TRIGGER
        return ARRIVES

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walk(self, x1: cython.double, y1: cython.double, left: cython.char[::1], row: cython.int) -> cython.int:
        """Walk on from a point above the floor to (x1, y1). Return why the walk ends; ``left`` of a row: whether it
        walks over the ground of another area."""
        x0: cython.double = self.x
        y0: cython.double = self.y
        x: cython.double
        y: cython.double
        z: cython.double
        nx: cython.double
        ny: cython.double
        nz: cython.double
        far: cython.double = sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2)
        at: cython.double = 0.0
        to: cython.double
        length: cython.double
        k: cython.int
        why: cython.int = self.land(self.z)
        first: cython.int = self.area
        while why == ARRIVES and at < far:
            x = self.x
            y = self.y
            z = self.z
            nx = self.nx
            ny = self.ny
            nz = self.nz
            for k in range(PARTS + HALVINGS):
                length = STRIDE
                if k > 0:
                    length = STRIDE * k / PARTS if k < PARTS else STRIDE / (PARTS << (k - PARTS + 1))
                    self.put(x, y, z, nx, ny, nz)
                to = min(at + length, far)
                why = WALL
                if self.stride(x0 + (x1 - x0) * (to / far), y0 + (y1 - y0) * (to / far)):
                    # The shortest strides follow the slope: what is beyond it counts from there.
                    why = self.land(min(z, self.z) if k == 1 or k >= PARTS else z)
                if why != WALL and why != GAP and why != STEEP:
                    break
            if why == WALL or why == GAP or why == STEEP:
                self.put(x, y, z, nx, ny, nz)
                return why
            if self.area != first and self.area >= 0:
                left[row] = 1
            at = to
        return why


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
    left: cython.char[::1],
):
    """Walk the rows first..last−1. ``reached`` is where each walk ends, ``why`` is its reason, ``left`` whether it left
    the area in which it starts."""
    walker: Walker = Walker(sampler, step, floor_up, presence)
    i: cython.int
    with cython.nogil:
        for i in range(first, last):
            walker.put(start[i, 0], start[i, 1], start[i, 2], 0.0, 0.0, 1.0)
            left[i] = 0
            if sampler.is_free(start[i, 0], start[i, 1], start[i, 2], presence) and (
                fabs(end[i, 0] - start[i, 0]) + fabs(end[i, 1] - start[i, 1]) < FARTHEST
            ):
                why[i] = walker.walk(end[i, 0], end[i, 1], left, i)
                if why[i] == ARRIVES and fabs(walker.z - end[i, 2]) > step:
                    why[i] = OTHER_LEVEL
            else:
                why[i] = NO_ROOM
            reached[i, 0] = walker.x
            reached[i, 1] = walker.y
            reached[i, 2] = walker.z
