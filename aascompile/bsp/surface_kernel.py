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

MANY = cython.declare(cython.int, 128)
"""Where more volumes than this overlap, those that are likely to hide most of a side are subtracted first."""
FORWARD = cython.declare(cython.int, 4)
"""So many of them."""
LATELY = cython.declare(cython.int, 4)
"""Volumes that are remembered because they hid a whole side: there, they often hide the next one too."""


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
    count: cython.int
    pieces: cython.int[::1]
    cover: cython.int[::1]
    near: cython.int[::1]
    hider: cython.int[::1]
    order: cython.int[::1]
    rank: cython.int[::1]
    on_plane: cython.double
    parallel: cython.double
    min_area: cython.double
    box: cython.double[::1]
    piece_box: cython.double[:, ::1]
    best: cython.double[::1]
    best_at: cython.int[::1]
    tests = cython.declare(cython.longlong, visibility="readonly")  # polygons compared with the sides of volumes
    looks = cython.declare(cython.longlong, visibility="readonly")  # volumes gathered, or looked through for a side

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
        self.count = 0
        self.pieces = np.empty(1024, np.intc)
        self.order = order
        self.rank = np.empty_like(order)
        np.asarray(self.rank)[order] = np.arange(len(order), dtype=np.intc)
        self.cover = np.empty(max(len(order), 1), np.intc)
        self.near = np.empty(max(len(order), 1), np.intc)
        self.hider = np.full(LATELY, -1, np.intc)
        self.on_plane = on_plane
        self.parallel = parallel
        self.min_area = min_area
        self.box = np.empty(6)
        self.piece_box = np.empty((1024, 6))
        self.best = np.empty(FORWARD)
        self.best_at = np.empty(FORWARD, np.intc)
        self.tests = 0
        self.looks = 0

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
        """The volumes that cover a and overlap its box; unless they are many, largest first, equal sizes by number."""
        n: cython.int = self.query.overlapping(
            self.bounds[a, 0], self.bounds[a, 1], self.bounds[a, 2],
            self.bounds[a, 3], self.bounds[a, 4], self.bounds[a, 5],
        )  # fmt: skip
        count: cython.int = 0
        i: cython.int
        b: cython.int
        self.looks += n
        for i in range(n):
            b = self.query.found[i]
            if b != a and self.covers(b, a):
                self.cover[count] = b
                count += 1
        if count <= MANY:
            self.sort(self.cover, count)
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sort(self, rows: cython.int[::1], count: cython.int) -> cython.void:
        """Sort volumes by size, largest first, equal sizes by number: insertion sort over shrinking gaps."""
        gap: cython.int = 1
        i: cython.int
        j: cython.int
        b: cython.int
        for i in range(count):
            rows[i] = self.rank[rows[i]]
        while 3 * gap + 1 < count:
            gap = 3 * gap + 1
        while gap > 0:
            for i in range(gap, count):
                b = rows[i]
                j = i
                while j >= gap and rows[j - gap] > b:
                    rows[j] = rows[j - gap]
                    j -= gap
                rows[j] = b
            gap //= 3
        for i in range(count):
            rows[i] = self.order[rows[i]]

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
    def measure(self, piece: cython.int) -> cython.void:
        """Note the bounds of a piece just made."""
        if self.scratch.start.shape[0] > self.piece_box.shape[0]:
            with cython.gil:
                (self.piece_box,) = grown(self.scratch.start.shape[0], self.piece_box)
        k: cython.int
        self.scratch.bounds(piece)
        for k in range(6):
            self.piece_box[piece, k] = self.scratch.box[k]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def may_touch(self, piece: cython.int, b: cython.int) -> cython.bint:
        """Whether a piece may lie in volume b: their boxes overlap, and it is not in front of any side of b."""
        slack: cython.double = self.on_plane
        if (
            self.bounds[b, 0] - slack > self.piece_box[piece, 3] or self.bounds[b, 3] + slack < self.piece_box[piece, 0]
            or self.bounds[b, 1] - slack > self.piece_box[piece, 4] or self.bounds[b, 4] + slack < self.piece_box[piece, 1]
            or self.bounds[b, 2] - slack > self.piece_box[piece, 5] or self.bounds[b, 5] + slack < self.piece_box[piece, 2]
        ):  # fmt: skip
            return False
        first: cython.int = self.scratch.start[piece]
        end: cython.int = first + self.scratch.size[piece]
        s: cython.int
        p: cython.int
        k: cython.int
        limit: cython.double
        self.tests += 1
        for s in range(self.side_start[b], self.side_start[b + 1]):
            if self.vertex_start[s + 1] == self.vertex_start[s]:
                continue  # a bevel: it bounds nothing of b
            p = self.side_plane[s]
            limit = self.dist[p] + self.on_plane
            for k in range(first, end):
                if (
                    self.normal[p, 0] * self.scratch.xyz[k, 0]
                    + self.normal[p, 1] * self.scratch.xyz[k, 1]
                    + self.normal[p, 2] * self.scratch.xyz[k, 2]
                ) <= limit:
                    break
            else:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_behind(self, piece: cython.int, p: cython.int) -> cython.bint:
        """Whether the box of a piece, and so the piece, lies nowhere in front of a plane. Rounding keeps the order of
        distances: that of the box's foremost corner is no less than that of any vertex."""
        nx: cython.double = self.normal[p, 0]
        ny: cython.double = self.normal[p, 1]
        nz: cython.double = self.normal[p, 2]
        x: cython.double = self.piece_box[piece, 3 if nx > 0.0 else 0]
        y: cython.double = self.piece_box[piece, 4 if ny > 0.0 else 1]
        z: cython.double = self.piece_box[piece, 5 if nz > 0.0 else 2]
        return x * nx + y * ny + z * nz - self.dist[p] <= self.on_plane

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def subtract(
        self, piece: cython.int, plane: cython.int, a: cython.int, b: cython.int, at: cython.int
    ) -> cython.int:
        """Cut volume b out of a piece of a's side; what remains is listed from ``at`` on. Returns the new end.

        The piece itself is listed, uncut, when nothing of it lies in b.
        """
        first: cython.int = at
        inside: cython.int = piece
        vertices: cython.int = self.scratch.vertex_count
        polys: cython.int = self.scratch.poly_count
        s: cython.int
        p: cython.int
        found: cython.int
        late: cython.bint
        last: cython.bint
        deferred: cython.bint = False
        for last in range(2):
            if last and not deferred:
                break
            for s in range(self.side_start[b], self.side_start[b + 1]):
                if self.vertex_start[s + 1] == self.vertex_start[s]:
                    continue  # a bevel: it bounds nothing of b
                p = self.side_plane[s]
                # Planes that nearly are the piece's own come last, when only what lies over b is left of the piece:
                # by then it is plain whether the two surfaces part there or are one.
                late = self.along(plane, p) > self.parallel
                if late != last:
                    deferred = True
                    continue
                if not late and self.is_behind(piece, p):
                    continue
                found = 0
                if (p ^ plane) > 1:
                    found = self.scratch.split(
                        inside, self.normal[p, 0], self.normal[p, 1], self.normal[p, 2], self.dist[p], self.on_plane
                    )
                if found == 1 or (found == 0 and late and self.covers(a, b) and a < b):
                    # In front of b, or on one plane, facing one way, and a wins.
                    self.put(first, piece)
                    self.scratch.release(vertices, polys)
                    return first + 1
                if found == 3:
                    self.put(at, self.scratch.front)
                    self.measure(self.scratch.front)
                    at += 1
                    inside = self.scratch.back
                # Behind the plane, face to face with it, or on it while b wins: still inside.
        if self.scratch.area(inside) < self.min_area:
            self.put(first, piece)
            self.scratch.release(vertices, polys)
            return first + 1
        return at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def comes_first(self, b: cython.int, common: cython.double, row: cython.int) -> cython.bint:
        """Whether volume b, which has ``common`` with a side, comes before a row of ``best``."""
        if common != self.best[row]:
            return common > self.best[row]
        return self.rank[b] < self.rank[self.near[self.best_at[row]]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def bring_forward(self, covers: cython.int) -> cython.int:
        """Move those of the volumes near a side whose boxes have most in common with its box to the front, in a single
        pass; of equal ones, the largest. Returns their number."""
        common: cython.double
        low: cython.double
        high: cython.double
        found: cython.int = 0
        c: cython.int
        n: cython.int
        k: cython.int
        at: cython.int
        b: cython.int
        for c in range(covers):
            b = self.near[c]
            common = 1.0
            for k in range(3):
                low = max(self.bounds[b, k], self.box[k])
                high = min(self.bounds[b, 3 + k], self.box[3 + k])
                common *= high - low + 1.0
            if found == FORWARD and not self.comes_first(b, common, FORWARD - 1):
                continue
            n = found if found < FORWARD else FORWARD - 1
            while n > 0 and self.comes_first(b, common, n - 1):
                self.best[n] = self.best[n - 1]
                self.best_at[n] = self.best_at[n - 1]
                n -= 1
            self.best[n] = common
            self.best_at[n] = c
            found += found < FORWARD
        for n in range(found):
            at = self.best_at[n]
            b = self.near[at]
            for k in range(n + 1, found):
                self.best_at[k] += self.best_at[k] < at
            while at > n:
                self.near[at] = self.near[at - 1]
                at -= 1
            self.near[n] = b
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_hidden(self, piece: cython.int, s: cython.int, a: cython.int) -> cython.bint:
        """Whether one of the volumes that hid whole sides lately, or a neighbour by number, hides this side of a too."""
        i: cython.int
        b: cython.int
        for i in range(LATELY + 2):
            b = self.hider[i] if i < LATELY else a + 2 * (i - LATELY) - 1
            if b < 0 or b >= self.order.shape[0] or b == a or not self.covers(b, a) or not self.may_touch(piece, b):
                continue
            if self.subtract(piece, self.side_plane[s], a, b, 0) == 0:
                self.remember(b)
                return True
            self.scratch.release(self.scratch.size[piece], 1)
        self.put(0, piece)
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def remember(self, b: cython.int) -> cython.void:
        """Put a volume that hid a whole side at the head of ``hider``."""
        i: cython.int = 0
        while i < LATELY - 1 and self.hider[i] != b:
            i += 1
        while i > 0:
            self.hider[i] = self.hider[i - 1]
            i -= 1
        self.hider[0] = b

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def cut_sides(self, a: cython.int) -> cython.void:
        """Cut all sides of a volume, and keep what is left of them."""
        covers: cython.int = self.gather(a)
        s: cython.int
        i: cython.int
        whole: cython.int
        for s in range(self.side_start[a], self.side_start[a + 1]):
            if self.vertex_start[s + 1] == self.vertex_start[s]:
                continue  # a bevel: it bounds nothing
            self.scratch.release(0, 0)
            whole = self.scratch.begin(self.vertex_start[s + 1] - self.vertex_start[s])
            for i in range(self.vertex_start[s], self.vertex_start[s + 1]):
                self.scratch.push(self.xyz[i, 0], self.xyz[i, 1], self.xyz[i, 2])
            self.scratch.close(whole)
            if self.scratch.area(whole) < self.min_area:
                continue
            self.measure(whole)
            for i in range(6):
                self.box[i] = self.scratch.box[i]
            self.put(0, whole)
            self.count = 1
            if covers <= MANY:
                self.take_out(a, s, self.cover, 0, covers)
            elif self.is_hidden(whole, s, a):
                continue
            else:
                self.take_out_many(a, s, covers)
            for i in range(self.count):
                self.keep(self.pieces[i], s)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_apart(self, b: cython.int) -> cython.bint:
        """Whether the box of a volume does not even touch that of the side in hand."""
        return (
            self.bounds[b, 0] > self.box[3] or self.bounds[b, 3] < self.box[0]
            or self.bounds[b, 1] > self.box[4] or self.bounds[b, 4] < self.box[1]
            or self.bounds[b, 2] > self.box[5] or self.bounds[b, 5] < self.box[2]
        )  # fmt: skip

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take_out_many(self, a: cython.int, s: cython.int, covers: cython.int) -> cython.void:
        """Take many volumes gathered out of the pieces of a side: those that likely hide most of it first, then those
        that still touch a piece."""
        near: cython.int = 0
        c: cython.int
        i: cython.int
        b: cython.int
        self.looks += covers
        for c in range(covers):
            b = self.cover[c]
            if not self.is_apart(b):
                self.near[near] = b
                near += 1
        first: cython.int = self.bring_forward(near)
        self.take_out(a, s, self.near, 0, first)
        if self.count == 0:
            return
        end: cython.int = first
        for c in range(first, near):
            b = self.near[c]
            for i in range(self.count):
                if self.may_touch(self.pieces[i], b):
                    self.near[end] = b
                    end += 1
                    break
        self.sort(self.near[first:], end - first)
        self.take_out(a, s, self.near, first, end)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take_out(
        self, a: cython.int, s: cython.int, by: cython.int[::1], first: cython.int, last: cython.int
    ) -> cython.void:
        """Take the volumes in these rows of a list out of the pieces of a side."""
        plane: cython.int = self.side_plane[s]
        # What a volume leaves of the pieces is written after them, then moved down over them.
        count: cython.int = self.count
        end: cython.int
        c: cython.int
        b: cython.int
        i: cython.int
        touched: cython.int
        for c in range(first, last):
            b = by[c]
            if self.is_apart(b):
                continue
            touched = 0
            while touched < count and not self.may_touch(self.pieces[touched], b):
                touched += 1
            if touched == count:
                continue
            end = count
            for i in range(touched, count):
                if i == touched or self.may_touch(self.pieces[i], b):
                    end = self.subtract(self.pieces[i], plane, a, b, end)
                else:
                    self.put(end, self.pieces[i])
                    end += 1
            for i in range(count, end):
                self.pieces[touched + i - count] = self.pieces[i]
            count = touched + end - count
            if count == 0:
                self.remember(b)
                break
        self.count = count

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
        with cython.nogil:
            for a in range(first, last):
                self.cut_sides(a)

    def result(self):
        """Side, vertex start and vertices of what was kept."""
        n = self.kept
        start = np.asarray(self.polys.start)[:n].astype(np.int64)
        return (
            np.asarray(self.side)[:n].copy(),
            np.append(start, self.polys.vertex_count),
            np.asarray(self.polys.xyz)[: self.polys.vertex_count].copy(),
        )
