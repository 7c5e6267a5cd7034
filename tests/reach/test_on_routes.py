"""Links as bots come to them on routes: other places, and the time of what is still missed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import aascompile
from aascompile.model.links import Links, Travel
from aascompile.nav.navigation import Navigation
from aascompile.nav.route_replay import replay_routes
from aascompile.player.follow import replay_rows
from aascompile.player.movement import Movement
from aascompile.player.reason import Reason
from aascompile.reach.on_routes import Pairs, for_routes
from aascompile.reach.other_places import MOST, OFF_RIMS, ON_FOOT, other_places, placed, with_others
from aascompile.settings import QUAKE3
from tests.reach.carrying import SAMPLES
from tests.reach.test_uses import places_of


def compiled(name: str):
    """A sample, its areas and a movement."""
    made = aascompile.compile_map(SAMPLES / f"{name}.bsp")
    return made, made.areas, Movement(made.areas, QUAKE3)


def fall_north(links: Links) -> int:
    """The row of the run over the gap of ``gap_slanting`` to the northern floor."""
    (row,) = np.flatnonzero((links.kind == Travel.WALK_OFF_LEDGE) & (links.end[:, 1] > links.start[:, 1]))
    return int(row)


def from_the_corner(links: Links, back: float = 0.0) -> Links:
    """The links of ``gap_slanting`` with a run that starts where the rims are nearest, as a probe finds it."""
    row = fall_north(links)
    start, end = links.start.copy(), links.end.copy()
    start[row], end[row] = (-45.5, 12.5 - back, 24.125), (-45.5, 49.1, 24.125)
    return replace(links, start=start, end=end)


def test_no_bot_misses_the_gap_of_the_sample():
    made, *_ = compiled("gap_slanting")
    row = fall_north(made.links)
    assert (made.links.arrives[row], made.links.dies[row], made.links.time[row]) == (1.0, 0.0, 70)
    followed = replay_routes(made, QUAKE3)
    assert followed.rows.tolist() == [row]
    assert followed.arrived.tolist() == followed.tried.tolist() == [3]


def test_a_bad_start_is_moved_along_the_rim():
    made, areas, movement = compiled("gap_slanting")
    bad = from_the_corner(made.links)
    row, places = fall_north(bad), places_of(Navigation(made))
    bad.arrives[row], bad.dies[row], bad.time[row] = 0.5, 0.5, 3070
    found = for_routes(bad, areas, places, movement)
    assert found.start[row, 0] < -100.0
    assert found.start[row, 1] == pytest.approx(12.5, abs=0.01), "at the same rim"
    assert (found.arrives[row], found.dies[row], found.time[row]) == (1.0, 0.0, 70)
    others = np.arange(len(found)) != row
    assert (found.start == bad.start)[others].all()
    assert (found.time == bad.time)[others].all()
    again = for_routes(found, areas, places, movement)
    assert (again.start == found.start).all(), "where all arrive nothing is moved"


def test_what_has_no_better_place_takes_longer(monkeypatch):
    made, areas, movement = compiled("gap_slanting")
    bad = from_the_corner(made.links)
    row, places = fall_north(bad), places_of(Navigation(made))
    monkeypatch.setattr("aascompile.reach.other_places.MOST", 0)
    found = for_routes(bad, areas, places, movement)
    assert (found.start == bad.start).all()
    assert (found.arrives[row], found.dies[row]) == (0.0, 1.0), "all bots that come by routes die"
    assert found.time[row] == bad.time[row] + QUAKE3.costs.death
    assert (for_routes(found, areas, places, movement).time == found.time).all(), "it is counted once"


def test_a_link_by_hand_stays_as_it_is():
    made, areas, movement = compiled("gap_slanting")
    bad = from_the_corner(made.links)
    bad.entity[fall_north(bad)] = 7
    found = for_routes(bad, areas, places_of(Navigation(made)), movement)
    assert (found.start == bad.start).all()
    assert (found.time == bad.time).all()


@pytest.mark.parametrize("name", ["gap_slanting", "gap", "slanted", "ledge", "pit_corner"])
def test_players_arrive_from_other_places(name):
    made, areas, movement = compiled(name)
    links = made.links
    rows = np.flatnonzero(np.isin(links.kind, (*ON_FOOT, *OFF_RIMS)))
    others = other_places(links, rows, areas, movement)
    assert len(others.row) > 0
    assert (np.diff(others.row) >= 0).all()
    assert np.bincount(others.row).max() <= MOST
    number = np.column_stack((links.source, links.target, links.kind))[others.row].astype(np.int32)
    place = np.hstack((others.start, others.end, others.velocity))
    assert (replay_rows(areas, movement, number, place)[0][:, 0] == Reason.ARRIVES).all()
    walks = np.isin(links.kind[others.row], ON_FOOT)
    length = np.linalg.norm((others.end - others.start)[walks], axis=1)
    assert length == pytest.approx(np.linalg.norm((links.end - links.start)[others.row[walks]], axis=1), abs=1.0)


def test_other_places_are_links_of_their_own_until_they_are_chosen():
    made, areas, movement = compiled("gap")
    links = made.links
    rows = np.flatnonzero(links.kind == Travel.JUMP)
    others = other_places(links, rows, areas, movement)
    both = with_others(links, others)
    assert len(both.source) == len(links) + len(others.row)
    assert (both.area_start == links.area_start).all()
    assert (both.start[len(links) :] == others.start).all()
    chosen = np.array([0])
    moved = placed(links, others, chosen, QUAKE3)
    changed = np.flatnonzero((moved.start != links.start).any(axis=1))
    assert changed.tolist() == others.row[chosen].tolist()
    far = np.hypot(*(moved.end - moved.start)[changed, :2].T) - np.hypot(*(links.end - links.start)[changed, :2].T)
    assert (moved.time - links.time)[changed] == pytest.approx(240.0 * far / 320.0, abs=1.0)


@pytest.mark.parametrize("seed", range(5))
def test_pairs_of_links_are_found(seed):
    rng = np.random.default_rng(seed)
    by = rng.integers(0, 20, 60)
    pairs = Pairs(by, (by + rng.integers(1, 19, 60)) % 20, np.ones(60, np.int32))
    links = np.sort(rng.integers(0, 25, 12))
    which, pair = pairs.of(links)
    expected = np.nonzero((pairs.row == links[:, None]) | (pairs.by == links[:, None]))
    assert which.tolist() == expected[0].tolist()
    assert pair.tolist() == expected[1].tolist()
