"""Map source: every brush format, the models and origins of entities, and invalid text."""

from __future__ import annotations

import hashlib
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aascompile.errors import MapError
from aascompile.mapio.source import MAX_SIDES, read_source
from aascompile.model.contents import Contents, SurfaceFlag
from aascompile.model.mapdata import MapData

CLASSIC = "{texture} 0 0 0 0.5 0.5 {contents} 0 0"
VALVE = "{texture} [ 1 0 0 16 ] [ 0 -1 0 -8 ] 0 1 1 {contents} 0 0"
PRIMITIVE = "( ( 0.0078125 0 0 ) ( 0 0.0078125 0.25 ) ) {texture} {contents} 4 0"


def corners(mins: tuple[float, ...], maxs: tuple[float, ...]) -> list[tuple[tuple[float, ...], ...]]:
    """Three points of each side of a box, clockwise seen from outside."""
    (x, y, z), (X, Y, Z) = mins, maxs
    return [
        ((x, y, Z), (x, Y, Z), (X, Y, Z)),
        ((x, y, z), (x, y, Z), (X, y, Z)),
        ((X, y, z), (X, y, Z), (X, Y, Z)),
        ((X, Y, z), (X, Y, Z), (x, Y, Z)),
        ((x, Y, z), (x, Y, Z), (x, y, Z)),
        ((X, Y, z), (x, Y, z), (x, y, z)),
    ]


def box(
    mins: tuple[float, ...] = (0, 0, 0),
    maxs: tuple[float, ...] = (64, 64, 64),
    texture: str | list[str] = "base/wall",
    style: str = CLASSIC,
    contents: int = 0,
) -> str:
    """A brush of six sides. A list of textures is cycled over the sides."""
    names = itertools.cycle([texture] if isinstance(texture, str) else texture)
    lines = [
        " ".join(f"( {a!r} {b!r} {c!r} )" for a, b, c in side)
        + " "
        + style.format(texture=next(names), contents=contents)
        for side in corners(mins, maxs)
    ]
    body = "\n".join(lines)
    return f"{{\nbrushDef\n{{\n{body}\n}}\n}}\n" if style == PRIMITIVE else f"{{\n{body}\n}}\n"


def entity(classname: str, *parts: str, **pairs: str) -> str:
    """An entity with keys and brushes."""
    keys = "".join(f'"{key}" "{value}"\n' for key, value in pairs.items())
    return f'{{\n"classname" "{classname}"\n{keys}{"".join(parts)}}}\n'


def patch(width: int, height: int, texture: str = "base/wall", kind: str = "patchDef2") -> str:
    """A patch whose control point in column i, row j is (i, j, 0)."""
    size = f"( {width} {height} 4 6 0 0 0 )" if kind == "patchDef3" else f"( {width} {height} 0 0 0 )"
    columns = "\n".join("( " + " ".join(f"( {i} {j} 0 0 0 )" for j in range(height)) + " )" for i in range(width))
    return f"{{\n{kind}\n{{\n{texture}\n{size}\n(\n{columns}\n)\n}}\n}}\n"


def read(text: str) -> MapData:
    """Read a map from text."""
    return read_source(text, text.encode(), "test.map")


def sides(found: MapData, brush: int) -> set[tuple[float, ...]]:
    """Planes of a brush as (normal x, y, z, distance)."""
    start, stop = found.brushes.side_start[brush : brush + 2]
    ids = found.brushes.side_plane[start:stop]
    return {(*found.planes.normal[row].tolist(), float(found.planes.dist[row])) for row in ids}


CUBE = {(0, 0, 1, 64), (0, 0, -1, 0), (1, 0, 0, 64), (-1, 0, 0, 0), (0, 1, 0, 64), (0, -1, 0, 0)}


