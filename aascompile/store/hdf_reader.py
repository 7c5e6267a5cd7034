"""Reads the HDF5 files that ``hdf_writer`` writes, without the HDF5 library, which takes long to import.

It knows the structures of that writer alone. Whatever else is in a file, and every fault, raises one of ``FAULTS``.
Then the caller asks the library, which reads more and has better messages. Headers and packed rows have checksums.
"""

from __future__ import annotations

import math
import struct
import zlib
from typing import Any, Final

import numpy as np

from aascompile.store.hdf_writer import (
    ATTRIBUTE,
    DATASPACE,
    DATATYPE,
    LAYOUT,
    LINK,
    LINK_INFO,
    MAGIC,
    NOWHERE,
    PIPELINE,
    SMALL,
    SUPERBLOCK,
    filters_of,
    type_of,
)
from aascompile.store.lookup3_kernel import lookup3
from aascompile.store.schema import Column, Spec

MAX_RATIO: Final = 1100
"""Limit on the compression ratio. gzip reaches at most 1,032 to 1, so a column that claims more is an attack on
memory."""

CONTINUATION: Final = 0x10
"""Message that says where the rest of a header is."""
COMPACT, CHUNKED = 0, 2
"""Classes of layouts."""
SINGLE, FIXED = 1, 3
"""Kinds of chunk indexes."""
FIXED_HEADER: Final = 28
"""Bytes of the header of a fixed array of chunks."""


class Unfamiliar(Exception):
    """The file is damaged, or another program has written it."""


FAULTS: Final = (Unfamiliar, struct.error, zlib.error, ValueError, KeyError, IndexError, OverflowError)
"""What reading an unfamiliar file may raise."""


def may_unpack(needed: int, stored: int, size: int) -> bool:
    """Whether a column of ``stored`` bytes in a file of ``size`` bytes may take ``needed`` bytes."""
    return needed <= MAX_RATIO * min(stored, size) + SMALL


