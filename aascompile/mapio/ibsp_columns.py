"""Columns of a hostile file: finding what is wrong with each row, and gathering what is right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aascompile.model.mapdata import Dropped, Float, Index


class Faults:
    """The first thing that is wrong with each row of a column; rows without a fault are kept."""

    def __init__(self, kind: str, rows: int, number: Index | None = None) -> None:
        """``number`` gives each row's number in the file, when it is not the row itself."""
        self._kind = kind
        self._number = np.arange(rows) if number is None else number
        self._faulty = np.zeros(rows, np.bool_)
        self._dropped: list[Dropped] = []

    def note(self, where: NDArray[np.bool_], reason: Callable[[int], str]) -> None:
        """Rows that a check found wrong, and the words for each; a row's earlier fault stands."""
        for row in np.flatnonzero(where & ~self._faulty).tolist():
            self._dropped.append(Dropped(self._kind, int(self._number[row]), reason(row)))
        self._faulty |= where

    def keep(self, dropped: list[Dropped]) -> Index:
        """Adds the faulty rows to ``dropped``, in file order, and answers the others."""
        dropped += sorted(self._dropped, key=lambda fault: fault.number)
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
