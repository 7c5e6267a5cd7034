"""Links between nearby floors of the samples: everything a player can do there, and nothing else; and the kernels'
numbers."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from aascompile.geometry.grid_kernel import BoxGrid
from aascompile.model.contents import Kind
from aascompile.model.links import REPLAYED, Links, Travel
from aascompile.nav.replay import replay_links
from aascompile.pipeline import compile_map, link_areas
from aascompile.player import follow_kernel
from aascompile.player.reason import Reason
from aascompile.reach import nearest_kernel, probe_kernel, rims_kernel
from aascompile.report import Report
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.settings import QUAKE3
from tests.furniture import STONE, Text
from tests.reach.carrying import Room, build, draw, room_of, sample
from tests.stages import EXACT

LOCAL = (
    Travel.WALK,
    Travel.CROUCH,
    Travel.BARRIER_JUMP,
    Travel.JUMP,
    Travel.WALK_OFF_LEDGE,
    Travel.SWIM,
    Travel.WATER_JUMP,
)


def links_of(room: Room) -> Links:
    return link_areas(room.understood, room.areas, QUAKE3, Report("test")).links


def test_a_step_has_walk_links_in_both_directions_and_no_ledge_links():
    links = links_of(sample("stairs"))
    assert set(links.kind.tolist()) <= {Travel.WALK, Travel.ROCKET_JUMP}
    walks = {(s, t) for s, t, k in zip(links.source, links.target, links.kind, strict=True) if k == Travel.WALK}
    assert {(t, s) for s, t in walks} == walks


def test_a_barrier_at_the_top_of_a_ramp_is_jumped(tmp_path):
    """A player who starts behind the ramp's top, but at its height, is in the air and cannot jump."""
    text = Text()
    for low, high in (
        ((-272, -144, -16), (272, 144, 0)),
        ((-272, -144, 256), (272, 144, 272)),
        ((-272, -144, 0), (-256, 144, 256)),
        ((256, -144, 0), (272, 144, 256)),
        ((-256, -144, 0), (256, -128, 256)),
        ((-256, 128, 0), (256, 144, 256)),
        ((0, -128, 0), (256, 128, 96)),
    ):
        text.box(low, high, STONE)
    text.ramp((-128, -128, 0), (0, 128, 64), STONE)
    text.point("info_player_deathmatch", -200, 0, 32)
    path = tmp_path / "ramp.map"
    path.write_text('{\n"classname" "worldspawn"\n' + "".join(text.world) + "}\n" + "".join(text.entities))
    room = room_of(path)
    links = links_of(room)
    up = np.flatnonzero((links.target == room.area(100, 0, 121)) & (links.kind == Travel.BARRIER_JUMP))
    assert len(up) == 1
    assert links.source[up[0]] == room.area(-24, 0, 90)
    assert links.start[up[0], 2] < links.end[up[0], 2] - 32


def test_a_shore_that_ends_at_the_surface_is_walked_over(tmp_path):
    """A slope under water up to the very surface, and a kerb 8 high beyond it. Right before the kerb a player is in the
    air above the water."""
    text = Text()
    for low, high in (
        ((-528, -144, -16), (272, 144, 0)),
        ((-528, -144, 256), (272, 144, 272)),
        ((-528, -144, 0), (-512, 144, 256)),
        ((256, -144, 0), (272, 144, 256)),
        ((-512, -144, 0), (256, -128, 256)),
        ((-512, 128, 0), (256, 144, 256)),
        ((0, -128, 0), (256, 128, 136)),
    ):
        text.box(low, high, STONE)
    text.ramp((-384, -128, 0), (0, 128, 128), STONE)
    text.box((-512, -128, 0), (0, 128, 128), "liquids/water")
    text.point("info_player_deathmatch", 128, 0, 168)
    path = tmp_path / "shore.map"
    path.write_text('{\n"classname" "worldspawn"\n' + "".join(text.world) + "}\n" + "".join(text.entities))
    room = room_of(path)
    links = links_of(room)
    ashore = (links.source == room.area(-200, 0, 110)) & (links.target == room.area(128, 0, 161))
    assert Travel.WALK in links.kind[ashore]
    assert replay_links(room.areas, links, QUAKE3).good.all()


