"""What a graph leads to: breadth-first floods along its edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import Starts, rows_of

Mask = NDArray[np.bool_]


def flood(
    start: Starts,
    target: NDArray[np.integer],
    seeds: NDArray[np.integer],
    *,
    used: Mask | None = None,
    closed: Mask | None = None,
    ends: Mask | None = None,
) -> Mask:
    """Nodes (n,) that edges lead to from the seeds, the seeds included.

    ``start (n + 1,)`` and ``target (k,)`` are the edges in CSR; only those ``used (k,)`` count. Nodes that are
    ``closed (n,)`` are never entered; those that are ``ends (n,)`` are entered but not left. The seeds
    may be either: the flood leaves them all the same.
    """
    found = np.zeros(len(start) - 1, np.bool_)
    found[seeds] = True
    shut = found if closed is None else found | closed
    front: NDArray[np.integer] = np.flatnonzero(found)
    while len(front):
        edge = rows_of(start, front)
        there = target[edge] if used is None else target[edge[used[edge]]]
        there = np.unique(there[~shut[there]])
        found[there] = shut[there] = True
        front = there if ends is None else there[~ends[there]]
    return found
