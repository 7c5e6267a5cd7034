"""Rides as a compiled file stores them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.model.links import Travel
from aascompile.model.movers import movers
from aascompile.model.understood import Understood
from aascompile.nav.ride_replay import replay_rides
from aascompile.pipeline import compile_map, understand
from aascompile.player.reason import Reason
from aascompile.reach.stored_rides import rides
from aascompile.report import Report
from aascompile.settings import QUAKE3
from tests.furniture import STONE
from tests.reach.carrying import draw


def of(path) -> Understood:
    return understand(str(path), Report(str(path)))


@pytest.mark.parametrize("name", ["elevator", "bobbing_vertical", "bobbing_horizontal", "train"])
def test_each_ride_spans_the_travel_of_its_entity(samples, name):
    found = of(samples / f"{name}.bsp")
    facts = found.facts
    legs = rides(found.map, movers(facts))
    assert len(legs) == 2, "there and back"
    assert np.array_equal(legs.low, legs.high[::-1])
    moved = np.linalg.norm(legs.high[0] - legs.low[0])
    models = found.map.models
    middle = (models.mins[legs.model[0]] + models.maxs[legs.model[0]]) / 2
    if facts.plats:
        assert moved == facts.plats[0].height
        assert np.array_equal(legs.high[0], middle + facts.plats[0].top)
    if facts.bobbings:
        assert moved == 2 * facts.bobbings[0].amplitude
        np.testing.assert_allclose((legs.low[0] + legs.high[0]) / 2, middle + facts.bobbings[0].middle)
        assert np.flatnonzero(legs.high[0] != legs.low[0]).tolist() == [facts.bobbings[0].axis]
    if facts.trains:
        assert np.array_equal(legs.low[0], middle + facts.trains[0].stops[0])
        assert np.array_equal(legs.high[0], middle + facts.trains[0].stops[1])


def test_maps_without_platforms_have_no_rides(samples):
    found = of(samples / "box.bsp")
    assert len(rides(found.map, movers(found.facts))) == 0


def test_a_platform_beyond_the_extent_of_a_map_gives_no_ride(samples):
    found = of(samples / "bobbing_vertical.bsp")
    far = replace(found.facts.bobbings[0], amplitude=1e300)
    assert len(rides(found.map, movers(replace(found.facts, bobbings=(far, *found.facts.bobbings))))) == 2


def test_the_floor_of_a_ride_is_the_one_that_its_links_lead_off_from(tmp_path):
    """A train between two platforms, 128 high, with a railing 64 higher than its floor along its northern side."""
    sides = [((-512, -192, 0), (-256, 256, 128)), ((256, -256, 0), (512, 256, 128))]
    slab, railing = ((-248, -64, 112), (-120, 64, 128)), ((-248, 56, 128), (-120, 64, 192))
    stops = [
        ({"classname": "path_corner", "origin": f"{x} 0 0", "targetname": a, "target": b, "wait": "2"}, ())
        for x, a, b in ((0, "a", "b"), (368, "b", "a"))
    ]
    train = {"classname": "func_train", "target": "a", "speed": "100"}
    path = draw(tmp_path, [(side, STONE) for side in sides], (train, [slab, railing]), *stops)
    compiled = compile_map(str(path), QUAKE3, Report("train"))
    assert (compiled.links.kind == Travel.BOBBING).sum() == 2
    assert compiled.rides.half[0].tolist() == [64.0, 64.0, 40.0]
    assert compiled.rides.floor.tolist() == [-24.0, -24.0], "16 above the bottom, which is 40 below the middle"
    assert [compiled.entities.classname[row] for row in compiled.rides.entity] == ["func_train"] * 2
    found = replay_rides(compiled, QUAKE3)
    assert [each.why for each in found.arrival] == [Reason.ARRIVES] * 2
