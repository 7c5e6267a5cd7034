# mypy: ignore-errors
"""Simulates the engine's bots on walks, jumps, falls and jump pads: how they run up, turn, slow down, aim and steer.

A bot decides every tenth of a second, and holds its direction and speed until the next decision. Its speeds are on a
scale of 400 for the full speed of a player. docs/bots.md lists the rules and constants, which are those of the engine.

A follower takes a link from its start; a bot comes running from elsewhere in the area. ``tries`` lets several bots take a
link, from different places and at different moments of their decisions, and counts those that arrive and those that die.
"""

import cython
import numpy as np
from cython.cimports.aascompile.player.follow_kernel import (
    ARRIVES,
    HARMED,
    LATE,
    TAKEN,
    Attempt,
    attempt_of,
)
from cython.cimports.aascompile.player.move_kernel import (
    CROUCH,
    GAP,
    HURT,
    JUMP,
    JUMP_PAD,
    LAVA,
    LEVEL,
    SLIME,
    START_SOLID,
    TELEPORTER,
)
from cython.cimports.libc.math import sqrt

WALK = cython.declare(cython.int, 2)  # travel types of model.links
LOW = cython.declare(cython.int, 3)
CLIMB = cython.declare(cython.int, 4)
LEAP = cython.declare(cython.int, 5)
LEDGE = cython.declare(cython.int, 7)
THROW = cython.declare(cython.int, 18)

TICK = cython.declare(cython.double, 0.1)  # seconds between decisions
FRAME = cython.declare(cython.double, 0.05)  # seconds in a frame of the server
FULL = cython.declare(cython.double, 400.0)  # the scale of a bot's speeds: a player's full speed
TURN = cython.declare(cython.double, 48.0)  # units before the start of a fall at which a bot turns to its end
NEAR = cython.declare(cython.double, 20.0)  # units: over a shorter distance a bot steps off a ledge slowly,
SLOW = cython.declare(cython.double, 100.0)  # at this speed
BEYOND = cython.declare(cython.double, 16.0)  # units past the end at which a falling bot aims
GAIN = cython.declare(cython.double, 13.0)  # speed per unit by which a flight would miss its aim,
MISS = cython.declare(cython.double, 32.0)  # up to this many units
FLIGHT = cython.declare(cython.int, 50)  # decisions that a bot looks ahead in the air
RUN = cython.declare(cython.double, 80.0)  # units of run-up before a jump at most,
PACE = cython.declare(cython.double, 10.0)  # measured in steps of this many units
AT_RUN = cython.declare(cython.double, 5.0)  # units to the beginning of the run-up at which a bot turns round
SLOWING = cython.declare(cython.double, 5.0)  # speed per unit of distance to the beginning of the run-up
BEHIND = cython.declare(cython.double, -0.8)  # cosine: a bot between the beginning of the run-up and the start
LEAVE = cython.declare(cython.double, 32.0)  # units before the start at which a bot jumps
PRESSED = cython.declare(cython.double, 0.7071067811865476)  # part of the wished speed while the jump key is down: √½
PASSED = cython.declare(cython.double, 24.0)  # units to the end of a jump at which a bot in the air stops pushing,
BACKWARDS = cython.declare(cython.double, -0.5)  # if the end is behind it: cosine
BACK_DROP = cython.declare(cython.double, 20.0)  # units: a deeper drop behind the start is a gap
DEEP = cython.declare(cython.double, 48.0)  # units below a start down to which its ground is looked for

