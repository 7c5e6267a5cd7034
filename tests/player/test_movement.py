"""Movement prediction compared with a slow twin on the brushes themselves and with closed forms, and its events."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from itertools import product
from math import exp, log, sqrt
from pathlib import Path

import numpy as np
import pytest

from aascompile.model.contents import Kind
from aascompile.player import move_kernel
from aascompile.player.movement import HAZARDS, Command, Event, Flag, Movement, Prediction, Predictions
from aascompile.sampling.sample import areas_at
from aascompile.settings import QUAKE3
from tests.conftest import ROOT
from tests.furniture import STONE, WATER, Text, turned
from tests.player.every_move import results
from tests.reach.rooms import HALF, Room, block, make_room, sample_room
from tests.reference.movement import Player, unit
from tests.sampling.test_sample import SAMPLES, compiled

NOTHING = Event(0)
EAST = (1.0, 0.0, 0.0)
STILL = (0.0, 0.0, 0.0)
KERNELS = ("sample", "body", "player", "move")
FRAME_TIMES = (0.008, 0.016, 0.025, 0.05, 0.1)
MOVING = ("elevator", "train", "static", "door", "bobbing_vertical", "bobbing_horizontal", "arch", "curve")
"""Samples whose collision is more than the world's brushes."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory) -> Room:
    """An empty room with its floor at z = 0: origins of standing players are at 24.125."""
    return make_room(tmp_path_factory.mktemp("hall"), lambda text: None)


def go(room: Room, start, velocity=STILL, wish=EAST, stop=NOTHING, speed=320.0, seconds=5.0, frame=0.025, **more):
    """One prediction; ``more`` belongs to the command or to the run."""
    ours = {name: more.pop(name) for name in ("jump", "crouch", "steer_to") if name in more}
    command = Command(wish=wish, speed=speed, **ours)
    return room.movement.predict(start, velocity, command, stop, max_time=seconds, frame_time=frame, **more)


# --- against the twin -------------------------------------------------------------------------------------------------


def twin(room: Room, start, velocity, wish, seconds: float, frame: float = 0.025, **more) -> Player:
    player = Player(room.world, np.array(start, float), np.array(velocity, float), **more)
    for _ in range(round(seconds / frame)):
        player.frame(unit(np.array(wish, float)) * 320, frame)
    return player


def assert_same(found: Prediction, player: Player) -> None:
    assert np.allclose(found.end, player.at, atol=0.1)
    assert np.allclose(found.velocity, player.velocity, atol=1.0)
    assert found.on_ground == player.walks
    assert found.water_level == player.level
    if player.landings:
        assert found.land_speed == pytest.approx(player.landings[-1], abs=1.0)


