# mypy: ignore-errors
"""Simulates players who gain speed for a jump by turning: circle jumps and strafe jumps, in frames of 8 ms.

The game accelerates a player along the wished direction, up to the wished speed *in that direction*. A player who wishes
to go aside of the own velocity is slow in that direction, however fast, and gains speed in every frame. The best angle
leaves just the gain of one frame between the velocity along the wish and the wished speed.

    circle jump   on the ground: turn for 0.4 s at the best angle, against friction, then jump. 405 units/s.
    hop           a jump on the way to the rim, turning at the best angle all the time, and the next jump at once, so that
                  there is no friction. 553, 667 and 764 units/s after one, two and three hops.
    flight        the last jump, from the rim. The player gains as much in it, unless the flight would end too far.

A run-up begins at rest. Where it has to begin is known from the same movement on an endless level floor (``on_level``).
Then it is simulated on the floor that is there, with both sides to turn to, and several directions of the run-up.
"""

import cython
import numpy as np
from cython.cimports.aascompile.player.follow_kernel import (
    ARRIVES,
    HARMED,
    LATE,
    START_BLOCKED,
    TAKEN,
    Attempt,
    Follower,
    attempt_of,
)
from cython.cimports.aascompile.player.move_kernel import HURT, JUMP_PAD, LAVA, SLIME, TELEPORTER
from cython.cimports.libc.math import acos, atan2, cos, pi, sin, sqrt

FRAME = cython.declare(cython.double, 1.0 / 125.0)  # seconds: the game draws and moves 125 frames a second
CIRCLE = cython.declare(cython.int, 48)  # frames of turning on the ground before a circle jump
MOST_HOPS = cython.declare(cython.int, 3)  # before the last jump
SWING = cython.declare(cython.double, 9.5 * pi / 180.0)  # radians that a hop turns to either side of its direction,
SWING_LAST = cython.declare(cython.double, 4.0 * pi / 180.0)  # and the flight, which must end in the right place
SHORT = cython.declare(cython.double, 3.0)  # units before the rim at which a circle jump is planned,
SHORT_HOP = cython.declare(cython.double, 8.0)  # and the last landing before the rim
OVER = cython.declare(cython.double, 8.0)  # units past the end at which a flight is long enough
STRAIGHT = cython.declare(cython.double, 160.0)  # units of a straight run-up
SETTLES = cython.declare(cython.int, 40)  # frames after the landing during which the player brakes and must not fall
LONGEST = cython.declare(cython.double, 8.0)  # seconds
UNEVEN = cython.declare(cython.double, 64.0)  # units that the floor may rise or fall on the way to the rim,
REACHES = cython.declare(cython.double, 1.0)  # and on every unit of it
RISING = cython.declare(cython.double, 10.0)  # units/s upwards: a player who leaves the top of a slope flies
STANDS = cython.declare(cython.double, 1.0)  # units/s: slower is at rest
SLANT = cython.declare(cython.double, 10.0 * pi / 180.0)  # radians between the directions of run-ups that are tried

# Ways to gain speed.
RUN = cython.declare(cython.int, -1)  # a straight run; from 0 on: a circle jump with so many hops


