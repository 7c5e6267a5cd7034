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
from aascompile.model.mapdata import Float, Int
from aascompile.reach.candidates import Candidates
from aascompile.reach.ground import GroundEdges
from aascompile.settings import Settings

INSIDE: Final = (5.0, 2.0, 1.0, 0.25)
"""Units past an edge where a way may end, the first that lies in the target area."""

BEFORE: Final = 0.1
"""Units before an edge where a way begins, as in the engine's files."""


def walk_links(candidates: Candidates, areas: Areas, edges: GroundEdges, tree: AreaTree, settings: Settings) -> None:
    """Areas whose grounds meet in an edge: over the middle of the longest edge they share."""
    one, other = _pairs(edges)
    longest = np.lexsort((one, -edges.length[one], edges.area[other], edges.area[one]))
    one, other = one[longest], other[longest]
    code = edges.area[one].astype(np.int64) * len(areas) + edges.area[other]
    _, first = np.unique(code, return_index=True)
    one, other = one[first], other[first]
    over_edges(candidates, areas, edges, one, edges.area[other], tree, settings)


def over_edges(
    candidates: Candidates,
    areas: Areas,
    edges: GroundEdges,
    rows: NDArray[np.int64],
    target: Int,
    tree: AreaTree,
    settings: Settings,
) -> None:
    """Walk links over the middles of edges to areas behind them."""
    middle, out = edges.middle[rows], edges.out[rows]
    start, end = middle.copy(), middle.copy()
    start[:, :2] -= BEFORE * out
    end[:, :2] = _inside(tree, middle, out, target)
    source = edges.area[rows]
    add_walks(candidates, areas, source, target, start, end, edges.face[rows], edges.edge[rows], settings)


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


def _inside(tree: AreaTree, middle: Float, out: Float, target: Int) -> Float:
    """(n, 2) the first point past each edge that lies in the target area; the edge itself when none does."""
    end = middle[:, :2].copy()
    open_rows = np.arange(len(middle))
    for distance in INSIDE:
        point = middle[open_rows].copy()
        point[:, :2] += distance * out[open_rows]
        point[:, 2] += 0.125
        found = areas_at(tree, point) == target[open_rows]
        end[open_rows[found]] = point[found, :2]
        open_rows = open_rows[~found]
        if not len(open_rows):
            break
    return end


def swim_links(candidates: Candidates, areas: Areas) -> None:
    """Liquid areas that share a face, through the middle of the largest such face."""
    wet = (areas.area_flags & np.uint32(AreaFlag.LIQUID)) != 0
    both = (areas.face_front >= 0) & (areas.face_back >= 0)
    face = np.flatnonzero(both & wet[np.maximum(areas.face_front, 0)] & wet[np.maximum(areas.face_back, 0)])
    if not len(face):
        return
    owner = owners_of(areas.face_start)
    middle = np.zeros((len(areas.face_plane), 3))
    np.add.at(middle, owner, areas.vertex[areas.face_vertex])
    middle /= np.diff(areas.face_start)[:, None]
    middle = middle[face]
    normal = areas.planes.normal[areas.face_plane[face]]
    for source, target, sign in (
        (areas.face_front[face], areas.face_back[face], -1.0),
        (areas.face_back[face], areas.face_front[face], 1.0),
    ):
        candidates.add(
            Travel.SWIM, source, target, middle - sign * 0.5 * normal, middle + sign * 2.0 * normal, 1.0, face=face
        )
