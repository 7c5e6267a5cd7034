"""Slow twin of the nearest points of two grounds, seen from above: compares every two edges."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Edge = tuple[Vector, Vector]


@dataclass(frozen=True)
class Jump:
    """Limits of a jump."""

    rise: float
    fall: float
    gravity: float
    lift: float
    speed: float

    def possible(self, start: Vector, end: Vector) -> bool:
        """Whether a jump at full speed gets from one point to the other."""
        drop = start[2] - end[2]
        if not -self.rise <= drop <= self.fall:
            return False
        air = (self.lift + sqrt(self.lift**2 + 2 * self.gravity * drop)) / self.gravity
        return hypot(*(end - start)[:2]) <= self.speed * air


@dataclass(frozen=True)
class Facing:
    """The nearest points of two edges, the middle of the range if many are equally near."""

    start: Vector
    end: Vector
    square: float
    """Square of their horizontal distance."""
    span: float
    """Length of the range."""


def facing(first: Edge, second: Edge, level: float) -> Facing:
    """Compare two edges that do not cross; squares of distances within ``level`` of each other count as equal."""
    tries = [(end, project(second, at(first, end))) for end in (0.0, 1.0)]
    tries += [(project(first, at(second, end)), end) for end in (0.0, 1.0)]
    squares = [float(np.sum((at(first, s) - at(second, t))[:2] ** 2)) for s, t in tries]
    near = [pair for pair, square in zip(tries, squares, strict=True) if square < min(squares) + level]
    low, high = min(near, key=lambda pair: pair[0]), max(near, key=lambda pair: pair[0])
    s, t = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
    start, end = at(first, s), at(second, t)
    span = (high[0] - low[0]) * hypot(*(first[1] - first[0])[:2])
    return Facing(start, end, float(np.sum((start - end)[:2] ** 2)), span)


def at(edge: Edge, share: float) -> Vector:
    """Point of an edge at a share of its length."""
    return edge[0] + share * (edge[1] - edge[0])


def project(edge: Edge, point: Vector) -> float:
    """Share of an edge's length at which it is nearest to a point, seen from above."""
    along = (edge[1] - edge[0])[:2]
    return float(np.clip((point - edge[0])[:2] @ along / (along @ along), 0.0, 1.0))


def between(first: list[Edge], second: list[Edge], jump: Jump, level: float) -> Facing | None:
    """Nearest points of two grounds between which a jump is possible. If several are equally near, the widest range."""
    found = [facing(edge, other, level) for edge in first for other in second]
    found = [pair for pair in found if jump.possible(pair.start, pair.end)]
    if not found:
        return None
    least = min(pair.square for pair in found)
    return max((pair for pair in found if pair.square <= least + level), key=lambda pair: pair.span)
