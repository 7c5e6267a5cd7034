"""Entities as one game mode spawns them."""

from __future__ import annotations

import pytest

from aascompile import compile_map, read_compiled
from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.cli.main import aas
from aascompile.errors import SettingsError
from aascompile.mapio.load import load_map
from aascompile.model.entity_classes import EntityClass, class_of, spawns
from aascompile.model.mapdata import Entity
from aascompile.settings import MODES, QUAKE3
from aascompile.settings_file import find_preset, parse_settings, settings_from_json
from tests.mapio.test_quake2 import box, entity, room

WALL = "base/wall 0 0 0 1 1 0 0 0"


@pytest.mark.parametrize(
    ("keys", "modes"),
    [
        ({}, {"ffa", "team", "ctf", "single"}),
        ({"notfree": "1"}, {"team", "ctf"}),
        ({"notteam": "1"}, {"ffa", "single"}),
        ({"notsingle": "1"}, {"ffa", "team", "ctf"}),
        ({"NotFree": "1", "notteam": "1"}, set()),
        ({"notfree": "0"}, {"ffa", "team", "ctf", "single"}),
        ({"gametype": "ctf"}, {"ctf"}),
        ({"gametype": "ffa tournament single"}, {"ffa", "single"}),
        ({"gametype": "team ctf", "notteam": "1"}, set()),
        ({"classname": "team_CTF_redflag"}, {"ctf"}),
        ({"classname": "team_CTF_bluespawn"}, {"ctf"}),
        ({"classname": "team_redobelisk"}, set()),
    ],
)
def test_which_modes_have_an_entity(keys, modes):
    found = Entity((("classname", "func_static"), *keys.items()))
    assert {mode for mode in MODES if spawns(found, mode)} == modes


def wall(**keys: str) -> str:
    """A wall across the room, as an entity."""
    brush = box((-8, -256, -256), (8, 256, 256), WALL)
    return entity(classname="func_static", **keys).replace("}\n", brush + "}\n")


def test_brushes_of_absent_entities_do_not_count():
    text = room(more=wall(gametype="ctf") + entity(classname="item_health", origin="200 0 -228")).encode()

    def reached(mode: str) -> bool:
        compiled = compile_map(text, {"mode": mode} if mode else None, name="x.map")
        return len({int(area) for area in compiled.areas.area_mins[:, 0]}) < 2

    assert [reached(mode) for mode in ("", *MODES)] == [False, True, True, False, True]


def test_spawns_and_items_are_those_of_the_mode():
    more = "".join(
        entity(classname=name, origin=f"{x} 0 -228", **keys)
        for x, (name, keys) in enumerate(
            [
                ("team_CTF_redflag", {}),
                ("team_CTF_redspawn", {}),
                ("item_health", {"notfree": "1"}),
                ("weapon_bfg", {"gametype": "ffa"}),
            ]
        )
    )

    def places(mode: str) -> list[str]:
        compiled = compile_map(room(more=more).encode(), {"mode": mode} if mode else None, name="x.map")
        names = [compiled.entities.classname[row] for row in compiled.places.entity.tolist()]
        return [name for name in names if class_of(name) in (EntityClass.ITEM, EntityClass.SPAWN)][1:]

    assert places("") == ["team_CTF_redflag", "team_CTF_redspawn", "item_health", "weapon_bfg"]
    assert places("ctf") == ["team_CTF_redflag", "team_CTF_redspawn", "item_health"]
    assert places("team") == ["item_health"]
    assert places("ffa") == ["weapon_bfg"]


def test_the_mode_is_a_setting(tmp_path, samples, capsys):
    assert parse_settings('mode = "ctf"', "f").mode == "ctf"
    with pytest.raises(SettingsError, match="f: mode is 'duel'; expected one of ffa, team, ctf, single"):
        parse_settings('mode = "duel"', "f")
    words = [str(samples / "box.bsp"), "-o", f"{tmp_path}/", "--mode", "ctf", "--ext", "_ctf", "-q"]
    assert run(compile_maps, "aascompile", words) == 0
    stored = read_compiled(tmp_path / "box_ctf.aas.hdf").provenance.settings
    assert settings_from_json(stored, "f").mode == "ctf"
    capsys.readouterr()
    assert run(aas, "aas", ["settings", "--mode", "team", "--game", "rtcw"]) == 0
    found = parse_settings(capsys.readouterr().out, "f")
    assert (found.mode, found.contents) == ("team", find_preset("rtcw").contents)
    assert run(compile_maps, "aascompile", [str(samples / "box.bsp"), "--mode", "duel"]) == 2


def test_without_a_mode_nothing_changes(samples):
    map_data = load_map(samples / "box.bsp")
    assert QUAKE3.mode == ""
    assert compile_map(samples / "box.bsp").entities.keys == tuple(
        compile_map(samples / "box.bsp", QUAKE3).entities.keys
    )
    assert len(map_data.entities) == len(compile_map(samples / "box.bsp", {"mode": "ffa"}).entities)
