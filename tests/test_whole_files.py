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

from aascompile import pipeline
from aascompile.cli.compile_task import CompileOptions, CompileTask, compile_and_write
from aascompile.cli.outputs import Job
from aascompile.settings import QUAKE3
from tests.conftest import ROOT

KILLS = 5


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
def test_threads_do_not_change_a_byte(samples, tmp_path, name, monkeypatch):
    monkeypatch.setattr(pipeline, "FEW", 0)
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


KILLED_AT_A_CALL = """
import os, signal, sys
from aascompile.store.files import write_atomically
folder, moment, way = sys.argv[1], int(sys.argv[2]), sys.argv[3]
if way == "named":
    del os.O_TMPFILE
calls = 0

def counted(call):
    def instead(*arguments, **more):
        global calls
        calls += 1
        if calls == moment:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*arguments, **more)
    return instead

for name in ("open", "write", "fsync", "link", "replace", "close", "unlink"):
    setattr(os, name, counted(getattr(os, name)))
for name in ("x.aas.hdf", "x.aas"):
    write_atomically(f"{folder}/{name}", b"new " + name.encode())
print("done")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
@pytest.mark.parametrize("way", ["unnamed", "named"])
@pytest.mark.parametrize("there", [True, False], ids=["replacing", "new"])
def test_a_kill_at_any_moment_leaves_whole_files(tmp_path, way, there):
    """A process that writes two files is killed before its first call of the system, before its second, and so on."""
    for moment in range(1, 40):
        folder = tmp_path / str(moment)
        folder.mkdir()
        for name in ("x.aas.hdf", "x.aas") if there else ():
            (folder / name).write_text(f"old {name}")
        child = [sys.executable, "-c", KILLED_AT_A_CALL, folder, str(moment), way]
        ended = subprocess.run(child, env=environment(), cwd=ROOT, capture_output=True, text=True, check=False)
        left = {path.name: path.read_text() for path in folder.iterdir()}
        temporary = [name for name in left if name.startswith(".x.aas") and name.endswith(".part")]
        assert len(temporary) <= 1
        for name in left.keys() - temporary:
            assert left[name] in (f"old {name}", f"new {name}")
        assert not there or left.keys() >= {"x.aas.hdf", "x.aas"}
        if (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", ""):
            assert temporary == []
            break
        assert (ended.returncode, ended.stderr) == (-signal.SIGKILL, "")
    else:
        pytest.fail("the process was killed each time")
    assert moment > 8


AGAIN_AND_AGAIN = """
import sys
from aascompile.cli.compile_task import CompileTask, CompileOptions, compile_and_write
from aascompile.cli.outputs import Job
from aascompile.settings import QUAKE3
while True:
    done = compile_and_write(CompileTask(Job(*sys.argv[1:]), CompileOptions(QUAKE3, 2, engine=True)))
    assert done.error is None, done.error
    print("done", flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
def test_a_killed_compiler_leaves_whole_files(samples, tmp_path):
    """A process compiles a map over and over. Once its files are there they stay whole, whenever it is killed."""
    source = samples / "doorway.bsp"
    whole = compiled(source, tmp_path / "whole", 1)
    chance = random.Random(0)
    folder = tmp_path / "out"
    for _ in range(KILLS):
        with subprocess.Popen(
            [sys.executable, "-c", AGAIN_AND_AGAIN, str(source), str(folder / "x.aas.hdf")],
            env=environment(), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as child:  # fmt: skip
            assert child.stdout is not None
            assert child.stdout.readline() == b"done\n", child.stderr and child.stderr.read()
            time.sleep(chance.uniform(0.0, 0.3))
            child.kill()
        left = {path.name: path.read_bytes() for path in folder.iterdir()}
        assert {name: data for name, data in left.items() if not name.endswith(".part")} == whole
        assert len(left) <= len(whole) + 1  # a temporary file is deleted by the next process
