"""Writes HDF5 files in memory, without the HDF5 library: importing and calling it would dominate a small compile.

The structures are those of the HDF5 File Format Specification, version 3.0: superblock 3, object headers 2, links and
attributes in the headers of their objects, and gzip on the rows. HDF5 1.10 and newer read them, and ``hdf_reader``.

Rows are compressed and appended at the end, in the order in which columns were added, because several threads can
compress them. The headers of objects have sizes that do not depend on addresses. They are laid out behind the rows.
"""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache
from typing import Any, Final

import numpy as np

from aascompile.errors import StoreError
from aascompile.store.lookup3_kernel import lookup3
from aascompile.store.schema import Column
from aascompile.threads import over_ranges

LEVEL: Final = 2
"""gzip level. Level 4 saves three percent and takes half as long again."""
CHUNK_ROWS: Final = 65536
SMALL: Final = 1024
"""Columns of at most this many bytes are stored uncompressed in their header: compressing them costs more than it
saves."""

MAGIC: Final = b"\x89HDF\r\n\x1a\n"
SUPERBLOCK: Final = 48
"""Bytes of the superblock, at the start of the file."""
NOWHERE: Final = 0xFFFFFFFFFFFFFFFF
"""An address that means "not in the file"."""
CHECKSUM: Final = 4
"""Bytes of a checksum."""
LARGEST: Final = 0xFFFF
"""Bytes that a message of an object header can have."""

# Messages of object headers (specification, IV.A.2).
DATASPACE, LINK_INFO, DATATYPE, FILL, LINK, LAYOUT, GROUP_INFO = 0x01, 0x02, 0x03, 0x05, 0x06, 0x08, 0x0A
PIPELINE, ATTRIBUTE, REFERENCES = 0x0B, 0x0C, 0x16

SHUFFLE, DEFLATE = 2, 1
"""Filters."""


_pack_head = struct.Struct("<4sBBI").pack
_pack_message = struct.Struct("<BHB").pack
_pack_rows = struct.Struct("<BHBBBH").pack
_pack_link = struct.Struct("<BHBBBB").pack
_pack_ordered_link = struct.Struct("<BHBBBQB").pack
_pack_address = struct.Struct("<Q").pack_into


class Node:
    """A group or dataset: messages of its header, and if it is a group its members."""

    def __init__(self, ordered: bool = False) -> None:
        self.messages = bytearray()
        self.members: dict[str, Node | str] | None = None
        """Other nodes, or paths of soft links, by name; None: a dataset."""
        self.ordered = ordered
        self.names = 0
        """Hard links to it."""
        self.address = 0


