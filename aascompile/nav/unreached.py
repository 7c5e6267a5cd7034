"""What players cannot reach or leave: items and spawns without a route, one-way traps, hazards.

Everything is derived from a compiled map. Rocket jumps, BFG jumps and the grapple do not count: a route must exist
without a weapon. Bots also avoid areas that the mapper marked DONOTENTER, so items behind those are reported
separately.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import numpy as np

from aascompile.csr import starts_of
from aascompile.distinct import distinct
from aascompile.graph.components import components
from aascompile.graph.flood import Mask, flood
from aascompile.model.areas import Areas
from aascompile.model.compiled import Compiled
from aascompile.model.contents import DEADLY, Kind
from aascompile.model.links import FAST_JUMPS, SPECIAL, Links, are_of
from aascompile.model.mapdata import Float, Index, Int
from aascompile.model.places import IN_A_BRUSH, NO_FLOOR, Places
from aascompile.nav.hanging import out_of_reach, slopes, touching
from aascompile.nav.shut_doors import shut_areas
from aascompile.records import dataclass
from aascompile.sampling.sample import sampler_of, tree_of
from aascompile.sampling.sample_kernel import AreaTree

HAZARD_NAMES: Final = {Kind.LAVA: "lava", Kind.SLIME: "slime", Kind.HURT: "hurt"}


class Cause(StrEnum):
    """Why an item has no route, or a spawn no link."""

    IN_SOLID = "in_solid"
    """The game removes it."""
    NO_FLOOR = "no_floor"
    """It falls out of the map."""
    NO_ROOM = "no_room"
    """No player fits near it."""
    IN_AIR = "in_air"
    """It hangs higher than a player can touch."""
    STEEP = "steep"
    """It lies on a slope that no player can stand on."""
    HAZARD = "hazard"
    """It lies in lava, slime or a hurt trigger."""
    BARRED = "barred"
    """All routes pass areas that bots must not enter."""
    SHUT = "shut"
    """All routes pass a door that nothing opens."""
    NO_SPAWN = "no_spawn"
    """The map has no spawn with an area."""
    CLOSED = "closed"
    """Walls surround it."""
    NARROW = "narrow"
    """Walls surround it, except for an opening that no player fits through."""
    MISSED = "missed"
    """It could be reached if some attempt did not fail."""
    FAR = "far"
    """No attempt comes near."""
    STUCK = "stuck"
    """A spawn that no link leaves."""


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
    cause: Cause = Cause.MISSED
    """MISSED also stands for CLOSED, NARROW and FAR, which `nav.why` tells apart."""


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
class Rare:
    """An item that some spawns have a route to, and others do not."""

    entity: int
    classname: str
    area: int
    spawns: tuple[int, ...]
    """Entities of the spawns without a route to it."""


@dataclass(frozen=True, slots=True)
class Routes:
    """What is known about the routes of a map."""

    spawns: int
    items: int
    reached: int
    """Items that some spawn has a route to."""
    pairs: int
    """Pairs of a spawn and an item with a route between them, of ``spawns`` times ``items``."""
    rare: tuple[Rare, ...]
    """Those with the fewest spawns first."""
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
    known = _Known(compiled, links, places)
    unreached = tuple(known.items_without())
    lost = tuple(known.spawns_without())
    pairs, rare = known.pairs({entity.entity for entity in unreached})
    items = int(places.item.sum())
    return Routes(
        spawns=len(places) - items,
        items=items,
        reached=items - len(unreached),
        pairs=pairs,
        rare=rare,
        unreached=unreached + lost,
        traps=_traps(areas, links, places, known.walked, known.reached, known.spawn_areas),
        hazards=_hazards(areas),
    )


def reached_areas(compiled: Compiled) -> Mask:
    """(areas,) areas with a route from a spawn."""
    links, places = compiled.links, compiled.places
    assert links is not None
    assert places is not None
    closed = ((compiled.areas.area_contents & np.uint32(Kind.DONOTENTER)) != 0) | shut_areas(compiled)
    spawns = distinct(places.area[~places.item & (places.area >= 0)])
    return graph_of(links, ~are_of(links.kind, SPECIAL)).forward.reach(spawns, closed)


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


class _Known:
    """What a map's links say about its items and spawns."""

    def __init__(self, compiled: Compiled, links: Links, places: Places) -> None:
        self.compiled, self.places = compiled, places
        self.walked = graph_of(links, ~are_of(links.kind, SPECIAL))
        self.spawn_areas = distinct(places.area[~places.item & (places.area >= 0)])
        self.reached = self.walked.forward.reach(self.spawn_areas)
        self.barred = (compiled.areas.area_contents & np.uint32(Kind.DONOTENTER)) != 0
        self.shut = shut_areas(compiled)
        self.open = self.walked.forward.reach(self.spawn_areas, self.barred | self.shut)
        self.armed = graph_of(links, np.ones(len(links), np.bool_)).forward.reach(self.spawn_areas)
        self.tree = tree_of(compiled.areas)
        self.hangs = out_of_reach(compiled, links, places, self.tree, self.open)
        self.touching = touching_areas(self.tree, places, np.flatnonzero(places.item))

    def items_without(self) -> list[Unreached]:
        """Items that no spawn has a route to, each with the reason."""
        found = []
        for row in np.flatnonzero(self.places.item).tolist():
            near = self.touching[row]
            if len(near) and self.open[near].any() and not self.hangs[row]:
                continue
            cause, reason = self._cause(row, near)
            nearest = _nearest(self.compiled.areas, self.places.point[row], self.open)
            found.append(_unreached(self.compiled, self.places, row, cause, reason, nearest))
        return found

    def _cause(self, row: int, near: Int) -> tuple[Cause, str]:
        """Why no spawn has a route to an item that is touched in some areas."""
        contents = self.compiled.areas.area_contents
        reason = self.places.reason[row]
        if reason:
            return {IN_A_BRUSH: Cause.IN_SOLID, NO_FLOOR: Cause.NO_FLOOR}.get(reason, Cause.NO_ROOM), reason
        if self.hangs[row] and slopes(self.compiled, self.tree, self.places.point[row : row + 1])[0] > 0.0:
            return Cause.STEEP, "it lies on a slope that is too steep to stand on"
        if self.hangs[row]:
            return Cause.IN_AIR, "it hangs higher than a player can touch"
        if not len(self.spawn_areas):
            return Cause.NO_SPAWN, "the map has no spawn"
        if self.walked.forward.reach(self.spawn_areas, self.shut)[near].any():
            return Cause.BARRED, "the route to it is barred (do not enter)"
        if self.reached[near].any():
            return Cause.SHUT, "it is behind a door that nothing opens"
        if contents[self.places.area[row]] & np.uint32(DEADLY):
            return Cause.HAZARD, "it lies in lava, slime or a hurt trigger"
        if self.armed[near].any():
            fast = self.compiled.links is not None and bool(are_of(self.compiled.links.kind, FAST_JUMPS).any())
            means = "a weapon jump, the grapple or a fast jump" if fast else "a weapon jump or the grapple"
            return Cause.MISSED, f"only {means} leads to it"
        return Cause.MISSED, "no spawn has a route to it"

    def spawns_without(self) -> list[Unreached]:
        """Spawns without an area, or without a link out of it although there are places elsewhere."""
        found = []
        places, start = self.places, self.walked.forward.start
        elsewhere = len(distinct(places.area[places.area >= 0])) > 1
        for row in np.flatnonzero(~places.item).tolist():
            area = int(places.area[row])
            if area < 0:
                cause = Cause.NO_FLOOR if places.reason[row] == NO_FLOOR else Cause.NO_ROOM
                found.append(_unreached(self.compiled, places, row, cause, places.reason[row]))
            elif elsewhere and start[area] == start[area + 1]:
                found.append(_unreached(self.compiled, places, row, Cause.STUCK, "no link leads out of its area"))
        return found

    def pairs(self, lost: set[int]) -> tuple[int, tuple[Rare, ...]]:
        """Number of pairs of a spawn and an item with a route, and the items that only some spawns reach; ``lost``:
        entities of the items that no spawn reaches."""
        places = self.places
        spawns = np.flatnonzero(~places.item)
        items = [row for row in np.flatnonzero(places.item).tolist() if int(places.entity[row]) not in lost]
        routed = np.zeros((len(spawns), len(items)), np.bool_)
        reach: dict[int, Mask] = {}
        near = np.concatenate([np.zeros(0, np.int32), *(self.touching[row] for row in items)])
        first = starts_of(np.array([len(self.touching[row]) for row in items], np.int64))
        for i, area in enumerate(places.area[spawns].tolist()):
            if area < 0:
                continue
            if area not in reach:
                reach[area] = self.walked.forward.reach(np.array([area], np.int32), self.barred | self.shut)
            seen = np.append(0, np.cumsum(reach[area][near]))
            routed[i] = seen[first[1:]] > seen[first[:-1]]
        rare = []
        for k in np.argsort(routed.sum(axis=0), kind="stable").tolist():
            missing = spawns[~routed[:, k] & (places.area[spawns] >= 0)]
            if len(missing):
                entity, area = int(places.entity[items[k]]), int(places.area[items[k]])
                without = tuple(places.entity[missing].tolist())
                rare.append(Rare(entity, self.compiled.entities.classname[entity], area, without))
        return int(routed.sum()), tuple(rare)


