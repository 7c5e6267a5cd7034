"""Faults of the machine: nothing half-written has a final name, nothing is left behind, and a second run succeeds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from aascompile import system
from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.store import files
from aascompile.store.cache import Cache
from aascompile.watching import FileWatch
from tests.conftest import ROOT


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def aascompile(*arguments: object) -> int:
    return run(compile_maps, "aascompile", [str(argument) for argument in (*arguments, "-q")])


# --- disks ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path) -> Iterator[Path]:
    """A folder that holds 20 kB, on a file system of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=20k", "tmpfs", str(folder)]
    if not hasattr(os, "geteuid") or os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only the superuser can mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_leaves_what_was_there(small_disk, samples, capsys):
    (small_disk / "box.aas.hdf").write_bytes(b"\x89HDF\r\n\x1a\n and so on")
    before = {path.name: path.read_bytes() for path in small_disk.iterdir()}
    assert aascompile(samples / "box.bsp", "-o", small_disk) == 1
    assert capsys.readouterr().err == f"error: {small_disk}/box.aas.hdf: cannot be written (no space left on device)\n"
    assert {path.name: path.read_bytes() for path in small_disk.iterdir()} == before
    subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
    assert aascompile(samples / "box.bsp", "-o", small_disk) == 0
    assert names(small_disk) == ["box.aas.hdf"]


def test_a_read_only_disk_is_one_sentence(small_disk, samples, capsys):
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    assert aascompile(samples / "box.bsp", "-o", small_disk) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"error: {small_disk}")
    assert error.count("\n") == 1
    assert names(small_disk) == []


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), OSError(30, "Read-only file system")])
def test_the_same_where_no_disk_can_be_mounted(tmp_path, samples, monkeypatch, capsys, error):
    def fail(*_: object) -> int:
        raise error

    with monkeypatch.context() as broken:
        broken.setattr("aascompile.store.files._fill", fail)
        assert aascompile(samples / "box.bsp", "-o", tmp_path, "--aas") == 1
        assert f"cannot be written ({error.strerror.lower()})" in capsys.readouterr().err
        assert names(tmp_path) == []
    assert aascompile(samples / "box.bsp", "-o", tmp_path, "--aas") == 0
    assert names(tmp_path) == ["box.aas", "box.aas.hdf"]


def test_an_input_that_vanishes_does_not_stop_the_others(tmp_path, samples, monkeypatch, capsys):
    from aascompile.cli import over_maps

    for name in ("box", "gap"):
        (tmp_path / f"{name}.bsp").write_bytes((samples / f"{name}.bsp").read_bytes())
    sizes = over_maps.sizes_of

    def vanish(paths):
        found = sizes(paths)
        (tmp_path / "box.bsp").unlink()
        return found

    monkeypatch.setattr(over_maps, "sizes_of", vanish)
    assert aascompile(tmp_path / "box.bsp", tmp_path / "gap.bsp", "-o", tmp_path / "out") == 1
    assert capsys.readouterr().err == f"error: {tmp_path}/box.bsp: no such file\n"
    assert names(tmp_path / "out") == ["gap.aas.hdf"]


# --- other processes --------------------------------------------------------------------------------------------------

WRITERS = """
import sys
from aascompile.cli.compile_task import CompileOptions, CompileTask, compile_and_write
from aascompile.cli.outputs import Job
from aascompile.settings import QUAKE3
for _ in range(8):
    done = compile_and_write(CompileTask(Job(sys.argv[1], sys.argv[2]), CompileOptions(QUAKE3, 1, engine=True)))
    assert done.error is None, done.error
"""


def python(script: str, *arguments: object, **more: str) -> subprocess.Popen[str]:
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(ROOT)]))
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)], cwd=ROOT, env={**os.environ, "PYTHONPATH": path, **more},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_two_writers_of_one_output_leave_a_whole_file(tmp_path, samples):
    target = tmp_path / "out" / "x.aas.hdf"
    target.parent.mkdir()
    running = [python(WRITERS, samples / f"{name}.bsp", target) for name in ("box", "gap")]
    assert [process.communicate()[1] for process in running] == ["", ""]
    assert names(target.parent) == ["x.aas", "x.aas.hdf"]
    alone = []
    for name in ("box", "gap"):
        assert aascompile(samples / f"{name}.bsp", "-o", tmp_path / name / "x.aas.hdf", "--aas") == 0
        alone.append((tmp_path / name / "x.aas.hdf").read_bytes())
    assert target.read_bytes() in alone


HAMMER = """
import sys
from tests.test_cached import hammer
print("ready", flush=True)
while True:
    hammer(sys.argv[1], int(sys.argv[2]))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
def test_a_killed_process_does_not_harm_a_shared_cache(tmp_path):
    from tests.test_cached import hammer

    running = [python(HAMMER, tmp_path, seed) for seed in (1, 2)]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running:
        process.kill()
        process.communicate()
    assert hammer(str(tmp_path), 3) > 0  # every entry that is there is whole
    Cache(tmp_path).put("f" * 64, {})
    assert not list(tmp_path.rglob("*.part"))


KILLED_WHILE_NAMED = """
import os, signal, sys
from aascompile import system
from aascompile.store import files
if sys.argv[2] == "named":
    del os.O_TMPFILE
replace = os.replace
def killed(*names):
    os.kill(os.getpid(), signal.SIGKILL)
