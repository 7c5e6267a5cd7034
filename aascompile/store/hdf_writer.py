"""HDF5 files made in memory through the library's own level: h5py's easier one takes most of a small map's time."""

from __future__ import annotations

from typing import Any

import numpy as np

from aascompile.store.schema import Column

LEVEL = 4
"""Of gzip: 6 saves two percent and takes twice the time."""
CHUNK_ROWS = 65536
SMALL = 1024
"""Bytes: a column of less lies in its header as it is, where compression would cost more than it saves."""


class HdfWriter:
    """A file in memory. HDF5 writes in many small pieces, and nobody should see half of them."""

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
        for how in (self._plain, self._ordered):
            how.set_obj_track_times(False)
        self._ordered.set_link_creation_order(h5p.CRT_ORDER_TRACKED | h5p.CRT_ORDER_INDEXED)
        self._kinds: dict[np.dtype[Any], Any] = {}

    def group(self, parent: Any, name: str, *, ordered: bool = False) -> Any:
        """A new group; ``ordered``: it remembers in which order its members came."""
        return self._h5g.create(parent, name.encode(), gcpl=self._ordered if ordered else self._plain)

    def number(self, group: Any, name: str, value: Any) -> None:
        """An attribute of one or several whole numbers."""
        rows = np.asarray(value, np.int64)
        self._attribute(group, name, self._h5t.STD_I64LE, rows)

    def text(self, group: Any, name: str, value: str, *, ascii_only: bool = False) -> None:
        """An attribute that is a text of fixed length, which needs no heap in the file."""
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
        """A dataset with a column's rows."""
        rows = np.ascontiguousarray(column)
        how = self._h5p.create(self._h5p.DATASET_CREATE)
        how.set_obj_track_times(False)
        if rows.nbytes <= SMALL:
            how.set_layout(self._h5d.COMPACT)
        else:
            how.set_chunk((min(len(rows), CHUNK_ROWS), *rows.shape[1:]))
            how.set_shuffle()
            how.set_deflate(LEVEL)
        if rows.dtype not in self._kinds:
            self._kinds[rows.dtype] = self._h5t.py_create(rows.dtype.newbyteorder("<"))
        kind = self._kinds[rows.dtype]
        dataset = self._h5d.create(group, name.encode(), kind, self._h5s.create_simple(rows.shape), how)
        if rows.size:
            dataset.write(self._h5s.ALL, self._h5s.ALL, rows)

    def link(self, group: Any, name: str, there: Any, old: str) -> None:
        """Another name for a member of a group."""
        group.links.create_hard(name.encode(), there, old.encode())

    def soft_link(self, group: Any, name: str, path: str) -> None:
        """A name that stands for a path."""
        group.links.create_soft(name.encode(), path.encode())

    def finish(self) -> bytes:
        """The bytes of the file, which is then closed."""
        self._h5f.flush(self._file)
        image: bytes = self._file.get_file_image()
        self._file.close()
        return image
