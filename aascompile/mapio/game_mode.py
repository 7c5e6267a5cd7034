"""Takes the entities of a map as one game mode spawns them.

Without a mode, a map is compiled for all modes at once: an entity counts if it exists in any of them.
"""

from __future__ import annotations

from dataclasses import replace

from aascompile.model.entity_classes import GAME_TYPE_KEYS, spawns
from aascompile.model.mapdata import Entity, MapData


def in_mode(map_data: MapData, mode: str) -> MapData:
    """The map with the entities that a mode does not have marked as absent from every mode."""
    if not mode:
        return map_data
    entities = tuple(
        entity if row == 0 or spawns(entity, mode) else _absent(entity) for row, entity in enumerate(map_data.entities)
    )
    return replace(map_data, entities=entities)


def _absent(entity: Entity) -> Entity:
    """The entity with the keys that remove it from all modes."""
    kept = (pair for pair in entity.pairs if pair[0].lower() not in GAME_TYPE_KEYS)
    return Entity((*kept, *((key, "1") for key in GAME_TYPE_KEYS)))