class HdfReader:
    """A file in memory. Every method raises one of ``FAULTS`` if the file is unfamiliar."""

    def __init__(self, data: bytes) -> None:
        self._data = memoryview(data)
        *start, end, root = struct.unpack("<8sBBBBQQQQ", self._verified(0, SUPERBLOCK))
        if start != [MAGIC, 3, 8, 8, 0, 0, NOWHERE] or end != len(data):
            raise Unfamiliar
        self._root = self._messages(root)
        self._tables = self._members(self._messages(self._members(self._root)["aas"]))
        self._columns: dict[str, dict[str, int]] = {}

    def attributes(self) -> dict[str, Any]:
        """Numbers and texts (bytes) of the root."""
        found: dict[str, Any] = {}
        for kind, data in self._root:
            if kind != ATTRIBUTE:
                continue
            version, _, name_size, type_size, space_size, _ = struct.unpack_from("<BBHHHB", data)
            at = 9 + name_size
            name, what = bytes(data[9 : at - 1]).decode(), data[at : at + type_size]
            value = data[at + type_size + space_size :]
            if version != 3 or self._shape(data[at + type_size : at + type_size + space_size]) != ():
                raise Unfamiliar
            if what == type_of(np.dtype(np.int64)):
                (found[name],) = struct.unpack("<q", value)
            elif what[0] == 0x13 and struct.unpack_from("<I", what, 4) == (len(value),):
                found[name] = bytes(value)
            else:
                raise Unfamiliar
        return found

    def has(self, table: str) -> bool:
        """Whether there is such a table."""
        return table in self._tables

    def column(self, spec: Spec) -> Column:
        """Rows of a column."""
        table, _, name = spec.path.partition("/")
        if table not in self._columns:
            self._columns[table] = self._members(self._messages(self._tables[table]))
        messages = dict(self._messages(self._columns[table][name]))
        dtype = np.dtype(spec.dtype).newbyteorder("<")
        shape = self._shape(messages[DATASPACE])
        if messages[DATATYPE] != type_of(dtype) or shape[1:] != ((spec.width,) if spec.width else ()):
            raise Unfamiliar
        size = math.prod(shape) * dtype.itemsize
        layout = messages[LAYOUT]
        if bytes(layout[:2]) == bytes([3, COMPACT]):
            (stored,) = struct.unpack_from("<H", layout, 2)
            if not stored == size == len(layout) - 4:
                raise Unfamiliar
            return np.frombuffer(layout[4:], dtype).reshape(shape).astype(spec.dtype)
        if bytes(layout[:2]) != bytes([4, CHUNKED]) or messages[PIPELINE] != filters_of(dtype.itemsize):
            raise Unfamiliar
        return self._unpacked(layout, shape, dtype).astype(spec.dtype, copy=False)

    def _unpacked(self, layout: memoryview, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Column:
        """Rows of a column in chunks."""
        flags, count, width = layout[2:5]
        at = 5 + count * width
        dims = [int.from_bytes(layout[k : k + width], "little") for k in range(5, at, width)]
        if len(dims) != len(shape) + 1 or dims[1:] != [*shape[1:], dtype.itemsize] or dims[0] < 1:
            raise Unfamiliar
        whole = math.prod(dims)
        if layout[at] == SINGLE and flags == 2:
            size, skipped, address = struct.unpack("<QIQ", layout[at + 1 :])
            chunks = [(address, size, skipped)]
        elif layout[at] == FIXED and flags == 0:
            page, header = struct.unpack("<BQ", layout[at + 1 :])
            chunks = self._fixed_array(page, header, whole)
        else:
            raise Unfamiliar
        stored = sum(size for _, size, _ in chunks)
        if len(chunks) != -(-shape[0] // dims[0]) or not may_unpack(len(chunks) * whole, stored, len(self._data)):
            raise Unfamiliar
        rows = np.empty((len(chunks) * dims[0], *shape[1:]), dtype)
        for number, (address, size, skipped) in enumerate(chunks):
            unpack = zlib.decompressobj()
            data = unpack.decompress(self._data[address : address + size], whole + 1)
            if skipped or len(data) != whole or not unpack.eof:
                raise Unfamiliar
            part = rows[number * dims[0] : (number + 1) * dims[0]].view(np.uint8).reshape(-1, dtype.itemsize)
            part[:] = np.frombuffer(data, np.uint8).reshape(dtype.itemsize, -1).T
        return rows[: shape[0]]

    def _fixed_array(self, page: int, header: int, whole: int) -> list[tuple[int, int, int]]:
        """Address, size and skipped filters of the chunks that a fixed array lists."""
        head = self._verified(header, FIXED_HEADER)
        magic, version, client, entry, bits, count, block = struct.unpack("<4sBBBBQQ", head)
        width = 1 + (whole.bit_length() + 7) // 8
        if (magic, version, client, entry, bits) != (b"FAHD", 0, 1, 12 + width, page) or count > 1 << page:
            raise Unfamiliar
        data = self._verified(block, 18 + entry * count)
        if struct.unpack_from("<4sBBQ", data) != (b"FADB", 0, 1, header):
            raise Unfamiliar
        return [
            (
                int.from_bytes(data[at : at + 8], "little"),
                int.from_bytes(data[at + 8 : at + 8 + width], "little"),
                int.from_bytes(data[at + 8 + width : at + entry], "little"),
            )
            for at in range(14, 14 + entry * count, entry)
        ]

    def _messages(self, address: int) -> list[tuple[int, memoryview]]:
        """Kinds and contents of the messages of an object header."""
        magic, version, flags, size = struct.unpack_from("<4sBBI", self._data, address)
        if (magic, version, flags) != (b"OHDR", 2, 2):
            raise Unfamiliar
        body, at, found = self._verified(address, 14 + size)[10:], 0, []
        while at < len(body):
            kind, length, flags = struct.unpack_from("<BHB", body, at)
            at += 4
            if flags or kind == CONTINUATION or at + length > len(body):
                raise Unfamiliar
            found.append((kind, body[at : at + length]))
            at += length
        return found

    def _members(self, messages: list[tuple[int, memoryview]]) -> dict[str, int]:
        """Addresses of the members of a group that are stored in the file, by name."""
        found = {}
        for kind, data in messages:
            if kind == LINK_INFO and bytes(data[-16:]) != bytes([0xFF]) * 16:  # links are stored elsewhere
                raise Unfamiliar
            if kind != LINK:
                continue
            version, flags = data[:2]
            if version != 1 or flags & ~0xC:
                raise Unfamiliar
            if flags & 8:  # a link by path, not stored here
                continue
            at = 11 if flags & 4 else 3
            end = at + data[at - 1]
            (found[bytes(data[at:end]).decode()],) = struct.unpack("<Q", data[end:])
        return found

    def _verified(self, address: int, size: int) -> memoryview:
        """``size`` bytes without the checksum at their end, which must be right."""
        data = self._data[address : address + size]
        if len(data) != size or size < 4 or lookup3(bytearray(data[:-4])) != int.from_bytes(data[-4:], "little"):
            raise Unfamiliar
        return data[:-4]

    def _shape(self, space: memoryview) -> tuple[int, ...]:
        """Shape in a dataspace."""
        version, rank, flags, kind = space[:4]
        if version != 2 or flags or kind != (1 if rank else 0):
            raise Unfamiliar
        return struct.unpack(f"<{rank}Q", space[4:])
