"""Helpers for columns of a file that may be hostile: find the fault of each bad row, and gather the good rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.errors import MapError
from aascompile.model.mapdata import Float, Index
from aascompile.report import Dropped

MAX_FAULTS: Final = 1 << 15
"""With more broken rows of one kind, the whole file counts as damaged: listing each would be useless and take too much
memory."""

_PLURAL: Final = {"brush": "brushes", "patch": "patches", "model": "models"}


class Faults:
    """The first fault of each row of a table. Rows without a fault are kept."""

    def __init__(self, kind: str, rows: int, number: Index | None = None) -> None:
        """``number`` holds each row's number in the file, if it differs from the row."""
        self._kind = kind
        self._number = np.arange(rows) if number is None else number
        self._faulty = np.zeros(rows, np.bool_)
        self._noted: list[tuple[Index, Callable[[int], str]]] = []

    def note(self, where: NDArray[np.bool_], reason: Callable[[int], str]) -> None:
        """Record the rows that fail a check, and the reason for each. A row keeps its first fault."""
        self._noted.append((np.flatnonzero(where & ~self._faulty), reason))
        self._faulty |= where

    def keep(self, name: str, dropped: list[Dropped]) -> Index:
        """Append the faulty rows to ``dropped`` in file order and return the others. Too many raise a MapError."""
        count = int(self._faulty.sum())
        if count > MAX_FAULTS:
            rows, reason = next((rows, reason) for rows, reason in self._noted if len(rows))
            first = f"{self._kind} {self._number[rows[0]]}: {reason(int(rows[0]))}"
            total = f"{len(self._faulty):,} {_PLURAL[self._kind]}"
            raise MapError(name, f"is damaged: {count:,} of its {total} are broken", first)
        found = [
            Dropped(self._kind, int(self._number[row]), reason(row))
            for rows, reason in self._noted
            for row in rows.tolist()
        ]
        dropped += sorted(found, key=lambda fault: fault.number)
        return np.flatnonzero(~self._faulty)


def outside(index: NDArray[Any], count: int) -> NDArray[np.bool_]:
    """Mask of the indexes that are out of range for a column of ``count`` rows."""
    wrong: NDArray[np.bool_] = (index < 0) | (index >= count)
    return wrong


def first_at_or_after(rows: Index, start: Index) -> Index:
    """For each start, the first of the sorted ``rows`` at or after it; the largest int64 if there is no such row."""
    return np.append(rows, np.iinfo(np.int64).max)[np.searchsorted(rows, start)]


def doubles(column: NDArray[Any]) -> Float:
    """Contiguous float64 copy of a float32 column. NaN stays NaN, without a warning."""
    with np.errstate(invalid="ignore"):
        return np.ascontiguousarray(column.astype(np.float64))