def _nearest(areas: Areas, point: Float, reached: Mask) -> int:
    """The reached area whose bounds are nearest to a point."""
    rows = np.flatnonzero(reached)
    if not len(rows):
        return -1
    off = np.clip(point, areas.area_mins[rows], areas.area_maxs[rows]) - point
    return int(rows[np.square(off).sum(axis=1).argmin()])


def touching_areas(tree: AreaTree, places: Places, rows: Index) -> dict[int, Int]:
    """Areas in which a player touches each of some items."""
    if not len(rows):
        return {}
    sampler = sampler_of(tree)
    found: dict[int, Int] = {}
    for row in rows.tolist():
        near = touching(sampler, places.point[row])
        found[row] = distinct(np.concatenate([near, places.area[row : row + 1][places.area[row : row + 1] >= 0]]))
    return found


def _unreached(compiled: Compiled, places: Places, row: int, cause: Cause, reason: str, nearest: int = -1) -> Unreached:
    entity = int(places.entity[row])
    return Unreached(
        entity=entity,
        classname=compiled.entities.classname[entity],
        item=bool(places.item[row]),
        point=places.point[row],
        area=int(places.area[row]),
        reason=reason,
        nearest=nearest,
        cause=cause,
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
    link = np.flatnonzero(~are_of(links.kind, SPECIAL))
    source, target = links.source[link], links.target[link]
    inner = stuck[source] & stuck[target]
    label = components(len(areas), source[inner], target[inner])
    enters = link[reached[source] & ~stuck[source] & stuck[target]]
    traps = []
    for piece in distinct(label[links.target[enters]]).tolist():
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
        for piece in distinct(label[harms]).tolist():
            members = np.flatnonzero(harms & (label == piece))
            mins, maxs = areas.area_mins[members].min(axis=0), areas.area_maxs[members].max(axis=0)
            found.append(Hazard(name, members.astype(np.int32), mins, maxs))
    return tuple(
        sorted(found, key=lambda hazard: (-areas.area_volume[hazard.areas].sum(), hazard.areas[0], hazard.kind))
    )
