"""The grappling hook: only if enabled, and only to hooks in sight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.model.areas import FaceFlag
from aascompile.model.links import Travel
from aascompile.player.movement import Movement
from aascompile.reach.candidates import Candidates
from aascompile.reach.grapple import grapple_links
from aascompile.settings import QUAKE3, ReachSettings
from tests.furniture import STONE
from tests.reach.carrying import build, lies_in, rows, sample

HOOKED = replace(QUAKE3, reach=ReachSettings(grapple=True))


def hooked(room, settings=HOOKED):
    candidates = Candidates()
    grapple_links(candidates, room.areas, Movement(room.areas, settings))
    return candidates.finish(room.areas)


def test_the_grapple_is_off_by_default():
    assert len(hooked(sample("rocketjump"), QUAKE3)) == 0


def test_the_grapple_leads_up_to_a_ledge_in_sight():
    room = sample("rocketjump")
    links = hooked(room)
    floor, ledge = room.area(-96, 0, 40), room.area(208, 0, 240)
    ((source, target, time),) = rows(links, Travel.GRAPPLE)
    assert (source, target) == (floor, ledge)
    face = int(links.face[0])
    assert room.areas.face_flags[face] & FaceFlag.SOLID
    assert not room.areas.face_flags[face] & FaceFlag.GROUND
    corner = room.areas.face_vertex[room.areas.face_start[face] : room.areas.face_start[face + 1]]
    hook = room.areas.vertex[corner].mean(axis=0)
    assert time == pytest.approx(500 + np.linalg.norm(hook - links.start[0]) / 4, abs=1)
    assert lies_in(room, links.target, links.end)


def test_the_grapple_does_not_reach_through_a_wall(tmp_path):
    boxes = [((0, -256, 0), (16, 256, 512)), ((256, -256, 0), (512, 256, 200))]
    room = build(tmp_path, [(box, STONE) for box in boxes], ({"classname": "item_health", "origin": "128 0 16"}, ()))
    links = hooked(room)
    west = room.area(-200, 0, 40)
    assert len(links) > 0
    assert west not in links.source
