"""Compiled maps: the records read from a valid file, and the handling of every kind of invalid one."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable

import numpy as np
import pytest

from aascompile.errors import MapError
from aascompile.mapio.ibsp import read_ibsp
from aascompile.mapio.ibsp_columns import MAX_FAULTS
from aascompile.mapio.ibsp_lumps import BRUSHES, LUMPS, SIDES
from aascompile.model.mapdata import MapData
from aascompile.report import Dropped
from tests.mapio import ibsp_builder
from tests.mapio.ibsp_builder import WORLD, Bsp, room

NAN = float("nan")
INF = float("inf")


def read(bsp: Bsp) -> MapData:
    return read_ibsp(bsp.build(), "x.bsp")


def brush_planes(data: MapData, brush: int) -> list[tuple[float, ...]]:
    """Normal and distance of each side."""
    sides = data.brushes.side_plane[data.brushes.side_start[brush] : data.brushes.side_start[brush + 1]]
    return [(*data.planes.normal[plane].tolist(), float(data.planes.dist[plane])) for plane in sides]


def test_a_small_map_is_read_completely() -> None:
    bsp = room()
    data = read(bsp)
    assert (data.name, data.format, data.dropped) == ("x.bsp", "IBSP 46", ())
    assert data.sha256 == hashlib.sha256(bsp.build()).hexdigest()
    assert [entity.classname for entity in data.entities] == ["worldspawn", "trigger_hurt"]
    assert data.shaders.name == ("textures/base/stone", "textures/liquids/water", "textures/common/trigger")

    brushes = data.brushes
    assert brushes.side_start.tolist() == [0, 6, 12, 18]
    assert brushes.contents.tolist() == [1, 0x20, 0x40000000]
    assert brushes.side_flags.tolist() == [0] * 6 + [0x4000] * 6 + [0x80] * 6
    assert brushes.shader.tolist() == brushes.number.tolist() == [0, 1, 2]
    assert brushes.model.tolist() == brushes.entity.tolist() == [0, 0, 1]
    assert [brush_planes(data, brush) for brush in range(3)] == [bsp.planes[6 * b : 6 * b + 6] for b in range(3)]

    patches = data.patches
    assert (patches.width.tolist(), patches.height.tolist(), patches.point_start.tolist()) == ([3], [5], [0, 15])
    assert patches.point.tolist() == [list(point) for point in bsp.vertices]
    assert (patches.contents.tolist(), patches.model.tolist(), patches.entity.tolist()) == ([1], [0], [0])

    assert data.models.entity.tolist() == [0, 1]
    assert data.models.mins.tolist() == [[-64.0] * 3, [0.0] * 3]
    assert data.models.maxs.tolist() == [[64.0] * 3, [32.0, 32.0, 8.0]]


def test_planes_are_interned_in_opposite_pairs() -> None:
    data = read(room())
    assert np.array_equal(data.planes.normal[::2], -data.planes.normal[1::2])
    assert np.array_equal(data.planes.dist[::2], -data.planes.dist[1::2])
    # z = 0 is the top of the floor and the bottom of the water and the trigger: one pair of ids.
    top, bottom = data.brushes.side_plane[4], data.brushes.side_plane[11]
    assert top ^ 1 == bottom == data.brushes.side_plane[17]


@pytest.mark.parametrize("version", [46, 47])
@pytest.mark.parametrize("lumps", [17, 18])
def test_both_versions_are_read_with_17_or_18_lumps(version: int, lumps: int) -> None:
    """Quake Live's 18th lump shifts the others, as their offsets show."""
    bsp = room()
    bsp.version, bsp.lumps = version, lumps
    data = read(bsp)
    assert (data.format, len(data.brushes), data.dropped) == (f"IBSP {version}", 3, ())


def test_row_sizes_match_the_format() -> None:
    assert [(lump.index, lump.row.itemsize) for lump in LUMPS] == [
        (0, 1), (1, 72), (2, 16), (7, 40), (8, 12), (9, 8), (10, 44), (13, 104)
    ]  # fmt: skip


# --- files that cannot be read ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "x.bsp: is empty"),
        (b"PK\3\4 and so on", r"is not a compiled Quake III map \(it starts with bytes 50 4b 03 04, not 'IBSP'"),
        (b"hello, world", r"is not a compiled Quake III map \(it starts with 'hell', not 'IBSP'\)"),
        (b"VBSP" + bytes(200), r"is a map for Source, not for Quake III \(it starts with 'VBSP', not 'IBSP'\)"),
        (b"RBSP" + bytes(200), "is an RBSP 0 map"),
        (b"IBSP\x2e", r"is truncated \(5 bytes; the header alone takes 144\)"),
        (b"IBSP" + struct.pack("<i", 38) + bytes(200), "has no entities; even worldspawn is missing"),
        (b"IBSP" + struct.pack("<i", -1) + bytes(200), "is an IBSP -1 map"),
    ],
)
def test_other_files_are_rejected(data: bytes, message: str) -> None:
    with pytest.raises(MapError, match=message):
        read_ibsp(data, "x.bsp")


