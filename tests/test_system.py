"""Differences between operating systems: what a system lacks is taken away, and results stay the same."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from tempfile import TemporaryDirectory

import pytest

from aascompile import system
from tests.conftest import ROOT


def test_blocked_signals_arrive_afterwards():
    arrived = []
    before = signal.signal(signal.SIGINT, lambda *_: arrived.append("interrupt"))
    try:
        with system.signals_blocked():
            signal.raise_signal(signal.SIGINT)
            assert arrived == []
        assert arrived == ["interrupt"]
    finally:
        signal.signal(signal.SIGINT, before)


def test_systems_without_masks_of_signals(monkeypatch):
    monkeypatch.delattr(system.signal, "pthread_sigmask")
    with system.signals_blocked():
        pass


def test_systems_without_some_signals(monkeypatch):
    monkeypatch.delattr(system.signal, "SIGHUP")
    with system.signals_blocked():
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM to wait for")
def test_a_request_to_end_deletes_temporary_folders(tmp_path):
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as ended, system.ended_by_exit(), TemporaryDirectory(dir=tmp_path):
        signal.raise_signal(signal.SIGTERM)
    assert ended.value.code == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(signal.SIGTERM) is before


HOLDER = """
import sys
from aascompile import system
with system.own_folder("aascompile-test-") as folder:
    open(folder + "/entry", "w").close()
    print(folder, flush=True)
    sys.stdin.read()
"""


def held(tmp_path) -> tuple[subprocess.Popen, str]:
    """A process with a temporary folder, and that folder."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )
    return process, process.stdout.readline().strip()


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be locked")
def test_folders_of_killed_processes_are_deleted_and_those_of_live_ones_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "aascompile-test-link").symlink_to(tmp_path)
    (tmp_path / "other").mkdir()
    (alive, kept), (killed, left) = held(tmp_path), held(tmp_path)
    killed.kill()
    killed.communicate()
    assert os.path.exists(f"{left}/entry")
    with system.own_folder("aascompile-test-") as folder:
        assert os.path.isdir(folder)
        assert not os.path.exists(left)
        assert os.path.exists(f"{kept}/entry")
    assert not os.path.exists(folder)
    alive.communicate("")
    assert alive.returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["aascompile-test-link", "other"]


@pytest.mark.parametrize("lacking", ["O_DIRECTORY", "O_NOFOLLOW"])
def test_systems_without_locks_of_folders(tmp_path, monkeypatch, lacking):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.delattr(os, lacking, raising=False)
    (tmp_path / "aascompile-test-left").mkdir()
    with system.own_folder("aascompile-test-") as folder:
        assert os.path.isdir(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["aascompile-test-left"]


def test_a_folder_that_another_process_took_for_abandoned_is_made_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    answers = [False, True]
    monkeypatch.setattr(system, "lock", lambda _: answers.pop(0))
    with system.own_folder("aascompile-test-") as folder:
        assert answers == []
        assert [str(path) for path in tmp_path.iterdir()] == [folder]


def test_files_without_a_name(tmp_path, monkeypatch):
    file = system.open_unnamed(tmp_path)
    if file is None:
        pytest.skip("this file system has no unnamed files")
    os.write(file, b"abc")
    assert list(tmp_path.iterdir()) == []
    assert system.name_file(file, tmp_path / "x")
    with pytest.raises(FileExistsError):
        system.name_file(file, tmp_path / "x")
    os.close(file)
    assert (tmp_path / "x").read_bytes() == b"abc"
    monkeypatch.delattr(os, "O_TMPFILE")
    assert system.open_unnamed(tmp_path) is None


def test_a_named_file_is_new(tmp_path):
    os.close(system.open_named(tmp_path / "x"))
    with pytest.raises(FileExistsError):
        system.open_named(tmp_path / "x")


def test_systems_that_say_less(monkeypatch):
    assert 1 <= system.cores() <= (os.cpu_count() or 1)
    assert (system.peak_memory() or 0) > 1
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setitem(sys.modules, "resource", None)
    assert system.cores() == os.cpu_count()
    assert system.peak_memory() is None


ELSEWHERE = re.compile(
    r"O_TMPFILE|O_CLOEXEC|O_BINARY|pthread_sigmask|SIGHUP|/proc/|sched_|os\.fork|\"fork\"|getrusage|"
    r"import (resource|fcntl|msvcrt|pwd|grp)\b|sys\.platform|os\.name\b"
)
ALLOWED = {"aascompile/system.py", "viewer/gl.py", "aascompile/_build/kernel_build.py"}
"""gl.py names the packages of a Linux distribution, kernel_build knows compilers."""


def test_only_one_module_knows_systems():
    files = [path for top in ("aascompile", "viewer") for path in (ROOT / top).rglob("*.py")]
    found = {path.relative_to(ROOT).as_posix() for path in files if ELSEWHERE.search(path.read_text())}
    assert found <= ALLOWED, found - ALLOWED
