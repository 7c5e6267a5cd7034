# mypy: ignore-errors
"""Simulates the engine's bots on jumps, falls and jump pads: how they run up, turn, slow down, aim and steer.

A bot decides every tenth of a second, and holds its direction and speed until the next decision. Its speeds are on a
scale of 400 for the full speed of a player. docs/bots.md lists the rules and constants, which are those of the engine.

A follower takes a link from its start; a bot comes running from elsewhere in the area. ``tries`` lets several bots take a
link, from different places and at different moments of their decisions, and counts those that arrive and those that die.
"""

import cython
from cython.cimports.aascompile.player.follow_kernel import (
    ARRIVES,
    HARMED,
    LATE,
    START_BLOCKED,
    TAKEN,
    Attempt,
    attempt_of,
)
from cython.cimports.aascompile.player.move_kernel import (
    GAP,
    HURT,
    JUMP,
    JUMP_PAD,
    LAVA,
    SLIME,
    START_SOLID,
    TELEPORTER,
)
from cython.cimports.libc.math import sqrt

LEAP = cython.declare(cython.int, 5)  # travel types of model.links
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
LEAVE = cython.declare(cython.double, 32.0)  # units before the start at which a bot jumps, a frame later,
AT_ONCE = cython.declare(cython.double, 24.0)  # and at which it jumps at once
BARRIER = cython.declare(cython.double, 33.0)  # units: the highest barrier; a gap is DEEP units deeper
DEEP = cython.declare(cython.double, 48.0)

LONGEST = cython.declare(cython.int, 60)  # decisions after which a bot counts as late
SETTLES = cython.declare(cython.int, 4)  # decisions after the landing during which a bot must not fall off
RUN_IN = cython.declare(cython.double, 128.0)  # units before the start, at most, at which a simulated bot appears
STEP = cython.declare(cython.double, 18.0)  # units above a place at which the ground below it is looked for
PHASES = cython.declare(cython.int, 3)  # moments, within the time between two decisions, at which bots begin


