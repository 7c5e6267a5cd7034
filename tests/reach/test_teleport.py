"""Teleporters: whoever touches the trigger stands at the destination."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.model.contents import Kind
from aascompile.model.links import Travel
from aascompile.reach.teleport import arrival, teleport_links
from tests.reach.carrying import lies_in, room_of, rows, sample


def test_sample_has_one_link():
    room = sample("teleporter")
    links = room.links(teleport_links)
    pad, east = room.area(-281, 0, 40), room.area(168, 0, 40)
    assert room.areas.area_contents[pad] == Kind.TELEPORTER
    assert rows(links, Travel.TELEPORT) == [(pad, east, 50)]
    assert len(links) == 1
    assert links.start[0] == pytest.approx((-281, 0, 24))
    # 9 above the ground at 400 units/s: the fall lasts sqrt(2 · 9 / 800) s = 0.15 s.
    assert links.end[0] == pytest.approx((96 + 60, 0, 24), abs=10.5)
    assert lies_in(room, links.target, links.end)


def test_destination_in_the_floor_is_lifted():
    room = sample("teleporter")
    teleport = room.understood.facts.teleports[0]
    x, y, z = teleport.destination
    east = room.area(168, 0, 40)
    sunk = arrival(replace(teleport, destination=(x, y, z - 24)), room.movement)
    assert sunk is not None
    assert sunk.area == east
    assert arrival(replace(teleport, destination=(x, y, z - 200)), room.movement) is None


def test_destination_on_the_ground_is_where_one_arrives():
    room = sample("teleporter")
    teleport = room.understood.facts.teleports[0]
    at = arrival(replace(teleport, destination=(96.0, 0.0, 24.125)), room.movement)
    assert at is not None
    assert at.end == pytest.approx((96, 0, 24.125))


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "count"), [("aggressor", 24), ("oa_dm4", 7), ("slimefac", 5)])
def test_every_area_of_a_real_teleporter_has_a_link(corpus, name, count):
    room = room_of(corpus / f"{name}.bsp")
    links = room.links(teleport_links)
    marked = np.flatnonzero(room.areas.area_contents & np.uint32(Kind.TELEPORTER))
    assert links.source.tolist() == marked.tolist()
    assert len(links) == count
    assert not np.isin(links.target, marked).any()
    assert lies_in(room, links.target, links.end)
