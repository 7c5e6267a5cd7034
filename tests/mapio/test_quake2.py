"""Maps of Quake II, RBSP and FBSP: the same rooms give the same areas as from Quake III's format."""

from __future__ import annotations

import random
import struct
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from aascompile import compile_map, load
from aascompile.checks.check_compiled import failures
from aascompile.cli.common import run
from aascompile.cli.main import aas
from aascompile.errors import MapError
from aascompile.mapio import quake2
from aascompile.mapio.game_format import as_quake3, climbed, contents_in_quake3, fitting_settings
from aascompile.mapio.load import load_map_bytes
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Contents, SurfaceFlag
from aascompile.model.links import Travel
from aascompile.model.mapdata import MapData, Patches
from aascompile.quickbsp.write import write_ibsp
from aascompile.quickbsp.write_quake2 import quake2_contents, write_quake2
from aascompile.settings import QUAKE3
from aascompile.settings_file import find_preset
from tests.build_samples import SAMPLES, read_sample
from tests.examples import examples

NAMES = sorted(path.stem for path in SAMPLES.glob("*.map"))
NOT_IN_QUAKE2 = {"arch", "curve", "botclip", "clusterportal", "donotenter", "ladder"}
"""Samples with patches, contents that Quake II does not have, or a ladder on one side of a brush alone."""
PRESET = find_preset("quake2")
SAME_PLAYER = replace(QUAKE3, contents=PRESET.contents, surfaces=PRESET.surfaces)
"""Quake II's bits with Quake III's player and entities."""


def reduced(source: MapData) -> MapData:
    """What of a map Quake II's format can express, in Quake III's terms."""
    brushes = source.brushes
    bits = quake2_contents(brushes)
    ladder = np.repeat(climbed(bits, SAME_PLAYER), np.diff(brushes.side_start))
    flags = np.where(ladder, brushes.side_flags | np.uint32(SurfaceFlag.LADDER), brushes.side_flags)
    contents = contents_in_quake3(bits, SAME_PLAYER)
    return replace(source, patches=Patches.none(), brushes=replace(brushes, contents=contents, side_flags=flags))


def same(first: Compiled, second: Compiled) -> None:
    """Areas and links of both maps are equal."""
    for name in ("vertex", "face_flags", "area_contents", "area_flags", "area_presence", "area_centre", "node_child"):
        np.testing.assert_array_equal(getattr(first.areas, name), getattr(second.areas, name), name)
    for name in ("source", "target", "kind", "start", "end", "time"):
        np.testing.assert_array_equal(getattr(first.links, name), getattr(second.links, name), name)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_areas_and_links_as_from_quake3s_format(name):
    source = read_sample(SAMPLES / f"{name}.map")
    found = compile_map(write_quake2(source), SAME_PLAYER, name="x.bsp", allow_leak=True)
    usual = write_ibsp(reduced(source)) if name in NOT_IN_QUAKE2 else (SAMPLES / f"{name}.bsp").read_bytes()
    same(found, compile_map(usual, name="x.bsp", allow_leak=True))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("magic", [b"RBSP", b"FBSP"])
def test_longer_rows_give_the_same_records(name, magic):
    data = write_ibsp(read_sample(SAMPLES / f"{name}.map"), magic)
    usual, found = load_map_bytes((SAMPLES / f"{name}.bsp").read_bytes(), "x"), load_map_bytes(data, "x")
    assert found.format == f"{magic.decode()} 1"
    assert struct.unpack_from("<i", data, 4) == (1,)
    for part in ("planes", "brushes", "patches", "models"):
        for column in getattr(usual, part).__slots__:
            np.testing.assert_array_equal(getattr(getattr(usual, part), column), getattr(getattr(found, part), column))
    assert found.entities == usual.entities


def test_the_player_is_quake2s_unless_settings_are_given():
    data = write_quake2(read_sample(SAMPLES / "ledge.map"))
    map_data = load_map_bytes(data, "x.bsp")
    assert map_data.format == "IBSP 38"
    assert fitting_settings(map_data, QUAKE3) == PRESET
    other = replace(QUAKE3, physics=replace(QUAKE3.physics, gravity=400.0))
    fitted = fitting_settings(map_data, other)
    assert (fitted.physics.gravity, fitted.contents, fitted.boxes) == (400.0, PRESET.contents, QUAKE3.boxes)
    assert compile_map(data, name="x.bsp").boxes.maxs.tolist() == [[16, 16, 32], [16, 16, 4]]


