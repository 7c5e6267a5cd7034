# mypy: ignore-errors
"""Hulls of brushes: the solid behind all planes of a brush, cleaned up and measured, with a polygon for each side.

Corners closer than ``min_edge`` are merged, consistently in all faces. This removes the slivers that float32 bevels
leave, and keeps the hull watertight.
"""

import cython
import numpy as np
from cython.cimports.libc.math import fabs, isfinite

from aascompile.columns import grown
from aascompile.geometry.polygon_kernel import Polys
from aascompile.geometry.solid_kernel import Solid

CLOSED = cython.declare(cython.int, 0)
NO_VOLUME = cython.declare(cython.int, 1)
UNCLOSED = cython.declare(cython.int, 2)
BAD_PLANE = cython.declare(cython.int, 3)
FLAT = cython.declare(cython.int, 4)

INFINITE = cython.declare(cython.double, float("inf"))


class Hull(Solid):
    """Builder of one hull at a time.

    Kernels call either ``build``, or ``start``, ``cut`` for each plane and ``finish``. Then they call ``emit``.
    """

    def __init__(self, extent, clip, min_edge, min_volume, min_area):
        Solid.__init__(self, extent, clip)
        self.min_edge = min_edge
        self.min_volume = min_volume
        self.min_area = min_area
        self.box = np.zeros(6)
        self.side_face = np.empty(0, np.intc)
        self.volume = 0.0

    def build(self, normal, dist, side_plane, first, count):
        """Build the hull behind the planes ``side_plane[first : first + count]`` and return its status.

        Sides are numbered from 0.
        """
        i: cython.int
        plane: cython.int
        for i in range(count):
            plane = side_plane[first + i]
            if plane < 0 or plane >= dist.shape[0]:
                self.clear()
                return BAD_PLANE
            if not (
                isfinite(dist[plane])
                and isfinite(normal[plane, 0])
                and isfinite(normal[plane, 1])
                and isfinite(normal[plane, 2])
            ):
                self.clear()
                return BAD_PLANE
        self.start()
        for i in range(count):
            plane = side_plane[first + i]
            self.cut(normal[plane, 0], normal[plane, 1], normal[plane, 2], dist[plane], i)
        return self.finish()

    def finish(self):
        """Clean up, measure ``volume`` and ``box``, and return the status. A hull without volume loses its faces."""
        status: cython.int = FLAT if self.flat else CLOSED
        self.contract()
        if self.flat and (self.face_count < 1 or self.loop_area(0) < self.min_area):
            self.clear()
        self.measure()
        if not self.flat and self.volume < self.min_volume:
            self.clear()
        if self.face_count == 0:
            self.clear()
            return NO_VOLUME
        return UNCLOSED if self.at_the_edge() else status

    def at_the_edge(self):
        """Whether part of the cube around the world still bounds the hull."""
        f: cython.int
        v: cython.int
        now: cython.int = self.now
        if self.flat:
            for v in range(6):
                if fabs(self.box[v]) >= self.extent - self.clip:
                    return 1
            return 0
        for f in range(self.face_count):
            if self.face_side[now, f] < 0:
                return 1
        return 0

    def contract(self):
        """Merge corners joined by an edge shorter than ``min_edge``, consistently in all faces."""
        now: cython.int = self.now
        limit: cython.double = self.min_edge * self.min_edge
        f: cython.int
        i: cython.int
        first: cython.int
        last: cython.int
        a: cython.int
        b: cython.int
        dx: cython.double
        dy: cython.double
        dz: cython.double
        short: cython.int = 0
        for i in range(self.vertex_count):
            self.renumber[i] = i
        for f in range(self.face_count):
            first = self.face_start[now, f]
            last = first + self.face_size[now, f] - 1
            a = self.loop[now, last]
            for i in range(first, last + 1):
                b = self.loop[now, i]
                if a < b or self.flat:
                    dx = self.x[now, a] - self.x[now, b]
                    dy = self.y[now, a] - self.y[now, b]
                    dz = self.z[now, a] - self.z[now, b]
                    if dx * dx + dy * dy + dz * dz < limit:
                        short = 1
                        while self.renumber[a] != a:
                            a = self.renumber[a]
                        while self.renumber[b] != b:
                            b = self.renumber[b]
                        if a < b:
                            self.renumber[b] = a
                        else:
                            self.renumber[a] = b
                        b = self.loop[now, i]
                a = b
        if not short:
            return
        for i in range(self.vertex_count):
            self.renumber[i] = self.renumber[
                self.renumber[i]
            ]  # a root has a lower number than the vertices merged into it
        write: cython.int = 0
        for f in range(self.face_count):
            first = self.face_start[now, f]
            for i in range(first, first + self.face_size[now, f]):
                self.loop[now, i] = self.renumber[self.loop[now, i]]
            last = self.tidy(first, self.face_size[now, f])
            if last >= 3:
                self.face_start[now, write] = first
                self.face_size[now, write] = last
                self.face_side[now, write] = self.face_side[now, f]
                write += 1
        self.face_count = write

    def tidy(self, start, size):
        """Remove repeated corners and spikes (there and back) from a loop, and return its new length."""
        now: cython.int = self.now
        i: cython.int
        n: cython.int = 0
        v: cython.int
        for i in range(size):
            v = self.loop[now, start + i]
            if n >= 1 and self.loop[now, start + n - 1] == v:
                continue
            if n >= 2 and self.loop[now, start + n - 2] == v:
                n -= 1
                continue
            self.loop[now, start + n] = v
            n += 1
        i = 0  # number of leading corners removed for the same reasons where the loop closes
        while n >= 3:
            if self.loop[now, start + i] == self.loop[now, start + i + n - 1]:
                n -= 1
            elif self.loop[now, start + i] == self.loop[now, start + i + n - 2]:
                n -= 2
            elif self.loop[now, start + i + 1] == self.loop[now, start + i + n - 1]:
                i += 1
                n -= 2
            else:
                break
        if i:
            for v in range(n):
                self.loop[now, start + v] = self.loop[now, start + i + v]
        return n

    def measure(self):
        """Compute the volume and bounds of the hull. Without faces, the bounds are empty (minima above maxima)."""
        now: cython.int = self.now
        f: cython.int
        i: cython.int
        k: cython.int
        first: cython.int
        o: cython.int
        a: cython.int
        b: cython.int
        six: cython.double = 0.0
        self.volume = 0.0
        for k in range(3):
            self.box[k] = INFINITE
            self.box[3 + k] = -INFINITE
        if self.face_count == 0:
            return
        o = self.loop[now, self.face_start[now, 0]]
        ox: cython.double = self.x[now, o]
        oy: cython.double = self.y[now, o]
        oz: cython.double = self.z[now, o]
        ax: cython.double
        ay: cython.double
        az: cython.double
        bx: cython.double
        by: cython.double
        bz: cython.double
        cx: cython.double
        cy: cython.double
        cz: cython.double
        for f in range(self.face_count):
            first = self.face_start[now, f]
            o = self.loop[now, first]
            cx = self.x[now, o] - ox
            cy = self.y[now, o] - oy
            cz = self.z[now, o] - oz
            for i in range(first, first + self.face_size[now, f]):
                a = self.loop[now, i]
                self.box[0] = min(self.box[0], self.x[now, a])
                self.box[1] = min(self.box[1], self.y[now, a])
                self.box[2] = min(self.box[2], self.z[now, a])
                self.box[3] = max(self.box[3], self.x[now, a])
                self.box[4] = max(self.box[4], self.y[now, a])
                self.box[5] = max(self.box[5], self.z[now, a])
            for i in range(first + 1, first + self.face_size[now, f] - 1):
                a = self.loop[now, i]
                b = self.loop[now, i + 1]
                ax = self.x[now, a] - ox
                ay = self.y[now, a] - oy
                az = self.z[now, a] - oz
                bx = self.x[now, b] - ox
                by = self.y[now, b] - oy
                bz = self.z[now, b] - oz
                six += cx * (ay * bz - az * by) + cy * (az * bx - ax * bz) + cz * (ax * by - ay * bx)
        self.volume = 0.0 if self.flat else six / 6.0

    def emit(self, out, count):
        """Append a polygon for each side and return the row of the first. A side that bounds nothing has no vertices.

        A flat hull assigns its polygon to both of its sides, each facing its own direction.
        """
        now: cython.int = self.now
        f: cython.int
        i: cython.int
        s: cython.int
        n: cython.int
        v: cython.int
        first: cython.int = out.poly_count
        poly: cython.int
        if count > self.side_face.shape[0]:
            with cython.gil:
                (self.side_face,) = grown(count, self.side_face)
        for s in range(count):
            self.side_face[s] = -1
        for f in range(self.face_count):
            s = self.face_side[now, f]
            if 0 <= s < count:
                self.side_face[s] = f
        if self.flat and self.face_count and self.face_side[now, 1] < count:
            self.side_face[self.face_side[now, 1]] = 1
        for s in range(count):
            f = self.side_face[s]
            if f < 0:
                poly = out.begin(0)
                continue
            n = self.face_size[now, 0 if self.flat else f]
            poly = out.begin(n)
            for i in range(n):
                if self.flat:
                    v = self.loop[now, n - 1 - i if f == 1 else i]
                else:
                    v = self.loop[now, self.face_start[now, f] + i]
                out.push(self.x[now, v], self.y[now, v], self.z[now, v])
            out.close(poly)
        return first

    def build_all(
        self,
        normal: cython.double[:, ::1],
        dist: cython.double[::1],
        side_start: cython.longlong[::1],
        side_plane: cython.int[::1],
        out: Polys,
        bounds: cython.double[:, ::1],
        volume: cython.double[::1],
        status: cython.int[::1],
    ):
        """Build the hulls of many brushes, with a polygon for each of their sides."""
        i: cython.Py_ssize_t
        k: cython.int
        count: cython.int
        with cython.nogil:
            for i in range(status.shape[0]):
                count = cython.cast(cython.int, side_start[i + 1] - side_start[i])
                status[i] = self.build(normal, dist, side_plane, side_start[i], count)
                if status[i] == BAD_PLANE:
                    self.flat = 0
                    self.measure()
                for k in range(6):
                    bounds[i, k] = self.box[k]
                volume[i] = self.volume
                self.emit(out, count)