@pytest.mark.parametrize(
    ("name", "start", "velocity", "wish", "seconds", "more"),
    [
        ("stairs", (-280, 0, 24.125), STILL, EAST, 2.0, {}),
        ("stairs", (280, 10, 152.125), STILL, (-1, 0.2, 0), 2.0, {}),
        ("ledge", (-200, 0, 120.125), STILL, (1, 0.1, 0), 2.0, {}),
        ("hole", (-200, 0, 24.125), STILL, EAST, 2.0, {}),
        ("gap", (-80, 0, 24.125), (320, 0, 0), EAST, 1.5, {"jump": True}),
        ("gap", (-80, 30, 24.125), (320, 0, 0), (1, 0.3, 0), 1.5, {"jump": True}),
        ("ramp_shallow", (-200, 0, 24.125), STILL, EAST, 2.0, {}),
        ("ramp_shallow", (230, 0, 152.125), STILL, (-1, 0.2, 0), 2.0, {}),
        ("ramp_steep", (-280, 0, 24.125), STILL, EAST, 3.0, {}),
        ("ramp_steep", (280, 0, 152.125), STILL, (-1, 0, 0), 2.0, {}),
        ("barrier", (-40, 0, 24.125), STILL, EAST, 1.5, {"jump": True}),
        ("barrier_high", (-40, 0, 24.125), STILL, EAST, 1.5, {"jump": True}),
        ("crouch", (-200, 0, 24.125), STILL, EAST, 2.0, {}),
        ("crouch", (-200, 0, 24.125), STILL, EAST, 5.0, {"crouch": True}),
        ("slanted", (0, -100, 24.125), STILL, (0.2, 1, 0), 3.0, {}),
        ("wedge", (0, -100, 24.125), STILL, (0.2, 1, 0), 3.0, {}),
        ("pool_steps", (-200, 0, 24.125), STILL, (1, 0, 0.4), 5.0, {}),
        ("pool_deep", (-200, 0, 24.125), STILL, EAST, 4.0, {}),
        ("pool_deep", (0, 0, -20), STILL, STILL, 2.0, {}),
        ("pool_deep", (0, 0, -60), STILL, (1, 0, 0.5), 3.0, {}),
        ("swim", (-200, 0, 24.125), STILL, (1, 0, -1), 4.0, {}),
    ],
)
def test_predictions_agree_with_the_twin(name, start, velocity, wish, seconds, more):
    room = sample_room(name)
    found = go(room, start, velocity, wish, seconds=seconds, **more)
    assert_same(found, twin(room, start, velocity, wish, seconds, **more))


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in MOVING])
def test_predictions_from_random_starts_agree_with_the_twin(name):
    room = sample_room(name)
    areas = room.areas
    dice = np.random.default_rng(len(name))
    for case in range(8):
        area = dice.integers(0, len(areas))
        start = dice.uniform(areas.area_mins[area], areas.area_maxs[area])
        at = room.area_at(*start)
        if at < 0 or not areas.area_presence[at] & 2:
            continue
        wish = (*dice.normal(size=2), dice.normal() * (case % 2))
        velocity = dice.normal(size=3) * 200 * (case % 3)
        found = go(room, tuple(start), tuple(velocity), wish, seconds=1.0, jump=case % 4 == 0)
        assert_same(found, twin(room, found_start(room, start), velocity, wish, 1.0, jump=case % 4 == 0))


def found_start(room: Room, start: np.ndarray) -> tuple[float, float, float]:
    """Where a prediction really starts: as high above the ground as a standing player."""
    return go(room, tuple(start), seconds=0.0).end


# --- closed forms -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", FRAME_TIMES)
def test_a_jump_is_a_parabola(hall, frame):
    found = go(hall, (0, 0, 24), (320, 0, 0), stop=Event.LANDED, frame=frame, jump=True)
    assert found.stopped == Event.LANDED
    # 2·270/800 s at 320 units/s; the frame of the landing counts in full.
    assert 0.675 - 1e-9 <= found.time <= 0.675 + 2 * frame
    assert 216 - 1e-6 <= found.end[0] <= 216 + 2 * 320 * frame
    assert found.land_speed == pytest.approx(270, abs=1)
    highest = 270**2 / 1600
    assert highest - 800 * (frame / 2) ** 2 / 2 - 0.2 <= found.fall <= highest + 1e-6


def test_a_jump_rises_to_the_height_of_the_closed_form(hall):
    assert go(hall, (0, 0, 24), wish=STILL, stop=Event.LANDED, frame=0.001, jump=True).fall == pytest.approx(
        45.5625, abs=0.01
    )


@pytest.mark.parametrize(("height", "damage"), [(50, 0), (240, 0), (260, 5), (370, 5), (380, 10), (1000, 10)])
def test_a_fall_takes_its_time_and_hurts(hall, height, damage):
    found = go(hall, (0, 0, 24.125 + height), wish=STILL, stop=Event.LANDED, frame=0.005)
    assert sqrt(2 * height / 800) <= found.time + 1e-9 <= sqrt(2 * height / 800) + 0.01
    assert found.land_speed == pytest.approx(sqrt(1600 * height), abs=0.5)
    assert found.fall == pytest.approx(height, abs=0.1)
    assert found.damage == damage
    assert found.end[:2] == (0, 0)


def test_acceleration_follows_the_closed_form(hall):
    """Below 100 units/s friction is as strong as at 100; above, v' = 3200 − 6 v."""
    top = 3200 / 6
    moment = 100 / (3200 - 600) + log((top - 100) / (top - 320)) / 6
    assert moment == pytest.approx(0.157, abs=0.001)
    early = go(hall, (0, 0, 24), seconds=moment - 0.02, frame=0.001).velocity[0]
    assert early == pytest.approx(top - (top - 320) * exp(6 * 0.02), abs=1.5)
    assert go(hall, (0, 0, 24), seconds=moment + 0.003, frame=0.001).velocity[0] == pytest.approx(320)
    for frame in FRAME_TIMES:
        assert go(hall, (0, 0, 24), seconds=1.0, frame=frame).velocity[0] == pytest.approx(320)
    assert go(hall, (0, 0, 24), speed=200.0, seconds=1.0).velocity[0] == pytest.approx(200)
    assert go(hall, (0, 0, 24), seconds=1.0, crouch=True).velocity[0] == pytest.approx(100)