def test_everything_works_on_its_maps(tmp_path, capsys):
    for name in ("stairs", "swim", "door"):
        path = tmp_path / f"{name}.bsp"
        path.write_bytes(write_quake2(read_sample(SAMPLES / f"{name}.map")))
        compiled = compile_map(path)
        assert [failure.sentence() for failure in failures(compiled)] == []
        compiled.save(tmp_path / f"{name}.aas.hdf")
        compiled.save_engine(tmp_path / f"{name}.aas")
        assert (tmp_path / f"{name}.aas").read_bytes()[4] == 5
        nav = load(tmp_path / f"{name}.aas.hdf")
        assert nav.route(nav.spawns[0].point, nav.items[0].point).seconds > 0
        hdf = str(tmp_path / f"{name}.aas.hdf")
        assert run(aas, "aas", ["info", str(path), hdf]) == 0
        assert "IBSP 38" in capsys.readouterr().out
        assert run(aas, "aas", ["explain", hdf, "--from", "1", "--to", "2"]) == 0
        assert run(aas, "aas", ["check", hdf, "--replay"]) == 0


def entity(**keys: object) -> str:
    return "{\n" + "".join(f'"{key}" "{value}"\n' for key, value in keys.items()) + "}\n"


def box(low: tuple[int, ...], high: tuple[int, ...], tail: str) -> str:
    """A brush as Quake II's editors write it."""
    (a, b, c), (d, e, f) = low, high
    return f"""{{
( {a} {b} {c} ) ( {a} {e} {c} ) ( {a} {b} {f} ) {tail}
( {d} {b} {c} ) ( {d} {b} {f} ) ( {d} {e} {c} ) {tail}
( {a} {b} {c} ) ( {a} {b} {f} ) ( {d} {b} {c} ) {tail}
( {a} {e} {c} ) ( {d} {e} {c} ) ( {a} {e} {f} ) {tail}
( {a} {b} {c} ) ( {d} {b} {c} ) ( {a} {e} {c} ) {tail}
( {a} {b} {f} ) ( {a} {e} {f} ) ( {d} {b} {f} ) {tail}
}}
"""


WALL = "e1u1/wall 0 0 0 1 1"


def room(world: str = "", more: str = "") -> str:
    """A closed room of 512 units with a spawn, as source for Quake II."""
    walls = ""
    for axis in range(3):
        for side in (-272, 256):
            low, high = [-272] * 3, [272] * 3
            low[axis], high[axis] = side, side + 16
            walls += box(tuple(low), tuple(high), WALL)
    spawn = entity(classname="info_player_deathmatch", origin="-200 0 -228")
    return f'{{\n"classname" "worldspawn"\n{walls}{world}}}\n{spawn}{more}'


def records(text: str) -> MapData:
    data = text.encode()
    return as_quake3(load_map_bytes(data, "x.map", PRESET), PRESET)


def test_numbers_of_source_count():
    """Contents and flags after a texture; without numbers, and where they fill nothing, the texture decides."""
    tails = {
        f"{WALL} 32 8 0": Contents.WATER,
        f"{WALL} 8 9 0": Contents.LAVA,
        f"{WALL} 65536 0 0": Contents.PLAYERCLIP,
        f"{WALL} 134217728 0 0": Contents.SOLID | Contents.DETAIL,
        f"{WALL} 536870912 0 0": Contents.SOLID,
        f"{WALL} 2 0 0": Contents.WINDOW,
        WALL: Contents.SOLID,
        "e1u1/clip 0 0 0 1 1": Contents.PLAYERCLIP,
    }
    for tail, bits in tails.items():
        found = records(room(box((0, 0, -256), (64, 64, -200), tail))).brushes
        assert Contents(int(found.contents[-1])) & ~Contents.TRANSLUCENT == bits, tail
        climbs = bool(found.side_flags[-1] & SurfaceFlag.LADDER)
        assert climbs == ("536870912" in tail), "warping surfaces, 8, are not Quake III's ladders"


def test_source_and_compiled_map_agree():
    text = room(box((0, 0, -256), (64, 64, -200), f"{WALL} 32 0 0") + box((100, 0, -256), (164, 64, -240), WALL))
    source = records(text)
    from_source = compile_map(text.encode(), "quake2", name="x.map")
    same(from_source, compile_map(write_quake2(source), name="x.bsp"))
    assert compile_map(text.encode(), name="x.map").areas.area_contents.sum() == 0, "Quake III ignores the numbers"


