"""The nearest points of two sets, compared with all pairs."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aascompile.geometry.closest_kernel import closest_pair, pairs_within

points = st.lists(st.tuples(*[st.integers(-6, 6)] * 3), min_size=1, max_size=15)


def slow_pair(first: np.ndarray, second: np.ndarray) -> tuple[int, int, float]:
    away = np.square(first[:, None] - second[None]).sum(axis=2)
    rows = [(away[i, j], j, i) for i in range(len(first)) for j in range(len(second))]
    square, two, one = min(rows)
    return one, two, float(np.sqrt(square))


@given(points, points)
def test_the_nearest_pair_is_that_of_all_pairs(first, second):
    a, b = np.array(first, np.float64), np.array(second, np.float64)
    assert closest_pair(a, b) == slow_pair(a, b)


@given(points, points, st.integers(0, 12))
def test_near_pairs_are_those_of_all_pairs(first, second, far):
    a, b = np.array(first, np.float64), np.array(second, np.float64)
    away = np.square(a[:, None] - b[None]).sum(axis=2)
    rows = sorted((away[i, j], i, j) for i in range(len(a)) for j in range(len(b)) if away[i, j] <= far * far)
    one, two = pairs_within(a, b, far)
    assert list(zip(one.tolist(), two.tolist(), strict=True)) == [(i, j) for _, i, j in rows]
