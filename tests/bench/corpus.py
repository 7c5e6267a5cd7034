"""Whole compiles of the real maps, each in a process of its own, beside what the C compiler needed for them."""

from __future__ import annotations

import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from tests.bench.process import Run, busy, compile_once
from tests.conftest import corpus_dir

RUNS = 3
SPEED = 0.3
"""Time of all maps together, over the C compiler's, at most."""
SLACK = 0.5
"""Seconds that a single map may take longer than with the C compiler: the start of a Python process."""
AREAS = 0.75
"""Areas of all maps together, over the C compiler's, at most."""
MEMORY = 1000.0
"""MB, at most."""


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
        found[path.stem] = one = _median(path)
        print(_row(path.stem, one, reference.get(path.stem)), flush=True)
    _sums(found, reference)
    _stages(found)


def _median(path: Path) -> Run:
    """The run of middle length of several."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [compile_once(path, Path(folder) / "x.aas.hdf", "--aas") for _ in range(RUNS)]
    return sorted(runs, key=lambda run: run.seconds)[RUNS // 2]


def _row(name: str, one: Run, theirs: dict[str, Any] | None) -> str:
    """A map's line; its verdict at the end."""
    times = f"{name:<16}{one.seconds:>7.2f}{one.cpu:>7.2f}"
    if theirs is None:
        return f"{times}{'-':>7}{'-':>7}{one.areas:>8,}{'-':>9}{'-':>7}{one.peak_mb:>6.0f}"
    faults = [
        what
        for what, wrong in (
            ("SLOW", one.seconds > theirs["bspc_seconds"] + SLACK),
            ("MORE AREAS", one.areas > theirs["areas"]),
            ("MUCH MEMORY", one.peak_mb > MEMORY),
        )
        if wrong
    ]
    return (
        f"{times}{theirs['bspc_seconds']:>7.2f}{one.seconds / theirs['bspc_seconds']:>7.2f}"
        f"{one.areas:>8,}{theirs['areas']:>9,}{one.areas / theirs['areas']:>7.2f}{one.peak_mb:>6.0f}   "
        f"{', '.join(faults) or 'ok'}"
    )


def _sums(found: dict[str, Run], reference: dict[str, Any]) -> None:
    """The line of all maps that both compilers know."""
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
    """Seconds of each stage; what is left is the start of the process."""
    names = list(dict.fromkeys(stage for one in found.values() for stage in one.stages))
    print(f"\nseconds by stage\n{'map':<16}" + "".join(f"{name:>9}" for name in names) + f"{'start':>9}")
    for name, one in found.items():
        cells = "".join(f"{one.stages.get(stage, 0.0):>9.3f}" for stage in names)
        print(f"{name:<16}{cells}{one.seconds - sum(one.stages.values()):>9.3f}")
    if found:
        spent = {stage: sum(one.stages.get(stage, 0.0) for one in found.values()) for stage in names}
        start = statistics.median(one.seconds - sum(one.stages.values()) for one in found.values())
        print(f"{'all':<16}" + "".join(f"{seconds:>9.3f}" for seconds in spent.values()) + f"{start:>9.3f} (median)")
