"""The side file of a map, ``x.links.toml``: what a mapper adds by hand, as TOML beside the map or in its archive.

    [[link]]
    from = [0, 0, 24]
    to = [256, 0, 152]
    travel = "jump"

Every entry becomes an entity, as if the map had it (``model.by_hand``). Volumes without brushes get a brush.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from aascompile.csr import joined
from aascompile.errors import MapError
from aascompile.geometry.planes import PlaneTable
from aascompile.model.by_hand import (
    BLOCK,
    BOUNDS,
    COST,
    ENTRY_KEY,
    FILE_KEY,
    LINK,
    PORTAL,
    UNLINK,
    VOLUMES,
    HandEntry,
    box_of,
    entries,
)
from aascompile.model.contents import Contents
from aascompile.model.filling import MOST_FACTORS
from aascompile.model.mapdata import Brushes, Entity, MapData, Planes
from aascompile.patterns import pattern

MAX_BYTES: Final = 1 << 20
"""Limit on the size of a side file."""

MAX_ENTRIES: Final = 4096
"""Limit on what a mapper adds by hand to a map."""

MAX_PARTS: Final = 100
"""Limit on the dots in a line that begins with a bracket: reading a long name of a table takes quadratic time."""

_POINT, _TEXT, _NUMBER, _FLAG = "three numbers", "text", "a number", "true or false"

_JOIN: Final = {"from": _POINT, "to": _POINT, "travel": _TEXT, "both_ways": _FLAG, "note": _TEXT}
_BOX: Final = {"mins": _POINT, "maxs": _POINT, "note": _TEXT}
FIELDS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "link": (LINK, _JOIN | {"cost": _NUMBER}),
    "unlink": (UNLINK, _JOIN),
    "block": (BLOCK, _BOX),
    "cost": (COST, _BOX | {"factor": _NUMBER}),
    "portal": (PORTAL, _BOX),
}
"""Tables of the file: the class of the entities, and the fields with what they hold."""

_KEYS: Final = {"from": "origin"}
"""Keys of entities that are named otherwise than the field."""

_LONG_NAME: Final = pattern(rf"^[ \t]*\[(?:[^.\n]*\.){{{MAX_PARTS}}}", re.MULTILINE)


def read_links_file(path: str | os.PathLike[str]) -> tuple[Entity, ...]:
    """Entities from a side file; MapError if it cannot be read or has a fault."""
    name = os.fsdecode(path)
    try:
        with open(name, "rb") as file:
            return parse_links(file.read(MAX_BYTES + 1), name)
    except FileNotFoundError:
        raise MapError(name, "no such file") from None
    except IsADirectoryError:
        raise MapError(name, "is a folder") from None
    except OSError as error:
        raise MapError(name, f"cannot be read: {error.strerror or error}") from None


def parse_links(data: bytes, name: str) -> tuple[Entity, ...]:
    """Entities from the bytes of a side file."""
    if len(data) > MAX_BYTES:
        raise MapError(name, f"is larger than {MAX_BYTES >> 10:,} KB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise MapError(name, "is not UTF-8 text") from None
    if _LONG_NAME.search(text):
        raise MapError(name, f"is not a file of links: a line in brackets has more than {MAX_PARTS} dots")
    import tomllib  # most maps have no such file

    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise MapError(name, f"is not valid TOML: {str(error).splitlines()[0]}") from None
    return entities_of(tables, name)


def entities_of(tables: Mapping[str, Any], name: str) -> tuple[Entity, ...]:
    """Entities from the tables of a side file. ``name`` is for messages; its last part is stored."""
    made: list[Entity] = []
    short = name.replace("\\", "/").rsplit("/", 1)[-1]
    for table, rows in tables.items():
        if table not in FIELDS:
            raise MapError(name, f"{str(table)[:40]!r} is unknown; an entry begins with [[{']], [['.join(FIELDS)}]]")
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            raise MapError(name, f"{table} must be a list of entries: write [[{table}]] before each")
        if len(made) + len(rows) > MAX_ENTRIES:
            raise MapError(name, f"has more than {MAX_ENTRIES:,} entries")
        for number, row in enumerate(rows, 1):
            made.append(_entity(table, number, row, name, short))
    return tuple(made)


def _entity(table: str, number: int, row: Mapping[str, Any], name: str, short: str) -> Entity:
    """The entity of an entry, whose fields have the right types."""
    classname, known = FIELDS[table]
    pairs = [("classname", classname)]
    for field, value in row.items():
        where = f"{table} {number}: {str(field)[:40]}"
        if field not in known:
            raise MapError(name, f"{where} is unknown; the fields here are {', '.join(known)}")
        text = _text(value, known[field])
        if text is None:
            raise MapError(name, f"{where} must be {known[field]}")
        pairs.append((_KEYS.get(field, field), text))
    return Entity((*pairs, (FILE_KEY, short), (ENTRY_KEY, f"{table} {number}")))


def _text(value: Any, holds: str) -> str | None:
    """The value of a field as the text of an entity's key; None if it is of another type."""
    if holds == _POINT:
        if not isinstance(value, list | tuple) or len(value) != 3 or not all(_is_number(part) for part in value):
            return None
        return " ".join(repr(float(part)) for part in value)
    if holds == _NUMBER:
        return repr(float(value)) if _is_number(value) else None
    if holds == _FLAG:
        return str(int(value)) if isinstance(value, bool) else None
    return value if isinstance(value, str) else None


