"""Tables of travel times: exactly those of a plain search, by clusters or not, filtered, blocked, from many threads."""

from __future__ import annotations

import gc
import inspect
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from aascompile.errors import RouteError
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.model.links import SPECIAL, Travel
from aascompile.nav import tables as tables_module
from aascompile.nav.navigation import Navigation
from aascompile.nav.routes import MOST_SHARED, Router
from aascompile.nav.tables import GoalTable, TableCache, network_of
from aascompile.nav.terms import PLAIN, Limits, Wanted, wanted_of
from aascompile.nav.unreached import find_routes
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.settings import QUAKE3
from tests.conftest import ROOT
from tests.fetch_corpus import baseline_names
from tests.nav.test_routes import sample
from tests.reference.routes import PlainRoutes

SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.bsp") if path.stem != "leak")
RICH = ["pillars", "donotenter", "pool_steps", "jumppad", "doorway", "stairs"]


def farthest(nav: Navigation) -> tuple[int, int]:
    """The two areas with the longest route."""
    every = np.arange(len(nav))
    times = nav.times(every, every)
    start, goal = np.unravel_index(np.where(np.isfinite(times), times, -1.0).argmax(), times.shape)
    return int(start), int(goal)


def by_clusters(router: Router, goal: int, point: np.ndarray | None = None, wanted: Wanted = PLAIN) -> GoalTable:
    """A goal solved in two levels, one cluster after another."""
    tables = router.tables(wanted)
    tables.goals = tables_module.PLAIN_GOALS
    table = GoalTable(tables, goal, point)
    for group in range(router.network.groups):
        table.fill([group])
    return table


def plainly(router: Router, goal: int, point: np.ndarray | None = None, wanted: Wanted = PLAIN) -> GoalTable:
    """A goal searched over the whole map."""
    table = GoalTable(router.tables(wanted), goal, point)
    table.fill()
    return table


def same(compiled: Compiled, goals: list[int], twin: PlainRoutes | None = None, wanted: Wanted = PLAIN) -> int:
    """Compare goals with the plain search; return the number of routes."""
    router, slow = Router(compiled), twin or PlainRoutes(compiled)
    routes = 0
    for goal in goals:
        for point in (None, compiled.areas.area_centre[goal] + 5.0):
            left, after = slow.left(goal, None if point is None else point.tolist())
            for table in (plainly(router, goal, point, wanted), by_clusters(router, goal, point, wanted)):
                assert table.left.tolist() == left
                assert table.after.tolist() == after
            routes += int(np.isfinite(left).sum())
    return routes


@pytest.mark.parametrize("name", SAMPLES)
def test_times_of_samples_are_those_of_a_plain_search(name: str):
    compiled = sample(name)
    chosen = np.random.default_rng(4).permutation(len(compiled.areas))[:12].tolist()
    same(compiled, chosen)


@pytest.mark.corpus
@pytest.mark.parametrize("name", baseline_names())
def test_times_of_real_maps_are_those_of_a_plain_search(name: str, corpus: Path):
    compiled = compile_map(str(corpus / f"{name}.bsp"), QUAKE3, Report(name), threads=2, allow_leak=True)
    reached = np.unique(compiled.links.target)
    goals = np.random.default_rng(5).choice(reached, min(len(reached), 6), replace=False).tolist()
    assert same(compiled, goals) > 1000
    nav, slow = Navigation(compiled), PlainRoutes(compiled)
    starts = np.random.default_rng(6).integers(0, len(nav), 300)
    assert nav.times(starts, goals).T.tolist() == [slow.times(goal, starts.tolist()) for goal in goals]
    spawns, items = ([place.point for place in places] for places in (nav.spawns, nav.items))
    routed = np.isfinite(nav.times(spawns, items, avoid=SPECIAL)).sum()
    assert routed == find_routes(compiled).pairs, "routes to the points of items are those that reports count"


