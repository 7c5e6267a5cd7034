"""Merging of coplanar convex polygons."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aascompile import tolerances as tol
from aascompile.geometry import merging, winding
from aascompile.geometry.merging import MergedPolygons, merge_polygons
from tests.reference import polygon as slow

UP = np.array([0.0, 0.0, 1.0])


def square(x: float, y: float, width: float = 1.0, height: float = 1.0) -> np.ndarray:
    """An axial rectangle on the floor."""
    return np.array([[x, y, 0], [x + width, y, 0], [x + width, y + height, 0], [x, y + height, 0]], float)


def merge_all(polygons: list[np.ndarray], normal: np.ndarray = UP, group: list[int] | None = None) -> MergedPolygons:
    """Merge polygons of one plane."""
    starts = np.concatenate(([0], np.cumsum([len(polygon) for polygon in polygons])))
    groups = group or [0] * len(polygons)
    return merge_polygons(starts, np.vstack(polygons), groups, np.tile(normal, (max(groups) + 1, 1)))


def polygon(merged: MergedPolygons, row: int) -> np.ndarray:
    """Corners of a merged polygon."""
    return merged.xyz[merged.vertex_start[row] : merged.vertex_start[row + 1]]


def shatter(rng: np.random.Generator, cuts: int) -> tuple[list[np.ndarray], np.ndarray]:
    """Pieces of a convex polygon that was cut by random lines, and its normal."""
    normal = rng.normal(size=3)
    normal /= np.linalg.norm(normal)
    pieces = [winding.from_plane(normal, float(rng.uniform(-1000, 1000)), 256.0)]
    middle = pieces[0].mean(axis=0)
    for _ in range(cuts):
        line = np.cross(normal, rng.normal(size=3))
        line /= np.linalg.norm(line)
        dist = float(line @ middle + rng.uniform(-200, 200))
        chosen = rng.random(len(pieces)) < 0.7
        pieces = [
            part
            for piece, cut in zip(pieces, chosen, strict=True)
            for part in (winding.split(piece, line, dist, 1.0) if cut else (piece,))
            if part is not None
        ]
    return [pieces[i] for i in rng.permutation(len(pieces))], normal


@pytest.mark.parametrize(
    ("a", "b", "corners"),
    [
        (square(0, 0), square(1, 0), 4),
        (square(0, 0), square(0, 1), 4),
        (square(0, 0), square(1, 0.5), None),
        (square(0, 0), square(1, 0, 1, 2), None),
        (square(0, 0), square(1, 1), None),
        (square(0, 0), square(3, 0), None),
        (square(0, 0), square(0, 0), None),
        (np.insert(square(0, 0), 2, [1, 0.5, 0], axis=0), square(1, 0), 4),
        (square(0, 0)[[0, 1, 2]], square(0, 0)[[0, 2, 3]], 4),
        (square(0, 0), np.array([[1, 0, 0], [2, 0.5, 0], [1, 1, 0]]), 5),
        (square(0, 0), np.array([[1, 0, 0], [3, -0.5, 0], [1, 1, 0]]), None),
        (square(0.004, 0), square(1, 0), 4),
    ],
)
def test_two_polygons_merge_if_the_union_is_convex(a: np.ndarray, b: np.ndarray, corners: int | None) -> None:
    for first, second in ((a, b), (b, a)):
        merged = winding.merge(first, second, UP)
        assert (merged is None) == (corners is None)
        if merged is not None:
            assert len(merged) == corners
            assert winding.is_convex(merged, UP)
            assert winding.area(merged) == pytest.approx(winding.area(a) + winding.area(b), abs=0.01)


@given(seed=st.integers(0, 2**32 - 1))
def test_merging_matches_the_slow_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pieces, normal = shatter(rng, 4)
    for a, b in combinations(pieces[:6], 2):
        merged = winding.merge(a, b, normal)
        if merged is None:
            assert not slow.merges(a, b, normal, 1e-6)
        else:
            assert winding.area(merged) == pytest.approx(slow.area(a) + slow.area(b), abs=tol.MERGE * 1000)


@given(seed=st.integers(0, 2**32 - 1), cuts=st.integers(0, 7))
def test_merging_conserves_the_surface(seed: int, cuts: int) -> None:
    pieces, normal = shatter(np.random.default_rng(seed), cuts)
    merged = merge_all(pieces, normal)
    assert 1 <= len(merged) <= len(pieces)
    areas = np.array([winding.area(piece) for piece in pieces])
    parts = np.bincount(merged.part_of, areas, len(merged))
    for row in range(len(merged)):
        corners = polygon(merged, row)
        assert winding.is_convex(corners, normal, 2 * tol.MERGE)
        assert winding.area(corners) == pytest.approx(parts[row], abs=tol.MERGE * 2000)
    for a, b in combinations(range(len(merged)), 2):
        assert not slow.merges(polygon(merged, a), polygon(merged, b), normal, 1e-6)


def test_a_grid_of_triangles_becomes_one_square() -> None:
    triangles = [square(x, y)[rows] for x in range(8) for y in range(8) for rows in ([0, 1, 2], [0, 2, 3])]
    merged = merge_all(triangles)
    assert len(merged) == 1
    assert merged.part_of.tolist() == [0] * 128
    assert {tuple(corner) for corner in merged.xyz} == {(0, 0, 0), (8, 0, 0), (8, 8, 0), (0, 8, 0)}


def test_a_merge_lets_an_earlier_polygon_merge_too() -> None:
    """The long rectangle cannot be merged with either half, only with both together."""
    merged = merge_all([square(0, 0, 1, 2), square(1, 0), square(1, 1)])
    assert len(merged) == 1
    assert winding.area(merged.xyz) == pytest.approx(4)


def test_groups_are_not_merged_with_each_other() -> None:
    merged = merge_all([square(0, 0), square(1, 0), square(2, 0), square(3, 0)], group=[1, 0, 0, 1])
    assert merged.group.tolist() == [0, 1, 1]
    assert merged.part_of.tolist() == [1, 0, 0, 2]
    assert np.diff(merged.vertex_start).tolist() == [4, 4, 4]


def test_slivers_are_left_out() -> None:
    line = np.array([[0, 0, 0], [4, 0, 0], [8, 0.001, 0]])
    merged = merge_all([line, square(0, 0), np.empty((0, 3)), square(1, 0)])
    assert merged.part_of.tolist() == [-1, 0, -1, 0]
    assert len(merged) == 1


def test_a_concave_polygon_keeps_its_shape() -> None:
    """Without its concave corner it would overlap the square in its notch."""
    notched = np.array([[0, 0, 0], [2, 0, 0], [2, 2, 0], [1, 2, 0], [1, 1, 0], [0, 1, 0]], float)
    merged = merge_all([notched, square(0, 1), square(2, 0, 1, 2)])
    assert len(merged) == 3
    assert polygon(merged, 0).tolist() == notched.tolist()
    assert winding.merge(notched, square(2, 0, 1, 2), UP) is None


def test_no_polygons_give_no_polygons() -> None:
    merged = merge_polygons([0], np.empty((0, 3)), [], np.empty((0, 3)))
    assert len(merged) == 0
    assert merged.vertex_start.tolist() == [0]


def test_inconsistent_columns_are_rejected() -> None:
    with pytest.raises(ValueError, match="inconsistent"):
        merge_polygons([0, 3], np.empty((4, 3)), [0], [UP])
    with pytest.raises(ValueError, match="no normal"):
        merge_polygons([0, 4], square(0, 0), [1], [UP])


def test_a_run_of_nearly_collinear_corners_keeps_its_curve() -> None:
    """In a flat arc, every corner is nearly collinear with its neighbours, but the whole arc is not straight."""
    angle = np.linspace(0, 0.2, 101)
    arc = np.column_stack((1000 * np.sin(angle), 1000 * (1 - np.cos(angle)), np.zeros(101)))
    corners = np.vstack((arc, [[0, arc[-1, 1], 0]]))
    merged = merge_all([corners])
    assert winding.area(merged.xyz) == pytest.approx(winding.area(corners), abs=tol.MERGE * 4 * 200)


@pytest.mark.parametrize("at_once", [1, 2, 5])
def test_it_makes_no_difference_how_many_are_merged_at_a_time(at_once, monkeypatch) -> None:
    random = np.random.default_rng(4)
    low = random.integers(0, 3, (40, 2)).astype(np.float64)
    square = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], np.float64)
    xyz = (np.pad(low, ((0, 0), (0, 1)))[:, None] + square).reshape(-1, 3)
    arguments = (np.arange(41) * 4, xyz, random.integers(0, 9, 40), np.tile((0.0, 0.0, 1.0), (10, 1)))
    whole = merge_polygons(*arguments)
    monkeypatch.setattr(merging, "AT_ONCE", at_once)
    parts = merge_polygons(*arguments)
    for column in ("vertex_start", "xyz", "group", "part_of"):
        assert np.array_equal(getattr(parts, column), getattr(whole, column))
