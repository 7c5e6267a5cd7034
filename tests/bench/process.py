"""Runs of the compiler as a user has them: a process from start to end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT

START = "import sys; from aascompile.cli.compile import main; main()"


@dataclass(frozen=True, slots=True)
class Run:
    """What one run took."""

    seconds: float
    """Wall time of the process."""
    cpu: float
    """Seconds of all its threads: what it would take alone on a machine with one core."""
    areas: int
    peak_mb: float
    stages: dict[str, float]
    """Seconds by stage."""


def _children() -> float:
    """Seconds that processes started from here have spent so far."""
    spent = os.times()
    return spent.children_user + spent.children_system


def busy() -> str:
    """A warning when others use the machine, for times mean little then."""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    return f"the machine is busy (load {load:.1f} on {cores} cores): times are too long" if load > cores / 2 else ""


def compile_once(source: Path, target: Path, *options: str) -> Run:
    """Compile a map; whatever goes wrong is an error with the compiler's own words."""
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
    (told,) = json.loads(done.stdout)
    stages: dict[str, float] = {}
    for stage in told["stages"]:
        stages[stage["name"]] = stages.get(stage["name"], 0.0) + stage["seconds"]
    return Run(seconds, _children() - before, told["counts"]["areas"], told["peak_mb"], stages)
