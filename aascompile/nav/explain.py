"""Why a link exists or not: every travel type between two areas is tried again, and reports what it failed on.

Nothing is decided here. The probes, replays and flights are those that make links, with notes switched on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from aascompile.geometry.vectors import flat_lengths, norm
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.contents import TAKES_AWAY, Kind
from aascompile.model.links import RIDES, Links, Tier, Travel, tier_speeds, tiers_of, with_rows
from aascompile.model.mapdata import Float, Index
from aascompile.model.places import Places
from aascompile.player.flight import fall_time, gain, highest, needed_speed, steered
from aascompile.player.movement import HAZARDS, Command, Event, Movement
from aascompile.player.reason import Reason
from aascompile.player.strafe import STRAIGHT, hops_of, level_run_ups, take_fast
from aascompile.reach import times
from aascompile.reach.attempts import Confirmed, Notes
from aascompile.reach.candidates import Candidates
from aascompile.reach.currents import SLOWEST, progress
from aascompile.reach.fast_jumps import proposals, succeeds, top_speed, wanted_tier, ways
from aascompile.reach.floors import level_floors
from aascompile.reach.grapple import grapple_links
from aascompile.reach.jumppad import leaves_pad
from aascompile.reach.ladder import ladder_links
from aascompile.reach.local import SPACING, Rims, detours, grid_of, nearest_of, prober_of, rims_of, worth
from aascompile.reach.risk import DEADLY_SHARE, is_missed, try_links, with_margins
from aascompile.reach.rocketjump import fly, misfits
from aascompile.sampling.ground import GroundEdges, ground_edges
from aascompile.sampling.locate import area_at
from aascompile.sampling.middle import floor_points
from aascompile.settings import Physics, Settings

NOWHERE: Final = (np.nan, np.nan, np.nan)

INFORMATIVE: Final = (
    Reason.ARRIVES,
    Reason.TOO_HIGH,
    Reason.HELD_UP,
    Reason.HARMED,
    Reason.TAKEN,
    Reason.LATE,
    Reason.CROUCHED,
    Reason.TOO_LOW,
    Reason.NO_GROUND,
    Reason.NO_GAP,
    Reason.TOUCHING,
    Reason.WALL,
    Reason.NO_START,
    Reason.START_BLOCKED,
)
"""Order of preference if several attempts failed: the most informative reason first."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a link of one travel type exists or not."""

    kind: Travel
    why: Reason
    """ARRIVES: there is such a link."""
    link: int = -1
    """Row of the link."""
    measure: float = 0.0
    """By how many units it fails, or how long it would take."""
    start: tuple[float, float, float] = NOWHERE
    """Where the attempt started."""
    place: tuple[float, float, float] = NOWHERE
    """Where it failed."""
    area: int = -1
    """Area where it ended."""
    areas: tuple[int, ...] = ()
    """Areas that links of this travel type lead to instead."""
    hit: str = ""
    """What blocks it: "wall" or "ceiling"."""
    needs: float = -1.0
    """For jumps over a gap: the least horizontal speed at take-off, in units/s; −1 if unknown."""
    tier: Tier | None = None
    """For jumps over a gap: how players get that speed."""
    gives: float = -1.0
    """Speed, in units/s, that jumps of this tier give."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where an attempt was made: the part of verdicts that several share."""

    start: Float
    """(3,) where it starts."""
    place: Float
    """(3,) where it should end, or fails."""
    area: int
    """Area where it ends."""
    areas: tuple[int, ...] = ()
    """Areas that links of this travel type lead to instead."""

    def verdict(self, kind: Travel, why: Reason, measure: float = 0.0) -> Verdict:
        """A verdict there."""
        return Verdict(kind, why, -1, measure, _point(self.start), _point(self.place), self.area, self.areas)