os.replace = killed
files.write_atomically(sys.argv[1], b"new")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
@pytest.mark.parametrize("way", ["unnamed", "named"])
def test_the_next_run_deletes_the_temporary_file_of_a_killed_one(tmp_path, way, monkeypatch):
    target = tmp_path / "x.aas.hdf"
    target.write_bytes(b"old")
    killed = python(KILLED_WHILE_NAMED, target, way)
    assert (killed.communicate(), killed.returncode) == (("", ""), -signal.SIGKILL)
    assert target.read_bytes() == b"old"
    assert len(names(tmp_path)) == 2
    monkeypatch.setattr(files, "_tidied", set())
    files.write_atomically(str(tmp_path / "y.aas.hdf"), b"new")
    assert names(tmp_path) == ["x.aas.hdf", "y.aas.hdf"]


@pytest.mark.parametrize("way", ["unnamed", "named", "without locks"])
def test_the_temporary_file_of_a_live_process_stays(tmp_path, way, monkeypatch):
    """Another process looks for abandoned files just before each renaming."""
    (tmp_path / "x").write_bytes(b"old")
    if way != "unnamed":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    if way == "without locks":
        monkeypatch.setitem(sys.modules, "fcntl", None)
        monkeypatch.setattr(system, "RENAMES_OPEN", False)
    replace, seen = os.replace, []

    def watched(temporary, target):
        files._tidied.clear()
        files._tidy(tmp_path)
        seen.append(temporary)
        replace(temporary, target)

    monkeypatch.setattr(os, "replace", watched)
    files.write_atomically(str(tmp_path / "x"), b"new")
    assert len(seen) == 1
    assert names(tmp_path) == ["x"]
    assert (tmp_path / "x").read_bytes() == b"new"


def test_a_file_that_is_deleted_before_it_is_locked_is_made_again(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    taken = []

    def lock(file):
        if not taken:
            taken.extend(tmp_path.glob(".*.part"))
            system.remove_abandoned(taken[0])
        return system.lock(file)

    monkeypatch.setattr(files, "lock", lock)
    files.write_atomically(str(tmp_path / "x"), b"new")
    assert len(taken) == 1
    assert names(tmp_path) == ["x"]


def test_without_locks_old_temporary_files_are_abandoned(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fcntl", None)
    old, new = (tmp_path / name for name in ("old", "new"))
    for path in (old, new):
        path.write_bytes(b"")
    os.utime(old, (time.time() - 7200, time.time() - 7200))
    for path in (old, new, tmp_path / "none"):
        system.remove_abandoned(path)
    assert names(tmp_path) == ["new"]


# --- clocks -----------------------------------------------------------------------------------------------------------


def test_a_cache_survives_a_clock_that_went_back(tmp_path):
    cache, tomorrow = Cache(tmp_path, limit=20_000), time.time() + 86_400
    for number in range(3):
        cache.put(f"{number:02}" + "0" * 62, {"number": number}, {"rows": np.zeros(500)})
    left = tmp_path / "00" / ".x.part"
    left.write_bytes(b"")
    for path in tmp_path.rglob("*"):
        os.utime(path, (tomorrow, tomorrow))
    again = Cache(tmp_path, limit=20_000)
    for number in range(3, 12):
        again.put(f"{number:02}" + "0" * 62, {"number": number}, {"rows": np.zeros(500)})
    assert sum(path.stat().st_size for path in tmp_path.rglob("*.aascache")) <= 20_000
    assert not left.exists()
    found = again.get("11" + "0" * 62)
    assert found is not None
    assert found.about == {"number": 11}


def test_a_file_saved_with_an_earlier_time_has_changed(tmp_path):
    path = tmp_path / "x.map"
    path.write_text("one")
    watch = FileWatch(str(path))
    path.write_text("two")
    os.utime(path, (1000.0, 1000.0))
    assert not watch.changed()  # it may still be written
    assert watch.changed()


# --- interrupts -------------------------------------------------------------------------------------------------------

INTERRUPTED = """
import os, signal, sys
sys.argv[0] = "aascompile"
awaited = sys.argv.pop(1)

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == awaited:
            del sys.meta_path[0]
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
from aascompile.cli.compile import main
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot interrupt itself there")
@pytest.mark.parametrize(
    "module",
    ["click", "aascompile.cli.common", "numpy", "aascompile.pipeline", "aascompile.nav.counts", "aascompile.store.hdf"],
)
def test_an_interrupt_during_imports_is_quiet(tmp_path, samples, module):
    process = python(INTERRUPTED, module, samples / "box.bsp", "-o", tmp_path / "out" / "x.aas.hdf")
    out, err = process.communicate()
    assert (process.returncode, out, err.strip()) == (130, "", "")
    assert not (tmp_path / "out").exists() or names(tmp_path / "out") == []


INTERRUPTED_IN_A_MODULE = """
import signal, sys
from aascompile.system import end_when_interrupted, raise_when_interrupted
end_when_interrupted()
raise_when_interrupted()
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("raised", flush=True)
sys.path.insert(0, sys.argv[1])
try:
    import interrupted
finally:
    print("not reached", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot interrupt itself there")
@pytest.mark.parametrize("module", ["gc", "aascompile.system"])
def test_an_interrupt_of_the_first_imports_is_quiet(tmp_path, samples, module):
    """The handler of the commands is not yet there: the signal itself ends the process."""
    process = python(INTERRUPTED, module, samples / "box.bsp", "-o", tmp_path / "x.aas.hdf")
    assert process.communicate() == ("", "")
    assert process.returncode == -signal.SIGINT
    assert names(tmp_path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot interrupt itself there")
def test_an_interrupt_inside_an_import_ends_the_process(tmp_path):
    """KeyboardInterrupt inside importlib may leave its lock behind, and a thread that imports too waits for ever."""
    (tmp_path / "interrupted.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    process = python(INTERRUPTED_IN_A_MODULE, tmp_path)
    assert process.communicate() == ("raised\n", "")
    assert process.returncode == 130
