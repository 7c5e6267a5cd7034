"""Jump pads: from the trigger to wherever the player lands, steered or not."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from aascompile.model.contents import Kind
from aascompile.model.links import Travel
from aascompile.player.bot import bots_take
from aascompile.reach.candidates import DEADLY
from aascompile.reach.jumppad import jumppad_links, leaves_pad, replay_pads
from aascompile.reach.places import find_places
from tests.furniture import STONE
from tests.player.test_bot import appearing
from tests.reach.carrying import build, lies_in, room_of, rows, sample
from tests.reference.bots import SlowBot

GRAVITY = 800.0


def thrown(room):
    """Links of the pads, after items have come to rest."""
    places = find_places(room.understood.map, room.movement)
    return room.links(
        lambda candidates, areas, _, facts, movement: jumppad_links(candidates, areas, facts, movement, places)
    )


def test_the_pad_of_the_sample_leads_onto_the_ledge():
    room = sample("jumppad")
    links = thrown(room)
    pad, ledge = room.area(-192, 0, 28), room.area(113, 0, 300)
    assert room.areas.area_contents[pad] == Kind.JUMPPAD
    assert rows(links, Travel.JUMP_PAD) == [(pad, ledge, 250)]
    assert len(links) == 1
    # The trigger's middle is (−192, 0, 4), the apex (−32, 0, 352).
    seconds = sqrt(2 * (352 - 4) / GRAVITY)
    assert links.velocity[0] == pytest.approx((160 / seconds, 0, GRAVITY * seconds))
    # Straight out of the trigger, whose expanded top is at 8 + 24, then down to 256 + 24 under gravity.
    speed = GRAVITY * seconds
    leaves = (32 - 24) / speed
    flight = (speed + sqrt(speed**2 - 2 * GRAVITY * (280 - 32))) / GRAVITY
    assert links.start[0] == pytest.approx((-192, 0, 24))
    assert links.end[0] == pytest.approx((-192 + 160 / seconds * (leaves + flight), 0, 280), abs=172 * 0.05 + 1)


def test_players_leave_a_trigger_in_a_straight_line():
    room = sample("jumppad")
    place = np.array((-192.0, 0.0, 24.0))
    # The expanded trigger extends from −239 to −145 and up to 32.
    up, thrown = leaves_pad(room.areas, room.movement, place, np.array((0.0, 0.0, 4.0)))
    assert thrown.tolist() == [0, 0, 4]
    assert up == pytest.approx((-192, 0, 32))
    aside, _ = leaves_pad(room.areas, room.movement, place, np.array((47.0, 0.0, 4.0)))
    assert aside == pytest.approx((-145, 0, 28.125))
    assert leaves_pad(room.areas, room.movement, place, np.zeros(3))[0] == pytest.approx(place, abs=0.2)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["q3dm6ish", "oa_dm7", "oa_shine", "kaos2", "slimefac"])
def test_every_pad_of_a_real_map_leads_somewhere(corpus, name):
    room = room_of(corpus / f"{name}.bsp")
    links = thrown(room)
    marked = np.flatnonzero(room.areas.area_contents & np.uint32(Kind.JUMPPAD))
    hanging = np.setdiff1d(links.source, marked)
    idle = np.setdiff1d(marked, links.source)
    assert not room.areas.area_flags[idle].any(), "only areas of air below the floor of a pad have no links"
    assert len(idle) == (1 if name == "oa_shine" else 0)
    assert np.isin(hanging, find_places(room.understood.map, room.movement).area).all()
    assert not room.areas.area_flags[hanging].any(), "what else is left by a throw is air with items in it"
    given = {tuple(push.velocity) for push in room.understood.facts.pushes}
    assert {tuple(velocity) for velocity in links.velocity.tolist()} == given
    assert set(links.time.tolist()) <= {250, 300}
    assert not (room.areas.area_contents[links.target] & DEADLY).any()
    assert lies_in(room, links.target, links.end)
    assert replay_pads(room.areas, links, np.arange(len(links)), room.movement).all()


def test_replay_rejects_links_with_a_wrong_target():
    room = sample("jumppad")
    links = thrown(room)
    rows_of_links = np.arange(len(links))
    assert replay_pads(room.areas, links, rows_of_links, room.movement).all()
    slower = replace(links, velocity=links.velocity * 0.5)
    assert not replay_pads(room.areas, slower, rows_of_links, room.movement).any()


@pytest.mark.corpus
def test_pads_of_q3dm6ish_lead_up(corpus):
    room = room_of(corpus / "q3dm6ish.bsp")
    links = thrown(room)
    for push in room.understood.facts.pushes:
        mine = (links.velocity == push.velocity).all(axis=1)
        assert (links.end[mine, 2] - links.start[mine, 2]).max() >= 160, push


@pytest.mark.corpus
def test_a_vertical_pad_leads_onto_the_ledges_by_steering(corpus):
    room = room_of(corpus / "oacmpdm8.bsp")
    links = thrown(room)
    upright = (links.velocity[:, :2] == 0).all(axis=1)
    assert upright.any()
    assert (links.time[upright] == 300).all()
    assert (links.end[upright, 2] > links.start[upright, 2] + 60).any()


def pad(at, apex, name):
    """A trigger of 64 × 64 × 8 units around a point of the floor, and its target."""
    x, y, z = at
    push = {"classname": "trigger_push", "target": name}
    goal = {"classname": "target_position", "targetname": name, "origin": " ".join(map(str, apex))}
    return (push, [((x - 32, y - 32, z), (x + 32, y + 32, z + 8))]), (goal, ())


def test_steering_reaches_a_ledge_beside_a_vertical_flight(tmp_path):
    ledge = ((64, -256, 0), (512, 256, 192))
    room = build(tmp_path, [(ledge, STONE)], *pad((-64, 0, 0), (-64, 0, 400), "up"))
    links = thrown(room)
    source, target = room.area(-64, 0, 28), room.area(300, 0, 220)
    assert rows(links, Travel.JUMP_PAD) == [(source, target, 300)]
    assert links.end[0, 2] == pytest.approx(192 + 24)


def test_no_flight_into_lava_or_onto_its_own_pad(tmp_path):
    lava = ((64, -256, 0), (512, 256, 64))
    room = build(tmp_path, [(lava, "liquids/lavahell")], *pad((-64, 0, 0), (128, 0, 200), "over"))
    contents = room.areas.area_contents
    links = thrown(room)
    assert (contents & DEADLY).any()
    assert not (contents[links.target] & (DEADLY | np.uint32(Kind.JUMPPAD))).any()
    assert room.area(300, 0, 80) not in links.target


def test_adjacent_pads_have_their_own_velocities(tmp_path):
    """Their expanded volumes overlap by 30 units, which belong to the first."""
    room = build(tmp_path, [], *pad((-32, 0, 0), (-300, 0, 200), "west"), *pad((32, 0, 0), (300, 0, 200), "east"))
    west, both, east = room.area(-64, 0, 28), room.area(0, 0, 28), room.area(64, 0, 28)
    assert west == both != east
    assert room.areas.area_trigger[[west, east]].tolist() == [1, 2]
    links = thrown(room)
    for source, sign in ((west, -1.0), (east, 1.0)):
        mine = links.velocity[(links.source == source) & (links.kind == Travel.JUMP_PAD)]
        assert len(mine)
        assert (np.sign(mine[:, 0]) == sign).all()


def test_separate_brushes_of_one_trigger_are_separate_pads(tmp_path):
    push = {"classname": "trigger_push", "target": "t"}
    goal = {"classname": "target_position", "targetname": "t", "origin": "0 0 300"}
    brushes = [((-300, -32, 0), (-236, 32, 8)), ((236, -32, 0), (300, 32, 8)), ((300, -32, 0), (364, 32, 8))]
    ledge = ((-100, -256, 0), (100, 256, 64))
    room = build(tmp_path, [(ledge, STONE)], (push, brushes), (goal, ()))
    links = thrown(room)
    west, east = room.area(-268, 0, 28), room.area(268, 0, 28)
    assert room.area(332, 0, 28) == east, "two that touch are one area"
    for source, x in ((west, -268.0), (east, 300.0)):
        start = links.start[links.source == source]
        assert len(start)
        assert start[:, 0] == pytest.approx(x)


def test_flight_ends_in_the_next_pad(tmp_path):
    room = build(tmp_path, [], *pad((-400, 0, 0), (-200, 0, 100), "first"), *pad((0, 0, 0), (200, 0, 100), "second"))
    links = thrown(room)
    first, second = room.area(-400, 0, 28), room.area(0, 0, 28)
    assert (first, second, 250) in rows(links, Travel.JUMP_PAD)


def test_an_item_on_the_path_of_a_flight_is_reached(tmp_path):
    shaft = [((-128, -64, 64), (-112, 64, 512)), ((-16, -64, 64), (0, 64, 512))]
    item = ({"classname": "item_health", "origin": "-64 0 300", "spawnflags": "1"}, ())
    room = build(tmp_path, [(wall, STONE) for wall in shaft], *pad((-64, 0, 0), (-64, 0, 400), "up"), item)
    links = thrown(room)
    here = int(find_places(room.understood.map, room.movement).area[-1])
    assert here == room.area(-64, 0, 309)
    source = room.area(-64, 0, 28)
    assert (source, here, 250) in rows(links, Travel.JUMP_PAD)
    # Bots pass the item; none lands where it hangs.
    row = np.flatnonzero((links.source == source) & (links.target == here))
    begin = (-250.0, 0.0, 24.125, 320.0, 0.0)
    number = np.array([[source, here, Travel.JUMP_PAD]], np.int32)
    place = np.hstack([links.start, links.end, links.velocity])[row]
    assert bots_take(room.areas, room.movement, appearing(number, place, [*begin]))[0, :3].tolist() == [3, 3, 0]
    slow = SlowBot(room.movement, *number[0], *place[0].reshape(3, 3), (source,), (here,))
    assert slow.outcome(begin[:3], (*begin[3:], 0.0)) == "arrives"


def test_a_flight_is_straight_up_to_the_end_of_a_tall_trigger(tmp_path):
    push = {"classname": "trigger_push", "target": "t"}
    goal = {"classname": "target_position", "targetname": "t", "origin": "-64 0 260"}
    ledge = ((64, -256, 0), (512, 256, 300))
    room = build(tmp_path, [(ledge, STONE)], (push, [((-96, -32, 0), (-32, 32, 300))]), (goal, ()))
    velocity = room.understood.facts.pushes[0].velocity
    assert velocity == pytest.approx((0, 0, sqrt(2 * GRAVITY * (260 - 150)))), "110 units up from anywhere"
    links = thrown(room)
    assert (room.area(-64, 0, 28), room.area(300, 0, 330), 300) in rows(links, Travel.JUMP_PAD)


def test_a_player_slides_up_a_ramp_that_is_steeper_than_the_throw():
    room = sample("jumppad_ramp")
    (push,) = room.understood.facts.pushes
    ramp, velocity = 84 / 144, np.array(push.velocity)
    assert velocity[2] / velocity[0] < ramp
    place = np.array((-95.0, 0.0, 24 + ramp * (-95 + 160 + 15)))
    leaves, thrown = leaves_pad(room.areas, room.movement, place, velocity)
    # Along the ramp to its top, where the player's box ends at x = −31, then straight on to the end of the pad at −1.
    assert leaves == pytest.approx((-1, 0, 24 + 84 + 30 * velocity[2] / velocity[0]), abs=velocity[0] * 0.01)
    assert thrown == pytest.approx(velocity, abs=GRAVITY * 0.02), "pushed again above the ramp"


def test_the_pad_on_the_ramp_leads_into_the_teleporter_in_the_air():
    room = sample("jumppad_ramp")
    links = thrown(room)
    teleporter = room.area(424, 0, 200)
    assert set(links.target.tolist()) == {teleporter}
    assert not room.areas.area_flags[teleporter], "no floor"
    assert replay_pads(room.areas, links, np.arange(len(links)), room.movement).all()


@pytest.mark.corpus
def test_air_that_several_pads_throw_through_leads_nowhere_that_only_one_of_them_does(corpus):
    room = room_of(corpus / "oa_ctf2.bsp")
    links = thrown(room)
    pads = np.flatnonzero(room.areas.area_contents & np.uint32(Kind.JUMPPAD))
    for area in np.setdiff1d(links.source, pads).tolist():
        through = links.target == area
        for velocity in np.unique(links.velocity[through], axis=0):
            own = links.target[(links.velocity == velocity).all(axis=1)]
            assert np.isin(links.target[links.source == area], own).all()