@pytest.mark.parametrize("style", [CLASSIC, VALVE, PRIMITIVE, "{texture} 0 0 0 1 1"])
def test_every_format_gives_the_same_brush(style: str):
    found = read(entity("worldspawn", box(style=style)))
    assert len(found.brushes) == 1
    assert sides(found, 0) == CUBE
    assert found.shaders.name == ("textures/base/wall",)
    assert found.brushes.contents.tolist() == [Contents.SOLID]
    assert found.models.mins.tolist() == [[0, 0, 0]]
    assert found.models.maxs.tolist() == [[64, 64, 64]]
    assert not found.dropped


def test_the_example_of_the_quake_map_specification_is_read():
    # The example that every .map reader starts from: a block of 128..256, 128..384, 64..128.
    text = """
    { "classname" "worldspawn"
      {
        ( 128 0 0 ) ( 128 1 0 ) ( 128 0 1 ) GROUND1_6 0 0 0 1.0 1.0
        ( 256 0 0 ) ( 256 0 1 ) ( 256 1 0 ) GROUND1_6 0 0 0 1.0 1.0
        ( 0 128 0 ) ( 0 128 1 ) ( 1 128 0 ) GROUND1_6 0 0 0 1.0 1.0
        ( 0 384 0 ) ( 1 384 0 ) ( 0 384 1 ) GROUND1_6 0 0 0 1.0 1.0
        ( 0 0 64 ) ( 1 0 64 ) ( 0 1 64 ) GROUND1_6 0 0 0 1.0 1.0
        ( 0 0 128 ) ( 0 1 128 ) ( 1 0 128 ) GROUND1_6 0 0 0 1.0 1.0
      }
    }"""
    found = read(text)
    assert found.models.mins.tolist() == [[128, 128, 64]]
    assert found.models.maxs.tolist() == [[256, 384, 128]]


@pytest.mark.parametrize("style", [CLASSIC, VALVE, PRIMITIVE])
def test_only_detail_counts_in_the_contents_column(style: str):
    bits = Contents.DETAIL | Contents.WATER
    found = read(entity("worldspawn", box(style=style, contents=int(bits)), box(style=style, contents=1)))
    assert found.brushes.contents.tolist() == [Contents.SOLID | Contents.DETAIL, Contents.SOLID]


@given(
    st.tuples(*[st.floats(-60000, 60000, allow_nan=False).map(lambda v: round(v, 3))] * 3),
    st.tuples(*[st.floats(1, 4096).map(lambda v: round(v, 3))] * 3),
)
def test_any_box_has_its_bounds_and_contains_its_centre(mins: tuple[float, ...], size: tuple[float, ...]):
    maxs = tuple(float(a + b) for a, b in zip(mins, size, strict=True))
    found = read(entity("worldspawn", box(mins, maxs)))
    assert found.models.mins[0] == pytest.approx(mins, abs=1e-3)
    assert found.models.maxs[0] == pytest.approx(maxs, abs=1e-3)
    rows = found.brushes.side_plane
    centre = (np.array(mins) + maxs) / 2
    assert (found.planes.normal[rows] @ centre - found.planes.dist[rows] < 0).all()


def test_comments_escapes_and_float_syntax_are_read():
    text = (
        '// "not" { text\n/* { over\nlines */{ // world\n"classname" "worldspawn"\n'
        r'"message" "say \"hi\" // to all \n" "path" "c:\maps\"'
        + '\n"url" "http://a/b"/* c */\n'
        + box().replace("64 ", "+6.4e1 ").replace("0 ", "-0.0 ").replace("base/wall", "base//wall")
        + "}"
    )
    found = read(text)
    assert found.entities[0].pairs == (
        ("classname", "worldspawn"),
        ("message", 'say "hi" // to all \\n'),
        ("path", "c:\\maps\\"),
        ("url", "http://a/b"),
    )
    assert sides(found, 0) == CUBE
    assert found.shaders.name == ("textures/base//wall",)


def test_line_ends_of_every_system_are_read():
    text = entity("worldspawn", "// brush 0\n", box())
    for end in ("\n", "\r\n", "\r"):
        assert sides(read(text.replace("\n", end)), 0) == CUBE


