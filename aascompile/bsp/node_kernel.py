# mypy: ignore-errors
"""The nodes and leaves of a tree made so far, and how a plane divides the polygons of a node between its children.

The polygons of a node are a range of ``listed`` (see choice_kernel), its cell is a range of ``cells`` (see cell_kernel).

    node    plane, front child, back child. A child is a node, or −1 − leaf.
    leaf    a point inside it, the mean of its corners, and its box.
"""

import cython
import numpy as np
from cython.cimports.aascompile.bsp.choice_kernel import PlaneChooser

from aascompile.columns import grown


class NodeStore(PlaneChooser):
    """Columns of nodes and leaves."""

    def __init__(self, planes, weights, tolerances):
        PlaneChooser.__init__(self, planes, weights, tolerances)
        self.other = np.empty(1024, np.intc)
        self.fronts = 0
        self.node = np.empty((256, 3), np.intc)
        self.nodes = 0
        self.leaf_point = np.empty((256, 3))
        self.leaf_box = np.empty((256, 6))
        self.leaves = 0

    # --- nodes and leaves ---------------------------------------------------------------------------------------------

    def add_node(self, pair):
        """A new node, still without children."""
        node: cython.int = self.nodes
        if node >= self.node.shape[0]:
            with cython.gil:
                (self.node,) = grown(node + 1, self.node)
        self.nodes = node + 1
        self.node[node, 0] = 2 * pair
        return node

    def begin_leaf(self):
        """A new leaf without any corners."""
        leaf: cython.int = self.leaves
        a: cython.int
        if leaf >= self.leaf_point.shape[0]:
            with cython.gil:
                self.leaf_point, self.leaf_box = grown(leaf + 1, self.leaf_point, self.leaf_box)
        self.leaves = leaf + 1
        for a in range(3):
            self.leaf_point[leaf, a] = 0.0
            self.leaf_box[leaf, a] = 1e300
            self.leaf_box[leaf, 3 + a] = -1e300
        return leaf

    def add_corners(self, leaf, polys, poly):
        """Add the corners of a polygon to a leaf's sum of corners and to its box. Returns their number."""
        x: cython.double
        y: cython.double
        z: cython.double
        k: cython.int
        for k in range(polys.start[poly], polys.start[poly] + polys.size[poly]):
            x = polys.xyz[k, 0]
            y = polys.xyz[k, 1]
            z = polys.xyz[k, 2]
            self.leaf_point[leaf, 0] += x
            self.leaf_point[leaf, 1] += y
            self.leaf_point[leaf, 2] += z
            if x < self.leaf_box[leaf, 0]:
                self.leaf_box[leaf, 0] = x
            if y < self.leaf_box[leaf, 1]:
                self.leaf_box[leaf, 1] = y
            if z < self.leaf_box[leaf, 2]:
                self.leaf_box[leaf, 2] = z
            if x > self.leaf_box[leaf, 3]:
                self.leaf_box[leaf, 3] = x
            if y > self.leaf_box[leaf, 4]:
                self.leaf_box[leaf, 4] = y
            if z > self.leaf_box[leaf, 5]:
                self.leaf_box[leaf, 5] = z
        return polys.size[poly]

    def close_leaf(self, leaf, corners):
        """Turn a leaf's sum of corners into their mean. Returns its child number."""
        k: cython.int
        for k in range(3):
            self.leaf_point[leaf, k] /= corners
        return -1 - leaf

    def add_leaf(self, cell_first, cell_count):
        """A leaf that is a whole cell. Returns its child number."""
        leaf: cython.int = self.begin_leaf()
        corners: cython.int = 0
        f: cython.int
        for f in range(cell_first, cell_first + cell_count):
            corners += self.add_corners(leaf, self.cells, f)
        return self.close_leaf(leaf, corners)

    def add_part_leaf(self, pair, cell_first, cell_count, cap, front):
        """A leaf that is the part of a cell which ``split_cell`` would append, without appending it."""
        id: cython.int = 2 * pair
        nx: cython.double = self.normal[id, 0]
        ny: cython.double = self.normal[id, 1]
        nz: cython.double = self.normal[id, 2]
        d: cython.double = self.dist[id]
        leaf: cython.int = self.begin_leaf()
        vertices: cython.int = self.cells.vertex_count
        polys: cython.int = self.cells.poly_count
        keep: cython.int = 1 if front else 2
        corners: cython.int = 0
        f: cython.int
        p: cython.int
        found: cython.int
        for f in range(cell_first, cell_first + cell_count):
            found = self.cells.classify(f, nx, ny, nz, d, self.clip)
            if found == keep:
                corners += self.add_corners(leaf, self.cells, f)
            elif found == 3:
                p = self.cells.part(self.cells.start[f], self.cells.size[f], keep, nx, ny, nz, d)
                corners += self.add_corners(leaf, self.cells, p)
                self.cells.release(vertices, polys)
        corners += self.add_corners(leaf, self.caps, cap)
        return self.close_leaf(leaf, corners)

    # --- lists of polygons --------------------------------------------------------------------------------------------

    def drop_run(self, run, first, count):
        """Take a run's polygons out of a node's list. Returns the new count."""
        a: cython.int = self.run_first[run]
        n: cython.int = self.run_count[run]
        i: cython.int
        for i in range(a + n, first + count):
            self.listed[i - n] = self.listed[i]
        return count - n

    def drop_plane(self, pair, first, count):
        """Take a plane's polygons out of a node's list. Returns the new count."""
        i: cython.int
        n: cython.int = 0
        for i in range(first, first + count):
            if self.plane[self.listed[i]] != pair:
                self.listed[first + n] = self.listed[i]
                n += 1
        return n

    def partition(self, pair, first, count):
        """Sort a node's polygons to both sides: the back ones into ``listed`` after the node's own list, the front
        ones into ``other``. Returns the number of back polygons; ``fronts`` is that of the front polygons.
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

    def move_down(self, first, count, polys, cell_first, back_first, back_vertices):
        """Move the lists and cells of a node's children down over those of the node."""
        shift_v: cython.int = back_vertices - self.cells.start[cell_first]
        shift_p: cython.int = back_first - cell_first
        i: cython.int
        k: cython.int
        for i in range(back_vertices, self.cells.vertex_count):
            for k in range(3):
                self.cells.xyz[i - shift_v, k] = self.cells.xyz[i, k]
        for i in range(back_first, self.cells.poly_count):
            self.cells.start[i - shift_p] = self.cells.start[i] - shift_v
            self.cells.size[i - shift_p] = self.cells.size[i]
            self.cell_plane[i - shift_p] = self.cell_plane[i]
        self.cells.release(self.cells.vertex_count - shift_v, self.cells.poly_count - shift_p)
        for i in range(polys):
            self.listed[first + i] = self.listed[first + count + i]


def in_order(
    node: cython.int[:, ::1], root: cython.int, node_order: cython.int[::1], leaf_order: cython.int[::1]
) -> None:
    """Fill in nodes and leaves in the order of a walk down the tree: parents before children, the front first."""
    stack: cython.int[::1] = np.empty(node.shape[0] + 2, np.intc)
    depth: cython.int = 1
    nodes: cython.int = 0
    leaves: cython.int = 0
    at: cython.int
    stack[0] = root
    with cython.nogil:
        while depth > 0:
            depth -= 1
            at = stack[depth]
            if at < 0:
                leaf_order[leaves] = -1 - at
                leaves += 1
                continue
            node_order[nodes] = at
            nodes += 1
            stack[depth] = node[at, 2]
            stack[depth + 1] = node[at, 1]
            depth += 2
