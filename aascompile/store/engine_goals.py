"""Goals where the engine looks for them.

The engine does not let an item fall to the floor, as the game does: it drops the item 100 units, looks 50 units farther
down, and takes the area there. Above water, a trigger or thin ground that may be an area of air. No link leads into it,
so the engine finds no route to the item. For an item that hangs in the flight of a jump pad it takes the pad's largest
area, which may be one in which nobody stands.

Such an area gets two links of no length: from the area where players take the item, and back.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.distinct import distinct
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.clusters import Clusters
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.model.entity_classes import is_suspended
from aascompile.model.links import Links
from aascompile.model.mapdata import Float, Index
from aascompile.model.places import Places
from aascompile.sampling.locate import FEET, areas_at, fall
from aascompile.sampling.sample import tree_of
from aascompile.sampling.sample_kernel import AreaTree
from aascompile.store.engine_links import with_stays

HALF_ITEM: Final = 15.0
"""Half the height of an item's box."""

DROPS: Final = 100.0
"""Units by which the engine drops an item that is not suspended."""

LIFTS: Final = (0.0, 4.0, 8.0, 12.0, 16.0)
"""Units above an item at which the engine looks for an area; the first that is not solid counts."""

LOOKS_DOWN: Final = 50.0
"""Units below there in which the engine looks for the floor."""

CLEAR: Final = 0.25
"""Units above there at which that trace starts."""


def engine_areas(tree: AreaTree, origin: Float) -> Index:
    """(n,) areas in which the engine looks for items with ``origin (n, 3)`` that are not suspended; −1: unknown."""
    lift = np.array((0.0, 0.0, FEET - HALF_ITEM))
    free = areas_at(tree, origin + lift) >= 0
    dropped = np.where(free[:, None], fall(tree, origin + lift, DROPS).end, np.nan) - lift
    near = dropped[:, None] + np.outer(LIFTS, (0.0, 0.0, 1.0))
    near = np.where(np.isnan(near), 0.0, near)
    found = areas_at(tree, near).reshape(len(origin), len(LIFTS)) >= 0
    start = near[np.arange(len(origin)), found.argmax(axis=1)] + np.array((0.0, 0.0, CLEAR))
    area = areas_at(tree, fall(tree, start, LOOKS_DOWN + CLEAR).end)
    return np.where(free & found.any(axis=1), area, -1).astype(np.int64)


def with_goals(compiled: Compiled, links: Links, places: Places) -> tuple[Links, Clusters | None]:
    """The links and clusters of a map, with links into areas that only the engine takes for those of items."""
    clusters = compiled.clusters
    if clusters is None or not len(links):
        return links, clusters
    found = _items(compiled, places), _pads(compiled.areas, links)
    source, target, place = (np.concatenate(pair) for pair in zip(*found, strict=True))
    entered = np.zeros(len(compiled.areas), np.bool_)
    entered[links.target] = True
    routing = entered.copy()
    routing[links.source] = True
    needed = (target >= 0) & (source >= 0) & (source != target)
    needed[needed] &= ~entered[target[needed]] & routing[source[needed]] & (clusters.area_cluster[source[needed]] >= 0)
    # An area that has links already is in the right cluster, or stays as it is.
    cluster = clusters.area_cluster
    needed[needed] &= ~routing[target[needed]] | (cluster[target[needed]] == cluster[source[needed]])
    rows = np.flatnonzero(needed)
    _, first = np.unique(target[rows], return_index=True)
    rows = rows[first]
    if not len(rows):
        return links, clusters
    source, target, place = source[rows], target[rows], place[rows]
    links = with_stays(links, np.append(source, target), np.append(target, source), np.vstack((place, place)))
    return links, _joined(clusters, source, target, routing)


def _items(compiled: Compiled, places: Places) -> tuple[Index, Index, Float]:
    """For items that fall: the area where players take it, the area that the engine takes for its own, the place."""
    entities = compiled.entities
    rows = [
        row
        for row in np.flatnonzero(places.item & (places.area >= 0)).tolist()
        if not is_suspended(entities.entity(int(places.entity[row])))
    ]
    origin = entities.origin[places.entity[rows]]
    return places.area[rows].astype(np.int64), engine_areas(tree_of(compiled.areas), origin), places.point[rows]


def _pads(areas: Areas, links: Links) -> tuple[Index, Index, Float]:
    """For jump pads: the floor with the most links into it, the largest area, and a place on the floor."""
    floor, largest, place = [], [], []
    into = np.bincount(links.target, minlength=len(areas))
    for trigger in distinct(areas.area_trigger[_is_pad(areas)]).tolist():
        mine = np.flatnonzero((areas.area_trigger == trigger) & _is_pad(areas))
        stands = mine[(areas.area_flags[mine] & np.uint32(AreaFlag.GROUNDED)) != 0]
        if not len(stands) or not into[stands].max():
            continue
        floor.append(stands[into[stands].argmax()])
        largest.append(mine[areas.area_volume[mine].argmax()])
        place.append(links.end[np.flatnonzero(links.target == floor[-1])[0]])
    return np.array(floor, np.int64), np.array(largest, np.int64), np.array(place).reshape(-1, 3)


def _is_pad(areas: Areas) -> NDArray[np.bool_]:
    """(a,) whether each area is in a jump pad."""
    pad: NDArray[np.bool_] = ((areas.area_contents & np.uint32(Kind.JUMPPAD)) != 0) & (areas.area_trigger >= 0)
    return pad


def _joined(clusters: Clusters, source: Index, target: Index, routing: NDArray[np.bool_]) -> Clusters:
    """The clusters, with each target as a routing area of the cluster of its source."""
    area_cluster, routes = clusters.area_cluster.copy(), routing.copy()
    area_cluster[target] = area_cluster[source]
    routes[target] = True
    return _numbered(replace(clusters, area_cluster=area_cluster), routes)


def numbered_again(clusters: Clusters, links: Links) -> Clusters:
    """The clusters after links were dropped: areas without links are numbered last."""
    routing = np.zeros(len(clusters.area_cluster), np.bool_)
    routing[links.source] = routing[links.target] = True
    return _numbered(clusters, routing)


def with_islands(clusters: Clusters, links: Links) -> Clusters:
    """The clusters after links were added, with a further one for all areas with links that are in none: the engine
    stops at a route to such an area."""
    linked = np.zeros(len(clusters.area_cluster), np.bool_)
    linked[links.source] = True
    alone = linked & (clusters.area_cluster < 0) & (clusters.area_portal < 0)
    area_cluster = np.where(alone, np.int32(len(clusters)), clusters.area_cluster)
    routing = linked.copy()
    routing[links.target] = True
    count = len(clusters) + int(alone.any())
    return Clusters.numbered(
        area_cluster, clusters.area_portal, clusters.portal_area, clusters.portal_cluster, routing, count
    )


def _numbered(clusters: Clusters, routing: NDArray[np.bool_]) -> Clusters:
    """The clusters with the numbers of their members renewed."""
    return Clusters.numbered(
        clusters.area_cluster,
        clusters.area_portal,
        clusters.portal_area,
        clusters.portal_cluster,
        routing,
        len(clusters),
    )
