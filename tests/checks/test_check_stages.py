"""The checks between stages: silent on what the stages make, and each of them heard when something is broken."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from aascompile.checks.check_stages import stage_faults
from aascompile.model.mapdata import Planes
from aascompile.model.tree import Portals, Tree
from aascompile.model.volumes import Surface, Volumes
from aascompile.pipeline import make_areas, understand
from aascompile.report import Report
from aascompile.settings import QUAKE3

Records = dict[str, tuple[Any, ...]]


def given(path: str) -> Records:
    """What every stage gave."""
    found: Records = {}
    report = Report(path, None, lambda stage, records: found.update({stage: records}))
    make_areas(understand(path, report), QUAKE3, report, allow_leak=True)
    return found


@pytest.fixture(scope="module")
def records(request) -> Records:
    return given(str(request.getfixturevalue("samples") / "slanted.map"))


def test_samples_pass(samples):
    for path in sorted(samples.glob("*.map")):
        for stage, made in given(str(path)).items():
            assert list(stage_faults(made)) == [], f"{path.name}: {stage}"


@pytest.mark.corpus
def test_real_maps_pass(corpus):
    for name in ("oa_dm4", "am_galmevish2"):
        for stage, made in given(str(corpus / f"{name}.bsp")).items():
            assert list(stage_faults(made)) == [], f"{name}: {stage}"


def broken(records: tuple[Any, ...], kind: type, column: str, change: Any) -> tuple[Any, ...]:
    """The records with one column of one of them changed."""
    made = []
    for one in records:
        if isinstance(one, kind):
            assert column in {field.name for field in fields(one)}
            copy = getattr(one, column).copy()
            made.append(replace(one, **{column: change(copy)}))
        else:
            made.append(one)
    return tuple(made)


def put(row: Any, value: Any) -> Any:
    """A change of one entry."""

    def change(column: np.ndarray) -> np.ndarray:
        column[row] = value
        return column

    return change


@pytest.mark.parametrize(
    ("stage", "kind", "column", "change", "clause"),
    [
        ("expand", Planes, "normal", put(3, (0.0, 0.0, 0.5)), "Planes 3: normals have unit length"),
        ("expand", Planes, "normal", put(3, np.nan), "Planes 3: normals have unit length"),
        ("expand", Planes, "dist", put(3, 1e6), "Planes 2: the second of a pair is the first one's opposite"),
        ("expand", Volumes, "side_start", put(1, 10**6), "Volumes 2: side_start cuts the sides"),
        ("expand", Volumes, "vertex_start", put(-1, 10**6), "vertex_start cuts the corners"),
        ("expand", Volumes, "bounds", put((2, 5), -1e6), "Volumes 2: corners lie in the bounds"),
        ("expand", Volumes, "side_plane", put(0, 40), "Volumes 0: a side's corners lie on its plane"),
        ("expand", Volumes, "contains", put(1, 8), "Volumes 1: nothing blocks and contains"),
        ("expand", Volumes, "side_plane", put(0, -1), "Volumes 0: planes exist"),
        ("surface", Surface, "plane", lambda plane: plane[::-1].copy(), "pieces are sorted by plane and side"),
        ("surface", Surface, "xyz", lambda xyz: xyz + 0.5, "a piece's corners lie on its plane"),
        (
            "surface",
            Surface,
            "side",
            lambda side: side * 0 + np.arange(len(side), dtype=np.int32),
            "a piece lies on its side's plane",
        ),
        ("tree", Tree, "node", put((0, 1), 10**6), "Tree 0: children exist"),
        ("tree", Tree, "node", put((0, 1), 0), "Tree 0: children have higher numbers"),
        ("tree", Tree, "node", put((-1, 1), -1), "a leaf hangs on one node"),
        ("tree", Tree, "node", put((0, 0), -1), "Tree 0: planes exist"),
        ("tree", Tree, "leaf_point", put(4, 1e6), "Tree 4: a leaf's point lies in its box"),
        ("portals", Portals, "back", lambda back: back * 0 - 5, "leaves exist"),
        ("portals", Portals, "xyz", lambda xyz: xyz + 0.5, "corners lie on the plane"),
    ],
)
def test_what_is_broken_is_named(records, stage, kind, column, change, clause):
    found = list(stage_faults(broken(records[stage], kind, column, change)))
    assert any(clause in one for one in found), found


def test_leaves_of_a_portal(records):
    planes, tree, portals = records["portals"]
    same = replace(portals, back=portals.front)
    assert "Portals 0, 1, 2 and" in next(fault for fault in stage_faults((planes, tree, same)) if "are two" in fault)
    solid = np.flatnonzero(tree.leaf_blocks == QUAKE3.every_box)[:2].astype(np.int32)
    shut = replace(portals, front=put(6, solid[0])(portals.front.copy()), back=put(6, solid[1])(portals.back.copy()))
    assert list(stage_faults((planes, tree, shut))) == ["Portals 6: one of its leaves is open"]


def test_a_node_that_hangs_twice(records):
    planes, tree = records["tree"]
    node = tree.node.copy()
    parents = np.flatnonzero((node[:, 1:] > 0).all(axis=1))
    node[parents[-1], 1] = node[parents[-1], 2]
    found = list(stage_faults((planes, replace(tree, node=node))))
    assert any("a node hangs on one node" in one for one in found)


def test_other_records_are_not_looked_at(records):
    assert list(stage_faults(records["hulls"])) == []
    assert list(stage_faults(("anything", 3))) == []
