"""Ladders: climbed up and down, and left at the top and at the foot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from aascompile.model.areas import AreaFlag, FaceFlag
from aascompile.model.links import Links, Travel
from aascompile.reach.candidates import Candidates
from aascompile.reach.ladder import ladder_links
from tests.builders import Layout, Piece, walls
from tests.builders import climbs as ladders
from tests.examples import examples
from tests.furniture import STONE
from tests.reach.carrying import Room, build, lies_in, room_of, rows, sample
from tests.stages import EXACT


def with_ladders(room: Room, x: float, low: float, high: float) -> Room:
    """The same areas, with walls that face west at x, between two heights, marked as ladders."""
    areas = room.areas
    flags = areas.face_flags.copy()
    for face in range(len(flags)):
        corner = areas.vertex[areas.face_vertex[areas.face_start[face] : areas.face_start[face + 1]]]
        wall = flags[face] & np.uint32(FaceFlag.SOLID) and np.abs(corner[:, 0] - x).max() < 0.1
        if wall and corner[:, 2].min() >= low - 0.1 and corner[:, 2].max() <= high + 0.1:
            flags[face] |= np.uint32(FaceFlag.LADDER)
    return Room(room.understood, replace(areas, face_flags=flags), room.movement)


def climbs(room: Room) -> Links:
    candidates = Candidates()
    ladder_links(candidates, room.areas, room.movement)
    return candidates.finish(room.areas)


def test_the_ladder_of_the_sample_has_links_up_and_down():
    room = sample("ladder")
    links = climbs(room)
    floor, top = room.area(-160, 0, 40), room.area(45, 0, 220)
    # 192 units at 200 units/s, and a tenth of a second to get on.
    assert sorted(rows(links, Travel.LADDER)) == sorted([(floor, top, 106), (top, floor, 106)])
    assert len(links) == 2
    (up,) = np.flatnonzero(links.source == floor)
    assert links.start[up] == pytest.approx((40, 0, 24.125))
    assert links.end[up] == pytest.approx((42, 0, 216.125), abs=1.1)
    assert lies_in(room, links.source, links.start)
    assert lies_in(room, links.target, links.end)
    assert room.areas.face_flags[links.face[up]] & FaceFlag.LADDER


def test_a_map_without_ladders_has_no_ladder_links():
    assert len(climbs(sample("box"))) == 0


def test_links_follow_a_ladder_into_the_next_area(tmp_path):
    # A beam beside the ladder divides the shaft in front of it into areas one above the other.
    boxes = [((0, -256, 0), (512, 256, 192)), ((-128, -256, 88), (-64, 256, 104))]
    room = build(tmp_path, [(box, STONE) for box in boxes], settings=EXACT)
    marked = with_ladders(room, -15, 24, 216)
    links = climbs(marked)
    steps = rows(links, Travel.LADDER)
    top = room.area(100, 0, 230)
    reached, new = set(), {room.area(-30, 0, 25)}
    while new:
        reached |= new
        new = {target for source, target, _ in steps if source in reached} - reached
    assert top in reached
    assert len(steps) == 4
    assert {(target, source) for source, target, _ in steps} == {(source, target) for source, target, _ in steps}


def test_nothing_leads_off_a_ladder_into_lava(tmp_path):
    boxes = [(((0, -256, 0), (512, 256, 192)), STONE), (((0, -256, 192), (512, 256, 240)), "liquids/lavahell")]
    room = with_ladders(build(tmp_path, boxes), -15, 24, 216)
    links = climbs(room)
    assert all(room.areas.area_flags[target] & AreaFlag.GROUNDED for target in links.target.tolist())
    assert not any(room.areas.area_contents[target] & 2 for target in links.target.tolist())


@settings(max_examples=examples(15), derandomize=True)
@given(ladders())
def test_ladders_of_any_shape_join_all_their_areas(pieces: list[Piece]) -> None:
    with Layout((*walls((256, 256, 384)), *pieces), ((64, 128, 32),)).file() as path:
        room = room_of(Path(path))
    links = climbs(room)
    assert lies_in(room, links.source, links.start)
    assert lies_in(room, links.target, links.end)
    marked = room.areas.face_flags[links.face] & np.uint32(FaceFlag.LADDER)
    assert marked.all()
    beside = np.maximum(room.areas.face_front[links.face], room.areas.face_back[links.face])
    assert ((beside == links.source) | (beside == links.target)).all(), "a link is up or down a ladder of its areas"
