"""Fetching of real maps: what is taken out of an archive, and what is said where it cannot work."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.fetch_corpus import FetchError, baseline_names, extract, require_tools


def test_maps_of_an_archive(tmp_path: Path) -> None:
    archive, target = tmp_path / "pak.pk3", tmp_path / "maps"
    target.mkdir()
    with zipfile.ZipFile(archive, "w") as pack:
        for name in (
            "maps/A.BSP",
            "maps/a.aas",
            "maps/../../evil.bsp",
            "/maps/b.bsp",
            "maps/sub/c.bsp",
            "levelshots/a.jpg",
        ):
            pack.writestr(name, name)
    assert extract(archive, target) == 1
    assert {path.name: path.read_text() for path in target.iterdir()} == {"a.bsp": "maps/A.BSP", "a.aas": "maps/a.aas"}


def test_only_the_maps_that_are_asked_for(tmp_path: Path) -> None:
    archive, target = tmp_path / "pak.pk3", tmp_path / "maps"
    target.mkdir()
    with zipfile.ZipFile(archive, "w") as pack:
        for name in ("maps/a.bsp", "maps/a.aas", "maps/b.bsp", "maps/ab.bsp"):
            pack.writestr(name, name)
    assert extract(archive, target, ["a", "c"]) == 1
    assert sorted(path.name for path in target.iterdir()) == ["a.aas", "a.bsp"]


def test_make_regress_takes_the_maps_of_the_baseline_and_no_others(tmp_path: Path) -> None:
    """A folder with more maps than the baseline holds, or with only some of them, must not fail."""
    names = baseline_names()
    assert len(names) == 15
    for name in (*names[:3], "other"):
        (tmp_path / f"{name}.bsp").touch()
    done = subprocess.run(
        ["make", "-n", "-o", "setup", "regress", f"AASCOMPILE_CORPUS={tmp_path}"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    (line,) = (line for line in done.stdout.splitlines() if "corpus-counts.json" in line)
    assert [Path(word).stem for word in line.split() if word.endswith(".bsp")] == names[:3]


def test_without_debian(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FetchError, match="apt-get and dpkg-deb not found: the maps come from Debian's packages"):
        require_tools()


def test_the_command_says_it_in_one_line(tmp_path: Path) -> None:
    script = [sys.executable, str(ROOT / "tests" / "fetch_corpus.py"), str(tmp_path / "maps")]
    done = subprocess.run(
        script, env={**os.environ, "PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("fetch_corpus: apt-get and dpkg-deb not found")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "maps").exists()