def test_friction_follows_the_closed_form(hall):
    """From 320 to 100 units/s in (320 − 100)/6 units, then at 600 units/s²."""
    found = go(hall, (0, 0, 24), (320, 0, 0), STILL, seconds=2.0, frame=0.001)
    assert found.velocity == STILL
    assert found.end[0] == pytest.approx(220 / 6 + 100**2 / 1200, abs=0.5)


def test_a_slope_costs_no_speed():
    found = go(sample_room("ramp_shallow"), (-200, 0, 24), seconds=1.0)
    assert found.on_ground
    assert np.linalg.norm(found.velocity) == pytest.approx(320, rel=1e-3)
    assert found.velocity[2] == pytest.approx(320 * sqrt(0.2), rel=1e-3)


def test_air_control_follows_the_closed_form(hall):
    """An acceleration of one per second for each unit of speed: 320 units/s² sideways, otherwise a parabola."""
    found = go(hall, (0, 0, 1000), (300, 0, 0), (0, 1, 0), seconds=0.5)
    assert found.velocity == pytest.approx((300, 160, -400))
    assert found.end[0] == pytest.approx(150)
    assert found.end[2] == pytest.approx(1000 - 100)
    # No faster than the wish: 320 units/s in its direction.
    assert go(hall, (0, 0, 2000), STILL, EAST, seconds=1.5).velocity[0] == pytest.approx(320)


def test_players_slide_along_a_rotated_wall(tmp_path):
    room = make_room(tmp_path, lambda text: text.solid(*[turned(300, 0, 100, 100)] * 2, (0, 1000), STONE))
    # The expanded wall from (100, 0) to (300, −200), hit in flight from the west.
    found = go(room, (0, -60, 600), (320, 0, 0), STILL, Event.BUMP)
    assert found.stopped == Event.BUMP
    assert found.velocity[0] == pytest.approx(160, abs=0.5)
    assert found.velocity[1] == pytest.approx(-160, abs=0.5)
    later = go(room, (0, -60, 600), (320, 0, 0), STILL, seconds=0.8)
    moved = np.array(later.end) - found.end
    assert moved[1] == pytest.approx(-moved[0], abs=0.5)
    # The player does not slide along its corner.
    assert go(room, (0, 0, 24), seconds=2.0).stopped == Event.TIME


@pytest.mark.parametrize(("height", "climbed"), [(8, True), (16, True), (18, True), (18.5, False), (19, False)])
def test_steps_are_climbed_up_to_the_step_height(tmp_path, height, climbed):
    room = make_room(tmp_path, block(height))
    for frame in FRAME_TIMES:
        found = go(room, (-200, 0, 24), stop=Event.STUCK, seconds=2.0, frame=frame)
        assert (found.stopped == Event.STUCK) is not climbed
        assert found.end[2] == pytest.approx(24.125 + (height if climbed else 0), abs=0.13)
        assert bool(found.seen & Event.BUMP) is not climbed
        assert (found.end[0] > 100) is climbed


@pytest.mark.parametrize(("height", "reached"), [(32, True), (56, True), (60, True), (64, False), (80, False)])
def test_a_jump_reaches_a_step_higher(tmp_path, height, reached):
    """From up to three units in front of the ledge, at every frame time."""
    room = make_room(tmp_path, block(height))
    for frame, before in product(FRAME_TIMES, (0.125, 1.0, 3.0)):
        found = go(room, (-15 - before, 0, 24), seconds=1.5, frame=frame, jump=True)
        assert (found.end[2] > 24 + height) is reached
        assert found.on_ground


