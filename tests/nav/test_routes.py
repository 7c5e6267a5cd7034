"""Routes compared with a plain search, and arcs of flights with the law of free fall."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from heapq import heappop, heappush

import numpy as np
import pytest

from aascompile.csr import starts_of
from aascompile.errors import RouteError
from aascompile.model.areas import AreaFlag
from aascompile.model.compiled import Compiled, stored_number
from aascompile.model.contents import Kind
from aascompile.model.links import FLIGHTS, Travel
from aascompile.nav.arcs import link_paths
from aascompile.nav.navigation import Navigation
from aascompile.nav.routes import Router
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.settings import QUAKE3
from tests.conftest import ROOT

COSTS = QUAKE3.costs


@cache
def sample(name: str) -> Compiled:
    return compile_map(str(ROOT / "samples" / f"{name}.bsp"), QUAKE3, Report(name))


def walk(compiled: Compiled, area: int, a: np.ndarray, b: np.ndarray) -> float:
    """Time inside an area."""
    areas = compiled.areas
    if areas.area_flags[area] & AreaFlag.LIQUID:
        cost = COSTS.swim
    else:
        cost = COSTS.walk if areas.area_presence[area] & 2 else COSTS.crouch
    return max(float(np.linalg.norm(b - a)) * cost, 1.0)


def plain_search(compiled: Compiled, start: int) -> list[float]:
    """Dijkstra from an area to all others, link by link; infinite where there is no route."""
    areas, links = compiled.areas, compiled.links
    shut = (areas.area_flags & AreaFlag.DISABLED) | (areas.area_contents & Kind.DONOTENTER)
    best = [np.inf] * len(areas)
    best[start] = 0.0
    queue = [(0.0, -1)]
    done = set()
    while queue:
        time, last = heappop(queue)
        if last in done:
            continue
        done.add(last)
        area = start if last < 0 else int(links.target[last])
        here = areas.area_centre[start] if last < 0 else links.end[last]
        best[area] = min(best[area], time)
        if last >= 0 and shut[area]:
            continue
        for link in range(links.area_start[area], links.area_start[area + 1]):
            after = time + walk(compiled, area, here, links.start[link]) + links.time[link]
            heappush(queue, (after, link))
    return best


@pytest.mark.parametrize("name", ["pillars", "donotenter", "pool_steps", "crouch", "jumppad"])
def test_routes_are_the_cheapest(name):
    compiled = sample(name)
    links, router = compiled.links, Router(compiled)
    for start in range(len(compiled.areas)):
        plain = plain_search(compiled, start)
        for goal, expected in enumerate(plain):
            if np.isinf(expected):
                with pytest.raises(RouteError, match=f"there is no route from area {start} to area {goal}"):
                    router.route(start, goal)
                assert np.isinf(router.times_to(goal)[start])
                continue
            found = router.route(start, goal)
            assert found.time == pytest.approx(expected)
            assert router.times_to(goal)[start] == pytest.approx(expected)
            # A chain of links from start to goal whose times add up.
            assert links.source[found.rows].tolist() == [start, *links.target[found.rows[:-1]]][: len(found)]
            assert not len(found) or links.target[found.rows[-1]] == goal
            assert np.array_equal(found.points[1::2], links.start[found.rows])
            assert np.array_equal(found.points[2::2], links.end[found.rows])
            assert np.all(np.diff(found.times) > 0.0)
            assert found.time == (found.times[-1] if len(found) else 0.0)


def test_routes_may_end_in_barred_areas_but_not_pass_them():
    compiled = sample("donotenter")
    links, barred = compiled.links, np.flatnonzero(compiled.areas.area_contents & Kind.DONOTENTER)
    assert len(barred)
    router = Router(compiled)
    passed = 0
    for start in range(len(compiled.areas)):
        for goal in range(len(compiled.areas)):
            try:
                found = router.route(start, goal)
            except RouteError:
                continue
            assert not np.isin(links.target[found.rows[:-1]], barred).any()
            passed += goal in barred and len(found) > 0
    assert passed


def test_area_numbers_out_of_range_raise():
    router = Router(sample("box"))
    with pytest.raises(RouteError, match="there is no area 2: they are numbered 0 to 1"):
        router.route(0, 2)
    with pytest.raises(RouteError, match="there is no area -1"):
        router.times_to(-1)
    with pytest.raises(RouteError, match=r"box\.bsp: has no links"):
        Router(replace(sample("box"), links=None))


@pytest.mark.parametrize("name", ["jumppad", "gap", "rocketjump", "ledge", "barrier_high", "pool_deep", "low_gravity"])
def test_arcs_follow_gravity(name):
    compiled = sample(name)
    links = compiled.links
    start, xyz = link_paths(compiled, links, pieces=8)
    gravity, seen = stored_number(compiled, "physics", "gravity"), 0
    assert gravity == (300.0 if name == "low_gravity" else 800.0)
    for link in range(len(links)):
        path = xyz[start[link] : start[link + 1]]
        assert path[0] == pytest.approx(links.start[link])
        assert path[-1] == pytest.approx(links.end[link])
        if links.kind[link] not in FLIGHTS:
            assert len(path) == 2
            continue
        seen += 1
        # Horizontal speed is constant; downward speed grows by the same amount in every piece, at the rate of gravity.
        assert np.allclose(np.diff(path[:, :2], n=2, axis=0), 0.0)
        second = np.diff(path[:, 2], n=2)
        assert np.allclose(second, second[0])
        piece = np.sqrt(-second[0] / gravity)
        up = (path[1, 2] - path[0, 2]) / piece + gravity * piece / 2.0
        stored = float(links.velocity[link, 2])
        least = QUAKE3.physics.jump_velocity if links.kind[link] in (Travel.JUMP, Travel.BARRIER_JUMP) else stored
        assert up >= max(stored, least) - 0.1
        if links.kind[link] == Travel.JUMP_PAD:
            assert up == pytest.approx(stored)
            assert path[:, 2].max() <= path[0, 2] + stored**2 / (2 * gravity) + 0.1
    assert seen


def test_settings_are_read_from_the_file():
    compiled = sample("gap")
    moon = replace(compiled, provenance=replace(compiled.provenance, settings='{"physics": {"gravity": 133}}'))
    assert (stored_number(moon, "physics", "gravity"), stored_number(moon, "physics", "jump_velocity")) == (
        133.0,
        270.0,
    )
    odd = replace(
        compiled, provenance=replace(compiled.provenance, settings='{"physics": [1], "costs": {"walk": "x"}}')
    )
    assert (stored_number(odd, "physics", "gravity"), stored_number(odd, "costs", "walk")) == (800.0, 0.33)


def test_no_links_have_no_paths():
    links = sample("gap").links
    none = replace(
        links,
        **{name: getattr(links, name)[:0] for name in ("source", "target", "kind", "start", "end", "time", "velocity")},
        area_start=starts_of(np.zeros(4, np.int64)),
    )
    start, xyz = link_paths(sample("gap"), none)
    assert (start.tolist(), len(xyz)) == ([0], 0)


@pytest.mark.parametrize("name", ["jumppad", "pillars", "teleporter", "elevator"])
def test_many_routes_are_those_of_single_calls(name: str):
    nav = Navigation(sample(name))
    n = len(nav)
    start, goal = (column.reshape(-1) for column in np.meshgrid(np.arange(n), np.arange(n)))
    point = nav._router.centre
    for starts, goals in ((start, goal), (point[start], goal), (start, point[goal])):
        paths = nav.routes(starts, goals, threads=2)
        assert len(paths) == n * n
        for row in range(n * n):
            ends = [int(end) if end.ndim == 0 else end for end in (starts[row], goals[row])]
            links = paths.link[paths.start[row] : paths.start[row + 1]].tolist()
            try:
                route = nav.route(*ends)
            except RouteError:
                assert links == []
                assert paths.time[row] == np.inf
                continue
            assert links == route.rows.tolist()
            assert paths.time[row] == route.cost
    assert len(nav.routes(np.arange(n), [0], avoid=["rocket_jump"])) == n
    with pytest.raises(RouteError, match="2 starts and 3 goals"):
        nav.routes([0, 0], [0, 0, 0])
