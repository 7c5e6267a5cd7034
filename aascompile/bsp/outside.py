"""The flood from the map's entities (thesis §6.2 "Outside maps"): what it does not reach is dropped.

Outside is every open leaf that is connected with the faces of the root cell. The map leaks when a spawn, an item or a
teleporter's destination is outside: either the walls have a hole, or the entity is misplaced. Cameras, lights and
targets may be anywhere.
"""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.bsp.outside_kernel import Ways, leaf_of
from aascompile.geometry.vectors import norm
from aascompile.geometry.width_kernel import widths
from aascompile.graph.components import components
from aascompile.model.entity_classes import RAISES, stands
from aascompile.model.mapdata import Entity, Planes
from aascompile.model.tree import Portals, Tree
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class Flood:
    """What the entities can reach."""

    reached: NDArray[np.bool_]
    """(leaves,) with notches in the walls, which no player enters."""
    seeds: NDArray[np.int32]
    """(entities,) the leaf the flood started in; −1: not a start."""
    outside: tuple[int, ...]
    """Entities that stand outside the map and were no start."""
    trail: NDArray[np.float64]
    """(k, 3) points from an entity to the outside; (0, 3) when the map is sealed."""
    leaking: int
    """The entity the trail starts from; −1: the map is sealed."""


def flood_inside(
    planes: Planes,
    tree: Tree,
    portals: Portals,
    entities: tuple[Entity, ...],
    all_boxes: int,
    outer: NDArray[np.float64],
) -> Flood:
    """Flood from all entities; ``outer`` is the root cell's box (6,), whose faces are the outside."""
    open_leaf = (tree.leaf_blocks != all_boxes).astype(np.int8)
    width = np.empty(len(portals))
    widths(portals.vertex_start, portals.xyz, width)
    ways = Ways(planes, portals, width, open_leaf, tolerances.CRACK)
    edge = (tree.leaf_box[:, :3] <= outer[:3] + 1.0).any(axis=1) | (tree.leaf_box[:, 3:] >= outer[3:] - 1.0).any(axis=1)
    # A leaf that is a crack may reach through a wall: a wall divides nothing so small. Nobody gets out along it.
    wide = (tree.leaf_box[:, 3:] - tree.leaf_box[:, :3] > tolerances.CRACK).all(axis=1)
    exits = np.flatnonzero(edge & wide & (open_leaf != 0)).astype(np.int32)
    void = np.zeros(tree.leaves, np.int8)
    ways.flood(exits, void)
    standing = np.array([stands(entity) for entity in entities], bool)
    seeds = _seeds(planes, tree, open_leaf, entities, standing)
    in_void = (seeds >= 0) & (void[np.maximum(seeds, 0)] != 0)
    sealed = (seeds >= 0) & ~in_void
    leaks = _leaks(standing, in_void, sealed)
    trail, leaking = np.zeros((0, 3)), -1
    if len(leaks):
        starts = {int(row): int(seeds[row]) for row in leaks}
        trail, leaking = _trail(tree, portals, ways, set(exits.tolist()), starts, entities)
    reached = np.zeros(tree.leaves, np.int8)
    ways.flood(seeds[sealed], reached)
    inside = _with_notches(portals, open_leaf != 0, ways.is_thin(), reached != 0)
    return Flood(inside, seeds, tuple(int(row) for row in np.flatnonzero(in_void)), trail, leaking)


def _with_notches(
    portals: Portals, open_leaf: NDArray[np.bool_], thin: NDArray[np.bool_], reached: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """(leaves,) what was reached, and notches in its walls: thin leaves that open only into it, by cracks.

    What is not reached has no walls in the final tree. A leaf there could lie in a notch and before it, and what was
    reached would become solid.
    """
    pair = np.stack([portals.front, portals.back])
    pair = pair[:, open_leaf[pair].all(axis=0)]
    left = open_leaf & thin & ~reached
    label = components(len(reached), *pair[:, left[pair].all(axis=0)])
    opens, leads_on = np.zeros((2, len(reached)), np.bool_)
    for leaf, other in (pair, pair[::-1]):
        border = left[leaf] & ~left[other]
        opens[label[leaf[border & reached[other]]]] = True
        leads_on[label[leaf[border & ~reached[other]]]] = True
    notch: NDArray[np.bool_] = left & (opens & ~leads_on)[label]
    return reached | notch


def _leaks(standing: NDArray[np.bool_], in_void: NDArray[np.bool_], sealed: NDArray[np.bool_]) -> NDArray[np.integer]:
    """Entities by which the map leaks. In a map without spawns and items, a single entity inside is enough."""
    if (standing & (in_void | sealed)).any():
        return np.flatnonzero(standing & in_void)
    return np.flatnonzero(in_void) if not sealed.any() else np.zeros(0, np.int64)


def _seeds(
    planes: Planes,
    tree: Tree,
    open_leaf: NDArray[np.int8],
    entities: tuple[Entity, ...],
    standing: NDArray[np.bool_],
) -> NDArray[np.int32]:
    """(entities,) the open leaf that each stands in; −1: none, or so far out that it belongs to no map."""
    seeds = np.full(len(entities), -1, np.int32)
    rows, points = [], []
    for row, entity in enumerate(entities):
        origin = entity.vector("origin")
        if origin is not None and max(map(abs, origin)) <= tolerances.PLANE_FAR:
            raises = RAISES if standing[row] else RAISES[:1]
            rows += [row] * len(raises)
            points += [(origin[0], origin[1], origin[2] + up) for up in raises]
    leaf = np.empty(len(points), np.int32)
    leaf_of(planes.normal, planes.dist, tree.node, np.array(points).reshape(-1, 3), leaf)
    free = np.flatnonzero(open_leaf[leaf])
    inside, lowest = np.unique(np.array(rows, np.int64)[free], return_index=True)
    seeds[inside] = leaf[free[lowest]]
    return seeds


def _trail(
    tree: Tree,
    portals: Portals,
    ways: Ways,
    exits: set[int],
    starts: dict[int, int],
    entities: tuple[Entity, ...],
) -> tuple[NDArray[np.float64], int]:
    """The shortest way, through portal centres, from one of the entities (entity: its leaf) to the outside."""
    centre = np.add.reduceat(portals.xyz, portals.vertex_start[:-1]) / np.diff(portals.vertex_start)[:, None]
    origin = {row: np.array(entities[row].vector("origin") or (0, 0, 0), np.float64) for row in starts}
    queue: list[tuple[float, int, int]] = []  # length, step, the step before it or −1 − entity
    for row, leaf in starts.items():
        if leaf in exits:
            return np.array([origin[row], tree.leaf_point[leaf]]), row
        for step in ways.out_of(leaf):
            queue.append((norm(centre[step >> 1] - origin[row]), step, -1 - row))
    heapq.heapify(queue)
    came: dict[int, int] = {}
    while queue:
        length, step, before = heapq.heappop(queue)
        if step in came:
            continue
        came[step] = before
        if ways.goal(step) in exits:
            points = [tree.leaf_point[ways.goal(step)]]
            while step >= 0:
                points.append(centre[step >> 1])
                step = came[step]
            row = -1 - step
            return np.array([*points, origin[row]][::-1]), row
        for after in ways.after(step):
            if after not in came:
                more = norm(centre[after >> 1] - centre[step >> 1])
                heapq.heappush(queue, (length + more, after, step))
    row = min(starts)
    return origin[row][None], row