AT_START = cython.declare(cython.double, 10.0)  # units to the start of a walk at which a bot turns to its end
AT_FOOT = cython.declare(cython.double, 9.0)  # units to the start of a barrier jump at which a bot jumps
CLIMBING = cython.declare(cython.double, 6.0)  # speed per unit of distance to it,
CLIMB_FAR = cython.declare(cython.double, 60.0)  # up to this many units
RISING = cython.declare(cython.double, 250.0)  # units/s upwards below which a bot that jumped pushes to the end
LOOK = cython.declare(cython.double, 8.0)  # units between the places at which a walking bot looks for a gap,
LOOK_FAR = cython.declare(cython.double, 100.0)  # up to this many units ahead
GAP_DROP = cython.declare(cython.double, 26.0)  # units by which the floor falls at a gap: a step and 8
CREEPING = cython.declare(cython.double, 40.0)  # speed of a bot at the rim of a gap, and 2 more for each unit before it
DUCKS = cython.declare(cython.double, 20.0)  # units to the start at which a bot crouches for a low target

AHEAD = cython.declare(cython.double, 128.0)  # units beyond a landing up to which its room is measured
ROUND = cython.declare(cython.double, 48.0)  # units beside the end, along both axes, at which bots that miss come down
ABYSS = cython.declare(cython.double, 8192.0)  # units: nobody falls deeper
RING = cython.declare(cython.double, 24.0)  # units between the places around a walk at which danger is looked for,
RINGS = cython.declare(cython.int, 2)  # so many in each direction
STRAYS = cython.declare(cython.int, -1)  # a bot leaves the source on foot before it has taken the link
NOTHING = cython.declare(cython.int, 0)  # what a miss costs: numbers of model.links.MissCost
TIME_LOST = cython.declare(cython.int, 1)
LIFE = cython.declare(cython.int, 2)

LONGEST = cython.declare(cython.int, 60)  # decisions after which a bot counts as late
SETTLES = cython.declare(cython.int, 4)  # decisions after the landing during which a bot must not fall off,
AT_GOAL = cython.declare(cython.double, 4.0)  # speed per unit of distance at which it goes to a goal
BESIDE = cython.declare(cython.int, 6)  # decisions during which a bot that landed elsewhere may run to the target
RUN_IN = cython.declare(cython.double, 128.0)  # units before the start, at most, at which a simulated bot appears
STEP = cython.declare(cython.double, 18.0)  # units above a place at which the ground below it is looked for
CAME = cython.declare(cython.int, 1024)  # ways of coming that are remembered at most: a power of 2


