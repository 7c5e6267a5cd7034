"""Distinct values of columns. numpy's own function hashes them first, and imports masked arrays to do so."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Value = TypeVar("Value", bound=np.generic)


def distinct(values: NDArray[Value]) -> NDArray[Value]:
    """Values that occur, ascending, each once."""
    ordered = np.sort(values, axis=None)
    first = np.empty(len(ordered), np.bool_)
    first[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


def distinct_pairs(pairs: NDArray[Value]) -> NDArray[Value]:
    """Rows of ``pairs (n, 2)`` that occur, ascending, each once."""
    ordered = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    first = np.ones(len(ordered), np.bool_)
    first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return ordered[first]


def occurs(values: NDArray[Value], known: NDArray[Value]) -> NDArray[np.bool_]:
    """(n,) whether each of ``values (n,)`` is among the known."""
    if not len(known):
        return np.zeros(len(values), np.bool_)
    known = np.sort(known)
    found: NDArray[np.bool_] = known[np.minimum(np.searchsorted(known, values), len(known) - 1)] == values
    return found
