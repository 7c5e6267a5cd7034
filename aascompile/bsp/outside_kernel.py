# mypy: ignore-errors
"""The leaves a flood through portals reaches."""

import cython
import numpy as np


def flood(
    seeds: cython.int[::1],
    front: cython.int[::1],
    back: cython.int[::1],
    open_leaf: cython.char[::1],
    reached: cython.char[::1],
):
    """Mark every open leaf that portals connect to one of the seeds."""
    n: cython.int = open_leaf.shape[0]
    m: cython.int = front.shape[0]
    start: cython.int[::1] = np.zeros(n + 2, np.intc)
    other: cython.int[::1] = np.empty(2 * m + 1, np.intc)
    queue: cython.int[::1] = np.empty(n + 1, np.intc)
    i: cython.int
    k: cython.int
    head: cython.int = 0
    tail: cython.int = 0
    with cython.nogil:
        for i in range(m):
            start[front[i] + 2] += 1
            start[back[i] + 2] += 1
        for i in range(n):
            start[i + 2] += start[i + 1]
        for i in range(m):
            other[start[front[i] + 1]] = back[i]
            start[front[i] + 1] += 1
            other[start[back[i] + 1]] = front[i]
            start[back[i] + 1] += 1
        for i in range(seeds.shape[0]):
            if open_leaf[seeds[i]] and not reached[seeds[i]]:
                reached[seeds[i]] = 1
                queue[tail] = seeds[i]
                tail += 1
        while head < tail:
            i = queue[head]
            head += 1
            for k in range(start[i], start[i + 1]):
                if open_leaf[other[k]] and not reached[other[k]]:
                    reached[other[k]] = 1
                    queue[tail] = other[k]
                    tail += 1


def leaf_of(
    normal: cython.double[:, ::1],
    dist: cython.double[::1],
    node: cython.int[:, ::1],
    point: cython.double[:, ::1],
    out: cython.int[::1],
):
    """The leaf that each point lies in; a point on a plane counts as in front of it."""
    i: cython.int
    at: cython.int
    p: cython.int
    with cython.nogil:
        for i in range(point.shape[0]):
            at = 0 if node.shape[0] else -1
            while at >= 0:
                p = node[at, 0]
                if (
                    normal[p, 0] * point[i, 0] + normal[p, 1] * point[i, 1] + normal[p, 2] * point[i, 2]
                    >= dist[p]
                ):  # fmt: skip
                    at = node[at, 1]
                else:
                    at = node[at, 2]
            out[i] = -1 - at
