"""Writes a map as a quick test BSP (IBSP 46), without vis and light: ``aas bsp``, and the samples.

Everything a game needs for collision is there: the tree with its leaves, brushes with all bevels, models, patches,
entities. Nothing is lit, and everything is visible from everywhere.
"""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import owners_of, starts_of
from aascompile.geometry.bevels import bevels
from aascompile.geometry.hull import Hulls, HullStatus, hulls
from aascompile.geometry.planes import PlaneTable
from aascompile.mapio import ibsp_lumps as lump
from aascompile.model.mapdata import Brushes, Entity, Float, Index, MapData, Planes
from aascompile.quickbsp.leaves import WorldTree, world_tree
from aascompile.quickbsp.surfaces import Surfaces, surfaces

VERSION: Final = 46
NODES, LEAVES, LEAF_SURFACES, LEAF_BRUSHES, INDEXES = 3, 4, 5, 6, 11
"""Lumps that only a writer needs. Fogs, lightmaps, light grid and visibility stay empty."""

NODE: Final = np.dtype([("plane", "<i4"), ("child", "<i4", 2), ("box", "<i4", 6)])
LEAF: Final = np.dtype(
    [("cluster", "<i4"), ("area", "<i4"), ("box", "<i4", 6), ("surfaces", "<i4", 2), ("brushes", "<i4", 2)]
)
OUTSIDE: Final = -1
"""Cluster and area of a solid or outside leaf. All other leaves form cluster 0 and area 0."""

NO_SHADER: Final = "noshader"
NAME_BYTES: Final = 63
NOT_AXIAL: Final = 6
"""Rank of a side that is not axial. The engine takes a brush's first six sides as its bounds: −x, +x, −y, +y, −z and
+z have the ranks 0 to 5."""


def write_ibsp(source: MapData, magic: bytes = b"IBSP") -> bytes:
    """Bytes of a map as IBSP 46. Brushes without volume are left out, since nothing collides with them.

    With another ``magic``, RBSP or FBSP, the rows of sides, vertices and surfaces are those of that format.
    """
    source, shape = with_volume(with_a_plane(source))
    table = PlaneTable.of(source.planes.normal, source.planes.dist)
    shaders = _Shaders(source)
    brush_rows, side_rows = _brush_lumps(source.brushes, shape, table, shaders)
    tree = world_tree(source, shape)
    drawn = surfaces(source, shape, tree, shaders.of_side, shaders.of_patch)
    lumps = {
        lump.ENTITIES.index: entity_text(source.entities),
        lump.SHADERS.index: shaders.lump(),
        lump.PLANES.index: _plane_lump(table),
        NODES: _node_lump(tree),
        LEAVES: _leaf_lump(tree, drawn.leaf_start),
        LEAF_SURFACES: drawn.leaf_surface.astype("<i4").tobytes(),
        LEAF_BRUSHES: tree.brush.astype("<i4").tobytes(),
        lump.MODELS.index: _model_lump(source, drawn),
        lump.BRUSHES.index: brush_rows,
        lump.SIDES.index: side_rows,
        lump.VERTICES.index: drawn.vertex.tobytes(),
        INDEXES: drawn.index.astype("<i4").tobytes(),
        lump.SURFACES.index: drawn.row.tobytes(),
    }
    if magic != b"IBSP":
        for usual, theirs in lump.RAVEN.items():
            lumps[usual.index] = _longer(lumps[usual.index], usual, theirs)
    return _assemble(lumps, magic)


def _longer(data: bytes, usual: lump.Lump, theirs: lump.Lump) -> bytes:
    """Rows of a lump with the fields at their places in a longer row."""
    old = np.frombuffer(data, usual.row)
    made = np.zeros(len(old), theirs.row)
    for name in usual.row.names or ():
        made[name] = old[name]
    return made.tobytes()


def _assemble(lumps: dict[int, bytes], magic: bytes) -> bytes:
    """Header, directory and lumps, each lump at a multiple of four bytes."""
    version = VERSION if magic == b"IBSP" else 1
    count = lump.FORMATS[magic, version]
    parts = [lumps.get(index, b"") for index in range(count)]
    places = starts_of(np.array([len(part) + -len(part) % 4 for part in parts])) + 8 + 8 * count
    directory = [struct.pack("<ii", at, len(part)) for at, part in zip(places[:-1], parts, strict=True)]
    padded = [part + bytes(-len(part) % 4) for part in parts]
    return b"".join((magic, struct.pack("<i", version), *directory, *padded))


