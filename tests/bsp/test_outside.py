"""Inside and outside: what the flood from the entities reaches, and where a map leaks."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from aascompile.bsp.outside import flood_inside
from aascompile.errors import LeakError, MapError
from aascompile.mapio.load import load_map
from aascompile.model.mapdata import Entity, Planes
from aascompile.model.tree import Portals, Tree
from aascompile.pipeline import Divided, make_areas, understand
from aascompile.report import Report
from aascompile.settings import QUAKE3
from tests.furniture import STONE, Text
from tests.reference.collision import CROUCHED, Solids

SPAWN = ("info_player_deathmatch", 0, 0, 32)


def room(hole: tuple[float, float, float, float] | None = None) -> Text:
    """A closed room of 256 × 256 × 128 units with walls of 16; ``hole``: y and z, from and to, in its eastern wall."""
    text = Text()
    text.box((-144, -144, -16), (144, 144, 0), STONE)
    text.box((-144, -144, 128), (144, 144, 144), STONE)
    text.box((-144, -144, 0), (-128, 144, 128), STONE)
    text.box((-128, -144, 0), (128, -128, 128), STONE)
    text.box((-128, 128, 0), (128, 144, 128), STONE)
    low, high, floor, ceiling = hole or (0, 0, 0, 128)
    text.box((128, -144, 0), (144, low, 128), STONE)
    text.box((128, high, 0), (144, 144, 128), STONE)
    if hole and floor > 0:
        text.box((128, low, 0), (144, high, floor), STONE)
    if hole and ceiling < 128:
        text.box((128, low, ceiling), (144, high, 128), STONE)
    return text


def compile_text(folder: Path, text: Text, *points: tuple[str, float, float, float], allow: bool = False) -> Divided:
    """Areas of a map of these brushes and point entities."""
    for name, x, y, z in points:
        text.point(name, x, y, z)
    path = folder / "made.map"
    path.write_text('{\n"classname" "worldspawn"\n' + "".join(text.world) + "}\n" + "".join(text.entities))
    report = Report(str(path))
    return make_areas(understand(str(path), report), QUAKE3, report, allow_leak=allow)


def test_the_leak_is_found_with_the_shortest_trail(samples):
    path = str(samples / "leak.map")
    with pytest.raises(LeakError) as caught:
        make_areas(understand(path, Report(path)), QUAKE3, Report(path))
    trail = np.array(caught.value.trail)
    assert (
        str(caught.value) == f"{path}: leaks: item_health (entity 3) at (128 0 16) can reach the outside at (319 0 124)"
    )
    assert trail[0].tolist() == [128, 0, 16]
    assert (np.abs(trail[-1]) > (272, 272, 272)).any()
    # The trail goes through the hole and never through a wall.
    steps = np.concatenate([np.linspace(a, b, 50) for a, b in pairwise(trail[1:])])
    assert not Solids(load_map(path)).hit(steps, CROUCHED).any()
    in_wall = steps[(steps[:, 0] > 256) & (steps[:, 0] < 272)]
    assert len(in_wall)
    assert ((in_wall[:, 1:] > (-32, 32)) & (in_wall[:, 1:] < (32, 96))).all()


def test_an_allowed_leak_is_closed_at_the_bounds_of_the_map(samples):
    path = str(samples / "leak.map")
    report = Report(path)
    found = make_areas(understand(path, report), QUAKE3, report, allow_leak=True)
    assert report.warnings == [
        "item_health (entity 3) at (128 0 16) can reach the outside at (319 0 124); "
        "walls were put at the bounds of the map"
    ]
    assert found.leak[0].tolist() == [128, 0, 16]
    # The room, and the hole up to half a player's width before the end of the wall.
    assert found.areas.area_mins.min(axis=0).tolist() == [-241, -241, 24]
    assert found.areas.area_maxs.max(axis=0).tolist() == [257, 241, 240]
    room_volume, hole_volume = 482 * 482 * 216, 16 * 34 * 24
    assert found.areas.area_volume.sum() == pytest.approx(room_volume + hole_volume)


def test_a_closed_map_has_no_trail(tmp_path):
    found = compile_text(tmp_path, room(), SPAWN)
    assert found.leak.shape == (0, 3)
    assert found.areas.area_volume.sum() == pytest.approx(226 * 226 * 88)


@pytest.mark.parametrize("name", ["item_health", "info_player_start", "team_CTF_redflag", "misc_teleporter_dest"])
def test_a_spawn_item_or_destination_outside_is_a_leak(tmp_path, name):
    with pytest.raises(LeakError, match=rf"leaks: {name} \(entity 2\) at \(300 0 0\) can reach the outside"):
        compile_text(tmp_path, room(), SPAWN, (name, 300, 0, 0))


@pytest.mark.parametrize("name", ["info_player_intermission", "light", "target_position", "path_corner"])
def test_other_entities_may_be_outside(tmp_path, name):
    found = compile_text(tmp_path, room(), SPAWN, (name, 300, 0, 0))
    assert found.areas.area_volume.sum() == pytest.approx(226 * 226 * 88)


def test_an_entity_outside_does_not_hide_the_inside(tmp_path):
    found = compile_text(tmp_path, room(), SPAWN, ("item_health", 300, 0, 0), allow=True)
    assert found.areas.area_volume.sum() >= 226 * 226 * 88 - 1
    assert len(found.leak)


def test_without_spawns_and_items_a_light_marks_the_inside(tmp_path):
    found = compile_text(tmp_path, room(), ("light", 0, 0, 64), ("light", 300, 0, 0))
    assert found.areas.area_volume.sum() == pytest.approx(226 * 226 * 88)
    with pytest.raises(LeakError, match="light"):
        compile_text(tmp_path, room(), ("light", 300, 0, 0))


@pytest.mark.parametrize("points", [(), (("info_player_deathmatch", -140, 0, 32),)])
def test_a_map_without_entities_inside_is_rejected(tmp_path, points):
    with pytest.raises(MapError, match="no entity stands where a player fits"):
        compile_text(tmp_path, room(), *points)


@pytest.mark.parametrize(("width", "leaks"), [(0.2, False), (0.3, True)])
@pytest.mark.parametrize("upright", [False, True])
def test_players_do_not_pass_through_a_crack(tmp_path, width, leaks, upright):
    """The hole is slightly wider than a player."""
    hole = (-15, 15 + width, 0, 128) if upright else (-64, 64, 32, 32 + 40 + width)
    if leaks:
        with pytest.raises(LeakError):
            compile_text(tmp_path, room(hole), SPAWN)
    else:
        found = compile_text(tmp_path, room(hole), SPAWN)
        assert found.areas.area_volume.sum() == pytest.approx(226 * 226 * 88, rel=1e-3)


def test_players_do_not_pass_along_a_thin_leaf(tmp_path):
    """The gap is above a wall that is slightly too low: entered and left from below, and nowhere higher than that."""
    text = room((-128, 128, 0, 128))
    text.box((144, -144, -16), (400, 144, 0), STONE)
    text.box((144, -144, 128), (400, 144, 144), STONE)
    text.box((128, -144, 0), (144, 144, 128 - 40 - 0.1), STONE)
    found = compile_text(tmp_path, text, SPAWN)
    assert found.areas.area_volume.sum() == pytest.approx(226 * 226 * 88, rel=1e-3)


def test_two_nearly_equal_floors_leave_the_room_whole(tmp_path):
    """Two slabs form the same floor. Their tops lie on planes that differ by hundredths of a unit."""
    text = room()
    text.world = text.world[1:]
    square = [(-144, -144), (144, -144), (144, 144), (-144, 144)]
    for lift in (0.0, 0.04):
        tail = f") {STONE} 0 0 0 0.5 0.5 0 0 0\n"
        text.solid(square, square, (-16, 0), STONE)
        brush = text.world.pop()
        flat = f"( -144 -144 0 ) ( 144 144 0 ) ( 144 -144 0 {tail}"
        assert flat in brush
        text.world.append(brush.replace(flat, f"( -144 -144 {lift} ) ( 144 144 0.02 ) ( 144 -144 {0.04 - lift} {tail}"))
    found = compile_text(tmp_path, text, SPAWN)
    assert found.areas.area_volume.sum() == pytest.approx(226 * 226 * 88, rel=1e-3)


def test_an_entity_beyond_the_extent_of_a_map_is_ignored(tmp_path):
    assert len(compile_text(tmp_path, room(), SPAWN, ("info_player_deathmatch", 0, 0, -1e308)).areas) == 2
    with pytest.raises(LeakError):
        compile_text(tmp_path, room(), SPAWN, ("info_player_deathmatch", 0, 0, -1e5))


@pytest.mark.parametrize("brush", [None, "common/hint"])
def test_a_map_without_solid_brushes_is_rejected(tmp_path, brush):
    text = Text()
    if brush:
        text.box((0, 0, 0), (64, 64, 64), brush)
    with pytest.raises(MapError, match="has no surface that a player can touch"):
        compile_text(tmp_path, text, SPAWN)


def test_nobody_gets_out_along_a_thin_leaf_that_reaches_through_a_wall():
    """A room of 100 units. A leaf a tenth of a unit thick lies along its wall at y = 100 and reaches the edge of the
    world. Thousands of random patches make such leaves, and maps with them were reported as leaking."""
    every_box, room_leaf, thin_leaf, solid_leaf = 3, 0, 1, 2

    def wall(y: float, low: float, high: float) -> list[tuple[float, float, float]]:
        return [(low, y, 0.0), (low, y, 50.0), (high, y, 50.0), (high, y, 0.0)]

    planes = Planes(np.array([(0.0, 1.0, 0.0)] * 3), np.array([0.0, 100.0, 100.1]))
    tree = Tree(
        node=np.array(
            [(0, 1, -1 - solid_leaf), (1, 2, -1 - room_leaf), (2, -1 - solid_leaf, -1 - thin_leaf)], np.int32
        ),
        section_start=np.zeros(4, np.int64),
        section_xyz=np.zeros((0, 3)),
        leaf_point=np.array([(50.0, 50.0, 50.0), (20.0, 100.05, 25.0), (50.0, -10.0, 50.0)]),
        leaf_box=np.array([(0, 0, 0, 100, 100, 100), (-90, 100, 0, 100, 100.1, 50), (0, -20, 0, 100, 0, 100)], float),
        leaf_blocks=np.array([0, 0, every_box], np.uint32),
        leaf_contains=np.zeros(3, np.int64),
    )
    portals = Portals(
        plane=np.arange(3, dtype=np.int32),
        front=np.array([room_leaf, thin_leaf, solid_leaf], np.int32),
        back=np.array([solid_leaf, room_leaf, thin_leaf], np.int32),
        vertex_start=np.arange(0, 13, 4, dtype=np.int64),
        xyz=np.array(wall(0.0, 0.0, 100.0) + wall(100.0, 0.0, 100.0) + wall(100.1, -90.0, 100.0)),
    )
    spawn = Entity((("classname", "info_player_deathmatch"), ("origin", "50 50 50")))
    outer = np.array([-90.0, -90.0, -90.0, 190.0, 190.0, 190.0])
    found = flood_inside(planes, tree, portals, (spawn,), every_box, outer)
    assert found.leaking == -1
    assert found.reached.tolist() == [True, True, False]
