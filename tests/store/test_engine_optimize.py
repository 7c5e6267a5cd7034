"""Engine files without the faces that bots do not need."""

from __future__ import annotations

import numpy as np
import pytest

from aascompile.errors import StoreError
from aascompile.model.links import RIDES, Travel
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.settings import QUAKE3
from aascompile.store.engine import read_engine, write_engine
from aascompile.store.engine_lumps import pack, unpack
from aascompile.store.engine_optimize import optimize_engine_file
from tests.conftest import ROOT
from tests.reference.engine_file import FACES, LINKS, Reader

SAMPLES = sorted(path.stem for path in (ROOT / "samples").glob("*.bsp"))
GEOMETRY = {"vertices", "edges", "edge_index", "faces", "face_index"}


@pytest.fixture(scope="module")
def whole():
    """Engine files of samples, by name."""
    made: dict[str, bytes] = {}

    def find(name: str) -> bytes:
        if name not in made:
            made[name] = write_engine(
                compile_map(str(ROOT / "samples" / f"{name}.bsp"), QUAKE3, Report(name), allow_leak=True)
            )
        return made[name]

    return find


@pytest.mark.parametrize("name", SAMPLES)
def test_only_ladders_keep_their_faces(whole, name):
    data = whole(name)
    before, after = Reader(data), Reader(optimize_engine_file(data, name))
    assert after.ends_with_its_last_lump()
    assert after.checksum == before.checksum
    ladders = [row for row, face in enumerate(before.lumps[FACES]) if face[1] & 2]
    assert [face[1:3] + face[4:] for face in after.lumps[FACES][1:]] == [
        before.lumps[FACES][row][1:3] + before.lumps[FACES][row][4:] for row in ladders
    ]
    for new, old in enumerate(ladders, 1):
        np.testing.assert_array_equal(after.edges(new), before.edges(old))
    assert after.loops_are_closed()


@pytest.mark.parametrize("name", SAMPLES)
def test_areas_tree_links_and_clusters_stay(whole, name):
    data = whole(name)
    before, after = unpack(data)[0], unpack(optimize_engine_file(data, name))[0]
    for lump in set(before) - GEOMETRY - {"areas", "links"}:
        assert before[lump].tobytes() == after[lump].tobytes(), lump
    for lump, changed in (("areas", {"faces", "first"}), ("links", {"face", "edge"})):
        for column in set(before[lump].dtype.names) - changed:
            np.testing.assert_array_equal(before[lump][column], after[lump][column])
    own = np.isin(before["links"]["kind"], (*RIDES, Travel.JUMP_PAD))
    for column in ("face", "edge"):
        np.testing.assert_array_equal(before["links"][column][own], after["links"][column][own])


def test_links_on_ladders_follow_their_face(whole):
    before, after = Reader(whole("ladder")), Reader(optimize_engine_file(whole("ladder"), "x"))
    climbs = [(old, new) for old, new in zip(before.lumps[LINKS], after.lumps[LINKS], strict=True) if old[9] == 6]
    assert climbs
    for old, new in climbs:
        if before.lumps[FACES][old[1]][1] & 2:
            np.testing.assert_array_equal(after.edges(new[1]), before.edges(old[1]))
        else:
            assert new[1] == 0


@pytest.mark.parametrize("name", SAMPLES)
def test_it_is_idempotent_and_can_be_read(whole, name):
    small = optimize_engine_file(whole(name), name)
    assert optimize_engine_file(small, name) == small
    assert write_engine(read_engine(small, "x.aas")) == small
    assert write_engine(read_engine(whole(name), "x.aas"), optimize=True) == small


def test_the_version_stays(whole):
    lumps, checksum = unpack(whole("box"))
    assert optimize_engine_file(pack(lumps, checksum, 4), "x")[4] == 4


def test_damaged_files_are_rejected(whole):
    with pytest.raises(StoreError, match=r"^x\.aas: is not an engine \.aas file$"):
        optimize_engine_file(b"IBSP", "x.aas")
    for lump, column in (("faces", "first"), ("areas", "first"), ("face_index", "face"), ("edge_index", "edge")):
        lumps, checksum = unpack(whole("ladder"))
        broken = lumps[lump].copy()
        broken[column] = 1 << 20
        with pytest.raises(StoreError, match="is damaged"):
            optimize_engine_file(pack(lumps | {lump: broken}, checksum), "x.aas")
