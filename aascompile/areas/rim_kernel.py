# mypy: ignore-errors
"""The rim of a hole: the closed loops that the free edges of faces form.

The faces of an area that was cut leave a hole in the plane of the cut. Each edge there that bounds no other face of the
area belongs to the rim of the hole. Faces do not share vertices yet: corners that agree within ``same`` are one, and an
edge may be as long as several of its neighbours.
"""

import cython
import numpy as np
from cython.cimports.aascompile.geometry.polygon_kernel import Polys
from cython.cimports.libc.math import fabs, sqrt

from aascompile.columns import grown


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def squared_distance(
    points: cython.double[:, ::1], p: cython.int, ends: cython.double[:, ::1], a: cython.int, b: cython.int
) -> cython.double:
    """Squared distance of a point from the line between two others."""
    length: cython.double = 0.0
    along: cython.double = 0.0
    off: cython.double = 0.0
    d: cython.double
    k: cython.int
    for k in range(3):
        d = ends[b, k] - ends[a, k]
        length += d * d
        along += d * (points[p, k] - ends[a, k])
    along = 0.0 if along <= 0.0 else 1.0 if along >= length else along / length
    for k in range(3):
        d = points[p, k] - ends[a, k] - along * (ends[b, k] - ends[a, k])
        off += d * d
    return off


class Rim:
    """Edges of faces, then loops of the rim."""

    def __init__(self, same):
        self.xyz = np.empty((64, 3))
        self.points = 0
        self.edge = np.empty((64, 2), np.intc)
        self.edges = 0
        self.corner = np.empty(64, np.intc)
        self.corners = 0
        self.start = np.zeros(16, np.intc)
        self.loops = 0
        self.path = np.empty(64, np.intc)
        self.same = same
        self.widest = 0.0  # gap between two ends that were joined

    def clear(self):
        """Forget all edges and loops."""
        self.points = 0
        self.edges = 0
        self.corners = 0
        self.loops = 0
        self.start[0] = 0
        self.widest = 0.0

    def point(self, x, y, z):
        """The number of a point: that of the first one in the same place, or a new one."""
        k: cython.int
        for k in range(self.points):
            if fabs(self.xyz[k, 0] - x) + fabs(self.xyz[k, 1] - y) + fabs(self.xyz[k, 2] - z) < self.same:
                return k
        if self.points >= self.xyz.shape[0]:
            with cython.gil:
                (self.xyz,) = grown(self.points + 1, self.xyz)
        k = self.points
        self.xyz[k, 0] = x
        self.xyz[k, 1] = y
        self.xyz[k, 2] = z
        self.points = k + 1
        return k

    def add(self, ax, ay, az, bx, by, bz):
        """Add an edge that a loop is to run along, from a to b."""
        a: cython.int = self.point(ax, ay, az)
        b: cython.int = self.point(bx, by, bz)
        if a != b:
            self.push(a, b)

    def push(self, a, b):
        """Append an edge between two points."""
        if self.edges >= self.edge.shape[0]:
            with cython.gil:
                (self.edge,) = grown(self.edges + 1, self.edge)
        self.edge[self.edges, 0] = a
        self.edge[self.edges, 1] = b
        self.edges += 1

    def drop(self, row):
        """Remove an edge; the last takes its row."""
        self.edges -= 1
        self.edge[row, 0] = self.edge[self.edges, 0]
        self.edge[row, 1] = self.edge[self.edges, 1]

    def lies_on(self, row, p):
        """Whether a point lies on an edge, between its ends, and both parts are shorter than the edge."""
        a: cython.int = self.edge[row, 0]
        b: cython.int = self.edge[row, 1]
        k: cython.int
        along: cython.double = 0.0
        length: cython.double = 0.0
        off: cython.double = 0.0
        d: cython.double
        if p == a or p == b:
            return False
        for k in range(3):
            d = self.xyz[b, k] - self.xyz[a, k]
            length += d * d
            along += d * (self.xyz[p, k] - self.xyz[a, k])
        along /= length
        if not 0.0 < along < 1.0:
            return False
        for k in range(3):
            d = self.xyz[p, k] - self.xyz[a, k] - along * (self.xyz[b, k] - self.xyz[a, k])
            off += d * d
        return (
            off <= self.same * self.same
            and off + along * along * length < length
            and off + (1.0 - along) * (1.0 - along) * length < length
        )

    def split_edges(self):
        """Split edges at points that lie on them."""
        row: cython.int = 0
        p: cython.int
        while row < self.edges:
            p = 0
            while p < self.points:
                if self.lies_on(row, p):
                    self.push(p, self.edge[row, 1])
                    self.edge[row, 1] = p
                    p = -1
                p += 1
            row += 1

    def cancel(self):
        """Remove pairs of edges that run in opposite directions: faces on both sides meet there."""
        row: cython.int = 0
        other: cython.int
        met: cython.bint
        while row < self.edges:
            met = False
            for other in range(row + 1, self.edges):
                if self.edge[other, 0] == self.edge[row, 1] and self.edge[other, 1] == self.edge[row, 0]:
                    self.drop(other)
                    self.drop(row)
                    met = True
                    break
            if not met:
                row += 1

    def loose(self, sign):
        """The first point at which more edges end than begin (sign 1), or the opposite (−1); −1 if there is none."""
        p: cython.int
        row: cython.int
        net: cython.int
        for p in range(self.points):
            net = 0
            for row in range(self.edges):
                net += sign * ((self.edge[row, 1] == p) - (self.edge[row, 0] == p))
            if net > 0:
                return p
        return -1

    def join_ends(self):
        """Join each loose end with the nearest loose beginning: where planes meet at a flat angle, corners that should be
        one are cut apart."""
        a: cython.int = self.loose(1)
        p: cython.int
        row: cython.int
        k: cython.int
        net: cython.int
        best: cython.int
        d: cython.double
        near: cython.double
        least: cython.double
        while a >= 0:
            best = -1
            least = 0.0
            for p in range(self.points):
                net = 0
                for row in range(self.edges):
                    net += (self.edge[row, 0] == p) - (self.edge[row, 1] == p)
                if net <= 0:
                    continue
                near = 0.0
                for k in range(3):
                    d = self.xyz[p, k] - self.xyz[a, k]
                    near += d * d
                if best < 0 or near < least:
                    best = p
                    least = near
            self.push(a, best)
            self.widest = max(self.widest, sqrt(least))
            a = self.loose(1)

    def keep(self, first, last):
        """Keep a part of the path as a loop."""
        i: cython.int
        if last - first < 3:
            return
        if self.corners + last - first > self.corner.shape[0]:
            with cython.gil:
                (self.corner,) = grown(self.corners + last - first, self.corner)
        if self.loops + 2 > self.start.shape[0]:
            with cython.gil:
                (self.start,) = grown(self.loops + 2, self.start)
        for i in range(first, last):
            self.corner[self.corners] = self.path[i]
            self.corners += 1
        self.loops += 1
        self.start[self.loops] = self.corners

    def chain(self):
        """Follow edges from end to beginning. A path that comes back to one of its points closes a loop there."""
        n: cython.int = 0
        at: cython.int
        row: cython.int
        i: cython.int
        if self.edges >= self.path.shape[0]:
            with cython.gil:
                (self.path,) = grown(self.edges + 1, self.path)
        while self.edges > 0 or n > 0:
            if n == 0:
                self.path[0] = self.edge[0, 0]
                n = 1
            at = self.path[n - 1]
            row = 0
            while row < self.edges and self.edge[row, 0] != at:
                row += 1
            if row == self.edges:
                n = 0  # All loops through this point are closed.
                continue
            at = self.edge[row, 1]
            self.drop(row)
            i = 0
            while i < n and self.path[i] != at:
                i += 1
            if i < n:
                self.keep(i, n)
                n = i + 1
            else:
                self.path[n] = at
                n += 1

    def is_near_polygon(self, point, polys, poly, most):
        """Whether a point is no farther than this from the outline of a polygon."""
        first: cython.int = polys.start[poly]
        last: cython.int = first + polys.size[poly]
        k: cython.int
        for k in range(first, last):
            if squared_distance(self.xyz, point, polys.xyz, k, k + 1 if k + 1 < last else first) <= most * most:
                return True
        return False

    def is_near_loop(self, polys, vertex, most):
        """Whether a vertex is no farther than this from a loop."""
        n: cython.int
        k: cython.int
        after: cython.int
        for n in range(self.loops):
            for k in range(self.start[n], self.start[n + 1]):
                after = k + 1 if k + 1 < self.start[n + 1] else self.start[n]
                if squared_distance(polys.xyz, vertex, self.xyz, self.corner[k], self.corner[after]) <= most * most:
                    return True
        return False

    def strays(self, polys, poly, most):
        """Whether a corner of a loop is farther than this from the outline of a polygon, or one of the polygon from all
        loops."""
        k: cython.int
        for k in range(self.corners):
            if not self.is_near_polygon(self.corner[k], polys, poly, most):
                return True
        for k in range(polys.start[poly], polys.start[poly] + polys.size[poly]):
            if not self.is_near_loop(polys, k, most):
                return True
        return False

    def close(self):
        """Make loops of the edges."""
        self.split_edges()
        self.cancel()
        self.join_ends()
        self.chain()


