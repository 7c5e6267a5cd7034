"""Strong components, against asking for every pair whether each leads to the other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aascompile.csr import starts_of
from aascompile.graph.strong_kernel import strong_components
from tests.examples import examples


def components(count: int, edges: list[tuple[int, int, bool]]) -> list[int]:
    edges = sorted(edges)
    start = starts_of(np.bincount([one for one, _, _ in edges], minlength=count).astype(np.int64))
    target = np.array([other for _, other, _ in edges], np.int32)
    return strong_components(start, target, np.array([used for _, _, used in edges], np.uint8)).tolist()


def leads_to(count: int, edges: list[tuple[int, int, bool]]) -> np.ndarray:
    """(n, n) whether each node leads to each other, by trying every node as one between the two."""
    leads = np.eye(count, dtype=bool)
    for one, other, used in edges:
        leads[one, other] |= used
    for middle in range(count):
        leads |= leads[:, middle : middle + 1] & leads[middle]
    return leads


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int, bool]]]:
    count = draw(st.integers(1, 12))
    node = st.integers(0, count - 1)
    return count, draw(st.lists(st.tuples(node, node, st.booleans()), max_size=30))


@settings(max_examples=examples(200))
@given(graphs())
def test_a_component_is_what_leads_to_one_another(graph: tuple[int, list[tuple[int, int, bool]]]) -> None:
    count, edges = graph
    leads = leads_to(count, edges)
    found = components(count, edges)
    assert sorted(set(found)) == list(range(max(found) + 1))
    for one in range(count):
        for other in range(count):
            assert (found[one] == found[other]) == (leads[one, other] and leads[other, one])
            assert not leads[one, other] or found[other] <= found[one]


@pytest.mark.parametrize("closed", [False, True])
def test_a_long_way_needs_no_recursion(closed: bool) -> None:
    edges = [(i, i + 1, True) for i in range(99_999)] + [(99_999, 0, closed)]
    assert len(set(components(100_000, edges))) == (1 if closed else 100_000)


def test_no_nodes() -> None:
    assert components(0, []) == []
