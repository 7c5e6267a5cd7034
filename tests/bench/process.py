"""Runs of the compiler as users start them: a complete process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT

START = "import sys; sys.argv[0] = 'aascompile'; from aascompile.cli.compile import main; main()"


@dataclass(frozen=True, slots=True)
class Run:
    """Costs of a run."""

    seconds: float
    """Wall time of the process."""
    cpu: float
    """Processor seconds of all its threads."""
    areas: int
    peak_mb: float
    stages: dict[str, float]
    """Seconds by stage."""


def _children() -> float:
    """Processor seconds of all child processes so far."""
    spent = os.times()
    return spent.children_user + spent.children_system


def busy() -> str:
    """Warning if other programs use the machine, because times are then unreliable."""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    return f"the machine is busy (load {load:.1f} on {cores} cores): times are too long" if load > cores / 2 else ""


def compile_once(source: Path, target: Path, *options: str) -> Run:
    """Compile a map. A failure raises an error with the compiler's message."""
    command = [sys.executable, "-c", START, str(source), "-o", str(target), "--json", "--quiet", *options]
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(ROOT)]))
    before = _children()
    began = time.perf_counter()
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}
    )
    seconds = time.perf_counter() - began
    if done.returncode:
        raise RuntimeError(done.stderr)
    (result,) = json.loads(done.stdout)
    stages: dict[str, float] = {}
    for stage in result["stages"]:
        stages[stage["name"]] = stages.get(stage["name"], 0.0) + stage["seconds"]
    return Run(seconds, _children() - before, result["counts"]["areas"], result["peak_mb"], stages)
