"""Fans of lines from many points: how far each line is free. ``fan_kernel`` follows them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.distinct import distinct
from aascompile.model.mapdata import Float, Int
from aascompile.records import dataclass
from aascompile.sampling.fan_kernel import Fan
from aascompile.sampling.sample_kernel import AreaTree

FREE = -2
"""Leaf in which the box has room."""
BLOCKED = -1
"""Leaf in which it has none."""


@dataclass(frozen=True, slots=True)
class FanTree:
    """The tree of areas for one box: nodes below which all leaves are free, or all are not, are leaves themselves."""

    node: Float
    """(n, 4) planes: normal and distance."""
    child: Int
    """(n, 2) front and back child; FREE or BLOCKED."""
    axis: Int
    """(n,) 0, 1 or 2 if the plane is perpendicular to that axis; 3 if it is slanted."""
    root: int
    depth: int


def fan_tree(tree: AreaTree, presence: int) -> FanTree:
    """The tree for boxes of some presence."""
    child = np.asarray(tree.node_child)
    room = np.asarray(tree.presence) & np.uint32(presence) != 0
    # By node: bit 1: there are free leaves below it; bit 2: there are others. The last rows are those of leaves.
    kind: NDArray[np.uint8] = np.zeros(len(child), np.uint8)
    of_leaf = np.concatenate([[2], np.where(room, 1, 2)]).astype(np.uint8)

    def kinds(nodes: NDArray[np.int32]) -> NDArray[np.uint8]:
        return np.where(nodes >= 0, kind[nodes], of_leaf[np.maximum(-1 - nodes, 0)])

    for level in reversed(_levels(child, tree.root)):
        kind[level] = kinds(child[level, 0]) | kinds(child[level, 1])
    kept = np.flatnonzero(kind == 3)
    number = np.full(len(child), -1, np.int32)
    number[kept] = np.arange(len(kept), dtype=np.int32)

    def numbers(nodes: NDArray[np.int32]) -> NDArray[np.int32]:
        found = kinds(nodes)
        inner = number[np.maximum(nodes, 0)]
        return np.where(found == 3, inner, np.where(found == 1, FREE, BLOCKED)).astype(np.int32)

    node = np.asarray(tree.node)[kept]
    straight = (node[:, :3] != 0.0).sum(axis=1) == 1
    axis = np.where(straight, np.abs(node[:, :3]).argmax(axis=1), 3).astype(np.int32)
    made = np.stack([numbers(child[kept, 0]), numbers(child[kept, 1])], axis=1)
    root = int(numbers(np.array([tree.root], np.int32))[0])
    return FanTree(np.ascontiguousarray(node), np.ascontiguousarray(made), axis, root, tree.depth)


def _levels(child: NDArray[np.int32], root: int) -> list[NDArray[np.int32]]:
    """Nodes of the tree, level by level."""
    levels = [np.array([root], np.int32)] if root >= 0 else []
    while levels and len(levels[-1]):
        below = child[levels[-1]].reshape(-1)
        levels.append(distinct(below[below >= 0]))
    return levels


def fan_of(tree: FanTree, offsets: Float) -> Fan:
    """A fan with lines to ``offsets (lines, 3)`` from each point, for use by one thread."""
    return Fan(tree, offsets, tolerances.STOP_BEFORE)
