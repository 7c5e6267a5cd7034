# mypy: ignore-errors
"""Pruning the tree, and the exact polygon between every two neighbouring leaves.

Child numbers are ≥ 0 for a node and −1 − leaf for a leaf.
"""

import cython
import numpy as np
from cython.cimports.aascompile.geometry.polygon_kernel import Polys

from aascompile.columns import grown


def prune(
    node: cython.int[:, ::1],
    kind: cython.longlong[::1],
    box: cython.double[:, ::1],
    keep: cython.char[::1],
    merged: cython.int[::1],
):
    """Replace every node whose two children are leaves of one kind by a single leaf.

    A node's children have higher numbers than itself, so one pass from the end sees them first. ``keep[n]`` says
    whether node n stays; ``merged[n]`` is the child that stands for it (itself when it stays), the box of a leaf that
    stands for a node becomes the node's.
    """
    n: cython.int
    c: cython.int
    d: cython.int
    k: cython.int
    nodes: cython.int = node.shape[0]
    with cython.nogil:
        for n in range(nodes - 1, -1, -1):
            for k in range(1, 3):
                c = node[n, k]
                if c >= 0:
                    node[n, k] = merged[c]
            keep[n] = 1
            merged[n] = n
            if node[n, 1] < 0 and node[n, 2] < 0 and kind[-1 - node[n, 1]] == kind[-1 - node[n, 2]]:
                keep[n] = 0
                merged[n] = node[n, 1]
                c = -1 - node[n, 1]
                d = -1 - node[n, 2]
                for k in range(3):
                    box[c, k] = min(box[c, k], box[d, k])
                    box[c, 3 + k] = max(box[c, 3 + k], box[d, 3 + k])


@cython.cclass
class Descent:
    """A worker that sends polygons down a tree, from a stack of those still to go."""

    normal: cython.double[:, ::1]
    dist: cython.double[::1]
    node: cython.int[:, ::1]
    on_plane: cython.double
    min_area: cython.double
    work: Polys
    stack: cython.int[:, ::1]

    def __init__(self, normal, dist, node, on_plane, min_area):
        self.normal = normal
        self.dist = dist
        self.node = node
        self.on_plane = on_plane
        self.min_area = min_area
        self.work = Polys(4096, 1024)
        self.stack = np.empty((1024, 2), np.intc)

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push(self, at: cython.int, poly: cython.int, child: cython.int) -> cython.int:
        """Put a polygon that is to go down a subtree on the stack."""
        if at >= self.stack.shape[0]:
            with cython.gil:
                (self.stack,) = grown(at + 1, self.stack)
        self.stack[at, 0] = poly
        self.stack[at, 1] = child
        return at + 1

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def load(self, start: cython.longlong[::1], xyz: cython.double[:, ::1], i: cython.int) -> cython.int:
        """Make the polygon of row i the only polygon at work. Returns its number."""
        self.work.release(0, 0)
        poly: cython.int = self.work.begin(start[i + 1] - start[i])
        k: cython.int
        for k in range(start[i], start[i + 1]):
            self.work.push(xyz[k, 0], xyz[k, 1], xyz[k, 2])
        self.work.close(poly)
        return poly

    @cython.final
    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def split(self, poly: cython.int, plane: cython.int) -> cython.int:
        """Cut a polygon by a plane. Returns the sides on which it lies; the work holds its parts."""
        return self.work.split(
            poly, self.normal[plane, 0], self.normal[plane, 1], self.normal[plane, 2], self.dist[plane], self.on_plane
        )