@pytest.mark.parametrize("lump", [lump.index for lump in LUMPS])
@pytest.mark.parametrize(
    ("offset", "length"),
    [
        (-1, 720),
        (144, -720),
        (0, 720),
        (144, 0x7FFFFFF8),
        (0x7FFFFFF0, 0x7FFFFFF0),
        (10**6, 720),
        (-(2**31), 2**31 - 1),
    ],
)
def test_a_lump_outside_the_file_is_rejected(lump: int, offset: int, length: int) -> None:
    bsp = room()
    bsp.directory[lump] = offset, length
    with pytest.raises(MapError, match=rf"lump {lump}, "):
        read(bsp)


@pytest.mark.parametrize("lump", [lump.index for lump in LUMPS if lump.row.itemsize > 1])
def test_a_lump_that_ends_inside_a_row_is_rejected(lump: int) -> None:
    bsp = room()
    offset, length = struct.unpack_from("<ii", bsp.build(), 8 + 8 * lump)
    bsp.directory[lump] = offset, length - 1
    with pytest.raises(MapError, match="not a multiple of"):
        read(bsp)


def test_overlapping_lumps_are_rejected() -> None:
    bsp = room()
    bsp.directory[ibsp_builder.PLANES] = struct.unpack_from("<ii", bsp.build(), 8 + 8 * ibsp_builder.SIDES)
    with pytest.raises(MapError, match=r"its planes and its brush sides overlap \(lumps 2 and 9\)"):
        read(bsp)


def test_every_truncation_is_an_error_and_padding_is_ignored() -> None:
    intact = room().build()
    want = read_ibsp(intact, "x.bsp")
    for size in range(len(intact)):
        with pytest.raises(MapError):
            read_ibsp(intact[:size], "x.bsp")
    padded = read_ibsp(intact + b"anything", "x.bsp")
    assert padded.brushes.side_plane.tolist() == want.brushes.side_plane.tolist()


def test_unused_lumps_may_be_broken() -> None:
    bsp = room()
    bsp.directory.update(dict.fromkeys((3, 4, 5, 6, 11, 12, 14, 15, 16), (-5, 2**31 - 1)))
    assert len(read(bsp).brushes) == 3


def test_too_many_rows_are_rejected() -> None:
    bsp = room()
    data = bsp.build()
    count = SIDES.limit + 1
    header = bytearray(data[:144])
    struct.pack_into("<ii", header, 8 + 8 * SIDES.index, len(data), 8 * count)
    with pytest.raises(MapError, match="brush sides, more than"):
        read_ibsp(bytes(header) + data[144:] + bytes(8 * count), "x.bsp")


def test_a_map_without_models_or_entities_is_rejected() -> None:
    with pytest.raises(MapError, match="has no models; even the world is missing"):
        read(Bsp())
    for text in ("", " \n", "\0{}", "// nothing"):
        with pytest.raises(MapError, match="has no entities; even worldspawn is missing"):
            read(Bsp(entities=text).world())


def test_entity_errors_name_the_line() -> None:
    with pytest.raises(MapError, match=r"x\.bsp: entity 0 has no value for the key 'b' \(entity text, line 3\)"):
        read(Bsp(entities='{\n"a" "1"\n"b" }').world())


def test_a_world_of_wrong_size_is_rejected() -> None:
    bsp = room()
    bsp.models[0] = (0, 1, 0, 99)
    message = r"its world has 99 brushes from 0 on, but the file has only 3 \(lump 7, models\)"
    with pytest.raises(MapError, match=message):
        read(bsp)


# --- brushes and patches that are dropped -----------------------------------------------------------------------------