def _rows(kind: lump.Lump, **columns: NDArray[Any]) -> bytes:
    """Bytes of a lump's rows from its columns."""
    rows = np.zeros(len(next(iter(columns.values()))), kind.row)
    for name, column in columns.items():
        rows[name] = column
    return rows.tobytes()


# --- brushes ----------------------------------------------------------------------------------------------------------


def with_a_plane(source: MapData) -> MapData:
    """The map with at least one pair of planes, because a tree has at least one node."""
    if len(source.planes):
        return source
    return replace(source, planes=Planes(np.array(((0.0, 0.0, 1.0), (0.0, 0.0, -1.0))), np.zeros(2)))


def with_volume(source: MapData) -> tuple[MapData, Hulls]:
    """The map without brushes that enclose no volume and with brushes sorted by model, and their hulls."""
    old = source.brushes
    shape = _hulls(source)
    keep = np.flatnonzero(shape.status == HullStatus.CLOSED)
    keep = keep[np.argsort(old.model[keep], kind="stable")]
    if np.array_equal(keep, np.arange(len(old))):
        return source, shape
    source = replace(source, brushes=old.take(keep))
    return source, _hulls(source)


def _hulls(source: MapData) -> Hulls:
    brushes = source.brushes
    return hulls(source.planes.normal, source.planes.dist, brushes.side_start, brushes.side_plane)


def _brush_lumps(brushes: Brushes, shape: Hulls, table: PlaneTable, shaders: _Shaders) -> tuple[bytes, bytes]:
    """Lumps of brushes and of their sides with all bevels. The six axial sides of a brush come first."""
    full = bevels(table, brushes.side_start, brushes.side_plane, shape)
    count = np.diff(full.side_start)
    brush = np.repeat(np.arange(len(full)), count)
    order = axial_first(full.side_start, table.normal[full.side_plane], table.dist[full.side_plane])
    shader = shaders.of_brush[brush]
    own = full.side_source >= 0
    shader[own] = shaders.of_side[full.side_source[own]]
    return (
        _rows(lump.BRUSHES, first_side=full.side_start[:-1], sides=count, shader=shaders.of_brush),
        _rows(lump.SIDES, plane=full.side_plane[order], shader=shader[order]),
    )


def axial_first(side_start: Index, normal: Float, dist: Float) -> Index:
    """Order of sides in which the six axial sides of each brush come first."""
    brush = owners_of(side_start)
    return np.lexsort((np.arange(len(brush)), _axial_rank(brush, normal, dist), brush))


def _axial_rank(brush: Index, normal: Float, dist: Float) -> NDArray[np.int64]:
    """(sides,) rank 0 … 5 for the innermost side of a brush in each axial direction, 6 for all others."""
    axis = np.argmax(np.abs(normal), axis=1)
    facing = normal[np.arange(len(normal)), axis]
    rank = np.where(np.abs(facing) == 1.0, 2 * axis + (facing > 0), NOT_AXIAL)
    order = np.lexsort((dist, rank, brush))
    repeated = np.zeros(len(brush), np.bool_)
    repeated[order[1:]] = (np.diff(brush[order]) == 0) & (np.diff(rank[order]) == 0)
    return np.where(repeated, NOT_AXIAL, rank)


def _plane_lump(table: PlaneTable) -> bytes:
    return _rows(lump.PLANES, normal=table.normal, dist=table.dist)


# --- shaders ----------------------------------------------------------------------------------------------------------


