"""docs/data-model.md lists the same columns and requirements as the code."""

from __future__ import annotations

import re
from operator import attrgetter

from aascompile import tolerances
from aascompile.checks.check_compiled import REQUIREMENTS
from aascompile.store.hdf import FORMAT_VERSION
from aascompile.store.schema import SPECS
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "data-model.md").read_text()


def test_columns_are_those_of_the_schema():
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


def test_names_in_python_are_those_of_the_records(compiled_sample):
    section = PAGE.split("## Names in Python\n")[1].split("\n## ")[0]
    listed = dict(re.findall(r"^\| `(\w+/\w+)` \| `compiled\.([\w.]+)` \|$", section, re.M))
    names = {spec.path: spec.field.replace("planes.", "areas.planes.") for spec in SPECS if spec.field}
    assert listed == {path: name for path, name in names.items() if name != path.replace("/", ".")}
    compiled = compiled_sample("doorway")
    for name in names.values():
        if name.partition(".")[0] not in ("links", "clusters", "places", "sight", "slopes"):
            assert attrgetter(name)(compiled) is not None


def test_requirements_are_those_of_the_checker():
    listed = re.findall(r"^- \*\*([A-Z]\d+)\*\* (.+)\.$", PAGE, re.M)
    assert listed == [(each.id, f"{each.table}: {each.text}") for each in REQUIREMENTS]
    assert len({each.id for each in REQUIREMENTS}) == len(REQUIREMENTS)


def test_tolerances_that_requirements_name_exist():
    named = {name for each in REQUIREMENTS for name in re.findall(r"\b[A-Z]+_[A-Z]+\b", each.text)}
    assert named
    assert all(hasattr(tolerances, name) for name in named)


def test_the_format_version_is_the_current():
    assert f"| format_version | int64 | {FORMAT_VERSION};" in PAGE
