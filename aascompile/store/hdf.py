"""Writer and reader of compiled files, ``map.aas.hdf``: HDF5 with our tables in /aas and a view for VTK in /VTKHDF.

The same compiled map gives the same bytes. docs/data-model.md describes the tables.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from aascompile.checks.check_structure import structure_faults
from aascompile.errors import StoreError, reason_of
from aascompile.model.compiled import Compiled, Provenance
from aascompile.store.files import MAX_BYTES, write_atomically
from aascompile.store.hdf_writer import SMALL, HdfWriter
from aascompile.store.schema import OPTIONAL, SPECS, Column, Columns, Spec, from_columns, shape_faults, to_columns
from aascompile.store.vtkhdf import add_view

FORMAT = "aascompile"
FORMAT_VERSION = 4
MAGIC = b"\x89HDF\r\n\x1a\n"

MAX_RATIO = 1100
"""Limit on the compression ratio. gzip reaches at most 1,032 to 1, so a column that claims more is an attack on
memory."""

_HDF_ERRORS = (OSError, RuntimeError, KeyError, ValueError, TypeError, AttributeError, OverflowError, SystemError)
"""Exceptions that h5py raises for damaged files."""


def write_compiled(path: str, compiled: Compiled) -> None:
    """Write a compiled file, completely or not at all. Raise a StoreError on failure."""
    write_atomically(path, compiled_bytes(compiled))


def compiled_bytes(compiled: Compiled) -> bytes:
    """Bytes of a compiled file."""
    columns = to_columns(compiled)
    for fault in structure_faults(compiled):
        raise StoreError(f"cannot be written: {fault}")
    writer, origin = HdfWriter(), compiled.provenance
    writer.text(writer.root, "format", FORMAT)
    writer.number(writer.root, "format_version", FORMAT_VERSION)
    writer.number(writer.root, "checksum", origin.checksum)
    for name in ("generator", "name", "sha256", "settings", "stages", "geometry"):
        writer.text(writer.root, name, getattr(origin, name))
    group = writer.group(writer.root, "aas")
    tables: dict[str, Any] = {}
    for path, column in columns.items():
        table, _, name = path.partition("/")
        if table not in tables:
            tables[table] = writer.group(group, table)
        writer.column(tables[table], name, column)
    add_view(writer, group, columns)
    return writer.finish()


def _hint(path: str) -> str:
    """What to do with a map that was given instead of a compiled file."""
    return "; compile it first: aascompile " + path if path.lower().endswith((".bsp", ".map", ".pk3")) else ""


def read_compiled(path: str, *, check: bool = True) -> Compiled:
    """Read a compiled file. Raise a StoreError if it is another kind of file, has a newer format, or is damaged.

    ``check``: also check that all starts and row numbers are in range. Unchecked rows must not be used as indexes.
    """
    import h5py

    try:
        with open(path, "rb") as raw:
            magic, size = raw.read(len(MAGIC)), os.fstat(raw.fileno()).st_size
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({reason_of(error)})") from None
    if magic != MAGIC:
        raise StoreError(f"{path}: is not a compiled file" + _hint(path))
    if size > MAX_BYTES:
        raise StoreError(f"{path}: is larger than {MAX_BYTES >> 30} GB")
    try:
        with h5py.File(path, "r", locking=False) as file:
            compiled = _read(file, size)
    except StoreError as error:
        raise StoreError(f"{path}: {error}") from None
    except _HDF_ERRORS as error:
        raise StoreError(f"{path}: is damaged ({_first_line(error)})") from None
    if check:
        for fault in structure_faults(compiled):
            raise StoreError(f"{path}: is damaged ({fault})")
    return compiled


def _first_line(error: BaseException) -> str:
    """First line of an error of the library."""
    lines = str(error).strip("'\"").splitlines()
    return lines[0][:200] if lines else type(error).__name__


def _read(file: Any, size: int) -> Compiled:
    """Read a compiled map from an open file of ``size`` bytes."""
    from h5py import h5d, h5g

    attributes = {name: file.attrs[name] for name in file.attrs if name in _ATTRIBUTES}
    if _text(attributes, "format") != FORMAT:
        raise StoreError("is not a compiled file (it has another format)")
    version = _number(attributes, "format_version")
    if version > FORMAT_VERSION:
        raise StoreError(
            f"has format version {version}, but this aascompile reads up to {FORMAT_VERSION}; use a newer aascompile"
        )
    if version < 1:
        raise StoreError(f"has format version {version}, which does not exist")
    provenance = Provenance(
        generator=_text(attributes, "generator"),
        name=_text(attributes, "name"),
        sha256=_text(attributes, "sha256"),
        checksum=_number(attributes, "checksum"),
        settings=_text(attributes, "settings"),
        stages=_text(attributes, "stages"),
        geometry=_text(attributes, "geometry") if "geometry" in attributes else "",
    )
    _expect_json(provenance.settings, dict, "settings")
    _expect_json(provenance.stages, list, "stages")
    group = _member(file.id, "aas", h5g.GroupID)
    missing = {table for tables in OPTIONAL.values() if not group.links.exists(tables[0].encode()) for table in tables}
    columns: Columns = {}
    tables: dict[str, Any] = {}
    for spec in SPECS:
        table, _, name = spec.path.partition("/")
        if table not in missing:
            if table not in tables:
                tables[table] = _member(group, table, h5g.GroupID)
            if version < spec.since:
                beside = next(columns[other.path] for other in SPECS if other.rows == spec.rows)
                columns[spec.path] = np.full(len(beside), spec.before, spec.dtype)
                continue
            columns[spec.path] = _read_column(_member(tables[table], name, h5d.DatasetID), spec, size)
    for fault in shape_faults(columns):
        raise StoreError(f"is damaged ({fault})")
    return from_columns(columns, provenance)


_ATTRIBUTES = ("format", "format_version", "generator", "name", "sha256", "checksum", "settings", "stages", "geometry")


def _text(attributes: Mapping[str, Any], name: str) -> str:
    """Text attribute of the root."""
    value = attributes.get(name)
    if isinstance(value, bytes | np.bytes_):
        value = bytes(value).rstrip(b"\0").decode("utf-8", "backslashreplace")
    if not isinstance(value, str):
        raise StoreError(f"is damaged (it has no {name})" if name != "format" else "is not a compiled file")
    return value.rstrip("\0")


def _number(attributes: Mapping[str, Any], name: str) -> int:
    """Integer attribute of the root."""
    value = attributes.get(name)
    if not isinstance(value, int | np.integer):
        raise StoreError(f"is damaged (it has no {name})")
    return int(value)


def _expect_json(text: str, kind: type, name: str) -> None:
    try:
        valid = isinstance(json.loads(text), kind)
    except (ValueError, RecursionError):
        valid = False
    if not valid:
        raise StoreError(f"is damaged (its {name} are not a JSON {'object' if kind is dict else 'list'})")


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
    if needed > MAX_RATIO * min(stored, size) + SMALL:
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
