"""Checks between stages: the records of all stages pass, and each fault is reported."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from aascompile.checks.check_stages import stage_faults
from aascompile.errors import LeakError
from aascompile.mapio.load import MapSource
from aascompile.pipeline import make_areas, understand
from aascompile.report import Report
from aascompile.settings import QUAKE3

Given = dict[str, dict[str, Any]]


def given(path: str) -> Given:
    """Records that each stage made."""
    found: Given = {}
    report = Report(path, None, lambda stage, records: found.update({stage: dict(records)}))
    make_areas(understand(path, report), QUAKE3, report, allow_leak=True)
    return found


@pytest.fixture(scope="module")
def records(request) -> Given:
    return given(str(request.getfixturevalue("samples") / "slanted.map"))


def test_all_stages_of_the_samples_pass(samples):
    for path in sorted(samples.glob("*.map")):
        for stage, made in given(str(path)).items():
            assert list(stage_faults(made)) == [], f"{path.name}: {stage}"


@pytest.mark.corpus
def test_all_stages_of_real_maps_pass(corpus):
    for name in ("oa_dm4", "am_galmevish2"):
        for stage, made in given(str(corpus / f"{name}.bsp")).items():
            assert list(stage_faults(made)) == [], f"{name}: {stage}"


def broken(records: dict[str, Any], name: str, column: str, change: Any) -> dict[str, Any]:
    """The records with one column changed."""
    record = records[name]
    assert column in {field.name for field in fields(record)}
    return records | {name: replace(record, **{column: change(getattr(record, column).copy())})}


def put(row: Any, value: Any) -> Any:
    """A function that changes one entry."""

    def change(column: np.ndarray) -> np.ndarray:
        column[row] = value
        return column

    return change


@pytest.mark.parametrize(
    ("stage", "name", "column", "change", "clause"),
    [
        ("expand", "planes", "normal", put(3, (0.0, 0.0, 0.5)), "Planes 3: normals have unit length"),
        ("expand", "planes", "normal", put(3, np.nan), "Planes 3: normals have unit length"),
        ("expand", "planes", "dist", put(3, 1e6), "Planes 2: the planes of a pair are opposites"),
        ("expand", "volumes", "side_start", put(1, 10**6), "Volumes 2: side_start cuts the sides"),
        ("expand", "volumes", "vertex_start", put(-1, 10**6), "vertex_start cuts the corners"),
        ("expand", "volumes", "bounds", put((2, 5), -1e6), "Volumes 2: corners lie in the bounds"),
        ("expand", "volumes", "side_plane", put(0, 40), "Volumes 0: a side's corners lie on its plane"),
        ("expand", "volumes", "contains", put(1, 8), "Volumes 1: no volume both blocks and contains"),
        ("expand", "volumes", "side_plane", put(0, -1), "Volumes 0: planes exist"),
        ("surface", "surface", "plane", lambda plane: plane[::-1].copy(), "pieces are sorted by plane and side"),
        ("surface", "surface", "xyz", lambda xyz: xyz + 0.5, "a piece's corners lie on its plane"),
        (
            "surface",
            "surface",
            "side",
            lambda side: side * 0 + np.arange(len(side), dtype=np.int32),
            "a piece lies on its side's plane",
        ),
        ("tree", "tree", "node", put((0, 1), 10**6), "Tree 0: children exist"),
        ("tree", "tree", "node", put((0, 1), 0), "Tree 0: children have higher numbers"),
        ("tree", "tree", "node", put((-1, 1), -1), "a leaf has one parent"),
        ("tree", "tree", "node", put((0, 0), -1), "Tree 0: planes exist"),
        ("tree", "tree", "leaf_point", put(4, 1e6), "Tree 4: a leaf's point lies in its box"),
        ("portals", "portals", "back", lambda back: back * 0 - 5, "leaves exist"),
        ("portals", "portals", "xyz", lambda xyz: xyz + 0.5, "corners lie on the plane"),
    ],
)
def test_each_fault_is_reported_with_its_clause(records, stage, name, column, change, clause):
    found = list(stage_faults(broken(records[stage], name, column, change)))
    assert any(clause in fault for fault in found), found


def test_a_portal_between_equal_or_solid_leaves_is_reported(records):
    made = records["portals"]
    tree, portals = made["tree"], made["portals"]
    same = replace(portals, back=portals.front)
    assert "Portals 0, 1, 2 and" in next(fault for fault in stage_faults(made | {"portals": same}) if "differ" in fault)
    solid = np.flatnonzero(tree.leaf_blocks == QUAKE3.all_boxes)[:2].astype(np.int32)
    shut = replace(portals, front=put(6, solid[0])(portals.front.copy()), back=put(6, solid[1])(portals.back.copy()))
    assert list(stage_faults(made | {"portals": shut})) == ["Portals 6: one of its leaves is open"]


def test_a_node_with_two_parents_is_reported(records):
    tree = records["tree"]["tree"]
    node = tree.node.copy()
    parents = np.flatnonzero((node[:, 1:] > 0).all(axis=1))
    node[parents[-1], 1] = node[parents[-1], 2]
    found = list(stage_faults(records["tree"] | {"tree": replace(tree, node=node)}))
    assert any("a node has one parent" in fault for fault in found)


def test_records_without_a_check_are_ignored(records):
    assert list(stage_faults(records["hulls"])) == []
    assert list(stage_faults({"planes": records["tree"]["planes"], "anything": 3})) == []


def test_a_map_without_anything_solid_is_sound(samples):
    """No leaf blocks a player, so every portal joins two open ones."""
    text = (samples / "box.map").read_text().replace("common/caulk", "common/water")
    found: Given = {}
    report = Report("wet", None, lambda stage, records: found.update({stage: dict(records)}))
    with pytest.raises(LeakError):
        make_areas(understand(MapSource(text.encode(), "wet.map"), report), QUAKE3, report)
    assert not found["flood"]["tree"].leaf_blocks.any()
    assert len(found["flood"]["portals"])
    assert [fault for made in found.values() for fault in stage_faults(made)] == []
