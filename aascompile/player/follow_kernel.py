# mypy: ignore-errors
"""Follows a link: a simulated player moves as a bot would, and either comes to stand in its target or does not.

A replay takes a link as it is stored: from its start, with its velocity, steering to its end. If it fails, ``why`` is
the reason, and the mover is at the place of failure.
"""

import cython
from cython.cimports.aascompile.player.move_kernel import (
    CROUCH,
    HURT,
    JUMP,
    JUMP_PAD,
    LANDED,
    LAVA,
    LEVEL,
    SLIME,
    START_SOLID,
    STUCK,
    SWIM,
    TELEPORTER,
)
from cython.cimports.libc.math import fabs, sqrt

# Why a replay fails; numbers as in player.reason.
ARRIVES = 0  # it does not fail
START_BLOCKED = 1  # no player fits at its start
HARMED = 2  # it leads through lava, slime or a hurt trigger
HELD_UP = 3  # something blocks it
LATE = 4  # the player never comes to stand in the target
TAKEN = 15  # a jump pad or teleporter takes the player away first

WALK = cython.declare(cython.int, 2)  # travel types of model.links that are walked: bots do not rise in water,
LOW = cython.declare(cython.int, 3)
BARRIER = cython.declare(cython.int, 4)  # that begin with a jump,
LEAP = cython.declare(cython.int, 5)
LEDGE = cython.declare(cython.int, 7)  # and that end with a fall

SLICE = cython.declare(cython.double, 0.025)  # seconds between checks of where the player stands: one frame
FRAMES = cython.declare(cython.int, 120)  # most frames on the ground, or flights, of a replay
AFTER = cython.declare(cython.int, 24)  # of these, after the first landing: from beside the target the player may walk
STILL = cython.declare(cython.int, 8)  # frames without progress after which a replay counts as blocked
CREEP = cython.declare(cython.double, 0.25)  # units in a frame that count as no progress
CLOSE = 20.0  # units to the end of a fall below which the engine's bots step off slowly
AHEAD = cython.declare(cython.double, 0.5)  # units ahead at which there must be ground too
LONG = cython.declare(cython.double, 10.0)  # seconds: the longest replay, including falls and slides


