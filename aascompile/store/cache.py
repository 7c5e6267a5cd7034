"""A folder of results by key, bounded in size, that many processes may use at once without locks.

An entry is a file that appears complete or not at all. Reading it sets its time, and the entries that were not read for
longest are deleted when the folder grows too large. An entry that is damaged, or that another process deletes, is
missing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np

from aascompile.errors import StoreError, reason_of
from aascompile.store.files import CACHE_LIMIT, write_atomically
from aascompile.store.pack import Column, Packed, pack, unpack
from aascompile.system import remove_abandoned

SUFFIX: Final = ".aascache"
KEPT: Final = 0.8
"""Share of the limit that is kept when entries are deleted, so that this happens rarely."""
LOOK_EVERY: Final = 64
"""Entries written before a process looks again at what others have written."""


class Cache:
    """Results of compiles in a folder, for ``compile_map`` and ``Pool``. Many processes may share the folder.

    It never grows beyond ``limit`` bytes for long: the results that were not used for longest are deleted.
    """

    def __init__(self, folder: str | os.PathLike[str], limit: int = CACHE_LIMIT) -> None:
        """``folder`` is created when it is first written to."""
        self.folder = Path(os.fsdecode(folder))
        self.limit = limit
        self._size = 0
        self._writes = 0

    def get(self, key: str) -> Packed | None:
        """Entry of a key; None if there is none. The entry counts as used now."""
        path = self._path(key)
        try:
            with open(path, "rb") as file:
                data = np.empty(os.fstat(file.fileno()).st_size, np.uint8)
                if file.readinto(data) != len(data):  # type: ignore[arg-type]
                    return None
        except OSError:
            return None
        with suppress(OSError):
            os.utime(path)
        try:
            return unpack(data)
        except StoreError:
            with suppress(OSError):
                path.unlink()
            return None

    def put(self, key: str, about: Mapping[str, Any], columns: Mapping[str, Column] | None = None) -> None:
        """Store an entry, replacing any other of the key. Raises StoreError if the folder cannot be written to."""
        data = pack(about, columns)
        if len(data) > KEPT * self.limit:
            return
        # Make room first: the disk may be full.
        if self._writes % LOOK_EVERY == 0 or self._size + len(data) > self.limit:
            self._size = self._make_room(len(data))
        self._writes += 1
        self._size += len(data)
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(str(path), data, sync=False)
        except OSError as error:
            raise StoreError(f"{self.folder}: cannot be written to ({reason_of(error)})") from None

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / (key + SUFFIX)

    def _make_room(self, more: int) -> int:
        """Delete the entries used longest ago if ``more`` bytes would be too many. Returns the bytes that are left."""
        found: list[tuple[int, int, str]] = []
        for folder in _entries(self.folder):
            for entry in _entries(folder.path):
                with suppress(OSError):
                    status = entry.stat()
                    if entry.name.endswith(SUFFIX):
                        found.append((status.st_mtime_ns, status.st_size, entry.path))
                    elif entry.name.endswith(".part"):
                        remove_abandoned(entry.path)
        size = sum(row[1] for row in found)
        if size + more <= self.limit:
            return size
        for _, bytes_of_it, path in sorted(found):
            if size + more <= KEPT * self.limit:
                break
            with suppress(OSError):
                os.unlink(path)
            size -= bytes_of_it
        return size


def _entries(folder: str | Path) -> list[os.DirEntry[str]]:
    """What a folder holds; nothing if it is no folder."""
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []
