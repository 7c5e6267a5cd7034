"""Ways that suit the engine's bots, which run to a way's start and pay no heed to what lies beside it."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.model.links import Links, Travel
from aascompile.reach.adjoining import LANE, swim_links, walk_links
from aascompile.reach.candidates import Candidates
from aascompile.reach.ground import ground_edges
from aascompile.reach.local import local_links
from aascompile.settings import QUAKE3
from tests.furniture import STONE, WATER
from tests.reach.carrying import Room, build, sample


def found(room: Room) -> tuple[Links, np.ndarray]:
    """All that is walked, swum and tried, and what of it is hard."""
    candidates, edges = Candidates(), ground_edges(room.areas)
    walk_links(candidates, room.areas, edges, room.movement)
    swim_links(candidates, room.areas, room.movement)
    local_links(candidates, room.areas, edges, room.movement, QUAKE3, 1)
    return candidates.finish_with_hard(room.areas)


def ways(links: Links, kind: Travel, one: int, other: int) -> np.ndarray:
    return np.flatnonzero((links.kind == kind) & (links.source == one) & (links.target == other))


def test_a_wide_edge_is_crossed_in_several_places(tmp_path):
    """A hall 1024 wide, lower in one half: one way between the halves would be in the middle of all."""
    room = build(tmp_path, [(((-512, 0, 300), (512, 256, 512)), STONE)])
    links, _ = found(room)
    both = {(int(s), int(t)) for s, t in zip(links.source, links.target, strict=True)}
    widest = max(len(ways(links, Travel.WALK, *pair)) for pair in both)
    assert widest == round((1024 - 30) / LANE)
    pair = next(pair for pair in both if len(ways(links, Travel.WALK, *pair)) == widest)
    x = np.sort(links.start[ways(links, Travel.WALK, *pair), 0])
    assert np.diff(x) == pytest.approx([994 / widest] * (widest - 1))
    assert x.mean() == pytest.approx(0.0, abs=1e-6)


def test_a_wide_face_is_swum_through_in_several_places(tmp_path):
    """A hall under water, under half of it a bench: one dives to its other half anywhere along the bench."""
    room = build(tmp_path, [(((-512, -256, 0), (512, 256, 512)), WATER), (((-512, 0, 0), (512, 256, 256)), STONE)])
    links, hard = found(room)
    swims = np.flatnonzero((links.kind == Travel.SWIM) & ~hard)
    pairs, count = np.unique(np.stack([links.source, links.target])[:, swims], axis=1, return_counts=True)
    wide = round((1024 - 30) / LANE)
    assert wide in count.tolist()
    one, other = pairs[:, np.argmax(count)].tolist()
    rows = ways(links, Travel.SWIM, one, other)
    assert np.diff(np.sort(links.start[rows, 0])) == pytest.approx([994 / wide] * (wide - 1))


@pytest.mark.parametrize(("width", "hard"), [(40, True), (400, False)])
def test_a_groove_that_is_run_over_is_hard_to_get_into(tmp_path, width, hard):
    """Floors 12 above the hall's own, on both sides of a groove: who runs at it comes out on its other side."""
    floors = [
        (((-512, -256, 0), (-width // 2, 256, 12)), STONE),
        (((width // 2, -256, 0), (512, 256, 12)), STONE),
    ]
    room = build(tmp_path, floors)
    links, is_hard = found(room)
    (row,) = ways(links, Travel.WALK, room.area(-200, 0, 40), room.area(0, 0, 26))
    assert bool(is_hard[row]) == hard
    (out,) = ways(links, Travel.WALK, room.area(0, 0, 26), room.area(-200, 0, 40))
    assert not is_hard[out]


@pytest.mark.parametrize("rise", [0, 4, 16])
def test_a_niche_above_the_floor_is_crawled_into(tmp_path, rise):
    """A niche too low to stand in, its floor up to a step above the hall's; who steps up is lifted by all of a step."""
    block = [(((0, -256, 0), (512, 256, rise)), STONE)] if rise else []
    room = build(tmp_path, [*block, (((0, -256, rise + 55), (512, 256, 512)), STONE)])
    links, _ = found(room)
    hall, niche = room.area(-200, 0, 25), room.area(200, 0, rise + 25)
    assert hall != niche
    assert len(ways(links, Travel.CROUCH, hall, niche)) > 0
    assert len(ways(links, Travel.CROUCH, niche, hall)) > 0


def test_nobody_creeps_to_a_rim(tmp_path):
    """A wall 40 beyond a ledge 256 high ends every run there; a bot would match its speed to so short a way."""
    room = build(tmp_path, [(((-440, -256, 0), (-64, 256, 256)), STONE), (((6, -256, 0), (512, 256, 512)), STONE)])
    links, _ = found(room)
    falls = ways(links, Travel.WALK_OFF_LEDGE, room.area(-200, 0, 300), room.area(-30, 0, 26))
    assert len(falls)
    way = (links.end - links.start)[falls]
    far, speed = np.hypot(way[:, 0], way[:, 1]), np.hypot(*way[:, :2].T) / np.sqrt(-way[:, 2] / 400.0)
    assert ((far < 20.0) | (speed > 60.0)).all()


def test_a_walk_begins_on_the_rim_and_a_swim_past_the_face():
    links, _ = found(sample("stairs"))
    up = np.flatnonzero((links.kind == Travel.WALK) & (links.end[:, 2] > links.start[:, 2] + 1))
    rim = (links.start[up, 0] - 15.0) % 32.0  # the steps are 32 apart, and a player's half-width before them
    assert np.minimum(rim, 32.0 - rim) == pytest.approx(np.full(len(up), rim.min()), abs=1e-6)
    links, _ = found(sample("swim"))
    swim = links.kind == Travel.SWIM
    assert np.linalg.norm((links.end - links.start)[swim], axis=1) == pytest.approx(1.25)
