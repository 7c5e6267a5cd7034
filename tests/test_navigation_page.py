"""Runs the blocks of docs/navigation.md and compares what they print with the page."""

from __future__ import annotations

import doctest
import runpy
import sys

import pytest

from tests.conftest import ROOT

PAGE = ROOT / "docs" / "navigation.md"


def test_the_tour_runs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried > 30


def test_every_block_is_closed_before_its_fence():
    """A blank line ends the output that doctest expects."""
    text = PAGE.read_text()
    blocks = text.split("```pycon\n")[1:]
    assert len(blocks) > 6
    assert all(block.split("```")[0].endswith("\n\n") for block in blocks)


def test_a_thousand_agents_arrive(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    path = ROOT / "docs" / "examples" / "agents.py"
    for name in ("stairs", "ledge", "barrier", "crouch"):
        words = [str(path), str(ROOT / "samples" / f"{name}.bsp"), "--agents", "1000", "--frames", "1000"]
        monkeypatch.setattr(sys, "argv", words)
        runpy.run_path(str(path), run_name="__main__")
        last = capsys.readouterr().out.splitlines()[-1]
        assert last == "  50.0 s   1000 of 1000 arrived", name