@pytest.mark.parametrize("name", RICH)
def test_any_division_into_clusters_gives_the_same_times(name: str):
    compiled = sample(name)
    dice = np.random.default_rng(7)
    clusters = compiled.clusters
    for count in (1, 2, 5):
        odd = replace(clusters, area_cluster=dice.integers(0, count, len(compiled.areas)).astype(np.int32))
        same(replace(compiled, clusters=odd), [0, len(compiled.areas) - 1])
    same(replace(compiled, clusters=None), [0])


def test_entries_and_exits_are_where_clusters_meet():
    compiled = sample("pillars")
    odd = (np.arange(len(compiled.areas)) % 3).astype(np.int32)
    compiled = replace(compiled, clusters=replace(compiled.clusters, area_cluster=odd))
    network, links = network_of(compiled, compiled.links), compiled.links
    assert network.groups > 1
    for link in range(len(links)):
        before = [k for k in range(len(links)) if links.target[k] == links.source[link]]
        enters = {int(network.group[k]) for k in before} - {int(network.group[link])}
        assert (link in network.entry) == bool(enters)
        for group in range(network.groups):
            exits = network.entry[network.exit[network.exit_start[group] : network.exit_start[group + 1]]]
            assert (link in exits) == (group in enters)


def test_travel_types_contents_teams_and_costs_count():
    for name, given, twin in (
        ("jumppad", {"avoid": ["jump_pad"]}, {"banned": {Travel.JUMP_PAD}}),
        ("pillars", {"travel": [Travel.WALK]}, {"banned": set(Travel) - {Travel.WALK}}),
        ("pool_steps", {"avoid": "water"}, {"contents": Kind.WATER}),
        ("pool_steps", {"cost": {"swim": 7.5, Travel.WALK: 0.3}}, {"link_factor": "kinds"}),
        ("pillars", {"cost": {2: 9.0, 3: 0.1}}, {"area_factor": lambda area: {2: 9.0, 3: 0.1}.get(area, 1.0)}),
        ("doorway", {"team": 2}, {"contents": Kind.NOTTEAM2}),
    ):
        compiled = sample(name)
        if twin.get("link_factor"):
            factor = {Travel.SWIM: 7.5, Travel.WALK: 0.3}
            twin = {"link_factor": lambda k, c=compiled, f=factor: f.get(int(c.links.kind[k]), 1.0)}
        slow, nav = PlainRoutes(compiled, **twin), Navigation(compiled)
        every = np.arange(len(nav))
        assert nav.times(every, every, **given).T.tolist() == [slow.times(goal, every.tolist()) for goal in every]


