"""Patches as the collision sees them: flat convex facets, each a brush without volume."""

from __future__ import annotations

from aascompile.geometry.hull import Hulls
from aascompile.model.mapdata import Brushes, Float, Index, Int
from aascompile.records import dataclass
from aascompile.report import Dropped


@dataclass(frozen=True, slots=True)
class Facets:
    """Flat convex pieces of patches. Requirements: every polygon has three corners or more, counter-clockwise seen
    from the front of its brush's first side, and lies on that side's plane."""

    brushes: Brushes
    """One brush a facet: its plane, the exact opposite, then an outward plane for each edge, in order of the corners.
    ``number`` is the patch's."""
    hulls: Hulls
    """Of the brushes, a row each; all flat."""
    patch: Int
    """(n,) row of the patch it is part of."""
    vertex_start: Index
    """(n + 1,) CSR into ``vertex``."""
    vertex: Float
    """(m, 3) corners; edge i goes from corner i to the next."""
    unmerged: int
    """How many there were before coplanar neighbours were joined."""
    dropped: tuple[Dropped, ...] = ()
    """Patches that gave none although they would block a player."""

    def __len__(self) -> int:
        return len(self.patch)
