"""Floods along edges, compared with a slow flood that follows all edges until nothing changes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aascompile.csr import starts_of
from aascompile.graph.flood import flood

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
