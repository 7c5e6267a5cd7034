"""The vocabulary of entity classes. No other part of the program has a vocabulary of its own."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from aascompile.brushes.entity_facts import read_entities
from aascompile.errors import LeakError
from aascompile.model.entity_classes import EntityClass, class_of, exists, is_suspended, short_name, stands
from aascompile.model.mapdata import Entity
from aascompile.pipeline import make_areas, understand
from aascompile.report import Report
from aascompile.settings import QUAKE3
from aascompile.viewer.marks import sort_of
from aascompile.viewer.palette import ENTITIES
from tests.brushes.hand_made import Solid, make_map, thing, world
from tests.conftest import ROOT
from tests.furniture import STONE, Text

NOWHERE = {"notfree": "1", "notteam": "1", "notsingle": "1"}


def entity(name: str, **keys: str) -> Entity:
    return Entity((("classname", name), *keys.items()))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("info_player_deathmatch", EntityClass.SPAWN),
        ("info_player_start", EntityClass.SPAWN),
        ("team_CTF_redspawn", EntityClass.SPAWN),
        ("team_CTF_blueplayer", EntityClass.SPAWN),
        ("info_player_intermission", EntityClass.CAMERA),
        ("Item_Health_Mega", EntityClass.ITEM),
        ("weapon_railgun", EntityClass.ITEM),
        ("ammo_rockets", EntityClass.ITEM),
        ("holdable_medkit", EntityClass.ITEM),
        ("team_CTF_neutralflag", EntityClass.ITEM),
        ("team_redobelisk", EntityClass.ITEM),
        ("misc_teleporter_dest", EntityClass.DESTINATION),
        ("info_camp", EntityClass.CAMP),
        ("target_position", EntityClass.TARGET),
        ("target_speaker", EntityClass.SCENERY),
        ("worldspawn", EntityClass.SCENERY),
        ("light", EntityClass.SCENERY),
        ("trigger_push", EntityClass.TRIGGER),
        ("func_plat", EntityClass.MOVER),
        ("my_item_health", EntityClass.OTHER),
        ("", EntityClass.OTHER),
    ],
)
def test_classes_mean_the_same_in_any_case(name, expected):
    assert class_of(name) is class_of(name.upper()) is class_of(name.lower()) is expected


def test_players_stand_at_spawns_items_and_teleport_destinations():
    assert all(stands(entity(name)) for name in ("info_player_start", "item_quad", "misc_teleporter_dest"))
    assert not any(stands(entity(name)) for name in ("info_player_intermission", "light", "target_position", ""))
    assert not stands(entity("item_quad", **NOWHERE))


def test_only_all_three_keys_together_remove_an_entity():
    assert not exists(entity("item_quad", **NOWHERE))
    assert not exists(entity("item_quad", NotFree="1", NotTeam="2", NotSingle="-1"))
    for key in NOWHERE:
        assert exists(entity("item_quad", **{**NOWHERE, key: "0"}))


def test_only_items_are_suspended():
    assert is_suspended(entity("item_quad", spawnflags="3"))
    assert not is_suspended(entity("item_quad", spawnflags="2"))
    assert not is_suspended(entity("info_player_deathmatch", spawnflags="1"))


def test_short_names_have_no_prefix():
    names = ("item_health", "team_CTF_redflag", "info_player_deathmatch", "target_target_x", "misc", "my_item_x")
    assert [short_name(name) for name in names] == ["health", "CTF_redflag", "spawn", "target_x", "misc", "my_item_x"]


def test_every_class_has_a_colour_in_the_viewer():
    names = ("item_x", "info_player_x", "info_player_intermission", "info_camp", "misc_teleporter_dest", "func_x", "x")
    assert [sort_of(name) for name in names] == ["item", "spawn", "other", "other", "target", "mover", "other"]
    assert {sort_of(name) for name in names} <= set(ENTITIES)


def test_the_vocabulary_needs_no_numpy():
    script = "import sys, aascompile.model.entity_classes; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)


def vocabulary(path: Path) -> list[str]:
    """Strings of a file, except docstrings, that name families of classes or the keys of game types."""
    tree = ast.parse(path.read_text())
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    names = re.compile(r"\b(item|weapon|ammo|holdable|info_player|info_camp|team_ctf)_|\bnot(free|team|single)\b")
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
        if names.search(node.value)
    ]


def test_no_other_module_lists_classes_or_game_types():
    files = [path for top in ("aascompile", "viewer") for path in sorted((ROOT / top).rglob("*.py"))]
    listing = [path.relative_to(ROOT).as_posix() for path in files if vocabulary(path)]
    assert listing == ["aascompile/model/entity_classes.py"]


def room_with(folder: Path, name: str, **keys: str) -> Path:
    """A closed room with a spawn, and an entity outside its walls."""
    text = Text()
    for low, high in (
        ((-144, -144, -16), (144, 144, 0)),
        ((-144, -144, 128), (144, 144, 144)),
        ((-144, -144, 0), (-128, 144, 128)),
        ((128, -144, 0), (144, 144, 128)),
        ((-128, -144, 0), (128, -128, 128)),
        ((-128, 128, 0), (128, 144, 128)),
    ):
        text.box(low, high, STONE)
    text.point("info_player_deathmatch", 0, 0, 32)
    pairs = {"classname": name, "origin": "200 0 64", **keys}
    astray = "{\n" + "".join(f'"{key}" "{value}"\n' for key, value in pairs.items()) + "}\n"
    path = folder / "made.map"
    path.write_text('{\n"classname" "worldspawn"\n' + "".join(text.world) + "}\n" + "".join(text.entities) + astray)
    return path


@pytest.mark.parametrize("name", ["item_health", "Item_Health", "TEAM_ctf_redflag", "Info_Player_Start"])
def test_a_spawn_or_item_outside_is_a_leak_in_any_case(tmp_path, name):
    path = str(room_with(tmp_path, name))
    with pytest.raises(LeakError):
        make_areas(understand(path, Report(path)), QUAKE3, Report(path))


@pytest.mark.parametrize(("name", "keys"), [("item_health", NOWHERE), ("Info_Player_Intermission", {})])
def test_cameras_and_entities_of_no_game_type_may_be_outside(tmp_path, name, keys):
    path = str(room_with(tmp_path, name, **keys))
    assert len(make_areas(understand(path, Report(path)), QUAKE3, Report(path)).areas)


def test_entities_of_no_game_type_give_no_facts():
    solid = Solid(1, ((0, 0, 0), (64, 64, 16)))
    goal = thing("target_position", origin="32 32 108", targetname="up")
    for keys, count in (({}, 1), (NOWHERE, 0)):
        facts = read_entities(
            make_map(
                world(),
                thing("func_plat", solid, **keys),
                thing("Trigger_Push", Solid(0x40000000, ((0, 0, 0), (64, 64, 16))), target="up", **keys),
                goal,
            ),
            QUAKE3.physics.gravity,
        )
        assert (len(facts.plats), len(facts.pushes), facts.idle) == (count, count, ())
