"""Brushes that enclose something: the others are dropped, each with its number and reason."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from aascompile.geometry.hull import Hulls, HullStatus, hulls
from aascompile.model.mapdata import Dropped, MapData

UNSOUND: Final = {
    HullStatus.NO_VOLUME: "has no volume",
    HullStatus.FLAT: "has no volume",
    HullStatus.UNCLOSED: "is not closed: its sides leave it open",
    HullStatus.BAD_PLANE: "has a side without a plane",
}


def sound_brushes(map: MapData) -> tuple[MapData, Hulls]:
    """The map without brushes that enclose nothing, those noted as dropped; and the hulls of the rest."""
    shapes = _hulls(map)
    good = shapes.status == HullStatus.CLOSED
    if good.all():
        return map, shapes
    dropped = tuple(
        Dropped("brush", int(map.brushes.number[row]), UNSOUND[HullStatus(int(shapes.status[row]))])
        for row in np.flatnonzero(~good)
    )
    kept = replace(map, brushes=map.brushes.take(np.flatnonzero(good)), dropped=map.dropped + dropped)
    return kept, _hulls(kept)


def _hulls(map: MapData) -> Hulls:
    return hulls(map.planes.normal, map.planes.dist, map.brushes.side_start, map.brushes.side_plane)
