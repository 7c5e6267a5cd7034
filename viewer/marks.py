"""Entity marks with short names: spawns, items, targets, triggers and movers."""

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
"""Category → prefixes of its class names; the first match counts."""

UNSEEN: Final = ("light", "misc_model", "worldspawn", "info_null", "shooter", "target_location", "target_speaker")
"""Prefixes of classes that have no mark, as they do not affect navigation."""

FORMS: Final = ("item_", "weapon_", "ammo_", "holdable_", "target_", "team_", "info_", "misc_", "trigger_", "func_")


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The entities that have an origin and a mark."""

    row: Index
    """``(n,)`` row of the entities."""
    origin: Float
    """``(n, 3)``"""
    sort: tuple[str, ...]
    """``(n,)`` category, a key of ``palette.ENTITIES``."""
    name: tuple[str, ...]
    """``(n,)`` short name."""
    mesh: Mesh
    """A mark for each entity. The item is the row of this record."""


def marks_of(entities: Entities) -> Marks:
    """Marks of a file's entities."""
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
    """Category of an entity class."""
    lower = classname.lower()
    return next((sort for sort, starts in SORTS if lower.startswith(starts)), "other")


def _short(entities: Entities, row: int) -> str:
    """Class name without its prefix, followed by the entity's targetname."""
    name = entities.classname[row]
    entity = entities.entity(row)
    if name.startswith("info_player_deathmatch"):
        name = "spawn"
    for form in FORMS:
        name = name.removeprefix(form)
    called = entity.get("targetname")
    words = f"{name} '{called}'" if called else name
    return "".join(letter if letter.isprintable() else "?" for letter in words)[:40]
