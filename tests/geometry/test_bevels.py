"""Bevels: a brush expanded plane by plane is the exact Minkowski sum of brush and box."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aascompile import tolerances as tol
from aascompile.geometry.bevels import Bevelled, bevels
from aascompile.geometry.box import expansion
from aascompile.geometry.hull import Hulls, HullStatus, hulls
from aascompile.geometry.planes import PlaneTable
from tests.geometry.shapes import STANDING, Shape, assert_watertight, box, grid_shapes, random_facet, random_shape
from tests.reference import bevels as slow

WEDGE = Shape(
    np.array([[0, 0, -1], [0, 1, 0], [0, -1, 0], [0.6, 0, 0.8], [-0.6, 0, 0.8]], float),
    np.array([0, 64, 0, 48, 48], float),
    np.array([[-80, 0, 0], [80, 0, 0], [-80, 64, 0], [80, 64, 0], [0, 0, 60], [0, 64, 60]], float),
)
"""Thesis fig. 6.5: a roof with a sharp ridge."""


def bevelled(shape: Shape) -> tuple[PlaneTable, np.ndarray, Hulls, Bevelled]:
    """Plane table, planes, hull and bevels of a shape."""
    table = PlaneTable()
    planes = table.intern(shape.normal, shape.dist)
    starts = [0, len(planes)]
    hull = hulls(table.normal, table.dist, starts, planes)
    return table, planes, hull, bevels(table, starts, planes, hull)


def grow(table: PlaneTable, sides: Bevelled, mins: np.ndarray, maxs: np.ndarray) -> Hulls:
    """All brushes expanded by a box."""
    normal = table.normal
    return hulls(normal, table.dist + expansion(normal, mins, maxs), sides.side_start, sides.side_plane)


def assert_exact_sum(shape: Shape, mins: np.ndarray, maxs: np.ndarray, near: float) -> None:
    """Assert that the expanded brush is the convex hull of the sums of its corners and the box's."""
    from scipy.spatial import ConvexHull

    table, _, hull, sides = bevelled(shape)
    grown = grow(table, sides, mins, maxs)
    points = slow.grown(np.unique(hull.xyz, axis=0), mins, maxs)
    exact = ConvexHull(points - points[0])
    assert grown.status.tolist() == [HullStatus.CLOSED]
    assert grown.volume[0] == pytest.approx(exact.volume, abs=near * exact.area)
    normal = table.normal[sides.side_plane]
    dist = table.dist[sides.side_plane] + expansion(normal, mins, maxs)
    assert (points @ normal.T - dist).max() < near  # the sum does not stick out of the expanded brush
    outside = (grown.xyz - points[0]) @ exact.equations[:, :3].T + exact.equations[:, 3]
    assert outside.max() < near  # nor the expanded brush out of the sum
    assert_watertight(grown)


@pytest.mark.parametrize("seed", range(60))
def test_a_brush_in_general_position_grows_exactly(seed: int) -> None:
    shape = random_shape(np.random.default_rng(seed), at=500.0)
    assert_exact_sum(shape, *STANDING, near=1e-6)


@pytest.mark.parametrize("seed", range(60))
def test_a_facet_grows_exactly(seed: int) -> None:
    shape = random_facet(np.random.default_rng(seed))
    assert_exact_sum(shape, *STANDING, near=tol.PLANE_DIST)


@given(shape=grid_shapes(), low=st.tuples(*(3 * [st.integers(1, 64)])), high=st.tuples(*(3 * [st.integers(1, 64)])))
def test_a_brush_on_the_grid_grows_by_any_box(shape: Shape, low: tuple[int, ...], high: tuple[int, ...]) -> None:
    assert_exact_sum(shape, -np.array(low, float), np.array(high, float), near=tol.PLANE_DIST)


def test_the_wedge_of_the_thesis_grows_exactly() -> None:
    """Fig. 6.6 and 6.7: without bevels, a ridge grows into a tower. With bevels, it rises only by the box's height."""
    table, planes, _, sides = bevelled(WEDGE)
    bare = Bevelled(np.array([0, 5]), planes, np.zeros(5, np.bool_), np.arange(5, dtype=np.int32))
    assert grow(table, bare, *STANDING).bounds[0, 5] == pytest.approx(60 + 24 + 15 * 0.75)
    assert grow(table, sides, *STANDING).bounds.tolist() == [[-95, -15, -32, 95, 79, 84]]
    assert_exact_sum(WEDGE, *STANDING, near=1e-9)


