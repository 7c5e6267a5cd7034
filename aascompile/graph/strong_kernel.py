# mypy: ignore-errors
"""Strongly connected components of a directed graph (R. Tarjan, 1972).

The depth-first search uses no recursion: paths in a map can be a hundred thousand areas long.
"""

import cython
import numpy as np


def strong_components(start: cython.longlong[::1], target: cython.int[::1], used: cython.uchar[::1]):
    """(n,) component of each node. ``start (n + 1,)`` and ``target (k,)`` hold the edges in CSR.

    Edges with ``used (k,)`` 0 are ignored. Components are numbered in reverse topological order: no edge leads to a
    component with a higher number.
    """
    n: cython.int = start.shape[0] - 1
    component = np.full(n, -1, np.intc)
    of: cython.int[::1] = component
    seen: cython.int[::1] = np.full(n, -1, np.intc)
    low: cython.int[::1] = np.zeros(n, np.intc)
    edge: cython.longlong[::1] = np.array(start, np.int64)
    path: cython.int[::1] = np.empty(max(n, 1), np.intc)
    waiting: cython.int[::1] = np.empty(max(n, 1), np.intc)
    length: cython.int = 0
    waits: cython.int = 0
    order: cython.int = 0
    count: cython.int = 0
    root: cython.int
    i: cython.int
    t: cython.int
    deeper: cython.bint
    with cython.nogil:
        for root in range(n):
            if seen[root] >= 0:
                continue
            seen[root] = low[root] = order
            order += 1
            path[0] = waiting[waits] = root
            waits += 1
            length = 1
            while length > 0:
                i = path[length - 1]
                deeper = False
                while edge[i] < start[i + 1]:
                    t = target[edge[i]]
                    if not used[edge[i]] or of[t] >= 0:
                        edge[i] += 1
                    elif seen[t] < 0:
                        seen[t] = low[t] = order
                        order += 1
                        path[length] = waiting[waits] = t
                        length += 1
                        waits += 1
                        deeper = True
                        break
                    else:
                        low[i] = min(low[i], low[t])
                        edge[i] += 1
                if deeper:
                    continue
                length -= 1
                if low[i] == seen[i]:
                    while True:
                        waits -= 1
                        t = waiting[waits]
                        of[t] = count
                        if t == i:
                            break
                    count += 1
    return component
