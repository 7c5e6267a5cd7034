"""Slow twin of patches: recursive halving, one quad at a time, and distances by brute force."""

from __future__ import annotations

import numpy as np

from aascompile import tolerances


def surface(control: np.ndarray, u: float, v: float) -> np.ndarray:
    """Point of a patch at column parameter u and row parameter v, each from 0 to the number of pieces."""
    rows = [_curve(row, u) for row in control]
    return _curve(rows, v)


def _curve(points, t: float) -> np.ndarray:
    """De Casteljau's algorithm on the piece that contains t."""
    piece = min(int(t), (len(points) - 1) // 2 - 1)
    a, b, c = points[2 * piece : 2 * piece + 3]
    t -= piece
    ab = a + t * (b - a)
    bc = b + t * (c - b)
    return ab + t * (bc - ab)


def subdivide(control: np.ndarray, tolerance: float = tolerances.PATCH_SUBDIVIDE) -> np.ndarray:
    """Grid of surface points that collision uses: columns are subdivided first, then rows."""
    across = _subdivide_columns(list(control.transpose(1, 0, 2)), tolerance)
    down = _subdivide_columns(list(np.array(across).transpose(1, 0, 2)), tolerance)
    return np.array(down)


def _subdivide_columns(columns: list[np.ndarray], tolerance: float) -> list[np.ndarray]:
    out = [columns[0]]
    for first in range(0, len(columns) - 2, 2):
        out += _halve(*columns[first : first + 3], tolerance)
    return out


def _halve(a: np.ndarray, b: np.ndarray, c: np.ndarray, tolerance: float) -> list[np.ndarray]:
    """Columns of a piece after its first: those of its halves if it bends, and its last."""
    middle = (a + 2 * b + c) / 4
    if max(np.linalg.norm(middle - (a + c) / 2, axis=1)) < tolerance:
        return [c]
    return _halve(a, (a + b) / 2, middle, tolerance) + _halve(middle, (b + c) / 2, c, tolerance)


def faces(grid: np.ndarray, tolerance: float = tolerances.PATCH_COPLANAR) -> list[np.ndarray]:
    """Quads of a grid, each as one polygon if planar and convex, otherwise as two triangles. Faces without area are
    left out."""
    out = []
    for row in range(len(grid) - 1):
        for column in range(len(grid[0]) - 1):
            a, b, c, d = grid[row, column], grid[row, column + 1], grid[row + 1, column + 1], grid[row + 1, column]
            whole = _distinct(np.array([a, b, c, d]))
            if len(whole) == 4 and _planar(whole, tolerance) and _convex(whole):
                out.append(whole)
            else:
                out += [_distinct(np.array([a, b, c])), _distinct(np.array([c, d, a]))]
    return [polygon for polygon in out if len(polygon) > 2 and area(polygon) > tolerances.MIN_EDGE**2]


def _distinct(polygon: np.ndarray) -> np.ndarray:
    keep = [i for i, p in enumerate(polygon) if all(np.linalg.norm(p - q) > tolerances.MIN_EDGE for q in polygon[:i])]
    return polygon[keep]


def area_vector(polygon: np.ndarray) -> np.ndarray:
    """Vector along the polygon's normal whose length is the area."""
    return np.cross(polygon - polygon[0], np.roll(polygon, -1, axis=0) - polygon[0]).sum(axis=0) / 2


def normal(polygon: np.ndarray) -> np.ndarray:
    """Unit normal of a polygon."""
    return area_vector(polygon) / area(polygon)


def area(polygon: np.ndarray) -> float:
    """Area of a polygon."""
    return float(np.linalg.norm(area_vector(polygon)))


def _planar(polygon: np.ndarray, tolerance: float) -> bool:
    if area(polygon) <= tolerances.MIN_EDGE**2:
        return False
    distances = polygon @ normal(polygon)
    return bool((np.abs(distances - distances.mean()) <= tolerance).all())


def dents(polygon: np.ndarray) -> float:
    """Greatest distance of a corner outside an edge; 0 if the polygon is convex."""
    n = normal(polygon)
    worst = 0.0
    for p, q in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        outward = np.cross(q - p, n)
        worst = max(worst, float(((polygon - p) @ outward).max() / np.linalg.norm(outward)))
    return worst


def _convex(polygon: np.ndarray) -> bool:
    return dents(polygon) <= tolerances.MIN_EDGE


def distance(point: np.ndarray, polygon: np.ndarray) -> float:
    """Distance from a point to a convex polygon."""
    n = normal(polygon)
    edge = np.roll(polygon, -1, axis=0) - polygon
    away = point - polygon
    if (np.sum(away * np.cross(n, edge), axis=1) >= 0).all():
        return float(abs(np.dot(away[0], n)))
    along = np.clip(np.sum(away * edge, axis=1) / np.sum(edge * edge, axis=1), 0, 1)
    return float(np.linalg.norm(away - along[:, None] * edge, axis=1).min())
