"""Slow twins of clusters: each rule, routing with and without clusters, and the least M found by exhaustive search.

Routing follows thesis §6.5, "Using routing caches": caches of areas inside a cluster, indexed by area numbers in that
cluster as in the engine, and caches of portals for each goal.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from itertools import combinations

import numpy as np

from aascompile.model.clusters import Clusters
from aascompile.model.links import Links

NEVER = float("inf")


def faults(clusters: Clusters, links: Links, held: Iterable[int] = ()) -> list[str]:
    """All faults of clusters. ``held`` are areas that must not be portals."""
    found = []
    joined = linked_areas(links)
    portal_of = {int(area): row for row, area in enumerate(clusters.portal_area)}
    for area in range(len(clusters.area_cluster)):
        if clusters.area_portal[area] != portal_of.get(area, -1):
            found.append(f"area {area}: its portal is not the one that names it")
        inside, cluster = area in portal_of, clusters.area_cluster[area]
        if inside and cluster >= 0:
            found.append(f"area {area}: a portal with a cluster of its own")
        if area in joined and not inside and cluster < 0:
            found.append(f"area {area}: has links but no cluster")
    for area, row in portal_of.items():
        pair = set(clusters.portal_cluster[row].tolist())
        near = joined.get(area, set())
        touched = {int(clusters.area_cluster[other]) for other in near if other not in portal_of}
        if len(pair) != 2 or touched != pair:
            found.append(f"portal {row}: between {sorted(pair)} but touches {sorted(touched)}")
        for other in near & set(portal_of):
            if set(clusters.portal_cluster[portal_of[other]].tolist()) != pair:
                found.append(f"portal {row}: linked to a portal of other clusters")
    found += [f"area {area}: something is in the portal" for area in held if area in portal_of]
    for source, target in pairs_of(links):
        if not set(clusters_of(clusters, source)) & set(clusters_of(clusters, target)):
            found.append(f"link {source} to {target}: leaves its cluster")
    return found + numbering_faults(clusters, set(joined))


def numbering_faults(clusters: Clusters, routing: set[int]) -> list[str]:
    """Faults of the numbering: areas with links, portals, then the rest, each ascending and without holes."""
    found = []
    for cluster in range(len(clusters)):
        areas = np.flatnonzero(clusters.area_cluster == cluster).tolist()
        portals = [row for row in range(len(clusters.portal_area)) if cluster in clusters.portal_cluster[row]]
        numbers = [int(clusters.area_number[area]) for area in areas if area in routing]
        for row in portals:
            side = clusters.portal_cluster[row].tolist().index(cluster)
            numbers.append(int(clusters.portal_number[row, side]))
        first = len(numbers)
        numbers += [int(clusters.area_number[area]) for area in areas if area not in routing]
        listed = slice(clusters.cluster_portal_start[cluster], clusters.cluster_portal_start[cluster + 1])
        if numbers != list(range(len(numbers))):
            found.append(f"cluster {cluster}: its members are numbered {numbers}")
        if (clusters.cluster_areas[cluster], clusters.cluster_routing[cluster]) != (len(numbers), first):
            found.append(f"cluster {cluster}: its members are miscounted")
        if clusters.cluster_portal[listed].tolist() != portals:
            found.append(f"cluster {cluster}: its portals are not {portals}")
    return found


def pairs_of(links: Links) -> Iterator[tuple[int, int]]:
    """Source and target of all links."""
    return zip(links.source.tolist(), links.target.tolist(), strict=True)


def linked_areas(links: Links) -> dict[int, set[int]]:
    """For each area, the areas that it has links to or from."""
    joined: dict[int, set[int]] = {}
    for source, target in pairs_of(links):
        joined.setdefault(source, set()).add(target)
        joined.setdefault(target, set()).add(source)
    return joined


def clusters_of(clusters: Clusters, area: int) -> list[int]:
    """Cluster of an area, or both clusters of a portal."""
    portal = int(clusters.area_portal[area])
    return clusters.portal_cluster[portal].tolist() if portal >= 0 else [int(clusters.area_cluster[area])]


def plain_times(links: Links, areas: int, goal: int) -> list[float]:
    """Time from every area to a goal, by Dijkstra's algorithm over reversed links."""
    into: list[list[tuple[int, int]]] = [[] for _ in range(areas)]
    for (source, target), time in zip(pairs_of(links), links.time.tolist(), strict=True):
        into[target].append((source, time))
    best = [NEVER] * areas
    queue: list[tuple[float, int]] = [(0, goal)]
    while queue:
        time, area = heapq.heappop(queue)
        if time < best[area]:
            best[area] = time
            for before, more in into[area]:
                heapq.heappush(queue, (time + more, before))
    return best


