# mypy: ignore-errors
"""A player's body among obstacles: it moves for a frame, slides along obstacles, and climbs steps.

    ground   what a downward trace of ``ground_near`` hits. On ground steeper than ``floor_up`` the player slides.
    slide    a move that hits a plane continues along it, along the crease of two planes, and ends in a corner of three.
    step     a move that hits something is repeated from ``step`` higher, and then comes down.

The areas that a frame enters are recorded in ``step_area``. (For a frame that climbs a step, only the last one is.)
"""

import cython
import numpy as np
from cython.cimports.libc.math import sqrt

from aascompile.columns import grown

if cython.compiled:
    from cython.cimports.aascompile.sampling.sample_kernel import Sampler

OVERBOUNCE = cython.declare(cython.double, 1.001)  # factor by which the speed lost at a plane exceeds the speed into it
AWAY = cython.declare(cython.double, 0.1)  # units/s: a plane that the player leaves faster than this is no obstacle
SAME_PLANE = cython.declare(cython.double, 0.99)  # cosine between normals of a plane that was hit again
KICK_OFF = cython.declare(cython.double, 10.0)  # units/s: a player who rises faster than this has left the ground
MOST_BUMPS = cython.declare(cython.int, 4)  # in a frame
MOST_WALLS = cython.declare(cython.int, 5)  # planes that a slide considers at once


def lost(into):
    """Speed lost at a plane; ``into`` is the speed along its normal, negative towards the plane."""
    return into * OVERBOUNCE if into < 0.0 else into / OVERBOUNCE


class Body:
    """Position, velocity, and the ground below the feet."""

    def __init__(self, sampler, physics, ground_near: cython.double):
        self.sampler = sampler
        sampler.remember()  # a body asks about its surroundings many times
        self.gravity = physics.gravity
        self.step = physics.step
        self.floor_up = physics.floor_up
        self.ground_near = ground_near
        self.wall = np.zeros((8, 3))
        self.step_area = np.zeros(64, np.intc)
        self.step_point = np.zeros((64, 4))
        self.step_count = 0
        self.area = -1
        self.looked_x = self.looked_y = self.looked_z = 0.0
        self.looked_for = 0  # no box: nothing was looked for yet

    def find_ground(self):
        """Find the ground below the feet, and whether the player can stand on it."""
        self.has_ground = False
        self.on_ground = False
        self.look_down()
        if not self.below:
            return
        if self.vz > 0.0 and self.vx * self.below_x + self.vy * self.below_y + self.vz * self.below_z > KICK_OFF:
            return
        self.has_ground = True
        self.ground_x = self.below_x
        self.ground_y = self.below_y
        self.ground_z = self.below_z
        self.on_ground = self.ground_z >= self.floor_up

    def look_down(self):
        """Find what is below the feet, unless the player has not moved since it was found: a run begins where another
        ended."""
        if (
            self.looked_x == self.x
            and self.looked_y == self.y
            and self.looked_z == self.z
            and self.looked_for == self.presence
        ):
            return
        self.looked_x = self.x
        self.looked_y = self.y
        self.looked_z = self.z
        self.looked_for = self.presence
        self.below = self.sampler.trace(
            self.x, self.y, self.z, self.x, self.y, self.z - self.ground_near, self.presence
        )
        if self.sampler.start_solid:
            self.below = False
        self.below_x = self.sampler.normal_x
        self.below_y = self.sampler.normal_y
        self.below_z = self.sampler.normal_z
        self.below_far = self.sampler.distance

    def lift_off(self):
        """Rise to the height above the ground at which a landing would have ended: starts often lie exactly on it."""
        gap: cython.double
        self.find_ground()
        if not self.has_ground or self.below_far >= self.sampler.stop_before:
            return
        gap = (self.sampler.stop_before - self.below_far) / max(self.ground_z, self.floor_up)
        self.sampler.trace(self.x, self.y, self.z, self.x, self.y, self.z + gap, self.presence)
        self.z = self.sampler.z

    def clip(self, nx, ny, nz):
        """Turn the velocity along a plane."""
        into: cython.double = lost(self.vx * nx + self.vy * ny + self.vz * nz)
        self.vx -= into * nx
        self.vy -= into * ny
        self.vz -= into * nz

    def keep_speed_on_ground(self):
        """Turn the velocity along the ground and keep its speed: slopes do not slow a player down."""
        before: cython.double = sqrt(self.vx * self.vx + self.vy * self.vy + self.vz * self.vz)
        self.clip(self.ground_x, self.ground_y, self.ground_z)
        after: cython.double = sqrt(self.vx * self.vx + self.vy * self.vy + self.vz * self.vz)
        if after > 0.0:
            self.vx *= before / after
            self.vy *= before / after
            self.vz *= before / after

    def slide(self, falling, dt):
        """Move for a frame, along obstacles. Return whether there were any."""
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
        # Never turn against the first direction.
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
                if nz < -self.floor_up:
                    self.hit_head = True
                else:
                    self.hit_wall = True
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
                # Rounding made it hit the same plane again: push it off a little.
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
        """Turn both velocities along the walls they point into. Return whether the player can move on."""
        i: cython.int
        for i in range(walls):
            if self.vx * self.wall[i, 0] + self.vy * self.wall[i, 1] + self.vz * self.wall[i, 2] < AWAY:
                return self.turn_along(i, walls)
        return True

    def turn_along(self, i, walls):
        """Turn along wall ``i``, or along its crease with a second wall. A third wall stops the player."""
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
        """Slide. If there was an obstacle, repeat the move from ``step`` higher and come down afterwards."""
        x: cython.double = self.x
        y: cython.double = self.y
        z: cython.double = self.z
        vx: cython.double = self.vx
        vy: cython.double = self.vy
        vz: cython.double = self.vz
        area: cython.int = self.area
        rise: cython.double
        if not self.slide(falling, dt):
            return
        # A rising player climbs steps only if the ground is near.
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
        self.hit_wall = False
        self.hit_head = False
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

    def go(self, begun, span):
        """Move to the end of the last trace and record the areas it entered."""
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
        """Record an area that was entered in this frame, a point just inside it, and the time since the frame began."""
        n: cython.int = self.step_count
        if n >= self.step_area.shape[0]:
            with cython.gil:
                self.step_area, self.step_point = grown(n + 1, self.step_area, self.step_point)
        self.step_area[n] = area
        self.step_point[n, 0] = x
        self.step_point[n, 1] = y
        self.step_point[n, 2] = z
        self.step_point[n, 3] = time
        self.step_count = n + 1
