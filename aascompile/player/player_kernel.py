# mypy: ignore-errors
"""What the game does with a player in one of its frames.

    jump        the upward velocity is set, or added to that of a player who runs up a slope (``jump_adds``). A jump soon
                after another one is a double jump, in games that have them.
    walk        friction, then acceleration along the ground; steps are climbed.
    fly         a little acceleration, and gravity: the move uses the mean of the frame's first and last velocity.
    swim        at water level 2 and above (liquid up to the waist): friction and acceleration, no gravity.
    jump out    in water up to the waist, in front of a bank of the right height: the player is pushed up and forwards.

Liquids are expanded like solids, by the standing box, so liquid above the origin is liquid above the feet: the depth of
the liquid over a player's feet is the height of expanded liquid above the origin.
"""

import cython
from cython.cimports.libc.math import sqrt

if cython.compiled:
    from cython.cimports.aascompile.sampling.sample_kernel import LIQUID as WET
    from cython.cimports.aascompile.player.body_kernel import Body, lost
else:
    from aascompile.sampling.sample_kernel import LIQUID as WET
    from aascompile.player.body_kernel import Body, lost

AT_REST = cython.declare(cython.double, 1.0)  # units/s: friction stops a player who is slower
AGAIN = cython.declare(cython.double, 0.4)  # seconds after a jump within which the next one is a double jump
BANK_LOW = cython.declare(cython.double, 4.0)  # units above the origin: a bank is higher than this …
BANK_HIGH = cython.declare(cython.double, 20.0)  # … and lower than this
BANK_FAR = cython.declare(cython.double, 30.0)  # units from the origin to the bank


class Player(Body):
    """A body with a wish: ``want_x`` …, ``want_speed``, ``wants_jump`` and ``wants_crouch``."""

    def __init__(self, sampler, physics, boxes, ground_near: cython.double):
        Body.__init__(self, sampler, physics, ground_near)
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
        self.jump_adds = physics.jump_adds
        self.double_jump = physics.double_jump
        self.since_jump = AGAIN
        self.sink_speed = physics.sink_speed
        self.waterjump_forward = physics.waterjump_forward
        self.waterjump_up = physics.waterjump_up
        standing = boxes[0]
        crouched = boxes[len(boxes) - 1]
        self.standing = standing.presence
        self.crouched = crouched.presence
        self.half_width = standing.maxs[0]
        self.feet = -standing.mins[2]
        # The eyes are a few units below the top of the box: 6 standing, 4 crouched, in the game.
        self.eyes = standing.maxs[2] - standing.mins[2] - 6.0
        self.eyes_crouched = crouched.maxs[2] - crouched.mins[2] - 4.0

    def frame(self, dt):
        """One frame of the game."""
        self.step_count = 0
        self.hit_wall = False
        self.hit_head = False
        self.leapt = False
        self.since_jump += dt
        self.duck()
        if self.jumping_out:
            self.jump_out(dt)
        elif self.water_level > 1:
            self.swim(dt)
        elif self.on_ground:
            self.walk(dt)
        else:
            self.fly(dt)
        self.look_about()

    def look_about(self):
        """Find the ground and the depth of the water."""
        self.find_ground()
        if self.on_ground:
            self.jumping_out = False
        self.find_water()

    def duck(self):
        """Crouch if wished, and stand up again as soon as there is room."""
        if self.wants_crouch:
            self.ducked = True
        elif self.ducked and self.presence != self.standing:
            self.ducked = (self.sampler.presence[self.area] & self.standing) == 0
        self.presence = self.crouched if self.ducked else self.standing

    def find_water(self):
        """Set the water level. 0: dry; 1: the feet, 2: the waist, 3: the eyes are in liquid."""
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

    def walk(self, dt):
        """On the ground: jump, or move along it."""
        into: cython.double
        length: cython.double
        x: cython.double = self.want_x
        y: cython.double = self.want_y
        z: cython.double
        speed: cython.double = self.want_speed
        if self.wants_jump:
            self.jumped = True
            self.has_ground = False
            self.on_ground = False
            self.vz = self.jump_velocity + (max(self.vz, 0.0) if self.jump_adds else 0.0)
            if self.double_jump > 0.0 and self.since_jump < AGAIN:
                self.vz += self.double_jump
            self.since_jump = 0.0
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
        """In the air: gravity, and a little steering."""
        self.slow_down(dt)
        self.accelerate(self.want_x, self.want_y, 0.0, self.want_speed, self.air_accelerate, dt)
        if self.has_ground:
            self.clip(self.ground_x, self.ground_y, self.ground_z)
        self.step_slide(True, dt)

    def swim(self, dt):
        """In liquid: move in any direction, or sink."""
        forward: cython.double
        if self.at_bank():
            self.leapt = True
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
        """Whether the waist is in liquid and the wish points at a bank that the player can jump onto."""
        across: cython.double = sqrt(self.want_x * self.want_x + self.want_y * self.want_y)
        if self.water_level != 2 or self.want_speed <= 0.0 or across == 0.0:
            return False
        # The game tests points of the map. Here the map is expanded by the box: sideways, so a point behind a vertical
        # wall is found half a width nearer, and upwards.
        x: cython.double = BANK_FAR * self.want_x / across
        y: cython.double = BANK_FAR * self.want_y / across
        x = self.x + x - max(min(x, self.half_width), -self.half_width)
        y = self.y + y - max(min(y, self.half_width), -self.half_width)
        if self.sampler.area_at(x, y, self.z + BANK_LOW + self.feet) >= 0:
            return False
        above: cython.int = self.sampler.area_at(x, y, self.z + BANK_HIGH + self.feet)
        return above >= 0 and (self.sampler.contents[above] & WET) == 0

    def jump_out(self, dt):
        """Out of the water: twice the gravity and no steering, until the player falls."""
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
        """Accelerate in a direction up to the wished speed. Velocity across it does not change."""
        lacks: cython.double = speed - (self.vx * x + self.vy * y + self.vz * z)
        if lacks <= 0.0:
            return
        gain: cython.double = min(rate * dt * speed, lacks)
        self.vx += gain * x
        self.vy += gain * y
        self.vz += gain * z
