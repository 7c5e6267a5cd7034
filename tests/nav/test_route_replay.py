"""Bots that follow routes."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import aascompile
from aascompile.model.links import MEASURED
from aascompile.nav.navigation import Navigation
from aascompile.nav.route_replay import replay_routes
from aascompile.settings import QUAKE3
from tests.reach.carrying import SAMPLES


@pytest.mark.parametrize("name", ["jumppad_short", "beam_corner", "pit_corner"])
def test_links_count_as_often_as_routes_take_them(name):
    nav = Navigation(aascompile.compile_map(SAMPLES / f"{name}.bsp"))
    links = nav.compiled.links
    goals = [item.point for item in nav.items]
    starts = [spawn.point for spawn in nav.spawns] + goals
    routes = [nav.route(start, goal) for start in starts for goal in goals]
    pairs = Counter(
        (int(first), int(second))
        for route in routes
        for first, second in zip(route.rows[:-1], route.rows[1:], strict=True)
        if links.kind[second] in MEASURED and links.model[second] < 0
    )
    trials = replay_routes(nav.compiled, QUAKE3)
    assert trials.routes == len(routes)
    assert {
        (first, second): uses
        for first, second, uses in zip(trials.by.tolist(), trials.rows.tolist(), trials.uses.tolist(), strict=True)
    } == pairs


def test_the_share_weighs_links_by_their_uses():
    nav = Navigation(aascompile.compile_map(SAMPLES / "jumppad_short.bsp"))
    trials = replay_routes(nav.compiled, QUAKE3)
    every = np.ones(len(trials.rows), np.bool_)
    known = trials.tried > 0
    expected = np.average((trials.arrived / np.maximum(trials.tried, 1))[known], weights=trials.uses[known])
    assert trials.share(trials.arrived, every) == pytest.approx(expected)
    assert trials.share(trials.arrived, ~every) == 1.0, "nobody misses what nobody takes"


def test_a_room_of_one_area_needs_no_links():
    nav = Navigation(aascompile.compile_map(SAMPLES / "box.bsp"))
    trials = replay_routes(nav.compiled, QUAKE3)
    assert trials.routes == (len(nav.spawns) + len(nav.items)) * len(nav.items)
    assert len(trials.rows) == 0
