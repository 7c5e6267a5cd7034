"""Counts of a compiled map: those that commands show, and those that ``aas regress`` compares."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntFlag
from typing import Final

import numpy as np

from aascompile.model.areas import AreaFlag, FaceFlag
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.model.links import Travel, by_kind
from aascompile.model.mapdata import Bits
from aascompile.nav.unreached import find_routes
from aascompile.nav.words import point_text
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class Counts:
    """Number of everything. What was not computed is None, and has no counts by kind."""

    areas: int
    area_flags: Mapping[str, int]
    """Areas by AreaFlag, in lower case. Flags that no area has are left out, here and in the next mappings."""
    area_contents: Mapping[str, int]
    """Areas by Kind. COST counts areas with a cost factor other than 1."""
    low: int
    """Areas without room for the largest box."""
    faces: int
    face_flags: Mapping[str, int]
    """Faces by FaceFlag."""
    edges: int
    vertices: int
    planes: int
    nodes: int
    links: int | None
    link_kinds: Mapping[int, int]
    """Links by the number of their travel type, ascending."""
    by_hand: int
    """Links that the mapper added by hand."""
    clusters: int | None
    portals: int | None


def count(compiled: Compiled) -> Counts:
    """Count everything in a compiled map."""
    areas, links, clusters = compiled.areas, compiled.links, compiled.clusters
    costly = int(np.count_nonzero(areas.area_cost != 1.0))
    low = (areas.area_presence & compiled.boxes.presence[0]) == 0 if len(compiled.boxes) else np.zeros(0)
    return Counts(
        areas=len(areas),
        area_flags=_by_flag(areas.area_flags, AreaFlag),
        area_contents=_by_flag(areas.area_contents, Kind) | ({"cost": costly} if costly else {}),
        low=int(np.count_nonzero(low)),
        faces=len(areas.face_plane),
        face_flags=_by_flag(areas.face_flags, FaceFlag),
        edges=len(areas.edge),
        vertices=len(areas.vertex),
        planes=len(areas.planes),
        nodes=len(areas.node_plane),
        links=None if links is None else len(links),
        link_kinds={} if links is None else by_kind(links),
        by_hand=0 if links is None else int(np.count_nonzero(links.entity >= 0)),
        clusters=None if clusters is None else len(clusters),
        portals=None if clusters is None else len(clusters.portal_area),
    )


def sizes(found: Counts) -> dict[str, int]:
    """The counts that a compile reports, by name; −1 for what was not computed."""
    return {
        "areas": found.areas,
        "grounded": found.area_flags.get("grounded", 0),
        "liquid": found.area_flags.get("liquid", 0),
        "ladder": found.area_flags.get("ladder", 0),
        "faces": found.faces,
        "edges": found.edges,
        "vertices": found.vertices,
        "nodes": found.nodes,
        "links": -1 if found.links is None else found.links,
        "clusters": -1 if found.clusters is None else found.clusters,
        "portals": -1 if found.portals is None else found.portals,
    }


def count_all(compiled: Compiled) -> dict[str, int]:
    """The counts that a baseline holds, by name, in a fixed order.

    "areas" counts all of them and "areas.grounded" those of one kind ("areas.low": without room for the largest box).
    Kinds that do not occur are left out. What the file does not contain (the engine's format has no items) is left out
    with all its kinds.
    """
    counts = count(compiled)
    found = {"areas": counts.areas}
    for kinds in (counts.area_flags, counts.area_contents, {"low": counts.low} if counts.low else {}):
        found |= {f"areas.{name}": number for name, number in kinds.items()}
    if counts.links is not None:
        found["links"] = counts.links
        names = {int(travel): travel.name.lower() for travel in Travel}
        found |= {f"links.{names.get(kind, kind)}": number for kind, number in counts.link_kinds.items()}
        found |= {"links.by_hand": counts.by_hand} if counts.by_hand else {}
    if counts.clusters is not None and counts.portals is not None:
        found["clusters"] = counts.clusters
        found["portals"] = counts.portals
    routes = find_routes(compiled)
    if routes is not None:
        found["items"] = routes.items
        found["items.unreached"] = sum(place.item for place in routes.unreached)
        found["spawns"] = routes.spawns
        found["spawns.unreached"] = sum(not place.item for place in routes.unreached)
        found["traps"] = len(routes.traps)
    found["leaks"] = int(len(compiled.leak) > 0)
    return found


def lost_items(compiled: Compiled) -> list[str]:
    """Items that no spawn has a route to, by class and origin, sorted: names that stay the same if entities are
    renumbered."""
    routes = find_routes(compiled)
    if routes is None:
        return []
    places = [place for place in routes.unreached if place.item]
    origin = compiled.entities.origin
    return sorted(f"{place.classname} ({point_text(origin[place.entity])})" for place in places)


KNOWN: Final = (
    *("areas", "areas.low", "links", "clusters", "portals", "items", "items.unreached", "spawns", "spawns.unreached"),
    *("traps", "leaks", "links.by_hand"),
    *(f"areas.{str(flag.name).lower()}" for kinds in (AreaFlag, Kind) for flag in kinds if flag),
    *(f"links.{travel.name.lower()}" for travel in Travel),
)
"""Names of all counts."""


def _by_flag(bits: Bits, names: type[IntFlag]) -> dict[str, int]:
    """Number of rows with each bit; bits that no row has are left out."""
    found = {str(flag.name).lower(): int(np.count_nonzero(bits & np.uint32(flag))) for flag in names if flag}
    return {name: number for name, number in found.items() if number}
