"""Watching files: every way of saving is noticed once, and nothing else."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.watching import LOOK, FileFollower, FileWatch
from tests.conftest import ROOT

WAIT = 60.0


def looks(watch: FileWatch, count: int = 3) -> list[bool]:
    return [watch.changed() for _ in range(count)]


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "x.map"
    path.write_text("one")
    return path


def in_place(path: Path) -> None:
    path.write_text("two")


def by_renaming(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_text("two")
    os.replace(other, path)


def by_deleting_first(path: Path) -> None:
    path.unlink()
    path.write_text("two")


def in_place_with_the_same_size_and_time(path: Path) -> None:
    status = path.stat()
    path.write_text("two")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))


@pytest.mark.parametrize("save", [in_place, by_renaming, by_deleting_first, in_place_with_the_same_size_and_time])
def test_a_save_is_noticed_once_at_the_second_look(file, save):
    watch = FileWatch(str(file))
    assert looks(watch) == [False] * 3
    save(file)
    assert looks(watch) == [False, True, False]


def test_the_same_content_is_no_change(file):
    watch = FileWatch(str(file))
    os.utime(file)
    by_renaming(file)
    file.write_text("one")
    assert looks(watch) == [False] * 3


def test_a_file_that_is_still_written_is_waited_for(file):
    watch = FileWatch(str(file))
    found = []
    for size in range(4):
        file.write_text("two" + "x" * size)
        found.append(watch.changed())
    assert found == [False] * 4
    assert looks(watch, 2) == [True, False]


def test_a_missing_file_is_waited_for(file):
    watch = FileWatch(str(file))
    file.unlink()
    assert looks(watch) == [False] * 3
    file.write_text("two")
    assert looks(watch) == [False, True, False]


def wait_for(what: Callable[[], object]) -> object:
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        found = what()
        if found is not None:
            return found
        time.sleep(LOOK / 5)
    raise AssertionError("nothing happened")


def test_a_follower_makes_anew(file):
    follower = FileFollower([str(file)], file.read_text)
    try:
        assert follower.take() is None
        in_place(file)
        assert wait_for(follower.take) == "two"
        assert follower.take() is None
    finally:
        follower.close()


def test_the_command_compiles_again_and_says_what_changed(tmp_path):
    path = tmp_path / "barrier.map"
    shutil.copy(ROOT / "samples" / "barrier.map", path)
    script = "from aascompile.cli.compile import main; main()"
    command = [sys.executable, "-u", "-c", script, "--watch", "-q", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        lines = iter(process.stdout.readline, "")

        def read_until(start: str) -> str:
            return next(line for line in lines if line.startswith(start))

        try:
            assert "1 map;" in read_until("watching")
            text = path.read_text()
            by_content(path, text.replace('"item_health"', '"item_quad"'))
            assert "areas" in read_until(str(path))
            assert read_until("  changed") == "  changed   nothing has changed for players\n"
            by_content(path, "{ nonsense")
            assert process.stderr.readline().startswith(f"error: {path}")
            by_content(path, text)
            read_until("  changed")
            higher = text.replace('"classname" "worldspawn"', '"classname" "worldspawn"\n"gravity" "100"')
            by_content(path, higher)
            assert "links: " in read_until("  changed")
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(WAIT) == 130
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"barrier.map", "barrier.aas.hdf"}


def by_content(path: Path, text: str) -> None:
    """Save as editors do."""
    other = path.with_suffix(".new")
    other.write_text(text)
    os.replace(other, path)


@pytest.mark.parametrize("options", [["--json"], ["--dask", "tcp://127.0.0.1:1"], ["--reach-only"], ["--dump=tree"]])
def test_options_that_make_no_sense_are_refused(capsys, options):
    assert run(compile_maps, "aascompile", ["--watch", str(ROOT / "samples" / "stairs.bsp"), *options]) == 2
    assert "--watch cannot be combined" in capsys.readouterr().err
