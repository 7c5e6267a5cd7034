# mypy: ignore-errors
"""Simulates the game's player movement on the compiled tree: walking, steps, falling, jumping, swimming.

A run is a sequence of the game's frames (player_kernel). The command says what the player wishes in each of them.

Everything that happens is an event, a bit in ``seen``. Events in the mask ``stop`` end the run and are in ``stopped``.
Areas are watched along the whole path, not only at the ends of frames.
"""

import cython
import numpy as np
from cython.cimports.libc.math import fabs, sqrt

from aascompile.columns import grown

if cython.compiled:
    from cython.cimports.aascompile.sampling.sample_kernel import LIQUID as WET
    from cython.cimports.aascompile.player.player_kernel import Player
else:
    from aascompile.sampling.sample_kernel import LIQUID as WET
    from aascompile.player.player_kernel import Player

# Flags of a command.
JUMP = 0x1  # jump once, from the first ground after ``jump_time``
CROUCH = 0x2  # stay crouched
STEER = 0x4  # wish to go to the goal point, updated in every frame; in the air, wish the flight to land there
TRACK = 0x8  # record the areas of the whole run in ``path_area``, ``path_point``
LEVEL = 0x10  # wish to go neither up nor down in liquid, as bots do that walk

# Events.
LANDED = 0x1  # ground after air
LEFT_GROUND = 0x2  # air, or a steep slope, after ground
BUMP = 0x4  # hit a wall or a steep slope
HEAD = 0x8  # hit a ceiling
LIQUID = 0x10  # the feet touch liquid
SWIM = 0x20  # liquid up to the waist
LEFT_LIQUID = 0x40  # no longer in liquid
LAVA = 0x80
SLIME = 0x100
HURT = 0x200
JUMP_PAD = 0x400
TELEPORTER = 0x800
DO_NOT_ENTER = 0x1000
AREA = 0x2000  # entered ``goal_area``
AREA_GROUND = 0x4000  # stands or swims in ``goal_area``
MARKED = 0x8000  # entered a marked area
GAP = 0x10000  # no ground within ``gap_depth`` below
GOAL = 0x20000  # within ``goal_near`` of the goal point
STUCK = 0x40000  # wishes to move, but has not moved for STUCK_AFTER
WATER_JUMP = 0x80000  # jumps out of the water
TIME = 0x100000  # ``max_time`` has passed; always ends a run
START_SOLID = 0x200000  # no player fits at the start; always ends a run

AIR_GAIN = cython.declare(cython.double, 13.0)  # 1/s: wished speed per unit by which a flight would miss its goal
STUCK_SHARE = cython.declare(cython.double, 0.1)  # fraction of the wished speed; slower is no progress
STUCK_AFTER = cython.declare(cython.double, 0.3)  # seconds

# Bits of an area's contents, as in model.contents.Kind.
IS_LAVA = cython.declare(cython.uint, 0x2)
IS_SLIME = cython.declare(cython.uint, 0x4)
IS_TELEPORTER = cython.declare(cython.uint, 0x40)
IS_JUMP_PAD = cython.declare(cython.uint, 0x80)
IS_DO_NOT_ENTER = cython.declare(cython.uint, 0x100)
IS_HURT = cython.declare(cython.uint, 0x20000)


def bits():
    """Flags and events, by name: a test compares them with the enums of movement.py."""
    return (
        dict(JUMP=JUMP, CROUCH=CROUCH, STEER=STEER, TRACK=TRACK, LEVEL=LEVEL),
        dict(
            LANDED=LANDED,
            LEFT_GROUND=LEFT_GROUND,
            BUMP=BUMP,
            HEAD=HEAD,
            LIQUID=LIQUID,
            SWIM=SWIM,
            LEFT_LIQUID=LEFT_LIQUID,
            LAVA=LAVA,
            SLIME=SLIME,
            HURT=HURT,
            JUMP_PAD=JUMP_PAD,
            TELEPORTER=TELEPORTER,
            DO_NOT_ENTER=DO_NOT_ENTER,
            AREA=AREA,
            AREA_GROUND=AREA_GROUND,
            MARKED=MARKED,
            GAP=GAP,
            GOAL=GOAL,
            STUCK=STUCK,
            WATER_JUMP=WATER_JUMP,
            TIME=TIME,
            START_SOLID=START_SOLID,
        ),
    )


