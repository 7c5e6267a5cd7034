# mypy: ignore-errors
"""The BSP tree of a .bsp file. Each leaf is entirely solid or entirely open.

Glossary
    node      a plane of even id and two children: a node if ≥ 0, otherwise leaf ``-1 - child``. Child 0 is in front.
    facet     a side of a brush that seals the world. Only facets split the tree.
    section   the part of a node's plane that lies in the node's own space.
    portal    a piece of a section between a leaf in front and a leaf behind. The flood passes through portals.
    box       bounds of the world plus a margin. Leaves that touch its sides are outside.

``build`` splits until no facet is left, ``connect`` finds the portals, and ``sink`` finds the leaves of brushes and
surfaces. Nodes are numbered depth-first, front before back, so a parent precedes its children.
"""

import cython
import numpy as np
from cython.cimports.libc.math import fabs

from aascompile.columns import grown
from aascompile.geometry.polygon_kernel import Polys

CANDIDATES = cython.declare(cython.int, 48)  # planes tried at a node; trying more hardly improves the tree
INFINITE = cython.declare(cython.double, float("inf"))


class LeafTree:
    """Growable columns of nodes, portals and (item, leaf) pairs."""

    def __init__(self, normal, dist, eps, box):
        self.normal = normal
        self.dist = dist
        self.eps = eps
        self.box = box
        self.extent = 4.0 * max(np.abs(np.asarray(box)).max(), 1.0)
        self.plane = np.empty(64, np.intc)
        self.child = np.empty((64, 2), np.intc)
        self.parent = np.empty(64, np.intc)
        self.node_count = 0
        self.leaf_count = 0
        self.polys = Polys()
        self.poly_plane = np.empty(64, np.intc)
        self.rows = np.empty(64, np.intc)
        self.row_count = 0
        self.todo = np.empty((64, 4), np.intc)
        self.todo_count = 0
        self.portal = np.empty((64, 2), np.intc)
        self.portal_count = 0
        self.pair = np.empty((64, 2), np.intc)
        self.pair_count = 0

    def room_nodes(self):
        """Room for one more node."""
        if self.node_count == self.plane.shape[0]:
            with cython.gil:
                self.plane, self.child, self.parent = grown(self.node_count + 1, self.plane, self.child, self.parent)

    def room_rows(self, rows):
        """Room for this many more rows in a node's list, and for a plane of each polygon."""
        if self.row_count + rows > self.rows.shape[0]:
            with cython.gil:
                (self.rows,) = grown(self.row_count + rows, self.rows)
        if self.polys.poly_count >= self.poly_plane.shape[0]:
            with cython.gil:
                (self.poly_plane,) = grown(self.polys.poly_count + 1, self.poly_plane)

    def push(self, a, b, c, d):
        """Push a task of four numbers onto the stack."""
        if self.todo_count == self.todo.shape[0]:
            with cython.gil:
                (self.todo,) = grown(self.todo_count + 1, self.todo)
        self.todo[self.todo_count, 0] = a
        self.todo[self.todo_count, 1] = b
        self.todo[self.todo_count, 2] = c
        self.todo[self.todo_count, 3] = d
        self.todo_count += 1

    # --- building ---------------------------------------------------------------------------------------------------

    def build(self, start: cython.longlong[::1], xyz: cython.double[:, ::1], plane: cython.int[::1]):
        """Split space by the facets. Facet i has corners ``xyz[start[i] : start[i + 1]]`` and lies on ``plane[i]``."""
        i: cython.int
        v: cython.longlong
        n: cython.int = plane.shape[0]
        poly: cython.int
        first: cython.int
        count: cython.int
        parent: cython.int
        side: cython.int
        best: cython.int
        node: cython.int
        with cython.nogil:
            for i in range(n):
                if start[i + 1] - start[i] < 3:
                    continue
                poly = self.polys.begin(cython.cast(cython.int, start[i + 1] - start[i]))
                for v in range(start[i], start[i + 1]):
                    self.polys.push(xyz[v, 0], xyz[v, 1], xyz[v, 2])
                self.polys.close(poly)
                self.room_rows(1)
                self.poly_plane[poly] = plane[i] & ~1
                self.rows[self.row_count] = poly
                self.row_count += 1
            self.push(0, self.row_count, -1, 0)
            while self.todo_count:
                self.todo_count -= 1
                first = self.todo[self.todo_count, 0]
                count = self.todo[self.todo_count, 1]
                parent = self.todo[self.todo_count, 2]
                side = self.todo[self.todo_count, 3]
                if count == 0 and parent >= 0:
                    self.add_leaf(parent, side)
                    continue
                best = self.choose(first, count) if count else 0
                node = self.add_node(best, parent, side)
                self.divide(node, first, count)

    def add_node(self, plane, parent, side):
        """Append a node and attach it to its parent."""
        self.room_nodes()
        node: cython.int = self.node_count
        self.node_count = node + 1
        self.plane[node] = plane
        self.parent[node] = parent
        if parent >= 0:
            self.child[parent, side] = node
        return node

    def add_leaf(self, parent, side):
        """Append a leaf and attach it to its parent."""
        self.child[parent, side] = -1 - self.leaf_count
        self.leaf_count += 1

    def choose(self, first, count):
        """Plane with the best score among those of evenly spaced facets."""
        step: cython.int = (count + CANDIDATES - 1) // CANDIDATES
        best: cython.int = -1
        best_score: cython.double = 0.0
        score: cython.double
        plane: cython.int
        last: cython.int = -1
        i: cython.int = 0
        while i < count:
            plane = self.poly_plane[self.rows[first + i]]
            i += step
            if plane == last:
                continue
            last = plane
            score = self.score(plane, first, count)
            if best < 0 or score > best_score:
                best = plane
                best_score = score
        return best

    def score(self, plane, first, count):
        """Score of a plane: facets on it add, cut facets and imbalance subtract. Axial planes get a bonus.

        Axial planes lead to fewer cuts further down the tree.
        """
        nx: cython.double = self.normal[plane, 0]
        ny: cython.double = self.normal[plane, 1]
        nz: cython.double = self.normal[plane, 2]
        d: cython.double = self.dist[plane]
        on: cython.int = 0
        cut: cython.int = 0
        front: cython.int = 0
        back: cython.int = 0
        where: cython.int
        i: cython.int
        for i in range(first, first + count):
            if self.poly_plane[self.rows[i]] == plane:
                on += 1
                continue
            where = self.polys.classify(self.rows[i], nx, ny, nz, d, self.eps)
            if where == 0:
                on += 1
            elif where == 3:
                cut += 1
            elif where == 1:
                front += 1
            else:
                back += 1
        axial: cython.double = 5.0 if fabs(nx) == 1.0 or fabs(ny) == 1.0 or fabs(nz) == 1.0 else 0.0
        return 5.0 * on - 5.0 * cut - 0.5 * fabs(front - back) + axial

    def divide(self, node, first, count):
        """Distribute the facets of a node to its two children. Facets on its plane are done."""
        plane: cython.int = self.plane[node]
        nx: cython.double = self.normal[plane, 0]
        ny: cython.double = self.normal[plane, 1]
        nz: cython.double = self.normal[plane, 2]
        d: cython.double = self.dist[plane]
        # The node's list is the last in ``rows`` at this point. The children's lists overwrite it.
        self.row_count = first + count
        self.room_rows(2 * count)
        start: cython.int = self.row_count
        front: cython.int = 0
        back: cython.int = 0
        poly: cython.int
        where: cython.int
        i: cython.int
        for i in range(first, first + count):
            poly = self.rows[i]
            if self.poly_plane[poly] == plane:
                continue
            where = self.polys.split(poly, nx, ny, nz, d, self.eps)
            if where == 0:
                continue
            if where == 3:
                self.room_rows(2 * count)
                self.poly_plane[self.polys.front] = self.poly_plane[poly]
                self.poly_plane[self.polys.back] = self.poly_plane[poly]
            # Front facets are collected from the left, back facets from the right, both in order.
            if where & 1:
                self.rows[start + front] = self.polys.front
                front += 1
            if where & 2:
                back += 1
                self.rows[start + 2 * count - back] = self.polys.back
        for i in range(back):
            self.rows[first + i] = self.rows[start + 2 * count - 1 - i]
        for i in range(front):
            self.rows[first + back + i] = self.rows[start + i]
        self.row_count = first + back + front
        self.push(first, back, node, 1)
        self.push(first + back, front, node, 0)

    # --- portals ----------------------------------------------------------------------------------------------------

    def connect(self):
        """Find all portals, and for each leaf its bounds, the sum of its portals' corners, and whether it is outside."""
        self.leaf_box = np.empty((self.leaf_count, 6))
        np.asarray(self.leaf_box)[:, :3] = np.inf
        np.asarray(self.leaf_box)[:, 3:] = -np.inf
        self.leaf_sum = np.zeros((self.leaf_count, 4))
        self.leaf_open = np.zeros(self.leaf_count, np.intc)
        node: cython.int
        poly: cython.int
        axis: cython.int
        sign: cython.double
        n: cython.double[::1] = np.zeros(3)
        with cython.nogil:
            for node in range(self.node_count):
                self.polys.release(0, 0)
                poly = self.section(node)
                if poly >= 0:
                    self.filter(poly, self.child[node, 0], self.plane[node], self.child[node, 1])
            for axis in range(6):
                self.polys.release(0, 0)
                sign = 1.0 if axis < 3 else -1.0
                n[0] = n[1] = n[2] = 0.0
                n[axis % 3] = sign
                poly = self.polys.base(n[0], n[1], n[2], sign * self.box[axis], self.extent)
                poly = self.clip_to_box(poly)
                if poly >= 0:
                    self.filter(poly, 0, -1, 0)

    def section(self, node):
        """Section of a node; −1 if it is empty."""
        plane: cython.int = self.plane[node]
        poly: cython.int = self.polys.base(
            self.normal[plane, 0], self.normal[plane, 1], self.normal[plane, 2], self.dist[plane], self.extent
        )
        poly = self.clip_to_box(poly)
        return self.clip_to_node(poly, node) if poly >= 0 else -1

    def clip_to_box(self, poly):
        """Part of a polygon inside the box or on its sides; −1 if it is empty."""
        axis: cython.int
        sign: cython.double
        found: cython.int
        for axis in range(6):
            sign = 1.0 if axis < 3 else -1.0
            found = self.polys.split(
                poly,
                sign if axis % 3 == 0 else 0.0,
                sign if axis % 3 == 1 else 0.0,
                sign if axis % 3 == 2 else 0.0,
                sign * self.box[axis],
                self.eps,
            )
            if found != 0:
                poly = self.polys.front
            if poly < 0:
                return -1
        return poly

    def clip_to_node(self, poly, node):
        """Part of a polygon that lies in a node's space; −1 if it is empty."""
        above: cython.int = self.parent[node]
        plane: cython.int
        while above >= 0 and poly >= 0:
            plane = self.plane[above]
            if self.polys.split(
                poly, self.normal[plane, 0], self.normal[plane, 1], self.normal[plane, 2], self.dist[plane], self.eps
            ):
                poly = self.polys.front if self.child[above, 0] == node else self.polys.back
            node = above
            above = self.parent[above]
        return poly

    def agrees(self, plane, other):
        """Whether two planes face the same direction."""
        return (
            self.normal[plane, 0] * self.normal[other, 0]
            + self.normal[plane, 1] * self.normal[other, 1]
            + self.normal[plane, 2] * self.normal[other, 2]
            > 0.0
        )

    def filter(self, poly, node, facing, back_node):
        """Push a section down to the leaves in front of its plane, then each piece down to the leaves behind it.

        ``facing`` is the section's plane, or −1 for a side of the box, which has nothing behind it.
        """
        base: cython.int = self.todo_count
        side: cython.int
        other: cython.int
        plane: cython.int
        front: cython.int
        found: cython.int
        toward: cython.int
        self.push(poly, node, back_node, 0)
        while self.todo_count > base:
            self.todo_count -= 1
            poly = self.todo[self.todo_count, 0]
            node = self.todo[self.todo_count, 1]
            other = self.todo[self.todo_count, 2]
            side = self.todo[self.todo_count, 3]
            # Side 0 descends to the leaf in front; "other" is the node where the descent behind will start.
            # Side 1 descends to the leaf behind; "other" is the leaf found in front.
            if node < 0:
                if side == 1:
                    self.add_portal(other, -1 - node)
                    self.touch(other, poly)
                    self.touch(-1 - node, poly)
                elif facing < 0:
                    self.touch(-1 - node, poly)
                    self.leaf_open[-1 - node] = 1
                else:
                    self.push(poly, other, -1 - node, 1)
                continue
            plane = self.plane[node]
            found = self.polys.split(
                poly, self.normal[plane, 0], self.normal[plane, 1], self.normal[plane, 2], self.dist[plane], self.eps
            )
            if found == 0:
                # The section lies on this node's plane. Which child holds its front depends on how the planes face.
                toward = side
                if facing >= 0 and not self.agrees(plane, facing):
                    toward = 1 - side
                self.push(poly, self.child[node, toward], other, side)
                continue
            front = self.polys.front
            if self.polys.back >= 0:
                self.push(self.polys.back, self.child[node, 1], other, side)
            if front >= 0:
                self.push(front, self.child[node, 0], other, side)

    def touch(self, leaf, poly):
        """Extend the bounds and corner sum of a leaf by a polygon on its boundary."""
        v: cython.int
        k: cython.int
        x: cython.double
        for v in range(self.polys.start[poly], self.polys.start[poly] + self.polys.size[poly]):
            for k in range(3):
                x = self.polys.xyz[v, k]
                if x < self.leaf_box[leaf, k]:
                    self.leaf_box[leaf, k] = x
                if x > self.leaf_box[leaf, 3 + k]:
                    self.leaf_box[leaf, 3 + k] = x
                self.leaf_sum[leaf, k] += x
            self.leaf_sum[leaf, 3] += 1.0

    def add_portal(self, front, back):
        """Append a portal."""
        if self.portal_count == self.portal.shape[0]:
            with cython.gil:
                (self.portal,) = grown(self.portal_count + 1, self.portal)
        self.portal[self.portal_count, 0] = front
        self.portal[self.portal_count, 1] = back
        self.portal_count += 1

    # --- contents of leaves -----------------------------------------------------------------------------------------

    def sink(self, start: cython.longlong[::1], xyz: cython.double[:, ::1]):
        """Fill ``pair`` with (item, leaf) for convex items ``xyz[start[i] : start[i + 1]]``, in item order.

        An item is listed in every leaf that it may touch. Items are not split: they are tested against the planes of
        the nodes, then against the bounds of the leaves.
        """
        self.pair_count = 0
        i: cython.int
        k: cython.int
        v: cython.longlong
        node: cython.int
        plane: cython.int
        low: cython.double
        high: cython.double
        s: cython.double
        box: cython.double[::1] = np.zeros(6)
        items: cython.int = start.shape[0] - 1
        with cython.nogil:
            for i in range(items):
                if start[i] == start[i + 1]:
                    continue
                for k in range(3):
                    box[k] = xyz[start[i], k]
                    box[3 + k] = xyz[start[i], k]
                for v in range(start[i], start[i + 1]):
                    for k in range(3):
                        if xyz[v, k] < box[k]:
                            box[k] = xyz[v, k]
                        if xyz[v, k] > box[3 + k]:
                            box[3 + k] = xyz[v, k]
                self.push(0, 0, 0, 0)
                while self.todo_count:
                    self.todo_count -= 1
                    node = self.todo[self.todo_count, 0]
                    if node < 0:
                        if not self.apart(-1 - node, box):
                            self.add_pair(i, -1 - node)
                        continue
                    plane = self.plane[node]
                    low = INFINITE
                    high = -INFINITE
                    for v in range(start[i], start[i + 1]):
                        s = (
                            xyz[v, 0] * self.normal[plane, 0]
                            + xyz[v, 1] * self.normal[plane, 1]
                            + xyz[v, 2] * self.normal[plane, 2]
                            - self.dist[plane]
                        )
                        if s < low:
                            low = s
                        if s > high:
                            high = s
                    if low < -self.eps or high <= self.eps:
                        self.push(self.child[node, 1], 0, 0, 0)
                    if high > self.eps or low >= -self.eps:
                        self.push(self.child[node, 0], 0, 0, 0)

    def apart(self, leaf, box):
        """Whether an item's bounds miss a leaf's bounds."""
        k: cython.int
        for k in range(3):
            if box[k] > self.leaf_box[leaf, 3 + k] + self.eps or box[3 + k] < self.leaf_box[leaf, k] - self.eps:
                return 1
        return 0

    def add_pair(self, item, leaf):
        """Append a pair of item and leaf."""
        if self.pair_count == self.pair.shape[0]:
            with cython.gil:
                (self.pair,) = grown(self.pair_count + 1, self.pair)
        self.pair[self.pair_count, 0] = item
        self.pair[self.pair_count, 1] = leaf
        self.pair_count += 1
