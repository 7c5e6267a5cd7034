"""Brushes expanded by the players' boxes, and the part of their surface that a player can touch."""

from __future__ import annotations

from aascompile.model.mapdata import Bits, Float, Index, Int
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class Volumes:
    """n convex volumes with m sides in total, in the space of player origins.

    Requirements: every volume either blocks or contains something or is a hint; a side without a polygon is a bevel.
    """

    side_start: Index
    """(n + 1,) CSR into the side columns."""
    side_plane: Int
    """(m,) plane id, facing outward."""
    side_flags: Bits
    """(m,) SURF_* flags of the side's shader; 0 for a bevel."""
    vertex_start: Index
    """(m + 1,) CSR: the polygon of side i, counter-clockwise seen from outside; empty for a bevel."""
    xyz: Float
    """(k, 3) corners."""
    bounds: Float
    """(n, 6) minima, maxima."""
    blocks: Bits
    """(n,) boxes that it blocks, a bit each (1 << row of the box); 0 if it blocks no player."""
    contains: Index
    """(n,) what fills it, as packed by ``filling``; 0 if it blocks."""
    brush: Int
    """(n,) row of its brush: brushes of the map first, then facets of patches."""

    def __len__(self) -> int:
        return len(self.blocks)


@dataclass(frozen=True, slots=True)
class Surface:
    """Convex pieces of the volumes' sides that no other volume hides, sorted by plane and side."""

    plane: Int
    """(n,) plane pair: plane id >> 1."""
    side: Int
    """(n,) row in the volumes' side columns."""
    vertex_start: Index
    """(n + 1,) CSR into ``xyz``."""
    xyz: Float
    """(k, 3) corners, counter-clockwise seen from outside the volume."""

    def __len__(self) -> int:
        return len(self.plane)
