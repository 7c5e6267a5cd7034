"""Overlap volumes of convex shapes, compared with Qhull and with general properties of volumes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, HalfspaceIntersection

from aascompile import tolerances
from aascompile.geometry.overlap import Convex, overlaps, own_volumes, touching
from tests.geometry.shapes import convex_shapes


def sides(shapes: Convex, row: int) -> tuple[np.ndarray, np.ndarray]:
    rows = slice(shapes.side_start[row], shapes.side_start[row + 1])
    return shapes.normal[rows], shapes.dist[rows]


def twin(first: Convex, i: int, second: Convex, j: int) -> float:
    """Shared volume computed by linear programming, which finds an interior point, and Qhull."""
    normal, dist = (np.concatenate(columns) for columns in zip(sides(first, i), sides(second, j), strict=True))
    inside = linprog(
        (0, 0, 0, -1), np.column_stack((normal, np.ones(len(normal)))), dist, bounds=[(None, None)] * 3 + [(0, None)]
    )
    if not inside.success or inside.x[3] < tolerances.TOUCH:
        return 0.0
    corners = HalfspaceIntersection(np.column_stack((normal, -dist)), inside.x[:3]).intersections
    return float(ConvexHull(corners).volume)


@pytest.mark.parametrize("seed", range(4))
def test_shared_volumes_match_qhull(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = convex_shapes(rng, 14, 50.0), convex_shapes(rng, 11, 50.0)
    found = overlaps(first, second, touching(first, second, np.arange(14), np.arange(11)))
    expected = {(i, j): twin(first, i, second, j) for i in range(14) for j in range(11)}
    got = dict(zip(zip(found.first.tolist(), found.second.tolist(), strict=True), found.volume.tolist(), strict=True))
    assert len(got) > 10
    for pair, volume in expected.items():
        assert got.get(pair, 0.0) == pytest.approx(volume, rel=1e-6, abs=0.5), pair
    back = overlaps(second, first, touching(second, first, np.arange(11), np.arange(14)), threads=2)
    order = np.lexsort((back.first, back.second))
    assert back.volume[order] == pytest.approx(found.volume)
    assert np.array_equal(back.sticks_out[order], found.sticks_out), "the order of the sets does not matter"


def test_a_shape_overlaps_only_itself() -> None:
    shapes = convex_shapes(np.random.default_rng(5), 20, 2000.0)
    every = np.arange(20)
    volume = own_volumes(shapes, every)
    for row in range(20):
        corner = shapes.corner[shapes.corner_start[row] : shapes.corner_start[row + 1]]
        assert volume[row] == pytest.approx(ConvexHull(corner).volume, rel=1e-9)
    found = overlaps(shapes, shapes, touching(shapes, shapes, every, every))
    assert np.array_equal(found.first, found.second)
    assert found.sticks_out.max() < 1e-9


def test_shapes_that_touch_share_no_volume() -> None:
    cube = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)]) * 64
    normal = np.vstack((np.eye(3), -np.eye(3)))
    beside = [cube + 64.0 * np.array(step) for step in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 1))]
    row = Convex.enclosing(np.tile(normal, (4, 1)), np.arange(0, 25, 6), np.arange(0, 33, 8), np.vstack(beside))
    pair = touching(row, row, np.arange(1), np.arange(4))
    assert pair[1].tolist() == [0, 1, 2, 3]
    assert overlaps(row, row, pair).second.tolist() == [0]


def test_a_plane_inside_the_corners_does_not_count() -> None:
    cube = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)]) * 64
    normal = np.vstack((np.eye(3), -np.eye(3), [[0.6, 0.8, 0.0]]))
    shape = Convex.enclosing(normal, np.array([0, 7]), np.array([0, 8]), cube)
    assert own_volumes(shape, np.arange(1))[0] == pytest.approx(64.0**3)