class Mover(Player):
    """Player of one thread with a command, and the result of ``run``."""

    def __init__(self, sampler, physics, boxes, ground_near: cython.double):
        Player.__init__(self, sampler, physics, boxes, ground_near)
        self.fall_small = physics.fall_damage_small
        self.fall_large = physics.fall_damage_large
        self.marks = np.zeros(0, np.uint8)
        self.path_area = np.zeros(64, np.intc)
        self.path_point = np.zeros((64, 4))
        self.reset()

    # --- the command --------------------------------------------------------------------------------------------------

    def reset(self):
        """Set a command that wishes nothing and stops only when time is up."""
        self.wish_x = self.wish_y = self.wish_z = self.wish_speed = 0.0
        self.goal_x = self.goal_y = self.goal_z = 0.0
        self.goal_near = 4.0
        self.jump_time = 0.0
        self.gap_depth = 64.0
        self.frame_time = 0.025
        self.max_time = 5.0
        self.flags = 0
        self.stop = 0
        self.goal_area = -1

    def wish(self, x, y, z, speed):
        """Wish to go in a direction."""
        self.wish_x = x
        self.wish_y = y
        self.wish_z = z
        self.wish_speed = speed
        self.flags ^= self.flags & STEER

    def steer(self, x, y, z, speed):
        """Wish to go to a point."""
        self.goal_x = x
        self.goal_y = y
        self.goal_z = z
        self.wish_speed = speed
        self.flags |= STEER

    # --- the run ------------------------------------------------------------------------------------------------------

    def run(self, x, y, z, vx, vy, vz):
        """Move from a place with a velocity until an event of ``stop``, or for ``max_time``. Return ``stopped``."""
        dt: cython.double = self.frame_time
        events: cython.uint
        stood: cython.bint
        wet: cython.int
        was_x: cython.double
        was_y: cython.double
        was_z: cython.double
        was_vz: cython.double
        moved: cython.double
        self.vx = vx
        self.vy = vy
        self.vz = vz
        if not self.begin(x, y, z):
            return self.stopped
        while self.time + 0.5 * dt < self.max_time:
            was_x = self.x
            was_y = self.y
            was_z = self.z
            was_vz = self.vz
            stood = self.on_ground
            wet = self.water_level
            self.aim(dt)
            self.frame(dt)
            self.frames += 1
            if self.along_path():
                return self.stopped
            self.time += dt
            moved = sqrt((self.x - was_x) ** 2 + (self.y - was_y) ** 2 + (self.z - was_z) ** 2)
            events = self.at_end(stood, wet, was_z, was_vz, moved, dt)
            self.seen |= events
            if events & self.stop:
                self.stopped = events & self.stop
                return self.stopped
        self.seen |= TIME
        self.stopped = TIME
        return self.stopped

    def begin(self, x, y, z):
        """Set the state at the start. Return whether a player fits there."""
        self.seen = 0
        self.stopped = 0
        self.time = 0.0
        self.frames = 0
        self.land_speed = 0.0
        self.fall = 0.0
        self.damage = 0
        self.path_count = 0
        self.step_count = 0
        self.idle = 0.0
        self.jumped = False
        self.since_jump = self.max_time + 1.0
        self.jumping_out = False
        self.has_ground = False
        self.on_ground = False
        self.water_level = 0
        self.wants_crouch = (self.flags & CROUCH) != 0
        self.ducked = self.wants_crouch
        self.presence = self.crouched if self.ducked else self.standing
        if not self.sampler.free_near(x, y, z, self.presence):
            self.ducked = True
            self.presence = self.crouched
            if not self.sampler.free_near(x, y, z, self.presence):
                self.x = x
                self.y = y
                self.z = z
                self.area = -1
                self.seen = START_SOLID
                self.stopped = START_SOLID
                return False
        self.x = self.sampler.x
        self.y = self.sampler.y
        self.z = self.sampler.z
        self.area = self.sampler.end_area
        lowest: cython.double = self.z
        self.lift_off()
        if self.z != lowest:
            self.area = self.sampler.area_at(self.x, self.y, self.z)
        self.highest = self.z
        self.was_area = self.area
        if self.flags & TRACK:
            self.keep_path(self.area, self.x, self.y, self.z, 0.0)
        self.look_about()
        return True

    def aim(self, dt):
        """Set the wish of this frame: direction, speed, jump."""
        x: cython.double = self.wish_x
        y: cython.double = self.wish_y
        z: cython.double = self.wish_z
        most: cython.double = self.wish_speed
        if self.flags & STEER:
            x = self.goal_x - self.x
            y = self.goal_y - self.y
            z = self.goal_z - self.z
            if self.water_level < 2 and not self.on_ground:
                x -= self.vx * self.time_to_fall()
                y -= self.vy * self.time_to_fall()
        if self.water_level < 2 or self.flags & LEVEL:
            z = 0.0
        length: cython.double = sqrt(x * x + y * y + z * z)
        if self.flags & STEER:
            if self.water_level < 2 and not self.on_ground:
                most = min(most, AIR_GAIN * length)
            else:
                most = min(most, length / dt)
        if length > 0.0:
            self.want_x = x / length
            self.want_y = y / length
            self.want_z = z / length
            self.want_speed = most
        else:
            self.want_x = self.want_y = self.want_z = self.want_speed = 0.0
        self.wants_jump = (self.flags & JUMP) != 0 and not self.jumped and self.time >= self.jump_time

    def time_to_fall(self):
        """Seconds until a flight comes down to the goal's height; 0 if it never gets that high."""
        inside: cython.double = self.vz * self.vz + 2.0 * self.gravity * (self.z - self.goal_z)
        if inside <= 0.0:
            return 0.0
        return max((self.vz + sqrt(inside)) / self.gravity, 0.0)

    # --- the areas on the path ----------------------------------------------------------------------------------------

    def keep_path(self, area, x, y, z, time):
        """Record an area of the whole run."""
        n: cython.int = self.path_count
        if n >= self.path_area.shape[0]:
            with cython.gil:
                self.path_area, self.path_point = grown(n + 1, self.path_area, self.path_point)
        self.path_area[n] = area
        self.path_point[n, 0] = x
        self.path_point[n, 1] = y
        self.path_point[n, 2] = z
        self.path_point[n, 3] = time
        self.path_count = n + 1

    # --- events -------------------------------------------------------------------------------------------------------

    def entered(self, before, area):
        """Events of entering an area from another."""
        new: cython.uint = self.sampler.contents[area]
        events: cython.uint = 0
        if before >= 0:
            new &= ~self.sampler.contents[before]
        if new & WET:
            events |= LIQUID
        if new & IS_LAVA:
            events |= LAVA
        if new & IS_SLIME:
            events |= SLIME
        if new & IS_HURT:
            events |= HURT
        if new & IS_JUMP_PAD:
            events |= JUMP_PAD
        if new & IS_TELEPORTER:
            events |= TELEPORTER
        if new & IS_DO_NOT_ENTER:
            events |= DO_NOT_ENTER
        if area == self.goal_area:
            events |= AREA
        if area < self.marks.shape[0] and self.marks[area]:
            events |= MARKED
        return events

    def along_path(self):
        """Handle the events of the areas entered in this frame. Return whether one of them ends the run."""
        i: cython.int
        events: cython.uint
        before: cython.int = self.was_area
        for i in range(self.step_count):
            events = self.entered(before, self.step_area[i])
            before = self.step_area[i]
            if self.flags & TRACK:
                self.keep_path(
                    before,
                    self.step_point[i, 0],
                    self.step_point[i, 1],
                    self.step_point[i, 2],
                    self.time + self.step_point[i, 3],
                )
            self.seen |= events
            if events & self.stop:
                self.stopped = events & self.stop
                self.time += self.step_point[i, 3]
                self.x = self.step_point[i, 0]
                self.y = self.step_point[i, 1]
                self.z = self.step_point[i, 2]
                self.area = before
                self.look_about()
                return True
        self.was_area = self.area
        return False

    def at_end(self, stood, wet, z, vz, moved, dt):
        """Events at the end of a frame."""
        events: cython.uint = 0
        if self.hit_wall:
            events |= BUMP
        if self.hit_head:
            events |= HEAD
        if self.leapt:
            events |= WATER_JUMP
        if self.z > self.highest or stood or self.water_level > 1:
            self.highest = self.z
        if self.on_ground and not stood and self.water_level < 2:
            events |= LANDED
            self.land(z, vz)
        if stood and not self.on_ground:
            events |= LEFT_GROUND
        if wet < 2 and self.water_level >= 2:
            events |= SWIM
        if wet > 0 and self.water_level == 0:
            events |= LEFT_LIQUID
        if self.area == self.goal_area and (self.on_ground or self.water_level > 1):
            events |= AREA_GROUND
        if (
            self.flags & STEER
            and (self.x - self.goal_x) ** 2 + (self.y - self.goal_y) ** 2 <= self.goal_near**2
            and fabs(self.z - self.goal_z) <= self.step
        ):
            events |= GOAL
        if self.want_speed > 0.0 and moved < STUCK_SHARE * self.want_speed * dt:
            self.idle += dt
            if self.idle >= STUCK_AFTER:
                events |= STUCK
        else:
            self.idle = 0.0
        if self.stop & GAP and self.over_gap():
            events |= GAP
        return events

    def land(self, z, vz):
        """Compute the speed and damage of a landing from the height and vertical speed at the start of the frame."""
        impact: cython.double = vz * vz + 2.0 * self.gravity * (z - self.z)
        self.land_speed = sqrt(max(impact, 0.0))
        self.fall = self.highest - self.z
        # Speed hurts, and liquid softens the landing. The settings express it as the height of a free fall.
        height: cython.double = max(impact, 0.0) / (2.0 * self.gravity)
        if self.ducked:
            height *= 2.0
        if self.water_level == 1:
            height *= 0.5
        if height > self.fall_large:
            self.damage += 10
        elif height > self.fall_small:
            self.damage += 5

    def over_gap(self):
        """Whether there is neither ground nor liquid within ``gap_depth`` below."""
        if self.on_ground or self.water_level > 0:
            return False
        if self.sampler.trace(self.x, self.y, self.z, self.x, self.y, self.z - self.gap_depth, self.presence):
            return False
        return self.sampler.end_area < 0 or (self.sampler.contents[self.sampler.end_area] & WET) == 0