def test_times_of_jump_ledge_and_barrier():
    links = links_of(sample("gap"))
    jump = links.kind == Travel.JUMP
    # From the rim: the jump starts 14 units before it, because no bot misses it from there.
    far = np.hypot(*(links.end - links.start)[jump, :2].T) - 14
    assert (links.arrives[jump] == 1.0).all()
    assert links.time[jump].tolist() == np.rint(300 + 240 * far / 320).tolist()
    ledge = links.kind == Travel.WALK_OFF_LEDGE
    # 192 units down: no damage below 250.
    assert links.time[ledge].tolist() == [round(70 + 50 * 192 / 800)] * 2
    high = links_of(sample("barrier_high"))
    assert high.time[high.kind == Travel.BARRIER_JUMP].tolist() == [100]


@pytest.mark.parametrize("name", ["stairs", "slanted", "pillars", "pool_steps", "pool_deep", "wedge", "jumppad"])
def test_every_link_can_be_replayed(name):
    room = sample(name)
    links = links_of(room)
    found = replay_links(room.areas, links, QUAKE3)
    assert len(found) == int(np.isin(links.kind, REPLAYED).sum()) > 0
    assert found.good.all()


def test_links_are_the_same_for_any_number_of_threads():
    room = sample("slanted")
    single, double = (link_areas(room.understood, room.areas, QUAKE3, Report("test"), n).links for n in (1, 2))
    for name in ("source", "target", "kind", "time"):
        assert getattr(single, name).tolist() == getattr(double, name).tolist()
    assert single.start.tobytes() == double.start.tobytes()


def test_nearest_points_are_the_middle_of_the_facing_edges():
    a = np.array([[0.0, 0, 0], [0, 100, 0], [50, 0, 0]])
    b = np.array([[0.0, 100, 0], [-100, 100, 0], [50, 60, 0]])
    start = np.array([0, 2, 3], np.int64)
    bounds = np.array([[-100.0, 0, 0, 0, 100, 0], [50, 0, 0, 50, 60, 0]])
    rims = SimpleNamespace(a=a, b=b, start=start, bounds=bounds)
    physics = QUAKE3.physics
    worker = nearest_kernel.Nearest(
        rims, np.zeros(0, np.int64), BoxGrid(bounds, 256.0, 8), physics, 0.1, physics.walk_speed, physics.jump_velocity
    )
    worker.run(np.array([4, 7], np.int32), 0, 2, 10)
    pair, point = worker.result()
    assert pair.tolist() == [[0, 1, 0, 2], [1, 0, 2, 0]]
    assert point.tolist() == [[0, 30, 0, 50, 30, 0], [50, 30, 0, 0, 30, 0]]


def test_numbers_of_the_kernels_are_those_of_the_enums():
    kinds = probe_kernel.kinds() | rims_kernel.kinds()
    assert kinds == {travel.name: int(travel) for travel in Travel if travel.name in kinds}
    reasons = follow_kernel.reasons() | rims_kernel.reasons() | probe_kernel.reasons() | nearest_kernel.reasons()
    assert reasons == {why.name: int(why) for why in Reason if why.name in reasons}


@pytest.mark.parametrize("name", ["gap", "pillars", "pool_deep", "barrier_high"])
def test_ends_of_links_lie_in_their_areas(name):
    """The end of a link lies well past the edge of its target, but inside it. A walk starts right on the edge."""
    room = sample(name)
    links = links_of(room)
    local = np.isin(links.kind, LOCAL)
    lift = np.array([0.0, 0.0, 0.125])
    ahead = (links.end - links.start) * (1.0, 1.0, 0.0)
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1), 1e-9)[:, None]
    before = links.start - np.where(links.kind == Travel.WALK, 0.125, 0.0)[:, None] * ahead
    for area, point in ((links.source, before), (links.target, links.end)):
        assert areas_at(room.movement.tree, point[local] + lift).tolist() == area[local].tolist()


