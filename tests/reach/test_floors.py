"""Floors as wholes: rails, on which bots in a fight stand still."""

from __future__ import annotations

import numpy as np
import pytest

import aascompile
from aascompile.model.links import Travel
from aascompile.reach import times
from tests.furniture import STONE
from tests.reach.carrying import draw

WALL = ((0, -256, 0), (32, 256, 32))
"""A parapet across the hall. Players stand on 30 units more than its width."""


@pytest.mark.parametrize(("wide", "extra"), [(32, times.RAIL), (36, 0), (96, 0)])
def test_jumps_onto_a_rail_cost_the_time_that_fights_cost_there(tmp_path, wide, extra):
    """A floor less than 64 wide is a rail."""
    compiled = aascompile.compile_map(draw(tmp_path, [((WALL[0], (wide, *WALL[1][1:])), STONE)]))
    links, rail = compiled.links, aascompile.Navigation(compiled).area_at((wide / 2, 0, 57))
    onto = np.flatnonzero((links.target == rail) & (links.kind == Travel.BARRIER_JUMP))
    assert len(set(links.source[onto].tolist())) == 2
    assert links.time[onto].tolist() == [100 + extra] * len(onto)
    off = np.flatnonzero(links.source == rail)
    assert len(off) > 0
    assert (links.time[off] < 100).all()


def test_a_floor_that_players_walk_onto_is_no_rail(tmp_path):
    step = ((-64, -256, 0), (0, 256, 16))
    links = aascompile.compile_map(draw(tmp_path, [(WALL, STONE), (step, STONE)])).links
    assert (links.kind == Travel.BARRIER_JUMP).any()
    assert (links.time < times.RAIL).all()
