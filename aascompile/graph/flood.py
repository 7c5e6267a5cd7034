"""What a graph leads to: floods along its edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import Starts
from aascompile.graph.flood_kernel import Race, spread

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


def second_finds_more(
    start: Starts,
    target: NDArray[np.integer],
    closed: NDArray[np.integer],
    seeds: NDArray[np.integer],
    seed_start: Starts,
) -> Mask:
    """For each of the nodes ``closed (n,)``, which is not entered: whether of two floods the second finds more nodes.

    ``seeds`` with ``seed_start (2n + 1,)``: those of the first and of the second flood, in turn. The floods end as soon
    as the answer is plain: mostly, both meet soon on the way round the closed node.
    """
    wins = np.zeros(len(closed), np.bool_)
    race = Race(np.ascontiguousarray(start, np.int64), np.ascontiguousarray(target, np.int32))
    race.run(
        np.ascontiguousarray(closed, np.int32),
        np.ascontiguousarray(seeds, np.int32),
        np.ascontiguousarray(seed_start, np.int64),
        wins.view(np.uint8),
    )
    return wins


def _bytes(mask: Mask | None) -> NDArray[np.uint8]:
    """The mask as the kernel takes it."""
    return np.zeros(0, np.uint8) if mask is None else np.ascontiguousarray(mask, np.bool_).view(np.uint8)
