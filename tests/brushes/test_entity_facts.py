"""Facts about entities, compared with values worked out by hand."""

from __future__ import annotations

import math

import pytest

from aascompile.brushes import entity_facts
from aascompile.brushes.entity_facts import MOST_FIRED, MOST_STOPS, move_direction, throw
from aascompile.model.entity_facts import EntityFacts, Opener
from aascompile.model.mapdata import Entity, MapData
from aascompile.model.movers import movers
from tests.brushes.hand_made import Solid, make_map, thing, world

TRIGGER = 0x40000000
PAD = Solid(TRIGGER, ((0, 0, 0), (64, 64, 16)))
"""Its centre is (32, 32, 8)."""


def read_entities(data: MapData, gravity: float = 800.0) -> EntityFacts:
    return entity_facts.read_entities(data, gravity)


def test_a_push_throws_from_the_trigger_to_its_target():
    # Rising 100 units at gravity 800 takes half a second at 400 units/s. 200 units along in that time are 400 units/s.
    facts = read_entities(
        make_map(
            world(),
            thing("trigger_push", PAD, target="up"),
            thing("target_position", origin="232 32 108", targetname="UP"),
        )
    )
    (push,) = facts.pushes
    assert (push.row, push.model) == (1, 1)
    assert push.centre == (32, 32, 8)
    assert push.target == (232, 32, 108)
    assert push.velocity == pytest.approx((400, 0, 400))
    assert facts.idle == ()


def test_the_target_is_the_apex_of_the_throw():
    start, apex = (10.0, -20.0, 5.0), (300.0, 77.0, 412.0)
    velocity = throw(start, apex, 800.0)
    assert velocity is not None
    seconds = velocity[2] / 800.0
    assert velocity[2] - 800.0 * seconds == 0.0
    reached = [start[k] + velocity[k] * seconds - (400.0 * seconds**2 if k == 2 else 0.0) for k in range(3)]
    assert reached == pytest.approx(apex)


def test_throws_use_the_gravity_given():
    things = (thing("trigger_push", PAD, target="up"), thing("info_notnull", origin="32 32 108", targetname="up"))
    # Rising 100 units takes one second at gravity 200, half a second at 800. The world's own key was read before.
    for gravity, speed in ((200.0, 200.0), (800.0, 400.0)):
        facts = read_entities(make_map(world(gravity="300"), *things), gravity)
        assert facts.pushes[0].velocity == pytest.approx((0, 0, speed))


@pytest.mark.parametrize(
    ("keys", "goal", "reason"),
    [
        ({}, {}, "it has no target"),
        ({"target": "a"}, {"targetname": "b"}, "its target 'a' does not exist"),
        ({"target": "a"}, {"targetname": "a", "origin": "500 0 8"}, "its target is not above it"),
        ({"target": "a"}, {"targetname": "a", "origin": "0 0 -90"}, "its target is not above it"),
    ],
)
def test_a_push_without_a_valid_target_is_idle(keys, goal, reason):
    facts = read_entities(make_map(world(), thing("trigger_push", PAD, **keys), thing("info_notnull", **goal)))
    assert facts.pushes == ()
    assert [(idle.row, idle.reason, idle.fault) for idle in facts.idle] == [(1, reason, True)]


def test_a_trigger_is_placed_at_its_origin():
    facts = read_entities(
        make_map(
            world(),
            thing("trigger_push", PAD, target="up", origin="1000 0 500"),
            thing("info_notnull", origin="1032 32 908", targetname="up"),
        )
    )
    assert facts.pushes[0].centre == (1032, 32, 508)
    assert facts.pushes[0].velocity == pytest.approx((0, 0, 800))  # 400 units up: one second


def test_a_teleport_arrives_a_unit_up_and_leaves_along_its_angle():
    facts = read_entities(
        make_map(
            world(),
            thing("trigger_teleport", PAD, target="there"),
            thing("misc_teleporter_dest", origin="5 6 7", angle="90", targetname="there"),
        )
    )
    (teleport,) = facts.teleports
    assert (teleport.row, teleport.model, teleport.destination, teleport.angle) == (1, 1, (5, 6, 8), 90)
    assert teleport.velocity == pytest.approx((0, 400, 0), abs=1e-9)


