"""Rocket jumps: up to areas with items, from the middles of floors."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import sqrt

import numpy as np
import pytest

from aascompile.model.links import Travel
from aascompile.player.movement import Movement
from aascompile.reach.candidates import Candidates
from aascompile.reach.places import find_places
from aascompile.reach.rocketjump import rocketjump_links
from aascompile.settings import QUAKE3, ReachSettings
from tests.furniture import STONE
from tests.reach.carrying import build, lies_in, room_of, rows, sample


def jumps(room, movement=None):
    candidates = Candidates()
    rocketjump_links(candidates, room.areas, find_places(room.understood.map, room.movement), movement or room.movement)
    return candidates.finish(room.areas)


def test_the_sample_has_one_rocket_jump():
    room = sample("rocketjump")
    links = jumps(room)
    floor, ledge = room.area(-96, 0, 40), room.area(208, 0, 240)
    assert rows(links, Travel.ROCKET_JUMP) == [(floor, ledge, 500)]
    assert len(links) == 1
    assert links.start[0] == pytest.approx((-96, 0, 24)), "the middle of the floor"
    assert links.velocity[0].tolist() == [0, 0, 690]
    # 200 up: (690 + sqrt(690² − 1600 · 200)) / 800 s in the air; in that time steering gains at most 274 units.
    seconds = (690 + sqrt(690**2 - 1600 * 200)) / 800
    assert seconds == pytest.approx(1.356, abs=0.001)
    assert 320 * (seconds - 0.5) > 113 - -96, "enough to get over the rim"
    assert links.end[0, 0] >= 113
    assert lies_in(room, links.target, links.end)


def test_settings_choose_the_weapon():
    room = sample("rocketjump")
    for reach, kinds in (
        (ReachSettings(rocket_jump=False), []),
        (ReachSettings(rocket_jump=False, bfg_jump=True), [Travel.BFG_JUMP]),
        (ReachSettings(bfg_jump=True), [Travel.ROCKET_JUMP, Travel.BFG_JUMP]),
    ):
        links = jumps(room, Movement(room.areas, replace(QUAKE3, reach=reach)))
        assert links.kind.tolist() == kinds


def item(x, y, z):
    return {"classname": "item_health", "origin": f"{x} {y} {z}"}, ()


def test_rocket_jumps_lead_only_to_high_items_within_reach(tmp_path):
    boxes = [
        ((-320, 100, 0), (-192, 256, 200)),
        ((-128, 100, 0), (0, 256, 200)),
        ((64, 100, 0), (192, 256, 48)),
        ((256, 100, 0), (384, 256, 310)),
    ]
    goods = [item(-256, 200, 220), item(128, 200, 70), item(320, 200, 330)]
    room = build(tmp_path, [(box, STONE) for box in boxes], *goods)
    links = jumps(room)
    with_item, low, too_high = room.area(-256, 200, 230), room.area(128, 200, 80), room.area(320, 200, 340)
    assert with_item in links.target
    assert low not in links.target
    assert room.area(-64, 200, 230) not in links.target, "there is no item"
    rise = room.areas.area_mins[links.target, 2] - links.start[:, 2]
    assert ((rise >= 64) & (rise <= 690**2 / 1600)).all()
    assert (links.start[links.target == too_high, 2] > 24).all(), "310 up from the floor is too much"


def test_a_ceiling_blocks_rocket_jumps(tmp_path):
    boxes = [((0, -256, 0), (512, 256, 200)), ((-512, -256, 180), (0, 256, 200))]
    room = build(tmp_path, [(box, STONE) for box in boxes], item(64, 0, 220))
    assert len(jumps(room)) == 0


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["slimefac", "q3dm6ish"])
def test_rocket_jumps_of_real_maps_lead_up_to_items(corpus, name):
    room = room_of(corpus / f"{name}.bsp")
    places = find_places(room.understood.map, room.movement)
    links = jumps(room)
    assert len(links) > 0
    assert np.isin(links.target, places.areas_of_items()).all()
    assert (links.end[:, 2] - links.start[:, 2] >= 60).all()
    assert lies_in(room, links.source, links.start)
    assert lies_in(room, links.target, links.end)
    assert set(links.time.tolist()) == {500}
    assert partial(jumps, room)().target.tolist() == links.target.tolist(), "the same again"
