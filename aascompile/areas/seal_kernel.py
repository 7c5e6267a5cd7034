# mypy: ignore-errors
"""Passes over the faces of areas that numpy would make in many: what each area has, its extents, the edges."""

import cython
import numpy as np


def area_faces(front: cython.int[::1], back: cython.int[::1], areas: cython.int):
    """CSR of the faces of every area, ascending."""
    n: cython.int = front.shape[0]
    start: cython.longlong[::1] = np.zeros(areas + 1, np.int64)
    at: cython.longlong[::1] = np.zeros(areas + 1, np.int64)
    i: cython.int
    a: cython.int
    with cython.nogil:
        for i in range(n):
            if front[i] >= 0:
                start[front[i] + 1] += 1
            if back[i] >= 0:
                start[back[i] + 1] += 1
        for a in range(areas):
            start[a + 1] += start[a]
            at[a] = start[a]
    face: cython.int[::1] = np.empty(start[areas], np.intc)
    with cython.nogil:
        for i in range(n):
            if front[i] >= 0:
                face[at[front[i]]] = i
                at[front[i]] += 1
            if back[i] >= 0:
                face[at[back[i]]] = i
                at[back[i]] += 1
    return np.asarray(start), np.asarray(face)


def bounds(
    area: cython.int[::1],
    start: cython.longlong[::1],
    corner: cython.int[::1],
    xyz: cython.double[:, ::1],
    mins: cython.double[:, ::1],
    maxs: cython.double[:, ::1],
):
    """Widen the boxes of areas by the faces on one side of which each of them lies (``area``, −1: none)."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    j: cython.int
    a: cython.int
    v: cython.double
    with cython.nogil:
        for i in range(area.shape[0]):
            a = area[i]
            if a < 0:
                continue
            for k in range(start[i], start[i + 1]):
                for j in range(3):
                    v = xyz[corner[k], j]
                    if v < mins[a, j]:
                        mins[a, j] = v
                    if v > maxs[a, j]:
                        maxs[a, j] = v


def moments(
    area: cython.int[::1],
    sign: cython.double,
    start: cython.longlong[::1],
    corner: cython.int[::1],
    xyz: cython.double[:, ::1],
    middle: cython.double[:, ::1],
    volume: cython.double[::1],
    moment: cython.double[:, ::1],
):
    """Add the tetrahedra from each area's middle to the triangles of its faces' fans: volume and first moment."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    j: cython.int
    a: cython.int
    six: cython.double
    px: cython.double
    py: cython.double
    pz: cython.double
    qx: cython.double
    qy: cython.double
    qz: cython.double
    rx: cython.double
    ry: cython.double
    rz: cython.double
    with cython.nogil:
        for i in range(area.shape[0]):
            a = area[i]
            if a < 0 or start[i + 1] - start[i] < 3:
                continue
            px = xyz[corner[start[i]], 0] - middle[a, 0]
            py = xyz[corner[start[i]], 1] - middle[a, 1]
            pz = xyz[corner[start[i]], 2] - middle[a, 2]
            rx = xyz[corner[start[i] + 1], 0] - middle[a, 0]
            ry = xyz[corner[start[i] + 1], 1] - middle[a, 1]
            rz = xyz[corner[start[i] + 1], 2] - middle[a, 2]
            for k in range(start[i] + 2, start[i + 1]):
                qx = rx
                qy = ry
                qz = rz
                rx = xyz[corner[k], 0] - middle[a, 0]
                ry = xyz[corner[k], 1] - middle[a, 1]
                rz = xyz[corner[k], 2] - middle[a, 2]
                six = sign * (px * (qy * rz - qz * ry) + py * (qz * rx - qx * rz) + pz * (qx * ry - qy * rx))
                volume[a] += six / 6.0
                moment[a, 0] += six / 24.0 * (px + qx + rx)
                moment[a, 1] += six / 24.0 * (py + qy + ry)
                moment[a, 2] += six / 24.0 * (pz + qz + rz)


