# mypy: ignore-errors
"""Kernel of ``flood``: follows edges from node to node."""

import cython
import numpy as np


def spread(
    start: cython.longlong[::1],
    target: cython.int[::1],
    used: cython.uchar[::1],
    closed: cython.uchar[::1],
    ends: cython.uchar[::1],
    found: cython.uchar[::1],
):
    """Mark in ``found (n,)``, where the seeds are marked, all nodes that edges lead to.

    ``start (n + 1,)`` and ``target (k,)`` hold the edges in CSR. Edges with ``used (k,)`` 0 do not count, nodes that
    are ``closed (n,)`` are not entered, nodes that are ``ends (n,)`` are not left unless they are seeds. A mask of no
    rows is left out.
    """
    n: cython.int = start.shape[0] - 1
    some: cython.bint = used.shape[0] > 0
    shuts: cython.bint = closed.shape[0] > 0
    stops: cython.bint = ends.shape[0] > 0
    waiting: cython.int[::1] = np.empty(max(n, 1), np.intc)
    count: cython.int = 0
    node: cython.int
    other: cython.int
    edge: cython.longlong
    with cython.nogil:
        for node in range(n):
            if found[node]:
                waiting[count] = node
                count += 1
        while count > 0:
            count -= 1
            node = waiting[count]
            for edge in range(start[node], start[node + 1]):
                other = target[edge]
                if (some and not used[edge]) or found[other] or (shuts and closed[other]):
                    continue
                found[other] = 1
                if not (stops and ends[other]):
                    waiting[count] = other
                    count += 1