@cython.final
@cython.cclass
class PortalCutter(Descent):
    """One thread's worker: the portals on the sections of a range of nodes."""

    cap_start: cython.longlong[::1]
    cap_xyz: cython.double[:, ::1]
    solid: cython.char[::1]
    piece: cython.int[:, ::1]
    polys: Polys
    row: cython.int[:, ::1]
    rows: cython.int
    centre: cython.double[::1]

    def __init__(self, normal, dist, node, cap_start, cap_xyz, solid, on_plane, min_area):
        Descent.__init__(self, normal, dist, node, on_plane, min_area)
        self.cap_start = cap_start
        self.cap_xyz = cap_xyz
        self.solid = solid
        self.piece = np.empty((1024, 2), np.intc)
        self.polys = Polys(4096, 1024)
        self.row = np.empty((1024, 3), np.intc)
        self.rows = 0
        self.centre = np.empty(3)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def filter(self, poly: cython.int, child: cython.int, pieces: cython.int) -> cython.int:
        """Send a polygon down a subtree; list its pieces with the leaves they end in. Returns the new end of the list."""
        top: cython.int = self.push(0, poly, child)
        p: cython.int
        found: cython.int
        while top > 0:
            top -= 1
            poly = self.stack[top, 0]
            child = self.stack[top, 1]
            if child < 0:
                if self.work.area(poly) < self.min_area:
                    continue
                if pieces >= self.piece.shape[0]:
                    with cython.gil:
                        (self.piece,) = grown(pieces + 1, self.piece)
                self.piece[pieces, 0] = poly
                self.piece[pieces, 1] = -1 - child
                pieces += 1
                continue
            p = self.node[child, 0]
            found = self.split(poly, p)
            if found == 0:
                self.work.centre(poly, self.centre)
                found = 2
                if (
                    self.normal[p, 0] * self.centre[0] + self.normal[p, 1] * self.centre[1]
                    + self.normal[p, 2] * self.centre[2] > self.dist[p]
                ):  # fmt: skip
                    found = 1
                top = self.push(top, poly, self.node[child, found])
                continue
            p = self.work.front
            if found & 2:
                top = self.push(top, self.work.back, self.node[child, 2])
            if found & 1:
                top = self.push(top, p, self.node[child, 1])
        return pieces

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def keep(self, poly: cython.int, plane: cython.int, front: cython.int, back: cython.int) -> cython.void:
        """Write a portal."""
        self.polys.copy_from(self.work, poly)
        if self.rows >= self.row.shape[0]:
            with cython.gil:
                (self.row,) = grown(self.rows + 1, self.row)
        self.row[self.rows, 0] = plane
        self.row[self.rows, 1] = front
        self.row[self.rows, 2] = back
        self.rows += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def cut_node(self, n: cython.int) -> cython.void:
        """The portals on one node's section: its pieces by the front leaves, each cut again by the back leaves."""
        cap: cython.int = self.load(self.cap_start, self.cap_xyz, n)
        i: cython.int
        j: cython.int
        fronts: cython.int = self.filter(cap, self.node[n, 1], 0)
        end: cython.int
        leaf: cython.int
        for i in range(fronts):
            leaf = self.piece[i, 1]
            end = self.filter(self.piece[i, 0], self.node[n, 2], fronts)
            for j in range(fronts, end):
                if not (self.solid[leaf] and self.solid[self.piece[j, 1]]):
                    self.keep(self.piece[j, 0], self.node[n, 0], leaf, self.piece[j, 1])

    def cut(self, first: cython.int, last: cython.int):
        """Cut the sections of the nodes first..last−1."""
        n: cython.int
        with cython.nogil:
            for n in range(first, last):
                self.cut_node(n)

    def result(self):
        """Portal table (plane, front leaf, back leaf), vertex start, vertices."""
        start = np.asarray(self.polys.start)[: self.rows].astype(np.int64)
        return (
            np.asarray(self.row)[: self.rows].copy(),
            np.append(start, self.polys.vertex_count),
            np.asarray(self.polys.xyz)[: self.polys.vertex_count].copy(),
        )


@cython.final
@cython.cclass
class Facing(Descent):
    """Which polygons of the surface border on a set of leaves."""

    wanted: cython.char[::1]

    def __init__(self, normal, dist, node, wanted, on_plane, min_area):
        Descent.__init__(self, normal, dist, node, on_plane, min_area)
        self.wanted = wanted

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def borders(self, poly: cython.int) -> cython.bint:
        """Send a polygon down the tree, to both sides of a plane that it lies on, until it meets a wanted leaf."""
        top: cython.int = self.push(0, poly, 0 if self.node.shape[0] else -1)
        child: cython.int
        p: cython.int
        found: cython.int
        back: cython.int
        while top > 0:
            top -= 1
            poly = self.stack[top, 0]
            child = self.stack[top, 1]
            if child < 0:
                if self.wanted[-1 - child] and self.work.area(poly) >= self.min_area:
                    return True
                continue
            p = self.node[child, 0]
            found = self.split(poly, p)
            if found == 0:
                top = self.push(top, poly, self.node[child, 1])
                top = self.push(top, poly, self.node[child, 2])
                continue
            back = self.work.back
            if found & 1:
                top = self.push(top, self.work.front, self.node[child, 1])
            if found & 2:
                top = self.push(top, back, self.node[child, 2])
        return False

    def run(
        self,
        start: cython.longlong[::1],
        xyz: cython.double[:, ::1],
        first: cython.int,
        last: cython.int,
        out: cython.char[::1],
    ):
        """Answer for the polygons first..last−1."""
        i: cython.int
        with cython.nogil:
            for i in range(first, last):
                out[i] = self.borders(self.load(start, xyz, i))
