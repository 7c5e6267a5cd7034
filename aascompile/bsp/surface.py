"""Constructive solid geometry (thesis §6.2): from expanded brushes to the surface a player can touch."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.bsp.surface_kernel import SurfaceCutter
from aascompile.csr import joined, rows_of, starts_of
from aascompile.geometry.grid_kernel import BoxGrid
from aascompile.model.contents import SurfaceFlag
from aascompile.model.mapdata import Planes
from aascompile.model.volumes import Surface, Volumes
from aascompile.threads import over_ranges

CHUNK = 64
"""Volumes a worker takes at a time."""


CELL = 256.0
"""Width of a cell of the grid of volumes, units."""

MOST_CELLS = 64
"""Cells along an axis at most; a larger map has wider ones."""


def volume_grid(volumes: Volumes) -> BoxGrid:
    """The grid that finds the volumes at a place."""
    return BoxGrid(volumes.bounds, CELL, MOST_CELLS)


def visible_surface(
    planes: Planes, volumes: Volumes, grid: BoxGrid, all_boxes: int, hints: bool, threads: int
) -> Surface:
    """What of each side no covering volume hides, sorted by plane and side."""
    size = np.prod(volumes.bounds[:, 3:] - volumes.bounds[:, :3], axis=1)
    largest_first = np.argsort(-size, kind="stable").astype(np.int32)

    def cut(first: int, last: int) -> Any:
        cutter = SurfaceCutter(
            planes, volumes, largest_first, all_boxes, grid,
            tolerances.ON_PLANE, tolerances.PARALLEL, tolerances.MIN_AREA,
        )  # fmt: skip
        cutter.cut(first, last)
        return cutter.result()

    parts = over_ranges(cut, len(volumes), max(CHUNK, len(volumes) // 64), threads)
    side = np.concatenate([part[0] for part in parts]) if parts else np.zeros(0, np.int32)
    start = joined([part[1] for part in parts])
    xyz = np.concatenate([part[2] for part in parts]) if parts else np.zeros((0, 3))
    pair = volumes.side_plane[side] >> 1
    counts = _counts(volumes, side, hints)
    order = np.lexsort((side, pair))
    order = order[counts[order]]
    return Surface(
        plane=pair[order],
        side=side[order],
        vertex_start=starts_of(np.diff(start)[order]),
        xyz=np.ascontiguousarray(xyz[rows_of(start, order)]),
    )


def _counts(volumes: Volumes, side: NDArray[np.int32], hints: bool) -> NDArray[np.bool_]:
    """Which pieces may split space: of a brush that only gives hints, those of the sides marked so, if at all."""
    owner = np.searchsorted(volumes.side_start, side, "right") - 1
    real: NDArray[np.bool_] = (volumes.blocks[owner] != 0) | (volumes.contains[owner] != 0)
    if not hints:
        return real
    marked: NDArray[np.bool_] = (volumes.side_flags[side] & np.uint32(SurfaceFlag.HINT)) != 0
    return real | marked
