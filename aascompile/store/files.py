"""Atomic file writing: a file appears under its name complete or not at all, whatever interrupts the writing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from aascompile import system
from aascompile.errors import StoreError, reason_of
from aascompile.patterns import pattern
from aascompile.system import lock, name_file, open_named, open_unnamed, remove_abandoned, uninterrupted

MAX_BYTES = 1 << 31
"""Larger files are rejected: no compiled file reaches two gigabytes."""

CACHE_LIMIT = 1 << 30
"""Default limit on the size of a cache, bytes."""

ENDINGS = (".aas.hdf", ".hdf", ".aas", ".bsp", ".map")
"""Endings of the names of maps and compiled files; the first match counts."""

_TEMPORARY = pattern(r"\..+\.[0-9a-f]{16}\.part", re.DOTALL)
"""Names of temporary files."""

_tidied: set[str] = set()
"""Folders without temporary files of dead processes."""


def without_ending(path: str) -> str:
    """Path without the ending of a map or a compiled file."""
    return next((path[: -len(ending)] for ending in ENDINGS if path.lower().endswith(ending)), path)


def read_file(path: str) -> bytes:
    """All bytes of a file. Raise a StoreError if it cannot be read."""
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size  # a plain read with a limit would allocate all of the limit
            data = file.read(size + 1) if size <= MAX_BYTES else bytes(0)
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({reason_of(error)})") from None
    if size > MAX_BYTES:
        raise StoreError(f"{path}: is larger than {MAX_BYTES >> 30} GB")
    return data


def write_atomically(path: str, data: bytes, *, sync: bool = True) -> None:
    """Write a file, replacing any existing one.

    The bytes go to a temporary file beside the target, unnamed if the system supports that. It gets the target's name
    once the bytes are on disk; without ``sync``, once they are written, so that a power failure may damage it.

    An unnamed file cannot replace another: it has a temporary name for a moment. If the process is killed just then,
    the next process that writes into the folder deletes it.
    """
    try:
        _tidy(_folder_of(path))
        if not _write_unnamed(path, data, sync):
            _write_named(path, data, sync)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({reason_of(error)})") from None


def _write_unnamed(target: str, data: bytes, sync: bool) -> bool:
    """Write through an unnamed temporary file. Return False if the system does not support that."""
    file = None if os.path.isdir(target) else open_unnamed(_folder_of(target))
    if file is None:
        return False
    try:
        _fill(file, data, sync)
        with suppress(FileExistsError):
            return name_file(file, target)
        with uninterrupted():
            temporary = _temporary(target)
            lock(file)
            if not name_file(file, temporary):
                return False
            with _deleted_on_failure(temporary):
                os.replace(temporary, target)
        return True
    finally:
        os.close(file)


def _write_named(target: str, data: bytes, sync: bool) -> None:
    """Write through a temporary file with a name of its own. It is locked until it has its final name, if possible."""
    with uninterrupted():
        temporary, file = _open_locked(target)
        with _deleted_on_failure(temporary):
            try:
                _fill(file, data, sync)
                if system.RENAMES_OPEN:
                    os.replace(temporary, target)
            finally:
                os.close(file)
            if not system.RENAMES_OPEN:
                os.replace(temporary, target)


def _open_locked(target: str) -> tuple[str, int]:
    """A new temporary file that no other process deletes while this one lives."""
    while True:
        temporary = _temporary(target)
        file = open_named(temporary)
        if lock(file) is not False and os.fstat(file).st_nlink:
            return temporary, file
        os.close(file)  # another process found it before it was locked, and deletes it


@contextmanager
def _deleted_on_failure(temporary: str) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _folder_of(path: str) -> str:
    return os.path.dirname(path) or "."


def _temporary(target: str) -> str:
    """Unused name in the same folder."""
    return os.path.join(_folder_of(target), f".{os.path.basename(target)[:64]}.{os.urandom(8).hex()}.part")


def _tidy(folder: str) -> None:
    """Before this process first writes into a folder, delete the temporary files that killed processes left there."""
    if folder in _tidied:
        return
    _tidied.add(folder)
    with suppress(OSError), os.scandir(folder) as found:
        names = [entry.name for entry in found if entry.name.endswith(".part")]
        for name in filter(_TEMPORARY.fullmatch, names) if names else ():
            remove_abandoned(os.path.join(folder, name))


def _fill(file: int, data: bytes, sync: bool) -> None:
    """Write all bytes, and sync them to disk if wanted."""
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
    if sync:
        os.fsync(file)
