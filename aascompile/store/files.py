"""Whole files, or none: what is written appears under its name complete, whatever happens meanwhile."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from aascompile.errors import StoreError, reason_of

MOST_BYTES = 1 << 31
"""A compiled file of two gigabytes is none of ours."""

ENDINGS = (".aas.hdf", ".hdf", ".aas", ".bsp", ".map")
"""What the names of maps and compiled files end in; the first that fits counts."""

_NO_NAMELESS = (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL, errno.EPERM, errno.EACCES, errno.EXDEV)


def without_ending(path: str) -> str:
    """The path without the ending that marks it as a map or a compiled file."""
    return next((path[: -len(ending)] for ending in ENDINGS if path.lower().endswith(ending)), path)


def read_whole(path: str) -> bytes:
    """All bytes of a file; StoreError when it cannot be read."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise StoreError(f"{path}: cannot be read ({reason_of(error)})") from None
    if len(data) > MOST_BYTES:
        raise StoreError(f"{path}: is larger than {MOST_BYTES >> 30} GB")
    return data


def write_whole(path: str, data: bytes) -> None:
    """Put bytes under a name, in place of what is there; nothing else is left behind, not even by a kill.

    The bytes go to a file beside the target, which has no name where the system can do that, and get the name when
    they are safe on disk.
    """
    target = Path(path)
    try:
        if not _written_nameless(target, data):
            _written_named(target, data)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({reason_of(error)})") from None


def _written_nameless(target: Path, data: bytes) -> bool:
    """Write through a file without a name; False when the system has no such thing."""
    nameless = getattr(os, "O_TMPFILE", 0)
    if not nameless or os.path.isdir(target):
        return False
    try:
        file = os.open(target.parent, nameless | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if error.errno in _NO_NAMELESS:
            return False
        raise
    try:
        _fill(file, data)
        source = f"/proc/self/fd/{file}"
        with suppress(FileExistsError):
            os.link(source, target, follow_symlinks=True)
            return True
        with _unkilled():
            beside = _beside(target)
            os.link(source, beside, follow_symlinks=True)
            try:
                os.replace(beside, target)
            except BaseException:
                beside.unlink(missing_ok=True)
                raise
        return True
    except OSError as error:
        if error.errno in _NO_NAMELESS:
            return False
        raise
    finally:
        os.close(file)


def _written_named(target: Path, data: bytes) -> None:
    """Write through a file with a name of its own."""
    beside = _beside(target)
    with _unkilled():
        file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            try:
                _fill(file, data)
            finally:
                os.close(file)
            os.replace(beside, target)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise


def _beside(target: Path) -> Path:
    """A name in the same folder that nobody uses."""
    return target.with_name(f".{target.name[:64]}.{os.urandom(8).hex()}.part")


def _fill(file: int, data: bytes) -> None:
    """All bytes, onto the disk."""
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
    os.fsync(file)


@contextmanager
def _unkilled() -> Iterator[None]:
    """Let signals that would end this thread wait until a file beside the target is gone again."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    waiting = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, waiting)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