def test_a_teleport_for_spectators_is_idle():
    facts = read_entities(
        make_map(
            world(), thing("trigger_teleport", PAD, target="t", spawnflags="1"), thing("info_notnull", targetname="t")
        )
    )
    assert facts.teleports == ()
    assert [idle.fault for idle in facts.idle] == [False]


def test_trigger_multiple_teleports_through_relays_in_a_ring():
    facts = read_entities(
        make_map(
            world(),
            thing("trigger_multiple", PAD, target="r1"),
            thing("target_relay", targetname="r1", target="r2"),
            thing("target_delay", targetname="r2", target="r1"),
            thing("target_teleporter", targetname="r2", target="dest"),
            thing("misc_teleporter_dest", targetname="dest", origin="1 2 3", angles="0 180 0"),
        )
    )
    (teleport,) = facts.teleports
    assert (teleport.row, teleport.destination, teleport.angle) == (1, (1, 2, 4), 180)


def test_a_ring_of_relays_alone_is_idle():
    facts = read_entities(
        make_map(
            world(),
            thing("trigger_multiple", PAD, target="a"),
            thing("target_relay", targetname="a", target="b"),
            thing("target_relay", targetname="b", target="a"),
        )
    )
    assert facts.teleports == facts.pushes == ()
    assert [(idle.reason, idle.fault) for idle in facts.idle] == [("it moves no player", False)]


def test_a_target_push_throws_along_its_angles_or_at_its_target():
    facts = read_entities(
        make_map(
            world(),
            thing("trigger_multiple", PAD, target="plain"),
            thing("target_push", targetname="plain", angle="-1", speed="400"),
            thing("trigger_multiple", PAD, target="aimed"),
            thing("target_push", targetname="aimed", target="apex", origin="0 0 8"),
            thing("info_notnull", targetname="apex", origin="0 100 108"),
        )
    )
    plain, aimed = facts.pushes
    assert plain.velocity == (0, 0, 400)
    assert plain.target == pytest.approx((32, 32, 108))  # 400² / (2 · 800) = 100 above the centre
    assert aimed.velocity == pytest.approx((0, 200, 400))
    assert aimed.target == (0, 100, 108)


def test_a_trigger_reserved_for_both_teams_is_a_fault():
    facts = read_entities(
        make_map(
            world(),
            thing("trigger_multiple", PAD, target="t", spawnflags="3"),
            thing("target_teleporter", targetname="t", target="d"),
            thing("info_notnull", targetname="d"),
        )
    )
    assert facts.teleports == ()
    assert facts.idle[0].fault


LIFT = Solid(1, ((0, 0, 0), (128, 64, 118)))
"""130 × 66 × 120 as the engine measures it."""


def test_plat_defaults():
    (plat,) = read_entities(make_map(world(), thing("func_plat", LIFT))).plats
    assert plat.height == 112  # 120 − lip 8
    assert plat.top == (0, 0, 0)
    assert plat.bottom == (0, 0, -112)
    assert plat.speed == 200
    assert plat.touch


def test_keys_override_the_defaults_of_a_plat():
    plat_map = make_map(world(), thing("func_plat", LIFT, height="300", speed="50", targetname="x", origin="8 0 0"))
    (plat,) = read_entities(plat_map).plats
    assert (plat.height, plat.top, plat.bottom, plat.speed, plat.touch) == (300, (8, 0, 0), (8, 0, -300), 50, False)


@pytest.mark.parametrize(("flags", "axis"), [("0", 2), ("1", 0), ("2", 1), ("3", 0)])
def test_spawnflags_choose_the_axis_of_a_bobbing_platform(flags, axis):
    (bob,) = read_entities(make_map(world(), thing("func_bobbing", LIFT, spawnflags=flags, origin="1 2 3"))).bobbings
    assert (bob.axis, bob.amplitude, bob.period, bob.phase, bob.middle) == (axis, 32, 4, 0, (1, 2, 3))


def corner(name: str, to: str, origin: str, **keys: str):
    """A path_corner."""
    return thing("path_corner", targetname=name, target=to, origin=origin, **keys)


def test_a_train_shuttles_between_two_stops():
    (train,) = read_entities(
        make_map(
            world(),
            thing("func_train", LIFT, target="a", origin="9 9 9"),
            corner("a", "b", "100 0 5", wait="3"),
            thing("target_speaker", targetname="b"),
            corner("b", "a", "420 0 5", speed="70"),
        )
    ).trains
    assert train.stops == ((100, 0, 5), (420, 0, 5))
    assert (train.speed, train.wait, train.back) == ((100, 70), (3, 0), 0)


