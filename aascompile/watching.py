"""Notices when files change, by looking at them now and then: no system service is needed, and any way of saving works.

A file counts as changed if its content differs and it has not changed between two looks: an editor may take a moment to
write it. A file that is missing for a moment, as while another takes its place, is waited for.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Final, Generic, TypeVar

LOOK: Final = 0.05
"""Seconds between two looks at a file."""

Result = TypeVar("Result")
Signature = tuple[int, int, int]


class FileWatch:
    """A file that may change, and files beside it that may also come and go."""

    def __init__(self, path: str, *beside: str) -> None:
        self._paths = (path, *beside)
        self._seen = self._signatures()
        self._digest = self._digests()
        self._new: tuple[Signature | None, ...] | None = None

    def changed(self) -> bool:
        """Whether the content has changed since it was last asked for. Ask every ``LOOK`` seconds."""
        now = self._signatures()
        if now[0] is None or now == self._seen:
            self._new = None
            return False
        if now != self._new:
            self._new = now
            return False
        digest = self._digests()
        if digest[0] is None:
            return False
        self._seen, self._new = now, None
        before, self._digest = self._digest, digest
        return digest != before

    def _signatures(self) -> tuple[Signature | None, ...]:
        return tuple(map(_signature, self._paths))

    def _digests(self) -> tuple[bytes | None, ...]:
        return tuple(map(_digest, self._paths))


def _signature(path: str) -> Signature | None:
    """Time, size and number of a file; None if it is missing."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _digest(path: str) -> bytes | None:
    """Digest of the content of a file; None if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "blake2b").digest()
    except (OSError, ValueError):
        return None


class FileFollower(Generic[Result]):
    """Makes something of a file anew in a thread of its own, each time the file changes."""

    def __init__(self, paths: Sequence[str], make: Callable[[], Result]) -> None:
        """The files are watched from now on; all but the first may be missing."""
        self._watch = FileWatch(*paths)
        self._make = make
        self._made: SimpleQueue[Result] = SimpleQueue()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def take(self) -> Result | None:
        """What was made since the last call, if anything."""
        try:
            return self._made.get_nowait()
        except Empty:
            return None

    def close(self) -> None:
        """Stop watching."""
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._end.wait(LOOK):
            if self._watch.changed():
                self._made.put(self._make())
