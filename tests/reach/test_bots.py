"""Links that suit the engine's bots, which run straight to a link's start."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.model.links import Links, Travel
from aascompile.player.follow import replay_rows
from aascompile.player.reason import Reason
from aascompile.reach.adjoining import LANE, swim_links, walk_links
from aascompile.reach.candidates import Candidates
from aascompile.reach.local import local_links, probe_rims
from aascompile.sampling.ground import ground_edges
from tests.furniture import STONE, WATER
from tests.reach.carrying import Room, build, sample
from tests.stages import EXACT


def found(room: Room) -> tuple[Links, np.ndarray]:
    """Walk, swim and probed links, and which of them are hard."""
    candidates, edges = Candidates(), ground_edges(room.areas)
    walk_links(candidates, room.areas, edges, room.movement)
    swim_links(candidates, room.areas, room.movement)
    probed = probe_rims(room.areas, edges, room.movement, 1)
    local_links(candidates, room.areas, edges, probed, room.movement, 1)
    return candidates.finish_with_hard(room.areas)


def rows(links: Links, kind: Travel, source: int, target: int) -> np.ndarray:
    return np.flatnonzero((links.kind == kind) & (links.source == source) & (links.target == target))


def test_a_wide_edge_is_crossed_in_several_places(tmp_path):
    """A hall 1024 wide with a lower ceiling over one half: a single link would make every route pass the middle."""
    room = build(tmp_path, [(((-512, 0, 300), (512, 256, 512)), STONE)], settings=EXACT)
    links, _ = found(room)
    both = {(int(s), int(t)) for s, t in zip(links.source, links.target, strict=True)}
    widest = max(len(rows(links, Travel.WALK, *pair)) for pair in both)
    assert widest == round((1024 - 30) / LANE)
    pair = next(pair for pair in both if len(rows(links, Travel.WALK, *pair)) == widest)
    x = np.sort(links.start[rows(links, Travel.WALK, *pair), 0])
    assert np.diff(x) == pytest.approx([994 / widest] * (widest - 1))
    assert x.mean() == pytest.approx(0.0, abs=1e-6)


def test_a_wide_face_is_swum_through_in_several_places(tmp_path):
    """A hall under water with a bench under one half: players dive past the bench anywhere along it."""
    room = build(tmp_path, [(((-512, -256, 0), (512, 256, 512)), WATER), (((-512, 0, 0), (512, 256, 256)), STONE)])
    links, hard = found(room)
    swims = np.flatnonzero((links.kind == Travel.SWIM) & ~hard)
    pairs, count = np.unique(np.stack([links.source, links.target])[:, swims], axis=1, return_counts=True)
    wide = round((1024 - 30) / LANE)
    assert wide in count.tolist()
    source, target = pairs[:, np.argmax(count)].tolist()
    wide_swims = rows(links, Travel.SWIM, source, target)
    assert np.diff(np.sort(links.start[wide_swims, 0])) == pytest.approx([994 / wide] * (wide - 1))


@pytest.mark.parametrize(("width", "hard"), [(40, True), (400, False)])
def test_links_into_a_narrow_groove_are_hard(tmp_path, width, hard):
    """Floors 12 above the hall's own, on both sides of a groove that a running player overshoots if it is narrow."""
    floors = [
        (((-512, -256, 0), (-width // 2, 256, 12)), STONE),
        (((width // 2, -256, 0), (512, 256, 12)), STONE),
    ]
    room = build(tmp_path, floors, settings=EXACT)
    links, is_hard = found(room)
    (row,) = rows(links, Travel.WALK, room.area(-200, 0, 40), room.area(0, 0, 26))
    assert bool(is_hard[row]) == hard
    (out,) = rows(links, Travel.WALK, room.area(0, 0, 26), room.area(-200, 0, 40))
    assert not is_hard[out]


@pytest.mark.parametrize("rise", [0, 4, 16])
def test_a_low_niche_has_crouch_links(tmp_path, rise):
    """A niche too low to stand in, with a floor up to a step above the hall's. Stepping up lifts the player by a full
    step."""
    block = [(((0, -256, 0), (512, 256, rise)), STONE)] if rise else []
    room = build(tmp_path, [*block, (((0, -256, rise + 55), (512, 256, 512)), STONE)])
    links, _ = found(room)
    hall, niche = room.area(-200, 0, 25), room.area(200, 0, rise + 25)
    assert hall != niche
    assert len(rows(links, Travel.CROUCH, hall, niche)) > 0
    assert len(rows(links, Travel.CROUCH, niche, hall)) > 0


def test_bots_need_not_creep_to_a_rim(tmp_path):
    """A wall 40 units beyond a ledge 256 high stops every run. A bot would slow down for such a short distance."""
    room = build(tmp_path, [(((-440, -256, 0), (-64, 256, 256)), STONE), (((6, -256, 0), (512, 256, 512)), STONE)])
    links, _ = found(room)
    falls = rows(links, Travel.WALK_OFF_LEDGE, room.area(-200, 0, 300), room.area(-30, 0, 26))
    assert len(falls)
    offset = (links.end - links.start)[falls]
    far, speed = np.hypot(offset[:, 0], offset[:, 1]), np.hypot(*offset[:, :2].T) / np.sqrt(-offset[:, 2] / 400.0)
    assert ((far < 20.0) | (speed > 60.0)).all()


def test_a_walk_begins_on_the_rim_and_a_swim_past_the_face():
    links, _ = found(sample("stairs", EXACT))
    up = np.flatnonzero((links.kind == Travel.WALK) & (links.end[:, 2] > links.start[:, 2] + 1))
    rim = (links.start[up, 0] - 15.0) % 32.0  # the steps are 32 apart, and the rim is half a player's width before them
    assert np.minimum(rim, 32.0 - rim) == pytest.approx(np.full(len(up), rim.min()), abs=1e-6)
    links, _ = found(sample("swim"))
    swim = links.kind == Travel.SWIM
    assert np.linalg.norm((links.end - links.start)[swim], axis=1) == pytest.approx(1.25)


def test_no_bot_walks_up_a_step_under_water():
    room = sample("pool_steps")
    deep, shallow = room.area(117, 0, -20), room.area(141, 0, -7)
    number = np.array([[deep, shallow, Travel.WALK], [deep, shallow, Travel.WATER_JUMP]], np.int32)
    place = np.array([[117, 0, -10, 134, 0, -7.9, 0, 0, 0]] * 2, float)
    found, where = replay_rows(room.areas, room.movement, number, place)
    assert found[:, 0].tolist() == [Reason.LATE, Reason.ARRIVES]
    assert where[0, 2] == pytest.approx(-10), "it stays as deep as it was"
