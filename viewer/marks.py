"""Entities as marks with names: where players begin, what they pick up, what is aimed at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from aascompile.model.compiled import Entities
from aascompile.model.mapdata import Float, Index
from aascompile.viewer import build, palette
from aascompile.viewer.meshes import FAR, Mesh

SORTS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("spawn", ("info_player", "team_ctf_redspawn", "team_ctf_bluespawn", "team_ctf_redplayer", "team_ctf_blueplayer")),
    ("item", ("item_", "weapon_", "ammo_", "holdable_", "team_", "key_", "power")),
    ("target", ("target_", "misc_teleporter_dest", "info_notnull", "path_corner", "info_teleport")),
    ("trigger", ("trigger_",)),
    ("mover", ("func_",)),
)
"""Sort → how its class names begin; the first that fits."""

UNSEEN: Final = ("light", "misc_model", "worldspawn", "info_null", "shooter", "target_location", "target_speaker")
"""What says nothing about ways."""

FORMS: Final = ("item_", "weapon_", "ammo_", "holdable_", "target_", "team_", "info_", "misc_", "trigger_", "func_")


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The entities that have a place and a meaning."""

    row: Index
    """(n,) row of the entities."""
    origin: Float
    """(n, 3)"""
    sort: tuple[str, ...]
    """(n,) a key of ``palette.ENTITIES``."""
    name: tuple[str, ...]
    """(n,) short name."""
    mesh: Mesh
    """A mark each; the item is the row here."""


def marks_of(entities: Entities) -> Marks:
    """The marks of a file's entities."""
    rows = [
        row
        for row, name in enumerate(entities.classname)
        if np.all(np.abs(entities.origin[row]) < FAR) and name and not name.lower().startswith(UNSEEN)
    ]
    row = np.array(rows, np.int64)
    sort = tuple(sort_of(entities.classname[each]) for each in rows)
    name = tuple(_short(entities, each) for each in rows)
    mesh = build.marks(entities.origin[row], np.arange(len(rows), dtype=np.int32))
    if rows:
        mesh = mesh.coloured(np.array([palette.ENTITIES[each] for each in sort], np.uint8))
    return Marks(row, entities.origin[row], sort, name, mesh)


def sort_of(classname: str) -> str:
    """What an entity is to a player."""
    lower = classname.lower()
    return next((sort for sort, starts in SORTS if lower.startswith(starts)), "other")


def _short(entities: Entities, row: int) -> str:
    """A class name without its family, and the name that others call it by."""
    name = entities.classname[row]
    entity = entities.entity(row)
    if name.startswith("info_player_deathmatch"):
        name = "spawn"
    for form in FORMS:
        name = name.removeprefix(form)
    called = entity.get("targetname")
    words = f"{name} '{called}'" if called else name
    return "".join(letter if letter.isprintable() else "?" for letter in words)[:40]
