"""Entities linked to areas while they move, and the observations of agents field by field."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.errors import RouteError
from aascompile.nav.navigation import Navigation
from aascompile.nav.records import Place
from tests.nav.test_queries import inside
from tests.nav.test_routes import sample


def test_moving_entities_are_found_where_a_player_touches_them():
    nav = Navigation(sample("doorway"))
    held = nav.occupancy
    dice = np.random.default_rng(1)
    now: dict[int, np.ndarray] = {}
    for point in inside(nav, 60, 2):
        entity = int(dice.integers(6))
        if entity in now and dice.random() < 0.3:
            held.unlink(entity)
            del now[entity]
            continue
        now[entity] = point
        areas = held.link(entity, point - 8.0, point + 8.0)
        stand = nav.compiled.boxes
        expected = nav.areas_in_box(point - 8.0 - stand.maxs[0], point + 8.0 - stand.mins[0])
        assert areas.tolist() == expected.tolist() == held.areas_of(entity).tolist()
        assert len(held) == len(now)
        for area in range(len(nav)):
            there = {known for known in now if area in held.areas_of(known)}
            assert set(held.entities_in(area)) == there
    held.unlink("nobody")
    for entity in list(now):
        held.unlink(entity)
    assert len(held) == 0
    assert all(held.entities_in(area) == () for area in range(len(nav)))


def seen_slowly(nav: Navigation, area: int, at: np.ndarray, places: list[Place]) -> tuple[np.ndarray, np.ndarray]:
    """(goals,) seconds, at most 60, and (goals, 3) directions to go from a point, from one route for each goal."""
    times, towards = np.full(len(places), 60.0), np.zeros((len(places), 3))
    for k, goal in enumerate(places):
        try:
            route = nav._router.route(area, goal.area, at, np.array(goal.point))
        except RouteError:
            continue
        times[k] = min(route.seconds, 60.0)
        away = np.array(route.links[0].start if route.links else goal.point) - at
        towards[k] = away / max(np.linalg.norm(away), 1.0)
    return times, towards


@pytest.mark.parametrize("name", ["pool_steps", "crouch", "jumppad"])
def test_observations_field_by_field(name: str):
    nav = Navigation(sample(name))
    places = [place for place in (*nav.items, *nav.spawns) if place.area >= 0]
    goals = np.array([place.point for place in places])
    observer = nav.observer(goals, nearest=2, rays=4, reach=300.0)
    at = np.array([nav.place_at(point)[1] for point in inside(nav, 60, 3)])
    at = np.vstack((at, [[0.0, 0.0, -5000.0]]))
    speed = np.tile((32.0, -64.0, 16.0), (len(at), 1))
    found = observer.observe(at, speed)
    assert found.dtype == np.float32
    assert found.shape == (len(at), len(observer.fields)) == (len(at), 4 + 6 + 8)
    assert not found[-1].any(), "in solid"
    by_name = dict(zip(observer.fields, found.T, strict=True))
    areas, area = nav.compiled.areas, nav.areas_at(at)
    for row in np.flatnonzero(area >= 0).tolist():
        for ray, direction in enumerate(((1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0))):
            trace = nav.trace(at[row], at[row] + 300.0 * np.array(direction), box="crouch")
            assert by_name[f"ray_{ray}"][row] == pytest.approx(trace.fraction, abs=0.01)
        assert by_name["velocity_y"][row] == pytest.approx(-0.2)
        assert by_name["in_liquid"][row] == bool(areas.area_contents[area[row]] & 7)
        assert by_name["can_stand"][row] == bool(areas.area_presence[area[row]] & 2)
        if not by_name["in_liquid"][row]:
            assert by_name["on_ground"][row] == nav.predict(at[row : row + 1], seconds=0.025).on_ground[0]
        times, towards = seen_slowly(nav, int(area[row]), at[row], places)
        for k, goal in enumerate(np.argsort(times, kind="stable")[:2].tolist()):
            assert by_name[f"goal_{k}_seconds"][row] == pytest.approx(times[goal], rel=1e-5)
            direction = [by_name[f"goal_{k}_direction_{axis}"][row] for axis in "xyz"]
            assert direction == pytest.approx(towards[goal].tolist(), abs=1e-5)
    assert np.array_equal(observer.observe(np.tile(at, (40, 1)), speed[:1], threads=2)[: len(at)], found)


def test_wrong_goals_of_observers_are_reported():
    nav = Navigation(sample("box"))
    with pytest.raises(RouteError, match="3 of 1 goals cannot be observed"):
        nav.observer([0], nearest=3)
    with pytest.raises(RouteError, match="no room"):
        nav.observer([(9e5, 0.0, 0.0)], nearest=1)
