# mypy: ignore-errors
"""Convex solids cut by planes: vertices, and faces as loops of vertex numbers.

Glossary
    face      a loop of vertices, counter-clockwise seen from outside. Faces share vertices, so a solid is always
              watertight, regardless of rounding.
    side      number that the caller gives to a cutting plane. A face has the side of its plane; the faces of the
              initial cube have −1.
    on        within ``clip`` of the cutting plane: the vertex stays, and the new face (the cap) goes through it.
    graze     a plane that removes nothing beyond ``clip``: a bevel or a duplicate. It gets no face.
    flat      a solid between a plane and its exact opposite: one polygon without thickness.

A cut classifies every vertex once, clips every loop, and chains the open edges into the loop of the cap. Vertices,
loops and faces have two rows: ``now`` and the row being written. If the open edges do not form a simple loop, which can
happen only very close to ``clip``, the cut is repeated with a wider ``on``. This ends at the latest when the plane
becomes a graze.
"""

import cython
import numpy as np
from cython.cimports.libc.math import fabs, sqrt

from aascompile.columns import grown

WIDEN = cython.declare(cython.double, 8.0)  # factor by which "on" grows after a failed cut


class Solid:
    """Builder of one solid at a time: ``start``, then ``cut`` by any number of planes. Columns are reused."""

    def __init__(self, extent, clip):
        self.extent = extent
        self.clip = clip
        self.x, self.y, self.z = np.empty((3, 2, 256))
        self.distance = np.empty(256)
        self.where, self.renumber, self.head, self.chain, self.cut_front, self.cut_row, self.cap_next = np.empty(
            (7, 256), np.intc
        )
        self.loop = np.empty((2, 1024), np.intc)
        self.edge_from, self.edge_to = np.empty((2, 1024), np.intc)
        self.face_start, self.face_size, self.face_side = np.empty((3, 2, 64), np.intc)
        self.vertex_count = 0
        self.face_count = 0
        self.loop_count = 0
        self.new_vertices = 0
        self.new_faces = 0
        self.cuts = 0
        self.edges = 0
        self.now = 0
        self.flat = 0

    def reserve(self, vertices, loops, faces):
        """Room for this many rows in all columns."""
        if vertices > self.x.shape[1]:
            with cython.gil:
                (
                    self.x, self.y, self.z, self.distance, self.where, self.renumber, self.head, self.chain,
                    self.cut_front, self.cut_row, self.cap_next,
                ) = grown(
                    vertices, self.x, self.y, self.z, self.distance, self.where, self.renumber, self.head, self.chain,
                    self.cut_front, self.cut_row, self.cap_next, axis=-1,
                )  # fmt: skip
        if loops > self.loop.shape[1]:
            with cython.gil:
                self.loop, self.edge_from, self.edge_to = grown(loops, self.loop, self.edge_from, self.edge_to, axis=-1)
        if faces > self.face_start.shape[1]:
            with cython.gil:
                self.face_start, self.face_size, self.face_side = grown(
                    faces, self.face_start, self.face_size, self.face_side, axis=-1
                )

    def clear(self):
        """Remove all vertices and faces."""
        self.vertex_count = 0
        self.face_count = 0
        self.loop_count = 0

    def start(self):
        """Begin with the cube around the world."""
        i: cython.int
        f: cython.int
        k: cython.int
        axis: cython.int
        corner: cython.int
        self.clear()
        self.now = 0
        self.flat = 0
        for i in range(8):
            self.x[0, i] = self.extent if i & 1 else -self.extent
            self.y[0, i] = self.extent if i & 2 else -self.extent
            self.z[0, i] = self.extent if i & 4 else -self.extent
        self.vertex_count = 8
        for f in range(6):
            axis = f >> 1
            self.face_start[0, f] = 4 * f
            self.face_size[0, f] = 4
            self.face_side[0, f] = -1
            for k in range(4):
                # Corners in the order 00, 10, 11, 01 of the two other axes; reversed on the negative faces.
                i = k if f & 1 else 3 - k
                corner = (f & 1) << axis
                if i == 1 or i == 2:
                    corner |= 1 << ((axis + 1) % 3)
                if i >= 2:
                    corner |= 1 << ((axis + 2) % 3)
                self.loop[0, 4 * f + k] = corner
        self.face_count = 6
        self.loop_count = 24

    def cut(self, nx, ny, nz, d, side):
        """Remove the part in front of a plane. The new face gets the number ``side``."""
        if self.vertex_count == 0:
            return
        if self.flat:
            self.cut_flat(nx, ny, nz, d)
            return
        eps: cython.double = self.clip
        found: cython.int
        cap: cython.int
        write: cython.int
        other: cython.int = 1 - self.now
        self.reserve(self.vertex_count + self.loop_count, 4 * self.loop_count + 8, self.face_count + 1)
        while True:
            found = self.classify(nx, ny, nz, d, eps)
            if not found & 1:
                return
            if not found & 2:
                self.flatten(side)
                return
            write = self.clip_faces(nx, ny, nz, d)
            cap = self.cap_loop(write)
            if cap >= 0:
                break
            eps *= WIDEN
        if cap >= 3:
            self.face_start[other, self.new_faces] = write
            self.face_size[other, self.new_faces] = cap
            self.face_side[other, self.new_faces] = side
            self.new_faces += 1
            write += cap
        self.vertex_count = self.new_vertices
        self.face_count = self.new_faces
        self.loop_count = write
        self.now = other

    def classify(self, nx, ny, nz, d, eps):
        """Classify the vertices: ``where`` is 1 in front, 2 behind, 0 on. Return the union of these bits."""
        found: cython.int = 0
        now: cython.int = self.now
        i: cython.int
        s: cython.double
        for i in range(self.vertex_count):
            s = self.x[now, i] * nx + self.y[now, i] * ny + self.z[now, i] * nz - d
            self.distance[i] = s
            self.where[i] = (s > eps) + 2 * (s < -eps)
            found |= self.where[i]
            self.renumber[i] = -1
            self.head[i] = -1
        return found

    def clip_faces(self, nx, ny, nz, d):
        """Write the remaining part of every face into the other row, and record the open edges.

        Return the total length of the loops written.
        """
        other: cython.int = 1 - self.now
        f: cython.int
        i: cython.int
        first: cython.int
        end: cython.int
        write: cython.int = 0
        found: cython.int
        self.new_vertices = 0
        self.new_faces = 0
        self.cuts = 0
        self.edges = 0
        for f in range(self.face_count):
            first = self.face_start[self.now, f]
            found = 0
            for i in range(first, first + self.face_size[self.now, f]):
                found |= self.where[self.loop[self.now, i]]
            if found == 1:
                continue
            end = self.clip_face(f, write, nx, ny, nz, d)
            self.face_start[other, self.new_faces] = write
            self.face_size[other, self.new_faces] = end - write
            self.face_side[other, self.new_faces] = self.face_side[self.now, f]
            self.new_faces += 1
            write = end
        return write

    def clip_face(self, face, write, nx, ny, nz, d):
        """Write the remaining part of a face, record its edges along the cutting plane, and return the loops' length."""
        now: cython.int = self.now
        other: cython.int = 1 - now
        first: cython.int = self.face_start[now, face]
        n: cython.int = self.face_size[now, face]
        begin: cython.int = write
        last: cython.int = -1  # the vertex written last if it is on the plane, otherwise −1
        first_on: cython.int = 0
        i: cython.int
        a: cython.int
        b: cython.int = self.loop[now, first]
        row: cython.int
        here: cython.int
        there: cython.int = self.where[b]
        for i in range(n):
            a = b
            here = there
            b = self.loop[now, first + i + 1] if i + 1 < n else self.loop[now, first]
            there = self.where[b]
            if here != 1:
                row = self.renumber[a]
                if row < 0:
                    row = self.keep(a)
                if here == 0:
                    self.open_edge(last, row)
                    if write == begin:
                        first_on = 1
                    last = row
                else:
                    last = -1
                self.loop[other, write] = row
                write += 1
            if here + there == 3:
                row = self.crossing(a, b, nx, ny, nz, d) if here == 1 else self.crossing(b, a, nx, ny, nz, d)
                self.open_edge(last, row)
                if write == begin:
                    first_on = 1
                last = row
                self.loop[other, write] = row
                write += 1
        if first_on:
            self.open_edge(last, self.loop[other, begin])
        return write

    def open_edge(self, a, b):
        """Record an edge along the cutting plane, unless ``a`` is −1."""
        if a >= 0:
            self.edge_from[self.edges] = a
            self.edge_to[self.edges] = b
            self.edges += 1

    def keep(self, vertex):
        """Copy a vertex into the row being written and return its new number."""
        other: cython.int = 1 - self.now
        row: cython.int = self.new_vertices
        self.x[other, row] = self.x[self.now, vertex]
        self.y[other, row] = self.y[self.now, vertex]
        self.z[other, row] = self.z[self.now, vertex]
        self.renumber[vertex] = row
        self.new_vertices = row + 1
        return row

    def crossing(self, a, b, nx, ny, nz, d):
        """Vertex where the edge from ``a`` (in front) to ``b`` (behind) meets the plane, shared by both its faces."""
        k: cython.int = self.head[b]
        while k >= 0:
            if self.cut_front[k] == a:
                return self.cut_row[k]
            k = self.chain[k]
        row: cython.int = self.new_vertices
        self.new_vertices = row + 1
        k = self.cuts
        self.cuts = k + 1
        self.cut_front[k] = a
        self.cut_row[k] = row
        self.chain[k] = self.head[b]
        self.head[b] = k
        self.place(row, a, b, nx, ny, nz, d)
        return row

    def place(self, row, a, b, nx, ny, nz, d):
        """Write the point where an edge meets the plane. On an axial plane, the coordinate is exactly the plane's."""
        now: cython.int = self.now
        other: cython.int = 1 - now
        t: cython.double = self.distance[a] / (self.distance[a] - self.distance[b])
        x: cython.double = self.x[now, a] + t * (self.x[now, b] - self.x[now, a])
        y: cython.double = self.y[now, a] + t * (self.y[now, b] - self.y[now, a])
        z: cython.double = self.z[now, a] + t * (self.z[now, b] - self.z[now, a])
        if ny == 0.0 and nz == 0.0:
            x = nx * d
        elif nx == 0.0 and nz == 0.0:
            y = ny * d
        elif nx == 0.0 and ny == 0.0:
            z = nz * d
        self.x[other, row] = x
        self.y[other, row] = y
        self.z[other, row] = z

    def cap_loop(self, write):
        """Chain the open edges into the cap's loop and return its length.

        0 if there are no open edges, −1 if they do not form a simple loop.
        """
        cap: cython.int = self.chain_edges(write)
        if cap < 0:
            self.cancel_edges()
            cap = self.chain_edges(write)
        return cap

    def chain_edges(self, write):
        """Write the loop of the open edges in reverse and return its length; −1 if it is not a simple loop."""
        other: cython.int = 1 - self.now
        i: cython.int
        v: cython.int
        if self.edges == 0:
            return 0
        for i in range(self.edges):
            self.cap_next[self.edge_from[i]] = -1
            self.cap_next[self.edge_to[i]] = -1
        for i in range(self.edges):
            if self.cap_next[self.edge_to[i]] >= 0:
                return -1
            self.cap_next[self.edge_to[i]] = self.edge_from[i]
        v = self.edge_from[0]
        for i in range(self.edges):
            self.loop[other, write + i] = v
            v = self.cap_next[v]
            if v < 0 or (v == self.edge_from[0] and i + 1 < self.edges):
                return -1
        if v != self.edge_from[0]:
            return -1
        return self.edges

    def cancel_edges(self):
        """Remove pairs of open edges that run in opposite directions: there, the two faces already meet."""
        i: cython.int = 0
        j: cython.int
        last: cython.int
        while i < self.edges:
            for j in range(i + 1, self.edges):
                if self.edge_from[i] == self.edge_to[j] and self.edge_to[i] == self.edge_from[j]:
                    last = self.edges - 1
                    self.edge_from[j] = self.edge_from[last]
                    self.edge_to[j] = self.edge_to[last]
                    last -= 1
                    self.edge_from[i] = self.edge_from[last]
                    self.edge_to[i] = self.edge_to[last]
                    self.edges = last
                    break
            else:
                i += 1

    def flatten(self, side):
        """Make the solid flat, since nothing lies behind the plane last classified.

        Keep the largest face on the plane. Without such a face, the solid becomes empty.
        """
        now: cython.int = self.now
        other: cython.int = 1 - now
        best: cython.int = -1
        most: cython.double = 0.0
        area: cython.double
        f: cython.int
        i: cython.int
        v: cython.int
        found: cython.int
        for f in range(self.face_count):
            found = 0
            for i in range(self.face_start[now, f], self.face_start[now, f] + self.face_size[now, f]):
                found |= self.where[self.loop[now, i]]
            if found == 0:
                area = self.loop_area(f)
                if area > most:
                    most = area
                    best = f
        if best < 0:
            self.clear()
            return
        self.new_vertices = 0
        for i in range(self.face_size[now, best]):
            v = self.loop[now, self.face_start[now, best] + i]
            self.loop[other, i] = self.keep(v)
        self.face_start[other, 0] = 0
        self.face_size[other, 0] = self.new_vertices
        self.face_side[other, 0] = self.face_side[now, best]
        self.face_side[other, 1] = side
        self.face_count = 1
        self.vertex_count = self.new_vertices
        self.loop_count = self.new_vertices
        self.now = other
        self.flat = 1

    def cut_flat(self, nx, ny, nz, d):
        """Clip the polygon of a flat solid. Its vertices are numbered along its loop."""
        now: cython.int = self.now
        other: cython.int = 1 - now
        self.reserve(2 * self.vertex_count, 2 * self.vertex_count, 2)
        found: cython.int = self.classify(nx, ny, nz, d, self.clip)
        if not found & 1:
            return
        if not found & 2:
            self.clear()
            return
        a: cython.int
        b: cython.int
        self.new_vertices = 0
        for a in range(self.vertex_count):
            b = a + 1 if a + 1 < self.vertex_count else 0
            if self.where[a] != 1:
                self.keep(a)
            if self.where[a] + self.where[b] == 3:
                if self.where[a] == 1:
                    self.place(self.new_vertices, a, b, nx, ny, nz, d)
                else:
                    self.place(self.new_vertices, b, a, nx, ny, nz, d)
                self.new_vertices += 1
        for a in range(self.new_vertices):
            self.loop[other, a] = a
        self.face_start[other, 0] = 0
        self.face_size[other, 0] = self.new_vertices
        self.face_side[other, 0] = self.face_side[now, 0]
        self.face_side[other, 1] = self.face_side[now, 1]
        self.vertex_count = self.new_vertices
        self.loop_count = self.new_vertices
        self.now = other

    def loop_area(self, face):
        """Area of a face."""
        now: cython.int = self.now
        first: cython.int = self.face_start[now, face]
        o: cython.int = self.loop[now, first]
        i: cython.int
        a: cython.int
        b: cython.int
        ax: cython.double
        ay: cython.double
        az: cython.double
        bx: cython.double
        by: cython.double
        bz: cython.double
        sx: cython.double = 0.0
        sy: cython.double = 0.0
        sz: cython.double = 0.0
        for i in range(first + 1, first + self.face_size[now, face] - 1):
            a = self.loop[now, i]
            b = self.loop[now, i + 1]
            ax = self.x[now, a] - self.x[now, o]
            ay = self.y[now, a] - self.y[now, o]
            az = self.z[now, a] - self.z[now, o]
            bx = self.x[now, b] - self.x[now, o]
            by = self.y[now, b] - self.y[now, o]
            bz = self.z[now, b] - self.z[now, o]
            sx += ay * bz - az * by
            sy += az * bx - ax * bz
            sz += ax * by - ay * bx
        return 0.5 * sqrt(sx * sx + sy * sy + sz * sz)