def test_teams_close_areas():
    compiled = sample("pillars")
    contents = compiled.areas.area_contents.copy()
    contents[len(contents) // 2] |= np.uint32(Kind.NOTTEAM1)
    nav = Navigation(replace(compiled, areas=replace(compiled.areas, area_contents=contents)))
    every = np.arange(len(nav))
    blocked = Navigation(compiled).times(every, every, blocked=[len(contents) // 2])
    assert np.array_equal(nav.times(every, every, team=1), blocked)
    assert np.array_equal(nav.times(every, every, team=2), Navigation(compiled).times(every, every))


def test_a_weighted_route_reports_its_time_and_its_cost():
    nav = Navigation(sample("pillars"))
    start, far = farthest(nav)
    plain, weighted = nav.route(start, far), nav.route(start, far, cost=np.full(len(nav), 2.0))
    assert len(plain) > 1
    assert plain.cost == plain.time == weighted.time
    assert weighted.cost == pytest.approx(2 * plain.time)
    assert weighted.rows.tolist() == plain.rows.tolist()


@pytest.mark.parametrize("name", RICH)
def test_blocked_areas_give_the_times_of_a_fresh_search(name: str):
    compiled = sample(name)
    nav, dice = Navigation(compiled), np.random.default_rng(8)
    every = np.arange(len(nav))
    nav.times(every, every)
    for _ in range(6):
        chosen = set(dice.choice(every, min(3, len(nav)), replace=False).tolist())
        slow = PlainRoutes(compiled, closed=chosen)
        expected = [slow.times(goal, every.tolist()) for goal in every]
        assert nav.times(every, every, blocked=chosen).T.tolist() == expected
        nav.block(chosen)
        assert nav.times(every, every).T.tolist() == expected
        # From one set of blocked areas to another, without opening all in between.
        nav.block([0])
        slow = PlainRoutes(compiled, closed=chosen | {0})
        assert nav.times(every, every).T.tolist() == [slow.times(goal, every.tolist()) for goal in every]
        nav.open([0])
        assert nav._router.blocked == chosen - {0}
        nav.open()


def test_only_what_depends_on_a_blocked_area_is_searched_again():
    compiled = sample("pillars")
    links = compiled.links
    goal = int(np.bincount(links.target).argmax())
    counts = []
    for area in range(len(compiled.areas)):
        router = Router(compiled)
        before = router.table(goal)
        before.fill()
        router.set_blocked([area])
        after = router.table(goal)
        fresh = plainly(Router(compiled), goal, None, Wanted(blocked=frozenset([area])))
        assert after.left.tolist() == fresh.left.tolist()
        assert after.after.tolist() == fresh.after.tolist()
        through = np.zeros(len(links), np.bool_)
        for link in np.argsort(before.left):  # a link after those that follow it
            follower = before.after[link]
            through[link] = follower >= 0 and (links.target[link] == area or through[follower])
        assert after.repaired == through.sum()
        counts.append(after.repaired)
        router.set_blocked([])
        assert router.table(goal) is before, "opening finds the tables of before"
    assert len(set(counts)) > 2
    assert min(counts) < len(links) / 2


def test_tables_are_kept_within_the_limit_and_the_oldest_go_first():
    compiled = sample("pillars")
    router = Router(compiled)
    size = GoalTable(router.plain_tables, 0).nbytes
    router.cache = TableCache(4 * size + size // 2)
    tables = [router.table(goal) for goal in range(4)]
    assert router.table(0) is tables[0]
    router.table(4)
    assert router.cache.nbytes <= router.cache.limit
    assert len(router.cache) == 4
    assert router.table(0) is tables[0]
    assert router.table(1) is not tables[1]


def ask_from_threads(compiled: Compiled, memory: int) -> None:
    """10,000 queries from four threads, with random areas blocked; answers must be right, and memory bounded."""
    nav = Navigation(compiled)
    router = nav._router
    router.cache = TableCache(memory)
    n = len(nav)
    sets = [frozenset(np.random.default_rng(k).choice(n, 2, replace=False).tolist()) for k in range(8)]
    every = np.arange(n)
    right = [Navigation(compiled).times(every, every, blocked=chosen) for chosen in sets]
    wrong: list[object] = []

    def ask(seed: int) -> None:
        dice = np.random.default_rng(seed)
        for _ in range(2500):
            k, start, goal = int(dice.integers(8)), int(dice.integers(n)), int(dice.integers(n))
            try:
                time = nav.route(start, goal, blocked=sets[k]).time
            except RouteError:
                time = np.inf
            if time != right[k][start, goal]:
                wrong.append((k, start, goal, time))
            if router.cache.nbytes > router.cache.limit:
                wrong.append("memory")

    workers = [threading.Thread(target=ask, args=(seed,)) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert wrong == []
    gc.collect()
    assert sum(isinstance(thing, GoalTable) for thing in gc.get_objects()) < 2000


@pytest.mark.parametrize("name", ["pillars", "pool_steps", "doorway", "terrain_cliff"])
def test_many_threads_get_the_right_answers_while_areas_are_blocked(name: str):
    ask_from_threads(sample(name), 200_000)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["oa_dm1", "wrackdm17"])
def test_many_threads_get_the_right_answers_on_real_maps(name: str, corpus: Path):
    compiled = compile_map(str(corpus / f"{name}.bsp"), QUAKE3, Report(name), threads=2, allow_leak=True)
    ask_from_threads(compiled, 4_000_000)


def test_a_query_sees_the_areas_blocked_before_or_after_never_both():
    compiled = sample("pillars")
    nav, n = Navigation(compiled), len(compiled.areas)
    every = np.arange(n)
    answers = {frozenset(): nav.times(every, every)}
    for area in range(0, n, 3):
        answers[frozenset([area])] = nav.times(every, every, blocked=[area])
    stop, wrong = threading.Event(), []

    def toggle() -> None:
        dice = np.random.default_rng(1)
        while not stop.is_set():
            nav._router.set_blocked([int(dice.integers(0, (n + 2) // 3)) * 3])

    worker = threading.Thread(target=toggle)
    worker.start()
    for goal in np.random.default_rng(2).integers(0, n, 400).tolist():
        found = nav.times(every, [goal], threads=1)[:, 0]
        if not any(np.array_equal(found, one[:, goal]) for one in answers.values()):
            wrong.append(goal)
    stop.set()
    worker.join()
    assert wrong == []


@pytest.mark.parametrize("name", RICH)
def test_next_links_lead_to_the_goal(name: str):
    nav = Navigation(sample(name))
    links, every = nav.compiled.links, np.arange(len(nav))
    for goal in every.tolist():
        found, times = nav.next_links(every, goal), nav.times(every, [goal])[:, 0]
        assert np.array_equal(found >= 0, np.isfinite(times) & (every != goal))
        for area in np.flatnonzero(found >= 0).tolist():
            assert links.source[found[area]] == area
            assert nav.route(area, goal).rows[0] == found[area]


def test_alternatives_differ():
    nav = Navigation(sample("pillars"))
    several = 0
    for start in range(0, len(nav), 3):
        for goal in range(0, len(nav), 4):
            try:
                routes = nav.alternatives(start, goal, 4)
            except RouteError:
                continue
            assert routes[0].rows.tolist() == nav.route(start, goal).rows.tolist()
            assert [route.time for route in routes] == sorted(route.time for route in routes)
            several += len(routes) > 1
            for k, route in enumerate(routes):
                links = route.links
                assert [link.source for link in links] == route.areas[:-1].tolist()
                assert len(set(route.areas.tolist())) == len(route.areas)
                assert route.time <= 1.5 * routes[0].time
                assert not len(route) or route.time == route.times[-1]
                legs = np.diff(route.times, prepend=0.0)
                for other in routes[:k]:
                    assert legs[np.isin(route.rows, other.rows)].sum() <= MOST_SHARED * legs.sum()
    assert several > 3


def test_a_search_with_costs_of_the_moment():
    nav = Navigation(sample("pillars"))
    start, far = farthest(nav)
    plain = nav.route(start, far)
    assert nav.search(start, far, lambda _row, _time: 0.0).time == plain.time
    asked = {}
    banned = int(plain.rows[1])
    found = nav.search(
        start, far, lambda row, time: asked.setdefault(row, time) * 0 + (np.inf if row == banned else 0.0)
    )
    assert banned not in found.rows
    assert found.time >= plain.time
    starts = dict(zip(found.rows.tolist(), (found.times - nav.compiled.links.time[found.rows]).tolist(), strict=True))
    assert all(asked[row] == pytest.approx(time) for row, time in starts.items())
    # Factors are the same as a caller's cost that depends on the link alone.
    links = nav.compiled.links
    weighted = nav.search(start, far, lambda row, _time: float(links.time[row]) * (links.kind[row] == Travel.JUMP))
    assert weighted.cost == pytest.approx(nav.route(start, far, cost={"jump": 2.0}).cost)
    with pytest.raises(RouteError, match="must be 0 or more"):
        nav.search(start, far, lambda _row, _time: -1.0)
    with pytest.raises(RouteError, match="there is no route"):
        nav.search(start, far, lambda _row, _time: np.inf)


def test_the_table_of_all_pairs(tmp_path: Path):
    nav = Navigation(sample("jumppad"))
    every, path = np.arange(len(nav)), tmp_path / "x.routes"
    times = nav.times(every, every)
    links = np.stack([nav.next_links(every, goal) for goal in every.tolist()], axis=1)
    for table in (nav.table(), nav.table(path), nav.table(path)):
        assert np.array_equal(table.times(every[:, None], every[None]), times.astype(np.float32))
        assert np.array_equal(table.next_links(every[:, None], every[None]), links)
    made = path.stat().st_mtime_ns
    assert isinstance(nav.table(path).time, np.memmap)
    assert path.stat().st_mtime_ns == made, "it is read again, not made again"
    other = Navigation(sample("pillars"))
    assert np.array_equal(
        other.table(path).times(0, np.arange(len(other))), other.times([0], range(len(other)))[0].astype(np.float32)
    )
    assert nav.table(path).row.shape == (len(nav),), "a file of another map is replaced"
    for wrong in (-1, len(nav), 0.5):
        with pytest.raises(RouteError, match="areas are"):
            nav.table(path).times([0, wrong], 1)
        with pytest.raises(RouteError, match="areas are"):
            nav.table(path).next_links(0, wrong)


def test_a_table_of_other_costs_is_replaced(tmp_path: Path):
    compiled, path = sample("jumppad"), tmp_path / "x.routes"
    plain = Navigation(compiled).table(path)
    dear = replace(compiled, areas=replace(compiled.areas, area_cost=np.full(len(compiled.areas), 3.0)))
    every = np.arange(len(compiled.areas))
    found = Navigation(dear).table(path).times(every[:, None], every[None])
    assert np.array_equal(found, Navigation(dear).times(every, every).astype(np.float32))
    assert (found > plain.times(every[:, None], every[None])).any()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"avoid": ["fly"]}, "'fly' cannot be avoided: choose among walk, crouch, "),
        ({"travel": ["fly"]}, "there is no travel type 'fly': they are walk, "),
        ({"team": 3}, "a team is 1 or 2, not 3"),
        ({"blocked": [99]}, "there is no area 99: they are numbered 0 to "),
        ({"cost": {"walk": 0.0}}, "a factor of costs is greater than 0 and at most 1000, not 0"),
        ({"cost": [1.0]}, r"costs of areas are an array of shape \(\d+,\), not \(1,\)"),
    ],
)
def test_wrong_limits_are_reported(given: dict[str, object], message: str):
    nav = Navigation(sample("ledge"))
    with pytest.raises(RouteError, match=message):
        nav.route(0, 1, **given)  # type: ignore[arg-type]


def test_unknown_limits_are_errors():
    nav = Navigation(sample("ledge"))
    limits = {"avoids": ["walk"]}
    for ask in (
        nav.route,
        nav.alternatives,
        nav.next_links,
        lambda start, goal, **kw: nav.times([start], [goal], **kw),
    ):
        with pytest.raises(TypeError, match="avoids"):
            ask(0, 1, **limits)
    with pytest.raises(TypeError, match="avoids"):
        nav.field([1], **limits)
    assert set(inspect.signature(wanted_of).parameters) == {"areas", *Limits.__annotations__}


def test_a_damaged_table_names_no_link_of_another_area(tmp_path: Path):
    """Its file has no checksum of its columns, which are read only where they are asked for."""
    nav = Navigation(sample("stairs"))
    every, path = np.arange(len(nav)), tmp_path / "times"
    nav.table(path)
    data = bytearray(path.read_bytes())
    rows = int(np.sqrt((len(data) - 512) // 6))
    data[512 + 4 * rows * rows :] = b"\x07" * (2 * rows * rows)
    path.write_bytes(data)
    assert (nav.table(path).next_links(every[:, None], every[None]) == -1).all()
