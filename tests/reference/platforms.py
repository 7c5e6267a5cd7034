"""Whether a brush of a platform touches a player, plane by plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances

Array = NDArray[np.float64]


def above(normal: Array, dist: Array, point: Array, half: float, low: float, high: float) -> bool:
    """Whether a brush, grown sideways by ``half``, is above or below a point (2,) between two heights."""
    top, bottom = high, low
    for (x, y, z), far in zip(normal.tolist(), dist.tolist(), strict=True):
        left = far + half * (abs(x) + abs(y)) - (point[0] * x + point[1] * y)
        if abs(z) < tolerances.PLANE_NORMAL and left <= tolerances.TOUCH:
            return False
        if z > 0.0:
            top = min(top, left / z)
        if z < 0.0:
            bottom = max(bottom, left / z)
    return bool(bottom < top)
