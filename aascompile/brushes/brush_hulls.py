"""Drop the brushes that enclose no volume, each with its number and the reason."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from aascompile.geometry.hull import Hulls, HullStatus, hulls
from aascompile.model.mapdata import MapData
from aascompile.records import dataclass
from aascompile.report import Dropped

NOT_CLOSED: Final = {
    HullStatus.NO_VOLUME: "has no volume",
    HullStatus.FLAT: "has no volume",
    HullStatus.UNCLOSED: "is not closed: its sides leave it open",
    HullStatus.BAD_PLANE: "has a side without a plane",
}


@dataclass(frozen=True, slots=True)
class ClosedBrushes:
    """A map in which every brush encloses a volume."""

    map: MapData
    hulls: Hulls
    """Hulls of the brushes, a row each."""


def closed_brushes(map: MapData) -> ClosedBrushes:
    """The map without brushes that enclose no volume (those go to ``map.dropped``), and the hulls of the rest."""
    brushes = map.brushes
    shapes = hulls(map.planes.normal, map.planes.dist, brushes.side_start, brushes.side_plane)
    good = shapes.status == HullStatus.CLOSED
    if good.all():
        return ClosedBrushes(map, shapes)
    dropped = tuple(
        Dropped("brush", int(brushes.number[row]), NOT_CLOSED[HullStatus(int(shapes.status[row]))])
        for row in np.flatnonzero(~good)
    )
    rows = np.flatnonzero(good)
    kept = replace(map, brushes=brushes.take(rows), dropped=map.dropped + dropped)
    return ClosedBrushes(kept, shapes.take(brushes.side_start, rows))
