"""Steering in the air, compared with the game's own movement."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aascompile.player.flight import FRAME, LANDS, LONGEST, fall_time, gain, steady_wish
from aascompile.settings import QUAKE3
from tests.reach.carrying import sample

PHYSICS = QUAKE3.physics


def test_the_fall_time_is_the_later_root():
    rise = np.array((0.0, 100.0, 225.0, 226.0, -175.0))
    seconds = fall_time(rise, 600.0, PHYSICS)
    assert seconds == pytest.approx((1.5, (600 + np.sqrt(200000)) / 800, 0.75, -1, 1.75))
    down = seconds > 0
    assert 600 * seconds[down] - 400 * seconds[down] ** 2 == pytest.approx(rise[down])


def test_gain_from_rest_is_half_the_acceleration_times_the_square_of_time():
    error = np.array([(500.0, 0.0), (0.0, -500.0)])
    # 320 units gained in the first second; then it goes on at 320 units/s.
    assert gain(error, np.zeros(2), np.array((0.5, 2.0)), 320.0, PHYSICS) == pytest.approx((40, 160 + 320))
    assert gain(error, np.zeros(2), np.array((0.5, 2.0)), 100.0, PHYSICS) == pytest.approx((12.5, 50 + 100))


def test_nothing_is_gained_where_players_do_not_steer_in_the_air():
    """The setting may be 0. Warnings are errors in tests: the quotient by it overflowed."""
    still = replace(PHYSICS, air_accelerate=0.0)
    gained = gain(np.array([(100.0, 0.0), (0.0, 1e6)]), np.zeros(2), np.array((0.5, 60.0)), 1e4, still)
    assert gained == pytest.approx((0.0, 0.0), abs=1e-30)


def test_a_wish_gains_nothing_in_a_direction_that_is_already_fast_enough():
    error = np.array([(100.0, 0.0), (-100.0, 0.0)])
    back_and_forth = gain(error, np.array((400.0, 0.0)), np.ones(2), 320.0, PHYSICS)
    assert back_and_forth == pytest.approx((0, 160)), "but it can be braked"


@given(st.floats(-300, 300), st.floats(-300, 300), st.floats(-200, 200), st.floats(-200, 200), st.floats(0.2, 3))
def test_a_steady_wish_corrects_as_much_as_possible(x, y, u, v, seconds):
    error, velocity, time = np.array([(x, y)]), np.array((u, v)), np.array((seconds,))
    wish, speed = steady_wish(error, velocity, time, PHYSICS)
    assert wish.tolist() == [[x, y, 0]]
    assert 0 <= speed[0] <= PHYSICS.walk_speed
    most, need = gain(error, velocity, time, PHYSICS.walk_speed, PHYSICS)[0], np.hypot(x, y)
    got = gain(error, velocity, time, speed, PHYSICS)[0]
    assert got == pytest.approx(min(most, need), abs=0.5) or got < need <= most + 0.5


@pytest.mark.parametrize(("x", "y"), [(60, 0), (-40, 50), (0, -70), (5, 5)])
def test_prediction_lands_where_the_closed_form_says(x, y):
    room = sample("jumppad")
    start, velocity = np.array((-192.0, 0.0, 60.0)), np.array((20.0, -10.0, 500.0))
    seconds = fall_time(np.array((24.125 - 60,)), 500.0, PHYSICS)
    free = start[:2] + velocity[:2] * seconds[0]
    wish, speed = steady_wish(np.array([(x, y)], float), velocity[:2], seconds, PHYSICS)
    found = room.movement.predict_many(start, velocity, wish, speed, 0, LANDS, max_time=LONGEST, frame_time=FRAME)
    assert found.on_ground[0]
    assert found.end[0, :2] == pytest.approx(free + np.array((x, y)), abs=8)
