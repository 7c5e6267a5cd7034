"""The rim of a hole, compared with a twin that counts pieces of edges on a grid."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from aascompile import tolerances
from aascompile.areas.rim_kernel import rim_of, strays_from
from tests.examples import examples
from tests.reference import rim as slow

SAME = tolerances.MIN_EDGE

rectangles = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=7
)


def sides(x: int, y: int, width: int, height: int) -> list[tuple[slow.Point, slow.Point]]:
    """Edges of a rectangle, counter-clockwise."""
    corner = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    return [(corner[k], corner[(k + 1) % 4]) for k in range(4)]


def rim(edges: list[tuple[slow.Point, slow.Point]], shift: np.ndarray | float = 0.0) -> list[np.ndarray]:
    """Loops of the rim of edges in the plane z = 0, whose ends are moved."""
    ends = np.array([[*a, 0, *b, 0] for a, b in edges], float)
    return rim_of(ends + shift, SAME)


@settings(max_examples=examples(200))
@given(rectangles, st.integers(0, 2**32 - 1))
def test_loops_run_along_all_edges_that_are_free(shapes, seed):
    """Rectangles of any kind: they may overlap, and the edge of one may be as long as several of others."""
    edges = [side for shape in shapes for side in sides(*shape)]
    shift = np.random.default_rng(seed).uniform(-SAME / 12, SAME / 12, (len(edges), 6))
    found: Counter[tuple[slow.Point, slow.Point]] = Counter()
    for loop in rim(edges, shift):
        corner = [(round(x), round(y)) for x, y, _ in loop]
        assert len(set(corner)) == len(corner) >= 3
        for a, b in zip(corner, corner[1:] + corner[:1], strict=True):
            found.update(slow.pieces(a, b))
    assert found == slow.free_pieces(edges)


def test_a_notch_stays_a_notch():
    """Corners sorted by their direction from the middle would give a polygon without it."""
    corner = [(0, 0), (90, 0), (90, 8), (1, 8), (1, 1), (0, 1)]
    edges = [(corner[k], corner[(k + 1) % 6]) for k in (3, 0, 5, 2, 1, 4)]
    (loop,) = rim(edges)
    first = [tuple(point) for point in loop].index((0, 0, 0))
    assert [(x, y) for x, y, _ in np.roll(loop, -first, axis=0)] == corner


def test_ends_that_do_not_meet_are_joined():
    """Planes that meet at a flat angle cut corners apart."""
    edges = [((0, 0), (8, 0)), ((8, 0), (8, 8)), ((8, 8), (1, 8)), ((0, 7), (0, 0))]
    (loop,) = rim(edges)
    assert {(x, y) for x, y, _ in loop} == {(0, 0), (8, 0), (8, 8), (1, 8), (0, 7)}


def test_tables_grow_as_they_fill():
    turn = 2 * np.pi * np.arange(500) / 500
    ring = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1) * 1000
    rings = [np.hstack([ring, np.roll(ring, -1, axis=0)]) + np.tile([x, 0, 0], 2) for x in (0.0, 3000.0, 6000.0)]
    assert [len(loop) for loop in rim_of(np.vstack(rings), SAME)] == [500, 500, 500]
    assert len(rim([side for k in range(40) for side in sides(3 * k, 0, 1, 1)])) == 40


@settings(max_examples=examples(200))
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.4, 2.5]))
def test_a_polygon_strays_from_the_rim_where_a_corner_of_either_is_far_from_the_other(seed, moved):
    """A corner is moved by a share of what is allowed, or cut off, which leaves all others where they were."""
    dice = np.random.default_rng(seed)
    count, most = int(dice.integers(3, 9)), 0.01
    turn = 2 * np.pi * (np.arange(count) + dice.uniform(0, 0.5, count)) / count
    ring = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1) * 64
    edges = np.hstack([ring, np.roll(ring, -1, axis=0)])
    polygon = ring.copy()
    polygon[dice.integers(count)] += moved * most * np.array([0.6, 0.8, 0.0])
    if count > 3 and dice.integers(2):
        polygon = np.delete(polygon, dice.integers(count), axis=0)
    apart = max(slow.farthest(ring, polygon), slow.farthest(polygon, ring))
    assert strays_from(edges[dice.permutation(count)], SAME, polygon, most) == (apart > most)


def test_any_polygon_strays_from_no_rim():
    square = np.array([(0, 0, 0), (8, 0, 0), (8, 8, 0), (0, 8, 0)], float)
    assert strays_from(np.zeros((0, 6)), SAME, square, 1.0)
