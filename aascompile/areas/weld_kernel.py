# mypy: ignore-errors
"""Welding: corners that lie together become one vertex, and a vertex on an edge becomes a corner of its polygon.

A vertex can be *kept*: then it stays what it is, and so do edges between two of them.

What is near a point is found through a grid of cells hashed into a power of two of rows; a cell is wider than any
tolerance, so what is near lies in the same or a neighbouring cell. What is near an edge is found through a tree, which
divides space where vertices are: edges may be a thousand times as long as the gaps between vertices.
"""

import cython
import numpy as np
from cython.cimports.libc.math import floor, sqrt

from aascompile.columns import grown

TOUCHES = cython.declare(cython.char, 1)
OPEN = cython.declare(cython.char, 2)


def pinched(
    rows: cython.longlong[::1],
    area_start: cython.longlong[::1],
    area_face: cython.int[::1],
    face_start: cython.longlong[::1],
    face_edge: cython.int[::1],
    times: cython.int[::1],
    out: cython.char[::1],
    edges: cython.char[::1],
):
    """Which of the areas ``rows`` have ``edges`` that do not bound two of their faces: TOUCHES if an even number, OPEN if
    an odd number of faces. ``times``: a 0 for each edge."""
    r: cython.Py_ssize_t
    a: cython.Py_ssize_t
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    f: cython.int
    with cython.nogil:
        for r in range(rows.shape[0]):
            a = rows[r]
            for i in range(area_start[a], area_start[a + 1]):
                f = area_face[i]
                for k in range(face_start[f], face_start[f + 1]):
                    times[face_edge[k]] += 1
            for i in range(area_start[a], area_start[a + 1]):
                f = area_face[i]
                for k in range(face_start[f], face_start[f + 1]):
                    if times[face_edge[k]] != 0 and times[face_edge[k]] != 2:
                        out[a] = 1
                        edges[face_edge[k]] |= OPEN if times[face_edge[k]] & 1 else TOUCHES
                    times[face_edge[k]] = 0


Edge = cython.struct(
    a=cython.int,
    b=cython.int,
    x=cython.double,  # where a is
    y=cython.double,
    z=cython.double,
    dx=cython.double,  # direction to b
    dy=cython.double,
    dz=cython.double,
    length=cython.double,
)

CELL = cython.declare(cython.double, 0.5)
"""Width of a cell of the grid, units: much wider than any tolerance."""

LEAF = cython.declare(cython.int, 8)
"""Vertices in a leaf of the tree, unless more lie in one place."""

BITS = cython.declare(cython.int, 20)
"""So often space is halved along an axis at most."""


def spread(cell):
    """Numbers of up to 20 bits with two zeros before each of their bits."""
    for shift, mask in (
        (32, 0x1F00000000FFFF), (16, 0x1F0000FF0000FF), (8, 0x100F00F00F00F00F),
        (4, 0x10C30C30C30C30C3), (2, 0x1249249249249249),
    ):  # fmt: skip
        cell = (cell | (cell << shift)) & mask
    return cell


