"""Polyhedra and polygons measured the plain way."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]


def area_vector(corners: Float) -> Float:
    """Along a polygon's normal, as long as its area."""
    at = corners - corners[0]
    sums = at[:-1].T @ at[1:]  # of products of coordinates of each corner and the next, all from the first
    return np.array([sums[1, 2] - sums[2, 1], sums[2, 0] - sums[0, 2], sums[0, 1] - sums[1, 0]]) / 2


def width(corners: Float) -> float:
    """Least distance of two parallel lines, one along an edge, that hold a polygon."""
    edge = np.roll(corners, -1, axis=0) - corners
    length = np.linalg.norm(edge, axis=1)
    far = np.linalg.norm(np.cross(edge[:, None], corners[None] - corners[:, None]), axis=2).max(axis=1)
    return float(min(far[length > 0] / length[length > 0], default=0.0))


def off_plane(corners: Float) -> float:
    """How far the corners of a polygon lie from the plane of its area vector, through its middle, at most."""
    normal = area_vector(corners)
    return float(np.abs((corners - corners.mean(axis=0)) @ normal).max() / np.linalg.norm(normal))


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
