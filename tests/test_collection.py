"""Tests that need real maps have the mark for it, so that runs without them leave out these and no others."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, corpus_dir, missing_maps, wrongly_marked
from tests.fetch_corpus import baseline_names


def test_the_mark_of_real_maps_is_where_they_are_needed(request: pytest.FixtureRequest):
    assert wrongly_marked(request.session.items) == []


MARKS = """\
import pytest

def test_unmarked(corpus): pass

@pytest.fixture
def room(corpus): pass

def test_unmarked_through_a_fixture(room): pass

@pytest.mark.corpus
def test_marked_for_nothing(): pass

@pytest.mark.corpus
def test_marked(corpus): pass

def test_plain(): pass
"""


def test_wrong_marks_stop_the_run(tmp_path: Path):
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    (tmp_path / "test_marks.py").write_text(MARKS)
    words = ["-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-c", str(ROOT / "pyproject.toml")]
    done = subprocess.run(
        [sys.executable, *words, f"--rootdir={tmp_path}", str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == pytest.ExitCode.USAGE_ERROR, done.stdout
    assert re.findall(r"::(\w+)", done.stderr) == [
        "test_unmarked",
        "test_unmarked_through_a_fixture",
        "test_marked_for_nothing",
    ]


def test_real_maps_are_found_only_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AASCOMPILE_CORPUS", str(tmp_path))
    assert corpus_dir() is None
    (tmp_path / "fan.bsp").touch()
    assert corpus_dir() == tmp_path
    assert missing_maps(tmp_path) == [f"{name}.bsp" for name in baseline_names() if name != "fan"]
