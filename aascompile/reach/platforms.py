"""Where players get on and off a platform at one of its ends: the ground beside its rim (thesis §6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.csr import starts_of, within
from aascompile.geometry.turning import turned
from aascompile.geometry.vectors import flat_lengths
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.contents import DEADLY, Kind
from aascompile.model.entity_facts import Point
from aascompile.model.mapdata import Float, Index, MapData
from aascompile.model.movers import BrushMover, Stop
from aascompile.player.movement import Movement
from aascompile.reach.platforms_kernel import touched
from aascompile.records import dataclass
from aascompile.sampling.sample import ANY_PRESENCE, traces
from aascompile.settings import STANDING

ALONG: Final = 32.0
"""Units between the points that are examined around the rim."""

MOST_ALONG: Final = 1024
"""Limit on the number of these points, apart from one for each edge. On a rim longer than 32,768 units they are farther
apart; no map has room for that."""

OUTWARD: Final = (16.0, 24.0, 32.0, 48.0)
"""Units from the rim to where a player waits or gets off: clear of the platform, and a gap that a run crosses."""

INWARD: Final = 16.0
"""Units from the rim to where a player stands on the platform, clear of the walls of its shaft."""

WIDER: Final = 8.0
"""Units by which players stand farther away, step by step, from a platform that is wider below or above its rim."""

WIDEST: Final = 16
"""Most of these steps."""

LEAST_LIFT: Final = 1.0
"""Units above the platform's top at which the player passes, if the ceiling leaves no room for a step."""

UNTURNED: Final = Stop((), 0.0, 0.0)
"""A mover as it is stored."""


@dataclass(frozen=True, slots=True)
class Beside:
    """The ground beside a platform at one end: one row per area, ascending."""

    area: Index
    """(n,) area."""
    point: Float
    """(n, 3) player origin on the ground."""
    rise: Float
    """(n,) height of the ground above the platform's top."""
    on: Float
    """(n, 3) player origin on the platform, INWARD of its rim, straight across from ``point``."""

    def where(self, rows: NDArray[np.bool_]) -> Beside:
        """The chosen rows."""
        return Beside(self.area[rows], self.point[rows], self.rise[rows], self.on[rows])


@dataclass(frozen=True, slots=True)
class Brush:
    """A brush as it is stored."""

    normal: Float
    """(n, 3) normals of its planes, facing outward."""
    dist: Float
    """(n,) distances of its planes."""

    @property
    def top(self) -> float:
        """Height of its level upper side; −inf if it has none."""
        level = self.normal[:, 2] > 1.0 - tolerances.PLANE_NORMAL
        return float(self.dist[level].min(initial=np.inf)) if level.any() else -np.inf

    def turned(self, stop: Stop) -> Brush:
        """The same brush as a mover is turned at a stop."""
        return Brush(turned(self.normal, stop.axis, stop.turn, stop.yaw), self.dist)


def brushes_of(map_data: MapData, model: int) -> list[Brush]:
    """The brushes of a model."""
    brushes, planes = map_data.brushes, map_data.planes
    rows = np.flatnonzero(brushes.model == model).tolist()
    sides = [brushes.side_plane[brushes.side_start[row] : brushes.side_start[row + 1]] for row in rows]
    return [Brush(planes.normal[plane], planes.dist[plane]) for plane in sides]


@dataclass(frozen=True, slots=True)
class Platform:
    """A floor that moves, at some place, and the points around it that are examined."""

    on: Float
    """(n, 3) on it, near its rim."""
    off: Float
    """(n, 2) beside it, straight outwards from there."""
    far: Float
    """(n,) distance from the rim to there."""
    middle: Float
    """(3,) middle of its top."""
    comes_down: bool = False
    """It comes down beside players who wait for it. They wait as far away as they are examined: two who push each other
    at the nearest place would be pushed under it."""

    def moved(self, by: Point) -> Platform:
        """The same platform, moved."""
        offset = np.array(by)
        return replace(self, on=self.on + offset, off=self.off + offset[:2], middle=self.middle + offset)

    def where(self, rows: NDArray[np.bool_]) -> Platform:
        """The same platform with only some of its points."""
        return replace(self, on=self.on[rows], off=self.off[rows], far=self.far[rows])


def levels(map_data: MapData, model: int) -> list[float]:
    """Heights at which a model as it is stored may be stood on, highest first: its top, then tops of brushes."""
    highest = float(map_data.models.maxs[model][2])
    tops = {brush.top for brush in brushes_of(map_data, model)}
    return [highest, *sorted((top for top in tops if -np.inf < top < highest - LEAST_LIFT), reverse=True)]


