"""Clusters of areas and the portal areas between them (thesis §6.5)."""

from __future__ import annotations

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

    def __len__(self) -> int:
        return len(self.cluster_areas)
