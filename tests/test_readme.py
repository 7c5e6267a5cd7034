"""The output in the README is up to date, and all its links resolve."""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.pages import commands, run, stable
from tests.viewer.samples import need_gl

README = ROOT / "README.md"
PAGES = [
    README,
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    ROOT / "aascompile" / "DESIGN.md",
    ROOT / "samples" / "README.md",
]
PAGES += sorted((ROOT / "docs").glob("*.md"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with the samples in which every command of the README was run, with the output that the README shows."""
    place = tmp_path_factory.mktemp("readme")
    (place / "samples").symlink_to(ROOT / "samples")
    tried = list(commands(README))
    assert {command.line.split()[0] for command in tried} >= {"aas", "aascompile"}
    for command in tried:
        if command.line.startswith("aas view"):
            continue
        code, output = run(command, place)
        assert stable(output) == stable(command.shown), command.line
        assert code == int("weak.toml\n" in command.line and command.line.startswith("aas regress")), command.line
    return place


def test_commands_write_both_files(folder: Path):
    assert (folder / "out" / "ledge.aas").read_bytes().startswith(b"EAAS")
    assert (folder / "out" / "ledge.aas.hdf").exists()


def test_screenshot_command(folder: Path):
    need_gl()
    (command,) = (command for command in commands(README) if command.line.startswith("aas view"))
    assert run(command, folder) == (0, command.shown)
    assert (folder / "out" / "ledge.png").read_bytes().startswith(b"\x89PNG")


def test_python_examples(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(folder)
    programs = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)
    assert len(programs) == 2
    for program in programs:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(program, "README.md", "exec"), {})
        assert output.getvalue().splitlines() == re.findall(r"print\(.*\)  # (.*)", program)


def test_commands_of_the_ci_page(tmp_path: Path):
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    (settings, regress) = commands(ROOT / "docs" / "ci.md")
    assert run(settings, tmp_path) == (0, "")
    code, output = run(regress, tmp_path)
    assert (code, stable(output)) == (1, stable(regress.shown))


def test_area_count_matches_the_baseline():
    maps = json.loads((ROOT / "tests" / "corpus-counts.json").read_text())["maps"]
    areas = sum(entry["counts"]["areas"] for entry in maps.values())
    assert re.findall(r"^\| areas \| [\d,]+ \| ([\d,]+) \|$", README.read_text(), re.MULTILINE) == [f"{areas:,}"]


def test_make_targets_exist():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in PAGES:
        assert set(re.findall(r"(?:`|^    )make ([a-z]+)\b", page.read_text(), re.MULTILINE)) <= targets, page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page: Path):
    for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
        assert "://" not in link, f"{link}: pages must not link to other sites"
        assert (page.parent / link).exists(), link


def test_files_named_in_contributing_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    paths = set(re.findall(r"`((?:aascompile|tests|viewer|samples)/[\w./*-]+)`", text))
    assert len(paths) > 30
    assert [path for path in sorted(paths) if not list(ROOT.glob(path))] == []


def test_every_page_is_listed():
    listed = re.findall(r"^\| \[([^\]]+)\]", README.read_text(), re.MULTILINE)
    assert set(listed) >= {str(page.relative_to(ROOT)) for page in PAGES if page != README}