def test_a_train_that_ends_never_starts():
    things = [thing("func_train", LIFT, target="a"), corner("a", "b", "0 0 0"), corner("b", "", "0 50 0")]
    (train,) = read_entities(make_map(world(), *things)).trains
    assert (len(train.stops), train.back) == (2, -1)
    assert movers(read_entities(make_map(world(), *things))) == ()


def test_a_train_may_return_to_a_later_stop_than_the_first():
    path = [corner("a", "b", "0 0 0"), corner("b", "c", "0 50 0", wait="1"), corner("c", "b", "0 90 0")]
    facts = read_entities(make_map(world(), thing("func_train", LIFT, target="a", speed="10"), *path))
    assert facts.trains[0].back == 1
    (mover,) = movers(facts)
    assert [(stop.offsets, stop.wait, stop.leg) for stop in mover.stops] == [
        (((0, 50, 0),), 1, 4),
        (((0, 90, 0),), 0, 4),
    ]
    assert (mover.round, mover.ride(0, 1), mover.ride(1, 0)) == (9, 4, 4)


def test_the_stops_of_a_train_are_limited():
    path = [corner(f"c{i}", f"c{i + 1}", f"{i} 0 0") for i in range(2 * MOST_STOPS)]
    (train,) = read_entities(make_map(world(), thing("func_train", LIFT, target="c0"), *path)).trains
    assert (len(train.stops), train.back) == (MOST_STOPS, -1)


def test_the_period_of_a_pendulum_comes_from_its_length():
    (pendulum,) = read_entities(make_map(world(), thing("func_pendulum", LIFT, angle="90", origin="1 2 3"))).pendulums
    assert (pendulum.pivot, pendulum.yaw, pendulum.amplitude) == ((1, 2, 3), 90, 30)
    length = 1  # the engine grows the box by a unit
    assert pendulum.period == pytest.approx(math.tau * math.sqrt(3 * max(length, 8) / 800))


@pytest.mark.parametrize(("flags", "axis"), [("0", 2), ("4", 0), ("8", 1)])
def test_rotating_brushes_turn_about_one_axis(flags, axis):
    (rotating,) = read_entities(make_map(world(), thing("func_rotating", LIFT, spawnflags=flags))).rotating
    assert (rotating.axis, rotating.speed) == (axis, 100)


def test_door_defaults():
    (door,) = read_entities(make_map(world(), thing("func_door", LIFT, angle="90"))).doors
    assert door.rest == (0, 0, 0)
    assert door.moved == (0, 58, 0)  # 66 − lip 8
    assert (door.speed, door.wait, door.touch, door.shot, door.start_open, door.team) == (
        400,
        2,
        True,
        False,
        False,
        "",
    )


def test_door_that_starts_open_rests_at_the_far_end():
    (door,) = read_entities(make_map(world(), thing("func_door", LIFT, angle="-2", lip="20", spawnflags="1"))).doors
    assert door.rest == (0, 0, -100)  # 120 − lip 20
    assert door.moved == (0, 0, 0)
    assert door.start_open


def test_doors_that_must_be_triggered_or_shot():
    shot, fired = read_entities(
        make_map(
            world(), thing("func_door", LIFT, health="5"), thing("func_door", LIFT, targetname="x", wait="-1", team="t")
        )
    ).doors
    assert (shot.touch, shot.shot) == (False, True)
    assert (fired.touch, fired.shot, fired.wait, fired.team) == (False, False, -1, "t")


def test_slanted_door_moves_by_the_projection_of_its_box():
    (door,) = read_entities(make_map(world(), thing("func_door", LIFT, angle="45", lip="0"))).doors
    # (130 + 66)·√½ along (√½, √½): 98 on both axes.
    assert door.moved == pytest.approx((98, 98, 0))


def test_a_button_fires_everything_that_its_relays_reach():
    (button,) = read_entities(
        make_map(
            world(),
            thing("func_button", LIFT, target="r", angle="180"),
            thing("target_relay", targetname="r", target="d"),
            thing("func_door", LIFT, targetname="d"),
        )
    ).buttons
    assert button.pressed == (-126, 0, 0)  # 130 − lip 4
    assert (button.speed, button.wait, button.shot) == (40, 1, False)
    assert button.fires == (2, 3)


