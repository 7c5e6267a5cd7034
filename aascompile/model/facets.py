"""Patches as collision handles them: flat convex facets, each a brush without volume."""

from __future__ import annotations

import numpy as np

from aascompile.geometry.hull import Hulls
from aascompile.model.mapdata import Brushes, Float, Index, Int, Patches
from aascompile.records import dataclass
from aascompile.report import Dropped


@dataclass(frozen=True, slots=True)
class Facets:
    """Flat convex pieces of patches. Requirements: every polygon has three corners or more, counter-clockwise seen
    from the front of its brush's first side, and lies on that side's plane."""

    brushes: Brushes
    """One brush per facet: its plane, the exact opposite, then an outward plane for each edge, in corner order.
    ``number`` is that of the patch."""
    hulls: Hulls
    """Hulls of the brushes, a row each; all flat."""
    patch: Int
    """(n,) row of the patch that it belongs to."""
    vertex_start: Index
    """(n + 1,) CSR into ``vertex``."""
    vertex: Float
    """(m, 3) corners; edge i runs from corner i to the next."""
    unmerged: int
    """Number of facets before coplanar neighbours were merged."""
    dropped: tuple[Dropped, ...] = ()
    """Patches that would block a player but gave no facets."""
    coarse: tuple[int, ...] = ()
    """Numbers of the patches that are divided more coarsely than in the engine, because too many of them cross."""

    def __len__(self) -> int:
        return len(self.patch)

    @classmethod
    def none(cls, patches: Patches) -> Facets:
        """No facets, as in many maps."""
        start, none = np.zeros(1, np.int64), np.zeros(0, np.int32)
        brushes = Brushes(
            side_start=start,
            side_plane=none,
            side_flags=patches.flags[:0],
            contents=patches.contents[:0],
            shader=patches.shader[:0],
            model=patches.model[:0],
            entity=patches.entity[:0],
            number=patches.number[:0],
        )
        return cls(brushes, Hulls.none(), none, start, np.zeros((0, 3)), 0)
