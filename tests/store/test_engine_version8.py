"""Version 8 of the engine's file, read by a reader that is written from the description of the format alone."""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np
import pytest

from aascompile.api import compile_map
from aascompile.checks.check_compiled import failures
from aascompile.model.areas import FaceFlag
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.store.engine import read_engine, write_engine
from aascompile.store.engine_optimize import optimize_engine_file
from aascompile.store.hdf import read_compiled, write_compiled
from tests.conftest import ROOT
from tests.store.same import NOT_IN_ENGINE_FILES, different

SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.bsp"))
SIZES = (32, 12, 20, 8, 4, 24, 4, 48, 32, 44, 12, 20, 4, 16)
"""Bytes of a row of each lump; area settings have 32."""
AREA_FACES, FACES, AREAS, SETTINGS, PLANES = 6, 5, 7, 8, 2


def lumps_of(data: bytes) -> list[list[bytes]]:
    """Rows of the fourteen lumps."""
    assert data[:8] == b"EAAS\x08\0\0\0"
    header = bytes(byte ^ (i * 119) & 255 for i, byte in enumerate(data[8:124]))
    words = struct.unpack("<29i", header)
    found = []
    for row, size in enumerate(SIZES):
        at, length = words[1 + 2 * row : 3 + 2 * row]
        assert length % size == 0
        found.append([data[at + k : at + k + size] for k in range(0, length, size)])
    assert at + length == len(data)
    return found


@pytest.fixture(scope="module")
def compiled():
    """Samples compiled for Wolfenstein, by name."""
    made: dict[str, Compiled] = {}

    def find(name: str) -> Compiled:
        if name not in made:
            made[name] = compile_map(ROOT / "samples" / f"{name}.bsp", "rtcw", allow_leak=True)
        return made[name]

    return find


@pytest.mark.parametrize("name", SAMPLES)
def test_the_independent_reader_finds_the_steepness(compiled, name):
    it = compiled(name)
    lumps = lumps_of(write_engine(it))
    areas = it.areas
    assert len(lumps[AREAS]) == len(lumps[SETTINGS]) == len(areas) + 1
    for row in range(1, len(areas) + 1):
        *_, steepness = struct.unpack("<7if", lumps[SETTINGS][row])
        _, count, first = struct.unpack_from("<3i", lumps[AREAS][row])
        slopes = []
        for (index,) in (struct.unpack("<i", word) for word in lumps[AREA_FACES][first : first + count]):
            plane, flags = struct.unpack_from("<2i", lumps[FACES][abs(index)])
            if flags & 4:
                slopes.append(1.0 - abs(struct.unpack_from("<3f", lumps[PLANES][plane])[2]))
        assert steepness == pytest.approx(sum(slopes) / len(slopes) if slopes else 0.0, abs=1e-7)
        assert 0.0 <= steepness <= 1.0


def test_a_ramp_is_steep_and_a_floor_is_not(compiled):
    found = [struct.unpack("<7if", row)[-1] for row in lumps_of(write_engine(compiled("ramp_shallow")))[SETTINGS]]
    assert 0.0 in found
    assert max(found) > 0.05
    it = compiled("ramp_shallow").areas
    ground = it.planes.normal[it.face_plane[(it.face_flags & np.uint32(FaceFlag.GROUND)) != 0], 2]
    assert max(found) == pytest.approx((1.0 - np.abs(ground).min()) / 2, abs=1e-6), "half ramp, half floor"


@pytest.mark.parametrize("name", SAMPLES)
def test_the_round_trip_is_exact(compiled, name):
    it = compiled(name)
    data = write_engine(it)
    found = read_engine(data, f"{name}.aas")
    assert different(it, found, without=NOT_IN_ENGINE_FILES, single=True) == []
    assert write_engine(found) == data
    assert [failure.sentence() for failure in failures(found)] == []
    small = optimize_engine_file(data, name)
    assert small[4] == 8
    assert lumps_of(small)[SETTINGS] == lumps_of(data)[SETTINGS], "the steepness outlives the faces"


def test_a_stripped_file_keeps_its_steepness_through_import_and_export(compiled, tmp_path):
    data = write_engine(compiled("ramp_shallow"))
    assert read_engine(data, "x").slopes is None, "it is computed from the faces"
    stripped = read_engine(optimize_engine_file(data, "x"), "x")
    assert stripped.slopes is not None
    assert stripped.slopes.share.max() > 0.0
    write_compiled(str(tmp_path / "x.aas.hdf"), stripped)
    stored = read_compiled(str(tmp_path / "x.aas.hdf"))
    assert lumps_of(write_engine(stored))[SETTINGS] == lumps_of(data)[SETTINGS]


def test_contents_have_the_bits_of_version_8(compiled):
    it = compiled("door")
    kinds = np.zeros(len(it.areas), np.uint32)
    kinds[0] = Kind.MOVER
    kinds[1] = Kind.DONOTENTER_LARGE | Kind.DONOTENTER
    kinds[2] = Kind.NOTTEAM1 | Kind.NOTTEAM2 | Kind.WATER
    model = np.full(len(kinds), -1, np.int32)
    model[0] = 1
    bare = replace(it, clusters=None, areas=replace(it.areas, area_contents=kinds, area_model=model))
    lumps = lumps_of(write_engine(bare))
    assert [struct.unpack_from("<i", row)[0] for row in lumps[SETTINGS][1:4]] == [0x800 | 1 << 24, 0x400 | 0x100, 1]
    back = read_engine(write_engine(bare), "x.aas").areas
    assert back.area_contents[:3].tolist() == [Kind.MOVER, Kind.DONOTENTER_LARGE | Kind.DONOTENTER, Kind.WATER]
    assert back.area_model[0] == 1


def test_do_not_enter_for_large_players_comes_from_the_map(samples, tmp_path):
    """0x400000 is Quake III's botclip, a wall; in Wolfenstein it only keeps large players out."""
    path = samples / "botclip.bsp"
    usual, other = compile_map(path), compile_map(path, "rtcw")
    large = (other.areas.area_contents & np.uint32(Kind.DONOTENTER_LARGE)) != 0
    assert large.any()
    assert not (usual.areas.area_contents & np.uint32(Kind.DONOTENTER_LARGE)).any()
    bits = [struct.unpack_from("<i", row)[0] for row in lumps_of(write_engine(other))[SETTINGS][1:]]
    assert [bool(word & 0x400) for word in bits] == large.tolist()