@cython.final
@cython.cclass
class EdgeSearch:
    """Finds the vertices on edges: in one thread, on the tree of a welder."""

    xyz: cython.double[:, ::1]
    kept: cython.char[::1]
    near: cython.double
    order: cython.int[::1]
    node_axis: cython.int[::1]
    node_at: cython.double[::1]
    node_part: cython.int[:, ::1]
    todo: cython.int[::1]
    since: cython.double[::1]
    until: cython.double[::1]
    seen: cython.longlong
    found: cython.int
    off: cython.double

    def __init__(self, xyz, kept, near: cython.double, order, node_axis, node_at, node_part):
        depth = 3 * BITS + 1
        self.xyz, self.kept, self.near, self.order = xyz, kept, near, order
        self.node_axis, self.node_at, self.node_part = node_axis, node_at, node_part
        self.todo, self.since, self.until = np.empty(depth, np.intc), np.empty(depth), np.empty(depth)
        self.seen = 0
        self.found = -1
        self.off = 0.0

    def look(self, ends: cython.int[:, ::1], first: cython.int, last: cython.int, out: cython.int[::1]):
        """``out``: the vertex on each of the edges first..last−1 that is nearest to it; −1: none. Returns how many
        nodes and vertices were looked at."""
        i: cython.int
        with cython.nogil:
            for i in range(first, last):
                self.on_edge(ends[i, 0], ends[i, 1])
                out[i] = self.found
        return self.seen

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def on_edge(self, a: cython.int, b: cython.int) -> cython.void:
        """Find the vertex nearest to the edge from a to b and on it, its ends left out; ``found`` is −1 if none is."""
        self.found = -1
        if self.kept[a] and self.kept[b]:
            return
        edge: Edge
        edge.a = a
        edge.b = b
        edge.x = self.xyz[a, 0]
        edge.y = self.xyz[a, 1]
        edge.z = self.xyz[a, 2]
        dx: cython.double = self.xyz[b, 0] - edge.x
        dy: cython.double = self.xyz[b, 1] - edge.y
        dz: cython.double = self.xyz[b, 2] - edge.z
        length: cython.double = sqrt(dx * dx + dy * dy + dz * dz)
        if length <= 0.0:
            return
        edge.dx = dx / length
        edge.dy = dy / length
        edge.dz = dz / length
        edge.length = length
        self.search(edge)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def search(self, edge: Edge) -> cython.void:
        """Scan the leaves of the tree that an edge passes."""
        # A node is larger by twice as much as a vertex may be off the edge: then rounding does not matter.
        slack: cython.double = 2 * self.near
        top: cython.int = 1
        n: cython.int
        axis: cython.int
        below: cython.int
        along: cython.double
        at: cython.double
        a: cython.double
        b: cython.double
        self.todo[0] = 0
        self.since[0] = 0.0
        self.until[0] = edge.length
        while top > 0:
            top -= 1
            n = self.todo[top]
            axis = self.node_axis[n]
            self.seen += 1
            if axis < 0:
                self.scan(self.node_part[n, 0], self.node_part[n, 1], edge)
                continue
            along = edge.dx if axis == 0 else edge.dy if axis == 1 else edge.dz
            at = (edge.x if axis == 0 else edge.y if axis == 1 else edge.z) - self.node_at[n]
            a = at + along * self.since[top]
            b = at + along * self.until[top]
            if a > slack and b > slack:
                self.todo[top] = self.node_part[n, 1]
                top += 1
            elif a < -slack and b < -slack:
                self.todo[top] = self.node_part[n, 0]
                top += 1
            else:
                # First the part where the edge ends, cut where it comes in; then the part where it begins.
                below = 1 if along < 0.0 else 0
                a = self.since[top]
                self.todo[top] = self.node_part[n, 1 - below]
                self.todo[top + 1] = self.node_part[n, below]
                self.since[top + 1] = a
                self.until[top + 1] = self.until[top]
                if along != 0.0:
                    at = -at / along
                    b = slack / (along if along > 0.0 else -along)
                    self.since[top] = max(a, at - b)
                    self.until[top + 1] = min(self.until[top], at + b)
                top += 2

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def scan(self, first: cython.int, last: cython.int, edge: Edge) -> cython.void:
        """Look for a nearer vertex on the edge in a box at the bottom of the tree."""
        i: cython.int
        v: cython.int
        length: cython.double = edge.length
        x: cython.double
        y: cython.double
        z: cython.double
        t: cython.double
        off: cython.double
        self.seen += last - first
        for i in range(first, last):
            v = self.order[i]
            if v != edge.a and v != edge.b and not self.kept[v]:
                x = self.xyz[v, 0] - edge.x
                y = self.xyz[v, 1] - edge.y
                z = self.xyz[v, 2] - edge.z
                t = x * edge.dx + y * edge.dy + z * edge.dz
                if 0.0 < t < length:
                    x -= t * edge.dx
                    y -= t * edge.dy
                    z -= t * edge.dz
                    off = x * x + y * y + z * z
                    # Both pieces must be shorter than the edge: else it is the edge's end that lies on a piece.
                    if off <= self.near * self.near and off < t * (2 * length - t) and off < length * length - t * t:
                        if self.found < 0 or off < self.off or (off == self.off and v < self.found):
                            self.found = v
                            self.off = off


