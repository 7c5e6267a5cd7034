"""Fields of travel time: the nearest of all goals, exact at every point, and a player who follows them arrives."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.errors import RouteError
from aascompile.nav.navigation import Navigation
from aascompile.nav.terms import PLAIN
from aascompile.player.movement import Event
from tests.nav.test_queries import inside
from tests.nav.test_routes import sample
from tests.reference.routes import PlainRoutes

NAMES = ["pillars", "pool_steps", "jumppad", "stairs"]


@pytest.mark.parametrize("name", NAMES)
def test_the_field_of_areas_is_the_least_of_their_times(name: str):
    nav, every = Navigation(sample(name)), np.arange(len(sample(name).areas))
    goals = np.random.default_rng(3).choice(every, min(4, len(every)), replace=False)
    slow = PlainRoutes(nav.compiled)
    each = np.array([slow.times(int(goal), every.tolist()) for goal in goals])
    field = nav.field(goals)
    assert field.time.tolist() == each.min(axis=0).tolist()
    reached = field.goal >= 0
    assert np.array_equal(reached, np.isfinite(field.time))
    assert np.array_equal(each[field.goal[reached], every[reached]], field.time[reached])
    assert nav.compiled.links.source[field.link[field.link >= 0]].tolist() == every[field.link >= 0].tolist()
    blocked = nav.field(goals, blocked=[0])
    assert np.array_equal(blocked.time, nav.times(every, goals, blocked=[0]).min(axis=1))


@pytest.mark.parametrize("name", NAMES)
def test_the_field_at_points_is_exact(name: str):
    nav = Navigation(sample(name))
    goals = np.array([place.point for place in (*nav.items, *nav.spawns) if place.area >= 0])
    field, points = nav.field(goals), inside(nav, 200)
    found, links = field.at(points), nav.compiled.links
    areas = nav.areas_at(points)
    for row, area in enumerate(areas.tolist()):
        if area < 0:
            assert (found.time[row], found.link[row], found.goal[row]) == (np.inf, -1, -1)
            continue
        times = nav._router.times(np.array([area], np.int32), points[row][None], *nav._ends(goals), PLAIN, 1)[0]
        here = np.flatnonzero(nav._ends(goals)[0] == area)
        assert found.time[row] == (times[here].min() if len(here) else times.min())
        if np.isinf(found.time[row]):
            assert not found.direction[row].any()
            continue
        assert times[found.goal[row]] == found.time[row]
        towards = goals[found.goal[row]] if found.link[row] < 0 else links.start[found.link[row]]
        if np.linalg.norm(towards - points[row]) > 12:
            away = (nav._ends(goals)[1][found.goal[row]] if found.link[row] < 0 else towards) - points[row]
            assert found.direction[row] == pytest.approx(away / np.linalg.norm(away))
    assert np.isfinite(found.time).any()
    double = field.at(np.tile(points, (20, 1)), threads=2)
    assert np.array_equal(double.time[:200], found.time)


@pytest.mark.parametrize("name", ["pillars", "stairs", "doorway"])
def test_players_who_follow_the_field_arrive(name: str):
    """On foot: every frame in the direction of the field, with the player simulator."""
    nav = Navigation(sample(name))
    every, walking = np.arange(len(nav)), ["walk", "crouch", "walk_off_ledge"]
    best = int(np.isfinite(nav.times(every, every, travel=walking)).sum(axis=0).argmax())
    goal = np.array([nav.compiled.links.end[np.flatnonzero(nav.compiled.links.target == best)[0]]])
    field = nav.field(goal, travel=walking)
    at = np.array([nav.place_at(point)[1] for point in inside(nav, 200, 5)])
    at = at[np.isfinite(field.at(at).time)]
    assert len(at) > 20
    assert field.at(at).time.max() > 50
    velocity, arrived = np.zeros_like(at), np.zeros(len(at), np.bool_)
    for _ in range(400):
        moved = nav.predict(at, velocity=velocity, wish=field.at(at).direction, seconds=0.05, stop=Event(0))
        at, velocity = moved.end, moved.velocity
        arrived |= np.linalg.norm(at - goal, axis=1) < 24
    assert arrived.all()


def test_charges_add_up():
    nav = Navigation(sample("pillars"))
    every, charges = np.arange(len(nav)), [0, 3]
    times = nav.times(every, charges)
    found = nav.potential(every, charges, strength=[2.0, -1.0], reach=[300.0, 500.0])
    expected = 2.0 * np.clip(1 - times[:, 0] / 300, 0, 1) - np.clip(1 - times[:, 1] / 500, 0, 1)
    assert found == pytest.approx(expected)
    steep = nav.potential(every, charges, strength=[2.0, -1.0], reach=400.0, falloff=lambda share: np.exp(-share))
    assert steep == pytest.approx(2.0 * np.exp(-times[:, 0] / 400) - np.exp(-times[:, 1] / 400))
    with pytest.raises(RouteError, match="greater than 0"):
        nav.potential(every, charges, reach=0.0)
    with pytest.raises(RouteError, match="a field needs goals"):
        nav.field([])
