"""Cuts: they divide, they are the smallest possible, and their cost is as reported."""

from __future__ import annotations

import importlib.util
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from aascompile.cluster.cut_kernel import Cutter
from aascompile.cluster.graph import routing_graph
from tests.cluster.hand_made import both_ways, clumps, links_of, room
from tests.conftest import ROOT
from tests.reference.clusters import best_sides, cuttable, linked_areas, parts_without

WORK = 10**9
NOTHING = 10**15


def near_of(count, pairs):
    joined = linked_areas(links_of(pairs, count))
    return [joined.get(node, set()) for node in range(count)]


def cutter_of(count, pairs, free=None, price=1):
    """A cutter with a whole connected graph loaded."""
    graph = routing_graph(links_of(pairs, count), count)
    assert len(graph) == count
    cutter = Cutter(graph.start, graph.other)
    may = np.ones(count, np.int8) if free is None else np.array(free, np.int8)
    cutter.load(np.arange(count, dtype=np.int32), may, np.full(count, price, np.int32))
    return cutter


def total_of(sides, price):
    kept, cut, left = np.bincount(sides, minlength=3)
    return price * cut + (kept + cut) ** 2 + (left + cut) ** 2


def is_sound(near, sides, free):
    """No link between the sides; each area of the cut may be cut and touches both sides."""
    touched = [{int(sides[other]) for other in near[node]} for node in range(len(near))]
    return all(
        ({0, 2} <= touched[node] and free[node]) if side == 1 else 2 - side not in touched[node]
        for node, side in enumerate(sides.tolist())
    )


def smallest_cut(near, source, sink, free):
    """Number of areas, by trying all; None if nothing separates the two."""
    may = [node for node in range(len(near)) if free[node] and node not in (source, sink)]
    for count in range(len(may) + 1):
        for cut in combinations(may, count):
            parts = parts_without(len(near), near, set(cut))
            if not any(source in part and sink in part for part in parts):
                return count
    return None


@given(clumps(9), st.data())
def test_the_most_expensive_portals_give_the_smallest_cut(graph, data):
    count, pairs = graph
    near = near_of(count, pairs)
    assume(count > 1 and len(parts_without(count, near, set())) == 1)
    free = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    price = 10**6
    cutter = cutter_of(count, pairs, free, price)
    key = np.zeros(count)
    source, sink = data.draw(st.permutations(range(count)))[:2]
    key[source], key[sink] = -1.0, 1.0
    total = cutter.run(key, price, NOTHING, WORK)
    smallest = smallest_cut(near, source, sink, free)
    if smallest is None:
        assert total == NOTHING
        return
    sides = cutter.sides()
    assert is_sound(near, sides, free)
    assert total == total_of(sides, price)
    assert (sides == 1).sum() == smallest
    assert {int(sides[source]), int(sides[sink])} == {0, 2}


@given(clumps(20), st.data())
def test_cuts_divide_and_cost_as_much_as_reported(graph, data):
    count, pairs = graph
    near = near_of(count, pairs)
    assume(count > 1 and len(parts_without(count, near, set())) == 1)
    price = data.draw(st.integers(0, count))
    free = data.draw(st.lists(st.sampled_from([1, 1, 1, 0]), min_size=count, max_size=count))
    cutter = cutter_of(count, pairs, free, price)
    below = data.draw(st.sampled_from([count**2, NOTHING]))
    total = cutter.run(np.array(data.draw(st.permutations(range(count))), float), price, below, WORK)
    assert total <= below
    if total < below:
        sides = cutter.sides()
        assert is_sound(near, sides, free)
        assert total == total_of(sides, price)


@given(clumps(14), st.data())
def test_the_joint_is_the_best_single_node_cut(graph, data):
    count, pairs = graph
    near = near_of(count, pairs)
    assume(count > 1 and len(parts_without(count, near, set())) == 1)
    free = data.draw(st.lists(st.sampled_from([1, 1, 0]), min_size=count, max_size=count))
    cutter = cutter_of(count, pairs, free, 3)
    totals = {}
    for node in range(count):
        parts = parts_without(count, near, {node})
        found = cutter.parts(node).tolist()
        assert found == [next((row for row, part in enumerate(parts) if other in part), -1) for other in range(count)]
        if len(parts) > 1 and free[node]:
            largest = max(map(len, parts))
            totals[node] = 3 + (largest + 1) ** 2 + (count - largest) ** 2
    assert cutter.joint() == min(totals, key=totals.get, default=-1)


