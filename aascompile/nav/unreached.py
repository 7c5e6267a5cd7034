"""What players cannot reach or leave: items and spawns without a route, one-way traps, hazards.

Everything is derived from a compiled map. Rocket jumps, BFG jumps and the grapple do not count: a route must exist
without a weapon. Bots also avoid areas that the mapper marked DONOTENTER, so items behind those are reported
separately.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.csr import starts_of
from aascompile.graph.components import components
from aascompile.graph.flood import Mask, flood
from aascompile.model.areas import Areas
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.model.links import NEEDS_WEAPON, Links
from aascompile.model.mapdata import Float, Index, Int
from aascompile.model.places import Places
from aascompile.records import dataclass
from aascompile.sampling.sample import areas_in_box, sampler_of, tree_of

TOUCH: Final = (16.0, 16.0, 32.0)
"""Half the size, in units, of the box around an item in which a player's origin certainly touches it."""

HAZARD_NAMES: Final = {Kind.LAVA: "lava", Kind.SLIME: "slime", Kind.HURT: "hurt"}


@dataclass(frozen=True, slots=True)
class Unreached:
    """An item that no spawn has a route to, or a spawn without a link out of its area."""

    entity: int
    """Row of the entities."""
    classname: str
    item: bool
    point: Float
    """(3,) player origin where it is."""
    area: int
    """−1: none."""
    reason: str
    """One clause."""
    nearest: int = -1
    """For an item without a route, the nearest area that spawns have a route to; −1 if there is none."""


@dataclass(frozen=True, slots=True)
class Trap:
    """Areas that can be entered, but from which no route leads back to where most spawns are."""

    areas: Int
    """Ascending."""
    point: Float
    """(3,) where the first link into it ends."""
    link: int
    """Row of that link."""
    links: int
    """Number of links that lead into it from outside."""
    entities: tuple[int, ...]
    """Rows of the items and spawns in it."""


@dataclass(frozen=True, slots=True)
class Hazard:
    """Areas that touch one another and have the same hazard."""

    kind: str
    """"lava", "slime" or "hurt"."""
    areas: Int
    """Ascending."""
    mins: Float
    """(3,)"""
    maxs: Float
    """(3,)"""


@dataclass(frozen=True, slots=True)
class Routes:
    """What is known about the routes of a map."""

    spawns: int
    items: int
    reached: int
    """Items that some spawn has a route to."""
    unreached: tuple[Unreached, ...]
    traps: tuple[Trap, ...]
    """The largest (by volume) first."""
    hazards: tuple[Hazard, ...]
    """The largest first."""


def find_routes(compiled: Compiled) -> Routes | None:
    """Examine the routes of a compiled map; None if it has no links, or no record of its spawns and items."""
    areas, links, places = compiled.areas, compiled.links, compiled.places
    if links is None or places is None:
        return None
    walked = graph_of(links, ~np.isin(links.kind, NEEDS_WEAPON))
    spawn_areas = np.unique(places.area[~places.item & (places.area >= 0)])
    reached = walked.forward.reach(spawn_areas)
    unreached = tuple(_items_without(compiled, links, places, walked, reached, spawn_areas))
    lost = tuple(_spawns_without(compiled, places, walked))
    items = int(places.item.sum())
    return Routes(
        spawns=len(places) - items,
        items=items,
        reached=items - len(unreached),
        unreached=unreached + lost,
        traps=_traps(areas, links, places, walked, reached, spawn_areas),
        hazards=_hazards(areas),
    )


# --- the graph --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Steps:
    """Targets of some links by source area."""

    start: Index
    """(areas + 1,) CSR into ``other``."""
    other: Int
    """(k,) targets."""

    def reach(self, seeds: Int, closed: Mask | None = None) -> Mask:
        """Areas (areas,) reachable from the seeds, including them; ``closed``: areas never entered."""
        return flood(self.start, self.other, seeds, closed=closed)


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """Graph of some links, in both directions."""

    forward: Steps
    backward: Steps


def graph_of(links: Links, used: Mask) -> LinkGraph:
    """Graph of the links in use."""
    count = len(links.area_start) - 1
    source, target = links.source[used], links.target[used]
    return LinkGraph(_steps(source, target, count), _steps(target, source, count))


def _steps(source: Int, target: Int, count: int) -> Steps:
    order = np.argsort(source, kind="stable")
    return Steps(starts_of(np.bincount(source, minlength=count)), target[order])


# --- items and spawns -------------------------------------------------------------------------------------------------


def _items_without(
    compiled: Compiled, links: Links, places: Places, walked: LinkGraph, reached: Mask, spawn_areas: Int
) -> list[Unreached]:
    """Items that no spawn has a route to, each with the reason."""
    rows = np.flatnonzero(places.item)
    areas = compiled.areas
    barred = (areas.area_contents & np.uint32(Kind.DONOTENTER)) != 0
    unbarred = walked.forward.reach(spawn_areas, barred)
    armed = graph_of(links, np.ones(len(links), np.bool_)).forward.reach(spawn_areas)
    doubtful = (places.area[rows] < 0) | ~unbarred[places.area[rows]]
    touching = touching_areas(areas, places, rows[doubtful])
    found = []
    for row in rows.tolist():
        near = touching.get(row)
        if near is None or (len(near) and unbarred[near].any()):
            continue
        reason = places.reason[row]
        if reason:
            pass
        elif reached[near].any():
            reason = "the route to it is barred (do not enter)"
        elif armed[near].any():
            reason = "only a weapon jump or the grapple leads to it"
        elif not len(spawn_areas):
            reason = "the map has no spawn"
        else:
            reason = "no spawn has a route to it"
        found.append(_unreached(compiled, places, row, reason, _nearest(areas, places.point[row], unbarred)))
    return found


