"""Compiles on a Dask cluster: a real scheduler and workers on this machine, one of which is killed midway."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import aascompile
from aascompile import farm
from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.errors import FarmError
from aascompile.store.hdf import compiled_bytes
from tests.conftest import ROOT
from tests.generate import generate

WAIT = 90.0
"""Seconds within which a process must be up."""

LOCAL = "127.0.0.1"


@dataclass(frozen=True)
class Cluster:
    """A scheduler and its workers, as processes."""

    address: str
    workers: list[subprocess.Popen[bytes]]


def start(*words: str, log: Path, **environment: str) -> subprocess.Popen[bytes]:
    with open(log, "wb") as out:
        command = [sys.executable, "-m", f"distributed.cli.{words[0]}", *words[1:]]
        where = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "3", **environment}
        return subprocess.Popen(command, stdout=out, stderr=out, env=where, cwd=ROOT)


def stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
    process.wait(WAIT)


@contextlib.contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """A cluster on this machine only."""
    file = folder / "scheduler.json"
    scheduler_words = ("--host", LOCAL, "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    processes = [start("dask_scheduler", *scheduler_words, log=folder / "scheduler.log")]
    try:
        end = time.monotonic() + WAIT
        while not (file.exists() and file.read_text()):
            assert processes[0].poll() is None, (folder / "scheduler.log").read_text()
            assert time.monotonic() < end
            time.sleep(0.1)
        address = json.loads(file.read_text())["address"]
        for number in range(workers):
            words = (address, "--host", LOCAL, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--name", str(number))
            directory = ("--local-directory", str(folder / f"worker{number}"))
            processes.append(start("dask_worker", *words, *directory, log=folder / f"worker{number}.log"))
        yield Cluster(address, processes[1:])
    finally:
        for process in processes:
            stop(process)


@pytest.fixture(scope="module")
def distributed():
    return pytest.importorskip("distributed", reason="Dask is not installed: pip install 'aascompile[farm]'")


@pytest.fixture(scope="module")
def running(distributed, tmp_path_factory) -> Iterator[Cluster]:
    """A cluster that several tests share."""
    with cluster(tmp_path_factory.mktemp("dask")) as made:
        with distributed.Client(made.address, timeout=WAIT, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=WAIT)
        yield made


pytestmark = pytest.mark.filterwarnings("default")
"""Warnings of Dask are not ours."""


def test_a_worker_is_killed_midway_and_the_batch_completes(distributed, tmp_path):
    sources = [generate(200, seed).encode() for seed in range(8)]
    plain = [compiled_bytes(aascompile.compile_map(source)) for source in sources]
    with cluster(tmp_path) as made, distributed.Client(made.address, timeout=WAIT, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=WAIT)
        with aascompile.Pool(dask=client) as pool:
            found: dict[int, bytes] = {}
            for number, result in pool.compile_many(sources, in_order=False):
                found[number] = compiled_bytes(result)
                if len(found) == 2:
                    os.kill(made.workers[0].pid, signal.SIGKILL)
        assert made.workers[0].wait(WAIT) == -signal.SIGKILL
        assert len(client.scheduler_info()["workers"]) == 1
    assert [found[number] for number in range(len(sources))] == plain


def test_results_come_in_order_with_errors_as_values(running):
    sources = [ROOT / "samples" / "stairs.bsp", ROOT / "samples" / "leak.bsp", b"nonsense", "none.bsp"]
    with aascompile.Pool(dask=running.address) as pool:
        found = list(pool.compile_many(sources))
    assert [number for number, _ in found] == [0, 1, 2, 3]
    results = [result for _, result in found]
    assert [type(result).__name__ for result in results] == ["CompiledMap", "LeakError", "MapError", "MapError"]
    assert compiled_bytes(results[0]) == compiled_bytes(aascompile.compile_map(sources[0]))
    assert results[1].trail
    assert str(results[3]) == "none.bsp: no such file"
    assert results[0].warnings == aascompile.compile_map(sources[0]).warnings


def compile_with(*arguments: object) -> int:
    return run(compile_maps, "aascompile", ["-q", *(str(argument) for argument in arguments)])


def test_the_command_writes_the_same_files(running, tmp_path, capsys):
    maps = [ROOT / "samples" / f"{name}.bsp" for name in ("stairs", "door", "leak", "jumppad")]
    here, there = tmp_path / "here", tmp_path / "there"
    assert compile_with(*maps, "-o", here, "--aas", "--check") == 1
    local = capsys.readouterr()
    assert compile_with(*maps, "-o", there, "--aas", "--check", "--dask", running.address) == 1
    distant = capsys.readouterr()
    assert distant.err == local.err
    names = sorted(path.name for path in here.iterdir())
    assert names == sorted(path.name for path in there.iterdir())
    assert len(names) == 7
    assert [(here / name).read_bytes() for name in names] == [(there / name).read_bytes() for name in names]


def test_another_compiler_is_refused(running):
    with aascompile.Pool(dask=running.address) as pool:
        pool._farm._compiler = "another version"
        with pytest.raises(FarmError, match="but this is another version"):
            list(pool.compile_many([ROOT / "samples" / "stairs.bsp"]))


def test_each_worker_compares_the_compiler_too():
    with pytest.raises(FarmError, match="but this is older"):
        farm._on_worker(len, "older", ("text",))
    assert farm._on_worker(len, farm.compiler_of_worker(), ("text",)) == 4


def test_a_scheduler_that_does_not_exist_is_an_error(distributed, monkeypatch, capsys):
    monkeypatch.setattr(farm, "CONNECT", 1.0)
    with pytest.raises(FarmError, match="cannot be reached"):
        aascompile.Pool(dask=f"tcp://{LOCAL}:9")
    assert compile_with(ROOT / "samples" / "stairs.bsp", "--dask", f"tcp://{LOCAL}:9") == 1
    assert "cannot be reached" in capsys.readouterr().err


def test_without_dask_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(FarmError, match=r"pip install 'aascompile\[farm\]'"):
        aascompile.Pool(dask="tcp://127.0.0.1:1")


@pytest.mark.parametrize("option", ["--reach-only", "--clusters-only", "--dump=tree"])
def test_options_that_need_files_here_are_refused(capsys, option):
    assert compile_with(ROOT / "samples" / "stairs.bsp", "--dask", "tcp://127.0.0.1:1", option) == 2
    assert "--dask cannot be combined" in capsys.readouterr().err
