"""Slow twins of the operations on single polygons."""

from __future__ import annotations

import numpy as np


def split(polygon: np.ndarray, normal: np.ndarray, dist: float, eps: float) -> tuple[np.ndarray | None, ...]:
    """Front and back part of a polygon cut by a plane; None if a part is empty."""
    distance = polygon @ normal - dist
    front, back = distance > eps, distance < -eps
    if not (front.any() and back.any()):
        return (polygon if front.any() else None), (polygon if back.any() else None)
    parts = []
    for mine, other in ((front, back), (back, front)):
        corners = []
        for i in range(len(polygon)):
            j = (i + 1) % len(polygon)
            if not other[i]:
                corners.append(polygon[i])
            if (mine[i] and other[j]) or (other[i] and mine[j]):
                share = distance[i] / (distance[i] - distance[j])
                corners.append(polygon[i] + share * (polygon[j] - polygon[i]))
        parts.append(np.array(corners))
    return tuple(parts)


def area(polygon: np.ndarray) -> float:
    """Area, by triangles from the first corner."""
    return sum(
        float(np.linalg.norm(np.cross(polygon[i] - polygon[0], polygon[i + 1] - polygon[0]))) / 2
        for i in range(1, len(polygon) - 1)
    )


def convex_area(points: np.ndarray, normal: np.ndarray) -> float:
    """Area of the convex hull of coplanar points."""
    from scipy.spatial import ConvexHull

    helper = np.eye(3)[np.argmin(np.abs(normal))]
    u = np.cross(normal, helper)
    u /= np.linalg.norm(u)
    return float(ConvexHull(points @ np.column_stack((u, np.cross(normal, u)))).volume)


def merges(a: np.ndarray, b: np.ndarray, normal: np.ndarray, eps: float) -> bool:
    """Whether two coplanar convex polygons share an edge and their union is convex: its hull adds no area."""
    edges_a = [(a[i], a[(i + 1) % len(a)]) for i in range(len(a))]
    edges_b = [(b[i], b[(i + 1) % len(b)]) for i in range(len(b))]
    touch = any(np.linalg.norm(p - s) <= eps and np.linalg.norm(q - r) <= eps for p, q in edges_a for r, s in edges_b)
    return touch and convex_area(np.vstack((a, b)), normal) <= area(a) + area(b) + eps


def windings(polygon: np.ndarray, points: np.ndarray) -> np.ndarray:
    """How often a polygon runs counter-clockwise round each point, seen from above."""
    to = polygon[None, :, :2] - points[:, None]
    angle = np.arctan2(to[..., 1], to[..., 0])
    step = np.roll(angle, -1, axis=1) - angle
    return np.rint(((step + np.pi) % (2 * np.pi) - np.pi).sum(axis=1) / (2 * np.pi)).astype(int)


def deepest_notch(polygon: np.ndarray) -> float:
    """How far a corner of a polygon on the floor lies inside its convex hull where the outline turns clockwise; 0 if it
    does so nowhere."""
    from scipy.spatial import ConvexHull

    before, after = polygon - np.roll(polygon, 1, axis=0), np.roll(polygon, -1, axis=0) - polygon
    reflex = before[:, 0] * after[:, 1] < before[:, 1] * after[:, 0]
    sides = ConvexHull(polygon[:, :2]).equations
    return float((-(polygon[reflex, :2] @ sides[:, :2].T + sides[:, 2])).min(axis=1).max(initial=0.0))
