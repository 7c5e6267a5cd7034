"""The stages in order: the one place that knows it."""

from __future__ import annotations

from dataclasses import dataclass

from aascompile.brushes.entities import read_entities
from aascompile.brushes.meaning import classify, classify_patches
from aascompile.brushes.patches import facets
from aascompile.brushes.sound import sound_brushes
from aascompile.geometry.hull import Hulls
from aascompile.geometry.planes import PlaneTable
from aascompile.mapio.load import load_map
from aascompile.model.entities import EntityFacts
from aascompile.model.facets import Facets
from aascompile.model.mapdata import MapData, Planes
from aascompile.model.meaning import Meaning
from aascompile.report import Report


@dataclass(frozen=True, slots=True)
class Understood:
    """A map with all that can be said of it before areas are made."""

    map: MapData
    """Without the brushes that enclose nothing."""
    hulls: Hulls
    """Of its brushes, a row each."""
    facts: EntityFacts
    meaning: Meaning
    """Of its brushes."""
    patch_meaning: Meaning
    """Of its patches."""
    facets: Facets
    """Of all patches that would block standing still; ``patch_meaning`` says which of them count."""
    planes: Planes
    """The map's planes, their ids unchanged, then those of the facets."""


def understand(path: str, report: Report) -> Understood:
    """Read a map and find out what each part of it means; the report says what was left out, and why."""
    # 1. Every format becomes the same records.
    with report.stage("read") as stage:
        read = load_map(path)
        stage.count(brushes=len(read.brushes), patches=len(read.patches), entities=len(read.entities))

    # 2. A brush must enclose something, or later stages would divide by its nothing.
    with report.stage("hulls") as stage:
        map_data, hulls = sound_brushes(read)
        stage.count(dropped=len(map_data.dropped) - len(read.dropped))

    # 3. The same contents mean different things in different entities' hands.
    with report.stage("meaning") as stage:
        facts = read_entities(map_data)
        meaning = classify(map_data, facts)
        patch_meaning = classify_patches(map_data, facts)
        stage.count(used=int((meaning.kind != 0).sum()), unused=int((meaning.kind == 0).sum()))

    # 4. Collision knows curves only as flat pieces.
    with report.stage("patches") as stage:
        table = PlaneTable.of(map_data.planes.normal, map_data.planes.dist)
        pieces, dropped = facets(map_data.patches, table)
        stage.count(facets=len(pieces), unmerged=pieces.unmerged, dropped=len(dropped))

    for one in map_data.dropped + dropped:
        report.drop(one.kind, one.number, one.reason)
    _warn(map_data, facts, meaning, report)
    planes = Planes(table.normal, table.dist)
    return Understood(map_data, hulls, facts, meaning, patch_meaning, pieces, planes)


def _warn(map_data: MapData, facts: EntityFacts, meaning: Meaning, report: Report) -> None:
    """What the mapper should look at."""
    for idle in facts.idle:
        if idle.fault:
            report.warn(f"{map_data.entities[idle.row].classname} (entity {idle.row}) does nothing: {idle.reason}")
    for train in facts.trains:
        if not train.stops:
            report.warn(f"func_train (entity {train.row}) does nothing: it has no path_corner to go to")
    for name in meaning.unknown:
        report.warn(f"unknown class '{name}': its brushes give no geometry")
