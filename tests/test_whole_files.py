"""The same input gives the same bytes, and files are complete even if the compiler is killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aascompile.cli.compile_task import CompileOptions, CompileTask, compile_and_write
from aascompile.cli.outputs import Job
from aascompile.settings import QUAKE3
from tests.conftest import ROOT

KILLS = 10


def compiled(source: Path, folder: Path, threads: int) -> dict[str, bytes]:
    """The bytes of both files of a map."""
    folder.mkdir()
    job = Job(str(source), str(folder / "x.aas.hdf"))
    done = compile_and_write(CompileTask(job, CompileOptions(QUAKE3, threads, engine=True)))
    assert done.error is None
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def command(*arguments: object) -> list[str]:
    """``aascompile`` as a process of its own."""
    start = "import sys; from aascompile.cli.compile import main; main()"
    return [sys.executable, "-c", start, *map(str, arguments)]


def environment(**more: str) -> dict[str, str]:
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(ROOT)]))
    return {**os.environ, "PYTHONPATH": path, **more}


@pytest.mark.parametrize("name", ["doorway", "curve", "slanted", "pool_steps", "stairs"])
def test_threads_do_not_change_a_byte(samples, tmp_path, name):
    source = samples / f"{name}.bsp"
    single = compiled(source, tmp_path / "one", 1)
    assert set(single) == {"x.aas", "x.aas.hdf"}
    assert compiled(source, tmp_path / "again", 1) == single
    assert compiled(source, tmp_path / "two", 2) == single


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["oa_dm4", "am_galmevish2"])
def test_threads_do_not_change_a_byte_of_a_real_map(corpus, tmp_path, name):
    single = compiled(corpus / f"{name}.bsp", tmp_path / "one", 1)
    assert compiled(corpus / f"{name}.bsp", tmp_path / "two", 2) == single


def test_another_process_makes_the_same_bytes(samples, tmp_path):
    source = samples / "curve.bsp"
    here = compiled(source, tmp_path / "here", 2)
    for seed in ("1", "2"):
        target = tmp_path / seed / "x.aas.hdf"
        subprocess.run(
            command(source, "-o", target, "--aas", "-q"), env=environment(PYTHONHASHSEED=seed), check=True, cwd=ROOT,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        assert {path.name: path.read_bytes() for path in target.parent.iterdir()} == here


AGAIN_AND_AGAIN = """
import os, sys
from aascompile.cli.compile_task import CompileTask, CompileOptions, compile_and_write
from aascompile.cli.outputs import Job
from aascompile.settings import QUAKE3
source, target, keep = sys.argv[1:]
turns = 0
while True:
    if keep == "no" or turns == 1:
        print("ready", flush=True)
    compile_and_write(CompileTask(Job(source, target), CompileOptions(QUAKE3, 2, engine=True)))
    turns += 1
    if keep == "no":
        os.unlink(target)
        os.unlink(target.removesuffix(".hdf"))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
@pytest.mark.parametrize("keep", ["yes", "no"])
def test_a_killed_compiler_leaves_no_partial_file(samples, tmp_path, keep):
    """A process compiles one map over and over, so that it is writing most of the time.

    If it keeps its files, it is killed only when they are there: however busy the machine is, they must stay whole.
    """
    source = samples / "doorway.bsp"
    whole = compiled(source, tmp_path / "whole", 1)
    chance = random.Random(keep)
    for turn in range(KILLS // 2):
        folder = tmp_path / str(turn)
        folder.mkdir()
        with subprocess.Popen(
            [sys.executable, "-c", AGAIN_AND_AGAIN, str(source), str(folder / "x.aas.hdf"), keep],
            env=environment(), cwd=ROOT, stdout=subprocess.PIPE,
        ) as child:  # fmt: skip
            assert child.stdout is not None
            assert child.stdout.readline() == b"ready\n"
            assert keep == "no" or {path.name for path in folder.iterdir()} >= set(whole)
            time.sleep(chance.uniform(0.0, 0.5))
            child.kill()
        left = {path.name: path for path in folder.iterdir()}
        assert keep == "no" or set(left) >= set(whole)
        for name, path in left.items():
            if name in whole:
                assert path.read_bytes() == whole[name]
            else:
                assert name.startswith(".x.aas")
                assert name.endswith(".part")
