"""Requirements of structure: they must hold before numbers of a compiled map can be used as indexes.

These checks never use a row number as an index themselves.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.checks.requirement import Requirement, Rows, bad_starts, failures_of, outside, rows_in, rows_where
from aascompile.csr import owners_of
from aascompile.model.areas import SOLID
from aascompile.model.by_hand import LEAST_FACTOR, MOST_FACTOR
from aascompile.model.clusters import Clusters
from aascompile.model.compiled import Compiled, entity_of
from aascompile.model.links import MOST_TIME, Links, MissCost, Tier
from aascompile.model.movers import Carrier
from aascompile.model.places import Places
from aascompile.model.sight import Sight

NONE: Rows = np.zeros(0, np.int64)
FIRST: Rows = np.zeros(1, np.int64)
"""The row of a table with a single row."""


def any_of(*rows: Rows) -> Rows:
    """Rows that violate at least one of several conditions."""
    return rows_in(np.concatenate(rows)) if any(map(len, rows)) else NONE


def of_links(test: Callable[[Compiled, Links], Rows]) -> Callable[[Compiled], Rows]:
    """A check that a map without links passes."""
    return lambda it: NONE if it.links is None else test(it, it.links)


def of_places(test: Callable[[Compiled, Places], Rows]) -> Callable[[Compiled], Rows]:
    """A check that a map without places passes."""
    return lambda it: NONE if it.places is None else test(it, it.places)


def of_sight(test: Callable[[Compiled, Sight], Rows]) -> Callable[[Compiled], Rows]:
    """A check that a map without sight passes."""
    return lambda it: NONE if it.sight is None else test(it, it.sight)


def of_clusters(test: Callable[[Compiled, Clusters], Rows]) -> Callable[[Compiled], Rows]:
    """A check that a map without clusters passes."""
    return lambda it: NONE if it.clusters is None else test(it, it.clusters)


def not_finite(*columns: NDArray[np.float64]) -> Rows:
    """Rows with a number that is not finite or exceeds the extent of a map."""
    sizes = [np.abs(column) for column in columns]
    return any_of(*(rows_where(~(size <= tolerances.PLANE_FAR)) for size in sizes if not _all_near(size)))


def _all_near(size: NDArray[np.float64]) -> bool:
    """Whether all numbers are within the extent of a map."""
    return not size.size or bool(size.max() <= tolerances.PLANE_FAR)


def _boxes(it: Compiled) -> Rows:
    bit = it.boxes.presence
    if not len(bit):
        return FIRST
    single = (bit != 0) & (bit & (bit - np.uint32(1)) == 0)
    _, first = np.unique(bit, return_index=True)
    again = ~np.isin(np.arange(len(bit)), first)
    return rows_where(~single | again)


def _box_sizes(it: Compiled) -> Rows:
    return any_of(not_finite(it.boxes.mins, it.boxes.maxs), rows_where(it.boxes.mins >= it.boxes.maxs))


def _planes(it: Compiled) -> Rows:
    planes = it.areas.planes
    odd = np.array([len(planes) - 1] if len(planes) % 2 else [], np.int64)
    return any_of(odd, not_finite(planes.normal, planes.dist))


def _faces(it: Compiled) -> Rows:
    areas = it.areas
    few = np.flatnonzero(np.diff(areas.face_start) < 3)
    return any_of(bad_starts(areas.face_start, len(areas.face_vertex)), few)


def _face_areas(it: Compiled) -> Rows:
    front, back, count = it.areas.face_front, it.areas.face_back, len(it.areas)
    return any_of(outside(front, -1, count), outside(back, -1, count), rows_where(front == back))


def _corners(it: Compiled) -> Rows:
    areas = it.areas
    return any_of(outside(areas.face_vertex, 0, len(areas.vertex)), outside(areas.face_edge, 0, len(areas.edge)))


def _area_sizes(it: Compiled) -> Rows:
    areas = it.areas
    far = not_finite(areas.area_mins, areas.area_maxs, areas.area_centre)
    return any_of(far, rows_where(~np.isfinite(areas.area_volume) | ~np.isfinite(areas.area_cost)))


def _nodes(it: Compiled) -> Rows:
    child, count = it.areas.node_child, len(it.areas.node_plane)
    row = np.arange(count)[:, None]
    node = (child >= 0) & ((child >= count) | (child <= row))
    area = (child < SOLID) & (-2 - child.astype(np.int64) >= len(it.areas))
    return any_of(rows_where(node | area), outside(it.areas.node_plane, 0, len(it.areas.planes)))


def _node_parents(it: Compiled) -> Rows:
    child, count = it.areas.node_child, len(it.areas.node_plane)
    named = np.bincount(child[(child >= 0) & (child < count)], minlength=count)
    named[:1] += 1
    return rows_where(named != 1)


def _link_rows(it: Compiled, links: Links) -> Rows:
    areas = len(it.areas)
    return any_of(
        outside(links.source, 0, areas),
        outside(links.target, 0, areas),
        outside(links.face, -1, len(it.areas.face_plane)),
        outside(links.edge, -1, len(it.areas.edge)),
        outside(links.model, -1, np.iinfo(np.int32).max),
        outside(links.entity, -1, len(it.entities)),
        outside(links.ride, -1, len(it.rides)),
    )


def _area_costs(it: Compiled) -> Rows:
    """A factor below 0 would keep a search of routes going for ever."""
    return rows_where(~((it.areas.area_cost >= LEAST_FACTOR) & (it.areas.area_cost <= MOST_FACTOR)))


def _link_numbers(it: Compiled, links: Links) -> Rows:
    """A time below 0 would keep a search of routes going for ever."""
    return any_of(
        not_finite(links.start, links.end, links.velocity),
        outside(links.time, 0, MOST_TIME + 1),
        outside(links.tier, -1, len(Tier)),
        outside(links.miss, -1, len(MissCost)),
    )


def _link_starts(it: Compiled, links: Links) -> Rows:
    wrong = bad_starts(links.area_start, len(links))
    if len(wrong):
        return wrong
    owner = owners_of(links.area_start)
    return rows_in(owner[owner != links.source])


def _cluster_rows(it: Compiled, clusters: Clusters) -> Rows:
    return any_of(
        bad_starts(clusters.cluster_portal_start, len(clusters.cluster_portal)),
        rows_where((clusters.cluster_areas < 0) | (clusters.cluster_routing < 0)),
    )


def _portal_rows(it: Compiled, clusters: Clusters) -> Rows:
    return any_of(outside(clusters.portal_area, 0, len(it.areas)), outside(clusters.portal_cluster, -1, len(clusters)))


def _clustered(it: Compiled, clusters: Clusters) -> Rows:
    return any_of(
        outside(clusters.area_cluster, -1, len(clusters)),
        outside(clusters.area_portal, -1, len(clusters.portal_area)),
        outside(clusters.area_number, -1, len(it.areas) + len(clusters.portal_area)),
    )


def _rides(it: Compiled) -> Rows:
    rides = it.rides
    return any_of(
        not_finite(rides.low, rides.high, rides.seconds, rides.wait, rides.half, rides.floor, rides.angles),
        outside(rides.entity, -1, len(it.entities)),
        rows_where((rides.carrier != -1) & ~np.isin(rides.carrier, list(Carrier))),
    )


def _context(it: Compiled) -> Rows:
    few = np.flatnonzero(np.diff(it.context.start) < 3)
    return any_of(bad_starts(it.context.start, len(it.context.corner)), few)


def _entities(it: Compiled) -> Rows:
    read = [entity_of(keys) for keys in it.entities.keys]
    wrong = [
        row
        for row, (entity, name) in enumerate(zip(read, it.entities.classname, strict=True))
        if entity is None or entity.classname != name
    ]
    vectors = [entity and entity.vector("origin") for entity in read]
    origin = np.array([vector or (np.nan,) * 3 for vector in vectors]).reshape(-1, 3)
    same = (origin == it.entities.origin) | (np.isnan(origin) & np.isnan(it.entities.origin))
    return any_of(np.array(wrong, np.int64), np.flatnonzero(~same.all(axis=1)))


def _places(it: Compiled, places: Places) -> Rows:
    return any_of(outside(places.entity, 0, len(it.entities)), outside(places.area, -1, len(it.areas)))


def _sight(it: Compiled, sight: Sight) -> Rows:
    """Areas must ascend within each piece; a piece begins where the next area may be lower."""
    wrong = outside(sight.area, 0, len(it.areas))
    follows = np.ones(len(sight), np.bool_)
    begins = sight.start[(sight.start >= 0) & (sight.start < len(sight))]
    follows[begins] = False
    follows[:1] = False
    falls = np.flatnonzero(follows[1:] & (sight.area[1:] <= sight.area[:-1])) + 1
    return any_of(wrong, falls, rows_where(sight.share == 0))


def _provenance(it: Compiled) -> Rows:
    origin = it.provenance
    digest = len(origin.sha256) == 64 and not set(origin.sha256) - set("0123456789abcdef")
    named = bool(origin.generator) and bool(origin.name) and not set(origin.name) & set("/\\")
    try:
        stages = json.loads(origin.stages)
        is_json = isinstance(json.loads(origin.settings), dict) and isinstance(stages, list)
        is_json &= all(isinstance(stage, dict) and isinstance(stage.get("name"), str) for stage in stages)
    except (ValueError, RecursionError):
        is_json = False
    return NONE if digest and named and is_json and -(2**31) <= origin.checksum < 2**31 else FIRST


STRUCTURE: tuple[Requirement, ...] = (
    Requirement(
        "R1",
        "provenance",
        "generator, file name without folders, SHA-256, checksum, settings and stages are given",
        _provenance,
    ),
    Requirement("B1", "boxes", "there is a box, and each has one presence bit of its own", _boxes),
    Requirement("B2", "boxes", "mins are below maxs", _box_sizes),
    Requirement("P1", "planes", "numbers are finite, and planes come in pairs", _planes),
    Requirement("V1", "vertices", "coordinates are finite", lambda it: not_finite(it.areas.vertex)),
    Requirement("E1", "edges", "vertices exist", lambda it: outside(it.areas.edge, 0, len(it.areas.vertex))),
    Requirement("F1", "faces", "corner_start cuts the corners into pieces of three or more", _faces),
    Requirement("F2", "corners", "vertex and edge exist", _corners),
    Requirement("F3", "faces", "the plane exists", lambda it: outside(it.areas.face_plane, 0, len(it.areas.planes))),
    Requirement("F4", "faces", "front and back are different areas, or one of them is −1", _face_areas),
    Requirement(
        "A1",
        "areas",
        "face_start cuts the faces of areas into pieces",
        lambda it: bad_starts(it.areas.area_start, len(it.areas.area_face)),
    ),
    Requirement(
        "A2", "faces of areas", "the face exists", lambda it: outside(it.areas.area_face, 0, len(it.areas.face_plane))
    ),
    Requirement("A3", "areas", "coordinates, volumes and costs are finite", _area_sizes),
    Requirement("A16", "areas", "the cost factor is 0.01 to 1,000", _area_costs),
    Requirement("T1", "nodes", "the plane exists, a child node has a higher row, a child area exists", _nodes),
    Requirement("T2", "nodes", "every node but the first is a child exactly once", _node_parents),
    Requirement("L1", "links", "areas, face, edge, ride and entity exist", of_links(_link_rows)),
    Requirement("L2", "areas", "area_start cuts the links into those that leave each area", of_links(_link_starts)),
    Requirement(
        "L3",
        "links",
        "points and velocities are finite, times fit 16 bits, tier and miss are known or −1",
        of_links(_link_numbers),
    ),
    Requirement(
        "C1",
        "clusters",
        "portal_start cuts the portals of clusters into pieces, and no count is below 0",
        of_clusters(_cluster_rows),
    ),
    Requirement("C2", "portals", "area and clusters exist", of_clusters(_portal_rows)),
    Requirement(
        "C3",
        "portals of clusters",
        "the portal exists",
        of_clusters(lambda it, clusters: outside(clusters.cluster_portal, 0, len(clusters.portal_area))),
    ),
    Requirement("C4", "areas", "cluster and portal exist", of_clusters(_clustered)),
    Requirement("D1", "rides", "numbers are finite, the entity exists, and the carrier is known", _rides),
    Requirement("X1", "context", "corner_start cuts the corners into pieces of three or more", _context),
    Requirement(
        "X2",
        "corners of the context",
        "the vertex exists",
        lambda it: outside(it.context.corner, 0, len(it.context.vertex)),
    ),
    Requirement("X3", "vertices of the context", "coordinates are finite", lambda it: not_finite(it.context.vertex)),
    Requirement(
        "N1",
        "entities",
        "keys are a JSON list of [key, value], and class name and origin are those of the keys",
        _entities,
    ),
    Requirement("O1", "places", "entity and area exist", of_places(_places)),
    Requirement("O2", "places", "coordinates are finite", of_places(lambda it, places: not_finite(places.point))),
    Requirement(
        "O3",
        "places",
        "there is a reason exactly where there is no area",
        of_places(lambda it, places: rows_where((places.area < 0) != (np.array(places.reason, object) != ""))),
    ),
    Requirement(
        "S1",
        "areas",
        "start cuts the views into those of each area",
        of_sight(lambda it, sight: bad_starts(sight.start, len(sight))),
    ),
    Requirement("S2", "views", "the area exists, areas ascend, and the share is above 0", of_sight(_sight)),
    Requirement("K1", "points of the leak", "coordinates are finite", lambda it: not_finite(it.leak)),
)
"""In the order in which they are checked."""

_REPLACED: Final = {"links": "L", "clusters": "C"}
"""Tables on which no other table depends, with the letter of the requirements that depend on them."""


def structure_faults(compiled: Compiled, sound: Compiled | None = None) -> Iterator[str]:
    """A clause for each violated requirement of the structure.

    ``sound``: a map that violates none. If this map has other links and clusters, but is the same otherwise, only those
    are checked.
    """
    return (failure.sentence(3) for failure in failures_of(compiled, _open_to_doubt(compiled, sound)))


def _open_to_doubt(compiled: Compiled, sound: Compiled | None) -> tuple[Requirement, ...]:
    """Requirements that a map may violate, if a similar one violates none."""
    names = [field.name for field in fields(Compiled) if field.name not in _REPLACED]
    if sound is None or any(getattr(compiled, name) is not getattr(sound, name) for name in names):
        return STRUCTURE
    changed = {_REPLACED[name] for name in _REPLACED if getattr(compiled, name) is not getattr(sound, name)}
    return tuple(requirement for requirement in STRUCTURE if requirement.id[0] in changed)
