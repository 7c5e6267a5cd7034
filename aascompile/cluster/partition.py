"""Clusters under construction: a graph divided by portals so that the routing cache stays small (thesis §6.5).

Always true (``tests/reference/clusters.py`` checks it by brute force):

- a node is in one cluster, or it is a portal and in two;
- neighbours share a cluster;
- a portal has neighbours in both of its clusters that are not portals;
- two portals that are neighbours have the same two clusters. The engine floods a cluster through its portals, and
  would mistake the number that a third cluster's portal has elsewhere for its number here.

A cluster is split at the single node that divides it best, or by a small vertex cut. Two clusters are joined by giving
up all portals between them. Both operations keep the above true. A node that is occupied, or has a portal as a
neighbour, is never cut. A cluster need not be connected by itself: pieces joined only through a portal can be one
cluster.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from aascompile.cluster.cut_kernel import Cutter
from aascompile.cluster.graph import Graph
from aascompile.distinct import distinct, distinct_pairs
from aascompile.geometry.vectors import products
from aascompile.model.mapdata import Float, Int

Sides = NDArray[np.int8]
"""For each node of a cluster: 0 stays, 1 becomes a portal, 2 leaves."""

RUN_WORK = 2_000_000
"""Most steps along links in one search for a cut, about 6 ms. RUN_ROUNDS allows more for large clusters."""

RUN_ROUNDS = 300
"""How often one search for a cut may visit all links of its cluster, if that is more."""

IMPROVE_WORK = 20_000_000
"""Steps after which valid clusters are no longer improved, about 60 ms."""

Directions = Sequence[tuple[float, float, float]]


class Partition:
    """The clusters of a graph. It starts with one for each connected component."""

    def __init__(
        self, graph: Graph, allowed: NDArray[np.bool_], price: Int, place: Float, directions: Directions
    ) -> None:
        """``allowed``: (n,) may be a portal; ``price``: (n,) cost of that; ``place``: (n, 3) position.

        ``directions``: along which cuts are looked for, besides from one end of a cluster's links to the other.
        """
        n = len(graph)
        self.graph = graph
        self.first: Int = np.zeros(n, np.int32)
        self.second: Int = np.full(n, -1, np.int32)
        self.members: dict[int, Int] = {0: np.arange(n, dtype=np.int32)} if n else {}
        self._allowed: Sides = allowed.astype(np.int8)
        self._price = price
        self._cheapest = int(price.min()) if n else 0
        self._along: Float = np.ascontiguousarray(products(np.array(directions, np.float64).reshape(-1, 3), place))
        self._beside: Int = np.zeros(n, np.int32)
        self._free: Sides = self._allowed.copy()
        self._cutter = Cutter(graph.start, graph.other)
        self._next = 1
        self.split_all(list(self.members), part=False)

    @property
    def work(self) -> int:
        """Steps along links taken so far: unlike time, the same on every machine."""
        return int(self._cutter.steps)

    @property
    def total(self) -> int:
        """The cost to minimise: prices of the portals plus squares of the clusters' sizes."""
        return int(self._price[self.is_portal].sum()) + sum(len(nodes) ** 2 for nodes in self.members.values())

    @property
    def is_portal(self) -> NDArray[np.bool_]:
        """(n,) which nodes are portals."""
        return self.second >= 0

    def may_be_cut(self, node: int) -> bool:
        """Whether a node could become a portal now: not occupied, not a portal, and without portals as neighbours."""
        return bool(self._free[node])

    def split_all(self, clusters: Iterable[int], part: bool = True) -> None:
        """Split these clusters and their pieces as long as that reduces the cost; if not ``part``, only unconnected
        ones."""
        waiting = list(clusters)
        while waiting:
            cluster = waiting.pop()
            nodes = self.members[cluster]
            sides = self._best_sides(nodes, len(nodes) ** 2 if part else 0)
            if sides is not None:
                waiting += [cluster, self.split(cluster, sides)]

    def _best_sides(self, nodes: Int, below: int) -> Sides | None:
        """How to split a cluster of these nodes at the least cost, if that is less than ``below``; None if not."""
        sides: Sides | None = self._cutter.best_sides(
            nodes, self._free, self._price, self._along, self._cheapest, below, RUN_WORK, RUN_ROUNDS
        )
        return sides

    def split(self, cluster: int, sides: Sides) -> int:
        """Split a cluster. Return the number of the new one."""
        nodes, new = self.members[cluster], self._next
        self._next += 1
        leaving = nodes[sides == 2]
        self.first[leaving[self.first[leaving] == cluster]] = new
        self.second[leaving[self.second[leaving] == cluster]] = new
        portals = nodes[sides == 1]
        self.second[portals] = new
        self._mark(portals, 1)
        self.members[cluster] = nodes[sides != 2]
        self.members[new] = nodes[sides != 0]
        return new

    def join(self, cluster: int, other: int) -> None:
        """Join two clusters. The portals between them become ordinary nodes."""
        portals = self.between(cluster, other)
        nodes = distinct(np.concatenate([self.members[cluster], self.members.pop(other)]))
        self.first[nodes[self.first[nodes] == other]] = cluster
        self.second[nodes[self.second[nodes] == other]] = cluster
        self.second[portals] = -1
        self._mark(portals, -1)
        self.members[cluster] = nodes

    def between(self, cluster: int, other: int) -> Int:
        """The portals between two clusters."""
        nodes = self.members[cluster]
        nodes = nodes[self.second[nodes] >= 0]
        shared: Int = nodes[(self.first[nodes] == other) | (self.second[nodes] == other)]
        return shared

    def _mark(self, portals: Int, change: int) -> None:
        """Update which nodes may be cut, after portals were added or removed: the portals and their neighbours."""
        self._cutter.mark(portals, change, self._allowed, self.second, self._beside, self._free)

    def pairs(self) -> list[tuple[int, int]]:
        """Pairs of clusters that share portals, ascending."""
        portals = np.flatnonzero(self.is_portal)
        both = np.sort(np.stack([self.first[portals], self.second[portals]], axis=1), axis=1)
        return [(int(a), int(b)) for a, b in distinct_pairs(both)]

    def improve(self) -> None:
        """Join neighbouring clusters, or split them elsewhere, as long as that reduces the cost."""
        last = self._cutter.steps + IMPROVE_WORK
        tried: dict[tuple[int, int], tuple[Int, Int]] = {}
        changed = True
        while changed:
            changed = False
            for pair in self.pairs():
                if self._cutter.steps >= last:
                    return
                if not all(cluster in self.members for cluster in pair) or not len(self.between(*pair)):
                    continue
                now, before = (self.members[pair[0]], self.members[pair[1]]), tried.get(pair)
                if before is None or before[0] is not now[0] or before[1] is not now[1]:
                    tried[pair] = now
                    changed |= self._resplit(*pair)

    def _resplit(self, cluster: int, other: int) -> bool:
        """Join two clusters, or split them elsewhere, if either is better. Return whether anything changed."""
        portals, members = self.between(cluster, other), (self.members[cluster], self.members[other])
        total = int(self._price[portals].sum()) + sum(len(nodes) ** 2 for nodes in members)
        saved = self.first[members[1]], self.second[members[1]]
        self.join(cluster, other)
        nodes = self.members[cluster]
        if len(nodes) ** 2 <= total:
            self.split_all([cluster])
            return True
        sides = self._best_sides(nodes, total)
        if sides is not None:
            self.split_all([cluster, self.split(cluster, sides)])
            return True
        self.first[members[1]], self.second[members[1]] = saved
        self._mark(portals, 1)
        self.members[cluster], self.members[other] = members
        return False

    def parted_at(self, nodes: Int) -> tuple[int, Sides | None]:
        """Change of the cost if these nodes of one cluster, or as many of them as can, become portals (negative if that
        is better), and how to split. The change is 0 and the sides are None if other links lead round the nodes."""
        cluster = int(self.first[nodes[0]])
        all_nodes = self.members[cluster]
        size = len(all_nodes)
        sides = np.full(size, 2, np.int8)
        inner = np.searchsorted(all_nodes, nodes)
        sides[inner] = 1
        rest = np.flatnonzero(sides == 2)
        if not len(rest):
            return 0, None
        part = self._largest_part(all_nodes[rest])
        sides[rest[part]] = 0
        if part.all():
            return 0, None
        self._drop_idle(all_nodes, sides, inner)
        count = [int((sides == side).sum()) for side in range(3)]
        if not all(count):
            return 0, None
        cut = all_nodes[sides == 1]
        total = int(self._price[cut].sum()) + (size - count[0]) ** 2 + (size - count[2]) ** 2
        return total - size**2, sides

    def _largest_part(self, nodes: Int) -> NDArray[np.bool_]:
        """Which of these nodes are in the largest connected component; of equals the first."""
        self._cutter.load(nodes, self._free, self._price)
        left = np.ones(len(nodes), np.bool_)
        best = np.zeros(len(nodes), np.bool_)
        while left.any():
            self._cutter.farthest(0, int(left.argmax()))
            part = self._cutter.depths(0) >= 0
            left &= ~part
            if part.sum() > best.sum():
                best = part
        return best

    def _drop_idle(self, nodes: Int, sides: Sides, portals: NDArray[np.int64]) -> None:
        """Assign portals that do not touch both sides to the side they touch, one by one."""
        waiting = [int(row) for row in portals]
        while waiting:
            for row in waiting:
                near = self.graph.other[self.graph.start[nodes[row]] : self.graph.start[nodes[row] + 1]]
                at = np.minimum(np.searchsorted(nodes, near), len(nodes) - 1)
                known = sides[at[nodes[at] == near]]
                if (known == 0).any() and (known == 2).any():
                    continue
                sides[row] = 2 if (known == 2).any() else 0
                waiting.remove(row)
                break
            else:
                return
