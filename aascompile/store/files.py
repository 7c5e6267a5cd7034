"""Atomic file writing: a file appears under its name complete or not at all, whatever interrupts the writing."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from aascompile.errors import StoreError, reason_of
from aascompile.system import name_file, open_named, open_unnamed, signals_blocked

MAX_BYTES = 1 << 31
"""Larger files are rejected: no compiled file reaches two gigabytes."""

CACHE_LIMIT = 1 << 30
"""Default limit on the size of a cache, bytes."""

ENDINGS = (".aas.hdf", ".hdf", ".aas", ".bsp", ".map")
"""Endings of the names of maps and compiled files; the first match counts."""


def without_ending(path: str) -> str:
    """Path without the ending of a map or a compiled file."""
    return next((path[: -len(ending)] for ending in ENDINGS if path.lower().endswith(ending)), path)


def read_file(path: str) -> bytes:
    """All bytes of a file. Raise a StoreError if it cannot be read."""
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({reason_of(error)})") from None
    if len(data) > MAX_BYTES:
        raise StoreError(f"{path}: is larger than {MAX_BYTES >> 30} GB")
    return data


def write_atomically(path: str, data: bytes, *, sync: bool = True) -> None:
    """Write a file, replacing any existing one. Nothing else is left behind, even if the process is killed.

    The bytes go to a temporary file beside the target, unnamed if the system supports that. It gets the target's name
    once the bytes are on disk; without ``sync``, once they are written, so that a power failure may damage it.
    """
    target = Path(path)
    try:
        if not _write_unnamed(target, data, sync):
            _write_named(target, data, sync)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({reason_of(error)})") from None


def _write_unnamed(target: Path, data: bytes, sync: bool) -> bool:
    """Write through an unnamed temporary file. Return False if the system does not support that."""
    file = None if os.path.isdir(target) else open_unnamed(target.parent)
    if file is None:
        return False
    try:
        _fill(file, data, sync)
        with suppress(FileExistsError):
            return name_file(file, target)
        with signals_blocked():
            temporary = _temporary(target)
            if not name_file(file, temporary):
                return False
            _put_in_place(temporary, target)
        return True
    finally:
        os.close(file)


def _write_named(target: Path, data: bytes, sync: bool) -> None:
    """Write through a temporary file with a name of its own."""
    temporary = _temporary(target)
    with signals_blocked():
        file = open_named(temporary)
        try:
            try:
                _fill(file, data, sync)
            finally:
                os.close(file)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _put_in_place(temporary, target)


def _put_in_place(temporary: Path, target: Path) -> None:
    """Give a temporary file its final name. If that fails, it is deleted."""
    try:
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _temporary(target: Path) -> Path:
    """Unused name in the same folder."""
    return target.with_name(f".{target.name[:64]}.{os.urandom(8).hex()}.part")


def _fill(file: int, data: bytes, sync: bool) -> None:
    """Write all bytes, and sync them to disk if wanted."""
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
    if sync:
        os.fsync(file)
