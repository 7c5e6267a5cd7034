"""Openings in walls that are too narrow or too low for a player."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.csr import within
from aascompile.geometry.closest_kernel import pairs_within
from aascompile.geometry.rays_kernel import are_crossed
from aascompile.geometry.vectors import lengths
from aascompile.model.compiled import Context
from aascompile.model.mapdata import Float

FARTHEST: Final = (12.0, 24.0, 48.0, 96.0)
"""Units between two floors, on both sides of a wall, in which an opening is looked for. A farther distance is tried
only if the nearer ones give fewer than MOST rays."""

SPACING: Final = 8.0
"""Units between the places along a rim from which a ray is sent."""

HEIGHTS: Final = (-14.0, 0.0, 20.0)
"""Heights of the rays, in units above a player's origin."""

MOST: Final = 2048
"""Limit on the rays."""


def along(a: Float, b: Float) -> Float:
    """(n, 3) points along some edges."""
    length = lengths(b - a)
    count = np.maximum(np.ceil(length / SPACING).astype(np.int64), 1)
    edge = np.repeat(np.arange(len(a)), count)
    step = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count)
    share = (step + 0.5) / count[edge]
    points: Float = a[edge] + share[:, None] * (b - a)[edge]
    return points


def opening_between(context: Context, inside: Float, outside: Float) -> Float | None:
    """The middle of the shortest free line between two sets of players' origins (n, 3); None if all are blocked."""
    if not len(context) or not len(inside) or not len(outside):
        return None
    for far in FARTHEST:
        i, j = (rows[:MOST] for rows in pairs_within(inside, outside, far))
        if len(i) == MOST:
            break
    for height in HEIGHTS:
        lift = np.array((0.0, 0.0, height))
        free = np.flatnonzero(~_blocked(context, inside[i] + lift, outside[j] + lift))
        if len(free):
            middle: Float = (inside[i[free[0]]] + outside[j[free[0]]]) / 2.0 + lift
            return middle
    return None


def _triangles(context: Context, low: Float, high: Float) -> Float:
    """(t, 9) corners of the triangles of the faces that touch a box."""
    corner = context.vertex[context.corner]
    mins = np.minimum.reduceat(corner, context.start[:-1])
    maxs = np.maximum.reduceat(corner, context.start[:-1])
    face = np.flatnonzero(((mins <= high) & (maxs >= low)).all(axis=1))
    count = np.maximum(np.diff(context.start)[face] - 2, 0)
    first = context.start[face].repeat(count)
    other = first + 1 + within(count)
    return np.ascontiguousarray(np.hstack((corner[first], corner[other], corner[other + 1])))


def _blocked(context: Context, start: Float, end: Float) -> NDArray[np.bool_]:
    """(n,) whether a face lies between two points."""
    if not len(start):
        return np.zeros(0, np.bool_)
    ends = np.vstack([start, end])
    triangles = _triangles(context, ends.min(axis=0), ends.max(axis=0))
    blocked: NDArray[np.bool_] = are_crossed(start, end, triangles, tolerances.IN_PLANE)
    return blocked
