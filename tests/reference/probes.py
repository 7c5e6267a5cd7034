"""Attempts of a simulated player on the brushes: running off a rim, or following a link to its end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tests.reference.movement import CROUCH, GRAVITY, RUN, UP, Player, World, unit

Vector = NDArray[np.float64]
FRAME = 0.025
SECONDS = 3.0
BACK = 2.5
"""Units behind the rim at which a run starts."""
LIFT = 0.125 * UP
CLOSE = 20.0
"""Horizontal length of a fall below which bots step off slowly, units."""
AIR_GAIN = 13.0
"""Wished speed in flight for each unit by which the player would miss the end."""


@dataclass(frozen=True)
class Try:
    """A player's attempt to get from one area into another; ``area_at`` looks up the area of a point, −1: solid."""

    world: World
    area_at: Callable[..., int]

    def off_rim(self, area: int, rim: Vector, out: Vector, jump: bool = False) -> int | None:
        """First other area in which the player stands after running straight over a rim; None if there is none."""
        ahead = np.array((*out, 0.0))
        player = Player(self.world, rim - BACK * ahead + LIFT, np.zeros(3), jump=jump)
        for _ in range(round(SECONDS / FRAME)):
            player.frame(RUN * ahead, FRAME)
            found = self._stands(player, ahead)
            if found not in (-1, area):
                return found
        return None

    def follow(self, start: Vector, end: Vector, velocity: Vector, target: int, jump: bool, fall: bool) -> bool:
        """Whether a player steering to a link's end comes to stand in its target."""
        ahead = unit((end - start) * (1, 1, 0))
        slow = fall and np.linalg.norm((end - start)[:2]) < CLOSE
        player = Player(self.world, start, velocity, jump=jump)
        for _ in range(round(SECONDS / FRAME)):
            player.frame(self._wish(player, end, CROUCH if slow else RUN), FRAME)
            if self._stands(player, ahead) == target:
                return True
        return False

    def _wish(self, player: Player, end: Vector, speed: float) -> Vector:
        """Wished velocity to the end of a link without passing it; in flight, measured from the predicted landing."""
        swims = player.level > 1
        miss = (end - player.at) * (1, 1, swims)
        if player.walks or swims:
            return unit(miss) * min(speed, float(np.linalg.norm(miss)) / FRAME)
        under = player.velocity[2] ** 2 + 2 * GRAVITY * (player.at[2] - end[2])
        if under > 0:
            miss = miss - player.velocity * (1, 1, 0) * max((player.velocity[2] + np.sqrt(under)) / GRAVITY, 0.0)
        return unit(miss) * min(speed, AIR_GAIN * float(np.linalg.norm(miss)))

    def _stands(self, player: Player, ahead: Vector) -> int:
        """Area in which the player stands, on ground that continues ahead or ends at a wall; −1: nowhere."""
        if not player.walks:
            return -1
        area = self.area_at(*player.at)
        next_to = player.at + 0.5 * ahead + 0.5 * UP
        if self.area_at(*next_to) != area:
            return area
        return area if player.bodies.trace(next_to, next_to - 1.5 * UP).normal is not None else -1
