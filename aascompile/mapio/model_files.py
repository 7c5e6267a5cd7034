"""Readers of model files (.md3, .ase, .obj): the triangles of a model, and the shader of each.

They are written here rather than left to trimesh, which reads .obj alone of the three and forgets the names of shaders:
those decide what blocks players.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from itertools import pairwise
from typing import Final

import numpy as np

from aascompile.errors import MapError
from aascompile.mapio.entity_text import decode_text
from aascompile.model.mapdata import Float, Index, Int
from aascompile.records import dataclass

MAX_TRIANGLES: Final = 20_000
"""Limit on the triangles of a model; each becomes a brush."""

MAX_CORNERS: Final = 3 * MAX_TRIANGLES
"""Limit on the corners of a binary model: as many as its triangles can use. Surfaces may overlap in the file, so that
its size does not bound what they claim."""

MAX_NUMBER: Final = 1 << 30
"""Limit on the numbers of corners in a text file."""

_NAME_BYTES: Final = 64
_MD3_HEADER: Final = struct.Struct("<4si64s9i")
_MD3_SURFACE: Final = struct.Struct("<4s64s10i")
_MD3_SHADER: Final = 68
_MD3_SCALE: Final = 1 / 64
_MD3_VERSION: Final = 15
_IMAGE: Final = re.compile(r"\.(?:tga|jpe?g|png|bmp|dds)$", re.IGNORECASE)
_OF_GAME: Final = re.compile(r"(?:^|/)((?:textures|models)/.*)", re.IGNORECASE)
_QUOTED: Final = re.compile(r'"([^"]*+)"')


@dataclass(frozen=True, slots=True)
class ModelMesh:
    """Triangles of a model."""

    triangle: Float
    """(n, 3, 3) corners, counter-clockwise seen from the front."""
    shader: Int
    """(n,) row of ``shaders``."""
    shaders: tuple[str, ...]
    """Names of shaders."""


def read_model(data: bytes, name: str, frame: int = 0) -> ModelMesh:
    """Triangles of a model; of an animated one, in a frame. Raise a MapError if the file is damaged or too large."""
    reader = _READERS[name.lower().rpartition(".")[2]]
    mesh = reader(data, name, frame)
    if len(mesh.triangle) > MAX_TRIANGLES:
        raise MapError(name, f"has more than {MAX_TRIANGLES:,} triangles")
    return mesh


def is_animated(name: str) -> bool:
    """Whether the format of a model has frames. A model without is read once, whatever frames entities name."""
    return name.lower().endswith(".md3")


def shader_of(text: str) -> str:
    """Name of a shader from a path in a model file: from ``textures/`` or ``models/`` on, without its ending."""
    path = text.replace("\\", "/").strip()
    inside = _OF_GAME.search(path)
    return _IMAGE.sub("", inside[1] if inside else path)


def _mesh(name: str, corners: Float, faces: list[Index], surface: list[str]) -> ModelMesh:
    """A mesh of corners, and of faces with a shader for each list of them."""
    face = np.concatenate(faces) if faces else np.zeros((0, 3), np.int64)
    if len(face) and (face.min() < 0 or face.max() >= len(corners)):
        raise MapError(name, "is damaged: a triangle names a corner that does not exist")
    shaders = tuple(dict.fromkeys(surface))
    rows = np.array([shaders.index(each) for each in surface], np.int32)
    return ModelMesh(corners[face], np.repeat(rows, [len(each) for each in faces]), shaders)


# --- .md3 -------------------------------------------------------------------------------------------------------------


def _read_md3(data: bytes, name: str, frame: int) -> ModelMesh:
    """The binary format of Quake III: surfaces with a list of shaders, triangles and, for each frame, corners."""
    try:
        ident, version, _, _, frames, _, surfaces, _, _, _, at, _ = _MD3_HEADER.unpack_from(data)
        if ident != b"IDP3" or version != _MD3_VERSION:
            raise MapError(name, "is not a model in the format MD3 15")
        chosen = frame if 0 <= frame < frames else 0
        corners, shaders, seen, many = [np.zeros((0, 3))], [], 0, 0
        faces: list[Index] = []
        for _ in range(max(surfaces, 0)):
            head = _MD3_SURFACE.unpack_from(data, at)
            _, _, _, _, shader_count, vertices, triangles, to_triangles, to_shaders, _, to_corners, length = head
            if length <= 0 or min(vertices, triangles) < 0 or at < 0 or min(to_triangles, to_corners, to_shaders) < 0:
                raise MapError(name, "is damaged: a surface has a negative size")
            many += triangles
            if many > MAX_TRIANGLES or seen + vertices > MAX_CORNERS or len(faces) >= MAX_TRIANGLES:
                raise MapError(name, f"has more than {MAX_TRIANGLES:,} triangles")
            face = np.frombuffer(data, "<i4", 3 * triangles, at + to_triangles).reshape(-1, 3)
            if len(face) and (face.min() < 0 or face.max() >= vertices):
                raise MapError(name, "is damaged: a triangle names a corner that does not exist")
            place = at + to_corners + 8 * vertices * chosen
            corners.append(np.frombuffer(data, "<i2", 4 * vertices, place).reshape(-1, 4)[:, :3] * _MD3_SCALE)
            faces.append(face[:, ::-1].astype(np.int64) + seen)  # clockwise in the file
            seen += vertices
            text = data[at + to_shaders : at + to_shaders + _NAME_BYTES] if shader_count > 0 else b""
            shaders.append(shader_of(decode_text(text.partition(b"\0")[0])))
            at += length
    except (struct.error, ValueError) as error:
        if isinstance(error, MapError):
            raise
        raise MapError(name, "is damaged: it ends too early") from None
    return _mesh(name, np.concatenate(corners), faces, shaders)


def _number(word: str) -> int:
    """Number of a corner. Raise a ValueError if the word is none, or larger than any."""
    number = int(word)
    if abs(number) > MAX_NUMBER:
        raise ValueError(word)
    return number


# --- .obj -------------------------------------------------------------------------------------------------------------


def _read_obj(data: bytes, name: str, frame: int) -> ModelMesh:
    """The text format of Wavefront: corners, faces of any number of corners, and names of materials."""
    corners: list[tuple[float, float, float]] = []
    faces: dict[str, list[tuple[int, int, int]]] = {}
    shader = ""
    for number, line in enumerate(decode_text(data).splitlines(), 1):
        words = line.split()
        try:
            if not words:
                continue
            if words[0] == "v":
                corners.append((float(words[1]), float(words[2]), float(words[3])))
            elif words[0] == "usemtl":
                shader = shader_of(line.split(None, 1)[1])
            elif words[0] == "f":
                rows = [_number(word.partition("/")[0]) for word in words[1:]]
                rows = [row - 1 if row > 0 else len(corners) + row for row in rows]
                faces.setdefault(shader, []).extend((rows[0], second, third) for second, third in pairwise(rows[1:]))
        except (ValueError, IndexError):
            raise MapError(name, f"line {number}: is not a line of a .obj file") from None
    lists = [np.array(each, np.int64).reshape(-1, 3) for each in faces.values()]
    return _mesh(name, np.array(corners).reshape(-1, 3), lists, list(faces))


# --- .ase -------------------------------------------------------------------------------------------------------------


def _read_ase(data: bytes, name: str, frame: int) -> ModelMesh:
    """The text format of 3ds Max: materials, some of them with parts, then objects with corners and faces."""
    corners: list[tuple[float, float, float]] = []
    faces: dict[str, list[tuple[int, int, int]]] = {}
    materials: dict[tuple[int, int], str] = {}
    material, part, start = -1, -1, 0
    pending: list[tuple[int, int, int, int]] = []

    def close(reference: int) -> None:
        """Give the faces of an object, whose material is named after them, their shaders."""
        for part_of, *face in pending:
            found = materials.get((reference, part_of)) or materials.get((reference, -1), "")
            faces.setdefault(found, []).append((face[0], face[1], face[2]))
        pending.clear()

    for number, line in enumerate(decode_text(data).splitlines(), 1):
        words = line.split()
        key = words[0].lower() if words else ""
        try:
            if key == "*material":
                material, part = int(words[1]), -1
            elif key == "*submaterial":
                part = int(words[1])
            elif key in ("*material_name", "*bitmap"):
                quoted = _QUOTED.search(line)
                text = quoted[1] if quoted else words[1]
                if key == "*material_name" or _OF_GAME.search(text.replace("\\", "/")):
                    materials[material, part] = shader_of(text)
            elif key == "*geomobject":
                close(-1)
                start = len(corners)
            elif key == "*mesh_vertex":
                corners.append((float(words[2]), float(words[3]), float(words[4])))
            elif key == "*mesh_face":
                row = {word.lower(): words[k + 1] for k, word in enumerate(words[:-1])}
                a, b, c = (start + _number(row[letter]) for letter in ("a:", "b:", "c:"))
                pending.append((int(row.get("*mesh_mtlid", "-1")), a, b, c))
            elif key == "*material_ref":
                close(int(words[1]))
        except (ValueError, IndexError, KeyError):
            raise MapError(name, f"line {number}: is not a line of an .ase file") from None
    close(-1)
    lists = [np.array(each, np.int64).reshape(-1, 3) for each in faces.values()]
    return _mesh(name, np.array(corners).reshape(-1, 3), lists, list(faces))


_READERS: Final[dict[str, Callable[[bytes, str, int], ModelMesh]]] = {
    "md3": _read_md3,
    "ase": _read_ase,
    "obj": _read_obj,
}
