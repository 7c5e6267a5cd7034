# mypy: ignore-errors
"""Which links routes take one after the other, and how often: the quickest routes from many places to many goals.

From each goal Dijkstra's algorithm runs backwards over the links. What follows a link depends on where it ends, so the
nodes are links, and a pair is a link with a link out of its target. Costs are those of nav.search_kernel.
"""

import cython
import numpy as np
from cython.cimports.aascompile.graph.queue_kernel import NodeQueue
from cython.cimports.libc.math import INFINITY, floor, sqrt

SCALE = cython.declare(cython.double, 1048576.0)  # costs are multiples of 1 / SCALE, so that sums are exact


@cython.final
@cython.cclass
class Uses:
    """Searches over links sorted by source."""

    out_start: cython.longlong[::1]
    in_start: cython.longlong[::1]
    in_link: cython.longlong[::1]
    source: cython.int[::1]
    target: cython.int[::1]
    begin: cython.double[:, ::1]
    end: cython.double[:, ::1]
    time: cython.double[::1]
    unit: cython.double[::1]
    factor: cython.double[::1]
    closed: cython.uchar[::1]
    allowed: cython.uchar[::1]
    pair_start: cython.longlong[::1]
    onward: cython.double[::1]
    left: cython.double[::1]
    after: cython.int[::1]
    queue: NodeQueue

    def __init__(self, links, into, pair_start, unit, factor, closed, allowed):
        """``into``: CSR of the links into each area; ``pair_start (n + 1,)``: first pair of each link; ``unit (a,)``:
        cost of a unit inside areas; ``factor (a,)``: factors of areas; ``closed (a,)``: areas that routes do not pass;
        ``allowed (n,)``: links that they use."""
        n: cython.Py_ssize_t = len(links)
        self.out_start = links.area_start
        self.in_start, self.in_link = into
        self.source = links.source
        self.target = links.target
        self.begin = links.start
        self.end = links.end
        self.time = np.floor(links.time * factor[links.target] * SCALE + 0.5) / SCALE
        self.unit = unit
        self.factor = factor
        self.closed = closed
        self.allowed = allowed
        self.pair_start = pair_start
        self.onward = np.empty(max(int(pair_start[n]), 1))
        self.left = np.empty(max(n, 1))
        self.after = np.empty(max(n, 1), np.intc)
        self.queue = NodeQueue(n)
        self.queue.key = self.left

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walk(
        self, area: cython.int, x: cython.double, y: cython.double, z: cython.double,
        ex: cython.double, ey: cython.double, ez: cython.double,
    ) -> cython.double:  # fmt: skip
        """Cost to go from a point of an area to another; at least 1/100 s."""
        cost: cython.double = sqrt((ex - x) ** 2 + (ey - y) ** 2 + (ez - z) ** 2) * self.unit[area]
        return floor(max(cost, 1.0) * self.factor[area] * SCALE + 0.5) / SCALE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def offer(self, link: cython.longlong, cost: cython.double, follower: cython.int) -> cython.void:
        """Use a follower of a link if it is better than the known one, or as good and of a lower row."""
        if cost < self.left[link]:
            self.left[link] = cost
            self.after[link] = follower
            self.queue.push(cython.cast(cython.int, link))
        elif cost == self.left[link] and follower < self.after[link]:
            self.after[link] = follower

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def search(self, goal: cython.int, x: cython.double, y: cython.double, z: cython.double) -> cython.void:
        """Find, for every link, the link that follows it on the quickest route to a point of an area."""
        i: cython.longlong
        k: cython.longlong
        link: cython.int
        area: cython.int
        for i in range(self.source.shape[0]):
            self.left[i] = INFINITY
            self.after[i] = -1
        for i in range(self.in_start[goal], self.in_start[goal + 1]):
            k = self.in_link[i]
            if self.allowed[k]:
                self.offer(
                    k, self.time[k] + self.walk(goal, self.end[k, 0], self.end[k, 1], self.end[k, 2], x, y, z), -1
                )
        while self.queue.count > 0:
            link = self.queue.pop()
            area = self.source[link]
            if self.closed[area]:
                continue
            for i in range(self.in_start[area], self.in_start[area + 1]):
                k = self.in_link[i]
                if self.allowed[k]:
                    self.offer(k, self.left[link] + self.onward[self.pair_start[k] + link - self.out_start[area]], link)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def first_of(self, area: cython.int, x: cython.double, y: cython.double, z: cython.double) -> cython.longlong:
        """The first link of the quickest route from a point of an area; −1 if there is none."""
        k: cython.longlong
        cost: cython.double
        best: cython.double = INFINITY
        found: cython.longlong = -1
        for k in range(self.out_start[area], self.out_start[area + 1]):
            if self.left[k] < INFINITY:
                cost = self.left[k] + self.walk(area, x, y, z, self.begin[k, 0], self.begin[k, 1], self.begin[k, 2])
                if cost < best:
                    best = cost
                    found = k
        return found

    def count(
        self,
        area: cython.int[::1],
        point: cython.double[:, ::1],
        goal: cython.int[::1],
        goal_point: cython.double[:, ::1],
        uses: cython.int[::1],
    ):
        """Add to ``uses``, for each pair, how many of the routes from all places to all goals take it."""
        i: cython.longlong
        k: cython.longlong
        g: cython.Py_ssize_t
        s: cython.Py_ssize_t
        link: cython.longlong
        then: cython.longlong
        t: cython.int
        with cython.nogil:
            for i in range(self.source.shape[0]):
                t = self.target[i]
                for k in range(self.out_start[t], self.out_start[t + 1]):
                    self.onward[self.pair_start[i] + k - self.out_start[t]] = self.time[i] + self.walk(
                        t, self.end[i, 0], self.end[i, 1], self.end[i, 2],
                        self.begin[k, 0], self.begin[k, 1], self.begin[k, 2],
                    )  # fmt: skip
            for g in range(goal.shape[0]):
                self.search(goal[g], goal_point[g, 0], goal_point[g, 1], goal_point[g, 2])
                for s in range(area.shape[0]):
                    if area[s] == goal[g]:
                        continue
                    link = self.first_of(area[s], point[s, 0], point[s, 1], point[s, 2])
                    while link >= 0:
                        then = self.after[link]
                        if then >= 0:
                            uses[self.pair_start[link] + then - self.out_start[self.source[then]]] += 1
                        link = then
