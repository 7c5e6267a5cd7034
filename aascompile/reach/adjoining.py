"""Links between areas that touch: walking over a shared edge of the ground, swimming through a shared face."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.csr import owners_of, rows_of, starts_of, within
from aascompile.geometry.vectors import flat_lengths
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float, Index, Int
from aascompile.player.follow import replay_rows
from aascompile.player.movement import Movement
from aascompile.player.reason import Reason
from aascompile.reach import times
from aascompile.reach.candidates import Candidates
from aascompile.reach.currents import SLOWEST, progress
from aascompile.reach.floors import are_narrow
from aascompile.sampling.ground import GroundEdges
from aascompile.sampling.locate import fall
from aascompile.sampling.sample import areas_at
from aascompile.sampling.sample_kernel import AreaTree

INSIDE: Final = (5.0, 2.0, 1.0, 0.25)
"""Units past an edge where a walk may end. The first point that lies in the target area is taken."""

JUTS: Final = tolerances.PLAN_CONVEX + tolerances.GROUND_CONVEX
"""Units by which a corner of a wall may jut out into an area (see tolerances)."""

BESIDE: Final = 0.25
"""Units beside the ground at which its wall is looked for."""

CLEAR: Final = 0.5
"""Units beyond such a corner where a walk starts."""

NARROW: Final = 4.0
"""Units of mean width below which the ground of an area is a sliver."""

STROKES: Final = (2.0, 1.0, 0.5, 0.25)
"""Units past a face where a swim may end, or past its start less PASSED. The first point in the target is taken."""

ABOVE: Final = 0.125
"""Units above the ground at which the area of a point is looked up."""

STEEP: Final = 0.4
"""Slope, in units down per unit ahead, above which a running player may leave the ground."""

SWIM_DEPTH: Final = 26.0
"""Units below the top of expanded liquid at which a swimmer floats: the waist, 25 units above the feet, is just under
water."""

LOWER: Final = (0.0, 0.5, 0.9)
"""Fractions of the distance from the middle of a face to its bottom at which swimming through it is tried."""

PASSED: Final = 0.75
"""Units past a face where a swim starts. The engine's bots swim to the start, and might circle in front of the face."""

PASSED_LEVEL: Final = (tolerances.SWIM_PAST, 8.0, 4.0, 2.0)
"""The same for swims up or down, through a level face, if the target goes on so far. Bots come to such a face from the
side, at 16 units between two decisions, and would circle about a start that is hardly higher than they are."""

STEEPLY: Final = 0.7
"""Vertical part of the normal of faces that are passed up or down."""

LANE: Final = 256.0
"""Width, in units, of an edge or face for each link across it. With a single link in the middle, every route would make
a detour through that point."""


def walk_links(candidates: Candidates, areas: Areas, edges: GroundEdges, movement: Movement) -> None:
    """Add walk links between areas whose grounds share edges: across the middle of the border that these edges form, or
    at several points of a wide border.

    On a steep edge, such as the bevel of a ledge, a running player might leave the ground. Such links are replayed.
    """
    near, beyond = _pairs(edges)
    if not len(near):
        return
    _, found = _inside(areas, movement, edges.middle[near], edges.out[near], edges.area[beyond], edges.face[beyond])
    near, beyond = near[found], beyond[found]
    order = _along_borders(edges, near, beyond)
    near, beyond = near[order], beyond[order]
    border = edges.area[near].astype(np.int64) * len(areas) + edges.area[beyond]
    rows, lane, share = _lanes(border, edges.length[near])
    row, target, face = near[rows], edges.area[beyond[rows]], edges.face[beyond[rows]]
    start = edges.a[row] + share[:, None] * (edges.b[row] - edges.a[row])
    end, good = _inside(areas, movement, start, edges.out[row], target, face)
    good &= _stays(areas, edges.area[row], target, start, end, movement)
    row = row[good]
    start[good] = _clear(areas, movement, edges, row, start[good])
    add_walks(candidates, areas, movement, edges, row, target[good], start[good], end[good], lane=lane[good])


def _along_borders(edges: GroundEdges, near: Index, beyond: Index) -> Index:
    """Order of pairs of edges by source, target, and position along the border between the two areas."""
    middle, out = edges.middle[near], edges.out[near]
    position = middle[:, 1] * out[:, 0] - middle[:, 0] * out[:, 1]
    return np.lexsort((near, position, edges.area[beyond], edges.area[near]))


