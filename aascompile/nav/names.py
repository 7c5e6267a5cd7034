"""Places as users write them: area numbers, points, items, spawns and entities by name."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from aascompile.errors import RouteError
from aascompile.model.compiled import Compiled
from aascompile.model.entity_classes import EXAMPLE
from aascompile.nav.records import Point, point_of
from aascompile.records import dataclass
from aascompile.sampling.locate import locate
from aascompile.sampling.sample import tree_of

FARTHEST: Final = 1e6
"""Limit on the coordinates of a point."""

NEITHER: Final = f"is neither an area number nor a point x,y,z, nor an item or spawn such as {EXAMPLE} or spawn:0"


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A place that a user named."""

    name: str
    """As it was written."""
    area: int
    point: Point
    """Origin of a player there; the middle of the area if that was named."""
    is_area: bool
    """Whether an area was named, not a point in it."""


def place_named(compiled: Compiled, text: str) -> NamedPlace:
    """The place with a name; RouteError if there is none. The message is a clause that follows the name.

    - ``12``: an area. ``10,20,30``: a point, where a player stands or falls from.
    - ``spawn:3``, ``item:3``: rows of the file's spawns and items, from 0. ``entity:3``: a row of its entities.
    - ``item_quad``: the only entity of a class. ``item_health:3``: one of several, from 0.
    """
    numbers = _numbers(text)
    if len(numbers) == 1 and numbers[0].is_integer():
        return _area(compiled, text, int(numbers[0]))
    if len(numbers) == 3 and all(abs(number) < FARTHEST for number in numbers):
        return _at(compiled, text, numbers)
    match = re.fullmatch(r"([A-Za-z_]\w*)(?::(\d{1,6}))?", text.strip())
    if match is None:
        raise RouteError(NEITHER)
    return _entity(compiled, text, match[1].lower(), None if match[2] is None else int(match[2]))


def entity_named(compiled: Compiled, text: str) -> int:
    """Row of the entity with a name, wherever it is; −1 if an area or a point is named. RouteError as in
    ``place_named``."""
    match = re.fullmatch(r"([A-Za-z_]\w*)(?::(\d{1,6}))?", text.strip())
    if match is None or _numbers(text):
        return -1
    return _entity_row(compiled, match[1].lower(), None if match[2] is None else int(match[2]))


def _numbers(text: str) -> list[float]:
    try:
        return [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        return []


def _area(compiled: Compiled, text: str, area: int) -> NamedPlace:
    areas = compiled.areas
    if not 0 <= area < len(areas):
        raise RouteError(f"there is no such area; areas are numbered 0 to {len(areas) - 1}")
    return NamedPlace(text, area, point_of(areas.area_centre[area]), True)


def _at(compiled: Compiled, text: str, point: list[float]) -> NamedPlace:
    if not len(compiled.areas.node_plane):
        raise RouteError("the file has no tree to find the area of a point: give its number")
    area, origin = locate(tree_of(compiled.areas), point, compiled.boxes.feet)
    if area[0] < 0:
        raise RouteError("no player fits there, nor right above: it is solid or outside the map")
    return NamedPlace(text, int(area[0]), point_of(origin[0]), False)


def _entity(compiled: Compiled, text: str, name: str, number: int | None) -> NamedPlace:
    """Place of an entity."""
    return _place(compiled, text, _entity_row(compiled, name, number))


def _entity_row(compiled: Compiled, name: str, number: int | None) -> int:
    """An entity by its row, its row among items or spawns, or its class."""
    places, entities = compiled.places, compiled.entities
    if name in ("spawn", "item"):
        rows = [] if places is None else places.entity[places.item == (name == "item")].tolist()
    elif name == "entity":
        rows = list(range(len(entities)))
    else:
        rows = [row for row, given in enumerate(entities.classname) if given.lower() == name]
    if not rows:
        raise RouteError(NEITHER if len(entities) else f"{NEITHER}; this file has no entities")
    if number is None and len(rows) > 1:
        raise RouteError(f"there are {len(rows)} of them: choose {name}:0 to {name}:{len(rows) - 1}")
    if number is not None and number >= len(rows):
        raise RouteError(f"there is no such {name}: they are numbered {name}:0 to {name}:{len(rows) - 1}")
    return int(rows[number or 0])


def _place(compiled: Compiled, text: str, row: int) -> NamedPlace:
    """Where an entity is: an item or spawn where the game puts it, any other at its origin."""
    places = compiled.places
    if places is not None and row in places.entity:
        place = int(np.flatnonzero(places.entity == row)[0])
        if places.area[place] < 0:
            raise RouteError(f"is in no area: {places.reason[place]}")
        return NamedPlace(text, int(places.area[place]), point_of(places.point[place]), False)
    origin = compiled.entities.origin[row]
    if not np.isfinite(origin).all():
        raise RouteError(f"is an entity without a place ({compiled.entities.classname[row] or 'no class'})")
    return _at(compiled, text, origin.tolist())
