# mypy: ignore-errors
"""Interning of planes: a hash table over growable columns that maps each plane to its id.

Planes are stored in opposite pairs, ``id ^ 1``. In the even plane, the largest component of the normal (the first one
in a tie) is positive. The hash uses the cell of the normal and distance without signs, so that both planes of a pair,
and planes with tied largest components, share a bucket. Cells are far wider than the tolerances; near the border of a
cell, the neighbouring cell is searched too. If several planes are within the tolerances, the lowest id wins, so the
result depends on the input order.
"""

import cython
import numpy as np
from cython.cimports.libc.math import fabs, floor, isfinite, sqrt

from aascompile.columns import grown

NORMAL_CELLS = cython.declare(cython.double, 256.0)  # per unit of a normal's component
DIST_CELLS = cython.declare(cython.double, 4.0)  # per unit of distance


class PlaneStore:
    """Growable columns of planes and their hash."""

    def __init__(self, normal_eps, dist_eps, snap, shortest, farthest):
        self.normal = np.empty((64, 3))
        self.dist = np.empty(64)
        self.chain = np.empty(64, np.intc)
        self.head = np.full(128, -1, np.intc)
        self.count = 0
        self.normal_eps = normal_eps
        self.dist_eps = dist_eps
        self.snap = snap
        self.shortest = shortest
        self.farthest = farthest

    def _rehash(self):
        """Double all columns and hash anew."""
        self.normal, self.dist, self.chain = grown(0, self.normal, self.dist, self.chain)
        self.head = np.full(2 * self.normal.shape[0], -1, np.intc)
        i: cython.int
        for i in range(self.count):
            self.link(i)

    def cell(self, value, per_unit):
        """Cell index of a value. Integers lie in the middle of a cell."""
        return cython.cast(cython.longlong, floor(value * per_unit + 0.5))

    def bucket(self, a, b, c, d):
        """Hash bucket of four cell indexes."""
        mixed: cython.longlong = ((a * 131 + b) * 131 + c) * 1031 + d
        return cython.cast(cython.int, (mixed ^ (mixed >> 13)) & (self.head.shape[0] - 1))

    def link(self, row):
        """Insert an even row into its bucket. Its opposite is found through it."""
        if row & 1:
            return
        b: cython.int = self.bucket(
            self.cell(fabs(self.normal[row, 0]), NORMAL_CELLS),
            self.cell(fabs(self.normal[row, 1]), NORMAL_CELLS),
            self.cell(fabs(self.normal[row, 2]), NORMAL_CELLS),
            self.cell(fabs(self.dist[row]), DIST_CELLS),
        )
        self.chain[row] = self.head[b]
        self.head[b] = row

    def find(self, b, nx, ny, nz, d, best):
        """Lowest id within the tolerances among the planes of a bucket and ``best`` (−1 if none)."""
        row: cython.int = self.head[b]
        side: cython.int
        sign: cython.double
        while row >= 0:
            if fabs(fabs(self.dist[row]) - fabs(d)) < self.dist_eps and (best < 0 or row < best):
                for side in range(2):
                    sign = 1.0 - 2.0 * side
                    if (
                        fabs(self.dist[row] - sign * d) < self.dist_eps
                        and fabs(self.normal[row, 0] - sign * nx) < self.normal_eps
                        and fabs(self.normal[row, 1] - sign * ny) < self.normal_eps
                        and fabs(self.normal[row, 2] - sign * nz) < self.normal_eps
                    ):
                        best = row + side
                        break
            row = self.chain[row]
        return best

    def lookup(self, nx, ny, nz, d):
        """Lowest id within the tolerances of a plane; −1 if there is none."""
        e: cython.double = self.normal_eps
        a0: cython.longlong = self.cell(fabs(nx) - e, NORMAL_CELLS)
        a1: cython.longlong = self.cell(fabs(nx) + e, NORMAL_CELLS)
        b0: cython.longlong = self.cell(fabs(ny) - e, NORMAL_CELLS)
        b1: cython.longlong = self.cell(fabs(ny) + e, NORMAL_CELLS)
        c0: cython.longlong = self.cell(fabs(nz) - e, NORMAL_CELLS)
        c1: cython.longlong = self.cell(fabs(nz) + e, NORMAL_CELLS)
        d0: cython.longlong = self.cell(fabs(d) - self.dist_eps, DIST_CELLS)
        d1: cython.longlong = self.cell(fabs(d) + self.dist_eps, DIST_CELLS)
        if a0 == a1 and b0 == b1 and c0 == c1 and d0 == d1:
            return self.find(self.bucket(a0, b0, c0, d0), nx, ny, nz, d, -1)
        best: cython.int = -1
        i: cython.longlong
        j: cython.longlong
        k: cython.longlong
        m: cython.longlong
        for i in range(a0, a1 + 1):
            for j in range(b0, b1 + 1):
                for k in range(c0, c1 + 1):
                    for m in range(d0, d1 + 1):
                        best = self.find(self.bucket(i, j, k, m), nx, ny, nz, d, best)
        return best

    def add(self, nx, ny, nz, d):
        """Id of a plane; a new plane is added. −1 if it is not finite, has no direction or is too far out."""
        if not (isfinite(nx) and isfinite(ny) and isfinite(nz) and isfinite(d)):
            return -1
        square: cython.double = nx * nx + ny * ny + nz * nz
        length: cython.double
        if fabs(square - 1.0) > self.shortest:  # a unit normal keeps its exact bits
            length = sqrt(square)
            if not isfinite(length) or length < self.shortest:
                return -1
            nx /= length
            ny /= length
            nz /= length
            d /= length
        if fabs(d) > self.farthest:
            return -1
        e: cython.double = self.normal_eps
        if fabs(ny) < e and fabs(nz) < e:
            nx = 1.0 if nx > 0 else -1.0
            ny = 0.0
            nz = 0.0
        elif fabs(nx) < e and fabs(nz) < e:
            ny = 1.0 if ny > 0 else -1.0
            nx = 0.0
            nz = 0.0
        elif fabs(nx) < e and fabs(ny) < e:
            nz = 1.0 if nz > 0 else -1.0
            nx = 0.0
            ny = 0.0
        whole: cython.double = floor(d + 0.5)
        if fabs(d - whole) < self.snap:
            d = whole
        best: cython.int = self.lookup(nx, ny, nz, d)
        if best >= 0:
            return best
        if self.leads_backward(nx, ny, nz):
            return self.append(-nx, -ny, -nz, -d) + 1
        return self.append(nx, ny, nz, d)

    def leads_backward(self, nx, ny, nz):
        """Whether the largest component (the first one in a tie) is negative."""
        lead: cython.double = nx
        if fabs(ny) > fabs(lead) + self.normal_eps:
            lead = ny
        if fabs(nz) > fabs(lead) + self.normal_eps:
            lead = nz
        return 1 if lead < 0.0 else 0

    def append(self, nx, ny, nz, d):
        """Append a new pair and return the even id."""
        if self.count + 2 > self.normal.shape[0]:
            with cython.gil:
                self._rehash()
        row: cython.int = self.count
        self.normal[row, 0] = nx + 0.0  # −0 becomes 0, so that a plane has a single representation
        self.normal[row, 1] = ny + 0.0
        self.normal[row, 2] = nz + 0.0
        self.dist[row] = d + 0.0
        self.normal[row + 1, 0] = 0.0 - nx
        self.normal[row + 1, 1] = 0.0 - ny
        self.normal[row + 1, 2] = 0.0 - nz
        self.dist[row + 1] = 0.0 - d
        self.count = row + 2
        self.link(row)
        return row

    def adopt(self, normal: cython.double[:, ::1], dist: cython.double[::1]):
        """Copy the rows of another table unchanged. This table must be empty."""
        while self.normal.shape[0] < dist.shape[0]:
            self._rehash()
        np.asarray(self.normal)[: dist.shape[0]] = normal
        np.asarray(self.dist)[: dist.shape[0]] = dist
        i: cython.int
        self.count = dist.shape[0]
        for i in range(self.count):
            self.link(i)

    def intern(self, normal: cython.double[:, ::1], dist: cython.double[::1], out: cython.int[::1]):
        """Fill the ids of a batch of planes, in order."""
        i: cython.Py_ssize_t
        n: cython.Py_ssize_t = dist.shape[0]
        with cython.nogil:
            for i in range(n):
                out[i] = self.add(normal[i, 0], normal[i, 1], normal[i, 2], dist[i])
