"""What a graph leads to: floods along its edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import Starts
from aascompile.graph.flood_kernel import spread

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
    column, row = np.ascontiguousarray(start, np.int64), np.ascontiguousarray(target, np.int32)
    spread(column, row, _bytes(used), _bytes(closed), _bytes(ends), found.view(np.uint8))
    return found


def _bytes(mask: Mask | None) -> NDArray[np.uint8]:
    """The mask as the kernel takes it."""
    return np.zeros(0, np.uint8) if mask is None else np.ascontiguousarray(mask, np.bool_).view(np.uint8)
