"""The graph that clusters divide: areas joined by links, in either direction."""

from __future__ import annotations

import numpy as np

from aascompile.csr import starts_of
from aascompile.distinct import distinct
from aascompile.model.links import Links
from aascompile.model.mapdata import Index, Int
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class Graph:
    """Routing areas as nodes. Two are neighbours if a link of any travel type leads from either to the other.

    Direction does not count: routing would lose a one-way link between two clusters without a portal.
    """

    area: Int
    """(n,) area of each node, ascending."""
    node: Int
    """(areas,) node of each area; −1 if it has no links."""
    start: Index
    """(n + 1,) CSR into ``other``."""
    other: Int
    """(m,) neighbours of the nodes, ascending for each."""

    def __len__(self) -> int:
        return len(self.area)


def routing_graph(links: Links, areas: int) -> Graph:
    """The graph of a map with ``areas`` areas."""
    linked = np.zeros(areas, np.bool_)
    linked[links.source] = True
    linked[links.target] = True
    area = np.flatnonzero(linked)
    n = len(area)
    node = np.full(areas, -1, np.int32)
    node[area] = np.arange(n, dtype=np.int32)
    source, target = node[links.source].astype(np.int64), node[links.target].astype(np.int64)
    codes = distinct(np.concatenate([source * n + target, target * n + source]))
    owner, other = np.divmod(codes, max(n, 1))
    return Graph(
        area=area.astype(np.int32),
        node=node,
        start=starts_of(np.bincount(owner, minlength=n)),
        other=other.astype(np.int32),
    )
