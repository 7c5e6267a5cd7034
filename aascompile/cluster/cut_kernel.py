# mypy: ignore-errors
"""Small sets of areas that divide a cluster in two: vertex cuts, found by growing two sides towards each other.

Glossary. Side 0 (the *source*) grows from one area, side 1 (the *sink*) from another. Flow runs from source to sink
through areas: one unit through an area that may be cut, any amount through others. When no more flow fits, the full
areas on the rim of what a side reaches are a smallest cut between the two (Menger). The smaller side then absorbs what
it reaches and takes one more area of its rim (it *pierces* the cut), and the flow continues to grow. So one run gives
the smallest cuts at increasing balance (after Hamann and Strasser, "Graph Bisection with Pareto Optimization", 2018).

Every area v has two states, 2v (entered) and 2v + 1 (left). For the source the first is the *near* state and the second
the *far* one. For the sink, which reaches backwards, it is the reverse. An area whose far state a side reaches is
inside that side. If the side reaches only the near state, the area is on its rim.
"""

import cython
import numpy as np


@cython.final
@cython.cclass
class Cutter:
    """Cuts parts of one graph. Its columns are as long as the graph and are reused for every part."""

    start: cython.int[::1]
    other: cython.int[::1]
    back: cython.int[::1]
    local: cython.int[::1]
    entry: cython.int[::1]
    count: cython.int
    part_start: cython.int[::1]
    part_other: cython.int[::1]
    part_back: cython.int[::1]
    free: cython.char[::1]
    price: cython.int[::1]
    key: cython.double[::1]
    depth: cython.int[:, ::1]
    along: cython.int[::1]
    through: cython.int[::1]
    seen: cython.char[:, ::1]
    queue: cython.int[:, ::1]
    head: cython.int[::1]
    tail: cython.int[::1]
    fixed: cython.int[::1]
    inside: cython.int[::1]
    inside_fixed: cython.int[::1]
    rim: cython.int[:, ::1]
    rims: cython.int[::1]
    parent: cython.int[::1]
    via: cython.int[::1]
    joined: cython.int[:, ::1]
    order: cython.int[::1]
    low: cython.int[::1]
    size: cython.int[::1]
    parted: cython.int[::1]
    largest: cython.int[::1]
    at: cython.int[::1]
    piece: cython.int[::1]
    side: cython.char[::1]
    best_cut: cython.int
    best_side: cython.int
    steps = cython.declare(cython.longlong, visibility="readonly")

    def __init__(self, start, other):
        """A graph as CSR: symmetric, without loops, the neighbours of each node ascending."""
        n: cython.int = len(start) - 1
        m: cython.int = len(other)
        self.start = np.ascontiguousarray(start, np.intc)
        self.other = np.ascontiguousarray(other, np.intc)
        owner = np.repeat(np.arange(n), np.diff(start))
        back = np.zeros(m + 1, np.intc)
        back[np.lexsort((owner, other))] = np.arange(m)
        self.back = back
        self.local = np.full(n + 1, -1, np.intc)
        self.entry = np.zeros(m + 1, np.intc)
        self.count = 0
        self.part_start = np.zeros(n + 1, np.intc)
        self.part_other = np.zeros(m + 1, np.intc)
        self.part_back = np.zeros(m + 1, np.intc)
        self.free = np.zeros(n + 1, np.int8)
        self.price = np.zeros(n + 1, np.intc)
        self.key = np.zeros(n + 1)
        self.depth = np.zeros((2, n + 1), np.intc)
        self.along = np.zeros(m + 1, np.intc)
        self.through = np.zeros(n + 1, np.intc)
        self.seen = np.zeros((2, 2 * n + 2), np.int8)
        self.queue = np.zeros((2, 2 * n + 2), np.intc)
        self.head = np.zeros(2, np.intc)
        self.tail = np.zeros(2, np.intc)
        self.fixed = np.zeros(2, np.intc)
        self.inside = np.zeros(2, np.intc)
        self.inside_fixed = np.zeros(2, np.intc)
        self.rim = np.zeros((2, 2 * n + 2), np.intc)
        self.rims = np.zeros(2, np.intc)
        self.parent = np.zeros(2 * n + 2, np.intc)
        self.via = np.zeros(2 * n + 2, np.intc)
        self.joined = np.zeros((2, n + 1), np.intc)
        self.order = np.zeros(n + 1, np.intc)
        self.low = np.zeros(n + 1, np.intc)
        self.size = np.zeros(n + 1, np.intc)
        self.parted = np.zeros(n + 1, np.intc)
        self.largest = np.zeros(n + 1, np.intc)
        self.at = np.zeros(n + 1, np.intc)
        self.piece = np.zeros(n + 1, np.intc)
        self.side = np.zeros(n + 1, np.int8)
        self.best_cut = -1
        self.best_side = 0
        self.steps = 0

    def load(self, nodes: cython.int[::1], free: cython.char[::1], price: cython.int[::1]):
        """Load the part of the graph with these nodes. ``free`` and ``price``, of all nodes: which may be cut, at what
        cost."""
        with cython.nogil:
            self.take(nodes, free, price)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take(self, nodes: cython.int[::1], free: cython.char[::1], price: cython.int[::1]) -> cython.void:
        """Load a part of the graph."""
        i: cython.int
        e: cython.int
        v: cython.int
        at: cython.int = 0
        self.count = cython.cast(cython.int, nodes.shape[0])
        for i in range(self.count):
            self.local[nodes[i]] = i
        for i in range(self.count):
            v = nodes[i]
            self.free[i] = free[v]
            self.price[i] = price[v]
            self.part_start[i] = at
            for e in range(self.start[v], self.start[v + 1]):
                if self.local[self.other[e]] >= 0:
                    self.entry[e] = at
                    self.part_other[at] = self.local[self.other[e]]
                    self.part_back[at] = e
                    at += 1
        self.part_start[self.count] = at
        for e in range(at):
            self.part_back[e] = self.entry[self.back[self.part_back[e]]]
        for i in range(self.count):
            self.local[nodes[i]] = -1

    def links(self):
        """Number of neighbours of all nodes within the part."""
        return self.part_start[self.count]

    def farthest(self, row: cython.int, source: cython.int) -> cython.int:
        """Set a row of ``depth`` to the steps from one node to all others. Return the first node reached last; −1 if
        some are not reached."""
        last: cython.int
        with cython.nogil:
            last = self.last_of(row, source)
        return last

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def last_of(self, row: cython.int, source: cython.int) -> cython.int:
        """As ``farthest``."""
        head: cython.int = 0
        tail: cython.int = 1
        last: cython.int = source
        u: cython.int
        e: cython.int
        v: cython.int
        for u in range(self.count):
            self.depth[row, u] = -1
        self.depth[row, source] = 0
        self.queue[0, 0] = source
        while head < tail:
            u = self.queue[0, head]
            head += 1
            if self.depth[row, u] > self.depth[row, last]:
                last = u
            for e in range(self.part_start[u], self.part_start[u + 1]):
                v = self.part_other[e]
                if self.depth[row, v] < 0:
                    self.depth[row, v] = self.depth[row, u] + 1
                    self.queue[0, tail] = v
                    tail += 1
        return last if tail == self.count else -1

    def depths(self, row: cython.int):
        """Copy of a row of ``depth``; −1 for nodes that were not reached."""
        return np.asarray(self.depth)[row, : self.count].copy()

    def parts(self, without: cython.int):
        """Connected component of each node when one node is left out; −1 for that node."""
        with cython.nogil:
            self.divide(without)
        return np.asarray(self.piece)[: self.count].copy()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def divide(self, without: cython.int) -> cython.int:
        """Set ``piece`` to the components without a node. Return their number."""
        number: cython.int = 0
        tail: cython.int
        i: cython.int
        u: cython.int
        e: cython.int
        for i in range(self.count):
            self.piece[i] = -2
        if without >= 0:
            self.piece[without] = -1
        for i in range(self.count):
            if self.piece[i] == -2:
                self.piece[i] = number
                self.queue[0, 0] = i
                tail = 1
                while tail:
                    tail -= 1
                    u = self.queue[0, tail]
                    for e in range(self.part_start[u], self.part_start[u + 1]):
                        if self.piece[self.part_other[e]] == -2:
                            self.piece[self.part_other[e]] = number
                            self.queue[0, tail] = self.part_other[e]
                            tail += 1
                number += 1
        return number

    def joint(self):
        """The free node that alone divides a connected part best, with the largest piece on one side; −1 if there is
        none."""
        best: cython.int
        with cython.nogil:
            best = self.best_joint()
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def best_joint(self) -> cython.int:
        """As ``joint``. Depth-first search (Tarjan): if nothing below a child links back above a node, the node
        separates that child."""
        best: cython.int = -1
        best_total: cython.longlong = 0
        total: cython.longlong
        a: cython.longlong
        b: cython.longlong
        depth: cython.int = 1
        number: cython.int = 1
        u: cython.int
        v: cython.int
        for v in range(self.count):
            self.order[v] = -1
            self.low[v] = 0
            self.size[v] = 1
            self.parted[v] = 0
            self.largest[v] = 0
        self.queue[0, 0] = 0
        self.order[0] = 0
        self.at[0] = self.part_start[0]
        while depth:
            u = self.queue[0, depth - 1]
            if self.at[u] < self.part_start[u + 1]:
                v = self.part_other[self.at[u]]
                self.at[u] += 1
                if self.order[v] < 0:
                    self.order[v] = number
                    self.low[v] = number
                    number += 1
                    self.at[v] = self.part_start[v]
                    self.queue[0, depth] = v
                    depth += 1
                elif self.order[v] < self.low[u]:
                    self.low[u] = self.order[v]
                continue
            depth -= 1
            if depth:
                v = self.queue[0, depth - 1]
                self.size[v] += self.size[u]
                if self.low[u] < self.low[v]:
                    self.low[v] = self.low[u]
                if self.low[u] >= self.order[v]:
                    self.parted[v] += self.size[u]
                    if self.size[u] > self.largest[v]:
                        self.largest[v] = self.size[u]
        for v in range(self.count):
            if self.count - 1 - self.parted[v] > self.largest[v]:
                self.largest[v] = self.count - 1 - self.parted[v]
            if self.free[v] and 0 < self.largest[v] < self.count - 1:
                a = self.largest[v] + 1
                b = self.count - self.largest[v]
                total = self.price[v] + a * a + b * b
                if best < 0 or total < best_total:
                    best = v
                    best_total = total
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def divide_at(self, portal: cython.int) -> cython.longlong:
        """Set ``side`` to how a single node divides the others, and return the total of that.

        Pieces are distributed over two sides, the largest first, each to the smaller side.
        """
        pieces: cython.int = self.divide(portal)
        i: cython.int
        k: cython.int
        kept: cython.longlong = 0
        left: cython.longlong = 0
        for i in range(self.count + 1):
            self.size[i] = 0
            self.at[i] = 0
        for i in range(self.count):
            if self.piece[i] >= 0:
                self.size[self.piece[i]] += 1
        # Sort by size: ``at`` is the number of larger pieces, then the place of the next piece of a size.
        for k in range(pieces):
            self.at[self.size[k] - 1] += 1
        for i in range(self.count - 1, -1, -1):
            self.at[i] += self.at[i + 1]
        for k in range(pieces):
            self.order[self.at[self.size[k]]] = k
            self.at[self.size[k]] += 1
        for i in range(pieces):
            k = self.order[i]
            if left < kept:
                left += self.size[k]
                self.low[k] = 2
            else:
                kept += self.size[k]
                self.low[k] = 0
        for i in range(self.count):
            self.side[i] = 1 if self.piece[i] < 0 else self.low[self.piece[i]]
        return self.price[portal] + (kept + 1) * (kept + 1) + (left + 1) * (left + 1)

    def best_sides(
        self,
        nodes: cython.int[::1],
        free: cython.char[::1],
        price: cython.int[::1],
        along: cython.double[:, ::1],
        cheapest: cython.longlong,
        below: cython.longlong,
        work: cython.longlong,
        rounds: cython.longlong,
    ):
        """How to split a cluster of these nodes at the least total, as ``sides``; None if that is not below ``below``.

        Unconnected ones are split whatever that costs. Cuts are looked for from one end of the links to the other, and
        by the keys of all nodes in each row of ``along``. A search takes at most ``work`` steps, or as many as visit
        all links ``rounds`` times.
        """
        found: cython.bint
        with cython.nogil:
            self.take(nodes, free, price)
            found = self.choose(nodes, along, cheapest, below, work, rounds)
        return np.asarray(self.side)[: self.count].copy() if found else None

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(
        self,
        nodes: cython.int[::1],
        along: cython.double[:, ::1],
        cheapest: cython.longlong,
        below: cython.longlong,
        work: cython.longlong,
        rounds: cython.longlong,
    ) -> cython.bint:
        """Set ``side`` to the best split. Return whether there is one."""
        found: cython.bint = False
        count: cython.longlong = self.count
        end: cython.int = self.last_of(0, 0)
        total: cython.longlong
        v: cython.int
        k: cython.Py_ssize_t
        if end < 0:
            for v in range(self.count):
                self.side[v] = 2 if self.depth[0, v] < 0 else 0
            return True
        if cheapest + (count + 1) * (count + 1) // 2 >= below:
            return False
        v = self.best_joint()
        if v >= 0:
            total = self.divide_at(v)
            if total < below:
                below = total
                found = True
        self.last_of(1, self.last_of(0, end))
        if rounds * self.part_start[self.count] > work:
            work = rounds * self.part_start[self.count]
        for v in range(self.count):
            self.key[v] = self.depth[0, v] - self.depth[1, v]
        for k in range(-1, along.shape[0]):
            if k >= 0:
                for v in range(self.count):
                    self.key[v] = along[k, nodes[v]]
            total = self.search(cheapest, below, work)
            if total < below:
                below = total
                found = True
                self.divide_by_cut()
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put(self, side: cython.int, state: cython.int, parent: cython.int, via: cython.int) -> cython.void:
        """Record that a side reaches a state."""
        if self.seen[side, state]:
            return
        self.seen[side, state] = 1
        self.queue[side, self.tail[side]] = state
        self.tail[side] += 1
        if side == 0:
            self.parent[state] = parent
            self.via[state] = via
        if (state & 1) != side:
            self.inside[side] += 1
        else:
            self.rim[side, self.rims[side]] = state >> 1
            self.rims[side] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def spread(self, side: cython.int) -> cython.int:
        """Reach as far as residual capacity allows. The source stops at a fixed state of the sink and returns it."""
        s: cython.int
        v: cython.int
        e: cython.int
        last: cython.int
        state: cython.int
        tail: cython.int
        rims: cython.int
        # Variables of its own: no assignment to a column can change them, so the inner loop need not read them again.
        other: cython.int[::1] = self.part_other
        seen: cython.char[::1] = self.seen[side]
        queue: cython.int[::1] = self.queue[side]
        rim: cython.int[::1] = self.rim[side]
        parent: cython.int[::1] = self.parent
        via: cython.int[::1] = self.via
        while self.head[side] < self.tail[side]:
            s = queue[self.head[side]]
            self.head[side] += 1
            v = s >> 1
            last = self.part_start[v + 1]
            self.steps += last - self.part_start[v] + 1
            if side == 0 and self.seen[1, s] == 2:
                return s
            if (s & 1) != side:
                # The far state: every neighbour's near state, without limit; its own near state against flow.
                tail = self.tail[side]
                rims = self.rims[side]
                for e in range(self.part_start[v], last):
                    state = 2 * other[e] + side
                    if not seen[state]:  # as put
                        seen[state] = 1
                        queue[tail] = state
                        tail += 1
                        rim[rims] = other[e]
                        rims += 1
                        if side == 0:
                            parent[state] = s
                            via[state] = e
                self.tail[side] = tail
                self.rims[side] = rims
                if self.through[v] > 0:
                    self.put(side, s ^ 1, s, -1)
            else:
                # The near state: its own far state if the area is not full; neighbours' far states against flow.
                if not self.free[v] or self.through[v] == 0:
                    self.put(side, s ^ 1, s, -1)
                if self.through[v] > 0:
                    for e in range(self.part_start[v], self.part_start[v + 1]):
                        if self.along[self.part_back[e] if side == 0 else e] > 0:
                            self.put(side, 2 * self.part_other[e] + 1 - side, s, self.part_back[e] if side == 0 else e)
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def alive(self, side: cython.int, state: cython.int) -> cython.bint:
        """Whether a fixed state still leads to one that is not fixed."""
        v: cython.int = state >> 1
        e: cython.int
        if (state & 1) == side:
            return self.seen[side, state ^ 1] != 2
        for e in range(self.part_start[v], self.part_start[v + 1]):
            if self.seen[side, 2 * self.part_other[e] + side] != 2:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def shrink(self, side: cython.int) -> cython.void:
        """Go back to the fixed states, to reach out again after the flow has changed."""
        i: cython.int
        s: cython.int
        kept: cython.int = 0
        for i in range(self.fixed[side], self.tail[side]):
            self.seen[side, self.queue[side, i]] = 0
        self.rims[side] = 0
        for i in range(self.fixed[side]):
            s = self.queue[side, i]
            self.steps += 1
            if self.alive(side, s):
                self.queue[side, kept] = s
                kept += 1
                if (s & 1) == side:
                    self.rim[side, self.rims[side]] = s >> 1
                    self.rims[side] += 1
        self.fixed[side] = kept
        self.tail[side] = kept
        self.head[side] = 0
        self.inside[side] = self.inside_fixed[side]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push(self, state: cython.int) -> cython.void:
        """Add a unit of flow along the parents of a state."""
        p: cython.int
        while self.parent[state] >= 0:
            p = self.parent[state]
            if (p >> 1) == (state >> 1):
                self.through[p >> 1] += 1 if state & 1 else -1
            else:
                self.along[self.via[state]] += 1 if p & 1 else -1
            state = p

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fix(self, side: cython.int, number: cython.int) -> cython.void:
        """Fix everything that a side reaches."""
        i: cython.int
        s: cython.int
        for i in range(self.fixed[side], self.tail[side]):
            s = self.queue[side, i]
            self.seen[side, s] = 2
            if side == 0:
                self.parent[s] = -1
            if (s & 1) != side:
                self.joined[side, s >> 1] = number
        self.fixed[side] = self.tail[side]
        self.inside_fixed[side] = self.inside[side]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def trim(self, side: cython.int) -> cython.longlong:
        """Keep only the areas of the cut on the rim. Return their total price."""
        kept: cython.int = 0
        cost: cython.longlong = 0
        i: cython.int
        v: cython.int
        for i in range(self.rims[side]):
            v = self.rim[side, i]
            if not self.seen[side, 2 * v + 1 - side]:
                self.rim[side, kept] = v
                kept += 1
                cost += self.price[v]
        self.rims[side] = kept
        return cost

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pierce(self, side: cython.int) -> cython.int:
        """The area of a side's rim to take next, by key: preferably one that the other side does not reach, never one
        it has fixed."""
        best: cython.int = -1
        best_clash: cython.int = 0
        i: cython.int
        v: cython.int
        clash: cython.int
        better: cython.bint
        for i in range(self.rims[side]):
            v = self.rim[side, i]
            clash = self.seen[1 - side, 2 * v + 1 - side]
            if clash == 2:
                continue
            if best < 0 or clash != best_clash:
                better = best < 0 or clash < best_clash
            elif self.key[v] != self.key[best]:
                better = self.key[v] < self.key[best] if side == 0 else self.key[v] > self.key[best]
            else:
                better = v < best
            if better:
                best = v
                best_clash = clash
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def open(self, source: cython.int, sink: cython.int) -> cython.void:
        """Start with no flow, and with two sides of one area each."""
        i: cython.int
        for i in range(self.count):
            self.through[i] = 0
            self.joined[0, i] = -1
            self.joined[1, i] = -1
        for i in range(self.part_start[self.count]):
            self.along[i] = 0
        for i in range(2 * self.count):
            self.seen[0, i] = 0
            self.seen[1, i] = 0
        for i in range(2):
            self.head[i] = 0
            self.tail[i] = 0
            self.fixed[i] = 0
            self.inside[i] = 0
            self.rims[i] = 0
        self.put(0, 2 * source, -1, -1)
        self.put(0, 2 * source + 1, -1, -1)
        self.put(1, 2 * sink + 1, -1, -1)
        self.put(1, 2 * sink, -1, -1)
        self.fix(0, 0)
        self.fix(1, 0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def grow(
        self,
        source: cython.int,
        sink: cython.int,
        cheapest: cython.longlong,
        best: cython.longlong,
        last_step: cython.longlong,
    ) -> cython.longlong:
        """Grow both sides until no cut can be better, or up to ``last_step``. Return the least total below ``best``."""
        number: cython.int = 0
        flow: cython.int = 0
        side: cython.int
        found: cython.int
        v: cython.int
        a: cython.longlong
        b: cython.longlong
        total: cython.longlong
        self.open(source, sink)
        while self.steps < last_step:
            found = self.spread(0)
            if found >= 0:
                while found >= 0:
                    flow += 1
                    a = self.count + flow
                    if flow > self.count or cheapest * flow + a * a // 2 >= best or self.steps >= last_step:
                        return best
                    self.push(found)
                    self.shrink(0)
                    found = self.spread(0)
                self.shrink(1)
            self.spread(1)
            side = 0 if self.inside[0] <= self.inside[1] else 1
            self.fix(side, number)
            total = self.trim(side)
            a = self.inside[side] + flow
            b = self.count - self.inside[side]
            total += a * a + b * b
            if total < best and b > flow:
                best = total
                self.best_cut = number
                self.best_side = side
            v = self.pierce(side)
            if v < 0:
                return best
            number += 1
            if side == 1 and self.seen[0, 2 * v]:
                self.shrink(0)
            self.put(side, 2 * v + 1 - side, -1, -1)
            self.fix(side, number)
        return best

    def run(self, key: cython.double[::1], cheapest: cython.longlong, best: cython.longlong, work: cython.longlong):
        """Find the best cut while sides grow towards each other from the nodes with the least and the greatest key.

        The total of a cut is the prices of its nodes, each at least ``cheapest``, plus the squares of the sizes of both
        sides, each including the cut. Returns it, or ``best`` if no total is below that.
        """
        i: cython.int
        with cython.nogil:
            for i in range(self.count):
                self.key[i] = key[i]
            best = self.search(cheapest, best, work)
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def search(self, cheapest: cython.longlong, best: cython.longlong, work: cython.longlong) -> cython.longlong:
        """As ``run``, with the keys in ``key``."""
        i: cython.int
        source: cython.int = 0
        sink: cython.int = 0
        self.best_cut = -1
        for i in range(self.count):
            if self.key[i] < self.key[source]:
                source = i
            if self.key[i] > self.key[sink]:
                sink = i
        if source != sink:
            best = self.grow(source, sink, cheapest, best, self.steps + work)
        return best

    def sides(self):
        """Sides of the last run's best cut, for each node of the part: 0 the grown side, 1 the cut, 2 the rest."""
        with cython.nogil:
            self.divide_by_cut()
        return np.asarray(self.side)[: self.count].copy()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def divide_by_cut(self) -> cython.void:
        """Set ``side`` to the sides of the last run's best cut."""
        v: cython.int
        e: cython.int
        for v in range(self.count):
            self.side[v] = 2
            if self.joined[self.best_side, v] >= 0 and self.joined[self.best_side, v] <= self.best_cut:
                self.side[v] = 0
        for v in range(self.count):
            if self.side[v] == 0:
                for e in range(self.part_start[v], self.part_start[v + 1]):
                    if self.side[self.part_other[e]] == 2:
                        self.side[self.part_other[e]] = 1

    def mark(
        self,
        portals: cython.int[::1],
        change: cython.int,
        allowed: cython.char[::1],
        second: cython.int[::1],
        beside: cython.int[::1],
        free: cython.char[::1],
    ):
        """Update which nodes may be cut, after portals were added (``change`` is 1) or removed (−1).

        Of all nodes: ``allowed``, which are not occupied; ``second``, −1 unless it is a portal; ``beside``, the number
        of portals among its neighbours; ``free``, which may be cut.
        """
        i: cython.Py_ssize_t
        e: cython.int
        with cython.nogil:
            for i in range(portals.shape[0]):
                for e in range(self.start[portals[i]], self.start[portals[i] + 1]):
                    beside[self.other[e]] += change
            for i in range(portals.shape[0]):
                self.renew(portals[i], allowed, second, beside, free)
                for e in range(self.start[portals[i]], self.start[portals[i] + 1]):
                    self.renew(self.other[e], allowed, second, beside, free)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def renew(
        self,
        node: cython.int,
        allowed: cython.char[::1],
        second: cython.int[::1],
        beside: cython.int[::1],
        free: cython.char[::1],
    ) -> cython.void:
        """Set whether a node may be cut."""
        free[node] = allowed[node] and beside[node] == 0 and second[node] < 0
