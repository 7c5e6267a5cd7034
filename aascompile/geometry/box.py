"""Support function of an axial box: how far a plane moves when a brush is expanded by an agent's box."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def expansion(normal: ArrayLike, mins: ArrayLike, maxs: ArrayLike) -> NDArray[np.float64]:
    """(n,) units by which planes ``normal (n, 3)`` move outward so that a box's origin stays clear of the brush.

    The box ``mins (3,)``, ``maxs (3,)`` touches a plane with the corner that is farthest against the normal. Its origin
    is then that corner's offset in front of the plane: expanded distance = distance + expansion.
    """
    normals = np.asarray(normal, np.float64).reshape(-1, 3)
    corner = np.where(normals > 0, np.asarray(mins, np.float64), np.asarray(maxs, np.float64))
    result: NDArray[np.float64] = -(normals * corner).sum(axis=1)
    return result
