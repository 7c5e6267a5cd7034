"""Windings: single convex polygons, which also test the polygon store."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from aascompile import tolerances as tol
from aascompile.geometry import winding
from aascompile.geometry.polygon_kernel import Polys
from aascompile.geometry.winding_kernel import split_all
from tests.geometry.shapes import directions
from tests.reference import polygon as slow

SQUARE = np.array([[0, 0, 0], [8, 0, 0], [8, 8, 0], [0, 8, 0]], float)
UP = np.array([0.0, 0.0, 1.0])


def random_polygon(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Corners on an ellipse in a random plane, and its normal."""
    normal = rng.normal(size=3)
    normal /= np.linalg.norm(normal)
    u = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    u /= np.linalg.norm(u)
    angle = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 12))))
    a, b = rng.uniform(10, 400, 2)
    flat = a * np.cos(angle)[:, None] * u + b * np.sin(angle)[:, None] * np.cross(normal, u)
    return flat + rng.uniform(-3000, 3000, 3), normal


@given(normal=directions(), dist=st.floats(-4000, 4000))
def test_the_square_of_a_plane_lies_on_it(normal: np.ndarray, dist: float) -> None:
    square = winding.from_plane(normal, dist, 1000.0)
    assert np.abs(square @ normal - dist).max() < tol.CLIP
    assert winding.area(square) == pytest.approx(2000.0**2)
    assert winding.area_vector(square) @ normal > 0
    assert np.allclose(square.mean(axis=0), normal * dist)
    assert winding.is_convex(square, normal, tol.CLIP)


@pytest.mark.parametrize("seed", range(200))
def test_parts_match_the_slow_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    polygon, _ = random_polygon(rng)
    normal = rng.normal(size=3)
    normal /= np.linalg.norm(normal)
    dist = float(normal @ polygon[rng.integers(0, len(polygon))])
    if seed % 4:
        dist = float(normal @ rng.uniform(polygon.min(axis=0), polygon.max(axis=0)))
    parts = winding.split(polygon, normal, dist)
    for found, expected in zip(parts, slow.split(polygon, normal, dist, tol.ON_PLANE), strict=True):
        assert (found is None) == (expected is None)
        if found is not None and expected is not None:
            assert found.shape == expected.shape
            assert np.abs(found - expected).max() < tol.CLIP


@given(seed=st.integers(0, 2**32 - 1), normal=directions(), share=st.floats(0.0, 1.0))
def test_a_split_conserves_area_and_stays_convex_on_its_plane(seed: int, normal: np.ndarray, share: float) -> None:
    polygon, own = random_polygon(np.random.default_rng(seed))
    reach = polygon @ normal
    dist = float(reach.min() + share * (reach.max() - reach.min()))
    parts = [part for part in winding.split(polygon, normal, dist, tol.CLIP) if part is not None]
    assume(parts)
    for part in parts:
        assert np.abs((part - polygon[0]) @ own).max() < tol.CLIP
        assert winding.is_convex(part, own, tol.CLIP)
    whole = winding.area_vector(polygon)
    assert np.allclose(sum(winding.area_vector(part) for part in parts), whole, rtol=1e-9, atol=1e-3)


