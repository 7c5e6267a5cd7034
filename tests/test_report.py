"""The report that stages write into."""

from __future__ import annotations

import json

import pytest

from aascompile.cli.json_types import json_text, to_json
from aascompile.report import Dropped, Report


def test_report_as_json():
    heard: list[str] = []
    report = Report("x.bsp", heard.append)
    with report.stage("read") as stage:
        stage.count(brushes=3)
        stage.count(brushes=2, patches=1)
    report.drop(Dropped("brush", 7, "has no volume"))
    report.warn("odd")
    report.warn("odd")
    assert heard == ["read"]
    (timed,) = json.loads(json_text(report.timings()))
    assert list(timed) == ["name", "seconds", "peak_mb", "counts"]
    assert timed["counts"] == {"brushes": 5, "patches": 1}
    assert timed["seconds"] >= 0
    assert timed["peak_mb"] is None or timed["peak_mb"] > 1
    assert to_json(report.dropped) == [{"kind": "brush", "number": 7, "reason": "has no volume"}]
    assert report.warnings == ["odd"]


def test_stage_that_fails_is_timed_all_the_same():
    report = Report("x.bsp")
    with pytest.raises(ValueError, match="no"), report.stage("read"):
        raise ValueError("no")
    assert [stage.name for stage in report.stages] == ["read"]


def test_what_a_stage_made_is_observed_by_name_and_not_kept():
    seen: list[tuple[str, dict[str, object]]] = []
    report = Report("x.bsp", observe=lambda stage, records: seen.append((stage, dict(records))))
    with report.stage("read"):
        pass
    with report.stage("hulls") as stage:
        stage.gives(brushes=1, hulls=2)
    assert seen == [("hulls", {"brushes": 1, "hulls": 2})], "a stage that gives nothing is not observed"
    assert all(not stage.records for stage in report.stages)