def test_a_rising_player_does_not_climb_a_step(tmp_path):
    """Not with air below: the ledge is not climbed until the jump is less than a step below its edge."""
    room = make_room(tmp_path, block(40))
    found = go(room, (-16, 0, 24), stop=Event.LANDED, jump=True)
    assert found.seen & Event.BUMP
    assert found.end[2] == pytest.approx(64.125, abs=0.01)
    assert found.time > 270 / 800  # not before the highest point


def test_a_crouching_player_passes_below_and_stands_up_behind(tmp_path):
    room = make_room(tmp_path, lambda text: text.box((0, -HALF, 48), (64, HALF, 1000), STONE))
    stopped = go(room, (-100, 0, 24), stop=Event.STUCK, seconds=3.0)
    assert stopped.stopped == Event.STUCK
    assert stopped.end[0] == pytest.approx(-15.125, abs=0.01)
    through = go(room, (-100, 0, 24), seconds=3.0, crouch=True)
    assert through.end[0] == pytest.approx(-100 + 300 - 9, abs=3)  # the player first has to accelerate
    # The player stays crouched below it, whatever the wish, and stands up behind it.
    risen = go(room, (30, 0, 24), seconds=3.0)
    assert risen.end[0] > 79
    assert risen.velocity[0] == pytest.approx(320)
    assert go(room, (30, 0, 24), seconds=0.4).velocity[0] == pytest.approx(100)


# --- liquid -----------------------------------------------------------------------------------------------------------


def pool(text: Text) -> None:
    """Water 500 deep over the whole floor."""
    text.box((-HALF, -HALF, 0), (HALF, HALF, 500), WATER)


@pytest.fixture(scope="module")
def lake(tmp_path_factory) -> Room:
    return make_room(tmp_path_factory.mktemp("lake"), pool)


@pytest.mark.parametrize(
    ("z", "crouch", "level"),
    [(525, False, 0), (524 - 2, False, 1), (500, False, 1), (498, False, 2), (475, False, 2), (473, False, 3),
     (507, True, 1), (505, True, 2), (489, True, 2), (487, True, 3), (100, False, 3)],
)  # fmt: skip
def test_water_levels_are_feet_waist_and_eyes(lake, z, crouch, level):
    """Feet are 24 below the origin; the waist is 25 above them, the eyes 50; crouched 18 and 36."""
    found = go(lake, (0, 0, z), wish=STILL, seconds=0.0, crouch=crouch)
    assert found.water_level == level


def test_a_player_swims_or_sinks(lake):
    for wish in (EAST, (0, 0, 1), (0.6, 0, -0.8)):
        found = go(lake, (0, 0, 250), wish=wish, seconds=1.0)
        assert np.allclose(found.velocity, np.array(wish) * 150)
    sunk = go(lake, (0, 0, 250), wish=STILL, seconds=1.5)
    assert sunk.velocity == pytest.approx((0, 0, -60))
    assert sunk.end[2] == pytest.approx(250 - 90, abs=15)


def test_falling_into_water_is_an_event(lake):
    found = go(lake, (0, 0, 800), wish=STILL, stop=Event.LIQUID)
    assert found.stopped == Event.LIQUID
    assert found.end[2] == pytest.approx(524, abs=0.2)  # the feet are at 500
    assert found.time == pytest.approx(sqrt(2 * 276 / 800), abs=0.01)
    assert found.area == lake.area_at(0, 0, 100)
    swims = go(lake, (0, 0, 800), wish=STILL, stop=Event.SWIM)
    assert swims.water_level >= 2
    assert swims.time > found.time
    assert swims.damage == 0


def test_a_player_jumps_out_of_the_water():
    """The pool's rim is 16 above the water: a swimmer who pushes against it jumps onto it."""
    room = sample_room("pool_deep")
    found = go(room, (0, 0, -60), wish=(1, 0, 0.5), stop=Event.LANDED)
    assert found.stopped == Event.LANDED
    assert found.seen & Event.WATER_JUMP
    assert found.seen & Event.LEFT_LIQUID
    assert found.end[2] == pytest.approx(24.125, abs=0.01)
    assert found.on_ground
    # Below the surface, without a wish to go up, the wall is just a wall.
    assert not go(room, (0, 0, -100), seconds=3.0).seen & Event.WATER_JUMP