@given(clumps(24), st.data())
def test_the_best_sides_are_those_of_the_twin(graph, data):
    """And so are the steps. Parts of graphs need not be connected."""
    count, pairs = graph
    graph = routing_graph(links_of(pairs, count), count)
    assume(len(graph) == count)
    nodes = np.flatnonzero(data.draw(st.lists(st.sampled_from([1, 1, 1, 0]), min_size=count, max_size=count)))
    assume(len(nodes))
    free = np.array(data.draw(st.lists(st.sampled_from([1, 1, 1, 0]), min_size=count, max_size=count)), np.int8)
    price = np.array(data.draw(st.lists(st.integers(1, 40), min_size=count, max_size=count)), np.int32)
    along = np.array([data.draw(st.permutations(range(count))) for _ in range(2)], np.float64)
    below = data.draw(st.sampled_from([0, len(nodes) ** 2, NOTHING]))
    work, rounds = data.draw(st.sampled_from([(WORK, 0), (1, 2), (1, WORK)]))
    given_all = nodes.astype(np.int32), free, price, along, int(price.min()), below, work, rounds
    ours, theirs = Cutter(graph.start, graph.other), Cutter(graph.start, graph.other)
    found, expected = ours.best_sides(*given_all), best_sides(theirs, *given_all)
    assert (found is None) == (expected is None)
    assert found is None or found.tolist() == expected.tolist()
    assert ours.steps == theirs.steps


@given(st.integers(1, 12), st.data())
def test_pieces_of_a_star_are_distributed(rays, data):
    """Rays of any length from one middle: many pieces, of which many are of the same size."""
    lengths = data.draw(st.lists(st.integers(1, 4), min_size=rays, max_size=rays))
    pairs, count = [], 1
    for length in lengths:
        pairs += [(0 if step == 0 else count + step - 1, count + step) for step in range(length)]
        count += length
    graph = routing_graph(links_of(both_ways(pairs), count), count)
    price = np.ones(count, np.int32)
    free = (np.arange(count) == 0).astype(np.int8)
    given_all = np.arange(count, dtype=np.int32), free, price, np.zeros((0, count)), 1, NOTHING, WORK, 0
    found = Cutter(graph.start, graph.other).best_sides(*given_all)
    expected = best_sides(Cutter(graph.start, graph.other), *given_all)
    assert (found is None) == (expected is None) == (rays == 1)
    assert found is None or found.tolist() == expected.tolist()


@given(clumps(16), st.data())
def test_nodes_beside_portals_may_not_be_cut(graph, data):
    count, pairs = graph
    near = near_of(count, pairs)
    graph = routing_graph(links_of(pairs, count), count)
    assume(0 < len(graph) == count)
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)), np.int8)
    second, beside, free = np.full(count, -1, np.int32), np.zeros(count, np.int32), allowed.copy()
    cutter, portals = Cutter(graph.start, graph.other), set()
    for added in data.draw(st.lists(st.sets(st.integers(0, count - 1), min_size=1), max_size=3)):
        for nodes, change in ((added - portals, 1), (added & portals, -1)):
            portals ^= nodes
            rows = np.array(sorted(nodes), np.int32)
            second[rows] = 0 if change > 0 else -1
            cutter.mark(rows, change, allowed, second, beside, free)
            assert free.astype(bool).tolist() == cuttable(near, allowed, portals)


def test_a_row_is_cut_in_its_middle():
    cutter = cutter_of(9, both_ways((a, a + 1) for a in range(8)))
    total = cutter.run(np.arange(9.0), 1, 81, WORK)
    assert total == 1 + 5**2 + 5**2
    assert cutter.sides().tolist() in ([0, 0, 0, 0, 1, 2, 2, 2, 2], [2, 2, 2, 2, 1, 0, 0, 0, 0])


