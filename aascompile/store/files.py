"""Atomic file writing: a file appears under its name complete or not at all, whatever interrupts the writing."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from aascompile.errors import StoreError, reason_of

MAX_BYTES = 1 << 31
"""Larger files are rejected: no compiled file reaches two gigabytes."""

CACHE_LIMIT = 1 << 30
"""Default limit on the size of a cache, bytes."""

ENDINGS = (".aas.hdf", ".hdf", ".aas", ".bsp", ".map")
"""Endings of the names of maps and compiled files; the first match counts."""

_UNNAMED_UNSUPPORTED = (
    errno.EOPNOTSUPP,
    errno.EISDIR,
    errno.ENOENT,
    errno.EINVAL,
    errno.EPERM,
    errno.EACCES,
    errno.EXDEV,
)


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
    unnamed = getattr(os, "O_TMPFILE", 0)
    if not unnamed or os.path.isdir(target):
        return False
    try:
        file = os.open(target.parent, unnamed | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if error.errno in _UNNAMED_UNSUPPORTED:
            return False
        raise
    try:
        _fill(file, data, sync)
        source = f"/proc/self/fd/{file}"
        with suppress(FileExistsError):
            os.link(source, target, follow_symlinks=True)
            return True
        with _signals_blocked():
            temporary = _temporary(target)
            os.link(source, temporary, follow_symlinks=True)
            try:
                os.replace(temporary, target)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        return True
    except OSError as error:
        if error.errno in _UNNAMED_UNSUPPORTED:
            return False
        raise
    finally:
        os.close(file)


def _write_named(target: Path, data: bytes, sync: bool) -> None:
    """Write through a temporary file with a name of its own."""
    temporary = _temporary(target)
    with _signals_blocked():
        file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            try:
                _fill(file, data, sync)
            finally:
                os.close(file)
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


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Block signals that would end the process while a named temporary file exists."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    blocked = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, blocked)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
