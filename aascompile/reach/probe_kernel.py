# mypy: ignore-errors
"""The prober: jumps across gaps and out of the water, and everything off rims (thesis §6.4).

Jumps and runs across a gap lead from a point of one rim to the nearest point of another (nearest_kernel). Probes off
rims are in rims_kernel.
"""

import cython
from cython.cimports.aascompile.player.follow_kernel import Attempt
from cython.cimports.aascompile.reach.rims_kernel import CROUCHED, LEDGE, LIFT, NO_START, TOUCH, RimProber
from cython.cimports.libc.math import sqrt

# Travel types, numbered as in model.links.
LEAP = cython.declare(cython.int, 5)
FAST = cython.declare(cython.int, 17)
WATER = cython.declare(cython.int, 9)

# Why an attempt is not made; numbers as in player.reason.
NO_GAP = cython.declare(cython.int, 10)  # ground continues, or a wall stands, right behind the rim
TOUCHING = cython.declare(cython.int, 12)  # the grounds are nearer than TOUCH

ANYWHERE = cython.declare(cython.int, 2)  # for fast jumps: a gap is not needed
RUN = cython.declare(cython.double, 80.0)  # units of run-up that the engine's bots take before a jump at most,
PACE = cython.declare(cython.double, 10.0)  # measured in steps of this many units,
EARLY = cython.declare(cython.double, 24.0)  # and units before the rim at which they jump
SLICE = cython.declare(cython.double, 0.025)  # seconds in a frame
MOST_SLICES = cython.declare(cython.int, 1024)  # of a run-up