@cython.final
@cython.cclass
class Welder:
    xyz: cython.double[:, ::1]
    count: cython.int
    chain: cython.int[::1]
    kept: cython.char[::1]
    head: cython.int[::1]
    near: cython.double
    order: cython.int[::1]
    code: cython.longlong[::1]
    low: cython.double[::1]
    unit: cython.double
    node_axis: cython.int[::1]
    node_at: cython.double[::1]
    node_part: cython.int[:, ::1]
    nodes: cython.int

    search: EdgeSearch
    known: cython.int[:, ::1]
    knowns: cython.int

    stack: cython.int[:, ::1]
    path: cython.int[::1]
    where: cython.int[::1]
    paths: cython.int
    owner: cython.int

    out: cython.int[::1]
    outs: cython.int
    loop_owner: cython.int[::1]
    loop_start: cython.longlong[::1]
    loops: cython.int

    def __init__(self, rows: cython.int, near: cython.double):
        size = 1024
        while size < 2 * rows:
            size *= 2
        self.xyz = np.empty((max(rows, 1), 3))
        self.chain = np.empty(max(rows, 1), np.intc)
        self.kept = np.zeros(max(rows, 1), np.int8)
        self.head = np.full(size, -1, np.intc)
        self.count = 0
        self.near = near
        self.known = np.full((size, 3), -1, np.intc)
        self.knowns = 0
        self.stack = np.empty((256, 2), np.intc)
        self.path = np.empty(256, np.intc)
        self.where = np.full(max(rows, 1), -1, np.intc)
        self.paths = 0
        self.owner = 0
        self.out = np.empty(max(4 * rows, 16), np.intc)
        self.outs = 0
        self.loop_owner = np.empty(max(rows, 16), np.intc)
        self.loop_start = np.zeros(max(rows, 16), np.int64)
        self.loops = 0

    def _rehash(self):
        """Double the table of pieces of edges that were looked at."""
        old = np.asarray(self.known)
        self.known = np.full((2 * len(old), 3), -1, np.intc)
        for a, b, v in old[old[:, 0] >= 0].tolist():
            row = self.known_row(a, b)
            self.known[row, 0] = a
            self.known[row, 1] = b
            self.known[row, 2] = v

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
    def place(self, x: cython.double, y: cython.double, z: cython.double, kept: cython.char) -> cython.int:
        """The vertex at a point: the lowest within reach, or a new one; always a new one if it is to be kept."""
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
        for i in range(self.cell_of(x - r), self.cell_of(x + r) + 1):
            for j in range(self.cell_of(y - r), self.cell_of(y + r) + 1):
                for k in range(self.cell_of(z - r), self.cell_of(z + r) + 1):
                    v = self.head[self.bucket(i, j, k)]
                    while v >= 0:
                        dx = self.xyz[v, 0] - x
                        dy = self.xyz[v, 1] - y
                        dz = self.xyz[v, 2] - z
                        if dx * dx + dy * dy + dz * dz <= r * r and (best < 0 or v < best) and not self.kept[v]:
                            best = v
                        v = self.chain[v]
        if best >= 0 and not kept:
            return best
        v = self.count
        self.kept[v] = kept
        self.count = v + 1
        self.xyz[v, 0] = x
        self.xyz[v, 1] = y
        self.xyz[v, 2] = z
        b = self.bucket(self.cell_of(x), self.cell_of(y), self.cell_of(z))
        self.chain[v] = self.head[b]
        self.head[b] = v
        return v

    def weld(self, xyz: cython.double[:, ::1], kept: cython.char[::1], vertex: cython.int[::1]):
        """Find the vertex of every corner. A kept corner gets a vertex of its own."""
        i: cython.Py_ssize_t
        with cython.nogil:
            for i in range(xyz.shape[0]):
                vertex[i] = self.place(xyz[i, 0], xyz[i, 1], xyz[i, 2], kept[i])
        if self.count:
            self._plant()

    def _plant(self):
        """Make the tree. Vertices are sorted by the bits of their coordinates in turn, so that a node halves a range."""
        xyz = np.asarray(self.xyz)[: self.count]
        low = xyz.min(axis=0)
        self.low = low
        self.unit = max(float((xyz.max(axis=0) - low).max()), 1.0) / (2**BITS - 1)
        cell = spread(((xyz - low) / self.unit).astype(np.int64))
        code = cell[:, 0] | (cell[:, 1] << 1) | (cell[:, 2] << 2)
        order = np.argsort(code, kind="stable").astype(np.intc)
        self.order = order
        self.code = code[order]
        self.node_axis = np.empty(2 * self.count, np.intc)  # −1: a leaf
        self.node_at = np.empty(2 * self.count)  # where it divides space along its axis
        self.node_part = np.empty(
            (2 * self.count, 2), np.intc
        )  # the nodes below; of a leaf, its first vertex and the end
        self.nodes = 0
        with cython.nogil:
            self.divide(0, self.count)
        self.search = self.searcher()

    def searcher(self):
        """A search on the tree, for one thread."""
        return EdgeSearch(self.xyz, self.kept, self.near, self.order, self.node_axis, self.node_at, self.node_part)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def divide(self, first: cython.int, last: cython.int) -> cython.int:
        """Make the node of a range of sorted vertices, and those below it. Returns its number."""
        n: cython.int = self.nodes
        self.nodes += 1
        self.node_axis[n] = -1
        self.node_part[n, 0] = first
        self.node_part[n, 1] = last
        differ: cython.longlong = self.code[first] ^ self.code[last - 1]
        if last - first <= LEAF or differ == 0:
            return n
        bit: cython.int = 0
        while (differ >> (bit + 1)) != 0:
            bit += 1
        above: cython.longlong = (self.code[last - 1] >> bit) << bit
        a: cython.int = first
        b: cython.int = last
        middle: cython.int
        while a < b:
            middle = (a + b) // 2
            if self.code[middle] < above:
                a = middle + 1
            else:
                b = middle
        self.node_axis[n] = bit % 3
        self.node_at[n] = self.low[bit % 3] + self.unit * self.coordinate(above, bit % 3)
        self.node_part[n, 0] = self.divide(first, a)
        self.node_part[n, 1] = self.divide(a, last)
        return n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def coordinate(self, code: cython.longlong, axis: cython.int) -> cython.longlong:
        """The number whose bits a code has for an axis."""
        value: cython.longlong = 0
        bit: cython.int
        for bit in range(BITS):
            value |= ((code >> (3 * bit + axis)) & 1) << bit
        return value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def known_row(self, a: cython.int, b: cython.int) -> cython.int:
        """Where the piece from a to b is in the table of those that were looked at, or belongs."""
        mask: cython.longlong = self.known.shape[0] - 1
        h: cython.longlong = (a * cython.cast(cython.longlong, 73856093)) ^ (b * cython.cast(cython.longlong, 19349663))
        row: cython.int = cython.cast(cython.int, (h ^ (h >> 17)) & mask)
        while self.known[row, 0] >= 0 and (self.known[row, 0] != a or self.known[row, 1] != b):
            row = cython.cast(cython.int, (row + 1) & mask)
        return row

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def between(self, a: cython.int, b: cython.int) -> cython.int:
        """The vertex on a piece of an edge, from a to b (a < b), that is nearest to it; −1: none. Most pieces are asked
        for twice and more, once for each polygon that has them."""
        row: cython.int = self.known_row(a, b)
        if self.known[row, 0] < 0:
            if 2 * self.knowns >= self.known.shape[0]:
                with cython.gil:
                    self._rehash()
                row = self.known_row(a, b)
            self.search.on_edge(a, b)
            self.known[row, 0] = a
            self.known[row, 1] = b
            self.known[row, 2] = self.search.found
            self.knowns += 1
        return self.known[row, 2]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def cell_of(self, x: cython.double) -> cython.longlong:
        """The cell of a coordinate."""
        return cython.cast(cython.longlong, floor(x / CELL))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def want(self, top: cython.int, a: cython.int, b: cython.int) -> cython.int:
        """Put an edge that is to be walked on the stack."""
        if top >= self.stack.shape[0]:
            with cython.gil:
                (self.stack,) = grown(top + 1, self.stack)
        self.stack[top, 0] = a
        self.stack[top, 1] = b
        return top + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walk(self, a: cython.int, b: cython.int) -> cython.void:
        """Step from a to b over the vertex nearest to the way, and so on between it and both ends.

        The vertices of an edge depend on its ends alone, whichever way it is walked, so polygons that shared it
        share all of its pieces.
        """
        top: cython.int = self.want(0, a, b)
        v: cython.int
        while top > 0:
            top -= 1
            a = self.stack[top, 0]
            b = self.stack[top, 1]
            if a == b:
                continue
            v = self.between(a, b) if a < b else self.between(b, a)
            if v < 0:
                self.step(b)
            else:
                top = self.want(self.want(top, v, b), a, v)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def step(self, v: cython.int) -> cython.void:
        """Go on to a vertex. If the path has been there before, it closes a loop, which is cut off and kept if it is a polygon."""
        i: cython.int = self.where[v]
        if i >= 0:
            self.close_loop(i)
            self.forget(i + 1)
            return
        if self.paths >= self.path.shape[0]:
            with cython.gil:
                (self.path,) = grown(self.paths + 1, self.path)
        self.path[self.paths] = v
        self.where[v] = self.paths
        self.paths += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def forget(self, length: cython.int) -> cython.void:
        """Shorten the path."""
        i: cython.int
        for i in range(length, self.paths):
            self.where[self.path[i]] = -1
        self.paths = length

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def close_loop(self, first: cython.int) -> cython.void:
        """Keep the end of the path as a polygon, unless it has fewer than three vertices."""
        i: cython.int
        if self.paths - first < 3:
            return
        if self.outs + self.paths - first > self.out.shape[0]:
            with cython.gil:
                (self.out,) = grown(self.outs + self.paths - first, self.out)
        if self.loops + 2 > self.loop_start.shape[0]:
            with cython.gil:
                self.loop_owner, self.loop_start = grown(self.loops + 2, self.loop_owner, self.loop_start)
        for i in range(first, self.paths):
            self.out[self.outs] = self.path[i]
            self.outs += 1
        self.loop_owner[self.loops] = self.owner
        self.loops += 1
        self.loop_start[self.loops] = self.outs

    def close_junctions(
        self,
        start: cython.longlong[::1],
        vertex: cython.int[::1],
        edge: cython.int[::1],
        over: cython.int[::1],
    ):
        """Polygons with every vertex that lies on one of their edges as a corner. ``edge``: the edge from each corner to
        the next; ``over``: the vertex on each edge, as ``EdgeSearch.look`` finds it.

        Returns the polygon that each came from, starts and corners. A polygon that became a line is gone; a polygon that
        touches itself is several.
        """
        p: cython.int
        i: cython.int
        n: cython.int
        a: cython.int
        b: cython.int
        v: cython.int
        with cython.nogil:
            for p in range(start.shape[0] - 1):
                n = start[p + 1] - start[p]
                if n == 0:
                    continue
                self.owner = p
                self.forget(0)
                self.step(vertex[start[p]])
                for i in range(n):
                    a = vertex[start[p] + i]
                    b = vertex[start[p] + (i + 1 if i + 1 < n else 0)]
                    v = over[edge[start[p] + i]]
                    if a != b and v < 0:
                        self.step(b)
                    elif a != b:
                        self.walk(a, v)
                        self.walk(v, b)
        return (
            np.asarray(self.loop_owner)[: self.loops].copy(),
            np.asarray(self.loop_start)[: self.loops + 1].copy(),
            np.asarray(self.out)[: self.outs].copy(),
        )

    def vertices(self):
        """(n, 3) all vertices."""
        return np.asarray(self.xyz)[: self.count].copy()
