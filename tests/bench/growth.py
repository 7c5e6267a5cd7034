"""Growth of time and memory with the size of generated buildings and landscapes, and the time of the smallest map."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.bench.process import Run, busy, compile_once
from tests.conftest import ROOT
from tests.generate import generate
from tests.terrain import terrain

SIZES = (1_000, 4_000, 16_000, 64_000)
"""Brushes. The environment variable SIZES sets others: ``make bench SECTION=growth SIZES="1000 4000"``. These four
take a quarter of an hour of processor time."""
LIMIT = 1.2
"""Limit on the exponent with which processor time grows."""
MEMORY = 2048
"""Limit on the peak of memory of the largest map, MB."""
SMALLEST = 0.2
"""Limit on the seconds for a plain box."""


def run() -> None:
    """Print the table."""
    sizes = sorted(int(size) for size in os.environ.get("SIZES", "").split()) or list(SIZES)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "x.aas.hdf"
        tiny = min(compile_once(ROOT / "samples" / "box.bsp", target).seconds for _ in range(5))
        print(f"a plain box: {tiny:.2f} s   {'ok' if tiny <= SMALLEST else 'SLOW'}; target ≤ {SMALLEST} s\n")
        print(busy(), end="\n" if busy() else "")
        for kind, make in (("buildings", generate), ("landscapes", terrain)):
            _grow(kind, make, sizes, Path(folder), target)


def _grow(kind: str, make: Callable[[int, int], str], sizes: list[int], folder: Path, target: Path) -> None:
    """Print the table of one kind of maps."""
    found: dict[int, Run] = {}
    print(f"{kind}\n{'brushes':>8}{'areas':>9}{'s':>9}{'cpu s':>9}{'MB':>7}{'power':>7}")
    for size in sizes:
        source = folder / f"{size}.map"
        source.write_text(make(size, 1))
        found[size] = compile_once(source, target)
        print(_row(size, found), flush=True)
    if len(sizes) > 1:
        power = slope([math.log(size) for size in found], [math.log(timing.cpu) for timing in found.values()])
        print(f"processor time grows as n^{power:.2f}   {'ok' if power <= LIMIT else 'STEEP'}; target ≤ {LIMIT}")
    peak = found[sizes[-1]].peak_mb
    print(f"{peak:,.0f} MB for the largest   {'ok' if peak <= MEMORY else 'TOO MUCH'}; target ≤ {MEMORY:,} MB")
    print("by stage, seconds, which are too long on a busy machine")
    for stage in found[sizes[-1]].stages:
        seconds = [timing.stages.get(stage, 0.0) for timing in found.values()]
        print(f"  {stage:<10}" + "".join(f"{value:>9.3f}" for value in seconds), flush=True)


def _row(size: int, found: dict[int, Run]) -> str:
    """Line of a size, with the exponent of growth since the previous size."""
    timing = found[size]
    smaller = [other for other in found if other < size]
    power = ""
    if smaller:
        power = f"{math.log(timing.cpu / found[smaller[-1]].cpu) / math.log(size / smaller[-1]):.2f}"
    return f"{size:>8,}{timing.areas:>9,}{timing.seconds:>9.2f}{timing.cpu:>9.2f}{timing.peak_mb:>7.0f}{power:>7}"


def slope(x: list[float], y: list[float]) -> float:
    """Slope of the line of best fit."""
    middle, height = sum(x) / len(x), sum(y) / len(y)
    across = sum((a - middle) * (b - height) for a, b in zip(x, y, strict=True))
    return across / sum((a - middle) ** 2 for a in x)
