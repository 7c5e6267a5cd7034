"""Clusters of areas and the portal areas between them (thesis §6.5)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import starts_of
from aascompile.model.mapdata import Index, Int
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class Clusters:
    """Clusters, and the cluster that each area belongs to.

    Requirements: a portal has exactly two different clusters; both ends of a link share a cluster, and a portal belongs
    to both of its clusters; two portals joined by a link have the same clusters; within a cluster, routing areas (with
    links from or to them) are numbered first, then portals, then the rest.
    """

    area_cluster: Int
    """(areas,) cluster; −1 if it has none. A portal area has −1 here and its portal in ``area_portal``."""
    area_portal: Int
    """(areas,) portal; −1 if the area is not a portal."""
    area_number: Int
    """(areas,) number within its cluster; −1 for a portal area (see ``portal_number``) or without a cluster."""
    portal_area: Int
    """(p,) area of the portal."""
    portal_cluster: Int
    """(p, 2) front and back cluster."""
    portal_number: Int
    """(p, 2) number in each of them."""
    cluster_areas: Int
    """(c,) number of areas, including portals."""
    cluster_routing: Int
    """(c,) number of areas with links, including portals."""
    cluster_portal_start: Index
    """(c + 1,) CSR into ``cluster_portal``."""
    cluster_portal: Int
    """(k,) portals that touch each cluster."""

    @classmethod
    def numbered(
        cls,
        area_cluster: Int,
        area_portal: Int,
        portal_area: Int,
        portal_cluster: Int,
        routing: NDArray[np.bool_],
        count: int,
    ) -> Clusters:
        """Number the members of ``count`` clusters. In each: areas with links (``routing``), then portals, then the
        rest."""
        own = np.flatnonzero(area_cluster >= 0)
        cluster = np.concatenate([area_cluster[own], portal_cluster.reshape(-1)])
        rank = np.concatenate([np.where(routing[own], 0, 2), np.ones(portal_cluster.size, np.int64)])
        order = np.lexsort((np.arange(len(cluster)), rank, cluster))
        size = np.bincount(cluster, minlength=count)
        within = np.empty(len(cluster), np.int32)
        within[order] = np.arange(len(cluster)) - starts_of(size)[cluster[order]]
        area_number = np.full(len(area_cluster), -1, np.int32)
        area_number[own] = within[: len(own)]
        listed = order[rank[order] == 1]
        return cls(
            area_cluster=area_cluster,
            area_portal=area_portal,
            area_number=area_number,
            portal_area=portal_area,
            portal_cluster=portal_cluster.astype(np.int32),
            portal_number=within[len(own) :].reshape(-1, 2),
            cluster_areas=size.astype(np.int32),
            cluster_routing=np.bincount(cluster[rank < 2], minlength=count).astype(np.int32),
            cluster_portal_start=starts_of(np.bincount(cluster[listed], minlength=count)),
            cluster_portal=((listed - len(own)) // 2).astype(np.int32),
        )

    def __len__(self) -> int:
        return len(self.cluster_areas)
