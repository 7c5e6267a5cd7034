# mypy: ignore-errors
"""Widths of convex polygons."""

import cython
from cython.cimports.libc.math import sqrt


def widths(vertex_start: cython.longlong[::1], xyz: cython.double[:, ::1], out: cython.double[::1]):
    """Fill the width of each convex polygon: the least distance between two parallel lines that enclose it.

    One of the two lines lies along an edge.
    """
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
    length: cython.double
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
                length = ex * ex + ey * ey + ez * ez
                if length <= 0.0:
                    continue
                far = 0.0
                for k in range(first, last):
                    cx = ey * (xyz[k, 2] - xyz[j, 2]) - ez * (xyz[k, 1] - xyz[j, 1])
                    cy = ez * (xyz[k, 0] - xyz[j, 0]) - ex * (xyz[k, 2] - xyz[j, 2])
                    cz = ex * (xyz[k, 1] - xyz[j, 1]) - ey * (xyz[k, 0] - xyz[j, 0])
                    cx = cx * cx + cy * cy + cz * cz
                    if cx > far:
                        far = cx
                far = sqrt(far / length)
                if least < 0.0 or far < least:
                    least = far
            out[i] = least if least > 0.0 else 0.0