def _lanes(border: Index, length: Float) -> tuple[Index, Index, Float]:
    """Lanes over borders. Rows with the same number in ``border (n,)``, one after another, are parts of one border;
    ``length (n,)`` are their lengths. Returns the row of each lane, its number, and its position as a fraction of the
    row's length."""
    _, first = np.unique(border, return_index=True)
    first = np.sort(first)
    stop = np.append(first[1:], len(border))[: len(first)]
    done = np.cumsum(length)
    before = done - length
    whole = done[stop - 1] - before[first]
    count = np.maximum(np.rint(whole / LANE), 1.0).astype(np.int64)
    lane = within(count)
    at = np.repeat(before[first], count) + (lane + 0.5) * np.repeat(whole / count, count)
    row = np.clip(np.searchsorted(done, at, side="right"), np.repeat(first, count), np.repeat(stop - 1, count))
    share = (at - before[row]) / np.maximum(length[row], np.finfo(np.float64).tiny)
    return row, lane, np.clip(share, 0.0, 1.0)


def _stays(areas: Areas, source: Int, target: Int, start: Float, end: Float, movement: Movement) -> NDArray[np.bool_]:
    """Which walks stay on the ground: all but steep ones whose replay falls past the end."""
    drop, far = start[:, 2] - end[:, 2], flat_lengths(end - start)
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
    movement: Movement,
    edges: GroundEdges,
    row: Index,
    target: Int,
    start: Float,
    end: Float,
    **columns: NDArray[Any],
) -> None:
    """Add walk links over the edges ``row``, or crouch links where either area has no room to stand; ``columns`` as for
    ``Candidates.add``."""
    settings, source, face = movement.settings, edges.area[row], edges.face[row]
    columns |= {"face": face, "edge": edges.edge[row]}
    standing = np.uint32(settings.boxes[0].presence)
    low_source = (areas.area_presence[source] & standing) == 0
    low_target = (areas.area_presence[target] & standing) == 0
    time = times.walk(start, end, low_target & ~low_source, settings)
    time = time + times.SLIVER * are_narrow(areas, edges, NARROW)[target]
    for kind, rows in ((Travel.WALK, ~(low_source | low_target)), (Travel.CROUCH, low_source | low_target)):
        own = {name: column[rows] for name, column in columns.items()}
        candidates.add(kind, source[rows], target[rows], start[rows], end[rows], time[rows], **own)


def _clear(areas: Areas, movement: Movement, edges: GroundEdges, row: Index, start: Float) -> Float:
    """(n, 3) where walks over the edges ``row`` start: on the edge, or before it where a corner juts out of the line of
    the edge. A player who runs along that line, straight to a start on it, would stop at the corner for good."""
    area = edges.area[row]
    sizes = np.diff(edges.area_start)[area]
    walk, other = np.repeat(np.arange(len(row)), sizes), rows_of(edges.area_start, area)
    out = edges.out[row[walk]]
    first, second = (((start[walk] - end[other])[:, :2] * out).sum(axis=1) for end in (edges.a, edges.b))
    depth, rise = np.maximum(first, second), np.abs(first - second)
    # Steep: a player slides past a corner with a slope of less than 1 in 2.
    juts = edges.rim[other] & (depth > tolerances.ON_PLANE) & (depth <= JUTS) & (2.0 * rise > edges.length[other])
    # Only walls stop players: nothing but solid is beside the corner, higher than a step.
    walls = np.flatnonzero(juts)
    beside = edges.middle[other[walls]] + np.array((0.0, 0.0, movement.settings.physics.max_step + ABOVE))
    beside[:, :2] += BESIDE * edges.out[other[walls]]
    walls = walls[areas_at(movement.tree, beside) < 0]
    deepest = np.zeros(len(row))
    np.maximum.at(deepest, walk[walls], depth[walls])
    some = np.flatnonzero(deepest > 0)
    back = -edges.out[row[some]] * (deepest[some] + CLEAR)[:, None]
    start = start.copy()
    start[some], _ = _inside(areas, movement, start[some], back, area[some], edges.face[row[some]], (1.0, 0.5))
    return start


