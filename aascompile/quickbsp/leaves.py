"""The tree of a .bsp: nodes, leaves, and which brushes and surfaces lie in each leaf.

World brushes that are solid and not detail split the tree and close the map, as map compilers have it; everything else
is only listed in the leaves it touches.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.csr import ranges, starts_of
from aascompile.geometry.hull import Hulls
from aascompile.model.contents import Contents
from aascompile.model.mapdata import Float, Index, Int, MapData, Planes
from aascompile.quickbsp.leaves_kernel import LeafTree

MARGIN = 8.0
"""Units of empty space round the world in which outside leaves end."""


@dataclass(frozen=True, slots=True)
class WorldTree:
    """Nodes and leaves of the world."""

    plane: Int
    """(nodes,) even plane id."""
    child: Int
    """(nodes, 2) front, back: ≥ 0 a node, < 0 the leaf −1 − child."""
    node_box: Float
    """(nodes, 6) minima, maxima."""
    leaf_box: Float
    """(leaves, 6)."""
    leaf_inside: NDArray[np.bool_]
    """(leaves,) free and reached from the map's entities."""
    leaf_solid: NDArray[np.bool_]
    """(leaves,) filled by brushes that close the world."""
    brush_start: Index
    """(leaves + 1,) CSR into ``brush``."""
    brush: Int
    """Rows of the brushes in each leaf."""
    _kernel: LeafTree

    def sink(self, start: Index, xyz: Float) -> tuple[Int, Int]:
        """Pairs (item, leaf): the leaves that convex items ``xyz[start[i]:start[i + 1]]`` may touch."""
        self._kernel.sink(start, np.ascontiguousarray(xyz))
        pair = np.array(self._kernel.pair)[: self._kernel.pair_count]
        return pair[:, 0], pair[:, 1]


def world_tree(source: MapData, hulls: Hulls) -> WorldTree:
    """The tree of a map's world; ``hulls`` are those of its brushes."""
    brushes = source.brushes
    closes = (brushes.model == 0) & ((brushes.contents & Contents.SOLID) != 0)
    closes &= (brushes.contents & Contents.DETAIL) == 0
    tree = LeafTree(source.planes.normal, source.planes.dist, tolerances.ON_PLANE, _box(source, hulls))
    tree.build(*_facets(source, hulls, closes))
    tree.connect()
    nodes = tree.node_count
    plane = np.array(tree.plane)[:nodes]
    child = np.array(tree.child)[:nodes]
    leaf_box = np.array(tree.leaf_box)
    leaf_box[~np.isfinite(leaf_box).all(axis=1)] = 0.0

    # Brushes of the world lie in the leaves their corners span; those of models are found through their model.
    corner_start = hulls.vertex_start[brushes.side_start]
    of_world = np.where(brushes.model == 0, np.diff(corner_start), 0)
    tree.sink(*_gather(corner_start, of_world, hulls.xyz))
    pair = np.array(tree.pair)[: tree.pair_count]
    brush, leaf = pair[:, 0], pair[:, 1]

    total = np.array(tree.leaf_sum)
    centre = total[:, :3] / np.maximum(total[:, 3:], 1.0)
    solid = np.zeros(len(leaf_box), np.bool_)
    which = closes[brush]
    held = _holds(source, brush[which], centre[leaf[which]])
    solid[leaf[which][held]] = True

    portal = np.array(tree.portal)[: tree.portal_count]
    inside = _flood(solid, portal, _leaves_of(_starts(source), source.planes, plane, child))
    order = np.argsort(leaf, kind="stable")
    return WorldTree(
        plane=plane,
        child=child,
        node_box=_node_boxes(child, leaf_box),
        leaf_box=leaf_box,
        leaf_inside=inside,
        leaf_solid=solid,
        brush_start=np.searchsorted(leaf[order], np.arange(len(leaf_box) + 1)).astype(np.int64),
        brush=brush[order].astype(np.int32),
        _kernel=tree,
    )


