"""Straight walks, compared with walks against the brushes themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from aascompile.model.contents import Kind
from aascompile.model.mapdata import Planes
from aascompile.sampling.locate import locate
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.sampling.walk import WalkEnd, straight_walks
from aascompile.settings import CROUCHED, QUAKE3, STANDING
from tests.builders import Layout, Piece, block, walls
from tests.reference.sample import Grown
from tests.reference.walk import straight_walk
from tests.sampling.test_sample import compiled, random_segments, sample

NAMES = {
    WalkEnd.ARRIVES: "arrives",
    WalkEnd.WALL: "wall",
    WalkEnd.GAP: "gap",
    WalkEnd.STEEP: "steep",
    WalkEnd.OTHER_LEVEL: "other level",
}


def on_floor(name: str, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of places on the floor of a sample."""
    made = sample(name)
    tree = tree_of(made.areas)
    ends = [locate(tree, points) for points in random_segments(made.areas, count, seed)]
    good = (ends[0][0] >= 0) & (ends[1][0] >= 0)
    return np.ascontiguousarray(ends[0][1][good]), np.ascontiguousarray(ends[1][1][good])


@pytest.mark.parametrize("name", ["stairs", "rises", "ledge", "pillars", "slanted", "doorway", "gap"])
def test_walks_end_as_they_do_between_brushes(name):
    made = sample(name)
    tree = tree_of(made.areas)
    grown = Grown.of_volumes(made.planes, made.volumes, 1)
    start, end = on_floor(name, 150, 12)
    found = straight_walks(tree, start, end, QUAKE3.physics, STANDING.presence)
    wrong = []
    for row in range(len(start)):
        if found.why[row] == WalkEnd.NO_ROOM:
            assert grown.trace(start[row], start[row]).start_solid
            continue
        expected = straight_walk(grown, start[row], end[row])
        if NAMES[WalkEnd(found.why[row])] != expected:
            wrong.append((row, WalkEnd(found.why[row]), expected))
    assert wrong == []
    assert (found.why == WalkEnd.ARRIVES).any()
    arrived = found.why == WalkEnd.ARRIVES
    assert np.allclose(found.end[arrived, :2], end[arrived, :2])


def test_a_step_may_be_as_high_as_players_step():
    """The first rise of the sample is exactly 18 high: players walk up and down."""
    tree = tree_of(sample("rises").areas)
    places = np.array([(-120.0, 0.0, 24.125), (-40.0, 0.0, 42.125)])
    found = straight_walks(tree, places, places[::-1].copy(), QUAKE3.physics, STANDING.presence)
    assert found.why.tolist() == [WalkEnd.ARRIVES, WalkEnd.ARRIVES]


@pytest.mark.parametrize("tread", [1.8, 0.9, 0.3])
def test_treads_may_be_narrow(tmp_path, tread):
    """Like those of winding stairs, at the inner end."""
    stairs = [block((100 + tread * k, 0, 16 * k), (256, 256, 16 * k + 16)) for k in range(5)]
    path = tmp_path / "stairs.map"
    path.write_text(Layout((*walls((256, 256, 192)), *stairs), ((32, 128, 32),)).text())
    made = compiled(path)
    places = np.array([(50.0, 128.0, 24.125), (150.0, 128.0, 104.125)])
    found = straight_walks(tree_of(made.areas), places, places[::-1].copy(), QUAKE3.physics, STANDING.presence)
    assert found.why.tolist() == [WalkEnd.ARRIVES, WalkEnd.ARRIVES]
    grown = Grown.of_volumes(made.planes, made.volumes, 1)
    assert [straight_walk(grown, *pair) for pair in (places, places[::-1])] == ["arrives", "arrives"]


@pytest.mark.parametrize("above", [0.01, 0.05, 0.09, 0.125, 0.2])
def test_a_walk_may_start_nearer_to_the_ground_than_players_stop(tmp_path, above):
    """Corners of floors are moved by the weld, so a place on one of them may be that low. The walk started in the solid
    below once, so it left that for its own area."""
    ramp = Piece(((128, 0, 0), (128, 256, 0), (256, 0, 0), (256, 256, 0), (256, 0, 64), (256, 256, 64)))
    path = tmp_path / "ramp.map"
    path.write_text(Layout((*walls((256, 256, 256)), ramp), ((32, 128, 32),)).text())
    tree = tree_of(compiled(path).areas)
    start, end = np.array([(64.0, 128.0, 24.0 + above)]), np.array([(200.0, 128.0, 68.125)])
    assert areas_at(tree, start) == areas_at(tree, end)
    found = straight_walks(tree, start, end, QUAKE3.physics, STANDING.presence)
    assert WalkEnd(found.why[0]) == WalkEnd.ARRIVES
    assert not found.left[0]