class TwoLevels:
    """Routing by clusters."""

    def __init__(self, links: Links, clusters: Clusters) -> None:
        self.clusters = clusters
        self.into: dict[int, list[tuple[int, int]]] = {}
        for (source, target), time in zip(pairs_of(links), links.time.tolist(), strict=True):
            self.into.setdefault(target, []).append((source, time))
        self.area_caches: dict[tuple[int, int], list[float]] = {}

    def number(self, cluster: int, area: int) -> int:
        """Number of an area in a cluster. A portal must belong to the cluster; this is not checked."""
        portal = int(self.clusters.area_portal[area])
        if portal < 0:
            return int(self.clusters.area_number[area])
        side = 0 if self.clusters.portal_cluster[portal, 0] == cluster else 1
        return int(self.clusters.portal_number[portal, side])

    def area_cache(self, cluster: int, goal: int) -> list[float]:
        """Times, by number, from a cluster's areas and portals to one of them without leaving the cluster."""
        if (cluster, goal) not in self.area_caches:
            best = [NEVER] * int(self.clusters.cluster_routing[cluster])
            best[self.number(cluster, goal)] = 0
            queue: list[tuple[float, int]] = [(0, goal)]
            while queue:
                time, area = heapq.heappop(queue)
                for before, more in self.into.get(area, []):
                    if self.clusters.area_portal[before] < 0 and self.clusters.area_cluster[before] != cluster:
                        continue
                    number = self.number(cluster, before)
                    if time + more < best[number]:
                        best[number] = time + more
                        heapq.heappush(queue, (time + more, before))
            self.area_caches[cluster, goal] = best
        return self.area_caches[cluster, goal]

    def portals_of(self, cluster: int) -> list[int]:
        """Portals of a cluster."""
        start = self.clusters.cluster_portal_start
        return self.clusters.cluster_portal[start[cluster] : start[cluster + 1]].tolist()

    def portal_cache(self, goal: int) -> list[float]:
        """Times from all portals to a goal anywhere, from portal to portal through the clusters between them."""
        best = [NEVER] * len(self.clusters.portal_area)
        queue: list[tuple[float, int]] = [(0, goal)]
        while queue:
            time, area = heapq.heappop(queue)
            for cluster in clusters_of(self.clusters, area):
                inside = self.area_cache(cluster, area)
                for portal in self.portals_of(cluster):
                    at = int(self.clusters.portal_area[portal])
                    there = time + inside[self.number(cluster, at)]
                    if there < best[portal]:
                        best[portal] = there
                        heapq.heappush(queue, (there, at))
        return best

    def times(self, sources: Iterable[int], goal: int) -> list[float]:
        """Time from areas with links to another such area."""
        portals = self.portal_cache(goal)
        found = []
        for source in sources:
            portal = int(self.clusters.area_portal[source])
            if portal >= 0:
                found.append(portals[portal])
                continue
            cluster = int(self.clusters.area_cluster[source])
            number = self.number(cluster, source)
            ways = [NEVER]
            for portal in self.portals_of(cluster):
                at = int(self.clusters.portal_area[portal])
                ways.append(portals[portal] + self.area_cache(cluster, at)[number])
            if cluster in clusters_of(self.clusters, goal):
                ways.append(self.area_cache(cluster, goal)[number])
            found.append(min(ways))
        return found