def test_a_byte_order_mark_is_ignored_and_the_bytes_are_hashed():
    text = "\ufeff" + entity("worldspawn", box())
    found = read_source(text, b"bytes", "x.map")
    assert (found.name, found.format, found.checksum) == ("x.map", "map", 0)
    assert found.sha256 == hashlib.sha256(b"bytes").hexdigest()


def test_groups_join_the_world_and_models_are_numbered_in_file_order():
    found = read(
        entity("func_door", box((0, 0, 0), (8, 8, 8)))
        + entity("worldspawn", box((16, 16, 16), (24, 24, 24)), message="x")
        + entity("info_player_start", origin="1 2 3")
        + entity("func_group", box((32, 32, 32), (48, 48, 48)), patch(3, 3))
        + entity("func_plat", box((64, 64, 64), (80, 80, 80)), box((80, 80, 80), (96, 96, 96)))
    )
    assert [e.classname for e in found.entities] == ["worldspawn", "func_door", "info_player_start", "func_plat"]
    assert [e.get("model") for e in found.entities] == ["", "*1", "", "*2"]
    assert found.brushes.model.tolist() == [0, 0, 1, 2, 2]
    assert found.brushes.entity.tolist() == [0, 0, 1, 3, 3]
    assert found.brushes.number.tolist() == [1, 2, 0, 4, 5]
    assert (found.patches.model.tolist(), found.patches.number.tolist()) == ([0], [3])
    assert found.models.entity.tolist() == [0, 1, 3]
    assert found.models.mins.tolist() == [[0, 0, 0], [0, 0, 0], [64, 64, 64]]
    assert found.models.maxs.tolist() == [[48, 48, 48], [8, 8, 8], [96, 96, 96]]


def test_an_origin_brush_moves_its_model_and_is_removed():
    door = box((100, 200, 0), (164, 264, 64))
    pivot = box((96, 196, 0), (104, 204, 8), texture="common/origin")
    found = read(entity("worldspawn", box()) + entity("func_rotating", door, pivot, patch(3, 3)))
    assert len(found.brushes) == 2
    assert found.entities[1].vector("origin") == (100, 200, 4)
    assert found.models.mins[1].tolist() == [-100, -200, -4]
    assert found.models.maxs[1].tolist() == [64, 64, 60]
    assert sides(found, 1) == {(0, 0, 1, 60), (0, 0, -1, 4), (1, 0, 0, 64), (-1, 0, 0, 0), (0, 1, 0, 64), (0, -1, 0, 0)}
    assert found.patches.point[0].tolist() == [-100, -200, -4]
    assert not found.dropped


def test_an_origin_key_alone_moves_a_model():
    found = read(entity("worldspawn", box()) + entity("func_bobbing", box(), origin="10 20 30"))
    assert found.entities[1].vector("origin") == (10, 20, 30)
    assert found.models.mins[1].tolist() == [-10, -20, -30]


def test_an_origin_brush_in_the_world_is_dropped():
    found = read(entity("worldspawn", box(), box(texture="common/origin")))
    assert len(found.brushes) == 1
    assert [(d.kind, d.number) for d in found.dropped] == [("brush", 1)]
    assert sides(found, 0) == CUBE


def test_patches_are_stored_row_by_row():
    for kind in ("patchDef2", "patchDef3"):
        found = read(entity("worldspawn", patch(5, 3, "common/clip", kind)))
        assert (found.patches.width.tolist(), found.patches.height.tolist()) == ([5], [3])
        assert found.patches.point.tolist() == [[i, j, 0] for j in range(3) for i in range(5)]
        assert found.patches.contents.tolist() == [Contents.PLAYERCLIP]
        assert found.models.maxs.tolist() == [[4, 2, 0]]


def test_a_patch_of_even_or_small_size_is_dropped():
    found = read(entity("worldspawn", patch(3, 4), patch(1, 3), box()))
    assert len(found.patches) == 0
    assert [(d.kind, d.number) for d in found.dropped] == [("patch", 0), ("patch", 1)]
    assert len(found.brushes) == 1