class HdfWriter:
    """An HDF5 file in memory, so that no reader ever sees an incomplete file."""

    def __init__(self) -> None:
        self._image = bytearray(SUPERBLOCK)
        self._nodes: list[Node] = []
        self._unpacked: list[tuple[Node, Column]] = []
        """Datasets whose rows are still to be appended."""
        self.root = self._new_group(ordered=False)
        self.root.names = 1

    def group(self, parent: Node, name: str, *, ordered: bool = False) -> Node:
        """Create a group. ``ordered``: it records the order in which its members are created."""
        return self._named(parent, name, self._new_group(ordered))

    def number(self, group: Node, name: str, value: Any) -> None:
        """Add an attribute of one or more integers."""
        rows = np.asarray(value, np.int64)
        self._attribute(group, name, type_of(rows.dtype), rows.shape, rows.astype("<i8").tobytes())

    def text(self, group: Node, name: str, value: str, *, ascii_only: bool = False) -> None:
        """Add a text attribute. Its fixed length needs no heap in the file."""
        encoded = value.encode("utf-8", "backslashreplace") or b"\0"
        padded_with_zeros, utf8 = 1, 0 if ascii_only else 1
        kind = struct.pack("<BBHI", 0x13, padded_with_zeros | utf8 << 4, 0, len(encoded))
        self._attribute(group, name, kind, (), encoded)

    def _attribute(self, group: Node, name: str, kind: bytes, shape: tuple[int, ...], data: bytes) -> None:
        space, encoded = _space_of(shape), name.encode() + b"\0"
        head = struct.pack("<BBHHHB", 3, 0, len(encoded), len(kind), len(space), 0)
        group.messages += _message(ATTRIBUTE, head + encoded + kind + space + data)

    def column(self, group: Node, name: str, column: Column) -> None:
        """Add a dataset with the rows of a column."""
        rows = np.ascontiguousarray(column, column.dtype.newbyteorder("<"))
        small = rows.nbytes <= SMALL
        node = self._named(group, name, Node())
        self._nodes.append(node)
        node.messages += _described(rows.shape, rows.dtype, small)
        if small:
            node.messages += _pack_rows(LAYOUT, 4 + rows.nbytes, 0, 3, 0, rows.nbytes) + rows.tobytes()
            return
        self._unpacked.append((node, rows))

    def _append_rows(self, threads: int) -> None:
        """Append the rows of all datasets, and tell their headers where they are."""
        chunks = [(rows, first) for _, rows in self._unpacked for first in range(0, len(rows), CHUNK_ROWS)]
        packed = iter(over_ranges(lambda first, _: _packed(*chunks[first]), len(chunks), 1, threads))
        for node, rows in self._unpacked:
            stored = [self._append(next(packed)) for _ in range(0, len(rows), CHUNK_ROWS)]
            node.messages += _message(LAYOUT, self._layout(rows, stored))
            node.messages += _message(PIPELINE, filters_of(rows.itemsize))
        self._unpacked.clear()

    def _layout(self, rows: Column, stored: list[tuple[int, int]]) -> bytes:
        """The message that says where the chunks of rows are: ``stored`` has the address and size of each."""
        shape = _chunk_shape(rows)
        single = len(stored) == 1
        dims = (*shape, rows.itemsize)
        width = (max(dims).bit_length() + 7) // 8
        head = struct.pack("<BBBBB", 4, 2, 2 if single else 0, len(dims), width)
        head += b"".join(size.to_bytes(width, "little") for size in dims)
        if single:
            address, size = stored[0]
            return head + struct.pack("<BQIQ", 1, size, 0, address)
        page = max(10, (len(stored) - 1).bit_length())
        whole = int(np.prod(shape)) * rows.itemsize
        width = 1 + (whole.bit_length() + 7) // 8
        entry = 8 + width + 4
        header = len(self._image)
        block = header + 28
        self._image += _checked(bytearray(struct.pack("<4sBBBBQQ", b"FAHD", 0, 1, entry, page, len(stored), block)))
        table = b"".join(struct.pack("<Q", at) + size.to_bytes(width, "little") + bytes(4) for at, size in stored)
        self._image += _checked(bytearray(struct.pack("<4sBBQ", b"FADB", 0, 1, header) + table))
        return head + struct.pack("<BBQ", 3, page, header)

    def link(self, group: Node, name: str, other_group: Node, member: str) -> None:
        """Add a hard link to a member of another group, given by its path from there."""
        found: Node | str = other_group
        for part in member.split("/"):
            assert isinstance(found, Node)
            assert found.members is not None
            found = found.members[part]
        assert isinstance(found, Node)
        self._named(group, name, found)

    def soft_link(self, group: Node, name: str, path: str) -> None:
        """Add a soft link to a path."""
        assert group.members is not None
        group.members[name] = path

    def finish(self, threads: int = 1) -> bytes:
        """The bytes of the file."""
        self._append_rows(threads)
        at = len(self._image)
        headers = []
        for node in self._nodes:
            node.address = at
            header, addresses = _header_of(node)
            headers.append((header, addresses))
            at += len(header) + CHECKSUM
        for header, addresses in headers:
            for place, member in addresses:  # they are known only now
                _pack_address(header, place, member.address)
            self._image += _checked(header)
        superblock = struct.pack("<8sBBBBQQQQ", MAGIC, 3, 8, 8, 0, 0, NOWHERE, len(self._image), self.root.address)
        self._image[:SUPERBLOCK] = _checked(bytearray(superblock))
        return bytes(self._image)

    def _new_group(self, ordered: bool) -> Node:
        node = Node(ordered)
        node.members = {}
        self._nodes.append(node)
        return node

    def _named(self, parent: Node, name: str, node: Node) -> Node:
        """Add a hard link to a node."""
        assert parent.members is not None
        parent.members[name] = node
        node.names += 1
        return node

    def _append(self, data: bytes) -> tuple[int, int]:
        """Append bytes; their address and number."""
        address = len(self._image)
        self._image += data
        return address, len(data)


def _checked(data: bytearray) -> bytearray:
    """The bytes, to which their checksum is added."""
    data += lookup3(data).to_bytes(CHECKSUM, "little")
    return data


def _message(kind: int, data: bytes) -> bytes:
    """A message of an object header."""
    if len(data) > LARGEST:
        raise StoreError(f"cannot be written: a header has {len(data):,} bytes (message {kind})")
    return _pack_message(kind, len(data), 0) + data


