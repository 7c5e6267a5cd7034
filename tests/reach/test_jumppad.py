"""Jump pads: thrown from the trigger to wherever one lands, steered or not."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from aascompile.model.contents import Kind
from aascompile.model.links import Travel
from aascompile.reach.candidates import DEADLY
from aascompile.reach.jumppad import jumppad_links
from aascompile.reach.triggers import placed, trigger_volumes
from tests.reach.carrying import lies_in, room_of, rows, sample

GRAVITY = 800.0


def test_sample_throws_onto_the_ledge():
    room = sample("jumppad")
    links = room.links(jumppad_links)
    pad, ledge = room.area(-192, 0, 28), room.area(113, 0, 300)
    assert room.areas.area_contents[pad] == Kind.JUMPPAD
    assert rows(links, Travel.JUMP_PAD) == [(pad, ledge, 250)]
    assert len(links) == 1
    # The trigger's middle is (−192, 0, 4), the apex (−32, 0, 352).
    seconds = sqrt(2 * (352 - 4) / GRAVITY)
    assert links.velocity[0] == pytest.approx((160 / seconds, 0, GRAVITY * seconds))
    # Straight out of the trigger, whose grown top is at 8 + 24, then down to 256 + 24 under gravity.
    speed = GRAVITY * seconds
    leaves = (32 - 24) / speed
    flight = (speed + sqrt(speed**2 - 2 * GRAVITY * (280 - 32))) / GRAVITY
    assert links.start[0] == pytest.approx((-192, 0, 24))
    assert links.end[0] == pytest.approx((-192 + 160 / seconds * (leaves + flight), 0, 280), abs=172 * 0.05 + 1)


def test_way_out_of_a_trigger_is_straight():
    room = sample("jumppad")
    push = room.understood.facts.pushes[0]
    box = room.movement.settings.boxes[0]
    (volume,) = trigger_volumes(room.understood.map, push.model, placed(room.understood.map, push.row), box)
    start = np.array((-192.0, 0.0, 24.0))
    assert volume.leaves_at(start, np.array((0.0, 0.0, 4.0))) == 2
    assert volume.leaves_at(start, np.array((47.0, 0.0, 4.0))) == 1, "through its side"
    assert volume.leaves_at(start, np.zeros(3)) == 0
    assert volume.holds(np.array([(-192, 0, 24), (-192, 0, 40), (-100, 0, 24)])).tolist() == [True, False, False]


@pytest.mark.parametrize("name", ["q3dm6ish", "oa_dm7", "oa_shine", "kaos2", "slimefac"])
def test_every_pad_of_a_real_map_leads_somewhere(corpus, name):
    room = room_of(corpus / f"{name}.bsp")
    links = room.links(jumppad_links)
    marked = np.flatnonzero(room.areas.area_contents & np.uint32(Kind.JUMPPAD))
    assert np.unique(links.source).tolist() == marked.tolist()
    thrown = {tuple(push.velocity) for push in room.understood.facts.pushes}
    assert {tuple(velocity) for velocity in links.velocity.tolist()} == thrown
    assert set(links.time.tolist()) <= {250, 300}
    assert not (room.areas.area_contents[links.target] & DEADLY).any()
    assert lies_in(room, links.target, links.end)


def test_pads_of_q3dm6ish_lead_up(corpus):
    room = room_of(corpus / "q3dm6ish.bsp")
    links = room.links(jumppad_links)
    for push in room.understood.facts.pushes:
        mine = (links.velocity == push.velocity).all(axis=1)
        assert (links.end[mine, 2] - links.start[mine, 2]).max() >= 160, push


def test_pad_that_throws_straight_up_is_steered_onto_the_ledges(corpus):
    room = room_of(corpus / "oacmpdm8.bsp")
    links = room.links(jumppad_links)
    upright = (links.velocity[:, :2] == 0).all(axis=1)
    assert upright.any()
    assert (links.time[upright] == 300).all()
    assert (links.end[upright, 2] > links.start[upright, 2] + 60).any()
