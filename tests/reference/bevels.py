"""Slow twins of bevels and of growing by a box."""

from __future__ import annotations

from itertools import product

import numpy as np

from aascompile import tolerances as tol


def bevels(faces: list[np.ndarray]) -> list[tuple[np.ndarray, float]]:
    """Planes that bound a brush only after it has grown: six axial planes, and the planes along an edge and an axis."""
    points = np.vstack(faces)
    found = [(sign * axis, float((sign * points @ axis).max())) for axis in np.eye(3) for sign in (1.0, -1.0)]
    for face in faces:
        for a, b in zip(face, np.roll(face, -1, axis=0), strict=True):
            for axis, sign in product(np.eye(3), (1.0, -1.0)):
                normal = sign * np.cross(b - a, axis)
                length = np.linalg.norm(normal)
                if length <= tol.BEVEL_PARALLEL * np.linalg.norm(b - a):
                    continue
                normal /= length
                reach = float((points @ normal).max())
                if reach - normal @ a <= tol.BEVEL_BEHIND:
                    found.append((normal, reach))
    return found


def box_corners(mins: np.ndarray, maxs: np.ndarray) -> np.ndarray:
    """(8, 3) corners of a box."""
    return np.array(list(product(*zip(mins, maxs, strict=True))), np.float64)


def expansion(normal: np.ndarray, mins: np.ndarray, maxs: np.ndarray) -> float:
    """Distance that a plane moves out: the extent of the box against the normal."""
    return float(max(-(corner @ normal) for corner in box_corners(mins, maxs)))


def grown(points: np.ndarray, mins: np.ndarray, maxs: np.ndarray) -> np.ndarray:
    """Points whose hull is where the box's origin cannot be: every point minus every corner of the box."""
    return (points[:, None] - box_corners(mins, maxs)[None]).reshape(-1, 3)