class Follower:
    """Replays of one thread.

    After a replay: ``why``; and ``land_area`` (−1: none) with ``land_x`` …, where its first flight landed.
    """

    def __init__(self, mover, traits, physics):
        self.mover = mover
        self.presence = traits.presence
        self.liquid = traits.liquid
        self.ground = traits.grounded
        self.trigger = traits.trigger
        self.standing = traits.standing
        self.speed = physics.walk_speed
        self.crouch_speed = physics.crouch_speed
        self.why = ARRIVES
        self.land_area = -1

    def is_low(self, area):
        """Whether a player must crouch in an area."""
        return (self.presence[area] & self.standing) == 0

    def replay(self, tried):
        """Whether a bot that makes an attempt comes to stand or swim in the target, unharmed."""
        low: cython.bint = self.is_low(tried.source) or self.is_low(tried.target)
        dx: cython.double = tried.ex - tried.sx
        dy: cython.double = tried.ey - tried.sy
        far: cython.double = sqrt(dx * dx + dy * dy)
        self.mover.reset()
        if tried.kind == BARRIER or tried.kind == LEAP:
            self.mover.flags |= JUMP
        if tried.kind == WALK or tried.kind == LOW:
            self.mover.flags |= LEVEL
        if low:
            self.mover.flags |= CROUCH
        slow: cython.bint = low or (tried.kind == LEDGE and far < CLOSE)
        self.mover.steer(tried.ex, tried.ey, tried.ez, self.crouch_speed if slow else self.speed)
        self.ahead_x = dx / far if far > 0.0 else 0.0
        self.ahead_y = dy / far if far > 0.0 else 0.0
        return self.follow(tried.source, tried.target, tried.sx, tried.sy, tried.sz, tried.vx, tried.vy, tried.vz)

    def follow(self, source, goal, x, y, z, vx, vy, vz):
        """Move by the mover's command until the player stands or swims in the goal (−1: anywhere outside the source).

        Return whether that happened, unharmed. Checked after every frame on the ground and after every flight. A jump
        pad or teleporter ends the replay where it is entered, unless the replay begins in one.
        """
        n: cython.int = 0
        most: cython.int = FRAMES
        spent: cython.double = 0.0
        still: cython.int = 0
        was_x: cython.double = x
        was_y: cython.double = y
        deadly: cython.uint = LAVA | SLIME | HURT
        taken: cython.uint = 0 if self.trigger[source] else JUMP_PAD | TELEPORTER
        self.land_area = -1
        self.mover.stop = LANDED | SWIM | deadly | STUCK | taken
        self.mover.max_time = SLICE
        self.mover.run(x, y, z, vx, vy, vz)
        while True:
            if self.mover.seen & (deadly | STUCK | START_SOLID):
                if self.mover.seen & deadly:
                    return self.fails(HARMED)
                return self.fails(START_BLOCKED if self.mover.seen & START_SOLID else HELD_UP)
            if self.mover.seen & taken:
                if self.mover.area == goal or goal < 0:
                    self.why = ARRIVES
                    return True
                return self.fails(TAKEN)
            if (self.mover.area == goal or goal < 0) and self.mover.area != source and self.is_there():
                self.why = ARRIVES
                return True
            n += 1
            spent += self.mover.time
            if n > most or spent > LONG:
                return self.fails(LATE)
            if self.land_area < 0 and self.mover.seen & LANDED:
                most = n + AFTER
                self.land_area = self.mover.area
                self.land_x = self.mover.x
                self.land_y = self.mover.y
                self.land_z = self.mover.z
            if self.mover.on_ground and fabs(self.mover.x - was_x) + fabs(self.mover.y - was_y) < CREEP:
                still += 1
                if still > STILL:
                    return self.fails(HELD_UP)
            else:
                still = 0
            was_x = self.mover.x
            was_y = self.mover.y
            self.mover.max_time = SLICE if self.mover.on_ground or self.mover.water_level > 1 else LONG
            self.mover.flags &= ~JUMP
            self.mover.run(self.mover.x, self.mover.y, self.mover.z, self.mover.vx, self.mover.vy, self.mover.vz)

    def fails(self, why):
        """Record why a replay fails. Return False."""
        self.why = why
        return False

    def is_there(self):
        """Whether the mover stands or swims in its area: on ground that continues ahead, not just on a rim."""
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
            return True  # a wall or another area is next: the player stands on this ground
        if not self.mover.sampler.trace(x, y, self.mover.z + AHEAD, x, y, self.mover.z - 1.0, 0xFFFFFFFF):
            return False
        return self.mover.sampler.normal_z >= self.mover.floor_up

    def replays(
        self,
        number: cython.int[:, ::1],
        place: cython.double[:, ::1],
        first: cython.int,
        last: cython.int,
        out: cython.int[:, ::1],
        where: cython.double[:, ::1],
    ):
        """Replay the links first..last−1: rows of source, target, travel type; of start, end, velocity.

        ``out``: why each fails, the area it ends in, and the area where its first flight landed (−1: none).
        ``where``: the places of the two.
        """
        i: cython.int
        tried: Attempt
        with cython.nogil:
            for i in range(first, last):
                tried = attempt_of(number, place, i)
                self.replay(tried)
                out[i, 0] = self.why
                out[i, 1] = self.mover.area
                out[i, 2] = self.land_area
                where[i, 0] = self.mover.x
                where[i, 1] = self.mover.y
                where[i, 2] = self.mover.z
                where[i, 3] = self.land_x if self.land_area >= 0 else 0.0
                where[i, 4] = self.land_y if self.land_area >= 0 else 0.0
                where[i, 5] = self.land_z if self.land_area >= 0 else 0.0


def reasons():
    """Reasons given here, by name: a test compares them with player.reason."""
    return dict(ARRIVES=ARRIVES, START_BLOCKED=START_BLOCKED, HARMED=HARMED, HELD_UP=HELD_UP, LATE=LATE, TAKEN=TAKEN)


def attempt_of(number, place, i):
    """The attempt to take a link: row i of source, target, travel type; of start, end and, if there is one, velocity."""
    tried: Attempt
    tried.source = number[i, 0]
    tried.target = number[i, 1]
    tried.kind = number[i, 2]
    tried.rim = -1
    tried.sx = place[i, 0]
    tried.sy = place[i, 1]
    tried.sz = place[i, 2]
    tried.ex = place[i, 3]
    tried.ey = place[i, 4]
    tried.ez = place[i, 5]
    tried.vx = tried.vy = tried.vz = 0.0
    if place.shape[1] > 8:
        tried.vx = place[i, 6]
        tried.vy = place[i, 7]
        tried.vz = place[i, 8]
    return tried
