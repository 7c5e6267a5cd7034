"""Ways between areas that touch: walking over a shared edge of level ground, swimming through a shared face."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.geometry.ragged import owners_of
from aascompile.geometry.sample import areas_at
from aascompile.geometry.sample_kernel import AreaTree
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float, Index, Int
from aascompile.reach.candidates import Candidates
from aascompile.reach.follow import follow_ways
from aascompile.reach.ground import GroundEdges
from aascompile.reach.movement import Movement
from aascompile.reach.why import Why
from aascompile.settings import Settings

INSIDE: Final = (5.0, 2.0, 1.0, 0.25)
"""Units past an edge where a way may end, the first that lies in the target area."""

STROKES: Final = (2.0, 1.0, 0.5, 0.25)
"""Units past a face where a swim may end, the first that lies in the target area."""

ABOVE: Final = 0.125
"""Units above the ground where a point is looked for."""

STEEP: Final = 0.4
"""Units down for each unit ahead from which on a runner may leave the ground."""

SWIM_DEPTH: Final = 26.0
"""Units below the top of grown liquid where a swimmer floats: the waist, 25 above the feet, is just in the water."""

LOWER: Final = (0.0, 0.5, 0.9)
"""Shares of the way from the middle of a face to its bottom where swimming through it is tried."""

BEFORE: Final = 0.1
"""Units before an edge where a way begins, as in the engine's files."""


def walk_links(candidates: Candidates, areas: Areas, edges: GroundEdges, movement: Movement) -> None:
    """Areas whose grounds meet in an edge: over the middle of the longest edge behind which the other area lies.

    Where that is steep, as on the bevel of a ledge, one might fly over it: such ways are tried.
    """
    tree, settings = movement.tree, movement.settings
    one, other = _pairs(edges)
    middle, out, target = edges.middle[one], edges.out[one], edges.area[other]
    end, found = _inside(areas, tree, middle, out, target, edges.face[other])
    order = np.lexsort((one, -edges.length[one], target, edges.area[one]))
    order = order[found[order]]
    code = edges.area[one[order]].astype(np.int64) * len(areas) + target[order]
    _, first = np.unique(code, return_index=True)
    rows = order[first]
    start = middle[rows].copy()
    start[:, :2] -= BEFORE * out[rows]
    stays = _stays(areas, edges.area[one[rows]], target[rows], start, end[rows], movement)
    rows, start = rows[stays], start[stays]
    row = one[rows]
    add_walks(
        candidates, areas, edges.area[row], target[rows], start, end[rows], edges.face[row], edges.edge[row], settings
    )


def _stays(areas: Areas, source: Int, target: Int, start: Float, end: Float, movement: Movement) -> NDArray[np.bool_]:
    """Which ways keep to the ground: all but steep ones on which a replay falls past the end."""
    drop, far = start[:, 2] - end[:, 2], np.hypot(*(end - start)[:, :2].T)
    steep = np.flatnonzero(drop > STEEP * far)
    number = np.column_stack((source[steep], target[steep], np.full(len(steep), Travel.WALK))).astype(np.int32)
    place = np.hstack((start[steep], end[steep], np.zeros((len(steep), 3))))
    found, where = follow_ways(areas, movement, number, place)
    good = np.ones(len(source), np.bool_)
    good[steep] = (found[:, 0] == Why.ARRIVES) | (where[:, 2] > end[steep, 2] - movement.settings.physics.max_step)
    return good


def add_walks(
    candidates: Candidates,
    areas: Areas,
    source: Int,
    target: Int,
    start: Float,
    end: Float,
    face: Int,
    edge: Int,
    settings: Settings,
) -> None:
    """Walk links, or crouch links where either area has no room to stand."""
    standing = np.uint32(settings.boxes[0].presence)
    low_source = (areas.area_presence[source] & standing) == 0
    low_target = (areas.area_presence[target] & standing) == 0
    time = 1.0 + settings.costs.start_crouch * (low_target & ~low_source)
    for kind, rows in ((Travel.WALK, ~(low_source | low_target)), (Travel.CROUCH, low_source | low_target)):
        candidates.add(
            kind, source[rows], target[rows], start[rows], end[rows], time[rows], face=face[rows], edge=edge[rows]
        )


