"""Growable columns: arrays with spare rows, which kernels fill without the GIL and lengthen with it.

A kernel checks the capacity of a table and grows all columns of the table in one statement::

    if self.count >= self.plane.shape[0]:
        with cython.gil:
            self.plane, self.child = grown(self.count + 1, self.plane, self.child)

Afterwards all of them have the same capacity, whatever they had before. A function that runs millions of times calls a
method ``_grow`` with that statement instead: Cython clears a statement's temporaries whenever its function is entered.
``tests/test_kernels.py`` holds that kernels take the GIL for nothing else, and that each column is assigned to itself.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray


def grown(rows: int, *columns: Any, axis: int = 0) -> list[NDArray[Any]]:
    """Longer copies of the columns: at least ``rows`` rows and twice the longest column; new rows are 0.

    Rows lie along ``axis``. When memory runs out, the process ends: the callers cannot raise, and would write past
    the end of a column that did not grow.
    """
    old = [np.asarray(column) for column in columns]
    rows = max(rows, *(2 * column.shape[axis] for column in old))
    try:
        return [_longer(column, rows, axis) for column in old]
    except MemoryError:
        os.write(2, b"error: out of memory\n")
        os._exit(1)


def _longer(column: NDArray[Any], rows: int, axis: int) -> NDArray[Any]:
    """Copy of a column with zeros up to this many rows."""
    shape = list(column.shape)
    shape[axis] = rows
    longer = np.zeros(shape, column.dtype)
    longer[tuple(slice(size) for size in column.shape)] = column
    return longer
