# mypy: ignore-errors
"""Kernels of ``flood``: follow edges from node to node."""

import cython
import numpy as np


def spread(
    start: cython.longlong[::1],
    target: cython.int[::1],
    used: cython.uchar[::1],
    closed: cython.uchar[::1],
    ends: cython.uchar[::1],
    found: cython.uchar[::1],
):
    """Mark in ``found (n,)``, where the seeds are marked, all nodes that edges lead to.

    ``start (n + 1,)`` and ``target (k,)`` hold the edges in CSR. Edges with ``used (k,)`` 0 do not count, nodes that
    are ``closed (n,)`` are not entered, nodes that are ``ends (n,)`` are not left unless they are seeds. A mask of no
    rows is left out.
    """
    n: cython.int = start.shape[0] - 1
    some: cython.bint = used.shape[0] > 0
    shuts: cython.bint = closed.shape[0] > 0
    stops: cython.bint = ends.shape[0] > 0
    waiting: cython.int[::1] = np.empty(max(n, 1), np.intc)
    count: cython.int = 0
    node: cython.int
    other: cython.int
    edge: cython.longlong
    with cython.nogil:
        for node in range(n):
            if found[node]:
                waiting[count] = node
                count += 1
        while count > 0:
            count -= 1
            node = waiting[count]
            for edge in range(start[node], start[node + 1]):
                other = target[edge]
                if (some and not used[edge]) or found[other] or (shuts and closed[other]):
                    continue
                found[other] = 1
                if not (stops and ends[other]):
                    waiting[count] = other
                    count += 1


@cython.final
@cython.cclass
class Race:
    """Two floods of one graph, step by step in turn, until it is plain which of them finds more nodes."""

    start: cython.longlong[::1]
    target: cython.int[::1]
    found: cython.int[:, ::1]  # by flood and node: number of the last race in which it was found
    sown: cython.int[:, ::1]  # the same, in which it was a seed
    queue: cython.int[:, ::1]
    round: cython.int
    head: cython.int[2]
    count: cython.int[2]
    seeds: cython.int[2]
    met: cython.int[2]  # seeds of the other flood that were found
    steps = cython.declare(cython.longlong, visibility="readonly")  # edges followed

    def __init__(self, start: cython.longlong[::1], target: cython.int[::1]):
        nodes = max(start.shape[0] - 1, 1)
        self.start = start
        self.target = target
        self.found = np.zeros((2, nodes), np.intc)
        self.sown = np.zeros((2, nodes), np.intc)
        self.queue = np.empty((2, nodes), np.intc)
        self.round = 0
        self.steps = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find(self, k: cython.int, node: cython.int) -> cython.void:
        """Note that flood k found a node."""
        if self.found[k, node] == self.round:
            return
        self.found[k, node] = self.round
        self.queue[k, self.count[k]] = node
        self.count[k] += 1
        self.met[k] += self.sown[1 - k, node] == self.round

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def step(self, k: cython.int, closed: cython.int) -> cython.void:
        """Leave the next node of flood k."""
        if self.head[k] == self.count[k]:
            return
        node: cython.int = self.queue[k, self.head[k]]
        edge: cython.longlong
        self.head[k] += 1
        self.steps += self.start[node + 1] - self.start[node]
        for edge in range(self.start[node], self.start[node + 1]):
            if self.target[edge] != closed:
                self.find(k, self.target[edge])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def second_wins(
        self,
        closed: cython.int,
        seed: cython.int[::1],
        first: cython.longlong,
        middle: cython.longlong,
        last: cython.longlong,
    ) -> cython.bint:
        """Whether the flood from the seeds middle..last−1 finds more nodes than that from first..middle−1. Neither
        enters the closed node."""
        i: cython.longlong
        k: cython.int
        self.round += 1
        for k in range(2):
            self.head[k] = self.count[k] = self.seeds[k] = self.met[k] = 0
        for i in range(first, last):
            k = i >= middle
            self.seeds[k] += self.sown[k, seed[i]] != self.round
            self.sown[k, seed[i]] = self.round
        for i in range(first, last):
            self.find(i >= middle, seed[i])
        # Floods that find all seeds of each other find the same nodes in the end.
        while self.met[0] < self.seeds[1] or self.met[1] < self.seeds[0]:
            self.step(0, closed)
            self.step(1, closed)
            if self.head[0] == self.count[0] and self.count[1] > self.count[0]:
                return True
            if self.head[1] == self.count[1] and self.count[0] >= self.count[1]:
                return False
        return False

    def run(
        self, closed: cython.int[::1], seed: cython.int[::1], seed_start: cython.longlong[::1], wins: cython.uchar[::1]
    ):
        """For each of the nodes ``closed (n,)``: whether the second flood wins; ``seed_start (2n + 1,)``: CSR of the
        seeds, first and second flood in turn."""
        i: cython.Py_ssize_t
        with cython.nogil:
            for i in range(closed.shape[0]):
                wins[i] = self.second_wins(
                    closed[i], seed, seed_start[2 * i], seed_start[2 * i + 1], seed_start[2 * i + 2]
                )
