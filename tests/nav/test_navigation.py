"""Queries to a compiled map, compared with plain searches and the samples' own geometry."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.errors import RouteError, StoreError
from aascompile.model.areas import AreaFlag
from aascompile.model.links import Travel
from aascompile.nav.navigation import Navigation
from tests.nav.test_routes import plain_search, sample, walk


@pytest.mark.parametrize("name", ["ledge", "pillars", "pool_steps"])
def test_the_area_at_a_point_holds_it(name: str):
    nav = Navigation(sample(name))
    areas = nav.compiled.areas
    dice = np.random.default_rng(3)
    points = dice.uniform(areas.area_mins.min(axis=0) - 20, areas.area_maxs.max(axis=0) + 20, (500, 3))
    found = nav.areas_at(points)
    assert (found >= 0).any()
    assert (found < 0).any()
    for point, area in zip(points, found.tolist(), strict=True):
        assert nav.area_at(point) == area
        inside = [number for number in range(len(nav)) if _holds(nav, number, point)]
        assert inside == ([area] if area >= 0 else [])


def _holds(nav: Navigation, area: int, point: np.ndarray) -> bool:
    """Whether a point is on the inner side of all faces of an area."""
    areas = nav.compiled.areas
    for face in areas.area_face[areas.area_start[area] : areas.area_start[area + 1]]:
        side = areas.planes.normal[areas.face_plane[face]] @ point - areas.planes.dist[areas.face_plane[face]]
        if (side if areas.face_front[face] == area else -side) < 0:
            return False
    return True


def test_a_player_who_falls_is_located_where_the_fall_ends():
    nav = Navigation(sample("ledge"))
    spawn, item = nav.spawns[0], nav.items[0]
    high = (item.point[0], item.point[1], 240.0)
    assert nav.area_at(high) >= 0
    assert nav.locate(high) == item.area
    assert nav.place_at(high)[1] == pytest.approx(item.point)
    feet = (item.point[0], item.point[1], item.point[2] - 24.125)
    assert nav.area_at((feet[0], feet[1], feet[2] - 1.0)) == -1
    assert nav.locate(feet) == item.area, "a point on the floor stands for feet"
    assert nav.locate((0.0, 0.0, -500.0)) == -1
    assert nav.locate(spawn.point) == spawn.area != item.area


def test_a_swimmer_does_not_fall():
    nav = Navigation(sample("pool_deep"))
    wet = np.flatnonzero(nav.compiled.areas.area_flags & AreaFlag.LIQUID)
    for area in wet.tolist():
        centre = nav.area(area).centre
        assert nav.place_at(centre) == (area, pytest.approx(centre))


@pytest.mark.parametrize("name", ["pillars", "pool_steps", "jumppad"])
def test_routes_between_points_are_the_quickest(name: str):
    compiled = sample(name)
    nav, links = Navigation(compiled), compiled.links
    ends = [place for place in (*nav.spawns, *nav.items) if place.area >= 0]
    for start in ends:
        for goal in ends:
            found = nav.route(start.point, goal.point)
            assert found.areas.tolist() == [start.area, *links.target[found.rows].tolist()]
            assert found.points[0] == pytest.approx(start.point)
            assert found.points[-1] == pytest.approx(goal.point)
            assert len(found.points) == 2 * len(found) + 2
            if start.area == goal.area:
                assert found.time == pytest.approx(
                    walk(compiled, start.area, np.array(start.point), np.array(goal.point))
                )
                continue
            assert found.time == pytest.approx(_plain_time(nav, start, goal))
            assert found.seconds == found.time / 100.0


def _plain_time(nav: Navigation, start, goal) -> float:
    """Quickest time between two points: over every first and last link, with a plain search in between."""
    compiled = nav.compiled
    links = compiled.links
    best = np.inf
    times = _times_between(compiled)
    for first in nav.links_from(start.area):
        before = walk(compiled, start.area, np.array(start.point), np.array(first.start))
        for last in np.flatnonzero(links.target == goal.area).tolist():
            after = walk(compiled, goal.area, links.end[last], np.array(goal.point))
            best = min(best, before + times[first.row][last] + after)
    return best


def _times_between(compiled) -> np.ndarray:
    """Time from the start of each link to the end of each other link (Floyd and Warshall)."""
    links = compiled.links
    n = len(links)
    times = np.full((n, n), np.inf)
    for a in range(n):
        area = int(links.target[a])
        for b in range(links.area_start[area], links.area_start[area + 1]):
            times[a, b] = links.time[a] + walk(compiled, area, links.end[a], links.start[b])
    np.fill_diagonal(times, 0.0)
    for k in range(n):
        times = np.minimum(times, times[:, k, None] + times[None, k])
    return times + links.time[None]


def test_routes_between_area_numbers_agree_with_the_router():
    nav = Navigation(sample("pillars"))
    plain = plain_search(nav.compiled, 0)
    for goal in range(len(nav)):
        if np.isfinite(plain[goal]):
            assert nav.route(0, goal).time == pytest.approx(plain[goal])
    assert len(nav.route(1, 1)) == 0


def test_links_are_the_rows_of_the_table():
    nav = Navigation(sample("jumppad"))
    links = nav.compiled.links
    every = [link for area in range(len(nav)) for link in nav.links_from(area)]
    assert [link.row for link in every] == list(range(len(links)))
    for link in every:
        assert link == nav.link(link.row)
        assert (link.source, link.target, link.time) == tuple(
            int(column[link.row]) for column in (links.source, links.target, links.time)
        )
        assert link.travel == Travel(links.kind[link.row])
        assert link.start == tuple(links.start[link.row])
        assert link.end == tuple(links.end[link.row])
    assert Travel.JUMP_PAD in {link.travel for link in every}


def test_items_and_spawns_are_the_maps_entities():
    nav = Navigation(sample("ledge"))
    assert [place.classname for place in nav.spawns] == ["info_player_deathmatch"] * 2
    assert [place.classname for place in nav.items] == ["item_health"]
    for place in (*nav.spawns, *nav.items):
        assert nav.compiled.entities.classname[place.entity] == place.classname
        assert (nav.area_at(place.point), place.reason) == (place.area, "")
    assert Navigation(replace(nav.compiled, places=None)).items == ()


def test_queries_without_an_answer_raise():
    nav = Navigation(sample("box"))
    for ask in (nav.area, nav.links_from, lambda area: nav.route(0, area)):
        with pytest.raises(RouteError, match="there is no area 2: they are numbered 0 to 1"):
            ask(2)
        with pytest.raises(RouteError, match="there is no area -1"):
            ask(-1)
    with pytest.raises(RouteError, match="there is no link 99"):
        nav.link(99)
    with pytest.raises(RouteError, match=r"no room for a player at \(0 0 -500\)"):
        nav.route((0, 0, -500), 0)
    for point in ((0.0, 0.0), (0.0, 0.0, np.nan)):
        with pytest.raises(RouteError, match="a point is three finite numbers"):
            nav.area_at(point)
    with pytest.raises(RouteError, match=r"shape \(n, 3\), not \(3,\)"):
        nav.areas_at((0.0, 0.0, 0.0))
    assert nav.areas_at([(np.nan, 0.0, 0.0), (0.0, 0.0, np.inf)]).tolist() == [-1, -1]
    with pytest.raises(RouteError, match="has no links"):
        Navigation(replace(nav.compiled, links=None)).links_from(0)


def test_a_file_without_a_tree_cannot_be_queried_by_point():
    compiled = sample("box")
    bare = replace(compiled, areas=replace(compiled.areas, node_plane=compiled.areas.node_plane[:0]))
    with pytest.raises(StoreError, match=r"box\.bsp: has no tree"):
        Navigation(bare).area_at((0.0, 0.0, 64.0))


def test_items_that_hang_in_the_air_are_goals():
    compiled = sample("jumppad")
    plain = Navigation(compiled)
    pad = plain.route(plain.spawns[0].point, plain.items[0].point).links[-1]
    high = np.array(pad.end)
    air = int(np.flatnonzero(compiled.areas.area_flags & AreaFlag.GROUNDED == 0)[0])
    assert air != plain.locate(high)
    places, links = compiled.places, compiled.links
    row = int(np.flatnonzero(places.item)[0])
    point, area = places.point.copy(), places.area.copy()
    point[row], area[row] = high, air
    target = np.where(np.arange(len(links)) == pad.row, air, links.target).astype(np.int32)
    nav = Navigation(
        replace(compiled, places=replace(places, point=point, area=area), links=replace(links, target=target))
    )
    route = nav.route(nav.spawns[0].point, nav.items[0].point)
    assert route.goal == air
    assert nav.times([nav.spawns[0].point], [nav.items[0].point])[0, 0] == route.time
    beside = nav.route(nav.spawns[0].point, np.array((high[0], high[1] + 1.0, high[2])), avoid=["jump_pad"])
    assert beside.goal == plain.locate(high), "only the item's own point"
