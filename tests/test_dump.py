"""Drawings of stages: that they show what was made."""

from __future__ import annotations

import json
import struct
from itertools import pairwise

import numpy as np
import pytest

from aascompile import dump
from aascompile.cli.outputs import DRAWINGS
from aascompile.csr import owners_of
from aascompile.pipeline import compile_map, make_areas, understand
from aascompile.report import Records, Report
from aascompile.settings import QUAKE3
from aascompile.stages import DRAWN


@pytest.fixture(scope="module")
def drawings(request) -> dict[str, dump.Drawing]:
    """All drawings of a sample with a curve."""
    path = str(request.getfixturevalue("samples") / "curve.map")
    made: dict[str, dump.Drawing] = {}

    def observe(stage: str, records: Records) -> None:
        made[stage] = dump.draw(stage, records)

    report = Report(path, None, observe)
    compile_map(path, QUAKE3, report)
    return made


def volume(drawing: dump.Drawing) -> dict[int, float]:
    """The volume that the polygons of each item enclose, positive when they are seen from outside."""
    found: dict[int, float] = {}
    for row, item in enumerate(drawing.item.tolist()):
        corners = drawing.xyz[drawing.start[row] : drawing.start[row + 1]]
        for second, third in pairwise(corners[1:]):
            found[item] = found.get(item, 0.0) + float(corners[0] @ np.cross(second, third)) / 6
    return found


def test_every_stage_that_can_be_drawn_is_known(drawings):
    assert dump.SUFFIXES == DRAWINGS
    assert set(drawings) == set(DRAWN), "each of them gives what it made"


def test_solids_are_closed_and_seen_from_outside(drawings, samples):
    path = str(samples / "curve.map")
    found = understand(path, Report(path))
    hulls = volume(drawings["hulls"])
    assert [hulls[item] for item in sorted(hulls)] == pytest.approx(found.hulls.volume.tolist())
    assert min(volume(drawings["expand"]).values()) > 0


def test_areas_are_drawn_a_little_smaller(drawings, samples):
    path = str(samples / "curve.map")
    areas = make_areas(understand(path, Report(path)), QUAKE3, Report(path)).areas
    for stage in ("gravity", "merge", "finish"):
        volumes = volume(drawings[stage])
        assert min(volumes.values()) > 0
        assert sum(volumes.values()) == pytest.approx(areas.area_volume.sum() * dump.SHRUNK**3, rel=1e-3)
    assert len(volume(drawings["finish"])) == len(areas)


def test_the_inside_is_seen_from_inside(drawings):
    inside = dump.Drawing(drawings["flood"].start, drawings["flood"].xyz, np.zeros(len(drawings["flood"].item), int))
    finished = sum(volume(drawings["finish"]).values()) / dump.SHRUNK**3
    assert volume(inside)[0] == pytest.approx(-finished, rel=1e-3)


def test_flat_things_show_both_sides(drawings):
    for stage in ("tree", "portals", "reach"):
        drawing = drawings[stage]
        assert len(drawing.item) % 2 == 0
        assert abs(sum(volume(drawing).values())) == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize("stage", DRAWN)
def test_files_hold_the_triangles(drawings, stage):
    drawing = drawings[stage]
    triangles = int(np.maximum(np.diff(drawing.start) - 2, 0).sum())
    text = dump.encode(drawing, ".obj").decode()
    assert text.count("\nf ") == triangles
    corners = [[float(word) for word in line.split()[1:4]] for line in text.splitlines() if line.startswith("v ")]
    upright = drawing.xyz[:, [0, 2, 1]] * (1, 1, -1)
    assert np.allclose(np.array(corners).reshape(-1, 3), upright, atol=0.001)
    data = dump.encode(drawing, ".glb")
    assert struct.unpack("<4sII", data[:12]) == (b"glTF", 2, len(data))
    scene = json.loads(data[20 : 20 + struct.unpack("<I", data[12:16])[0]])
    if triangles:
        primitive = scene["meshes"][0]["primitives"][0]
        assert scene["accessors"][primitive["indices"]]["count"] == 3 * triangles
        assert "COLOR_0" in primitive["attributes"]
    assert dump.encode(drawing, ".glb") == data, "the same bytes each time"


def test_colours_are_of_the_item_alone():
    items = np.array([7, 3, 7, 1000, 3])
    found = dump.colours(items)
    assert np.array_equal(found, dump.colours(items[::-1])[::-1])
    assert np.array_equal(found[0], found[2])
    many = dump.colours(np.arange(64))
    assert len(np.unique(many, axis=0)) == 64
    assert (many[:, 3] == 255).all()
    neighbours = np.abs(many[1:, :3].astype(int) - many[:-1, :3]).sum(axis=1)
    assert neighbours.min() > 60


def test_nothing_can_be_drawn():
    nothing = dump.Drawing(np.zeros(1, np.int64), np.zeros((0, 3)), np.zeros(0, np.int64))
    assert owners_of(nothing.start).size == 0
    for suffix in dump.SUFFIXES:
        assert isinstance(dump.encode(nothing, suffix), bytes)
