"""Reader of Quake II's compiled maps (IBSP 38): collision geometry and entities.

The rows become those of a Quake III map, and the same code reads them: a texture is a shader without contents, each
value of contents is another shader, and the brushes of a model are those in the leaves below its node.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import ranges
from aascompile.digests import sha256
from aascompile.distinct import distinct
from aascompile.errors import MapError
from aascompile.mapio import ibsp_lumps as quake3
from aascompile.mapio.ibsp import read_brushes, read_entity_text, read_models
from aascompile.mapio.ibsp_columns import outside
from aascompile.mapio.ibsp_lumps import BITS, INT, POINT, Lump, Rows, read_lumps, row_of
from aascompile.mapio.md4 import engine_checksum
from aascompile.model.mapdata import Int, MapData, Patches, Shaders
from aascompile.report import Dropped
from aascompile.threads import Begun

HEADER_BYTES: Final = 160
"""Magic, version, and offset and length of 19 lumps."""
FORMAT: Final = "IBSP 38"

ENTITIES: Final = Lump(0, "bytes of entity text", np.dtype("u1"), 1 << 23)
PLANES: Final = Lump(1, "planes", row_of(20, normal=(0, POINT), dist=(12, "<f4")), 1 << 22)
NODES: Final = Lump(4, "nodes", row_of(28, plane=(0, INT), child=(4, ("<i4", (2,)))), 1 << 20)
TEXTURES: Final = Lump(5, "textures", row_of(76, flags=(32, BITS), name=(40, "S32")), 1 << 20)
LEAVES: Final = Lump(8, "leaves", row_of(28, contents=(0, BITS), first_brush=(24, "<u2"), brushes=(26, "<u2")), 1 << 20)
LEAF_BRUSHES: Final = Lump(10, "brushes of leaves", np.dtype("<u2"), 1 << 21)
MODELS: Final = Lump(13, "models", row_of(48, mins=(0, POINT), maxs=(12, POINT), node=(36, INT)), 1 << 14)
BRUSHES: Final = Lump(14, "brushes", row_of(12, first_side=(0, INT), sides=(4, INT), contents=(8, BITS)), 1 << 18)
SIDES: Final = Lump(15, "brush sides", row_of(4, plane=(0, "<u2"), texture=(2, "<i2")), 1 << 21)
LUMPS: Final = (ENTITIES, PLANES, NODES, TEXTURES, LEAVES, LEAF_BRUSHES, MODELS, BRUSHES, SIDES)

NO_TEXTURE: Final = "notexture"
"""Name of the shader of bevels, which have no texture."""


def read_quake2(data: bytes, name: str) -> MapData:
    """Read a compiled map of Quake II from the bytes of its file. ``name`` names the file in messages."""
    lumps = read_lumps(data, name, LUMPS, HEADER_BYTES)
    digests = sha256(data), engine_checksum(data)
    dropped: list[Dropped] = []
    entities = read_entity_text(lumps[ENTITIES], name)
    models = read_models(lumps[MODELS], entities, name, dropped)
    shaders, rows = _as_quake3(lumps)
    planes, brushes = read_brushes(rows, shaders, models, _owners(lumps, name, dropped), name, dropped)
    return MapData(
        name=name,
        format=FORMAT,
        digests=Begun(lambda: digests, threads=1),
        planes=planes,
        brushes=brushes,
        patches=Patches.none(),
        shaders=shaders,
        models=models,
        entities=entities,
        dropped=tuple(dropped),
    )


def _as_quake3(lumps: dict[Lump, Rows]) -> tuple[Shaders, dict[Lump, Rows]]:
    """Shaders, and the rows of planes, brushes and sides as Quake III has them."""
    textures, brushes, sides = lumps[TEXTURES], lumps[BRUSHES], lumps[SIDES]
    names = [raw.split(b"\0", 1)[0].decode("latin-1") for raw in textures["name"].tolist()]
    contents, of_brush = np.unique(brushes["contents"], return_inverse=True)
    known = len(names) + 1
    shaders = Shaders(
        (*names, NO_TEXTURE, *(f"contents {bits:#x}" for bits in contents.tolist())),
        np.concatenate([textures["flags"].astype(np.uint32), np.zeros(1 + len(contents), np.uint32)]),
        np.concatenate([np.zeros(known, np.uint32), contents.astype(np.uint32)]),
    )
    planes = np.zeros(len(lumps[PLANES]), quake3.PLANES.row)
    planes["normal"], planes["dist"] = lumps[PLANES]["normal"], lumps[PLANES]["dist"]
    brush_rows = np.zeros(len(brushes), quake3.BRUSHES.row)
    brush_rows["first_side"], brush_rows["sides"] = brushes["first_side"], brushes["sides"]
    brush_rows["shader"] = known + of_brush
    side_rows = np.zeros(len(sides), quake3.SIDES.row)
    side_rows["plane"] = sides["plane"]
    side_rows["shader"] = np.where(sides["texture"] < 0, len(names), sides["texture"])
    side_rows["shader"][outside(sides["texture"], len(names)) & (sides["texture"] >= 0)] = -1
    return shaders, {
        quake3.PLANES: planes,
        quake3.BRUSHES: brush_rows,
        quake3.SIDES: side_rows,
        quake3.SHADERS: np.zeros(len(shaders), quake3.SHADERS.row),
    }


def _owners(lumps: dict[Lump, Rows], name: str, dropped: list[Dropped]) -> Int:
    """Model of each brush: the first model whose leaves list it, −1 if none. The world comes last."""
    owner = np.full(len(lumps[BRUSHES]), -1, np.int32)
    leaves, listed = lumps[LEAVES], lumps[LEAF_BRUSHES].astype(np.int64)
    first, count = leaves["first_brush"].astype(np.int64), leaves["brushes"].astype(np.int64)
    if (first + count > len(listed)).any() or outside(listed, len(owner)).any():
        raise MapError(name, "is damaged: a leaf lists brushes that do not exist", "lump 8, leaves")
    visited = np.zeros(len(lumps[NODES]), np.bool_)
    for model in [*range(1, len(lumps[MODELS])), 0]:
        below = _leaves_below(lumps, int(lumps[MODELS]["node"][model]), visited, len(leaves))
        if below is None:
            if model == 0:
                raise MapError(name, "is damaged: the tree of its world is broken", "lump 4, nodes")
            dropped.append(Dropped("model", model, "its tree is broken"))
            continue
        found = distinct(listed[ranges(first[below], count[below])])
        owner[found[owner[found] < 0]] = model
    return owner


def _leaves_below(lumps: dict[Lump, Rows], node: int, visited: NDArray[np.bool_], leaves: int) -> Int | None:
    """Leaves below a node, each once; None if a number is out of range or a node is used twice."""
    child = lumps[NODES]["child"]
    found: set[int] = set()
    todo = [node]
    while todo:
        at = todo.pop()
        if at < 0:
            if -1 - at >= leaves:
                return None
            found.add(-1 - at)
            continue
        if at >= len(child) or visited[at]:
            return None
        visited[at] = True
        todo += child[at].tolist()
    return np.array(sorted(found), np.int32)
