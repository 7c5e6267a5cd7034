"""Complete compiles of the real maps, each in its own process, compared with the C compiler."""

from __future__ import annotations

import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from tests.bench.process import Run, busy, compile_once
from tests.conftest import corpus_dir

RUNS = 3
SPEED = 0.12
"""Limit on the total time of all maps, relative to the C compiler."""
SLACK = 0.25
"""Seconds that a map may take longer than with the C compiler, for starting a Python process."""
AREAS = 0.75
"""Limit on the total number of areas, relative to the C compiler."""
MEMORY = 1000.0
"""Limit on memory, MB."""


def run() -> None:
    """Print the tables."""
    place = corpus_dir()
    if place is None:
        print("corpus: no real maps; set AASCOMPILE_CORPUS, or run `make corpus`")
        return
    known = place / "reference.json"
    reference: dict[str, Any] = json.loads(known.read_text()) if known.exists() else {}
    found: dict[str, Run] = {}
    print(busy(), end="\n" if busy() else "")
    print(f"{'map':<16}{'s':>7}{'cpu s':>7}{'C s':>7}{'ratio':>7}{'areas':>8}{'C areas':>9}{'ratio':>7}{'MB':>6}")
    for path in sorted(place.glob("*.bsp")):
        found[path.stem] = timing = _median(path)
        print(_row(path.stem, timing, reference.get(path.stem)), flush=True)
    _sums(found, reference)
    _stages(found)


def _median(path: Path) -> Run:
    """Run with the median time of several."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [compile_once(path, Path(folder) / "x.aas.hdf", "--aas") for _ in range(RUNS)]
    return sorted(runs, key=lambda run: run.seconds)[RUNS // 2]


def _row(name: str, timing: Run, theirs: dict[str, Any] | None) -> str:
    """Line of a map, with the verdict at the end."""
    times = f"{name:<16}{timing.seconds:>7.2f}{timing.cpu:>7.2f}"
    if theirs is None:
        return f"{times}{'-':>7}{'-':>7}{timing.areas:>8,}{'-':>9}{'-':>7}{timing.peak_mb:>6.0f}"
    faults = [
        what
        for what, wrong in (
            ("SLOW", timing.seconds > theirs["bspc_seconds"] + SLACK),
            ("MORE AREAS", timing.areas > theirs["areas"]),
            ("MUCH MEMORY", timing.peak_mb > MEMORY),
        )
        if wrong
    ]
    return (
        f"{times}{theirs['bspc_seconds']:>7.2f}{timing.seconds / theirs['bspc_seconds']:>7.2f}"
        f"{timing.areas:>8,}{theirs['areas']:>9,}{timing.areas / theirs['areas']:>7.2f}{timing.peak_mb:>6.0f}   "
        f"{', '.join(faults) or 'ok'}"
    )


def _sums(found: dict[str, Run], reference: dict[str, Any]) -> None:
    """Line with the sums over maps that both compilers compiled."""
    both = [name for name in found if name in reference]
    if not both:
        return
    ours, theirs = sum(found[name].seconds for name in both), sum(reference[name]["bspc_seconds"] for name in both)
    areas, their_areas = sum(found[name].areas for name in both), sum(reference[name]["areas"] for name in both)
    cpu, peak = sum(found[name].cpu for name in both), max(found[name].peak_mb for name in both)
    faults = [
        what for what, bad in (("SLOW", ours > SPEED * theirs), ("MORE AREAS", areas > AREAS * their_areas)) if bad
    ]
    print(
        f"{'all':<16}{ours:>7.2f}{cpu:>7.2f}{theirs:>7.2f}{ours / theirs:>7.2f}{areas:>8,}{their_areas:>9,}"
        f"{areas / their_areas:>7.2f}{peak:>6.0f}   {', '.join(faults) or 'ok'}; "
        f"targets ≤ {SPEED} of the time, ≤ {AREAS} of the areas"
    )


def _stages(found: dict[str, Run]) -> None:
    """Print the seconds of each stage. The rest is the start of the process."""
    names = list(dict.fromkeys(stage for timing in found.values() for stage in timing.stages))
    print(f"\nseconds by stage\n{'map':<16}" + "".join(f"{name:>9}" for name in names) + f"{'start':>9}")
    for name, timing in found.items():
        cells = "".join(f"{timing.stages.get(stage, 0.0):>9.3f}" for stage in names)
        print(f"{name:<16}{cells}{timing.seconds - sum(timing.stages.values()):>9.3f}")
    if found:
        spent = {stage: sum(timing.stages.get(stage, 0.0) for timing in found.values()) for stage in names}
        start = statistics.median(timing.seconds - sum(timing.stages.values()) for timing in found.values())
        print(f"{'all':<16}" + "".join(f"{seconds:>9.3f}" for seconds in spent.values()) + f"{start:>9.3f} (median)")
