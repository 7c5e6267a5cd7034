"""Compiled files: maps survive writing and reading, bytes are reproducible, and damage is reported in one sentence."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from dataclasses import replace

import h5py
import numpy as np
import pytest

import aascompile
from aascompile.checks.check_compiled import failures
from aascompile.errors import StoreError
from aascompile.model.compiled import Compiled, Context, Entities, Rides
from aascompile.store import hdf_writer
from aascompile.store.hdf import compiled_bytes, read_compiled, write_compiled
from aascompile.store.schema import SPECS
from tests.conftest import ROOT
from tests.store.hand_made import with_links
from tests.store.same import different

SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.bsp"))


@pytest.mark.parametrize("name", SAMPLES)
def test_written_maps_read_back_equal(compiled_sample, tmp_path, name):
    for compiled in (compiled_sample(name), with_links(compiled_sample(name))):
        write_compiled(str(tmp_path / "x.aas.hdf"), compiled)
        found = read_compiled(str(tmp_path / "x.aas.hdf"))
        assert different(compiled, found) == []
        assert found.provenance == compiled.provenance
        assert found.entities.classname == compiled.entities.classname
        assert found.entities.keys == compiled.entities.keys
        assert (found.links is None) == (compiled.links is None)


def test_a_file_may_hold_only_areas(compiled_sample, tmp_path):
    full = compiled_sample("box")
    bare = replace(full, rides=Rides.none(), context=Context.none(), entities=Entities.of(()))
    write_compiled(str(tmp_path / "x.aas.hdf"), bare)
    assert different(bare, read_compiled(str(tmp_path / "x.aas.hdf"))) == []


def test_leak_and_rides_read_back_equal(compiled_sample, tmp_path):
    for name in ("leak", "elevator", "bobbing_vertical", "train"):
        compiled = compiled_sample(name)
        assert len(compiled.leak) > 1 if name == "leak" else len(compiled.rides) > 0
        write_compiled(str(tmp_path / "x.aas.hdf"), compiled)
        found = read_compiled(str(tmp_path / "x.aas.hdf"))
        assert np.array_equal(found.leak, compiled.leak)
        assert np.array_equal(found.rides.high, compiled.rides.high)


def test_the_same_map_gives_the_same_bytes(compiled_sample):
    compiled = with_links(compiled_sample("stairs"))
    first = compiled_bytes(compiled)
    time.sleep(1.1)  # HDF5 timestamps have a resolution of a second
    assert compiled_bytes(compiled) == first


def test_files_contain_no_times_and_no_paths(compiled_sample):
    data = compiled_bytes(compiled_sample("stairs"))
    assert str(ROOT).encode() not in data
    assert b"samples" not in data
    stages = json.loads(compiled_sample("stairs").provenance.stages)
    assert all(set(stage) == {"name", "counts"} for stage in stages)


def test_the_layout_matches_the_schema(compiled_sample, tmp_path):
    path = tmp_path / "x.aas.hdf"
    write_compiled(str(path), with_links(compiled_sample("slanted")))
    with h5py.File(path) as file:
        found: list[str] = []
        file["aas"].visititems(lambda name, member: found.append(name) if isinstance(member, h5py.Dataset) else None)
        assert sorted(found) == sorted(spec.path for spec in SPECS)
        for spec in SPECS:
            dataset = file["aas"][spec.path]
            assert dataset.dtype == np.dtype(spec.dtype)
            if dataset.nbytes > hdf_writer.SMALL:
                assert dataset.compression == "gzip"
                assert dataset.compression_opts == 2
                assert dataset.shuffle
                assert dataset.chunks[0] <= 65536
            else:
                assert dataset.chunks is None
        assert file.attrs["format"] == b"aascompile"
        assert file.attrs["format_version"] == 6
        assert file.id.get_create_plist().get_version()[0] == 3  # metadata with checksums


def test_the_vtk_view_links_to_our_datasets(compiled_sample, tmp_path):
    path = tmp_path / "x.aas.hdf"
    write_compiled(str(path), with_links(compiled_sample("stairs")))
    with h5py.File(path) as file:
        for ours, theirs in (
            ("vertices/xyz", "areas/Points"),
            ("faces/corner_vertex", "areas/Polygons/Connectivity"),
            ("faces/corner_start", "areas/Polygons/Offsets"),
            ("faces/flags", "areas/CellData/flags"),
            ("links/point", "links/Points"),
            ("links/kind", "links/CellData/kind"),
            ("context/vertex", "context/Points"),
        ):
            assert file["aas"][ours] == file["VTKHDF"][theirs]
        assert file["VTKHDF"].attrs.get_id("Type").dtype.kind == "S"


def test_pyvista_reads_the_view(compiled_sample, tmp_path):
    pyvista = pytest.importorskip("pyvista")
    compiled = with_links(compiled_sample("stairs"))
    path = tmp_path / "x.aas.hdf"
    write_compiled(str(path), compiled)
    view = pyvista.read(path)
    assert view.keys() == ["areas", "links", "context"]
    areas, links, context = view
    assert np.array_equal(areas.points, compiled.areas.vertex)
    assert areas.n_cells == len(compiled.areas.face_plane)
    assert np.array_equal(areas.cell_data["front"], compiled.areas.face_front)
    assert np.array_equal(areas.cell_data["flags"], compiled.areas.face_flags)
    size = np.diff(compiled.areas.face_start)
    corners = np.split(compiled.areas.face_vertex, compiled.areas.face_start[1:-1])
    assert areas.faces.tolist() == [n for k, face in zip(size, corners, strict=True) for n in (k, *face)]
    assert np.array_equal(areas.cell_data["presence"], compiled.areas.area_presence[areas.cell_data["area"]])
    assert links.n_cells == len(compiled.links)
    assert np.array_equal(links.cell_data["target"], compiled.links.target)
    assert np.array_equal(links.points[1::2], compiled.links.end)
    assert context.n_cells == len(compiled.context)
    assert np.array_equal(context.cell_data["brush"], compiled.context.brush)
    write_compiled(str(path), compiled_sample("box"))
    assert pyvista.read(path).keys() == ["areas", "context"]


def test_broken_maps_are_not_written(compiled_sample, tmp_path):
    box = compiled_sample("box")
    broken = replace(box, areas=replace(box.areas, face_front=box.areas.face_front + 100))
    with pytest.raises(StoreError, match=r"cannot be written: F4: .*faces 0"):
        write_compiled(str(tmp_path / "x.aas.hdf"), broken)
    short = replace(box, areas=replace(box.areas, area_model=box.areas.area_model[1:]))
    with pytest.raises(StoreError, match="areas/model has rows for 1 areas, but areas/face_start for 2"):
        write_compiled(str(tmp_path / "x.aas.hdf"), short)
    wide = replace(box, areas=replace(box.areas, area_model=box.areas.area_model.astype(np.int64)))
    with pytest.raises(StoreError, match="areas/model is int64, not int32"):
        write_compiled(str(tmp_path / "x.aas.hdf"), wide)
    assert list(tmp_path.iterdir()) == []


# --- damage -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def written(compiled_sample, tmp_path):
    """A compiled file to damage."""
    path = tmp_path / "x.aas.hdf"
    write_compiled(str(path), with_links(compiled_sample("doorway")))
    return path


def rejection(path) -> str:
    """Reason why a file is rejected."""
    with pytest.raises(StoreError) as error:
        read_compiled(str(path))
    message = str(error.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


def test_other_files_are_rejected(tmp_path):
    path = tmp_path / "x.aas.hdf"
    assert rejection(path) == "cannot be read (no such file or directory)"
    assert rejection(tmp_path).startswith("cannot be read")
    path.write_bytes(b"")
    assert rejection(path) == "is not a compiled file"
    path.write_bytes(hdf_writer.MAGIC)
    assert rejection(path).startswith("is damaged (")
    with h5py.File(path, "w") as file:
        file["x"] = 1
    assert rejection(path) == "is not a compiled file"


def test_a_newer_format_is_rejected(written):
    with h5py.File(written, "r+") as file:
        file.attrs["format_version"] = 7
    assert rejection(written) == "has format version 7, but this aascompile reads up to 6; use a newer aascompile"


def test_an_older_file_knows_no_triggers(tmp_path, compiled_sample):
    found, path = compiled_sample("jumppad"), tmp_path / "old.aas.hdf"
    write_compiled(str(path), found)
    with h5py.File(path, "r+") as file:
        file.attrs["format_version"] = 1
        del file["aas"]["areas"]["trigger"]
    old = read_compiled(str(path))
    assert (old.areas.area_trigger == -1).all()
    assert different(found, old) == ["areas/trigger"]
    assert failures(old) == []
    with h5py.File(path, "r+") as file:
        file.attrs["format_version"] = 2
    assert rejection(path) == "is damaged (it has no trigger)"


def test_an_older_file_knows_no_speeds_and_margins_of_jumps(tmp_path):
    found, path = aascompile.compile_map(ROOT / "samples" / "gap.bsp"), tmp_path / "old.aas.hdf"
    write_compiled(str(path), found)
    with h5py.File(path, "r+") as file:
        file.attrs["format_version"] = 2
        names = ["needed_speed", "tier", "arrives", "dies", "room", "landing_speed", "miss"]
        for name in names:
            del file["aas"]["links"][name]
    old = read_compiled(str(path))
    assert different(found, old) == [f"links/{name}" for name in names]
    assert (old.links.needed_speed == -1).all()
    assert failures(old) == []


def replaced(path, name: str, value: object, **how: object) -> None:
    """Replace a dataset."""
    with h5py.File(path, "r+") as file:
        del file["aas"][name]
        if value is not None:
            file["aas"].create_dataset(name, data=value, **how)


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("areas/flags", None, "it has no flags"),
        ("areas", None, "it has no areas"),
        ("areas/flags", np.zeros(6, np.int32), "areas/flags is int32, not uint32"),
        ("areas/flags", np.zeros(6, ">u4"), "areas/flags is >u4, not uint32"),
        ("areas/flags", np.zeros((6, 1), np.uint32), r"areas/flags has the shape \(6, 1\)"),
        ("areas/flags", np.uint32(1), r"areas/flags has the shape \(\)"),
        ("areas/flags", np.zeros(5, np.uint32), "areas/flags has rows for 5 areas, but areas/face_start for 6"),
        ("areas/mins", np.zeros((6, 2)), r"areas/mins has the shape \(6, 2\)"),
        ("areas/mins", np.full((6, 3), np.nan), "A3: .*areas 0"),
        ("areas/face_start", np.zeros(7, np.int64), "A1: "),
        ("areas/face_start", np.array([0, 9, 5, 9, 9, 9, 99]), "A1: "),
        ("nodes/child", np.zeros((1, 2), np.int32), "nodes/child has rows for 1 nodes"),
        ("links/target", np.full(10, 77, np.int32), "links/target has rows for 10 links"),
        ("entities/keys", np.frombuffer(b"nonsense", np.uint8), "entities/keys_start does not divide"),
    ],
)
def test_wrong_columns_are_rejected(written, name, value, why):
    replaced(written, name, value)
    with pytest.raises(StoreError, match=rf"is damaged \({why}"):
        read_compiled(str(written))
    rejection(written)


def test_invalid_utf8_is_rejected(written):
    with h5py.File(written, "r+") as file:
        file["aas/entities/classname"][:] = 0xFF
    assert rejection(written) == "is damaged (entities/classname is not UTF-8)"


@pytest.mark.parametrize("name", ["settings", "stages"])
@pytest.mark.parametrize("text", ["", "nonsense", "3", "[" * 100000])
def test_invalid_json_is_rejected(written, name, text):
    with h5py.File(written, "r+") as file:
        file.attrs[name] = text
    assert rejection(written).startswith(f"is damaged (its {name} are not a JSON")


def test_attributes_of_the_wrong_type_are_rejected(written):
    with h5py.File(written, "r+") as file:
        file.attrs["checksum"] = "text"
    assert rejection(written) == "is damaged (it has no checksum)"
    with h5py.File(written, "r+") as file:
        file.attrs["format"] = 3
    assert rejection(written) == "is not a compiled file"


def test_links_out_of_the_file_are_not_followed(written, tmp_path):
    secret = tmp_path / "secret.h5"
    with h5py.File(secret, "w") as file:
        file["flags"] = np.zeros(6, np.uint32)
    with h5py.File(written, "r+") as file:
        del file["aas/areas/flags"]
        file["aas/areas/flags"] = h5py.ExternalLink("secret.h5", "/flags")
    assert rejection(written) == "is damaged (flags is a link, not stored in the file)"
    with h5py.File(written, "r+") as file:
        del file["aas/areas/flags"]
        layout = h5py.VirtualLayout((6,), np.uint32)
        layout[:] = h5py.VirtualSource(str(secret), "flags", (6,))
        file.create_virtual_dataset("aas/areas/flags", layout)
    assert rejection(written) == "is damaged (areas/flags is stored outside the file)"
    with h5py.File(written, "r+") as file:
        del file["aas/areas/flags"]
        raw = tmp_path / "raw"
        raw.write_bytes(bytes(24))
        file["aas/areas"].create_dataset("flags", (6,), np.uint32, external=[(str(raw), 0, 24)])
    assert rejection(written) == "is damaged (areas/flags is stored outside the file)"


def test_false_sizes_take_no_memory(written):
    with h5py.File(written, "r+") as file:
        del file["aas/areas/flags"]
        file["aas/areas"].create_dataset("flags", (1 << 40,), np.uint32, chunks=(65536,), compression="gzip")
    assert rejection(written) == "is damaged (areas/flags claims to unpack 0 bytes to 4,398,046,511,104)"
    with h5py.File(written, "r+") as file:
        del file["aas/areas/flags"]
        file["aas/areas"].create_dataset("flags", (6,), np.uint32, chunks=(6,), scaleoffset=4)
    assert rejection(written) == "is damaged (areas/flags uses an unsupported compression)"


HOSTILE = """
import sys
import aascompile
from aascompile.checks.check_compiled import failures
from aascompile.errors import StoreError
from aascompile.store.hdf import read_compiled
from aascompile.store.read import load_compiled
import random
intact = open(sys.argv[1], "rb").read()
dice = random.Random(int(sys.argv[2]))
for case in range(int(sys.argv[3])):
    data = bytearray(intact)
    if case % 4 == 0:
        data = data[: dice.randrange(len(data))]
    for _ in range(dice.choice((1, 1, 2, 8, 64))):
        if data:
            data[dice.randrange(len(data))] = dice.choice((0, 255, 127, 128, dice.randrange(256)))
    open(sys.argv[1] + ".bad", "wb").write(data)
    try:
        load_compiled(sys.argv[1] + ".bad")
    except StoreError as error:
        assert "\\n" not in str(error), error
print("done")
"""


def test_random_damage_gives_a_result_or_one_error(written):
    """Runs in a separate process, because a crash of the library would crash the tests."""
    seed = random.Random(5).randrange(1 << 30)
    done = subprocess.run(
        [sys.executable, "-c", HOSTILE, str(written), str(seed), "300"],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.stdout == "done\n", done.stderr[-2000:]
    assert done.returncode == 0


def test_a_broken_file_can_be_read_unchecked(written):
    replaced(written, "areas/face_start", np.zeros(7, np.int64))
    found: Compiled = read_compiled(str(written), check=False)
    assert (found.areas.area_start == 0).all()


def test_an_open_reader_keeps_the_old_file(compiled_sample, written):
    with h5py.File(written) as old:
        write_compiled(str(written), compiled_sample("stairs"))
        assert len(old["aas/areas/flags"][:]) == 6
    assert len(read_compiled(str(written)).areas) == len(compiled_sample("stairs").areas)
