"""What a mapper added by hand to a compiled map, in words: which links, and what removed or blocked something."""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.errors import MapError
from aascompile.model.by_hand import (
    BLOCK,
    BOUNDS,
    COST,
    LINK,
    PORTAL,
    UNLINK,
    VOLUMES,
    HandEntry,
    entries,
    is_by_hand,
    origin_of,
    read_by_hand,
)
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.model.mapdata import Entity, Float
from aascompile.records import dataclass
from aascompile.sampling.locate import locate
from aascompile.sampling.sample import tree_of

NOUNS: Final = {LINK: "link", UNLINK: "unlink", BLOCK: "block", COST: "cost", PORTAL: "portal"}
"""What an entry of each class is called."""


EFFECTS: Final = {BLOCK: "closed to routes", PORTAL: "a cluster portal is wanted"}
"""What volumes do, but those with a cost factor."""


def added_by(compiled: Compiled, link: int) -> str:
    """How a link came to be: "added by hand in x.links.toml, link 3"; "" if the compiler found it."""
    row = -1 if compiled.links is None or link < 0 else int(compiled.links.entity[link])
    return "" if row < 0 else f"added by hand {origin_of(compiled.entities.entity(row), row)}"


def removed_between(compiled: Compiled, source: int, target: int) -> list[str]:
    """What the mapper removes from one area to another: "walk links removed by hand in x.links.toml, unlink 1"."""
    entities = _entities(compiled)
    if not any(entity.lower_class == UNLINK for entity in entities) or not len(compiled.areas.node_plane):
        return []
    try:
        unlinks = read_by_hand(entities, compiled.provenance.name, "", range(len(entities))).unlinks
    except MapError:
        return []
    tree, found = tree_of(compiled.areas), []
    for unlink in unlinks:
        area, _ = locate(tree, [unlink.start, unlink.end], compiled.boxes.feet)
        ends = (int(area[0]), int(area[1]))
        if ends == (source, target) or (unlink.both_ways and ends == (target, source)):
            what = unlink.kind.words if unlink.kind is not None else "all"
            found.append(f"{what} links removed by hand {origin_of(unlink.entry.entity, unlink.entry.row)}")
    return found


def volumes_at(compiled: Compiled, area: int) -> list[str]:
    """Volumes that the mapper put where an area is: "blocked by hand in x.links.toml, block 1"."""
    areas, found = compiled.areas, []
    bits, cost = int(areas.area_contents[area]), float(areas.area_cost[area])
    for entry in entries(_entities(compiled), compiled.provenance.name):
        kind = entry.entity.lower_class
        if kind not in VOLUMES or not _touches(compiled, entry, area):
            continue
        where = origin_of(entry.entity, entry.row)
        if kind == BLOCK and bits & Kind.DONOTENTER:
            found.append(f"blocked by hand {where}")
        elif kind == PORTAL and bits & Kind.CLUSTERPORTAL:
            found.append(f"a portal is wanted {where}")
        elif kind == COST and entry.entity.number("factor", 1.0) == cost:
            found.append(f"cost factor {cost:g} {where}")
    return found


@dataclass(frozen=True, slots=True)
class Volume:
    """A volume that the mapper made."""

    row: int
    """Row of its entity."""
    kind: str
    """Its class: BLOCK, COST or PORTAL."""
    low: Float
    """(3,) corner of the box around it."""
    high: Float
    """(3,)"""
    text: str
    """Its name and effect: "block 1: closed to routes"."""


def volumes(compiled: Compiled) -> list[Volume]:
    """All volumes that the mapper made, and whose bounds are known, in entity order."""
    found = []
    for entry in entries(_entities(compiled), compiled.provenance.name):
        bounds, kind = bounds_of(entry.entity), entry.entity.lower_class
        if kind in VOLUMES and bounds is not None:
            effect = f"costs × {entry.entity.number('factor', 1.0):g}" if kind == COST else EFFECTS[kind]
            found.append(Volume(entry.row, kind, *bounds, f"{entry.name}: {effect}"))
    return found


def summary(compiled: Compiled) -> dict[str, int]:
    """Number of entries of each kind, by what they are called; kinds without entries are left out."""
    names = [entity.lower_class for entity in _entities(compiled) if is_by_hand(entity)]
    return {noun: names.count(name) for name, noun in NOUNS.items() if name in names}


def bounds_of(entity: Entity) -> tuple[Float, Float] | None:
    """Corners of the box around a volume; None if they are unknown."""
    mins, maxs = (entity.vector(own) or entity.vector(key) for own, key in zip(BOUNDS, ("mins", "maxs"), strict=True))
    if mins is None or maxs is None:
        return None
    offset = np.array(entity.offset)
    return np.array(mins) + offset, np.array(maxs) + offset


def _touches(compiled: Compiled, entry: HandEntry, area: int) -> bool:
    """Whether the box of an area and that of a volume, grown by the player's, have more in common than a face."""
    bounds = bounds_of(entry.entity)
    if bounds is None:
        return False
    low, high = bounds[0] - compiled.boxes.maxs[0], bounds[1] - compiled.boxes.mins[0]
    areas = compiled.areas
    return bool((areas.area_mins[area] < high).all() and (areas.area_maxs[area] > low).all())


def _entities(compiled: Compiled) -> tuple[Entity, ...]:
    return tuple(map(compiled.entities.entity, range(len(compiled.entities))))
