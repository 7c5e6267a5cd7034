"""Writes HDF5 files in memory, without the HDF5 library: importing and calling it would dominate a small compile.

The structures are those of the HDF5 File Format Specification, version 3.0: superblock 3, object headers 2, links and
attributes in the headers of their objects, and gzip on the rows. HDF5 1.10 and newer read them, and ``hdf_reader``.

Rows are appended to the file as columns are added. The headers of objects have sizes that do not depend on addresses,
so they are laid out behind the rows at the end.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any, Final

import numpy as np

from aascompile.errors import StoreError
from aascompile.store.lookup3_kernel import lookup3
from aascompile.store.schema import Column

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
LARGEST: Final = 0xFFFF
"""Bytes that a message of an object header can have."""

# Messages of object headers (specification, IV.A.2).
DATASPACE, LINK_INFO, DATATYPE, FILL, LINK, LAYOUT, GROUP_INFO = 0x01, 0x02, 0x03, 0x05, 0x06, 0x08, 0x0A
PIPELINE, ATTRIBUTE, REFERENCES = 0x0B, 0x0C, 0x16

SHUFFLE, DEFLATE = 2, 1
"""Filters."""


class Node:
    """A group or dataset: messages of its header, and if it is a group its members."""

    def __init__(self, ordered: bool = False) -> None:
        self.messages: list[tuple[int, bytes]] = []
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
        group.messages.append((ATTRIBUTE, head + encoded + kind + space + data))

    def column(self, group: Node, name: str, column: Column) -> None:
        """Add a dataset with the rows of a column."""
        rows = np.ascontiguousarray(column, column.dtype.newbyteorder("<"))
        small = rows.nbytes <= SMALL
        node = self._named(group, name, Node())
        self._nodes.append(node)
        node.messages += [(DATASPACE, _space_of(rows.shape)), (DATATYPE, type_of(rows.dtype))]
        # Space is allocated at once (1) or chunk by chunk (3); missing rows read as 0 (8).
        node.messages.append((FILL, bytes([3, 8 | (1 if small else 3)])))
        if small:
            node.messages.append((LAYOUT, struct.pack("<BBH", 3, 0, rows.nbytes) + rows.tobytes()))
            return
        node.messages.append((LAYOUT, self._chunks(rows)))
        node.messages.append((PIPELINE, filters_of(rows.itemsize)))

    def _chunks(self, rows: Column) -> bytes:
        """Append the rows, packed, and return the message that says where they are."""
        shape = (min(len(rows), CHUNK_ROWS), *rows.shape[1:])
        ends = [(first, min(first + CHUNK_ROWS, len(rows))) for first in range(0, len(rows), CHUNK_ROWS)]
        stored = [self._append(_packed(rows[first:end], shape)) for first, end in ends]
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
        self._image += _checked(struct.pack("<4sBBBBQQ", b"FAHD", 0, 1, entry, page, len(stored), block))
        table = b"".join(struct.pack("<Q", at) + size.to_bytes(width, "little") + bytes(4) for at, size in stored)
        self._image += _checked(struct.pack("<4sBBQ", b"FADB", 0, 1, header) + table)
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

    def finish(self) -> bytes:
        """The bytes of the file."""
        at = len(self._image)
        headers = []
        for node in self._nodes:
            node.address = at
            headers.append(_header_of(node))
            at += len(headers[-1])
        for node, header in zip(self._nodes, headers, strict=True):
            # Those of groups hold the addresses of their members, which are known only now.
            self._image += header if node.members is None else _header_of(node)
        superblock = struct.pack("<8sBBBBQQQQ", MAGIC, 3, 8, 8, 0, 0, NOWHERE, len(self._image), self.root.address)
        self._image[:SUPERBLOCK] = _checked(superblock)
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


def _checked(data: bytes) -> bytes:
    """The bytes with their checksum."""
    return data + struct.pack("<I", lookup3(bytearray(data)))


def _header_of(node: Node) -> bytes:
    """Object header of a node whose members have addresses."""
    messages = [*_group_messages(node), *node.messages]
    if node.names > 1:
        messages.append((REFERENCES, struct.pack("<BI", 0, node.names)))
    for kind, data in messages:
        if len(data) > LARGEST:
            raise StoreError(f"cannot be written: a header has {len(data):,} bytes (message {kind})")
    body = b"".join(struct.pack("<BHB", kind, len(data), 0) + data for kind, data in messages)
    return _checked(struct.pack("<4sBBI", b"OHDR", 2, 2, len(body)) + body)


def _group_messages(node: Node) -> list[tuple[int, bytes]]:
    """Messages that make a node a group: how its links are stored, and the links."""
    if node.members is None:
        return []
    count = len(node.members)
    if node.ordered:
        info = struct.pack("<BBQQQQ", 0, 3, count, NOWHERE, NOWHERE, NOWHERE)
    else:
        info = struct.pack("<BBQQ", 0, 0, NOWHERE, NOWHERE)
    stays_compact = struct.pack("<BBHH", 0, 1, LARGEST, 0)
    messages = [(LINK_INFO, info), (GROUP_INFO, stays_compact)]
    for order, (name, member) in enumerate(node.members.items()):
        encoded = name.encode()
        soft = isinstance(member, str)
        head = struct.pack("<BB", 1, (4 if node.ordered else 0) | (8 if soft else 0)) + (b"\1" if soft else b"")
        head += (struct.pack("<Q", order) if node.ordered else b"") + bytes([len(encoded)]) + encoded
        if isinstance(member, str):
            path = member.encode()
            messages.append((LINK, head + struct.pack("<H", len(path)) + path))
        else:
            messages.append((LINK, head + struct.pack("<Q", member.address)))
    return messages


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


def _packed(rows: Column, shape: tuple[int, ...]) -> bytes:
    """A chunk of this shape, filled up with zeros: first all lowest bytes of its numbers, and so on; then gzip."""
    whole = rows
    if rows.shape != shape:
        whole = np.zeros(shape, rows.dtype)
        whole[: len(rows)] = rows
    return zlib.compress(whole.view(np.uint8).reshape(-1, whole.itemsize).T.tobytes(), LEVEL)
