# mypy: ignore-errors
"""Interning of planes: a hash of growable columns that answers each plane with its id.

A plane is found by its rounded distance from the origin (bucket width above the tolerance, neighbours looked at too),
then by its normal. Planes live in opposite pairs, ``id ^ 1``; the even one has its first non-zero among the largest
components positive.
"""

import cython
import numpy as np
from cython.cimports.libc.math import fabs, floor, isfinite, rint, sqrt


@cython.cclass
class PlaneStore:
    normal = cython.declare(cython.double[:, ::1], visibility="readonly")
    dist = cython.declare(cython.double[::1], visibility="readonly")
    chain = cython.declare(cython.int[::1])
    head = cython.declare(cython.int[::1])
    count = cython.declare(cython.int, visibility="readonly")
    normal_eps: cython.double
    dist_eps: cython.double
    snap: cython.double
    axial: cython.double

    def __init__(self, normal_eps: cython.double, dist_eps: cython.double, snap: cython.double, axial: cython.double):
        self.normal = np.empty((64, 3))
        self.dist = np.empty(64)
        self.chain = np.empty(64, np.intc)
        self.head = np.full(1024, -1, np.intc)
        self.count = 0
        self.normal_eps = normal_eps
        self.dist_eps = dist_eps
        self.snap = snap
        self.axial = axial

    def _grow(self):
        """Double all columns and hash anew."""
        rows = 2 * self.normal.shape[0]
        normal = np.empty((rows, 3))
        dist = np.empty(rows)
        normal[: self.count] = np.asarray(self.normal)[: self.count]
        dist[: self.count] = np.asarray(self.dist)[: self.count]
        self.normal = normal
        self.dist = dist
        self.chain = np.empty(rows, np.intc)
        self.head = np.full(16 * rows, -1, np.intc)
        i: cython.int
        for i in range(self.count):
            self.link(i)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def bucket(self, d: cython.double) -> cython.int:
        """Hash row of an absolute distance: eight units share one, so a near miss is at most one row away."""
        cell: cython.longlong = cython.cast(cython.longlong, floor(d * 0.125))
        return cython.cast(cython.int, cell & (self.head.shape[0] - 1))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def link(self, row: cython.int) -> cython.void:
        """Enter an even row into its bucket; its opposite is found through it."""
        if row & 1:
            return
        b: cython.int = self.bucket(fabs(self.dist[row]))
        self.chain[row] = self.head[b]
        self.head[b] = row

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find(
        self, b: cython.int, nx: cython.double, ny: cython.double, nz: cython.double, d: cython.double
    ) -> cython.int:
        """The best even row of a bucket within the tolerances: the lowest number, so order of input decides."""
        row: cython.int = self.head[b]
        best: cython.int = -1
        while row >= 0:
            if (
                fabs(self.dist[row] - d) < self.dist_eps
                and fabs(self.normal[row, 0] - nx) < self.normal_eps
                and fabs(self.normal[row, 1] - ny) < self.normal_eps
                and fabs(self.normal[row, 2] - nz) < self.normal_eps
                and (best < 0 or row < best)
            ):
                best = row
            row = self.chain[row]
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add(self, nx: cython.double, ny: cython.double, nz: cython.double, d: cython.double) -> cython.int:
        """Id of a plane, entering it when it is new; −1 when it is not finite or has no direction."""
        if not (isfinite(nx) and isfinite(ny) and isfinite(nz) and isfinite(d)):
            return -1
        length: cython.double = sqrt(nx * nx + ny * ny + nz * nz)
        if not isfinite(length) or length < 1e-12 or fabs(d) > 1e12:
            return -1
        nx /= length
        ny /= length
        nz /= length
        d /= length
        ax: cython.double = fabs(nx)
        ay: cython.double = fabs(ny)
        az: cython.double = fabs(nz)
        if ax >= 1.0 - self.axial:
            nx = 1.0 if nx > 0 else -1.0
            ny = 0.0
            nz = 0.0
        elif ay >= 1.0 - self.axial:
            ny = 1.0 if ny > 0 else -1.0
            nx = 0.0
            nz = 0.0
        elif az >= 1.0 - self.axial:
            nz = 1.0 if nz > 0 else -1.0
            nx = 0.0
            ny = 0.0
        if fabs(d - rint(d)) < self.snap:
            d = rint(d)
        lead: cython.double = nx
        if ay > ax + self.normal_eps and ay >= az - self.normal_eps:
            lead = ny
        elif az > ax + self.normal_eps and az > ay + self.normal_eps:
            lead = nz
        flip: cython.int = 1 if lead < 0 else 0
        if flip:
            nx = -nx
            ny = -ny
            nz = -nz
            d = -d
        nx += 0.0  # −0 becomes 0: one spelling of a plane
        ny += 0.0
        nz += 0.0
        d += 0.0
        away: cython.double = fabs(d)
        b: cython.int = self.bucket(away)
        best: cython.int = self.find(b, nx, ny, nz, d)
        low: cython.int = self.bucket(away - self.dist_eps if away > self.dist_eps else 0.0)
        high: cython.int = self.bucket(away + self.dist_eps)
        other: cython.int
        if low != b:
            other = self.find(low, nx, ny, nz, d)
            if other >= 0 and (best < 0 or other < best):
                best = other
        if high != b:
            other = self.find(high, nx, ny, nz, d)
            if other >= 0 and (best < 0 or other < best):
                best = other
        if best >= 0:
            return best + flip
        if self.count + 2 > self.normal.shape[0]:
            with cython.gil:
                self._grow()
        row: cython.int = self.count
        self.normal[row, 0] = nx
        self.normal[row, 1] = ny
        self.normal[row, 2] = nz
        self.dist[row] = d
        self.normal[row + 1, 0] = 0.0 - nx
        self.normal[row + 1, 1] = 0.0 - ny
        self.normal[row + 1, 2] = 0.0 - nz
        self.dist[row + 1] = 0.0 - d
        self.count = row + 2
        self.link(row)
        return row + flip

    def adopt(self, normal: cython.double[:, ::1], dist: cython.double[::1]):
        """Take over the rows of another table as they are."""
        while self.normal.shape[0] < dist.shape[0]:
            self._grow()
        np.asarray(self.normal)[: dist.shape[0]] = normal
        np.asarray(self.dist)[: dist.shape[0]] = dist
        i: cython.int
        self.count = dist.shape[0]
        for i in range(self.count):
            self.link(i)

    def intern(self, normal: cython.double[:, ::1], dist: cython.double[::1], out: cython.int[::1]):
        """Ids of a batch of planes, in order."""
        i: cython.Py_ssize_t
        n: cython.Py_ssize_t = dist.shape[0]
        with cython.nogil:
            for i in range(n):
                out[i] = self.add(normal[i, 0], normal[i, 1], normal[i, 2], dist[i])
