"""Columns and a JSON object in one piece of bytes, uncompressed: for caches and for results sent between machines.

Unlike a compiled file, it is read by the same version of aascompile that wrote it, so it needs no schema.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.errors import StoreError
from aascompile.records import dataclass

Column = NDArray[Any]

MAGIC: Final = b"AASPACK1"
ALIGN: Final = 64
"""Columns start at multiples of this many bytes."""
DTYPES: Final = frozenset(("bool", "int8", "uint8", "int32", "uint32", "int64", "float64"))
"""Types of columns. No other is unpacked."""

_FIXED: Final = len(MAGIC) + 4 + 8
"""Bytes before the JSON: the magic, a checksum of all that follows it, and the length of the JSON."""


@dataclass(frozen=True, slots=True)
class Packed:
    """Columns by name, and a JSON object that describes them."""

    about: Mapping[str, Any]
    columns: Mapping[str, Column]


def pack(about: Mapping[str, Any], columns: Mapping[str, Column] | None = None) -> bytes:
    """Bytes of columns and a JSON object."""
    rows, pieces, offset = [], [], 0
    for name, column in (columns or {}).items():
        whole = np.ascontiguousarray(column)
        rows.append([name, whole.dtype.name, list(whole.shape), offset])
        gap = -whole.nbytes % ALIGN
        pieces += [whole.tobytes(), bytes(gap)]
        offset += whole.nbytes + gap
    head = json.dumps({"about": about, "columns": rows}, separators=(",", ":")).encode()
    head += b" " * (-(_FIXED + len(head)) % ALIGN)
    rest = b"".join([len(head).to_bytes(8, "little"), head, *pieces])
    return MAGIC + zlib.crc32(rest).to_bytes(4, "little") + rest


def unpack(data: bytes | bytearray | memoryview | NDArray[np.uint8]) -> Packed:
    """Columns and JSON object of bytes. The columns can be written to. Raises StoreError if the bytes are damaged."""
    raw = np.frombuffer(data, np.uint8)
    if not raw.flags.writeable:
        raw = raw.copy()
    view = memoryview(raw)  # type: ignore[arg-type]
    start = len(MAGIC)
    if bytes(view[:start]) != MAGIC or len(view) < _FIXED:
        raise StoreError("is not a packed result")
    if zlib.crc32(view[start + 4 :]) != int.from_bytes(view[start : start + 4], "little"):
        raise StoreError("is damaged (its checksum differs)")
    try:
        end = _FIXED + int.from_bytes(view[start + 4 : _FIXED], "little")
        head = json.loads(bytes(view[_FIXED:end]))
        columns = {row[0]: _column(raw, end, *row[1:]) for row in head["columns"]}
        about = head["about"]
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise StoreError(f"is damaged ({error})") from None
    if not isinstance(about, dict):
        raise StoreError("is damaged (its description is not a JSON object)")
    return Packed(about, columns)


def _column(raw: NDArray[np.uint8], first: int, dtype: str, shape: list[int], offset: int) -> Column:
    """A column of the data that begins at byte ``first``."""
    if dtype not in DTYPES:
        raise ValueError(f"a column is {dtype}")
    count = int(np.prod(shape, dtype=np.int64))
    size = count * np.dtype(dtype).itemsize
    piece = raw[first + offset : first + offset + size]
    if count < 0 or offset < 0 or len(piece) != size:
        raise ValueError("a column is incomplete")
    return piece.view(dtype).reshape(shape)
