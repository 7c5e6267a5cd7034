"""Times and next links between all areas: a dense table for answers in constant time, kept in a file of its own."""

from __future__ import annotations

import json
import os
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile.errors import StoreError
from aascompile.model.compiled import Compiled
from aascompile.model.mapdata import Int
from aascompile.nav.routes import Router
from aascompile.nav.tables import GoalTable
from aascompile.nav.terms import checked_numbers
from aascompile.records import dataclass
from aascompile.store.files import write_atomically
from aascompile.threads import over_ranges

MAGIC: Final = b"aastable1\n"
"""First bytes of a file with such a table."""

HEADER: Final = 512
"""Bytes before the columns: MAGIC, then a JSON object, padded with spaces."""

NOTHING: Final = 0xFFFF
"""Stands for no next link, like every number that is not below the number of the area's links."""


@dataclass(frozen=True, slots=True, eq=False)
class AllPairs:
    """Times and next links between all areas that have links. Rows and columns are numbered by ``row``."""

    row: Int
    """(areas,) row and column of each area; −1: it has no links."""
    time: NDArray[np.float32]
    """(rows, rows) time from the middle of the first area to the second, 1/100 s; infinite without a route."""
    turn: NDArray[np.uint16]
    """(rows, rows) which of the first area's links to take; 65,535: none."""
    link_start: Int
    """(areas + 1,) CSR: the links of area i are rows ``link_start[i]:link_start[i + 1]``."""

    def times(self, starts: ArrayLike, goals: ArrayLike) -> NDArray[np.float32]:
        """(n,) times between pairs of areas; 0 in the goal itself, infinite without a route."""
        a, b = np.broadcast_arrays(self._known(starts), self._known(goals))
        i, j = self.row[a], self.row[b]
        found = np.where((i >= 0) & (j >= 0), self.time[i, j], np.float32(np.inf))
        return np.where(a == b, np.float32(0.0), found).astype(np.float32)

    def next_links(self, starts: ArrayLike, goals: ArrayLike) -> Int:
        """(n,) rows of the links to take; −1 in the goal and without a route."""
        a, b = np.broadcast_arrays(self._known(starts), self._known(goals))
        i, j = self.row[a], self.row[b]
        turn = np.where((i >= 0) & (j >= 0), self.turn[i, j], NOTHING)
        link = self.link_start[a] + turn.astype(np.int32)
        return np.where(link < self.link_start[a + 1], link, -1).astype(np.int32)

    def _known(self, areas: ArrayLike) -> NDArray[Any]:
        """Area numbers; RouteError if one does not exist."""
        return checked_numbers(len(self.row), areas)


def all_pairs(router: Router, compiled: Compiled, path: str | os.PathLike[str] | None, threads: int) -> AllPairs:
    """The table of a map, from its file if there is one."""
    links = router.links
    used = np.zeros(len(compiled.areas), np.bool_)
    used[links.source] = used[links.target] = True
    areas = np.flatnonzero(used)
    row = np.full(len(used), -1, np.int32)
    row[areas] = np.arange(len(areas), dtype=np.int32)
    link_start = links.area_start.astype(np.int32)
    if path is None:
        return AllPairs(row, *_made(router, areas, threads), link_start)
    name, n = os.fsdecode(path), len(areas)
    header = _header(router, n)
    if not _matches(name, header, n):
        _write(name, header, *_made(router, areas, threads))
    time = np.memmap(name, np.float32, "r", HEADER, (n, n)) if n else np.zeros((0, 0), np.float32)
    turn = np.memmap(name, np.uint16, "r", HEADER + 4 * n * n, (n, n)) if n else np.zeros((0, 0), np.uint16)
    return AllPairs(row, time, turn, link_start)


def _made(router: Router, areas: NDArray[np.int64], threads: int) -> tuple[NDArray[np.float32], NDArray[np.uint16]]:
    """Both columns. Tables of goals are not kept, so memory stays bounded."""
    n = len(areas)
    time, turn = np.empty((n, n), np.float32), np.empty((n, n), np.uint16)
    first = router.links.area_start[areas]
    tables = router.plain_tables

    def work(begin: int, end: int) -> None:
        for column in range(begin, end):
            table = GoalTable(tables, int(areas[column]))
            table.fill()
            seconds, link = table.of_areas(router.centre)
            time[:, column] = seconds[areas]
            turn[:, column] = np.where(link[areas] < 0, NOTHING, link[areas] - first)

    over_ranges(work, n, 16, threads)
    return time, turn


def _header(router: Router, rows: int) -> bytes:
    """The header of a map's table: it changes with every column that times depend on."""
    import hashlib

    terms, links = router.plain_tables.terms, router.links
    columns: list[NDArray[np.generic]] = [links.source, links.target, links.start, links.end, terms.time]
    seal = hashlib.sha256()
    for column in [*columns, terms.unit, terms.factor, terms.closed, terms.allowed, router.centre]:
        seal.update(np.ascontiguousarray(column).tobytes())
    text = json.dumps({"rows": rows, "sha256": seal.hexdigest()}).encode()
    return (MAGIC + text).ljust(HEADER)


def _matches(name: str, header: bytes, rows: int) -> bool:
    try:
        with open(name, "rb") as file:
            return file.read(HEADER) == header and os.fstat(file.fileno()).st_size == HEADER + 6 * rows * rows
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreError(f"{name}: cannot be read ({error.strerror})") from None


def _write(name: str, header: bytes, time: NDArray[np.float32], turn: NDArray[np.uint16]) -> None:
    write_atomically(name, header + time.tobytes() + turn.tobytes())