def edges(start: cython.longlong[::1], corner: cython.int[::1], vertices: cython.int):
    """(e, 2) the edges, the lower vertex first, sorted; (k,) the edge from each corner to the next."""
    n: cython.int = corner.shape[0]
    lower: cython.int[::1] = np.empty(n, np.intc)
    upper: cython.int[::1] = np.empty(n, np.intc)
    row_start: cython.int[::1] = np.zeros(vertices + 2, np.intc)
    row: cython.int[::1] = np.empty(n, np.intc)
    of_corner: cython.int[::1] = np.empty(n, np.intc)
    p: cython.Py_ssize_t
    i: cython.int
    k: cython.int
    j: cython.int
    v: cython.int
    a: cython.int
    b: cython.int
    count: cython.int = 0
    with cython.nogil:
        for p in range(start.shape[0] - 1):
            for i in range(start[p], start[p + 1]):
                a = corner[i]
                b = corner[i + 1] if i + 1 < start[p + 1] else corner[start[p]]
                lower[i] = a if a < b else b
                upper[i] = b if a < b else a
                row_start[lower[i] + 2] += 1
        for v in range(vertices):
            row_start[v + 2] += row_start[v + 1]
        for i in range(n):
            row[row_start[lower[i] + 1]] = i
            row_start[lower[i] + 1] += 1
        for v in range(vertices):
            # Few edges meet at a vertex: sort them by their other end as they come.
            for k in range(row_start[v] + 1, row_start[v + 1]):
                i = row[k]
                j = k
                while j > row_start[v] and upper[row[j - 1]] > upper[i]:
                    row[j] = row[j - 1]
                    j -= 1
                row[j] = i
            for k in range(row_start[v], row_start[v + 1]):
                if k > row_start[v] and upper[row[k]] == upper[row[k - 1]]:
                    of_corner[row[k]] = count - 1
                else:
                    of_corner[row[k]] = count
                    count += 1
    ends: cython.int[:, ::1] = np.empty((count, 2), np.intc)
    with cython.nogil:
        for i in range(n):
            ends[of_corner[i], 0] = lower[i]
            ends[of_corner[i], 1] = upper[i]
    return np.asarray(ends), np.asarray(of_corner)


def pruned(node: cython.int[:, ::1], child: cython.int[:, ::1]):
    """The tree without nodes whose two children are one: plane and children, in the order of a walk from the root.

    ``child``: ≥ 0 a node, < 0 what a leaf leads to. A node may hang under one with a higher number.
    """
    n: cython.int = node.shape[0]
    order: cython.int[::1] = np.empty(n + 1, np.intc)
    stands: cython.int[::1] = np.arange(n + 1, dtype=np.intc)
    head: cython.int
    tail: cython.int = 0
    at: cython.int
    k: cython.int
    c: cython.int
    with cython.nogil:
        if n:
            order[0] = 0
            tail = 1
        head = 0
        while head < tail:
            for k in range(2):
                c = child[order[head], k]
                if c >= 0:
                    order[tail] = c
                    tail += 1
            head += 1
        while head > 0:
            head -= 1
            at = order[head]
            for k in range(2):
                c = child[at, k]
                if c >= 0:
                    child[at, k] = stands[c]
            if child[at, 0] == child[at, 1]:
                stands[at] = child[at, 0]
        tail = 0
        if n and stands[0] >= 0:
            order[0] = stands[0]
            tail = 1
        while head < tail:
            stands[order[head]] = head
            for k in range(2):
                c = child[order[head], k]
                if c >= 0:
                    order[tail] = c
                    tail += 1
            head += 1
    plane: cython.int[::1] = np.empty(tail, np.intc)
    made: cython.int[:, ::1] = np.empty((tail, 2), np.intc)
    with cython.nogil:
        for head in range(tail):
            plane[head] = node[order[head], 0]
            for k in range(2):
                c = child[order[head], k]
                made[head, k] = stands[c] if c >= 0 else c
    return np.asarray(plane), np.asarray(made)