def test_the_openers_of_a_door_do_not_include_relays():
    (door,) = read_entities(
        make_map(
            world(),
            thing("func_button", LIFT, target="r"),
            thing("target_relay", targetname="r", target="d"),
            thing("trigger_multiple", PAD, target="d"),
            thing("func_timer", target="d", spawnflags="1", wait="8"),
            thing("func_timer", target="d", wait="8"),
            thing("func_door", LIFT, targetname="d"),
        )
    ).doors
    assert [opener.row for opener in door.openers] == [1, 3, 4], "a timer that is not started does nothing"
    assert door.openers[2].every == 8.0


def test_delays_add_up_and_counters_multiply():
    (door,) = read_entities(
        make_map(
            world(),
            thing("func_button", LIFT, target="r"),
            thing("target_delay", targetname="r", target="s", wait="2"),
            thing("target_delay", targetname="s", target="t", delay="3"),
            thing("target_relay", targetname="t", target="d", count="2"),
            thing("func_door", LIFT, targetname="d"),
        )
    ).doors
    assert door.openers == (Opener(1, delay=5, times=2),)


@pytest.mark.parametrize(
    ("relay", "times"),
    [
        (("trigger_counter", {}), 2),
        (("trigger_counter", {"count": "3"}), 3),
        (("target_relay", {}), 1),
        (("target_relay", {"spawnflags": "4"}), 2),
    ],
)
def test_counters_count_to_two_and_random_relays_fire_one_of_their_targets(relay, times):
    kind, keys = relay
    (door,) = read_entities(
        make_map(
            world(),
            thing("func_button", LIFT, target="r"),
            thing(kind, targetname="r", target="d", **keys),
            thing("func_door", LIFT, targetname="d"),
            thing("target_print", targetname="d"),
        )
    ).doors
    assert door.openers == (Opener(1, times=times),)


def test_a_team_of_doors_of_which_one_has_a_name_does_not_open_by_itself():
    facts = read_entities(
        make_map(world(), thing("func_door", LIFT, team="t"), thing("func_door", LIFT, team="t", targetname="x"))
    )
    (team,) = movers(facts)
    assert (team.models, team.touch) == ((1, 2), False)


def test_move_directions_are_exact_on_axes():
    def direction(angle: str):
        return move_direction(Entity((("angle", angle),)))

    assert [direction(a) for a in ("0", "90", "180", "270", "-90", "-1", "-2", "360")] == [
        (1, 0, 0),
        (0, 1, 0),
        (-1, 0, 0),
        (0, -1, 0),
        (0, -1, 0),
        (0, 0, 1),
        (0, 0, -1),
        (1, 0, 0),
    ]
    assert direction("30") == pytest.approx((math.cos(math.pi / 6), 0.5, 0))


def test_absurd_numbers_stay_finite():
    facts = read_entities(
        make_map(
            world(),
            thing("trigger_push", PAD, target="t", origin="-1e308 0 0"),
            thing("info_notnull", targetname="t", origin="1e308 1e308 1e308"),
            thing("func_door", LIFT, lip="-1e308", angle="1e300"),
            thing("func_plat", LIFT, height="1e308"),
            thing("trigger_teleport", PAD, target="t"),
        )
    )
    numbers = [
        *facts.pushes[0].velocity,
        *facts.doors[0].moved,
        *facts.plats[0].bottom,
        *facts.teleports[0].destination,
    ]
    assert all(math.isfinite(n) and abs(n) < 1e6 for n in numbers)


def test_chains_of_entities_are_limited():
    many = [thing("trigger_multiple", PAD, target="a", targetname="a") for _ in range(2000)]
    facts = read_entities(make_map(world(), *many))
    assert len(facts.idle) == 2000
    buttons = [thing("func_button", LIFT, target="b") for _ in range(300)]
    relays = [thing("target_relay", targetname="b", target="b") for _ in range(3000)]
    assert {len(b.fires) for b in read_entities(make_map(world(), *buttons, *relays)).buttons} == {MOST_FIRED}
    doors = [thing("func_door", LIFT, targetname="b") for _ in range(300)]
    assert max(len(d.openers) for d in read_entities(make_map(world(), *buttons, *doors)).doors) == MOST_FIRED
