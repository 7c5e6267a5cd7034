"""Slow twin of the hull builder: corners are the points where three planes meet that are behind all planes."""

from __future__ import annotations

from itertools import combinations

import numpy as np

NEAR = 1e-6


def corners(normal: np.ndarray, dist: np.ndarray) -> np.ndarray:
    """(k, 3) corners of the solid behind all planes, each once. Planes must enclose it and not be nearly parallel."""
    found: list[np.ndarray] = []
    for three in combinations(range(len(dist)), 3):
        rows = list(three)
        if abs(np.linalg.det(normal[rows])) < NEAR:
            continue
        point = np.linalg.solve(normal[rows], dist[rows])
        if (normal @ point - dist <= NEAR).all() and all(np.abs(point - other).max() > NEAR for other in found):
            found.append(point)
    return np.array(found).reshape(-1, 3)


def polygons(normal: np.ndarray, dist: np.ndarray) -> list[np.ndarray]:
    """Polygon of each side, counter-clockwise seen from outside; empty for a side that bounds nothing.

    If planes are equal, the first has the polygon.
    """
    points = corners(normal, dist)
    out = []
    for i in range(len(dist)):
        earlier = (np.abs(normal[:i] - normal[i]).max(axis=1) < NEAR) & (np.abs(dist[:i] - dist[i]) < NEAR)
        on = points[np.abs(points @ normal[i] - dist[i]) <= NEAR] if not earlier.any() else points[:0]
        out.append(round_the_normal(on, normal[i]) if len(on) >= 3 else points[:0])
    return out


def round_the_normal(points: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Points of a convex polygon in counter-clockwise order."""
    u = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    v = np.cross(normal, u)
    away = points - points.mean(axis=0)
    return points[np.argsort(np.arctan2(away @ v, away @ u))]


def volume(faces: list[np.ndarray]) -> float:
    """Volume, by tetrahedra from the origin."""
    six = 0.0
    for face in faces:
        for i in range(1, len(face) - 1):
            six += float(np.dot(face[0], np.cross(face[i], face[i + 1])))
    return six / 6
