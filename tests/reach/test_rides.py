"""Bobbing platforms and trains with two stops: links in both directions between the ground at their ends."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.model.links import Travel
from aascompile.model.movers import movers
from aascompile.reach.rides import ride_links
from tests.reach.carrying import room_of, rows, sample

PLATFORMS = {
    "bobbing_horizontal": ((-400, 0, 40), (400, 0, 40), (-264, 0, 24.125), (264, 0, 24.125)),
    "train": ((-448, 0, 40), (448, 0, 40), (-328, 0, 24.125), (328, 0, 24.125)),
    "bobbing_vertical": ((-192, 0, 40), (176, 0, 230), None, (72, 0, 216.125)),
}
"""Points in the two areas, and where players get on and off at each: 16 units from the platform's rim."""


@pytest.mark.parametrize("name", PLATFORMS)
def test_platform_links_lead_in_both_directions(name):
    room = sample(name)
    links = room.links(ride_links)
    here, there, near, far = PLATFORMS[name]
    near_area, far_area = room.area(*here), room.area(*there)
    assert near_area != far_area
    time = 820 if name == "train" else 300
    assert sorted(rows(links, Travel.BOBBING)) == sorted([(near_area, far_area, time), (far_area, near_area, time)])
    assert len(links) == 2
    (out,) = np.flatnonzero(links.source == near_area)
    (back,) = np.flatnonzero(links.source == far_area)
    assert links.start[out] == pytest.approx(links.end[back])
    assert links.end[out] == pytest.approx(far)
    assert links.start[back] == pytest.approx(far)
    assert near is None or links.start[out] == pytest.approx(near)
    assert links.model.tolist() == [1, 1]


def test_vertical_platform_is_boarded_from_the_floor_clear_of_it():
    room = sample("bobbing_vertical")
    links = room.links(ride_links)
    (up,) = np.flatnonzero(links.source == room.area(-192, 0, 40))
    x, y, z = links.start[up]
    assert z == pytest.approx(24.125)
    assert not (-72 - 15 < x < 56 + 15 and -64 - 15 < y < 64 + 15)


def test_stops_are_where_the_platform_turns():
    (mover,) = movers(sample("bobbing_vertical").understood.facts)
    assert (mover.models, [stop.offsets for stop in mover.stops]) == ((1,), [((0, 0, -92),), ((0, 0, 92),)])
    (mover,) = movers(sample("train").understood.facts)
    assert [stop.offsets for stop in mover.stops] == [((-248, 0, -8),), ((248, 0, -8),)]


@pytest.mark.corpus
def test_train_of_a_real_map_joins_both_ledges(corpus):
    room = room_of(corpus / "oa_dm2.bsp")
    links = room.links(ride_links)
    train = room.understood.facts.trains[0]
    mine = links.model == train.model
    pairs = set(zip(links.source[mine].tolist(), links.target[mine].tolist(), strict=True))
    west, east = room.area(1468, -1032, 345), room.area(1892, -1032, 345)
    assert pairs == {(west, east), (east, west)}


@pytest.mark.corpus
def test_platforms_that_move_less_than_a_step_have_no_links(corpus):
    room = room_of(corpus / "slimefac.bsp")
    assert len(room.understood.facts.bobbings) == 3
    assert len(room.links(ride_links)) == 0
