# mypy: ignore-errors
"""Finding ways by trying them: a predicted player walks, drops or jumps off the rims of the ground (thesis §6.4).

Glossary
    rim     an edge of an area's ground behind which its ground does not go on.
    probe   a free run from a point of a rim outwards: where does one come to stand?
    replay  the same way as a bot would take it: from the link's start, with its velocity, steering to its end. Only
            what a replay confirms becomes a link, so a compiled file's links can be replayed at any time.
    note    what was tried and why it failed, written only if ``noting`` is set: for explaining what is not linked.

Each confirmed way is a row: source, target, kind, rim, whether it is hard for a bot; start, end, velocity, fall.
"""

import cython
import numpy as np
from cython.cimports.aascompile.player.follow_kernel import ARRIVES, CLOSE, LATE, Follower
from cython.cimports.aascompile.player.move_kernel import CROUCH, JUMP
from cython.cimports.libc.math import sqrt

from aascompile.columns import grown

# The kinds of model.links.
WALK = cython.declare(cython.int, 2)
BARRIER = cython.declare(cython.int, 4)
LEAP = cython.declare(cython.int, 5)
LEDGE = cython.declare(cython.int, 7)
WATER = cython.declare(cython.int, 9)

# Why nothing is tried, or what is tried is no way; reach.why has the same numbers.
NO_START = cython.declare(cython.int, 5)  # the place before the rim is not in the area
TOO_HIGH = cython.declare(cython.int, 6)  # by so many units
TOO_LOW = cython.declare(cython.int, 7)  # for a barrier: it is no higher than a step
CROUCHED = cython.declare(cython.int, 8)  # who must crouch cannot jump
NO_GROUND = cython.declare(cython.int, 9)  # there is none, or it is too steep
NO_GAP = cython.declare(cython.int, 10)  # ground goes on, or a wall is in the way, right before the rim
WALL = cython.declare(cython.int, 11)  # it has no top
TOUCHING = cython.declare(cython.int, 12)  # the grounds are nearer than TOUCH
TOO_DEEP = cython.declare(cython.int, 14)  # by so many units
APART = cython.declare(cython.int, 20)  # the grounds do not touch
NOT_LOWER = cython.declare(cython.int, 24)  # for a fall: the target is not lower by more than a step

LIFT = cython.declare(cython.double, 0.125)  # units above the ground that a start is put
BACK = cython.declare(cython.double, 2.5)  # units behind a rim where a probe starts: no whole number of first frames
TOUCH = cython.declare(cython.double, 1.0)  # units between two grounds, seen from above, below which they touch
NARROW = cython.declare(cython.double, 8.0)  # units below which a rim is probed in its middle alone
PAST = cython.declare(cython.double, 5.0)  # units that a way's end lies inside its goal, if that is wide enough
RUN = cython.declare(cython.double, 80.0)  # units that the engine's bots run up to a jump at the most,
PACE = cython.declare(cython.double, 10.0)  # measured in such paces,
EARLY = cython.declare(cython.double, 24.0)  # and units before the rim where they jump
SLICE = cython.declare(cython.double, 0.025)  # seconds of a frame
GROOVE = cython.declare(cython.double, 1.0)  # units: what is deeper may be run over
LONGEST = cython.declare(cython.double, 128.0)  # units: a longer walk goes along the border of two areas, not into one
SLOWER = cython.declare(cython.double, 0.5)  # share of full speed with which a run across a gap must succeed too
DROP = cython.declare(cython.double, 15.0)  # units past a rim where one who steps off slowly comes down (see CLOSE)
DEEPEST = cython.declare(cython.double, 4096.0)  # units down to which ground is looked for
HIGHEST = cython.declare(cython.double, 1024.0)  # units up to which the top of a wall is looked for


