# mypy: ignore-errors
"""Python access to the polygon store, one call per polygon, for tests and callers where speed does not matter."""

import cython
import numpy as np

if cython.compiled:
    from cython.cimports.aascompile.geometry.polygon_kernel import Polys
else:
    from aascompile.geometry.polygon_kernel import Polys


def load(polys: Polys, xyz: cython.double[:, ::1]):
    """Append a polygon and return its row."""
    i: cython.Py_ssize_t
    poly: cython.int
    with cython.nogil:
        poly = polys.begin(cython.cast(cython.int, xyz.shape[0]))
        for i in range(xyz.shape[0]):
            polys.push(xyz[i, 0], xyz[i, 1], xyz[i, 2])
        polys.close(poly)
    return poly


def base(
    polys: Polys, nx: cython.double, ny: cython.double, nz: cython.double, d: cython.double, extent: cython.double
):
    """Append the base square of a plane and return its row."""
    return polys.base(nx, ny, nz, d, extent)


def split(
    polys: Polys,
    poly: cython.int,
    nx: cython.double,
    ny: cython.double,
    nz: cython.double,
    d: cython.double,
    eps: cython.double,
):
    """Split a polygon into ``polys.front`` and ``polys.back``, and return its side as in ``Polys.classify``."""
    return polys.split(poly, nx, ny, nz, d, eps)


def area_vector(polys: Polys, poly: cython.int):
    """(3,) vector along the polygon's normal whose length is the area."""
    polys.area(poly)
    return np.array(polys.vector)


def split_all(
    polys: Polys,
    normal: cython.double[:, ::1],
    dist: cython.double[::1],
    eps: cython.double,
    front: cython.int[::1],
    back: cython.int[::1],
):
    """Split polygon i by plane i, for every row i. Fills the rows of the parts, −1 if a part is empty."""
    i: cython.int
    with cython.nogil:
        for i in range(dist.shape[0]):
            polys.split(i, normal[i, 0], normal[i, 1], normal[i, 2], dist[i], eps)
            front[i] = polys.front
            back[i] = polys.back
