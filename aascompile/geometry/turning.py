"""Turning points and directions about the origin."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]


def turned(points: Float, axis: int, degrees: float, yaw: float = 0.0) -> Float:
    """(n, 3) points turned by ``degrees`` about an axis (0 x, 1 y, 2 z) that is itself turned by ``yaw`` about z.

    Without degrees and yaw the points stay exactly as they are.
    """
    if yaw:
        return _about(_about(points, axis, degrees), 2, yaw)
    return _about(points, axis, degrees)


def turned_by(points: Float, angles: Float, back: bool = False) -> Float:
    """(n, 3) points turned by ``angles (3,)``, in degrees, about x, y and z in this order; ``back``: the reverse."""
    for axis in (2, 1, 0) if back else (0, 1, 2):
        points = _about(points, axis, -float(angles[axis]) if back else float(angles[axis]))
    return points


def _about(points: Float, axis: int, degrees: float) -> Float:
    if degrees == 0.0:
        return points
    one, two = (axis + 1) % 3, (axis + 2) % 3
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turned = np.array(points)
    turned[:, one] = cos * points[:, one] - sin * points[:, two]
    turned[:, two] = sin * points[:, one] + cos * points[:, two]
    return turned
