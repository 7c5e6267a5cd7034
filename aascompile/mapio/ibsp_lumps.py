"""Lumps of an IBSP file: their positions, row layouts, and the checks that precede any use.

The whole file is rejected with a MapError if the lump directory points outside it, if a lump ends inside a row, or if
it has more rows than any game could load. Faults of single rows are left to ``ibsp``.
"""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.errors import MapError
from aascompile.records import dataclass

Rows = NDArray[np.void]
"""Rows of a structured dtype."""

VERSIONS: Final = (46, 47)
"""46: Quake III and its relatives. 47: Return to Castle Wolfenstein and Quake Live."""

HEADER_BYTES: Final = 144
"""Magic, version, and offset and length of 17 lumps. Quake Live's 18th lump holds no collision data."""

_OTHER_VERSIONS: Final = {38: "Quake II", 19: "Half-Life 2", 20: "Half-Life 2"}
_OTHER_MAGICS: Final = {b"RBSP": "Raven's games", b"FAKK": "F.A.K.K. 2", b"VBSP": "Source", b"FBSP": "QFusion"}


@dataclass(frozen=True, slots=True)
class Lump:
    """A lump that we read."""

    index: int
    what: str
    """What its rows are, as shown in messages."""
    row: np.dtype[Any]
    limit: int
    """Files with more rows are rejected: many times what map compilers allow, yet small enough for memory."""


def _row(size: int, **fields: tuple[int, Any]) -> np.dtype[Any]:
    """Dtype of a row of ``size`` bytes with only the named fields, each given as (byte offset, type)."""
    names = list(fields)
    offsets = [fields[name][0] for name in names]
    formats = [fields[name][1] for name in names]
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})


_INT: Final = "<i4"
_BITS: Final = "<u4"
_POINT: Final = ("<f4", (3,))

ENTITIES: Final = Lump(0, "bytes of entity text", np.dtype("u1"), 1 << 23)
SHADERS: Final = Lump(1, "shaders", _row(72, name=(0, "S64"), flags=(64, _BITS), contents=(68, _BITS)), 1 << 16)
PLANES: Final = Lump(2, "planes", _row(16, normal=(0, _POINT), dist=(12, "<f4")), 1 << 22)
MODELS: Final = Lump(
    7,
    "models",
    _row(
        40,
        mins=(0, _POINT),
        maxs=(12, _POINT),
        first_surface=(24, _INT),
        surfaces=(28, _INT),
        first_brush=(32, _INT),
        brushes=(36, _INT),
    ),
    1 << 14,
)
BRUSHES: Final = Lump(8, "brushes", _row(12, first_side=(0, _INT), sides=(4, _INT), shader=(8, _INT)), 1 << 18)
SIDES: Final = Lump(9, "brush sides", _row(8, plane=(0, _INT), shader=(4, _INT)), 1 << 21)
VERTICES: Final = Lump(10, "vertices", _row(44, point=(0, _POINT)), 1 << 22)
SURFACES: Final = Lump(
    13,
    "surfaces",
    _row(104, shader=(0, _INT), kind=(8, _INT), first_vertex=(12, _INT), width=(96, _INT), height=(100, _INT)),
    1 << 20,
)
LUMPS: Final = (ENTITIES, SHADERS, PLANES, MODELS, BRUSHES, SIDES, VERTICES, SURFACES)


def read_version(data: bytes, name: str) -> int:
    """Version of an IBSP file. For any other file, the MapError reports what it is."""
    if not data:
        raise MapError(name, "is empty")
    magic = data[:4]
    if magic != b"IBSP":
        made_for = _OTHER_MAGICS.get(magic)
        raise MapError(
            name,
            f"is a map for {made_for}, not for Quake III" if made_for else "is not a compiled Quake III map",
            f"it starts with {magic!r}, not b'IBSP'",
        )
    if len(data) < HEADER_BYTES:
        raise MapError(name, "is truncated", f"{len(data)} bytes; the header alone takes {HEADER_BYTES}")
    version = int(struct.unpack_from("<i", data, 4)[0])
    if version not in VERSIONS:
        game = _OTHER_VERSIONS.get(version)
        raise MapError(
            name, f"is an IBSP {version} map" + (f" of {game}" if game else ""), "only 46 and 47 are supported"
        )
    return version


def read_lumps(data: bytes, name: str) -> dict[Lump, Rows]:
    """The lumps that we use, as views of the data."""
    places: list[tuple[int, int, Lump]] = []
    rows: dict[Lump, Rows] = {}
    for lump in LUMPS:
        offset, length = struct.unpack_from("<ii", data, 8 + 8 * lump.index)
        where = f"lump {lump.index}, {lump.what}"
        if length < 0 or offset < 0 or (length > 0 and offset < HEADER_BYTES):
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
