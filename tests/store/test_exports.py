"""GraphML, JSON, npz and glb: each is read back by a reader that is not ours, and compared with the tables."""

from __future__ import annotations

import io
import json
import struct
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from aascompile.cli.common import run
from aascompile.cli.main import aas
from aascompile.model.compiled import Compiled, Context
from aascompile.model.links import Travel
from aascompile.pipeline import compile_map
from aascompile.report import Report
from aascompile.settings import QUAKE3
from aascompile.store.exports import ENDINGS, exported
from aascompile.store.hdf import write_compiled
from aascompile.store.schema import to_columns

NAMESPACE = "{http://graphml.graphdrawing.org/xmlns}"
NUMPY = {5126: np.float32, 5125: np.uint32, 5121: np.uint8}
WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


@pytest.fixture(scope="module")
def jumppad(samples) -> Compiled:
    return compile_map(str(samples / "jumppad.bsp"), QUAKE3, Report("jumppad"))


def bare(compiled: Compiled) -> Compiled:
    """As imported from a stripped engine file."""
    return replace(compiled, links=None, clusters=None, places=None, context=Context.none())


def test_the_graph_in_graphml_is_that_of_the_links(jumppad):
    root = ElementTree.fromstring(exported(jumppad, ".graphml"))
    keys = {key.get("id"): (key.get("for"), key.get("attr.name"), key.get("attr.type")) for key in root.iter()}
    graph = root.find(f"{NAMESPACE}graph")
    assert graph is not None
    assert graph.get("edgedefault") == "directed"
    nodes = graph.findall(f"{NAMESPACE}node")
    assert [node.get("id") for node in nodes] == [f"a{area}" for area in range(len(jumppad.areas))]
    edges, links = graph.findall(f"{NAMESPACE}edge"), jumppad.links
    assert links is not None
    assert [(edge.get("source"), edge.get("target")) for edge in edges] == [
        (f"a{a}", f"a{b}") for a, b in zip(links.source.tolist(), links.target.tolist(), strict=True)
    ]
    for owner, name in ((nodes[0], "node"), (edges[0], "edge")):
        used = [keys[data.get("key")] for data in owner.findall(f"{NAMESPACE}data")]
        assert all(key[0] == name for key in used)
        assert len(set(used)) == len(used) > 3
    seconds = next(key for key, value in keys.items() if value[:2] == ("edge", "seconds"))
    found = [float(next(data.text for data in edge if data.get("key") == seconds)) for edge in edges]
    assert found == (links.time / 100).tolist()


def test_json_has_areas_links_and_places(jumppad):
    found = json.loads(exported(jumppad, ".json"))
    assert found["map"] == "jumppad.bsp"
    assert [row["area"] for row in found["areas"]] == list(range(len(jumppad.areas)))
    assert {row["kind"] for row in found["links"]} == {
        Travel(kind).name.lower() for kind in np.unique(jumppad.links.kind)
    }
    place = next(row for row in found["places"] if row["item"])
    assert place["classname"] in found["areas"][place["area"]]["entities"]
    assert json.loads(exported(bare(jumppad), ".json"))["links"] == []


def test_npz_has_every_column(jumppad):
    with np.load(io.BytesIO(exported(jumppad, ".npz")), allow_pickle=False) as found:
        columns = to_columns(jumppad)
        assert set(columns) < set(found.files)
        for path, column in columns.items():
            assert np.array_equal(found[path], column, equal_nan=column.dtype.kind == "f")
        assert str(found["provenance/name"]) == "jumppad.bsp"


def read_glb(data: bytes) -> tuple[dict[str, Any], list[np.ndarray]]:
    """The document and the arrays of its accessors, with the checks that the format asks for."""
    magic, version, size = struct.unpack_from("<4sII", data)
    assert (magic, version, size) == (b"glTF", 2, len(data))
    length, kind = struct.unpack_from("<I4s", data, 12)
    assert (kind, length % 4) == (b"JSON", 0)
    document = json.loads(data[20 : 20 + length])
    assert document["asset"]["version"] == "2.0"
    if "accessors" not in document:
        assert size == 20 + length
        return document, []
    at = 20 + length
    length, kind = struct.unpack_from("<I4s", data, at)
    assert (kind, length % 4, at + 8 + length) == (b"BIN\0", 0, size)
    binary = data[at + 8 :]
    assert document["buffers"] == [{"byteLength": length}]
    arrays = []
    for accessor in document["accessors"]:
        view = document["bufferViews"][accessor["bufferView"]]
        dtype, width = np.dtype(NUMPY[accessor["componentType"]]), WIDTH[accessor["type"]]
        assert view["byteOffset"] % 4 == 0
        assert view["byteLength"] == accessor["count"] * width * dtype.itemsize
        part = np.frombuffer(binary, dtype, accessor["count"] * width, view["byteOffset"])
        arrays.append(part.reshape(-1, width))
        if "min" in accessor:
            assert np.array_equal(arrays[-1].min(axis=0), np.float32(accessor["min"]))
            assert np.array_equal(arrays[-1].max(axis=0), np.float32(accessor["max"]))
    return document, arrays


def test_glb_holds_floors_map_and_links(jumppad):
    document, arrays = read_glb(exported(jumppad, ".glb"))
    names = [mesh["name"] for mesh in document["meshes"]]
    assert names[:2] == ["floors", "map"]
    assert {name.removeprefix("links ") for name in names[2:]} == {
        Travel(kind).name.lower() for kind in np.unique(jumppad.links.kind)
    }
    for mesh in document["meshes"]:
        (primitive,) = mesh["primitives"]
        xyz, index = arrays[primitive["attributes"]["POSITION"]], arrays[primitive["indices"]]
        assert len(arrays[primitive["attributes"]["COLOR_0"]]) == len(xyz)
        assert index.max() < len(xyz)
        assert len(index) % (3 if primitive["mode"] == 4 else 2) == 0
    floors = arrays[document["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]
    assert floors[:, 2].min() == 0.0
    scene = document["nodes"][document["scenes"][0]["nodes"][0]]
    assert scene["children"] == list(range(len(names)))


def test_other_programs_open_the_glb(jumppad):
    trimesh = pytest.importorskip("trimesh")
    scene = trimesh.load(io.BytesIO(exported(jumppad, ".glb")), file_type="glb")
    assert {"floors", "map"} <= set(scene.geometry)
    high, low = (np.max, np.min)
    vertex = jumppad.context.vertex
    height = 0.0254 * (high(vertex[:, 2]) - low(vertex[:, 2]))
    assert scene.extents[1] == pytest.approx(height, rel=1e-3)


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_export_is_stable_and_takes_bare_files(jumppad, ending):
    assert exported(jumppad, ending) == exported(jumppad, ending)
    assert exported(bare(jumppad), ending)
    if ending == ".glb":
        read_glb(exported(bare(jumppad), ending))


def test_the_command_checks_the_ending_before_it_reads(jumppad, tmp_path, capsys):
    path = tmp_path / "x.aas.hdf"
    write_compiled(str(path), jumppad)
    for ending in (*ENDINGS, ".AAS", ".GLB"):
        assert run(aas, "aas", ["export", str(path), str(tmp_path / f"out{ending}")]) == 0
    assert run(aas, "aas", ["export", str(tmp_path / "none"), str(tmp_path / "out.stl")]) == 2
    assert "must end in .aas, .graphml, .json, .npz or .glb" in capsys.readouterr().err
