"""Circle and strafe jumps: speeds as the physics predicts, run-ups as the twin works them out, jumps over a gap."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import sqrt

import numpy as np
import pytest

from aascompile.model.links import Tier, Travel
from aascompile.player.movement import Movement
from aascompile.player.reason import Reason
from aascompile.player.strafe import MOST_HOPS, NO_AREAS, RUN, STRAIGHT, hops_of, level_run_ups, take_fast
from aascompile.player.strafe_kernel import Strafer
from aascompile.settings import QUAKE3
from tests.reach.rooms import STONE, Room, make_room
from tests.reference.strafing import run_up, turned_on_ground

FRAME, SPEED = 0.008, 320.0
HOP = 85
"""Frames of a hop: 2 · 270 / 800 s, rounded up."""


def predicted(before: float, frames: int, rate: float) -> float:
    """Speed after frames at the best angle without friction: in each the square grows by g · (2 · 320 − g), where g is
    what a frame adds."""
    gain = rate * FRAME * SPEED
    return sqrt(before**2 + frames * gain * (2 * SPEED - gain))


def test_turning_on_the_ground_leads_to_the_balance_with_friction():
    gain, left = 10 * FRAME * SPEED, 1 - 6 * FRAME
    balance = sqrt(gain * (2 * SPEED - gain) / (1 - left**2))
    assert balance == pytest.approx(409.7, abs=0.1)
    _, velocity = turned_on_ground()
    assert 0.98 * balance < abs(velocity) < balance


def test_a_circle_jump_from_a_standstill_gives_400_to_440():
    assert 400 < level_run_ups(QUAKE3.physics)[1][0] < 440


def test_every_hop_gains_as_the_physics_predicts():
    speeds = level_run_ups(QUAKE3.physics)[1]
    assert len(speeds) == MOST_HOPS + 1
    for before, after in pairwise(speeds):
        assert after == pytest.approx(predicted(before, HOP, 1.0), abs=4.0)


@pytest.mark.parametrize("hops", range(MOST_HOPS + 1))
def test_run_ups_are_those_of_the_twin(hops):
    found = [column[hops] for column in Strafer(None, NO_AREAS, QUAKE3.physics).level()]
    assert found == pytest.approx(run_up(hops), abs=1e-6)


def test_hops_by_tier_and_speed():
    tiers = np.array([Tier.RUNNING, Tier.CIRCLE, Tier.STRAFE, Tier.STRAFE, Tier.STRAFE])
    needed = np.array([300.0, 430.0, 400.0, 500.0, 700.0])
    assert hops_of(tiers, needed, QUAKE3.physics).tolist() == [
        [RUN, RUN, 0], [0, 0, 0], [1, MOST_HOPS, 0], [1, MOST_HOPS, 0], [3, MOST_HOPS, 0]
    ]  # fmt: skip


@pytest.fixture(scope="module")
def gap(tmp_path_factory) -> Room:
    """A platform 600 units long and a gap of 300, over a floor far below."""

    def fill(text) -> None:
        text.box((-900, -400, 0), (-300, 400, 512), STONE)
        text.box((0, -400, 0), (600, 400, 512), STONE)

    return make_room(tmp_path_factory.mktemp("gap"), fill)


def jump(room: Room, tier: Tier, needed: float, movement: Movement | None = None):
    """A jump over the gap: from 15 past the western rim to 15 before the eastern one."""
    start, end = (-285.125, 0.0, 536.125), (-10.0, 0.0, 536.0)
    source, target = room.area_at(-290, 0, 537), room.area_at(-10, 0, 537)
    number = np.array([[source, target, Travel.STRAFE_JUMP]])
    hops = hops_of(np.array([tier]), np.array([needed]), QUAKE3.physics)
    return take_fast(room.areas, movement or room.movement, number, np.array([[*start, *end]]), hops)


def test_a_circle_jump_crosses_what_a_run_does_not(gap):
    ran = jump(gap, Tier.RUNNING, 0.0)
    assert ran.why[0] != Reason.ARRIVES
    assert np.hypot(*ran.velocity[0, :2]) == pytest.approx(320, abs=4)
    assert ran.room[0] == pytest.approx(STRAIGHT)
    turned = jump(gap, Tier.CIRCLE, 400.0)
    assert turned.why[0] == Reason.ARRIVES
    assert 400 < np.hypot(*turned.velocity[0, :2]) < 440
    assert turned.velocity[0, 2] == pytest.approx(270)
    assert turned.point[0, 0] == pytest.approx(-285, abs=6), "it jumps at the rim"
    assert turned.room[0] < 120


def test_a_strafe_jump_leaves_the_rim_as_fast_as_on_a_level_floor(gap):
    hopped = jump(gap, Tier.STRAFE, 500.0)
    assert hopped.why[0] == Reason.ARRIVES
    assert hopped.hops[0] == 1
    assert np.hypot(*hopped.velocity[0, :2]) == pytest.approx(level_run_ups(QUAKE3.physics)[1][1], abs=6)
    assert -310 < hopped.point[0, 0] < -285


def test_without_room_there_is_no_strafe_jump(gap):
    assert jump(gap, Tier.STRAFE, 650.0).why[0] == Reason.START_BLOCKED


def test_without_acceleration_in_the_air_there_is_nothing_to_gain(gap):
    still = replace(QUAKE3, physics=replace(QUAKE3.physics, air_accelerate=0.0))
    assert np.ptp(level_run_ups(still.physics)[1]) == pytest.approx(0.0, abs=1e-9)
    assert jump(gap, Tier.CIRCLE, 400.0, Movement(gap.areas, still)).why[0] == Reason.ARRIVES, "405 are enough"