def _is_number(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return not isinstance(value, int) or abs(value) < 1 << 62


def with_by_hand(map_data: MapData, added: tuple[Entity, ...], side_name: str = "") -> MapData:
    """The map with the entities of its side file, and with a brush for each volume that has keys instead of brushes.

    Raises MapError if a volume has a fault.
    """
    entities = (*map_data.entities, *added)
    found = list(entries(entities, map_data.name, side_name))
    if not found:
        return map_data
    if len(found) > MAX_ENTRIES:
        raise MapError(map_data.name, f"has more than {MAX_ENTRIES:,} links and volumes made by hand")
    factors = {entry.entity.get("factor") for entry in found if entry.entity.lower_class == COST}
    if len(factors) > MOST_FACTORS:
        raise MapError(found[0].file, f"has {len(factors):,} different cost factors; the limit is {MOST_FACTORS}")
    has_brushes = set(map_data.models.entity.tolist())
    boxed = [entry for entry in found if entry.entity.lower_class in VOLUMES and entry.row not in has_brushes]
    map_data = replace(map_data, entities=_with_bounds(entities, found, map_data))
    if not boxed:
        return map_data
    corners = np.array([box_of(entry) for entry in boxed], np.float64)
    n = len(boxed)
    table = PlaneTable.of(map_data.planes.normal, map_data.planes.dist)
    normal = np.tile(np.vstack([-np.eye(3), np.eye(3)]) + 0.0, (n, 1))
    plane = table.intern(normal, np.hstack([-corners[:, 0], corners[:, 1]]).reshape(-1))
    none = np.full(n, -1, np.int32)
    boxes = Brushes(
        side_start=np.arange(0, 6 * n + 1, 6),
        side_plane=plane,
        side_flags=np.zeros(6 * n, np.uint32),
        contents=np.full(n, Contents.TRIGGER, np.uint32),
        shader=none,
        model=np.zeros(n, np.int32),
        entity=np.array([entry.row for entry in boxed], np.int32),
        number=none,
    )
    brushes = map_data.brushes
    columns = ("side_plane", "side_flags", "contents", "shader", "model", "entity", "number")
    both = Brushes(
        side_start=joined([brushes.side_start, boxes.side_start]),
        **{name: np.concatenate([getattr(brushes, name), getattr(boxes, name)]) for name in columns},
    )
    return replace(map_data, planes=Planes(table.normal.copy(), table.dist.copy()), brushes=both)


def _with_bounds(entities: tuple[Entity, ...], found: Sequence[HandEntry], map_data: MapData) -> tuple[Entity, ...]:
    """The entities; those of volumes that have brushes get the bounds of these, for pictures and explanations."""
    made, models = list(entities), map_data.models
    for entry in found:
        model = np.flatnonzero(models.entity == entry.row)
        if entry.entity.lower_class in VOLUMES and len(model):
            corners = zip(BOUNDS, (models.mins[model[0]], models.maxs[model[0]]), strict=True)
            bounds = ((key, " ".join(f"{value:g}" for value in corner)) for key, corner in corners)
            kept = (pair for pair in entry.entity.pairs if pair[0].lower() not in BOUNDS)
            made[entry.row] = Entity((*kept, *bounds))
    return tuple(made)