def test_no_walk_ends_in_a_crack_in_the_floor():
    """Where planes cross at flat angles, the tree may have a crack in a floor. A player who followed the floor got into
    the crack, and never out of it: a stride met its end, and a step its top."""
    box = sample("box").areas
    area = int(areas_at(tree_of(box), np.array([(5.0, 0.0, 30.0)]))[0])
    first = len(box.planes.dist)
    normal = np.array([(1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 1.0)])
    dist = np.array([0.0, 24.16, 10.0, 24.14, 24.11])  # beyond x = 0, a crack from 24.11 to 24.14, up to x = 10
    solid, leaf, rest = -1, -2 - area, 5
    child = np.array([(1, rest), (rest, 2), (solid, 3), (solid, 4), (leaf, solid)], np.int32)
    cracked = replace(
        box,
        planes=Planes(np.vstack([box.planes.normal, normal]), np.concatenate([box.planes.dist, dist])),
        node_plane=np.concatenate([np.arange(first, first + 5, dtype=np.int32), box.node_plane]),
        node_child=np.vstack([child, np.where(box.node_child >= 0, box.node_child + rest, box.node_child)]),
    )
    start, end = np.array([(-4.0, 0.0, 24.125)]), np.array([(60.0, 0.0, 24.285)])
    found = straight_walks(tree_of(cracked), start, end, QUAKE3.physics, STANDING.presence)
    assert WalkEnd(found.why[0]) == WalkEnd.ARRIVES
    assert found.end[0] == pytest.approx(end[0])
    assert not found.left[0]


def test_players_who_step_up_slide_along_a_ceiling(tmp_path):
    """The ceiling sinks ahead: from the most that it lets a player rise, a level way leads into it."""
    wedge = Piece(((0, 0, 102), (0, 256, 102), (256, 0, 102), (256, 256, 102), (256, 0, 38), (256, 256, 38)))
    stair = block((128, 0, 0), (256, 256, 8))
    path = tmp_path / "wedge.map"
    path.write_text(Layout((*walls((256, 256, 102)), wedge, stair), ((32, 128, 32),)).text())
    made = compiled(path)
    start, end = np.array([(100.0, 128.0, 24.125)]), np.array([(133.0, 128.0, 32.125)])
    for a, b in ((start, end), (end, start)):
        found = straight_walks(tree_of(made.areas), a, b, QUAKE3.physics, STANDING.presence)
        assert WalkEnd(found.why[0]) == WalkEnd.ARRIVES
        assert straight_walk(Grown.of_volumes(made.planes, made.volumes, 1), a[0], b[0]) == "arrives"


def test_walks_avoid_liquid_triggers_and_low_ceilings():
    for name, kind, why in (("pool_deep", Kind.WATER, WalkEnd.LIQUID), ("jumppad", Kind.JUMPPAD, WalkEnd.TRIGGER)):
        areas = sample(name).areas
        goal = areas.area_centre[np.flatnonzero(areas.area_contents & kind)]
        tree = tree_of(areas)
        _, end = locate(tree, goal)
        start, _ = on_floor(name, 200, 3)
        start, end = np.repeat(start, len(end), axis=0), np.tile(end, (len(start), 1))
        found = straight_walks(tree, start, end, QUAKE3.physics, STANDING.presence)
        assert why in found.why
        stays = (areas.area_contents[locate(tree, start)[0]] & kind) == 0
        assert (found.why[stays] != WalkEnd.ARRIVES).all()
    areas = sample("crouch").areas
    tree = tree_of(areas)
    low = np.flatnonzero((areas.area_presence == CROUCHED.presence) & ((areas.area_flags & 1) != 0))
    end = np.repeat(locate(tree, areas.area_centre[low[:1]])[1], 2, axis=0)
    start = end + np.array([[-200.0, 0, 0], [200.0, 0, 0]])
    for box, why in ((STANDING, WalkEnd.WALL), (CROUCHED, WalkEnd.ARRIVES)):
        assert (straight_walks(tree, start, end, QUAKE3.physics, box.presence).why == why).all()


def test_the_number_of_threads_changes_no_walk():
    tree = tree_of(sample("slanted").areas)
    start, end = on_floor("slanted", 400, 2)
    one, two = (straight_walks(tree, start, end, QUAKE3.physics, STANDING.presence, n) for n in (1, 2))
    assert np.array_equal(one.why, two.why)
    assert np.array_equal(one.end, two.end)
