"""docs/data-model.md lists the same columns and requirements as the code."""

from __future__ import annotations

import re

from aascompile import tolerances
from aascompile.checks.check_compiled import REQUIREMENTS
from aascompile.store.hdf import FORMAT_VERSION
from aascompile.store.schema import SPECS
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "data-model.md").read_text()


def test_columns():
    tables = PAGE.split("## Tables\n")[1].split("\n## ")[0]
    found = []
    for section in tables.split("### ")[1:]:
        table = section.splitlines()[0]
        for column, kind, rows, _, meaning in re.findall(
            r"^\| (\w+) \| ([^|]+) \| ([^|]+) \| ([^|]*) \| (.+) \|$", section, re.M
        ):
            if column != "column":
                found.append((f"{table}/{column}", kind.strip(), rows.strip()))
                assert meaning
    width = {spec.path: f" × {spec.width}" if spec.width else "" for spec in SPECS}
    assert found == [(spec.path, spec.dtype + width[spec.path], spec.rows.replace("+1", " + 1")) for spec in SPECS]


def test_requirements():
    listed = re.findall(r"^- \*\*([A-Z]\d+)\*\* (.+)\.$", PAGE, re.M)
    assert listed == [(requirement.id, f"{requirement.table}: {requirement.text}") for requirement in REQUIREMENTS]
    assert len({requirement.id for requirement in REQUIREMENTS}) == len(REQUIREMENTS)


def test_tolerances_that_requirements_name_exist():
    named = {name for entry in REQUIREMENTS for name in re.findall(r"\b[A-Z]+_[A-Z]+\b", entry.text)}
    assert named
    assert all(hasattr(tolerances, name) for name in named)


def test_version():
    assert f"| format_version | int64 | {FORMAT_VERSION};" in PAGE
