"""Why an item, a spawn or a place is not reached: the attempt that fails by least, or what else is wrong.

The areas that lead to the goal are found backwards, the areas that spawns reach forwards. Between the two sets, the
nearest floors are examined as in a compile (`nav.explain`), and the attempt that misses by least is the explanation.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import Final

import numpy as np

from aascompile.distinct import distinct
from aascompile.geometry.closest_kernel import closest_pair
from aascompile.geometry.vectors import flat_lengths, lengths, norm
from aascompile.graph.components import components
from aascompile.graph.flood import Mask
from aascompile.model.areas import AreaFlag, FaceFlag
from aascompile.model.compiled import Compiled
from aascompile.model.contents import DEADLY, TAKES_AWAY, Kind
from aascompile.model.links import SPECIAL, Links, Travel, are_of
from aascompile.model.mapdata import Float, Index, Int
from aascompile.model.places import Places
from aascompile.nav.explain import Explainer, Verdict
from aascompile.nav.hanging import item_origin, slopes
from aascompile.nav.openings import along, opening_between
from aascompile.nav.shut_doors import shut_areas, shut_doors
from aascompile.nav.unreached import Cause, Routes, Unreached, graph_of
from aascompile.player.reason import Reason
from aascompile.reach.local import grid_of, nearest_of
from aascompile.records import dataclass
from aascompile.sampling.locate import fall
from aascompile.sampling.sample import ANY_PRESENCE, traces
from aascompile.settings_file import settings_from_json

LOOKED_AT: Final = 64
"""Pairs of floors, nearest first, whose nearest points are compared."""

TRIED: Final = 8
"""Pairs of areas between which every travel type is tried."""

FARTHEST: Final = 256.0
"""Units by which an attempt may miss. Beyond that, moving walls is no remedy."""

BESIDE: Final = 64.0
"""Units between a liquid and a floor onto which a player may jump out of it."""

COSTS: Final = {
    Reason.ARRIVES: 0.0,
    Reason.CROUCHED: 16.0,
    Reason.HELD_UP: 24.0,
    Reason.LATE: 32.0,
    Reason.HARMED: 48.0,
    Reason.START_BLOCKED: 64.0,
    Reason.TAKEN: 64.0,
    Reason.SHALLOW: 64.0,
}
"""Units that a failure counts as, if it has no measure of its own."""

MEASURED: Final = (Reason.TOO_HIGH, Reason.TOO_FAR, Reason.TOO_DEEP)

PROBED: Final = (
    Travel.WALK,
    Travel.CROUCH,
    Travel.BARRIER_JUMP,
    Travel.WALK_OFF_LEDGE,
    Travel.JUMP,
    Travel.WATER_JUMP,
    Travel.JUMP_PAD,
)
"""Travel types that a mapper can make possible by moving something."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt to get from an area that spawns reach to one that leads to the goal."""

    source: int
    target: int
    verdict: Verdict
    cost: float
    """Units by which it fails, or what its failure counts as."""


@dataclass(frozen=True, slots=True)
class Why:
    """Why something is not reached. Things on one island have one such record."""

    cause: Cause
    entities: tuple[int, ...]
    """Rows of the items or spawns; empty if the goal is a point or an area."""
    point: Float
    """(3,) player origin at the first of them."""
    areas: Int
    """Areas that lead to it and are not reached, ascending; for a spawn, those that it reaches."""
    items: int
    """Number of items in these areas."""
    attempt: Attempt | None = None
    height: float = 0.0
    """Units above the floor; degrees of a slope; units between it and the nearest reached floor."""
    near: Float = field(default_factory=lambda: np.full(3, np.nan))
    """(3,) the floor below, or the nearest reached point."""
    entity: int = -1
    """The door that nothing opens."""
    hazard: Kind = Kind.NOTHING
    """What it lies in."""
    armed: bool = False
    """A weapon jump or the grapple leads to it."""
    pad: Float = field(default_factory=lambda: np.full(3, np.nan))
    """(3,) middle of the nearest jump pad that players reach and that has no links; NaN if there is none."""
    spawns: tuple[int, ...] = ()
    """Rows of the spawns that do not reach it, if others do."""


