# mypy: ignore-errors
"""The nearest points of two sets."""

import cython
import numpy as np
from cython.cimports.libc.math import sqrt


def closest_pair(first, second):
    """Rows of the nearest points of ``first (n, 3)`` and ``second (m, 3)``, and their distance. Neither is empty.

    Of equal pairs, the one with the lower row of ``second`` is taken, then that with the lower row of ``first``. Points
    are passed in order of x, so that only those are compared whose x differs by less than the best distance.
    """
    order = np.lexsort((np.arange(len(first)), first[:, 0]))
    a: cython.double[:, ::1] = np.ascontiguousarray(first[order], np.float64)
    b: cython.double[:, ::1] = np.ascontiguousarray(second, np.float64)
    row: cython.longlong[::1] = np.ascontiguousarray(order, np.int64)
    begin: cython.longlong[::1] = np.searchsorted(first[order, 0], second[:, 0]).astype(np.int64)
    n: cython.Py_ssize_t = a.shape[0]
    best: cython.double = float("inf")
    one: cython.longlong = -1
    two: cython.longlong = -1
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    step: cython.int
    away: cython.double
    x: cython.double
    with cython.nogil:
        for i in range(b.shape[0]):
            for step in range(-1, 2, 2):
                k = begin[i] if step > 0 else begin[i] - 1
                while 0 <= k < n:
                    x = a[k, 0] - b[i, 0]
                    if x * x > best:
                        break
                    away = x * x + (a[k, 1] - b[i, 1]) * (a[k, 1] - b[i, 1]) + (a[k, 2] - b[i, 2]) * (a[k, 2] - b[i, 2])
                    if away < best or (away == best and two == i and row[k] < one):
                        best, one, two = away, row[k], i
                    k += step
    return one, two, sqrt(best)


def pairs_within(first, second, far: cython.double):
    """Rows of all points of ``first (n, 3)`` and ``second (m, 3)`` that are at most ``far`` apart, nearest pairs first.

    Equal pairs come in order of the rows of ``first``, then of ``second``.
    """
    order = np.argsort(first[:, 0], kind="stable")
    a: cython.double[:, ::1] = np.ascontiguousarray(first[order], np.float64)
    b: cython.double[:, ::1] = np.ascontiguousarray(second, np.float64)
    begin: cython.longlong[::1] = np.searchsorted(first[order, 0], second[:, 0] - far).astype(np.int64)
    count: cython.Py_ssize_t = _pairs(a, b, begin, far, np.empty((0, 2), np.int64), np.empty(0))
    row, away = np.empty((count, 2), np.int64), np.empty(count)
    _pairs(a, b, begin, far, row, away)
    one, two = order[row[:, 0]], row[:, 1]
    nearest = np.lexsort((two, one, away))
    return one[nearest], two[nearest]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _pairs(
    a: cython.double[:, ::1],
    b: cython.double[:, ::1],
    begin: cython.longlong[::1],
    far: cython.double,
    row: cython.longlong[:, ::1],
    away: cython.double[::1],
) -> cython.Py_ssize_t:
    """Fill in the pairs and their squared distances, as many as there is room for. Returns how many there are."""
    found: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    square: cython.double
    for i in range(b.shape[0]):
        k = begin[i]
        while k < a.shape[0] and a[k, 0] - b[i, 0] <= far:
            square = (a[k, 0] - b[i, 0]) * (a[k, 0] - b[i, 0]) + (a[k, 1] - b[i, 1]) * (a[k, 1] - b[i, 1])
            square += (a[k, 2] - b[i, 2]) * (a[k, 2] - b[i, 2])
            if square <= far * far:
                if found < away.shape[0]:
                    row[found, 0] = k
                    row[found, 1] = i
                    away[found] = square
                found += 1
            k += 1
    return found
