"""Polygons with notches, cut into polygons without."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from aascompile import tolerances
from aascompile.geometry.notch_kernel import without_notches
from aascompile.geometry.turning import turned_by
from tests.examples import examples
from tests.reference.polygon import deepest_notch, windings

UP = np.array([0.0, 0.0, 1.0])
DEEP = tolerances.ON_PLANE


def cut(corners: list[tuple[float, float]]) -> list[list[tuple[float, float]]]:
    """Parts of a polygon on the floor."""
    xyz = np.array([(x, y, 0.0) for x, y in corners])
    return [[(x, y) for x, y, _ in part.tolist()] for part in without_notches(xyz, UP, DEEP)]


def same(a: list[tuple[float, float]], b: list[tuple[float, float]]) -> bool:
    """Whether two polygons have the same corners in the same order, from whichever they start."""
    return any(a[k:] + a[:k] == b for k in range(len(a)))


@settings(max_examples=examples(200))
@example(477, 24, 0.9)
@given(st.integers(0, 2**32 - 1), st.integers(3, 24), st.sampled_from([1e-3, 0.1, 0.9]))
def test_the_parts_cover_the_polygon_once(seed, corners, rough):
    """Stars of any shape, turned in space. No part has a notch, and each corner of a part is one of the polygon."""
    dice = np.random.default_rng(seed)
    angle = 2 * np.pi * (np.arange(corners) + dice.uniform(0, 0.9, corners)) / corners
    out = 64 * (1 - rough * dice.uniform(0, 1, corners))
    flat = np.stack([out * np.cos(angle), out * np.sin(angle), np.zeros(corners)], axis=1)
    turn = dice.uniform(0, 360, 3)
    parts = without_notches(turned_by(flat, turn), turned_by(UP[None], turn)[0], DEEP)
    parts = [turned_by(part, turn, back=True) for part in parts]
    for part in parts:
        assert deepest_notch(part) <= DEEP + tolerances.CLIP
        assert np.abs(part[:, None] - flat).max(axis=2).min(axis=1).max() < tolerances.CLIP
    points = dice.uniform(-64, 64, (200, 2))
    assert sum(windings(part, points) for part in parts).tolist() == windings(flat, points).tolist()


def test_a_spike_is_cut_off():
    """A face of a damaged map had one after its area was cut: merged areas are convex only within a tenth of a unit."""
    spike, main = cut([(0, 0), (28, 0), (30.2, 0.12), (28, 0.083), (28, 3), (0, 13)])
    assert same(main, [(28, 0.083), (28, 3), (0, 13), (0, 0), (28, 0)])
    assert same(spike, [(28, 0), (30.2, 0.12), (28, 0.083)])


@pytest.mark.parametrize("middle", [8.0, 7.96])
def test_a_polygon_without_a_deep_notch_stays_as_it_is(middle):
    corners = [(0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (4.0, middle), (0.0, 8.0)]
    assert cut(corners) == [corners]


def test_a_notch_is_as_deep_however_many_corners_are_beside_it():
    """Corners on the two edges of a notch are near it, so that it seems shallow."""
    one, two = cut([(0, 0), (80, 0), (80, 10), (40.8, 9.51), (40, 9.5), (39.2, 9.51), (0, 10)])
    assert len(one) + len(two) == 9


def test_a_clockwise_outline_stays_as_it_is():
    """The rim of a pillar is no polygon."""
    corners = [(0.0, 0.0), (0.0, 8.0), (8.0, 8.0), (8.0, 0.0)]
    assert cut(corners) == [corners]
