"""Bevels of brushes: the planes that they need in addition before they are expanded by a box (thesis §6.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile import tolerances
from aascompile.geometry.bevel_kernel import Beveller
from aascompile.geometry.hull import Hulls
from aascompile.geometry.planes import PlaneTable
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class Bevelled:
    """Sides of n brushes: each brush's own sides, then its bevels. No plane occurs twice in a brush."""

    side_start: NDArray[np.int64]
    """(n + 1,) CSR: sides of brush i are ``side_start[i]:side_start[i + 1]``."""
    side_plane: NDArray[np.int32]
    """(m,) plane id, facing outward."""
    side_bevel: NDArray[np.bool_]
    """(m,) whether the side bounds the brush only after expansion: added here, or already a bevel in the source."""
    side_source: NDArray[np.int32]
    """(m,) row of the original side; −1 if added here."""

    def __len__(self) -> int:
        return len(self.side_start) - 1


def bevels(table: PlaneTable, side_start: ArrayLike, side_plane: ArrayLike, hulls: Hulls) -> Bevelled:
    """Sides of brushes with all bevels. ``hulls`` are the hulls of these brushes; new planes are added to ``table``."""
    starts = np.ascontiguousarray(side_start, np.int64)
    planes = np.ascontiguousarray(side_plane, np.int32)
    if len(starts) != len(hulls) + 1 or len(hulls.vertex_start) != len(planes) + 1 or starts[-1] != len(planes):
        raise ValueError("the hulls do not belong to these brushes")
    if len(planes) and planes.max() >= len(table):
        raise ValueError("a side's plane is not in the table")
    beveller = Beveller(table.store, tolerances.BEVEL_BEHIND, tolerances.BEVEL_PARALLEL, tolerances.PLANE_NORMAL)
    out_start = np.empty(len(starts), np.int64)
    beveller.bevel_all(starts, planes, hulls.status, hulls.vertex_start, hulls.xyz, out_start)
    count = beveller.count
    return Bevelled(
        out_start,
        np.array(beveller.plane)[:count],
        np.array(beveller.bevel)[:count].astype(np.bool_),
        np.array(beveller.source)[:count],
    )
