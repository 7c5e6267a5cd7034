"""Entity classes: what each means to a player, and whether an entity exists in any game type.

Class names compare in lower case (``Entity.lower_class``). Quake III itself is strict when it spawns an entity, and
some games of the family are not. A map for any of them compiles.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from aascompile.model.mapdata import Entity


class EntityClass(StrEnum):
    """What an entity is to a player."""

    CAMERA = "camera"
    """Looks at the map from anywhere, outside included."""
    SPAWN = "spawn"
    """A player starts there."""
    ITEM = "item"
    """A player picks it up, or carries it home: flags and obelisks are items."""
    DESTINATION = "destination"
    """A teleporter sends players there."""
    CAMP = "camp"
    """Bots lie in wait there."""
    SCENERY = "scenery"
    """Never matters to movement."""
    TARGET = "target"
    """Something else aims at it or fires it."""
    TRIGGER = "trigger"
    """Touching it fires something."""
    MOVER = "mover"
    """A brush model that moves, or could."""
    OTHER = "other"


_PATTERNS: Final = (
    (EntityClass.CAMERA, re.compile(r"info_player_intermission")),
    (EntityClass.SPAWN, re.compile(r"info_player_|team_ctf_(red|blue)(player|spawn)")),
    (EntityClass.ITEM, re.compile(r"(item|weapon|ammo|holdable)_|team_(ctf_)?(red|blue|neutral)(flag|obelisk)")),
    (EntityClass.DESTINATION, re.compile(r"misc_teleporter_dest")),
    (EntityClass.CAMP, re.compile(r"info_camp")),
    (EntityClass.SCENERY, re.compile(r"light|misc_model|worldspawn|info_null|shooter|target_(location|speaker)")),
    (EntityClass.TARGET, re.compile(r"target_|info_notnull|info_teleport|path_corner")),
    (EntityClass.TRIGGER, re.compile(r"trigger_")),
    (EntityClass.MOVER, re.compile(r"func_")),
)
"""How the lower-case names of each class begin; the first match counts."""

_FAMILY: Final = re.compile(r"^(item|weapon|ammo|holdable|target|team|info|misc|trigger|func)_", re.IGNORECASE)

STANDS: Final = frozenset({EntityClass.SPAWN, EntityClass.ITEM, EntityClass.DESTINATION})
"""Classes a player can stand at: one of them outside the walls is a leak."""

RAISES: Final = (0.0, 8.0, 16.0, 24.0, 32.0)
"""Units to try above the origin of an entity that stands: an item's box is smaller than a player's and rests lower."""

GAME_TYPE_KEYS: Final = ("notfree", "notteam", "notsingle")
"""Each of these keys removes an entity from some game types; together they remove it from all."""

SUSPENDED: Final = 1
"""Spawnflag of an item that stays where it was drawn."""


def class_of(classname: str) -> EntityClass:
    """Return what entities of a class are to a player."""
    name = classname.lower()
    return next((found for found, pattern in _PATTERNS if pattern.match(name)), EntityClass.OTHER)


def stands(entity: Entity) -> bool:
    """Whether a player can stand at the entity in some game type."""
    return class_of(entity.classname) in STANDS and exists(entity)


def exists(entity: Entity) -> bool:
    """Whether any game type has the entity."""
    return not all(int(entity.number(key)) for key in GAME_TYPE_KEYS)


def short_name(classname: str) -> str:
    """Return a class name without its family: "health" for item_health, "spawn" for a plain spawn."""
    if classname.lower() == "info_player_deathmatch":
        return "spawn"
    return _FAMILY.sub("", classname)


def is_suspended(entity: Entity) -> bool:
    """Whether the entity is an item that does not fall."""
    return class_of(entity.classname) is EntityClass.ITEM and entity.flags() & SUSPENDED != 0
