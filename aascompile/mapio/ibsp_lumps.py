"""Lumps of an IBSP file: their positions, row layouts, and the checks that precede any use.

The whole file is rejected with a MapError if the lump directory points outside it, if a lump ends inside a row, or if
it has more rows than any game could load. Faults of single rows are left to ``ibsp``.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.errors import MapError
from aascompile.records import dataclass

Rows = NDArray[np.void]
"""Rows of a structured dtype."""

FORMATS: Final = {
    (b"IBSP", 46): 17,
    (b"IBSP", 47): 17,
    (b"IBSP", 38): 19,
    (b"RBSP", 1): 18,
    (b"FBSP", 1): 18,
}
"""Magic and version of the formats that are read, and the lumps of each.

IBSP 46: Quake III and its relatives. 47: Return to Castle Wolfenstein and Quake Live, whose 18th lump holds no
collision data. 38: Quake II. RBSP: Raven's games. FBSP: games on QFusion.
"""

HEADER_BYTES: Final = 144
"""Magic, version, and offset and length of 17 lumps."""

_OTHER_MAGICS: Final = {b"FAKK": "F.A.K.K. 2", b"VBSP": "Source", b"EF2!": "Elite Force II", b"2015": "Medal of Honor"}


@dataclass(frozen=True, slots=True)
class Lump:
    """A lump that we read."""

    index: int
    what: str
    """What its rows are, as shown in messages."""
    row: np.dtype[Any]
    limit: int
    """Files with more rows are rejected: many times what map compilers allow, yet small enough for memory."""


def row_of(size: int, **fields: tuple[int, Any]) -> np.dtype[Any]:
    """Dtype of a row of ``size`` bytes with only the named fields, each given as (byte offset, type)."""
    names = list(fields)
    offsets = [fields[name][0] for name in names]
    formats = [fields[name][1] for name in names]
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})


INT: Final = "<i4"
BITS: Final = "<u4"
POINT: Final = ("<f4", (3,))

ENTITIES: Final = Lump(0, "bytes of entity text", np.dtype("u1"), 1 << 23)
SHADERS: Final = Lump(1, "shaders", row_of(72, name=(0, "S64"), flags=(64, BITS), contents=(68, BITS)), 1 << 16)
PLANES: Final = Lump(2, "planes", row_of(16, normal=(0, POINT), dist=(12, "<f4")), 1 << 22)
MODELS: Final = Lump(
    7,
    "models",
    row_of(
        40,
        mins=(0, POINT),
        maxs=(12, POINT),
        first_surface=(24, INT),
        surfaces=(28, INT),
        first_brush=(32, INT),
        brushes=(36, INT),
    ),
    1 << 14,
)
BRUSHES: Final = Lump(8, "brushes", row_of(12, first_side=(0, INT), sides=(4, INT), shader=(8, INT)), 1 << 18)
SIDES: Final = Lump(9, "brush sides", row_of(8, plane=(0, INT), shader=(4, INT)), 1 << 21)
VERTICES: Final = Lump(10, "vertices", row_of(44, point=(0, POINT)), 1 << 22)
SURFACES: Final = Lump(
    13,
    "surfaces",
    row_of(104, shader=(0, INT), kind=(8, INT), first_vertex=(12, INT), width=(96, INT), height=(100, INT)),
    1 << 20,
)
LUMPS: Final = (ENTITIES, SHADERS, PLANES, MODELS, BRUSHES, SIDES, VERTICES, SURFACES)


RAVEN: Final = {
    SIDES: Lump(9, SIDES.what, row_of(12, plane=(0, INT), shader=(4, INT)), SIDES.limit),
    VERTICES: Lump(10, VERTICES.what, row_of(80, point=(0, POINT)), VERTICES.limit),
    SURFACES: Lump(
        13,
        SURFACES.what,
        row_of(148, shader=(0, INT), kind=(8, INT), first_vertex=(12, INT), width=(140, INT), height=(144, INT)),
        SURFACES.limit,
    ),
}
"""Lumps of RBSP and FBSP whose rows are longer: sides name a surface, and four lightmaps take the place of one."""


def read_format(data: bytes, name: str) -> tuple[bytes, int]:
    """Magic and version of a compiled map that can be read. For any other file, the MapError reports what it is."""
    if not data:
        raise MapError(name, "is empty")
    magic = data[:4]
    if magic not in {known for known, _ in FORMATS}:
        made_for = _OTHER_MAGICS.get(magic)
        raise MapError(
            name,
            f"is a map for {made_for}, not for Quake III" if made_for else "is not a compiled Quake III map",
            f"it starts with {shown_bytes(magic)}, not 'IBSP'",
        )
    version = int(struct.unpack_from("<i", data, 4)[0]) if len(data) >= 8 else 0
    header = 8 + 8 * FORMATS.get((magic, version), 17)
    if len(data) < header:
        raise MapError(name, "is truncated", f"{len(data)} bytes; the header alone takes {header}")
    if (magic, version) not in FORMATS:
        known = " and ".join(f"{other.decode()} {number}" for other, number in FORMATS)
        raise MapError(name, f"is an {magic.decode()} {version} map", f"only {known} are supported")
    return magic, version


def shown_bytes(data: bytes) -> str:
    """Bytes as text in quotes if they are letters and signs; otherwise as hexadecimal numbers."""
    if all(0x20 <= byte < 0x7F for byte in data):
        return f"'{data.decode('ascii')}'"
    return f"bytes {data.hex(' ')}"


def read_raven_lumps(data: bytes, name: str) -> dict[Lump, Rows]:
    """The lumps of RBSP and FBSP, by their counterparts in IBSP."""
    own = [RAVEN.get(lump, lump) for lump in LUMPS]
    rows = read_lumps(data, name, own, HEADER_BYTES + 8)
    return {lump: rows[theirs] for lump, theirs in zip(LUMPS, own, strict=True)}


def read_lumps(
    data: bytes, name: str, lumps: Sequence[Lump] = LUMPS, header_bytes: int = HEADER_BYTES
) -> dict[Lump, Rows]:
    """The lumps that we use, as views of the data."""
    places: list[tuple[int, int, Lump]] = []
    rows: dict[Lump, Rows] = {}
    for lump in lumps:
        offset, length = struct.unpack_from("<ii", data, 8 + 8 * lump.index)
        where = f"lump {lump.index}, {lump.what}"
        if length < 0 or offset < 0 or (length > 0 and offset < header_bytes):
            raise MapError(name, f"has a lump of {length} bytes at offset {offset}", where)
        if offset + length > len(data) and length > 0:
            raise MapError(name, f"is truncated: {len(data)} bytes, but a lump ends at byte {offset + length}", where)
        size = lump.row.itemsize
        if length % size:
            raise MapError(name, f"has a lump of {length} bytes, which is not a multiple of {size}", where)
        if length // size > lump.limit:
            raise MapError(name, f"has {length // size:,} {lump.what}, more than {lump.limit:,}", where)
        rows[lump] = np.frombuffer(data, lump.row, length // size, offset if length else 0)
        if length:
            places.append((offset, offset + length, lump))
    places.sort(key=lambda place: place[:2])
    for (_, end, first), (start, _, second) in pairwise(places):
        if start < end:
            where = f"lumps {first.index} and {second.index}"
            raise MapError(name, f"is damaged: its {first.what} and its {second.what} overlap", where)
    return rows