@cython.final
@cython.cclass
class Strafer(Follower):
    """Players of one thread.

    After ``take``: ``why``, and of the last jump: ``off_x`` … where, ``off_vx`` … how fast; ``seconds`` from the rest to
    the landing, ``jumps`` (2: it was a double jump) and ``room``, the units between the beginning of the run-up and the
    rim.
    """

    gravity: cython.double
    friction: cython.double
    stop_speed: cython.double
    on_foot: cython.double  # speed that a frame on the ground adds,
    in_air: cython.double  # and one in the air
    jump_velocity: cython.double

    ahead: cython.double[::1]  # by hops: units that a run-up leads ahead,
    aside: cython.double[::1]  # and to the left, if the player turns left
    turned: cython.double[::1]  # radians by which it turns on the ground
    fast: cython.double[::1]  # speed at its end

    side: cython.double  # 1: turns left, −1: right
    off_x = cython.declare(cython.double, visibility="readonly")
    off_y = cython.declare(cython.double, visibility="readonly")
    off_z = cython.declare(cython.double, visibility="readonly")
    off_vx = cython.declare(cython.double, visibility="readonly")
    off_vy = cython.declare(cython.double, visibility="readonly")
    off_vz = cython.declare(cython.double, visibility="readonly")
    seconds = cython.declare(cython.double, visibility="readonly")
    room = cython.declare(cython.double, visibility="readonly")
    jumps = cython.declare(cython.int, visibility="readonly")

    def __init__(self, mover, traits, physics):
        Follower.__init__(self, mover, traits, physics)
        self.gravity = physics.gravity
        self.friction = physics.friction
        self.stop_speed = physics.stop_speed
        self.on_foot = physics.walk_accelerate * FRAME * physics.walk_speed
        self.in_air = physics.air_accelerate * FRAME * physics.walk_speed
        self.jump_velocity = physics.jump_velocity
        self.ahead = np.zeros(MOST_HOPS + 1)
        self.aside = np.zeros(MOST_HOPS + 1)
        self.turned = np.zeros(MOST_HOPS + 1)
        self.fast = np.zeros(MOST_HOPS + 1)
        hops: cython.int
        for hops in range(MOST_HOPS + 1):
            self.on_level(hops)

    # --- the wish -----------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def best_angle(self, speed: cython.double, gain: cython.double) -> cython.double:
        """Radians between velocity and wish with which a frame gains most; ``gain``: the speed that a frame adds."""
        if speed <= self.speed - gain:
            return 0.0
        return acos((self.speed - gain) / speed)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def after_friction(self, speed: cython.double) -> cython.double:
        """Speed after the friction of a frame on the ground."""
        return max(speed - max(speed, self.stop_speed) * self.friction * FRAME, 0.0) if speed >= STANDS else 0.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def swings(self, off: cython.double, most: cython.double) -> cython.void:
        """Change the side if the velocity has turned past its direction far enough; ``off``: radians still to turn left."""
        if off * self.side < -most:
            self.side = -self.side

    def on_level(self, hops: cython.int):
        """Work out a run-up on an endless level floor, to the left, and record where it leads, seen along its
        direction: that of the velocity at the end of the hops, between their swings."""
        x: cython.double = 0.0
        y: cython.double = 0.0
        z: cython.double = 0.0
        vx: cython.double = 0.0
        vy: cython.double = 0.0
        vz: cython.double = 0.0
        speed: cython.double = 0.0
        angle: cython.double = 0.0
        wish: cython.double
        gain: cython.double
        left: cython.double
        way: cython.double
        n: cython.int
        for n in range(CIRCLE):
            left = self.after_friction(speed)
            wish = angle + self.best_angle(left, self.on_foot)
            gain = min(self.on_foot, self.speed - left * cos(wish - angle))
            vx = left * cos(angle) + gain * cos(wish)
            vy = left * sin(angle) + gain * sin(wish)
            speed = sqrt(vx * vx + vy * vy)
            angle = atan2(vy, vx)
            x += FRAME * vx
            y += FRAME * vy
        self.turned[hops] = angle
        way = angle + SWING
        self.side = 1.0
        for n in range(hops):
            vz = self.jump_velocity
            z = 0.0
            while vz > 0.0 or z > 0.0:
                self.swings(way - angle, SWING)
                wish = angle + self.side * self.best_angle(speed, self.in_air)
                vx = speed * cos(angle) + self.in_air * cos(wish)
                vy = speed * sin(angle) + self.in_air * sin(wish)
                speed = sqrt(vx * vx + vy * vy)
                angle = atan2(vy, vx)
                x += FRAME * vx
                y += FRAME * vy
                z += FRAME * (vz - 0.5 * self.gravity * FRAME)
                vz -= self.gravity * FRAME
        self.ahead[hops] = x * cos(way) + y * sin(way)
        self.aside[hops] = y * cos(way) - x * sin(way)
        self.fast[hops] = speed

    def level(self):
        """(hops + 1,) each: units ahead, units to the left, and the speed at the end of run-ups on a level floor. Needs
        no map."""
        return np.asarray(self.ahead).copy(), np.asarray(self.aside).copy(), np.asarray(self.fast).copy()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def wishes(self, angle: cython.double, speed: cython.double) -> cython.void:
        """Wish to go in a direction."""
        self.mover.want_x = cos(angle)
        self.mover.want_y = sin(angle)
        self.mover.want_z = 0.0
        self.mover.want_speed = speed

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def heading(self) -> cython.double:
        """Direction of the velocity."""
        return atan2(self.mover.vy, self.mover.vx)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pace(self) -> cython.double:
        """Horizontal speed."""
        return sqrt(self.mover.vx * self.mover.vx + self.mover.vy * self.mover.vy)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def strafes(self, way: cython.double, most: cython.double) -> cython.void:
        """In the air: wish to turn to and fro about a direction."""
        self.swings(wrapped(way - self.heading()), most)
        self.wishes(self.heading() + self.side * self.best_angle(self.pace(), self.in_air), self.speed)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def brakes(self) -> cython.void:
        """Wish against the velocity."""
        self.wishes(self.heading() + pi, self.speed if self.pace() > STANDS else 0.0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def flies(self, link: Attempt, way: cython.double, turning: cython.bint) -> cython.void:
        """In the last flight: gain speed towards the end, until the flight is long enough."""
        dx: cython.double = link.ex - self.mover.x
        dy: cython.double = link.ey - self.mover.y
        self.mover.goal_z = link.ez
        t: cython.double = self.mover.time_to_fall()
        over: cython.double = (self.mover.vx * t - dx) * cos(way) + (self.mover.vy * t - dy) * sin(way)
        if over > OVER:
            self.brakes()
        elif turning:
            self.strafes(atan2(dy, dx), SWING_LAST)
        else:
            self.wishes(atan2(dy, dx), self.speed)

    # --- the run ------------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def appears(self, link: Attempt, x: cython.double, y: cython.double) -> cython.bint:
        """Set the mover to rest on the floor at a place. Return whether there is floor, all the way to the link's start."""
        dx: cython.double = x - link.sx
        dy: cython.double = y - link.sy
        far: cython.double = sqrt(dx * dx + dy * dy)
        z: cython.double = link.sz
        gone: cython.double = 0.0
        while gone < far:
            gone = min(gone + 8.0 * REACHES, far)
            if (
                self.mover.sampler.area_at(link.sx + gone / far * dx, link.sy + gone / far * dy, z + self.mover.step)
                < 0
            ):
                return False
            if not self.mover.sampler.trace(
                link.sx + gone / far * dx, link.sy + gone / far * dy, z + self.mover.step,
                link.sx + gone / far * dx, link.sy + gone / far * dy, z - self.mover.step - 1.0, self.standing,
            ) or self.mover.sampler.normal_z < self.mover.floor_up:  # fmt: skip
                return False
            z = self.mover.sampler.z
        if self.is_low(self.mover.sampler.end_area) and far > 0.0:
            return False
        self.mover.vx = self.mover.vy = self.mover.vz = 0.0
        self.room = far
        return (
            self.mover.begin(x, y, z)
            and self.mover.on_ground
            and self.mover.water_level == 0
            and not self.trigger[self.mover.area]
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take(
        self, link: Attempt, hops: cython.int, side: cython.double, slant: cython.double, again: cython.bint
    ) -> cython.int:
        """Let a player take a link with a number of hops (RUN: a straight run), turning to a side first, with a run-up
        in a direction off the jump's. ``again``: jump once more where the flight first lands. Return ARRIVES, or the
        reason why it fails."""
        straight: cython.double = atan2(link.ey - link.sy, link.ex - link.sx)
        way: cython.double = straight + slant
        deadly: cython.uint = LAVA | SLIME | HURT
        short: cython.double = SHORT if hops <= 0 else SHORT_HOP
        ahead: cython.double = STRAIGHT if hops < 0 else self.ahead[hops] + short
        aside: cython.double = 0.0 if hops < 0 else side * self.aside[hops]
        first: cython.double = way if hops < 0 else way - side * (SWING + self.turned[hops])
        speed: cython.double
        left: cython.int = hops
        landed: cython.int = 0
        gone: cython.bint = False
        n: cython.int = 0
        self.jumps = 0
        self.seconds = 0.0
        self.mover.reset()
        self.mover.frame_time = FRAME
        self.mover.stop = deadly | JUMP_PAD | TELEPORTER
        if not self.appears(
            link, link.sx - ahead * cos(way) + aside * sin(way), link.sy - ahead * sin(way) - aside * cos(way)
        ):
            return START_BLOCKED
        self.side = side
        while self.mover.time < LONGEST:
            self.mover.wants_jump = False
            if landed > 0:
                self.brakes()
            elif gone and self.mover.on_ground:
                if not again or self.jumps > 1:
                    return LATE
                self.mover.wants_jump = True
                self.jumps += 1
                self.flies(link, straight, False)
            elif gone:
                self.flies(link, straight, hops >= 0)
            elif not self.mover.on_ground:
                if left == hops:
                    return LATE  # it fell off before the jump
                self.strafes(way, SWING)
            elif self.at_rim(link, straight) or (left == 0 and n >= CIRCLE):
                if left > 0:
                    return LATE
                self.off_x = self.mover.x
                self.off_y = self.mover.y
                self.off_z = self.mover.z
                self.mover.wants_jump = True
                self.jumps = 1
                gone = True
                self.flies(link, straight, hops >= 0)
            elif left > 0 and n >= CIRCLE:
                self.mover.wants_jump = True
                left -= 1
                self.strafes(way, SWING)
            elif hops < 0:
                self.wishes(way, self.speed)
            else:
                speed = self.after_friction(self.pace())
                self.wishes(
                    (self.heading() if speed > 0.0 else first) + side * self.best_angle(speed, self.on_foot), self.speed
                )
            n += 1
            self.mover.frame(FRAME)
            if self.mover.along_path():
                if self.mover.seen & deadly:
                    return HARMED
                return ARRIVES if gone and self.mover.area == link.target else TAKEN
            self.mover.time += FRAME
            if gone and landed == 0 and self.mover.wants_jump:
                self.off_vx = self.mover.vx
                self.off_vy = self.mover.vy
                self.off_vz = self.mover.vz + self.gravity * FRAME
            if landed > 0:
                landed += 1
                if landed > SETTLES:
                    return ARRIVES if self.mover.on_ground and self.mover.z > link.ez - self.mover.step else LATE
            elif gone and self.mover.area == link.target:
                if self.mover.water_level > 1:
                    self.seconds = self.mover.time
                    return ARRIVES
                if self.mover.on_ground and (self.jumps > 1 or not again or self.mover.z > link.ez - self.mover.step):
                    self.seconds = self.mover.time
                    landed = 1
        return LATE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def at_rim(self, link: Attempt, way: cython.double) -> cython.bint:
        """Whether the next frame on the ground would lead past the link's start, or past the top of a slope."""
        x: cython.double
        y: cython.double
        z: cython.double
        if self.mover.vz > RISING:
            x = self.mover.x + 2.0 * FRAME * self.mover.vx
            y = self.mover.y + 2.0 * FRAME * self.mover.vy
            z = self.mover.z + 2.0 * FRAME * self.mover.vz + REACHES
            if self.mover.sampler.area_at(x, y, z) >= 0 and not self.mover.sampler.trace(
                x, y, z, x, y, z - 2.0 * REACHES, self.standing
            ):
                return True
        far: cython.double = (link.sx - self.mover.x) * cos(way) + (link.sy - self.mover.y) * sin(way)
        return far < FRAME * (self.mover.vx * cos(way) + self.mover.vy * sin(way)) + 0.25 * REACHES

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find(self, link: Attempt, fewest: cython.int, most: cython.int, again: cython.bint) -> cython.int:
        """Look for a way to take a link with ``fewest`` to ``most`` hops. Return the hops, or −2: there is none; then
        ``why`` is the reason why the way that came farthest fails."""
        hops: cython.int
        k: cython.int
        way: cython.int
        why: cython.int
        side: cython.double
        self.why = START_BLOCKED
        for hops in range(fewest, most + 1):
            for k in range(2 if hops >= 0 else 1):
                side = 1.0 if k == 0 else -1.0
                for way in range(3):
                    why = self.take(link, hops, side, (0.0 if way == 0 else (SLANT if way == 1 else -SLANT)), again)
                    if why == ARRIVES:
                        self.why = ARRIVES
                        return hops
                    if why != START_BLOCKED:
                        self.why = why
        return -2

    def rows(
        self,
        number: cython.int[:, ::1],
        place: cython.double[:, ::1],
        hops: cython.int[:, ::1],
        first: cython.int,
        last: cython.int,
        out: cython.int[:, ::1],
        where: cython.double[:, ::1],
    ):
        """Let players take the links first..last−1: rows of source, target, travel type; of start, end; of the fewest
        and the most hops (RUN: a straight run), and whether to jump twice.

        ``out``: why each fails, the hops, the jumps from the rim on, and the area where it ended. ``where``: place and
        velocity of the jump from the rim, seconds, room for the run-up, and the place where it ended.
        """
        i: cython.int
        k: cython.int
        link: Attempt
        with cython.nogil:
            for i in range(first, last):
                link = attempt_of(number, place, i)
                out[i, 1] = self.find(link, hops[i, 0], hops[i, 1], hops[i, 2] != 0)
                out[i, 0] = self.why
                out[i, 2] = self.jumps
                out[i, 3] = self.mover.area
                where[i, 0] = self.off_x
                where[i, 1] = self.off_y
                where[i, 2] = self.off_z
                where[i, 3] = self.off_vx
                where[i, 4] = self.off_vy
                where[i, 5] = self.off_vz
                where[i, 6] = self.seconds
                where[i, 7] = self.room
                where[i, 8] = self.mover.x
                where[i, 9] = self.mover.y
                where[i, 10] = self.mover.z


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def wrapped(angle: cython.double) -> cython.double:
    """An angle between −π and π."""
    while angle > pi:
        angle -= 2.0 * pi
    while angle < -pi:
        angle += 2.0 * pi
    return angle
