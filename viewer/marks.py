"""Entity marks with short names: spawns, items, targets, triggers and movers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from aascompile.escaping import printable
from aascompile.model.compiled import Entities
from aascompile.model.entity_classes import EntityClass, class_of, short_name
from aascompile.model.mapdata import Float, Index
from aascompile.viewer import build, palette
from aascompile.viewer.meshes import FAR, Mesh

SORTS: Final = {
    EntityClass.DESTINATION: EntityClass.TARGET,
    EntityClass.CAMP: EntityClass.OTHER,
    EntityClass.CAMERA: EntityClass.OTHER,
}
"""Classes that share another class's colour."""


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
    half: float
    """Half the width of a mark, units."""
    mesh: Mesh
    """A mark for each entity. The item is the row of this record."""


def marks_of(entities: Entities, half: float = build.MARK_RADIUS) -> Marks:
    """Marks of a file's entities; ``half`` is half their width, units."""
    rows = [
        row
        for row, name in enumerate(entities.classname)
        if np.all(np.abs(entities.origin[row]) < FAR) and name and class_of(name) is not EntityClass.SCENERY
    ]
    row = np.array(rows, np.int64)
    sort = tuple(sort_of(entities.classname[each]) for each in rows)
    name = tuple(_short(entities, each) for each in rows)
    mesh = build.marks(entities.origin[row], np.arange(len(rows), dtype=np.int32), half)
    if rows:
        mesh = mesh.coloured(np.array([palette.ENTITIES[each] for each in sort], np.uint8))
    return Marks(row, entities.origin[row], sort, name, half, mesh)


def sort_of(classname: str) -> str:
    """Return the key of ``palette.ENTITIES`` that colours a class."""
    found = class_of(classname)
    return SORTS.get(found, found).value


def _short(entities: Entities, row: int) -> str:
    """A class name without its family, and the name that others call it by."""
    entity = entities.entity(row)
    name = short_name(entities.classname[row])
    called = entity.get("targetname")
    words = f"{name} '{called}'" if called else name
    return printable(words, 40)
