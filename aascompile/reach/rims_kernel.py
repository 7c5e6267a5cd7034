# mypy: ignore-errors
"""Probes off rims: a simulated player walks, drops or climbs off the edges of the ground (thesis §6.4).

Glossary
    rim     an edge of an area's ground where the ground of that area ends.
    spot    a point of a rim and a direction away from the ground.
    probe   a run outwards from a spot, to see where the player comes to stand.

attempts_kernel replays the attempts and keeps those that arrive.
"""

import cython
from cython.cimports.aascompile.player.follow_kernel import ARRIVES, CLOSE, LATE, Attempt
from cython.cimports.aascompile.player.move_kernel import CROUCH, JUMP
from cython.cimports.aascompile.reach.attempts_kernel import Attempts
from cython.cimports.libc.math import sqrt

# Travel types, numbered as in model.links.
WALK = cython.declare(cython.int, 2)
BARRIER = cython.declare(cython.int, 4)
LEDGE = 7

# Why nothing is tried, or why an attempt fails; numbers as in player.reason.
NO_START = 5  # the point before the rim is not in the area
TOO_HIGH = cython.declare(cython.int, 6)  # measured in units
TOO_LOW = cython.declare(cython.int, 7)  # a barrier that is no higher than a step
CROUCHED = 8  # a crouching player cannot jump
NO_GROUND = cython.declare(cython.int, 9)  # no ground, or too steep
WALL = cython.declare(cython.int, 11)  # a wall without a top
TOO_DEEP = cython.declare(cython.int, 14)  # measured in units
APART = cython.declare(cython.int, 20)  # the grounds do not touch
NOT_LOWER = cython.declare(cython.int, 24)  # for a fall: the target is not lower by more than a step

LIFT = 0.125  # units above the ground at which a start is placed
BACK = cython.declare(cython.double, 2.5)  # units before a rim at which a probe starts: no whole number of frames
TOUCH = 1.0  # horizontal units between two grounds below which they touch
NARROW = cython.declare(cython.double, 8.0)  # units: narrower rims are probed only in their middle
PAST = cython.declare(cython.double, 5.0)  # units that the end of a link lies inside its target, if that is wide enough
GROOVE = cython.declare(cython.double, 1.0)  # units: a running player may pass over deeper grooves
STRIDE = cython.declare(cython.double, 1.0)  # units between the points of a walk at which there must be floor
LONGEST = cython.declare(cython.double, 128.0)  # units: a longer walk follows the border of two areas
SLOWER = cython.declare(cython.double, 0.5)  # fraction of full speed at which a run across a gap must succeed too
DROP = cython.declare(cython.double, 15.0)  # units past a rim where a player lands who steps off slowly (see CLOSE)
LEAST_DROP = cython.declare(cython.double, 3.0)  # units past a rim at which a player falls into a narrow well
DEEPEST = cython.declare(cython.double, 4096.0)  # units down to which ground is looked for
HIGHEST = cython.declare(cython.double, 1024.0)  # units up to which the top of a wall is looked for


