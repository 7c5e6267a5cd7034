"""Which areas a trigger made: those that lie in one of its brushes, grown by the player's box as the areas were."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.geometry.box import expansion
from aascompile.model.areas import Areas
from aascompile.model.contents import Kind
from aascompile.model.entity_facts import Point
from aascompile.model.mapdata import Float, Index, MapData
from aascompile.settings import Box


@dataclass(frozen=True, slots=True)
class Grown:
    """Where a player's origin is when the player touches one brush of a trigger."""

    normal: Float
    """(n, 3) of its planes, facing outward."""
    dist: Float
    """(n,)"""

    def holds(self, points: Float) -> NDArray[np.bool_]:
        """(k,) which of ``points (k, 3)`` lie inside, or within a tolerance of it."""
        behind: NDArray[np.bool_] = points @ self.normal.T <= self.dist + tolerances.CONVEX
        return np.asarray(behind.all(axis=1))


def trigger_volumes(map_data: MapData, model: int, offset: Point, box: Box) -> list[Grown]:
    """The brushes of a model (−1: none) moved by an offset, each grown by a box."""
    brushes = map_data.brushes
    volumes = []
    for brush in np.flatnonzero(brushes.model == model).tolist() if model >= 0 else ():
        plane = brushes.side_plane[brushes.side_start[brush] : brushes.side_start[brush + 1]]
        normal = map_data.planes.normal[plane]
        dist = map_data.planes.dist[plane] + normal @ np.array(offset) + expansion(normal, box.mins, box.maxs)
        volumes.append(Grown(normal, dist))
    return volumes


def areas_in(areas: Areas, volume: Grown, kind: Kind) -> Index:
    """The areas with that content whose middle lies in the volume, ascending."""
    marked = np.flatnonzero((areas.area_contents & np.uint32(kind)) != 0)
    return marked[volume.holds(areas.area_centre[marked])]


def placed(map_data: MapData, row: int) -> Point:
    """The offset at which the map draws an entity's model."""
    return map_data.entities[row].vector("origin") or (0.0, 0.0, 0.0)


def trigger_areas(areas: Areas, map_data: MapData, row: int, model: int, box: Box, kind: Kind) -> Index:
    """The areas that all brushes of a trigger made, ascending."""
    volumes = trigger_volumes(map_data, model, placed(map_data, row), box)
    found = [areas_in(areas, volume, kind) for volume in volumes]
    return np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64)
