"""Other places at which a link could start and end: along the border that a walk crosses, and along the rims of a floor
from which players fall or jump."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.geometry.vectors import flat_lengths
from aascompile.model.areas import Areas
from aascompile.model.links import Links, Tier, Travel, are_of
from aascompile.model.mapdata import Float, Index, Int
from aascompile.player.flight import needed_speed
from aascompile.player.follow import replay_rows
from aascompile.player.movement import Movement
from aascompile.player.reason import Reason
from aascompile.reach import times
from aascompile.records import dataclass
from aascompile.sampling.ground import GroundEdges, ground_edges
from aascompile.sampling.sample import ANY_PRESENCE, traces
from aascompile.settings import Settings

ON_FOOT: Final = (Travel.WALK, Travel.CROUCH)
OFF_RIMS: Final = (Travel.WALK_OFF_LEDGE, Travel.JUMP)
"""Travel types for which there are other places."""

SHARES: Final = (0.1, 0.26, 0.42, 0.58, 0.74, 0.9)
"""Fractions of a border at which walks may cross it."""

NEAR: Final = 160.0
"""Units from its start within which the other starts of a fall or jump lie."""

SPACING: Final = 40.0
"""Units between them along a rim."""

BEFORE: Final = {Travel.WALK_OFF_LEDGE: (2.5,), Travel.JUMP: (0.125, 14.0)}
"""Units before a rim at which falls and jumps start."""

PAST: Final = 5.0
"""Units that the end of a jump lies inside its target."""

MOST: Final = 8
"""Other places of a link, at most."""


MOVED: Final = ("start", "end", "velocity", "needed_speed", "tier")
"""Columns of links that depend on their places."""


@dataclass(frozen=True, slots=True)
class OtherPlaces:
    """Other places of links, sorted by link."""

    row: Index
    """(n,) link."""
    start: Float
    """(n, 3)"""
    end: Float
    """(n, 3)"""
    velocity: Float
    """(n, 3)"""
    needed_speed: Float
    """(n,) as in model.links."""
    tier: Int
    """(n,) RUNNING for jumps: whether a player who stands there arrives is not tried."""


def other_places(links: Links, rows: Index, areas: Areas, movement: Movement) -> OtherPlaces:
    """Other places for the links ``rows``, ascending, from where a player arrives."""
    walks = rows[are_of(links.kind[rows], ON_FOOT) & (links.edge[rows] >= 0)]
    leaps = rows[are_of(links.kind[rows], OFF_RIMS)]
    parts = [_along_borders(links, walks, areas)]
    if len(leaps):
        edges = ground_edges(areas)
        parts += [_along_rims(links, row, edges) for row in leaps.tolist()]
    row, start, end = (np.concatenate(part) for part in zip(*parts, strict=True))
    good = np.ones(len(row), np.bool_)
    for place, area in ((start, links.source[row]), (end, links.target[row])):
        good &= _put_on_ground(place, area, movement)
    return _arriving(links, row[good], start[good], end[good], areas, movement)


def _along_borders(links: Links, rows: Index, areas: Areas) -> tuple[Index, Float, Float]:
    """Walks across other points of the edges that they cross: (n,) link, (n, 3) start, (n, 3) end."""
    a, b = (areas.vertex[areas.edge[links.edge[rows], side]] for side in (0, 1))
    along = b - a
    square = (along[:, :2] ** 2).sum(axis=1)
    now = ((links.start[rows] - a) * along)[:, :2].sum(axis=1) / np.maximum(square, 1.0)
    shift = (np.array(SHARES)[:, None] - now)[:, :, None] * along
    row = np.tile(rows, len(SHARES))
    moved = shift.reshape(-1, 3)
    return row, links.start[row] + moved, links.end[row] + moved


def _along_rims(links: Links, row: int, edges: GroundEdges) -> tuple[Index, Float, Float]:
    """A fall or jump from other points of the rims of its source: to a place that is as far and in the same direction,
    to where it ends now, and to the nearest point of its target."""
    start, end, kind = links.start[row], links.end[row], Travel(int(links.kind[row]))
    first, last = edges.area_start[links.source[row] : links.source[row] + 2].tolist()
    starts = []
    for i in range(first, last):
        if edges.rim[i]:
            count = max(int(edges.length[i] // SPACING), 1)
            share = (np.arange(count) + 0.5)[:, None] / count
            point = edges.a[i] + share * (edges.b[i] - edges.a[i])
            starts += [point - back * np.append(edges.out[i], 0.0) for back in BEFORE[kind]]
    begin = np.concatenate(starts) if starts else np.zeros((0, 3))
    away = flat_lengths(begin - start)
    begin = begin[away < NEAR][np.argsort(away[away < NEAR], kind="stable")]
    near = _nearest(begin, edges, int(links.target[row]))
    ahead = (near - begin)[:, :2]
    inside = near.copy()
    inside[:, :2] += PAST * ahead / np.maximum(flat_lengths(ahead), 1.0)[:, None]
    ends = np.stack((begin + (end - start), np.broadcast_to(end, begin.shape), inside), axis=1)
    return np.full(3 * len(begin), row), np.repeat(begin, 3, axis=0), ends.reshape(-1, 3)


def _nearest(points: Float, edges: GroundEdges, area: int) -> Float:
    """(n, 3) the point of the rims of an area that is nearest to each of ``points (n, 3)``, seen from above."""
    mine = slice(edges.area_start[area], edges.area_start[area + 1])
    a, along = edges.a[mine], (edges.b - edges.a)[mine]
    square = np.maximum((along[:, :2] ** 2).sum(axis=1), tolerances.MIN_EDGE**2)
    share = (((points[:, None] - a) * along)[:, :, :2].sum(axis=2) / square).clip(0.0, 1.0)
    place = a + share[:, :, None] * along
    away = flat_lengths(place - points[:, None])
    found: Float = place[np.arange(len(points)), away.argmin(axis=1)] if len(a) else points.copy()
    return found


def _put_on_ground(place: Float, area: Index, movement: Movement) -> NDArray[np.bool_]:
    """(n,) whether there is ground of the areas ``area (n,)`` a step above or below ``place (n, 3)``, which is moved
    there."""
    step = np.array((0.0, 0.0, movement.settings.physics.max_step))
    ground = traces(movement.tree, place + step, place - step, np.full(len(place), ANY_PRESENCE))
    good: NDArray[np.bool_] = (ground.fraction < 1.0) & (ground.end_area == area)
    place[good] = ground.end[good]
    return good


def _arriving(links: Links, row: Index, start: Float, end: Float, areas: Areas, movement: Movement) -> OtherPlaces:
    """Those of the places from where a player arrives, MOST of each link."""
    physics = movement.settings.physics
    ahead = (end - start)[:, :2]
    far, was = flat_lengths(ahead), flat_lengths((links.end - links.start)[row])
    jumps = links.kind[row] == Travel.JUMP
    speed = flat_lengths(links.velocity[row]) * np.where(jumps, far / np.maximum(was, 1.0), 1.0)
    velocity = np.zeros_like(start)
    velocity[:, :2] = (np.minimum(speed, physics.walk_speed) / np.maximum(far, 1.0))[:, None] * ahead
    needed = np.where(jumps, needed_speed(np.maximum(far - PAST, 0.0), (end - start)[:, 2], physics), -1.0)
    number = np.column_stack((links.source, links.target, links.kind))[row].astype(np.int32)
    replayed, _ = replay_rows(areas, movement, number, np.ascontiguousarray(np.hstack((start, end, velocity))))
    good = np.flatnonzero((replayed[:, 0] == Reason.ARRIVES) & (needed <= physics.walk_speed))
    good = good[np.argsort(row[good], kind="stable")]
    first = np.searchsorted(row[good], row[good])
    good = good[np.arange(len(good)) - first < MOST]
    tier = np.where(jumps, Tier.RUNNING, -1)
    return OtherPlaces(row[good], start[good], end[good], velocity[good], needed[good], tier[good])


def with_others(links: Links, others: OtherPlaces) -> Links:
    """The links, and after them all links at other places. These leave no area: ``area_start`` is the same."""
    columns = {
        column.name: np.concatenate((getattr(links, column.name), getattr(links, column.name)[others.row]))
        for column in fields(links)
        if column.name != "area_start"
    }
    for name in MOVED:
        columns[name][len(links) :] = getattr(others, name)
    return replace(links, **columns)


def placed(links: Links, others: OtherPlaces, chosen: Index, settings: Settings) -> Links:
    """The links, some of them at the ``chosen`` other places."""
    rows = others.row[chosen]
    columns = {name: getattr(links, name).copy() for name in MOVED}
    for name, column in columns.items():
        column[rows] = getattr(others, name)[chosen]
    time, jumps = links.time.copy(), rows[links.kind[rows] == Travel.JUMP]
    before, after = (
        times.jump(start[jumps], end[jumps], settings)
        for start, end in ((links.start, links.end), (columns["start"], columns["end"]))
    )
    time[jumps] += np.rint(after - before).astype(np.int32)
    return replace(links, **columns, time=time)
