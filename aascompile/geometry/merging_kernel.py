# mypy: ignore-errors
"""Merging of coplanar convex polygons: two polygons that share an edge are merged if their union is convex. A polygon that
is concave itself is left alone: without its concave corners it would be another polygon.

Glossary
    shared edge   runs from corner u to v in one polygon and from v to u in the other, with corners within ``eps``.
    collinear     a corner within ``eps`` of the line through its neighbours. Such corners are removed first. Then a
                  union can be convex only if the shared edge is a complete edge of both polygons.
    slot          position of a polygon in its batch. ``row`` is its current row in the store; ``into`` is the slot it
                  was merged into (its own slot while it exists).
"""

import cython
import numpy as np
from cython.cimports.libc.math import fabs, sqrt

from aascompile.geometry.polygon_kernel import Polys


class PolygonMerger:
    """Merges polygons of a store. The results are appended to the store."""

    def __init__(self, polys, eps):
        self.polys = polys
        self.eps = eps
        self.box = np.empty((0, 6))
        self.concave = np.zeros(0, np.int8)
        self.row = np.empty(0, np.intc)
        self.into = np.empty(0, np.intc)

    def same(self, p, q):
        """Whether two vertices coincide within ``eps``."""
        x: cython.double = self.polys.xyz[p, 0] - self.polys.xyz[q, 0]
        y: cython.double = self.polys.xyz[p, 1] - self.polys.xyz[q, 1]
        z: cython.double = self.polys.xyz[p, 2] - self.polys.xyz[q, 2]
        return x * x + y * y + z * z <= self.eps * self.eps

    def outward(self, p, v, q, nx, ny, nz):
        """Distance that corner v sticks out from the line through p and q; negative if the corner is concave."""
        ex: cython.double = self.polys.xyz[q, 0] - self.polys.xyz[p, 0]
        ey: cython.double = self.polys.xyz[q, 1] - self.polys.xyz[p, 1]
        ez: cython.double = self.polys.xyz[q, 2] - self.polys.xyz[p, 2]
        vx: cython.double = self.polys.xyz[v, 0] - self.polys.xyz[p, 0]
        vy: cython.double = self.polys.xyz[v, 1] - self.polys.xyz[p, 1]
        vz: cython.double = self.polys.xyz[v, 2] - self.polys.xyz[p, 2]
        length: cython.double = sqrt(ex * ex + ey * ey + ez * ez)
        if length <= self.eps:  # a spike: p and q coincide
            return sqrt(vx * vx + vy * vy + vz * vz)
        return (nx * (vy * ez - vz * ey) + ny * (vz * ex - vx * ez) + nz * (vx * ey - vy * ex)) / length

    def strip(self, poly, nx, ny, nz):
        """The polygon without collinear corners: itself or a shorter copy; −1 if fewer than three corners remain."""
        first: cython.int = self.polys.start[poly]
        n: cython.int = self.polys.size[poly]
        i: cython.int
        p: cython.int
        q: cython.int
        drop: cython.int = 0
        for i in range(n):
            p = first + (i - 1 if i else n - 1)
            q = first + (i + 1 if i + 1 < n else 0)
            if fabs(self.outward(p, first + i, q, nx, ny, nz)) <= self.eps:
                drop = 1
                break
        if not drop:
            return poly if n >= 3 else -1
        new: cython.int = self.polys.begin(n)
        begin: cython.int = self.polys.start[new]
        last: cython.int = first + n - 1
        for i in range(n):
            # Compare with the corners kept so far, not with the original neighbours. Otherwise a run of nearly
            # collinear corners, or two coincident ones, would be removed completely.
            p = self.polys.vertex_count - 1 if self.polys.vertex_count > begin else last
            q = first + i + 1
            if i + 1 == n:
                q = begin if self.polys.vertex_count > begin else first
            if fabs(self.outward(p, first + i, q, nx, ny, nz)) > self.eps:
                self.polys.push(
                    self.polys.xyz[first + i, 0], self.polys.xyz[first + i, 1], self.polys.xyz[first + i, 2]
                )
        self.polys.close(new)
        return new if self.polys.size[new] >= 3 else -1

    def is_concave(self, poly, nx, ny, nz):
        """Whether a polygon has a concave corner."""
        first: cython.int = self.polys.start[poly]
        n: cython.int = self.polys.size[poly]
        i: cython.int
        p: cython.int
        q: cython.int
        for i in range(n):
            p = first + (i - 1 if i else n - 1)
            q = first + (i + 1 if i + 1 < n else 0)
            if self.outward(p, first + i, q, nx, ny, nz) < -self.eps:
                return True
        return False

    def shared(self, a, b, i):
        """Edge of b that is the reverse of a's edge i; −1 if there is no such edge."""
        n: cython.int = self.polys.size[a]
        m: cython.int = self.polys.size[b]
        u: cython.int = self.polys.start[a] + i
        v: cython.int = self.polys.start[a] + (i + 1 if i + 1 < n else 0)
        first: cython.int = self.polys.start[b]
        j: cython.int
        for j in range(m):
            if self.same(first + j, v) and self.same(first + (j + 1 if j + 1 < m else 0), u):
                return j
        return -1

    def merge(self, a, b, nx, ny, nz):
        """Union of two polygons if they share an edge and the union is convex; otherwise −1.

        Neither polygon may have collinear corners.
        """
        i: cython.int
        j: cython.int
        for i in range(self.polys.size[a]):
            j = self.shared(a, b, i)
            if j >= 0:
                return self.join(a, b, i, j, nx, ny, nz)
        return -1

    def join(self, a, b, i, j, nx, ny, nz):
        """Append the union across a's edge i and b's edge j; −1 if it is concave at either end of the edge."""
        n: cython.int = self.polys.size[a]
        m: cython.int = self.polys.size[b]
        first: cython.int = self.polys.start[a]
        other: cython.int = self.polys.start[b]
        u: cython.int = first + i
        v: cython.int = first + (i + 1) % n
        at_u: cython.double = self.outward(first + (i + n - 1) % n, u, other + (j + 2) % m, nx, ny, nz)
        at_v: cython.double = self.outward(other + (j + m - 1) % m, v, first + (i + 2) % n, nx, ny, nz)
        if at_u < -self.eps or at_v < -self.eps:
            return -1
        new: cython.int = self.polys.begin(n + m)
        k: cython.int
        w: cython.int
        for k in range(1, n + 1):
            w = first + (i + k) % n
            if (w == u and at_u <= self.eps) or (w == v and at_v <= self.eps):
                continue
            self.polys.push(self.polys.xyz[w, 0], self.polys.xyz[w, 1], self.polys.xyz[w, 2])
        for k in range(2, m):
            w = other + (j + k) % m
            self.polys.push(self.polys.xyz[w, 0], self.polys.xyz[w, 1], self.polys.xyz[w, 2])
        self.polys.close(new)
        return new if self.polys.size[new] >= 3 else -1

    def enclose(self, slot):
        """Store the bounds of a slot, enlarged by ``eps``."""
        k: cython.int
        self.polys.bounds(self.row[slot])
        for k in range(3):
            self.box[slot, k] = self.polys.box[k] - self.eps
            self.box[slot, 3 + k] = self.polys.box[3 + k] + self.eps

    def apart(self, a, b):
        """Whether the bounds of two slots do not touch."""
        k: cython.int
        for k in range(3):
            if self.box[a, k] > self.box[b, 3 + k] or self.box[b, k] > self.box[a, 3 + k]:
                return 1
        return 0

    def merge_group(self, first, end, nx, ny, nz):
        """Merge the slots of a group until no two can be merged, and return how many remain."""
        i: cython.int
        j: cython.int
        new: cython.int
        left: cython.int = 0
        again: cython.int = 1
        for i in range(first, end):
            self.into[i] = i
            new = self.strip(self.row[i], nx, ny, nz)
            if new < 0:
                self.into[i] = -1
                continue
            self.row[i] = new
            self.enclose(i)
            self.concave[i] = self.is_concave(new, nx, ny, nz)
            left += 1
        while again:
            again = 0
            for i in range(first, end):
                if self.into[i] != i or self.concave[i]:
                    continue
                j = first
                while j < end:
                    if j != i and self.into[j] == j and not self.concave[j] and not self.apart(i, j):
                        new = self.merge(self.row[i], self.row[j], nx, ny, nz)
                        if new >= 0:
                            self.row[i] = new
                            self.enclose(i)
                            self.into[j] = i
                            left -= 1
                            again = 1
                    j += 1
        for i in range(first, end):
            j = i
            while j >= 0 and self.into[j] != j:
                j = self.into[j]
            self.into[i] = j
        return left

    def merge_all(
        self,
        order: cython.int[::1],
        group_start: cython.longlong[::1],
        normal: cython.double[:, ::1],
        into: cython.int[::1],
        row: cython.int[::1],
    ):
        """Merge within groups of the polygon rows ``order``. Fills ``into`` and ``row``, indexed like ``order``."""
        g: cython.int
        i: cython.int
        count: cython.int = order.shape[0]
        self.box = np.empty((count, 6))
        self.concave = np.zeros(count, np.int8)
        self.row = row
        self.into = into
        with cython.nogil:
            for i in range(count):
                self.row[i] = order[i]
            for g in range(group_start.shape[0] - 1):
                self.merge_group(
                    cython.cast(cython.int, group_start[g]),
                    cython.cast(cython.int, group_start[g + 1]),
                    normal[g, 0],
                    normal[g, 1],
                    normal[g, 2],
                )

    def merge_pair(self, a: cython.int, b: cython.int, nx: cython.double, ny: cython.double, nz: cython.double):
        """Union of any two polygons after removing collinear corners; −1 if it is not convex."""
        a = self.strip(a, nx, ny, nz)
        b = self.strip(b, nx, ny, nz)
        if a < 0 or b < 0 or self.is_concave(a, nx, ny, nz) or self.is_concave(b, nx, ny, nz):
            return -1
        return self.merge(a, b, nx, ny, nz)
