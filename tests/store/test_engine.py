"""The engine's file: its layout, its conventions, and the round trip."""

from __future__ import annotations

import random
import struct
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from aascompile.checks.check_compiled import failures
from aascompile.errors import StoreError
from aascompile.mapio.load import load_map
from aascompile.model.compiled import Compiled, Rides
from aascompile.model.contents import Kind
from aascompile.model.links import Travel
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.settings import QUAKE3
from aascompile.store import engine_links
from aascompile.store.engine import for_engine, read_engine, write_engine
from aascompile.store.engine_lumps import HEADER, LUMPS, MAGIC, empty, pack, unpack
from aascompile.store.hdf import compiled_bytes
from tests.conftest import ROOT
from tests.reference.engine_file import Reader
from tests.store.hand_made import links_of, with_links
from tests.store.same import NOT_IN_ENGINE_FILES, different

SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.bsp"))


@pytest.mark.parametrize("name", SAMPLES)
def test_export_and_import_keep_the_map(compiled_sample, name):
    for compiled in (compiled_sample(name), with_links(compiled_sample(name))):
        data = write_engine(compiled)
        found = read_engine(data, f"maps/{name}.aas")
        assert different(compiled, found, without=NOT_IN_ENGINE_FILES, single=True) == []
        np.testing.assert_allclose(found.areas.area_volume, compiled.areas.area_volume, rtol=1e-5, atol=1e-3)
        assert write_engine(found) == data
        assert (found.provenance.name, found.provenance.checksum) == (f"{name}.aas", compiled.provenance.checksum)
        assert [failure.sentence() for failure in failures(found)] == []
        assert compiled_bytes(found)


@pytest.mark.parametrize("name", SAMPLES)
def test_an_independent_reader_finds_the_same_areas_and_links(compiled_sample, name):
    """The reader follows the format's description literally and applies the engine's own tests."""
    compiled = with_links(compiled_sample(name))
    areas = compiled.areas
    file = Reader(write_engine(compiled))
    assert file.version == 5
    assert file.ends_with_its_last_lump()
    for row in range(len(areas)):
        assert file.area_of(areas.area_centre[row]) == row + 1
        assert file.volume(row + 1) == pytest.approx(float(areas.area_volume[row]), rel=1e-4, abs=1e-2)
        for face in areas.area_face[areas.area_start[row] : areas.area_start[row + 1]]:
            corner = areas.face_vertex[areas.face_start[face] : areas.face_start[face + 1]]
            assert file.inside_face(int(face) + 1, areas.vertex[corner].mean(axis=0))
        found = file.links_of(row + 1)
        rows = range(compiled.links.area_start[row], compiled.links.area_start[row + 1])
        assert [link[0] for link in found] == [int(compiled.links.target[k]) + 1 for k in rows]
    assert file.loops_are_closed()


def test_the_layout_is_that_of_the_engine(compiled_sample, samples):
    compiled = with_links(compiled_sample("doorway"))
    data = write_engine(compiled)
    assert data[:8] == MAGIC + struct.pack("<i", 5)
    lumps, checksum = unpack(data)
    assert checksum == load_map(str(samples / "doorway.bsp")).checksum
    header = data[:8] + bytes(byte ^ (119 * at & 255) for at, byte in enumerate(data[8:HEADER]))
    at = HEADER
    for row, name in enumerate(LUMPS):
        assert struct.unpack_from("<ii", header, 12 + 8 * row) == (at, lumps[name].nbytes)
        at += lumps[name].nbytes
    assert at == len(data)
    assert [LUMPS[name].itemsize for name in LUMPS] == [32, 12, 20, 8, 4, 24, 4, 48, 28, 44, 12, 20, 4, 16]
    for name in ("edges", "faces", "areas", "links", "nodes", "portals", "clusters"):
        assert lumps[name][0].tobytes() == bytes(LUMPS[name].itemsize)
    assert lumps["boxes"]["presence"].tolist() == [2, 4]
    assert lumps["boxes"]["maxs"].tolist() == [[15, 15, 32], [15, 15, 16]]
    assert lumps["areas"]["number"].tolist() == list(range(7))
    assert set(lumps["settings"]["presence"][1:].tolist()) <= {4, 6}
    types = lumps["planes"]["type"]
    assert (np.abs(lumps["planes"]["normal"][types < 3]).sum(axis=1) == 1).all()


