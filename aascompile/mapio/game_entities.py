"""Gives entities of another game the role that an entity of Quake III has.

A role is a class of Quake III that acts the same, or one of the special roles below. Special roles add what Quake III
would need: a target for a push, a trigger for a teleporter's pad.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np

from aascompile.csr import starts_of
from aascompile.model.contents import Contents
from aascompile.model.mapdata import Brushes, Entity, Float, MapData, Models, Planes
from aascompile.settings import Settings

IGNORED: Final = "ignored"
PUSH: Final = "push along angle"
PAD: Final = "teleporter pad"

NOTHING: Final = "info_null"
"""Class of entities that are ignored."""
PUSH_SPEED: Final = 1000.0
"""Default speed of a push."""
PUSH_FACTOR: Final = 10.0
"""A push is this many times as fast as its key "speed" says."""
PAD_BOX: Final = ((-32.0, -32.0, -24.0), (32.0, 32.0, -16.0))
"""Box of a teleporter's pad around its origin."""


def with_roles(map_data: MapData, settings: Settings) -> MapData:
    """The map with Quake III's classes in place of those of the settings' table."""
    roles = {name.lower(): role for name, role in settings.entities}
    entities = list(map_data.entities)
    pads: list[int] = []
    for row, entity in enumerate(map_data.entities):
        role = roles.get(entity.lower_class)
        if role is None:
            continue
        if role == PUSH:
            entities[row], target = _push(map_data, row, settings.physics.gravity)
            entities += [target] if target else []
        elif role == PAD:
            pads.append(row)
        else:
            entities[row] = with_key(entity, "classname", NOTHING if role == IGNORED else role)
    return _with_pads(replace(map_data, entities=tuple(entities)), pads)


def with_key(entity: Entity, key: str, value: str) -> Entity:
    """A copy of an entity with a key set, in place of any earlier value."""
    return Entity((*(pair for pair in entity.pairs if pair[0].lower() != key), (key, value)))


def _push(map_data: MapData, row: int, gravity: float) -> tuple[Entity, Entity | None]:
    """A trigger that pushes along its angle, as one that throws players to a target: the apex of their flight."""
    entity = map_data.entities[row]
    model = np.flatnonzero(map_data.models.entity == row)
    speed = (entity.number("speed") or PUSH_SPEED) * PUSH_FACTOR
    x, y, z = (speed * part for part in _direction(entity))
    if not len(model) or z <= 0.0:
        return with_key(entity, "classname", NOTHING), None
    box = (map_data.models.mins[model[0]] + map_data.models.maxs[model[0]]) / 2.0 + entity.offset
    seconds = z / gravity
    apex = box + np.array((x, y, z / 2.0)) * seconds
    name = f"apex of entity {row}"
    where = " ".join(f"{value:.9g}" for value in apex.tolist())
    target = Entity((("classname", "target_position"), ("targetname", name), ("origin", where)))
    return with_key(entity, "target", name), target


def _direction(entity: Entity) -> tuple[float, float, float]:
    """Unit vector of an entity's "angle", where −1 is up and −2 is down, or of its "angles"."""
    angles = entity.vector("angles") or (0.0, entity.number("angle"), 0.0)
    if angles[0] == angles[2] == 0.0 and angles[1] in (-1.0, -2.0):
        return (0.0, 0.0, 1.0 if angles[1] == -1.0 else -1.0)
    pitch, yaw = math.radians(angles[0]), math.radians(angles[1])
    return (math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw), -math.sin(pitch))


def _with_pads(map_data: MapData, pads: list[int]) -> MapData:
    """The map with a trigger, and a brush for it, on each of these teleporters."""
    pads = [row for row in pads if map_data.entities[row].vector("origin")]
    if not pads:
        return map_data
    first_model = len(map_data.models)
    entities = list(map_data.entities)
    for number, row in enumerate(pads):
        triggered = with_key(
            with_key(entities[row], "classname", "trigger_teleport"), "model", f"*{first_model + number}"
        )
        entities[row] = triggered
    count = len(pads)
    mins, maxs = (np.tile(np.array(corner), (count, 1)) for corner in PAD_BOX)
    models = map_data.models
    return replace(
        map_data,
        entities=tuple(entities),
        planes=_with_pad_planes(map_data.planes),
        brushes=_with_pad_brushes(map_data, pads),
        models=Models(
            np.concatenate([models.mins, mins]),
            np.concatenate([models.maxs, maxs]),
            np.concatenate([models.entity, np.array(pads, np.int32)]),
        ),
    )


def _pad_planes() -> tuple[Float, Float]:
    """Normals and distances of the six sides of a pad."""
    normal = np.concatenate([np.eye(3), -np.eye(3)])
    return normal, np.concatenate([np.array(PAD_BOX[1]), -np.array(PAD_BOX[0])])


def _with_pad_planes(planes: Planes) -> Planes:
    """The planes, followed by those of a pad in opposite pairs."""
    normal, dist = _pad_planes()
    pairs = np.stack([normal, -normal], axis=1).reshape(-1, 3), np.stack([dist, -dist], axis=1).reshape(-1)
    return Planes(np.concatenate([planes.normal, pairs[0]]), np.concatenate([planes.dist, pairs[1]]))


def _with_pad_brushes(map_data: MapData, pads: list[int]) -> Brushes:
    """The brushes, followed by a trigger brush for each pad."""
    brushes, count = map_data.brushes, len(pads)
    sides = len(map_data.planes) + 2 * np.arange(6)
    number = int(brushes.number.max(initial=-1)) + 1
    return Brushes(
        side_start=np.concatenate([brushes.side_start, brushes.side_start[-1] + starts_of(np.full(count, 6))[1:]]),
        side_plane=np.concatenate([brushes.side_plane, np.tile(sides, count).astype(np.int32)]),
        side_flags=np.concatenate([brushes.side_flags, np.zeros(6 * count, np.uint32)]),
        contents=np.concatenate([brushes.contents, np.full(count, Contents.TRIGGER, np.uint32)]),
        shader=np.concatenate([brushes.shader, np.full(count, -1, np.int32)]),
        model=np.concatenate([brushes.model, len(map_data.models) + np.arange(count, dtype=np.int32)]),
        entity=np.concatenate([brushes.entity, np.array(pads, np.int32)]),
        number=np.concatenate([brushes.number, number + np.arange(count, dtype=np.int32)]),
    )
