# mypy: ignore-errors
"""Lines that cross triangles."""

import cython
import numpy as np
from cython.cimports.libc.math import fabs


def are_crossed(
    start: cython.double[:, ::1], end: cython.double[:, ::1], triangle: cython.double[:, ::1], in_plane: cython.double
):
    """(n,) whether any triangle lies between the points ``start (n, 3)`` and ``end (n, 3)``.

    ``triangle (t, 9)``: three corners each. A line that lies in the plane of a triangle does not cross it: the volume
    between the line and two sides is at most ``in_plane`` (tolerances.IN_PLANE).
    """
    found: cython.uchar[::1] = np.zeros(start.shape[0], np.uint8)
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    wx: cython.double
    wy: cython.double
    wz: cython.double
    ax: cython.double
    ay: cython.double
    az: cython.double
    bx: cython.double
    by: cython.double
    bz: cython.double
    cx: cython.double
    cy: cython.double
    cz: cython.double
    px: cython.double
    py: cython.double
    pz: cython.double
    scale: cython.double
    u: cython.double
    v: cython.double
    t: cython.double
    with cython.nogil:
        for i in range(start.shape[0]):
            wx = end[i, 0] - start[i, 0]
            wy = end[i, 1] - start[i, 1]
            wz = end[i, 2] - start[i, 2]
            for k in range(triangle.shape[0]):
                # Two sides, from the first corner.
                ax = triangle[k, 3] - triangle[k, 0]
                ay = triangle[k, 4] - triangle[k, 1]
                az = triangle[k, 5] - triangle[k, 2]
                bx = triangle[k, 6] - triangle[k, 0]
                by = triangle[k, 7] - triangle[k, 1]
                bz = triangle[k, 8] - triangle[k, 2]
                cx = wy * bz - wz * by
                cy = wz * bx - wx * bz
                cz = wx * by - wy * bx
                scale = cx * ax + cy * ay + cz * az
                if fabs(scale) <= in_plane:
                    continue
                px = start[i, 0] - triangle[k, 0]
                py = start[i, 1] - triangle[k, 1]
                pz = start[i, 2] - triangle[k, 2]
                u = (px * cx + py * cy + pz * cz) / scale
                if not 0.0 <= u <= 1.0:
                    continue
                cx = py * az - pz * ay
                cy = pz * ax - px * az
                cz = px * ay - py * ax
                v = (cx * wx + cy * wy + cz * wz) / scale
                t = (cx * bx + cy * by + cz * bz) / scale
                if v >= 0.0 and u + v <= 1.0 and 0.0 <= t <= 1.0:
                    found[i] = 1
                    break
    return np.asarray(found).view(np.bool_)