@lru_cache(maxsize=1024)
def _described(shape: tuple[int, ...], dtype: np.dtype[Any], small: bool) -> bytes:
    """Messages that say what rows a dataset has. Most columns of a file share them with others."""
    # Space is allocated at once (1) or chunk by chunk (3); missing rows read as 0 (8).
    fill = bytes([3, 8 | (1 if small else 3)])
    return _message(DATASPACE, _space_of(shape)) + _message(DATATYPE, type_of(dtype)) + _message(FILL, fill)


def _header_of(node: Node) -> tuple[bytearray, list[tuple[int, Node]]]:
    """Object header of a node without its checksum, and where the address of each member belongs in it."""
    header = bytearray(_pack_head(b"OHDR", 2, 2, 0))
    start, addresses = len(header), []
    if node.members is not None:
        header += _group_messages(len(node.members), node.ordered)
        for order, (name, member) in enumerate(node.members.items()):
            header += _link_of(name, member, order if node.ordered else None)
            if not isinstance(member, str):
                addresses.append((len(header) - 8, member))
    header += node.messages
    if node.names > 1:
        header += _message(REFERENCES, struct.pack("<BI", 0, node.names))
    header[start - 4 : start] = (len(header) - start).to_bytes(4, "little")
    return header, addresses


def _group_messages(members: int, ordered: bool) -> bytes:
    """Messages that make a node a group: how its links are stored."""
    if ordered:
        info = struct.pack("<BBQQQQ", 0, 3, members, NOWHERE, NOWHERE, NOWHERE)
    else:
        info = struct.pack("<BBQQ", 0, 0, NOWHERE, NOWHERE)
    stays_compact = struct.pack("<BBHH", 0, 1, LARGEST, 0)
    return _message(LINK_INFO, info) + _message(GROUP_INFO, stays_compact)


def _link_of(name: str, member: Node | str, order: int | None) -> bytes:
    """Message of a link to a member: a node, whose address is left open, or a path. ``order``: its number, if members
    have one."""
    encoded = name.encode()
    if isinstance(member, str):
        path = member.encode()
        numbered = b"" if order is None else struct.pack("<Q", order)
        head = bytes([1, 8 if order is None else 12, 1]) + numbered + bytes([len(encoded)])
        return _message(LINK, head + encoded + struct.pack("<H", len(path)) + path)
    if order is None:
        return _pack_link(LINK, 11 + len(encoded), 0, 1, 0, len(encoded)) + encoded + bytes(8)
    return _pack_ordered_link(LINK, 19 + len(encoded), 0, 1, 4, order, len(encoded)) + encoded + bytes(8)


def _space_of(shape: tuple[int, ...]) -> bytes:
    """Dataspace of a shape; () is a single value."""
    return struct.pack(f"<BBBB{len(shape)}Q", 2, len(shape), 0, 1 if shape else 0, *shape)


def type_of(dtype: np.dtype[Any]) -> bytes:
    """Datatype of numbers, the lowest byte first."""
    bits = 8 * dtype.itemsize
    if dtype.kind in "iu":
        signed = 8 if dtype.kind == "i" else 0
        return struct.pack("<BBHIHH", 0x10, signed, 0, dtype.itemsize, 0, bits)
    if dtype != np.float64:
        raise StoreError(f"cannot be written: a column is {dtype}")
    implied_bit, sign, exponent, bias = 0x20, 63, (52, 11), 1023
    head = struct.pack("<BBBBI", 0x11, implied_bit, sign, 0, dtype.itemsize)
    return head + struct.pack("<HHBBBBI", 0, bits, *exponent, 0, 52, bias)


def filters_of(itemsize: int) -> bytes:
    """What is done with the rows of a chunk: as ``_packed`` does it."""
    optional = 1
    shuffle = struct.pack("<HHHI", SHUFFLE, optional, 1, itemsize)
    return bytes([2, 2]) + shuffle + struct.pack("<HHHI", DEFLATE, optional, 1, LEVEL)


def _chunk_shape(rows: Column) -> tuple[int, ...]:
    """Shape of every chunk of a dataset."""
    return (min(len(rows), CHUNK_ROWS), *rows.shape[1:])


def _packed(rows: Column, first: int) -> bytes:
    """The chunk that begins with a row, filled up with zeros: first all lowest bytes of its numbers, and so on; then
    gzip."""
    whole, shape = rows[first : first + CHUNK_ROWS], _chunk_shape(rows)
    if whole.shape != shape:
        part, whole = whole, np.zeros(shape, rows.dtype)
        whole[: len(part)] = part
    return zlib.compress(whole.view(np.uint8).reshape(-1, whole.itemsize).T.tobytes(), LEVEL)
