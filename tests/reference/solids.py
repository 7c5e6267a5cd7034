"""Polyhedra and polygons measured the plain way."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]


def area_vector(corners: Float) -> Float:
    """Along a polygon's normal, as long as its area."""
    around = np.cross(corners - corners[0], np.roll(corners, -1, axis=0) - corners[0])
    return around.sum(axis=0) / 2


def width(corners: Float) -> float:
    """Least distance of two parallel lines, one along an edge, that hold a polygon."""
    best = np.inf
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        length = np.linalg.norm(b - a)
        if length > 0:
            best = min(best, float((np.linalg.norm(np.cross(b - a, corners - a), axis=1) / length).max()))
    return 0.0 if best == np.inf else best


def leak(polygons: Iterable[Float]) -> float:
    """How far the area vectors of polygons that face outward are from cancelling out: 0 for a closed polyhedron."""
    return float(np.linalg.norm(sum(area_vector(corners) for corners in polygons)))


def volume(polygons: list[Float]) -> float:
    """Of the polyhedron whose faces, facing outward, these are."""
    middle = np.concatenate(polygons).mean(axis=0)
    return float(sum(area_vector(corners) @ (corners[0] - middle) for corners in polygons) / 3)


def inside_polygon(corners: Float, points: Float) -> Float:
    """How deep points on a convex polygon's plane lie within it; negative outside."""
    normal = area_vector(corners)
    edges = np.roll(corners, -1, axis=0) - corners
    inward = np.cross(normal, edges)
    length = np.linalg.norm(inward, axis=1)
    keep = length > 0
    inward = inward[keep] / length[keep, None]
    return np.einsum("ek,epk->pe", inward, points[None] - corners[keep, None]).min(axis=1)


def scattered(corners: Float, count: int, rng: np.random.Generator) -> Float:
    """Random points on a convex polygon."""
    weight = rng.dirichlet(np.full(len(corners), 0.6), count)
    return weight @ corners
