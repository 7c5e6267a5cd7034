"""Walks over shared edges: where they start."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np

import aascompile
from aascompile.model.links import Travel
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
