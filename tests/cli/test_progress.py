"""The progress bar: when it is shown, what it says, and that it is removed."""

from __future__ import annotations

import io
import re
import sys

import pytest

from aascompile.cli import progress as module
from aascompile.cli.progress import Progress
from aascompile.stages import names


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def without_delay(monkeypatch):
    monkeypatch.setattr(module, "DELAY", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")


def shown(stream: io.StringIO) -> str:
    """Written text, without colours and cursor movements."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue())


@pytest.mark.parametrize(
    ("terminal", "quiet", "seen"), [(True, False, True), (True, True, False), (False, False, False)]
)
def test_shown_only_on_a_terminal_and_without_quiet(monkeypatch, without_delay, terminal, quiet, seen):
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    progress = Progress(quiet)
    progress.watcher(0, "x.bsp")("read")
    progress.clear()
    assert ("x.bsp: read" in shown(stream)) == seen
    assert bool(stream.getvalue()) == seen


def test_not_shown_before_the_delay(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(module, "DELAY", 1000.0)
    progress = Progress(quiet=False)
    progress.watcher(0, "x.bsp")("read")
    progress.clear()
    assert stream.getvalue() == ""


def test_the_share_grows_to_one():
    progress = Progress(quiet=True, maps=2, sizes=[300, 100])
    watch = progress.watcher(1, "x.bsp")
    shares = []
    for stage in [*names(), "flood", "new"]:
        watch(stage)
        shares.append(progress.share)
        assert progress.words == f"2/2 x.bsp: {stage}"
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] == 0.25, "never more than this map's share, even if stages are repeated"
    progress.ended(0)
    assert progress.share == 1.0


def test_running_maps_are_named_together():
    progress = Progress(quiet=True, maps=9)
    watchers = [progress.watcher(number, f"m{number}") for number in range(9)]
    watchers[4]("tree")
    watchers[1]("reach")
    assert progress.words == "2/9 m1: reach, 5/9 m4: tree"
    for watch in watchers:
        watch("read")
    assert progress.words == "1/9 m0: read, 2/9 m1: read, 3/9 m2: read and 6 more"
    progress.ended(1)
    assert progress.words.startswith("1/9 m0: read, 3/9 m2: read, ")


def test_clearing_removes_the_bar_until_the_next_stage(monkeypatch, without_delay):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    progress = Progress(quiet=False, maps=2)
    for number in range(2):
        progress.watcher(number, f"m{number}.bsp")("tree")
        progress.clear()
        progress.clear()
    assert "1/2 m0.bsp: tree" in shown(stream)
    assert "2/2 m1.bsp: tree" in shown(stream)
    assert stream.getvalue().endswith("\x1b[2K"), "the line is erased"
