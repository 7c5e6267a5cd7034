"""Cluster portals and clusters (thesis §6.5): rooms joined by doorways, which make the routing cache small.

A routing cache holds M = TNA·NCP + Σ NAᵢ² travel times (Eq. 6.5.1): for each of TNA routing areas one for each of NCP
portals, and for each cluster one for each pair of its NAᵢ areas, portals included. Portals are chosen to keep M small.
Portals in doorways and portal brushes are preferred.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from aascompile.cluster.doorways import in_doorway, in_portal_brush, neighbours, occupied
from aascompile.cluster.graph import Graph, routing_graph
from aascompile.cluster.partition import Directions, Partition
from aascompile.cluster.portal_reasons import Candidate, settle_candidates
from aascompile.csr import ranges, starts_of
from aascompile.distinct import distinct
from aascompile.graph.flood import second_finds_more
from aascompile.model.areas import Areas
from aascompile.model.clusters import Clusters
from aascompile.model.links import SPECIAL, Links, are_of
from aascompile.model.mapdata import Entity, Int
from aascompile.model.places import Places
from aascompile.records import dataclass
from aascompile.threads import both

BRUSH, DOORWAY, ELSEWHERE = 2, 4, 5
"""Weights, in quarters, of the cost of a portal in these places: the mapper's wish comes first, and rooms should end at
their doors. On real maps this raises M by about a hundredth."""

ROOM, MOST_ROOMY = 128.0 * 128.0, 3.0
"""Square units of floor that add the cost of a portal once more, and how often it may be added. Players stand and drop
items in large areas, and the engine routes to something in a portal from one side only."""

FLAT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
SLANTED = (*FLAT, (0.0, 0.0, 1.0), (1.0, 1.0, 0.0), (1.0, -1.0, 0.0))
"""Directions in which cuts are looked for. On some maps the first set gives better clusters, on others the second."""

SECOND_LOOK = 50_000_000
"""Most steps along links, about 0.2 s, that the first search may take for a second one to be worth its time."""

SMALL = 1024
"""Routing areas up to which both searches are made at once: then the first hardly ever takes so many steps."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen clusters in numbers."""

    routing: int
    """TNA: areas with links."""
    cost: int
    """M of the clusters."""
    cost_of_one: int
    """M of a single cluster: TNA²."""
    ideal: int
    """M of the ideal number of equal clusters with one portal between each two: 2·TNA·√TNA (after Eq. 6.5.4)."""
    candidates: tuple[Candidate, ...]
    """Doorways and areas in portal brushes. For a brush, its portals, or if it has none, its areas with links."""


def make_clusters(
    areas: Areas, links: Links, places: Places, entities: Sequence[Entity], threads: int = 1
) -> tuple[Clusters, Choice]:
    """Divide a map into clusters. Also report on every place where a portal could be expected."""
    graph = routing_graph(links, len(areas))
    holder = occupied(areas, places, entities)
    brush, door = in_portal_brush(areas), in_doorway(areas)
    parts = _best_partition(areas, graph, holder, brush, door, threads)

    # Portal brushes and doorways become portals too if that reduces the cost. Otherwise a reason is given.
    candidates = settle_candidates(parts, areas, brush, door, holder, entities)
    clusters, n = record(areas, graph, parts, links), len(graph)
    return clusters, Choice(n, cost_of(clusters, n), n * n, round(2 * n**1.5), candidates)


