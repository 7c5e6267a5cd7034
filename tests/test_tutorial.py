"""Runs all commands of docs/tutorial.md in an empty folder and compares their output with the page."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import ROOT
from tests.pages import commands, run, stable
from tests.viewer.samples import need_gl

PAGE = ROOT / "docs" / "tutorial.md"
FAILING = ("is empty", "leaks:")
"""Errors that the page shows on purpose."""


def test_output_matches_the_page(tmp_path: Path):
    tried = list(commands(PAGE))
    assert sum(command.line.startswith(("aas", "aascompile")) for command in tried) >= 9
    for command in tried:
        if command.line.startswith("aas view"):
            need_gl()
        code, output = run(command, tmp_path)
        if "leaks:" in output:
            assert (tmp_path / "room.lin").read_text().splitlines()[0] == "-192 0 32"
        assert stable(output) == stable(command.shown), command.line
        wrong = any(error in output for error in FAILING) or command.line.startswith("aas diff")
        assert code == int(wrong), command.line
    assert not (tmp_path / "room.lin").exists(), "a clean compile removes the trail of a leak"
    assert (tmp_path / "room.aas").read_bytes().startswith(b"EAAS")
    assert (tmp_path / "room.png").read_bytes().startswith(b"\x89PNG")
