"""Clusters of hand-made areas and links: rules, routes, cost."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aascompile.cluster.clusters import cost_of, make_clusters, record
from aascompile.cluster.graph import routing_graph
from aascompile.cluster.partition import Partition
from aascompile.model.contents import Kind
from aascompile.model.places import Places
from tests.cluster.hand_made import bare_areas, both_ways, clumps, links_of, room
from tests.examples import examples
from tests.reference.clusters import TwoLevels, faults, least_cost, linked_areas, parts_without, plain_times


def clusters_of(count, pairs):
    return make_clusters(bare_areas(count), links_of(pairs, count), Places.none(), ())


def least_of(count, pairs, allowed):
    """The least M of the areas with links, by trying everything."""
    joined = linked_areas(links_of(pairs, count))
    number = {area: row for row, area in enumerate(sorted(joined))}
    near = [{number[other] for other in joined[area]} for area in sorted(joined)]
    return least_cost(len(number), near, [number[area] for area in allowed if area in number])


@given(clumps())
def test_the_rules_of_clusters_hold(graph):
    count, pairs = graph
    clusters, choice = clusters_of(count, pairs)
    links = links_of(pairs, count)
    assert faults(clusters, links) == []
    joined = linked_areas(links)
    assert choice.routing == len(joined)
    assert choice.cost == cost_of(clusters, len(joined)) <= choice.cost_of_one == len(joined) ** 2


@given(clumps(18), st.data())
def test_routes_are_the_same_as_without_clusters(graph, data):
    count, pairs = graph
    times = data.draw(st.lists(st.integers(1, 30), min_size=len(pairs), max_size=len(pairs)))
    links = links_of(pairs, count, dict(zip(pairs, times, strict=True)))
    # Portals that cost nothing give as many clusters as possible, so that routes pass many.
    routing = routing_graph(links, count)
    n = len(routing)
    parts = Partition(routing, np.ones(n, bool), np.zeros(n, np.int32), np.zeros((n, 3)), ())
    parts.split_all(sorted(parts.members))
    clusters = record(bare_areas(count), routing, parts, links)
    assert faults(clusters, links) == []
    routes, joined = TwoLevels(links, clusters), sorted(linked_areas(links))
    for goal in joined:
        plain = plain_times(links, count, goal)
        assert routes.times(joined, goal) == [plain[area] for area in joined]


@settings(max_examples=examples(20))
@given(clumps(8))
def test_the_cost_is_near_the_minimum(graph):
    count, pairs = graph
    _, choice = clusters_of(count, pairs)
    least = least_of(count, pairs, range(count))
    assert least <= choice.cost <= 1.25 * least


def test_the_smallest_area_of_a_corridor_is_the_portal():
    """Two rooms joined by a corridor of three areas. Each of them would divide the rooms equally well; their sizes
    differ."""
    size = 8
    doors = [2 * size, 2 * size + 1, 2 * size + 2]
    pairs = room(0, size) + room(size, size)
    pairs += both_ways([(0, doors[0]), (doors[0], doors[1]), (doors[1], doors[2]), (doors[2], size)])
    areas = bare_areas(2 * size + 3)
    for small in doors:
        wide = areas.area_mins + np.array((256.0, 256.0, 64.0))
        wide[small] = areas.area_mins[small] + 64.0
        clusters, _ = make_clusters(replace(areas, area_maxs=wide), links_of(pairs, len(areas)), Places.none(), ())
        assert clusters.portal_area.tolist() == [small]


@pytest.mark.parametrize("size", [4, 5, 8, 13])
def test_a_door_between_two_rooms_is_a_portal(size):
    door = 2 * size
    pairs = room(0, size) + room(size, size) + both_ways([(0, door), (door, size)])
    clusters, choice = clusters_of(door + 1, pairs)
    assert clusters.portal_area.tolist() == [door]
    assert clusters.portal_cluster.tolist() == [[0, 1]]
    assert clusters.area_cluster.tolist() == [0] * size + [1] * size + [-1]
    assert choice.cost == door + 1 + 2 * (size + 1) ** 2


def test_a_door_that_saves_nothing_is_not_a_portal():
    clusters, choice = clusters_of(3, both_ways([(0, 1), (1, 2)]))
    assert len(clusters) == 1
    assert len(clusters.portal_area) == 0
    assert choice.cost == choice.cost_of_one == 9


def test_ten_rooms_cost_what_the_thesis_computes():
    """Ten rooms of nine areas in a row and nine doors: nearly the example of the thesis, 100·9 + 10·10²."""
    pairs = [pair for first in range(0, 100, 10) for pair in room(first, 9)]
    pairs += [pair for door in range(9, 99, 10) for pair in both_ways([(door - 1, door), (door, door + 1)])]
    clusters, choice = clusters_of(99, pairs)
    assert len(clusters) == 10
    assert len(clusters.portal_area) == 9
    doors = 99 * 9 + 2 * 10**2 + 8 * 11**2
    assert choice.cost <= 1.01 * doors
    assert choice.ideal == 1970


def test_two_doors_between_the_same_rooms_are_both_portals():
    pairs = room(0, 9) + room(9, 9) + both_ways([(0, 18), (18, 9), (4, 19), (19, 13)])
    clusters, _ = clusters_of(20, pairs)
    assert clusters.portal_area.tolist() == [18, 19]
    assert clusters.portal_cluster.tolist() == [[0, 1], [0, 1]]
    assert clusters.cluster_portal.tolist() == [0, 1, 0, 1]


def test_the_cluster_in_front_of_a_portal_is_the_one_that_others_come_through():
    """Three rooms in a row; the first, a dead end, has the lowest number. The engine takes a goal in a door for a part
    of the cluster in front, and routes to it only through the other doors of that cluster."""
    doors = [27, 28]
    pairs = (
        room(0, 9)
        + room(9, 9)
        + room(18, 9)
        + both_ways([(0, 27), (1, 27), (27, 9), (27, 11), (10, 28), (12, 28), (28, 18), (28, 19)])
    )
    clusters, _ = clusters_of(29, pairs)
    assert clusters.portal_area.tolist() == doors
    assert clusters.portal_cluster.tolist() == [[1, 0], [1, 2]]
    # A door that only the second of its rooms leads into.
    one_way = [pair for pair in pairs if pair not in ((10, 28), (12, 28))]
    clusters, _ = clusters_of(29, one_way)
    assert clusters.portal_cluster[clusters.area_portal[28]].tolist() == [2, 1]


def test_one_way_links_count():
    """A drop from room to room bypasses the door, so the door divides nothing. It may also start or end in the door."""
    rooms = room(0, 9) + room(9, 9) + both_ways([(0, 18), (18, 9)])
    assert len(clusters_of(19, [*rooms, (5, 15)])[0].portal_area) != 1
    for drop in ((18, 15), (5, 18)):
        assert clusters_of(19, [*rooms, drop])[0].portal_area.tolist() == [18]


def test_a_teleport_out_of_a_door_ties_it_to_a_third_room():
    """As in oa_dm2: a portal must not have links to a third cluster, of any travel type."""
    pairs = room(0, 12) + room(12, 12) + room(24, 12)
    pairs += both_ways([(0, 36), (36, 12), (13, 37), (37, 24)])
    doors = brushes_at(38, 36, 37)
    clusters, _ = make_clusters(doors, links_of(pairs, 38), Places.none(), ())
    assert clusters.portal_area.tolist() == [36, 37]
    clusters, _ = make_clusters(doors, links_of([*pairs, (36, 30)], 38), Places.none(), ())
    assert faults(clusters, links_of([*pairs, (36, 30)], 38)) == []
    assert 36 not in clusters.portal_area or clusters.area_cluster[14] == clusters.area_cluster[30]


def test_areas_joined_only_by_a_portal_are_distributed():
    """A room, and thirty areas that only have links to one area of it, as under a teleporting floor: that area is a
    portal, and the others are distributed over both its sides."""
    pairs = room(0, 20) + [(area, 7) for area in range(20, 50)]
    clusters, choice = clusters_of(50, pairs)
    assert clusters.portal_area.tolist() == [7]
    assert clusters.cluster_routing.tolist() == [26, 25]
    assert choice.cost == 50 + 26**2 + 25**2
    assert faults(clusters, links_of(pairs, 50)) == []


def test_unconnected_rooms_are_clusters():
    clusters, choice = clusters_of(12, room(0, 5) + room(6, 6))
    assert clusters.area_cluster.tolist() == [0] * 5 + [-1] + [1] * 6
    assert choice.cost == 5**2 + 6**2


def test_a_map_without_links_has_no_clusters():
    for count in (0, 3):
        clusters, choice = clusters_of(count, [])
        assert len(clusters) == len(clusters.portal_area) == choice.cost == choice.cost_of_one == 0
        assert clusters.area_cluster.tolist() == [-1] * count


def test_long_rows_need_no_recursion():
    count = 6000
    clusters, choice = clusters_of(count, both_ways((a, a + 1) for a in range(count - 1)))
    assert faults(clusters, links_of(both_ways((a, a + 1) for a in range(count - 1)), count)) == []
    assert choice.cost < 1.2 * choice.ideal


def test_the_result_is_always_the_same():
    rng = np.random.default_rng(5)
    pairs = {(int(a), int(a + b)) for a, b in zip(rng.integers(0, 280, 900), rng.integers(1, 19, 900), strict=True)}
    first, second = (clusters_of(300, sorted(pairs)) for _ in range(2))
    for field in fields(first[0]):
        assert np.array_equal(getattr(first[0], field.name), getattr(second[0], field.name)), field.name
    assert first[1] == second[1]


def brushes_at(count, *areas):
    """Areas, some of them in portal brushes."""
    contents = np.zeros(count, np.uint32)
    contents[list(areas)] = Kind.CLUSTERPORTAL
    return replace(bare_areas(count), area_contents=contents)


def reasons(choice):
    return {candidate.area: candidate.reason for candidate in choice.candidates}


def test_a_portal_brush_is_preferred_to_its_neighbours():
    """Three areas in a doorway, each a possible portal: the one in the brush is chosen, though it is not the middle
    candidate."""
    pairs = room(0, 5) + room(5, 5) + both_ways([(0, 10), (10, 11), (11, 12), (12, 5)])
    for area in (10, 11, 12):
        clusters, choice = make_clusters(brushes_at(13, area), links_of(pairs, 13), Places.none(), ())
        assert set(clusters.portal_area.tolist()) & {10, 11, 12} == {area}
        assert reasons(choice) == {area: ""}


def test_areas_of_one_brush_side_by_side_are_portals_together():
    pairs = room(0, 9) + room(9, 9) + both_ways([(0, 18), (1, 19), (18, 19), (18, 9), (19, 10)])
    clusters, choice = make_clusters(brushes_at(20, 18, 19), links_of(pairs, 20), Places.none(), ())
    assert clusters.portal_area.tolist() == [18, 19]
    assert reasons(choice) == {18: "", 19: ""}


def test_areas_of_one_brush_in_a_row_give_one_portal():
    pairs = room(0, 9) + room(9, 9) + both_ways([(0, 18), (18, 19), (19, 9)])
    clusters, choice = make_clusters(brushes_at(20, 18, 19), links_of(pairs, 20), Places.none(), ())
    (portal,) = set(clusters.portal_area.tolist()) & {18, 19}
    assert reasons(choice)[37 - portal].startswith("it is linked to a portal (area ")


def test_areas_that_are_not_portals_have_reasons():
    pairs = room(0, 3) + both_ways([(2, 3), (3, 4)]) + room(4, 3)
    choice = make_clusters(brushes_at(9, 0, 3, 8), links_of(pairs, 9), Places.none(), ())[1]
    assert reasons(choice) == {
        0: "other links lead round it",
        3: "a portal here costs more than it saves (M + 2)" if choice.cost == 49 else "",
        8: "it has no links",
    }


@given(clumps(16), st.data())
def test_every_candidate_is_a_portal_or_has_a_reason(graph, data):
    count, pairs = graph
    marked = data.draw(st.lists(st.integers(0, count - 1), unique=True)) if count else []
    clusters, choice = make_clusters(brushes_at(count, *marked), links_of(pairs, count), Places.none(), ())
    assert faults(clusters, links_of(pairs, count)) == []
    assert [candidate.area for candidate in choice.candidates] == sorted(marked)
    for candidate in choice.candidates:
        assert candidate.brush
        assert (candidate.reason == "") == (candidate.area in clusters.portal_area)
        if candidate.reason == "other links lead round it":
            assert not parts_more(count, pairs, candidate.area)


def parts_more(count, pairs, area):
    """Whether an area alone divides the map."""
    joined = linked_areas(links_of(pairs, count))
    near = [joined.get(node, set()) for node in range(count)]
    parts = [len(parts_without(count, near, without)) for without in (set(), {area})]
    return parts[1] > parts[0]