def least_cost(nodes: int, near: list[set[int]], allowed: Iterable[int]) -> int:
    """Least possible M, found by trying all sets of portals and all groupings of the remaining parts."""
    best = nodes * nodes
    may = sorted(allowed)
    for count in range(len(may) + 1):
        if nodes * count >= best:
            break
        for portals in combinations(may, count):
            parts = parts_without(nodes, near, set(portals))
            for label in labellings(len(parts)):
                cluster = {node: label[row] for row, part in enumerate(parts) for node in part}
                best = min(best, cost(nodes, near, portals, cluster, best))
    return best


def cost(nodes: int, near: list[set[int]], portals: tuple[int, ...], cluster: dict[int, int], best: int) -> int:
    """M of clusters, or ``best`` if they break a rule."""
    pair = {portal: frozenset(cluster[node] for node in near[portal] if node in cluster) for portal in portals}
    for portal in portals:
        if len(pair[portal]) != 2 or any(pair[other] != pair[portal] for other in near[portal] if other in pair):
            return best
    members = [*cluster.values(), *(label for labels in pair.values() for label in labels)]
    return nodes * len(portals) + sum(members.count(label) ** 2 for label in set(members))


def parts_without(nodes: int, near: list[set[int]], without: set[int]) -> list[list[int]]:
    """Connected parts of a graph after some nodes are removed."""
    left, parts = set(range(nodes)) - without, []
    while left:
        waiting = [min(left)]
        left -= set(waiting)
        part = []
        while waiting:
            node = waiting.pop()
            part.append(node)
            fresh = near[node] & left
            left -= fresh
            waiting += sorted(fresh)
        parts.append(sorted(part))
    return parts


def labellings(count: int) -> Iterator[list[int]]:
    """All partitions of things into unnamed groups."""
    if count == 0:
        yield []
        return
    for label in labellings(count - 1):
        for new in range(max(label, default=-1) + 2):
            yield [*label, new]


def best_sides(cutter, nodes, free, price, along, cheapest, below, work, rounds):
    """Twin of ``Cutter.best_sides``, from the cutter's single steps."""
    cutter.load(nodes, free, price)
    end = cutter.farthest(0, 0)
    if end < 0:
        return np.where(cutter.depths(0) < 0, 2, 0)
    if cheapest + (len(nodes) + 1) ** 2 // 2 >= below:
        return None
    best = None
    portal = cutter.joint()
    if portal >= 0:
        sides = sides_at(cutter.parts(portal))
        kept, _, left = np.bincount(sides, minlength=3).tolist()
        total = int(price[nodes[portal]]) + (kept + 1) ** 2 + (left + 1) ** 2
        below, best = (total, sides) if total < below else (below, None)
    cutter.farthest(1, cutter.farthest(0, end))
    most = max(work, rounds * cutter.links())
    ends = (cutter.depths(0) - cutter.depths(1)).astype(np.float64)
    for key in (ends, *(row[nodes] for row in along)):
        total = cutter.run(key, cheapest, below, most)
        if total < below:
            below, best = total, cutter.sides()
    return best


def sides_at(piece):
    """Sides of the pieces that a portal (−1) leaves: the largest first, each to the side that is smaller so far."""
    size = np.bincount(piece[piece >= 0]).tolist()
    side, filled = {-1: 1}, [0, 0]
    for row in sorted(range(len(size)), key=lambda row: -size[row]):
        smaller = int(filled[1] < filled[0])
        side[row] = 2 * smaller
        filled[smaller] += size[row]
    return np.array([side[row] for row in piece.tolist()])


def cuttable(near, allowed, portals):
    """Which nodes may be cut: allowed ones that are no portals and have none as neighbours."""
    return [bool(allowed[node]) and node not in portals and not near[node] & set(portals) for node in range(len(near))]
