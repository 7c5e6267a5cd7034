"""Links that the mapper adds by hand, and links that the mapper removes.

A place that a mapper names is where a player stands or falls from. A link is added as it is: it need not be possible,
because the mapper may know what the compiler does not. What looks wrong is a warning, what cannot be meant is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.geometry.vectors import norm
from aascompile.model.areas import Areas
from aascompile.model.by_hand import BLOCK, COST, PORTAL, ByHand, HandEntry, Join, Point, factor_of
from aascompile.model.contents import DEADLY, TAKES_AWAY, Kind
from aascompile.model.entity_facts import EntityFacts
from aascompile.model.links import FAST_JUMPS, MOST_TIME, OWN_MOVES, REPLAYED, Links, Travel, are_of
from aascompile.model.mapdata import Float
from aascompile.model.understood import Understood
from aascompile.player.follow import replay_rows
from aascompile.player.movement import Movement
from aascompile.player.reason import Reason
from aascompile.reach import times
from aascompile.reach.candidates import Candidates
from aascompile.records import dataclass
from aascompile.sampling.locate import areas_at, locate

HIGH: Final = 64.0
"""Units above the floor at which a place looks like a mistake."""

RUNNING: Final = (Travel.JUMP, Travel.WALK_OFF_LEDGE, *FAST_JUMPS)
"""Travel types that begin at full speed."""

TRIGGERED: Final = {Travel.TELEPORT: (Kind.TELEPORTER, "teleporter"), Travel.JUMP_PAD: (Kind.JUMPPAD, "jump pad")}
"""Travel types that begin in a trigger."""

WEAPONS: Final = {Travel.ROCKET_JUMP: "rocket_jump_velocity", Travel.BFG_JUMP: "bfg_jump_velocity"}

MEANS: Final = {BLOCK: Kind.DONOTENTER, PORTAL: Kind.CLUSTERPORTAL}
"""What a volume makes of the areas in it."""

Warn = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class SettledJoin:
    """A link with the areas and the player's origins at both ends."""

    join: Join
    source: int
    target: int
    start: Float
    """(3,)"""
    end: Float
    """(3,)"""

    @property
    def entry(self) -> HandEntry:
        """The entry that asks for it."""
        return self.join.entry

    def back(self) -> SettledJoin:
        """The same link the other way."""
        return SettledJoin(self.join, self.target, self.source, self.end, self.start)


def settle(joins: Sequence[Join], movement: Movement, warn: Warn) -> list[SettledJoin]:
    """Links between areas: one for each entry, two if it leads both ways. Raises MapError if a place has no room."""
    made: list[SettledJoin] = []
    feet = -movement.settings.boxes[0].mins[2]
    for join in joins:
        places: list[tuple[int, Float]] = []
        for field, point in ((join.entry.from_key, join.start), ("to", join.end)):
            area, origin = locate(movement.tree, point, feet)
            if area[0] < 0:
                raise join.entry.error(f"{field} {_text(point)} is in solid or outside the map: no player fits there")
            above = point[2] - (float(origin[0, 2]) - feet)
            if above > HIGH:
                floor = _text((point[0], point[1], float(origin[0, 2]) - feet))
                warn(join.entry.warning(f"{field} {_text(point)} is {above:.0f} units above the floor at {floor}"))
            places.append((int(area[0]), origin[0]))
        (source, start), (target, end) = places
        if source == target:
            raise join.entry.error(
                f"{join.entry.from_key} and to are both in area {source}, within which routes need no links"
            )
        made.append(SettledJoin(join, source, target, start, end))
        if join.both_ways:
            made.append(made[-1].back())
    return made


