"""Elevators: from the ground around the bottom of a plat to the ground around its top."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.model.links import Travel
from aascompile.reach.elevator import elevator_links
from aascompile.reach.platforms import MOST_ALONG, OUTWARD, beside, platform
from tests.furniture import STONE
from tests.reach.carrying import build, lies_in, room_of, rows, sample
from tests.stages import EXACT


def test_the_plat_of_the_sample_has_one_link_up():
    room = sample("elevator")
    links = room.links(elevator_links)
    floor, ledge = room.area(-192, 0, 40), room.area(176, 0, 230)
    # 184 units at 200 units/s, and half a second to get on.
    assert rows(links, Travel.ELEVATOR) == [(floor, ledge, 50 + 92)]
    assert len(links) == 1, "going down is a drop to the floor"
    assert links.model[0] == room.understood.facts.plats[0].model
    assert links.end[0] == pytest.approx((64 + 16, 0, 216.125))
    x, y, z = links.start[0]
    assert z == pytest.approx(24.125)
    assert max(abs(x), abs(y)) >= 64 + 15, "who waits stands clear of the plat"


def test_bots_wait_clear_of_a_plat_that_is_wider_at_its_foot():
    room = sample("elevator_bevelled")
    (start,) = room.links(elevator_links).start
    assert -48 - 15 - 2 * 15 > start[0] > -48 - 15 - 2 * 15 - 8, (
        "the foot of the plat extends to −48; two players fit between it and the origin of the one who waits"
    )


def test_plat_over_a_pit_is_a_floor(tmp_path):
    # A pit between two floors, 200 and 392 above its bottom; the plat rests level with the lower one.
    floors = [((-512, -256, 0), (-64, 256, 200)), ((64, -256, 0), (512, 256, 392))]
    walls = [((-64, -256, 0), (64, -64, 512)), ((-64, 64, 0), (64, 256, 512))]
    plat = {"classname": "func_plat", "height": "192", "speed": "100"}
    start = {"classname": "info_player_deathmatch", "origin": "-256 0 232"}
    stone = [(box, STONE) for box in floors + walls]
    room = build(tmp_path, stone, (plat, [((-64, -64, 376), (64, 64, 392))]), (start, ()))
    links = room.links(elevator_links)
    low, high, on, edge = (room.area(x, 0, z) for x, z in ((-256, 230), (256, 420), (0, 225), (64, 420)))
    assert len({low, high, on, edge}) == 4
    rides = [(low, high, 50 + 192), (on, high, 50 + 192), (low, on, 50 + 192)]
    assert sorted(rows(links, Travel.ELEVATOR)) == sorted(rides)
    assert [row[:2] for row in rows(links, Travel.WALK)] == [(on, low)]
    assert len(links) == 5
    ((source, target, time),) = rows(links, Travel.WALK_OFF_LEDGE)
    assert (source, target) == (high, on)
    assert time == round(70 + 50 * 192.125 / 800 + 192)
    assert lies_in(room, links.target, links.end)


def test_plat_that_goes_nowhere_has_no_links(tmp_path):
    plat = {"classname": "func_plat", "height": "192", "speed": "100"}
    start = {"classname": "info_player_deathmatch", "origin": "-256 0 32"}
    room = build(tmp_path, [], (plat, [((-64, -64, 376), (64, 64, 392))]), (start, ()))
    assert len(room.links(elevator_links)) == 0


def test_ground_beside_a_platform_is_found_on_all_sides_and_nowhere_under_it():
    room = sample("elevator")
    plat = room.understood.facts.plats[0]
    low = platform(room.understood.map, plat.model).moved(plat.bottom)
    assert low.middle == pytest.approx((0, 0, 8))
    assert np.abs(low.off).max(axis=1).min() == 64 + 16
    (ground,) = beside([low], room.areas, room.movement)
    assert ground.area.tolist() == [room.area(-192, 0, 40)]
    assert ground.rise == pytest.approx([-8 + 0.125])


@pytest.mark.corpus
def test_a_plat_of_a_real_map_joins_its_floors(corpus):
    room = room_of(corpus / "oa_dm2.bsp")
    links = room.links(elevator_links)
    top, bottom = room.area(2496, -880, 121), room.area(2496, -1100, 25)
    ((_, onto, _),) = [row for row in rows(links, Travel.WALK_OFF_LEDGE) if row[0] == top]
    assert (onto, bottom) in [row[:2] for row in rows(links, Travel.WALK)], "and off it at the bottom"
    # 90 units at 200 units/s.
    assert (bottom, top, 95) in rows(links, Travel.ELEVATOR)
    assert (onto, top, 95) in rows(links, Travel.ELEVATOR)


@pytest.mark.corpus
def test_every_plat_of_a_real_map_leads_up(corpus):
    room = room_of(corpus / "fan.bsp", EXACT)
    links = room.links(elevator_links)
    lifts = links.kind == Travel.ELEVATOR
    plats = {plat.model: plat for plat in room.understood.facts.plats}
    twins = {7, 9}
    assert set(links.model[lifts].tolist()) == set(plats) - twins, "a twin joins the same areas as plat 6 or 8"
    for model in set(plats) - twins:
        plat, mine = plats[model], lifts & (links.model == model)
        assert set(links.time[mine].tolist()) == {round(50 + 100 * plat.height / plat.speed)}
        rise = links.end[mine, 2] - links.start[mine, 2]
        assert (np.abs(rise - plat.height) < 19 + 19).all()
    assert lies_in(room, links.target[lifts], links.end[lifts])


def test_a_plat_without_brushes_has_no_links():
    room = sample("elevator")
    source, model = room.understood.map, room.understood.facts.plats[0].model
    nothing = replace(source.brushes, model=np.where(source.brushes.model == model, 0, source.brushes.model))
    flat = replace(source.models, maxs=source.models.mins)
    there = platform(replace(source, brushes=nothing, models=flat), model)
    assert len(there.on) == len(there.off) == 0
    assert np.array_equal(there.middle, flat.mins[model])


@pytest.mark.parametrize("extent", [1e5, 1e9, 3e38])
def test_a_platform_larger_than_any_map_is_examined_at_a_bounded_number_of_points(extent):
    data = sample("elevator").understood.map
    (model,) = (plat.model for plat in sample("elevator").understood.facts.plats)
    usual = platform(data, model)
    assert len(usual.far) < 100
    mins, maxs = data.models.mins.copy(), data.models.maxs.copy()
    mins[model], maxs[model] = -extent, extent
    bare = replace(data.brushes, model=np.zeros_like(data.brushes.model))  # the outline is that of the bounds
    wide = platform(replace(data, models=replace(data.models, mins=mins, maxs=maxs), brushes=bare), model)
    assert MOST_ALONG / 2 < len(wide.far) / len(OUTWARD) <= MOST_ALONG + 4
    assert np.isfinite(wide.off).all()
