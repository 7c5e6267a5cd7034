"""What a mapper adds by hand: links, links to remove, volumes that bots avoid, cost factors, cluster portals.

Each is an entity of the map, or an entry of the side file ``x.links.toml``, which becomes an entity when it is read
(``mapio.by_hand``). So all later stages, the cache and compiled files know one form only. The game ignores these
classes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from aascompile import tolerances
from aascompile.errors import MapError
from aascompile.model.entity_classes import exists
from aascompile.model.links import MOST_TIME, RIDES, Travel
from aascompile.model.mapdata import Entity
from aascompile.records import dataclass

LINK: Final = "aas_link"
UNLINK: Final = "aas_unlink"
BLOCK: Final = "aas_block"
COST: Final = "aas_cost"
PORTAL: Final = "aas_portal"

VOLUMES: Final = (BLOCK, COST, PORTAL)
"""Classes that enclose space."""

CLASSES: Final = (LINK, UNLINK, *VOLUMES)

FILE_KEY: Final = "_links_file"
"""Key with the name of the side file, in an entity that was made from an entry of it."""
ENTRY_KEY: Final = "_entry"
"""Key with the entry, such as "link 3"."""

BOUNDS: Final = ("_mins", "_maxs")
"""Keys with the bounds of the brushes of a volume, relative to its origin, in compiled files."""

LEAST_FACTOR: Final = 0.01
MOST_FACTOR: Final = 1000.0
"""Limits on cost factors."""

LONGEST: Final = MOST_TIME / 100.0
"""Limit on the time of a link, in seconds."""

YES: Final = ("1", "true", "yes")
NO: Final = ("", "0", "false", "no")

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class HandEntry:
    """An entity of one of these classes, and how messages call it."""

    row: int
    """Row of the entity."""
    file: str
    """File for messages: the side file, or the map."""
    name: str
    """"link 3" for the third link of a side file; "aas_link (entity 12)" for an entity of the map."""
    entity: Entity

    def error(self, what: str) -> MapError:
        """An error in this entry; ``what`` is a clause that begins with the field."""
        return MapError(self.file, f"{self.name}: {what}")

    def warning(self, what: str) -> str:
        """A warning about this entry."""
        return f"{self.file.replace(chr(92), '/').rsplit('/', 1)[-1]}: {self.name}: {what}"

    @property
    def from_key(self) -> str:
        """Key of the start of a link."""
        return "from" if self.entity.get(FILE_KEY) else "origin"


@dataclass(frozen=True, slots=True)
class Join:
    """A link to add, or links to remove, from one place to another."""

    entry: HandEntry
    start: Point
    """Where a player stands or falls from; the feet or the origin."""
    end: Point
    kind: Travel | None
    """None: any, for links to remove."""
    seconds: float | None
    """Time of the link; None: as the compiler computes it."""
    both_ways: bool


@dataclass(frozen=True, slots=True)
class ByHand:
    """Everything that the mapper added by hand."""

    links: tuple[Join, ...] = ()
    unlinks: tuple[Join, ...] = ()
    volumes: tuple[HandEntry, ...] = ()

    def __len__(self) -> int:
        return len(self.links) + len(self.unlinks) + len(self.volumes)


def is_by_hand(entity: Entity) -> bool:
    """Whether an entity is of one of these classes and exists in some game type."""
    return entity.lower_class in CLASSES and exists(entity)


def origin_of(entity: Entity, row: int) -> str:
    """Where something was added by hand: "in x.links.toml, link 3" or "by aas_link (entity 12)"."""
    file = entity.get(FILE_KEY)
    return f"in {file}, {entity.get(ENTRY_KEY)}" if file else f"by {entity.classname} (entity {row})"


def entries(entities: Sequence[Entity], map_name: str, side_name: str = "") -> Iterator[HandEntry]:
    """All entries of a map. ``map_name`` and ``side_name`` are paths for messages."""
    for row, entity in enumerate(entities):
        if not is_by_hand(entity):
            continue
        file = entity.get(FILE_KEY)
        name = entity.get(ENTRY_KEY) if file else f"{entity.classname} (entity {row})"
        yield HandEntry(row, (side_name or file) if file else map_name, name, entity)


def read_by_hand(
    entities: Sequence[Entity], map_name: str, side_name: str = "", with_brushes: Iterable[int] = ()
) -> ByHand:
    """Everything that was added by hand. ``with_brushes``: rows of entities that have brushes.

    Raises MapError for the first entry with a fault.
    """
    links: list[Join] = []
    unlinks: list[Join] = []
    volumes: list[HandEntry] = []
    brushes = frozenset(with_brushes)
    for entry in entries(entities, map_name, side_name):
        kind = entry.entity.lower_class
        if kind in VOLUMES:
            if entry.row not in brushes:
                box_of(entry)
            if kind == COST:
                _factor(entry)
            volumes.append(entry)
        else:
            (links if kind == LINK else unlinks).append(_join(entry, entities))
    return ByHand(tuple(links), tuple(unlinks), tuple(volumes))


def factor_of(entity: Entity) -> float:
    """Cost factor of an entity that was checked."""
    return entity.number("factor", 1.0)


def box_of(entry: HandEntry) -> tuple[Point, Point]:
    """Corners of a volume that is given by keys, relative to the origin of the entity, if it has one."""
    if not entry.entity.get("mins") and not entry.entity.get("maxs"):
        raise entry.error("has neither brushes nor mins and maxs")
    mins, maxs = (_point(entry, key) for key in ("mins", "maxs"))
    for axis, low, high in zip("xyz", mins, maxs, strict=True):
        if high - low < tolerances.MIN_EDGE:
            raise entry.error(f"maxs is not above mins in {axis} ({high:g} and {low:g}), so it encloses nothing")
    return mins, maxs


def _join(entry: HandEntry, entities: Sequence[Entity]) -> Join:
    adds = entry.entity.lower_class == LINK
    name = entry.entity.get("travel").strip()
    kind = Travel.named(name) if name else None
    allowed = [travel.name.lower() for travel in Travel if not (adds and travel in RIDES)]
    if adds and not name:
        raise entry.error(f"travel is missing; it is one of {', '.join(allowed)}")
    if name and kind is None:
        raise entry.error(f"travel is {name[:40]!r}, which is unknown; it is one of {', '.join(allowed)}")
    if adds and kind in RIDES:
        raise entry.error(f"travel is {name[:40]!r}, but the compiler alone knows how platforms move")
    seconds = None
    if adds and entry.entity.get("cost"):
        seconds = _number(entry, "cost", 0.01, LONGEST, "seconds")
    flag = entry.entity.get("both_ways").strip().lower()
    if flag not in (*YES, *NO):
        raise entry.error(f"both_ways is {flag[:40]!r}, but must be 1 or 0")
    start, end = _point(entry, entry.from_key, "origin"), _end(entry, entities)
    return Join(entry, start, end, kind, seconds, flag in YES)


def _end(entry: HandEntry, entities: Sequence[Entity]) -> Point:
    """Where a link leads: the key "to", or the origin of the entity that "target" names."""
    if entry.entity.get("to") or not entry.entity.get("target"):
        return _point(entry, "to")
    wanted = entry.entity.get("target")
    found = [entity for entity in entities if entity.get("targetname").lower() == wanted.lower()]
    if not found:
        raise entry.error(f"target is {wanted[:40]!r}, but no entity has this targetname")
    place = found[0].vector("origin")
    if place is None:
        raise entry.error(f"target is {wanted[:40]!r}, but that entity has no origin")
    return place


def _point(entry: HandEntry, field: str, key: str = "") -> Point:
    """Three numbers of a key, within the extent of a map. ``field`` names it in messages."""
    text = entry.entity.get(key or field)
    if not text.strip():
        raise entry.error(f"{field} is missing")
    words = text.split()
    try:
        x, y, z = (float(word) for word in words)
    except ValueError:
        raise entry.error(f"{field} is {text[:40]!r}, but must be three numbers") from None
    if not all(abs(value) <= tolerances.WORLD_EXTENT for value in (x, y, z)):
        raise entry.error(f"{field} is {text[:40]!r}, which is outside every map")
    return x, y, z


def _factor(entry: HandEntry) -> float:
    return _number(entry, "factor", LEAST_FACTOR, MOST_FACTOR)


def _number(entry: HandEntry, field: str, least: float, most: float, unit: str = "") -> float:
    text = entry.entity.get(field).strip()
    if not text:
        raise entry.error(f"{field} is missing")
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        kind = f"a number of {unit}" if unit else "a number"
        raise entry.error(f"{field} is {text[:40]!r}, but must be {kind} from {least:g} to {most:,g}")
    return value
