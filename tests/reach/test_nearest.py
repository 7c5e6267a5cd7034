"""Nearest points of grounds, compared with a twin that tries every pair of edges, and with sampled points."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aascompile.csr import starts_of
from aascompile.geometry.grid_kernel import BoxGrid
from aascompile.reach.nearest_kernel import Nearest
from aascompile.settings import QUAKE3
from tests.examples import examples
from tests.reference.nearest import Edge, Jump, between, facing

JUMP = Jump(rise=45.5625, fall=QUAKE3.physics.max_jump_fall, gravity=800.0, lift=270.0, speed=320.0)
LEVEL = 0.1
Ground = list[Edge]


def rectangle(x: int, y: int, z: int, width: int, depth: int) -> Ground:
    """The four rims of a level floor."""
    corner = np.array([(x, y, z), (x + width, y, z), (x + width, y + depth, z), (x, y + depth, z)], float)
    return [(corner[i], corner[(i + 1) % 4]) for i in range(4)]


def turned(ground: Ground, angle: float) -> Ground:
    """A ground rotated about the origin."""
    turn = np.array([[np.cos(angle), np.sin(angle), 0], [-np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    return [(a @ turn, b @ turn) for a, b in ground]


def worker(grounds: list[Ground], linked: list[int]) -> Nearest:
    a, b = (np.array([edge[end] for ground in grounds for edge in ground]) for end in (0, 1))
    start = starts_of(np.array([len(ground) for ground in grounds]))
    low, high = (pick.reduceat(pick(a, b), start[:-1]) for pick in (np.minimum, np.maximum))
    bounds = np.hstack((low, high))
    rims = SimpleNamespace(a=a, b=b, start=start, bounds=bounds)
    physics = QUAKE3.physics
    grid, pairs = BoxGrid(bounds, 256.0, 8), np.array(sorted(linked), np.int64)
    return Nearest(rims, pairs, grid, physics, LEVEL, physics.walk_speed, physics.jump_velocity)


def found_pairs(grounds: list[Ground], linked: list[int]) -> dict[tuple[int, int], tuple[np.ndarray, np.ndarray]]:
    """The two points of each pair of grounds that a jump may join."""
    finder = worker(grounds, linked)
    finder.run(np.arange(len(grounds), dtype=np.int32), 0, len(grounds), len(grounds))
    pair, point = finder.result()
    assert len({tuple(row) for row in pair[:, :2].tolist()}) == len(pair)
    return {(int(row[0]), int(row[1])): (place[:3], place[3:]) for row, place in zip(pair, point, strict=True)}


grounds = st.lists(
    st.builds(
        rectangle, st.integers(-600, 600), st.integers(-600, 600), st.sampled_from([-400, -64, 0, 40, 45, 46, 64]),
        st.integers(1, 300), st.integers(1, 300),
    ),
    min_size=2, max_size=6,
)  # fmt: skip


@settings(max_examples=examples(60))
@given(grounds, st.sets(st.integers(0, 35)))
def test_pairs_and_points_agree_with_the_twin(found, linked):
    expected = {
        (i, j): between(found[i], found[j], JUMP, LEVEL)
        for i in range(len(found))
        for j in range(len(found))
        if i != j and i * len(found) + j not in linked
    }
    pairs = found_pairs(found, list(linked))
    assert set(pairs) == {pair for pair, nearest in expected.items() if nearest is not None}
    for pair, (start, end) in pairs.items():
        assert start == pytest.approx(expected[pair].start)
        assert end == pytest.approx(expected[pair].end)


@settings(max_examples=examples(30))
@given(grounds, st.lists(st.floats(0, 6), min_size=6, max_size=6))
def test_no_sampled_points_of_two_edges_are_nearer(found, angles):
    """Edges at any angle. The sampled points of each are at most 1/64 of its length apart."""
    first, second = (turned(ground, angle)[0] for ground, angle in zip(found[:2], angles, strict=False))
    share = np.linspace(0, 1, 65)[:, None]
    near, far = (edge[0] + share * (edge[1] - edge[0]) for edge in (first, second))
    gaps = np.hypot(*(near[:, None] - far[None])[..., :2].T)
    nearest = facing(first, second, LEVEL)
    crossing = gaps.min() < sum(np.hypot(*(edge[1] - edge[0])[:2]) for edge in (first, second)) / 64
    assert crossing or nearest.square <= gaps.min() ** 2 + 2 * LEVEL
    jump = found_pairs([[first], [second]], []).get((0, 1))
    assert (jump is not None) == JUMP.possible(nearest.start, nearest.end)
    if jump is not None:
        assert np.hypot(*(jump[0] - jump[1])[:2]) ** 2 == pytest.approx(nearest.square, abs=2 * LEVEL)


@settings(max_examples=examples(60))
@given(grounds)
def test_the_reported_shortfall_of_an_impossible_jump_is_right(found):
    why, lack, point = worker(found[:2], []).look(0, 1)
    nearest = between(found[0], found[1], JUMP, LEVEL)
    assert (why == 0) == (nearest is not None)
    if why:
        more = Jump(JUMP.rise + lack + LEVEL, JUMP.fall + lack + LEVEL, JUMP.gravity, JUMP.lift, JUMP.speed)
        rise = point[5] - point[2]
        assert lack > 0
        assert not JUMP.possible(point[:3], point[3:])
        assert -more.fall <= rise <= more.rise
