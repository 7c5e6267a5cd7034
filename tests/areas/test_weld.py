"""Welding, compared bit for bit with a twin that compares all pairs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aascompile.areas.seal import vertices_on
from aascompile.areas.seal_kernel import edges
from aascompile.areas.weld_kernel import Welder, pinched
from aascompile.csr import starts_of
from tests.examples import examples
from tests.reference import weld as slow

NEAR = 0.05

places = st.sampled_from([0.0, 0.03, 0.049, 0.051, 8.0, 8.02, 31.96, 32.0, 32.04, 40.0, 64.0, 200.0, -0.02, -64.0])
corners = st.tuples(places, places, st.sampled_from([0.0, 0.03, 32.0]))
polygons = st.lists(st.lists(corners, min_size=3, max_size=7), min_size=1, max_size=8)


def closed(welder: Welder, start: np.ndarray, vertex: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Polygons whose junctions are closed, as ``seal`` does it."""
    ends, edge = edges(start, vertex, int(vertex.max()) + 1)
    over, _ = vertices_on(ends, welder)
    return welder.close_junctions(start, vertex, edge, over)


@settings(max_examples=examples(100))
@given(polygons, st.integers(0, 2**32 - 1), st.booleans())
def test_vertices_and_polygons_match_the_slow_twin(shapes, seed, keeps):
    """Polygons of any kind: they may cross, touch themselves or overlap."""
    dice = np.random.default_rng(seed)
    xyz = np.array([corner for shape in shapes for corner in shape])
    kept = (dice.random(len(xyz)) < (0.3 if keeps else 0.0)).astype(np.int8)
    twin = slow.Weld(NEAR)
    expected = [twin.place(tuple(point), bool(stays)) for point, stays in zip(xyz.tolist(), kept, strict=True)]
    welder = Welder(len(xyz), NEAR)
    vertex = np.empty(len(xyz), np.int32)
    welder.weld(xyz, kept, vertex)
    assert vertex.tolist() == expected
    assert welder.vertices().tolist() == [list(point) for point in twin.vertex]

    start = starts_of(np.array([len(shape) for shape in shapes]))
    came, ends, corner = closed(welder, start, vertex)
    loops = [(row, loop) for row in range(len(shapes)) for loop in twin.loops(expected[start[row] : start[row + 1]])]
    assert came.tolist() == [row for row, _ in loops]
    assert [corner[a:b].tolist() for a, b in pairwise(ends)] == [loop for _, loop in loops]


@pytest.mark.parametrize("apart", [0.06, 1.0, 32.0])
def test_few_vertices_are_compared_with_a_long_edge(apart):
    """A cube of 4,096 vertices, and edges right across it: how dense the vertices are does not matter."""
    side = np.arange(16) * apart
    cube = np.stack(np.meshgrid(side, side, side), axis=-1).reshape(-1, 3)
    ends = np.array([(-900.0, 0.2, 0.3), (900.0, 0.2, 0.3), (900.0, 0.7, 0.1), (-900.0, 0.7, 0.1)]) * apart
    xyz = np.concatenate([ends, cube])
    welder = Welder(len(xyz), NEAR / 50)
    vertex = np.empty(len(xyz), np.int32)
    welder.weld(xyz, np.zeros(len(xyz), np.int8), vertex)
    ends, _ = edges(np.array([0, 4], np.int64), vertex[:4].copy(), len(xyz))
    _, seen = vertices_on(ends, welder)
    assert 0 < seen < len(cube) / 4


def test_tables_grow_as_they_fill():
    """A long edge has more vertices on it than any table initially has room for."""
    count = 3000
    along = np.random.default_rng(1).permutation(np.arange(1, count + 1)) * 0.5
    wide = 0.5 * (count + 1)
    shape = [(0.0, 0.0, 0.0), (wide, 0.0, 0.0), (wide, 9.0, 0.0), (0.0, 9.0, 0.0)]
    xyz = np.array(shape + [(x, 0.0, 0.0) for x in along])
    welder = Welder(len(xyz), NEAR)
    vertex = np.empty(len(xyz), np.int32)
    welder.weld(xyz, np.zeros(len(xyz), np.int8), vertex)
    came, ends, corner = closed(welder, np.array([0, 4], np.int64), vertex[:4].copy())
    assert came.tolist() == [0]
    assert ends.tolist() == [0, count + 4]
    points = welder.vertices()[corner]
    assert points[:, 0].tolist() == [0.5 * i for i in range(count + 2)] + [wide, 0.0]


@settings(max_examples=examples(60))
@given(st.lists(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4), max_size=5), min_size=1, max_size=5))
def test_pinched_areas_are_found(areas):
    """Areas as lists of faces, faces as lists of edges."""
    faces = [face for area in areas for face in area]
    edges = np.array([edge for face in faces for edge in face], np.int32)
    out, bad = np.zeros(len(areas), np.int8), np.zeros(10, np.int8)
    rows = np.arange(0, len(areas), 2)
    pinched(
        rows, starts_of(np.array([len(area) for area in areas])), np.arange(len(faces), dtype=np.int32),
        starts_of(np.array([len(face) for face in faces], np.int64)), edges, np.zeros(10, np.int32),
        out, bad,
    )  # fmt: skip
    expected = [slow.pinched(area) if row % 2 == 0 else {} for row, area in enumerate(areas)]
    assert out.tolist() == [bool(edges) for edges in expected]
    marks = [0] * 10
    for found in expected:
        for edge, mark in found.items():
            marks[edge] |= mark
    assert bad.tolist() == marks
