"""Reads compiled files with the HDF5 library: those that another program has written or changed, and damaged ones."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from aascompile.errors import StoreError
from aascompile.store.hdf_reader import may_unpack
from aascompile.store.schema import Column, Spec

ATTRIBUTES = ("format", "format_version", "generator", "name", "sha256", "checksum", "settings", "stages", "geometry")


class HdfFile:
    """An open file of ``size`` bytes. Its methods are those of ``hdf_reader.HdfReader``."""

    def __init__(self, path: str, size: int) -> None:
        import h5py

        self._file = h5py.File(path, "r", locking=False)
        self._size = size
        self._tables: dict[str, Any] = {}

    def __enter__(self) -> HdfFile:
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def attributes(self) -> dict[str, Any]:
        """Numbers and texts of the root."""
        return {name: self._file.attrs[name] for name in self._file.attrs if name in ATTRIBUTES}

    def has(self, table: str) -> bool:
        """Whether there is such a table."""
        return bool(self._group.links.exists(table.encode()))

    def column(self, spec: Spec) -> Column:
        """Rows of a column."""
        from h5py import h5d, h5g

        table, _, name = spec.path.partition("/")
        if table not in self._tables:
            self._tables[table] = _member(self._group, table, h5g.GroupID)
        return _read_column(_member(self._tables[table], name, h5d.DatasetID), spec, self._size)

    @cached_property
    def _group(self) -> Any:
        from h5py import h5g

        return _member(self._file.id, "aas", h5g.GroupID)


def _member(group: Any, name: str, kind: type) -> Any:
    """Member of a group, which must be stored in the file itself. Uses h5py's low-level interface, which is faster."""
    from h5py import h5l, h5o

    encoded = name.encode()
    if not group.links.exists(encoded):
        raise StoreError(f"is damaged (it has no {name})")
    if group.links.get_info(encoded).type != h5l.TYPE_HARD:
        raise StoreError(f"is damaged ({name} is a link, not stored in the file)")
    member = h5o.open(group, encoded)
    if not isinstance(member, kind):
        raise StoreError(f"is damaged ({name} is the wrong kind of object)")
    return member


def _read_column(dataset: Any, spec: Spec, size: int) -> Column:
    """Rows of a column, after checking that its type, shape and storage match what our writer produces."""
    from h5py import h5s

    shape, dtype = tuple(dataset.shape or ()), dataset.dtype
    if dtype != np.dtype(spec.dtype):
        raise StoreError(f"is damaged ({spec.path} is {dtype}, not {spec.dtype})")
    if len(shape) != 1 + (spec.width > 0) or (spec.width and shape[1] != spec.width):
        raise StoreError(f"is damaged ({spec.path} has the shape {shape})")
    if 0 in shape:
        return np.zeros(shape, spec.dtype)
    stored = dataset.get_storage_size()
    needed = max(math.prod(shape) * dtype.itemsize, _chunk_bytes(dataset, spec))
    if not may_unpack(needed, stored, size):
        raise StoreError(f"is damaged ({spec.path} claims to unpack {stored:,} bytes to {needed:,})")
    rows = np.empty(shape, spec.dtype)
    dataset.read(h5s.ALL, h5s.ALL, rows)
    return rows


def _chunk_bytes(dataset: Any, spec: Spec) -> int:
    """Unpacked bytes of a chunk; 0 without chunks.

    Raise a StoreError if the rows are stored outside the file or need a filter plugin.
    """
    from h5py import h5d, h5z

    creation = dataset.get_create_plist()
    layout = creation.get_layout()
    if layout in (h5d.CONTIGUOUS, h5d.COMPACT) and creation.get_external_count() == 0:
        return 0
    if layout != h5d.CHUNKED:
        raise StoreError(f"is damaged ({spec.path} is stored outside the file)")
    filters = {creation.get_filter(row)[0] for row in range(creation.get_nfilters())}
    if not filters <= {h5z.FILTER_DEFLATE, h5z.FILTER_SHUFFLE, h5z.FILTER_FLETCHER32}:
        raise StoreError(f"is damaged ({spec.path} uses an unsupported compression)")
    return int(math.prod(creation.get_chunk()) * dataset.dtype.itemsize)
