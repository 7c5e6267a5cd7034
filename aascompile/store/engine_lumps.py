"""Layout of the engine's .aas file: a header and fourteen lumps of fixed-size records, little-endian."""

from __future__ import annotations

import struct
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.errors import StoreError

MAGIC: Final = b"EAAS"
PLAIN: Final = 4
"""Version with a plain header."""
MASKED: Final = 5
"""Version with a header masked from byte 8 on."""
STEEP: Final = 8
"""Version with a masked header and the steepness of each area's ground."""
HEADER: Final = 124

Lump = NDArray[Any]
_F, _I = "<f4", "<i4"

_RECORDS: Final[dict[str, list[Any]]] = {
    "boxes": [("presence", _I), ("flags", _I), ("mins", _F, 3), ("maxs", _F, 3)],
    "vertices": [("xyz", _F, 3)],
    "planes": [("normal", _F, 3), ("dist", _F), ("type", _I)],
    "edges": [("vertex", _I, 2)],
    "edge_index": [("edge", _I)],
    "faces": [("plane", _I), ("flags", _I), ("edges", _I), ("first", _I), ("front", _I), ("back", _I)],
    "face_index": [("face", _I)],
    "areas": [("number", _I), ("faces", _I), ("first", _I), ("mins", _F, 3), ("maxs", _F, 3), ("centre", _F, 3)],
    "settings": [(name, _I) for name in ("contents", "flags", "presence", "cluster", "number", "links", "first")],
    "links": [
        *[("target", _I), ("face", _I), ("edge", _I), ("start", _F, 3), ("end", _F, 3)],
        *[("kind", _I), ("time", "<u2"), ("pad", "<u2")],
    ],
    "nodes": [("plane", _I), ("child", _I, 2)],
    "portals": [("area", _I), ("cluster", _I, 2), ("number", _I, 2)],
    "portal_index": [("portal", _I)],
    "clusters": [("areas", _I), ("routing", _I), ("portals", _I), ("first", _I)],
}

LUMPS: Final[dict[str, np.dtype[Any]]] = {name: np.dtype(fields) for name, fields in _RECORDS.items()}
"""Record types of the lumps, in file order."""

STEEP_SETTINGS: Final = np.dtype([*_RECORDS["settings"], ("steepness", _F)])
"""Record type of the settings lump in version 8."""


def record_of(name: str, version: int) -> np.dtype[Any]:
    """Record type of a lump in a version of the file."""
    return STEEP_SETTINGS if name == "settings" and version == STEEP else LUMPS[name]


def empty(name: str, rows: int) -> Lump:
    """A lump of zeros."""
    return np.zeros(rows, LUMPS[name])


def _mask(header: bytes) -> bytes:
    """Mask a header, or unmask a masked one."""
    return header[:8] + bytes(byte ^ (119 * at & 255) for at, byte in enumerate(header[8:]))


def pack(lumps: dict[str, Lump], checksum: int, version: int = MASKED) -> bytes:
    """Bytes of a file with these lumps. The engine needs them in this order without gaps."""
    header = struct.pack("<4sii", MAGIC, version, checksum)
    at = HEADER
    for name in LUMPS:
        header += struct.pack("<ii", at, lumps[name].nbytes)
        at += lumps[name].nbytes
    header = header if version == PLAIN else _mask(header)
    return header + b"".join(lumps[name].tobytes() for name in LUMPS)


def version_of(data: bytes) -> int:
    """Version of a file that ``unpack`` accepts."""
    return int(struct.unpack_from("<i", data, 4)[0])


def unpack(data: bytes) -> tuple[dict[str, Lump], int]:
    """Lumps and checksum of a file. Raise a StoreError, without the file's name, if it is damaged or another kind."""
    if data[:4] != MAGIC:
        raise StoreError("is not an engine .aas file")
    if len(data) < HEADER:
        raise StoreError(f"is damaged (it ends inside its header, after {len(data)} bytes)")
    (version,) = struct.unpack_from("<i", data, 4)
    if version not in (PLAIN, MASKED, STEEP):
        known = f"{PLAIN}, {MASKED} and {STEEP}"
        raise StoreError(f"is an engine .aas file of version {version}; only {known} are supported")
    header = data[:HEADER] if version == PLAIN else _mask(data[:HEADER])
    (checksum,) = struct.unpack_from("<i", header, 8)
    lumps = {}
    for row, name in enumerate(LUMPS):
        record = record_of(name, version)
        at, size = struct.unpack_from("<ii", header, 12 + 8 * row)
        if size < 0 or (size and (at < 0 or at + size > len(data))):
            raise StoreError(f"is damaged (its {name} lie outside the file)")
        if size % record.itemsize:
            raise StoreError(f"is damaged (the last row of its {name} is incomplete)")
        lumps[name] = np.frombuffer(data, record, size // record.itemsize, at) if size else empty(name, 0)
    return lumps, checksum
