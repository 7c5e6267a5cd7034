"""Slow twins of walkable areas: the hull of points, and a walker who asks for the floor every few units."""

from __future__ import annotations

import numpy as np
from scipy.spatial import ConvexHull

from aascompile.model.areas import Areas, FaceFlag
from aascompile.sampling.sample import ANY_PRESENCE, traces, tree_of


def depths(corners: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(n,) units that points lie inside the convex hull of the corners, by the hull's half-planes."""
    equations = ConvexHull(corners).equations
    return -(points @ equations[:, :2].T + equations[:, 2]).max(axis=1)


def ground_points(areas: Areas, area: int, count: int, dice: np.random.Generator) -> np.ndarray:
    """(count, 3) random points of an area's ground."""
    faces = areas.area_face[areas.area_start[area] : areas.area_start[area + 1]]
    faces = faces[(areas.face_flags[faces] & np.uint32(FaceFlag.GROUND)) != 0]
    points = []
    for face in dice.choice(faces, count):
        ring = areas.vertex[areas.face_vertex[areas.face_start[face] : areas.face_start[face + 1]]]
        points.append(dice.dirichlet(np.ones(len(ring))) @ ring)
    return np.array(points)


def floor_below(areas: Areas, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n,) area and (n,) height of the floor that a player who falls from each point stands on."""
    down = traces(tree_of(areas), points, points - (0, 0, 4096), ANY_PRESENCE)
    return down.end_area, down.end[:, 2]


EVERY = 4.0
"""Units between places where a walker asks for the floor."""


def walks_straight(areas: Areas, area: int, start: np.ndarray, end: np.ndarray, step: float) -> bool:
    """Whether the floor below a straight line is the area's all along, in steps of at most this height."""
    n = max(int(np.hypot(*(end - start)[:2]) / EVERY), 1)
    height = start[2]
    for share in np.arange(n + 1) / n:
        at = start + share * (end - start)
        at[2] = height + step + 0.5
        found, z = floor_below(areas, at[None])
        if found[0] < 0:
            at[2] = height + 0.5
            found, z = floor_below(areas, at[None])
        if found[0] != area or abs(z[0] - height) > step + 0.5:
            return False
        height = z[0]
    return True