def cost_of(verdict: Verdict) -> float:
    """Units by which an attempt fails, or what its failure counts as; infinite if it cannot be made possible."""
    if verdict.kind not in PROBED or np.isnan(verdict.start[0]):
        return np.inf
    if verdict.why in MEASURED:
        return max(verdict.measure, 0.0)
    cost = COSTS.get(verdict.why, np.inf)
    if verdict.why is Reason.HELD_UP and not np.isnan(verdict.place[0]):
        cost += norm(np.subtract(verdict.place, verdict.start)[:2]) / FARTHEST
    return cost


class Investigator:
    """Explains what is not reached in one compiled map."""

    def __init__(self, compiled: Compiled, file: str = "") -> None:
        assert compiled.links is not None
        self.compiled = compiled
        self.links: Links = compiled.links
        self.places = compiled.places if compiled.places is not None else Places.none()
        settings = settings_from_json(compiled.provenance.settings, file)
        self.explainer = Explainer(compiled.areas, self.links, self.places, settings)
        self.walked = graph_of(self.links, ~are_of(self.links.kind, SPECIAL))
        spawns = self.places.area[~self.places.item & (self.places.area >= 0)]
        self.closed = ((compiled.areas.area_contents & np.uint32(Kind.DONOTENTER)) != 0) | shut_areas(compiled)
        self.reached = self.walked.forward.reach(distinct(spawns), self.closed)
        areas = compiled.areas
        both = (areas.face_front >= 0) & (areas.face_back >= 0)
        self.space = components(len(areas), areas.face_front[both], areas.face_back[both])
        """Areas with the same label are connected through open space."""

    # --- what is asked for --------------------------------------------------------------------------------------------

    def unreached(self, routes: Routes) -> list[Why]:
        """An explanation for each island, and for each item or spawn that is lost for another reason."""
        groups: dict[tuple[object, ...], list[Unreached]] = {}
        label = self._islands()
        for entity in routes.unreached:
            if entity.cause is Cause.STUCK and self._at_home(entity.area):
                continue  # it is the others, or the items, that are cut off
            island = int(label[entity.area]) if entity.area >= 0 else -1
            alone = entity.cause in (Cause.IN_AIR, Cause.STEEP, Cause.NO_FLOOR, Cause.NO_ROOM)
            key = (entity.cause, entity.item, island, entity.entity if alone else -1)
            groups.setdefault(key, []).append(entity)
        return [self._group(group) for group in groups.values()]

    def explain(self, routes: Routes) -> list[Why]:
        """Explanations of everything that is not reached, or not from every spawn."""
        unreached = self.unreached(routes)
        stuck = {row for why in unreached if why.cause is Cause.STUCK for row in why.entities}
        return [*unreached, *self.rare(routes, stuck)]

    def rare(self, routes: Routes, stuck: set[int]) -> list[Why]:
        """An explanation for each island that some spawns reach, and others do not; ``stuck``: spawns that do not
        count, because they reach nothing."""
        found: list[Why] = []
        for item in routes.rare:
            spawns = tuple(row for row in item.spawns if row not in stuck)
            if not spawns:
                continue
            row = int(np.flatnonzero(self.places.entity == item.entity)[0])
            known = [i for i, why in enumerate(found) if why.spawns == spawns and item.area in why.areas]
            if known:
                found[known[0]] = replace(found[known[0]], entities=(*found[known[0]].entities, item.entity))
                continue
            why = self.area(item.area, self.places.point[row], spawns)
            found.append(replace(why, entities=(item.entity,)))
        return found

    def area(self, area: int, point: Float, spawns: tuple[int, ...] = ()) -> Why:
        """Why an area is not reached; ``spawns``: entities from which it shall be reached, if not from any."""
        reached = self.reached
        if spawns:
            seeds = self.places.area[np.isin(self.places.entity, spawns) & (self.places.area >= 0)]
            reached = self.walked.forward.reach(distinct(seeds), self.closed)
        return self._area(area, point, reached, spawns)

    def between(self, source: int, area: int, point: Float) -> Why:
        """Why an area is not reached from another."""
        return self._area(area, point, self.walked.forward.reach(np.array([source], np.int32), self.closed), ())

    def _area(self, area: int, point: Float, reached: Mask, spawns: tuple[int, ...]) -> Why:
        seeds = np.array([area], np.int32)
        if not self.compiled.areas.area_flags[area] & np.uint32(AreaFlag.GROUNDED | AreaFlag.LIQUID):
            seeds = self._below(seeds, point)
        return self._island(seeds, point, (), reached, spawns)

    # --- items and spawns ---------------------------------------------------------------------------------------------

    def _islands(self) -> Int:
        """(areas,) label of the unreached areas that links join."""
        source, target = self.links.source, self.links.target
        inner = ~self.reached[source] & ~self.reached[target]
        return components(len(self.compiled.areas), source[inner], target[inner]).astype(np.int32)

    def _at_home(self, area: int) -> bool:
        """Whether half of the spawns or more are where players from an area get to."""
        spawns = self.places.area[~self.places.item & (self.places.area >= 0)]
        return 2 * int(self.walked.forward.reach(np.array([area], np.int32))[spawns].sum()) >= len(spawns)

    def _group(self, group: list[Unreached]) -> Why:
        """Explanation of entities with the same cause on the same island."""
        first, rows = group[0], tuple(entity.entity for entity in group)
        none = np.zeros(0, np.int32)
        if first.cause is Cause.IN_AIR:
            return self._in_air(first)
        if first.cause is Cause.STEEP:
            slope = slopes(self.compiled, self.explainer.movement.tree, first.point)
            return Why(first.cause, rows, first.point, none, len(rows), height=float(slope[0]))
        if first.cause in (Cause.IN_SOLID, Cause.NO_FLOOR, Cause.NO_ROOM, Cause.NO_SPAWN):
            return Why(first.cause, rows, first.point, none, 0)
        seeds = distinct(np.array([entity.area for entity in group], np.int32))
        if first.cause is Cause.STUCK:
            return self._stuck(seeds, first.point, rows)
        if first.cause in (Cause.BARRED, Cause.SHUT):
            island = np.flatnonzero(self.walked.backward.reach(seeds, self.closed) & ~self.reached).astype(np.int32)
            return Why(first.cause, rows, first.point, island, self._items(island), entity=self._door(seeds))
        if first.cause is Cause.HAZARD:
            bits = int(np.bitwise_or.reduce(self.compiled.areas.area_contents[seeds])) & int(DEADLY)
            return Why(first.cause, rows, first.point, seeds, len(rows), hazard=Kind(bits))
        flags = self.compiled.areas.area_flags[seeds]
        if not (flags & np.uint32(AreaFlag.GROUNDED | AreaFlag.LIQUID)).any():
            seeds = self._below(seeds, first.point)
        return self._island(seeds, first.point, rows, self.reached)

    def _items(self, areas: Int) -> int:
        return int((np.isin(self.places.area, areas) & self.places.item).sum())

    def _door(self, seeds: Int) -> int:
        """The first door, on the routes to some areas, that nothing opens."""
        leads = self.walked.backward.reach(seeds)
        models = self.compiled.areas.area_model
        return next((row for model, row in shut_doors(self.compiled).items() if leads[models == model].any()), -1)

    def _landing(self, point: Float) -> tuple[int, Float, Float]:
        """Area and origin where a player who falls from a point lands, and the normal of the floor there."""
        found = fall(self.explainer.movement.tree, point)
        return int(found.end_area[0]), found.end[0], found.normal[0]

    def _below(self, seeds: Int, point: Float) -> Int:
        """Areas without ground, and those right below them: where a player lands, and behind their gaps."""
        areas = self.compiled.areas
        under = (areas.face_flags & np.uint32(FaceFlag.GAP)) != 0
        mine = under & (np.isin(areas.face_front, seeds) | np.isin(areas.face_back, seeds))
        near = np.append(np.append(areas.face_front[mine], areas.face_back[mine]), self._landing(point)[0])
        found: Int = distinct(np.concatenate([seeds, near[near >= 0]])).astype(np.int32)
        return found

    def _in_air(self, item: Unreached) -> Why:
        """An item that hangs higher than a player can touch."""
        area, end, _ = self._landing(item.point)
        origin = item_origin(self.compiled, item.point)
        height = float(origin[2] - (end[2] - self.compiled.boxes.feet))
        kind = int(self.compiled.areas.area_contents[area]) & int(DEADLY) if area >= 0 else 0
        none = np.zeros(0, np.int32)
        return Why(item.cause, (item.entity,), item.point, none, 1, height=height, near=end, hazard=Kind(kind))

    def _stuck(self, seeds: Int, point: Float, rows: tuple[int, ...]) -> Why:
        """A spawn that players cannot leave."""
        inside = self.walked.forward.reach(seeds)
        others = self.places.area[(self.places.area >= 0) & ~inside[self.places.area]]
        outside = self.walked.backward.reach(distinct(others)) & ~inside
        attempt = self._best(inside, outside)
        island = np.flatnonzero(inside).astype(np.int32)
        return Why(Cause.STUCK, rows, point, island, self._items(island), attempt)

    def _island(
        self, seeds: Int, point: Float, rows: tuple[int, ...], reached: Mask, spawns: tuple[int, ...] = ()
    ) -> Why:
        """Goals that no route leads to: walls surround them, or an attempt fails, or nothing comes near."""
        leads = self.walked.backward.reach(seeds, self.closed) & ~reached
        island = np.flatnonzero(leads).astype(np.int32)
        armed, items = self._armed(seeds, spawns), max(self._items(island), len(rows))
        if not reached.any():
            return Why(Cause.NO_SPAWN, rows, point, island, items, spawns=spawns)
        if not np.isin(self.space[island], distinct(self.space[reached])).any():
            near, away = self._nearest(leads, reached)
            inside, outside = self._rims(leads), self._rims(reached)
            opening = opening_between(self.compiled.context, inside, outside)
            cause = Cause.CLOSED if opening is None else Cause.NARROW
            near = near if opening is None else opening
            return Why(cause, rows, point, island, items, None, away, near, armed=armed, spawns=spawns)
        attempt = self._best(reached, leads)
        if attempt is None:
            near, away = self._nearest(leads, reached)
            pad = self._idle_pad(point, reached)
            return Why(Cause.FAR, rows, point, island, items, None, away, near, armed=armed, pad=pad, spawns=spawns)
        return Why(Cause.MISSED, rows, point, island, items, attempt, armed=armed, spawns=spawns)

    def _armed(self, goals: Int, spawns: tuple[int, ...]) -> bool:
        """Whether a weapon jump or the grapple leads from some spawns, or from any, to one of the areas."""
        chosen = ~self.places.item & (self.places.area >= 0)
        if spawns:
            chosen &= np.isin(self.places.entity, spawns)
        graph = graph_of(self.links, np.ones(len(self.links), np.bool_))
        return bool(graph.forward.reach(distinct(self.places.area[chosen]), self.closed)[goals].any())

    def _idle_pad(self, point: Float, reached: Mask) -> Float:
        """Middle of the nearest jump pad that players reach and that throws them nowhere; NaN if there is none."""
        areas, links = self.compiled.areas, self.links
        pads = np.flatnonzero((areas.area_contents & np.uint32(Kind.JUMPPAD)) != 0)
        throwing = areas.area_trigger[links.source[links.kind == int(Travel.JUMP_PAD)]]
        idle = [model for model in distinct(areas.area_trigger[pads]).tolist() if model >= 0 and model not in throwing]
        found = np.full((1, 3), np.nan)
        for model in idle:
            own = areas.area_trigger == model
            if reached[own].any():
                middle = (areas.area_mins[own].min(axis=0) + areas.area_maxs[own].max(axis=0)) / 2.0
                found = np.vstack([found, middle])
        away = lengths(found - point)
        nearest: Float = found[0 if len(found) == 1 else int(np.nanargmin(away))]
        return nearest

    def _rims(self, chosen: Mask) -> Float:
        """(n, 3) points along the rims of some areas; in their middles, if they have no rims."""
        rims = self.explainer.rims
        row = np.flatnonzero(chosen[rims.area])
        return along(rims.a[row], rims.b[row]) if len(row) else self.compiled.areas.area_centre[chosen]

    def _nearest(self, leads: Mask, reached: Mask) -> tuple[Float, float]:
        """The point of a reached floor that is nearest to the areas of an island, and how far it is."""
        outside = self._rims(reached)
        row, _, away = closest_pair(outside, self._rims(leads))
        return outside[row], away

    # --- the attempt that fails by least ------------------------------------------------------------------------------

    def _best(self, reached: Mask, leads: Mask) -> Attempt | None:
        """The attempt from one set of areas to the other that fails by least; None if none comes near."""
        best: Attempt | None = None
        for source, target in self._pairs(reached, leads):
            for tried in self.explainer.explain(source, target):
                verdict = self._out_of_water(tried, source, target)
                cost = cost_of(verdict)
                if cost < (FARTHEST if best is None else best.cost):
                    best = Attempt(source, target, verdict, cost)
        return best

    def _out_of_water(self, verdict: Verdict, source: int, target: int) -> Verdict:
        """The verdict on a jump out of water, with how much too high the bank is."""
        if verdict.kind is not Travel.WATER_JUMP or verdict.why not in (Reason.LATE, Reason.HELD_UP):
            return verdict
        bank, water = self.compiled.areas.area_mins[target, 2], self.compiled.areas.area_maxs[source, 2]
        lack = float(bank - water) - self.explainer.settings.physics.max_waterjump
        if lack <= 0.0:
            return verdict
        place = (verdict.start[0], verdict.start[1], float(bank))
        return replace(verdict, why=Reason.TOO_HIGH, measure=lack, place=place)

    def _pairs(self, reached: Mask, leads: Mask) -> list[tuple[int, int]]:
        """Pairs of areas, the most promising first."""
        return [*self._grounds(reached, leads), *self._liquids(reached, leads), *self._pads(reached, leads)]

    def _grounds(self, reached: Mask, leads: Mask) -> list[tuple[int, int]]:
        """Pairs of areas with ground between which a jump fails by least."""
        rims = self.explainer.rims
        taken = (self.compiled.areas.area_contents[rims.ground] & np.uint32(TAKES_AWAY)) != 0
        source = np.flatnonzero(reached[rims.ground] & ~taken)
        target = np.flatnonzero(leads[rims.ground])
        if not len(source) or not len(target):
            return []
        bounds = rims.bounds
        a, b = bounds[source][:, None], bounds[target][None]
        apart = np.maximum(np.maximum(a[..., :3] - b[..., 3:], b[..., :3] - a[..., 3:]), 0.0)
        rise = np.maximum(b[..., 2] - a[..., 5], 0.0)
        score = flat_lengths(apart) + 2.0 * rise + 0.25 * apart[..., 2]
        order = np.argsort(score, axis=None, kind="stable")[:LOOKED_AT]
        worker = nearest_of(rims, np.zeros(0, np.int64), grid_of(rims), self.explainer.settings)
        tree, lift = self.explainer.movement.tree, np.array((0.0, 0.0, 0.25))
        found = []
        for i, j in zip(*np.unravel_index(order, score.shape), strict=True):
            one, two = int(source[i]), int(target[j])
            _, lack, points = worker.look(one, two)
            over = max(float(points[5] - points[2]), 0.0)
            start, end = points[:3] + lift + (0.0, 0.0, over), points[3:] + lift
            blocked = traces(tree, start, end, ANY_PRESENCE).fraction[0] < 1.0
            length = norm(points[3:] - points[:3])
            found.append((lack + 32.0 * blocked, length, int(rims.ground[one]), int(rims.ground[two])))
        return [(one, two) for _, _, one, two in sorted(found)[:TRIED]]

    def _liquids(self, reached: Mask, leads: Mask) -> list[tuple[int, int]]:
        """Pairs of a liquid and a floor at its bank."""
        areas = self.compiled.areas
        wet = np.flatnonzero(reached & ((areas.area_flags & np.uint32(AreaFlag.LIQUID)) != 0))
        dry = np.flatnonzero(leads & ((areas.area_flags & np.uint32(AreaFlag.GROUNDED)) != 0))
        return self._closest(wet, dry, BESIDE)

    def _pads(self, reached: Mask, leads: Mask) -> list[tuple[int, int]]:
        """Pairs of a jump pad and a floor."""
        areas = self.compiled.areas
        pads = np.flatnonzero(reached & ((areas.area_contents & np.uint32(Kind.JUMPPAD)) != 0))
        pads = pads[np.isin(pads, self.links.source[self.links.kind == int(Travel.JUMP_PAD)])]
        floors = np.flatnonzero(leads & ((areas.area_flags & np.uint32(AreaFlag.GROUNDED)) != 0))
        return self._closest(pads, floors, np.inf)

    def _closest(self, first: Index, second: Index, most: float) -> list[tuple[int, int]]:
        """The pairs of areas with the nearest boxes, at most so far apart in plan."""
        if not len(first) or not len(second):
            return []
        areas = self.compiled.areas
        a, b = (np.hstack([areas.area_mins[rows], areas.area_maxs[rows]]) for rows in (first, second))
        apart = np.maximum(np.maximum(a[:, None, :2] - b[None, :, 3:5], b[None, :, :2] - a[:, None, 3:5]), 0.0)
        away = flat_lengths(apart)
        order = np.argsort(away, axis=None, kind="stable")[: TRIED // 2]
        pairs = zip(*np.unravel_index(order, away.shape), strict=True)
        return [(int(first[i]), int(second[j])) for i, j in pairs if away[i, j] <= most]