@pytest.mark.parametrize(("rim", "out"), [(8, True), (16, True), (24, False), (40, False)])
def test_a_water_jump_needs_a_bank_of_the_right_height(tmp_path, rim, out):
    """Afloat at the surface (the waist just under water), a bank is 4 to 20 units above the origin."""

    def fill(text: Text) -> None:
        text.box((0, -HALF, 0), (HALF, HALF, 400 + rim), STONE)
        text.box((-HALF, -HALF, 0), (0, HALF, 400), WATER)

    room = make_room(tmp_path, fill)
    found = go(room, (-100, 0, 380), wish=(1, 0, 0.4), seconds=4.0)
    assert (found.end[2] > 400 + rim) is out


# --- events -----------------------------------------------------------------------------------------------------------


def test_leaving_the_ground_and_landing_are_events():
    room = sample_room("ledge")
    left = go(room, (-200, 0, 120), stop=Event.LEFT_GROUND)
    assert left.stopped == Event.LEFT_GROUND
    assert left.area != room.area_at(-200, 0, 121)
    landed = go(room, (-200, 0, 120), stop=Event.LANDED)
    assert landed.fall == pytest.approx(96, abs=0.3)
    assert landed.seen & Event.LEFT_GROUND
    assert landed.damage == 0


def test_a_gap_is_an_event():
    room = sample_room("ledge")
    assert go(room, (-200, 0, 120), stop=Event.GAP, gap_depth=90.0).stopped == Event.GAP
    assert not go(room, (-200, 0, 120), stop=Event.GAP, gap_depth=100.0, seconds=1.0).seen & Event.GAP
    pool = sample_room("pool_deep")
    assert go(pool, (-200, 0, 24), stop=Event.GAP, gap_depth=40.0, seconds=1.5).stopped == Event.TIME


def test_entering_and_standing_in_the_goal_area_are_events():
    room = sample_room("gap")
    east = room.area_at(200, 0, 25)
    entered = go(room, (-80, 0, 24), (320, 0, 0), stop=Event.AREA, goal_area=east, jump=True)
    assert entered.stopped == Event.AREA
    assert entered.area == east == room.area_at(*entered.end)
    assert entered.end[0] == pytest.approx(room.areas.area_mins[east, 0] + 0.125, abs=0.01)
    assert not entered.on_ground
    stood = go(room, (-80, 0, 24), (320, 0, 0), stop=Event.AREA_GROUND, goal_area=east, jump=True)
    assert stood.stopped == Event.AREA_GROUND
    assert stood.on_ground
    assert stood.area == east
    assert stood.time > entered.time
    marks = np.zeros(len(room.areas), np.uint8)
    marks[east] = 1
    marked = go(room, (-80, 0, 24), (320, 0, 0), stop=Event.MARKED, jump=True, marks=marks)
    assert marked.stopped == Event.MARKED
    assert marked.end == entered.end


def test_the_path_is_recorded():
    room = sample_room("gap")
    found = go(room, (-80, 0, 24), (320, 0, 0), stop=Event.LANDED, jump=True, track=True)
    assert found.path_area[0] == room.area_at(-80, 0, 25)
    assert found.path_area[-1] == found.area
    assert (np.diff(found.path_point[:, 3]) > 0).all()
    assert (areas_at(room.movement.tree, found.path_point[:, :3]) == found.path_area).all()
    assert len(go(room, (-80, 0, 24), stop=Event.LANDED).path_area) == 0


@pytest.mark.parametrize(
    ("name", "kind", "event"),
    [
        ("lava", Kind.LAVA, Event.LAVA),
        ("hurt", Kind.HURT, Event.HURT),
        ("jumppad", Kind.JUMPPAD, Event.JUMP_PAD),
        ("teleporter", Kind.TELEPORTER, Event.TELEPORTER),
        ("donotenter", Kind.DONOTENTER, Event.DO_NOT_ENTER),
        ("pool_deep", Kind.WATER, Event.LIQUID),
    ],
)
def test_entering_an_area_with_special_contents_is_an_event(name, kind, event):
    """Falling or walking into the middle of such an area, from above or from the side."""
    room = sample_room(name)
    areas = room.areas
    for area in np.flatnonzero(areas.area_contents & np.uint32(kind)):
        middle = areas.area_centre[area]
        for offset in ((0, 0, 60), (0, 0, 150), (90, 0, 0), (-90, 0, 0), (0, 90, 0), (0, -90, 0)):
            start = middle + offset
            at = room.area_at(*start)
            if at >= 0 and areas.area_presence[at] & 2 and not areas.area_contents[at] & np.uint32(kind):
                found = go(room, tuple(start), steer_to=tuple(middle), stop=event, seconds=2.0)
                if found.stopped == event:
                    assert areas.area_contents[found.area] & np.uint32(kind)
                    assert areas_at(room.movement.tree, found.end)[0] == found.area
                    return
    pytest.fail("never noticed")


