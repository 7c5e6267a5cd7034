"""The report that stages write into."""

from __future__ import annotations

import json

import pytest

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
    out = json.loads(json.dumps(report.to_dict()))
    assert heard == ["read"]
    assert list(out) == ["source", "stages", "dropped", "warnings"]
    (timed,) = out["stages"]
    assert list(timed) == ["name", "seconds", "peak_mb", "counts"]
    assert timed["counts"] == {"brushes": 5, "patches": 1}
    assert timed["seconds"] >= 0
    assert timed["peak_mb"] is None or timed["peak_mb"] > 1
    assert out["dropped"] == [{"kind": "brush", "number": 7, "reason": "has no volume"}]
    assert out["warnings"] == ["odd"]


def test_stage_that_fails_is_timed_all_the_same():
    report = Report("x.bsp")
    with pytest.raises(ValueError, match="no"), report.stage("read"):
        raise ValueError("no")
    assert [stage.name for stage in report.stages] == ["read"]
