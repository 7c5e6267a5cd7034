"""Ragged columns (CSR): a start column of n + 1 rows and the rows it cuts into pieces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Starts = NDArray[np.int64]


def starts_of(sizes: NDArray[np.integer]) -> Starts:
    """Start column of pieces with these sizes."""
    start = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=start[1:])
    return start


def rows_of(start: Starts, pieces: NDArray[np.integer]) -> NDArray[np.int64]:
    """The rows of these pieces, one piece after the other."""
    return ranges(start[pieces], start[pieces + 1] - start[pieces])


def ranges(first: NDArray[np.integer], sizes: NDArray[np.integer]) -> NDArray[np.int64]:
    """The rows ``first[i] : first[i] + sizes[i]`` of all i, one piece after the other."""
    return np.repeat(first, sizes) + within(sizes)


def within(sizes: NDArray[np.integer]) -> NDArray[np.int64]:
    """The number of each row in its piece, from 0, for pieces of these sizes."""
    start = starts_of(sizes)
    return np.arange(start[-1]) - np.repeat(start[:-1], sizes)


def owners_of(start: Starts) -> NDArray[np.int64]:
    """The piece that each row belongs to."""
    return np.repeat(np.arange(len(start) - 1), np.diff(start))


def joined(starts: Sequence[Starts]) -> Starts:
    """Start column of several ragged columns laid end to end."""
    return starts_of(np.concatenate([np.diff(start) for start in starts]) if starts else np.zeros(0, np.int64))
