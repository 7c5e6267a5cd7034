# mypy: ignore-errors
"""Welding: corners that lie together become one vertex, and a vertex on an edge becomes a corner of its polygon.

Points are found through a grid of cells hashed into a power of two of rows; ``cell`` is wider than any tolerance, so
what is near lies in the same or a neighbouring cell.
"""

import cython
import numpy as np
from cython.cimports.libc.math import floor, sqrt


@cython.final
@cython.cclass
class Welder:
    xyz: cython.double[:, ::1]
    count: cython.int
    chain: cython.int[::1]
    head: cython.int[::1]
    cell: cython.double
    near: cython.double

    found: cython.int[::1]
    along: cython.double[::1]
    founds: cython.int

    out: cython.int[::1]
    outs: cython.int

    def __init__(self, rows: cython.int, cell: cython.double, near: cython.double):
        size = 1024
        while size < 2 * rows:
            size *= 2
        self.xyz = np.empty((max(rows, 1), 3))
        self.chain = np.empty(max(rows, 1), np.intc)
        self.head = np.full(size, -1, np.intc)
        self.count = 0
        self.cell = cell
        self.near = near
        self.found = np.empty(256, np.intc)
        self.along = np.empty(256)
        self.founds = 0
        self.out = np.empty(1024, np.intc)
        self.outs = 0

    def _grow_found(self):
        rows = 2 * self.found.shape[0]
        found = np.empty(rows, np.intc)
        found[: self.founds] = np.asarray(self.found)[: self.founds]
        along = np.empty(rows)
        along[: self.founds] = np.asarray(self.along)[: self.founds]
        self.found = found
        self.along = along

    def _grow_out(self):
        out = np.empty(2 * self.out.shape[0], np.intc)
        out[: self.outs] = np.asarray(self.out)[: self.outs]
        self.out = out

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def bucket(self, i: cython.longlong, j: cython.longlong, k: cython.longlong) -> cython.int:
        """Hash row of a cell."""
        h: cython.longlong = (i * 73856093) ^ (j * 19349663) ^ (k * 83492791)
        return cython.cast(cython.int, h & (self.head.shape[0] - 1))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def place(self, x: cython.double, y: cython.double, z: cython.double) -> cython.int:
        """The vertex at a point: the lowest within reach, or a new one."""
        best: cython.int = -1
        v: cython.int
        b: cython.int
        i: cython.longlong
        j: cython.longlong
        k: cython.longlong
        dx: cython.double
        dy: cython.double
        dz: cython.double
        r: cython.double = self.near
        for i in range(self.first_cell(x, 0.0), self.last_cell(x, 0.0) + 1):
            for j in range(self.first_cell(y, 0.0), self.last_cell(y, 0.0) + 1):
                for k in range(self.first_cell(z, 0.0), self.last_cell(z, 0.0) + 1):
                    v = self.head[self.bucket(i, j, k)]
                    while v >= 0:
                        dx = self.xyz[v, 0] - x
                        dy = self.xyz[v, 1] - y
                        dz = self.xyz[v, 2] - z
                        if dx * dx + dy * dy + dz * dz <= r * r and (best < 0 or v < best):
                            best = v
                        v = self.chain[v]
        if best >= 0:
            return best
        v = self.count
        self.count = v + 1
        self.xyz[v, 0] = x
        self.xyz[v, 1] = y
        self.xyz[v, 2] = z
        b = self.bucket(
            cython.cast(cython.longlong, floor(x / self.cell)),
            cython.cast(cython.longlong, floor(y / self.cell)),
            cython.cast(cython.longlong, floor(z / self.cell)),
        )
        self.chain[v] = self.head[b]
        self.head[b] = v
        return v

    def weld(self, xyz: cython.double[:, ::1], vertex: cython.int[::1]):
        """The vertex of every corner."""
        i: cython.Py_ssize_t
        with cython.nogil:
            for i in range(xyz.shape[0]):
                vertex[i] = self.place(xyz[i, 0], xyz[i, 1], xyz[i, 2])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def note(self, v: cython.int, t: cython.double) -> cython.void:
        """Insert a vertex found on an edge, in order along it."""
        i: cython.int
        for i in range(self.founds):
            if self.found[i] == v:
                return
        if self.founds >= self.found.shape[0]:
            with cython.gil:
                self._grow_found()
        i = self.founds
        while i > 0 and self.along[i - 1] > t:
            self.found[i] = self.found[i - 1]
            self.along[i] = self.along[i - 1]
            i -= 1
        self.found[i] = v
        self.along[i] = t
        self.founds += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def on_edge(self, a: cython.int, b: cython.int) -> cython.void:
        """Find the vertices on the edge from a to b, its ends left out."""
        self.founds = 0
        ax: cython.double = self.xyz[a, 0]
        ay: cython.double = self.xyz[a, 1]
        az: cython.double = self.xyz[a, 2]
        ex: cython.double = self.xyz[b, 0] - ax
        ey: cython.double = self.xyz[b, 1] - ay
        ez: cython.double = self.xyz[b, 2] - az
        length: cython.double = sqrt(ex * ex + ey * ey + ez * ez)
        if length <= 2 * self.near:
            return
        ex /= length
        ey /= length
        ez /= length
        # Cut the edge into pieces of about a cell and look at the cells that each piece's box touches.
        steps: cython.int = cython.cast(cython.int, length / self.cell) + 1
        piece: cython.double = length / steps
        s: cython.int
        i: cython.longlong
        j: cython.longlong
        k: cython.longlong
        x: cython.double
        y: cython.double
        z: cython.double
        for s in range(steps):
            x = ax + ex * piece * s
            y = ay + ey * piece * s
            z = az + ez * piece * s
            for i in range(self.first_cell(x, ex * piece), self.last_cell(x, ex * piece) + 1):
                for j in range(self.first_cell(y, ey * piece), self.last_cell(y, ey * piece) + 1):
                    for k in range(self.first_cell(z, ez * piece), self.last_cell(z, ez * piece) + 1):
                        self.scan(self.head[self.bucket(i, j, k)], a, b, ax, ay, az, ex, ey, ez, length)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def first_cell(self, x: cython.double, d: cython.double) -> cython.longlong:
        """The lowest cell within reach of the span from x to x + d."""
        return cython.cast(cython.longlong, floor(((x + d if d < 0 else x) - self.near) / self.cell))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def last_cell(self, x: cython.double, d: cython.double) -> cython.longlong:
        """The highest cell within reach of the span from x to x + d."""
        return cython.cast(cython.longlong, floor(((x + d if d > 0 else x) + self.near) / self.cell))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def scan(
        self, v: cython.int, a: cython.int, b: cython.int, ax: cython.double, ay: cython.double, az: cython.double,
        ex: cython.double, ey: cython.double, ez: cython.double, length: cython.double,
    ) -> cython.void:  # fmt: skip
        """Note the vertices of a chain that lie on the edge."""
        x: cython.double
        y: cython.double
        z: cython.double
        t: cython.double
        while v >= 0:
            if v != a and v != b:
                x = self.xyz[v, 0] - ax
                y = self.xyz[v, 1] - ay
                z = self.xyz[v, 2] - az
                t = x * ex + y * ey + z * ez
                if self.near < t < length - self.near:
                    x -= t * ex
                    y -= t * ey
                    z -= t * ez
                    if x * x + y * y + z * z <= self.near * self.near:
                        self.note(v, t)
            v = self.chain[v]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def emit(self, v: cython.int, first: cython.int) -> cython.void:
        """Append a corner to the polygon that starts at ``first``, unless the polygon has it already."""
        i: cython.int
        for i in range(first, self.outs):
            if self.out[i] == v:
                return
        if self.outs >= self.out.shape[0]:
            with cython.gil:
                self._grow_out()
        self.out[self.outs] = v
        self.outs += 1

    def close_junctions(self, start: cython.longlong[::1], vertex: cython.int[::1], out_start: cython.longlong[::1]):
        """Polygons with every vertex that lies on one of their edges as a corner; fewer than three corners: empty."""
        p: cython.int
        i: cython.int
        k: cython.int
        n: cython.int
        a: cython.int
        b: cython.int
        first: cython.int
        with cython.nogil:
            out_start[0] = 0
            for p in range(start.shape[0] - 1):
                first = self.outs
                n = start[p + 1] - start[p]
                for i in range(n):
                    a = vertex[start[p] + i]
                    b = vertex[start[p] + (i + 1 if i + 1 < n else 0)]
                    self.emit(a, first)
                    if a != b:
                        self.on_edge(a, b)
                        for k in range(self.founds):
                            self.emit(self.found[k], first)
                if self.outs - first < 3:
                    self.outs = first
                out_start[p + 1] = self.outs
        return np.asarray(self.out)[: self.outs].copy()

    def vertices(self):
        """(n, 3) all vertices."""
        return np.asarray(self.xyz)[: self.count].copy()
