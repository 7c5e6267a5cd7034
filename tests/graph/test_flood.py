"""Floods along edges, compared with a slow flood that follows all edges until nothing changes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aascompile.csr import starts_of
from aascompile.graph.flood import flood, second_finds_more
from aascompile.graph.flood_kernel import Race

Edge = tuple[int, int]


def slow_flood(edges: list[Edge], seeds: set[int], used: list[bool], closed: list[bool], ends: list[bool]) -> set[int]:
    found = set(seeds)
    grown = True
    while grown:
        size = len(found)
        for (source, target), counts in zip(edges, used, strict=True):
            if counts and source in found and (source in seeds or not ends[source]) and not closed[target]:
                found.add(target)
        grown = len(found) > size
    return found


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[Edge]]:
    count = draw(st.integers(1, 12))
    node = st.integers(0, count - 1)
    return count, sorted(draw(st.lists(st.tuples(node, node), max_size=30)))


@given(graphs(), st.data())
def test_floods_match_the_slow_twin(graph, data):
    count, edges = graph
    flags = lambda size: data.draw(st.lists(st.booleans(), min_size=size, max_size=size))  # noqa: E731
    used, closed, ends = flags(len(edges)), flags(count), flags(count)
    seeds = data.draw(st.lists(st.integers(0, count - 1), max_size=3))
    start = starts_of(np.bincount([a for a, _ in edges], minlength=count))
    target = np.array([b for _, b in edges], np.int32)
    masks = {"used": np.array(used, bool), "closed": np.array(closed, bool), "ends": np.array(ends, bool)}
    for left_out in ((), ("used",), ("closed",), ("ends",), tuple(masks)):
        some = {name: mask for name, mask in masks.items() if name not in left_out}
        found = flood(start, target, np.array(seeds, np.int64), **some)
        expected = slow_flood(
            edges,
            set(seeds),
            used if "used" in some else [True] * len(edges),
            closed if "closed" in some else [False] * count,
            ends if "ends" in some else [False] * count,
        )
        assert set(np.flatnonzero(found).tolist()) == expected


@pytest.mark.parametrize(
    ("masks", "found"),
    [
        ({}, [0, 1, 2, 3]),
        ({"used": [True, False, True]}, [0, 1]),
        ({"closed": [False, False, True, False]}, [0, 1]),
        ({"closed": [True, False, False, False]}, [0, 1, 2, 3]),
        ({"ends": [True, False, True, False]}, [0, 1, 2]),
    ],
)
def test_masks_limit_the_flood_along_a_chain(masks, found):
    start, target = np.array([0, 1, 2, 3, 3]), np.array([1, 2, 3])
    mask = {name: np.array(values) for name, values in masks.items()}
    assert np.flatnonzero(flood(start, target, np.array([0]), **mask)).tolist() == found


@given(graphs(), st.data())
def test_races_match_whole_floods(graph, data):
    count, edges = graph
    some = st.lists(st.integers(0, count - 1), max_size=4)
    races = data.draw(st.lists(st.tuples(st.integers(0, count - 1), some, some), max_size=4))
    start = starts_of(np.bincount([a for a, _ in edges], minlength=count))
    target = np.array([b for _, b in edges], np.int32)
    seeds = [part for _, *parts in races for part in parts]
    closed = np.array([node for node, *_ in races], np.int64)
    every = np.array([seed for part in seeds for seed in part], np.int64)
    won = second_finds_more(start, target, closed, every, starts_of(np.array([len(part) for part in seeds], np.int64)))
    for (node, first, second), wins in zip(races, won.tolist(), strict=True):
        shut = [row == node for row in range(count)]
        sizes = [
            len(slow_flood(edges, set(part), [True] * len(edges), shut, [False] * count)) for part in (first, second)
        ]
        assert wins == (sizes[1] > sizes[0])


def test_a_race_ends_when_both_have_met():
    """A ring of four nodes with a long tail: the floods from both sides of a node find each other in the ring."""
    edges = [(a, b) for a in range(4) for b in ((a + 1) % 4, (a - 1) % 4)]
    tail = 5000
    edges += [(3, 4)] + [(a, a + 1) for a in range(4, tail)]
    edges.sort()
    start = starts_of(np.bincount([a for a, _ in edges], minlength=tail + 1))
    race = Race(start, np.array([b for _, b in edges], np.int32))
    wins = np.ones(1, np.uint8)
    race.run(np.array([0], np.int32), np.array([1, 3], np.int32), np.array([0, 1, 2], np.int64), wins)
    assert wins.tolist() == [0]
    assert race.steps < 20