def test_a_player_reaches_the_goal_and_stays_there(hall):
    for goal in ((300, 0, 24), (100, 250, 24), (-40, -40, 24)):
        found = go(hall, (0, 0, 24), steer_to=goal, stop=Event.GOAL)
        assert found.stopped == Event.GOAL
        assert np.hypot(found.end[0] - goal[0], found.end[1] - goal[1]) <= 4
        stays = go(hall, (0, 0, 24), steer_to=goal, seconds=4.0)
        assert np.hypot(stays.end[0] - goal[0], stays.end[1] - goal[1]) <= 4


def test_a_flight_can_be_steered(hall):
    """In two seconds of flight from a pad the player can land anywhere within reach: 320 units/s² sideways."""
    for goal, velocity in product(
        ((150.0, 100.0, 24.0), (-200.0, 0.0, 24.0), (0.0, 20.0, 24.0)), ((0, 0, 800), (100, 0, 800), (0, -200, 800))
    ):
        found = go(hall, (0, 0, 24), velocity, steer_to=goal, stop=Event.LANDED)
        assert found.time == pytest.approx(2.0, abs=0.05)
        assert np.hypot(found.end[0] - goal[0], found.end[1] - goal[1]) < 12
    far = go(hall, (0, 0, 24), (0, 0, 800), steer_to=(900.0, 0.0, 24.0), stop=Event.LANDED)
    # At full acceleration: 320 units/s after a second, then no faster.
    assert far.end[0] == pytest.approx(160 + 320, abs=15)


def test_a_ceiling_ends_a_jump(tmp_path):
    room = make_room(tmp_path, lambda text: text.box((-100, -100, 72), (100, 100, 88), STONE))
    found = go(room, (0, 0, 24), wish=STILL, stop=Event.LANDED, jump=True)
    assert found.seen & Event.HEAD
    # The frame that hits it ends where it began, as in the game.
    assert 12 < found.fall < 72 - 56
    assert found.time < 0.4


def test_a_start_in_solid_ends_the_prediction(hall):
    found = go(hall, (0, 0, -8))
    assert found.stopped == found.seen == Event.START_SOLID
    assert found.area == -1
    assert found.end == (0, 0, -8)
    # A start half a unit deep was meant to be on the ground.
    assert go(hall, (0, 0, 23.5), seconds=0.5).stopped == Event.TIME


def test_a_player_without_a_wish_stands_still(hall):
    found = go(hall, (5, 6, 24), wish=STILL, seconds=1.0)
    assert found.end == (5, 6, 24.125)
    assert found.seen == found.stopped == Event.TIME
    assert found.frames == 40
    assert found.time == pytest.approx(1.0)


# --- always -----------------------------------------------------------------------------------------------------------


def random_batch(room_areas, count: int, seed: int) -> dict[str, np.ndarray]:
    dice = np.random.default_rng(seed)
    area = dice.integers(0, len(room_areas), count)
    return {
        "starts": dice.uniform(room_areas.area_mins[area], room_areas.area_maxs[area]),
        "velocities": dice.normal(size=(count, 3)) * 250,
        "wishes": dice.normal(size=(count, 3)),
        "speed": dice.choice([0.0, 100.0, 320.0], count),
        "flags": dice.choice([0, Flag.JUMP, Flag.CROUCH, Flag.JUMP | Flag.CROUCH], count).astype(np.uint32),
    }


def assert_free(areas, tree, found: Predictions, flags: np.ndarray) -> None:
    begun = (found.stopped & np.uint32(Event.START_SOLID)) == 0
    assert begun.any()
    assert (areas_at(tree, found.end[begun]) == found.area[begun]).all()
    assert (found.area[begun] >= 0).all()
    assert np.isfinite(found.end).all()
    assert np.isfinite(found.velocity).all()