def _pairs(edges: GroundEdges) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All ordered pairs of rows that are one edge of the grounds of two areas."""
    order = np.argsort(edges.edge, kind="stable")
    edge = edges.edge[order]
    first, second = [], []
    # An edge rarely belongs to more than two grounds; compare each with the next few of the same edge.
    for step in range(1, 8):
        if step >= len(order):
            break
        same = np.flatnonzero(edge[:-step] == edge[step:])
        if not len(same):
            break
        first.append(order[same])
        second.append(order[same + step])
    if not first:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    one, other = np.concatenate(first), np.concatenate(second)
    apart = edges.area[one] != edges.area[other]
    one, other = one[apart], other[apart]
    return np.concatenate([one, other]), np.concatenate([other, one])


def _inside(
    areas: Areas, tree: AreaTree, middle: Float, out: Float, target: Int, face: Int
) -> tuple[Float, NDArray[np.bool_]]:
    """(n, 3) the first point past each edge on the target's ground, ``face (n,)``; and whether there is one."""
    end = middle.copy()
    found = np.zeros(len(middle), np.bool_)
    normal, dist = areas.planes.normal[areas.face_plane[face]], areas.planes.dist[areas.face_plane[face]]
    for distance in INSIDE:
        rows = np.flatnonzero(~found)
        point = middle[rows].copy()
        point[:, :2] += distance * out[rows]
        point[:, 2] = (dist[rows] - (normal[rows, :2] * point[:, :2]).sum(axis=1)) / normal[rows, 2]
        there = areas_at(tree, point + np.array((0.0, 0.0, ABOVE))) == target[rows]
        end[rows[there]] = point[there]
        found[rows[there]] = True
    return end, found


def swim_links(candidates: Candidates, areas: Areas, movement: Movement) -> None:
    """Liquid areas that share a face, through a place of the largest such face where one can swim.

    It is hard where one has to duck: the engine's bots do not when they swim.
    """
    wet = (areas.area_flags & np.uint32(AreaFlag.LIQUID)) != 0
    low = (areas.area_presence & np.uint32(movement.settings.boxes[0].presence)) == 0
    both = (areas.face_front >= 0) & (areas.face_back >= 0)
    face = np.flatnonzero(both & wet[np.maximum(areas.face_front, 0)] & wet[np.maximum(areas.face_back, 0)])
    if not len(face):
        return
    place, found = _deep(areas, movement.tree, face, wet)
    face, place = face[found], place[found]
    normal = areas.planes.normal[areas.face_plane[face]]
    for source, target, sign in (
        (areas.face_front[face], areas.face_back[face], -1.0),
        (areas.face_back[face], areas.face_front[face], 1.0),
    ):
        start, end = place - sign * 0.5 * normal, place.copy()
        left = np.arange(len(face))
        for distance in STROKES:
            point = place[left] + sign * distance * normal[left]
            there = areas_at(movement.tree, point) == target[left]
            end[left[there]] = point[there]
            left = left[~there]
        candidates.add(Travel.SWIM, source, target, start, end, 1.0, face=face, hard=low[source] | low[target])


def _deep(areas: Areas, tree: AreaTree, face: Index, wet: NDArray[np.bool_]) -> tuple[Float, NDArray[np.bool_]]:
    """(n, 3) a place of each face as deep as a swimmer floats, the middle if it will do; and whether there is one.

    Whoever is less deep stands, or sinks: thin layers at the surface are no way.
    """
    owner = owners_of(areas.face_start)
    corner = areas.vertex[areas.face_vertex]
    count = np.diff(areas.face_start)
    middle = np.zeros((len(count), 3))
    np.add.at(middle, owner, corner)
    middle /= count[:, None]
    lowest = np.minimum.reduceat(corner[:, 2], areas.face_start[:-1])
    low = corner[:, 2] <= lowest[owner]
    bottom = np.zeros((len(count), 3))
    np.add.at(bottom, owner[low], corner[low])
    bottom /= np.bincount(owner[low], minlength=len(count))[:, None]
    place = middle[face].copy()
    found = np.zeros(len(face), np.bool_)
    for share in LOWER:
        rows = np.flatnonzero(~found)
        point = (1.0 - share) * middle[face[rows]] + share * bottom[face[rows]]
        above = areas_at(tree, point + np.array((0.0, 0.0, SWIM_DEPTH)))
        deep = (above < 0) | wet[np.maximum(above, 0)]
        place[rows[deep]], found[rows[deep]] = point[deep], True
    return place, found
