"""Lines of sight by brute force: every line is tested against every solid brush of the map, as the map has it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile.model.areas import Areas, FaceFlag
from aascompile.model.contents import Contents, Kind
from aascompile.model.understood import Understood

Points = NDArray[np.float64]


class Opaque:
    """All brushes and pieces of curves that hide what is behind them."""

    def __init__(self, understood: Understood) -> None:
        self.bodies: list[tuple[Points, NDArray[np.float64]]] = []
        planes, brushes, facets = understood.planes, understood.map.brushes, understood.facets
        for brush in range(len(brushes)):
            if _hides(understood.meaning.kind[brush], brushes.contents[brush]):
                plane = brushes.side_plane[brushes.side_start[brush] : brushes.side_start[brush + 1]]
                normal = planes.normal[plane]
                self.bodies.append((normal, planes.dist[plane] + normal @ understood.meaning.offset[brush]))
        for facet in range(len(facets)):
            patch = facets.patch[facet]
            if _hides(understood.patch_meaning.kind[patch], understood.map.patches.contents[patch]):
                corner = facets.vertex[facets.vertex_start[facet] : facets.vertex_start[facet + 1]]
                self.bodies.append(_slab(corner + understood.patch_meaning.offset[patch]))

    def block(self, starts: Points, ends: Points, slack: float = 0.0) -> NDArray[np.bool_]:
        """(n,) whether something, grown by ``slack``, touches each line."""
        blocked = np.zeros(len(starts), bool)
        for normal, dist in self.bodies:
            a, b = starts @ normal.T - dist - slack, ends @ normal.T - dist - slack
            with np.errstate(divide="ignore", invalid="ignore"):
                at = a / (a - b)
            enter = np.where((a > 0) & (b <= 0), at, 0.0).max(axis=1)
            leave = np.where((a <= 0) & (b > 0), at, 1.0).min(axis=1)
            blocked |= ~((a > 0) & (b > 0)).any(axis=1) & (enter <= leave)
        return blocked


def _hides(kind: int, contents: int) -> bool:
    return bool(kind & Kind.SOLID and contents & Contents.SOLID and not contents & Contents.TRANSLUCENT)


def _slab(corner: Points) -> tuple[Points, NDArray[np.float64]]:
    """A flat polygon as planes: both sides, and one along each edge."""
    middle = corner.mean(axis=0)
    edge = np.roll(corner, -1, axis=0) - corner
    normal = np.cross(corner - middle, edge).sum(axis=0)
    normal /= np.linalg.norm(normal)
    out = np.cross(edge, normal)
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    sides = np.vstack((normal, -normal, out))
    return sides, np.concatenate((([normal @ middle, -normal @ middle]), (out * corner).sum(axis=1)))


def floor_points(areas: Areas, area: int, count: int, rng: np.random.Generator) -> Points:
    """(count, 3) random origins on the ground of an area: thrown at the triangles of its ground faces."""
    triangles = []
    for face in areas.area_face[areas.area_start[area] : areas.area_start[area + 1]].tolist():
        if areas.face_flags[face] & FaceFlag.GROUND:
            ring = areas.vertex[areas.face_vertex[areas.face_start[face] : areas.face_start[face + 1]]]
            triangles += [(ring[0], ring[k], ring[k + 1]) for k in range(1, len(ring) - 1)]
    corner = np.array(triangles)
    one, two = corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]
    size = np.abs(one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0])
    chosen = corner[rng.choice(len(corner), count, p=size / size.sum())]
    u, v = rng.random((2, count, 1))
    u, v = np.where(u + v > 1, 1 - u, u), np.where(u + v > 1, 1 - v, v)
    made: Points = chosen[:, 0] + u * (chosen[:, 1] - chosen[:, 0]) + v * (chosen[:, 2] - chosen[:, 0])
    return made