def set_plane(plane: tuple[float, float, float, float]) -> Callable[[Bsp], None]:
    return lambda bsp: bsp.planes.__setitem__(8, plane)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda bsp: bsp.brushes.__setitem__(1, (6, 0, 1)), "has no sides"),
        (lambda bsp: bsp.brushes.__setitem__(1, (6, -6, 1)), "has no sides"),
        (lambda bsp: bsp.brushes.__setitem__(1, (6, 2**31 - 1, 1)), "has 2,147,483,647 sides, more than 1,024"),
        (lambda bsp: bsp.brushes.__setitem__(1, (13, 6, 1)), "its sides 13 to 18 are out of range: the file has 18"),
        (lambda bsp: bsp.brushes.__setitem__(1, (-1, 6, 1)), "its sides -1 to 4 are out of range: the file has 18"),
        (lambda bsp: bsp.brushes.__setitem__(1, (2**31 - 1, 6, 1)), "its sides 2147483647 to 2147483652 are out"),
        (lambda bsp: bsp.brushes.__setitem__(1, (6, 6, 3)), "shader 3 is not in the file"),
        (lambda bsp: bsp.brushes.__setitem__(1, (6, 6, -1)), "shader -1 is not in the file"),
        (lambda bsp: bsp.sides.__setitem__(8, (18, 0)), "side 2: plane 18 is not in the file"),
        (lambda bsp: bsp.sides.__setitem__(8, (-1, 0)), "side 2: plane -1 is not in the file"),
        (lambda bsp: bsp.sides.__setitem__(8, (8, 3)), "side 2: shader 3 is not in the file"),
        (lambda bsp: bsp.sides.__setitem__(8, (8, -(2**31))), "side 2: shader -2147483648 is not in the file"),
        (set_plane((NAN, 0, 0, 0)), "side 2: plane 8 is not finite or has no direction"),
        (set_plane((0, 0, 1, INF)), "side 2: plane 8 is not finite or has no direction"),
        (set_plane((0, 0, 0, 5)), "side 2: plane 8 is not finite or has no direction"),
        (set_plane((3e38, 3e38, -INF, 0)), "side 2: plane 8 is not finite or has no direction"),
    ],
)
def test_a_broken_brush_is_dropped(spoil: Callable[[Bsp], None], reason: str) -> None:
    """A broken brush is dropped with its number and a reason. The others are unchanged."""
    bsp = room()
    intact = read(bsp)
    spoil(bsp)
    data = read(bsp)
    assert [(dropped.kind, dropped.number) for dropped in data.dropped] == [("brush", 1)]
    assert data.dropped[0].reason.startswith(reason)
    assert data.brushes.number.tolist() == [0, 2]
    assert [brush_planes(data, 0), brush_planes(data, 1)] == [brush_planes(intact, 0), brush_planes(intact, 2)]
    assert data.brushes.side_flags.tolist() == [0] * 6 + [0x80] * 6
    assert len(data.patches) == 1


def set_patch(first: int, width: int, height: int, shader: int = 0) -> Callable[[Bsp], None]:
    return lambda bsp: bsp.surfaces.__setitem__(1, (shader, 2, first, width, height))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (set_patch(0, 4, 3), "is 4×3; both must be odd and at least 3"),
        (set_patch(0, 3, 1), "is 3×1; both must be odd and at least 3"),
        (set_patch(0, -3, -3), "is -3×-3; both must be odd and at least 3"),
        (set_patch(0, 100001, 100001), "is 100001×100001, more than the engine's 1,024 points"),
        (set_patch(0, 2**31 - 1, 2**31 - 1), "is 2147483647×2147483647, more than"),
        (set_patch(0, 33, 33), "is 33×33, more than the engine's 1,024 points"),
        (set_patch(22, 3, 3), "its 9 vertices from 22 on are out of range: the file has 30"),
        (set_patch(-1, 3, 3), "its 9 vertices from -1 on are out of range: the file has 30"),
        (set_patch(15, 3, 3, 9), "shader 9 is not in the file"),
        (lambda bsp: bsp.vertices.__setitem__(29, (0, NAN, 0)), "a control point is not finite or lies outside"),
        (lambda bsp: bsp.vertices.__setitem__(15, (0, 0, 2e5)), "a control point is not finite or lies outside"),
    ],
)
def test_a_broken_patch_is_dropped(spoil: Callable[[Bsp], None], reason: str) -> None:
    bsp = room()
    bsp.patch(3, 5, 1)
    bsp.models[0] = (0, 2, 0, 2)
    intact = read(bsp)
    assert len(intact.patches) == 2
    spoil(bsp)
    data = read(bsp)
    assert [(dropped.kind, dropped.number) for dropped in data.dropped] == [("patch", 1)]
    assert data.dropped[0].reason.startswith(reason)
    assert data.patches.number.tolist() == [0]
    assert data.patches.point.tolist() == intact.patches.point[:15].tolist()
    assert len(data.brushes) == 3


def test_other_surfaces_are_not_patches() -> None:
    """Only kind 2 is a patch. The width stored for a triangle soup is irrelevant."""
    bsp = room()
    bsp.surfaces += [(0, kind, -1, 7, 100000) for kind in (0, 1, 3, 4, 5, -1, 2**31 - 1)]
    bsp.models[0] = (0, len(bsp.surfaces), 0, 2)
    data = read(bsp)
    assert (len(data.patches), data.dropped) == (1, ())


