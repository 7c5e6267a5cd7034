"""The gate for generated maps: each check passes on a sound map and finds its fault, alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import aascompile
from aascompile import GateCheck, GateOptions, gate
from aascompile.cli.common import run
from aascompile.cli.main import aas
from tests.builders import Layout, Piece, block, walls
from tests.conftest import ROOT

SIZE = (512, 512, 192)
PILLAR = block((128, 128, 0), (384, 384, 192))
SPAWNS = ((64, 64, 25), (448, 448, 25))


def entity(name: str, x: int, y: int, z: int) -> str:
    return f'{{\n"classname" "{name}"\n"origin" "{x} {y} {z}"\n}}\n'


def compiled(*more: Piece, spawns=SPAWNS, entities: str = "") -> aascompile.CompiledMap:
    """A room with a pillar in its middle, around which two routes lead to the item in the far corner."""
    layout = Layout((*walls(SIZE), PILLAR, *more), spawns)
    return aascompile.compile_map((layout.text() + entity("item_quad", 448, 448, 16) + entities).encode())


def only(check: str, value: object = True) -> GateOptions:
    """Options with a single check."""
    none = {"items": False, "spawns": False, "traps": False, "clearance": None, "alternatives": 1}
    return GateOptions(**{**none, check: value})


@pytest.fixture(scope="module")
def sound() -> aascompile.CompiledMap:
    return compiled()


def test_a_sound_map_passes(sound):
    result = gate(sound, GateOptions(alternatives=2))
    assert (result.passed, result.faults, result.spawns, result.items) == (True, (), 2, 1)
    assert result.checked == tuple(GateCheck)
    assert gate(sound).checked == tuple(GateCheck)[:-1]
    assert gate(sound, only("items", value=False)).checked == ()


def reasons(made: aascompile.CompiledMap, options: GateOptions) -> list[tuple[str, int, str]]:
    result = gate(made, options)
    assert result.passed == (not result.faults)
    return [(fault.check, fault.entity, fault.reason) for fault in result.faults]


def test_items_and_spawns_must_be_reached_from_every_spawn():
    """A spawn on a block: down is a fall, but nobody gets up again."""
    high = compiled(block((0, 400, 0), (100, 512, 120)), spawns=(*SPAWNS, (48, 460, 145)))
    assert reasons(high, only("items")) == []
    assert reasons(high, only("spawns")) == [
        ("spawns", 3, "2 of 3 spawns have no route to it, the first is entity 1"),
    ]


def test_an_item_that_one_spawn_cannot_reach_is_a_fault():
    """The room is cut in two."""
    cut = compiled(block((0, 128, 0), (128, 160, 192)), block((128, 0, 0), (160, 128, 192)))
    assert reasons(cut, only("items")) == [("items", 4, "1 of 2 spawns have no route to it, the first is entity 1")]
    assert [row[:2] for row in reasons(cut, only("spawns"))] == [("spawns", 1), ("spawns", 2)]


def test_an_item_in_solid_is_a_fault():
    buried = compiled(entities=entity("item_haste", 256, 256, 90))
    assert reasons(buried, only("items")) == [("items", 5, "its box starts in solid: the game removes it")]


def test_a_map_without_spawns_does_not_pass():
    assert reasons(compiled(spawns=()), only("spawns")) == [("spawns", -1, "the map has no spawn")]


def test_traps_are_found():
    pit = aascompile.compile_map(ROOT / "samples" / "pit.bsp")
    assert reasons(pit, only("traps")) == [("traps", -1, "area 2 can be entered (walk off ledge) but not left")]
    assert reasons(pit, only("items")) == []


@pytest.mark.parametrize(
    ("x", "least", "fault"),
    [(64, 8.0, False), (22, 8.0, True), (22, 6.5, False), (64, 60.0, True)],
)
def test_spawns_keep_away_from_walls(x, least, fault):
    found = reasons(compiled(spawns=((x, 256, 25), (448, 448, 25))), only("clearance", least))
    distance = min(x, 128 - x) - 15.0
    expected = ("clearance", 1, f"a wall is {distance:.1f} units from it, less than {least:g}")
    assert found[:1] == ([expected] if fault else [])


def test_spawns_must_not_overlap_nor_stand_in_lava():
    crowded = compiled(spawns=((64, 64, 25), (80, 70, 25)))
    assert reasons(crowded, only("clearance", 8.0)) == [("clearance", 2, "it overlaps the spawn of entity 1")]
    apart = compiled(spawns=((64, 64, 25),), entities=entity("info_player_start", 80, 70, 25))
    assert reasons(apart, only("clearance", 8.0)) == [], "another class of spawns is for another kind of game"


def test_one_route_is_no_alternative():
    one = compiled(block((0, 250, 0), (128, 260, 192)))
    assert reasons(one, only("alternatives", 2)) == [("alternatives", 4, "1 route to it from entity 1, less than 2")]


def test_the_engines_file_cannot_pass(tmp_path, sound):
    sound.save_engine(tmp_path / "x.aas")
    result = gate(aascompile.read_compiled(tmp_path / "x.aas"))
    assert not result.passed
    assert result.faults[0].reason == "the file has no links, or no items and spawns"


def run_gate(*arguments: object) -> int:
    return run(aas, "aas", ["gate", *(str(argument) for argument in arguments)])


def test_the_command_answers_with_exit_code_text_and_json(tmp_path, capsys, sound):
    sound.save(tmp_path / "sound.aas.hdf")
    assert run_gate(tmp_path / "sound.aas.hdf") == 0
    assert (
        "sound.aas.hdf: passes (2 spawns, 1 item; checked: items, spawns, traps, clearance)" in capsys.readouterr().out
    )
    pit, leak = ROOT / "samples" / "pit.bsp", ROOT / "samples" / "leak.bsp"
    assert run_gate(pit) == 1
    assert "traps" in capsys.readouterr().out
    assert run_gate(pit, "--no-traps", "--cache", tmp_path / "cache") == 0
    assert list((tmp_path / "cache").iterdir())
    capsys.readouterr()
    assert run_gate(pit, leak, tmp_path / "sound.aas.hdf", "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert [row["passed"] for row in found] == [False, False, True]
    assert found[0]["faults"][0]["check"] == "traps"
    assert "leaks" in found[1]["error"]


def test_the_command_can_ask_for_alternatives(tmp_path, capsys):
    compiled(block((0, 250, 0), (128, 260, 192))).save(tmp_path / "one.aas.hdf")
    path: Path = tmp_path / "one.aas.hdf"
    assert [run_gate(path), run_gate(path, "--alternatives", 2), run_gate(path, "--clearance", 100)] == [0, 1, 1]
    assert run_gate(path, "--clearance", 0) == 0
    assert capsys.readouterr().err == ""