def test_portals_and_clusters_are_numbered_as_the_engine_expects(compiled_sample):
    compiled = with_links(compiled_sample("doorway"))
    lumps, _ = unpack(write_engine(compiled))
    portal = int(compiled.clusters.portal_area[0])
    assert lumps["settings"]["cluster"][portal + 1] == -1
    assert lumps["settings"]["number"][portal + 1] == 0
    assert lumps["settings"]["contents"][portal + 1] & 0x200
    assert lumps["portals"]["area"].tolist() == [0, portal + 1]
    assert lumps["portals"]["cluster"].tolist() == [[0, 0], [1, 2]]
    assert lumps["portals"]["number"][1].tolist() == compiled.clusters.portal_number[0].tolist()
    assert lumps["portal_index"]["portal"].tolist() == [1, 1]
    assert lumps["clusters"]["first"].tolist() == [0, 0, 1]


def test_missing_links_and_clusters_are_left_to_the_engine(compiled_sample):
    lumps, _ = unpack(write_engine(compiled_sample("doorway")))
    assert [len(lumps[name]) for name in ("links", "portals", "portal_index", "clusters")] == [0, 0, 0, 0]
    found = read_engine(write_engine(compiled_sample("doorway")), "x.aas")
    assert found.links is None
    assert found.clusters is None


def test_an_empty_list_of_links_differs_from_missing_links(compiled_sample):
    box = compiled_sample("box")
    found = read_engine(write_engine(replace(box, links=links_of([], len(box.areas)))), "x.aas")
    assert found.links is not None
    assert len(found.links) == 0


@pytest.mark.parametrize(
    ("kind", "flags", "bits"),
    [
        (Kind.HURT, 0, 0x2 | 0x20000),
        (Kind.HURT | Kind.WATER, 4, 0x1 | 0x2 | 0x20000),
        (Kind.HURT | Kind.LAVA, 4, 0x2 | 0x40000),
        (Kind.LAVA, 4, 0x2),
        (Kind.TELEPORTER | Kind.DONOTENTER, 0, 0x140),
    ],
)
def test_contents_are_translated_to_engine_bits(compiled_sample, kind, flags, bits):
    box = compiled_sample("box")
    contents = np.full(len(box.areas), int(kind), np.uint32)
    filled = replace(box, areas=replace(box.areas, area_contents=contents, area_flags=np.full_like(contents, flags)))
    lumps, _ = unpack(write_engine(filled))
    assert set(lumps["settings"]["contents"][1:].tolist()) == {bits}
    assert np.array_equal(read_engine(write_engine(filled), "x.aas").areas.area_contents, contents)


def test_lava_that_is_not_liquid_is_a_hurt_trigger(compiled_sample):
    lumps, checksum = unpack(write_engine(compiled_sample("box")))
    lumps["settings"] = lumps["settings"].copy()
    lumps["settings"]["contents"][1:] = 2
    assert set(read_engine(pack(lumps, checksum), "x.aas").areas.area_contents.tolist()) == {int(Kind.HURT)}


def test_doors_keep_their_model_number(compiled_sample):
    door = compiled_sample("door")
    moved = door.areas.area_model >= 0
    model = np.where(moved, 200, -1).astype(np.int32)
    changed = replace(door, areas=replace(door.areas, area_model=model))
    lumps, _ = unpack(write_engine(changed))
    assert set((lumps["settings"]["contents"][1:][moved].astype(np.int64) & 0xFFFFFFFF).tolist()) == {200 << 24 | 0x400}
    assert np.array_equal(read_engine(write_engine(changed), "x.aas").areas.area_model, model)


@pytest.mark.parametrize("name", ["jumppad", "teleporter"])
def test_the_model_of_a_trigger_is_not_exported(compiled_sample, name):
    found = compiled_sample(name)
    assert (found.areas.area_trigger >= 0).any()
    lumps, _ = unpack(write_engine(found))
    assert not (lumps["settings"]["contents"].astype(np.int64) & 0xFF000000).any()
    assert (read_engine(write_engine(found), "x.aas").areas.area_trigger == -1).all()


# --- links with a vehicle ---------------------------------------------------------------------------------------------


