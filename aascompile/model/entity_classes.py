"""Entity classes: the role of each for a player, and whether an entity exists in any game type.

Class names are compared in lower case (``Entity.lower_class``): Quake III distinguishes case when it spawns an entity,
but some games of the family do not, and maps for all of them must compile.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from aascompile.model.mapdata import Entity


class EntityClass(StrEnum):
    """Role of an entity for a player."""

    CAMERA = "camera"
    """A camera. It may stand anywhere, even outside the map."""
    SPAWN = "spawn"
    """A player starts there."""
    ITEM = "item"
    """A player picks it up or carries it home: flags and obelisks are items too."""
    DESTINATION = "destination"
    """A teleporter sends players there."""
    CAMP = "camp"
    """Bots lie in wait there."""
    SCENERY = "scenery"
    """It never affects movement."""
    TARGET = "target"
    """Another entity aims at it or fires it."""
    TRIGGER = "trigger"
    """It fires its targets when it is touched."""
    MOVER = "mover"
    """A brush model that moves or could move."""
    OTHER = "other"


_SPAWNS: Final = (
    "info_player_",
    *(f"team_ctf_{team}{what}" for team in ("red", "blue") for what in ("player", "spawn")),
)
_TEAMS: Final = ("red", "blue", "neutral")
_CTF_FLAGS: Final = tuple(f"team_ctf_{team}flag" for team in _TEAMS)
_OBELISKS: Final = tuple(f"team_{team}obelisk" for team in _TEAMS)
_GOALS: Final = tuple(f"team_{ctf}{team}{it}" for ctf in ("", "ctf_") for team in _TEAMS for it in ("flag", "obelisk"))
_POWERUPS: Final = (
    "quad", "enviro", "haste", "invis", "regen", "flight", "scout", "guard", "doubler", "ammoregen",
)  # fmt: skip

_PREFIXES: Final = (
    (EntityClass.CAMERA, ("info_player_intermission",)),
    (EntityClass.SPAWN, _SPAWNS),
    (EntityClass.ITEM, ("item_", "weapon_", "ammo_", "holdable_", *_GOALS)),
    (EntityClass.DESTINATION, ("misc_teleporter_dest",)),
    (EntityClass.CAMP, ("info_camp",)),
    (
        EntityClass.SCENERY,
        ("light", "misc_model", "worldspawn", "info_null", "shooter", "target_location", "target_speaker"),
    ),
    (EntityClass.TARGET, ("target_", "info_notnull", "info_teleport", "path_corner")),
    (EntityClass.TRIGGER, ("trigger_",)),
    (EntityClass.MOVER, ("func_",)),
)
"""Prefixes of the lower-case names in each class. The first match counts."""

LONGEST_PREFIX: Final = 64
"""Characters of a name that are compared with them. No prefix is longer."""

_FAMILIES: Final = ("item", "weapon", "ammo", "holdable", "target", "team", "info", "misc", "trigger", "func")

STANDS: Final = frozenset({EntityClass.SPAWN, EntityClass.ITEM, EntityClass.DESTINATION})
"""Classes at which a player can stand. If such an entity is outside the walls, the map leaks."""

RAISES: Final = (0.0, 8.0, 16.0, 24.0, 32.0)
"""Heights in units to try above the origin of such an entity. An item's box is lower than a player's."""

EXAMPLE: Final = "item_quad"
"""A class of items, for messages and help texts."""

GAME_TYPE_KEYS: Final = ("notfree", "notteam", "notsingle")
"""Each of these keys removes an entity from some game types; together they remove it from all."""

REMOVED_BY: Final = {
    "ffa": ("notfree",),
    "team": ("notteam",),
    "ctf": ("notteam",),
    "single": ("notfree", "notsingle"),
}
"""Keys that remove an entity from each game mode."""

MODE_NAMES: Final = "gametype"
"""Key with the names of the game modes that have an entity; without it, all have."""

SUSPENDED: Final = 1
"""Spawnflag of an item that stays where it was drawn."""


class PlaceKind(StrEnum):
    """What an item or a spawn is to a player. It decides how soon an item comes back."""

    SPAWN = "spawn"
    WEAPON = "weapon"
    AMMO = "ammo"
    HEALTH = "health"
    ARMOR = "armor"
    POWERUP = "powerup"
    HOLDABLE = "holdable"
    FLAG = "flag"
    OBELISK = "obelisk"
    OTHER = "other"


_KINDS: Final = (
    (PlaceKind.SPAWN, _SPAWNS),
    (PlaceKind.FLAG, _CTF_FLAGS),
    (PlaceKind.OBELISK, _OBELISKS),
    (PlaceKind.WEAPON, ("weapon_",)),
    (PlaceKind.AMMO, ("ammo_",)),
    (PlaceKind.HOLDABLE, ("holdable_",)),
    (PlaceKind.HEALTH, ("item_health",)),
    (PlaceKind.ARMOR, ("item_armor",)),
    (PlaceKind.POWERUP, tuple(f"item_{name}" for name in _POWERUPS)),
)
"""Prefixes of the lower-case names of each kind. The first match counts."""

RESPAWN: Final = {
    PlaceKind.WEAPON: 5.0,
    PlaceKind.AMMO: 40.0,
    PlaceKind.HEALTH: 35.0,
    PlaceKind.ARMOR: 25.0,
    PlaceKind.POWERUP: 120.0,
    PlaceKind.HOLDABLE: 60.0,
}
"""Seconds until an item that was taken comes back, in Quake III. Flags, obelisks and spawns have none."""


def place_kind(classname: str) -> PlaceKind:
    """Kind of the items or spawns of a class."""
    name = classname.lower()
    return next((found for found, prefixes in _KINDS if name.startswith(prefixes)), PlaceKind.OTHER)


def respawn_of(entity: Entity) -> float:
    """Seconds until an item that was taken comes back; infinite if it never does. The key ``wait`` overrides it."""
    wait = entity.number("wait")
    if wait:
        return wait if wait > 0.0 else float("inf")
    return RESPAWN.get(place_kind(entity.classname), float("inf"))


def team_of(classname: str) -> str:
    """Team that a flag, obelisk or spawn belongs to: "red" or "blue"; "" if none."""
    name = classname.lower()
    return next((team for team in ("red", "blue") if name.startswith((f"team_{team}", f"team_ctf_{team}"))), "")


def class_of(classname: str) -> EntityClass:
    """Role of the entities of a class."""
    return _class_of(classname[:LONGEST_PREFIX])


@lru_cache(1024)
def _class_of(beginning: str) -> EntityClass:
    """Role of the entities whose class names begin like this. Kept, because every stage that reads entities asks."""
    name = beginning.lower()
    return next((found for found, prefixes in _PREFIXES if name.startswith(prefixes)), EntityClass.OTHER)


def stands(entity: Entity) -> bool:
    """Whether a player can stand at the entity in some game type."""
    return class_of(entity.classname) in STANDS and exists(entity)


def exists(entity: Entity) -> bool:
    """Whether any game type has the entity."""
    return not all(int(entity.number(key)) for key in GAME_TYPE_KEYS)


def spawns(entity: Entity, mode: str) -> bool:
    """Whether a game mode has the entity. Flags and their spawns belong to CTF, obelisks to none of these modes."""
    if any(int(entity.number(key)) for key in REMOVED_BY[mode]):
        return False
    named = entity.get(MODE_NAMES)
    if named and mode not in named:
        return False
    name = entity.lower_class
    if name.startswith("team_") and "obelisk" in name.removeprefix("team_")[1:]:
        return False
    return mode == "ctf" or not name.startswith("team_ctf_")


PLAIN_SPAWN: Final = "info_player_deathmatch"
"""Class of the spawns of a plain deathmatch."""


def short_name(classname: str) -> str:
    """Class name without its prefix: "health" for item_health, "spawn" for a plain spawn."""
    if classname.lower() == PLAIN_SPAWN:
        return "spawn"
    family, found, rest = classname.partition("_")
    return rest if found and family.lower() in _FAMILIES else classname


def is_suspended(entity: Entity) -> bool:
    """Whether the entity is an item that does not fall."""
    return class_of(entity.classname) is EntityClass.ITEM and entity.flags() & SUSPENDED != 0
