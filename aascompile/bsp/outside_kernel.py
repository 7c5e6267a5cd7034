# mypy: ignore-errors
"""The leaves a flood through portals reaches."""

import cython
import numpy as np
from cython.cimports.libc.math import sqrt


def widths(vertex_start: cython.longlong[::1], xyz: cython.double[:, ::1], out: cython.double[::1]):
    """Width of each convex polygon: the least distance of two parallel lines, one along an edge, that hold it."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    after: cython.Py_ssize_t
    ex: cython.double
    ey: cython.double
    ez: cython.double
    cx: cython.double
    cy: cython.double
    cz: cython.double
    long: cython.double
    far: cython.double
    least: cython.double
    with cython.nogil:
        for i in range(vertex_start.shape[0] - 1):
            first = vertex_start[i]
            last = vertex_start[i + 1]
            least = -1.0
            for j in range(first, last):
                after = j + 1 if j + 1 < last else first
                ex = xyz[after, 0] - xyz[j, 0]
                ey = xyz[after, 1] - xyz[j, 1]
                ez = xyz[after, 2] - xyz[j, 2]
                long = ex * ex + ey * ey + ez * ez
                if long <= 0.0:
                    continue
                far = 0.0
                for k in range(first, last):
                    cx = ey * (xyz[k, 2] - xyz[j, 2]) - ez * (xyz[k, 1] - xyz[j, 1])
                    cy = ez * (xyz[k, 0] - xyz[j, 0]) - ex * (xyz[k, 2] - xyz[j, 2])
                    cz = ex * (xyz[k, 1] - xyz[j, 1]) - ey * (xyz[k, 0] - xyz[j, 0])
                    cx = cx * cx + cy * cy + cz * cz
                    if cx > far:
                        far = cx
                far = sqrt(far / long)
                if least < 0.0 or far < least:
                    least = far
            out[i] = least if least > 0.0 else 0.0


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
