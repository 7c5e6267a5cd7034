"""Speed of queries and routes on oa_dm1 and on the largest real map, as ratios to their targets.

Rates of one core are measured in processor time, so that other programs hardly matter. What a user waits for, the first
route and a frame of observations, is measured by the clock; on a busy machine it misses its target.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import aascompile
from aascompile.csr import rows_of
from aascompile.nav.tables import walk_time
from tests.bench import detour
from tests.bench.process import busy, compile_once
from tests.bench.viewer import largest_map
from tests.conftest import corpus_dir

POINTS = 1_000_000
ROUNDS = 5
FIRST_ROUTE = """
import sys, time, aascompile
nav = aascompile.load(sys.argv[1])
for item in nav.items:
    try:
        nav.route(nav.spawns[0].point, item.point)
        break
    except aascompile.RouteError:
        pass
"""


def run() -> None:
    """Print a table for each map."""
    place = corpus_dir()
    if place is None:
        print("nav: no real maps; set AASCOMPILE_CORPUS, or run `make corpus`")
        return
    print(busy(), end="\n" if busy() else "")
    with tempfile.TemporaryDirectory() as folder:
        for source in dict.fromkeys((place / "oa_dm1.bsp", largest_map(place))):
            file = Path(folder) / f"{source.stem}.aas.hdf"
            compile_once(source, file)
            nav = aascompile.load(file)
            print(f"{source.stem}: {len(nav):,} areas, {len(nav.compiled.links or ()):,} links")
            space(nav)
            routing(nav)
            fields(nav)
            detour.compare(nav)
            command = [sys.executable, "-c", FIRST_ROUTE, str(file)]
            start = best(lambda command=command: subprocess.run(command, check=True), time.perf_counter)
            at_most("start of Python, first route", start, 0.3, "s", 1.0)
            used = best(lambda command=command: subprocess.run(command, check=True), children)
            print(f"  {'... processor time':<44}{used:>10.2f} s")


def best(call: Callable[[], object], clock: Callable[[], float] = time.thread_time) -> float:
    """Least seconds of some rounds: of the processor, because other programs may run."""
    seconds = []
    for _ in range(ROUNDS):
        start = clock()
        call()
        seconds.append(clock() - start)
    return min(seconds)


def children() -> float:
    """Seconds of the processor that ended processes took."""
    return sum(os.times()[2:4])


def space(nav: aascompile.Navigation) -> None:
    """Points and traces, on one core."""
    areas, dice = nav.compiled.areas, np.random.default_rng(1)
    area = dice.integers(0, len(areas), POINTS)
    start = dice.uniform(areas.area_mins[area], areas.area_maxs[area])
    end = start + dice.uniform(-128, 128, start.shape)
    at_least("areas_at", POINTS / best(lambda: nav.areas_at(start, threads=1)), 5e6, "points/s")
    at_least("traces", POINTS / best(lambda: nav.traces(start, end, threads=1)), 1e6, "traces/s")


def routing(nav: aascompile.Navigation) -> None:
    """Times from cold beside scipy's, and warm answers."""
    spawns, items = ([place for place in places if place.area >= 0] for places in (nav.spawns, nav.items))
    starts, goals = (np.array([place.area for place in places]) for places in (spawns, items))
    theirs, expected = scipy_times(nav, starts, goals)
    found: list[NDArray[np.float64]] = []

    def cold() -> None:
        fresh = aascompile.Navigation(nav.compiled)
        found.append(fresh.times(starts, goals, threads=1))

    ours = best(cold)
    if not np.allclose(found[-1], expected):
        raise AssertionError("times differ from scipy's")
    at_most(f"times, {len(starts)} x {len(goals)} from cold, to scipy's", ours / theirs, 3.0, "", 1.0)
    row, column = np.unravel_index(np.where(np.isfinite(expected), expected, -1.0).argmax(), expected.shape)
    start, goal = int(starts[row]), int(goals[column])
    many = np.random.default_rng(2).integers(0, len(nav), POINTS)
    nav.next_links(many[:1], goal)
    at_least("next_links, warm", POINTS / best(lambda: nav.next_links(many, goal)), 20e6, "areas/s")
    nav.route(start, goal)
    seconds = best(lambda: [nav.route(start, goal) for _ in range(1000)]) / 1000
    at_most(f"route, warm, {len(nav.route(start, goal))} links", seconds, 20e-6, "µs", 1e6)