class RimProber(Attempts):
    """Probes of one thread off rims, which are sorted by area.

    ``start_z``            height of a start, as ``put_start`` placed it.
    ``end_x``, ``end_y``   end of a link, as ``put_end`` placed it.
    ``climb``              rise of the ground that a player walks up: the game lifts a player, who is LIFT above the
                           ground, by ``physics.step``.
    ``lack``               units by which ``misfit`` rejects a link.
    """

    def __init__(self, mover, traits, physics, rims, swim_depth):
        Attempts.__init__(self, mover, traits, physics)
        self.swim_depth = swim_depth
        self.step = physics.max_step
        self.climb = min(physics.max_step, physics.step + LIFT)
        self.barrier = physics.max_barrier
        self.gravity = physics.gravity
        self.rim_area = rims.area
        self.rim_a = rims.a
        self.rim_b = rims.b
        self.rim_out = rims.out

    def probe(self, at, run, jump):
        """Run off a rim, starting at speed ``run``, with or without a jump, and keep the result.

        Return whether there is a link, new or already known.
        """
        tried: Attempt = self.attempt(
            BARRIER if jump else WALK, at.area, -1, at.rim, at.x - BACK * at.dx, at.y - BACK * at.dy, at.z + LIFT
        )
        if not self.put_start(at.area, tried.sx, tried.sy, at.z):
            tried.sx = at.x - LIFT * at.dx
            tried.sy = at.y - LIFT * at.dy
            if not self.put_start(at.area, tried.sx, tried.sy, at.z):
                self.note(tried, NO_START, tried.sx, tried.sy, tried.sz, 0.0)
                return False
        tried.sz = self.start_z
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
        stands: cython.bint = self.is_inside(tried.target, tried.ex - PAST * at.dx, tried.ey - PAST * at.dy, tried.ez)
        self.end_x = tried.ex
        self.end_y = tried.ey
        if not stands:
            self.put_end(tried.target, tried.ex, tried.ey, tried.ez, at.dx, at.dy)
        upright: cython.bint = not (self.is_low(at.area) or self.is_low(tried.target))
        if tried.kind == WALK and upright and self.crosses_gap(at.x, at.y, at.z, self.end_x, self.end_y):
            tried.kind = LEDGE
            return self.has(at.first, LEDGE, tried.target, False) or self.fall(tried, at.dx, at.dy)
        tried.ex = self.end_x
        tried.ey = self.end_y
        if tried.kind != WALK:
            return self.keep(tried)
        if self.keep_from_rim(tried, at):
            return True
        # A player who starts before the rim may slide along a wall to where it is low.
        if upright and self.crosses_gap(tried.sx, tried.sy, tried.sz - LIFT, tried.ex, tried.ey):
            return False
        return self.keep(tried)

    def put_start(self, area, x, y, z):
        """Set ``start_z`` to where a player stands at a point before a rim, up to a step below or above the rim at ``z``.
        Return whether that is in the area.

        At the top of a slope the ground before the rim is lower, and a jump must start on the ground. At the foot of a
        slope it is higher, and right above the rim's height is solid. At a shore, right above it is the air over the
        water.
        """
        self.start_z = z + LIFT
        if self.mover.sampler.area_at(x, y, self.start_z) == area:
            if self.mover.sampler.trace(x, y, self.start_z, x, y, self.start_z - self.step, 0xFFFFFFFF):
                self.start_z = self.mover.sampler.z
            return True
        if not self.is_open(x, y, z + self.step) or not self.mover.sampler.trace(
            x, y, z + self.step, x, y, z - self.step, 0xFFFFFFFF
        ):
            return False
        self.start_z = self.mover.sampler.z
        return self.mover.sampler.end_area == area and self.mover.sampler.normal_z >= self.mover.floor_up

    def crosses_gap(self, x, y, z, ex, ey):
        """Whether a straight line from a floor at a point crosses a place where the floor is more than a step lower, or
        rises more than a step.

        The engine's bots slow down before a gap on a walk link, to 40 + 2 units/s per unit of distance, and drop into it.
        """
        far: cython.double = sqrt((ex - x) ** 2 + (ey - y) ** 2)
        floor: cython.double = z
        gone: cython.double = 0.5 * STRIDE
        px: cython.double
        py: cython.double
        high: cython.double
        while gone < far:
            px = x + gone / far * (ex - x)
            py = y + gone / far * (ey - y)
            gone += STRIDE
            if not self.is_open(px, py, floor + self.step):
                high = LIFT
                while high < self.step and not self.is_open(px, py, floor + high):
                    high += STRIDE
                if high < self.step:
                    continue  # under a low ceiling
                return True  # in front of a wall, at the bottom of a ditch
            if not self.mover.sampler.trace(px, py, floor + self.step, px, py, floor - self.step - LIFT, 0xFFFFFFFF):
                return True
            if self.mover.sampler.normal_z >= self.mover.floor_up:
                floor = self.mover.sampler.z - LIFT
        return False

    def misfit(self, kind, rise):
        """Why a player who comes to stand ``rise`` above a rim has not made a link of this travel type; ARRIVES if it
        may be one. Sets ``lack``: by how many units it fails. A standing player is LIFT above the ground."""
        self.lack = 0.0
        if kind == LEDGE:
            if rise > -self.step:
                self.lack = max(rise - LIFT, 0.0)
                return NOT_LOWER
            return ARRIVES
        if kind == BARRIER and rise < self.climb:
            self.lack = self.climb + LIFT - rise
            return TOO_LOW
        if kind == WALK and rise <= -self.step:
            self.lack = max(-self.step + LIFT - rise, 0.0)
            return TOO_DEEP
        if rise > (self.barrier if kind == BARRIER else self.climb + LIFT):
            self.lack = max(rise - LIFT - (self.barrier if kind == BARRIER else self.climb), 0.0)
            return TOO_HIGH
        return ARRIVES

    def look(self, kind: cython.int, apart: cython.double, rise: cython.double):
        """For explanations: why no WALK, BARRIER or LEDGE link leads between two grounds ``apart`` units apart, the
        second ``rise`` higher (0: there may be one), and by how many units it fails."""
        if kind != LEDGE and apart >= TOUCH:
            return APART, apart
        return self.misfit(kind, rise + LIFT), self.lack

    def keep_from_rim(self, tried, at):
        """Keep a walk with its start moved onto the rim: a bot may circle in front of a step, but not on it."""
        tried.sx = at.x
        tried.sy = at.y
        tried.sz = at.z + LIFT
        tried.vx = 0.0
        tried.vy = 0.0
        return self.keep(tried)

    def fall(self, tried, dx, dy):
        """Keep a link off a ledge.

        If its end is so near that bots would creep to the rim and drop there, the end is moved to right behind the rim,
        where they step off at normal speed. If that fails and bots would crawl, the link is hard.
        """
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

    def is_low_ahead(self, at):
        """Whether a player must crouch to get past a rim, up to a step higher."""
        x: cython.double = at.x + BACK * at.dx
        y: cython.double = at.y + BACK * at.dy
        ahead: cython.int = self.mover.sampler.area_at(x, y, at.z + LIFT)
        if ahead < 0:
            ahead = self.mover.sampler.area_at(x, y, at.z + self.step - LIFT)
        return ahead >= 0 and self.is_low(ahead)

    def is_inside(self, area, x, y, z):
        """Whether a point lies on an area's ground."""
        if self.mover.sampler.area_at(x, y, z + LIFT) != area:
            return False
        return self.mover.sampler.trace(x, y, z + LIFT, x, y, z - 1.0, 0xFFFFFFFF)

    def put_end(self, target, x, y, z, dx, dy):
        """Set ``end_x``, ``end_y`` to the end of a link, past a point of its target's rim, as far as the target
        extends.

        A bot stops pushing at the end, so the end of a step, climb or jump lies well past the edge.
        """
        past: cython.double = PAST
        while past > LIFT and self.mover.sampler.area_at(x + past * dx, y + past * dy, z + LIFT) != target:
            past *= 0.5
        if past <= LIFT:
            past = 0.0
        self.end_x = x + past * dx
        self.end_y = y + past * dy

    def is_open(self, x, y, z):
        """Whether a player fits at a point."""
        return self.mover.sampler.area_at(x, y, z) >= 0

    def step_down(self, at):
        """Walk down a step: ground less than a step lower, right behind the rim. Return whether there is such a link.

        A free run would overshoot the next steps of a stair, but is still needed where the next step is too narrow.
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
        if self.crosses_gap(at.x, at.y, at.z, fx, fy):
            return False
        if self.has(at.first, WALK, target, False):
            return True
        if not self.keep_from_rim(tried, at):
            return False
        self.call_hard(tried.ez < at.z - GROOVE and self.runs_over(at, target, tried.ez))
        return True

    def runs_over(self, at, target, floor):
        """Whether a player who runs down a step comes to stand beyond it and higher: a groove that a running bot
        overshoots."""
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

    def drop(self, at):
        """Step off a rim slowly and fall right behind it, onto ground or into water that a run overshoots. Such links are
        hard. In a narrow well the fall begins nearer to the rim."""
        past: cython.double = DROP
        while not self.is_pit(at.x + past * at.dx, at.y + past * at.dy, at.z):
            past *= 0.5
            if past < LEAST_DROP:
                return
        fx: cython.double = at.x + past * at.dx
        fy: cython.double = at.y + past * at.dy
        if not self.mover.sampler.trace(fx, fy, at.z + LIFT, fx, fy, at.z - DEEPEST, 0xFFFFFFFF):
            return
        target: cython.int = self.mover.sampler.end_area
        ez: cython.double = self.mover.sampler.z
        if target < 0:
            return
        if self.liquid[target] != 0:
            ez = self.floats_at(fx, fy, ez)
            target = self.mover.sampler.area_at(fx, fy, ez)
            if target < 0 or self.liquid[target] == 0:
                return
        elif not self.ground[target] or self.mover.sampler.normal_z < self.mover.floor_up:
            return
        if target == at.area or ez > at.z - self.step or self.has(at.first, LEDGE, target, True):
            return
        back: cython.double = BACK
        if not self.put_start(at.area, at.x - back * at.dx, at.y - back * at.dy, at.z):
            back = LIFT
            if not self.put_start(at.area, at.x - back * at.dx, at.y - back * at.dy, at.z):
                return
        tried: Attempt = self.attempt(
            LEDGE, at.area, target, at.rim, at.x - back * at.dx, at.y - back * at.dy, self.start_z
        )
        tried.ex = fx
        tried.ey = fy
        tried.ez = ez
        if self.keep(tried):
            self.call_hard(True)

    def is_pit(self, x, y, z):
        """Whether there is air, and no ground down to a step lower, at a point beyond a rim at a height."""
        if not self.is_open(x, y, z + LIFT):
            return False
        if self.mover.sampler.trace(x, y, z + LIFT, x, y, z - self.step, 0xFFFFFFFF):
            return False
        return True

    def floats_at(self, x, y, z):
        """Height at which a player floats who falls into the liquid above a point of its bottom."""
        return z + self.mover.sampler.liquid_above(x, y, z, DEEPEST) - self.swim_depth

    def goes_on(self, at, x, y):
        """Whether the ground of the spot's own area continues at a point beyond the rim, at most a step up or down."""
        top: cython.double = at.z + self.step + LIFT
        # Under a low ceiling the trace must begin lower, but above a step up.
        while not self.is_open(x, y, top):
            if top < at.z + LIFT:
                return False
            top -= 0.25 * self.step
        if not self.mover.sampler.trace(x, y, top, x, y, at.z - self.step - LIFT, 0xFFFFFFFF):
            return False
        return self.mover.sampler.end_area == at.area and self.mover.sampler.normal_z >= self.mover.floor_up

    def from_rim(self, at):
        """Try everything from one point of a rim in one direction."""
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

    def note_wall(self, at):
        """If ``noting``, record how high the wall behind a rim is and what is on top of it."""
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

    def rims(self, first: cython.int, last: cython.int, spacing: cython.double):
        """Probe the rims first..last−1: first straight out, then diagonally near their ends.

        The first link found to another area is kept, so diagonal probes find only what straight ones do not reach.
        """
        i: cython.int = first
        r: cython.int
        of_area: cython.int
        with cython.nogil:
            while i < last:
                of_area = self.rows
                r = i
                while r < last and self.rim_area[r] == self.rim_area[i]:
                    self.straight(r, of_area, spacing)
                    r += 1
                while i < r:
                    self.askew(i, of_area)
                    i += 1

    def straight(self, rim, first, spacing):
        """Probe a rim about every ``spacing`` units and near its ends. The middle comes first, so that links start far
        from corners."""
        length: cython.double = sqrt(
            (self.rim_b[rim, 0] - self.rim_a[rim, 0]) ** 2 + (self.rim_b[rim, 1] - self.rim_a[rim, 1]) ** 2
        )
        n: cython.int = 2 * cython.cast(cython.int, 0.5 * length / spacing) + 1
        k: cython.int
        t: cython.double
        at: Spot
        if length <= 0.0:
            return
        at.area = self.rim_area[rim]
        at.rim = rim
        at.first = first
        at.dx = self.rim_out[rim, 0]
        at.dy = self.rim_out[rim, 1]
        for k in range(n + 2 if length >= NARROW else n):
            if k < n:
                t = ((n - 1) // 2 + ((k + 1) // 2 if k % 2 == 1 else -(k // 2)) + 0.5) / n
            else:
                t = 1.0 / length if k == n else 1.0 - 1.0 / length
            at.x = self.rim_a[rim, 0] + t * (self.rim_b[rim, 0] - self.rim_a[rim, 0])
            at.y = self.rim_a[rim, 1] + t * (self.rim_b[rim, 1] - self.rim_a[rim, 1])
            at.z = self.rim_a[rim, 2] + t * (self.rim_b[rim, 2] - self.rim_a[rim, 2])
            self.from_rim(at)

    def askew(self, rim, first):
        """Probe a rim near its two ends, diagonally past the corner there."""
        length: cython.double = sqrt(
            (self.rim_b[rim, 0] - self.rim_a[rim, 0]) ** 2 + (self.rim_b[rim, 1] - self.rim_a[rim, 1]) ** 2
        )
        c: cython.double = sqrt(0.5)
        turn: cython.double = 1.0
        k: cython.int
        t: cython.double
        at: Spot
        if length < NARROW:
            return
        at.area = self.rim_area[rim]
        at.rim = rim
        at.first = first
        for k in range(2):
            t = 1.0 / length if k == 0 else 1.0 - 1.0 / length
            at.x = self.rim_a[rim, 0] + t * (self.rim_b[rim, 0] - self.rim_a[rim, 0])
            at.y = self.rim_a[rim, 1] + t * (self.rim_b[rim, 1] - self.rim_a[rim, 1])
            at.z = self.rim_a[rim, 2] + t * (self.rim_b[rim, 2] - self.rim_a[rim, 2])
            at.dx = c * (self.rim_out[rim, 0] + turn * self.rim_out[rim, 1])
            at.dy = c * (self.rim_out[rim, 1] - turn * self.rim_out[rim, 0])
            self.from_rim(at)
            turn = -1.0


def kinds():
    """Travel types used here, by name: a test compares them with model.links."""
    return dict(WALK=WALK, BARRIER_JUMP=BARRIER, WALK_OFF_LEDGE=LEDGE)


def reasons():
    """Reasons given here, by name: a test compares them with player.reason."""
    return dict(
        NO_START=NO_START, TOO_HIGH=TOO_HIGH, TOO_LOW=TOO_LOW, CROUCHED=CROUCHED, NO_GROUND=NO_GROUND,
        WALL=WALL, TOO_DEEP=TOO_DEEP, APART=APART, NOT_LOWER=NOT_LOWER,
    )  # fmt: skip