def test_a_push_throws_along_its_angle():
    brush = box((-32, -32, -256), (32, 32, -248), "e1u1/trigger 0 0 0 1 1")
    ledge = box((128, -256, -256), (256, 256, -64), WALL)
    push = entity(classname="trigger_push", angles="-70 0 0", speed="70").replace("}\n", brush + "}\n")
    compiled = compile_map(room(ledge, push).encode(), "quake2", name="x.map")
    (row, *_) = np.flatnonzero(compiled.links.kind == Travel.JUMP_PAD)
    velocity = compiled.links.velocity[row]
    assert np.hypot(*velocity[:2]) == pytest.approx(700 * np.cos(np.radians(70)), rel=1e-3)
    assert velocity[2] == pytest.approx(700 * np.sin(np.radians(70)), rel=1e-3)
    flat = entity(classname="trigger_push", angle="90").replace("}\n", brush + "}\n")
    assert not (compile_map(room(ledge, flat).encode(), "quake2", name="x.map").links.kind == Travel.JUMP_PAD).any()
    up = entity(classname="trigger_push", angle="-1", speed="60").replace("}\n", brush + "}\n")
    assert (compile_map(room(ledge, up).encode(), "quake2", name="x.map").links.kind == Travel.JUMP_PAD).any()


def test_a_teleporters_pad_is_a_trigger():
    ledge = box((128, -256, -256), (256, 256, 0), WALL)
    pad = entity(classname="misc_teleporter", origin="0 0 -232", target="up")
    goal = entity(classname="misc_teleporter_dest", origin="192 0 32", targetname="up")
    compiled = compile_map(room(ledge, pad + goal).encode(), "quake2", name="x.map")
    (link,) = np.flatnonzero(compiled.links.kind == Travel.TELEPORT).tolist()[:1]
    assert compiled.links.end[link][2] > 0
    assert np.abs(compiled.links.start[link][:2]).max() <= 32 + 16
    assert [failure.sentence() for failure in failures(compiled)] == []


def test_models_that_are_no_brush_models_are_no_error():
    text = room(more=entity(classname="misc_model", model="models/x.md2", origin="0 0 0"))
    data = write_quake2(records(text))
    assert load_map_bytes(data, "x.bsp").dropped == ()


def test_a_submodel_has_the_brushes_of_its_leaves():
    brush = box((0, 0, -256), (64, 64, -200), WALL)
    doors = "".join(entity(classname="func_door").replace("}\n", brush + "}\n") for _ in range(3))
    found = load_map_bytes(write_quake2(records(room(more=doors))), "x.bsp")
    assert np.bincount(found.brushes.model).tolist() == [6, 1, 1, 1]


@pytest.mark.parametrize(
    ("lump", "at", "value", "message"),
    [
        (quake2.NODES, 4, 1 << 20, "the tree of its world is broken (lump 4, nodes)"),
        (quake2.NODES, 4, 0, "the tree of its world is broken (lump 4, nodes)"),
        (quake2.LEAVES, 28 + 24, -1, "a leaf lists brushes that do not exist (lump 8, leaves)"),
        (quake2.LEAF_BRUSHES, 0, -1, "a leaf lists brushes that do not exist (lump 8, leaves)"),
    ],
)
def test_damage_is_reported_in_one_sentence(lump, at, value, message):
    data = bytearray(write_quake2(read_sample(SAMPLES / "box.map")))
    (offset,) = struct.unpack_from("<i", data, 8 + 8 * lump.index)
    struct.pack_into("<i", data, offset + at, value)
    with pytest.raises(MapError) as caught:
        load_map_bytes(bytes(data), "x.bsp")
    assert str(caught.value) == f"x.bsp: is damaged: {message}"


@pytest.mark.parametrize("seed", range(examples(20)))
def test_damaged_files_never_crash(seed):
    choice = random.Random(seed)
    source = read_sample(SAMPLES / choice.choice(["door.map", "jumppad.map", "stairs.map"]))
    whole = choice.choice([write_quake2, lambda it: write_ibsp(it, b"RBSP")])(source)
    for _ in range(20):
        data = bytearray(whole)
        for _ in range(choice.randint(1, 6)):
            struct.pack_into(
                "<I", data, 4 * choice.randrange(2, len(data) // 4), choice.choice([0, 1, 0xFFFF, 2**31, 2**32 - 1])
            )
        with suppress(MapError):
            load_map_bytes(bytes(data[: choice.choice([len(data), choice.randrange(len(data))])]), "x.bsp")
