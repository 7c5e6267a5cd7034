"""Quads of the grids of patches."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.brushes.crossings import corners_of

SHAPES = [(2, 2), (3, 5), (1, 4), (5, 2), (4, 1), (2, 3)]


@pytest.mark.parametrize("count", range(len(SHAPES) + 1))
def test_quads_are_those_of_each_grid(count: int) -> None:
    grids = [np.zeros((*shape, 3)) for shape in SHAPES[:count]]
    start, quads = corners_of(grids)
    expected, first = [], 0
    for number, (rows, columns) in enumerate(SHAPES[:count]):
        assert start[number] == first
        place = first + np.arange(rows * columns).reshape(rows, columns)
        for y in range(rows - 1):
            for x in range(columns - 1):
                expected.append([place[y, x], place[y, x + 1], place[y + 1, x + 1], place[y + 1, x]])
        first += rows * columns
    assert start[-1] == first
    assert quads.tolist() == expected
    assert quads.shape == (len(expected), 4)