def test_a_box_needs_no_bevels() -> None:
    _, planes, _, sides = bevelled(box((-8, -16, 0), (24, 8, 40)))
    assert sides.side_plane.tolist() == planes.tolist()
    assert not sides.side_bevel.any()
    assert sides.side_source.tolist() == list(range(6))


@pytest.mark.parametrize("seed", range(30))
def test_planes_match_the_slow_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = random_facet(rng) if seed % 3 == 0 else random_shape(rng, int(rng.integers(4, 10)))
    table, planes, hull, sides = bevelled(shape)
    faces = [hull.polygon(side) for side in range(len(planes)) if len(hull.polygon(side))]
    expected = slow.bevels(faces)
    count = len(table)
    ids = table.intern([plane[0] for plane in expected], [plane[1] for plane in expected])
    assert set(ids) | set(planes) == set(sides.side_plane)
    assert len(table) == count


@given(shape=grid_shapes())
def test_bevels_do_not_change_the_brush(shape: Shape) -> None:
    table, planes, hull, sides = bevelled(shape)
    own = len(planes)
    assert sides.side_plane[:own].tolist() == planes.tolist()
    assert sides.side_source.tolist() == list(range(own)) + [-1] * (len(sides.side_plane) - own)
    assert not sides.side_bevel[:own].any()
    assert sides.side_bevel[own:].all()
    assert len(set(sides.side_plane)) == len(sides.side_plane)
    normal, dist = table.normal[sides.side_plane], table.dist[sides.side_plane]
    reach = (hull.xyz @ normal.T - dist).max(axis=0)
    slack = tol.PLANE_DIST + tol.PLANE_NORMAL * np.abs(hull.xyz).max() * 2
    assert np.abs(reach).max() < slack
    parallel_to_an_axis = (np.abs(normal[own:]) == 0).any(axis=1)
    assert parallel_to_an_axis.all()


def test_bevels_of_the_source_are_marked_and_duplicates_dropped() -> None:
    """A bevel in the file is marked as a bevel. A side that is given twice appears once."""
    shape = WEDGE.with_planes(np.array([[0, 0, 1], [1, 0, 0], [0, 0, -1]], float), np.array([60, 80, 0.0]))
    _, planes, _, sides = bevelled(shape)
    assert sides.side_plane[:7].tolist() == planes[:7].tolist()
    assert sides.side_bevel[:7].tolist() == [False] * 5 + [True] * 2
    assert (sides.side_plane == planes[7]).sum() == 1


def test_invalid_brushes_get_no_bevels() -> None:
    table = PlaneTable()
    planes = table.intern([[0, 0, 1], [0, 0, -1], [1, 0, 0], [0.6, 0.8, 0]], [0, -8, 5, 5])
    starts, sides = [0, 2, 4, 6], np.array([planes[0], planes[1], planes[2], planes[3], -1, planes[0]])
    hull = hulls(table.normal, table.dist, starts, sides)
    assert hull.status.tolist() == [HullStatus.NO_VOLUME, HullStatus.UNCLOSED, HullStatus.BAD_PLANE]
    out = bevels(table, starts, sides, hull)
    assert out.side_start.tolist() == [0, 2, 4, 5]
    assert out.side_plane.tolist() == [planes[0], planes[1], planes[2], planes[3], planes[0]]


def test_hulls_of_other_brushes_are_rejected() -> None:
    table, planes, hull, _ = bevelled(WEDGE)
    with pytest.raises(ValueError, match="do not belong"):
        bevels(table, [0, 2, 5], planes, hull)
    with pytest.raises(ValueError, match="not in the table"):
        bevels(PlaneTable(), [0, 5], planes, hull)


def test_a_batch_gives_the_same_bevels_as_single_brushes() -> None:
    rng = np.random.default_rng(2)
    shapes = [random_facet(rng) if i % 4 == 0 else random_shape(rng) for i in range(40)]
    table = PlaneTable()
    planes = [table.intern(shape.normal, shape.dist) for shape in shapes]
    starts = np.concatenate(([0], np.cumsum([len(ids) for ids in planes])))
    sides = np.concatenate(planes)
    together = bevels(table, starts, sides, hulls(table.normal, table.dist, starts, sides))
    for i, ids in enumerate(planes):
        alone = bevels(table, [0, len(ids)], ids, hulls(table.normal, table.dist, [0, len(ids)], ids))
        rows = slice(together.side_start[i], together.side_start[i + 1])
        assert together.side_plane[rows].tolist() == alone.side_plane.tolist()
        assert together.side_bevel[rows].tolist() == alone.side_bevel.tolist()