def _pairs(edges: GroundEdges) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All ordered pairs of rows with the same edge in the grounds of two areas."""
    order = np.argsort(edges.edge, kind="stable")
    edge = edges.edge[order]
    first, second = [], []
    # An edge rarely belongs to more than two grounds, so comparing each row with the next few is enough.
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
    a, b = np.concatenate(first), np.concatenate(second)
    apart = edges.area[a] != edges.area[b]
    a, b = a[apart], b[apart]
    return np.concatenate([a, b]), np.concatenate([b, a])


def _inside(
    areas: Areas,
    movement: Movement,
    middle: Float,
    out: Float,
    target: Int,
    face: Int,
    distances: Sequence[float] = INSIDE,
) -> tuple[Float, NDArray[np.bool_]]:
    """(n, 3) first point past each edge on the target's ground, ``face (n,)``, or the point on the edge if there is
    none, and whether there is such a point. The ground may go on as much as a step lower, but it may not end."""
    step = movement.settings.physics.max_step
    end = middle.copy()
    found = np.zeros(len(middle), np.bool_)
    normal, dist = areas.planes.normal[areas.face_plane[face]], areas.planes.dist[areas.face_plane[face]]
    for distance in distances:
        rows = np.flatnonzero(~found)
        point = middle[rows].copy()
        point[:, :2] += distance * out[rows]
        point[:, 2] = (dist[rows] - (normal[rows, :2] * point[:, :2]).sum(axis=1)) / normal[rows, 2]
        above = point + np.array((0.0, 0.0, ABOVE))
        there = np.flatnonzero(areas_at(movement.tree, above) == target[rows])
        there = there[fall(movement.tree, above[there], ABOVE + step).fraction < 1.0]
        end[rows[there]] = point[there]
        found[rows[there]] = True
    return end, found


def swim_links(candidates: Candidates, areas: Areas, movement: Movement) -> None:
    """Add swim links between liquid areas that share a face: through a point of the largest such face that is deep
    enough, or through several points of a wide face.

    A link is hard where the player must duck: the engine's bots do not duck while swimming. No link leads against a
    current that carries players back.
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
        start = _past(movement.tree, place, sign * normal, target)
        end = start.copy()
        left = np.arange(len(face))
        for distance in STROKES:
            point = start[left] + sign * (distance - PASSED) * normal[left]
            there = areas_at(movement.tree, point) == target[left]
            end[left[there]] = point[there]
            left = left[~there]
        time = times.swim(low[target] & ~low[source], movement.settings)
        ahead, contents = sign * normal, areas.area_contents
        here, there = (progress(contents[area], ahead, movement.settings.physics) for area in (source, target))
        wide = np.abs(ahead * (areas.area_maxs - areas.area_mins)[source]).sum(axis=1)
        time += times.against_current(wide, here, movement.settings)
        time[(here <= SLOWEST) | (there <= SLOWEST)] = np.inf
        candidates.add(
            Travel.SWIM, source, target, start, end, time, face=face, hard=low[source] | low[target], lane=lane
        )


def _past(tree: AreaTree, place: Float, ahead: Float, target: Int) -> Float:
    """(n, 3) where swims through the points ``place`` of faces start, in the direction ``ahead (n, 3)``."""
    start: Float = place + PASSED * ahead
    for distance in reversed(PASSED_LEVEL):
        rows = np.flatnonzero(np.abs(ahead[:, 2]) > STEEPLY)
        point = place[rows] + distance * ahead[rows]
        there = areas_at(tree, point + PASSED * ahead[rows]) == target[rows]
        start[rows[there]] = point[there]
    return start


def _deep(
    areas: Areas, tree: AreaTree, face: Index, wet: NDArray[np.bool_]
) -> tuple[Index, Index, Float, NDArray[np.bool_]]:
    """Lanes through faces: face and number of each lane, (n, 3) a point as deep as a swimmer floats, preferably the
    middle, and whether there is such a point.

    A player who is less deep stands or sinks, so thin layers at the surface are not linked.
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
    """Cut faces into one slice per lane, side by side: face, lane number, (n, 3) middle and (n, 3) lowest point."""
    corner = areas.vertex[areas.face_vertex[rows_of(areas.face_start, face)]]
    start = starts_of(np.diff(areas.face_start)[face])
    width = (np.maximum.reduceat(corner, start[:-1]) - np.minimum.reduceat(corner, start[:-1]))[:, :2]
    across = np.argmax(width, axis=1)
    row, lane, share = _lanes(np.arange(len(face)), width.max(axis=1))
    middle, bottom = _middles(corner, start)
    middle, bottom = middle[row], bottom[row]
    for k in np.flatnonzero((np.bincount(row) > 1)[row]).tolist():
        i = row[k]
        cut = _crossed(corner[start[i] : start[i + 1]], int(across[i]), float(share[k]))
        middle[k : k + 1], bottom[k : k + 1] = _middles(cut, np.array((0, len(cut))))
    return face[row], lane, middle, bottom


def _middles(corner: Float, start: Index) -> tuple[Float, Float]:
    """(n, 3) means of the corners of polygons, which are not empty; (n, 3) means of their lowest corners."""
    owner = owners_of(start)
    lowest = corner[:, 2] <= np.minimum.reduceat(corner[:, 2], start[:-1])[owner]
    return _means(corner, owner), _means(corner[lowest], owner[lowest])


def _means(points: Float, owner: Index) -> Float:
    """(n, 3) means of the points of each owner, added in their order."""
    sums = np.stack([np.bincount(owner, weights=column) for column in points.T], axis=1)
    means: Float = sums / np.bincount(owner)[:, None]
    return means


def _crossed(corner: Float, axis: int, share: float) -> Float:
    """(n, 3) points where the boundary of a convex polygon crosses a given fraction of its width along an axis."""
    low, high = corner[:, axis].min(), corner[:, axis].max()
    before, after = corner[:, axis] - (low + share * (high - low)), np.roll(corner, -1, axis=0)
    beyond = np.roll(before, -1)
    crosses = (before < 0.0) != (beyond < 0.0)
    part = before[crosses] / (before - beyond)[crosses]
    at: Float = corner[crosses] + part[:, None] * (after - corner)[crosses]
    return at
