"""The table of stages: that everything else that lists stages agrees with it."""

from __future__ import annotations

import re

import pytest

from aascompile import dump
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.settings import QUAKE3
from aascompile.stages import DRAWN, STAGES, Phase, names, number_of, share_of
from tests.conftest import ROOT

DESIGN = ROOT / "aascompile" / "DESIGN.md"
PIPELINE = ROOT / "aascompile" / "pipeline.py"


def test_stages_are_numbered_from_one_and_phases_are_in_order():
    assert [stage.number for stage in STAGES] == list(range(1, len(STAGES) + 1))
    assert len({stage.name for stage in STAGES}) == len(STAGES)
    order = [list(Phase).index(stage.phase) for stage in STAGES]
    assert order == sorted(order)
    assert {stage.phase for stage in STAGES} == set(Phase)


def test_shares_add_up():
    assert sum(stage.share for stage in STAGES) == 100
    assert share_of("tree") == 38
    assert share_of("check") == 0


def test_names_by_phase():
    assert names() == tuple(stage.name for stage in STAGES)
    assert names(Phase.READING) == ("read", "hulls", "meaning", "patches")
    assert names(Phase.LINKING, Phase.CLUSTERS) == ("places", "reach", "cluster")
    assert number_of("reach") == 15
    assert number_of("check") is None


def test_a_compile_runs_the_stages_in_order(samples):
    given: list[str] = []
    report = Report("box", observe=lambda stage, records: given.append(stage))
    compile_map(str(samples / "box.map"), QUAKE3, report)
    before_writing = tuple(stage.name for stage in STAGES if stage.phase != Phase.WRITING)
    assert tuple(stage.name for stage in report.stages) == before_writing
    assert tuple(given) == DRAWN, "what can be drawn is given, and nothing else"


def test_every_stage_that_can_be_drawn_has_a_drawing():
    assert tuple(dump.STAGES) == DRAWN


def test_the_pipeline_reads_from_the_first_stage_to_the_last():
    steps = re.findall(r"^ *# (\d+)\. (\w+)\. .*\n *with report.stage\(\"(\w+)\"\)", PIPELINE.read_text(), re.MULTILINE)
    assert [(int(number), word.lower(), name) for number, word, name in steps] == [
        (stage.number, stage.name, stage.name) for stage in STAGES if stage.phase != Phase.WRITING
    ]


@pytest.fixture
def design_rows() -> list[list[str]]:
    """Cells of the table of stages in DESIGN.md."""
    lines = DESIGN.read_text().splitlines()
    first = lines.index(next(line for line in lines if line.startswith("| # | stage |")))
    rows = []
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def test_design_lists_the_same_stages(design_rows):
    assert [row[:3] for row in design_rows] == [[str(stage.number), f"`{stage.name}`", stage.does] for stage in STAGES]
