"""The tree (thesis §6.2): split space on the visible surface until every leaf is convex and of one kind."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.bsp.branch_kernel import Branches
from aascompile.bsp.contents_kernel import PointContents
from aascompile.bsp.node_kernel import in_order
from aascompile.bsp.outside_kernel import leaf_of
from aascompile.bsp.portals_kernel import Facing, prune
from aascompile.bsp.tree_kernel import TreeBuilder
from aascompile.csr import joined, rows_of, starts_of
from aascompile.distinct import distinct
from aascompile.geometry.grid_kernel import BoxGrid
from aascompile.geometry.planes import PlaneTable
from aascompile.model.filling import COST, DOOR, KINDS, TRIGGER
from aascompile.model.mapdata import Float, Index, Int, Planes
from aascompile.model.tree import LeafContents, Tree
from aascompile.model.volumes import Surface, Volumes
from aascompile.records import dataclass
from aascompile.threads import over_ranges

WEIGHTS = (5.0, 5.0, 0.2, 5.0, 20.0, 1e6, 3.0)
"""Facet, split, balance, cover, near miss, urge, upright: the terms of the score in choice_kernel."""

CORNERS = (
    ((-1, 0, 0), (0, 4, 6, 2)), ((1, 0, 0), (1, 3, 7, 5)), ((0, -1, 0), (0, 1, 5, 4)),
    ((0, 1, 0), (2, 6, 7, 3)), ((0, 0, -1), (0, 2, 3, 1)), ((0, 0, 1), (4, 5, 7, 6)),
)  # fmt: skip
"""Outward normals and corners (bits 0, 1, 2: x, y, z at its maximum) of a box's faces, counter-clockwise outside."""


@dataclass(frozen=True, slots=True)
class RootCell:
    """The box that holds all volumes and a margin of empty space; the tree divides its inside."""

    box: Float
    """(6,) minima, maxima."""
    plane: Int
    """(6,) plane ids of its faces, facing outward."""
    faces: Float
    """(6, 4, 3) corners of its faces, counter-clockwise seen from outside."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A tree and those of its leaves that entities can reach."""

    tree: Tree
    leaf: NDArray[np.bool_]
    """(leaves,)"""


@dataclass(frozen=True, slots=True)
class Division:
    """A tree before it is known what its leaves contain; columns as in ``Tree``."""

    node: Int
    section_start: Index
    section_xyz: Float
    leaf_point: Float
    leaf_box: Float
    rolled: int
    """Polygons of all nodes that were built in roll-outs: a measure of the work."""


@dataclass(frozen=True, slots=True)
class Search:
    """How hard to look for few leaves."""

    small: int
    """Nodes of at most this many polygons try several planes out."""
    tries: int
    """Planes tried out at such a node, at most 8."""
    effort: int
    """Polygons of nodes built in roll-outs, at most, for each polygon of the branch. Real maps need 120 on average."""


QUICK = Search(0, 1, 0)
"""By score alone: enough to tell inside from outside, and for walkable areas, which are cut anew. Roll-outs would save
half of one in a hundred of those."""
NORMAL = Search(200, 6, 512)
"""Five in a hundred convex areas fewer than by score alone, for about five times the time."""
THOROUGH = Search(2000, 8, 4096)
"""For --quality: another one or two in a hundred fewer, for several times the time."""

BRANCH = 800
"""Without roll-outs, nodes of more polygons are the trunk, where fewer planes are scored deep down. With roll-outs, a
branch is a subtree of at most ``Search.small`` polygons, in which they are made."""

FORKS = 6
"""Without roll-outs, subtrees with at most a sixth of all polygons are built apart from others."""

LEAST_FORK = 100
"""Smaller subtrees, in polygons, are not built apart: that would take longer than it saves."""

MOST_RANGES = 64
"""Ranges of branches that threads share out, at most."""

MARGIN = 64.0
"""Units between the volumes and the faces of the root cell: space that is certainly outside the map."""


def root_cell(table: PlaneTable, volumes: Volumes) -> RootCell:
    """The root cell of volumes; its planes enter the table."""
    box = np.array([-MARGIN] * 3 + [MARGIN] * 3)
    if len(volumes):
        low, high = volumes.bounds[:, :3].min(axis=0), volumes.bounds[:, 3:].max(axis=0)
        box = np.concatenate([np.floor(low) - MARGIN, np.ceil(high) + MARGIN])
    corner = np.array([[box[3 * (i >> k & 1) + k] for k in range(3)] for i in range(8)])
    normal = np.array([n for n, _ in CORNERS], np.float64)
    faces = np.array([corner[list(rows)] for _, rows in CORNERS])
    return RootCell(box, table.intern(normal, (normal * faces[:, 0]).sum(axis=1)), faces)