@cython.final
@cython.cclass
class Bot(Follower):
    """Bots of one thread."""

    def __init__(self, mover, traits, physics):
        Follower.__init__(self, mover, traits, physics)
        self.gravity = physics.gravity
        self.pad = traits.pad

    def take(self, link, x, y, z, vx, vy):
        """Let a bot at a place, with a velocity, take a link. Return the reason why it fails, or ARRIVES.

        A bot that lands in the target has to stay on it for a while, running to the end of the link.
        """
        n: cython.int
        landed: cython.int = 0
        deadly: cython.uint = LAVA | SLIME | HURT
        taken: cython.uint = 0 if self.trigger[link.source] else JUMP_PAD | TELEPORTER
        self.mover.reset()
        self.find_run_up(link)
        self.thrown = False
        self.flown = False
        self.mover.reset()
        self.mover.frame_time = FRAME
        self.mover.max_time = FRAME if link.kind == THROW else TICK
        self.mover.stop = deadly | taken
        self.mover.x = x
        self.mover.y = y
        self.mover.z = z
        self.mover.vx = vx
        self.mover.vy = vy
        self.mover.vz = 0.0
        self.mover.on_ground = True
        self.mover.water_level = 0
        for n in range(LONGEST):
            self.mover.flags &= ~JUMP
            if landed > 0:
                self.go(link.ex, link.ey, FULL)
            else:
                self.think(link)
            self.move_on(link)
            if self.mover.seen & START_SOLID:
                return START_BLOCKED
            if self.mover.seen & deadly:
                return HARMED
            if self.mover.seen & taken:
                return ARRIVES if self.mover.area == link.target else TAKEN
            if self.mover.on_ground or self.mover.water_level > 1:
                if self.mover.area == link.target:
                    landed += 1
                    if landed > SETTLES or self.mover.water_level > 1:
                        return ARRIVES
                elif landed > 0:
                    return ARRIVES  # it landed in the target and ran on from there
                elif self.mover.area != link.source and (link.kind != THROW or self.flown):
                    return LATE  # it stands elsewhere, and will look for another link
        return ARRIVES if landed > 0 else LATE

    def move_on(self, link):
        """Move until the next decision. A jump pad sets the velocity at the end of every frame that ends in it: in the
        next frame a player who still stands on a ramp is slowed by friction."""
        n: cython.int
        for n in range(2 if link.kind == THROW else 1):
            self.mover.run(self.mover.x, self.mover.y, self.mover.z, self.mover.vx, self.mover.vy, self.mover.vz)
            if self.mover.seen & self.mover.stop:
                return
            if link.kind == THROW and self.in_pad(link):
                self.thrown = True
                self.mover.vx = link.vx
                self.mover.vy = link.vy
                self.mover.vz = link.vz
                self.flown = False
            elif self.thrown and not self.mover.on_ground:
                self.flown = True

    def in_pad(self, link):
        """Whether the bot touches the jump pad of a link."""
        return self.mover.area >= 0 and self.pad[self.mover.area] == self.pad[link.source]

    def go(self, x, y, speed):
        """Wish to go to a place at a speed on the bots' scale."""
        dx: cython.double = x - self.mover.x
        dy: cython.double = y - self.mover.y
        far: cython.double = sqrt(dx * dx + dy * dy)
        if far > 0.0:
            self.mover.wish(dx / far, dy / far, 0.0, min(speed, FULL) / FULL * self.speed)
        else:
            self.mover.wish(0.0, 0.0, 0.0, 0.0)

    def think(self, link):
        """Decide where to go next, how fast, and whether to jump."""
        if link.kind == LEDGE:
            if self.mover.on_ground:
                self.off_ledge(link)
            else:
                self.falling(link, BEYOND)
        elif link.kind == THROW:
            if self.thrown:
                self.falling(link, 0.0)
            else:
                self.go(link.sx, link.sy, FULL)
        elif self.mover.on_ground:
            self.leaping(link)
        elif self.running:
            self.go(link.ex, link.ey, FULL)
        else:
            self.mover.wish(0.0, 0.0, 0.0, 0.0)

    def off_ledge(self, link):
        """On the ground before a fall: run to the start, then to the end at the speed of the fall."""
        far: cython.double = sqrt((link.sx - self.mover.x) ** 2 + (link.sy - self.mover.y) ** 2)
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
        """Find where a bot begins its run-up to a jump: straight behind the start, as far as the area extends, unless a
        player who walks backwards comes to a gap."""
        far: cython.double = sqrt((link.ex - link.sx) ** 2 + (link.ey - link.sy) ** 2)
        self.running = False
        self.run_x = link.sx
        self.run_y = link.sy
        if link.kind != LEAP or far <= 0.0:
            return
        dx: cython.double = (link.sx - link.ex) / far
        dy: cython.double = (link.sy - link.ey) / far
        self.mover.frame_time = TICK
        self.mover.max_time = 2.0 * TICK
        self.mover.gap_depth = DEEP + BARRIER
        self.mover.stop = GAP | LAVA | SLIME
        self.mover.wish(dx, dy, 0.0, self.speed)
        self.mover.run(link.sx, link.sy, link.sz, 0.0, 0.0, 0.0)
        if self.mover.seen & (GAP | LAVA | SLIME | START_SOLID):
            return
        far = 0.0
        while (
            far < RUN
            and self.mover.sampler.area_at(link.sx + (far + PACE) * dx, link.sy + (far + PACE) * dy, link.sz + 2.0)
            == link.source
        ):
            far += PACE
        self.run_x += far * dx
        self.run_y += far * dy

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
                self.mover.flags |= JUMP
                self.mover.jump_time = 0.0 if a < AT_ONCE else FRAME
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
        if not self.mover.sampler.trace(x, y, z + STEP, x, y, z - DEEP, 0xFFFFFFFF):
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
        origin: cython.double[:, ::1],
        first: cython.int,
        last: cython.int,
        out: cython.int[:, ::1],
    ):
        """Let bots take the links first..last−1: rows as for ``Follower.replays``. They come from the places
        and with the velocities (x and y) ``origin[begin[i] : begin[i + 1]]``.

        ``out``: how many tried each, how many arrived, and how many were harmed.
        """
        i: cython.int
        k: cython.int
        phase: cython.int
        why: cython.int
        link: Attempt
        with cython.nogil:
            for i in range(first, last):
                link = attempt_of(number, place, i)
                for k in range(cython.cast(cython.int, begin[i]), cython.cast(cython.int, begin[i + 1])):
                    for phase in range(PHASES):
                        if not self.appear(
                            link, origin[k, 0], origin[k, 1], origin[k, 2], origin[k, 3], origin[k, 4],
                            cython.cast(cython.double, phase) / PHASES,
                        ):  # fmt: skip
                            continue
                        why = self.take(link, self.mover.x, self.mover.y, self.mover.z, self.mover.vx, self.mover.vy)
                        out[i, 0] += 1
                        if why == ARRIVES:
                            out[i, 1] += 1
                        elif why == HARMED:
                            out[i, 2] += 1
