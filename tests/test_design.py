"""DESIGN.md and CONTRIBUTING.md name what exists: every travel type in the table, modules, files and folders."""

from __future__ import annotations

import re

import pytest

from aascompile.model.links import Travel
from aascompile.settings import Physics
from tests.conftest import ROOT

TEXT = (ROOT / "aascompile" / "DESIGN.md").read_text()
TABLE = TEXT.split("| travel type | rule | found in |\n")[1].split("\n\n")[0]
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.splitlines()[1:]]


def test_the_table_of_travel_types_has_every_type_once():
    named = [name.strip().replace(" ", "_").upper() for row in ROWS for name in row[0].split(",")]
    assert sorted(named) == sorted(Travel.__members__)


def test_the_table_of_travel_types_names_settings_and_modules_that_exist():
    for _, rule, found in ROWS:
        assert all(hasattr(Physics(), name) for name in re.findall(r"`(\w+)`", rule))
        modules = re.findall(r"`(\w+/\w+)(?:\.(\w+))?`", found)
        assert modules
        for module, function in modules:
            assert f"def {function}" in (ROOT / "aascompile" / f"{module}.py").read_text()


@pytest.mark.parametrize("name", ["aascompile/DESIGN.md", "CONTRIBUTING.md"])
def test_files_that_a_page_names_exist(name):
    """A name is a path from the root or from the package, a file or a folder; modules stand without ``.py``."""
    text = re.sub(r"^    .*$", "", (ROOT / name).read_text(), flags=re.MULTILINE)
    spans = re.findall(r"`([\w.*/-]+)`", text)
    paths = {span for span in spans if "/" in span} - MADE
    assert len(paths) > 20
    assert sorted(path for path in paths if not found(path)) == []
    links = re.findall(r"\]\(([\w./-]+)\)", text)
    assert sorted(link for link in links if not ((ROOT / name).parent / link).exists()) == []


MADE = {"dist/*.tar.gz"}
"""Paths that commands make."""


def found(path: str) -> bool:
    """Whether a page may name this path."""
    module = re.sub(r"(?<=\w)\.(?!py$|pxd$|md$|toml$|json$|map$|bsp$)\w+$", "", path)  # without a function's name
    places = (ROOT, ROOT / "aascompile")
    return any(any(place.glob(name.rstrip("/"))) for place in places for name in (path, module, f"{module}.py"))