def _nearest(areas: Areas, point: Float, reached: Mask) -> int:
    """The reached area whose bounds are nearest to a point."""
    rows = np.flatnonzero(reached)
    if not len(rows):
        return -1
    off = np.clip(point, areas.area_mins[rows], areas.area_maxs[rows]) - point
    return int(rows[np.square(off).sum(axis=1).argmin()])


def touching_areas(areas: Areas, places: Places, rows: Index) -> dict[int, Int]:
    """Areas in which a player touches each of some items."""
    if not len(rows):
        return {}
    sampler = sampler_of(tree_of(areas))
    half = np.array(TOUCH)
    found: dict[int, Int] = {}
    for row in rows.tolist():
        point = places.point[row]
        near = areas_in_box(sampler, point - half, point + half)
        found[row] = np.union1d(near, places.area[row : row + 1][places.area[row : row + 1] >= 0])
    return found


def _spawns_without(compiled: Compiled, places: Places, walked: LinkGraph) -> list[Unreached]:
    """Spawns without an area, or without a link out of it although there are places elsewhere."""
    found = []
    elsewhere = len(np.unique(places.area[places.area >= 0])) > 1
    for row in np.flatnonzero(~places.item).tolist():
        area = int(places.area[row])
        if area < 0:
            found.append(_unreached(compiled, places, row, places.reason[row]))
        elif elsewhere and walked.forward.start[area] == walked.forward.start[area + 1]:
            found.append(_unreached(compiled, places, row, "no link leads out of its area"))
    return found


def _unreached(compiled: Compiled, places: Places, row: int, reason: str, nearest: int = -1) -> Unreached:
    entity = int(places.entity[row])
    return Unreached(
        entity=entity,
        classname=compiled.entities.classname[entity],
        item=bool(places.item[row]),
        point=places.point[row],
        area=int(places.area[row]),
        reason=reason,
        nearest=nearest,
    )


# --- traps and hazards ------------------------------------------------------------------------------------------------


def _traps(
    areas: Areas, links: Links, places: Places, walked: LinkGraph, reached: Mask, spawn_areas: Int
) -> tuple[Trap, ...]:
    """Areas that are reachable but have no route back, in pieces joined by links."""
    if not len(spawn_areas):
        return ()
    home = walked.backward.reach(_home(places, walked, spawn_areas))
    stuck = reached & ~home
    link = np.flatnonzero(~np.isin(links.kind, NEEDS_WEAPON))
    source, target = links.source[link], links.target[link]
    inner = stuck[source] & stuck[target]
    label = components(len(areas), source[inner], target[inner])
    enters = link[reached[source] & ~stuck[source] & stuck[target]]
    traps = []
    for piece in np.unique(label[links.target[enters]]).tolist():
        entries = enters[label[links.target[enters]] == piece]
        members = np.flatnonzero(stuck & (label == piece))
        traps.append(
            Trap(
                areas=members.astype(np.int32),
                point=links.end[entries[0]],
                link=int(entries[0]),
                links=len(entries),
                entities=tuple(places.entity[np.isin(places.area, members)].tolist()),
            )
        )
    return tuple(sorted(traps, key=lambda trap: (-areas.area_volume[trap.areas].sum(), trap.areas[0])))


def _home(places: Places, walked: LinkGraph, spawn_areas: Int) -> Int:
    """Largest set of mutually reachable spawn areas."""
    best: tuple[int, Int] = (0, spawn_areas[:1])
    left = np.ones(len(spawn_areas), np.bool_)
    of_spawn = places.area[~places.item & (places.area >= 0)]
    for i, area in enumerate(spawn_areas.tolist()):
        if not left[i]:
            continue
        seed = np.array([area], np.int32)
        both = walked.forward.reach(seed) & walked.backward.reach(seed)
        left &= ~both[spawn_areas]
        count = int(both[of_spawn].sum())
        if count > best[0]:
            best = (count, spawn_areas[both[spawn_areas]])
    return best[1]


def _hazards(areas: Areas) -> tuple[Hazard, ...]:
    """Areas with hazards, in pieces that touch."""
    found = []
    for bit, name in HAZARD_NAMES.items():
        harms = (areas.area_contents & np.uint32(bit)) != 0
        both = (areas.face_front >= 0) & (areas.face_back >= 0)
        front, back = areas.face_front[both], areas.face_back[both]
        joined = harms[front] & harms[back]
        label = components(len(areas), front[joined], back[joined])
        for piece in np.unique(label[harms]).tolist():
            members = np.flatnonzero(harms & (label == piece))
            mins, maxs = areas.area_mins[members].min(axis=0), areas.area_maxs[members].max(axis=0)
            found.append(Hazard(name, members.astype(np.int32), mins, maxs))
    return tuple(
        sorted(found, key=lambda hazard: (-areas.area_volume[hazard.areas].sum(), hazard.areas[0], hazard.kind))
    )
