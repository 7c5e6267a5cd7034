"""Columns of a hostile file: finding what is wrong with each row, and gathering what is right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.errors import MapError
from aascompile.model.mapdata import Float, Index
from aascompile.report import Dropped

MAX_FAULTS: Final = 1 << 15
"""Broken rows of one kind beyond which the file as a whole is: naming each would help nobody and fill the memory."""

_PLURAL: Final = {"brush": "brushes", "patch": "patches", "model": "models"}


class Faults:
    """The first thing that is wrong with each row of a column; rows without a fault are kept."""

    def __init__(self, kind: str, rows: int, number: Index | None = None) -> None:
        """``number`` gives each row's number in the file, when it is not the row itself."""
        self._kind = kind
        self._number = np.arange(rows) if number is None else number
        self._faulty = np.zeros(rows, np.bool_)
        self._noted: list[tuple[Index, Callable[[int], str]]] = []

    def note(self, where: NDArray[np.bool_], reason: Callable[[int], str]) -> None:
        """Rows that a check found wrong, and the words for each; a row's earlier fault stands."""
        self._noted.append((np.flatnonzero(where & ~self._faulty), reason))
        self._faulty |= where

    def keep(self, name: str, dropped: list[Dropped]) -> Index:
        """Adds the faulty rows to ``dropped``, in file order, and answers the others; too many are a MapError."""
        count = int(self._faulty.sum())
        if count > MAX_FAULTS:
            rows, reason = next((rows, reason) for rows, reason in self._noted if len(rows))
            first = f"{self._kind} {self._number[rows[0]]}: {reason(int(rows[0]))}"
            whole = f"{len(self._faulty):,} {_PLURAL[self._kind]}"
            raise MapError(name, f"is damaged: {count:,} of its {whole} are broken", first)
        found = [
            Dropped(self._kind, int(self._number[row]), reason(row))
            for rows, reason in self._noted
            for row in rows.tolist()
        ]
        dropped += sorted(found, key=lambda fault: fault.number)
        return np.flatnonzero(~self._faulty)


def outside(index: NDArray[Any], count: int) -> NDArray[np.bool_]:
    """Which indexes are not rows of a column of this length."""
    wrong: NDArray[np.bool_] = (index < 0) | (index >= count)
    return wrong


def first_at_or_after(rows: Index, start: Index) -> Index:
    """For each start the first of the sorted ``rows`` that is not before it; the largest integer: none."""
    return np.append(rows, np.iinfo(np.int64).max)[np.searchsorted(rows, start)]


def ranges(first: Index, count: Index) -> Index:
    """The rows ``first[i] : first[i] + count[i]`` of all i, one after the other."""
    start = np.cumsum(count) - count
    return np.repeat(first - start, count) + np.arange(int(count.sum()))


def csr(count: Index) -> Index:
    """Where each of so many rows starts, and the end of the last."""
    start = np.zeros(len(count) + 1, np.int64)
    np.cumsum(count, out=start[1:])
    return start


def doubles(column: NDArray[Any]) -> Float:
    """A float32 column at double precision, in memory of its own; NaN stays NaN without a warning."""
    with np.errstate(invalid="ignore"):
        return np.ascontiguousarray(column.astype(np.float64))