def test_a_door_of_two_adjacent_areas_is_one_cut():
    pairs = room(0, 6) + room(8, 6)
    pairs += both_ways([(0, 6), (1, 7), (6, 8), (7, 9), (6, 7)])
    cutter = cutter_of(14, pairs)
    total = cutter.run(np.arange(14.0), 14, 14 * 14, WORK)
    assert total < 14 * 14
    assert np.flatnonzero(cutter.sides() == 1).tolist() == [6, 7]


def test_a_room_has_no_cut():
    cutter = cutter_of(7, room(0, 7))
    assert cutter.run(np.arange(7.0), 1, NOTHING, 10**5) == NOTHING


def test_work_is_bounded():
    count = 400
    cutter = cutter_of(count, both_ways((a, b) for a in range(count) for b in (a + 1, a + 20) if b < count))
    before = cutter.steps
    cutter.run(np.arange(float(count)), 1, count**2, 5000)
    assert cutter.steps - before < 5000 + 2 * cutter.links() + 4 * count


@pytest.mark.parametrize("first", range(4))
def test_loading_a_part_leaves_nothing_of_the_last_one(first):
    """Only the middle of a row of eight: both its ends are found, and nothing is left of what was loaded before."""
    graph = routing_graph(links_of(both_ways((a, a + 1) for a in range(7)), 8), 8)
    cutter = Cutter(graph.start, graph.other)
    for nodes in (np.arange(8, dtype=np.int32), np.arange(first, first + 5, dtype=np.int32)):
        cutter.load(nodes, np.ones(8, np.int8), np.ones(8, np.int32))
        assert cutter.farthest(0, 0) == len(nodes) - 1
        assert cutter.depths(0).tolist() == list(range(len(nodes)))
        assert cutter.links() == 2 * (len(nodes) - 1)
    cutter.load(np.array([0, 1, 5, 6], np.int32), np.ones(8, np.int8), np.ones(8, np.int32))
    assert cutter.farthest(0, 0) == -1
    assert cutter.depths(0).tolist() == [0, 1, -1, -1]


def test_the_uncompiled_kernel_gives_the_same_cuts():
    """The kernel's file without a compiler: the same totals, sides and steps."""
    spec = importlib.util.spec_from_file_location("plain_cut", ROOT / "aascompile" / "cluster" / "cut_kernel.py")
    plain = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(plain)
    rng = np.random.default_rng(4)
    count = 60
    pairs = {(a, a + 1) for a in range(count - 1)}
    pairs |= {(int(a), int(a + b)) for a, b in zip(rng.integers(0, 50, 80), rng.integers(1, 9, 80), strict=True)}
    graph = routing_graph(links_of(pairs, count), count)
    price, free = rng.integers(20, 60, count).astype(np.int32), (rng.random(count) < 0.9).astype(np.int8)
    found = []
    for kind in (Cutter, plain.Cutter):
        cutter = kind(graph.start, graph.other)
        cutter.load(np.arange(count, dtype=np.int32), free, price)
        cutter.farthest(1, cutter.farthest(0, 0))
        totals = [cutter.run(key, 20, count**2, WORK) for key in (np.arange(60.0), -np.arange(60.0) % 7)]
        found.append((totals, cutter.sides().tolist(), cutter.depths(1).tolist(), int(cutter.steps)))
        along = np.stack((np.arange(60.0), -np.arange(60.0) % 7))
        sides = cutter.best_sides(np.arange(count, dtype=np.int32), free, price, along, 20, count**2, WORK, 0)
        second, beside, marked = np.full(count, -1, np.int32), np.zeros(count, np.int32), free.copy()
        cutter.mark(np.flatnonzero(sides == 1).astype(np.int32), 1, free, second, beside, marked)
        found[-1] += (sides.tolist(), beside.tolist(), marked.tolist())
    assert found[0] == found[1]
    assert min(found[0][0]) < count**2
