# mypy: ignore-errors
"""The queue of Dijkstra's algorithm: a binary heap of nodes by key, the lower node first among equals.

key    (nodes,) what a node is sorted by; the caller's own column. Push a node again when its key gets smaller.
heap   the nodes in the queue.
place  of each node in the heap; −1 if it is not in the queue.
"""

import cython
import numpy as np


class NodeQueue:
    """A queue of nodes 0..nodes−1, each in it once at most."""

    def __init__(self, nodes):
        self.key = np.empty(0)
        self.heap = np.empty(max(nodes, 1), np.intc)
        self.place = np.full(max(nodes, 1), -1, np.intc)
        self.count = 0

    def sooner(self, a, b):
        """Whether node a leaves the queue before node b."""
        return self.key[a] < self.key[b] or (self.key[a] == self.key[b] and a < b)

    def push(self, node):
        """Put a node into the queue, or move it up because its key became smaller."""
        i: cython.int = self.place[node]
        up: cython.int
        if i < 0:
            i = self.count
            self.count += 1
        while i > 0:
            up = (i - 1) >> 1
            if not self.sooner(node, self.heap[up]):
                break
            self.heap[i] = self.heap[up]
            self.place[self.heap[i]] = i
            i = up
        self.heap[i] = node
        self.place[node] = i

    def pop(self):
        """Take the node with the smallest key out of the queue."""
        first: cython.int = self.heap[0]
        node: cython.int
        i: cython.int = 0
        down: cython.int
        self.place[first] = -1
        self.count -= 1
        if self.count == 0:
            return first
        node = self.heap[self.count]
        while True:
            down = 2 * i + 1
            if down >= self.count:
                break
            if down + 1 < self.count and self.sooner(self.heap[down + 1], self.heap[down]):
                down += 1
            if not self.sooner(self.heap[down], node):
                break
            self.heap[i] = self.heap[down]
            self.place[self.heap[i]] = i
            i = down
        self.heap[i] = node
        self.place[node] = i
        return first