def rim_of(edge: cython.double[:, ::1], same: cython.double):
    """Loops of the rim of edges, given as rows of their two ends: a list of arrays of corners."""
    rim: Rim = Rim(same)
    i: cython.int
    with cython.nogil:
        for i in range(edge.shape[0]):
            rim.add(edge[i, 0], edge[i, 1], edge[i, 2], edge[i, 3], edge[i, 4], edge[i, 5])
        rim.close()
    xyz, corner, start = np.asarray(rim.xyz), np.asarray(rim.corner), np.asarray(rim.start)
    return [xyz[corner[start[k] : start[k + 1]]] for k in range(rim.loops)]


def strays_from(edge: cython.double[:, ::1], same: cython.double, polygon: cython.double[:, ::1], most: cython.double):
    """Whether the rim of edges, given as rows of their two ends, and a polygon are farther apart than this anywhere."""
    polys: Polys = Polys()
    polys.load(np.array([0, polygon.shape[0]]), np.asarray(polygon))
    rim: Rim = Rim(same)
    i: cython.int
    found: cython.bint
    with cython.nogil:
        for i in range(edge.shape[0]):
            rim.add(edge[i, 0], edge[i, 1], edge[i, 2], edge[i, 3], edge[i, 4], edge[i, 5])
        rim.close()
        found = rim.strays(polys, 0, most)
    return found
