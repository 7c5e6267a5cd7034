"""Takes the entities of a map as one game mode spawns them.

Without a mode, a map is compiled for all modes at once: an entity counts if it exists in any of them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from aascompile.model.entity_classes import GAME_TYPE_KEYS
from aascompile.model.mapdata import Entity, MapData

REMOVED_BY: Final = {
    "ffa": ("notfree",),
    "team": ("notteam",),
    "ctf": ("notteam",),
    "single": ("notfree", "notsingle"),
}
"""Keys that remove an entity from each mode."""

NAMED: Final = "gametype"
"""Key with the names of the modes that have an entity; without it, all have."""

_FLAGS: Final = re.compile(r"team_ctf_")
_OBELISKS: Final = re.compile(r"team_\w+obelisk")


def in_mode(map_data: MapData, mode: str) -> MapData:
    """The map with the entities that a mode does not have marked as absent from every mode."""
    if not mode:
        return map_data
    entities = tuple(
        entity if row == 0 or spawns(entity, mode) else _absent(entity) for row, entity in enumerate(map_data.entities)
    )
    return replace(map_data, entities=entities)


def spawns(entity: Entity, mode: str) -> bool:
    """Whether a game mode has the entity. Flags and their spawns belong to CTF, obelisks to none of these modes."""
    if any(int(entity.number(key)) for key in REMOVED_BY[mode]):
        return False
    named = entity.get(NAMED)
    if named and mode not in named:
        return False
    if _OBELISKS.match(entity.lower_class):
        return False
    return mode == "ctf" or not _FLAGS.match(entity.lower_class)


def _absent(entity: Entity) -> Entity:
    """The entity with the keys that remove it from all modes."""
    kept = (pair for pair in entity.pairs if pair[0].lower() not in GAME_TYPE_KEYS)
    return Entity((*kept, *((key, "1") for key in GAME_TYPE_KEYS)))
