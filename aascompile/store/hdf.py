"""Writer and reader of compiled files, ``map.aas.hdf``: HDF5 with our tables in /aas and a view for VTK in /VTKHDF.

The same compiled map gives the same bytes. docs/data-model.md describes the tables.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from aascompile.checks.check_structure import structure_faults
from aascompile.errors import StoreError, reason_of
from aascompile.model.compiled import Compiled, Provenance
from aascompile.store.files import read_file, write_atomically
from aascompile.store.hdf_writer import MAGIC, HdfWriter
from aascompile.store.schema import OPTIONAL, SPECS, Column, Columns, Spec, from_columns, shape_faults, to_columns
from aascompile.store.vtkhdf import add_view

FORMAT = "aascompile"
FORMAT_VERSION = 6

_HDF_ERRORS = (OSError, RuntimeError, KeyError, ValueError, TypeError, AttributeError, OverflowError, SystemError)
"""Exceptions that h5py raises for damaged files."""


def write_compiled(path: str, compiled: Compiled) -> None:
    """Write a compiled file, completely or not at all. Raise a StoreError on failure."""
    write_atomically(path, compiled_bytes(compiled))


def compiled_bytes(compiled: Compiled, threads: int = 1) -> bytes:
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
    return writer.finish(threads)


def _hint(path: str) -> str:
    """What to do with a map that was given instead of a compiled file."""
    return "; compile it first: aascompile " + path if path.lower().endswith((".bsp", ".map", ".pk3")) else ""


def read_compiled(path: str, *, check: bool = True) -> Compiled:
    """Read a compiled file. Raise a StoreError if it is another kind of file, has a newer format, or is damaged.

    ``check``: also check that all starts and row numbers are in range. Unchecked rows must not be used as indexes.
    """
    from aascompile.store.hdf_reader import FAULTS, HdfReader

    try:
        with open(path, "rb") as raw:
            magic = raw.read(len(MAGIC))
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({reason_of(error)})") from None
    if magic != MAGIC:
        raise StoreError(f"{path}: is not a compiled file" + _hint(path))
    try:
        compiled = _read(HdfReader(read_file(path)))
    except FAULTS:
        compiled = _read_by_library(path)
    except StoreError as error:
        raise StoreError(f"{path}: {error}") from None
    if check:
        for fault in structure_faults(compiled):
            raise StoreError(f"{path}: is damaged ({fault})")
    return compiled


def _read_by_library(path: str) -> Compiled:
    """Read a file that our writer has not written, or that is damaged; the library says what is wrong with it."""
    from aascompile.store.hdf_library import HdfFile

    try:
        with HdfFile(path, os.path.getsize(path)) as file:
            return _read(file)
    except StoreError as error:
        raise StoreError(f"{path}: {error}") from None
    except _HDF_ERRORS as error:
        raise StoreError(f"{path}: is damaged ({_first_line(error)})") from None


class _Source(Protocol):
    """An open file."""

    def attributes(self) -> Mapping[str, Any]: ...
    def has(self, table: str) -> bool: ...
    def column(self, spec: Spec) -> Column: ...


def _first_line(error: BaseException) -> str:
    """First line of an error of the library."""
    lines = str(error).strip("'\"").splitlines()
    return lines[0][:200] if lines else type(error).__name__


def _read(file: _Source) -> Compiled:
    """Read a compiled map from an open file."""
    attributes = file.attributes()
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
    missing = {table for tables in OPTIONAL.values() if not file.has(tables[0]) for table in tables}
    columns: Columns = {}
    for spec in SPECS:
        if spec.path.partition("/")[0] in missing:
            continue
        if version < spec.since:
            beside = next(columns[other.path] for other in SPECS if other.rows == spec.rows)
            columns[spec.path] = np.full(
                (len(beside), spec.width) if spec.width else len(beside), spec.before, spec.dtype
            )
        else:
            columns[spec.path] = file.column(spec)
    for fault in shape_faults(columns):
        raise StoreError(f"is damaged ({fault})")
    return from_columns(columns, provenance)


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
