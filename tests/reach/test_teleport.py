"""Teleporters: a player who touches the trigger stands at the destination."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.model.contents import Kind
from aascompile.model.links import Links, Travel
from aascompile.reach.teleport import arrival, teleport_links
from tests.builders import Piece, block, brush_text, walls
from tests.furniture import STONE
from tests.reach.carrying import Room, lies_in, room_of, rows, sample


def teleported(room: Room) -> Links:
    """The links of teleporters."""
    return room.links(lambda candidates, areas, _, facts, movement: teleport_links(candidates, areas, facts, movement))


def test_the_sample_has_one_teleport_link():
    room = sample("teleporter")
    links = teleported(room)
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


def test_players_arrive_at_a_destination_on_the_ground():
    room = sample("teleporter")
    teleport = room.understood.facts.teleports[0]
    at = arrival(replace(teleport, destination=(96.0, 0.0, 24.125)), room.movement)
    assert at is not None
    assert at.end == pytest.approx((96, 0, 24.125))


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "count"), [("aggressor", 8), ("oa_dm4", 7), ("slimefac", 5)])
def test_every_area_of_a_real_teleporter_has_a_link(corpus, name, count):
    room = room_of(corpus / f"{name}.bsp")
    links = teleported(room)
    marked = np.flatnonzero(room.areas.area_contents & np.uint32(Kind.TELEPORTER))
    assert links.source.tolist() == marked.tolist()
    assert len(links) == count
    assert not np.isin(links.target, marked).any()
    assert lies_in(room, links.target, links.end)


def test_a_sharp_trigger_reaches_no_further_than_its_box(tmp_path):
    """Without bevels, the sides of a wedge moved out by 15 would meet some 120 units beyond its tip."""
    wedge = Piece(tuple((x, y, z) for x, y in ((0, 0), (-128, -16), (-128, 16)) for z in (0, 64)))
    gates = {"wedge": wedge, "block": block((60, -16, 0), (92, 16, 64))}
    world = "".join(brush_text(wall, STONE) for wall in walls((512, 512, 256)))
    text = f'{{\n"classname" "worldspawn"\n{world}}}\n'
    text += '{\n"classname" "info_player_deathmatch"\n"origin" "64 64 32"\n}\n'
    for (name, piece), x in zip(gates.items(), (100, 400), strict=True):
        moved = replace(piece, points=tuple((px + 256, py + 256, pz) for px, py, pz in piece.points))
        brush = brush_text(moved, "common/trigger")
        text += f'{{\n"classname" "trigger_teleport"\n"target" "{name}"\n{brush}}}\n'
        goal = f'"targetname" "{name}"\n"angle" "90"\n"origin" "{x} 400 32"\n'
        text += f'{{\n"classname" "misc_teleporter_dest"\n{goal}}}\n'
    path = tmp_path / "gates.map"
    path.write_text(text)
    room = room_of(path)
    links = teleported(room)
    inside = room.area(256 + 76, 256, 40)
    assert room.areas.area_contents[inside] == Kind.TELEPORTER
    assert links.end[links.source == inside, 0] == pytest.approx([400], abs=1), "of one gate alone"
    assert room.areas.area_trigger[inside] == 2
    assert links.end[room.areas.area_trigger[links.source] == 1, 0] == pytest.approx(100, abs=1)
    assert sorted(links.source.tolist()) == np.flatnonzero(room.areas.area_trigger >= 0).tolist()


def test_a_destination_inside_a_jump_pad_leads_into_the_pad():
    room = sample("teleporter_sheet")
    at = arrival(room.understood.facts.teleports[0], room.movement)
    assert at is not None
    assert room.areas.area_contents[at.area] == Kind.JUMPPAD
    assert at.end[:2] == (304, 0), "thrown at once, not carried on"
