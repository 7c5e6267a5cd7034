"""Exactly the brushes that enclose no volume are dropped."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from aascompile.brushes.brush_hulls import closed_brushes
from aascompile.geometry.hull import Hulls, HullStatus
from tests.brushes.hand_made import Solid, make_map, thing, world

GOOD = Solid(1, ((0, 0, 0), (64, 64, 64)))
FLAT = Solid(1, ((0, 0, 0), (64, 64, 0)))
INSIDE_OUT = Solid(1, ((0, 0, 64), (64, 64, 0)))


def test_closed_brushes_are_kept_unchanged():
    map_data = make_map(world(GOOD), thing("func_door", GOOD))
    found = closed_brushes(map_data)
    assert found.map is map_data
    assert found.hulls.volume.tolist() == [64.0**3] * 2


def test_brushes_without_volume_are_dropped_by_number():
    map_data = make_map(world(FLAT, GOOD, INSIDE_OUT), thing("func_door", GOOD))
    found = closed_brushes(map_data)
    kept, hulls = found.map, found.hulls
    again = closed_brushes(kept).hulls
    assert all(np.array_equal(getattr(hulls, name), getattr(again, name)) for name in Hulls.__slots__)
    assert [(brush.kind, brush.number, brush.reason) for brush in kept.dropped] == [
        ("brush", 0, "has no volume"),
        ("brush", 2, "has no volume"),
    ]
    assert kept.brushes.number.tolist() == [1, 3]
    assert kept.brushes.model.tolist() == [0, 1]
    assert kept.brushes.entity.tolist() == [0, 1]
    assert np.array_equal(np.diff(kept.brushes.side_start), [6, 6])
    assert np.array_equal(kept.brushes.side_plane[:6], map_data.brushes.side_plane[6:12])
    assert (hulls.status == HullStatus.CLOSED).all()


def test_an_open_brush_and_a_missing_plane_are_reported():
    map_data = make_map(world(GOOD, GOOD, GOOD))
    plane = map_data.brushes.side_plane.copy()
    plane[0] = plane[1]  # the +x side is gone
    plane[7] = -1
    broken = replace(map_data, brushes=replace(map_data.brushes, side_plane=plane))
    kept = closed_brushes(broken).map
    assert [(brush.number, brush.reason) for brush in kept.dropped] == [
        (0, "is not closed: its sides leave it open"),
        (1, "has a side without a plane"),
    ]


def test_a_map_may_lose_all_its_brushes():
    found = closed_brushes(make_map(world(FLAT)))
    assert len(found.map.brushes) == len(found.hulls) == 0
    assert len(found.map.dropped) == 1
