"""A slow, readable player: the game's movement with vectors, on the brushes instead of the compiled tree.

Collision tests the box against every brush. Liquids are looked up at the game's own points (feet, waist, eyes).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from aascompile.model.contents import LIQUID
from aascompile.model.mapdata import MapData
from tests.reference.collision import CROUCHED, STANDING, Solids
from tests.reference.sample import Grown

Vector = NDArray[np.float64]

GRAVITY, FRICTION, WATER_FRICTION, STOP_SPEED = 800.0, 6.0, 1.0, 100.0
RUN, CROUCH, SWIM, SINK, JUMP = 320.0, 100.0, 150.0, 60.0, 270.0
ON_GROUND, IN_AIR, IN_WATER = 10.0, 1.0, 4.0
STEP, GROUND_NEAR, WALKABLE, OVERBOUNCE = 18.0, 0.25, 0.7, 1.001
UP = np.array((0.0, 0.0, 1.0))


class World:
    """What a player can touch in a map."""

    def __init__(self, source: MapData) -> None:
        self.standing = Grown.of_map(source, STANDING)
        self.crouched = Grown.of_map(source, CROUCHED)
        self.liquid = Solids(source, LIQUID)
        self.solid = Solids(source)

    def wet(self, point: Vector) -> bool:
        return bool(self.liquid.hit(point)[0])

    def hard(self, point: Vector) -> bool:
        return bool(self.solid.hit(point)[0])


def clipped(velocity: Vector, normal: Vector) -> Vector:
    """A velocity without its component along a normal, pushed slightly off the plane."""
    into = velocity @ normal
    return velocity - normal * (into * OVERBOUNCE if into < 0 else into / OVERBOUNCE)


def unit(vector: Vector) -> Vector:
    length = np.linalg.norm(vector)
    return vector / length if length > 0 else np.zeros(3)


def level(wish: Vector) -> tuple[Vector, float]:
    """Horizontal direction of a wished velocity, and its speed, which does not depend on pitch."""
    flat = unit(wish * (1, 1, 0))
    return flat, float(np.linalg.norm(wish)) if flat.any() else 0.0


@dataclass
class Player:
    """A player, and what happened during the movement so far."""

    world: World
    at: Vector
    velocity: Vector
    jump: bool = False
    crouch: bool = False
    ground: Vector | None = None
    level: int = 0
    leaping: bool = False
    landings: list[float] = field(default_factory=list)
    """Speeds downwards."""

    def __post_init__(self) -> None:
        self.at, self.velocity = np.array(self.at, float), np.array(self.velocity, float)
        self.look()

    @property
    def walks(self) -> bool:
        return self.ground is not None and self.ground[2] >= WALKABLE

    @property
    def bodies(self) -> Grown:
        return self.world.crouched if self.crouch else self.world.standing

    def look(self) -> None:
        """Find the ground and the depth of the water."""
        below = self.bodies.trace(self.at, self.at - GROUND_NEAR * UP)
        self.ground = below.normal
        if self.ground is not None and self.velocity[2] > 0 and self.velocity @ self.ground > 10:
            self.ground = None
        if self.walks:
            self.leaping = False
        eyes = 36.0 if self.crouch else 50.0
        points = [self.at + (height - 24) * UP for height in (1.0, eyes / 2, eyes)]
        wet = [self.world.wet(point) for point in points]
        self.level = wet.index(False) if False in wet else 3

    def frame(self, wish: Vector, dt: float) -> None:
        """One frame; ``wish`` is the wished velocity."""
        stood, before, falling = self.walks, self.at.copy(), self.velocity[2]
        if self.leaping:
            self._leap(dt)
        elif self.level > 1:
            self._swim(wish, dt)
        elif self.walks:
            self._walk(wish, dt)
        else:
            self._fly(wish, dt)
        self.look()
        if self.walks and not stood and self.level < 2:
            self.landings.append(float(np.sqrt(max(falling**2 + 2 * GRAVITY * (before[2] - self.at[2]), 0))))

    def _walk(self, wish: Vector, dt: float) -> None:
        assert self.ground is not None
        if self.jump:
            self.jump = False
            self.ground = None
            self.velocity[2] = JUMP
            self._fly(wish, dt)
            return
        self._slow_down(dt)
        flat, speed = level(wish)
        if self.crouch:
            speed = min(speed, CROUCH)
        if self.level:
            speed = min(speed, RUN - (RUN - SWIM) * self.level / 3)
        self._accelerate(unit(clipped(flat, self.ground)), speed, ON_GROUND, dt)
        self.velocity = unit(clipped(self.velocity, self.ground)) * np.linalg.norm(self.velocity)
        if self.velocity[:2].any():
            self._step_slide(dt, 0.0)

    def _fly(self, wish: Vector, dt: float) -> None:
        self._slow_down(dt)
        self._accelerate(*level(wish), IN_AIR, dt)
        if self.ground is not None:
            self.velocity = clipped(self.velocity, self.ground)
        self._step_slide(dt, GRAVITY)

    def _swim(self, wish: Vector, dt: float) -> None:
        ahead = unit(wish * (1, 1, 0))
        bank = self.at + 30 * ahead + 4 * UP
        if self.level == 2 and ahead.any() and self.world.hard(bank):
            above = bank + 16 * UP
            if not self.world.hard(above) and not self.world.wet(above):
                self.leaping = True
                self.velocity = 200 * ahead + 350 * UP
                self._leap(dt)
                return
        self._slow_down(dt)
        speed = float(np.linalg.norm(wish))
        self._accelerate(unit(wish) if speed else -UP, min(speed or SINK, SWIM), IN_WATER, dt)
        if self.ground is not None and self.velocity @ self.ground < 0:
            self.velocity = unit(clipped(self.velocity, self.ground)) * np.linalg.norm(self.velocity)
        self._slide(dt, 0.0)

    def _leap(self, dt: float) -> None:
        self._step_slide(dt, GRAVITY)
        self.velocity[2] -= GRAVITY * dt
        self.leaping = bool(self.velocity[2] >= 0)

    def _slow_down(self, dt: float) -> None:
        moving = self.velocity * (1, 1, 0) if self.walks else self.velocity
        speed = float(np.linalg.norm(moving))
        if speed < 1:
            self.velocity = self.velocity * (0, 0, 1)
            return
        drop = speed * WATER_FRICTION * self.level * dt
        if self.walks and self.level <= 1:
            drop += max(speed, STOP_SPEED) * FRICTION * dt
        self.velocity = self.velocity * (max(speed - drop, 0) / speed)

    def _accelerate(self, direction: Vector, speed: float, rate: float, dt: float) -> None:
        lacks = speed - self.velocity @ direction
        if lacks > 0:
            self.velocity = self.velocity + direction * min(rate * dt * speed, lacks)

    def _slide(self, dt: float, gravity: float) -> bool:
        """Move for a frame, sliding along obstacles. Return whether there were any."""
        end = self.velocity - gravity * dt * UP
        velocity = (self.velocity + end) / 2
        if gravity and self.ground is not None:
            velocity = clipped(velocity, self.ground)
        walls = [] if self.ground is None else [self.ground]
        if velocity.any():
            walls.append(unit(velocity))
        left, hits = dt, 0
        while hits < 4:
            hit = self.bodies.trace(self.at, self.at + velocity * left)
            self.at = hit.end
            if hit.normal is None:
                break
            hits += 1
            left -= left * hit.fraction
            if len(walls) >= 5:
                self.velocity = np.zeros(3)
                return True
            if any(hit.normal @ wall > 0.99 for wall in walls):
                velocity = velocity + hit.normal
                continue
            walls.append(hit.normal)
            turned = self._turned(velocity, end, walls)
            if turned is None:
                self.velocity = np.zeros(3)
                return True
            velocity, end = turned
        self.velocity = end if gravity else velocity
        return hits > 0

    @staticmethod
    def _turned(velocity: Vector, end: Vector, walls: list[Vector]) -> tuple[Vector, Vector] | None:
        """Both velocities along the walls; None in a corner."""
        for wall in walls:
            if velocity @ wall >= 0.1:
                continue
            now, then = clipped(velocity, wall), clipped(end, wall)
            for other in walls:
                if other is wall or now @ other >= 0.1:
                    continue
                now, then = clipped(now, other), clipped(then, other)
                if now @ wall >= 0:
                    continue
                crease = unit(np.cross(wall, other))
                now, then = crease * (crease @ velocity), crease * (crease @ end)
                if any(now @ third < 0.1 for third in walls if third is not wall and third is not other):
                    return None
            return now, then
        return velocity, end

    def _step_slide(self, dt: float, gravity: float) -> None:
        at, velocity = self.at, self.velocity
        if not self._slide(dt, gravity):
            return
        below = self.bodies.trace(at, at - STEP * UP).normal
        if self.velocity[2] > 0 and (below is None or below[2] < WALKABLE):
            return
        raised = self.bodies.trace(at, at + STEP * UP).end
        self.at, self.velocity = raised, velocity
        self._slide(dt, gravity)
        down = self.bodies.trace(self.at, self.at - (raised - at))
        self.at = down.end
        if down.normal is not None:
            self.velocity = clipped(self.velocity, down.normal)
