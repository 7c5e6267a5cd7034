"""Solid models of map source: their triangles block players as the brushes of a compiled map do."""

from __future__ import annotations

import struct
import zipfile
from contextlib import suppress
from pathlib import Path
from random import Random

import numpy as np
import pytest

import aascompile
from aascompile.cached import compile_cached
from aascompile.cli.bsp import bsp
from aascompile.cli.common import run
from aascompile.cli.compile import compile_maps
from aascompile.errors import MapError
from aascompile.mapio.game_files import files_of
from aascompile.mapio.load import load_map, read_map_file
from aascompile.mapio.model_files import MAX_TRIANGLES, read_model, shader_of
from aascompile.mapio.solid_models import outward, placed
from aascompile.model.contents import Contents
from aascompile.model.mapdata import Entity
from aascompile.pipeline import compile_map, understand
from aascompile.report import Report
from aascompile.settings import QUAKE3
from aascompile.store.cache import Cache
from aascompile.store.read import load_compiled
from tests.quickbsp.test_write import box_lines

CORNERS = [(x, y, z) for x in (-32, 32) for y in (-32, 32) for z in (0, 48)]
FACES = [
    (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
    (1, 5, 7), (1, 7, 3),
]  # fmt: skip
"""A crate of 64 × 64 × 48, counter-clockwise seen from outside."""

SHADER = "textures/mine/wood"
SCRIPT = "textures/mine/pool\n{\nsurfaceparm water\nsurfaceparm nonsolid\nsurfaceparm trans\n}\n"


def obj(shader: str = SHADER) -> bytes:
    lines = [f"v {x} {y} {z}" for x, y, z in CORNERS] + [f"usemtl {shader}"]
    return "\n".join([*lines, *(f"f {a + 1}/1 {b + 1}/1 {c - 8}/1" for a, b, c in FACES)]).encode()


def ase(shader: str = SHADER) -> bytes:
    vertices = "\n".join(f"*MESH_VERTEX {k} {x} {y} {z}" for k, (x, y, z) in enumerate(CORNERS))
    faces = "\n".join(
        f"*MESH_FACE {k}: A: {a} B: {b} C: {c} AB: 1 BC: 1 *MESH_MTLID 0" for k, (a, b, c) in enumerate(FACES)
    )
    bitmap = "..\\baseq3\\" + shader.replace("/", "\\") + ".tga"
    return f"""*3DSMAX_ASCIIEXPORT 200
*MATERIAL_LIST {{
*MATERIAL 0 {{
*MATERIAL_NAME "wood"
*MAP_DIFFUSE {{
*BITMAP "{bitmap}"
}}
}}
}}
*GEOMOBJECT {{
*MESH {{
{vertices}
{faces}
}}
*MATERIAL_REF 0
}}
""".encode()


def md3(shader: str = SHADER) -> bytes:
    corners = b"".join(struct.pack("<3hH", *(64 * value for value in corner), 0) for corner in CORNERS)
    faces = b"".join(struct.pack("<3i", a, c, b) for a, b, c in FACES)  # clockwise
    name = struct.pack("<64si", f"{shader}.tga".encode(), 0)
    to_faces = 108 + len(name)
    to_corners = to_faces + len(faces)
    end = to_corners + len(corners)
    counts = (0, 1, 1, len(CORNERS), len(FACES), to_faces, 108, to_corners, to_corners, end)
    surface = struct.pack("<4s64s10i", b"IDP3", b"crate", *counts) + name + faces + corners
    return struct.pack("<4si64s9i", b"IDP3", 15, b"crate", 0, 1, 0, 1, 0, 108, 108, 108, 108 + end) + surface


FILES = {"models/crate.obj": obj, "models/crate.ase": ase, "models/crate.md3": md3}
POOL = box_lines((128, -128, -96), (240, 128, -16), "mine/pool 0 0 0 1 1 0 0 0")


def room(model: str = "", *, crate: str = "") -> str:
    """A room with a pool in its floor, and perhaps a crate."""
    walls = [
        ((-256, -128, -16), (128, 128, 0)),
        ((128, -128, -112), (256, 128, -96)),
        ((-256, -144, -112), (256, -128, 256)),
        ((-256, 128, -112), (256, 144, 256)),
        ((-272, -144, -112), (-256, 144, 256)),
        ((256, -144, -112), (272, 144, 256)),
        ((-256, -128, 256), (256, 128, 272)),
        ((112, -128, -112), (128, 128, -16)),
        ((240, -128, -96), (256, 128, 0)),
    ]
    world = "".join(box_lines(low, high) for low, high in walls) + POOL + crate
    spawn = '{\n"classname" "info_player_deathmatch"\n"origin" "-200 0 32"\n}\n'
    return f'{{\n"classname" "worldspawn"\n{world}}}\n{spawn}{model}'


def model(name: str, **keys: str) -> str:
    given = {"classname": "misc_model", "model": name, "origin": "-64 0 0", "spawnflags": "2"} | keys
    return "{\n" + "".join(f'"{key}" "{value}"\n' for key, value in given.items()) + "}\n"


BRUSH = room(crate=box_lines((-96, -32, 0), (-32, 32, 48)))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A folder of the game with scripts and models."""
    for folder in ("maps", "scripts", "models"):
        (tmp_path / folder).mkdir()
    (tmp_path / "scripts" / "mine.shader").write_text(SCRIPT)
    for name, make in FILES.items():
        (tmp_path / name).write_bytes(make())
    return tmp_path


def write(game: Path, text: str, name: str = "x") -> str:
    path = game / "maps" / f"{name}.map"
    path.write_text(text)
    return str(path)


def floors(path: str) -> set[tuple[float, ...]]:
    """Corners of all ground and the contents of all areas of a map."""
    compiled = compile_map(path, QUAKE3, Report("x"))
    return described(compiled)


def described(compiled) -> set[tuple[float, ...]]:  # type: ignore[no-untyped-def]
    areas = compiled.areas
    rows = np.column_stack([areas.area_mins, areas.area_maxs, areas.area_contents, areas.area_flags])
    return {tuple(row) for row in rows.round(3).tolist()}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("flag", ["2", "4"])
def test_a_solid_model_gives_the_areas_of_a_brush(game, name, flag):
    path = write(game, room(model(name, spawnflags=flag)))
    report = Report("x")
    understand(path, report)
    assert report.warnings == []
    found = floors(path)
    assert found == floors(write(game, BRUSH, "brush"))
    assert any(row[:2] == (-111, -47) and row[2] == 72 for row in found), "a player stands on the crate, at 48 + 24"
    assert any(int(row[6]) for row in found), "the pool is water"


def test_source_and_compiled_map_agree(game, capsys):
    """A .map with custom water and a solid model gives the liquids and floors of its .bsp."""
    path = write(game, room(model("models/crate.md3")))
    assert run(bsp, "bsp", [path]) == 0
    binary = str(Path(path).with_suffix(".bsp"))
    assert floors(path) == floors(binary) == floors(write(game, BRUSH, "brush"))
    for each in (path, binary):
        compiled = compile_map(each, QUAKE3, Report("x"))
        assert compiled.areas.area_volume[compiled.areas.area_contents != 0].sum() > 0
    one, other = (load_map(each).brushes for each in (path, binary))
    assert np.array_equal(
        np.sort(one.contents), np.sort(other.contents & ~np.uint32(Contents.TRANSLUCENT) | one.contents)
    )


def test_a_model_is_turned_and_scaled():
    corner = np.array([[[1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]])

    def at(**keys: str) -> list[float]:
        return np.round(placed(corner, Entity(tuple(keys.items())))[0, 0], 6).tolist()

    assert at(origin="10 20 30") == [11, 22, 33]
    assert at(angle="90") == [-2, 1, 3]
    assert at(angles="90 0 0") == [3, 2, -1], "pitch turns the front down"
    assert at(angles="0 0 90") == [1, -3, 2], "roll"
    assert at(angles="90 90 0") == [-2, 3, -1], "pitch first, then yaw"
    assert at(modelscale="2") == [2, 4, 6]
    assert at(modelscale_vec="1 2 3") == [1, 4, 9]
    assert at(angle="45") == pytest.approx([-0.707107, 2.12132, 3], abs=1e-5)


def test_bodies_are_turned_right_side_out():
    mesh = read_model(obj(), "crate.obj")
    for triangle in (mesh.triangle, mesh.triangle[:, ::-1]):
        found = outward(triangle)
        normal = np.cross(found[:, 1] - found[:, 0], found[:, 2] - found[:, 0])
        assert (np.einsum("ij,ij->i", normal, found.mean(axis=1) - (0, 0, 24)) > 0).all()


def test_formats_agree():
    meshes = [read_model(make(), name) for name, make in FILES.items()]
    for mesh in meshes:
        assert mesh.shaders == (SHADER,)
        assert sorted(map(repr, outward(mesh.triangle).mean(axis=1).tolist())) == sorted(
            map(repr, meshes[0].triangle.mean(axis=1).tolist())
        )
    assert shader_of(r"C:\quake3\baseq3\textures\a\b.TGA") == "textures/a/b"
    assert shader_of("models/mapobjects/x/y.jpg") == "models/mapobjects/x/y"


def brushes(path: str) -> int:
    return len(load_map(path).brushes)


def test_shaders_decide_what_blocks(game):
    """Leaves block nobody; a shader may make a model solid whose entity does not say so; an entity may exchange it."""
    bare = brushes(write(game, room()))
    usual = model("models/crate.obj", spawnflags="0")
    assert brushes(write(game, room(model("models/crate.obj")))) == bare + len(FACES)
    assert brushes(write(game, room(usual))) == bare
    script = game / "scripts" / "mine.shader"
    script.write_text(f"{SCRIPT}{SHADER}\n{{\nq3map_clipModel\n}}\ntextures/mine/leaf\n{{\nsurfaceparm nonsolid\n}}\n")
    assert brushes(write(game, room(usual))) == bare + len(FACES)
    assert brushes(write(game, room(model("models/crate.obj", _remap="*;textures/mine/leaf")))) == bare
    script.write_text(f"{SCRIPT}{SHADER}\n{{\nsurfaceparm nonsolid\n}}\n")
    assert brushes(write(game, room(model("models/crate.obj")))) == bare
    (game / "models" / "crate.obj").write_bytes(obj("models/mapobjects/crate/skin"))
    script.write_text(f"{SCRIPT}models/mapobjects/crate/skin\n{{\nsurfaceparm nonsolid\n}}\n")
    assert brushes(write(game, room(model("models/crate.obj")))) == bare, "names of models' shaders are complete"


def test_archives_beside_the_folder_of_maps(game, tmp_path):
    path = write(game, room(model("models/crate.md3")))
    found = floors(path)
    other = tmp_path / "other"
    (other / "maps").mkdir(parents=True)
    with zipfile.ZipFile(other / "pak0.pk3", "w") as pack:
        for name in ("scripts/mine.shader", "models/crate.md3"):
            pack.write(game / name, name.upper())
    copy = other / "maps" / "x.map"
    copy.write_bytes(Path(path).read_bytes())
    assert floors(str(copy)) == found
    inside = tmp_path / "whole.pk3"
    with zipfile.ZipFile(inside, "w") as pack:
        for name in ("maps/x.map", "scripts/mine.shader", "models/crate.md3"):
            pack.write(game / name, name)
    assert floors(f"{inside}/maps/x.map") == found


def test_shaders_option(game, tmp_path, capsys):
    """--shaders takes a script, a folder of scripts, a folder of the game or an archive."""
    path = write(game, room(model("models/crate.md3")))
    found = floors(path)
    lone = tmp_path / "far" / "lone"
    lone.mkdir(parents=True)
    copy = lone / "x.map"
    copy.write_bytes(Path(path).read_bytes())
    archive = tmp_path / "files.pk3"
    with zipfile.ZipFile(archive, "w") as pack:
        for name in ("scripts/mine.shader", "models/crate.md3"):
            pack.write(game / name, name)
    for given in ([game], [archive], [game / "scripts" / "mine.shader", game], [game / "scripts", archive]):
        words = [str(copy), "-o", str(lone / "x.aas.hdf")]
        for each in given:
            words += ["--shaders", str(each)]
        assert run(compile_maps, "aascompile", words) == 0
        assert described(load_compiled(str(lone / "x.aas.hdf"))) == found
        assert "warning" not in capsys.readouterr().out
        assert described(aascompile.compile_map(copy.read_bytes(), name="x.map", shaders=given)) == found
    assert described(aascompile.compile_map(copy, shaders=str(game))) == found
    assert run(compile_maps, "aascompile", [str(copy)]) == 0
    out = capsys.readouterr().out
    assert "  warning   misc_model (entity 2, models/crate.md3) is solid, but its file is not found" in out
    for wrong, message in (
        (lone / "no", "no such file or folder"),
        (copy, "is no folder, no .pk3 archive and no .shader file"),
        (lone / "no.shader", "no such file"),
    ):
        assert run(compile_maps, "aascompile", [str(copy), "--shaders", str(wrong)]) == 1
        assert capsys.readouterr().err == f"error: {wrong}: {message}\n"


def test_a_cache_notices_other_models(game):
    path, cache = write(game, room(model("models/crate.obj"))), Cache(str(game / "cache"))
    high = compile_cached(path, QUAKE3, Report("x"), cache)
    (game / "models" / "crate.obj").write_bytes(obj().replace(b" 48\n", b" 24\n"))
    low = compile_cached(path, QUAKE3, Report("x"), cache)
    assert described(high) != described(low)


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("models/crate.md3", b"", "is damaged: it ends too early"),
        ("models/crate.md3", b"IDP2" + md3()[4:], "is not a model in the format MD3 15"),
        ("models/crate.md3", md3()[:-1], "is damaged: it ends too early"),
        ("models/crate.obj", b"v 1 2\n", "line 1: is not a line of a .obj file"),
        ("models/crate.obj", b"f 1 2 99999999999999999999\n", "line 1: is not a line of a .obj file"),
        ("models/crate.obj", b"f 1 2 3\n", "is damaged: a triangle names a corner that does not exist"),
        ("models/crate.obj", b"v 0 0 0\n" + b"f 1 1 1\n" * (MAX_TRIANGLES + 1), "has more than 20,000 triangles"),
        ("models/crate.ase", b"*MESH_VERTEX 0 1\n", "line 1: is not a line of an .ase file"),
    ],
)
def test_damaged_models_are_named(game, name, content, what):
    (game / name).write_bytes(content)
    report = Report("x")
    understand(write(game, room(model(name))), report)
    assert report.warnings == [f"misc_model (entity 2, {name}) is solid, but {what}"]


def test_models_beyond_any_map_are_named(game):
    for keys in ({"modelscale": "1e300"}, {"origin": "1e7 0 0"}):
        assert "beyond any map" in load_map(write(game, room(model("models/crate.obj", **keys)))).warnings[0]
    (warning,) = load_map(write(game, room(model("models/tree.lwo")))).warnings
    assert "its format is not read; only .md3, .ase, .obj are" in warning
    for outside in ("../secret.obj", "/secret.obj", "models/../../secret.obj"):
        text = room(model(outside)).encode()
        assert files_of(write(game, text.decode()), text).models == ()


def test_random_damage_raises_map_errors_only():
    choice = Random(1)
    for name, make in FILES.items():
        whole = make()
        for _ in range(300):
            data = bytearray(whole[: choice.choice([len(whole), choice.randrange(len(whole))])])
            for _ in range(choice.randrange(8)):
                if data:
                    data[choice.randrange(len(data))] = choice.randrange(256)
            with suppress(MapError):
                assert np.array(read_model(bytes(data), name).triangle).shape[1:] == (3, 3)


def test_sources_travel_with_their_files(game):
    """What is sent to other machines holds scripts and models."""
    path = write(game, room(model("models/crate.obj")))
    source = read_map_file(path)
    Path(path).unlink()
    for name in FILES:
        (game / name).unlink()
    assert described(compile_map(source, QUAKE3, Report("x"))) == floors(write(game, BRUSH, "brush"))


def test_surfaces_of_a_model_that_overlap_are_bounded():
    """Each surface of a small file claims the same many triangles, so its size does not bound what it describes."""
    import tracemalloc

    claimed, surfaces = 10_000, 2_000
    counts = (0, 1, 0, 3, claimed, 108 * surfaces, 0, 0, 108 * surfaces, 108)
    surface = struct.pack("<4s64s10i", b"IDP3", b"x", *counts)
    head = struct.pack("<4si64s9i", b"IDP3", 15, b"x", 0, 1, 0, surfaces, 0, 108, 108, 108, 0)
    data = head + surface * surfaces + bytes(108 * surfaces + 12 * claimed)
    tracemalloc.start()
    try:
        with pytest.raises(MapError, match="has more than 20,000 triangles"):
            read_model(data, "x.md3")
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


def test_a_model_without_frames_is_read_once(game, monkeypatch):
    from aascompile.mapio import solid_models

    read = []
    monkeypatch.setattr(solid_models, "read_model", lambda *given: read.append(given) or read_model(*given))
    text = room("".join(model("models/crate.obj", frame=str(frame)) for frame in range(5)))
    load_map(write(game, text))
    assert [name for _, name, _ in read] == ["models/crate.obj"]


def test_a_pool_takes_the_files_of_the_game(game, tmp_path):
    text = room(model("models/crate.obj"))
    found = floors(write(game, text))
    with aascompile.Pool(1) as pool:
        ((number, compiled),) = pool.compile_many([text.encode()], shaders=game)
    assert number == 0
    assert described(compiled) == found
