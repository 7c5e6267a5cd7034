"""A requirement of a compiled map, and helpers for the checks of all tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aascompile.distinct import distinct
from aascompile.model.compiled import Compiled
from aascompile.records import dataclass

Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Requirement:
    """A line of the list in docs/data-model.md."""

    id: str
    """A letter for the table, and a number."""
    table: str
    """Table that the offending rows belong to."""
    text: str
    """What must hold."""
    offenders: Callable[[Compiled], Rows]
    """Returns the rows of the table that violate it, ascending."""


def rows_where(mask: NDArray[np.bool_]) -> Rows:
    """Rows where the mask is set; in a table with several numbers per row, rows where any is."""
    return np.flatnonzero(mask if mask.ndim == 1 else mask.any(axis=tuple(range(1, mask.ndim))))


def rows_in(owners: NDArray[np.integer]) -> Rows:
    """The rows listed, each once, ascending."""
    return distinct(owners).astype(np.int64)


def bad_starts(start: NDArray[np.int64], rows: int) -> Rows:
    """Pieces with a wrong start: starts must begin at 0, never decrease, and end at the number of rows."""
    bad = np.zeros(len(start), np.bool_)
    bad[0] = start[0] != 0
    bad[-1] |= start[-1] != rows
    bad[1:] |= start[1:] < start[:-1]
    return np.flatnonzero(bad)


def outside(column: NDArray[np.integer], low: int, count: int) -> Rows:
    """Rows whose number is not in [low, count)."""
    if not column.size or (column.min() >= low and column.max() < count):
        return np.zeros(0, np.int64)
    return rows_where((column < low) | (column >= count))


def repeated(key: NDArray[Any]) -> Rows:
    """Rows whose key (a number or a row of numbers) occurs in an earlier row."""
    columns = key[:, None] if key.ndim == 1 else key
    order = np.lexsort(columns.T)
    same = (columns[order[1:]] == columns[order[:-1]]).all(axis=1)
    return np.sort(order[1:][same])


@dataclass(frozen=True, slots=True)
class Failure:
    """A requirement that is violated."""

    requirement: Requirement
    rows: Rows
    """All rows that violate it."""

    def sentence(self, most: int = 8) -> str:
        """The requirement, and the first rows that violate it."""
        first = ", ".join(str(row) for row in self.rows[:most])
        more = f" and {len(self.rows) - most:,} more" if len(self.rows) > most else ""
        return f"{self.requirement.id}: {self.requirement.text}; not so: {self.requirement.table} {first}{more}"


def failures_of(compiled: Compiled, requirements: tuple[Requirement, ...]) -> Iterator[Failure]:
    """The violated ones among some requirements."""
    for requirement in requirements:
        rows = requirement.offenders(compiled)
        if len(rows):
            yield Failure(requirement, rows)