def platform(map_data: MapData, model: int, level: float | None = None, stop: Stop = UNTURNED) -> Platform:
    """A model as it is stored and turned at a stop, at offset 0. Its floor is at a height, if none is given the top of
    its box."""
    mins, maxs = map_data.models.mins[model], map_data.models.maxs[model]
    height = float(maxs[2]) if level is None else level
    brushes = brushes_of(map_data, model)
    carrying = [brush for brush in brushes if not height + LEAST_LIFT < brush.top]
    rim, out = _rim(_sections(carrying, mins, maxs, height))
    inner = rim - INWARD * out
    free = ~_above(brushes, inner, height + LEAST_LIFT, height + STANDING.maxs[2] - STANDING.mins[2])
    rim, out, inner = rim[free], out[free], inner[free]
    middle = np.append(rim.mean(axis=0) if len(rim) else (mins + maxs)[:2] / 2, height)
    on = _at(inner, height, stop)
    edge, outward = _at(rim, height, stop)[:, :2], _at(out, 0.0, stop)[:, :2]
    if stop.turn or stop.yaw:
        outward /= np.maximum(flat_lengths(outward), tolerances.PLANE_NORMAL)[:, None]
        brushes = [brush.turned(stop) for brush in brushes]
        middle = turned(middle[None], stop.axis, stop.turn, stop.yaw)[0]
    far = (_clear(brushes, edge, outward) + np.array(OUTWARD)[:, None]).reshape(-1)
    off = np.tile(edge, (len(OUTWARD), 1)) + far[:, None] * np.tile(outward, (len(OUTWARD), 1))
    beyond = ~_above(brushes, off)
    return Platform(np.tile(on, (len(OUTWARD), 1))[beyond], off[beyond], far[beyond], middle)


def _at(points: Float, height: float, stop: Stop) -> Float:
    """(n, 3) points at a height, turned as at a stop."""
    return turned(np.column_stack((points, np.full(len(points), height))), stop.axis, stop.turn, stop.yaw)


def platforms_at(map_data: MapData, mover: BrushMover, level: float | None = None) -> list[Platform]:
    """A mover at each of its stops. A model is examined once for all stops at which it is turned alike."""
    drawn: dict[tuple[int, int, float, float], Platform] = {}
    for stop in mover.stops:
        for model in mover.models:
            key = (model, stop.axis, stop.turn, stop.yaw)
            if key not in drawn:
                drawn[key] = platform(map_data, model, level, stop)
    models = [[drawn[model, stop.axis, stop.turn, stop.yaw] for model in mover.models] for stop in mover.stops]
    return [_together(map_data, mover, stop, parts) for stop, parts in zip(mover.stops, models, strict=True)]


def _together(map_data: MapData, mover: BrushMover, stop: Stop, models: Sequence[Platform]) -> Platform:
    """The models of a mover at a stop. Doors that move together are one platform, with nothing between them beside
    it."""
    parts = [each.moved(offset) for each, offset in zip(models, stop.offsets, strict=True)]
    if len(parts) == 1:
        return parts[0]
    for other, offset in zip(mover.models, stop.offsets, strict=True):
        brushes = brushes_of(map_data, other)
        parts = [part.where(~_above(brushes, part.off - np.array(offset)[:2])) for part in parts]
    on, off, far = (np.concatenate([getattr(part, name) for part in parts]) for name in ("on", "off", "far"))
    return Platform(on, off, far, np.mean([part.middle for part in parts], axis=0))


def carries(map_data: MapData, mover: BrushMover, stop: Stop, path: Float) -> bool:
    """Whether a mover at a stop is under a player at every origin of ``path (n, 3)``."""
    under = np.zeros(len(path), np.bool_)
    for model, offset in zip(mover.models, stop.offsets, strict=True):
        at = path - np.array(offset)
        floor = at[:, 2] + STANDING.mins[2]
        brushes = [brush.turned(stop) for brush in brushes_of(map_data, model)]
        under |= _above(brushes, at[:, :2], floor - INWARD, floor + LEAST_LIFT)
    return bool(under.all())


def _clear(brushes: Sequence[Brush], rim: Float, out: Float) -> Float:
    """(n,) units by which a platform sticks out below or above each point of its rim, rounded up to steps of WIDER."""
    wider = np.zeros(len(rim))
    under = np.arange(len(rim))
    for _ in range(WIDEST):
        under = under[_above(brushes, rim[under] + (wider[under] + OUTWARD[0])[:, None] * out[under])]
        if not len(under):
            break
        wider[under] += WIDER
    return wider


def _above(
    brushes: Sequence[Brush], points: Float, low: Float | float = -np.inf, high: Float | float = np.inf
) -> NDArray[np.bool_]:
    """(k,) which of ``points (k, 2)`` are the middle of a player whom the platform touches between two heights."""
    out = np.zeros(len(points), np.int8)
    if brushes:
        touched(
            starts_of(np.array([len(brush.dist) for brush in brushes])),
            np.concatenate([brush.normal for brush in brushes]),
            np.concatenate([brush.dist for brush in brushes]),
            np.ascontiguousarray(points),
            STANDING.maxs[0],
            np.full(len(points), low),
            np.full(len(points), high),
            tolerances.PLANE_NORMAL,
            tolerances.TOUCH,
            out,
        )
    return np.asarray(out != 0)


