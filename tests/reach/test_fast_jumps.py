"""Jumps that take more than a run: found on request, replayed, not in the engine's file, and used only if wanted."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import aascompile
from aascompile import pipeline
from aascompile.checks.check_compiled import failures
from aascompile.model.compiled import Compiled
from aascompile.model.links import FAST_JUMPS, Tier, Travel
from aascompile.nav.explain import Explainer
from aascompile.nav.replay import replay_links
from aascompile.player.reason import Reason
from aascompile.settings import QUAKE3, Settings
from aascompile.settings_file import settings_from_json
from aascompile.store.engine import for_engine, read_engine, write_engine
from tests.conftest import ROOT
from tests.reach.rooms import STONE, make_room

WEST, EAST = (-100, 0, 25), (430, 0, 25)
GAPS = {"gap_330": (Tier.CIRCLE, 223), "gap_430": (Tier.CIRCLE, 290), "gap_500": (Tier.STRAFE, 338)}
"""Samples with the tier that crosses them, and the units between the rims."""


def wanting(tier: str, **reach: str) -> Settings:
    """Settings that look for jumps up to a tier."""
    return replace(QUAKE3, reach=replace(QUAKE3.reach, jump_tier=tier, **reach))


@cache
def compiled(name: str, settings: Settings = QUAKE3, threads: int = 1) -> Compiled:
    return aascompile.compile_map(ROOT / "samples" / f"{name}.bsp", settings, threads=threads)


@pytest.mark.parametrize("name", GAPS)
def test_both_platforms_are_linked_by_the_tier_that_gives_the_speed(name):
    tier, gap = GAPS[name]
    links = compiled(name, wanting("strafe")).links
    rows = np.flatnonzero(links.kind == Travel.STRAFE_JUMP)
    assert len(rows) == 2, "in both directions"
    assert links.tier[rows].tolist() == [tier] * 2
    assert links.needed_speed[rows] == pytest.approx(gap / 0.675)
    assert set(zip(links.source[rows].tolist(), links.target[rows].tolist(), strict=True)) == {
        tuple(links.source[rows].tolist()),
        tuple(links.target[rows].tolist()),
    }
    assert (links.time[rows] > 300 + 100 * 0.675).all(), "run-up and flight"
    fast = np.hypot(links.velocity[rows, 0], links.velocity[rows, 1])
    assert ((fast > 400) & (fast < (440 if tier == Tier.CIRCLE else 560))).all()


@pytest.mark.parametrize("name", GAPS)
def test_nothing_else_changes(name):
    plain, wanted = compiled(name), compiled(name, wanting("strafe"))
    slow = ~np.isin(wanted.links.kind, FAST_JUMPS)
    for column in ("source", "target", "kind", "start", "end", "time"):
        np.testing.assert_array_equal(getattr(wanted.links, column)[slow], getattr(plain.links, column))
    assert failures(wanted) == []


def test_a_circle_jump_does_not_cross_500():
    assert not (compiled("gap_500", wanting("circle")).links.kind == Travel.STRAFE_JUMP).any()
    assert (compiled("gap_430", wanting("circle")).links.kind == Travel.STRAFE_JUMP).sum() == 2


@pytest.mark.parametrize("name", GAPS)
def test_every_jump_can_be_replayed(name):
    it, settings = compiled(name, wanting("strafe")), wanting("strafe")
    found = replay_links(it.areas, it.links, settings)
    assert found.good.all()
    assert np.isin(it.links.kind[found.rows], FAST_JUMPS).sum() == 2


def test_a_replay_notices_that_the_room_is_gone():
    """With the start on the other side there is a gap where the run-up should be."""
    it, settings = compiled("gap_430", wanting("strafe")), wanting("strafe")
    fast = it.links.kind == Travel.STRAFE_JUMP
    start, end = it.links.start.copy(), it.links.end.copy()
    start[fast], end[fast] = it.links.end[fast], it.links.start[fast]
    found = replay_links(it.areas, replace(it.links, start=start, end=end), settings)
    assert not found.good[fast[found.rows]].any()


def test_any_number_of_threads_gives_the_same_links(monkeypatch):
    monkeypatch.setattr(pipeline, "FEW", 0)
    one, four = (compiled("gap_500", wanting("strafe"), threads) for threads in (1, 4))
    for column in ("source", "target", "kind", "start", "end", "time", "velocity", "needed_speed", "tier"):
        np.testing.assert_array_equal(getattr(one.links, column), getattr(four.links, column))


# --- routes -----------------------------------------------------------------------------------------------------------


def route(it: Compiled, goal=EAST, **limits: object) -> aascompile.Route | None:
    """The route across without a rocket jump; None if there is none."""
    try:
        return aascompile.Navigation(it).route(WEST, goal, **{"avoid": ["rocket_jump"]} | limits)
    except aascompile.RouteError:
        return None


def test_routes_use_fast_jumps_only_if_wanted():
    it = compiled("gap_430", wanting("strafe"))
    assert route(it) is None
    assert route(it, jump_tier="running") is None
    for limits in ({"jump_tier": "circle"}, {"jump_tier": Tier.STRAFE}, {"travel": ["strafe_jump", "walk"]}):
        found = route(it, **limits)
        assert [link.travel for link in found.links] == [Travel.STRAFE_JUMP]
        assert found.links[0].tier is Tier.CIRCLE
        assert found.links[0].needed_speed == pytest.approx(290 / 0.675)
    assert route(it, jump_tier="strafe", avoid=["strafe_jump", "rocket_jump"]) is None
    assert route(it, jump_tier="running", travel=["strafe_jump"]) is None
    with pytest.raises(aascompile.RouteError, match="no tier of jumps 'flying': they are standing, running, circle"):
        aascompile.Navigation(it).route(WEST, EAST, jump_tier="flying")


def test_settings_say_what_players_do():
    goal = (600, 0, 25)
    assert route(compiled("gap_500", wanting("strafe", player_tier="circle")), goal) is None
    assert route(compiled("gap_500", wanting("strafe", player_tier="strafe")), goal) is not None


# --- the engine's file ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAPS)
def test_the_engine_gets_them_only_on_request(name):
    plain, wanted = compiled(name), compiled(name, wanting("strafe"))
    assert write_engine(for_engine(wanted)) == write_engine(for_engine(plain))
    settings = replace(wanting("strafe"), engine=replace(QUAKE3.engine, fast_jumps=True))
    kinds = read_engine(write_engine(for_engine(compiled(name, settings))), name).links.kind
    assert (kinds == 17).sum() == 2


def test_an_imported_file_keeps_those_it_has():
    settings = replace(wanting("strafe"), engine=replace(QUAKE3.engine, fast_jumps=True))
    data = write_engine(for_engine(compiled("gap_330", settings)))
    assert (read_engine(write_engine(for_engine(read_engine(data, "x"))), "x").links.kind == 17).sum() == 2


# --- explanations -----------------------------------------------------------------------------------------------------


def verdict(name: str, settings: Settings, kind: Travel, target=EAST):
    it = compiled(name, settings)
    nav = aascompile.Navigation(it)
    explainer = Explainer(it.areas, it.links, it.places, settings_from_json(it.provenance.settings, name))
    found = explainer.explain(nav.area_at(WEST), nav.area_at(target))
    return next(one for one in found if one.kind == kind)


def test_a_jump_that_is_too_far_says_what_it_needs():
    found = verdict("gap_430", QUAKE3, Travel.JUMP)
    assert found.why == Reason.TOO_FAR
    assert (round(found.needs), found.tier, found.gives) == (430, Tier.CIRCLE, 440)
    assert verdict("gap_430", QUAKE3, Travel.STRAFE_JUMP).why == Reason.OFF


def test_a_tier_that_is_not_looked_for_is_off():
    found = verdict("gap_500", wanting("circle"), Travel.STRAFE_JUMP, (600, 0, 25))
    assert found.why == Reason.OFF
    assert (round(found.needs), found.tier, round(found.gives)) == (501, Tier.STRAFE, 550)


def test_a_fast_jump_that_exists_says_what_it_needs():
    found = verdict("gap_330", wanting("strafe"), Travel.STRAFE_JUMP)
    assert found.link >= 0
    assert (round(found.needs), found.tier, found.gives) == (330, Tier.CIRCLE, 440)


# --- ramp and double jumps, in games that have them -------------------------------------------------------------------


def links_of(tmp_path, fill, **physics: object):
    """Links of a room in a game with other physics."""
    make_room(tmp_path, fill)
    settings = wanting("circle")
    settings = replace(settings, physics=replace(settings.physics, **physics))
    it = aascompile.compile_map(tmp_path / "room.map", settings)
    assert failures(it) == []
    return it, settings


def between(it: Compiled, kind: Travel, start, goal) -> np.ndarray:
    nav, links = aascompile.Navigation(it), it.links
    same = (links.source == nav.area_at(start)) & (links.target == nav.area_at(goal)) & (links.kind == kind)
    return np.flatnonzero(same)


def ramp(text) -> None:
    """A ramp of 22 degrees up to 80, then a gap of 70, then a platform 75 higher."""
    text.ramp((-400, -100, 0), (-200, 100, 80), STONE)
    text.box((-130, -100, 0), (300, 100, 155), STONE)


@pytest.mark.parametrize("adds", [False, True])
def test_a_ramp_adds_to_a_jump_where_the_game_says_so(tmp_path, adds):
    it, settings = links_of(tmp_path, ramp, jump_adds=adds)
    rows = between(it, Travel.RAMP_JUMP, (-300, 0, 80), (0, 0, 180))
    assert len(rows) == adds
    if adds:
        assert it.links.velocity[rows[0], 2] == pytest.approx(270 + 320 * np.sin(np.arctan(0.4)), abs=8)
        assert it.links.tier[rows[0]] == Tier.RUNNING
        assert replay_links(it.areas, it.links, settings).good.all()


def steps(text) -> None:
    """A step of 48, and a platform 72 higher right behind it."""
    text.box((-232, -100, 0), (-200, 100, 48), STONE)
    text.box((-200, -100, 0), (300, 100, 120), STONE)


@pytest.mark.parametrize("more", [0.0, 100.0])
def test_a_double_jump_leads_over_a_step_where_the_game_has_it(tmp_path, more):
    it, settings = links_of(tmp_path, steps, double_jump=more)
    rows = between(it, Travel.DOUBLE_JUMP, (-300, 0, 25), (0, 0, 145))
    assert len(rows) == (more > 0)
    assert replay_links(it.areas, it.links, settings).good.all()
