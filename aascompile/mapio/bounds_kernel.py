# mypy: ignore-errors
"""Axial boxes of brushes given by their planes: what a map compiler writes down for each model."""

import cython
from cython.cimports.aascompile.geometry.polygon_kernel import Polys


def brush_bounds(
    side_start: cython.longlong[::1],
    normal: cython.double[:, ::1],
    dist: cython.double[::1],
    extent: cython.double,
    eps: cython.double,
    out: cython.double[:, ::1],
):
    """Minima and maxima of each brush into ``out (n, 6)``; minima above maxima when the brush encloses nothing."""
    polys: Polys = Polys(4096, 256)
    i: cython.Py_ssize_t
    n: cython.Py_ssize_t = out.shape[0]
    with cython.nogil:
        for i in range(n):
            _one(polys, side_start[i], side_start[i + 1], normal, dist, extent, eps, out[i])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _one(
    polys: Polys,
    first: cython.longlong,
    stop: cython.longlong,
    normal: cython.double[:, ::1],
    dist: cython.double[::1],
    extent: cython.double,
    eps: cython.double,
    out: cython.double[::1],
) -> cython.void:
    i: cython.longlong
    j: cython.longlong
    k: cython.int
    v: cython.int
    poly: cython.int
    x: cython.double
    for k in range(3):
        out[k] = extent
        out[3 + k] = -extent
    for i in range(first, stop):
        polys.release(0, 0)
        poly = polys.base(normal[i, 0], normal[i, 1], normal[i, 2], dist[i], extent)
        for j in range(first, stop):
            if j == i:
                continue
            polys.split(poly, normal[j, 0], normal[j, 1], normal[j, 2], dist[j], eps)
            poly = polys.back
            if poly < 0:
                break
        if poly < 0:
            continue
        for v in range(polys.start[poly], polys.start[poly] + polys.size[poly]):
            for k in range(3):
                x = polys.xyz[v, k]
                if x < out[k]:
                    out[k] = x
                if x > out[3 + k]:
                    out[3 + k] = x