@cython.final
@cython.cclass
class Prober(RimProber):
    """Probes of one thread."""

    jump_velocity: cython.double
    friction: cython.double
    accelerate: cython.double

    def __init__(self, mover, traits, physics, rims, swim_depth):
        RimProber.__init__(self, mover, traits, physics, rims, swim_depth)
        self.jump_velocity = physics.jump_velocity
        self.friction = physics.friction
        self.accelerate = physics.walk_accelerate

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_gap(self, x: cython.double, y: cython.double, z: cython.double) -> cython.bint:
        """Whether a player at a point would fall more than a step."""
        if not self.is_open(x, y, z + LIFT):
            return False
        return not self.mover.sampler.trace(x, y, z + LIFT, x, y, z - self.step - 1.0, 0xFFFFFFFF)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run_up(
        self, area: cython.int, x: cython.double, y: cython.double, z: cython.double, dx: cython.double, dy: cython.double
    ) -> cython.double:  # fmt: skip
        """Units of straight run-up to a point within its area, measured as the engine's bots do."""
        far: cython.double = 0.0
        while far < RUN and self.mover.sampler.area_at(x - (far + PACE) * dx, y - (far + PACE) * dy, z + 1.0) == area:
            far += PACE
        return far

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def speed_after(self, far: cython.double) -> cython.double:
        """Speed, in units per second, after running ``far`` units from rest, or for MOST_SLICES: the settings of a game
        may be such that players never get there."""
        v: cython.double = 0.0
        gone: cython.double = 0.0
        slices: cython.int = 0
        while gone < far and v < self.speed and slices < MOST_SLICES:
            slices += 1
            v -= self.friction * SLICE * v
            v = min(self.speed, v + self.accelerate * SLICE * self.speed)
            gone += SLICE * v
        return v

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def leaps_early(self, tried: Attempt, dx: cython.double, dy: cython.double) -> cython.bint:
        """Whether a jump succeeds for the engine's bots, which run up within the area and jump well before its rim."""
        run: cython.double = self.run_up(tried.source, tried.sx, tried.sy, tried.sz, dx, dy)
        early: cython.double = min(EARLY, run)
        v: cython.double = self.speed_after(run - early)
        tried.sx -= early * dx
        tried.sy -= early * dy
        tried.vx = v * dx
        tried.vy = v * dy
        if self.mover.sampler.trace(
            tried.sx, tried.sy, tried.sz + self.step, tried.sx, tried.sy, tried.sz - self.step, 0xFFFFFFFF
        ):
            tried.sz = self.mover.sampler.z
        return self.replay(tried)

    def leaps(
        self,
        pair: cython.int[:, ::1],
        point: cython.double[:, ::1],
        area: cython.int[::1],
        first: cython.int,
        last: cython.int,
        fast: cython.int = 0,
    ):
        """Try to jump or run across the gaps between pairs of near points. ``area``: areas of the pairs' rows.

        ``fast``: only add the attempts to the table, because they take more than a run and are simulated elsewhere; 2:
        also where there is no gap.
        """
        i: cython.int
        tried: Attempt
        with cython.nogil:
            for i in range(first, last):
                tried = self.attempt(
                    FAST if fast else LEAP,
                    area[pair[i, 0]],
                    area[pair[i, 1]],
                    pair[i, 2],
                    point[i, 0],
                    point[i, 1],
                    point[i, 2],
                )
                tried.ex = point[i, 3]
                tried.ey = point[i, 4]
                tried.ez = point[i, 5]
                self.leap(tried, fast)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def leap(self, tried: Attempt, fast: cython.int) -> cython.void:
        """Try to jump or run across the gap between an attempt's start and end, which lie on rims."""
        dx: cython.double = tried.ex - tried.sx
        dy: cython.double = tried.ey - tried.sy
        d: cython.double = sqrt(dx * dx + dy * dy)
        if self.is_low(tried.source) or self.is_low(tried.target):
            self.note(tried, CROUCHED, tried.ex, tried.ey, tried.ez, 0.0)
            return
        if d < TOUCH:
            self.note(tried, TOUCHING, tried.ex, tried.ey, tried.ez, d)
            return
        dx /= d
        dy /= d
        ahead: cython.double = 8.0 if d > 16.0 else 0.5 * d
        if fast != ANYWHERE and not self.is_gap(tried.sx + ahead * dx, tried.sy + ahead * dy, tried.sz):
            self.note(tried, NO_GAP, tried.sx + ahead * dx, tried.sy + ahead * dy, tried.sz, d)
            return
        drop: cython.double = tried.sz - tried.ez
        tried.sx -= LIFT * dx
        tried.sy -= LIFT * dy
        if not self.put_start(tried.source, tried.sx, tried.sy, tried.sz):
            self.note(tried, NO_START, tried.sx, tried.sy, tried.sz + LIFT, 0.0)
            return
        tried.sz = self.start_z
        self.put_end(tried.target, tried.ex, tried.ey, tried.ez, dx, dy)
        tried.ex = self.end_x
        tried.ey = self.end_y
        if fast:
            self.put(tried)
            self.call_gap(d)
            return
        # Running is enough if the fall alone lasts as long as the run across.
        if drop > 0.0 and self.speed * sqrt(2.0 * drop / self.gravity) > d:
            tried.kind = LEDGE
            tried.vx = self.speed * dx
            tried.vy = self.speed * dy
            if self.fall(tried, dx, dy):
                return
            tried.kind = LEAP
        t: cython.double = (
            self.jump_velocity + sqrt(self.jump_velocity * self.jump_velocity + 2.0 * self.gravity * drop)
        ) / self.gravity
        v: cython.double = d / t * 1.15
        if v > self.speed:
            v = self.speed
        tried.vx = v * dx
        tried.vy = v * dy
        if self.keep(tried):
            self.call_gap(d)
            self.call_hard(not self.leaps_early(tried, dx, dy))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_deep(self, x: cython.double, y: cython.double, z: cython.double) -> cython.bint:
        """Whether a player at a point swims."""
        return self.mover.sampler.liquid_above(x, y, z, self.swim_depth) >= self.swim_depth

    def banks(self, first: cython.int, last: cython.int):
        """Try to get out of deep water onto the rims first..last−1, which are dry or too shallow to swim in."""
        i: cython.int
        k: cython.int
        with cython.nogil:
            for i in range(first, last):
                for k in range(3):
                    self.bank(i, 0.25 * k + 0.25)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def bank(self, rim: cython.int, share: cython.double) -> cython.void:
        """Try to get out of deep water at a share of the length of a rim."""
        area: cython.int = self.rim_area[rim]
        out_x: cython.double = self.rim_out[rim, 0]
        out_y: cython.double = self.rim_out[rim, 1]
        x: cython.double = self.rim_a[rim, 0] + share * (self.rim_b[rim, 0] - self.rim_a[rim, 0]) + out_x
        y: cython.double = self.rim_a[rim, 1] + share * (self.rim_b[rim, 1] - self.rim_a[rim, 1]) + out_y
        z: cython.double = self.rim_a[rim, 2] + share * (self.rim_b[rim, 2] - self.rim_a[rim, 2])
        if self.liquid[area] != 0 and self.is_deep(x - 2.0 * out_x, y - 2.0 * out_y, z + LIFT):
            return
        wet: cython.int = -1
        down: cython.double = 1.0
        while down < 64.0:
            wet = self.mover.sampler.area_at(x, y, z - down)
            if wet < 0 or self.liquid[wet] != 0:
                break
            down += 4.0
        if wet < 0 or self.liquid[wet] == 0 or wet == area:
            return
        top: cython.double = z - down + self.mover.sampler.liquid_above(x, y, z - down, 64.0)
        wet = self.mover.sampler.area_at(x, y, top - self.swim_depth)
        if wet < 0 or self.liquid[wet] == 0:
            return
        self.put_end(area, x - out_x, y - out_y, z, -out_x, -out_y)
        tried: Attempt = self.attempt(WATER, wet, area, rim, x, y, top - self.swim_depth)
        tried.ex = self.end_x
        tried.ey = self.end_y
        tried.ez = z
        if self.mover.sampler.area_at(self.end_x, self.end_y, z + 24.0) == area:
            tried.ez = z + 24.0
        self.keep(tried)


def kinds():
    """Travel types used here, by name: a test compares them with model.links."""
    return dict(JUMP=LEAP, WATER_JUMP=WATER, STRAFE_JUMP=FAST)


def reasons():
    """Reasons given here, by name: a test compares them with player.reason."""
    return dict(NO_GAP=NO_GAP, TOUCHING=TOUCHING)
