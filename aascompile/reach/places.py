"""Where items and spawns come to rest: the game drops an item's box to the floor, and players fall from their spawns.

An item's box is as wide as a player's, so it rests on the same floors; only its height differs. Where a player does not
fit, the item may still fit (in a niche). An item whose box starts in solid is removed by the game.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.geometry.box import expansion
from aascompile.geometry.vectors import products
from aascompile.model.contents import Contents
from aascompile.model.entity_classes import EntityClass, class_of, exists, is_suspended
from aascompile.model.mapdata import Entity, Float, MapData
from aascompile.model.places import IN_A_BRUSH, ITEM_BOX, LOOKS_DOWN, NO_AREA, NO_FLOOR, Places
from aascompile.player.movement import Movement
from aascompile.sampling.locate import FALLS, areas_at, fall

IN_SOLID: Final = 0.125
"""Units by which a box must be inside a brush to count as in solid. An item that rests on a brush is not in solid."""

NUDGES: Final = tuple((0.0, 0.0, -4.0 * down) for down in range(1, 7)) + tuple(
    (4.0 * aside * x, 4.0 * aside * y, 4.0 * up)
    for up in range(5)
    for aside in range(5)
    for x in (-1, 0, 1)
    for y in (-1, 0, 1)
    if aside or (x, y) == (0, 0)
)
"""Offsets from an item to points where an area is looked for: down, then up and sideways as the engine does."""


def find_places(map_data: MapData, movement: Movement) -> Places:
    """All items and spawns with their areas."""
    rows = [row for row, entity in enumerate(map_data.entities) if _counts(entity)]
    entities = [map_data.entities[row] for row in rows]
    origin = np.array([entity.vector("origin") for entity in entities]).reshape(-1, 3)
    item = np.array([class_of(entity.classname) is EntityClass.ITEM for entity in entities], np.bool_)
    hangs = np.array([is_suspended(entity) for entity in entities], np.bool_)

    start, room = _places_near(origin, movement)
    reason = np.full(len(rows), "", object)
    reason[~room] = NO_AREA
    blocked = item & ~room
    reason[np.flatnonzero(blocked)[_in_solid(map_data, origin[blocked])]] = IN_A_BRUSH
    fallen = fall(movement.tree, start, np.where(hangs, LOOKS_DOWN, FALLS))
    on_floor = room & (fallen.fraction < 1.0)
    reason[room & ~on_floor & ~hangs] = NO_FLOOR
    in_air = room & ~on_floor & hangs
    area = np.where(on_floor, fallen.end_area, np.where(in_air, fallen.start_area, -1))
    return Places(
        entity=np.array(rows, np.int32),
        item=item,
        point=np.where(on_floor[:, None], fallen.end, start),
        area=area.astype(np.int32),
        reason=tuple(reason.tolist()),
    )


def _counts(entity: Entity) -> bool:
    """Whether an entity is an item or a spawn, has an origin, and exists in some game type."""
    settles = class_of(entity.classname) in (EntityClass.ITEM, EntityClass.SPAWN)
    return settles and exists(entity) and entity.vector("origin") is not None


def _places_near(origin: Float, movement: Movement) -> tuple[Float, NDArray[np.bool_]]:
    """(n, 3) origins of players whose feet are level with the bottom of an item there, and whether they are free.

    If an origin is not free, the first free point below it (under a low ceiling), above it or beside it is used.
    """
    lift = np.array((0.0, 0.0, -movement.settings.boxes[0].mins[2] - ITEM_BOX[2]))
    place = origin + lift
    free = areas_at(movement.tree, place) >= 0
    left = np.flatnonzero(~free)
    near = place[left, None] + np.array(NUDGES)
    found = areas_at(movement.tree, near).reshape(len(left), len(NUDGES)) >= 0
    first = found.argmax(axis=1)
    free[left] = found.any(axis=1)
    place[left] = np.where(free[left, None], near[np.arange(len(left)), first], place[left])
    return place, free


def _in_solid(map_data: MapData, points: Float) -> NDArray[np.int64]:
    """Which points (rows) are the middle of an item's box that is inside a solid brush of the world."""
    brushes = map_data.brushes
    solid = (brushes.model == 0) & ((brushes.contents & np.uint32(Contents.SOLID)) != 0)
    normal = map_data.planes.normal[brushes.side_plane]
    dist = map_data.planes.dist[brushes.side_plane]
    dist = dist + expansion(normal, [-half for half in ITEM_BOX], ITEM_BOX) - IN_SOLID
    hit = []
    for i, point in enumerate(points):
        behind = products(normal, point[None])[:, 0] < dist
        whole = np.logical_and.reduceat(behind, brushes.side_start[:-1]) if len(brushes) else np.zeros(0, np.bool_)
        if (whole & solid).any():
            hit.append(i)
    return np.array(hit, np.int64)