@pytest.mark.parametrize("name", SAMPLES)
def test_no_prediction_ends_in_solid(name):
    room = sample_room(name)
    batch = random_batch(room.areas, 200, 3)
    found = room.movement.predict_many(**batch, stop=NOTHING, max_time=1.5)
    assert_free(room.areas, room.movement.tree, found, batch["flags"])


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["aggressor", "oa_dm7"])
def test_no_prediction_ends_in_solid_in_real_maps(corpus, name):
    areas = compiled(corpus / f"{name}.bsp").areas
    movement = Movement(areas, QUAKE3)
    batch = random_batch(areas, 2000, 4)
    for frame in (0.01, 0.05):
        found = movement.predict_many(**batch, stop=HAZARDS, max_time=2.0, frame_time=frame)
        assert_free(areas, movement.tree, found, batch["flags"])
        hazard = (found.stopped & np.uint32(HAZARDS)) != 0
        kinds = np.uint32(Kind.LAVA | Kind.SLIME | Kind.HURT)
        assert ((areas.area_contents[found.area[hazard]] & kinds) != 0).all()


def test_threads_and_order_change_nothing():
    room = sample_room("slanted")
    batch = random_batch(room.areas, 1500, 5)
    single, double = (
        room.movement.predict_many(**batch, stop=Event.LANDED, max_time=1.0, threads=threads) for threads in (1, 2)
    )
    back = room.movement.predict_many(
        **{name: rows[::-1].copy() for name, rows in batch.items()}, stop=Event.LANDED, max_time=1.0
    )
    for name in Predictions.__slots__:
        assert np.array_equal(getattr(single, name), getattr(double, name)), name
        assert np.array_equal(getattr(single, name), getattr(back, name)[::-1]), name


def test_a_run_that_begins_where_the_last_one_ended_is_as_any_other():
    """A mover remembers the ground below the place where it is. Steps one after the other by new movers are the same as
    all steps by one mover."""
    room = sample_room("stairs")
    command, limits = Command(wish=EAST), {"stop": NOTHING, "max_time": 0.1, "frame_time": 0.05}
    places = [((-192.0, 0.0, 24.125), STILL)]
    for _ in range(40):
        found = Movement(room.areas, QUAKE3).predict(*places[-1], command, **limits)
        places.append((found.end, found.velocity))
    batch = room.movement.predict_many(*map(list, zip(*places[:-1], strict=True)), EAST, 320.0, 0, **limits)
    assert batch.end.tolist() == [list(place) for place, _ in places[1:]]
    assert batch.velocity.tolist() == [list(velocity) for _, velocity in places[1:]]
    assert batch.end[-1, 2] > 100  # it climbed the stairs


def test_lent_movers_share_samplers_but_not_at_the_same_time():
    movement = sample_room("stairs").movement
    with movement.lent_mover() as first, movement.lent_mover() as second:
        assert first.sampler is not second.sampler
        both = {id(first.sampler), id(second.sampler)}
    with movement.lent_mover() as third, movement.lent_mover() as fourth:
        assert {id(third.sampler), id(fourth.sampler)} == both


def test_the_kernel_and_the_enums_have_the_same_numbers():
    flags, events = move_kernel.bits()
    assert flags == {flag.name: flag.value for flag in Flag}
    assert events == {event.name: event.value for event in Event}


@pytest.mark.parametrize("name", ["stairs", "pool_deep", "slanted", "crouch"])
def test_the_uncompiled_kernel_gives_the_same_results(name, tmp_path: Path) -> None:
    """The same files as plain Python give bit-identical results."""
    shutil.copytree(
        ROOT / "aascompile",
        tmp_path / "aascompile",
        ignore=shutil.ignore_patterns(*(f"{kernel}_kernel*.so" for kernel in KERNELS), "__pycache__"),
    )
    compiled_areas, out = tmp_path / "areas.pickle", tmp_path / "results.npz"
    compiled_areas.write_bytes(pickle.dumps(sample_room(name).areas))
    subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.player.every_move", str(compiled_areas), str(out)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))},
        check=True,
        timeout=300,
    )
    with np.load(out) as found:
        assert Path(str(found["kernel"])) == tmp_path / "aascompile" / "player" / "move_kernel.py"
        for column, rows in results(sample_room(name).areas).items():
            assert np.array_equal(found[column], rows), column
