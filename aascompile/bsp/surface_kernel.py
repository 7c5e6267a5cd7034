# mypy: ignore-errors
"""Constructive solid geometry on polygons (thesis §6.2): what of each volume's side can be touched from outside.

Glossary
    volume    an expanded brush: a convex hull with what it *blocks* (a mask of agent boxes) or *contains*.
    covers    volume B covers volume A when being inside B makes A's surface meaningless: B blocks every box that A
              blocks; for what only contains something, B blocks every box or contains the same.
    fragment  a convex piece of a side that no covering volume hides.

A side is cut by the covering volumes from the largest to the smallest. Where two sides lie on one plane, or so near to
it that they count as one, and face the same way, one of them wins: the volume that covers the other without being
covered back, then the lower number. Where they face each other both are hidden. A side from which nothing is removed
stays whole, with no cuts in it.
"""

import cython
import numpy as np
from cython.cimports.aascompile.geometry.grid_kernel import BoxQuery
from cython.cimports.aascompile.geometry.polygon_kernel import Polys

from aascompile.columns import grown


@cython.final
@cython.cclass
class SurfaceCutter:
    """One thread's worker: cuts the sides of a range of volumes into ``polys``."""

    normal: cython.double[:, ::1]
    dist: cython.double[::1]
    side_start: cython.longlong[::1]
    side_plane: cython.int[::1]
    vertex_start: cython.longlong[::1]
    xyz: cython.double[:, ::1]
    bounds: cython.double[:, ::1]
    blocks: cython.uint[::1]
    contains: cython.longlong[::1]
    all_boxes: cython.uint
    query: BoxQuery
    polys: Polys
    scratch: Polys
    side = cython.declare(cython.int[::1])
    kept: cython.int
    pieces: cython.int[::1]
    cover: cython.int[::1]
    order: cython.int[::1]
    rank: cython.int[::1]
    on_plane: cython.double
    parallel: cython.double
    min_area: cython.double
    box: cython.double[::1]

    def __init__(self, planes, volumes, order, all_boxes, grid, on_plane, parallel, min_area):
        self.normal = planes.normal
        self.dist = planes.dist
        self.side_start = volumes.side_start
        self.side_plane = volumes.side_plane
        self.vertex_start = volumes.vertex_start
        self.xyz = volumes.xyz
        self.bounds = volumes.bounds
        self.blocks = volumes.blocks
        self.contains = volumes.contains
        self.all_boxes = all_boxes
        self.query = BoxQuery(grid)
        self.polys = Polys(4096, 1024)
        self.scratch = Polys(4096, 1024)
        self.side = np.empty(1024, np.intc)
        self.kept = 0
        self.pieces = np.empty(1024, np.intc)
        self.order = order
        self.rank = np.empty_like(order)
        np.asarray(self.rank)[order] = np.arange(len(order), dtype=np.intc)
        self.cover = np.empty(max(len(order), 1), np.intc)
        self.on_plane = on_plane
        self.parallel = parallel
        self.min_area = min_area
        self.box = np.empty(6)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def covers(self, b: cython.int, a: cython.int) -> cython.bint:
        """Whether volume b makes the surface of volume a meaningless where they overlap."""
        if self.blocks[a] != 0:
            return (self.blocks[b] & self.blocks[a]) == self.blocks[a]
        if self.blocks[b] == self.all_boxes:
            return True
        return self.blocks[b] == 0 and self.contains[b] == self.contains[a]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def gather(self, a: cython.int) -> cython.int:
        """The volumes that cover a and overlap its box, largest first; equal sizes by number."""
        n: cython.int = self.query.overlapping(
            self.bounds[a, 0], self.bounds[a, 1], self.bounds[a, 2],
            self.bounds[a, 3], self.bounds[a, 4], self.bounds[a, 5],
        )  # fmt: skip
        count: cython.int = 0
        i: cython.int
        j: cython.int
        b: cython.int
        for i in range(n):
            b = self.query.found[i]
            if b != a and self.covers(b, a):
                self.cover[count] = self.rank[b]
                count += 1
        # Sort by rank: insertion sort over shrinking gaps, because thousands of volumes may overlap.
        gap: cython.int = 1
        while 3 * gap + 1 < count:
            gap = 3 * gap + 1
        while gap > 0:
            for i in range(gap, count):
                b = self.cover[i]
                j = i
                while j >= gap and self.cover[j - gap] > b:
                    self.cover[j] = self.cover[j - gap]
                    j -= gap
                self.cover[j] = b
            gap //= 3
        for i in range(count):
            self.cover[i] = self.order[self.cover[i]]
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def along(self, p: cython.int, q: cython.int) -> cython.double:
        """How much two planes face the same way: 1 when they do."""
        return (
            self.normal[p, 0] * self.normal[q, 0]
            + self.normal[p, 1] * self.normal[q, 1]
            + self.normal[p, 2] * self.normal[q, 2]
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put(self, at: cython.int, piece: cython.int) -> cython.void:
        """Write a piece into the list."""
        if at >= self.pieces.shape[0]:
            with cython.gil:
                (self.pieces,) = grown(at + 1, self.pieces)
        self.pieces[at] = piece

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def subtract(
        self, piece: cython.int, plane: cython.int, a: cython.int, b: cython.int, at: cython.int
    ) -> cython.int:
        """Cut volume b out of a piece of a's side; what remains is listed from ``at`` on. Answers the new end.

        The piece itself is listed, uncut, when nothing of it lies in b.
        """
        first: cython.int = at
        inside: cython.int = piece
        s: cython.int
        p: cython.int
        found: cython.int
        late: cython.bint
        last: cython.bint
        for last in range(2):
            for s in range(self.side_start[b], self.side_start[b + 1]):
                if self.vertex_start[s + 1] == self.vertex_start[s]:
                    continue  # a bevel: it bounds nothing of b
                p = self.side_plane[s]
                # Planes that nearly are the piece's own come last, when only what lies over b is left of the piece:
                # by then it is plain whether the two surfaces part there or are one.
                late = self.along(plane, p) > self.parallel
                if late != last:
                    continue
                found = 0
                if (p ^ plane) > 1:
                    found = self.scratch.split(
                        inside, self.normal[p, 0], self.normal[p, 1], self.normal[p, 2], self.dist[p], self.on_plane
                    )
                if found == 1 or (found == 0 and late and self.covers(a, b) and a < b):
                    self.put(first, piece)  # in front of b, or on one plane, facing one way, and a wins
                    return first + 1
                if found == 3:
                    self.put(at, self.scratch.front)
                    at += 1
                    inside = self.scratch.back
                # Behind the plane, face to face with it, or on it while b wins: still inside.
        if self.scratch.area(inside) < self.min_area:
            self.put(first, piece)
            return first + 1
        return at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def cut_side(self, a: cython.int, s: cython.int, covers: cython.int) -> cython.void:
        """Cut one side of a by the volumes gathered, and keep what is left."""
        self.scratch.release(0, 0)
        n: cython.int = self.vertex_start[s + 1] - self.vertex_start[s]
        whole: cython.int = self.scratch.begin(n)
        i: cython.int
        for i in range(self.vertex_start[s], self.vertex_start[s + 1]):
            self.scratch.push(self.xyz[i, 0], self.xyz[i, 1], self.xyz[i, 2])
        self.scratch.close(whole)
        if self.scratch.area(whole) < self.min_area:
            return
        plane: cython.int = self.side_plane[s]
        self.scratch.bounds(whole, self.box)
        # The pieces are a queue in one list: each covering volume reads [first, last) and writes what remains after it.
        first: cython.int = 0
        last: cython.int = 1
        end: cython.int
        c: cython.int
        b: cython.int
        self.put(0, whole)
        for c in range(covers):
            b = self.cover[c]
            if (
                self.bounds[b, 0] > self.box[3] or self.bounds[b, 3] < self.box[0]
                or self.bounds[b, 1] > self.box[4] or self.bounds[b, 4] < self.box[1]
                or self.bounds[b, 2] > self.box[5] or self.bounds[b, 5] < self.box[2]
            ):  # fmt: skip
                continue
            end = last
            for i in range(first, last):
                end = self.subtract(self.pieces[i], plane, a, b, end)
            first = last
            last = end
            if first == last:
                return
        for i in range(first, last):
            self.keep(self.pieces[i], s)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def keep(self, piece: cython.int, s: cython.int) -> cython.void:
        """Add a piece to the surface, unless it is a sliver."""
        if self.scratch.area(piece) < self.min_area:
            return
        self.polys.copy_from(self.scratch, piece)
        if self.kept >= self.side.shape[0]:
            with cython.gil:
                (self.side,) = grown(self.kept + 1, self.side)
        self.side[self.kept] = s
        self.kept += 1

    def cut(self, first: cython.int, last: cython.int):
        """Cut all sides of the volumes first..last−1."""
        a: cython.int
        s: cython.int
        covers: cython.int
        with cython.nogil:
            for a in range(first, last):
                covers = self.gather(a)
                for s in range(self.side_start[a], self.side_start[a + 1]):
                    if self.vertex_start[s + 1] > self.vertex_start[s]:
                        self.cut_side(a, s, covers)

    def result(self):
        """Side, vertex start and vertices of what was kept."""
        n = self.kept
        start = np.asarray(self.polys.start)[:n].astype(np.int64)
        return (
            np.asarray(self.side)[:n].copy(),
            np.append(start, self.polys.vertex_count),
            np.asarray(self.polys.xyz)[: self.polys.vertex_count].copy(),
        )