def _box(source: MapData, hulls: Hulls) -> Float:
    """The box of all world brushes, with a margin."""
    bounds = hulls.bounds[(source.brushes.model == 0) & (hulls.bounds[:, 0] <= hulls.bounds[:, 3])]
    if len(bounds) == 0:
        bounds = np.zeros((1, 6))
    return np.concatenate((bounds[:, :3].min(axis=0) - MARGIN, bounds[:, 3:].max(axis=0) + MARGIN))


def _facets(source: MapData, hulls: Hulls, closes: NDArray[np.bool_]) -> tuple[Index, Float, Int]:
    """The polygons of the sides of the chosen brushes: starts, corners, planes."""
    brushes = source.brushes
    of_side = np.repeat(closes, np.diff(brushes.side_start))
    count = np.where(of_side, np.diff(hulls.vertex_start), 0)
    start, xyz = _gather(hulls.vertex_start, count, hulls.xyz)
    return start, xyz, brushes.side_plane


def _gather(start: Index, count: NDArray[np.int64], xyz: Float) -> tuple[Index, Float]:
    """Copies of the first ``count[i]`` rows from ``start[i]`` on, as CSR of their own."""
    return starts_of(count), np.ascontiguousarray(xyz[ranges(start[: len(count)], count)])


def _holds(source: MapData, brush: Int, point: Float) -> NDArray[np.bool_]:
    """(pairs,) whether each brush holds its point."""
    start = source.brushes.side_start
    count = np.diff(start)[brush]
    plane = source.brushes.side_plane[ranges(start[brush], count)]
    over = np.sum(source.planes.normal[plane] * np.repeat(point, count, axis=0), axis=1) > source.planes.dist[plane]
    return np.asarray(np.bincount(np.repeat(np.arange(len(brush)), count), over, minlength=len(brush)) == 0)


def _starts(source: MapData) -> Float:
    """(n, 3) where floods begin: a unit above the origins of point entities, so that what lies on a floor counts."""
    found = [entity.vector("origin") for entity in source.entities[1:] if not entity.get("model").startswith("*")]
    point = np.array([origin for origin in found if origin is not None]).reshape(-1, 3)
    point[:, 2] += 1.0
    return point


def _leaves_of(point: Float, planes: Planes, plane: Int, child: Int) -> Index:
    """(n,) the leaf of each point."""
    node = np.zeros(len(point), np.int64)
    while (walking := np.flatnonzero(node >= 0)).size:
        at = plane[node[walking]]
        behind = np.sum(planes.normal[at] * point[walking], axis=1) < planes.dist[at]
        node[walking] = child[node[walking], behind.astype(np.int64)]
    return -1 - node


def _flood(solid: NDArray[np.bool_], portal: Int, start: Index) -> NDArray[np.bool_]:
    """(leaves,) free leaves reached from the starts; all free leaves when no start is free."""
    ends = np.concatenate((portal, portal[:, ::-1]))
    ends = ends[~solid[ends].any(axis=1)]
    ends = ends[np.argsort(ends[:, 0], kind="stable")]
    first = np.searchsorted(ends[:, 0], np.arange(len(solid) + 1))
    inside = np.zeros(len(solid), np.bool_)
    queue = deque(int(leaf) for leaf in np.unique(start[~solid[start]]))
    if not queue:
        return ~solid
    inside[list(queue)] = True
    while queue:
        leaf = queue.popleft()
        for other in ends[first[leaf] : first[leaf + 1], 1]:
            if not inside[other]:
                inside[other] = True
                queue.append(int(other))
    return inside


def _node_boxes(child: Int, leaf_box: Float) -> Float:
    """(nodes, 6) the boxes round all leaves below; children have higher numbers than their parents."""
    box = np.empty((len(child), 6))
    for node in range(len(child) - 1, -1, -1):
        front, back = (box[c] if c >= 0 else leaf_box[-1 - c] for c in child[node])
        box[node, :3] = np.minimum(front[:3], back[:3])
        box[node, 3:] = np.maximum(front[3:], back[3:])
    return box