@pytest.mark.parametrize(
    ("textures", "contents"),
    [
        (["liquids/clear_ripple1", "common/nodraw"], Contents.WATER),
        (["common/nodraw", "common/nodraw", "liquids/lavahell"], Contents.LAVA),
        (["common/caulk", "liquids/slime1"], Contents.SLIME),
        (["common/caulk", "common/hint"], Contents.STRUCTURAL),
        (["base/wall", "common/nodraw"], Contents.SOLID),
        (["common/nodraw", "base/wall"], Contents.SOLID),
        (["common/clip", "base/wall"], Contents.SOLID),
        (["common/nodraw"], Contents(0)),
    ],
)
def test_the_most_special_side_decides_the_contents(textures: list[str], contents: Contents):
    found = read(entity("worldspawn", box(texture=textures)))
    assert Contents(int(found.brushes.contents[0])) & ~Contents.TRANSLUCENT == contents
    deciding = found.shaders.contents[found.brushes.shader[0]]
    assert deciding == found.brushes.contents[0]


def test_each_side_has_its_own_flags():
    found = read(entity("worldspawn", box(texture=["base/wall", "common/slick"])))
    slick = (found.brushes.side_flags & SurfaceFlag.SLICK) != 0
    assert slick.tolist() == [False, True] * 3


def test_degenerate_sides_are_dropped():
    line = "( 0 0 0 ) ( 1 1 1 ) ( 2 2 2 ) x 0 0 0 1 1\n"
    point = "( 5 5 5 ) ( 5 5 5 ) ( 5 5 5 ) x 0 0 0 1 1\n"
    nan = "( nan 0 0 ) ( 0 -1.#IND 0 ) ( 0 0 1e999 ) x 0 0 0 1 1\n"
    far = "( 1e300 0 0 ) ( 0 1e300 0 ) ( 0 0 -1e300 ) x 0 0 0 1 1\n"
    again = "( 0 0 64 ) ( 0 64 64 ) ( 64 64 64 ) x 0 0 0 1 1\n"
    found = read(entity("worldspawn", box(), box().replace("{\n", "{\n" + line + point + nan + far + again)))
    assert len(found.brushes) == 2
    assert sides(found, 0) == sides(found, 1) == CUBE
    assert np.diff(found.brushes.side_start).tolist() == [6, 6]
    assert [(d.kind, d.number, d.reason) for d in found.dropped] == [
        ("side", 1, "side 0 has three collinear points"),
        ("side", 1, "side 1 has three collinear points"),
        ("side", 1, "side 2 is not finite"),
        ("side", 1, "side 3 is not finite"),
    ]


def test_brushes_with_too_few_sides_are_dropped():
    three = "{\n" + "\n".join(box().split("\n")[1:4]) + "\n}\n"
    found = read(entity("worldspawn", three, "{\n}\n", box()) + entity("func_door", three))
    assert found.brushes.number.tolist() == [2]
    assert [(d.kind, d.number, d.reason) for d in found.dropped] == [
        ("brush", 0, "has only 3 usable sides"),
        ("brush", 1, "has only 0 usable sides"),
        ("brush", 3, "has only 3 usable sides"),
    ]
    assert len(found.models) == 1
    assert found.entities[1].get("model") == ""


def test_a_brush_with_too_many_sides_is_dropped():
    side = box().split("\n")[1] + "\n"
    found = read(entity("worldspawn", box().replace("{\n", "{\n" + side * MAX_SIDES), box()))
    assert found.brushes.number.tolist() == [1]
    assert found.dropped[0].reason == f"has more than {MAX_SIDES} sides"


