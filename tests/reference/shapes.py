"""Distances to the faces of areas by brute force: every face, as a fan of triangles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile.model.areas import Areas

Array = NDArray[np.float64]


def to_triangle(p: Array, a: Array, b: Array, c: Array) -> Array:
    """Nearest point of a triangle, by the regions of its corners, edges and inside."""
    ab, ac, ap = b - a, c - a, p - a
    d1, d2 = ab @ ap, ac @ ap
    if d1 <= 0 and d2 <= 0:
        return a
    bp = p - b
    d3, d4 = ab @ bp, ac @ bp
    if d3 >= 0 and d4 <= d3:
        return b
    vc = d1 * d4 - d3 * d2
    if vc <= 0 <= d1 and d3 <= 0 and d1 > d3:
        return a + ab * (d1 / (d1 - d3))
    cp = p - c
    d5, d6 = ab @ cp, ac @ cp
    if d6 >= 0 and d5 <= d6:
        return c
    vb = d5 * d2 - d1 * d6
    if vb <= 0 <= d2 and d6 <= 0 and d2 > d6:
        return a + ac * (d2 / (d2 - d6))
    va = d3 * d6 - d5 * d4
    if va <= 0 and d4 >= d3 and d5 >= d6 and (d4 - d3) + (d5 - d6) > 0:
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)))
    total = va + vb + vc
    if total <= 0:
        return a
    return a + ab * (vb / total) + ac * (vc / total)


def corners(areas: Areas, face: int) -> Array:
    """(k, 3) corners of a face."""
    return areas.vertex[areas.face_vertex[areas.face_start[face] : areas.face_start[face + 1]]]


def to_face(areas: Areas, face: int, point: Array) -> float:
    """Distance from a point to a face."""
    ring = corners(areas, face)
    near = (to_triangle(point, ring[0], ring[k], ring[k + 1]) for k in range(1, len(ring) - 1))
    return min(float(np.linalg.norm(point - at)) for at in near)


def blocking(areas: Areas, presence: int) -> list[int]:
    """Faces with room for a box on one side only."""
    free = np.append((areas.area_presence & np.uint32(presence)) != 0, False)
    return np.flatnonzero(free[areas.face_front] != free[areas.face_back]).tolist()


def nearest_face(areas: Areas, faces: list[int], point: Array) -> tuple[float, int]:
    """Distance to the nearest of some faces, and that face; infinite and −1 if there are no faces."""
    found = [(to_face(areas, face, point), face) for face in faces]
    return min(found, default=(np.inf, -1))
