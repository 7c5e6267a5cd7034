# mypy: ignore-errors
"""Which players the brushes of a platform touch."""

import cython
from cython.cimports.libc.math import fabs


def touched(
    start: cython.longlong[::1],
    normal: cython.double[:, ::1],
    dist: cython.double[::1],
    points: cython.double[:, ::1],
    half: cython.double,
    low: cython.double[::1],
    high: cython.double[::1],
    flat: cython.double,
    inside: cython.double,
    out: cython.char[::1],
):
    """(k,) above or below which of ``points (k, 2)`` a brush is, between two heights, if all brushes are grown sideways
    by half the width of a player.

    ``start``: CSR of the brushes' planes, which face outward. A plane that rises less than ``flat`` is upright; a point
    is behind it if it is deeper than ``inside``.
    """
    b: cython.Py_ssize_t
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    left: cython.double
    bottom: cython.double
    top: cython.double
    with cython.nogil:
        for k in range(points.shape[0]):
            for b in range(start.shape[0] - 1):
                bottom = low[k]
                top = high[k]
                for i in range(start[b], start[b + 1]):
                    left = dist[i] + half * (fabs(normal[i, 0]) + fabs(normal[i, 1]))
                    left -= points[k, 0] * normal[i, 0] + points[k, 1] * normal[i, 1]
                    if fabs(normal[i, 2]) < flat and left <= inside:
                        break
                    if normal[i, 2] > 0.0:
                        top = min(top, left / normal[i, 2])
                    elif normal[i, 2] < 0.0:
                        bottom = max(bottom, left / normal[i, 2])
                    if bottom >= top:
                        break
                else:
                    if bottom < top:
                        out[k] = 1
                        break