def test_unknown_kinds_of_brush_are_dropped():
    terrain = '{\nterrainDef\n{\n4 4 { "}" ( 1 ) }\n}\n}\n'
    found = read(entity("worldspawn", terrain, box()))
    assert found.brushes.number.tolist() == [1]
    assert found.dropped[0].reason == "is a 'terrainDef', which is not supported"


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ("", "has no entities", None),
        ("// nothing\n", "has no entities", None),
        ("\nworld {", "expected '{' at the start of an entity", 2),
        ('{\n"classname" "worldspawn"\n', "the file ends inside an entity", 3),
        ('{\n"classname"\n"worldspawn\n}', "expected a key and its value, both in quotes", 2),
        ('{\n"a" "b"\nclassname\n}', "expected a key, a brush or the end of the entity", 3),
        ("{\n{\n( 0 0 0 ) ( 1 0 0 )\n}\n}", "expected a side of a brush: three points and a texture", 3),
        ("{\n{\n( 0 0 0 ) ( 1 0 0 ) ( 0 1 y ) t 0 0 0 1 1\n}\n}", "'y' is not a number", 3),
        ("{\n{\n", "the file ends at the end of a brush", 3),
        ("{\n{\nbrushDef\n( 1 )", "expected a block after 'brushDef'", 4),
        ("{\n{\nterrainDef\n{ {", "a block is never closed", 4),
        ("{\n{\npatchDef2\n{\nt\n( 3 x )\n(\n)\n}\n}\n}", "'x' is not a number", 5),
        ("{\n{\npatchDef2\n{\nt ( 3 ) (\n", "the size of a patch must be two integers from 1 to 1023", 5),
        ("{\n{\npatchDef2\n{\nt ( 3 1e9 ) (\n", "the size of a patch must be two integers from 1 to 1023", 5),
        ("{\n{\npatchDef2\n{\nt ( 3 1 ) (\n( ( 0 0 0 ) )\n)\n}\n}\n}", "a 3×1 patch must have 3 columns, not 1", 5),
        (
            "{\n{\npatchDef2\n{\nt ( 1 1 ) (\n( ( 0 0 ) )\n)\n}\n}\n}",
            "each column of a 1×1 patch must have 1 points with 3 coordinates",
            6,
        ),
        ("{\n{\npatchDef2\n{\n", "expected the texture, the size and the control points of a patch", 5),
    ],
)
def test_invalid_text_raises_one_clear_error(text: str, what: str, line: int | None):
    with pytest.raises(MapError) as caught:
        read(text)
    where = "" if line is None else f" (line {line})"
    assert str(caught.value) == f"test.map: {what}{where}"


@given(st.data())
def test_damaged_text_gives_a_map_or_an_error(data: st.DataObject):
    text = entity("worldspawn", box(), patch(3, 3), message="x") + entity(
        "func_door", box(style=PRIMITIVE), box(style=VALVE, texture="common/origin")
    )
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        size = data.draw(st.integers(0, 40))
        patchwork = data.draw(
            st.sampled_from(["", "{", "}", "(", ")", '"', "//", "/*", "nan", "1e308", "-", "\\", "["])
        )
        text = text[:at] + patchwork + text[at + size :]
    try:
        found = read(text)
    except MapError:
        return
    assert np.isfinite(found.planes.normal).all()
    assert np.isfinite(found.planes.dist).all()
    assert np.isfinite(found.models.mins).all()
    assert (found.brushes.side_plane >= 0).all()
    assert (np.diff(found.brushes.side_start) >= 4).all()
    used = np.union1d(np.append(found.brushes.model, 0), found.patches.model)
    assert used.tolist() == list(range(len(found.models)))


def test_hostile_text_takes_linear_time():
    # Each of these would keep a backtracking pattern busy for hours.
    for text in (
        "(" * 200_000,
        '"' + "\\" * 200_000,
        "{ {" + "( 0 " * 100_000,
        "{{ ( 0 0 0 ) " + " " * 200_000,
        "/*" * 99_999,
        '"' + '\\"' * 100_000 + " x",
        "{ x {" + '"' + '\\"' * 100_000 + " x",
    ):
        with pytest.raises(MapError):
            read(text)
        with pytest.raises(MapError):
            read("{\n{\n" + text)


def test_samples_are_read_completely(samples):
    maps = sorted(samples.glob("*.map"))
    assert maps
    for path in maps:
        data = path.read_bytes()
        found = read_source(data.decode(), data, str(path))
        assert not found.dropped, path.name
        assert found.entities[0].classname == "worldspawn"