class _Shaders:
    """Rows of the shader lump, one for each combination of name, flags and contents."""

    def __init__(self, source: MapData) -> None:
        shaders, brushes, patches = source.shaders, source.brushes, source.patches
        self._rows: dict[tuple[str, int, int], int] = {}
        self._by_bits: dict[tuple[int, int], int] = {}
        for name, flags, contents in zip(shaders.name, shaders.flags.tolist(), shaders.contents.tolist(), strict=True):
            self._row(name, flags, contents)
        names = (*shaders.name, NO_SHADER)  # row −1, no shader, is the last name
        flags_of = np.append(shaders.flags, 0)

        of_brush, of_side = [], []
        first = brushes.side_start.tolist()
        for brush, (shader, contents) in enumerate(
            zip(brushes.shader.tolist(), brushes.contents.tolist(), strict=True)
        ):
            name, flags = names[shader], int(flags_of[shader])
            own = self._row(name, flags, contents)
            of_brush.append(own)
            for bits in brushes.side_flags[first[brush] : first[brush + 1]].tolist():
                of_side.append(own if bits == flags else self._like(name, bits, contents))
        self.of_brush = np.array(of_brush, np.int32)
        """(brushes,) row of each brush's shader."""
        self.of_side = np.array(of_side, np.int32)
        """(sides,) row of each side's shader, without bevels."""
        bits_of_patch = zip(patches.flags.tolist(), patches.contents.tolist(), strict=True)
        self.of_patch = np.array(
            [self._row(names[row], *bits) for row, bits in zip(patches.shader.tolist(), bits_of_patch, strict=True)],
            np.int32,
        )
        """(patches,) row of each patch's shader."""

    def _row(self, name: str, flags: int, contents: int) -> int:
        """Row of a shader. A new shader is added."""
        row = self._rows.setdefault((name, flags, contents), len(self._rows))
        self._by_bits.setdefault((flags, contents), row)
        return row

    def _like(self, name: str, flags: int, contents: int) -> int:
        """First row with these bits, whatever its name: the records hold no shader names for single sides."""
        found = self._by_bits.get((flags, contents))
        return self._row(name, flags, contents) if found is None else found

    def lump(self) -> bytes:
        """Bytes of the shader lump."""
        name, flags, contents = (np.array(column) for column in zip(*self._rows, strict=True)) if self._rows else _NONE
        text = np.array([str(word).encode("latin-1", "replace")[:NAME_BYTES] for word in name], "S64")
        return _rows(lump.SHADERS, name=text, flags=flags, contents=contents)


_NONE: Final = (np.empty(0), np.empty(0), np.empty(0))


# --- the tree ---------------------------------------------------------------------------------------------------------


def _node_lump(tree: WorldTree) -> bytes:
    rows = np.zeros(len(tree.plane), NODE)
    rows["plane"] = tree.plane
    rows["child"] = np.where(tree.child >= 0, tree.child, tree.child - 1)  # leaf 0 of the file is a dummy
    rows["box"] = _rounded_out(tree.node_box)
    return rows.tobytes()


def _leaf_lump(tree: WorldTree, surface_start: Index) -> bytes:
    rows = np.zeros(len(tree.leaf_box) + 1, LEAF)
    rows["cluster"][0] = rows["area"][0] = OUTSIDE
    own = rows[1:]
    own["cluster"] = own["area"] = np.where(tree.leaf_inside, 0, OUTSIDE)
    own["box"] = _rounded_out(tree.leaf_box)
    own["surfaces"] = _first_and_count(surface_start)
    own["brushes"] = _first_and_count(tree.brush_start)
    return rows.tobytes()


def _first_and_count(start: Index) -> Index:
    return np.column_stack((start[:-1], np.diff(start)))


def _rounded_out(box: Float) -> Index:
    """Boxes enlarged to integer coordinates."""
    return np.concatenate((np.floor(box[:, :3]), np.ceil(box[:, 3:])), axis=1).astype(np.int64)


# --- models and entities ----------------------------------------------------------------------------------------------


def _model_lump(source: MapData, drawn: Surfaces) -> bytes:
    number = np.arange(len(source.models) + 1)
    surface, brush = np.searchsorted(drawn.model, number), np.searchsorted(source.brushes.model, number)
    return _rows(
        lump.MODELS,
        mins=source.models.mins,
        maxs=source.models.maxs,
        first_surface=surface[:-1],
        surfaces=np.diff(surface),
        first_brush=brush[:-1],
        brushes=np.diff(brush),
    )


def entity_text(entities: tuple[Entity, ...]) -> bytes:
    """Entities as the engine parses them: without escapes, so quotes become apostrophes, and up to the first NUL."""
    blocks = []
    for entity in entities:
        pairs = ([text.replace('"', "'").replace("\0", "") for text in pair] for pair in entity.pairs)
        lines = ['"{}" "{}"\n'.format(*pair) for pair in pairs]
        blocks.append("{\n" + "".join(lines) + "}\n")
    return "".join(blocks).encode("utf-8") + b"\0"
