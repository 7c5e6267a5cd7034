# mypy: ignore-errors
"""Finding ways by trying them: a predicted player walks, drops or jumps off the rims of the ground (thesis §6.4).

Glossary
    rim     an edge of an area's ground behind which its ground does not go on.
    probe   a free run from a point of a rim outwards: where does one come to stand?
    replay  the same way as a bot would take it: from the link's start, with its velocity, steering to its end. Only
            what a replay confirms becomes a link, so a compiled file's links can be replayed at any time.

Each confirmed way is a row: source, target, kind, rim; start, end, velocity, fall.
"""

import cython
import numpy as np
from cython.cimports.aascompile.reach.move_kernel import Mover
from cython.cimports.libc.math import fabs, sqrt

# The mover's flags and events that are used here, and the kinds of model.links; tests hold them against the enums.
JUMP = cython.declare(cython.uint, 0x1)
CROUCH = cython.declare(cython.uint, 0x2)
LANDED = cython.declare(cython.uint, 0x1)
SWIM = cython.declare(cython.uint, 0x20)
DEADLY = cython.declare(cython.uint, 0x380)
STUCK = cython.declare(cython.uint, 0x40000)
START_SOLID = cython.declare(cython.uint, 0x200000)

WALK = cython.declare(cython.int, 2)
BARRIER = cython.declare(cython.int, 4)
LEAP = cython.declare(cython.int, 5)
LEDGE = cython.declare(cython.int, 7)
WATER = cython.declare(cython.int, 9)
PAD = cython.declare(cython.int, 18)

LIFT = cython.declare(cython.double, 0.125)  # units above the ground that a start is put
BACK = cython.declare(cython.double, 2.0)  # units behind a rim where a probe starts
SLICE = cython.declare(cython.double, 0.025)  # seconds after which one looks where it stands: each frame
FRAMES = cython.declare(cython.int, 120)  # frames on the ground, or flights, of a way at the most
STILL = cython.declare(cython.int, 8)  # frames without progress after which a way is blocked
CREEP = cython.declare(cython.double, 0.25)  # units in a frame that are no progress
AHEAD = cython.declare(cython.double, 0.5)  # units ahead where there must be ground too
LONG = cython.declare(cython.double, 10.0)  # seconds: the longest fall that is followed
PAST = cython.declare(cython.double, 5.0)  # units that a leap's end lies inside its goal


