"""Doors that nothing opens, from the entities of a compiled file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from aascompile.graph.flood import Mask
from aascompile.model.compiled import Compiled
from aascompile.model.entity_classes import exists
from aascompile.model.mapdata import Entity

START_OPEN: Final = 1
"""Spawnflag of a door that blocks nothing at rest."""

PASSES_ON: Final = ("target_relay", "target_delay")
"""Classes that fire their targets only when they are fired themselves."""


def shut_doors(compiled: Compiled) -> dict[int, int]:
    """Brush model of each door that nothing opens → row of its entity.

    A door without a name opens for every player who comes near, and a door with health when it is shot. A named door
    needs an entity that targets it, directly or through relays. Doors of a team open together.
    """
    entities = [compiled.entities.entity(row) for row in range(len(compiled.entities))]
    doors = dict(_doors(entities))
    if not doors:
        return {}
    fired = _fired(entities)
    opens: dict[str, bool] = {}
    for row in doors:
        team = _team(entities[row], row)
        opens[team] = opens.get(team, False) or _opens(entities[row], fired)
    return {model: row for row, model in doors.items() if not opens[_team(entities[row], row)]}


def shut_areas(compiled: Compiled) -> Mask:
    """(areas,) whether an area lies in a door that nothing opens."""
    models = list(shut_doors(compiled))
    inside: Mask = np.isin(compiled.areas.area_model, models)
    return inside


def _doors(entities: list[Entity]) -> Iterator[tuple[int, int]]:
    """Row and brush model of each door."""
    for row, entity in enumerate(entities):
        if entity.lower_class != "func_door" or not exists(entity):
            continue
        model = re.fullmatch(r"\*(\d{1,9})", entity.get("model"))
        if model is not None:
            yield row, int(model[1])


def _team(entity: Entity, row: int) -> str:
    """Name of what moves together with a door; doors without a team move alone."""
    return entity.get("team") or f"*{row}"


def _opens(door: Entity, fired: set[str]) -> bool:
    name = door.get("targetname").lower()
    return bool(door.flags() & START_OPEN) or not name or door.number("health") > 0.0 or name in fired


def _fired(entities: list[Entity]) -> set[str]:
    """Names that something fires: relays count only if they are fired themselves."""
    found = {entity.get("target").lower() for entity in entities if entity.lower_class not in PASSES_ON}
    waiting = [entity for entity in entities if entity.lower_class in PASSES_ON]
    while True:
        passed = [entity for entity in waiting if entity.get("targetname").lower() in found]
        if not passed:
            return found - {""}
        found |= {entity.get("target").lower() for entity in passed}
        waiting = [entity for entity in waiting if entity not in passed]
