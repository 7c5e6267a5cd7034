"""BSP tree of a .bsp file: nodes, leaves, and the brushes and surfaces in each leaf.

As in the map compilers, solid world brushes that are not detail split the tree and seal the map. All other brushes are
only listed in the leaves that they touch.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.csr import ranges, starts_of
from aascompile.distinct import distinct
from aascompile.geometry.hull import Hulls
from aascompile.graph.flood import flood
from aascompile.model.contents import Contents
from aascompile.model.mapdata import Float, Index, Int, MapData, Planes
from aascompile.quickbsp.leaves_kernel import LeafTree
from aascompile.records import dataclass

MARGIN = 8.0
"""Units of empty space around the world, where the outside leaves end."""


@dataclass(frozen=True, slots=True)
class WorldTree:
    """Nodes and leaves of the world."""

    plane: Int
    """(nodes,) even plane id."""
    child: Int
    """(nodes, 2) front and back child: a node if ≥ 0, otherwise leaf −1 − child."""
    node_box: Float
    """(nodes, 6) minima, maxima."""
    leaf_box: Float
    """(leaves, 6)."""
    leaf_inside: NDArray[np.bool_]
    """(leaves,) whether the leaf is open and reachable from the map's entities."""
    leaf_solid: NDArray[np.bool_]
    """(leaves,) whether brushes that seal the world fill the leaf."""
    brush_start: Index
    """(leaves + 1,) CSR into ``brush``."""
    brush: Int
    """Rows of the brushes in each leaf."""
    _kernel: LeafTree

    def sink(self, start: Index, xyz: Float) -> tuple[Int, Int]:
        """Pairs (item, leaf) of the leaves that each convex item ``xyz[start[i]:start[i + 1]]`` may touch."""
        self._kernel.sink(start, np.ascontiguousarray(xyz))
        pair = np.array(self._kernel.pair)[: self._kernel.pair_count]
        return pair[:, 0], pair[:, 1]


def world_tree(source: MapData, hulls: Hulls) -> WorldTree:
    """Build the tree of a map's world. ``hulls`` are the hulls of its brushes."""
    brushes = source.brushes
    seals = (brushes.model == 0) & ((brushes.contents & Contents.SOLID) != 0)
    seals &= (brushes.contents & Contents.DETAIL) == 0
    tree = LeafTree(source.planes.normal, source.planes.dist, tolerances.ON_PLANE, _box(source, hulls))
    tree.build(*_facets(source, hulls, seals))
    tree.connect()
    nodes = tree.node_count
    plane = np.array(tree.plane)[:nodes]
    child = np.array(tree.child)[:nodes]
    leaf_box = np.array(tree.leaf_box)
    leaf_box[~np.isfinite(leaf_box).all(axis=1)] = 0.0

    # Leaves list only world brushes. The engine finds the others through their model.
    corner_start = hulls.vertex_start[brushes.side_start]
    of_world = np.where(brushes.model == 0, np.diff(corner_start), 0)
    tree.sink(*_gather(corner_start, of_world, hulls.xyz))
    pair = np.array(tree.pair)[: tree.pair_count]
    brush, leaf = pair[:, 0], pair[:, 1]

    total = np.array(tree.leaf_sum)
    centre = total[:, :3] / np.maximum(total[:, 3:], 1.0)
    solid = np.zeros(len(leaf_box), np.bool_)
    sealing = seals[brush]
    filled = _contains(source, brush[sealing], centre[leaf[sealing]])
    solid[leaf[sealing][filled]] = True

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
    """Bounds of all world brushes, plus a margin."""
    bounds = hulls.bounds[(source.brushes.model == 0) & (hulls.bounds[:, 0] <= hulls.bounds[:, 3])]
    if len(bounds) == 0:
        bounds = np.zeros((1, 6))
    return np.concatenate((bounds[:, :3].min(axis=0) - MARGIN, bounds[:, 3:].max(axis=0) + MARGIN))


def _facets(source: MapData, hulls: Hulls, seals: NDArray[np.bool_]) -> tuple[Index, Float, Int]:
    """Starts, corners and planes of the sides of the brushes that seal the world. Other sides have no corners."""
    brushes = source.brushes
    of_side = np.repeat(seals, np.diff(brushes.side_start))
    count = np.where(of_side, np.diff(hulls.vertex_start), 0)
    start, xyz = _gather(hulls.vertex_start, count, hulls.xyz)
    return start, xyz, brushes.side_plane


def _gather(start: Index, count: NDArray[np.int64], xyz: Float) -> tuple[Index, Float]:
    """CSR copy of the ``count[i]`` rows from ``start[i]`` on."""
    return starts_of(count), np.ascontiguousarray(xyz[ranges(start[: len(count)], count)])


def _contains(source: MapData, brush: Int, point: Float) -> NDArray[np.bool_]:
    """(pairs,) whether each brush contains its point."""
    start = source.brushes.side_start
    count = np.diff(start)[brush]
    plane = source.brushes.side_plane[ranges(start[brush], count)]
    over = np.sum(source.planes.normal[plane] * np.repeat(point, count, axis=0), axis=1) > source.planes.dist[plane]
    return np.asarray(np.bincount(np.repeat(np.arange(len(brush)), count), over, minlength=len(brush)) == 0)


def _starts(source: MapData) -> Float:
    """(n, 3) start points of the flood: a unit above the origins of point entities, so that items on a floor count."""
    found = [entity.vector("origin") for entity in source.entities[1:] if not entity.get("model").startswith("*")]
    point = np.array([origin for origin in found if origin is not None]).reshape(-1, 3)
    point[:, 2] += 1.0
    return point


def _leaves_of(point: Float, planes: Planes, plane: Int, child: Int) -> Index:
    """(n,) leaf of each point."""
    node = np.zeros(len(point), np.int64)
    while (descending := np.flatnonzero(node >= 0)).size:
        at = plane[node[descending]]
        behind = np.sum(planes.normal[at] * point[descending], axis=1) < planes.dist[at]
        node[descending] = child[node[descending], behind.astype(np.int64)]
    return -1 - node


def _flood(solid: NDArray[np.bool_], portal: Int, start: Index) -> NDArray[np.bool_]:
    """(leaves,) mask of the open leaves reachable from the start leaves; all open leaves if no start leaf is open."""
    ends = np.concatenate((portal, portal[:, ::-1]))
    ends = ends[~solid[ends].any(axis=1)]
    ends = ends[np.argsort(ends[:, 0], kind="stable")]
    first = np.searchsorted(ends[:, 0], np.arange(len(solid) + 1))
    seeds = distinct(start[~solid[start]])
    return flood(first, ends[:, 1], seeds) if len(seeds) else ~solid


def _node_boxes(child: Int, leaf_box: Float) -> Float:
    """(nodes, 6) bounds of all leaves below each node. Children have higher numbers than their parents."""
    box = np.empty((len(child), 6))
    for node in range(len(child) - 1, -1, -1):
        front, back = (box[c] if c >= 0 else leaf_box[-1 - c] for c in child[node])
        box[node, :3] = np.minimum(front[:3], back[:3])
        box[node, 3:] = np.maximum(front[3:], back[3:])
    return box