@cython.final
@cython.cclass
class Prober:
    """One thread's worker."""

    mover: Mover
    standing: cython.uint
    presence: cython.uint[::1]
    liquid: cython.char[::1]
    speed: cython.double
    crouch_speed: cython.double
    step: cython.double
    barrier: cython.double
    lift: cython.double
    gravity: cython.double
    swim_depth: cython.double

    ground: cython.uchar[::1]
    ahead_x: cython.double
    ahead_y: cython.double

    number: cython.int[:, ::1]
    place: cython.double[:, ::1]
    rows = cython.declare(cython.int, visibility="readonly")

    def __init__(self, mover, presence, liquid, grounded, physics, standing, swim_depth):
        self.mover = mover
        self.ground = np.array(grounded, np.uint8)
        self.presence = presence
        self.liquid = liquid
        self.standing = standing
        self.speed = physics.walk_speed
        self.crouch_speed = physics.crouch_speed
        self.step = physics.max_step
        self.barrier = physics.max_barrier
        self.lift = physics.jump_velocity
        self.gravity = physics.gravity
        self.swim_depth = swim_depth
        self.number = np.empty((256, 4), np.intc)
        self.place = np.empty((256, 10))
        self.rows = 0

    def _grow(self):
        rows = 2 * self.number.shape[0]
        number = np.empty((rows, 4), np.intc)
        number[: self.rows] = np.asarray(self.number)[: self.rows]
        place = np.empty((rows, 10))
        place[: self.rows] = np.asarray(self.place)[: self.rows]
        self.number = number
        self.place = place

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_low(self, area: cython.int) -> cython.bint:
        """Whether one has to crouch in an area."""
        return (self.presence[area] & self.standing) == 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def replay(
        self, kind: cython.int, source: cython.int, target: cython.int,
        sx: cython.double, sy: cython.double, sz: cython.double,
        vx: cython.double, vy: cython.double, vz: cython.double,
        ex: cython.double, ey: cython.double, ez: cython.double,
    ) -> cython.bint:  # fmt: skip
        """Whether a bot that takes this way comes to stand or swim in the target, unharmed."""
        low: cython.bint = self.is_low(source) or self.is_low(target)
        dx: cython.double = ex - sx
        dy: cython.double = ey - sy
        far: cython.double = sqrt(dx * dx + dy * dy)
        self.mover.reset()
        if kind == BARRIER or kind == LEAP:
            self.mover.flags |= JUMP
        if low:
            self.mover.flags |= CROUCH
        self.mover.steer(ex, ey, ez, self.crouch_speed if low else self.speed)
        self.ahead_x = dx / far if far > 0.0 else 0.0
        self.ahead_y = dy / far if far > 0.0 else 0.0
        return self.follow(source, target, sx, sy, sz, vx, vy, vz)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def follow(
        self, source: cython.int, goal: cython.int, x: cython.double, y: cython.double, z: cython.double,
        vx: cython.double, vy: cython.double, vz: cython.double,
    ) -> cython.bint:  # fmt: skip
        """Move as the mover was told until it stands or swims in the goal, or, without one, anywhere but in the source.

        Answers whether it came to that, unharmed. It looks after every frame on the ground, and after every flight.
        """
        n: cython.int = 0
        still: cython.int = 0
        was_x: cython.double = x
        was_y: cython.double = y
        self.mover.stop = LANDED | SWIM | DEADLY | STUCK
        self.mover.max_time = SLICE
        self.mover.run(x, y, z, vx, vy, vz)
        while True:
            if self.mover.seen & (DEADLY | STUCK | START_SOLID):
                return False
            if (self.mover.area == goal or goal < 0) and self.mover.area != source and self.is_there():
                return True
            n += 1
            if n > FRAMES:
                return False
            if self.mover.on_ground and fabs(self.mover.x - was_x) + fabs(self.mover.y - was_y) < CREEP:
                still += 1
                if still > STILL:
                    return False
            else:
                still = 0
            was_x = self.mover.x
            was_y = self.mover.y
            self.mover.max_time = SLICE if self.mover.on_ground or self.mover.water_level > 1 else LONG
            self.mover.flags &= ~JUMP
            self.mover.run(self.mover.x, self.mover.y, self.mover.z, self.mover.vx, self.mover.vy, self.mover.vz)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_there(self) -> cython.bint:
        """Whether the mover stands or swims in the area it is in: on ground that goes on ahead, not just on a rim."""
        area: cython.int = self.mover.area
        if area < 0:
            return False
        if self.mover.water_level > 1:
            return self.liquid[area] != 0
        if not self.mover.on_ground or self.ground[area] == 0:
            return False
        x: cython.double = self.mover.x + AHEAD * self.ahead_x
        y: cython.double = self.mover.y + AHEAD * self.ahead_y
        if self.mover.sampler.area_at(x, y, self.mover.z + AHEAD) != area:
            return True  # a wall or another area is next: the ground is what it stands on
        return self.mover.sampler.trace(x, y, self.mover.z + AHEAD, x, y, self.mover.z - 1.0, 0xFFFFFFFF)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def keep(
        self, kind: cython.int, source: cython.int, target: cython.int, rim: cython.int,
        sx: cython.double, sy: cython.double, sz: cython.double,
        vx: cython.double, vy: cython.double,
        ex: cython.double, ey: cython.double, ez: cython.double,
    ) -> cython.bint:  # fmt: skip
        """Write a way that a replay confirms; answers whether it does."""
        if not self.replay(kind, source, target, sx, sy, sz, vx, vy, 0.0, ex, ey, ez):
            return False
        r: cython.int = self.rows
        if r >= self.number.shape[0]:
            with cython.gil:
                self._grow()
        self.rows = r + 1
        self.number[r, 0] = source
        self.number[r, 1] = target
        self.number[r, 2] = kind
        self.number[r, 3] = rim
        self.place[r, 0] = sx
        self.place[r, 1] = sy
        self.place[r, 2] = sz
        self.place[r, 3] = ex
        self.place[r, 4] = ey
        self.place[r, 5] = ez
        self.place[r, 6] = vx
        self.place[r, 7] = vy
        self.place[r, 8] = 0.0
        self.place[r, 9] = self.mover.fall
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def has(self, first: cython.int, kind: cython.int, target: cython.int) -> cython.bint:
        """Whether a way of this kind to this target is among the rows since ``first``."""
        i: cython.int
        for i in range(first, self.rows):
            if self.number[i, 2] == kind and self.number[i, 1] == target:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def probe(
        self, area: cython.int, rim: cython.int, first: cython.int, x: cython.double, y: cython.double, z: cython.double,
        dx: cython.double, dy: cython.double, run: cython.double, jump: cython.bint,
    ) -> cython.void:  # fmt: skip
        """Run off a rim in a direction, at first with a speed of ``run``, jumping or not, and keep what comes of it."""
        sx: cython.double = x - BACK * dx
        sy: cython.double = y - BACK * dy
        sz: cython.double = z + LIFT
        if self.mover.sampler.area_at(sx, sy, sz) != area:
            sx = x - LIFT * dx
            sy = y - LIFT * dy
            if self.mover.sampler.area_at(sx, sy, sz) != area:
                return
        low: cython.bint = self.is_low(area)
        self.mover.reset()
        self.mover.wish(dx, dy, 0.0, self.crouch_speed if low else self.speed)
        if jump:
            self.mover.flags |= JUMP
        if low:
            self.mover.flags |= CROUCH
        self.ahead_x = dx
        self.ahead_y = dy
        if not self.follow(area, -1, sx, sy, sz, run * dx, run * dy, 0.0):
            return
        target: cython.int = self.mover.area
        rise: cython.double = self.mover.z - z
        kind: cython.int = WALK
        if jump:
            if rise < self.step - LIFT or rise > self.barrier:
                return
            kind = BARRIER
        elif rise <= -self.step or (self.liquid[target] != 0 and not self.mover.on_ground):
            kind = LEDGE
        elif run > 0.0 and sqrt((self.mover.x - x) ** 2 + (self.mover.y - y) ** 2) > 32.0:
            kind = LEDGE
        if self.has(first, kind, target):
            return
        ex: cython.double = self.mover.x
        ey: cython.double = self.mover.y
        ez: cython.double = self.mover.z
        # A bot stops pushing once it is at the end, so the end of a step or climb lies well past the edge.
        if kind != LEDGE and self.mover.sampler.area_at(ex + PAST * dx, ey + PAST * dy, ez) == target:
            ex += PAST * dx
            ey += PAST * dy
        self.keep(kind, area, target, rim, sx, sy, sz, run * dx, run * dy, ex, ey, ez)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_open(self, x: cython.double, y: cython.double, z: cython.double) -> cython.bint:
        """Whether anybody fits at a point."""
        return self.mover.sampler.area_at(x, y, z) >= 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def step_down(
        self, area: cython.int, rim: cython.int, first: cython.int, x: cython.double, y: cython.double, z: cython.double,
        dx: cython.double, dy: cython.double,
    ) -> cython.bint:  # fmt: skip
        """Walk down a step: ground less than a step below, right behind the rim. Answers whether there is such a way.

        A free run would fly over the next steps of a stair; it is still of use where the next one is too narrow.
        """
        fx: cython.double = x + BACK * dx
        fy: cython.double = y + BACK * dy
        if not self.mover.sampler.trace(fx, fy, z + LIFT, fx, fy, z - self.step, 0xFFFFFFFF):
            return False
        target: cython.int = self.mover.sampler.end_area
        if target < 0 or target == area or not self.ground[target] or self.mover.sampler.normal_z < self.mover.floor_up:
            return False
        ez: cython.double = self.mover.sampler.z
        if self.has(first, WALK, target):
            return True
        return self.keep(WALK, area, target, rim, x - LIFT * dx, y - LIFT * dy, z + LIFT, 0.0, 0.0, fx, fy, ez)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def from_rim(
        self, area: cython.int, rim: cython.int, first: cython.int, x: cython.double, y: cython.double, z: cython.double,
        dx: cython.double, dy: cython.double,
    ) -> cython.void:  # fmt: skip
        """All that one point of a rim can offer in one direction."""
        fx: cython.double = x + BACK * dx
        fy: cython.double = y + BACK * dy
        before: cython.int = self.rows
        if self.is_open(fx, fy, z + LIFT):
            if self.step_down(area, rim, first, x, y, z, dx, dy):
                return
            self.probe(area, rim, first, x, y, z, dx, dy, 0.0, False)
            if self.rows > before and self.number[before, 2] == LEDGE and not self.is_low(area):
                self.probe(area, rim, first, x, y, z, dx, dy, self.speed, False)
            return
        if self.is_open(fx, fy, z + self.step - LIFT):
            self.probe(area, rim, first, x, y, z, dx, dy, 0.0, False)
        if (
            self.rows == before
            and not self.is_low(area)
            and (self.is_open(fx, fy, z + self.barrier - LIFT) or self.is_open(fx, fy, z + 0.6 * self.barrier))
        ):
            self.probe(area, rim, first, x, y, z, dx, dy, 0.0, True)

    def rims(
        self,
        area: cython.int[::1],
        a: cython.double[:, ::1],
        b: cython.double[:, ::1],
        out: cython.double[:, ::1],
        first: cython.int,
        last: cython.int,
        spacing: cython.double,
    ):
        """Probe the rims first..last−1 (sorted by area) every ``spacing`` units and near their ends, there also askew."""
        i: cython.int
        k: cython.int
        n: cython.int
        length: cython.double
        t: cython.double
        x: cython.double
        y: cython.double
        z: cython.double
        c: cython.double = sqrt(0.5)
        of_area: cython.int = 0
        with cython.nogil:
            for i in range(first, last):
                if i == first or area[i] != area[i - 1]:
                    of_area = self.rows
                length = sqrt((b[i, 0] - a[i, 0]) ** 2 + (b[i, 1] - a[i, 1]) ** 2)
                if length <= 0.0:
                    continue
                n = cython.cast(cython.int, length / spacing) + 1
                for k in range(n + 2):
                    if k == n or k == n + 1:
                        if length < 8.0:
                            break
                        t = 1.0 / length if k == n else 1.0 - 1.0 / length
                    else:
                        t = (k + 0.5) / n
                    x = a[i, 0] + t * (b[i, 0] - a[i, 0])
                    y = a[i, 1] + t * (b[i, 1] - a[i, 1])
                    z = a[i, 2] + t * (b[i, 2] - a[i, 2])
                    self.from_rim(area[i], i, of_area, x, y, z, out[i, 0], out[i, 1])
                    if k == n:
                        self.from_rim(
                            area[i], i, of_area, x, y, z, c * (out[i, 0] + out[i, 1]), c * (out[i, 1] - out[i, 0])
                        )
                    elif k == n + 1:
                        self.from_rim(
                            area[i], i, of_area, x, y, z, c * (out[i, 0] - out[i, 1]), c * (out[i, 1] + out[i, 0])
                        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_gap(self, x: cython.double, y: cython.double, z: cython.double) -> cython.bint:
        """Whether one would fall more than a step at a point."""
        if not self.is_open(x, y, z + LIFT):
            return False
        return not self.mover.sampler.trace(x, y, z + LIFT, x, y, z - self.step - 1.0, 0xFFFFFFFF)

    def leaps(
        self,
        pair: cython.int[:, ::1],
        point: cython.double[:, ::1],
        area: cython.int[::1],
        first: cython.int,
        last: cython.int,
    ):
        """Try to jump, or to run, across the gaps between pairs of near points; ``area``: of the pairs' rows."""
        i: cython.int
        d: cython.double
        dx: cython.double
        dy: cython.double
        t: cython.double
        v: cython.double
        drop: cython.double
        sx: cython.double
        sy: cython.double
        sz: cython.double
        one: cython.int
        other: cython.int
        with cython.nogil:
            for i in range(first, last):
                one = area[pair[i, 0]]
                other = area[pair[i, 1]]
                dx = point[i, 3] - point[i, 0]
                dy = point[i, 4] - point[i, 1]
                d = sqrt(dx * dx + dy * dy)
                if d < 1.0:
                    continue
                dx /= d
                dy /= d
                if not self.is_gap(
                    point[i, 0] + (8.0 if d > 16.0 else 0.5 * d) * dx,
                    point[i, 1] + (8.0 if d > 16.0 else 0.5 * d) * dy,
                    point[i, 2],
                ):
                    continue
                drop = point[i, 2] - point[i, 5]
                sx = point[i, 0] - LIFT * dx
                sy = point[i, 1] - LIFT * dy
                sz = point[i, 2] + LIFT
                if self.mover.sampler.area_at(sx, sy, sz) != one:
                    continue
                # Running is enough when the fall alone lasts as long as the way takes.
                if drop > 0.0 and self.speed * sqrt(2.0 * drop / self.gravity) > d and self.keep(
                    LEDGE, one, other, pair[i, 2], sx, sy, sz, self.speed * dx, self.speed * dy,
                    point[i, 3] + PAST * dx, point[i, 4] + PAST * dy, point[i, 5],
                ):  # fmt: skip
                    continue
                t = (self.lift + sqrt(self.lift * self.lift + 2.0 * self.gravity * drop)) / self.gravity
                v = d / t * 1.15
                if v > self.speed:
                    v = self.speed
                self.keep(
                    LEAP, one, other, pair[i, 2], sx, sy, sz, v * dx, v * dy,
                    point[i, 3] + PAST * dx, point[i, 4] + PAST * dy, point[i, 5],
                )  # fmt: skip

    def banks(
        self,
        area: cython.int[::1],
        a: cython.double[:, ::1],
        b: cython.double[:, ::1],
        out: cython.double[:, ::1],
        first: cython.int,
        last: cython.int,
    ):
        """Try to get out of the water onto the rims first..last−1."""
        i: cython.int
        k: cython.int
        wet: cython.int
        x: cython.double
        y: cython.double
        z: cython.double
        top: cython.double
        down: cython.double
        with cython.nogil:
            for i in range(first, last):
                if self.liquid[area[i]] != 0:
                    continue
                for k in range(3):
                    x = a[i, 0] + (0.25 * k + 0.25) * (b[i, 0] - a[i, 0]) + 1.0 * out[i, 0]
                    y = a[i, 1] + (0.25 * k + 0.25) * (b[i, 1] - a[i, 1]) + 1.0 * out[i, 1]
                    z = a[i, 2] + (0.25 * k + 0.25) * (b[i, 2] - a[i, 2])
                    wet = -1
                    down = 1.0
                    while down < 64.0:
                        wet = self.mover.sampler.area_at(x, y, z - down)
                        if wet < 0 or self.liquid[wet] != 0:
                            break
                        down += 4.0
                    if wet < 0 or self.liquid[wet] == 0 or wet == area[i]:
                        continue
                    top = z - down + self.mover.sampler.liquid_above(x, y, z - down, 64.0)
                    if self.mover.sampler.area_at(x, y, top - self.swim_depth) < 0:
                        continue
                    wet = self.mover.sampler.area_at(x, y, top - self.swim_depth)
                    if self.liquid[wet] == 0:
                        continue
                    self.keep(
                        WATER, wet, area[i], i, x, y, top - self.swim_depth, 0.0, 0.0,
                        x - 8.0 * out[i, 0], y - 8.0 * out[i, 1], z + 24.0,
                    )  # fmt: skip

    def replays(
        self,
        number: cython.int[:, ::1],
        place: cython.double[:, ::1],
        first: cython.int,
        last: cython.int,
        out: cython.char[::1],
    ):
        """Replay the ways first..last−1: rows of source, target, kind; of start, end, velocity."""
        i: cython.int
        with cython.nogil:
            for i in range(first, last):
                out[i] = self.replay(
                    number[i, 2], number[i, 0], number[i, 1], place[i, 0], place[i, 1], place[i, 2],
                    place[i, 6], place[i, 7], place[i, 8], place[i, 3], place[i, 4], place[i, 5],
                )  # fmt: skip

    def result(self):
        """(n, 4) source, target, kind, rim; (n, 10) start, end, velocity, fall."""
        return np.asarray(self.number)[: self.rows].copy(), np.asarray(self.place)[: self.rows].copy()
