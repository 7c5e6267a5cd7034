"""Margins of links: how simulated bots fare, how they land, and what a miss costs."""

from __future__ import annotations

import numpy as np
import pytest

import aascompile
from aascompile.model.links import LANDINGS, MEASURED, MissCost, Travel
from aascompile.player.bot import Tries, bots_take
from aascompile.reach.risk import MISSED_SHARE, is_missed
from aascompile.settings import QUAKE3
from tests.reach.carrying import SAMPLES, sample


def margins(name: str, kind: Travel):
    """The first link of a travel type in a sample."""
    links = aascompile.compile_map(SAMPLES / f"{name}.bsp").links
    row = int(np.flatnonzero(links.kind == kind)[0])
    return links.arrives[row], links.dies[row], links.room[row], links.landing_speed[row], links.miss[row]


def test_a_fall_onto_a_wide_floor_has_all_margins():
    arrives, dies, room, speed, miss = margins("ledge", Travel.WALK_OFF_LEDGE)
    assert (arrives, dies, miss) == (1.0, 0.0, MissCost.NOTHING)
    assert room > 50.0, "the floor goes on to the wall"
    assert 200.0 < speed <= 320.0


def test_a_miss_beside_a_beam_over_a_pit_costs_a_life():
    room = sample("ledge_beam")
    ends = {"beam": (220.4, -96, 24.125), "floor": (220.4, 96, 24.125)}
    costs = {}
    for name, end in ends.items():
        start = (12.5, end[1], 254.125)
        number = [[room.area(-128, 0, 255), room.area(*end), Travel.WALK_OFF_LEDGE]]
        place, nobody = np.array([[*start, *end, 0.0, 0.0, 0.0]]), np.zeros(2, np.int64)
        tries = Tries(
            np.array(number, np.int32),
            place,
            nobody,
            np.zeros((0, 3), np.int32),
            np.zeros((0, 7)),
            np.zeros(0, np.uint8),
            np.zeros((0, 3), np.int32),
            np.zeros((0, 6)),
        )
        costs[name] = bots_take(room.areas, room.movement, tries)[0, 5]
    assert costs == {"beam": MissCost.LIFE, "floor": MissCost.NOTHING}


def test_a_jump_over_a_gap_costs_time_if_it_fails():
    _, dies, room, _, miss = margins("gap", Travel.JUMP)
    assert (dies, miss) == (0.0, MissCost.TIME)
    assert room > 0.0


def test_a_throw_onto_a_ledge_lands_at_the_speed_of_the_throw():
    arrives, dies, _, speed, miss = margins("jumppad", Travel.JUMP_PAD)
    assert (arrives, dies, miss) == (1.0, 0.0, MissCost.NOTHING)
    assert speed > 100.0


@pytest.mark.parametrize("name", ["ledge", "gap", "jumppad", "stairs", "elevator", "hurt"])
def test_only_links_that_bots_run_at_have_margins(name):
    links = aascompile.compile_map(SAMPLES / f"{name}.bsp").links
    others = ~np.isin(links.kind, MEASURED)
    for column in (links.arrives, links.dies, links.miss):
        assert (column[others] == -1).all()
    for column in (links.room, links.landing_speed):
        assert (column[~np.isin(links.kind, LANDINGS)] == -1).all(), "only flights land"
    known = links.miss >= 0
    assert ((links.dies[known] >= 0) & (links.arrives[known] + links.dies[known] <= 1.0)).all()


def test_a_throw_into_another_pad_arrives():
    """The first pad of the sample, whose throw ends in the second: what comes then is no part of this link."""
    links = aascompile.compile_map(SAMPLES / "jumppad_chain.bsp").links
    throws = links.kind == Travel.JUMP_PAD
    assert links.arrives[throws].tolist() == [1.0, 1.0]
    assert links.dies[throws].tolist() == [0.0, 0.0]


def test_nobody_comes_out_of_a_deadly_trigger_onto_a_pad():
    """A link that leads out of a hurt trigger onto a pad is no approach: bots that begin there are dead at once."""
    links = aascompile.compile_map(SAMPLES / "teleporter_sheet.bsp").links
    assert (links.dies[links.kind == Travel.JUMP_PAD] <= 0.0).all()


def test_walks_have_margins_only_near_danger():
    """On a plain floor nobody tries a walk; on a beam over a pit bots do, and some of them fall."""
    plain = aascompile.compile_map(SAMPLES / "hint.bsp").links
    assert (plain.arrives[plain.kind == Travel.WALK] == -1.0).all()
    beam = aascompile.compile_map(SAMPLES / "beam_corner.bsp").links
    walks = beam.kind == Travel.WALK
    assert (beam.arrives[walks] >= 0.0).any()


def test_a_jump_that_most_bots_miss_is_dropped_if_another_way_leads_there():
    """Many links lead down from the ledge: the far fall, which one bot in three misses, is no loss."""
    links = aascompile.compile_map(SAMPLES / "jumppad.bsp").links
    falls = links.arrives[links.kind == Travel.WALK_OFF_LEDGE]
    assert len(falls) > 0
    assert (falls >= 1.0 - MISSED_SHARE).all()


def test_a_missed_fall_that_is_the_only_way_stays_and_costs_more():
    """A well 36 wide: bots that run at it fly over it."""
    links = aascompile.compile_map(SAMPLES / "well.bsp").links
    (fall,) = np.flatnonzero(is_missed(links))
    assert links.kind[fall] == Travel.WALK_OFF_LEDGE
    assert (links.arrives[fall], links.dies[fall]) == (0.0, 0.0)
    assert links.time[fall] == round(70 + 50 * 42 / 800 + QUAKE3.costs.miss)
