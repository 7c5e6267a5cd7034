"""Path queries beside Detour's, on a mesh that Recast makes of the same map's faces.

It needs Debian's librecast-dev and a C++ compiler; without them the comparison says so and is left out.
"""

from __future__ import annotations

import math
import shutil
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import aascompile
from aascompile.csr import owners_of, starts_of
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float, Index
from aascompile.sampling.middle import floor_points

SOURCE = Path(__file__).with_name("detour.cpp")
HEADERS = Path("/usr/include/recastnavigation/DetourNavMeshQuery.h")
PAIRS = 20_000
GOALS = 128
"""Goals of a game: its items and players."""
ON_FOOT = (Travel.WALK, Travel.CROUCH)
"""Travel types of which Recast's mesh has its own."""


def compare(nav: aascompile.Navigation) -> None:
    """Print how many path queries Detour and ours answer in a second, and how many paths arrive.

    The pairs are areas between which we know a route. Recast's mesh knows only walks, so most pairs of some maps have
    no path there, which is soon found out. Therefore it is asked twice: as Recast makes it, and with all our links that
    are no walks as its off-mesh connections. Of each, pairs whose path arrives are timed apart: only there do both give
    an answer. Both give the whole path, Detour as polygons and corners, ours as links.

    Ours keep tables of goals in memory, up to a limit. So pairs are taken twice: with as many goals as a game has items
    and players, and with every area as a goal, which on large maps are more tables than fit.
    """
    compiler = shutil.which("g++") or shutil.which("c++")
    if not HEADERS.exists() or compiler is None:
        print("  Detour: not compared; it needs librecast-dev and g++ (apt-get install librecast-dev g++)")
        return
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "detour"
        command = [compiler, "-O2", "-o", str(program), str(SOURCE), "-lRecast", "-lDetour"]
        subprocess.run(command, check=True)
        for goals in (GOALS, len(nav)):
            start, goal, data = question(nav, goals)
            _compare(nav, program, start, goal, data + struct.pack("<i", 0), "walks only")
            _compare(nav, program, start, goal, data + connections(nav), "with our jumps, pads and teleporters")


def _compare(nav: aascompile.Navigation, program: Path, start: Index, goal: Index, data: bytes, what: str) -> None:
    answer = subprocess.run([str(program)], input=data, check=True, capture_output=True)
    first, *numbers = answer.stdout.decode().splitlines()
    built, polygons, of_all, of_arrived = (float(word) for word in first.split())
    arrived = np.array(numbers, np.int64)
    goals = len(np.unique(goal))
    print(f"  Detour, {what}: {polygons:.0f} polygons in {built:.2f} s, {goals} goals")
    print(f"  {'... pairs with a path; ours: all':<44}{100 * len(arrived) / PAIRS:>10.1f} %")
    if not np.isfinite(nav.routes(start, goal, threads=1).time).all():
        raise AssertionError("a pair has no route")
    every = np.arange(PAIRS)
    for title, rows, seconds in (
        ("all pairs", every, of_all),
        ("pairs whose path arrives", np.resize(arrived, PAIRS), of_arrived),
    ):
        theirs = seconds / PAIRS
        print(f"  {title + ', Detour':<44}{theirs * 1e6:>10.2f} µs")
        a, b = start[rows], goal[rows]
        ends = list(zip(a.tolist(), b.tolist(), strict=True))
        links = len(nav.routes(a, b, threads=1).link) / PAIRS
        for name, call in (
            (f"... routes, ours, {links:.0f} links in the mean", lambda a=a, b=b: nav.routes(a, b, threads=1)),
            ("... route, ours, one by one", lambda ends=ends: [nav.route(*pair) for pair in ends]),
        ):
            ours = _least(call) / PAIRS
            print(f"  {name:<44}{ours * 1e6:>10.2f} µs, {theirs / ours:.1f} times as many")
    begin = time.thread_time()
    aascompile.Navigation(nav.compiled).routes(start, goal, threads=1)
    cold = (time.thread_time() - begin) / PAIRS
    print(f"  {'all pairs, ours, with no table made before':<44}{cold * 1e6:>10.2f} µs")


def _least(call: Callable[[], object]) -> float:
    """Least seconds of the processor of three calls."""
    seconds = []
    for _ in range(3):
        begin = time.thread_time()
        call()
        seconds.append(time.thread_time() - begin)
    return min(seconds)


def connections(nav: aascompile.Navigation) -> bytes:
    """What the program reads of links that are no walks: their ends, at a player's feet."""
    links, boxes = nav._router.links, nav.compiled.boxes
    rows = np.flatnonzero(~np.isin(links.kind, ON_FOOT))
    ends = np.stack((links.start[rows], links.end[rows]), axis=1) - (0.0, 0.0, boxes.feet)
    return struct.pack("<i", len(rows)) + _upright(ends)


def _upright(xyz: Float) -> bytes:
    """Points as Recast wants them: y is up there. Mirroring would turn triangles over, so z becomes −y."""
    return np.ascontiguousarray(xyz[..., [0, 2, 1]] * (1, 1, -1), np.float32).tobytes()


def question(nav: aascompile.Navigation, most: int) -> tuple[Index, Index, bytes]:
    """Pairs of areas with ground that have a route, to at most so many goals, and what the program reads of them."""
    areas, context, boxes = nav.compiled.areas, nav.compiled.context, nav.compiled.boxes
    point = floor_points(areas)
    floors = np.flatnonzero(np.isfinite(point[:, 0]))
    routed = np.isfinite(nav.times(floors, floors))
    rows, columns = np.nonzero(routed & ~np.eye(len(floors), dtype=bool))
    wanted = np.isin(columns, np.random.default_rng(6).permutation(len(floors))[:most])
    rows, columns = rows[wanted], columns[wanted]
    chosen = np.random.default_rng(7).choice(len(rows), PAIRS)
    start, goal = floors[rows[chosen]], floors[columns[chosen]]
    feet = np.array((0.0, 0.0, boxes.feet))
    ends = np.stack((point[start] - feet, point[goal] - feet), axis=1)
    fans = np.diff(context.start) - 2
    polygon = owners_of(starts_of(fans))
    second = np.arange(len(polygon)) - starts_of(fans)[polygon] + context.start[polygon] + 1
    triangle = context.corner[np.stack((context.start[polygon], second, second + 1), axis=1)]
    height, radius = float(boxes.maxs[0, 2] - boxes.mins[0, 2]), float(boxes.maxs[0, 0])
    data = struct.pack("<3i", len(context.vertex), len(triangle), PAIRS)
    data += _upright(context.vertex) + triangle.astype(np.int32).tobytes() + _upright(ends)
    data += struct.pack("<4f", radius, height, 18.0, math.degrees(math.acos(0.7)))
    return start, goal, data
