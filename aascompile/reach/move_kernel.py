# mypy: ignore-errors
"""Where the game's own player movement leads: walking, steps, falling, jumping, swimming, on the compiled tree.

A run is a number of frames, each of them what the game does with a player in one of its frames:

    ground      what a trace of ``ground_near`` downwards hits. Steeper than ``floor_up``, it is slid off, not stood on.
    walk        friction, then acceleration along the ground; steps up to ``step`` are climbed.
    fly         a little acceleration, and gravity: the way is that of the mean of the frame's two velocities.
    swim        from the water level 2 on (liquid to the waist): friction and acceleration, no gravity.
    slide       a way that hits something goes on along it, along the crease of two, and ends in the corner of three.
    jump out    in water to the waist before a bank that is just high enough: thrown up and forwards.

Liquids were grown like solids, by the standing box, so liquid above the origin is liquid above the feet: the depth of
the liquid over a player's feet is how far the grown liquid goes on above the origin.

Everything that happens is an event, a bit in ``seen``; those of the mask ``stop`` end the run and are in ``stopped``.
Areas are watched along the whole way, not only where frames end. (Of a frame that climbs a step only the end counts.)
"""

import cython
import numpy as np
from cython.cimports.libc.math import fabs, sqrt

if cython.compiled:
    from cython.cimports.aascompile.geometry.sample_kernel import ANYBODY, LIQUID as WET, Sampler
else:
    from aascompile.geometry.sample_kernel import ANYBODY, LIQUID as WET, Sampler

# Flags of a command.
JUMP = 0x1  # jump once, from the first ground after ``jump_time``
CROUCH = 0x2  # keep down
STEER = 0x4  # wish to go to the goal point, anew in every frame; in the air, wish the flight to come down there
TRACK = 0x8  # keep the areas of the whole run in ``path_area``, ``path_point``

# Events; model.contents says which bits of an area's contents they are about.
LANDED = 0x1  # ground after air
LEFT_GROUND = 0x2  # air, or a steep slope, after ground
BUMP = 0x4  # hit a wall or a steep slope
HEAD = 0x8  # hit a ceiling
LIQUID = 0x10  # the feet touch liquid
SWIM = 0x20  # liquid to the waist
LEFT_LIQUID = 0x40  # no liquid any more
LAVA = 0x80
SLIME = 0x100
HURT = 0x200
JUMP_PAD = 0x400
TELEPORTER = 0x800
DO_NOT_ENTER = 0x1000
AREA = 0x2000  # entered ``goal_area``
AREA_GROUND = 0x4000  # stands or swims in ``goal_area``
MARKED = 0x8000  # entered an area with a mark
GAP = 0x10000  # nothing to stand on within ``gap_depth`` below
GOAL = 0x20000  # within ``goal_near`` of the goal point
STUCK = 0x40000  # wishes to move, and has not for STUCK_AFTER
WATER_JUMP = 0x80000  # jumps out of the water
TIME = 0x100000  # ``max_time`` is over; always ends a run
START_SOLID = 0x200000  # nobody can be at the start; always ends a run

OVERBOUNCE = cython.declare(cython.double, 1.001)  # how much more than its speed into a plane a player loses there
AWAY = cython.declare(cython.double, 0.1)  # units/s: faster than this away from a plane, it is in nobody's way
SAME_PLANE = cython.declare(cython.double, 0.99)  # cosine: a plane hit again
KICK_OFF = cython.declare(cython.double, 10.0)  # units/s: faster than this off the ground, one has left it
MOST_BUMPS = cython.declare(cython.int, 4)  # in a frame
MOST_WALLS = cython.declare(cython.int, 5)  # that a slide minds at once
AT_REST = cython.declare(cython.double, 1.0)  # units/s: friction stops what is slower
BANK_LOW = cython.declare(cython.double, 4.0)  # a bank is higher than this over the origin …
BANK_HIGH = cython.declare(cython.double, 20.0)  # … and not as high as this
BANK_FAR = cython.declare(cython.double, 30.0)  # from the origin to the bank
AIR_GAIN = cython.declare(cython.double, 13.0)  # 1/s: wished speed for each unit that a flight would miss its goal by
STUCK_SHARE = cython.declare(cython.double, 0.1)  # of the wished speed; slower is no progress
STUCK_AFTER = cython.declare(cython.double, 0.3)  # seconds


