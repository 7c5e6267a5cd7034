"""Plain walks of the tree: leaves as the planes on their paths, and points located one by one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile.model.mapdata import Planes
from aascompile.model.tree import Tree


def paths(tree: Tree) -> list[list[int]]:
    """For each leaf, the outward planes that bound it, from the root down. Fails if a leaf occurs twice or never."""
    found: dict[int, list[int]] = {}
    stack: list[tuple[int, list[int]]] = [(0, [])]
    while stack:
        at, planes = stack.pop()
        if at < 0:
            assert -1 - at not in found, "a leaf hangs on two nodes"
            found[-1 - at] = planes
            continue
        plane, front, back = (int(n) for n in tree.node[at])
        assert front < 0 or front > at
        assert back < 0 or back > at
        stack += [(front, [*planes, plane ^ 1]), (back, [*planes, plane])]
    assert sorted(found) == list(range(tree.leaves))
    return [found[leaf] for leaf in range(tree.leaves)]


def locate(planes: Planes, tree: Tree, points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Leaf of each point."""
    out = np.empty(len(points), np.int64)
    for row, point in enumerate(points):
        at = 0
        while at >= 0:
            plane, front, back = tree.node[at]
            at = int(front if planes.normal[plane] @ point >= planes.dist[plane] else back)
        out[row] = -1 - at
    return out
