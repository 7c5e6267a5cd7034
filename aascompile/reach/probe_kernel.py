# mypy: ignore-errors
"""Finding ways by trying them: a predicted player walks, drops or jumps off the rims of the ground (thesis §6.4).

Glossary
    rim     an edge of an area's ground behind which its ground does not go on.
    spot    a point of a rim and a direction away from the ground.
    probe   a free run from a spot outwards: where does the player come to stand?

What is tried, and what becomes of it, is in attempts_kernel.
"""

import cython
from cython.cimports.aascompile.player.follow_kernel import ARRIVES, CLOSE, LATE, Attempt
from cython.cimports.aascompile.player.move_kernel import CROUCH, JUMP
from cython.cimports.aascompile.reach.attempts_kernel import Attempts
from cython.cimports.libc.math import sqrt

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


Spot = cython.struct(
    area=cython.int,
    rim=cython.int,
    first=cython.int,  # row since which attempts from the area's rims are listed
    x=cython.double,
    y=cython.double,
    z=cython.double,
    dx=cython.double,
    dy=cython.double,
)


@cython.final
@cython.cclass
class Prober(Attempts):
    """One thread's worker."""

    step: cython.double
    barrier: cython.double
    lift: cython.double
    gravity: cython.double
    friction: cython.double
    accelerate: cython.double
    swim_depth: cython.double

    end_x: cython.double
    end_y: cython.double

    lack: cython.double

    def __init__(self, mover, presence, liquid, grounded, trigger, physics, standing, swim_depth):
        Attempts.__init__(self, mover, presence, liquid, grounded, trigger, physics, standing)
        self.step = physics.max_step
        self.barrier = physics.max_barrier
        self.lift = physics.jump_velocity
        self.gravity = physics.gravity
        self.friction = physics.friction
        self.accelerate = physics.walk_accelerate
        self.swim_depth = swim_depth

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def probe(self, at: Spot, run: cython.double, jump: cython.bint) -> cython.bint:
        """Run off a rim, at first with a speed of ``run``, jumping or not, and keep what comes of it.

        Answers whether there is a link, a new one or one that is known.
        """
        tried: Attempt = self.attempt(
            BARRIER if jump else WALK, at.area, -1, at.rim, at.x - BACK * at.dx, at.y - BACK * at.dy, at.z + LIFT
        )
        if self.mover.sampler.area_at(tried.sx, tried.sy, tried.sz) != at.area:
            tried.sx = at.x - LIFT * at.dx
            tried.sy = at.y - LIFT * at.dy
            if self.mover.sampler.area_at(tried.sx, tried.sy, tried.sz) != at.area:
                self.note(tried, NO_START, tried.sx, tried.sy, tried.sz, 0.0)
                return False
        # At the top of a slope the ground behind the rim is lower, and nobody jumps in the air.
        if self.mover.sampler.trace(tried.sx, tried.sy, tried.sz, tried.sx, tried.sy, tried.sz - self.step, 0xFFFFFFFF):
            tried.sz = self.mover.sampler.z
        low: cython.bint = self.is_low(at.area) or (run == 0.0 and not jump and self.is_low_ahead(at))
        self.mover.reset()
        self.mover.wish(at.dx, at.dy, 0.0, self.crouch_speed if low else self.speed)
        if jump:
            self.mover.flags |= JUMP
        if low:
            self.mover.flags |= CROUCH
        self.ahead_x = at.dx
        self.ahead_y = at.dy
        arrives: cython.bint = self.follow(at.area, -1, tried.sx, tried.sy, tried.sz, run * at.dx, run * at.dy, 0.0)
        tried.target = self.mover.area
        tried.ex = self.mover.x
        tried.ey = self.mover.y
        tried.ez = self.mover.z
        if not arrives:
            if not jump and tried.ez < at.z - self.step:
                tried.kind = LEDGE
            self.note(tried, self.why, tried.ex, tried.ey, tried.ez, 0.0)
            return False
        rise: cython.double = tried.ez - at.z
        why: cython.int
        if jump:
            why = self.misfit(BARRIER, rise)
            if why != ARRIVES:
                self.note(tried, why, tried.ex, tried.ey, tried.ez, self.lack)
                return False
        elif (
            run > 0.0
            or self.misfit(LEDGE, rise) == ARRIVES
            or (self.liquid[tried.target] != 0 and not self.mover.on_ground)
        ):
            tried.kind = LEDGE
        if self.has(at.first, tried.kind, tried.target, False):
            return True
        if run > 0.0 and rise > -self.step:
            tried.vx = SLOWER * run * at.dx
            tried.vy = SLOWER * run * at.dy
            if not self.replay(tried):
                self.note_replay(tried)
                return False
        tried.vx = run * at.dx
        tried.vy = run * at.dy
        far: cython.double = sqrt((tried.ex - at.x) ** 2 + (tried.ey - at.y) ** 2)
        if tried.kind == WALK and far > LONGEST:
            self.note(tried, LATE, tried.ex, tried.ey, tried.ez, far)
            return False
        if tried.kind == LEDGE:
            return self.fall(tried, at.dx, at.dy)
        if not self.is_inside(tried.target, tried.ex - PAST * at.dx, tried.ey - PAST * at.dy, tried.ez):
            self.put_end(tried.target, tried.ex, tried.ey, tried.ez, at.dx, at.dy)
            tried.ex = self.end_x
            tried.ey = self.end_y
        return (tried.kind == WALK and self.keep_from_rim(tried, at)) or self.keep(tried)

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
    def keep_from_rim(self, tried: Attempt, at: Spot) -> cython.bint:
        """Keep a walk that starts on the very rim: before a step a bot may circle for ever, on it it already pushes on."""
        tried.sx = at.x
        tried.sy = at.y
        tried.sz = at.z + LIFT
        tried.vx = 0.0
        tried.vy = 0.0
        return self.keep(tried)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fall(self, tried: Attempt, dx: cython.double, dy: cython.double) -> cython.bint:
        """Keep a link off a ledge. If its end is so near that bots would creep to the rim, to fall just there, it is moved
        to right before the rim, if that will do: there they step off briskly. If not, and they would crawl, it is hard."""
        far: cython.double = sqrt((tried.ex - tried.sx) ** 2 + (tried.ey - tried.sy) ** 2)
        drop: cython.double = tried.sz - tried.ez
        crawls: cython.bint = far >= CLOSE and drop > 0.0 and far < self.crouch_speed * sqrt(2.0 * drop / self.gravity)
        near: Attempt = tried
        if crawls:
            near.ex = tried.sx + DROP * dx
            near.ey = tried.sy + DROP * dy
            near.vx = 0.0
            near.vy = 0.0
            if (
                self.is_open(near.ex, near.ey, near.sz)
                and self.mover.sampler.trace(near.ex, near.ey, near.sz, near.ex, near.ey, near.sz - DEEPEST, 0xFFFFFFFF)
                and self.mover.sampler.end_area == tried.target
            ):
                near.ez = self.mover.sampler.z
                if self.keep(near):
                    return True
        if not self.keep(tried):
            return False
        self.call_hard(crawls and 2.0 * far < self.crouch_speed * sqrt(2.0 * drop / self.gravity))
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_low_ahead(self, at: Spot) -> cython.bint:
        """Whether a player has to crouch to get past a rim, up to a step higher."""
        x: cython.double = at.x + BACK * at.dx
        y: cython.double = at.y + BACK * at.dy
        ahead: cython.int = self.mover.sampler.area_at(x, y, at.z + LIFT)
        if ahead < 0:
            ahead = self.mover.sampler.area_at(x, y, at.z + self.step - LIFT)
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
    def step_down(self, at: Spot) -> cython.bint:
        """Walk down a step: ground less than a step below, right behind the rim. Answers whether there is such a link.

        A free run would fly over the next steps of a stair; it is still of use where the next one is too narrow.
        """
        fx: cython.double = at.x + BACK * at.dx
        fy: cython.double = at.y + BACK * at.dy
        if not self.mover.sampler.trace(fx, fy, at.z + LIFT, fx, fy, at.z - self.step, 0xFFFFFFFF):
            return False
        target: cython.int = self.mover.sampler.end_area
        tried: Attempt = self.attempt(WALK, at.area, target, at.rim, at.x, at.y, at.z)
        tried.ex = fx
        tried.ey = fy
        tried.ez = self.mover.sampler.z
        if (
            target < 0 or target == at.area or not self.ground[target]
            or self.mover.sampler.normal_z < self.mover.floor_up
        ):  # fmt: skip
            if target != at.area:
                self.note(tried, NO_GROUND, tried.ex, tried.ey, tried.ez, 0.0)
            return False
        if self.has(at.first, WALK, target, False):
            return True
        if not self.keep_from_rim(tried, at):
            return False
        self.call_hard(tried.ez < at.z - GROOVE and self.runs_over(at, target, tried.ez))
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def runs_over(self, at: Spot, target: cython.int, floor: cython.double) -> cython.bint:
        """Whether a player who runs down a step comes to stand beyond it, and higher: it is a groove, into which a bot
        that runs does not get."""
        low: cython.bint = self.is_low(at.area)
        speed: cython.double = self.crouch_speed if low else self.speed
        self.mover.reset()
        self.mover.wish(at.dx, at.dy, 0.0, speed)
        if low:
            self.mover.flags |= CROUCH
        self.ahead_x = at.dx
        self.ahead_y = at.dy
        if not self.follow(
            at.area, -1, at.x - LIFT * at.dx, at.y - LIFT * at.dy, at.z + LIFT, speed * at.dx, speed * at.dy, 0.0
        ):
            return False
        return self.mover.on_ground and self.mover.area != target and self.mover.z > floor + GROOVE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def drop(self, at: Spot) -> cython.void:
        """Step off a rim slowly and fall right before it, onto ground that a run flies over. Called hard, as such a link
        is wanted only where no other leads."""
        fx: cython.double = at.x + DROP * at.dx
        fy: cython.double = at.y + DROP * at.dy
        if not self.is_open(fx, fy, at.z + LIFT):
            return
        if not self.mover.sampler.trace(fx, fy, at.z + LIFT, fx, fy, at.z - DEEPEST, 0xFFFFFFFF):
            return
        target: cython.int = self.mover.sampler.end_area
        ez: cython.double = self.mover.sampler.z
        if target < 0 or target == at.area or ez > at.z - self.step:
            return
        if not self.ground[target] or self.liquid[target] != 0:
            return
        if self.mover.sampler.normal_z < self.mover.floor_up or self.has(at.first, LEDGE, target, True):
            return
        back: cython.double = BACK
        if self.mover.sampler.area_at(at.x - back * at.dx, at.y - back * at.dy, at.z + LIFT) != at.area:
            back = LIFT
            if self.mover.sampler.area_at(at.x - back * at.dx, at.y - back * at.dy, at.z + LIFT) != at.area:
                return
        tried: Attempt = self.attempt(
            LEDGE, at.area, target, at.rim, at.x - back * at.dx, at.y - back * at.dy, at.z + LIFT
        )
        tried.ex = fx
        tried.ey = fy
        tried.ez = ez
        if self.keep(tried):
            self.call_hard(True)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def goes_on(self, at: Spot, x: cython.double, y: cython.double) -> cython.bint:
        """Whether the ground of the spot's own area goes on at a point beyond the rim, a step up or down at most."""
        top: cython.double = at.z + self.step + LIFT
        if not self.is_open(x, y, top):
            top = at.z + LIFT
            if not self.is_open(x, y, top):
                return False
        if not self.mover.sampler.trace(x, y, top, x, y, at.z - self.step - LIFT, 0xFFFFFFFF):
            return False
        return self.mover.sampler.end_area == at.area and self.mover.sampler.normal_z >= self.mover.floor_up

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def from_rim(self, at: Spot) -> cython.void:
        """Try all that one point of a rim can offer in one direction."""
        fx: cython.double = at.x + BACK * at.dx
        fy: cython.double = at.y + BACK * at.dy
        before: cython.int = self.rows
        if self.goes_on(at, fx, fy):
            return
        if self.is_open(fx, fy, at.z + LIFT):
            if self.step_down(at):
                return
            self.probe(at, 0.0, False)
            if self.rows > before and self.number[before, 2] == LEDGE and not self.is_low(at.area):
                self.probe(at, self.speed, False)
            self.drop(at)
            return
        if self.is_open(fx, fy, at.z + self.step - LIFT) and self.probe(at, 0.0, False):
            return
        if self.is_low(at.area):
            self.note_wall(at)
        elif self.is_open(fx, fy, at.z + self.barrier - LIFT) or self.is_open(fx, fy, at.z + 0.6 * self.barrier):
            self.probe(at, 0.0, True)
        else:
            self.note_wall(at)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def note_wall(self, at: Spot) -> cython.void:
        """If notes are wanted, write down how high the wall behind a rim is, and what is on top of it."""
        if not self.noting:
            return
        fx: cython.double = at.x + BACK * at.dx
        fy: cython.double = at.y + BACK * at.dy
        tried: Attempt = self.attempt(BARRIER, at.area, -1, at.rim, at.x, at.y, at.z)
        up: cython.double = LIFT
        while not self.is_open(fx, fy, at.z + up):
            up += 4.0
            if up > HIGHEST:
                self.note(tried, WALL, fx, fy, at.z, 0.0)
                return
        self.mover.sampler.trace(fx, fy, at.z + up, fx, fy, at.z, 0xFFFFFFFF)
        rise: cython.double = self.mover.sampler.z - LIFT - at.z
        tried.target = self.mover.sampler.end_area
        self.note(tried, CROUCHED if self.is_low(at.area) else TOO_HIGH, fx, fy, at.z + rise, rise - self.barrier)

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
        """Probe a rim about every ``spacing`` units and near its ends, from the middle outwards: links start as far from
        corners as they can."""
        length: cython.double = sqrt((b[rim, 0] - a[rim, 0]) ** 2 + (b[rim, 1] - a[rim, 1]) ** 2)
        n: cython.int = 2 * cython.cast(cython.int, 0.5 * length / spacing) + 1
        k: cython.int
        t: cython.double
        at: Spot
        if length <= 0.0:
            return
        at.area = area
        at.rim = rim
        at.first = first
        at.dx = out[rim, 0]
        at.dy = out[rim, 1]
        for k in range(n + 2 if length >= NARROW else n):
            if k < n:
                t = ((n - 1) // 2 + ((k + 1) // 2 if k % 2 == 1 else -(k // 2)) + 0.5) / n
            else:
                t = 1.0 / length if k == n else 1.0 - 1.0 / length
            at.x = a[rim, 0] + t * (b[rim, 0] - a[rim, 0])
            at.y = a[rim, 1] + t * (b[rim, 1] - a[rim, 1])
            at.z = a[rim, 2] + t * (b[rim, 2] - a[rim, 2])
            self.from_rim(at)

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
        at: Spot
        if length < NARROW:
            return
        at.area = area
        at.rim = rim
        at.first = first
        for k in range(2):
            t = 1.0 / length if k == 0 else 1.0 - 1.0 / length
            at.x = a[rim, 0] + t * (b[rim, 0] - a[rim, 0])
            at.y = a[rim, 1] + t * (b[rim, 1] - a[rim, 1])
            at.z = a[rim, 2] + t * (b[rim, 2] - a[rim, 2])
            at.dx = c * (out[rim, 0] + turn * out[rim, 1])
            at.dy = c * (out[rim, 1] - turn * out[rim, 0])
            self.from_rim(at)
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
    ):
        """Try to jump, or to run, across the gaps between pairs of near points; ``area``: of the pairs' rows."""
        i: cython.int
        tried: Attempt
        with cython.nogil:
            for i in range(first, last):
                tried = self.attempt(
                    LEAP, area[pair[i, 0]], area[pair[i, 1]], pair[i, 2], point[i, 0], point[i, 1], point[i, 2]
                )
                tried.ex = point[i, 3]
                tried.ey = point[i, 4]
                tried.ez = point[i, 5]
                self.leap(tried)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def leap(self, tried: Attempt) -> cython.void:
        """Try to jump, or to run, across the gap between an attempt's start and end, which lie on rims."""
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
        if not self.is_gap(tried.sx + ahead * dx, tried.sy + ahead * dy, tried.sz):
            self.note(tried, NO_GAP, tried.sx + ahead * dx, tried.sy + ahead * dy, tried.sz, d)
            return
        drop: cython.double = tried.sz - tried.ez
        tried.sx -= LIFT * dx
        tried.sy -= LIFT * dy
        tried.sz += LIFT
        if self.mover.sampler.area_at(tried.sx, tried.sy, tried.sz) != tried.source:
            self.note(tried, NO_START, tried.sx, tried.sy, tried.sz, 0.0)
            return
        self.put_end(tried.target, tried.ex, tried.ey, tried.ez, dx, dy)
        tried.ex = self.end_x
        tried.ey = self.end_y
        # Running is enough when the fall alone lasts as long as the run across.
        if drop > 0.0 and self.speed * sqrt(2.0 * drop / self.gravity) > d:
            tried.kind = LEDGE
            tried.vx = self.speed * dx
            tried.vy = self.speed * dy
            if self.fall(tried, dx, dy):
                return
            tried.kind = LEAP
        t: cython.double = (self.lift + sqrt(self.lift * self.lift + 2.0 * self.gravity * drop)) / self.gravity
        v: cython.double = d / t * 1.15
        if v > self.speed:
            v = self.speed
        tried.vx = v * dx
        tried.vy = v * dy
        if self.keep(tried):
            self.call_hard(not self.leaps_early(tried, dx, dy))

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
        tried: Attempt
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
                    tried = self.attempt(WATER, wet, area[i], i, x, y, top - self.swim_depth)
                    tried.ex = self.end_x
                    tried.ey = self.end_y
                    tried.ez = z
                    if self.mover.sampler.area_at(self.end_x, self.end_y, z + 24.0) == area[i]:
                        tried.ez = z + 24.0
                    self.keep(tried)


def kinds():
    """The kinds used here by name, for the enum of model.links to be held against."""
    return dict(WALK=WALK, BARRIER_JUMP=BARRIER, JUMP=LEAP, WALK_OFF_LEDGE=LEDGE, WATER_JUMP=WATER)


def reasons():
    """The reasons given here by name, for the enum of why.py to be held against."""
    return dict(
        NO_START=NO_START, TOO_HIGH=TOO_HIGH, TOO_LOW=TOO_LOW, CROUCHED=CROUCHED, NO_GROUND=NO_GROUND, NO_GAP=NO_GAP,
        WALL=WALL, TOUCHING=TOUCHING, TOO_DEEP=TOO_DEEP, APART=APART, NOT_LOWER=NOT_LOWER,
    )  # fmt: skip
