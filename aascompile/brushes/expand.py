"""Expansion (thesis §6.2): brushes are grown by the players' boxes, so that a player can be treated as a point.

A brush that blocks is grown once for every box. A liquid or trigger is grown only for the first (largest) box: a player
is in water, or on a jump pad, as soon as any part of the standing box touches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import joined, rows_of, starts_of
from aascompile.geometry.bevels import Bevelled, bevels
from aascompile.geometry.box import expansion
from aascompile.geometry.hull import Hulls, HullStatus, hulls
from aascompile.geometry.planes import PlaneTable
from aascompile.model.contents import Contents, Kind
from aascompile.model.filling import packed
from aascompile.model.mapdata import Brushes, Index, Int
from aascompile.model.meaning import Meaning
from aascompile.model.understood import Understood
from aascompile.model.volumes import Volumes
from aascompile.records import dataclass
from aascompile.settings import Box
from aascompile.threads import over_ranges

STAYS_INSIDE = np.uint32(~(Kind.SOLID | Kind.LADDER | Kind.HINT) & 0xFFFFFFFF)
"""Kind bits that say what fills the space inside a volume."""

WALL = 64.0
"""Thickness in units of the walls that close a map."""


@dataclass(frozen=True, slots=True)
class Solids:
    """Everything that is grown: the brushes of a map, then the facets of its patches, then walls that close it."""

    brushes: Brushes
    meaning: Meaning
    """Meaning of the brushes, a row each."""
    hulls: Hulls
    """Hulls of the brushes, a row each, not yet moved to where their entities stand."""


def solids_of(understood: Understood) -> Solids:
    """Brushes of a map, followed by the facets of its patches."""
    brushes, meaning, facets = understood.map.brushes, understood.meaning, understood.facets
    pieces, patches = facets.brushes, understood.patch_meaning
    both = Brushes(
        side_start=joined([brushes.side_start, pieces.side_start]),
        **{
            name: np.concatenate([getattr(brushes, name), getattr(pieces, name)])
            for name in ("side_plane", "side_flags", "contents", "shader", "model", "entity", "number")
        },
    )
    means = replace(
        meaning,
        kind=np.concatenate([meaning.kind, patches.kind[facets.patch]]),
        model=np.concatenate([meaning.model, patches.model[facets.patch]]),
        entity=np.concatenate([meaning.entity, patches.entity[facets.patch]]),
        offset=np.concatenate([meaning.offset, patches.offset[facets.patch]]),
        factor=np.concatenate([meaning.factor, patches.factor[facets.patch]]),
        reason=np.full(len(both), -1, np.int32),
    )
    return Solids(both, means, understood.hulls.followed_by(facets.hulls))


def with_walls(table: PlaneTable, solids: Solids) -> Solids:
    """The solids, followed by six walls around the bounds of everything that blocks."""
    brushes, meaning = solids.brushes, solids.meaning
    blocking = np.flatnonzero((meaning.kind & Kind.SOLID) != 0)
    if not len(blocking):
        return solids
    bounds = _placed(table, solids, blocking).hulls.bounds
    low, high = bounds[:, :3].min(axis=0), bounds[:, 3:].max(axis=0)
    boxes = np.tile(np.concatenate([low - WALL, high + WALL]), (6, 1))
    for axis in range(3):
        boxes[axis, axis + 3] = low[axis]
        boxes[axis + 3, axis] = high[axis]
    normal = np.concatenate([-np.eye(3), np.eye(3)])
    dist = np.concatenate([-boxes[:, :3], boxes[:, 3:]], axis=1)
    walls = len(boxes)
    zeros, none = np.zeros(walls, np.int32), np.full(walls, -1, np.int32)
    wall_start = np.arange(walls + 1, dtype=np.int64) * 6
    wall_plane = table.intern(np.tile(normal, (walls, 1)), dist.reshape(-1))
    both = Brushes(
        side_start=joined([brushes.side_start, wall_start]),
        side_plane=np.concatenate([brushes.side_plane, wall_plane]),
        side_flags=np.concatenate([brushes.side_flags, np.zeros(walls * 6, np.uint32)]),
        contents=np.concatenate([brushes.contents, np.full(walls, Contents.SOLID, np.uint32)]),
        shader=np.concatenate([brushes.shader, none]),
        model=np.concatenate([brushes.model, zeros]),
        entity=np.concatenate([brushes.entity, zeros]),
        number=np.concatenate([brushes.number, none]),
    )
    means = replace(
        meaning,
        kind=np.concatenate([meaning.kind, np.full(walls, Kind.SOLID, np.uint32)]),
        model=np.concatenate([meaning.model, none]),
        entity=np.concatenate([meaning.entity, zeros]),
        offset=np.concatenate([meaning.offset, np.zeros((walls, 3))]),
        factor=np.concatenate([meaning.factor, np.ones(walls)]),
        reason=np.concatenate([meaning.reason, none]),
    )
    return Solids(both, means, solids.hulls.followed_by(hulls(table.normal, table.dist, wall_start, wall_plane)))


def blocked_by(boxes: Sequence[Box]) -> list[int]:
    """For each box, the mask of the boxes that are blocked wherever it is blocked: itself and all that contain it."""
    masks = []
    for small in boxes:
        holds = [
            all(a <= b for a, b in zip(big.mins, small.mins, strict=True))
            and all(a >= b for a, b in zip(big.maxs, small.maxs, strict=True))
            for big in boxes
        ]
        masks.append(sum(1 << row for row, inside in enumerate(holds) if inside))
    return masks


@dataclass(frozen=True, slots=True)
class _Placed:
    """Solids moved to where their entities stand."""

    side_start: Index
    side_plane: Int
    hulls: Hulls


def _placed(table: PlaneTable, solids: Solids, rows: Index) -> _Placed:
    """The solids of these rows, moved to where their entities stand. Only those that move get new planes and hulls."""
    brushes, offset = solids.brushes, solids.meaning.offset[rows]
    count = np.diff(brushes.side_start)[rows]
    start, plane = starts_of(count), brushes.side_plane[rows_of(brushes.side_start, rows)]
    shapes = solids.hulls.take(brushes.side_start, rows)
    moved = np.flatnonzero((offset != 0).any(axis=1))
    if len(moved):
        away = np.repeat(offset, count, axis=0)
        sides = np.flatnonzero((away != 0).any(axis=1) & (plane >= 0))
        normal = table.normal[plane[sides]]
        plane[sides] = table.intern(normal, table.dist[plane[sides]] + (normal * away[sides]).sum(axis=1))
        moved_start, moved_plane = starts_of(count[moved]), plane[rows_of(start, moved)]
        order = np.arange(len(rows))
        order[moved] = len(rows) + np.arange(len(moved))
        both = shapes.followed_by(hulls(table.normal, table.dist, moved_start, moved_plane))
        shapes = both.take(joined([start, moved_start]), order)
    return _Placed(start, plane, shapes)


def _grown(table: PlaneTable, bevelled: Bevelled, rows: NDArray[np.int64], box: Box | None) -> NDArray[np.int32]:
    """Plane ids of all sides of these brushes, moved outward by a box."""
    plane = bevelled.side_plane[rows_of(bevelled.side_start, rows)]
    if box is None:
        return plane
    used, where = np.unique(plane, return_inverse=True)
    normal = table.normal[used]
    return table.intern(normal, table.dist[used] + expansion(normal, box.mins, box.maxs))[where]


def expand(table: PlaneTable, solids: Solids, boxes: Sequence[Box], threads: int = 1) -> Volumes:
    """Volumes of all solids that have a meaning. Solids are closed hulls, or flat facets of patches."""
    meaning, brushes = solids.meaning, solids.brushes
    used = np.flatnonzero(meaning.kind != 0)
    placed = _placed(table, solids, used)
    bevelled = bevels(table, placed.side_start, placed.side_plane, placed.hulls)
    side_flags = brushes.side_flags[rows_of(brushes.side_start, used)]
    flags = np.where(bevelled.side_source >= 0, side_flags[np.maximum(bevelled.side_source, 0)], 0).astype(np.uint32)

    kind = meaning.kind[used]
    priced = (kind & np.uint32(Kind.COST)) != 0
    rank = np.where(priced, np.searchsorted(meaning.factors(), meaning.factor[used]), -1)
    inside = packed(kind & STAYS_INSIDE, meaning.model[used], rank.astype(np.int32))
    solid = np.flatnonzero((kind & Kind.SOLID) != 0)
    groups: list[tuple[NDArray[np.int64], Box | None, int]] = [
        (solid, box, mask) for box, mask in zip(boxes, blocked_by(boxes), strict=True)
    ]
    groups += [(np.flatnonzero((kind & STAYS_INSIDE) != 0), boxes[0], 0), (np.flatnonzero(kind == Kind.HINT), None, 0)]
    sides = [_grown(table, bevelled, rows, box) for rows, box, _ in groups]
    starts = [starts_of(np.diff(bevelled.side_start)[rows]) for rows, _, _ in groups]
    normal, dist = table.normal, table.dist
    shapes = over_ranges(lambda group, _: hulls(normal, dist, starts[group], sides[group]), len(groups), 1, threads)
    volumes = Volumes(
        side_start=joined(starts),
        side_plane=np.concatenate(sides),
        side_flags=np.concatenate([flags[rows_of(bevelled.side_start, rows)] for rows, _, _ in groups]),
        vertex_start=joined([s.vertex_start for s in shapes]),
        xyz=np.concatenate([s.xyz for s in shapes]),
        bounds=np.concatenate([s.bounds for s in shapes]),
        blocks=np.concatenate([np.full(len(rows), mask, np.uint32) for rows, _, mask in groups]),
        contains=np.concatenate([np.where(mask == 0, inside[rows], 0) for rows, _, mask in groups]),
        brush=used[np.concatenate([rows for rows, _, _ in groups])].astype(np.int32),
    )
    status = np.concatenate([s.status for s in shapes])
    return _only(volumes, status == HullStatus.CLOSED)


def _only(volumes: Volumes, keep: NDArray[np.bool_]) -> Volumes:
    """The volumes to keep. Only hints, which are not expanded, can be flat and are then dropped."""
    if keep.all():
        return volumes
    rows = np.flatnonzero(keep)
    sides = rows_of(volumes.side_start, rows)
    return Volumes(
        side_start=starts_of(np.diff(volumes.side_start)[rows]),
        side_plane=volumes.side_plane[sides],
        side_flags=volumes.side_flags[sides],
        vertex_start=starts_of(np.diff(volumes.vertex_start)[sides]),
        xyz=volumes.xyz[rows_of(volumes.vertex_start, sides)],
        bounds=volumes.bounds[rows],
        blocks=volumes.blocks[rows],
        contains=volumes.contains[rows],
        brush=volumes.brush[rows],
    )
