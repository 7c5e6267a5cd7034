"""Where the ground of an area goes on behind an edge: all traces of a distance and a height at a time."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from aascompile.sampling.ground import GroundEdges
from aascompile.sampling.sample import ANY_PRESENCE, traces
from aascompile.sampling.sample_kernel import AreaTree

STEP = 19.0
ABOVE = 0.125
FLOOR_UP = 0.7
BEYOND = (1.0, 2.5)
NARROW = 0.3


def behind(
    edges: GroundEdges, row: NDArray[np.int64], share: float, tree: AreaTree, distances: tuple[float, ...] = BEYOND
) -> NDArray[np.bool_]:
    """(n,) whether the ground continues behind points of these edges, at a share of their length."""
    point = edges.a[row] + share * (edges.b[row] - edges.a[row])
    found = np.zeros(len(row), np.bool_)
    for beyond, up in itertools.product(distances, (STEP + ABOVE, STEP / 2, STEP / 4, ABOVE)):
        rest = np.flatnonzero(~found)
        top = point[rest] + np.column_stack((beyond * edges.out[row[rest]], np.full(len(rest), up)))
        bottom = top - (0.0, 0.0, up + STEP + ABOVE)
        hit = traces(tree, top, bottom, ANY_PRESENCE)
        floor = (hit.fraction < 1.0) & ~hit.start_solid & (hit.normal[:, 2] >= FLOOR_UP)
        found[rest] = floor & (hit.end_area == edges.area[row[rest]])
    return found