def bits():
    """All flags and events by name, for the enums of movement.py to be held against."""
    return (
        dict(JUMP=JUMP, CROUCH=CROUCH, STEER=STEER, TRACK=TRACK),
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


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def lost(into: cython.double) -> cython.double:
    """How much of the speed along a plane's normal (negative: into it) is taken away there."""
    return into * OVERBOUNCE if into < 0.0 else into / OVERBOUNCE


class Mover:
    """One thread's player: the game's numbers, a command, and the state that ``run`` changes."""

    def __init__(self, sampler, physics, boxes, ground_near: cython.double):
        self.sampler = sampler
        self.marks = np.zeros(0, np.uint8)
        self.gravity = physics.gravity
        self.friction = physics.friction
        self.water_friction = physics.water_friction
        self.stop_speed = physics.stop_speed
        self.walk_speed = physics.walk_speed
        self.crouch_speed = physics.crouch_speed
        self.swim_speed = physics.swim_speed
        self.walk_accelerate = physics.walk_accelerate
        self.air_accelerate = physics.air_accelerate
        self.swim_accelerate = physics.swim_accelerate
        self.jump_velocity = physics.jump_velocity
        self.step = physics.step
        self.floor_up = physics.floor_up
        self.sink_speed = physics.sink_speed
        self.waterjump_forward = physics.waterjump_forward
        self.waterjump_up = physics.waterjump_up
        self.fall_small = physics.fall_damage_small
        self.fall_large = physics.fall_damage_large
        standing = boxes[0]
        crouched = boxes[len(boxes) - 1]
        self.standing = standing.presence
        self.crouched = crouched.presence
        self.half_width = standing.maxs[0]
        self.feet = -standing.mins[2]
        # Eyes are some units below the top of the box: 6 standing, 4 crouched, in the game.
        self.eyes = standing.maxs[2] - standing.mins[2] - 6.0
        self.eyes_crouched = crouched.maxs[2] - crouched.mins[2] - 4.0
        self.ground_near = ground_near
        self.wall = np.zeros((8, 3))
        self.path_area = np.zeros(64, np.intc)
        self.path_point = np.zeros((64, 4))
        self.step_area = np.zeros(64, np.intc)
        self.step_point = np.zeros((64, 4))
        self.reset()

    # --- the command --------------------------------------------------------------------------------------------------

    def reset(self):
        """A command that wishes nothing and stops for nothing but time."""
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
        """Wish to go in one direction."""
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
        """Move from a place with a velocity until an event of ``stop``, or for ``max_time``; answers ``stopped``."""
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
            self.frame(dt)
            self.frames += 1
            if self.along_way():
                return self.stopped
            self.time += dt
            moved = sqrt((self.x - was_x) ** 2 + (self.y - was_y) ** 2 + (self.z - was_z) ** 2)
            events = self.bumps | self.at_end(stood, wet, was_z, was_vz, moved, dt)
            self.seen |= events
            if events & self.stop:
                self.stopped = events & self.stop
                return self.stopped
        self.seen |= TIME
        self.stopped = TIME
        return self.stopped

    def begin(self, x, y, z):
        """The state at the start; answers whether somebody can be there."""
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
        self.bumps = 0
        self.jumped = False
        self.jumping_out = False
        self.has_ground = False
        self.on_ground = False
        self.water_level = 0
        self.ducked = (self.flags & CROUCH) != 0
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
        self.lift_off()
        self.highest = self.z
        self.area = self.sampler.area_at(self.x, self.y, self.z)
        self.was_area = self.area
        if self.flags & TRACK:
            self.keep_path(self.area, self.x, self.y, self.z, 0.0)
        self.find_ground()
        self.find_water()
        return True

    def lift_off(self):
        """Stand as far above the ground as a landing would have left one: given starts often lie exactly on it."""
        gap: cython.double
        self.find_ground()
        if not self.has_ground or self.sampler.distance >= self.sampler.stop_before:
            return
        gap = (self.sampler.stop_before - self.sampler.distance) / max(self.ground_z, self.floor_up)
        self.sampler.trace(self.x, self.y, self.z, self.x, self.y, self.z + gap, self.presence)
        self.z = self.sampler.z

    def frame(self, dt):
        """One frame of the game."""
        self.step_count = 0
        self.bumps = 0
        self.look_near(dt)
        self.duck()
        self.aim(dt)
        if self.jumping_out:
            self.jump_out(dt)
        elif self.water_level > 1:
            self.swim(dt)
        elif self.on_ground:
            self.walk(dt)
        else:
            self.fly(dt)
        self.find_ground()
        self.find_water()

    def look_near(self, dt):
        """Keep the sampler's focus on where this frame can lead."""
        reach: cython.double = 1.0 + dt * sqrt(self.vx * self.vx + self.vy * self.vy + self.vz * self.vz)
        if not (
            self.sampler.in_focus(self.x - reach, self.y - reach, self.z - reach)
            and self.sampler.in_focus(self.x + reach, self.y + reach, self.z + reach)
        ):
            self.sampler.focus(self.x, self.y, self.z, 3.0 * reach)

    def duck(self):
        """Crouch when told to, and get up again as soon as there is room."""
        if self.flags & CROUCH:
            self.ducked = True
        elif self.ducked and self.presence != self.standing:
            self.ducked = (self.sampler.presence[self.area] & self.standing) == 0
        self.presence = self.crouched if self.ducked else self.standing

    def aim(self, dt):
        """The direction and speed that are wished for in this frame."""
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
        if self.water_level < 2:
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

    def time_to_fall(self):
        """Seconds until a flight comes down to the goal's height; 0 if it never gets up there."""
        inside: cython.double = self.vz * self.vz + 2.0 * self.gravity * (self.z - self.goal_z)
        if inside <= 0.0:
            return 0.0
        return max((self.vz + sqrt(inside)) / self.gravity, 0.0)

    def find_ground(self):
        """What is under the feet, and whether one can stand on it."""
        self.has_ground = False
        self.on_ground = False
        if not self.sampler.trace(self.x, self.y, self.z, self.x, self.y, self.z - self.ground_near, self.presence):
            return
        if self.sampler.start_solid:
            return
        nx: cython.double = self.sampler.normal_x
        ny: cython.double = self.sampler.normal_y
        nz: cython.double = self.sampler.normal_z
        if self.vz > 0.0 and self.vx * nx + self.vy * ny + self.vz * nz > KICK_OFF:
            return
        self.has_ground = True
        self.ground_x = nx
        self.ground_y = ny
        self.ground_z = nz
        self.on_ground = nz >= self.floor_up
        if self.on_ground:
            self.jumping_out = False

    def find_water(self):
        """0: none; 1: the feet, 2: the waist, 3: the eyes are in liquid."""
        self.water_level = 0
        if self.area < 0 or (self.sampler.contents[self.area] & WET) == 0:
            return
        eyes: cython.double = self.eyes_crouched if self.ducked else self.eyes
        depth: cython.double = self.sampler.liquid_above(self.x, self.y, self.z, eyes + 1.0)
        if depth > eyes:
            self.water_level = 3
        elif depth > 0.5 * eyes:
            self.water_level = 2
        elif depth > 1.0:
            self.water_level = 1

    # --- kinds of movement --------------------------------------------------------------------------------------------

    def walk(self, dt):
        """On the ground: jump, or go along it."""
        into: cython.double
        length: cython.double
        x: cython.double = self.want_x
        y: cython.double = self.want_y
        z: cython.double
        speed: cython.double = self.want_speed
        if self.flags & JUMP and not self.jumped and self.time >= self.jump_time:
            self.jumped = True
            self.has_ground = False
            self.on_ground = False
            self.vz = self.jump_velocity
            self.fly(dt)
            return
        self.slow_down(dt)
        into = lost(x * self.ground_x + y * self.ground_y)
        x -= into * self.ground_x
        y -= into * self.ground_y
        z = -into * self.ground_z
        length = sqrt(x * x + y * y + z * z)
        if length > 0.0:
            if self.ducked and speed > self.crouch_speed:
                speed = self.crouch_speed
            if self.water_level > 0:
                speed = min(speed, self.walk_speed - (self.walk_speed - self.swim_speed) * self.water_level / 3.0)
            self.accelerate(x / length, y / length, z / length, speed, self.walk_accelerate, dt)
        self.keep_speed_on_ground()
        if self.vx != 0.0 or self.vy != 0.0:
            self.step_slide(False, dt)

    def fly(self, dt):
        """In the air: hardly any say in where it goes."""
        self.slow_down(dt)
        self.accelerate(self.want_x, self.want_y, 0.0, self.want_speed, self.air_accelerate, dt)
        if self.has_ground:
            self.clip(self.ground_x, self.ground_y, self.ground_z)
        self.step_slide(True, dt)

    def swim(self, dt):
        """In liquid: go anywhere, or sink."""
        forward: cython.double
        if self.at_bank():
            self.bumps |= WATER_JUMP
            self.jumping_out = True
            forward = self.waterjump_forward / sqrt(self.want_x * self.want_x + self.want_y * self.want_y)
            self.vx = self.want_x * forward
            self.vy = self.want_y * forward
            self.vz = self.waterjump_up
            self.jump_out(dt)
            return
        self.slow_down(dt)
        if self.want_speed > 0.0:
            self.accelerate(
                self.want_x,
                self.want_y,
                self.want_z,
                min(self.want_speed, self.swim_speed),
                self.swim_accelerate,
                dt,
            )
        else:
            self.accelerate(0.0, 0.0, -1.0, min(self.sink_speed, self.swim_speed), self.swim_accelerate, dt)
        if self.has_ground and self.vx * self.ground_x + self.vy * self.ground_y + self.vz * self.ground_z < 0.0:
            self.keep_speed_on_ground()
        self.slide(False, dt)

    def at_bank(self):
        """Whether the waist is in liquid and what is wished for lies up a bank that one can jump onto."""
        across: cython.double = sqrt(self.want_x * self.want_x + self.want_y * self.want_y)
        if self.water_level != 2 or self.want_speed <= 0.0 or across == 0.0:
            return False
        # The game looks at points of the map. Here the map is grown by the box: to the sides, so what lies behind an
        # upright wall is found by half a width less, and upwards.
        x: cython.double = BANK_FAR * self.want_x / across
        y: cython.double = BANK_FAR * self.want_y / across
        x = self.x + x - max(min(x, self.half_width), -self.half_width)
        y = self.y + y - max(min(y, self.half_width), -self.half_width)
        if self.sampler.area_at(x, y, self.z + BANK_LOW + self.feet) >= 0:
            return False
        above: cython.int = self.sampler.area_at(x, y, self.z + BANK_HIGH + self.feet)
        return above >= 0 and (self.sampler.contents[above] & WET) == 0

    def jump_out(self, dt):
        """Out of the water: gravity pulls twice, and nothing is steered, until it goes down again."""
        self.step_slide(True, dt)
        self.vz -= self.gravity * dt
        if self.vz < 0.0:
            self.jumping_out = False

    def slow_down(self, dt):
        """Friction of the ground and of liquid."""
        level: cython.double = 0.0 if self.on_ground else self.vz
        speed: cython.double = sqrt(self.vx * self.vx + self.vy * self.vy + level * level)
        if speed < AT_REST:
            self.vx = 0.0
            self.vy = 0.0
            return
        drop: cython.double = 0.0
        if self.on_ground and self.water_level <= 1:
            drop += max(speed, self.stop_speed) * self.friction * dt
        drop += speed * self.water_friction * self.water_level * dt
        left: cython.double = max(speed - drop, 0.0) / speed
        self.vx *= left
        self.vy *= left
        self.vz *= left

    def accelerate(self, x, y, z, speed, rate, dt):
        """Gain speed in a direction until it is the wished one; other directions keep theirs."""
        lacks: cython.double = speed - (self.vx * x + self.vy * y + self.vz * z)
        if lacks <= 0.0:
            return
        gain: cython.double = min(rate * dt * speed, lacks)
        self.vx += gain * x
        self.vy += gain * y
        self.vz += gain * z

    # --- obstacles ----------------------------------------------------------------------------------------------------

    def clip(self, nx, ny, nz):
        """Turn the velocity along a plane."""
        into: cython.double = lost(self.vx * nx + self.vy * ny + self.vz * nz)
        self.vx -= into * nx
        self.vy -= into * ny
        self.vz -= into * nz

    def keep_speed_on_ground(self):
        """Turn the velocity along the ground, as fast as before: slopes cost nothing."""
        before: cython.double = sqrt(self.vx * self.vx + self.vy * self.vy + self.vz * self.vz)
        self.clip(self.ground_x, self.ground_y, self.ground_z)
        after: cython.double = sqrt(self.vx * self.vx + self.vy * self.vy + self.vz * self.vz)
        if after > 0.0:
            self.vx *= before / after
            self.vy *= before / after
            self.vz *= before / after

    def slide(self, falling, dt):
        """Go on for a frame, along whatever is in the way; answers whether something was."""
        walls: cython.int = 0
        bump: cython.int
        i: cython.int
        again: cython.bint
        left: cython.double = dt
        speed: cython.double
        nx: cython.double
        ny: cython.double
        nz: cython.double
        self.end_x = self.vx
        self.end_y = self.vy
        self.end_z = self.vz
        if falling:
            self.end_z -= self.gravity * dt
            self.vz = 0.5 * (self.vz + self.end_z)
            if self.has_ground:
                self.clip(self.ground_x, self.ground_y, self.ground_z)
        if self.has_ground:
            self.wall[0, 0] = self.ground_x
            self.wall[0, 1] = self.ground_y
            self.wall[0, 2] = self.ground_z
            walls = 1
        # Never turn against where it first went.
        speed = sqrt(self.vx * self.vx + self.vy * self.vy + self.vz * self.vz)
        if speed > 0.0:
            self.wall[walls, 0] = self.vx / speed
            self.wall[walls, 1] = self.vy / speed
            self.wall[walls, 2] = self.vz / speed
            walls += 1
        bump = 0
        while bump < MOST_BUMPS:
            if not self.sampler.trace(
                self.x,
                self.y,
                self.z,
                self.x + self.vx * left,
                self.y + self.vy * left,
                self.z + self.vz * left,
                self.presence,
            ):
                self.go(dt - left, left)
                break
            if self.sampler.start_solid:
                self.vz = 0.0
                return True
            bump += 1
            nx = self.sampler.normal_x
            ny = self.sampler.normal_y
            nz = self.sampler.normal_z
            if nz < self.floor_up:
                self.bumps |= HEAD if nz < -self.floor_up else BUMP
            self.go(dt - left, left)
            left -= left * self.sampler.fraction
            if walls >= MOST_WALLS:
                self.vx = self.vy = self.vz = 0.0
                return True
            again = False
            for i in range(walls):
                if nx * self.wall[i, 0] + ny * self.wall[i, 1] + nz * self.wall[i, 2] > SAME_PLANE:
                    again = True
                    break
            if again:
                # Hit once more after turning along it, by rounding: a nudge off it.
                self.vx += nx
                self.vy += ny
                self.vz += nz
                continue
            self.wall[walls, 0] = nx
            self.wall[walls, 1] = ny
            self.wall[walls, 2] = nz
            walls += 1
            if not self.turn(walls):
                return True
        if falling:
            self.vx = self.end_x
            self.vy = self.end_y
            self.vz = self.end_z
        return bump > 0

    def turn(self, walls):
        """Turn both velocities along the walls they go into; answers whether there is a way on."""
        i: cython.int
        for i in range(walls):
            if self.vx * self.wall[i, 0] + self.vy * self.wall[i, 1] + self.vz * self.wall[i, 2] < AWAY:
                return self.turn_along(i, walls)
        return True

    def turn_along(self, i, walls):
        """Turn along wall ``i``; along its crease with another that is in the way; a third one ends it."""
        j: cython.int
        k: cython.int
        ax: cython.double = self.wall[i, 0]
        ay: cython.double = self.wall[i, 1]
        az: cython.double = self.wall[i, 2]
        bx: cython.double
        by: cython.double
        bz: cython.double
        length: cython.double
        into: cython.double = lost(self.vx * ax + self.vy * ay + self.vz * az)
        x: cython.double = self.vx - into * ax
        y: cython.double = self.vy - into * ay
        z: cython.double = self.vz - into * az
        into = lost(self.end_x * ax + self.end_y * ay + self.end_z * az)
        ex: cython.double = self.end_x - into * ax
        ey: cython.double = self.end_y - into * ay
        ez: cython.double = self.end_z - into * az
        for j in range(walls):
            bx = self.wall[j, 0]
            by = self.wall[j, 1]
            bz = self.wall[j, 2]
            if j == i or x * bx + y * by + z * bz >= AWAY:
                continue
            into = lost(x * bx + y * by + z * bz)
            x -= into * bx
            y -= into * by
            z -= into * bz
            into = lost(ex * bx + ey * by + ez * bz)
            ex -= into * bx
            ey -= into * by
            ez -= into * bz
            if x * ax + y * ay + z * az >= 0.0:
                continue
            x = ay * bz - az * by
            y = az * bx - ax * bz
            z = ax * by - ay * bx
            length = sqrt(x * x + y * y + z * z)
            if length > 0.0:
                x /= length
                y /= length
                z /= length
            into = x * self.end_x + y * self.end_y + z * self.end_z
            ex = into * x
            ey = into * y
            ez = into * z
            into = x * self.vx + y * self.vy + z * self.vz
            x *= into
            y *= into
            z *= into
            for k in range(walls):
                if k == i or k == j:
                    continue
                if x * self.wall[k, 0] + y * self.wall[k, 1] + z * self.wall[k, 2] < AWAY:
                    self.vx = self.vy = self.vz = 0.0
                    return False
        self.vx = x
        self.vy = y
        self.vz = z
        self.end_x = ex
        self.end_y = ey
        self.end_z = ez
        return True

    def step_slide(self, falling, dt):
        """Slide; if something was in the way, do it again from ``step`` higher and come down after it."""
        x: cython.double = self.x
        y: cython.double = self.y
        z: cython.double = self.z
        vx: cython.double = self.vx
        vy: cython.double = self.vy
        vz: cython.double = self.vz
        area: cython.int = self.area
        bumps: cython.uint = self.bumps
        rise: cython.double
        if not self.slide(falling, dt):
            return
        # On the way up one steps only off ground that is near.
        if self.vz > 0.0 and not (
            self.sampler.trace(x, y, z, x, y, z - self.step, self.presence) and self.sampler.normal_z >= self.floor_up
        ):
            return
        self.sampler.trace(x, y, z, x, y, z + self.step, self.presence)
        if self.sampler.start_solid:
            return
        rise = self.sampler.z - z
        self.x = x
        self.y = y
        self.z = self.sampler.z
        self.vx = vx
        self.vy = vy
        self.vz = vz
        self.area = self.sampler.end_area
        self.bumps = bumps
        self.slide(falling, dt)
        if self.sampler.trace(self.x, self.y, self.z, self.x, self.y, self.z - rise, self.presence):
            self.clip(self.sampler.normal_x, self.sampler.normal_y, self.sampler.normal_z)
        self.x = self.sampler.x
        self.y = self.sampler.y
        self.z = self.sampler.z
        self.area = self.sampler.end_area
        self.step_count = 0
        if self.area != area:
            self.note(self.area, self.x, self.y, self.z, dt)

    # --- the areas on the way -----------------------------------------------------------------------------------------

    def go(self, begun, span):
        """Be where the last trace ended, and note the areas it entered."""
        near: cython.double
        ahead: cython.double
        t: cython.double
        x: cython.double
        y: cython.double
        z: cython.double
        i: cython.int
        if self.sampler.passed_count > 1 and self.sampler.fraction > 0.0:
            x = (self.sampler.x - self.x) / self.sampler.fraction
            y = (self.sampler.y - self.y) / self.sampler.fraction
            z = (self.sampler.z - self.z) / self.sampler.fraction
            near = self.sampler.stop_before / sqrt(x * x + y * y + z * z)
            for i in range(1, self.sampler.passed_count):
                ahead = self.sampler.fraction
                if i + 1 < self.sampler.passed_count:
                    ahead = self.sampler.passed_at[i + 1]
                t = min(self.sampler.passed_at[i] + near, ahead)
                self.note(self.sampler.passed_area[i], self.x + t * x, self.y + t * y, self.z + t * z, begun + t * span)
        self.x = self.sampler.x
        self.y = self.sampler.y
        self.z = self.sampler.z
        self.area = self.sampler.end_area

    def note(self, area, x, y, z, time):
        """An area that was entered in this frame, a point just inside, and the time since the frame began."""
        n: cython.int = self.step_count
        if n >= self.step_area.shape[0]:
            with cython.gil:
                self._grow()
        self.step_area[n] = area
        self.step_point[n, 0] = x
        self.step_point[n, 1] = y
        self.step_point[n, 2] = z
        self.step_point[n, 3] = time
        self.step_count = n + 1

    def keep_path(self, area, x, y, z, time):
        """An area of the whole run."""
        n: cython.int = self.path_count
        if n >= self.path_area.shape[0]:
            with cython.gil:
                self._grow()
        self.path_area[n] = area
        self.path_point[n, 0] = x
        self.path_point[n, 1] = y
        self.path_point[n, 2] = z
        self.path_point[n, 3] = time
        self.path_count = n + 1

    def _grow(self):
        """Room for twice as many areas."""
        if self.step_count >= self.step_area.shape[0]:
            self.step_area = np.concatenate((self.step_area, np.zeros_like(self.step_area)))
            self.step_point = np.concatenate((self.step_point, np.zeros_like(self.step_point)))
        if self.path_count >= self.path_area.shape[0]:
            self.path_area = np.concatenate((self.path_area, np.zeros_like(self.path_area)))
            self.path_point = np.concatenate((self.path_point, np.zeros_like(self.path_point)))

    # --- events -------------------------------------------------------------------------------------------------------

    def entered(self, before, area):
        """Events of going from one area into another."""
        new: cython.uint = self.sampler.contents[area]
        events: cython.uint = 0
        if before >= 0:
            new &= ~self.sampler.contents[before]
        if new & WET:
            events |= LIQUID
        if new & 0x2:
            events |= LAVA
        if new & 0x4:
            events |= SLIME
        if new & 0x20000:
            events |= HURT
        if new & 0x80:
            events |= JUMP_PAD
        if new & 0x40:
            events |= TELEPORTER
        if new & 0x100:
            events |= DO_NOT_ENTER
        if area == self.goal_area:
            events |= AREA
        if area < self.marks.shape[0] and self.marks[area]:
            events |= MARKED
        return events

    def along_way(self):
        """Events of the areas that were entered in this frame; answers whether one of them ends the run."""
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
                self.find_ground()
                self.find_water()
                return True
        self.was_area = self.area
        return False

    def at_end(self, stood, wet, z, vz, moved, dt):
        """Events of where a frame ended."""
        events: cython.uint = 0
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
        """How hard it was, from where the frame began and how fast it went down there."""
        impact: cython.double = vz * vz + 2.0 * self.gravity * (z - self.z)
        self.land_speed = sqrt(max(impact, 0.0))
        self.fall = self.highest - self.z
        # Speed hurts, and liquid breaks the fall; the settings say it as the height of a free fall.
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


def predict_rows(
    mover: Mover,
    start: cython.double[:, ::1],
    velocity: cython.double[:, ::1],
    wish: cython.double[:, ::1],
    speed: cython.double[::1],
    goal_area: cython.int[::1],
    flags: cython.uint[::1],
    first: cython.int,
    last: cython.int,
    end: cython.double[:, ::1],
    number: cython.longlong[:, ::1],
    amount: cython.double[:, ::1],
):
    """Predict the rows first..last−1 with the mover's stops and times; ``wish``: a direction, or the goal of STEER.

    ``end``: place and velocity. ``number``: area, stopped, seen, frames, damage, on ground, water level.
    ``amount``: time, landing speed, fall.
    """
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
    """What all rows of a batch have in common; ``settings``: further fields of the mover by name."""
    mover.reset()
    mover.stop = stop
    mover.frame_time = frame_time
    mover.max_time = max_time
    for name, value in settings.items():
        setattr(mover, name, value)


def path_of(mover: Mover):
    """The areas of the last run (with TRACK), and where and when (x, y, z, seconds) they were entered."""
    n: cython.int = mover.path_count
    return np.asarray(mover.path_area)[:n].copy(), np.asarray(mover.path_point)[:n].copy()
