"""Brushes for tests: random brushes, and strategies for hypothesis."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from aascompile.geometry.hull import Hulls, hulls
from aascompile.geometry.overlap import Convex

STANDING = (np.array([-15.0, -15.0, -24.0]), np.array([15.0, 15.0, 32.0]))


@dataclass(frozen=True, slots=True)
class Shape:
    """A brush as planes, with the points it was made from."""

    normal: np.ndarray
    dist: np.ndarray
    points: np.ndarray

    def hull(self) -> Hulls:
        """Hull of the planes."""
        return hulls(self.normal, self.dist, [0, len(self.dist)], np.arange(len(self.dist)))

    def with_planes(self, normal: np.ndarray, dist: np.ndarray) -> Shape:
        """The shape with more planes appended."""
        return Shape(np.vstack((self.normal, normal)), np.concatenate((self.dist, np.atleast_1d(dist))), self.points)

    def shuffled(self, rng: np.random.Generator) -> Shape:
        """The shape with its sides in random order."""
        order = rng.permutation(len(self.dist))
        return Shape(self.normal[order], self.dist[order], self.points)


def box(mins: tuple[float, ...], maxs: tuple[float, ...]) -> Shape:
    """An axial box with sides +x, +y, +z, −x, −y, −z."""
    low, high = np.array(mins, float), np.array(maxs, float)
    points = np.array([[(low, high)[i >> k & 1][k] for k in range(3)] for i in range(8)])
    return Shape(np.vstack((np.eye(3), -np.eye(3))), np.concatenate((high, -low)), points)


def hull_of(points: np.ndarray) -> Shape:
    """Brush around some points, with one plane per facet of their convex hull."""
    from scipy.spatial import ConvexHull

    centre = points.mean(axis=0)
    found = ConvexHull(points - centre)
    normal = found.equations[:, :3]
    dist = -found.equations[:, 3] + normal @ centre
    keep = [
        i
        for i in range(len(dist))
        if not any(np.abs(normal[j] - normal[i]).max() < 1e-9 and abs(dist[j] - dist[i]) < 1e-6 for j in range(i))
    ]
    return Shape(normal[keep], dist[keep], points[found.vertices])


def random_shape(rng: np.random.Generator, points: int | None = None, at: float = 4000.0) -> Shape:
    """A brush in general position."""
    count = points or int(rng.integers(4, 16))
    return hull_of(rng.uniform(-at, at, 3) + rng.normal(size=(count, 3)) * rng.uniform(8, 150))


def random_facet(rng: np.random.Generator) -> Shape:
    """A polygon as a brush without volume: its plane, the opposite plane, and a plane for each edge."""
    from scipy.spatial import ConvexHull

    normal = rng.normal(size=3)
    if rng.random() < 0.4:
        normal[rng.integers(0, 3)] = 0.0
    normal /= np.linalg.norm(normal)
    u = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    u /= np.linalg.norm(u)
    flat = rng.normal(size=(int(rng.integers(3, 9)), 2)) * rng.uniform(8, 150)
    corners = flat[ConvexHull(flat).vertices] @ np.vstack((u, np.cross(normal, u))) + rng.uniform(-2000, 2000, 3)
    edges = np.cross(np.roll(corners, -1, axis=0) - corners, normal)
    edges /= np.linalg.norm(edges, axis=1, keepdims=True)
    normals = np.vstack((normal, -normal, edges))
    surface = normal @ corners[0]
    return Shape(normals, np.concatenate(([surface, -surface], (edges * corners).sum(axis=1))), corners)


@st.composite
def grid_shapes(draw: st.DrawFn, size: int = 64) -> Shape:
    """A brush with corners on a coarse grid: many axial planes, parallel edges, and corners where many sides meet."""
    cells = st.tuples(*(3 * [st.integers(0, 4)]))
    points = np.array(draw(st.lists(cells, min_size=4, max_size=10, unique=True)), float)
    spread = points[1:] - points[0]
    assume(np.linalg.matrix_rank(spread) == 3)
    offset = np.array(draw(st.tuples(*(3 * [st.integers(-4000, 4000)]))), float)
    return hull_of(points * draw(st.integers(8, size)) + offset)


@st.composite
def directions(draw: st.DrawFn) -> np.ndarray:
    """A unit vector."""
    raw = np.array(draw(st.tuples(*(3 * [st.integers(-100, 100)]))), float)
    assume(raw.any())
    return raw / np.linalg.norm(raw)


def assert_watertight(hull: Hulls) -> None:
    """Assert that a hull's polygons use every edge equally often in both directions, with identical bits."""
    runs: Counter[tuple[bytes, bytes]] = Counter()
    for side in range(len(hull.vertex_start) - 1):
        corners = [corner.tobytes() for corner in hull.polygon(side)]
        assert len(set(corners)) == len(corners)
        for i in range(len(corners)):
            runs[corners[i], corners[(i + 1) % len(corners)]] += 1
    assert all(runs[b, a] == times for (a, b), times in runs.items())


def convex_shapes(rng: np.random.Generator, count: int, spread: float) -> Convex:
    """Convex shapes at random positions: boxes with some corners cut off by planes through the box."""
    normals, starts, corner_starts, corners = [], [0], [0], []
    for _ in range(count):
        centre, size = rng.uniform(-spread, spread, 3), rng.uniform(4.0, 40.0, 3)
        cuts = rng.normal(size=(int(rng.integers(0, 6)), 3))
        cuts /= np.linalg.norm(cuts, axis=1, keepdims=True)
        normal = np.vstack((np.eye(3), -np.eye(3), cuts))
        dist = np.concatenate((centre + size, size - centre, cuts @ centre + 0.8 * (np.abs(cuts) @ size)))
        sides = np.arange(len(dist), dtype=np.int32)
        found = hulls(normal, dist, [0, len(dist)], sides)
        corner = np.unique(found.xyz, axis=0)
        normals.append(normal)
        corners.append(corner)
        starts.append(starts[-1] + len(normal))
        corner_starts.append(corner_starts[-1] + len(corner))
    return Convex.enclosing(np.vstack(normals), np.array(starts), np.array(corner_starts), np.vstack(corners))
