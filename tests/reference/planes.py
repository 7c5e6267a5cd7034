"""Slow twin of the plane table: a list, searched from the front."""

from __future__ import annotations

import numpy as np

from aascompile import tolerances as tol

Plane = tuple[np.ndarray, float]


class SlowPlaneTable:
    """Planes in opposite pairs. The first plane within the tolerances is found."""

    def __init__(self) -> None:
        self.rows: list[Plane] = []

    def intern(self, normal: np.ndarray, dist: float) -> int:
        """Id of a plane; −1 if it is not valid."""
        plane = tidy(np.asarray(normal, np.float64), float(dist))
        if plane is None:
            return -1
        for row, other in enumerate(self.rows):
            if same(plane, other):
                return row
        normal, dist = plane
        opposite = (0.0 - normal, 0.0 - dist)
        if leads_backward(normal):
            self.rows += [opposite, plane]
            return len(self.rows) - 1
        self.rows += [plane, opposite]
        return len(self.rows) - 2


def tidy(normal: np.ndarray, dist: float) -> Plane | None:
    """The plane with unit normal, exact axes and rounded distance; None if it is not valid."""
    if not (np.isfinite(normal).all() and np.isfinite(dist)):
        return None
    with np.errstate(over="ignore"):
        square = normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2
    if abs(square - 1) > tol.NORMAL_LENGTH:
        length = np.sqrt(square)
        if not np.isfinite(length) or length < tol.NORMAL_LENGTH:
            return None
        with np.errstate(over="ignore"):
            normal, dist = normal / length, float(dist / length)
    if abs(dist) > tol.PLANE_FAR:
        return None
    for axis in range(3):
        if (np.abs(np.delete(normal, axis)) < tol.PLANE_NORMAL).all():
            normal = np.sign(normal[axis]) * np.eye(3)[axis]
            break
    if abs(dist - np.floor(dist + 0.5)) < tol.PLANE_SNAP:
        dist = float(np.floor(dist + 0.5))
    return normal, dist


def same(a: Plane, b: Plane) -> bool:
    """Whether two planes are equal within the tolerances."""
    return bool((np.abs(a[0] - b[0]) < tol.PLANE_NORMAL).all()) and abs(a[1] - b[1]) < tol.PLANE_DIST


def leads_backward(normal: np.ndarray) -> bool:
    """Whether the largest component (the first one in a tie) is negative."""
    lead = normal[0]
    for component in normal[1:]:
        if abs(component) > abs(lead) + tol.PLANE_NORMAL:
            lead = component
    return bool(lead < 0)
