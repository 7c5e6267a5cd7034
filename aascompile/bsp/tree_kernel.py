# mypy: ignore-errors
"""Binary space partitioning of the visible surface into few convex leaves (thesis §6.2).

Glossary (more in choice_kernel)
    task        a node still to be built: a list of polygons and a cell, on a stack of their own.

Below nodes of at most ``small`` polygons the best ``tries`` planes are rolled out: the subtree is built by score alone
under each, and the plane with the fewest leaves inside the map is taken.

A plane whose section is empty, or that leaves all of the cell on one side, lies on the cell's boundary: its polygons
are dropped. The stack is explicit: trees of real maps are more than a hundred nodes deep.
"""

import cython
import numpy as np
from cython.cimports.aascompile.bsp.choice_kernel import PlaneChooser

from aascompile.columns import grown


@cython.final
@cython.cclass
class TreeBuilder(PlaneChooser):
    task: cython.int[:, ::1]
    tasks: cython.int
    other: cython.int[::1]
    fronts: cython.int

    most_tries: cython.int
    small: cython.int
    rough: cython.int[:, ::1]
    reached: cython.char[::1]

    node: cython.int[:, ::1]
    nodes: cython.int
    leaf_point: cython.double[:, ::1]
    leaf_box: cython.double[:, ::1]
    leaves: cython.int
    dropped = cython.declare(cython.int, visibility="readonly")

    def __init__(self, planes, weights, tolerances, search, rough, reached):
        PlaneChooser.__init__(self, planes, weights, tolerances)
        self.task = np.empty((256, 6), np.intc)
        self.tasks = 0
        self.other = np.empty(1024, np.intc)
        self.fronts = 0
        self.most_tries = min(search.tries, 8)
        self.small = search.small
        self.rough = rough
        self.reached = reached
        self.node = np.empty((1024, 3), np.intc)
        self.nodes = 0
        self.leaf_point = np.empty((1024, 3))
        self.leaf_box = np.empty((1024, 6))
        self.leaves = 0
        self.dropped = 0

    # --- roll-outs --------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def inside(self, x: cython.double, y: cython.double, z: cython.double) -> cython.bint:
        """Whether a point lies in space that the flood reached; without a rough tree everything counts."""
        at: cython.int = 0
        p: cython.int
        if self.rough.shape[0] == 0:
            return True
        while at >= 0:
            p = self.rough[at, 0]
            if self.normal[p, 0] * x + self.normal[p, 1] * y + self.normal[p, 2] * z >= self.dist[p]:
                at = self.rough[at, 1]
            else:
                at = self.rough[at, 2]
        return self.reached[-1 - at] != 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def roll_out(
        self,
        pair: cython.int,
        first: cython.int,
        count: cython.int,
        cell_first: cython.int,
        cell_count: cython.int,
        most: cython.int,
    ) -> cython.int:
        """Leaves inside the map when a node is split by a plane and all below it by score; stops above ``most``.

        Works on a copy of the node above everything else and leaves nothing behind.
        """
        nodes: cython.int = self.nodes
        leaves: cython.int = self.leaves
        tasks: cython.int = self.tasks
        dropped: cython.int = self.dropped
        cap_vertices: cython.int = self.caps.vertex_count
        cap_polys: cython.int = self.caps.poly_count
        cell_vertices: cython.int = self.cells.vertex_count
        cell_polys: cython.int = self.cells.poly_count
        vertices: cython.int = self.polys.vertex_count
        polys: cython.int = self.polys.poly_count
        found: cython.int = 0
        seen: cython.int = leaves
        i: cython.int
        if first + 2 * count > self.listed.shape[0]:
            with cython.gil:
                self.listed, self.other = grown(first + 2 * count, self.listed, self.other)
        for i in range(count):
            self.listed[first + count + i] = self.listed[first + i]
        for i in range(cell_count):
            self.add_cell_face(self.cells.copy_from(self.cells, cell_first + i), self.cell_plane[cell_first + i])
        if self.section(pair, cell_polys, cell_count) >= 0:
            self.split(-1, 0, pair, first + count, count, cell_polys, cell_count)
            while self.tasks > tasks and found < most:
                self.step(False)
                while seen < self.leaves:
                    if self.inside(self.leaf_point[seen, 0], self.leaf_point[seen, 1], self.leaf_point[seen, 2]):
                        found += 1
                    seen += 1
        else:
            found = most
        self.nodes = nodes
        self.leaves = leaves
        self.tasks = tasks
        self.dropped = dropped
        self.caps.release(cap_vertices, cap_polys)
        self.cells.release(cell_vertices, cell_polys)
        self.polys.release(vertices, polys)
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def best_by_roll_out(
        self, first: cython.int, count: cython.int, cell_first: cython.int, cell_count: cython.int
    ) -> cython.int:
        """The plane pair, of the best by score, whose subtree has the fewest leaves; the first of equals."""
        pairs: cython.int[8]
        n: cython.int = self.choices
        i: cython.int
        found: cython.int
        most: cython.int = 1 << 30
        best: cython.int = 0
        for i in range(n):
            pairs[i] = self.plane[self.listed[self.run_first[self.choice[i]]]]
        for i in range(n):
            found = self.roll_out(pairs[i], first, count, cell_first, cell_count, most)
            if found < most:
                most = found
                best = i
        return pairs[best]

    # --- building -------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push_task(
        self,
        parent: cython.int,
        side: cython.int,
        first: cython.int,
        count: cython.int,
        cell_first: cython.int,
        cell_count: cython.int,
    ) -> cython.void:
        """Put a node to be built on the stack."""
        t: cython.int = self.tasks
        if t >= self.task.shape[0]:
            with cython.gil:
                (self.task,) = grown(t + 1, self.task)
        self.task[t, 0] = parent
        self.task[t, 1] = side
        self.task[t, 2] = first
        self.task[t, 3] = count
        self.task[t, 4] = cell_first
        self.task[t, 5] = cell_count
        self.tasks = t + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def attach(self, parent: cython.int, side: cython.int, child: cython.int) -> cython.void:
        """Hang a child under its parent."""
        if parent >= 0:
            self.node[parent, 1 + side] = child

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add_leaf(self, cell_first: cython.int, cell_count: cython.int) -> cython.int:
        """A leaf with a point inside it (the mean of its corners) and its box; answers its child number."""
        leaf: cython.int = self.leaves
        if leaf >= self.leaf_point.shape[0]:
            with cython.gil:
                self.leaf_point, self.leaf_box = grown(leaf + 1, self.leaf_point, self.leaf_box)
        self.leaves = leaf + 1
        n: cython.int = 0
        f: cython.int
        k: cython.int
        a: cython.int
        v: cython.double
        for a in range(3):
            self.leaf_point[leaf, a] = 0.0
            self.leaf_box[leaf, a] = 1e300
            self.leaf_box[leaf, 3 + a] = -1e300
        for f in range(cell_first, cell_first + cell_count):
            for k in range(self.cells.start[f], self.cells.start[f] + self.cells.size[f]):
                n += 1
                for a in range(3):
                    v = self.cells.xyz[k, a]
                    self.leaf_point[leaf, a] += v
                    if v < self.leaf_box[leaf, a]:
                        self.leaf_box[leaf, a] = v
                    if v > self.leaf_box[leaf, 3 + a]:
                        self.leaf_box[leaf, 3 + a] = v
        for a in range(3):
            self.leaf_point[leaf, a] /= n
        return -1 - leaf

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def drop_run(self, run: cython.int, first: cython.int, count: cython.int) -> cython.int:
        """Take a run's polygons out of a node's list; answers the new count."""
        a: cython.int = self.run_first[run]
        n: cython.int = self.run_count[run]
        i: cython.int
        for i in range(a + n, first + count):
            self.listed[i - n] = self.listed[i]
        self.dropped += n
        return count - n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def split_cell(
        self, pair: cython.int, cell_first: cython.int, cell_count: cython.int, cap: cython.int, front: cython.bint
    ) -> cython.int:
        """Append the part of a cell on one side of a plane; answers its number of faces."""
        id: cython.int = 2 * pair
        nx: cython.double = self.normal[id, 0]
        ny: cython.double = self.normal[id, 1]
        nz: cython.double = self.normal[id, 2]
        d: cython.double = self.dist[id]
        count: cython.int = 0
        f: cython.int
        found: cython.int
        keep: cython.int = 1 if front else 2
        for f in range(cell_first, cell_first + cell_count):
            found = self.cells.classify(f, nx, ny, nz, d, self.clip)
            if found == keep:
                self.add_cell_face(self.cells.copy_from(self.cells, f), self.cell_plane[f])
                count += 1
            elif found == 3:
                self.add_cell_face(
                    self.cells.part(self.cells.start[f], self.cells.size[f], keep, nx, ny, nz, d), self.cell_plane[f]
                )
                count += 1
        # The cap faces out of the part: against the plane's normal for the front part.
        new: cython.int = self.cells.copy_from(self.caps, cap)
        if front:
            found = self.cells.reversed_copy(new)
            for f in range(self.cells.size[new]):
                for keep in range(3):
                    self.cells.xyz[self.cells.start[new] + f, keep] = self.cells.xyz[self.cells.start[found] + f, keep]
            self.cells.release(self.cells.start[found], found)
        self.add_cell_face(new, id + 1 if front else id)
        return count + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def partition(self, pair: cython.int, first: cython.int, count: cython.int) -> cython.int:
        """Sort a node's polygons to both sides: the back ones into ``listed`` after the node's own list, the front
        ones into ``other``. Answers the number of back ones; ``fronts`` is that of the front ones.
        """
        id: cython.int = 2 * pair
        nx: cython.double = self.normal[id, 0]
        ny: cython.double = self.normal[id, 1]
        nz: cython.double = self.normal[id, 2]
        d: cython.double = self.dist[id]
        if first + 3 * count > self.listed.shape[0]:
            with cython.gil:
                self.listed, self.other = grown(first + 3 * count, self.listed, self.other)
        backs: cython.int = 0
        fronts: cython.int = 0
        at: cython.int = first + count
        i: cython.int
        p: cython.int
        found: cython.int
        a: cython.int
        b: cython.int
        ax: cython.int = 0 if nx > 0 else 3
        ay: cython.int = 1 if ny > 0 else 4
        az: cython.int = 2 if nz > 0 else 5
        for i in range(first, at):
            p = self.listed[i]
            if self.plane[p] == pair:
                continue
            if nx * self.box[p, ax] + ny * self.box[p, ay] + nz * self.box[p, az] - d > self.on_plane:
                self.other[fronts] = p
                fronts += 1
                continue
            if nx * self.box[p, 3 - ax] + ny * self.box[p, 5 - ay] + nz * self.box[p, 7 - az] - d < -self.on_plane:
                self.listed[at + backs] = p
                backs += 1
                continue
            found = self.polys.split(p, nx, ny, nz, d, self.on_plane)
            if found == 1:
                self.other[fronts] = p
                fronts += 1
            elif found == 2:
                self.listed[at + backs] = p
                backs += 1
            elif found == 3:
                a = self.polys.front
                b = self.polys.back
                self.describe(a, self.plane[p], self.facet[p], self.urge[p])
                self.describe(b, self.plane[p], self.facet[p], self.urge[p])
                if self.area[a] >= self.min_area:
                    self.other[fronts] = a
                    fronts += 1
                if self.area[b] >= self.min_area:
                    self.listed[at + backs] = b
                    backs += 1
        for i in range(fronts):
            self.listed[at + backs + i] = self.other[i]
        self.fronts = fronts
        return backs

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def step(self, careful: cython.bint) -> cython.void:
        """Build the node on top of the stack: a leaf, or a split with two more tasks. Careful: with roll-outs."""
        self.tasks -= 1
        t: cython.int = self.tasks
        parent: cython.int = self.task[t, 0]
        side: cython.int = self.task[t, 1]
        first: cython.int = self.task[t, 2]
        count: cython.int = self.task[t, 3]
        cell_first: cython.int = self.task[t, 4]
        cell_count: cython.int = self.task[t, 5]
        run: cython.int = -1
        careful = careful and 1 < count <= self.small
        self.tries = self.most_tries if careful else 1
        while count > 0:
            self.find_runs(first, count)
            run = self.choose(first, count, cell_first, cell_count)
            if run >= 0:
                break
            count = self.drop_run(-1 - run, first, count)
        if count == 0:
            self.attach(parent, side, self.add_leaf(cell_first, cell_count))
            return
        pair: cython.int = self.plane[self.listed[self.run_first[run]]]
        if careful and self.choices > 1:
            pair = self.best_by_roll_out(first, count, cell_first, cell_count)
        self.section(pair, cell_first, cell_count)
        self.split(parent, side, pair, first, count, cell_first, cell_count)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def split(
        self,
        parent: cython.int,
        side: cython.int,
        pair: cython.int,
        first: cython.int,
        count: cython.int,
        cell_first: cython.int,
        cell_count: cython.int,
    ) -> cython.void:
        """Split a node by a plane whose section is the last cap; its children become tasks."""
        cap: cython.int = self.caps.poly_count - 1
        node: cython.int = self.nodes
        if node >= self.node.shape[0]:
            with cython.gil:
                (self.node,) = grown(node + 1, self.node)
        self.nodes = node + 1
        self.node[node, 0] = 2 * pair
        self.attach(parent, side, node)
        backs: cython.int = self.partition(pair, first, count)
        fronts: cython.int = self.fronts
        # The children's cells stand after this one's; once both are made, they are moved down over it.
        back_first: cython.int = self.cells.poly_count
        back_vertices: cython.int = self.cells.vertex_count
        back_count: cython.int = self.split_cell(pair, cell_first, cell_count, cap, False)
        front_first: cython.int = self.cells.poly_count
        front_count: cython.int = self.split_cell(pair, cell_first, cell_count, cap, True)
        shift_v: cython.int = back_vertices - self.cells.start[cell_first]
        shift_p: cython.int = back_first - cell_first
        i: cython.int
        k: cython.int
        for i in range(self.cells.start[back_first], self.cells.vertex_count):
            for k in range(3):
                self.cells.xyz[i - shift_v, k] = self.cells.xyz[i, k]
        for i in range(back_first, self.cells.poly_count):
            self.cells.start[i - shift_p] = self.cells.start[i] - shift_v
            self.cells.size[i - shift_p] = self.cells.size[i]
            self.cell_plane[i - shift_p] = self.cell_plane[i]
        self.cells.release(self.cells.vertex_count - shift_v, self.cells.poly_count - shift_p)
        for i in range(backs + fronts):
            self.listed[first + i] = self.listed[first + count + i]
        self.push_task(node, 1, first, backs, back_first - shift_p, back_count)
        self.push_task(node, 0, first + backs, fronts, front_first - shift_p, front_count)

    def start(self, plane, facet, urge, vertex_start, xyz, cell_plane, cell_start, cell_xyz):
        """Take over the polygons, sorted by (plane, facet), and the cell of the root as outward polygons."""
        i: cython.int
        k: cython.int
        p: cython.int
        n: cython.int = len(plane)
        planes: cython.int[::1] = plane
        facets: cython.int[::1] = facet
        urges: cython.char[::1] = urge
        starts: cython.longlong[::1] = vertex_start
        rows: cython.double[:, ::1] = xyz
        self.listed, self.other = grown(4 * n, self.listed, self.other)
        for i in range(n):
            p = self.polys.begin(starts[i + 1] - starts[i])
            for k in range(starts[i], starts[i + 1]):
                self.polys.push(rows[k, 0], rows[k, 1], rows[k, 2])
            self.polys.close(p)
            self.describe(p, planes[i], facets[i], urges[i])
            self.listed[i] = p
        cells: cython.int = len(cell_plane)
        outward: cython.int[::1] = cell_plane
        cell_starts: cython.longlong[::1] = cell_start
        cell_rows: cython.double[:, ::1] = cell_xyz
        for i in range(cells):
            p = self.cells.begin(cell_starts[i + 1] - cell_starts[i])
            for k in range(cell_starts[i], cell_starts[i + 1]):
                self.cells.push(cell_rows[k, 0], cell_rows[k, 1], cell_rows[k, 2])
            self.cells.close(p)
            self.add_cell_face(p, outward[i])
        self.push_task(-1, 0, 0, n, 0, cells)

    def build(self):
        """Build the whole tree."""
        with cython.nogil:
            while self.tasks > 0:
                self.step(True)

    def result(self):
        """Node table (plane, front, back), sections (start, vertices), leaf points and boxes."""
        caps: cython.int = self.caps.poly_count
        start = np.append(np.asarray(self.caps.start)[:caps].astype(np.int64), self.caps.vertex_count)
        return (
            np.asarray(self.node)[: self.nodes].copy(),
            start,
            np.asarray(self.caps.xyz)[: self.caps.vertex_count].copy(),
            np.asarray(self.leaf_point)[: self.leaves].copy(),
            np.asarray(self.leaf_box)[: self.leaves].copy(),
        )
