"""The edges of the ground, where all links between nearby floors begin and end (thesis §6.4)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import owners_of, rows_of, starts_of
from aascompile.geometry.vectors import flat_lengths
from aascompile.model.areas import Areas, FaceFlag
from aascompile.model.mapdata import Float, Index, Int
from aascompile.records import dataclass
from aascompile.sampling.sample import lent_sampler
from aascompile.sampling.sample_kernel import AreaTree, ground_behind
from aascompile.settings import Physics
from aascompile.threads import over_ranges

SHARES: Final = (0.02, 0.25, 0.5, 0.75, 0.98)
"""Fractions of an edge's length at which the ground behind it is looked for."""

BEYOND: Final = (1.0, 2.5)
"""Units behind an edge at which ground is looked for that players run on to."""

NARROW: Final = 0.3
"""Units behind an edge at which any ground is looked for: the treads of a stair may be narrower than BEYOND."""

ABOVE: Final = 0.125
"""Units above a step at which that begins: players stand so far above the ground."""

CHUNK: Final = 1024
"""Edges that a thread looks behind at a time."""


@dataclass(frozen=True, slots=True)
class GroundEdges:
    """Edges of ground faces, sorted by area. Seen from above, the ground lies to the left of a → b."""

    area: Int
    """(n,) area whose ground it is."""
    face: Int
    """(n,) ground face."""
    edge: Int
    """(n,) edge."""
    a: Float
    """(n, 3) player origin at its first end."""
    b: Float
    """(n, 3) player origin at its second end."""
    out: Float
    """(n, 2) horizontal unit vector away from the ground; 0 for a vertical edge."""
    rim: NDArray[np.bool_]
    """(n,) whether no other ground face of the same area continues behind it."""
    area_start: Index
    """(areas + 1,) CSR."""

    def __len__(self) -> int:
        return len(self.area)

    @property
    def middle(self) -> Float:
        """(n, 3) middles of the edges."""
        return (self.a + self.b) / 2

    @property
    def length(self) -> Float:
        """(n,) horizontal lengths."""
        return flat_lengths(self.b - self.a)


def ground_edges(areas: Areas) -> GroundEdges:
    """All edges of all ground faces."""
    ground = np.flatnonzero((areas.face_flags & np.uint32(FaceFlag.GROUND)) != 0)
    owner = np.where(areas.face_front[ground] >= 0, areas.face_front[ground], areas.face_back[ground])
    ground = ground[np.lexsort((ground, owner))]
    from_back = areas.face_front[ground] < 0
    area = np.where(from_back, areas.face_back[ground], areas.face_front[ground])
    sizes = np.diff(areas.face_start)[ground]
    rows = rows_of(areas.face_start, ground)
    start = starts_of(sizes)
    follower = np.arange(1, len(rows) + 1)
    follower[start[1:] - 1] = start[:-1]
    which = owners_of(start)
    first, second = areas.face_vertex[rows], areas.face_vertex[rows][follower]
    swap = from_back[which]
    a = areas.vertex[np.where(swap, second, first)]
    b = areas.vertex[np.where(swap, first, second)]
    along = (b - a)[:, :2]
    length = flat_lengths(along)
    flat = length > 0
    out = np.zeros((len(rows), 2))
    out[flat, 0] = along[flat, 1] / length[flat]
    out[flat, 1] = -along[flat, 0] / length[flat]
    edge = areas.face_edge[rows]
    edge_area = area[which]
    code = edge_area.astype(np.int64) * len(areas.edge) + edge
    _, inverse, uses = np.unique(code, return_inverse=True, return_counts=True)
    return GroundEdges(
        area=edge_area.astype(np.int32),
        face=ground[which].astype(np.int32),
        edge=edge,
        a=a,
        b=b,
        out=out,
        rim=uses[inverse.reshape(-1)] == 1,
        area_start=starts_of(np.bincount(edge_area, minlength=len(areas))),
    )


def going_on(edges: GroundEdges, row: Index, tree: AreaTree, physics: Physics) -> tuple[Float, NDArray[np.bool_]]:
    """(k, n, 3) points along these edges; (k, n) whether the same area's ground continues behind each, at most a step
    higher or lower, however narrow."""
    beyond = (*BEYOND, NARROW)
    point, found = zip(*(_behind(edges, row, share, tree, physics, beyond) for share in SHARES), strict=True)
    return np.stack(point), np.stack(found)


def inner_edges(edges: GroundEdges, row: Index, tree: AreaTree, physics: Physics, threads: int = 1) -> Index:
    """Those of these edges behind which the same area's ground continues everywhere."""
    for share in SHARES:
        row = row[_behind(edges, row, share, tree, physics, BEYOND, threads)[1]]
    return row


def _behind(
    edges: GroundEdges,
    row: Index,
    share: float,
    tree: AreaTree,
    physics: Physics,
    beyond: tuple[float, ...],
    threads: int = 1,
) -> tuple[Float, NDArray[np.bool_]]:
    """(n, 3) the points at a share of the length of these edges; (n,) whether the ground continues behind them."""
    a = edges.a[row]
    point = a + share * (edges.b[row] - a)
    found = np.empty(len(row), np.uint8)
    # Under a low ceiling the trace must begin lower, but above a step up.
    up = np.array((physics.max_step + ABOVE, 0.5 * physics.max_step, 0.25 * physics.max_step, ABOVE))
    out, area, distance = edges.out[row], edges.area[row], np.array(beyond)

    def work(first: int, last: int) -> None:
        with lent_sampler(tree) as sampler:
            down = physics.max_step + ABOVE
            ground_behind(sampler, point, out, area, distance, up, down, physics.floor_up, first, last, found)

    over_ranges(work, len(row), CHUNK, threads)
    return point, found.view(np.bool_)