def carried(box: Compiled, row: dict, rides: Rides) -> Compiled:
    """The map with a single link."""
    return replace(box, links=links_of([{"source": 0, "target": 1, **row}], len(box.areas)), rides=rides)


def ride(model: int, low: tuple, high: tuple) -> Rides:
    return Rides.unknown(np.array([model], np.int32), np.array([low], float), np.array([high], float))


@pytest.mark.parametrize(
    ("row", "rides", "face", "edge"),
    [
        ({"kind": Travel.WALK, "face": 4, "edge": 7}, Rides.none(), 5, 8),
        ({"kind": Travel.TELEPORT}, Rides.none(), 0, 0),
        ({"kind": Travel.JUMP_PAD, "velocity": (30.0, 40.0, 779.4)}, Rides.none(), 779, 50),
        ({"kind": Travel.ELEVATOR, "model": 3}, ride(3, (0, 0, 8), (0, 0, 120)), 3, 112),
        ({"kind": Travel.ELEVATOR, "model": 3, "end": (0, 0, 96)}, Rides.none(), 3, 96),
        ({"kind": Travel.BOBBING, "model": 2}, ride(2, (0, 0, -8), (0, 0, 120)), 2, 0xFFF80078 - (1 << 32)),
        (
            {"kind": Travel.BOBBING, "model": 2, "start": (500, 0, 0), "end": (100, 0, 0)},
            ride(2, (96, 7, 7), (480, 7, 7)),
            1 << 16 | 2,
            480 << 16 | 96,
        ),
        (
            {"kind": Travel.BOBBING, "model": 2, "start": (0, 96, 0), "end": (0, 480, 0)},
            ride(2, (7, 480, 7), (7, 96, 7)),
            2 << 16 | 2,
            96 << 16 | 480,
        ),
    ],
)
def test_face_and_edge_encode_the_vehicle(compiled_sample, row, rides, face, edge):
    compiled = carried(compiled_sample("box"), row, rides)
    data = write_engine(compiled)
    lumps, _ = unpack(data)
    assert lumps["links"]["face"].tolist() == [0, face]
    assert lumps["links"]["edge"].tolist() == [0, edge]
    assert lumps["links"]["kind"].tolist() == [0, row["kind"]]
    found = read_engine(data, "x.aas")
    assert different(compiled, found, without=NOT_IN_ENGINE_FILES, single=True) == []
    assert write_engine(found) == data
    if row["kind"] == Travel.BOBBING:
        axis = int(np.argmax(np.abs(rides.high - rides.low)))
        ends = sorted((float(rides.low[0, axis]), float(rides.high[0, axis])))
        assert sorted([found.rides.low[0, axis], found.rides.high[0, axis]]) == ends


def whole(name: str) -> Compiled:
    """A sample with its links."""
    return compile_map(str(ROOT / "samples" / f"{name}.map"), QUAKE3, Report(name))


def test_rides_that_bots_cannot_take_are_left_out():
    for name, exported in (("train", 2), ("train_loop", 0), ("pendulum", 0), ("rotating", 0), ("door_bridge", 4)):
        it = for_engine(whole(name))
        rides = np.isin(it.links.kind, (Travel.ELEVATOR, Travel.BOBBING))
        assert int(rides.sum()) == exported, name
    assert it.links.time.max() < 3000
    links = for_engine(whole("train")).links
    assert set(links.time[links.kind == Travel.BOBBING].tolist()) == {3000}, "bots cross on a train by chance"


def test_a_bridge_has_one_place_along_its_axis():
    lumps, _ = unpack(write_engine(for_engine(whole("door_bridge"))))
    rows = lumps["links"][lumps["links"]["kind"] == Travel.BOBBING]
    assert set(rows["face"].tolist()) == {1 << 16 | 1, 1 << 16 | 2}, "along x, with either half"
    halves = {(edge >> 16 & 0xFFFF ^ 0x8000) - 0x8000 for edge in rows["edge"].tolist()}
    assert halves == {-80, 80}
    assert all((edge >> 16) & 0xFFFF == edge & 0xFFFF for edge in rows["edge"].tolist())


def test_velocities_of_jump_pads_survive(compiled_sample):
    row = {"kind": Travel.JUMP_PAD, "velocity": (30.0, 40.0, 779.0), "end": (60.0, 80.0, 500.0)}
    found = read_engine(write_engine(carried(compiled_sample("box"), row, Rides.none())), "x.aas")
    np.testing.assert_allclose(found.links.velocity[0], (30.0, 40.0, 779.0), rtol=1e-9)