def test_neighbours_get_a_point_with_identical_bits() -> None:
    """A shared edge runs in opposite directions in its two polygons, but its cut must be the same point."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        a, b, c, d = rng.uniform(-1000, 1000, (4, 3))
        normal = rng.normal(size=3)
        normal /= np.linalg.norm(normal)
        dist = float(normal @ (a + rng.random() * (b - a)))
        left = winding.split(np.array([a, b, c]), normal, dist)
        right = winding.split(np.array([b, a, d]), normal, dist)
        corners = [
            {corner.tobytes() for part in parts if part is not None for corner in part} for parts in (left, right)
        ]
        cut = corners[0] & corners[1] - {a.tobytes(), b.tobytes()}
        ends = np.sort([normal @ a - dist, normal @ b - dist])
        assert len(cut) == (1 if ends[0] < -tol.ON_PLANE and ends[1] > tol.ON_PLANE else 0)


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_cut_on_an_axial_plane_is_exact(axis: int, sign: float) -> None:
    rng = np.random.default_rng(axis)
    for _ in range(50):
        polygon, _ = random_polygon(rng)
        at = float(np.round(polygon[:, axis].mean() + 0.1, 1))
        back = winding.clip(polygon, sign * np.eye(3)[axis], sign * at, tol.CLIP)
        assert back is not None
        assert (sign * back[:, axis]).max() <= sign * at + tol.CLIP
        assert (back[:, axis] == at).sum() >= 2


def test_a_cut_on_a_nearly_axial_plane_lies_on_it() -> None:
    """The length of (1, 1e-8, 0) rounds to 1."""
    square = np.array([[0, 1000, 0], [8, 1000, 0], [8, 2000, 0], [0, 2000, 0]], float)
    for axis in range(3):
        normal, polygon = np.roll([1.0, 1e-8, 0.0], axis), np.roll(square, axis, axis=1)
        for part in winding.split(polygon, normal, 4.0, tol.CLIP):
            assert part is not None
            assert (np.abs(part @ normal - 4.0) < 1e-9).sum() == 2


@pytest.mark.parametrize(
    ("normal", "dist", "front", "back"),
    [
        ([1, 0, 0], 4, 32, 32),
        ([1, 0, 0], 9, None, 64),
        ([1, 0, 0], 8, None, 64),
        ([1, 0, 0], 8 - 0.04, None, 64),
        ([1, 0, 0], -1, 64, None),
        ([1, 0, 0], 0, 64, None),
        ([0, 0, 1], 0, None, None),
        ([0, 0, -1], 0.04, None, None),
        ([0.70710678118654752, 0.70710678118654752, 0], 8 * 0.70710678118654752, 32, 32),
    ],
)
def test_a_square_is_split_into_the_expected_areas(
    normal: list[float], dist: float, front: float | None, back: float | None
) -> None:
    parts = winding.split(SQUARE, normal, dist)
    for part, expected in zip(parts, (front, back), strict=True):
        assert (part is None) == (expected is None)
        if part is not None:
            assert winding.area(part) == pytest.approx(expected)
            assert winding.plane(part) == (pytest.approx(UP), 0)


def test_clip_keeps_the_part_that_is_not_in_front() -> None:
    assert winding.clip(SQUARE, [1, 0, 0], -1) is None
    lying = winding.clip(SQUARE, [0, 0, 1], 0)
    assert lying is not None
    assert np.array_equal(lying, SQUARE)


@pytest.mark.parametrize("seed", range(20))
def test_area_and_plane_match_the_slow_twin(seed: int) -> None:
    polygon, normal = random_polygon(np.random.default_rng(seed))
    assert winding.area(polygon) == pytest.approx(slow.area(polygon), rel=1e-9)
    found = winding.plane(polygon)
    assert found is not None
    assert np.allclose(found[0], normal, atol=1e-9)
    assert found[1] == pytest.approx(polygon[0] @ normal)


def test_a_line_has_no_plane() -> None:
    assert winding.plane([[0, 0, 0], [1, 1, 1], [2, 2, 2]]) is None
    assert winding.area([[0, 0, 0], [1, 1, 1]]) == 0


def test_convex_windings_are_recognised() -> None:
    dart = np.array([[0, 0, 0], [8, 0, 0], [2, 2, 0], [0, 8, 0]], float)
    assert winding.is_convex(SQUARE, UP)
    assert not winding.is_convex(SQUARE, -UP)
    assert not winding.is_convex(dart, UP)
    assert not winding.is_convex(SQUARE[:2], UP)
    assert winding.is_convex(np.insert(SQUARE, 1, [4, 0.005, 0], axis=0), UP)


def test_a_batch_gives_the_same_parts_as_single_polygons() -> None:
    rng = np.random.default_rng(4)
    polygons = [random_polygon(rng)[0] for _ in range(300)]
    starts = np.concatenate(([0], np.cumsum([len(polygon) for polygon in polygons])))
    normal = rng.normal(size=(300, 3))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    dist = np.array([n @ polygon.mean(axis=0) for n, polygon in zip(normal, polygons, strict=True)])
    polys = Polys(16, 16)
    polys.load(starts, np.vstack(polygons))
    front, back = np.empty(300, np.int32), np.empty(300, np.int32)
    split_all(polys, normal, dist, tol.ON_PLANE, front, back)
    for i, polygon in enumerate(polygons):
        for row, part in zip((front[i], back[i]), winding.split(polygon, normal[i], dist[i]), strict=True):
            assert (row < 0) == (part is None)
            if part is not None:
                assert np.array_equal(polys.columns([row])[1], part)


def test_columns_of_selected_rows_are_gathered() -> None:
    polys = Polys(16, 16)
    xyz = np.arange(36.0).reshape(12, 3)
    assert polys.load([0, 3, 3, 8, 12], xyz) == 0
    assert polys.load([0, 4], xyz[:4]) == 4
    starts, corners = polys.columns([3, 1, 0])
    assert starts.tolist() == [0, 4, 4, 7]
    assert np.array_equal(corners, np.vstack((xyz[8:12], xyz[:3])))
    assert polys.columns()[0].tolist() == [0, 3, 3, 8, 12, 16]
