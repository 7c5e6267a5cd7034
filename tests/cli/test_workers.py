"""Worker processes: all items are processed despite failures, and interrupts leave nothing behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aascompile.cli.workers import WorkerDied, run_all, threads_per_worker
from aascompile.store.read import load_compiled
from aascompile.system import cores
from tests.conftest import ROOT


def squared(item, watch):
    watch("thinking")
    if item == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if item == "fault":
        raise ZeroDivisionError("one\ntwo")
    if item == "leave":
        os._exit(3)
    if item == "where":
        return os.getpid()
    watch("writing")
    return item * item


def done(items: list, jobs: int, sizes: list[int] | None = None) -> tuple[dict, list]:
    """Results by number, and the stages that were reported."""
    reported: list[tuple[int, str]] = []
    results = run_all(
        squared, items, jobs, sizes or [0] * len(items), lambda n: lambda stage: reported.append((n, stage))
    )
    return dict(results), reported


@pytest.mark.parametrize("jobs", [1, 2, 5, 50])
def test_all_items_are_processed(jobs: int) -> None:
    results, reported = done(list(range(20)), jobs)
    assert results == {number: number * number for number in range(20)}
    assert sorted(reported) == sorted((n, stage) for n in range(20) for stage in ("thinking", "writing"))


def test_a_single_job_runs_in_this_process_and_in_order() -> None:
    results, reported = done(["where", "where", 2], 1, [1, 2, 3])
    assert results == {0: os.getpid(), 1: os.getpid(), 2: 4}
    assert [number for number, _ in reported] == [0, 1, 2, 2]


def test_the_largest_items_come_first() -> None:
    given: list[int] = []

    def watcher(number: int):
        given.append(number)
        return lambda stage: None

    assert len(list(run_all(squared, [1, 2, 3, 4, 5, 6], 2, [10, 60, 20, 50, 30, 60], watcher))) == 6
    assert given == [1, 5, 3, 4, 2, 0]


def test_a_dead_worker_fails_only_its_own_item() -> None:
    results, _ = done([2, "die", 3, "leave", 4, "die", 5, 6], 2)
    assert [results[number] for number in (0, 2, 4, 6, 7)] == [4, 9, 16, 25, 36]
    assert isinstance(results[1], WorkerDied)
    assert str(results[1]) == str(results[5]) == "its process was killed by SIGKILL (out of memory?)"
    assert str(results[3]) == "its process exited with code 3"


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_exception_fails_only_its_own_item(jobs: int) -> None:
    results, _ = done([2, "fault", 3], jobs)
    assert (results[0], results[2]) == (4, 9)
    assert isinstance(results[1], WorkerDied)
    assert str(results[1]).startswith("internal error: ZeroDivisionError: one two (cli/test_workers.py, line ")
    with pytest.raises(ZeroDivisionError):
        done(["fault"], jobs)


def test_workers_end_when_the_caller_stops() -> None:
    going = run_all(squared, ["where"] * 50, 2, [1] * 50, lambda n: lambda stage: None)
    workers = {next(going)[1] for _ in range(10)}
    going.close()
    for pid in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_workers_compile_maps(samples: Path) -> None:
    from aascompile.cli.regress import Task, count_map
    from aascompile.settings import QUAKE3

    tasks = [Task(str(samples / f"{name}.bsp"), QUAKE3, 1, False, False) for name in ("box", "doorway", "leak")]
    found = dict(run_all(count_map, tasks, 2, [0] * 3, lambda n: lambda stage: None))
    assert [found[n].counts.get("areas") for n in range(3)] == [2, 6, None]
    assert "leaks" in found[2].error


def test_threads_are_shared() -> None:
    assert threads_per_worker(1, 8, None) == cores()
    assert threads_per_worker(8, 1, None) == cores(), "a single map gets all cores"
    assert threads_per_worker(cores(), 99, None) == 1
    assert threads_per_worker(99, 99, None) == 1
    assert threads_per_worker(99, 99, 3) == 3, "unless a number is given"


def has_processes(group: int) -> bool:
    """Whether a process group has any processes."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("receiver", ["group", "parent"])
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="no process groups here")
def test_an_interrupt_ends_everything(samples: Path, tmp_path: Path, receiver: str) -> None:
    """Ctrl-C interrupts the whole process group; other signals may interrupt the command alone."""
    for number in range(99):
        shutil.copy(samples / "pillars.bsp", tmp_path / f"m{number:02}.bsp")
    command = "import sys; from aascompile.cli.compile import main; main()"
    running = subprocess.Popen(
        [sys.executable, "-c", command, *sorted(tmp_path.glob("*.bsp")), "--jobs", "2", "-o", tmp_path / "out"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    while running.poll() is None and not list(tmp_path.glob("out/*")):
        time.sleep(0.005)
    (os.killpg if receiver == "group" else os.kill)(running.pid, signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert (running.returncode, err.strip()) == (130, "")
    ended = time.monotonic() + 60
    while has_processes(running.pid):  # Python's own helper process ends when it notices that its pipe is closed
        assert time.monotonic() < ended
        time.sleep(0.01)
    made = list((tmp_path / "out").iterdir())
    assert 0 < len(made) < 99
    for path in made:
        assert path.name.endswith(".aas.hdf")
        assert len(load_compiled(str(path)).areas) > 0
