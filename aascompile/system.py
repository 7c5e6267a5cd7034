"""What differs between operating systems. Every other module is the same on Linux, macOS and Windows.

Each function does without what a system lacks: tests take it away and expect the same results.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

START: Final = "spawn"
"""How worker processes are started. A fork would copy locks that other threads hold, and Windows has no fork."""

_ENDING: Final = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals that end a process, as far as the system has them."""

_NO_UNNAMED: Final = (
    errno.EOPNOTSUPP,
    errno.EISDIR,
    errno.ENOENT,
    errno.EINVAL,
    errno.EPERM,
    errno.EACCES,
    errno.EXDEV,
)
"""Errors of systems and file systems that do not support unnamed files."""


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def peak_memory() -> float | None:
    """Peak resident memory of this process so far, MiB; None if the system does not say."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024.0 * 1024.0) if sys.platform == "darwin" else peak / 1024.0


@contextmanager
def signals_blocked(*names: str) -> Iterator[None]:
    """Keep signals waiting, by default all that end a process. Without effect on systems that cannot."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    blocked = {getattr(signal, name) for name in names or _ENDING if hasattr(signal, name)}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, blocked)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_interrupts() -> None:
    """Let Ctrl-C pass by this process, also if it was started while signals were blocked. SIGTERM ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def open_unnamed(folder: str | os.PathLike[str]) -> int | None:
    """Open a new file without a name, to be written; None if the system does not support that.

    It vanishes with the process unless ``name_file`` names it.
    """
    unnamed = getattr(os, "O_TMPFILE", 0)
    if not unnamed:
        return None
    try:
        return os.open(folder, unnamed | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if error.errno in _NO_UNNAMED:
            return None
        raise


def name_file(file: int, path: str | os.PathLike[str]) -> bool:
    """Name an unnamed file; False if the system cannot. Raises FileExistsError if the name is taken."""
    try:
        # The path is absolute, so src_dir_fd has no effect but this: Python calls linkat, which can follow the link.
        os.link(f"/proc/self/fd/{file}", path, src_dir_fd=file, follow_symlinks=True)
    except OSError as error:
        if error.errno in _NO_UNNAMED:
            return False
        raise
    return True


def open_named(path: str | os.PathLike[str]) -> int:
    """Open a new file, to be written as bytes. Raises FileExistsError if the name is taken."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