def check_volumes(understood: Understood, areas: Areas, warn: Warn) -> None:
    """Raise a MapError if a volume lies outside the map, and warn if no player can be in it."""
    owner, box = understood.map.brushes.entity, understood.settings.boxes[0]
    if not understood.by_hand.volumes or not len(areas):
        return
    low, high = areas.area_mins.min(axis=0), areas.area_maxs.max(axis=0)
    for entry in understood.by_hand.volumes:
        rows = np.flatnonzero((owner == entry.row) & (understood.meaning.kind != 0))
        bounds = understood.hulls.bounds[rows]
        mins = (bounds[:, :3] + understood.meaning.offset[rows]).min(axis=0, initial=np.inf) - np.array(box.maxs)
        maxs = (bounds[:, 3:] + understood.meaning.offset[rows]).max(axis=0, initial=-np.inf) - np.array(box.mins)
        if (mins >= high).any() or (maxs <= low).any():
            raise entry.error("lies outside the map")
        inside = ((areas.area_mins < maxs) & (areas.area_maxs > mins)).all(axis=1) & _has_kind(areas, entry)
        if not inside.any():
            warn(entry.warning("does nothing: no player can be in it"))


def _has_kind(areas: Areas, entry: HandEntry) -> NDArray[np.bool_]:
    """(areas,) which areas are as the volume makes them. Of two factors the higher counts."""
    name = entry.entity.lower_class
    if name == COST:
        return areas.area_cost >= factor_of(entry.entity)
    found: NDArray[np.bool_] = (areas.area_contents & np.uint32(MEANS[name])) != 0
    return found


def hand_links(
    candidates: Candidates, by_hand: ByHand, areas: Areas, facts: EntityFacts, movement: Movement, warn: Warn
) -> None:
    """Add the links of a mapper. Raises MapError if one cannot be meant."""
    seen: dict[tuple[int, int, int, bytes], HandEntry] = {}
    for link in settle(by_hand.links, movement, warn):
        kind = link.join.kind
        assert kind is not None
        link = _in_trigger(link, kind, areas, movement)
        _require_fit(link, kind, areas)
        key = (link.source, link.target, int(kind), link.start.tobytes())
        if key in seen:
            raise link.entry.error(f"is the same as {seen[key].name}")
        seen[key] = link.entry
        contents = int(areas.area_contents[link.source] | areas.area_contents[link.target])
        if contents & Kind.DONOTENTER:
            warn(link.entry.warning("has an end where bots must not enter, so that few routes use it"))
        seconds = link.join.seconds
        time = times.by_hand(kind, link.start, link.end, movement.settings) if seconds is None else 100.0 * seconds
        candidates.add(
            kind, link.source, link.target, link.start, link.end, min(max(time, 1.0), MOST_TIME),
            velocity=_velocity(link, kind, areas, facts, movement), entity=link.entry.row,
        )  # fmt: skip


def _in_trigger(link: SettledJoin, kind: Travel, areas: Areas, movement: Movement) -> SettledJoin:
    """The link, from inside the trigger that it needs: where the mapper says, or on the floor below."""
    if kind not in TRIGGERED:
        return link
    wanted, name = TRIGGERED[kind]
    point = np.array(link.join.start if link.target == _area_of(link.join.end, movement) else link.join.end)
    here = int(areas_at(movement.tree, point)[0])
    for area, start in ((link.source, link.start), (here, point)):
        if area >= 0 and areas.area_contents[area] & np.uint32(wanted) and areas.area_trigger[area] >= 0:
            return SettledJoin(link.join, area, link.target, start, link.end)
    raise link.entry.error(f"travel is {kind.name.lower()}, but no {name} is at {_text(link.start)}")


def _area_of(point: Point, movement: Movement) -> int:
    return int(locate(movement.tree, point, -movement.settings.boxes[0].mins[2])[0][0])


def _require_fit(link: SettledJoin, kind: Travel, areas: Areas) -> None:
    """Raise a MapError if players cannot be where the link leads, or cannot leave where it starts."""
    if int(areas.area_contents[link.target]) & DEADLY:
        raise link.entry.error(f"ends at {_text(link.end)}, in lava, slime or a trigger that hurts")
    taken = [int(areas.area_contents[area]) & TAKES_AWAY for area in (link.source, link.target)]
    if taken[0] and not taken[1] and kind in OWN_MOVES:
        raise link.entry.error(
            f"starts at {_text(link.start)} in a jump pad or teleporter, which takes players away first"
        )


