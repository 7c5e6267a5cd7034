"""A player who tries links on the brushes themselves: runs off a rim, or follows a link to its end."""

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
"""Units behind the rim where a run begins."""
LIFT = 0.125 * UP
CLOSE = 20.0
"""Units to the end of a fall below which bots step off slowly."""
AIR_GAIN = 13.0
"""Speed that is wished for in flight, for each unit that it would miss the end by."""


@dataclass(frozen=True)
class Try:
    """A player's attempt to get from one area into another; ``area_at`` looks up the area of a point, −1: solid."""

    world: World
    area_at: Callable[..., int]

    def off_rim(self, area: int, rim: Vector, out: Vector, jump: bool = False) -> int | None:
        """The first other area that a player stands in who runs straight out over a rim; None if there is none."""
        ahead = np.array((*out, 0.0))
        player = Player(self.world, rim - BACK * ahead + LIFT, np.zeros(3), jump=jump)
        for _ in range(round(SECONDS / FRAME)):
            player.frame(RUN * ahead, FRAME)
            found = self._stands(player, ahead)
            if found not in (-1, area):
                return found
        return None

    def follow(self, start: Vector, end: Vector, velocity: Vector, target: int, jump: bool, fall: bool) -> bool:
        """Whether a player who steers to a link's end comes to stand in its target."""
        ahead = unit((end - start) * (1, 1, 0))
        slow = fall and np.linalg.norm((end - start)[:2]) < CLOSE
        player = Player(self.world, start, velocity, jump=jump)
        for _ in range(round(SECONDS / FRAME)):
            player.frame(self._wish(player, end, CROUCH if slow else RUN), FRAME)
            if self._stands(player, ahead) == target:
                return True
        return False

    def _wish(self, player: Player, end: Vector, speed: float) -> Vector:
        """Velocity to the end of a link, not past it; in flight, from where the player would come down."""
        swims = player.level > 1
        way = (end - player.at) * (1, 1, swims)
        if player.walks or swims:
            return unit(way) * min(speed, float(np.linalg.norm(way)) / FRAME)
        under = player.velocity[2] ** 2 + 2 * GRAVITY * (player.at[2] - end[2])
        if under > 0:
            way = way - player.velocity * (1, 1, 0) * max((player.velocity[2] + np.sqrt(under)) / GRAVITY, 0.0)
        return unit(way) * min(speed, AIR_GAIN * float(np.linalg.norm(way)))

    def _stands(self, player: Player, ahead: Vector) -> int:
        """Area that the player stands in, on ground that goes on ahead unless a wall is there; −1: nowhere."""
        if not player.walks:
            return -1
        area = self.area_at(*player.at)
        next_to = player.at + 0.5 * ahead + 0.5 * UP
        if self.area_at(*next_to) != area:
            return area
        return area if player.bodies.trace(next_to, next_to - 1.5 * UP).normal is not None else -1
