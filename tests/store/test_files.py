"""Files are complete or missing, whatever interrupts their writing."""

from __future__ import annotations

import os
import random
import signal
import stat
import subprocess
import sys
import time

import pytest

from aascompile.errors import StoreError
from aascompile.store import files
from aascompile.store.files import read_file, without_ending, write_atomically


@pytest.fixture(params=["unnamed", "named"])
def temporary_file(request, monkeypatch):
    """Both methods of writing: through an unnamed temporary file (if the system supports it) or a named one."""
    if request.param == "named":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    return request.param


def test_files_are_written_and_replaced(tmp_path, temporary_file):
    path = tmp_path / "x.aas.hdf"
    for data in (b"one", b"", os.urandom(1 << 20)):
        write_atomically(str(path), data)
        assert path.read_bytes() == data
        assert read_file(str(path)) == data
        assert list(tmp_path.iterdir()) == [path]


def test_relative_paths_can_be_written(tmp_path, temporary_file, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_atomically("x.aas", b"data")
    assert (tmp_path / "x.aas").read_bytes() == b"data"


def test_permissions_are_those_of_any_new_file(tmp_path, temporary_file):
    (tmp_path / "plain").write_bytes(b"")
    write_atomically(str(tmp_path / "x"), b"data")
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)


def test_unwritable_targets_are_reported(tmp_path, temporary_file):
    with pytest.raises(StoreError, match=r"x: cannot be written \(no such file or directory\)"):
        write_atomically(str(tmp_path / "none" / "x"), b"data")
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError, match="folder: cannot be written"):
        write_atomically(str(tmp_path / "folder"), b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt(), MemoryError()])
@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_failure_leaves_the_old_file_and_nothing_else(tmp_path, temporary_file, monkeypatch, error, step):
    path = tmp_path / "x"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(files.os, step, fail)
    with pytest.raises(StoreError if isinstance(error, OSError) else type(error)):
        write_atomically(str(path), b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


WRITER = """
import os, sys
from aascompile.store.files import write_atomically
if sys.argv[2] == "named":
    del os.O_TMPFILE
data = [bytes([k]) * (1 << 20) for k in range(2)]
print("ready", flush=True)
while True:
    for contents in data:
        write_atomically(sys.argv[1], contents)
"""


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="needs unnamed temporary files")
@pytest.mark.parametrize(
    ("method", "end"), [("unnamed", signal.SIGTERM), ("unnamed", signal.SIGINT), ("named", signal.SIGTERM)]
)
def test_a_kill_at_any_moment_leaves_a_complete_file_or_none(tmp_path, method, end):
    path = tmp_path / "x.aas.hdf"
    dice = random.Random(3)
    for _ in range(5):
        line = [sys.executable, "-c", WRITER, str(path), method]
        process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(dice.uniform(0.0, 0.1))
        process.send_signal(end)
        process.wait(60)
        process.stdout.close()
        assert [found.name for found in tmp_path.iterdir()] in ([], [path.name])
        if path.exists():
            data = path.read_bytes()
            assert len(data) == 1 << 20
            assert len(set(data)) == 1


def test_unreadable_files_are_reported(tmp_path):
    with pytest.raises(StoreError, match=r"none: cannot be read \(no such file or directory\)"):
        read_file(str(tmp_path / "none"))
    with pytest.raises(StoreError, match="cannot be read"):
        read_file(str(tmp_path))


@pytest.mark.parametrize(
    ("path", "stem"),
    [
        ("a/x.aas.hdf", "a/x"),
        ("X.AAS.HDF", "X"),
        ("x.hdf", "x"),
        ("x.aas", "x"),
        ("x.v2.bsp", "x.v2"),
        ("x.bsp.map", "x.bsp"),
        ("a.map/x.txt", "a.map/x.txt"),
    ],
)
def test_names_lose_one_ending(path, stem):
    assert without_ending(path) == stem
