"""Questions to a Navigation about space: one and many at once, boxes by name, and files that cannot answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.errors import RouteError, StoreError
from aascompile.model.links import Travel
from aascompile.nav.navigation import Navigation
from aascompile.nav.queries import MANY, pairs_of
from aascompile.nav.routes import Router
from aascompile.player.movement import Event
from aascompile.sampling.walk import WalkEnd
from tests.nav.test_routes import plain_search, sample


def inside(nav: Navigation, count: int, seed: int = 1) -> np.ndarray:
    """Random points in the bounds of areas."""
    areas, dice = nav.compiled.areas, np.random.default_rng(seed)
    chosen = dice.integers(0, len(areas), count)
    return dice.uniform(areas.area_mins[chosen], areas.area_maxs[chosen])


def test_many_points_give_the_same_areas_as_few():
    nav = Navigation(sample("slanted"))
    points = inside(nav, MANY + 5000) + np.random.default_rng(2).normal(scale=40, size=(MANY + 5000, 3))
    points[::7] = np.round(points[::7])  # on planes
    few = np.concatenate([nav.areas_at(part) for part in np.array_split(points, 8)])
    assert np.array_equal(nav.areas_at(points), few)
    assert np.array_equal(nav.areas_at(points, threads=1), few)
    assert (few >= 0).any()
    assert (few < 0).any()


@pytest.mark.parametrize("radius", [0.0, 6.0])
def test_one_trace_is_a_row_of_many(radius: float):
    nav = Navigation(sample("pillars"))
    a, b = inside(nav, 60), inside(nav, 60, 2)
    many = nav.traces(a, b, radius=radius)
    start, area = nav.areas_passed(a, many.end)
    for row in range(60):
        one = nav.trace(a[row], b[row], radius=radius)
        assert (one.fraction, one.point) == (many.fraction[row], tuple(many.end[row]))
        assert (one.normal, one.start_solid) == (tuple(many.normal[row]), many.start_solid[row])
        if not one.start_solid:
            assert one.areas.tolist() == area[start[row] : start[row + 1]].tolist()
            assert one.areas[-1] == one.area
    assert (many.fraction < 1).any()
    # One start for all ends.
    fan = nav.traces(a[:1], b, radius=radius)
    assert fan.fraction[3] == nav.trace(a[0], b[3], radius=radius).fraction


def test_boxes_are_named():
    nav = Navigation(sample("crouch"))
    areas = nav.compiled.areas
    tunnel = int(np.flatnonzero((areas.area_presence == 4) & (areas.area_flags & 1 != 0))[0])
    end = areas.area_centre[tunnel]
    start = end - (200.0, 0.0, 0.0)
    assert nav.trace(start, end).fraction < nav.trace(start, end, box="crouch").fraction == 1.0
    assert nav.trace(start, end, box="point").area == tunnel
    with pytest.raises(RouteError, match="a box is stand, crouch or point, not 'lie'"):
        nav.trace(start, end, box="lie")  # type: ignore[arg-type]


def test_areas_of_boxes_are_those_of_their_points():
    nav = Navigation(sample("doorway"))
    low = inside(nav, 20)
    start, area = nav.areas_in_boxes(low, low + 30)
    for row in range(20):
        found = set(area[start[row] : start[row + 1]].tolist())
        assert found == set(nav.areas_in_box(low[row], low[row] + 30).tolist())
        points = nav.areas_at(np.random.default_rng(row).uniform(low[row], low[row] + 30, (100, 3)))
        assert set(points[points >= 0].tolist()) <= found


@pytest.mark.parametrize("name", ["ledge", "donotenter", "jumppad"])
def test_the_nearest_area_can_be_limited_to_those_with_a_route(name: str):
    nav = Navigation(sample(name))
    points = inside(nav, 50)
    for start in range(len(nav)):
        reached = np.isfinite(plain_search(nav.compiled, start))
        assert np.array_equal(Router(nav.compiled).reached(start), reached)
        found = nav.nearest(points, reachable_from=start)
        assert reached[found.area[found.area >= 0]].all()
        free = nav.nearest(points)
        assert (free.distance <= found.distance).all()


def test_walks_end_at_ledges_in_one_direction():
    nav = Navigation(sample("ledge"))
    link = next(link for link in map(nav.link, range(9)) if link.travel == Travel.WALK_OFF_LEDGE)
    there = nav.walks([link.start], [link.end])
    assert there.why.tolist() == [WalkEnd.GAP]
    top = nav.spawns[0].point
    assert nav.walkable([top], [link.start]).tolist() == [True]
    assert nav.walkable([top, link.end], [link.end, top]).tolist() == [False, False]
    assert nav.walks([top], [(9999.0, 0.0, 0.0)]).why.tolist() == [WalkEnd.NO_ROOM]


def test_walls_are_as_far_as_a_trace_says():
    nav = Navigation(sample("box"))
    spawn = np.array(nav.spawns[0].point)
    wall = nav.distance_to_wall([spawn])
    ends = spawn + 512 * np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]])
    straight = np.linalg.norm(nav.traces([spawn], ends).end - spawn, axis=1).min()
    assert wall.distance[0] == pytest.approx(straight + 0.125)
    assert nav.distance_to_wall([spawn], reach=1.0).face.tolist() == [-1]


def test_predictions_run_jump_and_fall():
    nav = Navigation(sample("ledge"))
    link = next(link for link in map(nav.link, range(9)) if link.travel == Travel.WALK_OFF_LEDGE)
    start, end = np.array(nav.spawns[0].point), np.array(link.end)
    ran = nav.predict([start, start], steer_to=[end, start], stop=Event.LANDED, seconds=8.0)
    assert Event(int(ran.stopped[0])) & Event.LANDED
    assert ran.area[0] == link.target
    assert ran.end[1] == pytest.approx(start, abs=1.0)
    high = nav.predict([start], jump=True, stop=Event.LANDED)
    assert high.time[0] == pytest.approx(2 * 270 / 800, abs=0.05)


def test_a_single_point_is_an_array_of_one():
    nav = Navigation(sample("stairs"))
    a, b = nav.spawns[0].point, nav.items[0].point
    assert nav.nearest(a).area.tolist() == nav.nearest([a]).area.tolist() == [nav.locate(a)]
    assert nav.walkable(a, b).tolist() == nav.walkable([a], [b]).tolist()
    assert nav.distance_to_wall(a).distance.tolist() == nav.distance_to_wall([a]).distance.tolist()


def test_wrong_arguments_and_stripped_files_are_reported():
    nav = Navigation(sample("box"))
    with pytest.raises(RouteError, match=r"shape \(n, 3\), not \(2,\)"):
        nav.nearest([1.0, 2.0])
    with pytest.raises(RouteError, match="there are 2 starts and 3 ends"):
        nav.traces(np.zeros((2, 3)), np.zeros((3, 3)))
    with pytest.raises(RouteError, match="some of these are not"):
        nav.nearest([[np.nan, 0, 0]])
    assert [len(side) for side in pairs_of([], [[1, 2, 3]])] == [0, 0]
    compiled = nav.compiled
    areas = replace(compiled.areas, area_start=np.zeros(len(nav) + 1, np.int64), area_face=np.zeros(0, np.int32))
    stripped = Navigation(replace(compiled, areas=areas))
    spawn = nav.spawns[0].point
    assert stripped.trace(spawn, spawn).fraction == 1.0
    with pytest.raises(StoreError, match="areas without faces"):
        stripped.distance_to_wall([spawn])
