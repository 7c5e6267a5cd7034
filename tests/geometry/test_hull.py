"""Hulls built from planes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from aascompile import tolerances as tol
from aascompile.geometry import winding
from aascompile.geometry.hull import HullStatus, hulls
from tests.examples import examples
from tests.geometry.shapes import (
    Shape,
    assert_watertight,
    box,
    directions,
    grid_shapes,
    hull_of,
    random_facet,
    random_shape,
)
from tests.reference import hull as slow

NEAR = 1e-6


def assert_same_polygon(found: np.ndarray, expected: np.ndarray, normal: np.ndarray, near: float = NEAR) -> None:
    """Assert that two polygons agree, except for extra corners within edges and for which corner comes first."""
    assert (len(found) == 0) == (len(expected) == 0)
    if len(found) == 0:
        return
    assert (np.linalg.norm(found[:, None] - expected[None], axis=2).min(axis=0) < near).all()
    assert np.allclose(winding.area_vector(found), slow_area_vector(expected), rtol=1e-9, atol=near * np.ptp(found))
    assert winding.area_vector(found) @ normal > 0


def slow_area_vector(polygon: np.ndarray) -> np.ndarray:
    """Half the sum of the cross products around a polygon."""
    away = polygon - polygon[0]
    return np.cross(away, np.roll(away, -1, axis=0)).sum(axis=0) / 2


def test_a_box_is_exact() -> None:
    hull = box((-1, -2, -3), (4, 5, 6)).hull()
    assert hull.status.tolist() == [HullStatus.CLOSED]
    assert hull.volume.tolist() == [5 * 7 * 9]
    assert hull.bounds.tolist() == [[-1, -2, -3, 4, 5, 6]]
    assert np.diff(hull.vertex_start).tolist() == [4] * 6
    for side, normal in enumerate(box((0, 0, 0), (1, 1, 1)).normal):
        vector = winding.area_vector(hull.polygon(side))
        assert np.allclose(vector / np.linalg.norm(vector), normal)
    assert_watertight(hull)


@pytest.mark.parametrize("seed", range(40))
def test_polygons_match_the_slow_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = random_shape(rng, int(rng.integers(4, 9)))
    hull = shape.hull()
    expected = slow.polygons(shape.normal, shape.dist)
    assert hull.status[0] == HullStatus.CLOSED
    assert hull.volume[0] == pytest.approx(slow.volume(expected), rel=1e-6)
    for side, polygon in enumerate(expected):
        assert_same_polygon(hull.polygon(side), polygon, shape.normal[side])
    assert_watertight(hull)


@given(shape=grid_shapes())
def test_a_hull_is_the_half_space_intersection(shape: Shape) -> None:
    """Shapes on a grid have axial sides, parallel edges, and corners where many sides meet."""
    from scipy.spatial import ConvexHull, HalfspaceIntersection

    hull = shape.hull()
    centre = shape.points.mean(axis=0)
    spaces = np.column_stack((shape.normal, -(shape.dist - shape.normal @ centre)))
    expected = HalfspaceIntersection(spaces, np.zeros(3)).intersections + centre
    assert hull.status[0] == HullStatus.CLOSED
    assert hull.volume[0] == pytest.approx(ConvexHull(expected).volume, rel=1e-9)
    assert hull.volume[0] == pytest.approx(ConvexHull(shape.points).volume, rel=1e-9)
    assert np.abs(hull.xyz[:, None] - expected[None]).max(axis=2).min(axis=1).max() < NEAR
    assert np.abs(hull.xyz[:, None] - shape.points[None]).max(axis=2).min(axis=0).max() < NEAR
    assert np.allclose(hull.bounds[0], np.concatenate((shape.points.min(axis=0), shape.points.max(axis=0))))
    assert_watertight(hull)


@given(shape=grid_shapes(), seed=st.integers(0, 2**32 - 1))
def test_bevels_duplicates_and_order_change_nothing(shape: Shape, seed: int) -> None:
    rng = np.random.default_rng(seed)
    plain = shape.hull()
    count = len(shape.dist)
    grazing = rng.normal(size=(4, 3))
    grazing /= np.linalg.norm(grazing, axis=1, keepdims=True)
    again = rng.integers(0, count, 2)
    normal = np.vstack((grazing, shape.normal[again]))
    dist = np.concatenate(((grazing @ shape.points.T).max(axis=1), shape.dist[again]))
    more = shape.with_planes(normal, dist)
    hull = more.hull()
    assert np.array_equal(hull.vertex_start[: count + 1], plain.vertex_start)
    assert np.array_equal(hull.xyz, plain.xyz)
    mixed = more.shuffled(rng)
    other = mixed.hull()
    assert other.status[0] == HullStatus.CLOSED
    assert other.volume[0] == pytest.approx(plain.volume[0], rel=1e-9)
    assert (np.diff(other.vertex_start) > 0).sum() == (np.diff(plain.vertex_start) > 0).sum()
    assert_watertight(other)


@given(shape=grid_shapes(), normal=directions(), share=st.floats(0.05, 0.95))
def test_a_cut_conserves_volume(shape: Shape, normal: np.ndarray, share: float) -> None:
    reach = shape.points @ normal
    dist = reach.min() + share * (reach.max() - reach.min())
    whole = shape.hull().volume[0]
    back = shape.with_planes(normal, dist).hull()
    front = shape.with_planes(-normal, -dist).hull()
    assert back.volume[0] + front.volume[0] == pytest.approx(whole, rel=1e-9)
    sections = back.polygon(len(shape.dist)), front.polygon(len(shape.dist))
    assert np.allclose(winding.area_vector(sections[0]), -winding.area_vector(sections[1]), rtol=1e-6, atol=1e-4)


@given(shape=grid_shapes())
def test_polygons_are_convex_and_on_their_planes(shape: Shape) -> None:
    hull = shape.hull()
    for side in range(len(shape.dist)):
        polygon = hull.polygon(side)
        assert np.abs(polygon @ shape.normal[side] - shape.dist[side]).max(initial=0) < NEAR
        assert len(polygon) == 0 or winding.is_convex(polygon, shape.normal[side], NEAR)


@pytest.mark.parametrize("order", ["as is", "backwards", "shuffled"])
@pytest.mark.parametrize("seed", range(15))
def test_a_facet_is_flat_in_any_order(seed: int, order: str) -> None:
    rng = np.random.default_rng(seed)
    facet = random_facet(rng)
    sides = np.arange(len(facet.dist))
    sides = {"as is": sides, "backwards": sides[::-1].copy(), "shuffled": rng.permutation(sides)}[order]
    hull = hulls(facet.normal, facet.dist, [0, len(sides)], sides)
    assert hull.status.tolist() == [HullStatus.FLAT]
    assert hull.volume.tolist() == [0]
    for side, plane in enumerate(sides):
        if plane < 2:
            assert_same_polygon(hull.polygon(side), facet.points[:: 1 - 2 * plane], facet.normal[plane])
        else:
            assert len(hull.polygon(side)) == 0
    assert np.allclose(hull.bounds[0], np.concatenate((facet.points.min(axis=0), facet.points.max(axis=0))))
    assert_watertight(hull)


def test_a_bevelled_facet_keeps_its_shape() -> None:
    facet = random_facet(np.random.default_rng(3))
    tilted = facet.normal[2:] + 0.5 * facet.normal[0]
    tilted /= np.linalg.norm(tilted, axis=1, keepdims=True)
    hull = facet.with_planes(tilted, (tilted * facet.points).sum(axis=1)).hull()
    assert hull.status.tolist() == [HullStatus.FLAT]
    assert_same_polygon(hull.polygon(0), facet.points, facet.normal[0])


def test_a_facet_that_is_a_sliver_has_no_volume() -> None:
    thin = box((0, 0, 0), (100, 1e-4, 0)).hull()
    assert thin.status.tolist() == [HullStatus.NO_VOLUME]
    assert len(thin.xyz) == 0


@pytest.mark.parametrize("axis", range(6))
def test_a_box_without_a_side_is_unclosed(axis: int) -> None:
    sides = np.delete(np.arange(6), axis)
    shape = box((-8, -8, -8), (8, 8, 8))
    hull = hulls(shape.normal, shape.dist, [0, 5], sides)
    assert hull.status.tolist() == [HullStatus.UNCLOSED]
    assert np.abs(hull.bounds).max() == tol.WORLD_EXTENT


def test_a_brush_without_sides_is_unclosed() -> None:
    assert hulls([[0, 0, 1]], [0], [0, 0], []).status.tolist() == [HullStatus.UNCLOSED]


def test_a_flat_brush_that_reaches_the_end_of_the_world_is_unclosed() -> None:
    shape = box((-8, -8, 3), (8, 8, 3))
    hull = hulls(shape.normal, shape.dist, [0, 5], [1, 2, 3, 4, 5])
    assert hull.status.tolist() == [HullStatus.UNCLOSED]


@pytest.mark.parametrize(
    "planes",
    [
        [0, 1, 2, 3, 4, 5, -1],
        [0, 1, 2, 3, 4, 5, 6],
        [0, 1, 2, 3, 4, 5, 7],
        [0, 1, 2, 3, 4, 5, 99],
    ],
)
def test_a_missing_or_infinite_plane_is_reported(planes: list[int]) -> None:
    shape = box((-8, -8, -8), (8, 8, 8)).with_planes(np.array([[np.nan, 0, 0], [0, 0, 1]]), np.array([1, np.inf]))
    hull = hulls(shape.normal, shape.dist, [0, 6, 13], list(range(6)) + planes)
    assert hull.status.tolist() == [HullStatus.CLOSED, HullStatus.BAD_PLANE]
    assert hull.volume.tolist() == [4096, 0]
    assert np.diff(hull.vertex_start)[6:].tolist() == [0] * 7
    assert (hull.bounds[1, :3] > hull.bounds[1, 3:]).all()


@pytest.mark.parametrize(
    ("mins", "maxs"),
    [((0, 0, 0), (8, 8, -8)), ((0, 0, 0), (8, -1e-3, 8)), ((0, 0, 0), (0.05, 0.05, 0.05)), ((0, 0, 5), (0, 0, 5))],
)
def test_inside_out_and_tiny_brushes_have_no_volume(mins: tuple[float, ...], maxs: tuple[float, ...]) -> None:
    hull = box(mins, maxs).hull()
    assert hull.status.tolist() == [HullStatus.NO_VOLUME]
    assert hull.volume.tolist()[0] < tol.MIN_VOLUME
    assert len(hull.xyz) == 0


def test_inconsistent_columns_are_rejected() -> None:
    for starts in ([0, 5], [1, 6], [0, 4, 2, 6], []):
        with pytest.raises(ValueError, match=r"columns|decrease"):
            hulls(np.vstack((np.eye(3), -np.eye(3))), np.ones(6), starts, np.arange(6))


@pytest.mark.parametrize("sides", [60, 700])
def test_a_ball_of_many_sides_obeys_eulers_formula(sides: int) -> None:
    """All columns have to grow. The volume is larger than that of the inscribed ball."""
    rng = np.random.default_rng(sides)
    normal = rng.normal(size=(sides, 3))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    hull = hulls(normal, np.full(sides, 500.0), [0, sides], np.arange(sides))
    assert hull.status.tolist() == [HullStatus.CLOSED]
    sizes = np.diff(hull.vertex_start)
    corners = len({corner.tobytes() for corner in hull.xyz})
    assert corners - sizes.sum() / 2 + (sizes > 0).sum() == 2
    assert hull.volume[0] > 4 / 3 * np.pi * 500**3
    assert_watertight(hull)


@pytest.mark.parametrize("seed", range(30))
def test_float32_sides_a_tenth_apart_far_out_stay_closed(seed: int) -> None:
    """Planes as in a .bsp: the hull stays closed, and every corner is behind all planes."""
    rng = np.random.default_rng(seed)
    shape = random_shape(rng, 10, at=10000.0)
    pick = rng.integers(0, len(shape.dist), 6)
    shape = shape.with_planes(shape.normal[pick] + rng.normal(size=(6, 3)) * 1e-4, shape.dist[pick] + 0.1)
    normal, dist = shape.normal.astype(np.float32).astype(float), shape.dist.astype(np.float32).astype(float)
    length = np.linalg.norm(normal, axis=1)
    hull = Shape(normal / length[:, None], dist / length, shape.points).hull()
    assert hull.status.tolist() == [HullStatus.CLOSED]
    reach = hull.xyz @ (normal / length[:, None]).T - dist / length
    assert reach.max() < tol.MIN_EDGE
    assert_watertight(hull)


@settings(max_examples=examples(300))
@given(shape=grid_shapes(), seed=st.integers(0, 2**32 - 1), scale=st.floats(-9, -2))
def test_nearly_equal_planes_keep_the_volume(shape: Shape, seed: int, scale: float) -> None:
    """Every side is repeated, each copy moved and rotated by about the size of the tolerances."""
    rng = np.random.default_rng(seed)
    plain = shape.hull()
    hair = 10.0**scale
    change = (20 * hair + tol.MIN_EDGE) * sum(winding.area(plain.polygon(i)) for i in range(len(shape.dist)))
    assume(change < plain.volume[0] / 2)
    centre = shape.points.mean(axis=0)
    normal = np.repeat(shape.normal, 3, axis=0)
    normal = normal + rng.normal(size=normal.shape) * hair / 100
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    reach = np.repeat(shape.dist - shape.normal @ centre, 3) + rng.normal(size=len(normal)) * hair
    dist = normal @ centre + reach
    hull = Shape(normal, dist, shape.points).shuffled(rng).hull()
    assert hull.status[0] == HullStatus.CLOSED
    assert hull.volume[0] == pytest.approx(plain.volume[0], abs=change)
    assert (hull.xyz @ normal.T - dist).max() < tol.MIN_EDGE
    assert_watertight(hull)


@given(st.lists(st.tuples(directions(), st.floats(-200, 200)), max_size=24))
def test_any_planes_give_a_hull_or_a_reason(planes: list[tuple[np.ndarray, float]]) -> None:
    normal = np.array([plane[0] for plane in planes]).reshape(-1, 3)
    dist = np.array([plane[1] for plane in planes])
    hull = hulls(normal, dist, [0, len(dist)], np.arange(len(dist)))
    status = HullStatus(hull.status[0])
    if status == HullStatus.CLOSED:
        assert hull.volume[0] >= tol.MIN_VOLUME
        assert_watertight(hull)
    if status == HullStatus.NO_VOLUME:
        assert len(hull.xyz) == 0
    assert (hull.xyz @ normal.T - dist).max(initial=0) < tol.MIN_EDGE


def test_brushes_of_a_batch_do_not_affect_each_other() -> None:
    rng = np.random.default_rng(11)
    shapes = [random_facet(rng) if i % 3 == 0 else random_shape(rng) for i in range(60)]
    shapes[10] = box((0, 0, 0), (8, 8, -8))
    starts = np.concatenate(([0], np.cumsum([len(shape.dist) for shape in shapes])))
    together = hulls(
        np.vstack([shape.normal for shape in shapes]),
        np.concatenate([shape.dist for shape in shapes]),
        starts,
        np.arange(starts[-1]),
    )
    for i, shape in enumerate(shapes):
        alone = shape.hull()
        assert together.status[i] == alone.status[0]
        assert together.volume[i] == alone.volume[0]
        assert np.array_equal(together.bounds[i], alone.bounds[0])
        corners = together.vertex_start[starts[i] : starts[i + 1] + 1]
        assert np.array_equal(corners - corners[0], alone.vertex_start)
        assert np.array_equal(together.xyz[corners[0] : corners[-1]], alone.xyz)


@pytest.mark.parametrize(("depth", "corners"), [(-3e-4, 0), (0.0, 0), (3e-4, 0), (0.01, 4)])
@pytest.mark.parametrize("first", [True, False])
def test_a_bevel_that_barely_cuts_an_edge_is_not_a_side(depth: float, corners: int, first: bool) -> None:
    """Bevels of a .bsp are only as exact as float32. A strip narrower than the shortest edge is not a side."""
    shape = box((0, 0, 0), (64, 64, 64)).with_planes(np.array([[0.6, 0.8, 0.0]]), np.array([64 * 1.4 - depth]))
    order = [6, 0, 1, 2, 3, 4, 5] if first else list(range(7))
    hull = hulls(shape.normal, shape.dist, [0, 7], order)
    assert len(hull.polygon(order.index(6))) == corners
    assert sorted(np.diff(hull.vertex_start)) == sorted([corners, 4, 4, 4, 4, 4 + corners // 4, 4 + corners // 4])
    assert hull.volume[0] == pytest.approx(64**3, abs=64 * 64 * 1e-3)
    assert_watertight(hull)


def test_the_hull_of_a_hull_is_the_same() -> None:
    """The planes around a hull's corners are the planes that it was built from."""
    shape = random_shape(np.random.default_rng(8), 12)
    hull = shape.hull()
    again = hull_of(np.unique(hull.xyz, axis=0))
    assert len(again.dist) == len(shape.dist)
    assert again.hull().volume[0] == pytest.approx(hull.volume[0], rel=1e-12)
