"""What all commands share."""

from __future__ import annotations

import io
import sys

import pytest

from aascompile.cli.common import Progress, plain


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("terminal", "quiet", "shown"), [(True, False, True), (True, True, False), (False, False, False)]
)
def test_progress_only_where_somebody_sees_it(monkeypatch, terminal, quiet, shown):
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    progress = Progress(quiet)
    progress.watcher("x.bsp")("read")
    progress.clear()
    assert ("x.bsp: read" in stream.getvalue()) == shown
    assert stream.getvalue() == "" or stream.getvalue().endswith("\r")


def test_plain_text():
    assert plain("func_door") == "func_door"
    assert plain("a\n\x1b[0m\x00") == "a\\n\\x1b[0m\\x00"
    assert plain("größe") == "größe"
    assert plain("x" * 100, 10) == "xxxxxxx..."
