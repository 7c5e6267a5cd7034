"""Strongly connected components, compared with the transitive closure."""

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
    start = starts_of(np.bincount([source for source, _, _ in edges], minlength=count).astype(np.int64))
    target = np.array([target for _, target, _ in edges], np.int32)
    return strong_components(start, target, np.array([used for _, _, used in edges], np.uint8)).tolist()


def leads_to(count: int, edges: list[tuple[int, int, bool]]) -> np.ndarray:
    """(n, n) whether each node leads to each other node, found by trying every node in between."""
    leads = np.eye(count, dtype=bool)
    for source, target, used in edges:
        leads[source, target] |= used
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
def test_components_are_the_mutually_reachable_nodes_in_reverse_topological_order(
    graph: tuple[int, list[tuple[int, int, bool]]],
) -> None:
    count, edges = graph
    leads = leads_to(count, edges)
    found = components(count, edges)
    assert sorted(set(found)) == list(range(max(found) + 1))
    for a in range(count):
        for b in range(count):
            assert (found[a] == found[b]) == (leads[a, b] and leads[b, a])
            assert not leads[a, b] or found[b] <= found[a]


@pytest.mark.parametrize("closed", [False, True])
def test_a_long_path_needs_no_recursion(closed: bool) -> None:
    edges = [(i, i + 1, True) for i in range(99_999)] + [(99_999, 0, closed)]
    assert len(set(components(100_000, edges))) == (1 if closed else 100_000)


def test_a_graph_without_nodes_has_no_components() -> None:
    assert components(0, []) == []