@cython.final
@cython.cclass
class Bot(Follower):
    """Bots of one thread."""

    def __init__(self, mover, traits, physics):
        Follower.__init__(self, mover, traits, physics)
        self.gravity = physics.gravity
        self.pad = traits.pad
        self.deadly = traits.deadly
        self.came_row = np.empty(CAME, np.intc)
        self.came = np.empty((CAME, 6))

    def ready(self, link, x, y, z, vx, vy):
        """Put a bot at a place on the ground, with a velocity, before it takes a link."""
        self.mover.reset()
        self.find_run_up(link)
        self.thrown = False
        self.flown = False
        self.passes = False
        self.room = -1.0
        self.mover.reset()
        self.mover.frame_time = FRAME
        self.mover.max_time = FRAME if link.kind == THROW else TICK
        self.mover.stop = LAVA | SLIME | HURT
        if not self.trigger[link.source]:
            self.mover.stop |= JUMP_PAD | TELEPORTER
        self.mover.x = x
        self.mover.y = y
        self.mover.z = z
        self.mover.vx = vx
        self.mover.vy = vy
        self.mover.vz = 0.0
        self.mover.on_ground = True
        self.mover.water_level = 0
        if link.kind == WALK or link.kind == LOW:
            self.mover.flags |= LEVEL
        if self.is_low(link.source):
            self.mover.flags |= CROUCH

    def take(self, link, onward, x, y, z, vx, vy):
        """Let a bot at a place, with a velocity, take a link. Return the reason why it fails, ARRIVES or STRAYS.

        A bot that lands in the target has to stay on it for a while, going on to the link ``onward``. A bot that is
        thrown to a target in the air, for an item that hangs there, has to pass it.
        """
        n: cython.int
        landed: cython.int = 0
        beside: cython.int = 0
        deadly: cython.uint = LAVA | SLIME | HURT
        self.ready(link, x, y, z, vx, vy)
        taken: cython.uint = self.mover.stop & ~deadly
        for n in range(LONGEST):
            self.mover.flags &= ~JUMP
            if landed > 0:
                self.run_on(link, onward)
            elif beside > 0:
                self.go(link.ex, link.ey, FULL)
            else:
                self.think(link)
            self.move_on(link)
            if self.mover.seen & START_SOLID:
                return STRAYS
            if self.mover.seen & deadly:
                return HARMED
            if self.mover.seen & taken or (self.flown and self.in_other_trigger(link)):
                return ARRIVES if landed > 0 or self.is_taken_to(link.target) else TAKEN
            if self.passes:
                return ARRIVES
            if self.mover.on_ground or self.mover.water_level > 1:
                if self.mover.area == link.target:
                    if link.kind <= CLIMB:
                        return ARRIVES
                    if landed == 0:
                        self.measure_landing()
                    landed += 1
                    if landed > SETTLES or self.mover.water_level > 1:
                        return ARRIVES
                elif landed > 0:
                    return ARRIVES  # it landed in the target and ran on from there
                elif self.mover.area != link.source and (link.kind != THROW or self.flown):
                    # It stands elsewhere, and will look for another link, mostly into the target.
                    if not self.flown and self.mover.z >= link.sz - DEEP:
                        return STRAYS
                    beside += 1
                    if beside > BESIDE:
                        return LATE
        return ARRIVES if landed > 0 else LATE

    def run_on(self, link, onward):
        """After a landing: go to the start of the next link; without one, to the end of this link as to a goal."""
        if onward.kind < 0:
            self.go(link.ex, link.ey, AT_GOAL * self.distance(link.ex, link.ey))
        elif onward.kind == WALK or onward.kind == LOW:
            self.walking(onward)
        else:
            self.go(onward.sx, onward.sy, FULL)

    def comes_by(self, onto, phase):
        """Let a bot take a link until it decides in its target, where it will take another. It begins at the start, or
        ``phase`` of the way between two decisions before it, running. Return whether it comes there."""
        n: cython.int
        dx: cython.double = onto.ex - onto.sx
        dy: cython.double = onto.ey - onto.sy
        far: cython.double = sqrt(dx * dx + dy * dy)
        v: cython.double = self.speed / far if far > 0.0 and onto.kind != CLIMB else 0.0
        x: cython.double = onto.sx - phase * TICK * v * dx
        y: cython.double = onto.sy - phase * TICK * v * dy
        if not self.stands(x, y, onto.sz) or self.mover.sampler.end_area != onto.source:
            x = onto.sx
            y = onto.sy
            if not self.stands(x, y, onto.sz):
                return False
        self.ready(onto, x, y, self.mover.sampler.z, v * dx, v * dy)
        for n in range(LONGEST):
            self.mover.flags &= ~JUMP
            self.think(onto)
            self.move_on(onto)
            if self.mover.seen & (self.mover.stop | START_SOLID):
                return False
            if self.mover.on_ground or self.mover.water_level > 1:
                if self.mover.area != onto.source:
                    return self.mover.area == onto.target
        return False

    def comes(self, onto, origin, k):
        """Whether bot k comes by its link. Links out of one area have the same links before them, so bots that come
        alike are simulated once."""
        slot: cython.int = self.came_slot(onto, origin, k)
        if self.came_row[slot] < 0 or not comes_alike(onto, origin, self.came_row[slot], k):
            self.came[slot, 0] = self.comes_by(attempt_of(onto, origin, k), origin[k, 6])
            self.came[slot, 1] = self.mover.x
            self.came[slot, 2] = self.mover.y
            self.came[slot, 3] = self.mover.z
            self.came[slot, 4] = self.mover.vx
            self.came[slot, 5] = self.mover.vy
            self.came_row[slot] = k
        self.mover.x = self.came[slot, 1]
        self.mover.y = self.came[slot, 2]
        self.mover.z = self.came[slot, 3]
        self.mover.vx = self.came[slot, 4]
        self.mover.vy = self.came[slot, 5]
        return self.came[slot, 0] != 0.0

    def came_slot(self, onto, origin, k):
        """Where the way in which bot k comes is remembered."""
        h: cython.longlong = cython.cast(cython.longlong, onto[k, 0]) * 73856093
        h ^= cython.cast(cython.longlong, onto[k, 1]) * 19349663
        h ^= cython.cast(cython.longlong, origin[k, 0] + origin[k, 1]) * 83492791
        h ^= cython.cast(cython.longlong, origin[k, 6] * 64.0) * 15485863
        return cython.cast(cython.int, (h ^ (h >> 17)) & (CAME - 1))

    def stands(self, x, y, z):
        """Whether there is ground at a place. The sampler has its height and area."""
        return self.mover.sampler.trace(x, y, z + STEP, x, y, z - DEEP, 0xFFFFFFFF)

    def measure_landing(self):
        """Keep the horizontal speed of a landing, and how far the ground goes on in the direction of it."""
        n: cython.int
        x: cython.double
        y: cython.double
        vx: cython.double = self.mover.vx
        vy: cython.double = self.mover.vy
        self.land_speed = sqrt(vx * vx + vy * vy)
        self.room = AHEAD
        if self.land_speed <= 0.0 or self.mover.water_level > 1:
            return
        for n in range(1, cython.cast(cython.int, AHEAD / LOOK) + 1):
            x = self.mover.x + n * LOOK * vx / self.land_speed
            y = self.mover.y + n * LOOK * vy / self.land_speed
            if self.is_gap(x, y, self.mover.z):
                self.room = (n - 1) * LOOK
                return
            if self.mover.sampler.start_solid:
                return  # a wall holds the bot

    def is_gap(self, x, y, z):
        """Whether the floor at a place is deeper below a height than a bot walks down. Water is no gap, and a wall is
        none: there, the trace starts in solid."""
        if self.mover.sampler.trace(x, y, z + STEP, x, y, z - GAP_DROP, 0xFFFFFFFF):
            return False
        return self.mover.sampler.end_area < 0 or self.liquid[self.mover.sampler.end_area] == 0

    def is_safe(self, sx, sy, sz):
        """Whether the floor goes on all round a place, up to walls, without hazards and triggers."""
        n: cython.int
        k: cython.int
        x: cython.double
        y: cython.double
        px: cython.double
        py: cython.double
        z: cython.double
        for n in range(9):
            px = sx
            py = sy
            z = sz
            for k in range(RINGS if n != 4 else 0):
                x = px + RING * (n // 3 - 1)
                y = py + RING * (n % 3 - 1)
                if self.mover.sampler.trace(px, py, z + STEP, x, y, z + STEP, 0xFFFFFFFF):
                    break
                if not self.mover.sampler.trace(x, y, z + STEP, x, y, z - GAP_DROP, 0xFFFFFFFF):
                    return False
                if self.trigger[self.mover.sampler.end_area] or self.deadly[self.mover.sampler.end_area]:
                    return False
                px = x
                py = y
                z = self.mover.sampler.z
        return True

    def miss_beside(self, link):
        """What it costs to come down beside the end of a link, at worst."""
        n: cython.int
        k: cython.int
        x: cython.double
        y: cython.double
        z: cython.double = link.ez + STEP
        hit: cython.bint
        cost: cython.int = NOTHING
        for n in range(9):
            x = link.ex + ROUND * (n // 3 - 1)
            y = link.ey + ROUND * (n % 3 - 1)
            if self.mover.sampler.trace(link.ex, link.ey, z, x, y, z, 0xFFFFFFFF):
                continue
            hit = self.mover.sampler.trace(x, y, z, x, y, z - ABYSS, 0xFFFFFFFF)
            if hit and self.mover.sampler.z >= link.ez - STEP:
                continue
            cost = max(cost, TIME_LOST if hit else LIFE)
            for k in range(self.mover.sampler.passed_count):
                if self.mover.sampler.passed_area[k] >= 0 and self.deadly[self.mover.sampler.passed_area[k]]:
                    cost = LIFE
        return cost

    def move_on(self, link):
        """Move until the next decision. A jump pad sets the velocity at the end of every frame that ends in it: in the
        next frame a player who still stands on a ramp is slowed by friction."""
        n: cython.int
        for n in range(2 if link.kind == THROW else 1):  # frames, or the time between two decisions
            self.mover.run(self.mover.x, self.mover.y, self.mover.z, self.mover.vx, self.mover.vy, self.mover.vz)
            if self.mover.seen & self.mover.stop:
                return
            if link.kind == THROW and self.in_pad(link):
                self.thrown = True
                self.mover.vx = link.vx
                self.mover.vy = link.vy
                self.mover.vz = link.vz
                self.flown = False
            elif not self.mover.on_ground and (self.thrown or link.kind == LEAP or link.kind == LEDGE):
                self.flown = True
                if self.mover.area == link.target and not self.ground[link.target] and not self.liquid[link.target]:
                    self.passes = True

    def in_pad(self, link):
        """Whether the bot touches the jump pad of a link."""
        return self.mover.area >= 0 and self.pad[self.mover.area] == self.pad[link.source]

    def in_other_trigger(self, link):
        """Whether a bot that was thrown is in another pad or a teleporter, which takes it away."""
        return link.kind == THROW and self.mover.area >= 0 and self.trigger[self.mover.area] and not self.in_pad(link)

    def is_taken_to(self, target):
        """Whether the bot is in the target, or in the same jump pad or teleporter."""
        return self.mover.area == target or (self.pad[target] >= 0 and self.pad[self.mover.area] == self.pad[target])

    def go(self, x, y, speed):
        """Wish to go to a place at a speed on the bots' scale."""
        dx: cython.double = x - self.mover.x
        dy: cython.double = y - self.mover.y
        far: cython.double = sqrt(dx * dx + dy * dy)
        if far > 0.0:
            self.mover.wish(dx / far, dy / far, 0.0, min(speed, FULL) / FULL * self.speed)
        else:
            self.mover.wish(0.0, 0.0, 0.0, 0.0)

    def distance(self, x, y):
        """Horizontal distance of the bot to a place."""
        return sqrt((x - self.mover.x) ** 2 + (y - self.mover.y) ** 2)

    def jump(self):
        """Press the jump key until the next decision. The game takes the three directions of a wish together, so that
        the player pushes less sideways."""
        self.mover.flags |= JUMP
        self.mover.jump_time = 0.0
        self.mover.wish_speed *= PRESSED

    def think(self, link):
        """Decide where to go next, how fast, and whether to jump."""
        if link.kind == LEDGE:
            if self.mover.on_ground:
                self.off_ledge(link)
            else:
                self.falling(link, BEYOND)
        elif link.kind == WALK or link.kind == LOW:
            self.walking(link)
        elif link.kind == CLIMB:
            self.climbing(link)
        elif link.kind == THROW:
            if self.thrown:
                self.falling(link, 0.0)
            else:
                self.go(link.sx, link.sy, FULL)
        elif self.mover.on_ground:
            self.leaping(link)
        elif self.running and not self.has_passed(link):
            self.go(link.ex, link.ey, FULL)
        else:
            self.mover.wish(0.0, 0.0, 0.0, 0.0)

    def walking(self, link):
        """Run to the start, then to the end; slowly before a gap."""
        dx: cython.double = link.sx - self.mover.x
        dy: cython.double = link.sy - self.mover.y
        far: cython.double = sqrt(dx * dx + dy * dy)
        x: cython.double = link.sx
        y: cython.double = link.sy
        speed: cython.double = FULL
        if self.is_low(link.target) and far < DUCKS:
            self.mover.flags |= CROUCH
        if far < AT_START:
            x = link.ex
            y = link.ey
            dx = x - self.mover.x
            dy = y - self.mover.y
            far = sqrt(dx * dx + dy * dy)
        if far > 0.0 and self.mover.on_ground:
            speed = self.before_gaps(dx / far, dy / far)
        self.go(x, y, speed)

    def before_gaps(self, dx, dy):
        """Speed of a walk in a direction: slow before a gap. Behind a wall bots look for gaps, too, but not behind
        water."""
        n: cython.int
        x: cython.double
        y: cython.double
        z: cython.double = self.mover.z
        far: cython.double = LOOK * cython.cast(cython.int, LOOK_FAR / LOOK)
        area: cython.int = self.mover.area
        # From ground to ground of one area there is no gap.
        if (
            area >= 0
            and self.ground[area]
            and self.mover.sampler.area_at(self.mover.x + far * dx, self.mover.y + far * dy, z) == area
        ):
            return FULL
        for n in range(1, cython.cast(cython.int, LOOK_FAR / LOOK) + 1):
            x = self.mover.x + n * LOOK * dx
            y = self.mover.y + n * LOOK * dy
            if self.is_gap(x, y, z):
                return CREEPING + 2.0 * n * LOOK
            if not self.mover.sampler.start_solid:
                if self.mover.sampler.fraction >= 1.0:
                    return FULL
                z = self.mover.sampler.z
        return FULL

    def climbing(self, link):
        """Before a barrier: go to the start and jump there. In the air: push to the end once the jump slows down."""
        far: cython.double = self.distance(link.sx, link.sy)
        if not self.mover.on_ground:
            if self.mover.vz < RISING:
                self.go(link.ex, link.ey, FULL)
            else:
                self.mover.wish(0.0, 0.0, 0.0, 0.0)
            return
        self.go(link.sx, link.sy, CLIMBING * min(far, CLIMB_FAR))
        if far < AT_FOOT:
            self.jump()

    def off_ledge(self, link):
        """On the ground before a fall: run to the start, then to the end at the speed of the fall."""
        far: cython.double = self.distance(link.sx, link.sy)
        across: cython.double = sqrt((link.ex - link.sx) ** 2 + (link.ey - link.sy) ** 2)
        if far < TURN:
            self.go(link.ex, link.ey, SLOW if across < NEAR else self.speed_of_fall(link))
        elif across < NEAR:
            self.go(link.sx, link.sy, FULL - (256.0 - 4.0 * min(far, 64.0)))
        else:
            self.go(link.sx, link.sy, FULL)

    def speed_of_fall(self, link):
        """Speed, in units per second, with which a fall without steering leads to the link's end; FULL if no speed does.

        A bot uses this number as a speed on its own scale, so it runs slower than that.
        """
        drop: cython.double = link.sz - link.ez
        if drop <= 0.0:
            return FULL
        v: cython.double = sqrt((link.ex - link.sx) ** 2 + (link.ey - link.sy) ** 2) / sqrt(2.0 * drop / self.gravity)
        return FULL if v > self.speed else v

    def falling(self, link, beyond):
        """In the air: steer so that the flight ends ``beyond`` units past the end."""
        n: cython.int
        dx: cython.double = link.ex - self.mover.x
        dy: cython.double = link.ey - self.mover.y
        far: cython.double = sqrt(dx * dx + dy * dy)
        ax: cython.double = link.ex
        ay: cython.double = link.ey
        if far > beyond:
            ax += beyond * dx / far
            ay += beyond * dy / far
        x: cython.double = self.mover.x
        y: cython.double = self.mover.y
        z: cython.double = self.mover.z
        vz: cython.double = TICK * self.mover.vz
        share: cython.double
        for n in range(FLIGHT):
            vz -= self.gravity * TICK * TICK
            if vz < 0.0 and z + vz < link.ez:
                share = (link.ez - z) / vz
                x += share * TICK * self.mover.vx
                y += share * TICK * self.mover.vy
                far = sqrt((ax - x) ** 2 + (ay - y) ** 2)
                self.go(self.mover.x + ax - x, self.mover.y + ay - y, GAIN * min(far, MISS))
                return
            x += TICK * self.mover.vx
            y += TICK * self.mover.vy
            z += vz
        self.go(link.ex, link.ey, FULL)

    def find_run_up(self, link):
        """Find where a bot begins its run-up to a jump: behind the start, as far as the area extends.

        The direction is where a player comes who pushes backwards for a decision's time and then slides on: along a
        wall, too. If that player comes to a gap, lava or slime, there is no run-up.
        """
        dx: cython.double = link.sx - link.ex
        dy: cython.double = link.sy - link.ey
        far: cython.double = sqrt(dx * dx + dy * dy)
        self.running = False
        self.run_x = link.sx
        self.run_y = link.sy
        if link.kind != LEAP or far <= 0.0:
            return
        self.mover.frame_time = TICK
        self.mover.max_time = TICK
        self.mover.gap_depth = BACK_DROP
        self.mover.stop = GAP | LAVA | SLIME | START_SOLID
        self.mover.wish(dx / far, dy / far, 0.0, self.speed)
        self.mover.run(link.sx, link.sy, link.sz, 0.0, 0.0, 0.0)
        if self.mover.stopped & self.mover.stop:
            return
        self.mover.wish(0.0, 0.0, 0.0, 0.0)
        self.mover.run(self.mover.x, self.mover.y, self.mover.z, self.mover.vx, self.mover.vy, self.mover.vz)
        if self.mover.stopped & self.mover.stop:
            return
        dx = self.mover.x - link.sx
        dy = self.mover.y - link.sy
        far = sqrt(dx * dx + dy * dy)
        if far <= 0.0:
            return
        dx /= far
        dy /= far
        far = 0.0
        while (
            far < RUN
            and self.mover.sampler.area_at(link.sx + (far + PACE) * dx, link.sy + (far + PACE) * dy, link.sz + 2.0)
            == link.source
        ):
            far += PACE
        self.run_x += far * dx
        self.run_y += far * dy

    def has_passed(self, link):
        """Whether a bot in the air has just passed the end of a jump, so that it stops pushing."""
        dx: cython.double = link.ex - self.mover.x
        dy: cython.double = link.ey - self.mover.y
        ax: cython.double = link.ex - link.sx
        ay: cython.double = link.ey - link.sy
        far: cython.double = sqrt(dx * dx + dy * dy)
        return far < PASSED and dx * ax + dy * ay < BACKWARDS * far * sqrt(ax * ax + ay * ay)

    def leaping(self, link):
        """On the ground before a jump: go to the beginning of the run-up, then run to the end and jump near the start."""
        ax: cython.double = self.mover.x - link.sx
        ay: cython.double = self.mover.y - link.sy
        bx: cython.double = self.mover.x - self.run_x
        by: cython.double = self.mover.y - self.run_y
        a: cython.double = sqrt(ax * ax + ay * ay)
        b: cython.double = sqrt(bx * bx + by * by)
        if b < AT_RUN or ax * bx + ay * by < BEHIND * a * b:
            self.running = True
            self.go(link.ex, link.ey, FULL)
            if a < LEAVE:
                self.jump()
        else:
            self.go(self.run_x, self.run_y, SLOWING * min(b, RUN))

    def appear(self, link, x, y, z, vx, vy, phase):
        """Put a bot on the ground of the source, or before a jump pad: at a place with a velocity, or on the line from
        there to the start of a link, running. ``phase``: part of a decision's time that has passed. Return whether there
        is such ground."""
        dx: cython.double = link.sx - x
        dy: cython.double = link.sy - y
        far: cython.double = sqrt(dx * dx + dy * dy)
        share: cython.double
        if far > RUN_IN:
            share = (far - RUN_IN + phase * TICK * self.speed) / far
            vx = self.speed * dx / far
            vy = self.speed * dy / far
            x += share * dx
            y += share * dy
            z += share * (link.sz - z)
        else:
            x += phase * TICK * vx
            y += phase * TICK * vy
        if not self.stands(x, y, z):
            return False
        self.mover.x = x
        self.mover.y = y
        self.mover.z = self.mover.sampler.z
        self.mover.vx = vx
        self.mover.vy = vy
        return self.mover.sampler.end_area == link.source or link.kind == THROW

    def tries(
        self,
        number: cython.int[:, ::1],
        place: cython.double[:, ::1],
        begin: cython.longlong[::1],
        onto: cython.int[:, ::1],
        origin: cython.double[:, ::1],
        sure: cython.uchar[::1],
        then: cython.int[:, ::1],
        beyond: cython.double[:, ::1],
        first: cython.int,
        last: cython.int,
        out: cython.int[:, ::1],
    ):
        """Let bots take the links first..last−1: rows as for ``Follower.replays``. They come by the links
        ``onto[begin[i] : begin[i + 1]]`` with the starts and ends ``origin``; where these have no travel type, from the
        places and with the velocities (x and y) ``origin``. Those that are ``sure`` to arrive need not try. After a
        landing they go on to the links ``then`` with the starts and ends ``beyond``.

        ``out``: how many took each, arrived, and were harmed; the least room and the highest speed of a landing in units
        and units/s, −1 without one; what a miss costs at worst.
        """
        i: cython.int
        k: cython.int
        why: cython.int
        link: Attempt
        self.came_row[:] = -1
        with cython.nogil:
            for i in range(first, last):
                link = attempt_of(number, place, i)
                out[i, 3] = -1
                out[i, 4] = -1
                out[i, 5] = self.miss_beside(link) if link.kind > CLIMB else NOTHING
                for k in range(cython.cast(cython.int, begin[i]), cython.cast(cython.int, begin[i + 1])):
                    if sure[k]:
                        out[i, 0] += 1
                        out[i, 1] += 1
                        continue
                    if onto[k, 2] >= 0:
                        if not self.comes(onto, origin, k):
                            continue
                    elif not self.appear(
                        link, origin[k, 0], origin[k, 1], origin[k, 2], origin[k, 3], origin[k, 4], origin[k, 6]
                    ):
                        continue
                    why = self.take(
                        link,
                        attempt_of(then, beyond, k),
                        self.mover.x,
                        self.mover.y,
                        self.mover.z,
                        self.mover.vx,
                        self.mover.vy,
                    )
                    if why == STRAYS:
                        continue
                    out[i, 0] += 1
                    if why == ARRIVES:
                        out[i, 1] += 1
                    else:
                        out[i, 5] = max(out[i, 5], LIFE if why == HARMED else TIME_LOST)
                    if why == HARMED:
                        out[i, 2] += 1
                    if self.room >= 0.0:
                        if out[i, 3] < 0 or self.room < out[i, 3]:
                            out[i, 3] = cython.cast(cython.int, self.room)
                        out[i, 4] = max(out[i, 4], cython.cast(cython.int, self.land_speed))

    def safe_places(self, place: cython.double[:, ::1], first: cython.int, last: cython.int, out: cython.uchar[::1]):
        """``out``: whether the places first..last−1 are safe, as in ``is_safe``."""
        i: cython.int
        with cython.nogil:
            for i in range(first, last):
                out[i] = self.is_safe(place[i, 0], place[i, 1], place[i, 2])


def comes_alike(onto, origin, i, k):
    """Whether two bots come by the same link at the same moment."""
    n: cython.int
    for n in range(3):
        if onto[i, n] != onto[k, n]:
            return False
    for n in range(7):
        if origin[i, n] != origin[k, n]:
            return False
    return True