def predict_rows(mover: Mover, rows, results, first: cython.int, last: cython.int):
    """Predict the rows first..last−1 with the mover's stops and times.

    ``rows`` and ``results`` are the records of movement.py.
    """
    start: cython.double[:, ::1] = rows.start
    velocity: cython.double[:, ::1] = rows.velocity
    wish: cython.double[:, ::1] = rows.wish
    speed: cython.double[::1] = rows.speed
    goal_area: cython.int[::1] = rows.goal_area
    flags: cython.uint[::1] = rows.flags
    end: cython.double[:, ::1] = results.end
    number: cython.longlong[:, ::1] = results.number
    amount: cython.double[:, ::1] = results.amount
    i: cython.int
    with cython.nogil:
        for i in range(first, last):
            mover.flags = flags[i]
            mover.goal_area = goal_area[i]
            if flags[i] & STEER:
                mover.steer(wish[i, 0], wish[i, 1], wish[i, 2], speed[i])
            else:
                mover.wish(wish[i, 0], wish[i, 1], wish[i, 2], speed[i])
            mover.run(start[i, 0], start[i, 1], start[i, 2], velocity[i, 0], velocity[i, 1], velocity[i, 2])
            end[i, 0] = mover.x
            end[i, 1] = mover.y
            end[i, 2] = mover.z
            end[i, 3] = mover.vx
            end[i, 4] = mover.vy
            end[i, 5] = mover.vz
            number[i, 0] = mover.area
            number[i, 1] = mover.stopped
            number[i, 2] = mover.seen
            number[i, 3] = mover.frames
            number[i, 4] = mover.damage
            number[i, 5] = mover.on_ground
            number[i, 6] = mover.water_level
            amount[i, 0] = mover.time
            amount[i, 1] = mover.land_speed
            amount[i, 2] = mover.fall


def set_up(mover: Mover, stop: cython.uint, frame_time: cython.double, max_time: cython.double, settings):
    """Set what all rows of a batch have in common; ``settings``: further fields of the mover by name."""
    mover.reset()
    mover.stop = stop
    mover.frame_time = frame_time
    mover.max_time = max_time
    for name, value in settings.items():
        setattr(mover, name, value)


def path_of(mover: Mover):
    """Areas of the last run (with TRACK), and where and when (x, y, z, seconds) they were entered."""
    n: cython.int = mover.path_count
    return np.asarray(mover.path_area)[:n].copy(), np.asarray(mover.path_point)[:n].copy()