def test_walks_over_shared_edges_end_on_the_ground():
    """Also down a ramp: not in the air above it."""
    links = links_of(room := sample("ramp_shallow", EXACT))
    walks = np.flatnonzero(links.kind == Travel.WALK)
    assert sorted(links.end[walks, 2].tolist()) == pytest.approx([149.5, 152.0])
    ground = np.array([0.0, 0.0, 0.125])
    assert areas_at(room.movement.tree, links.end[walks] + ground).tolist() == links.target[walks].tolist()
    assert (areas_at(room.movement.tree, links.end[walks] - ground) == -1).all()


def test_swims_end_in_their_areas():
    room = sample("swim")
    links = links_of(room)
    swim = links.kind == Travel.SWIM
    assert areas_at(room.movement.tree, links.end[swim]).tolist() == links.target[swim].tolist()
    ahead = (links.end - links.start)[swim]
    ahead /= np.linalg.norm(ahead, axis=1)[:, None]
    back = np.where(np.abs(ahead[:, 2]) > 0.7, 17.0, 1.0)
    before = links.start[swim] - back[:, None] * ahead
    assert areas_at(room.movement.tree, before).tolist() == links.source[swim].tolist()
    assert areas_at(room.movement.tree, links.start[swim]).tolist() == links.target[swim].tolist()


@pytest.mark.parametrize("name", ["jumppad", "teleporter"])
def test_no_walk_links_lead_out_of_a_trigger(name):
    room = sample(name)
    links = links_of(room)
    trigger = (room.areas.area_contents & np.uint32(Kind.JUMPPAD | Kind.TELEPORTER)) != 0
    assert trigger[links.target].any()
    out = trigger[links.source] & ~trigger[links.target]
    assert set(links.kind[out].tolist()) <= {Travel.JUMP_PAD, Travel.TELEPORT}


def test_a_pad_in_a_shaft_catches_falling_players(tmp_path):
    """A push trigger fills the upper part of a shaft, so no player falls past it to the bottom."""
    boxes = [
        (((-440, -256, 0), (-64, 256, 256)), STONE),
        (((64, -256, 0), (512, 256, 256)), STONE),
        (((-64, -256, 0), (64, -64, 256)), STONE),
        (((-64, 64, 0), (64, 256, 256)), STONE),
    ]
    pad = ({"classname": "trigger_push", "target": "up"}, [((-64, -64, 128), (64, 64, 200))])
    goal = ({"classname": "target_position", "targetname": "up", "origin": "0 0 400"}, ())
    free, caught = build(tmp_path, boxes), build(tmp_path, boxes, pad, goal)
    falls = [int((links_of(room).target == room.area(0, 0, 24.5)).sum()) for room in (free, caught)]
    assert falls[0] > 0
    assert falls[1] == 0


@pytest.mark.parametrize("width", [34, 35, 36, 38, 40, 44, 48, 64])
def test_a_well_of_any_width_has_a_way_in(tmp_path, width):
    """A square well in the floor of a block 128 high, with water from 64 below its rim."""
    half = width // 2
    sides = [
        ((-512, -192, 0), (-half, 256, 128)),
        ((half, -192, 0), (512, 256, 128)),
        ((-half, -192, 0), (half, -half, 128)),
        ((-half, half, 0), (half, 256, 128)),
    ]
    boxes = [*((side, STONE) for side in sides), (((-half, -half, 0), (half, half, 64)), "liquids/water")]
    spawn = ({"classname": "info_player_deathmatch", "origin": "-300 0 160"}, ())
    compiled = compile_map(str(draw(tmp_path, boxes, spawn)), QUAKE3, Report("well"))
    water = int(areas_at(tree_of(compiled.areas), [(0, 0, 40)])[0])
    into = compiled.links.target == water
    assert set(compiled.links.kind[into].tolist()) == {Travel.WALK_OFF_LEDGE}
    assert replay_links(compiled.areas, compiled.links, QUAKE3).good.all()
