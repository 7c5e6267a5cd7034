"""What differs between operating systems. Every other module is the same on Linux, macOS and Windows.

Each function does without what a system lacks: tests take it away and expect the same results.
"""

from __future__ import annotations

import errno
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final

try:
    import _signal as signal  # type: ignore[import-not-found]  # signal wraps its numbers in classes
except ImportError:
    import signal

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


ABANDONED: Final = 3600.0
"""Seconds after which a temporary file that cannot be locked belongs to no live process."""

RENAMES_OPEN: Final = os.name != "nt"
"""Whether a file can be renamed while it is open."""


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


def memory_used() -> float | None:
    """Resident memory of this process now, MiB; its peak if the system does not say; None if it says neither."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1024.0 * 1024.0)
    except (OSError, ValueError, IndexError, AttributeError):
        return _windows_memory() if sys.platform == "win32" else peak_memory()


def _windows_memory() -> float | None:
    """Resident memory of this process on Windows, MiB."""
    import ctypes
    from ctypes import wintypes

    class Counters(ctypes.Structure):
        _fields_ = [
            ("size", wintypes.DWORD),
            ("faults", wintypes.DWORD),
            *[(f"count{row}", ctypes.c_size_t) for row in range(8)],
        ]

    counters = Counters()
    counters.size = ctypes.sizeof(counters)
    library: Any = getattr(ctypes, "windll").psapi  # noqa: B009  # only Windows has it
    process = getattr(ctypes, "windll").kernel32.GetCurrentProcess()  # noqa: B009
    if not library.GetProcessMemoryInfo(process, ctypes.byref(counters), counters.size):
        return None
    return float(counters.count1) / (1024.0 * 1024.0)


ENDING = threading.Lock()
"""Held while the process must not end: a temporary file has a name, or its last words are being said."""


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let nothing end the process but its death: neither a signal that ends processes nor a limit."""
    with signals_blocked(), ENDING:
        yield


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


@contextmanager
def ended_by_exit() -> Iterator[None]:
    """Let signals that ask the process to end raise SystemExit, so that temporary folders are deleted."""

    def leave(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    mine = threading.current_thread() is threading.main_thread()
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if mine and hasattr(signal, name)]
    before = [signal.signal(number, leave) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _end(number: int, frame: object) -> None:
    os._exit(130)


def _raise(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, except inside an import: it may leave a lock there that other threads wait for."""
    inner = frame
    while frame is not None and not ENDING.locked():
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            if sys.stderr.isatty():
                os.write(sys.stderr.fileno(), b"\x1b[?25h")  # a progress bar hides the cursor
            _end(number, frame)
        frame = frame.f_back
    signal.default_int_handler(number, inner)


def end_when_interrupted() -> bool:
    """Let Ctrl-C end the process without a word. False in threads, and where a program handles it in its own way."""
    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGINT) not in (signal.SIG_DFL, signal.default_int_handler, _end, _raise):
        return False
    signal.signal(signal.SIGINT, _end)
    return True


def raise_when_interrupted() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again after ``end_when_interrupted``, unless something is being imported."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, _raise)


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


def lock(file: int) -> bool | None:
    """Lock an open file until it is closed or this process dies. False if it is locked; None if there are no locks."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return None
    return True


def remove_abandoned(path: str | os.PathLike[str]) -> None:
    """Delete a temporary file whose writer is dead: nobody locks it.

    Where there are no locks, a writer counts as dead after ``ABANDONED`` seconds.
    """
    with suppress(OSError):
        file = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        try:
            locked = lock(file)
            age = abs(time.time() - os.fstat(file).st_mtime)  # clocks go back too
            if locked:
                os.unlink(path)  # still locked, so that a writer who has just made it sees that it is lost
        finally:
            os.close(file)
        if locked is None and age > ABANDONED:
            os.unlink(path)


@contextmanager
def own_folder(prefix: str) -> Iterator[str]:
    """A temporary folder, deleted in the end; before, those are deleted that killed processes left under the prefix.

    A live process locks its folder. Where folders cannot be locked, nothing is known of their owners, and they stay.
    """
    import glob
    from tempfile import TemporaryDirectory, gettempdir

    for path in glob.glob(os.path.join(glob.escape(gettempdir()), f"{prefix}*")):
        _remove_abandoned_folder(path)
    while True:
        with TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as folder:
            file = _open_folder(folder)
            try:
                # Another process may have found the folder before it was locked, and deleted it.
                if file is None or (lock(file) is not False and os.path.isdir(folder)):
                    yield folder
                    return
            finally:
                if file is not None:
                    os.close(file)


def _open_folder(path: str) -> int | None:
    """Open a folder, to lock it. None if that is not possible, or if it belongs to another user."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except (AttributeError, OSError):
        return None
    if os.fstat(file).st_uid == os.getuid():
        return file
    os.close(file)
    return None


def _remove_abandoned_folder(path: str) -> None:
    """Delete a temporary folder whose owner is dead: nobody locks it."""
    from shutil import rmtree

    file = _open_folder(path)
    if file is not None:
        try:
            if lock(file):
                rmtree(path, ignore_errors=True)
        finally:
            os.close(file)


def open_named(path: str | os.PathLike[str]) -> int:
    """Open a new file, to be written as bytes. Raises FileExistsError if the name is taken."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