def test_one_constant_sets_the_travel_type_of_crouch_links(compiled_sample, monkeypatch):
    compiled = carried(compiled_sample("box"), {"kind": Travel.CROUCH}, Rides.none())
    assert unpack(write_engine(compiled))[0]["links"]["kind"].tolist() == [0, 3]
    monkeypatch.setattr(engine_links, "CROUCH_AS", Travel.WALK)
    assert unpack(write_engine(compiled))[0]["links"]["kind"].tolist() == [0, 2]


# --- files of other programs ------------------------------------------------------------------------------------------


@pytest.mark.corpus
def test_shipped_files_survive_import_and_export(corpus):
    shipped = sorted(corpus.glob("*.aas"))
    if not shipped:
        pytest.skip("no shipped .aas beside the real maps")
    for path in shipped:
        data = path.read_bytes()
        found = read_engine(data, str(path))
        assert found.provenance.checksum == load_map(str(path.with_suffix(".bsp"))).checksum
        assert len(found.areas) > 100
        assert len(found.links) > 100
        assert len(found.areas.face_plane) == 0
        failed = {failure.requirement.id for failure in failures(found)}
        assert failed <= {"A5", "A10", "A11", "A12", "A18", "L8", "T4"}  # A18: falls leave areas of the C compiler
        # Only the order of the links differs.
        ours, theirs = unpack(write_engine(found))[0], unpack(data)[0]
        assert [name for name in LUMPS if name != "links" and ours[name].tobytes() != theirs[name].tobytes()] == []
        assert sorted(row.tobytes() for row in ours["links"]) == sorted(row.tobytes() for row in theirs["links"])
        assert len(compiled_bytes(found)) > 1000


def test_version_4_has_a_plain_header(compiled_sample):
    data = write_engine(compiled_sample("box"))
    header = data[:8] + bytes(byte ^ (119 * at & 255) for at, byte in enumerate(data[8:HEADER]))
    plain = MAGIC + struct.pack("<i", 4) + header[8:] + data[HEADER:]
    assert different(read_engine(plain, "x.aas"), read_engine(data, "x.aas")) == []


def test_planes_without_pairs_and_nodes_in_any_order_are_read(compiled_sample):
    compiled = compiled_sample("stairs")
    lumps, checksum = unpack(write_engine(compiled))
    planes = lumps["planes"]
    nodes = lumps["nodes"].copy()
    count = len(nodes) - 1
    # Reverse the order of all nodes except the root.
    swap = np.concatenate([[0, 1], np.arange(count, 1, -1)])
    nodes["child"] = np.where(nodes["child"] > 0, swap[np.maximum(nodes["child"], 0)], nodes["child"])
    lumps["nodes"] = nodes[swap]
    lumps["planes"] = np.concatenate([planes, planes[:1]])
    found = read_engine(pack(lumps, checksum), "x.aas")
    assert [failure.sentence() for failure in failures(found)] == []
    assert len(found.areas.planes) == 2 * (len(planes) + 1)
    assert np.array_equal(
        found.areas.planes.normal[found.areas.face_plane], planes["normal"][compiled.areas.face_plane]
    )


# --- damage -----------------------------------------------------------------------------------------------------------


def rejection(data: bytes) -> str:
    """Reason why a file is rejected."""
    with pytest.raises(StoreError) as error:
        read_engine(data, "x.aas")
    message = str(error.value)
    assert message.startswith("x.aas: ")
    assert "\n" not in message
    return message.removeprefix("x.aas: ")


def changed(data: bytes, **columns: object) -> bytes:
    """The file with changed columns: lump__field = (row, value)."""
    lumps, checksum = unpack(data)
    for name, (row, value) in columns.items():
        lump, field = name.split("__")
        lumps[lump] = lumps[lump].copy()
        lumps[lump][field][row] = value
    return pack(lumps, checksum)


