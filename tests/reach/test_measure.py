"""Links measured with bots: better starts of jumps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import aascompile
from aascompile.model.links import Links, Travel
from aascompile.player.movement import Movement
from aascompile.reach.measure import BACK, _moved_back, measured, with_better_starts
from aascompile.settings import QUAKE3
from tests.reach.carrying import SAMPLES


def compiled(name: str):
    """The areas, the links and a movement of a sample."""
    made = aascompile.compile_map(SAMPLES / f"{name}.bsp")
    return made.areas, made.links, Movement(made.areas, QUAKE3)


def jumps(links: Links) -> np.ndarray:
    """The rows of the jumps."""
    return np.flatnonzero(links.kind == Travel.JUMP)


@pytest.mark.parametrize("back", BACK)
def test_a_jump_starts_on_the_ground_farther_back(back):
    areas, links, movement = compiled("gap")
    rows = jumps(links)
    assert len(rows) > 0
    moved, good = _moved_back(links, rows, back, areas, movement)
    assert good.tolist() == rows.tolist(), "from there players arrive, too"
    offset = moved.start[rows] - links.start[rows]
    ahead = (links.end - links.start)[rows, :2] / np.hypot(*(links.end - links.start)[rows, :2].T)[:, None]
    assert offset[:, :2] == pytest.approx(-back * ahead)
    assert offset[:, 2] == pytest.approx(0.0, abs=0.01)
    assert (np.hypot(*moved.velocity[rows, :2].T) <= QUAKE3.physics.walk_speed + 1e-9).all()
    others = np.setdiff1d(np.arange(len(links)), rows)
    assert (moved.start[others] == links.start[others]).all()


def test_a_jump_stays_in_its_source_and_within_reach():
    areas, links, movement = compiled("gap")
    assert len(_moved_back(links, jumps(links), 1000.0, areas, movement)[1]) == 0, "outside the room"
    assert len(_moved_back(links, jumps(links), 150.0, areas, movement)[1]) == 0, "too far to jump"


@pytest.mark.parametrize("name", ["slanted", "rotating", "gap"])
def test_no_jump_gets_a_worse_start(name):
    areas, links, movement = compiled(name)
    rows = jumps(links)
    plain = measured(replace(links, time=np.ones_like(links.time)), areas, movement)
    now = with_better_starts(plain, areas, movement)
    same = (now.start == plain.start).all(axis=1)
    assert (now.arrives >= plain.arrives).all()
    assert (now.arrives[same] == plain.arrives[same]).all()
    assert (now.arrives[~same] > plain.arrives[~same]).all()
    assert same[plain.arrives == 1.0].all(), "where all arrive there is no better start"
    assert same[links.kind != Travel.JUMP].all()
    expected = 1 + 300.0 * (1.0 - now.arrives - now.dies) + 6000.0 * now.dies
    assert (np.abs(now.time - expected)[rows] <= 1.0).all(), "the time is that of the new margins"
