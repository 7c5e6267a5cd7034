"""HDF5 files built in memory with h5py's low-level interface. The high-level one would dominate a small compile."""

from __future__ import annotations

from typing import Any

import numpy as np

from aascompile.store.schema import Column

LEVEL = 2
"""gzip level. Level 4 saves three percent and takes half as long again."""
CHUNK_ROWS = 65536
SMALL = 1024
"""Columns of at most this many bytes are stored uncompressed in their header: compressing them costs more than it
saves."""


class HdfWriter:
    """An HDF5 file in memory. HDF5 writes many small pieces, and no reader should see an incomplete file."""

    def __init__(self) -> None:
        from h5py import h5a, h5d, h5f, h5g, h5p, h5s, h5t

        self._h5a, self._h5d, self._h5f, self._h5g = h5a, h5d, h5f, h5g
        self._h5p, self._h5s, self._h5t = h5p, h5s, h5t
        access = h5p.create(h5p.FILE_ACCESS)
        access.set_fapl_core(1 << 20, False)
        access.set_libver_bounds(h5f.LIBVER_V110, h5f.LIBVER_V110)
        timeless = h5p.create(h5p.FILE_CREATE)
        timeless.set_obj_track_times(False)
        self._file = h5f.create(b"compiled", h5f.ACC_TRUNC, fcpl=timeless, fapl=access)
        self.root = h5g.open(self._file, b"/")
        self._plain, self._ordered = h5p.create(h5p.GROUP_CREATE), h5p.create(h5p.GROUP_CREATE)
        for creation in (self._plain, self._ordered):
            creation.set_obj_track_times(False)
        self._ordered.set_link_creation_order(h5p.CRT_ORDER_TRACKED | h5p.CRT_ORDER_INDEXED)
        self._kinds: dict[np.dtype[Any], Any] = {}

    def group(self, parent: Any, name: str, *, ordered: bool = False) -> Any:
        """Create a group. ``ordered``: it records the order in which its members are created."""
        return self._h5g.create(parent, name.encode(), gcpl=self._ordered if ordered else self._plain)

    def number(self, group: Any, name: str, value: Any) -> None:
        """Add an attribute of one or more integers."""
        rows = np.asarray(value, np.int64)
        self._attribute(group, name, self._h5t.STD_I64LE, rows)

    def text(self, group: Any, name: str, value: str, *, ascii_only: bool = False) -> None:
        """Add a text attribute. Its fixed length needs no heap in the file."""
        encoded = value.encode("utf-8", "backslashreplace") or b"\0"
        kind = self._h5t.C_S1.copy()
        kind.set_size(len(encoded))
        kind.set_strpad(self._h5t.STR_NULLPAD)
        kind.set_cset(self._h5t.CSET_ASCII if ascii_only else self._h5t.CSET_UTF8)
        self._attribute(group, name, kind, np.array(encoded, f"S{len(encoded)}"))

    def _attribute(self, group: Any, name: str, kind: Any, rows: Column) -> None:
        space = self._h5s.create_simple(rows.shape) if rows.shape else self._h5s.create(self._h5s.SCALAR)
        self._h5a.create(group, name.encode(), kind, space).write(rows, mtype=kind)

    def column(self, group: Any, name: str, column: Column) -> None:
        """Add a dataset with the rows of a column."""
        rows = np.ascontiguousarray(column)
        creation = self._h5p.create(self._h5p.DATASET_CREATE)
        creation.set_obj_track_times(False)
        if rows.nbytes <= SMALL:
            creation.set_layout(self._h5d.COMPACT)
        else:
            creation.set_chunk((min(len(rows), CHUNK_ROWS), *rows.shape[1:]))
            creation.set_shuffle()
            creation.set_deflate(LEVEL)
        if rows.dtype not in self._kinds:
            self._kinds[rows.dtype] = self._h5t.py_create(rows.dtype.newbyteorder("<"))
        kind = self._kinds[rows.dtype]
        dataset = self._h5d.create(group, name.encode(), kind, self._h5s.create_simple(rows.shape), creation)
        if rows.size:
            dataset.write(self._h5s.ALL, self._h5s.ALL, rows)

    def link(self, group: Any, name: str, other_group: Any, member: str) -> None:
        """Add a hard link to a member of another group."""
        group.links.create_hard(name.encode(), other_group, member.encode())

    def soft_link(self, group: Any, name: str, path: str) -> None:
        """Add a soft link to a path."""
        group.links.create_soft(name.encode(), path.encode())

    def finish(self) -> bytes:
        """Close the file and return its bytes."""
        self._h5f.flush(self._file)
        image: bytes = self._file.get_file_image()
        self._file.close()
        return image