def beside(platforms: Sequence[Platform], areas: Areas, movement: Movement) -> list[Beside]:
    """For each platform, all areas with ground that a player can walk to from its top, or from which onto it."""
    if not platforms:
        return []
    box, physics = movement.settings.boxes[0], movement.settings.physics
    which = np.tile(np.repeat(np.arange(len(platforms)), [len(each.far) for each in platforms]), 2)
    far = np.tile(np.concatenate([each.far for each in platforms]), 2)
    lift = np.repeat((physics.step, LEAST_LIFT), len(far) // 2)
    on = np.tile(np.vstack([each.on for each in platforms]), (2, 1))
    stood = on[:, 2] - box.mins[2]
    on[:, 2] = stood + lift
    off = np.column_stack((np.tile(np.vstack([each.off for each in platforms]), (2, 1)), stood + lift))
    across = traces(movement.tree, on, off, box.presence)
    clear = np.flatnonzero((across.fraction == 1.0) & ~across.start_solid)

    which, far, stood, on, off = which[clear], far[clear], stood[clear], on[clear], off[clear]
    on[:, 2] = stood
    under = off.copy()
    under[:, 2] = stood - physics.max_barrier
    down = traces(movement.tree, off, under, box.presence)
    area = down.end_area.astype(np.int64)
    stands = (down.normal[:, 2] >= physics.floor_up) & (area >= 0)
    stands &= (areas.area_flags[area] & np.uint32(AreaFlag.GROUNDED)) != 0
    stands &= (areas.area_contents[area] & np.uint32(DEADLY)) == 0
    far = np.where(np.array([each.comes_down for each in platforms])[which], -far, far)
    aside = flat_lengths(off - np.array([each.middle for each in platforms])[which])
    order = np.lexsort((clear, aside, far, area, which))
    order = order[stands[order]]
    _, first = np.unique(which[order] * len(areas) + area[order], return_index=True)
    best = order[first]
    rows = [best[which[best] == number] for number in range(len(platforms))]
    return [Beside(area[mine], down.end[mine], down.end[mine, 2] - stood[mine], on[mine]) for mine in rows]


def over_pit(areas: Areas, on: Float, movement: Movement) -> NDArray[np.bool_]:
    """(n,) whether players who stand on a mover at ``on (n, 3)`` have no usable ground within a step below its top."""
    below = on - np.array((0.0, 0.0, movement.settings.physics.max_step))
    down = traces(movement.tree, on, below, ANY_PRESENCE)
    barred = (areas.area_contents[down.end_area] & (np.uint32(DEADLY) | np.uint32(Kind.DONOTENTER))) != 0
    deep: NDArray[np.bool_] = (down.fraction == 1.0) | barred
    return deep


def boards(ground: Beside, movement: Movement) -> Beside:
    """Ground from which a player gets onto the platform: at most a step up, or a drop."""
    physics = movement.settings.physics
    return ground.where((ground.rise > -physics.max_step) & (ground.rise < physics.max_barrier))


def alights(ground: Beside, movement: Movement) -> Beside:
    """Ground to which a player gets from the platform: at most a step up, or a drop."""
    physics = movement.settings.physics
    return ground.where((ground.rise < physics.max_step) & (ground.rise > -physics.max_barrier))


def _sections(brushes: Sequence[Brush], mins: Float, maxs: Float, height: float) -> list[Float]:
    """(k, 2) counter-clockwise outlines of the brushes in a horizontal plane just below a height."""
    box = [(mins[0], mins[1]), (maxs[0], mins[1]), (maxs[0], maxs[1]), (mins[0], maxs[1])]
    outlines = []
    for brush in brushes:
        ring = box
        for (x, y, z), dist in zip(brush.normal.tolist(), brush.dist.tolist(), strict=True):
            ring = _cut(ring, x, y, dist - z * (height - LEAST_LIFT))
        if len(ring) > 2:
            outlines.append(np.array(ring))
    return outlines or [np.array(box)]


def _cut(ring: list[tuple[float, float]], x: float, y: float, dist: float) -> list[tuple[float, float]]:
    """The part of a convex ring where x·px + y·py ≤ dist."""
    over = [x * px + y * py - dist for px, py in ring]
    kept = []
    for i, (px, py) in enumerate(ring):
        before = i - 1
        if (over[before] > 0.0) != (over[i] > 0.0):
            share = over[before] / (over[before] - over[i])
            qx, qy = ring[before]
            kept.append((qx + share * (px - qx), qy + share * (py - qy)))
        if over[i] <= 0.0:
            kept.append((px, py))
    return kept


def _rim(outlines: Sequence[Float]) -> tuple[Float, Float]:
    """Points (n, 2) along the outlines, including the middles of their edges, and the outward directions (n, 2)."""
    start = np.vstack(outlines)
    edge = np.vstack([np.roll(ring, -1, axis=0) - ring for ring in outlines])
    length = flat_lengths(edge)
    start, edge, length = start[length > 0.0], edge[length > 0.0], length[length > 0.0]
    apart = max(ALONG, float(length.sum()) / MOST_ALONG)
    counts = 2 * (length / (2.0 * apart)).astype(np.int64) + 1
    which = np.repeat(np.arange(len(edge)), counts)
    places = start[which] + ((within(counts) + 0.5) / counts[which])[:, None] * edge[which]
    return places, np.column_stack((edge[:, 1], -edge[:, 0]))[which] / length[which, None]
