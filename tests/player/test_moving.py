"""Movers in time: where boxes that move or turn are at a moment, and where their floors are."""

from __future__ import annotations

import math

import numpy as np
import pytest

from aascompile.geometry.turning import turned
from aascompile.player.moving import Moving, Pose

WIDE = np.array((15.0, 15.0))


def turning(axis: int, turns: list[float], arm: tuple[float, float, float], yaw: float = 0.0, swings=False) -> Moving:
    """A box 200 × 60 × 16 whose middle is at an arm from the pivot (100 50 8), turned about an axis."""
    middle = [np.array((100.0, 50.0, 8.0)) + turned(np.array([arm]), axis, turn, yaw)[0] for turn in turns]
    angles = np.zeros((len(turns), 3))
    angles[:, 2] = yaw
    angles[:, axis] += turns
    seconds = tuple(float(number) for number in range(len(turns)))
    half = np.array([(100.0, 30.0, 8.0)])
    return Moving(half, np.array([8.0]), seconds, np.array(middle)[:, None], angles, swings)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("yaw", [0.0, 35.0])
def test_what_turns_stays_as_far_from_its_pivot(axis, yaw):
    moving = turning(axis, [-40.0, 40.0], (20.0, 30.0, -240.0), yaw)
    for share in (0.0, 0.25, 0.5, 0.9):
        found = moving.at(share)
        expected = turned(np.array([(20.0, 30.0, -240.0)]), axis, -40.0 + 80.0 * share, yaw)[0]
        assert found.middle[0] == pytest.approx(np.array((100.0, 50.0, 8.0)) + expected, abs=1e-9)


def test_a_brush_that_rotates_takes_the_shorter_way_over_0_degrees():
    moving = turning(2, [337.5, 0.0], (100.0, 0.0, 0.0))
    assert moving.at(0.5).angles == pytest.approx((0.0, 0.0, 337.5 + 11.25))
    x, y, _ = moving.at(0.5).middle[0] - (100.0, 50.0, 8.0)
    assert math.degrees(math.atan2(y, x)) == pytest.approx(-11.25)


def test_what_swings_is_slow_at_its_ends():
    moving = turning(0, [-30.0, 30.0], (0.0, 0.0, -240.0), swings=True)
    turn = [float(moving.at(share).angles[0]) for share in (0.0, 0.1, 0.5, 0.9)]
    assert turn == pytest.approx([-30.0, -30.0 * math.cos(0.1 * math.pi), 0.0, 30.0 * math.cos(0.1 * math.pi)])


def test_a_pose_takes_places_out_and_in_again():
    pose = Pose(np.array([(10.0, 20.0, 30.0)]), np.array((20.0, 0.0, 70.0)))
    place = np.array((3.0, -4.0, 5.0))
    assert pose.into(0, pose.out(0, place)) == pytest.approx(place)
    assert np.linalg.norm(pose.out(0, place) - pose.middle[0]) == pytest.approx(np.linalg.norm(place))


def test_the_floor_of_what_is_turned():
    moving = turning(2, [0.0, 90.0], (0.0, 0.0, 0.0))
    along, across = np.array((190.0, 50.0, 0.0)), np.array((100.0, 140.0, 0.0))
    level, quarter = moving.at(0.0), moving.at(1.0)
    assert [moving.top(0, place, level, WIDE) for place in (along, across)] == [16.0, -math.inf]
    assert [moving.top(0, place, quarter, WIDE) for place in (along, across)] == [-math.inf, 16.0]
    leaning = turning(0, [30.0, 30.0], (0.0, 0.0, 0.0))
    pose, slope = leaning.at(0.0), math.tan(math.radians(30.0))
    middle = leaning.top(0, np.array((100.0, 50.0, 0.0)), pose, WIDE)
    beside = leaning.top(0, np.array((100.0, 70.0, 0.0)), pose, WIDE)
    assert beside - middle == pytest.approx(20.0 * slope)
    assert middle == pytest.approx(8.0 + 8.0 / math.cos(math.radians(30.0)) + 15.0 * slope), "its upper edge carries"
    upright = turning(0, [90.0, 90.0], (0.0, 0.0, 0.0))
    assert upright.top(0, np.array((100.0, 50.0, 0.0)), upright.at(0.0), WIDE) == -math.inf