def test_rows_may_be_shared_but_not_without_limit() -> None:
    """A small file must not become large by using the same rows again and again."""
    bsp = room()
    bsp.brushes[1] = (0, 6, 1)
    assert brush_planes(read(bsp), 1) == brush_planes(read(bsp), 0)
    bsp.brushes += [(0, 6, 0)] * 40
    bsp.models[0] = (0, 1, 0, 43)
    with pytest.raises(MapError, match="is damaged: it uses 258 brush sides, but has only 18"):
        read(bsp)

    bsp = room()
    bsp.surfaces *= 40
    bsp.models[0] = (0, 40, 0, 2)
    with pytest.raises(MapError, match="is damaged: it uses 600 vertices, but has only 15"):
        read(bsp)


@pytest.mark.parametrize("count", [MAX_FAULTS, MAX_FAULTS + 1, BRUSHES.limit])
def test_too_many_broken_brushes_reject_the_file(count: int) -> None:
    """Each is listed, up to a limit beyond which the whole file counts as damaged."""
    data = bytearray(Bsp().world().build())
    rows = np.zeros((count, 3), "<i4").tobytes()
    struct.pack_into("<ii", data, 8 + 8 * BRUSHES.index, len(data), len(rows))
    if count <= MAX_FAULTS:
        assert len(read_ibsp(bytes(data) + rows, "x.bsp").dropped) == count
        return
    with pytest.raises(
        MapError, match=rf"is damaged: {count:,} of its {count:,} brushes are broken \(brush 0: has no sides\)"
    ):
        read_ibsp(bytes(data) + rows, "x.bsp")


# --- models and entities ----------------------------------------------------------------------------------------------


def test_a_brush_without_a_model_is_dropped() -> None:
    bsp = room()
    bsp.models[0] = (0, 1, 0, 1)
    data = read(bsp)
    assert data.dropped == (Dropped("brush", 1, "belongs to no model"),)


def test_a_model_takes_precedence_over_the_world() -> None:
    """The engine finds world brushes through its leaves, so a map compiler may assign all brushes to the world."""
    bsp = room()
    bsp.models[0] = (0, 1, 0, 3)
    assert read(bsp).brushes.model.tolist() == [0, 0, 1]


def test_models_that_share_brushes_or_are_out_of_range_are_dropped() -> None:
    bsp = room()
    bsp.models += [(0, 0, 2, 1), (0, 0, 2, 5), (0, -1, 0, 0), (5, 1, 0, 0)]
    data = read(bsp)
    assert data.brushes.model.tolist() == [0, 0, 1]
    assert data.dropped == (
        Dropped("model", 2, "some of its brushes also belong to another model"),
        Dropped("model", 3, "its 5 brushes from 2 on are out of range: the file has 3"),
        Dropped("model", 4, "its -1 surfaces from 0 on are out of range: the file has 1"),
        Dropped("model", 5, "its 1 surfaces from 5 on are out of range: the file has 1"),
    )


def test_models_with_infinite_bounds_are_reported() -> None:
    bsp = room()
    bsp.bounds[1] = (0, 0, NAN, 1, 1, 1)
    data = read(bsp)
    assert data.dropped == (Dropped("model", 1, "its bounds are not finite"),)
    assert np.isfinite(data.models.mins).all()
    assert np.isfinite(data.models.maxs).all()


@pytest.mark.parametrize("value", ["*0", "*2", "*-1", "*x", "*1.5", "*99999999999999999999", "*", "*１"])
def test_an_entity_with_a_missing_model_is_reported(value: str) -> None:
    bsp = room()
    bsp.entities = WORLD + f'{{ "classname" "func_door" "model" "{value}" }}'
    data = read(bsp)
    assert [(dropped.kind, dropped.number) for dropped in data.dropped] == [("entity", 1)]
    assert data.models.entity.tolist() == [0, -1]
    assert data.brushes.entity.tolist() == [0, 0, -1]


def test_a_model_belongs_to_the_first_entity_that_names_it() -> None:
    bsp = room()
    bsp.entities = '{ "model" "models/crate.md3" }' + WORLD + '{ "model" "*1" } { "MODEL" "*1" }'
    data = read(bsp)
    assert data.models.entity.tolist() == [1, 2]
    assert data.brushes.entity.tolist() == [1, 1, 2]
    assert data.dropped == (Dropped("entity", 3, "its model '*1' already belongs to entity 2"),)


def test_entity_text_ends_at_the_first_zero_byte() -> None:
    bsp = room()
    bsp.entities = WORLD.encode() + b"\0{ junk"
    assert len(read(bsp).entities) == 1


def test_shader_names_and_entity_text_may_hold_any_bytes() -> None:
    bsp = Bsp(entities=b'{ "message" "caf\xe9 \xff" }').world()
    bsp.shaders.append(("é" * 32, 2**32 - 1, 2**31))
    data = read(bsp)
    assert data.entities[0].get("message") == "café ÿ"
    assert data.shaders.flags.tolist() == [2**32 - 1]
    assert data.shaders.contents.tolist() == [2**31]
