"""Where items and spawns come to rest."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.model.areas import AreaFlag
from aascompile.reach.places import find_places
from tests.furniture import STONE
from tests.reach.carrying import build, room_of, sample


def item(x, y, z, **keys):
    return {"classname": "item_health", "origin": f"{x} {y} {z}", **keys}, ()


@pytest.mark.parametrize("name", ["box", "teleporter", "rocketjump", "ladder"])
def test_items_and_spawns_of_samples_are_in_areas_with_ground(name):
    room = sample(name)
    places = find_places(room.understood.map, room.movement)
    assert len(places) > 0
    assert set(places.reason) == {""}
    flags = room.areas.area_flags[places.area]
    assert (flags & np.uint32(AreaFlag.GROUNDED)).all()


def test_items_fall_stay_suspended_stick_or_are_removed(tmp_path):
    niche = [(((96, -32, 0), (160, 32, 8)), STONE), (((96, -32, 40), (160, 32, 128)), STONE)]
    room = build(
        tmp_path,
        [*niche, (((0, 100, 0), (64, 164, 64)), STONE)],
        item(0, 0, 16),
        item(0, 0, 300),
        item(0, 0, 40, spawnflags="1"),
        item(0, 0, 300, spawnflags="1"),
        item(32, 132, 32),
        item(92, 0, 24),
        item(128, 0, 24),
        item(-64, 0, 16, notfree="1", notteam="1", notsingle="1"),
        item(-100, 0, 16, notfree="1"),
        ({"classname": "item_health"}, ()),
        ({"classname": "info_player_intermission", "origin": "0 0 128"}, ()),
        ({"classname": "team_CTF_redflag", "origin": "0 -100 16"}, ()),
    )
    places = find_places(room.understood.map, room.movement)
    floor = room.area(-480, -224, 40)
    assert places.item.tolist() == [False] + [True] * 9
    assert places.reason == (
        "",
        "",
        "",
        "",
        "",
        "its box starts in solid: the game removes it",
        "",
        "no area is near it",
        "",
        "",
    )
    assert ((places.area < 0) == [reason != "" for reason in places.reason]).all()
    assert places.point[4].tolist() == [0, 0, 309], "300 above the floor it is in the air"
    assert places.area[4] == room.area(0, 0, 309)
    found = (places.area >= 0) & (np.arange(len(places)) != 4)
    assert places.point[found, 2] == pytest.approx(np.full(found.sum(), 24.125))
    assert places.point[1, :2] == pytest.approx((0, 0))
    assert places.point[6, 0] < 96 - 15, "before the niche, as a player cannot crouch low enough to get in"
    assert room.areas.area_flags[places.area[found]].all()
    assert places.areas_of_items().tolist() == sorted(set(places.area[1:].tolist()) - {-1})
    assert floor in places.area


@pytest.mark.corpus
def test_items_in_solid_have_no_area_and_suspended_items_stay_in_the_air(corpus):
    room = room_of(corpus / "fan.bsp")
    places = find_places(room.understood.map, room.movement)
    entities = room.understood.map.entities
    lost = [row for row, area in zip(places.entity.tolist(), places.area.tolist(), strict=True) if area < 0]
    assert [entities[row].get("origin") for row in lost] == ["864 0 96", "-864 0 96"]
    assert set(places.reason) == {"", "its box starts in solid: the game removes it"}
    in_air = room.areas.area_flags[places.area] == 0
    hang = {entities[row].classname for row in places.entity[in_air & (places.area >= 0)].tolist()}
    assert hang == {"item_quad", "item_health_mega"}
