"""The graph that clusters part: the areas that links join, whichever way the links lead."""

from __future__ import annotations

import numpy as np

from aascompile.csr import starts_of
from aascompile.model.links import Links
from aascompile.model.mapdata import Index, Int
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class Graph:
    """Routing areas as nodes; two are neighbours when a link of any kind leads from either to the other.

    Direction does not count: a link one way between two clusters without a portal would be lost to routing.
    """

    area: Int
    """(n,) the area of each node, ascending."""
    node: Int
    """(areas,) the node of each area; −1: no link touches it."""
    start: Index
    """(n + 1,) CSR into ``other``."""
    other: Int
    """(m,) neighbours of the nodes, ascending in each."""

    def __len__(self) -> int:
        return len(self.area)


def routing_graph(links: Links, areas: int) -> Graph:
    """The graph of a map with so many areas."""
    linked = np.zeros(areas, np.bool_)
    linked[links.source] = True
    linked[links.target] = True
    area = np.flatnonzero(linked)
    n = len(area)
    node = np.full(areas, -1, np.int32)
    node[area] = np.arange(n, dtype=np.int32)
    source, target = node[links.source].astype(np.int64), node[links.target].astype(np.int64)
    codes = np.unique(np.concatenate([source * n + target, target * n + source]))
    owner, other = np.divmod(codes, max(n, 1))
    return Graph(
        area=area.astype(np.int32),
        node=node,
        start=starts_of(np.bincount(owner, minlength=n)),
        other=other.astype(np.int32),
    )
