"""Walks over shared edges: where they start."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np

import aascompile
from aascompile.model.links import Travel
from aascompile.reach import times
from tests.furniture import STONE
from tests.reach.carrying import draw

WALL = (((-512, -16, 0), (-300, 0, 512)), ((-100, -16, 0), (100, 1, 512)), ((300, -16, 0), (512, 0, 512)))
"""A wall with two doorways. Between them it juts out by one unit, which PLAN_CONVEX allows in an area."""


def test_players_run_from_doorway_to_doorway_past_a_corner_that_juts_out(tmp_path: Path):
    """Along the line of the wall, the corner would stop them."""
    nav = aascompile.Navigation(aascompile.compile_map(draw(tmp_path, [(box, STONE) for box in WALL])))
    links = nav.compiled.links
    area = nav.area_at((0.0, 100.0, 25.0))
    rows = np.flatnonzero((links.source == area) & (links.kind == Travel.WALK))
    assert len(rows) == 2
    for a, b in itertools.permutations(rows.tolist()):
        walk = nav.walks([links.start[a] + (0.0, 0.0, 0.125)], [links.start[b] + (0.0, 0.0, 0.125)])
        assert walk.why[0] == 0, f"stopped at {walk.end[0]}"


def test_a_walk_into_a_sliver_of_floor_takes_longer(tmp_path: Path):
    """A teleporter as wide as the hall but for 3 units beside the wall: nobody should route through that strip."""
    trigger = ({"classname": "trigger_teleport", "target": "out"}, [((-64, -222, 0), (64, 222, 128))])
    goal = ({"classname": "misc_teleporter_dest", "targetname": "out", "origin": "-400 0 32"}, ())
    nav = aascompile.Navigation(aascompile.compile_map(draw(tmp_path, [], trigger, goal)))
    links, strip = nav.compiled.links, nav.area_at((0.0, 239.0, 25.0))
    assert nav.compiled.areas.area_maxs[strip, 1] - nav.compiled.areas.area_mins[strip, 1] < 8.0
    walks = links.kind == Travel.WALK
    into, out = walks & (links.target == strip), walks & (links.source == strip)
    assert into.sum() == 2
    assert (links.time[into] >= times.SLIVER).all()
    assert (links.time[out] < times.SLIVER).all()
