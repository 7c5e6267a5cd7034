"""Many small maps: a process for each, a warm pool, a cache; entities that change; and how long watching takes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import aascompile
from tests.bench.process import START, busy, compile_once
from tests.conftest import ROOT, corpus_dir
from tests.generate import generate

MAPS = int(os.environ.get("AASCOMPILE_BENCH_MAPS") or 200)
BRUSHES = 200
CACHED = 0.020
"""Limit on the seconds of a map that is in the cache."""
ENTITIES = 1 / 3
"""Limit on the time of a compile after a change of entities, relative to a full one."""
WATCHED = 1.0
"""Limit on the seconds from saving a map to its new result, and to its new picture."""

SOON = 0.01
"""Seconds between two looks for a new file."""


def run() -> None:
    """Print the tables."""
    print(busy(), end="\n" if busy() else "")
    sources = [generate(BRUSHES, seed).encode() for seed in range(1, MAPS + 1)]
    print(f"{MAPS} generated maps of {BRUSHES} brushes")
    with tempfile.TemporaryDirectory() as folder:
        _row("a process for each", _seconds(lambda: _processes(sources, Path(folder))))
        for workers in (1, 2):
            with aascompile.Pool(workers) as pool:
                list(pool.compile_many(sources[:workers]))  # starts the workers
                _row(f"a warm pool of {workers}", _seconds(lambda: _through(pool, sources)))
        cache = aascompile.Cache(Path(folder) / "cache")
        for source in sources:
            aascompile.compile_map(source, name="x.map", threads=1, cache=cache)
        spent = _seconds(
            lambda: [aascompile.compile_map(source, name="x.map", threads=1, cache=cache) for source in sources]
        )
        _row("all in the cache", spent)
        print(f"  a cached map: {1000 * spent / MAPS:.1f} ms (limit {1000 * CACHED:.0f})")
        _entities(Path(folder))
        _watching(Path(folder))
        _pictures(Path(folder))


def _row(name: str, seconds: float) -> None:
    print(f"  {name:<22}{seconds:8.2f} s {MAPS / seconds:8.1f} maps/s", flush=True)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _processes(sources: list[bytes], folder: Path) -> None:
    path = folder / "x.map"
    for source in sources:
        path.write_bytes(source)
        compile_once(path, folder / "x.aas.hdf", "--threads", "1")


def _through(pool: aascompile.Pool, sources: list[bytes]) -> None:
    for number, result in pool.compile_many(sources):
        if isinstance(result, aascompile.AasError):
            raise RuntimeError(f"map {number}: {result}")


def _entities(folder: Path) -> None:
    """A change of entities on a real map, against a full compile."""
    place = corpus_dir()
    path = None if place is None else place / "wrackdm17.bsp"
    if path is None or not path.exists():
        print("entities: no real maps")
        return
    data = path.read_bytes()
    full = _seconds(lambda: aascompile.compile_map(data, name="x.bsp"))
    cache = aascompile.Cache(folder / "real")
    aascompile.compile_map(data, name="x.bsp", cache=cache)
    changed = moved(data)
    spent = _seconds(lambda: aascompile.compile_map(changed, name="x.bsp", cache=cache))
    print(f"wrackdm17: full {full:.2f} s, an item moved {spent:.2f} s, {spent / full:.2f} (limit {ENTITIES:.2f})")


def moved(data: bytes) -> bytes:
    """The map with an item one unit to the side. No number changes its length."""
    for block in re.finditer(rb"\{[^{}]*\}", data):
        if b'"item_' not in block[0] and b'"weapon_' not in block[0]:
            continue
        digit = re.search(rb'"origin" "-?\d*(\d)[ .]', block[0])
        if digit is not None:
            at = block.start() + digit.start(1)
            return data[:at] + (b"1" if digit[1] == b"0" else b"%d" % (int(digit[1]) - 1)) + data[at + 1 :]
    raise ValueError("the map has no item")


def _watching(folder: Path) -> None:
    """From saving a sample to the line of ``aascompile --watch``, whose output is complete by then."""
    path = folder / "stairs.bsp"
    shutil.copy(ROOT / "samples" / "stairs.bsp", path)
    command = [sys.executable, "-u", "-c", START, str(path), "-o", str(folder / "stairs.aas.hdf"), "--watch"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as process:
        assert process.stdout is not None
        while "watching" not in process.stdout.readline():
            pass
        try:
            for name, data in (("an item moved", moved(path.read_bytes())), ("moved back", path.read_bytes())):
                began = time.perf_counter()
                path.write_bytes(data)
                line = process.stdout.readline()
                spent = time.perf_counter() - began
                print(f"watch, {name}: {spent:.2f} s (limit {WATCHED:g}): {line.strip().rsplit('/', 1)[-1]}")
                process.stdout.readline()
        finally:
            process.terminate()


def _pictures(folder: Path) -> None:
    """From saving a sample to the new picture of ``aas view --watch``, drawn without a screen."""
    from aascompile.viewer.follow import follow, show_news
    from aascompile.viewer.gl import find_library
    from aascompile.viewer.picture import pixels
    from aascompile.viewer.scene import Scene
    from aascompile.viewer.window import offscreen_window

    if not find_library():
        print("pictures: no OpenGL")
        return
    path = folder / "pillars.bsp"
    data = (ROOT / "samples" / "pillars.bsp").read_bytes()
    path.write_bytes(data)
    cache = aascompile.Cache(folder / "watched")

    def load() -> aascompile.CompiledMap:
        return aascompile.compile_map(path, cache=cache)

    window = offscreen_window(Scene(load()), (1280, 800))
    follower = follow([str(path)], load)
    other = (ROOT / "samples" / "stairs.bsp").read_bytes()
    try:
        for name, saved in (("an item moved", moved(data)), ("moved back", data), ("another map", other)):
            began = time.perf_counter()
            path.write_bytes(saved)
            while not show_news(window, follower.take()):
                time.sleep(SOON)
            pixels(window.view)
            print(f"picture, {name}: {time.perf_counter() - began:.2f} s (limit {WATCHED:g})", flush=True)
    finally:
        follower.close()
        window.close()
