"""Whether a map is fit to be played, for programs that generate maps: what must be reached, left, and have room.

Weapon jumps and the grapple do not count, as in ``unreached``, and neither do routes through DONOTENTER.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aascompile.distinct import distinct
from aascompile.graph.flood import Mask
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.model.links import SPECIAL, Links, Travel, are_of
from aascompile.model.mapdata import Float, Int
from aascompile.model.places import Places
from aascompile.nav.gate_options import GateCheck, GateOptions
from aascompile.nav.queries import Space
from aascompile.nav.routes import Router
from aascompile.nav.unreached import HAZARD_NAMES, find_routes, graph_of, touching_areas
from aascompile.records import dataclass
from aascompile.sampling.sample import tree_of
from aascompile.sampling.shape import nearest_walls


@dataclass(frozen=True, slots=True)
class GateFault:
    """Why a map does not pass."""

    check: GateCheck
    entity: int
    """Row of the item or spawn; −1: none."""
    classname: str
    point: Float
    """(3,) where it is, or where the first link into a trap ends."""
    reason: str
    """One clause."""


@dataclass(frozen=True, slots=True)
class GateResult:
    """Whether a map passes, and why not."""

    passed: bool
    checked: tuple[GateCheck, ...]
    """Checks that were made."""
    spawns: int
    items: int
    faults: tuple[GateFault, ...]


def gate(compiled: Compiled, options: GateOptions | None = None) -> GateResult:
    """Check whether players can play a map. Raises RouteError or StoreError if the file cannot answer.

    The engine's .aas file has no items and spawns, so it never passes.
    """
    wanted = options or GateOptions()
    links, places = compiled.links, compiled.places
    if links is None or places is None:
        none = GateFault(GateCheck.SPAWNS, -1, "", np.zeros(3), "the file has no links, or no items and spawns")
        return GateResult(False, (GateCheck.SPAWNS,), 0, 0, (none,))
    work = _Gate(compiled, links, places)
    checks: dict[GateCheck, Iterator[GateFault]] = {}
    if wanted.items:
        checks[GateCheck.ITEMS] = work.items()
    if wanted.spawns:
        checks[GateCheck.SPAWNS] = work.spawns()
    if wanted.traps:
        checks[GateCheck.TRAPS] = work.traps()
    if wanted.clearance is not None:
        checks[GateCheck.CLEARANCE] = work.clearance(wanted.clearance)
    if wanted.alternatives > 1:
        checks[GateCheck.ALTERNATIVES] = work.alternatives(wanted.alternatives)
    faults = tuple(fault for found in checks.values() for fault in found)
    items = int(places.item.sum())
    return GateResult(not faults, tuple(checks), len(places) - items, items, faults)


class _Gate:
    """A map and what its checks share."""

    def __init__(self, compiled: Compiled, links: Links, places: Places) -> None:
        self.compiled = compiled
        self.places = places
        areas = compiled.areas
        barred = (areas.area_contents & np.uint32(Kind.DONOTENTER)) != 0
        forward = graph_of(links, ~are_of(links.kind, SPECIAL)).forward
        self.of_spawn = np.flatnonzero(~places.item)
        self.of_item = np.flatnonzero(places.item)
        starts = distinct(places.area[self.of_spawn])
        self.reached: dict[int, Mask] = {
            area: forward.reach(np.array([area], np.int32), barred) for area in starts[starts >= 0].tolist()
        }
        """Areas with a route from each area of a spawn."""

    def fault(self, check: GateCheck, row: int, reason: str) -> GateFault:
        """A fault of an item or spawn."""
        entity = int(self.places.entity[row])
        return GateFault(check, entity, self.compiled.entities.classname[entity], self.places.point[row], reason)

    def items(self) -> Iterator[GateFault]:
        """Items that some spawn has no route to."""
        touching = touching_areas(tree_of(self.compiled.areas), self.places, self.of_item)
        for row in self.of_item.tolist():
            missing = self._missing(touching[row])
            if self.places.reason[row]:
                yield self.fault(GateCheck.ITEMS, row, self.places.reason[row])
            elif missing:
                yield self.fault(GateCheck.ITEMS, row, self._no_route(missing))

    def spawns(self) -> Iterator[GateFault]:
        """Spawns without an area, or that some other spawn has no route to."""
        if not len(self.of_spawn):
            yield GateFault(GateCheck.SPAWNS, -1, "", np.zeros(3), "the map has no spawn")
        for row in self.of_spawn.tolist():
            missing = self._missing(self.places.area[row : row + 1])
            if self.places.reason[row]:
                yield self.fault(GateCheck.SPAWNS, row, self.places.reason[row])
            elif missing:
                yield self.fault(GateCheck.SPAWNS, row, self._no_route(missing))

    def _missing(self, goals: Int) -> list[int]:
        """Spawns without a route to any of some areas."""
        fine = {area: bool(reached[goals].any()) for area, reached in self.reached.items()}
        return [row for row in self.of_spawn.tolist() if not fine.get(int(self.places.area[row]), True)]

    def _no_route(self, missing: list[int]) -> str:
        """Why something is not reached."""
        entity = int(self.places.entity[missing[0]])
        spawns = len(self.of_spawn)
        return f"{len(missing)} of {spawns} spawns have no route to it, the first is entity {entity}"

    def traps(self) -> Iterator[GateFault]:
        """Areas that players can enter but not leave."""
        found = find_routes(self.compiled)
        for trap in found.traps if found is not None else ():
            kind = Travel(int(self.compiled.links.kind[trap.link])).name.lower()  # type: ignore[union-attr]
            where = f"area {trap.areas[0]}" if len(trap.areas) == 1 else f"{len(trap.areas)} areas"
            reason = f"{where} can be entered ({kind.replace('_', ' ')}) but not left"
            yield GateFault(GateCheck.TRAPS, -1, "", trap.point, reason)

    def clearance(self, least: float) -> Iterator[GateFault]:
        """Spawns near a wall, in a hazard, too low to stand, or inside another player."""
        rows = self.of_spawn[self.places.area[self.of_spawn] >= 0]
        space = Space(self.compiled)
        physics, presence = space.settings.physics, int(self.compiled.boxes.presence[0])
        walls = nearest_walls(
            space.tree, space.polygons, self.places.point[rows], least, physics.floor_up, physics.step, presence
        )
        for row, distance in zip(rows.tolist(), walls.distance.tolist(), strict=True):
            reason = self._crowded(row) or self._bad_place(row, presence)
            if not reason and distance < least:
                reason = f"a wall is {distance:.1f} units from it, less than {least:g}"
            if reason:
                yield self.fault(GateCheck.CLEARANCE, row, reason)

    def _bad_place(self, row: int, presence: int) -> str:
        """Why a player cannot stand at a spawn; "" if nothing is wrong."""
        area = int(self.places.area[row])
        if not int(self.compiled.areas.area_presence[area]) & presence:
            return "there is no room to stand"
        contents = int(self.compiled.areas.area_contents[area])
        return next((f"it is in a hazard ({name})" for bit, name in HAZARD_NAMES.items() if contents & bit), "")

    def _crowded(self, row: int) -> str:
        """Another spawn of the same class whose player would overlap; "" if there is none."""
        places, names = self.places, self.compiled.entities.classname
        size = self.compiled.boxes.maxs[0] - self.compiled.boxes.mins[0]
        own = names[int(places.entity[row])].lower()
        for other in self.of_spawn[: np.searchsorted(self.of_spawn, row)].tolist():
            overlaps = (np.abs(places.point[row] - places.point[other]) < size).all()
            if overlaps and names[int(places.entity[other])].lower() == own:
                return f"it overlaps the spawn of entity {int(places.entity[other])}"
        return ""

    def alternatives(self, least: int) -> Iterator[GateFault]:
        """Items to which fewer routes lead that differ, from the spawn that takes longest to get there."""
        places, router = self.places, Router(self.compiled)
        spawns = self.of_spawn[places.area[self.of_spawn] >= 0]
        for row in self.of_item[places.area[self.of_item] >= 0].tolist():
            area = int(places.area[row])
            times = router.times_to(area)[places.area[spawns]]
            times[~np.isfinite(times)] = -1.0
            if not len(spawns) or times.max() <= 0.0:
                continue
            start = int(spawns[times.argmax()])
            found = router.alternatives(
                int(places.area[start]), area, least, places.point[start], places.point[row]
            )  # fmt: skip
            if len(found) < least:
                reason = f"{len(found)} route{'s' * (len(found) > 1)} to it from entity {int(places.entity[start])}"
                yield self.fault(GateCheck.ALTERNATIVES, row, f"{reason}, less than {least}")