def fields(nav: aascompile.Navigation) -> None:
    """Observations, and a field of all items at 10,000 points; the field has no target."""
    goals = np.array([item.area for item in nav.items if item.area >= 0])
    field = nav.field(goals)
    areas = nav.compiled.areas
    points = areas.area_centre[np.random.default_rng(3).integers(0, len(areas), 10_000)]
    observer = nav.observer(goals[:32])
    observer.observe(points)
    seconds = best(lambda: observer.observe(points), time.perf_counter)
    at_most(f"observe 10,000 agents, {len(goals[:32])} goals, all cores", seconds, 0.05, "ms", 1e3)
    print(
        f"  {'... processor time of one thread':<44}{best(lambda: observer.observe(points, threads=1)) * 1e3:>10.2f} ms"
    )
    print(f"  {'field of all items, made':<44}{best(lambda: nav.field(goals)) * 1e3:>10.2f} ms")
    print(f"  {'... and looked up at 10,000 points':<44}{best(lambda: field.at(points, threads=1)) * 1e3:>10.2f} ms")


def scipy_times(
    nav: aascompile.Navigation, starts: NDArray[np.int64], goals: NDArray[np.int64]
) -> tuple[float, NDArray[np.float64]]:
    """Seconds of one scipy Dijkstra from all goals over all links, and its times (starts, goals)."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import dijkstra

    router = nav._router
    links, n = router.links, len(router.links)
    first = np.flatnonzero(~router.closed[links.target])
    size = np.diff(links.area_start)[links.target[first]]
    second = rows_of(links.area_start, links.target[first])
    first = np.repeat(first, size)
    cost = links.time[first] + walk_time(router.cost[links.target[first]], links.end[first], links.start[second])
    into = [np.flatnonzero(links.target == goal) for goal in goals]
    later = np.concatenate([second, *(np.full(len(rows), n + k) for k, rows in enumerate(into))])
    before = np.concatenate([first, *into])
    weight = np.concatenate([cost, *(links.time[rows] for rows in into)])
    graph = csr_matrix((weight, (later, before)), shape=(n + len(goals), n + len(goals)))
    seconds = best(lambda: dijkstra(graph, indices=np.arange(n, n + len(goals))))
    left = dijkstra(graph, indices=np.arange(n, n + len(goals)))[:, :n]
    times = np.full((len(starts), len(goals)), np.inf)
    for row, start in enumerate(starts):
        out = np.arange(links.area_start[start], links.area_start[start + 1])
        if len(out):
            walk = walk_time(router.cost[start], router.centre[start], links.start[out])
            times[row] = (walk + left[:, out]).min(axis=1)
        times[row, goals == start] = 0.0
    return seconds, times


def at_least(name: str, rate: float, target: float, unit: str) -> None:
    """A line about a rate."""
    verdict = "ok" if rate >= target else "SLOW"
    print(f"  {name:<44}{rate / 1e6:>10.2f} M{unit:<10} {rate / target:>6.2f} x target  {verdict}", flush=True)


def at_most(name: str, value: float, target: float, unit: str, scale: float) -> None:
    """A line about a time, or about a ratio of times."""
    verdict = "ok" if value <= target else "SLOW"
    print(f"  {name:<44}{value * scale:>10.2f} {unit:<11} {value / target:>6.2f} x limit   {verdict}", flush=True)
