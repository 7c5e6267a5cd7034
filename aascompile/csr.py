"""Ragged columns (CSR): a start column of n + 1 rows divides the data rows into n pieces.

These are called thousands of times for small columns, so they avoid numpy's wrappers (``np.cumsum``, ``np.repeat``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Starts = NDArray[np.int64]


def starts_of(sizes: NDArray[np.integer]) -> Starts:
    """Start column for pieces of these sizes."""
    start = np.zeros(len(sizes) + 1, np.int64)
    np.add.accumulate(sizes, out=start[1:])
    return start


def rows_of(start: Starts, pieces: NDArray[np.integer]) -> NDArray[np.int64]:
    """Rows of these pieces, piece after piece."""
    return ranges(start[pieces], start[pieces + 1] - start[pieces])


def ranges(first: NDArray[np.integer], sizes: NDArray[np.integer]) -> NDArray[np.int64]:
    """Rows ``first[i] : first[i] + sizes[i]`` for every i, concatenated."""
    return first.repeat(sizes) + within(sizes)


def within(sizes: NDArray[np.integer]) -> NDArray[np.int64]:
    """Number of each row within its piece, from 0, for pieces of these sizes."""
    start = starts_of(sizes)
    return np.arange(start[-1]) - start[:-1].repeat(sizes)


def owners_of(start: Starts) -> NDArray[np.int64]:
    """Piece that each row belongs to."""
    return np.arange(len(start) - 1).repeat(start[1:] - start[:-1])


def joined(starts: Sequence[Starts]) -> Starts:
    """Start column of several ragged columns concatenated."""
    return starts_of(np.concatenate([start[1:] - start[:-1] for start in starts]) if starts else np.zeros(0, np.int64))
