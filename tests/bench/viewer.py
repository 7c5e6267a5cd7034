"""Speed of the viewer on the largest real map. Without a graphics card, it draws in software."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench.process import busy, compile_once
from tests.conftest import ROOT, corpus_dir

FIRST = 5.0
"""Limit on the seconds from the start of the command to the written picture."""
AGAIN = 0.5
"""Limit on the seconds to draw it again from another camera."""
RUNS = 3
SIZE = (1280, 800)


def run() -> None:
    """Print the times."""
    from aascompile.viewer import gl

    place = corpus_dir()
    if place is None:
        print("viewer: no real maps; set AASCOMPILE_CORPUS, or run `make corpus`")
        return
    if not gl.find_library():
        print(f"viewer: no OpenGL library; install {gl.PACKAGES}")
        return
    print(busy(), end="\n" if busy() else "")
    with tempfile.TemporaryDirectory() as folder:
        source = largest_map(place)
        largest = Path(folder) / f"{source.stem}.aas.hdf"
        print(f"{source.stem}: {compile_once(source, largest).areas:,} areas, {SIZE[0]} x {SIZE[1]} pixels")
        before = sum(os.times()[2:4])
        first = min(_first_picture(largest, Path(folder) / "out.png") for _ in range(RUNS))
        _line("first picture", first, FIRST)
        print(f"  {'… processor time':<28}{(sum(os.times()[2:4]) - before) / RUNS:>6.2f} s")
        for name, seconds in _again(largest).items():
            _line(name, seconds, AGAIN)


def largest_map(place: Path) -> Path:
    """Map with the most areas from the C compiler; the largest file if that is not known."""
    known = place / "reference.json"
    reference: dict[str, Any] = json.loads(known.read_text()) if known.exists() else {}
    sizes = {path: (reference.get(path.stem, {}).get("areas", 0), path.stat().st_size) for path in place.glob("*.bsp")}
    return max(sizes, key=lambda path: sizes[path])


def _line(name: str, seconds: float, most: float) -> None:
    print(f"  {name:<28}{seconds:>6.2f} s  (at most {most:g}){'' if seconds <= most else '  TOO SLOW'}", flush=True)


def _first_picture(file: Path, out: Path) -> float:
    """Seconds of the command."""
    script = "from aascompile.cli.view import main; main()"
    size = f"{SIZE[0]}x{SIZE[1]}"
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(ROOT)]))
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", script, str(file), "--screenshot", str(out), "--size", size],
        check=True,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    return time.perf_counter() - began


def _again(file: Path) -> dict[str, float]:
    """Seconds to draw again: from another camera, and after a change of what is shown."""
    from aascompile.store.read import load_compiled
    from aascompile.viewer.camera import overview
    from aascompile.viewer.picture import open_view, pixels
    from aascompile.viewer.scene import Scene

    scene = Scene(load_compiled(str(file)))
    view = open_view(scene, SIZE, full=True, smooth=False)  # as in a window
    view.look(overview(scene, view.aspect))
    pixels(view)

    def turn(number: int) -> None:
        view.look(overview(scene, view.aspect, azimuth=40.0 * number))

    def colour(number: int) -> None:
        scene.colour("cluster" if number % 2 else "kind")

    def cut(number: int) -> None:
        scene.cut_height(high=float(scene.bounds[1][2]) - 32.0 * number)

    def pick(number: int) -> None:
        scene.pick(number)

    found = {}
    for name, change in {"seen from elsewhere": turn, "other colours": colour, "cut": cut, "pick": pick}.items():
        best = float("inf")
        for number in range(1, RUNS + 1):
            began = time.perf_counter()
            change(number)
            view.refresh()
            pixels(view)  # reading the pixels forces the drawing to finish
            best = min(best, time.perf_counter() - began)
        found[name] = best
    view.plotter.close()
    return found
