"""Ladders: which part of which face can be climbed, and which areas a player can only climb in, apart from those below.

The game lets a player climb whose box touches a side with the ladder mark. In the space of player origins that side is
the side of the grown brush, so what of a wall lies on it, and nothing else, becomes a ladder face; floors and ceilings
with the mark do not count. Navigation needs to know more only where a ladder begins out of a step's reach above the
ground: there the area is cut at the ladder's foot, and who stands below is in another area than who climbs. A ladder
that stands on the ground leaves its area whole: one walks to its foot and climbs.
"""

from __future__ import annotations

import numpy as np

from aascompile import tolerances
from aascompile.csr import owners_of, starts_of
from aascompile.geometry.vectors import dot, norm
from aascompile.model.contents import SurfaceFlag
from aascompile.model.mapdata import Float, Int, Planes
from aascompile.model.tree import Portals, Tree
from aascompile.model.volumes import Volumes
from aascompile.records import dataclass
from aascompile.settings import Settings


@dataclass(frozen=True, slots=True)
class Climbed:
    """Portals, cut where ladders begin and end."""

    portals: Portals
    ladder: Int
    """(n,) 1 for a portal that is a ladder, else 0."""


def mark_ladders(planes: Planes, volumes: Volumes, tree: Tree, portals: Portals, settings: Settings) -> Climbed:
    """Cut the tree's portals at ladders, which are walls that lie on a volume's side with the ladder mark."""
    all_boxes, floor_up = settings.all_boxes, settings.physics.floor_up
    solid = tree.leaf_blocks == all_boxes
    owner = owners_of(volumes.side_start)
    climbed = (volumes.side_flags & np.uint32(SurfaceFlag.LADDER)) != 0
    # Walls stand where the smallest box has no room; if no box is the smallest, where any has none.
    blocking = volumes.blocks == all_boxes
    climbed &= (blocking if blocking.any() else volumes.blocks != 0)[owner] & (np.diff(volumes.vertex_start) > 0)
    climbed &= np.abs(planes.normal[volumes.side_plane, 2]) < floor_up
    sides = np.flatnonzero(climbed)
    if not len(sides):
        return Climbed(portals, np.zeros(len(portals), np.int32))

    # A wall is a portal with solid behind it, seen from the open side.
    outward = np.where(solid[portals.back], portals.plane, portals.plane ^ 1)
    walls: dict[int, list[int]] = {int(plane): [] for plane in volumes.side_plane[sides]}
    for row in np.flatnonzero((solid[portals.front] != solid[portals.back]) & np.isin(outward, list(walls))).tolist():
        walls[int(outward[row])].append(row)
    pieces = [[(portals.xyz[portals.vertex_start[i] : portals.vertex_start[i + 1]], 0)] for i in range(len(portals))]
    for side in sides:
        plane = int(volumes.side_plane[side])
        ladder = volumes.xyz[volumes.vertex_start[side] : volumes.vertex_start[side + 1]]
        for row in walls[plane]:
            pieces[row] = [
                made
                for piece, mark in pieces[row]
                for made in (
                    [(piece, mark)] if mark or _apart(piece, ladder) else _cut(piece, ladder, planes.normal[plane])
                )
            ]
    source = np.repeat(np.arange(len(portals)), [len(made) for made in pieces])
    flat = [piece for made in pieces for piece in made]
    cut = Portals(
        plane=portals.plane[source],
        front=portals.front[source],
        back=portals.back[source],
        vertex_start=starts_of(np.array([len(xyz) for xyz, _ in flat])),
        xyz=np.concatenate([xyz for xyz, _ in flat]),
    )
    return Climbed(cut, np.array([mark for _, mark in flat], np.int32))


def _apart(one: Float, other: Float) -> bool:
    """Whether two polygons cannot overlap, by their bounds."""
    return bool((one.min(axis=0) > other.max(axis=0)).any() or (one.max(axis=0) < other.min(axis=0)).any())


def _cut(polygon: Float, ladder: Float, normal: Float) -> list[tuple[Float, int]]:
    """Pieces of a polygon on the plane of a ladder's side: those beside it, then the one on it with a 1."""
    from aascompile.geometry import winding  # few maps have ladders

    beside = []
    inside: Float | None = polygon
    for corner, after in zip(ladder, np.roll(ladder, -1, axis=0), strict=True):
        out = np.cross(after - corner, normal)
        length = norm(out)
        if inside is None or length < tolerances.MIN_EDGE:
            continue
        out /= length
        front, inside = winding.split(inside, out, dot(out, corner), tolerances.CLIP)
        if front is not None:
            beside.append((front, 0))
    if inside is None or winding.area(inside) < tolerances.MIN_AREA:
        return [(polygon, 0)]
    return [*beside, (inside, 1)]
