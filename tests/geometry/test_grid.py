"""Boxes that touch a box, and widths of polygons, compared with slow twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aascompile.geometry.grid_kernel import BoxGrid, BoxQuery
from aascompile.geometry.width_kernel import widths
from tests.examples import examples
from tests.geometry.shapes import convex_shapes
from tests.reference.solids import width

coordinates = st.one_of(st.integers(-64, 64).map(lambda number: 8.0 * number), st.floats(-600, 600, width=32))
boxes = st.tuples(*[coordinates] * 3, *[st.one_of(st.just(0.0), st.floats(0, 400, width=32))] * 3).map(
    lambda row: (*row[:3], *(low + size for low, size in zip(row[:3], row[3:], strict=True)))
)


def touching(bounds: np.ndarray, box: tuple[float, ...]) -> list[int]:
    """Boxes that touch a box, found by testing each."""
    return np.flatnonzero((bounds[:, :3] <= box[3:]).all(axis=1) & (bounds[:, 3:] >= box[:3]).all(axis=1)).tolist()


@settings(max_examples=examples(100))
@given(st.lists(boxes, max_size=20), st.lists(boxes, min_size=1, max_size=5), st.sampled_from([16.0, 256.0]))
def test_a_grid_finds_all_boxes_that_touch_a_box(rows, asked, cell):
    bounds = np.array(rows).reshape(-1, 6)
    query = BoxQuery(BoxGrid(bounds, cell, 8))
    for box in asked:
        assert query.ask(box).tolist() == touching(bounds, box)


def test_widths_match_the_slow_twin():
    shapes = convex_shapes(np.random.default_rng(2), 30, 500.0)
    corners = [shapes.corner[a:b] for a, b in zip(shapes.corner_start, shapes.corner_start[1:], strict=False)]
    flat = [outline(points) for points in corners] + [np.zeros((4, 3)), np.array([[0, 0, 0], [9, 0, 0], [4, 0, 0.0]])]
    start = np.concatenate(([0], np.cumsum([len(polygon) for polygon in flat]))).astype(np.int64)
    found = np.full(len(flat), -1.0)
    widths(start, np.ascontiguousarray(np.vstack(flat)), found)
    assert found[:-2] == pytest.approx([width(polygon) for polygon in flat[:-2]])
    assert found[-2:].tolist() == [0, 0]


def outline(points: np.ndarray) -> np.ndarray:
    """Convex outline of points seen from above, on a slanted plane."""
    from scipy.spatial import ConvexHull

    seen = points[ConvexHull(points[:, :2]).vertices]
    return np.column_stack((seen[:, :2], 0.3 * seen[:, 0] - 0.2 * seen[:, 1]))
