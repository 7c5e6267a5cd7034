"""Writes a map as Quake II's IBSP 38, without vis, light and faces: for tests of the reader.

What the format cannot express is lost: patches, and contents that Quake II does not have. Triggers are solid there; the
class of their entity says what they are.
"""

from __future__ import annotations

import struct
from typing import Any, Final

import numpy as np

from aascompile.csr import starts_of
from aascompile.errors import MapError
from aascompile.geometry.bevels import bevels
from aascompile.geometry.planes import PlaneTable
from aascompile.mapio import quake2
from aascompile.mapio.ibsp_lumps import Lump
from aascompile.model.contents import CURRENT_BITS, CURRENTS, FIRST_CURRENT, Contents, SurfaceFlag
from aascompile.model.mapdata import Bits, Brushes, MapData
from aascompile.quickbsp.leaves import WorldTree, world_tree
from aascompile.quickbsp.write import axial_first, entity_text, with_a_plane, with_volume
from aascompile.settings_file import find_preset

VERSION: Final = 38
LUMPS: Final = 19
SOLID: Final = 1
NO_TEXTURE: Final = -1
"""Texture of bevels."""
MOST_ROWS: Final = 0xFFFF
"""Limit of numbers with sixteen bits."""


def write_quake2(source: MapData) -> bytes:
    """Bytes of a map as IBSP 38. Raise a MapError if it has more planes or brushes than the format can number."""
    source, shape = with_volume(with_a_plane(source))
    tree = world_tree(source, shape)
    brushes = source.brushes
    table = PlaneTable.of(source.planes.normal, source.planes.dist)
    full = bevels(table, brushes.side_start, brushes.side_plane, shape)
    textures, of_side = _textures(brushes)
    nodes, leaves, listed, heads = _trees(source, tree)
    if max(len(table.dist), len(listed), len(textures)) > MOST_ROWS:
        raise MapError(source.name, "is too large for IBSP 38")
    planes = _rows(quake2.PLANES, normal=table.normal, dist=table.dist)
    models = _rows(quake2.MODELS, mins=source.models.mins, maxs=source.models.maxs, node=heads)
    count = np.diff(full.side_start)
    order = axial_first(full.side_start, table.normal[full.side_plane], table.dist[full.side_plane])
    texture = np.where(full.side_source >= 0, np.append(of_side, 0)[full.side_source], NO_TEXTURE)
    return _assemble(
        {
            quake2.ENTITIES: entity_text(source.entities),
            quake2.PLANES: planes,
            quake2.NODES: nodes,
            quake2.TEXTURES: textures.tobytes(),
            quake2.LEAVES: leaves,
            quake2.LEAF_BRUSHES: listed.astype("<u2").tobytes(),
            quake2.MODELS: models,
            quake2.BRUSHES: _rows(
                quake2.BRUSHES, first_side=full.side_start[:-1], sides=count, contents=quake2_contents(brushes)
            ),
            quake2.SIDES: _rows(quake2.SIDES, plane=full.side_plane[order], texture=texture[order]),
        }
    )


def quake2_contents(brushes: Brushes) -> Bits:
    """Contents of brushes in Quake II's bits. A brush with a ladder on any side is a ladder."""
    table = dict(find_preset("quake2").contents)
    made = np.zeros(len(brushes), np.uint32)
    for name, bits in table.items():
        if name != "ladder" and name not in CURRENTS:
            made[(brushes.contents & np.uint32(Contents[name.upper()])) != 0] |= np.uint32(bits)
    number = sum(bit * ((brushes.contents & np.uint32(ours)) != 0) for bit, ours, _ in CURRENT_BITS)
    for row, name in enumerate(CURRENTS):
        made[number == FIRST_CURRENT + row] |= np.uint32(table[name])
    made[(brushes.contents & np.uint32(Contents.TRIGGER)) != 0] |= np.uint32(SOLID)
    climbed = (brushes.side_flags & np.uint32(SurfaceFlag.LADDER)) != 0
    made[np.repeat(np.arange(len(brushes)), np.diff(brushes.side_start))[climbed]] |= np.uint32(table["ladder"])
    return made


def _textures(brushes: Brushes) -> tuple[Any, Any]:
    """Rows of the texture lump, one for each combination of flags, and the row of each side."""
    pairs = [(SurfaceFlag[name.upper()], bits) for name, bits in find_preset("quake2").surfaces]
    flags = np.zeros(len(brushes.side_flags), np.uint32)
    for ours, theirs in pairs:
        flags[(brushes.side_flags & np.uint32(ours)) != 0] |= np.uint32(theirs)
    known, of_side = np.unique(flags, return_inverse=True)
    rows = np.zeros(len(known), quake2.TEXTURES.row)
    rows["flags"] = known
    rows["name"] = [f"base/flags{bits:x}".encode() for bits in known.tolist()]
    return rows, of_side


def _trees(source: MapData, tree: WorldTree) -> tuple[bytes, bytes, Any, Any]:
    """Nodes, leaves, brushes of the leaves, and the first node of each model.

    Each model but the world has one node, whose children are one leaf with all its brushes.
    """
    extra = len(source.models) - 1
    nodes = np.zeros(len(tree.plane) + extra, quake2.NODES.row)
    nodes["plane"][: len(tree.plane)] = tree.plane
    # Leaf 0 of the file is a dummy, as in Quake III's.
    nodes["child"][: len(tree.plane)] = np.where(tree.child >= 0, tree.child, tree.child - 1)
    first_leaf = len(tree.leaf_box) + 1
    nodes["child"][len(tree.plane) :] = -1 - (first_leaf + np.arange(extra))[:, None]
    of_model = [np.flatnonzero(source.brushes.model == model) for model in range(1, extra + 1)]
    sizes = np.concatenate([[0], np.diff(tree.brush_start), [len(rows) for rows in of_model]]).astype(np.int64)
    listed = np.concatenate([tree.brush, *of_model])
    leaves = np.zeros(len(sizes), quake2.LEAVES.row)
    leaves["contents"][0] = SOLID
    leaves["contents"][1:first_leaf] = np.where(tree.leaf_solid, SOLID, 0)
    leaves["first_brush"], leaves["brushes"] = starts_of(sizes)[:-1] & MOST_ROWS, sizes
    heads = np.concatenate([[0], len(tree.plane) + np.arange(extra)])
    return nodes.tobytes(), leaves.tobytes(), listed, heads


def _rows(kind: Lump, **columns: Any) -> bytes:
    """Bytes of a lump's rows from its columns."""
    rows = np.zeros(len(next(iter(columns.values()))), kind.row)
    for name, column in columns.items():
        rows[name] = column
    return rows.tobytes()


def _assemble(lumps: dict[Lump, bytes]) -> bytes:
    """Header, directory and lumps, each lump at a multiple of four bytes."""
    by_index = {lump.index: data for lump, data in lumps.items()}
    header, body = struct.pack("<4si", b"IBSP", VERSION), b""
    for index in range(LUMPS):
        data = by_index.get(index, b"")
        header += struct.pack("<ii", quake2.HEADER_BYTES + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    return header + body