def build_tree(
    planes: Planes,
    volumes: Volumes,
    surface: Surface,
    cell: RootCell,
    all_boxes: int,
    search: Search = QUICK,
    inside: Reached | None = None,
    threads: int = 1,
) -> Division:
    """Divide the cell on the surface; ``inside``: an earlier tree, outside whose reached leaves nothing is divided."""
    rough = inside.tree.node if inside else np.zeros((0, 3), np.int32)
    reached = inside.leaf.astype(np.int8) if inside else np.zeros(1, np.int8)
    whole = Branches()
    whole.load(
        surface.plane, surface.side, _urge(volumes, surface, all_boxes), surface.vertex_start, surface.xyz,
        cell.plane, np.ascontiguousarray(cell.faces.reshape(-1, 3)),
    )  # fmt: skip
    branch = search.small or BRANCH
    # Without roll-outs, whose effort is measured by the branch, subtrees of any size may be built apart.
    fork = branch if search.small else max(LEAST_FORK, len(surface) // FORKS)
    trunk = TreeBuilder(planes, WEIGHTS, tolerances, search, branch, rough, reached)
    root = int(trunk.build(whole, 0, 1, fork)[0])
    branches = trunk.set_aside_branches()
    places, top = branches.places(), trunk.result()
    chunk = max(1, branches.count // MOST_RANGES)
    ranges = [(first, min(first + chunk, branches.count)) for first in range(0, branches.count, chunk)]
    polygons = branches.sizes()
    ranges.sort(key=lambda rows: -int(polygons[slice(*rows)].sum()))
    idle = [trunk]  # builders whose columns have grown already

    def grow(row: int, _: int) -> _Part:
        try:
            builder = idle.pop()
        except IndexError:
            builder = TreeBuilder(planes, WEIGHTS, tolerances, search, branch, rough, reached)
        roots = builder.build(branches, *ranges[row], 0)
        part = _Part(places[slice(*ranges[row])], roots, builder.result(), builder.rolled)
        idle.append(builder)
        return part

    return _joined(root, top, over_ranges(grow, len(ranges), 1, threads))


@dataclass(frozen=True, slots=True)
class _Part:
    """Some branches, built."""

    places: Int
    """(branches, 2) node that each hangs under, and side of it."""
    roots: Int
    """For each branch its topmost node, or −1 − leaf."""
    columns: tuple[Any, ...]
    """The columns of ``Division``, with nodes and leaves counted from 0."""
    rolled: int


def _joined(root: int, trunk: tuple[Any, ...], parts: list[_Part]) -> Division:
    """The trunk with its branches, nodes and leaves in the order of a walk down the tree."""
    columns = [trunk]
    node = trunk[0]
    nodes, leaves = len(node), len(trunk[3])
    for part in parts:
        own, roots = part.columns[0], part.roots
        children = own[:, 1:]
        children[...] = np.where(children >= 0, children + nodes, children - leaves)
        roots = np.where(roots >= 0, roots + nodes, roots - leaves)
        parent, side = part.places.T
        if len(node):
            node[parent, 1 + side] = roots
        else:
            root = int(roots[0])
        columns.append(part.columns)
        nodes, leaves = nodes + len(own), leaves + len(part.columns[3])
    node = np.concatenate([part[0] for part in columns])
    start = joined([part[1] for part in columns])
    xyz, point, box = (np.concatenate([part[k] for part in columns]) for k in (2, 3, 4))
    order, leaf_order = np.empty(nodes, np.int32), np.empty(leaves, np.int32)
    in_order(node, root, order, leaf_order)
    number, leaf_number = np.empty_like(order), np.empty_like(leaf_order)
    number[order] = np.arange(nodes)
    leaf_number[leaf_order] = np.arange(leaves)
    node = node[order]
    node[:, 1:] = _renumbered(node[:, 1:], number, leaf_number)
    return Division(
        node=node,
        section_start=starts_of(np.diff(start)[order]),
        section_xyz=np.ascontiguousarray(xyz[rows_of(start, order)]),
        leaf_point=point[leaf_order],
        leaf_box=box[leaf_order],
        rolled=sum(part.rolled for part in parts),
    )


def _renumbered(children: Int, number: Int, leaf_number: Int) -> Int:
    """Children (nodes, or −1 − leaf) by the new numbers of nodes and leaves."""
    leaf = leaf_number[np.maximum(-1 - children, 0)]
    return np.where(children >= 0, number[np.maximum(children, 0)], -1 - leaf) if len(number) else -1 - leaf


def _urge(volumes: Volumes, surface: Surface, all_boxes: int) -> NDArray[np.int8]:
    """What comes first: a mapper's hints; then what blocks only some boxes, so that the space where everybody fits is
    cut least; then solid; last what only fills or marks space, whose planes then cut no more than they must."""
    owner = np.searchsorted(volumes.side_start, surface.side, "right") - 1
    blocks, contains = volumes.blocks[owner], volumes.contains[owner]
    urge = np.select([blocks == all_boxes, blocks != 0, contains != 0], [0, 1, -1], 2)
    return urge.astype(np.int8)


def point_contents(planes: Planes, volumes: Volumes, grid: BoxGrid, points: Float, threads: int) -> LeafContents:
    """What is at each point (n, 3)."""
    blocks = np.zeros(len(points), np.uint32)
    contains = np.zeros(len(points), np.int64)

    def look(first: int, last: int) -> None:
        worker = PointContents(planes, volumes, grid, tolerances.TOUCH, KINDS, DOOR, TRIGGER, COST)
        worker.at(points, first, last, blocks, contains)

    over_ranges(look, len(points), 4096, threads)
    return LeafContents(blocks, contains)


def finish_tree(division: Division, contents: LeafContents, all_boxes: int) -> Tree:
    """Prune subtrees whose leaves all contain the same, then renumber nodes and leaves without gaps."""
    node, blocks = division.node, contents.blocks
    solid = blocks == all_boxes
    contains = np.where(solid, 0, contents.contains)
    _, filling = np.unique(contains, return_inverse=True)
    kind = filling.astype(np.int64) * (all_boxes + 1) + blocks  # blocks are some of all boxes
    keep = np.zeros(len(node), np.int8)
    merged = np.zeros(len(node), np.int32)
    prune(node, kind, division.leaf_box, keep, merged)
    kept = np.flatnonzero(keep)
    number = np.cumsum(keep, dtype=np.int32) - 1
    children = node[kept, 1:]
    leaf = distinct(-1 - children[children < 0])
    leaf_number = np.zeros(len(division.leaf_point), np.int32)
    leaf_number[leaf] = np.arange(len(leaf))
    children = _renumbered(children, number, leaf_number)
    return Tree(
        node=np.ascontiguousarray(np.column_stack([node[kept, 0], children]), np.int32),
        section_start=starts_of(np.diff(division.section_start)[kept]),
        section_xyz=np.ascontiguousarray(division.section_xyz[rows_of(division.section_start, kept)]),
        leaf_point=division.leaf_point[leaf],
        leaf_box=division.leaf_box[leaf],
        leaf_blocks=blocks[leaf],
        leaf_contains=contains[leaf],
    )


def inner_surface(planes: Planes, inside: Reached, surface: Surface, threads: int) -> Surface:
    """The part of the surface that borders on leaves that were reached: all that the final tree has to divide."""
    inner = np.zeros(len(surface), np.int8)
    wanted = inside.leaf.astype(np.int8)

    def look(first: int, last: int) -> None:
        facing = Facing(planes.normal, planes.dist, inside.tree.node, wanted, tolerances.ON_PLANE, tolerances.MIN_AREA)
        facing.run(surface.vertex_start, surface.xyz, first, last, inner)

    over_ranges(look, len(surface), 1024, threads)
    rows = np.flatnonzero(inner)
    return Surface(
        plane=surface.plane[rows],
        side=surface.side[rows],
        vertex_start=starts_of(np.diff(surface.vertex_start)[rows]),
        xyz=np.ascontiguousarray(surface.xyz[rows_of(surface.vertex_start, rows)]),
    )


def inside_contents(
    planes: Planes, inside: Reached, division: Division, cell: RootCell, all_boxes: int
) -> LeafContents:
    """What is in each leaf of a division, looked up in an earlier tree at the leaf's point; solid if not reached there.

    A leaf that goes on to the root cell's faces is outside, whatever the earlier tree has at its point: a column so
    thin that the piece of surface that closes it was too small to count.
    """
    box, rough = division.leaf_box, inside.tree
    leaf = np.empty(len(box), np.int32)
    leaf_of(planes.normal, planes.dist, rough.node, np.ascontiguousarray(division.leaf_point), leaf)
    low, high = cell.box[:3] + tolerances.ON_PLANE, cell.box[3:] - tolerances.ON_PLANE
    kept = inside.leaf[leaf] & (box[:, :3] > low).all(axis=1) & (box[:, 3:] < high).all(axis=1)
    return LeafContents(
        np.where(kept, rough.leaf_blocks[leaf], np.uint32(all_boxes)).astype(np.uint32),
        np.where(kept, rough.leaf_contains[leaf], 0),
    )
