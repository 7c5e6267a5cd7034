"""Plain measurements of polyhedra and polygons."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]


def area_vector(corners: Float) -> Float:
    """Vector along a polygon's normal whose length is the area."""
    at = corners - corners[0]
    sums = at[:-1].T @ at[1:]  # sum of the cross products of successive corners, relative to the first corner
    return np.array([sums[1, 2] - sums[2, 1], sums[2, 0] - sums[0, 2], sums[0, 1] - sums[1, 0]]) / 2


def width(corners: Float) -> float:
    """Least distance between two parallel lines that enclose a polygon, one of them along an edge."""
    edge = np.roll(corners, -1, axis=0) - corners
    length = np.linalg.norm(edge, axis=1)
    far = np.linalg.norm(np.cross(edge[:, None], corners[None] - corners[:, None]), axis=2).max(axis=1)
    return float(min(far[length > 0] / length[length > 0], default=0.0))


def off_plane(corners: Float) -> float:
    """Greatest distance of a corner from the plane through the polygon's middle along its area vector."""
    normal = area_vector(corners)
    return float(np.abs((corners - corners.mean(axis=0)) @ normal).max() / np.linalg.norm(normal))


def leak(polygons: Iterable[Float]) -> float:
    """Length of the sum of the area vectors of outward-facing polygons: 0 for a closed polyhedron."""
    return float(np.linalg.norm(sum(area_vector(corners) for corners in polygons)))


def volume(polygons: list[Float]) -> float:
    """Volume of the polyhedron with these outward-facing faces."""
    middle = np.concatenate(polygons).mean(axis=0)
    return float(sum(area_vector(corners) @ (corners[0] - middle) for corners in polygons) / 3)


def inside_polygon(corners: Float, points: Float) -> Float:
    """Depths of points on a convex polygon's plane inside it; negative outside."""
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