def test_other_and_incomplete_files_are_rejected(compiled_sample):
    data = write_engine(compiled_sample("box"))
    assert rejection(b"") == "is not an engine .aas file"
    assert rejection(b"IBSP" + data[4:]) == "is not an engine .aas file"
    assert rejection(data[:100]) == "is damaged (it ends inside its header, after 100 bytes)"
    assert rejection(data[:-1]) == "is damaged (its nodes lie outside the file)"
    assert rejection(MAGIC + struct.pack("<i", 6) + data[8:]).startswith("is an engine .aas file of version 6")
    lumps, checksum = unpack(data)
    assert rejection(pack({name: empty(name, 0) for name in LUMPS}, checksum)).startswith("is damaged (0 areas")
    assert rejection(pack(lumps | {"settings": lumps["settings"][1:]}, checksum)).startswith("is damaged (3 areas")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"areas__faces": (1, 1 << 30)}, "its faces of areas are out of range"),
        ({"areas__first": (1, -5)}, "its faces of areas are out of range"),
        ({"faces__edges": (1, -1)}, "its edges of faces are out of range"),
        (
            {"faces__first": (slice(None), 0), "faces__edges": (slice(None), 9)},
            "its edges of faces are used more than once",
        ),
        ({"edge_index__edge": (0, 0)}, "a face has an edge that does not exist"),
        ({"edge_index__edge": (0, -(1 << 31))}, "a face has an edge that does not exist"),
        ({"edges__vertex": (1, (0, 0))}, "are not connected"),
        ({"vertices__xyz": (0, np.nan)}, "V1: "),
        ({"faces__plane": (1, 1 << 30)}, "F3: "),
        ({"faces__front": (1, 1 << 30)}, "F4: "),
        ({"face_index__face": (0, 1 << 30)}, "A2: "),
        ({"nodes__child": (2, (1, 1))}, "its nodes do not form a tree"),
        ({"nodes__child": (1, (1, 0))}, "its nodes do not form a tree"),
        ({"nodes__child": (1, (-99, 0))}, "T1: "),
        ({"nodes__plane": (1, -1)}, "T1: "),
        ({"settings__links": (1, 1 << 30)}, "its links are out of range"),
        ({"settings__first": (1, -7)}, "its links are out of range"),
        ({"links__target": (1, 0)}, "L1: "),
        ({"links__start": (1, np.inf)}, "L3: "),
        ({"settings__cluster": (1, 99)}, "C4: "),
        ({"settings__cluster": (1, -99)}, "C4: "),
        ({"portals__area": (1, 99)}, "C2: "),
        ({"clusters__portals": (1, 99)}, "its portals of clusters are out of range"),
        ({"portal_index__portal": (0, 99)}, "C3: "),
        ({"boxes__presence": (0, 0)}, "B1: "),
    ],
)
def test_damage_is_reported_in_one_sentence(compiled_sample, change, why):
    data = write_engine(with_links(compiled_sample("doorway")))
    assert why in rejection(changed(data, **change))


HOSTILE = """
import random, sys
from aascompile.errors import StoreError
from aascompile.store.engine import for_engine, read_engine, write_engine
from aascompile.checks.check_compiled import failures
from aascompile.store.hdf import compiled_bytes
with open(sys.argv[1], "rb") as file:
    intact = file.read()
header = intact[:8] + bytes(byte ^ (119 * at & 255) for at, byte in enumerate(intact[8:124]))
plain = header[:4] + b"\\x04\\0\\0\\0" + header[8:] + intact[124:]
dice = random.Random(int(sys.argv[2]))
results = 0
for case in range(int(sys.argv[3])):
    data = bytearray(plain)
    if case % 5 == 0:
        data = data[: dice.randrange(len(data))]
    for _ in range(dice.choice((1, 1, 2, 8, 64))):
        at = dice.randrange(len(data)) if case % 3 else dice.randrange(124)
        if at < len(data):
            data[at] = dice.choice((0, 255, 127, 128, dice.randrange(256)))
    try:
        found = read_engine(bytes(data), "x.aas")
        failures(found)
        compiled_bytes(found)
        write_engine(found)
        results += 1
    except StoreError as error:
        assert "\\n" not in str(error), error
assert results
print("done")
"""


def test_random_damage_gives_a_result_or_one_error(compiled_sample, tmp_path):
    path = tmp_path / "x.aas"
    path.write_bytes(write_engine(with_links(compiled_sample("stairs"))))
    seed = random.Random(7).randrange(1 << 30)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", HOSTILE, str(path), str(seed), "400"],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.stdout == "done\n", done.stderr[-2000:]