@cython.final
@cython.cclass
class Prober(Follower):
    """One thread's worker."""

    step: cython.double
    barrier: cython.double
    lift: cython.double
    gravity: cython.double
    friction: cython.double
    accelerate: cython.double
    swim_depth: cython.double

    number: cython.int[:, ::1]
    place: cython.double[:, ::1]
    rows = cython.declare(cython.int, visibility="readonly")

    noting = cython.declare(cython.bint, visibility="public")
    note_number: cython.int[:, ::1]
    note_place: cython.double[:, ::1]
    notes: cython.int

    end_x: cython.double
    end_y: cython.double

    lack: cython.double

    def __init__(self, mover, presence, liquid, grounded, trigger, physics, standing, swim_depth):
        Follower.__init__(self, mover, presence, liquid, grounded, trigger, physics, standing)
        self.step = physics.max_step
        self.barrier = physics.max_barrier
        self.lift = physics.jump_velocity
        self.gravity = physics.gravity
        self.friction = physics.friction
        self.accelerate = physics.walk_accelerate
        self.swim_depth = swim_depth
        self.number = np.empty((256, 5), np.intc)
        self.place = np.empty((256, 10))
        self.rows = 0
        self.noting = False
        self.note_number = np.empty((16, 5), np.intc)
        self.note_place = np.zeros((16, 12))
        self.notes = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def note(
        self, kind: cython.int, source: cython.int, target: cython.int, rim: cython.int, why: cython.int,
        sx: cython.double, sy: cython.double, sz: cython.double,
        x: cython.double, y: cython.double, z: cython.double, measure: cython.double,
    ) -> cython.void:  # fmt: skip
        """Write down what was tried, where it failed and by how many units, if that is wanted."""
        if not self.noting:
            return
        r: cython.int = self.notes
        if r >= self.note_number.shape[0]:
            with cython.gil:
                self.note_number, self.note_place = grown(r + 1, self.note_number, self.note_place)
        self.notes = r + 1
        self.note_number[r, 0] = kind
        self.note_number[r, 1] = source
        self.note_number[r, 2] = target
        self.note_number[r, 3] = rim
        self.note_number[r, 4] = why
        self.note_place[r, 0] = sx
        self.note_place[r, 1] = sy
        self.note_place[r, 2] = sz
        self.note_place[r, 3] = x
        self.note_place[r, 4] = y
        self.note_place[r, 5] = z
        self.note_place[r, 6] = measure

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def note_replay(
        self, kind: cython.int, source: cython.int, target: cython.int, rim: cython.int,
        sx: cython.double, sy: cython.double, sz: cython.double,
        vx: cython.double, vy: cython.double,
        ex: cython.double, ey: cython.double, ez: cython.double,
    ) -> cython.void:  # fmt: skip
        """Write down a replay that failed, with the way that was meant, if that is wanted."""
        if not self.noting:
            return
        self.note(kind, source, target, rim, self.why, sx, sy, sz, self.mover.x, self.mover.y, self.mover.z, 0.0)
        r: cython.int = self.notes - 1
        self.note_place[r, 7] = vx
        self.note_place[r, 8] = vy
        self.note_place[r, 9] = ex
        self.note_place[r, 10] = ey
        self.note_place[r, 11] = ez

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
            self.note_replay(kind, source, target, rim, sx, sy, sz, vx, vy, ex, ey, ez)
            return False
        self.note(kind, source, target, rim, ARRIVES, sx, sy, sz, ex, ey, ez, 0.0)
        r: cython.int = self.rows
        if r >= self.number.shape[0]:
            with cython.gil:
                self.number, self.place = grown(r + 1, self.number, self.place)
        self.rows = r + 1
        self.number[r, 0] = source
        self.number[r, 1] = target
        self.number[r, 2] = kind
        self.number[r, 3] = rim
        self.number[r, 4] = 0
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
    def has(self, first: cython.int, kind: cython.int, target: cython.int, hard: cython.bint) -> cython.bint:
        """Whether a way of this kind to this target, a hard one too or not, is among the rows since ``first``."""
        i: cython.int
        for i in range(first, self.rows):
            if self.number[i, 2] == kind and self.number[i, 1] == target and (hard or not self.number[i, 4]):
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def probe(
        self, area: cython.int, rim: cython.int, first: cython.int, x: cython.double, y: cython.double, z: cython.double,
        dx: cython.double, dy: cython.double, run: cython.double, jump: cython.bint,
    ) -> cython.bint:  # fmt: skip
        """Run off a rim in a direction, at first with a speed of ``run``, jumping or not, and keep what comes of it.

        Answers whether there is a way, a new one or one that is known.
        """
        sx: cython.double = x - BACK * dx
        sy: cython.double = y - BACK * dy
        sz: cython.double = z + LIFT
        if self.mover.sampler.area_at(sx, sy, sz) != area:
            sx = x - LIFT * dx
            sy = y - LIFT * dy
            if self.mover.sampler.area_at(sx, sy, sz) != area:
                self.note(BARRIER if jump else WALK, area, -1, rim, NO_START, sx, sy, sz, sx, sy, sz, 0.0)
                return False
        # At the top of a slope the ground behind the rim is lower, and nobody jumps in the air.
        if self.mover.sampler.trace(sx, sy, sz, sx, sy, sz - self.step, 0xFFFFFFFF):
            sz = self.mover.sampler.z
        low: cython.bint = self.is_low(area) or (run == 0.0 and not jump and self.is_low_ahead(x, y, z, dx, dy))
        self.mover.reset()
        self.mover.wish(dx, dy, 0.0, self.crouch_speed if low else self.speed)
        if jump:
            self.mover.flags |= JUMP
        if low:
            self.mover.flags |= CROUCH
        self.ahead_x = dx
        self.ahead_y = dy
        if not self.follow(area, -1, sx, sy, sz, run * dx, run * dy, 0.0):
            self.note(
                BARRIER if jump else LEDGE if self.mover.z < z - self.step else WALK, area, self.mover.area, rim,
                self.why, sx, sy, sz, self.mover.x, self.mover.y, self.mover.z, 0.0,
            )  # fmt: skip
            return False
        target: cython.int = self.mover.area
        rise: cython.double = self.mover.z - z
        kind: cython.int = WALK
        why: cython.int
        if jump:
            why = self.misfit(BARRIER, rise)
            if why != ARRIVES:
                self.note(
                    BARRIER, area, target, rim, why, sx, sy, sz, self.mover.x, self.mover.y, self.mover.z, self.lack
                )  # fmt: skip
                return False
            kind = BARRIER
        elif (
            run > 0.0 or self.misfit(LEDGE, rise) == ARRIVES or (self.liquid[target] != 0 and not self.mover.on_ground)
        ):
            kind = LEDGE
        if self.has(first, kind, target, False):
            return True
        ex: cython.double = self.mover.x
        ey: cython.double = self.mover.y
        ez: cython.double = self.mover.z
        if run > 0.0 and rise > -self.step and not self.replay(
            kind, area, target, sx, sy, sz, SLOWER * run * dx, SLOWER * run * dy, 0.0, ex, ey, ez
        ):  # fmt: skip
            self.note_replay(kind, area, target, rim, sx, sy, sz, SLOWER * run * dx, SLOWER * run * dy, ex, ey, ez)
            return False
        far: cython.double = sqrt((ex - x) ** 2 + (ey - y) ** 2)
        if kind == WALK and far > LONGEST:
            self.note(WALK, area, target, rim, LATE, sx, sy, sz, ex, ey, ez, far)
            return False
        if kind == LEDGE:
            return self.fall(area, target, rim, sx, sy, sz, run, dx, dy, ex, ey, ez)
        if not self.is_inside(target, ex - PAST * dx, ey - PAST * dy, ez):
            self.put_end(target, ex, ey, ez, dx, dy)
            ex = self.end_x
            ey = self.end_y
        # Whoever walks to a place before a step may go round it for ever; on the rim itself one is already pushing on.
        if kind == WALK and self.keep(kind, area, target, rim, x, y, z + LIFT, 0.0, 0.0, ex, ey, ez):
            return True
        return self.keep(kind, area, target, rim, sx, sy, sz, run * dx, run * dy, ex, ey, ez)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def misfit(self, kind: cython.int, rise: cython.double) -> cython.int:
        """Why a player who comes to stand this much above a rim has not made a link of a kind, ARRIVES if it may be one;
        by how many units in ``lack``. A standing player is LIFT above the ground."""
        self.lack = 0.0
        if kind == LEDGE:
            if rise > -self.step:
                self.lack = max(rise - LIFT, 0.0)
                return NOT_LOWER
            return ARRIVES
        if kind == BARRIER and rise < self.step - LIFT:
            self.lack = self.step + LIFT - rise
            return TOO_LOW
        if kind == WALK and rise <= -self.step:
            self.lack = max(-self.step + LIFT - rise, 0.0)
            return TOO_DEEP
        if rise > (self.barrier if kind == BARRIER else self.step):
            self.lack = max(rise - LIFT - (self.barrier if kind == BARRIER else self.step), 0.0)
            return TOO_HIGH
        return ARRIVES

    def look(self, kind: cython.int, apart: cython.double, rise: cython.double):
        """Why no link of a kind, WALK, BARRIER or LEDGE, leads between two grounds that are so far apart and of which the
        second is so much higher (0: there may be one), and by how many units: for explaining."""
        if kind != LEDGE and apart >= TOUCH:
            return APART, apart
        return self.misfit(kind, rise + LIFT), self.lack

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fall(
        self, area: cython.int, target: cython.int, rim: cython.int,
        sx: cython.double, sy: cython.double, sz: cython.double, run: cython.double,
        dx: cython.double, dy: cython.double, ex: cython.double, ey: cython.double, ez: cython.double,
    ) -> cython.bint:  # fmt: skip
        """Keep a way off a ledge. If its end is so near that bots would creep to the rim, to fall just there, it is moved
        to right before the rim, if that will do: there they step off briskly. If not, and they would crawl, it is hard."""
        far: cython.double = sqrt((ex - sx) ** 2 + (ey - sy) ** 2)
        x: cython.double = sx + DROP * dx
        y: cython.double = sy + DROP * dy
        crawls: cython.bint = (
            far >= CLOSE and sz > ez and far < self.crouch_speed * sqrt(2.0 * (sz - ez) / self.gravity)
        )
        if crawls:
            if (
                self.is_open(x, y, sz)
                and self.mover.sampler.trace(x, y, sz, x, y, sz - DEEPEST, 0xFFFFFFFF)
                and self.mover.sampler.end_area == target
                and self.keep(LEDGE, area, target, rim, sx, sy, sz, 0.0, 0.0, x, y, self.mover.sampler.z)
            ):
                return True
        if not self.keep(LEDGE, area, target, rim, sx, sy, sz, run * dx, run * dy, ex, ey, ez):
            return False
        self.number[self.rows - 1, 4] = crawls and 2.0 * far < self.crouch_speed * sqrt(2.0 * (sz - ez) / self.gravity)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_low_ahead(
        self, x: cython.double, y: cython.double, z: cython.double, dx: cython.double, dy: cython.double
    ) -> cython.bint:  # fmt: skip
        """Whether one has to crouch to get past a rim, up to a step higher."""
        ahead: cython.int = self.mover.sampler.area_at(x + BACK * dx, y + BACK * dy, z + LIFT)
        if ahead < 0:
            ahead = self.mover.sampler.area_at(x + BACK * dx, y + BACK * dy, z + self.step - LIFT)
        return ahead >= 0 and self.is_low(ahead)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_inside(
        self, area: cython.int, x: cython.double, y: cython.double, z: cython.double
    ) -> cython.bint:  # fmt: skip
        """Whether a point lies on an area's ground."""
        if self.mover.sampler.area_at(x, y, z + LIFT) != area:
            return False
        return self.mover.sampler.trace(x, y, z + LIFT, x, y, z - 1.0, 0xFFFFFFFF)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put_end(
        self, target: cython.int, x: cython.double, y: cython.double, z: cython.double,
        dx: cython.double, dy: cython.double,
    ) -> cython.void:  # fmt: skip
        """Put a way's end past a point of its goal's rim, as far as the goal goes.

        A bot stops pushing once it is at the end, so the end of a step, climb or jump lies well past the edge.
        """
        past: cython.double = PAST
        while past > LIFT and self.mover.sampler.area_at(x + past * dx, y + past * dy, z + LIFT) != target:
            past *= 0.5
        if past <= LIFT:
            past = 0.0
        self.end_x = x + past * dx
        self.end_y = y + past * dy

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
        ez: cython.double = self.mover.sampler.z
        if target < 0 or target == area or not self.ground[target] or self.mover.sampler.normal_z < self.mover.floor_up:
            if target != area:
                self.note(WALK, area, target, rim, NO_GROUND, x, y, z, fx, fy, ez, 0.0)
            return False
        if self.has(first, WALK, target, False):
            return True
        if not self.keep(WALK, area, target, rim, x, y, z + LIFT, 0.0, 0.0, fx, fy, ez):
            return False
        self.number[self.rows - 1, 4] = ez < z - GROOVE and self.runs_over(area, target, x, y, z, dx, dy, ez)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def runs_over(
        self, area: cython.int, target: cython.int, x: cython.double, y: cython.double, z: cython.double,
        dx: cython.double, dy: cython.double, floor: cython.double,
    ) -> cython.bint:  # fmt: skip
        """Whether whoever runs down a step comes to stand beyond it, and higher: it is a groove, into which a bot that
        runs does not get."""
        speed: cython.double = self.crouch_speed if self.is_low(area) else self.speed
        self.mover.reset()
        self.mover.wish(dx, dy, 0.0, speed)
        if self.is_low(area):
            self.mover.flags |= CROUCH
        self.ahead_x = dx
        self.ahead_y = dy
        if not self.follow(area, -1, x - LIFT * dx, y - LIFT * dy, z + LIFT, speed * dx, speed * dy, 0.0):
            return False
        return self.mover.on_ground and self.mover.area != target and self.mover.z > floor + GROOVE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def drop(
        self, area: cython.int, rim: cython.int, first: cython.int, x: cython.double, y: cython.double, z: cython.double,
        dx: cython.double, dy: cython.double,
    ) -> cython.void:  # fmt: skip
        """Step off a rim slowly and fall right before it, onto ground that a run flies over. Called hard, as such a way
        is wanted only where no other leads."""
        fx: cython.double = x + DROP * dx
        fy: cython.double = y + DROP * dy
        if not self.is_open(fx, fy, z + LIFT):
            return
        if not self.mover.sampler.trace(fx, fy, z + LIFT, fx, fy, z - DEEPEST, 0xFFFFFFFF):
            return
        target: cython.int = self.mover.sampler.end_area
        ez: cython.double = self.mover.sampler.z
        if target < 0 or target == area or ez > z - self.step or not self.ground[target] or self.liquid[target] != 0:
            return
        if self.mover.sampler.normal_z < self.mover.floor_up or self.has(first, LEDGE, target, True):
            return
        back: cython.double = BACK
        if self.mover.sampler.area_at(x - back * dx, y - back * dy, z + LIFT) != area:
            back = LIFT
            if self.mover.sampler.area_at(x - back * dx, y - back * dy, z + LIFT) != area:
                return
        if self.keep(LEDGE, area, target, rim, x - back * dx, y - back * dy, z + LIFT, 0.0, 0.0, fx, fy, ez):
            self.number[self.rows - 1, 4] = True

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
            self.drop(area, rim, first, x, y, z, dx, dy)
            return
        if self.is_open(fx, fy, z + self.step - LIFT) and self.probe(area, rim, first, x, y, z, dx, dy, 0.0, False):
            return
        if self.is_low(area):
            self.note_wall(area, rim, x, y, z, fx, fy)
        elif self.is_open(fx, fy, z + self.barrier - LIFT) or self.is_open(fx, fy, z + 0.6 * self.barrier):
            self.probe(area, rim, first, x, y, z, dx, dy, 0.0, True)
        else:
            self.note_wall(area, rim, x, y, z, fx, fy)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def note_wall(
        self, area: cython.int, rim: cython.int, x: cython.double, y: cython.double, z: cython.double,
        fx: cython.double, fy: cython.double,
    ) -> cython.void:  # fmt: skip
        """Write down how high the wall behind a rim is, and what is on top of it, if that is wanted."""
        if not self.noting:
            return
        up: cython.double = LIFT
        while not self.is_open(fx, fy, z + up):
            up += 4.0
            if up > HIGHEST:
                self.note(BARRIER, area, -1, rim, WALL, x, y, z, fx, fy, z, 0.0)
                return
        self.mover.sampler.trace(fx, fy, z + up, fx, fy, z, 0xFFFFFFFF)
        rise: cython.double = self.mover.sampler.z - LIFT - z
        self.note(
            BARRIER, area, self.mover.sampler.end_area, rim, CROUCHED if self.is_low(area) else TOO_HIGH, x, y, z,
            fx, fy, z + rise, rise - self.barrier,
        )  # fmt: skip

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
        """Probe the rims first..last−1 (sorted by area): first straight out, then askew near their ends.

        The first way found to another area is the one that is taken, so those askew are for what nothing else reaches.
        """
        i: cython.int = first
        r: cython.int
        of_area: cython.int
        with cython.nogil:
            while i < last:
                of_area = self.rows
                r = i
                while r < last and area[r] == area[i]:
                    self.straight(area[r], r, of_area, a, b, out, spacing)
                    r += 1
                while i < r:
                    self.askew(area[i], i, of_area, a, b, out)
                    i += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def straight(
        self, area: cython.int, rim: cython.int, first: cython.int, a: cython.double[:, ::1], b: cython.double[:, ::1],
        out: cython.double[:, ::1], spacing: cython.double,
    ) -> cython.void:  # fmt: skip
        """Probe a rim about every ``spacing`` units and near its ends, from the middle outwards: ways start as far from
        corners as they can."""
        length: cython.double = sqrt((b[rim, 0] - a[rim, 0]) ** 2 + (b[rim, 1] - a[rim, 1]) ** 2)
        n: cython.int = 2 * cython.cast(cython.int, 0.5 * length / spacing) + 1
        k: cython.int
        t: cython.double
        if length <= 0.0:
            return
        for k in range(n + 2 if length >= NARROW else n):
            if k < n:
                t = ((n - 1) // 2 + ((k + 1) // 2 if k % 2 == 1 else -(k // 2)) + 0.5) / n
            else:
                t = 1.0 / length if k == n else 1.0 - 1.0 / length
            self.from_rim(
                area, rim, first, a[rim, 0] + t * (b[rim, 0] - a[rim, 0]), a[rim, 1] + t * (b[rim, 1] - a[rim, 1]),
                a[rim, 2] + t * (b[rim, 2] - a[rim, 2]), out[rim, 0], out[rim, 1],
            )  # fmt: skip

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def askew(
        self, area: cython.int, rim: cython.int, first: cython.int, a: cython.double[:, ::1], b: cython.double[:, ::1],
        out: cython.double[:, ::1],
    ) -> cython.void:  # fmt: skip
        """Probe a rim near its two ends, outwards past the corner there."""
        length: cython.double = sqrt((b[rim, 0] - a[rim, 0]) ** 2 + (b[rim, 1] - a[rim, 1]) ** 2)
        c: cython.double = sqrt(0.5)
        turn: cython.double = 1.0
        k: cython.int
        t: cython.double
        if length < NARROW:
            return
        for k in range(2):
            t = 1.0 / length if k == 0 else 1.0 - 1.0 / length
            self.from_rim(
                area, rim, first, a[rim, 0] + t * (b[rim, 0] - a[rim, 0]), a[rim, 1] + t * (b[rim, 1] - a[rim, 1]),
                a[rim, 2] + t * (b[rim, 2] - a[rim, 2]),
                c * (out[rim, 0] + turn * out[rim, 1]), c * (out[rim, 1] - turn * out[rim, 0]),
            )  # fmt: skip
            turn = -1.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_gap(self, x: cython.double, y: cython.double, z: cython.double) -> cython.bint:
        """Whether one would fall more than a step at a point."""
        if not self.is_open(x, y, z + LIFT):
            return False
        return not self.mover.sampler.trace(x, y, z + LIFT, x, y, z - self.step - 1.0, 0xFFFFFFFF)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run_up(
        self, area: cython.int, x: cython.double, y: cython.double, z: cython.double, dx: cython.double, dy: cython.double
    ) -> cython.double:  # fmt: skip
        """Units that one can run straight up to a point within its area, as the engine's bots measure it."""
        far: cython.double = 0.0
        while far < RUN and self.mover.sampler.area_at(x - (far + PACE) * dx, y - (far + PACE) * dy, z + 1.0) == area:
            far += PACE
        return far

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def speed_after(self, far: cython.double) -> cython.double:
        """Units a second that one runs with after some units from rest."""
        v: cython.double = 0.0
        gone: cython.double = 0.0
        while gone < far and v < self.speed:
            v -= self.friction * SLICE * v
            v = min(self.speed, v + self.accelerate * SLICE * self.speed)
            gone += SLICE * v
        return v

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def leaps_early(
        self, one: cython.int, other: cython.int, x: cython.double, y: cython.double, z: cython.double,
        dx: cython.double, dy: cython.double, ex: cython.double, ey: cython.double, ez: cython.double,
    ) -> cython.bint:  # fmt: skip
        """Whether a jump succeeds for the engine's bots, which run up within the area and jump well before its rim."""
        run: cython.double = self.run_up(one, x, y, z, dx, dy)
        early: cython.double = min(EARLY, run)
        v: cython.double = self.speed_after(run - early)
        px: cython.double = x - early * dx
        py: cython.double = y - early * dy
        if self.mover.sampler.trace(px, py, z + self.step, px, py, z - self.step, 0xFFFFFFFF):
            z = self.mover.sampler.z
        return self.replay(LEAP, one, other, px, py, z, v * dx, v * dy, 0.0, ex, ey, ez)

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
                if self.is_low(one) or self.is_low(other):
                    self.note(
                        LEAP, one, other, pair[i, 2], CROUCHED, point[i, 0], point[i, 1], point[i, 2],
                        point[i, 3], point[i, 4], point[i, 5], 0.0,
                    )  # fmt: skip
                    continue
                if d < TOUCH:
                    self.note(
                        LEAP, one, other, pair[i, 2], TOUCHING, point[i, 0], point[i, 1], point[i, 2],
                        point[i, 3], point[i, 4], point[i, 5], d,
                    )  # fmt: skip
                    continue
                dx /= d
                dy /= d
                if not self.is_gap(
                    point[i, 0] + (8.0 if d > 16.0 else 0.5 * d) * dx,
                    point[i, 1] + (8.0 if d > 16.0 else 0.5 * d) * dy,
                    point[i, 2],
                ):
                    self.note(
                        LEAP, one, other, pair[i, 2], NO_GAP, point[i, 0], point[i, 1], point[i, 2],
                        point[i, 0] + (8.0 if d > 16.0 else 0.5 * d) * dx,
                        point[i, 1] + (8.0 if d > 16.0 else 0.5 * d) * dy, point[i, 2], d,
                    )  # fmt: skip
                    continue
                drop = point[i, 2] - point[i, 5]
                sx = point[i, 0] - LIFT * dx
                sy = point[i, 1] - LIFT * dy
                sz = point[i, 2] + LIFT
                if self.mover.sampler.area_at(sx, sy, sz) != one:
                    self.note(LEAP, one, other, pair[i, 2], NO_START, sx, sy, sz, sx, sy, sz, 0.0)
                    continue
                self.put_end(other, point[i, 3], point[i, 4], point[i, 5], dx, dy)
                # Running is enough when the fall alone lasts as long as the way takes.
                if drop > 0.0 and self.speed * sqrt(2.0 * drop / self.gravity) > d and self.fall(
                    one, other, pair[i, 2], sx, sy, sz, self.speed, dx, dy, self.end_x, self.end_y, point[i, 5]
                ):  # fmt: skip
                    continue
                t = (self.lift + sqrt(self.lift * self.lift + 2.0 * self.gravity * drop)) / self.gravity
                v = d / t * 1.15
                if v > self.speed:
                    v = self.speed
                if self.keep(
                    LEAP, one, other, pair[i, 2], sx, sy, sz, v * dx, v * dy,
                    self.end_x, self.end_y, point[i, 5],
                ):  # fmt: skip
                    self.number[self.rows - 1, 4] = not self.leaps_early(
                        one, other, sx, sy, sz, dx, dy, self.end_x, self.end_y, point[i, 5]
                    )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_deep(self, x: cython.double, y: cython.double, z: cython.double) -> cython.bint:
        """Whether one swims at a point."""
        return self.mover.sampler.liquid_above(x, y, z, self.swim_depth) >= self.swim_depth

    def banks(
        self,
        area: cython.int[::1],
        a: cython.double[:, ::1],
        b: cython.double[:, ::1],
        out: cython.double[:, ::1],
        first: cython.int,
        last: cython.int,
    ):
        """Try to get out of deep water onto the rims first..last−1, dry or with less water than one swims in."""
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
                for k in range(3):
                    x = a[i, 0] + (0.25 * k + 0.25) * (b[i, 0] - a[i, 0]) + 1.0 * out[i, 0]
                    y = a[i, 1] + (0.25 * k + 0.25) * (b[i, 1] - a[i, 1]) + 1.0 * out[i, 1]
                    z = a[i, 2] + (0.25 * k + 0.25) * (b[i, 2] - a[i, 2])
                    if self.liquid[area[i]] != 0 and self.is_deep(x - 2.0 * out[i, 0], y - 2.0 * out[i, 1], z + LIFT):
                        continue
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
                    self.put_end(area[i], x - 1.0 * out[i, 0], y - 1.0 * out[i, 1], z, -out[i, 0], -out[i, 1])
                    self.keep(
                        WATER, wet, area[i], i, x, y, top - self.swim_depth, 0.0, 0.0, self.end_x, self.end_y,
                        z + 24.0 if self.mover.sampler.area_at(self.end_x, self.end_y, z + 24.0) == area[i] else z,
                    )  # fmt: skip

    def result(self):
        """(n, 5) source, target, kind, rim, whether it is hard to do; (n, 10) start, end, velocity, fall."""
        return np.asarray(self.number)[: self.rows].copy(), np.asarray(self.place)[: self.rows].copy()

    def noted(self):
        """(n, 5) kind, source, target (−1: none), rim, why; (n, 12) start, where it failed, measure, and of replays the
        velocity (x and y) at the start and the end that was meant."""
        return np.asarray(self.note_number)[: self.notes].copy(), np.asarray(self.note_place)[: self.notes].copy()


def kinds():
    """The kinds used here by name, for the enum of model.links to be held against."""
    return dict(WALK=WALK, BARRIER_JUMP=BARRIER, JUMP=LEAP, WALK_OFF_LEDGE=LEDGE, WATER_JUMP=WATER)


def reasons():
    """The reasons given here by name, for the enum of why.py to be held against."""
    return dict(
        NO_START=NO_START, TOO_HIGH=TOO_HIGH, TOO_LOW=TOO_LOW, CROUCHED=CROUCHED, NO_GROUND=NO_GROUND, NO_GAP=NO_GAP,
        WALL=WALL, TOUCHING=TOUCHING, TOO_DEEP=TOO_DEEP, APART=APART, NOT_LOWER=NOT_LOWER,
    )  # fmt: skip