def _velocity(
    link: SettledJoin, kind: Travel, areas: Areas, facts: EntityFacts, movement: Movement
) -> tuple[float, float, float]:
    """Velocity at the start of a flight; 0 for other travel types."""
    physics = movement.settings.physics
    if kind == Travel.JUMP_PAD:
        model = int(areas.area_trigger[link.source])
        return next((push.velocity for push in facts.pushes if push.model == model), (0.0, 0.0, 0.0))
    if kind in WEAPONS:
        return (0.0, 0.0, float(getattr(physics, WEAPONS[kind])))
    away = (link.end - link.start)[:2]
    far = norm(away)
    if kind not in RUNNING or far < 1.0:
        return (0.0, 0.0, 0.0)
    x, y = (physics.walk_speed * away / far).tolist()
    return (x, y, 0.0)


def kept_links(
    found: Links, by_hand: ByHand, movement: Movement, warn: Warn
) -> NDArray[np.bool_]:  # fmt: skip
    """(n,) which links to keep: all but those that the mapper removes, and but copies of those that the mapper adds."""
    ours = found.entity >= 0
    keep = np.ones(len(found), np.bool_)
    removed: dict[int, int] = {}
    settled = settle(by_hand.unlinks, movement, warn)
    for join in settled:
        hit = ~ours & (found.source == join.source) & (found.target == join.target)
        if join.join.kind is not None:
            hit &= found.kind == join.join.kind
        keep &= ~hit
        removed[join.entry.row] = removed.get(join.entry.row, 0) + int(hit.sum())
    for join in settled:
        if not removed[join.entry.row]:
            warn(join.entry.warning("removes nothing: there is no such link"))
    entries = {join.entry.row: join.entry for join in by_hand.links}
    for row in np.flatnonzero(ours).tolist():
        same = keep & ~ours & (found.source == found.source[row]) & (found.target == found.target[row])
        same &= found.kind == found.kind[row]
        if same.any():
            entry = entries[int(found.entity[row])]
            name = Travel(int(found.kind[row])).words
            warn(entry.warning(f"the compiler finds a {name} link between these areas without it"))
        keep &= ~(same & (found.start == found.start[row]).all(axis=1))
    return keep


def with_own_times(links: Links, by_hand: ByHand) -> NDArray[np.int32]:
    """(n,) times of the links, with those that the mapper gave."""
    time = links.time.copy()
    for join in by_hand.links:
        if join.seconds is not None:
            time[links.entity == join.entry.row] = min(max(round(100.0 * join.seconds), 1), MOST_TIME)
    return time


def warn_of_links(
    links: Links, died: Float, deadly: float, by_hand: ByHand, areas: Areas, movement: Movement, warn: Warn
) -> None:
    """Warn of links by hand on which a simulated player does not arrive, or on which many bots die.

    ``died (n,)``: share of bots that die on each link; ``deadly``: share that is many.
    """
    if not by_hand.links:
        return
    entries = {join.entry.row: join.entry for join in by_hand.links}
    tried = are_of(links.kind, REPLAYED) & ~are_of(links.kind, (Travel.JUMP_PAD, *FAST_JUMPS)) & (links.model < 0)
    rows = np.flatnonzero(tried & (links.entity >= 0))
    number = np.ascontiguousarray(np.stack([links.source, links.target, links.kind], axis=1)[rows], np.int32)
    place = np.ascontiguousarray(np.hstack([links.start, links.end, links.velocity])[rows])
    found, _ = replay_rows(areas, movement, number, place)
    for row, why in zip(rows.tolist(), found[:, 0].tolist(), strict=True):
        entry = entries[int(links.entity[row])]
        way = f"from {_text(links.start[row])} to {_text(links.end[row])}"
        if why != Reason.ARRIVES:
            warn(entry.warning(f"a simulated player does not arrive {way}"))
        elif died[row] >= deadly:
            warn(entry.warning(f"{100.0 * died[row]:.0f} % of simulated bots die {way}"))


def _text(point: Point | Float) -> str:
    x, y, z = (round(float(value), 1) for value in point)
    return f"({x:g} {y:g} {z:g})"
