"""DESIGN.md names what exists: every travel type in its table, and modules that are there."""

from __future__ import annotations

import re

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