@dataclass(frozen=True, slots=True)
class NearestPoints:
    """The nearest points of two grounds, and why no jump crosses between them."""

    why: int
    """Reason; 0: a jump may."""
    lack: float
    """By how many units it fails."""
    points: Float
    """(6,) start and end."""

    @property
    def gap(self) -> Float:
        """(1,) units between them, seen from above."""
        apart: Float = flat_lengths(self.points[None, 3:5] - self.points[None, :2])
        return apart

    @property
    def rise(self) -> Float:
        """(1,) units by which the second is higher."""
        return self.points[5:] - self.points[2:3]


@dataclass(slots=True)
class Explainer:
    """Explains the links of one compiled map."""

    areas: Areas
    links: Links
    places: Places
    settings: Settings
    movement: Movement = field(init=False)
    edges: GroundEdges = field(init=False)
    rims: Rims = field(init=False)
    floor: Float = field(init=False)

    def __post_init__(self) -> None:
        self.movement = Movement(self.areas, self.settings)
        self.edges = ground_edges(self.areas)
        self.rims = rims_of(self.edges, self.movement)
        self.floor = floor_points(self.areas)

    def explain(self, source: int, target: int) -> list[Verdict]:
        """Return a verdict on every travel type from one area to another."""
        if source == target:
            return []
        found = {verdict.kind: verdict for verdict in self._links(source, target)}
        tried = {each.kind: each for each in (*self._local(source, target, found), *self._other(source, target))}
        return [verdict for _, verdict in sorted((tried | found).items())]

    def _links(self, source: int, target: int) -> Iterator[Verdict]:
        """Verdicts on the links that exist."""
        rows = range(int(self.links.area_start[source]), int(self.links.area_start[source + 1]))
        for row in rows:
            if self.links.target[row] == target:
                start, place = _point(self.links.start[row]), _point(self.links.end[row])
                kind = Travel(int(self.links.kind[row]))
                verdict = Verdict(kind, Reason.ARRIVES, row, float(self.links.time[row]), start, place, target)
                if self.links.tier[row] >= 0:
                    tier, needs = Tier(int(self.links.tier[row])), float(self.links.needed_speed[row])
                    verdict = replace(verdict, needs=needs, tier=tier, gives=gives(tier, needs, self.settings.physics))
                yield verdict

    def _has(self, area: int, flag: AreaFlag) -> bool:
        return bool(self.areas.area_flags[area] & np.uint32(flag))

    def _is(self, area: int, kind: Kind) -> bool:
        return bool(self.areas.area_contents[area] & np.uint32(kind))

    def _low(self, area: int) -> bool:
        """Whether a player must crouch there."""
        return not self.areas.area_presence[area] & np.uint32(self.settings.boxes[0].presence)

    def _left_door(self, source: int, target: int) -> bool:
        """Whether the target is in a door that can be bypassed: the areas touch, and no link was kept."""
        model = self.areas.area_model
        return bool(model[target] >= 0 and model[target] != model[source])

    # --- on foot and through the air ----------------------------------------------------------------------------------

    def _local(self, source: int, target: int, found: dict[Travel, Verdict]) -> Iterator[Verdict]:
        """Travel types that are found by probing."""
        walk = Travel.CROUCH if self._low(source) or self._low(target) else Travel.WALK
        kinds = (walk, Travel.BARRIER_JUMP, Travel.WALK_OFF_LEDGE, Travel.JUMP)
        if self._is(source, TAKES_AWAY) and not self._is(target, TAKES_AWAY):
            yield from (Verdict(kind, Reason.TAKEN, area=source) for kind in (*kinds, Travel.SWIM, Travel.WATER_JUMP))
            return
        yield self._swim(source, target)
        yield self._bank(source, target)
        for area in (source, target):
            wet = self._has(area, AreaFlag.LIQUID) and area == target
            if not self._has(area, AreaFlag.GROUNDED) and not wet:
                yield from (Verdict(kind, Reason.NO_GROUND, area=area) for kind in kinds)
                return
        notes, hard = self._probe(source)
        near = self._nearest(source, target)
        for kind in (Travel.WALK, Travel.BARRIER_JUMP, Travel.WALK_OFF_LEDGE):
            verdict = self._of_notes(kind, target, notes) or self._of_place(kind, source, target, notes, near)
            if kind == Travel.WALK and Travel.SWIM in found and verdict.why == Reason.ARRIVES:
                verdict = Verdict(walk, Reason.LINKED, start=verdict.start, place=verdict.place, area=target)
            if kind == Travel.WALK_OFF_LEDGE and walk in found and verdict.why == Reason.ARRIVES:
                verdict = Verdict(kind, Reason.LINKED, start=verdict.start, place=verdict.place, area=target)
            if verdict.why == Reason.ARRIVES and ((int(kind), target) in hard or self._is_missed(source, verdict)):
                verdict = Verdict(kind, Reason.NEEDLESS, start=verdict.start, place=verdict.place, area=target)
            if (
                kind == Travel.WALK
                and self._left_door(source, target)
                and verdict.why in (Reason.ARRIVES, Reason.ELSEWHERE)
            ):
                verdict = Verdict(walk, Reason.NEEDLESS, area=target)
            yield verdict if kind != Travel.WALK else _as(verdict, walk)
        yield self._jump(source, target, near, found)
        yield from self._fast(source, target, near, found)

    def _probe(self, source: int) -> tuple[Notes, set[tuple[int, int]]]:
        """Notes on the probes from all rims of an area, and the (travel type, target) pairs with hard links only."""
        prober = prober_of(self.areas, self.rims, self.movement)
        prober.noting = True
        first, last = np.searchsorted(self.rims.area, [source, source + 1]).tolist()
        prober.rims(first, last, SPACING)
        found = Confirmed.of([prober.result()])
        pairs = np.column_stack([found.kind, found.target])
        easy, hard = ({(kind, to) for kind, to in pairs[found.hard == skill].tolist()} for skill in (False, True))
        return Notes.of(prober.noted()), hard - easy

    def _of_notes(self, kind: Travel, target: int, notes: Notes) -> Verdict | None:
        """The most informative of the attempts that aimed at, or ended in, the target."""
        rows = np.flatnonzero((notes.kind == int(kind)) & (notes.target == target))
        return self._of_attempt(kind, notes, self._first(notes, rows)) if len(rows) else None

    def _first(self, notes: Notes, rows: Index) -> int:
        """The most informative of some attempts; of equals the one that fails by the least."""
        order = {int(why): place for place, why in enumerate(INFORMATIVE)}
        first: int = min(rows.tolist(), key=lambda row: (order[int(notes.why[row])], notes.measure[row], row))
        return first

    def _of_attempt(self, kind: Travel, notes: Notes, row: int) -> Verdict:
        """Verdict on one attempt, with the obstacle if it was a flight."""
        why, start, place = Reason(int(notes.why[row])), notes.start[row], notes.place[row]
        area, hit = self._at(place), ""
        if why in (Reason.HELD_UP, Reason.LATE) and kind != Travel.WALK and notes.end[row].any():
            place, area, hit = self._flight(kind, start, notes.velocity[row], notes.end[row])
        measure = max(float(notes.measure[row]), 0.0)
        return Verdict(kind, why, -1, measure, _point(start), _point(place), area, (), hit)

    def _flight(self, kind: Travel, start: Float, velocity: Float, end: Float) -> tuple[Float, int, str]:
        """Where a flight first lands, or what it hits before. A barrier is expected to be hit from the side."""
        jumps = kind in (Travel.BARRIER_JUMP, Travel.JUMP)
        stop = Event.LANDED | Event.SWIM | Event.HEAD | HAZARDS
        stop |= Event(0) if kind == Travel.BARRIER_JUMP else Event.BUMP
        command = Command(speed=self.settings.physics.walk_speed, steer_to=_point(end), jump=jumps)
        found = self.movement.predict(_point(start), _point(velocity), command, stop, max_time=10.0)
        hit = "ceiling" if found.stopped & Event.HEAD else "wall" if found.stopped & Event.BUMP else ""
        return np.array(found.end), found.area, hit

    def _at(self, place: Float) -> int:
        return area_at(self.movement.tree, place + np.array((0.0, 0.0, 0.125)))

    def _nearest(self, source: int, target: int) -> NearestPoints | None:
        """The nearest points of two grounds; None if either has no rims."""
        rows = np.searchsorted(self.rims.ground, [source, target])
        if (rows >= len(self.rims.ground)).any() or (self.rims.ground[rows] != (source, target)).any():
            return None
        worker = nearest_of(self.rims, np.zeros(0, np.int64), grid_of(self.rims), self.settings)
        why, lack, points = worker.look(int(rows[0]), int(rows[1]))
        return NearestPoints(int(why), float(lack), points)

    def _of_place(self, kind: Travel, source: int, target: int, notes: Notes, near: NearestPoints | None) -> Verdict:
        """Verdict from floor geometry alone, for a travel type none of whose probes reached the target."""
        led = self._leads(source, Travel.CROUCH) if kind == Travel.WALK else ()
        elsewhere = Verdict(kind, Reason.ELSEWHERE, areas=tuple(sorted(self._leads(source, kind) + led)))
        if near is None:
            return elsewhere
        point = near.points
        prober, apart = prober_of(self.areas, self.rims, self.movement), norm(point[3:5] - point[:2])
        why, measure = prober.look(int(kind), apart, float(point[5] - point[2]))
        if why != Reason.ARRIVES:
            return Where(point[:3], point[3:], target, elsewhere.areas).verdict(kind, Reason(why), measure)
        tried = None if kind == Travel.WALK_OFF_LEDGE else self._near_attempt(kind, notes, point[:3])
        return tried or elsewhere

    def _near_attempt(self, kind: Travel, notes: Notes, point: Float) -> Verdict | None:
        """The attempt that failed nearest to a point."""
        rows = np.flatnonzero((notes.kind == int(kind)) & (notes.why != Reason.ARRIVES))
        far = np.linalg.norm(notes.start[rows] - point, axis=1)
        return self._of_attempt(kind, notes, int(rows[far.argmin()])) if len(rows) and far.min() <= SPACING else None

    def _jump(self, source: int, target: int, near: NearestPoints | None, found: dict[Travel, Verdict]) -> Verdict:
        """A running jump over a gap."""
        if near is None:
            return Verdict(Travel.JUMP, Reason.NO_GAP)
        points = near.points
        where = Where(points[:3], points[3:], target)
        if near.why:
            verdict = where.verdict(Travel.JUMP, Reason(near.why), near.lack)
            return self._with_speed(verdict, near) if verdict.why == Reason.TOO_FAR else verdict
        prober = prober_of(self.areas, self.rims, self.movement)
        prober.noting = True
        rows = np.searchsorted(self.rims.ground, [source, target])
        pair = np.array([[*rows, self.rims.start[rows[0]], 0]], np.int32)
        prober.leaps(pair, points[None], self.rims.ground, 0, 1)
        notes = Notes.of(prober.noted())
        tried = self._of_notes(Travel.JUMP, target, notes) or where.verdict(Travel.JUMP, Reason.NO_GAP)
        if tried.why != Reason.ARRIVES:
            return tried
        if found:
            return where.verdict(Travel.JUMP, Reason.LINKED)
        slow = float(times.jump(points[None, :3], points[None, 3:], self.settings)[0])
        ends = np.array([source], np.int32), np.array([target], np.int32)
        if not worth(detours(self.links, self.settings)(), *ends, points[None], self.settings)[0]:
            return where.verdict(Travel.JUMP, Reason.SLOWER, slow)
        hard = Confirmed.of([prober.result()]).hard.any() or self._is_missed(source, tried)
        return where.verdict(Travel.JUMP, Reason.NEEDLESS) if hard else tried

    def _is_missed(self, source: int, verdict: Verdict) -> bool:
        """Whether too many of the engine's bots miss a link that a probe found, or die on it."""
        new = {"source": [source], "target": [verdict.area], "kind": int(verdict.kind)}
        links = with_rows(self.links, {**new, "start": [verdict.start], "end": [verdict.place]})
        row = int(links.area_start[source + 1]) - 1
        trials = try_links(links, self.areas, self.movement, rows=np.array([row]))
        links = with_margins(links, trials, self.settings)
        return bool(is_missed(links)[row] or links.dies[row] >= DEADLY_SHARE)

    def _with_speed(self, verdict: Verdict, near: NearestPoints) -> Verdict:
        """The verdict on a jump with the speed that it needs, and what gives such a speed."""
        physics = self.settings.physics
        needs = float(needed_speed(near.gap, near.rise, physics)[0])
        tier = Tier(int(tiers_of(np.array([needs]), physics.walk_speed)[0]))
        return replace(verdict, needs=needs, tier=tier, gives=gives(tier, needs, physics))

    def _fast(
        self, source: int, target: int, near: NearestPoints | None, found: dict[Travel, Verdict]
    ) -> Iterator[Verdict]:
        """Jumps that take more than a run, where a running jump does not get across."""
        settings = self.settings
        most = wanted_tier(settings.reach.jump_tier)
        for kind in dict.fromkeys(kind for kind, _ in ways(settings.physics, max(most, Tier.CIRCLE))):
            if most <= Tier.RUNNING:
                yield Verdict(kind, Reason.OFF)
            elif near is None or near.why not in (Reason.TOO_FAR, Reason.TOO_HIGH):
                yield Verdict(kind, Reason.LINKED if found else Reason.NO_GAP)
            elif kind == Travel.STRAFE_JUMP and near.why == Reason.TOO_HIGH:
                yield Where(near.points[:3], near.points[3:], target).verdict(kind, Reason.TOO_HIGH, near.lack)
            else:
                yield self._try_fast(kind, source, target, near, most)

    def _try_fast(self, kind: Travel, source: int, target: int, near: NearestPoints, most: Tier) -> Verdict:
        """Let players make a fast jump."""
        physics, where = self.settings.physics, Where(near.points[:3], near.points[3:], target)
        verdict = self._with_speed(where.verdict(kind, Reason.OFF), near)
        tier = Tier.RUNNING if kind != Travel.STRAFE_JUMP else verdict.tier or Tier.STRAFE
        if tier > most:
            return verdict
        if kind == Travel.STRAFE_JUMP and verdict.needs > top_speed(Tier.STRAFE, physics):
            return replace(verdict, why=Reason.SLOW, measure=top_speed(Tier.STRAFE, physics))
        prober = prober_of(self.areas, self.rims, self.movement)
        prober.noting = True
        rows = np.searchsorted(self.rims.ground, [source, target])
        pair = np.array([[*rows, self.rims.start[rows[0]], 0]], np.int32)
        prober.leaps(pair, near.points[None], self.rims.ground, 0, 1, proposals(physics))
        proposed = Confirmed.of([prober.result()])
        if not len(proposed.source):
            failed = self._of_notes(Travel.STRAFE_JUMP, target, Notes.of(prober.noted()))
            return replace(failed, kind=kind) if failed else replace(verdict, why=Reason.NO_GAP)
        number = np.column_stack((proposed.source, proposed.target, proposed.kind))
        hops = hops_of(np.array([tier]), np.array([verdict.needs]), physics)
        hops[:, 2] = kind == Travel.DOUBLE_JUMP
        taken = take_fast(self.areas, self.movement, number, np.hstack((proposed.start, proposed.end)), hops)
        if taken.why[0] == Reason.START_BLOCKED:
            room = STRAIGHT if tier <= Tier.RUNNING else float(level_run_ups(physics)[0][hops[0, 0]])
            return replace(verdict, why=Reason.NO_ROOM, measure=room)
        if taken.why[0] != Reason.ARRIVES:
            return replace(verdict, why=Reason(int(taken.why[0])), place=_point(taken.end[0]), area=int(taken.area[0]))
        good = bool(succeeds(taken, kind, physics)[0])
        return replace(verdict, why=Reason.SLOWER if good else Reason.NO_GAP, measure=100.0 * float(taken.seconds[0]))

    # --- in liquid ----------------------------------------------------------------------------------------------------

    def _swim(self, source: int, target: int) -> Verdict:
        for area in (source, target):
            if not self._has(area, AreaFlag.LIQUID):
                return Verdict(Travel.SWIM, Reason.NO_LIQUID, area=area)
        front, back = self.areas.face_front, self.areas.face_back
        touch = ((front == source) & (back == target)) | ((front == target) & (back == source))
        if not touch.any():
            return Verdict(Travel.SWIM, Reason.NO_FACE, area=target)
        normal = self.areas.planes.normal[self.areas.face_plane[touch]]
        ahead = np.where((front[touch] == source)[:, None], -normal, normal)
        shares = [
            progress(np.full(len(ahead), self.areas.area_contents[area]), ahead, self.settings.physics)
            for area in (source, target)
        ]
        carried = bool((np.minimum(*shares) <= SLOWEST).all())
        return Verdict(Travel.SWIM, Reason.UPSTREAM if carried else Reason.SHALLOW, area=target)

    def _bank(self, source: int, target: int) -> Verdict:
        """A jump out of the water onto the target's rims."""
        kind = Travel.WATER_JUMP
        if not self._has(source, AreaFlag.LIQUID):
            return Verdict(kind, Reason.NO_LIQUID, area=source)
        prober = prober_of(self.areas, self.rims, self.movement)
        prober.noting = True
        first, last = np.searchsorted(self.rims.area, [target, target + 1]).tolist()
        prober.banks(first, last)
        notes = Notes.of(prober.noted())
        rows = np.flatnonzero(notes.source == source)
        if not len(rows):
            return Verdict(kind, Reason.NO_FACE, area=target)
        return self._of_attempt(kind, notes, self._first(notes, rows))

    # --- ladders, entities, weapons -----------------------------------------------------------------------------------

    def _other(self, source: int, target: int) -> Iterator[Verdict]:
        """Travel types that need a ladder, an entity or a weapon."""
        yield self._ladder(source, target)
        lead = self._leads(source, Travel.TELEPORT)
        none = Reason.ELSEWHERE if self._is(source, Kind.TELEPORTER) else Reason.NO_TELEPORTER
        yield Verdict(Travel.TELEPORT, none, area=source, areas=lead)
        yield self._pad(source, target)
        for kind in RIDES:
            lead = self._leads(source, kind)
            yield Verdict(kind, Reason.ELSEWHERE if lead else Reason.NO_PLATFORM, area=source, areas=lead)
        physics, wanted = self.settings.physics, self.settings.reach
        yield self._rocket(Travel.ROCKET_JUMP, wanted.rocket_jump, physics.rocket_jump_velocity, source, target)
        yield self._rocket(Travel.BFG_JUMP, wanted.bfg_jump, physics.bfg_jump_velocity, source, target)
        if not wanted.grapple:
            yield Verdict(Travel.GRAPPLE, Reason.OFF)
            return
        candidates = Candidates()
        grapple_links(candidates, self.areas, self.movement)
        yield Verdict(Travel.GRAPPLE, Reason.ELSEWHERE, areas=_targets(candidates.finish(self.areas), source))

    def _leads(self, source: int, kind: Travel) -> tuple[int, ...]:
        """Targets of an area's links of one travel type."""
        rows = slice(int(self.links.area_start[source]), int(self.links.area_start[source + 1]))
        return tuple(self.links.target[rows][self.links.kind[rows] == int(kind)].tolist())

    def _ladder(self, source: int, target: int) -> Verdict:
        if not self.settings.reach.ladder:
            return Verdict(Travel.LADDER, Reason.OFF)
        if not self._has(source, AreaFlag.LADDER) and not self._has(target, AreaFlag.LADDER):
            return Verdict(Travel.LADDER, Reason.NO_LADDER)
        candidates = Candidates()
        ladder_links(candidates, self.areas, self.movement)
        return Verdict(Travel.LADDER, Reason.ELSEWHERE, areas=_targets(candidates.finish(self.areas), source))

    def _pad(self, source: int, target: int) -> Verdict:
        """A jump pad's flight, steered to the target's floor."""
        kind, physics, links = Travel.JUMP_PAD, self.settings.physics, self.links
        if not self._is(source, Kind.JUMPPAD):
            return Verdict(kind, Reason.NO_PAD, area=source)
        lead = self._leads(source, kind)
        rows = np.flatnonzero((links.source == source) & (links.kind == int(kind)))
        goal = self.floor[target]
        if not len(rows) or np.isnan(goal[0]):
            return Verdict(kind, Reason.ELSEWHERE if len(rows) else Reason.NO_PAD, area=source, areas=lead)
        leaves, velocity = leaves_pad(self.areas, self.movement, links.start[rows[0]], links.velocity[rows[0]])
        where = Where(leaves, goal, target, lead)
        rise, most = float(goal[2] - leaves[2]), highest(float(velocity[2]), physics)
        if rise > most:
            return where.verdict(kind, Reason.TOO_HIGH, rise - most)
        area, end = steered(self.movement, leaves[None], velocity[None], goal[None], np.array([target]))
        if area[0] == target:
            label = level_floors(self.areas, self.floor)
            same = tuple(area for area in (source, *lead) if label[area] == label[target])
            why = Reason.SAME_FLOOR if same else Reason.NEEDLESS
            return Where(leaves, end[0], target, same).verdict(kind, why)
        seconds = fall_time(np.array([rise]), float(velocity[2]), physics)
        error = (goal[:2] - leaves[:2] - seconds * velocity[:2])[None]
        lack = float((flat_lengths(error) - gain(error, velocity[:2], seconds, physics.walk_speed, physics))[0])
        if lack > 0.0:
            return where.verdict(kind, Reason.TOO_FAR, lack)
        return Where(leaves, end[0], int(area[0]), lead).verdict(kind, Reason.LATE)

    def _rocket(self, kind: Travel, on: bool, speed: float, source: int, target: int) -> Verdict:
        if not on:
            return Verdict(kind, Reason.OFF)
        ends = np.array([source]), np.array([target])
        if np.isnan(self.floor[[source, target], 0]).any():
            return Verdict(kind, Reason.NO_GROUND, area=source if np.isnan(self.floor[source, 0]) else target)
        why, measure = misfits(self.areas, self.floor, self.places, speed, *ends, self.movement)
        where = Where(self.floor[source], self.floor[target], target)
        if why[0] != Reason.ARRIVES:
            return where.verdict(kind, Reason(int(why[0])), float(measure[0]))
        area, end, _ = fly(self.areas, self.floor, *ends, speed, self.movement)
        if area[0] == target:
            return where.verdict(kind, Reason.NEARER)
        return Where(self.floor[source], end[0], int(area[0])).verdict(kind, Reason.LATE)


def gives(tier: Tier, needs: float, physics: Physics) -> float:
    """Speed, in units/s, that a jump of a tier gives which needs some speed: of strafe jumps, one with enough hops."""
    if tier != Tier.STRAFE:
        return float(tier_speeds(physics.walk_speed)[tier])
    hops = hops_of(np.array([tier]), np.array([needs]), physics)[0, 0]
    return float(level_run_ups(physics)[1][hops])


def _targets(links: Links, source: int) -> tuple[int, ...]:
    """Targets of an area's links."""
    return tuple(links.target[links.source == source].tolist())


def _as(verdict: Verdict, kind: Travel) -> Verdict:
    """The same verdict for another travel type."""
    return replace(verdict, kind=kind)


def _point(place: Float) -> tuple[float, float, float]:
    x, y, z = place.tolist()
    return x, y, z
