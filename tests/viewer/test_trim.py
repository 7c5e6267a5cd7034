"""Map faces are trimmed to the surroundings of areas."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.viewer.meshes import Shape, equal_cells
from aascompile.viewer.trim import trimmed
from tests.viewer.test_meshes import vectors


def square(size: float):
    """A floor from 0 to ``size`` in x and y."""
    corners = np.array([(0.0, 0.0, 0.0), (size, 0.0, 0.0), (size, size, 0.0), (0.0, size, 0.0)])
    return equal_cells(Shape.FACES, corners[None], np.array([7], np.int32))


def area_of(faces) -> float:
    return float(vectors(faces)[:, 2].sum() / 2.0)


def boxes(*corners):
    """Boxes from (x0, y0, x1, y1), as high as the floor."""
    made = np.array(corners, float).reshape(-1, 4)
    flat = np.ones((len(made), 1))
    return np.hstack([made[:, :2], -8.0 * flat]), np.hstack([made[:, 2:], 8.0 * flat])


@pytest.mark.parametrize(
    ("around", "left"),
    [
        ([(-10, -10, 1010, 1010)], 1000 * 1000),
        ([(0, 0, 200, 300)], 200 * 300),
        ([(0, 0, 200, 1000), (0, 0, 1000, 100)], 200 * 1000 + 800 * 100),
        ([(0, 0, 100, 100), (900, 900, 1000, 1000)], 2 * 100 * 100),
        ([(2000, 0, 2100, 100)], 0),
        ([(1000, 0, 1200, 1000)], 0),
    ],
)
def test_pieces_cover_the_boxes_once(around, left):
    """An L of two boxes is covered once, a box that only touches the face not at all."""
    found = trimmed(square(1000.0), *boxes(*around))
    assert area_of(found) == pytest.approx(left)
    assert np.all(found.item == 7)


def test_small_faces_stay_whole():
    assert area_of(trimmed(square(64.0), *boxes((500, 500, 600, 600)))) == pytest.approx(64 * 64)


def test_the_middle_of_a_ring_is_left_out():
    """A floor under rooms in a ring: however many rooms, nothing is left under the middle and the corners."""
    turn = np.linspace(0.0, 2.0 * np.pi, 64, endpoint=False)
    around = [(500 + 400 * np.cos(a) - 40, 500 + 400 * np.sin(a) - 40, 80, 80) for a in turn]
    found = trimmed(square(1000.0), *boxes(*((x, y, x + w, y + h) for x, y, w, h in around)))
    low, high = (at.reduceat(found.xyz, found.start[:-1]) for at in (np.minimum, np.maximum))
    for x, y in ((500, 500), (500, 200), (5, 5), (995, 5)):
        assert not ((low[:, 0] < x) & (high[:, 0] > x) & (low[:, 1] < y) & (high[:, 1] > y)).any()
