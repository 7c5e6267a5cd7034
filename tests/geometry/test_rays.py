"""Lines that cross triangles, compared with a solution of the equations for each pair."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aascompile.geometry.rays_kernel import are_crossed

point = st.tuples(*[st.integers(-4, 4)] * 3)
lines = st.lists(st.tuples(point, point), max_size=6)
triangles = st.lists(st.tuples(point, point, point), max_size=6)


def crosses(start: np.ndarray, end: np.ndarray, triangle: np.ndarray) -> bool | None:
    """Solve start + t (end - start) = a + u (b - a) + v (c - a). None: on the third side, where rounding decides."""
    a, b, c = triangle
    matrix = np.stack((start - end, b - a, c - a), axis=1)
    volume = round(np.linalg.det(matrix))
    if volume == 0:
        return False
    # Cramer's rule, in whole numbers: rounding must not decide.
    t, u, v = (round(np.linalg.det(np.where(np.arange(3) == k, (start - a)[:, None], matrix))) for k in range(3))
    if volume < 0:
        volume, t, u, v = -volume, -t, -u, -v
    if not (0 <= t <= volume and u >= 0 and v >= 0 and u + v <= volume):
        return False
    return None if u + v == volume else True


@given(lines, triangles)
def test_lines_are_crossed_by_the_triangles_between_their_ends(between, corners):
    start = np.array([line[0] for line in between], np.float64).reshape(-1, 3)
    end = np.array([line[1] for line in between], np.float64).reshape(-1, 3)
    triangle = np.array(corners, np.float64).reshape(-1, 3, 3)
    found = are_crossed(start, end, triangle.reshape(-1, 9), 0.5)
    for a, b, crossed in zip(start, end, found.tolist(), strict=True):
        expected = [crosses(a, b, each) for each in triangle]
        assert crossed == (True in expected) or (crossed and None in expected)
