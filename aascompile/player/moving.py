"""Movers in time: boxes that move or turn together, where they are and how they are turned at a moment."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from aascompile.geometry.turning import turned_by
from aascompile.model.mapdata import Float
from aascompile.records import dataclass

STEEPEST: Final = 0.1
"""Least upward part of the normal of a floor that is looked at. Nobody stands on a steeper one."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Boxes at a moment."""

    middle: Float
    """(m, 3) their middles."""
    angles: Float
    """(3,) degrees by which all are turned, about x, y and z in this order."""

    def out(self, row: int, place: Float) -> Float:
        """(3,) a place in the world, from one that is given from the middle of a box, as drawn."""
        found: Float = self.middle[row] + turned_by(place[None], self.angles)[0]
        return found

    def into(self, row: int, place: Float) -> Float:
        """(3,) the reverse of ``out``."""
        found: Float = turned_by((place - self.middle[row])[None], self.angles, back=True)[0]
        return found


@dataclass(frozen=True, slots=True)
class Moving:
    """Boxes that move together, and when they are where."""

    half: Float
    """(m, 3) half the sizes of the boxes."""
    floor: Float
    """(m,) heights of their floors above their middles."""
    seconds: tuple[float, ...]
    """Ascending times, 0 when it begins to stand where the player gets on."""
    middle: Float
    """(k, m, 3) middles of the boxes at these times. Between two times they move, unless both are equal."""
    angles: Float
    """(k, 3) degrees by which they are turned at these times. A mover that turns has one box, and a fixed axis."""
    swings: bool
    """It slows down towards the ends of each way, as bobbing platforms and pendulums do."""

    def at(self, time: float) -> Pose:
        """The boxes at a time."""
        row = int(np.searchsorted(self.seconds, time, side="right")) - 1
        if row < 0 or row + 1 >= len(self.seconds):
            return Pose(self.middle[max(row, 0)], self.angles[max(row, 0)])
        share = (time - self.seconds[row]) / (self.seconds[row + 1] - self.seconds[row])
        if self.swings:
            share = (1.0 - math.cos(math.pi * share)) / 2.0
        by = self._turn(row)
        if not by.any():
            return Pose(self.middle[row] + share * (self.middle[row + 1] - self.middle[row]), self.angles[row])
        angles = self.angles[row] + share * by
        pivot = self._pivot(row)
        arm = turned_by(self.middle[row] - pivot, self.angles[row], back=True)
        return Pose(pivot + turned_by(arm, angles), angles)

    def _turn(self, row: int) -> Float:
        """(3,) degrees by which it turns from a time to the next, the shorter way round."""
        by: Float = (self.angles[row + 1] - self.angles[row] + 180.0) % 360.0 - 180.0
        return by

    def _pivot(self, row: int) -> Float:
        """(3,) a point of the axis about which it turns: level with the middles along the axis."""
        by = self._turn(row)
        which = int(np.abs(by).argmax())
        axis = np.zeros((1, 3))
        axis[0, which] = 1.0
        yaw = 0.0 if which == 2 else self.angles[row, 2]
        ahead = turned_by(axis, np.array((0.0, 0.0, yaw)))[0]
        chord = self.middle[row + 1, 0] - self.middle[row, 0]
        away = np.cross(ahead, chord) / (2.0 * math.tan(math.radians(by[which]) / 2.0))
        pivot: Float = (self.middle[row + 1, 0] + self.middle[row, 0]) / 2.0 + away
        return pivot

    def top(self, row: int, place: Float, pose: Pose, wide: Float) -> float:
        """Height of the floor of a box below a player ``wide (2,)`` units to each side; −inf beside it, or if it is
        turned too far to stand on."""
        centre = pose.out(row, np.array((0.0, 0.0, self.floor[row])))
        x, y, z = turned_by(np.array([(0.0, 0.0, 1.0)]), pose.angles)[0].tolist()
        if z < STEEPEST:
            return -math.inf
        under = centre[2] - (x * (place[0] - centre[0]) + y * (place[1] - centre[1])) / z
        aside = np.abs(pose.into(row, np.array((place[0], place[1], under)))[:2]) - self.half[row, :2] - wide
        if not (aside < 0.0).all():
            return -math.inf
        return float(under + (abs(x) * wide[0] + abs(y) * wide[1]) / z)
