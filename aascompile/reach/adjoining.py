"""Ways between areas that touch: walking over a shared edge of level ground, swimming through a shared face."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import within
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float, Index, Int
from aascompile.player.follow import replay_rows
from aascompile.player.movement import Movement
from aascompile.player.reason import Reason
from aascompile.reach import times
from aascompile.reach.candidates import Candidates
from aascompile.reach.ground import GroundEdges
from aascompile.sampling.sample import areas_at
from aascompile.sampling.sample_kernel import AreaTree
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

PASSED: Final = 0.75
"""Units past a face where a swim begins: the engine's bots swim to the start, and might circle before the face."""

LANE: Final = 256.0
"""Units of a wide edge or face for each way over or through it: with one in its middle alone, all would have to go
there first."""


def walk_links(candidates: Candidates, areas: Areas, edges: GroundEdges, movement: Movement) -> None:
    """Areas whose grounds meet in edges: over the middle of the border, or in several places if it is wide.

    Where the border is steep, as on the bevel of a ledge, a runner might fly over it: such links are tried.
    """
    tree, settings = movement.tree, movement.settings
    one, other = _pairs(edges)
    _, found = _inside(areas, tree, edges.middle[one], edges.out[one], edges.area[other], edges.face[other])
    one, other = one[found], other[found]
    order = _along_borders(edges, one, other)
    pair = edges.area[one[order]].astype(np.int64) * len(areas) + edges.area[other[order]]
    rows, lane, share = _lanes(pair, edges.length[one[order]])
    row, target, face = one[order[rows]], edges.area[other[order[rows]]], edges.face[other[order[rows]]]
    start = edges.a[row] + share[:, None] * (edges.b[row] - edges.a[row])
    end, good = _inside(areas, tree, start, edges.out[row], target, face)
    good &= _stays(areas, edges.area[row], target, start, end, movement)
    row = row[good]
    add_walks(
        candidates, areas, edges.area[row], target[good], start[good], end[good], edges.face[row], edges.edge[row],
        settings, lane=lane[good],
    )  # fmt: skip


def _along_borders(edges: GroundEdges, one: Index, other: Index) -> Index:
    """Order of pairs of edges by source, target, and place along the border between the two."""
    middle, out = edges.middle[one], edges.out[one]
    # Along a straight border all edges have one direction; round a corner the order is arbitrary, but fixed.
    place = middle[:, 1] * out[:, 0] - middle[:, 0] * out[:, 1]
    return np.lexsort((one, place, edges.area[other], edges.area[one]))


def _lanes(border: Index, length: Float) -> tuple[Index, Index, Float]:
    """Places for links over borders, each a run of equal numbers in ``border (n,)`` with the ``length (n,)`` of its parts.

    As many as fit side by side over a border: the row, the number of the lane, and the share of the row's length.
    """
    number, first = np.unique(border, return_index=True)
    stop = np.append(first[1:], len(border))
    done = np.cumsum(length)
    before = (done - length)[first]
    whole = done[stop - 1] - before
    count = np.maximum(np.rint(whole / LANE), 1.0).astype(np.int64)
    lane = within(count)
    at = np.repeat(before, count) + (lane + 0.5) / np.repeat(count, count) * np.repeat(whole, count)
    row = np.clip(np.searchsorted(done, at, side="right"), np.repeat(first, count), np.repeat(stop, count) - 1)
    share = (at - (done - length)[row]) / np.maximum(length[row], np.finfo(np.float64).tiny)
    return row, lane, np.clip(share, 0.0, 1.0)


