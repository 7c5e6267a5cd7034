# mypy: ignore-errors
"""The leaves a flood through portals reaches, and the leaf that a point lies in."""

import cython
import numpy as np
from cython.cimports.libc.math import fabs


@cython.final
@cython.cclass
class Ways:
    """The ways from open leaf to open leaf, through portals that are no cracks.

    Glossary
        crack  an opening narrower than ``crack``: too narrow for a player.
        thin   a leaf of which all lies within ``crack`` of one of its faces. A player crosses it only from side to
               side, where portals of both sides face each other, and does not fit along it.
    """

    front: cython.int[::1]
    back: cython.int[::1]
    normal: cython.double[:, ::1]
    vertex_start: cython.longlong[::1]
    xyz: cython.double[:, ::1]
    box: cython.double[:, ::1]
    start: cython.int[::1]
    portal: cython.int[::1]
    thin: cython.char[::1]
    crack: cython.double

    def __init__(self, planes, portals, width, open_leaf, crack):
        leaves = len(open_leaf)
        n = len(portals)
        self.front = portals.front
        self.back = portals.back
        self.normal = np.ascontiguousarray(planes.normal[portals.plane])
        self.vertex_start = portals.vertex_start
        self.xyz = portals.xyz
        self.crack = crack
        self.box = np.empty((n, 6))
        self.start = np.zeros(leaves + 2, np.intc)
        self.portal = np.empty(2 * n + 1, np.intc)
        self.thin = np.zeros(leaves, np.int8)
        every = np.ones(n, np.int8)
        self._by_leaf(every)
        self._find_thin(np.ascontiguousarray(planes.dist[portals.plane]))
        self._measure(open_leaf, width, every)
        self._by_leaf(every)

    def is_thin(self):
        """(leaves,) which leaves are thin."""
        return np.asarray(self.thin) != 0

    def _by_leaf(self, use: cython.char[::1]):
        """List the portals of each leaf that are of use."""
        i: cython.int
        self.start[:] = 0
        with cython.nogil:
            for i in range(use.shape[0]):
                if use[i]:
                    self.start[self.front[i] + 2] += 1
                    self.start[self.back[i] + 2] += 1
            for i in range(self.start.shape[0] - 2):
                self.start[i + 2] += self.start[i + 1]
            for i in range(use.shape[0]):
                if use[i]:
                    self.portal[self.start[self.front[i] + 1]] = i
                    self.start[self.front[i] + 1] += 1
                    self.portal[self.start[self.back[i] + 1]] = i
                    self.start[self.back[i] + 1] += 1

    def _find_thin(self, dist: cython.double[::1]):
        """Mark the leaves that are thin."""
        leaf: cython.int
        i: cython.int
        with cython.nogil:
            for leaf in range(self.thin.shape[0]):
                for i in range(self.start[leaf], self.start[leaf + 1]):
                    if self.near_all(leaf, self.portal[i], dist[self.portal[i]]):
                        self.thin[leaf] = 1
                        break

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def near_all(self, leaf: cython.int, p: cython.int, dist: cython.double) -> cython.bint:
        """Whether all of a leaf lies near the plane of one of its portals."""
        i: cython.int
        k: cython.Py_ssize_t
        d: cython.double
        for i in range(self.start[leaf], self.start[leaf + 1]):
            for k in range(self.vertex_start[self.portal[i]], self.vertex_start[self.portal[i] + 1]):
                d = (
                    self.normal[p, 0] * self.xyz[k, 0]
                    + self.normal[p, 1] * self.xyz[k, 1]
                    + self.normal[p, 2] * self.xyz[k, 2]
                    - dist
                )
                if fabs(d) > self.crack:
                    return False
        return True

    def _measure(self, open_leaf: cython.char[::1], width: cython.double[::1], use: cython.char[::1]):
        """The box of each portal, and whether it is a way at all."""
        i: cython.int
        k: cython.Py_ssize_t
        j: cython.int
        with cython.nogil:
            for i in range(use.shape[0]):
                for j in range(3):
                    self.box[i, j] = self.xyz[self.vertex_start[i], j]
                    self.box[i, j + 3] = self.xyz[self.vertex_start[i], j]
                    for k in range(self.vertex_start[i], self.vertex_start[i + 1]):
                        if self.xyz[k, j] < self.box[i, j]:
                            self.box[i, j] = self.xyz[k, j]
                        if self.xyz[k, j] > self.box[i, j + 3]:
                            self.box[i, j + 3] = self.xyz[k, j]
                use[i] = open_leaf[self.front[i]] and open_leaf[self.back[i]] and width[i] > self.crack

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def crosses(self, leaf: cython.int, p: cython.int, q: cython.int) -> cython.bint:
        """Whether a player who comes into a leaf by portal p can leave it by portal q."""
        if p == q:
            return False
        if not self.thin[leaf]:
            return True
        along: cython.double = (
            self.normal[p, 0] * self.normal[q, 0]
            + self.normal[p, 1] * self.normal[q, 1]
            + self.normal[p, 2] * self.normal[q, 2]
        )
        # A normal points into the leaf in front: in by p and out by q is one direction when only one of them does.
        if (along > 0.0) == ((self.front[p] == leaf) == (self.front[q] == leaf)):
            return False
        axes: cython.int = 0
        j: cython.int
        low: cython.double
        high: cython.double
        for j in range(3):
            low = self.box[p, j] if self.box[p, j] > self.box[q, j] else self.box[q, j]
            high = self.box[p, j + 3] if self.box[p, j + 3] < self.box[q, j + 3] else self.box[q, j + 3]
            if high - low > self.crack:
                axes += 1
        return axes >= 2

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def into(self, leaf: cython.int, p: cython.int) -> cython.int:
        """The step out of a leaf by portal p: 2·portal, + 1 when it goes to the leaf behind."""
        return 2 * p + (1 if self.front[p] == leaf else 0)

    def flood(self, seeds: cython.int[::1], reached: cython.char[::1]):
        """Mark the leaves that can be reached from the seeds, which are open themselves."""
        n: cython.int = self.front.shape[0]
        queue: cython.int[::1] = np.empty(2 * n + 1, np.intc)
        met: cython.char[::1] = np.zeros(2 * n + 1, np.int8)
        done: cython.char[::1] = np.zeros(self.thin.shape[0], np.int8)
        i: cython.int
        k: cython.int
        p: cython.int
        step: cython.int
        leaf: cython.int
        head: cython.int = 0
        tail: cython.int = 0
        with cython.nogil:
            for i in range(seeds.shape[0]):
                leaf = seeds[i]
                reached[leaf] = 1
                done[leaf] = 1
                for k in range(self.start[leaf], self.start[leaf + 1]):
                    step = self.into(leaf, self.portal[k])
                    if not met[step]:
                        met[step] = 1
                        queue[tail] = step
                        tail += 1
            while head < tail:
                p = queue[head] >> 1
                leaf = self.back[p] if queue[head] & 1 else self.front[p]
                head += 1
                reached[leaf] = 1
                if done[leaf]:
                    continue
                if not self.thin[leaf]:
                    done[leaf] = 1
                for k in range(self.start[leaf], self.start[leaf + 1]):
                    step = self.into(leaf, self.portal[k])
                    if not met[step] and self.crosses(leaf, p, self.portal[k]):
                        met[step] = 1
                        queue[tail] = step
                        tail += 1

    def out_of(self, leaf: cython.int):
        """The steps out of a leaf."""
        k: cython.int
        return [self.into(leaf, self.portal[k]) for k in range(self.start[leaf], self.start[leaf + 1])]

    def goal(self, step: cython.int):
        """The leaf a step goes to."""
        return self.back[step >> 1] if step & 1 else self.front[step >> 1]

    def after(self, step: cython.int):
        """The steps that can follow a step."""
        k: cython.int
        leaf: cython.int = self.goal(step)
        return [
            self.into(leaf, self.portal[k])
            for k in range(self.start[leaf], self.start[leaf + 1])
            if self.crosses(leaf, step >> 1, self.portal[k])
        ]


def leaf_of(
    normal: cython.double[:, ::1],
    dist: cython.double[::1],
    node: cython.int[:, ::1],
    point: cython.double[:, ::1],
    out: cython.int[::1],
):
    """The leaf that each point lies in; a point on a plane counts as in front of it."""
    i: cython.int
    at: cython.int
    p: cython.int
    with cython.nogil:
        for i in range(point.shape[0]):
            at = 0 if node.shape[0] else -1
            while at >= 0:
                p = node[at, 0]
                if (
                    normal[p, 0] * point[i, 0] + normal[p, 1] * point[i, 1] + normal[p, 2] * point[i, 2]
                    >= dist[p]
                ):  # fmt: skip
                    at = node[at, 1]
                else:
                    at = node[at, 2]
            out[i] = -1 - at
