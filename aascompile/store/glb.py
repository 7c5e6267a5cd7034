"""Compiled maps as glTF 2.0 in one binary file: floors of the areas, faces of the map, and links as lines.

glTF is y-up and in metres; the root node turns and scales the map's coordinates, which are stored as they are.
"""

from __future__ import annotations

import json
import struct
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile import __version__
from aascompile.csr import owners_of, ranges, rows_of, starts_of, within
from aascompile.distinct import distinct
from aascompile.model.areas import FaceFlag
from aascompile.model.compiled import Compiled
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float, Index

UNIT: Final = 0.0254
"""Metres of a map unit."""

MAGIC, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 0x4E4F534A, 0x004E4942
FLOAT, UNSIGNED, BYTE = 5126, 5125, 5121
LINES, TRIANGLES = 1, 4
ARRAY, ELEMENTS = 34962, 34963

GOLDEN: Final = 0.618034
"""Step of the hue from one number to the next: neighbours differ much."""

MAP_COLOUR: Final = (150, 155, 165)


class _Writer:
    """Collects meshes; ``finish`` gives the bytes."""

    def __init__(self) -> None:
        self.binary = bytearray()
        self.views: list[dict[str, int]] = []
        self.accessors: list[dict[str, Any]] = []
        self.meshes: list[dict[str, Any]] = []

    def mesh(self, name: str, xyz: Float, index: Index, colour: NDArray[np.uint8], mode: int) -> None:
        """Add a mesh of triangles or lines, unless it is empty."""
        if not len(index):
            return
        points = np.ascontiguousarray(xyz, np.float32)
        bounds = {"min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()}
        rgba = np.column_stack((colour, np.full(len(colour), 255))).astype(np.uint8)
        attributes = {
            "POSITION": self._accessor(points, FLOAT, "VEC3", ARRAY, **bounds),
            "COLOR_0": self._accessor(rgba, BYTE, "VEC4", ARRAY, normalized=True),
        }
        indices = self._accessor(np.ascontiguousarray(index, np.uint32).reshape(-1), UNSIGNED, "SCALAR", ELEMENTS)
        primitive = {"attributes": attributes, "indices": indices, "mode": mode, "material": 0}
        self.meshes.append({"name": name, "primitives": [primitive]})

    def finish(self, name: str) -> bytes:
        """The whole file."""
        count = len(self.meshes)
        root = {"name": name, "matrix": [UNIT, 0, 0, 0, 0, 0, -UNIT, 0, 0, UNIT, 0, 0, 0, 0, 0, 1]}
        nodes = [{"name": mesh["name"], "mesh": number} for number, mesh in enumerate(self.meshes)]
        document: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": f"aascompile {__version__}"},
            "scene": 0,
            "scenes": [{"nodes": [count]}],
            "nodes": [*nodes, {**root, **({"children": list(range(count))} if count else {})}],
        }
        if count:
            document |= {
                "meshes": self.meshes,
                "materials": [{"name": "plain", "doubleSided": True, "pbrMetallicRoughness": {"metallicFactor": 0}}],
                "accessors": self.accessors,
                "bufferViews": self.views,
                "buffers": [{"byteLength": len(self.binary)}],
            }
        text = json.dumps(document, separators=(",", ":")).encode()
        chunks = [(JSON_CHUNK, text + b" " * (-len(text) % 4))]
        if count:
            chunks.append((BINARY_CHUNK, bytes(self.binary)))
        body = b"".join(struct.pack("<II", len(data), kind) + data for kind, data in chunks)
        return struct.pack("<III", MAGIC, 2, 12 + len(body)) + body

    def _accessor(self, rows: NDArray[Any], component: int, shape: str, target: int, **more: Any) -> int:
        data = rows.tobytes()
        self.views.append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data), "target": target})
        self.binary += data + b"\0" * (-len(data) % 4)
        view = len(self.views) - 1
        self.accessors.append(
            {"bufferView": view, "componentType": component, "count": len(rows), "type": shape, **more}
        )
        return view


def glb_of(compiled: Compiled) -> bytes:
    """The bytes of the .glb file of a compiled map."""
    writer = _Writer()
    _floors(writer, compiled)
    _faces_of_map(writer, compiled)
    _links(writer, compiled)
    return writer.finish(compiled.provenance.name)


def _floors(writer: _Writer, compiled: Compiled) -> None:
    """Ground of the areas, where the feet of players are, a colour for each area."""
    areas = compiled.areas
    ground = np.flatnonzero((areas.face_flags & np.uint32(FaceFlag.GROUND)) != 0)
    owner = np.where(areas.face_front[ground] >= 0, areas.face_front[ground], areas.face_back[ground])
    start = starts_of(np.diff(areas.face_start)[ground])
    xyz = areas.vertex[areas.face_vertex[rows_of(areas.face_start, ground)]]
    xyz = xyz - np.array((0.0, 0.0, compiled.boxes.feet))
    writer.mesh("floors", xyz, _fans(start), colours(owner[owners_of(start)]), TRIANGLES)


def _faces_of_map(writer: _Writer, compiled: Compiled) -> None:
    """Faces of the map that block a player."""
    context = compiled.context
    corner = context.vertex[context.corner]
    colour = np.tile(np.array(MAP_COLOUR, np.uint8), (len(corner), 1))
    writer.mesh("map", corner, _fans(context.start), colour, TRIANGLES)


def _links(writer: _Writer, compiled: Compiled) -> None:
    """Links as lines from start to end, a mesh for each travel type."""
    links = compiled.links
    if links is None:
        return
    names = {int(travel): travel.name.lower() for travel in Travel}
    for kind in distinct(links.kind).tolist():
        rows = links.kind == kind
        xyz = np.stack((links.start[rows], links.end[rows]), axis=1).reshape(-1, 3)
        colour = colours(np.full(len(xyz), kind))
        writer.mesh(f"links {names.get(kind, kind)}", xyz, np.arange(len(xyz)), colour, LINES)


def _fans(start: Index) -> Index:
    """(t, 3) corners of the triangles that convex polygons consist of."""
    sizes = np.diff(start)
    fans = np.maximum(sizes - 2, 0)
    second = ranges(start[:-1] + 1, fans)
    return np.stack((second - 1 - within(fans), second, second + 1), axis=1)


def colours(number: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
    """(n, 3) a bright colour for each number."""
    phase = (number[:, None] * GOLDEN % 1.0 * 6.0 + np.array((5.0, 3.0, 1.0))) % 6.0
    strength = np.clip(np.minimum(phase, 4.0 - phase), 0.0, 1.0)
    made: NDArray[np.uint8] = np.rint(255.0 * (1.0 - 0.65 * strength)).astype(np.uint8)
    return made
