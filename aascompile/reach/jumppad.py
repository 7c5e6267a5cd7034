"""Jump pads (thesis §6.4): flights predicted from where the player leaves the trigger to where the player lands.

While a player touches the trigger, the game sets the velocity anew in every frame, so the player leaves it in a
straight line, or slides along what is in the way. Gravity and steering begin where the trigger ends. One flight is
predicted without steering, and others are steered to all ground within reach of air control. The end of a link is the
point to steer to: a player who does so lands in its target.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.csr import owners_of, starts_of
from aascompile.distinct import distinct, occurs
from aascompile.geometry.vectors import flat_lengths, norm
from aascompile.graph.components import components
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.contents import DEADLY, Kind
from aascompile.model.entity_facts import EntityFacts, Push
from aascompile.model.hanging import TOUCH
from aascompile.model.links import Links, Travel
from aascompile.model.mapdata import Float, Index, Int
from aascompile.model.places import Places
from aascompile.player.flight import FRAME, LANDS, LONGEST, fall_time, gain, steered, unsteered
from aascompile.player.movement import Command, Event, Movement, Prediction
from aascompile.reach import times
from aascompile.reach.candidates import Candidates
from aascompile.reach.floors import level_floors
from aascompile.records import dataclass
from aascompile.sampling.middle import floor_points
from aascompile.sampling.sample import areas_in_box, areas_passed, lent_sampler
from aascompile.settings import Settings

NEAREST: Final = 4
"""Points tried on each floor."""

PLACES: Final = 8
"""Areas of a pad, the largest first, from which throws are tried until one leads somewhere."""

SLICE: Final = 0.01
"""Seconds in a frame of a player who slides along a wall or ramp inside a pad."""

SLIDES: Final = 200
"""Frames after which such a player is stuck."""


_Landings = tuple[Int, Float, bool]
"""Areas where flights land, points to steer to (n, 3), and whether steering is needed."""


@dataclass(frozen=True, slots=True)
class _Floors:
    """Floors that a flight can land on."""

    point: Float
    """(a, 3) point to stand on in each area."""
    label: Index
    """(a,) label of each area, equal for areas of one level floor."""
    usable: Index
    """(n,) areas with a floor without danger, ascending."""


@dataclass(frozen=True, slots=True)
class _Pad:
    """Areas of a push trigger that touch each other."""

    sources: Index
    """Its areas."""
    place: Float
    """(3,) where a player stands on it."""
    velocity: Float
    """(3,) velocity that it gives."""
    leaves: Float
    """(3,) where a player leaves it in flight."""
    thrown: Float
    """(3,) velocity with which the player leaves it: another if something is in the way."""


def jumppad_links(
    candidates: Candidates,
    areas: Areas,
    facts: EntityFacts,
    movement: Movement,
    places: Places,
) -> None:
    """Add links from each of a pad's areas to everything it leads to. All start on the floor of its largest area.

    If the unsteered flight touches items that hang in the air, their areas are targets too, and have links to where the
    flight goes on. If the flights of several pads pass such an area, only to where all of them go on.
    """
    if not facts.pushes:
        return
    point = floor_points(areas)
    deadly = (areas.area_contents & np.uint32(DEADLY)) != 0
    floors = _Floors(point, level_floors(areas, point), np.flatnonzero(~np.isnan(point[:, 0]) & ~deadly))
    hanging = _hanging(places, floors.point, movement)
    part = _parts(areas)
    flights: dict[int, list[tuple[_Pad, list[_Landings]]]] = {}
    pieces = []
    for push in facts.pushes:
        mine = np.flatnonzero(areas.area_trigger == push.model)
        pieces += [(push, mine[part[mine] == number]) for number in distinct(part[mine]).tolist()]
    for pad, found in _pads(areas, floors, pieces, movement):
        passed, where = _passed(pad, hanging, movement)
        for target, end, hard in (*found, (passed, where, False)):
            _add(candidates, pad, pad.sources, target, end, hard, movement.settings)
        for area in passed[np.isnan(floors.point[passed, 0])].tolist():
            flights.setdefault(area, []).append((pad, found))
    for area, through in flights.items():
        leads = [np.concatenate([target for target, _, _ in found]) for _, found in through]
        for pad, found in through:
            for target, end, hard in found:
                common = np.all([occurs(target, others) for others in leads], axis=0)
                _add(candidates, pad, np.array([area]), target[common], end[common], hard, movement.settings)


def _parts(areas: Areas) -> Index:
    """(a,) label of each area, equal for areas of one trigger that touch, directly or through others of it."""
    front, back = areas.face_front.astype(np.int64), areas.face_back.astype(np.int64)
    trigger = np.append(areas.area_trigger, -1)
    same = (trigger[front] >= 0) & (trigger[front] == trigger[back])
    return components(len(areas), front[same], back[same])


def _pads(
    areas: Areas, floors: _Floors, pieces: Sequence[tuple[Push, Index]], movement: Movement
) -> list[tuple[_Pad, list[_Landings]]]:
    """The pads made of some areas of triggers each, and what they lead to.

    Players are thrown from the floor of a pad's largest area, or if that leads nowhere, from the next that does. The
    flights of all pads are predicted together, because each prediction takes a while to begin.
    """
    places = [_places(areas, floors, sources) for _, sources in pieces]
    found: dict[int, tuple[_Pad, list[_Landings]]] = {}
    left = list(range(len(pieces)))
    for k in range(PLACES):
        left = [number for number in left if k < len(places[number])]
        if not left:
            break
        pads = []
        for number in left:
            push, sources = pieces[number]
            place, velocity = places[number][k], np.array(push.velocity)
            pads.append(_Pad(sources, place, velocity, *leaves_pad(areas, movement, place, velocity)))
        for number, pad, flown in zip(left.copy(), pads, _fly(areas, floors, pads, movement), strict=True):
            leads = any(len(target) for target, _, _ in flown)
            if leads or k == 0:
                found[number] = pad, flown
            if leads:
                left.remove(number)
    return [found[number] for number in range(len(pieces))]


def _places(areas: Areas, floors: _Floors, sources: Index) -> Float:
    """(n, 3) where players stand in the areas of a pad, the largest with a floor first."""
    grounded = (areas.area_flags[sources] & np.uint32(AreaFlag.GROUNDED)) != 0
    size = (areas.area_maxs - areas.area_mins)[sources, :2].prod(axis=1)
    order = sources[np.lexsort((sources, -size, ~grounded))]
    floor = floors.point[order]
    return np.where(np.isnan(floor), areas.area_centre[order], floor)


def leaves_pad(areas: Areas, movement: Movement, place: Float, velocity: Float) -> tuple[Float, Float]:
    """(3,) where a player pushed at a place leaves the pads there, and (3,) the velocity then.

    The player moves in a straight line. If something is in the way, the player slides along it, and is pushed again in
    every frame.
    """
    start: Float = place + np.array((0.0, 0.0, tolerances.STOP_BEFORE))
    speed = norm(velocity)
    if speed == 0.0:
        return start, velocity
    far = start + velocity * (tolerances.WORLD_EXTENT / speed)
    with lent_sampler(movement.tree) as sampler:
        passed, where = areas_passed(sampler, start, far)
    outside = np.flatnonzero((areas.area_contents[passed] & np.uint32(Kind.JUMPPAD)) == 0)
    if len(outside):
        return np.asarray(where[outside[0]]), velocity
    return _slide(areas, movement, start, velocity)


def _slide(areas: Areas, movement: Movement, start: Float, velocity: Float) -> tuple[Float, Float]:
    """(3,) where a player who is pushed against something leaves a pad or gets stuck, and (3,) the velocity then."""
    at, (u, v, w) = start, velocity.tolist()
    for _ in range(SLIDES):
        x, y, z = at.tolist()
        moved = movement.predict((x, y, z), (u, v, w), Command(), Event(0), max_time=SLICE, frame_time=SLICE)
        at, was = np.array(moved.end), at
        if moved.area < 0 or (areas.area_contents[moved.area] & np.uint32(Kind.JUMPPAD)) == 0:
            return at, np.array(moved.velocity)
        if np.abs(at - was).max() < tolerances.STOP_BEFORE:
            break
    return at, velocity


def _fly(areas: Areas, floors: _Floors, pads: Sequence[_Pad], movement: Movement) -> list[list[_Landings]]:
    """What each of some pads leads to: areas, points to steer to (n, 3), and whether steering is needed.

    First without steering, then for every other floor in reach the point that needs the least steering.
    """
    leaves = np.array([pad.leaves for pad in pads]).reshape(-1, 3)
    area, end = unsteered(movement, leaves, np.array([pad.thrown for pad in pads]).reshape(-1, 3))
    found: list[list[_Landings]] = []
    done, goals = [], []
    for pad, own, place in zip(pads, area[:, None], end[:, None], strict=True):
        landed = _outside(own, pad)
        found.append([(own[landed], place[landed], False)])
        done.append(np.concatenate((floors.label[pad.sources], floors.label[own[landed]])))
        goals.append(_in_range(areas, floors, pad, movement, done[-1]))

    strays = []
    flown = _steer(movement, pads, [floors.point[goal] for goal in goals], goals)
    for k, (pad, (own, place)) in enumerate(zip(pads, flown, strict=True)):
        rows = _new_floors(np.where(own == goals[k], own, -1), floors, pad, done[k])
        found[k].append((own[rows], floors.point[goals[k][rows]], True))
        done[k] = np.concatenate((done[k], floors.label[own[rows]]))
        rows = _new_floors(own, floors, pad, done[k])
        strays.append((own[rows], place[rows]))

    # A flight that was steered to one floor and lands on another counts, if steering to its end leads there again.
    flown = _steer(movement, pads, [place for _, place in strays], [own for own, _ in strays])
    for landings, (own, place), (again, _) in zip(found, strays, flown, strict=True):
        landings.append((own[again == own], place[again == own], True))
    return found


def _steer(
    movement: Movement, pads: Sequence[_Pad], goals: Sequence[Float], wanted: Sequence[Int | Index]
) -> list[tuple[Int, Float]]:
    """Flights from where players leave each of the pads to its goals: areas and places where they end."""
    start = starts_of(np.array([len(goal) for goal in goals], np.int64))
    if not start[-1]:
        return [(np.zeros(0, np.int32), np.zeros((0, 3))) for _ in pads]
    which = owners_of(start)
    leaves, thrown = np.array([pad.leaves for pad in pads])[which], np.array([pad.thrown for pad in pads])[which]
    area, end = steered(movement, leaves, thrown, np.concatenate(goals), np.concatenate(wanted).astype(np.int64))
    return [(area[first:last], end[first:last]) for first, last in pairwise(start.tolist())]


def _outside(area: Int, pad: _Pad) -> NDArray[np.bool_]:
    """Which flights end safely and outside the pad."""
    good: NDArray[np.bool_] = (area >= 0) & ~occurs(area, pad.sources)
    return good


def _new_floors(area: Int, floors: _Floors, pad: _Pad, done: Index) -> Index:
    """The first flight to each floor that is not done yet."""
    rows = np.flatnonzero(_outside(area, pad))
    new, first = np.unique(floors.label[area[rows]], return_index=True)
    return rows[first[~occurs(new, done)]]


def _in_range(areas: Areas, floors: _Floors, pad: _Pad, movement: Movement, done: Index) -> Index:
    """Areas that steering may reach: for each floor that is not done, the nearest few, nearest first."""
    physics = movement.settings.physics
    goals = floors.usable[~occurs(floors.label[floors.usable], done)]
    seconds = fall_time(floors.point[goals, 2] - pad.leaves[2], pad.thrown[2], physics)
    goals, seconds = goals[seconds > 0.0], seconds[seconds > 0.0]
    error = floors.point[goals, :2] - (pad.leaves[:2] + seconds[:, None] * pad.thrown[:2])
    miss = flat_lengths(error)
    most = gain(error, pad.thrown[:2], seconds, physics.walk_speed, physics)
    half = (areas.area_maxs - areas.area_mins)[goals, :2].max(axis=1, initial=0.0) / 2.0
    rows = np.flatnonzero(miss <= most + half)
    rows = rows[np.lexsort((rows, miss[rows], floors.label[goals[rows]]))]
    _, first, count = np.unique(floors.label[goals[rows]], return_index=True, return_counts=True)
    rows = rows[np.arange(len(rows)) - np.repeat(first, count) < NEAREST]
    return goals[rows[np.lexsort((rows, miss[rows]))]]


def _hanging(places: Places, floor: Float, movement: Movement) -> Int:
    """Areas in which a player touches items that hang in areas without a floor, ascending."""
    half = np.array(TOUCH)
    rows = np.flatnonzero(places.item & (places.area >= 0))
    rows = rows[np.isnan(floor[places.area[rows], 0])]
    with lent_sampler(movement.tree) as sampler:
        near = [areas_in_box(sampler, places.point[row] - half, places.point[row] + half) for row in rows.tolist()]
    return distinct(np.concatenate([places.area[rows], *near]))


def _passed(pad: _Pad, hanging: Int, movement: Movement) -> tuple[Int, Float]:
    """Which of the areas the unsteered flight passes, and where it enters them."""
    if not len(hanging):
        return hanging, np.zeros((0, 3))
    flight = _flight(movement, pad.leaves, pad.thrown)
    passed, first = np.unique(flight.path_area, return_index=True)
    mine = occurs(passed, hanging) & ~occurs(passed, pad.sources)
    return passed[mine], flight.path_point[first[mine], :3]


def _flight(movement: Movement, start: Float, velocity: Float) -> Prediction:
    """An unsteered flight with all areas it passes."""
    x, y, z = start.tolist()
    u, v, w = velocity.tolist()
    return movement.predict((x, y, z), (u, v, w), Command(), LANDS, max_time=LONGEST, frame_time=FRAME, track=True)


def _add(
    candidates: Candidates, pad: _Pad, sources: Index | Int, target: Int, end: Float, hard: bool, settings: Settings
) -> None:
    """Add links from some areas to all areas where flights landed; ``hard``: they are steered."""
    time = times.jump_pad(hard, settings)
    n, m = len(sources), len(target)
    source, target, ends = np.repeat(sources, m), np.tile(target, n), np.tile(end, (n, 1))
    candidates.add(Travel.JUMP_PAD, source, target, pad.place, ends, time, velocity=pad.velocity, hard=hard)


def replay_pads(areas: Areas, links: Links, rows: Index, movement: Movement) -> NDArray[np.bool_]:
    """Whether jump-pad links lead to their targets: unsteered, steered to their ends, or by passing through."""
    end, wanted = links.end[rows], links.target[rows]
    pushes = zip(links.start[rows], links.velocity[rows], strict=True)
    left = np.array([leaves_pad(areas, movement, *push) for push in pushes]).reshape(-1, 2, 3)
    leaves, thrown = left[:, 0], left[:, 1]
    good: NDArray[np.bool_] = unsteered(movement, leaves, thrown)[0] == wanted
    good |= steered(movement, leaves, thrown, end, wanted)[0] == wanted
    for row in np.flatnonzero(~good).tolist():
        good[row] = wanted[row] in _flight(movement, leaves[row], thrown[row]).path_area
    return good