def _stays(areas: Areas, source: Int, target: Int, start: Float, end: Float, movement: Movement) -> NDArray[np.bool_]:
    """Which ways keep to the ground: all but steep ones on which a replay falls past the end."""
    drop, far = start[:, 2] - end[:, 2], np.hypot(*(end - start)[:, :2].T)
    steep = np.flatnonzero(drop > STEEP * far)
    number = np.column_stack((source[steep], target[steep], np.full(len(steep), Travel.WALK))).astype(np.int32)
    place = np.hstack((start[steep], end[steep], np.zeros((len(steep), 3))))
    found, where = replay_rows(areas, movement, number, place)
    good = np.ones(len(source), np.bool_)
    good[steep] = (found[:, 0] == Reason.ARRIVES) | (where[:, 2] > end[steep, 2] - movement.settings.physics.max_step)
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
    hard: NDArray[np.bool_] | None = None,
    lane: Index | None = None,
) -> None:
    """Walk links, or crouch links where either area has no room to stand."""
    standing = np.uint32(settings.boxes[0].presence)
    low_source = (areas.area_presence[source] & standing) == 0
    low_target = (areas.area_presence[target] & standing) == 0
    time = times.walk(start, end, low_target & ~low_source, settings)
    for kind, rows in ((Travel.WALK, ~(low_source | low_target)), (Travel.CROUCH, low_source | low_target)):
        candidates.add(
            kind, source[rows], target[rows], start[rows], end[rows], time[rows], face=face[rows], edge=edge[rows],
            hard=False if hard is None else hard[rows],
            lane=0 if lane is None else lane[rows],
        )  # fmt: skip


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
    """Liquid areas that share a face, through a place of the largest such face where one can swim, or several if it is
    wide.

    It is hard where one has to duck: the engine's bots do not when they swim.
    """
    wet = (areas.area_flags & np.uint32(AreaFlag.LIQUID)) != 0
    low = (areas.area_presence & np.uint32(movement.settings.boxes[0].presence)) == 0
    both = (areas.face_front >= 0) & (areas.face_back >= 0)
    face = np.flatnonzero(both & wet[np.maximum(areas.face_front, 0)] & wet[np.maximum(areas.face_back, 0)])
    if not len(face):
        return
    face, lane, place, found = _deep(areas, movement.tree, face, wet)
    face, lane, place = face[found], lane[found], place[found]
    normal = areas.planes.normal[areas.face_plane[face]]
    for source, target, sign in (
        (areas.face_front[face], areas.face_back[face], -1.0),
        (areas.face_back[face], areas.face_front[face], 1.0),
    ):
        start, end = place + sign * PASSED * normal, place.copy()
        left = np.arange(len(face))
        for distance in STROKES:
            point = place[left] + sign * distance * normal[left]
            there = areas_at(movement.tree, point) == target[left]
            end[left[there]] = point[there]
            left = left[~there]
        time = times.swim(low[target] & ~low[source], movement.settings)
        candidates.add(
            Travel.SWIM, source, target, start, end, time, face=face, hard=low[source] | low[target], lane=lane
        )


def _deep(
    areas: Areas, tree: AreaTree, face: Index, wet: NDArray[np.bool_]
) -> tuple[Index, Index, Float, NDArray[np.bool_]]:
    """Ways through faces: the face and number of each, (n, 3) a place as deep as a swimmer floats, the middle if it
    will do, and whether there is one.

    Whoever is less deep stands, or sinks: thin layers at the surface are no way.
    """
    rows, lane, middle, bottom = _slices(areas, face)
    place = middle.copy()
    found = np.zeros(len(rows), np.bool_)
    for share in LOWER:
        left = np.flatnonzero(~found)
        point = (1.0 - share) * middle[left] + share * bottom[left]
        above = areas_at(tree, point + np.array((0.0, 0.0, SWIM_DEPTH)))
        deep = (above < 0) | wet[np.maximum(above, 0)]
        place[left[deep]], found[left[deep]] = point[deep], True
    return rows, lane, place, found


def _slices(areas: Areas, face: Index) -> tuple[Index, Index, Float, Float]:
    """Faces side by side in as many slices as ways fit through: face, number, (n, 3) middle, (n, 3) lowest point."""
    corners = [areas.vertex[areas.face_vertex[areas.face_start[one] : areas.face_start[one + 1]]] for one in face]
    width = np.array([np.ptp(one[:, :2], axis=0) for one in corners])
    across = np.argmax(width, axis=1)
    row, lane, share = _lanes(np.arange(len(face)), width.max(axis=1))
    middle, bottom = np.empty((len(row), 3)), np.empty((len(row), 3))
    alone = np.bincount(row) == 1
    for k, one in enumerate(row.tolist()):
        cut = corners[one] if alone[one] else _crossed(corners[one], int(across[one]), float(share[k]))
        lowest = cut[cut[:, 2] <= cut[:, 2].min()]
        middle[k], bottom[k] = cut.mean(axis=0), lowest.mean(axis=0)
    return face[row], lane, middle, bottom


def _crossed(corner: Float, axis: int, share: float) -> Float:
    """(n, 3) where the boundary of a convex polygon crosses a share of its width along an axis."""
    low, high = corner[:, axis].min(), corner[:, axis].max()
    before, after = corner[:, axis] - (low + share * (high - low)), np.roll(corner, -1, axis=0)
    beyond = np.roll(before, -1)
    crosses = (before < 0.0) != (beyond < 0.0)
    part = before[crosses] / (before - beyond)[crosses]
    at: Float = corner[crosses] + part[:, None] * (after - corner)[crosses]
    return at
