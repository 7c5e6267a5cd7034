"""Clusters of areas and the portal areas between them (thesis §6.5)."""

from __future__ import annotations

from aascompile.model.mapdata import Index, Int
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class Clusters:
    """Which cluster every area is in.

    Requirements: a portal has exactly two different clusters; every link stays in one cluster, of which a portal at
    its end has two; portals that a link joins have the same two; within a cluster, routing areas (with links from
    or to them) are numbered first, then portals, then the rest.
    """

    area_cluster: Int
    """(areas,) cluster; −1: none; a portal area has −1 here and its row in ``area_portal``."""
    area_portal: Int
    """(areas,) portal; −1: the area is none."""
    area_number: Int
    """(areas,) its number inside its cluster; −1 for a portal area (see ``portal_number``) or no cluster."""
    portal_area: Int
    """(p,) the area that is the portal."""
    portal_cluster: Int
    """(p, 2) front and back cluster."""
    portal_number: Int
    """(p, 2) its number in each of them."""
    cluster_areas: Int
    """(c,) areas in it, portals included."""
    cluster_routing: Int
    """(c,) of these, areas with links, portals included."""
    cluster_portal_start: Index
    """(c + 1,) CSR into ``cluster_portal``."""
    cluster_portal: Int
    """(k,) portals that touch each cluster."""

    def __len__(self) -> int:
        return len(self.cluster_areas)
