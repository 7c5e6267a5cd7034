# mypy: ignore-errors
"""Polygon store: convex planar polygons as rows of growable columns, with the operations that all stages need.

Glossary
    polygon   a row number. Its vertices are ``xyz[start[p] : start[p] + size[p]]``, counter-clockwise seen from the
              front of its plane (the side that its normal points to).
    front     the side where ``n·x − d > 0``.
    on        within ``eps`` of the plane. Callers take ``eps`` from tolerances.py.

Rows are only appended. A depth-first kernel remembers ``vertex_count`` and ``poly_count`` and passes them to
``release`` when it no longer needs the rows added since.
A cut edge is always interpolated from its front vertex to its back vertex, so the two polygons that share the edge get
a point with identical bits.
"""

import cython
import numpy as np
from cython.cimports.libc.math import fabs, sqrt

from aascompile.columns import grown


class Polys:
    """Growable columns of convex polygons."""

    def __init__(self, vertices=1024, polys=256):
        self.xyz = np.empty((max(vertices, 16), 3))
        self.start = np.empty(max(polys, 16), np.intc)
        self.size = np.empty(max(polys, 16), np.intc)
        self.distance = np.empty(64)
        self.where = np.empty(64, np.intc)
        self.vector = np.empty(3)
        self.box = np.empty(6)
        self.vertex_count = 0
        self.poly_count = 0
        self.front = -1
        self.back = -1

    def load(self, vertex_start, xyz):
        """Append polygons from CSR columns and return the row of the first."""
        size = np.diff(vertex_start)
        first = self.poly_count
        end = first + len(size)
        self.reserve(len(xyz), len(size))
        np.asarray(self.xyz)[self.vertex_count : self.vertex_count + len(xyz)] = xyz
        np.asarray(self.start)[first:end] = self.vertex_count + np.cumsum(size) - size
        np.asarray(self.size)[first:end] = size
        self.vertex_count += len(xyz)
        self.poly_count = end
        return first

    def columns(self, rows=None):
        """Copies of the CSR columns ``vertex_start``, ``xyz`` of some polygons (default: all)."""
        rows = np.arange(self.poly_count) if rows is None else np.asarray(rows)
        size = np.asarray(self.size)[rows].astype(np.int64)
        end = np.cumsum(size)
        offset = np.asarray(self.start)[rows] - (end - size)
        vertex_start = np.concatenate((np.zeros(1, np.int64), end))
        return vertex_start, np.asarray(self.xyz)[np.repeat(offset, size) + np.arange(size.sum())]

    def reserve(self, vertices, polys):
        """Room for this many more vertices and polygons."""
        if self.vertex_count + vertices > self.xyz.shape[0] or self.poly_count + polys > self.start.shape[0]:
            with cython.gil:
                self._grow(self.vertex_count + vertices, self.poly_count + polys)

    def _grow(self, vertices: cython.int, polys: cython.int):
        if vertices > self.xyz.shape[0]:
            (self.xyz,) = grown(vertices, self.xyz)
        if polys > self.start.shape[0]:
            self.start, self.size = grown(polys, self.start, self.size)

    def _grow_scratch(self, vertices: cython.int):
        self.distance, self.where = grown(vertices, self.distance, self.where)

    def release(self, vertices, polys):
        """Discard all rows after these counts."""
        self.vertex_count = vertices
        self.poly_count = polys

    def release_but(self, vertices, polys, kept):
        """Discard all rows after these counts but one, which was added since. Returns its new row."""
        first: cython.int = self.start[kept]
        n: cython.int = self.size[kept]
        i: cython.int
        k: cython.int
        for i in range(n):
            for k in range(3):
                self.xyz[vertices + i, k] = self.xyz[first + i, k]
        self.start[polys] = vertices
        self.size[polys] = n
        self.release(vertices + n, polys + 1)
        return polys

    def begin(self, vertices):
        """Begin a polygon of at most ``vertices`` vertices and return its row. ``push`` them, then ``close`` it."""
        self.reserve(vertices, 1)
        poly: cython.int = self.poly_count
        self.poly_count = poly + 1
        self.start[poly] = self.vertex_count
        self.size[poly] = 0
        return poly

    def push(self, x, y, z):
        """Append a vertex to the polygon begun last."""
        row: cython.int = self.vertex_count
        self.xyz[row, 0] = x
        self.xyz[row, 1] = y
        self.xyz[row, 2] = z
        self.vertex_count = row + 1

    def close(self, poly):
        """End the polygon begun last."""
        self.size[poly] = self.vertex_count - self.start[poly]

    def copy_from(self, other, poly):
        """Append a copy of a polygon from another store or from this one."""
        first: cython.int = other.start[poly]
        n: cython.int = other.size[poly]
        new: cython.int = self.begin(n)
        i: cython.int
        for i in range(n):
            self.push(other.xyz[first + i, 0], other.xyz[first + i, 1], other.xyz[first + i, 2])
        self.close(new)
        return new

    def reversed_copy(self, poly):
        """Append a copy of a polygon that faces the opposite direction."""
        n: cython.int = self.size[poly]
        new: cython.int = self.begin(n)
        last: cython.int = self.start[poly] + n - 1
        i: cython.int
        for i in range(n):
            self.push(self.xyz[last - i, 0], self.xyz[last - i, 1], self.xyz[last - i, 2])
        self.close(new)
        return new

    def base(self, nx, ny, nz, d, extent):
        """Append a square of half-width ``extent`` on a plane, centred on the plane's point closest to the origin."""
        ax: cython.double = fabs(nx)
        ay: cython.double = fabs(ny)
        az: cython.double = fabs(nz)
        ux: cython.double = 0.0
        uy: cython.double = 0.0
        uz: cython.double = 1.0
        if az >= ax and az >= ay:
            ux = 1.0
            uz = 0.0
        # Make the helper axis perpendicular to the normal. Then v = n × u completes a right-handed frame.
        dot: cython.double = ux * nx + uz * nz
        ux -= dot * nx
        uy -= dot * ny
        uz -= dot * nz
        length: cython.double = sqrt(ux * ux + uy * uy + uz * uz)
        ux *= extent / length
        uy *= extent / length
        uz *= extent / length
        vx: cython.double = ny * uz - nz * uy
        vy: cython.double = nz * ux - nx * uz
        vz: cython.double = nx * uy - ny * ux
        cx: cython.double = nx * d
        cy: cython.double = ny * d
        cz: cython.double = nz * d
        poly: cython.int = self.begin(4)
        self.push(cx - ux - vx, cy - uy - vy, cz - uz - vz)
        self.push(cx + ux - vx, cy + uy - vy, cz + uz - vz)
        self.push(cx + ux + vx, cy + uy + vy, cz + uz + vz)
        self.push(cx - ux + vx, cy - uy + vy, cz - uz + vz)
        self.close(poly)
        return poly

    def classify(self, poly, nx, ny, nz, d, eps):
        """Side of a plane on which the polygon lies: 0 on, 1 front, 2 back, 3 both.

        The vertices' distances stay in ``distance``, their sides in ``where``.
        """
        first: cython.int = self.start[poly]
        n: cython.int = self.size[poly]
        if n > self.distance.shape[0]:
            with cython.gil:
                self._grow_scratch(n)
        found: cython.int = 0
        i: cython.int
        s: cython.double
        for i in range(n):
            s = self.xyz[first + i, 0] * nx + self.xyz[first + i, 1] * ny + self.xyz[first + i, 2] * nz - d
            self.distance[i] = s
            self.where[i] = (s > eps) + 2 * (s < -eps)
            found |= self.where[i]
        return found

    def split(self, poly, nx, ny, nz, d, eps):
        """Split a polygon by a plane into ``front`` and ``back`` (−1 if empty), and return its side as in ``classify``.

        A polygon entirely on one side is not copied. A polygon on the plane is neither in front nor behind.
        """
        found: cython.int = self.classify(poly, nx, ny, nz, d, eps)
        self.front = poly if found == 1 else -1
        self.back = poly if found == 2 else -1
        if found != 3:
            return found
        n: cython.int = self.size[poly]
        first: cython.int = self.start[poly]
        self.front = self.part(first, n, 1, nx, ny, nz, d)
        self.back = self.part(first, n, 2, nx, ny, nz, d)
        return 3

    def part(self, first, n, side, nx, ny, nz, d):
        """Append the part of the polygon last classified that lies on ``side``."""
        poly: cython.int = self.begin(n + 2)
        i: cython.int
        j: cython.int
        a: cython.int
        b: cython.int
        t: cython.double
        x: cython.double
        y: cython.double
        z: cython.double
        for i in range(n):
            if self.where[i] == 0 or self.where[i] == side:
                self.push(self.xyz[first + i, 0], self.xyz[first + i, 1], self.xyz[first + i, 2])
            j = i + 1
            if j == n:
                j = 0
            if self.where[i] + self.where[j] != 3 or self.where[i] == 0 or self.where[j] == 0:
                continue
            a = i if self.where[i] == 1 else j
            b = j if self.where[i] == 1 else i
            t = self.distance[a] / (self.distance[a] - self.distance[b])
            a += first
            b += first
            x = self.xyz[a, 0] + t * (self.xyz[b, 0] - self.xyz[a, 0])
            y = self.xyz[a, 1] + t * (self.xyz[b, 1] - self.xyz[a, 1])
            z = self.xyz[a, 2] + t * (self.xyz[b, 2] - self.xyz[a, 2])
            # On an axial plane, the coordinate is exactly the plane's. A normal can have a 1 and still not be axial:
            # far from the origin, the other components count.
            if ny == 0.0 and nz == 0.0:
                x = nx * d
            elif nx == 0.0 and nz == 0.0:
                y = ny * d
            elif nx == 0.0 and ny == 0.0:
                z = nz * d
            self.push(x, y, z)
        self.close(poly)
        return poly

    def area(self, poly):
        """Area of a polygon. The vector along its normal that is as long stays in ``vector``."""
        first: cython.int = self.start[poly]
        n: cython.int = self.size[poly]
        sx: cython.double = 0.0
        sy: cython.double = 0.0
        sz: cython.double = 0.0
        i: cython.int
        ax: cython.double
        ay: cython.double
        az: cython.double
        bx: cython.double
        by: cython.double
        bz: cython.double
        for i in range(first + 1, first + n - 1):
            ax = self.xyz[i, 0] - self.xyz[first, 0]
            ay = self.xyz[i, 1] - self.xyz[first, 1]
            az = self.xyz[i, 2] - self.xyz[first, 2]
            bx = self.xyz[i + 1, 0] - self.xyz[first, 0]
            by = self.xyz[i + 1, 1] - self.xyz[first, 1]
            bz = self.xyz[i + 1, 2] - self.xyz[first, 2]
            sx += ay * bz - az * by
            sy += az * bx - ax * bz
            sz += ax * by - ay * bx
        self.vector[0] = 0.5 * sx
        self.vector[1] = 0.5 * sy
        self.vector[2] = 0.5 * sz
        return 0.5 * sqrt(sx * sx + sy * sy + sz * sz)

    def centre(self, poly, out):
        """Fill ``out (3,)`` with the mean of the polygon's vertices."""
        first: cython.int = self.start[poly]
        n: cython.int = self.size[poly]
        x: cython.double = 0.0
        y: cython.double = 0.0
        z: cython.double = 0.0
        i: cython.int
        for i in range(first, first + n):
            x += self.xyz[i, 0]
            y += self.xyz[i, 1]
            z += self.xyz[i, 2]
        out[0] = x / n
        out[1] = y / n
        out[2] = z / n

    def bounds(self, poly):
        """Leave the polygon's bounds in ``box``: minima, then maxima."""
        first: cython.int = self.start[poly]
        n: cython.int = self.size[poly]
        i: cython.int
        k: cython.int
        v: cython.double
        low: cython.double
        high: cython.double
        for k in range(3):
            low = self.xyz[first, k]
            high = low
            for i in range(first + 1, first + n):
                v = self.xyz[i, k]
                low = v if v < low else low
                high = v if v > high else high
            self.box[k] = low
            self.box[3 + k] = high