def _best_partition(
    areas: Areas, graph: Graph, holder: Int, brush: NDArray[np.bool_], door: NDArray[np.bool_], threads: int
) -> Partition:
    """Divide the map by small cuts, then redivide pairs of neighbouring clusters as long as that reduces the cost.

    Cuts along two sets of directions compete. Of a large map only the first set is tried.
    """
    n, area = len(graph), graph.area
    quarters = np.where(brush[area], BRUSH, np.where(door[area], DOORWAY, ELSEWHERE))
    size = (areas.area_maxs - areas.area_mins)[area]
    roomy = np.minimum(size[:, 0] * size[:, 1] / ROOM, MOST_ROOMY)
    price = (quarters * n * (1.0 + roomy) // DOORWAY).astype(np.int32)

    def divided(directions: Directions) -> Partition:
        parts = Partition(graph, holder[area] < 0, price, areas.area_centre[area], directions)
        parts.split_all(sorted(parts.members))
        parts.improve()
        return parts

    if n <= SMALL:
        flat, slanted = both(lambda: divided(FLAT), lambda: divided(SLANTED), threads)
    else:
        flat = divided(FLAT)
        slanted = flat if flat.work > SECOND_LOOK else divided(SLANTED)
    return slanted if slanted.total < flat.total and flat.work <= SECOND_LOOK else flat


def cost_of(clusters: Clusters, routing: int) -> int:
    """M of Eq. 6.5.1."""
    return routing * len(clusters.portal_area) + int((clusters.cluster_routing.astype(np.int64) ** 2).sum())


def record(areas: Areas, graph: Graph, parts: Partition, links: Links) -> Clusters:
    """Number everything: clusters by their first area, portals and areas in ascending order."""
    plain, portals = np.flatnonzero(~parts.is_portal), np.flatnonzero(parts.is_portal)
    old, first = np.unique(parts.first[plain], return_index=True)
    order = np.argsort(first)
    number = np.full(int(old.max(initial=-1)) + 1, -1, np.int32)
    number[old[order]] = np.arange(len(old), dtype=np.int32)
    count = len(old)

    area_cluster = np.full(len(areas), -1, np.int32)
    area_cluster[graph.area[plain]] = number[parts.first[plain]]
    pair = np.sort(np.stack([number[parts.first[portals]], number[parts.second[portals]]], axis=1), axis=1)
    area_portal = np.full(len(areas), -1, np.int32)
    area_portal[graph.area[portals]] = np.arange(len(portals), dtype=np.int32)
    _spread(areas, area_cluster, graph.node >= 0)
    pair = _front_first(links, graph.area[portals], pair, area_cluster)

    return Clusters.numbered(area_cluster, area_portal, graph.area[portals], pair, graph.node >= 0, count)


def _front_first(links: Links, portal_area: Int, pair: Int, area_cluster: Int) -> Int:
    """(p, 2) the clusters of each portal, in the front the cluster through which more areas lead to it.

    The engine takes a goal in a portal for a part of the front cluster, and routes to it only from the other portals of
    that cluster. Through a dead end, or a cluster that players leave by the portal only, no route would lead there.
    """
    used = np.flatnonzero(~are_of(links.kind, SPECIAL))
    order = used[np.argsort(links.target[used], kind="stable")]
    source, into = links.source[order], starts_of(np.bincount(links.target[used], minlength=len(area_cluster)))
    touches = np.zeros((len(area_cluster), 2), np.int64)
    touches[:] = area_cluster[:, None]
    touches[portal_area] = pair
    # Two rows for each portal: the areas before it in its first cluster, then those in its second.
    cluster, count = pair.reshape(-1), np.repeat(into[portal_area + 1] - into[portal_area], 2)
    row = np.repeat(np.arange(len(cluster)), count)
    before = source[ranges(np.repeat(into[portal_area], 2), count)]
    here = (touches[before] == cluster[row, None]).any(axis=1)
    start = starts_of(np.bincount(row[here], minlength=len(cluster)))
    turned = second_finds_more(into, source, portal_area, before[here], start)
    return np.where(turned[:, None], pair[:, ::-1], pair)


def _spread(areas: Areas, cluster: Int, routing: NDArray[np.bool_]) -> None:
    """Assign areas without links to the cluster they touch, round by round. Areas that touch two at once get none."""
    here, there, _ = neighbours(areas)
    open_area = ~routing
    while True:
        at = np.flatnonzero(open_area[here] & (cluster[there] >= 0))
        if not len(at):
            return
        least = np.full(len(areas), np.iinfo(np.int32).max, np.int32)
        most = np.full(len(areas), -1, np.int32)
        np.minimum.at(least, here[at], cluster[there[at]])
        np.maximum.at(most, here[at], cluster[there[at]])
        touched = distinct(here[at])
        open_area[touched] = False
        clear = touched[least[touched] == most[touched]]
        cluster[clear] = least[clear]
        kept = open_area[here]
        here, there = here[kept], there[kept]
