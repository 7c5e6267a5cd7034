"""Where players get on and off a platform at one of its ends: the ground beside its rim (thesis §6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.csr import within
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.contents import DEADLY
from aascompile.model.entity_facts import Point
from aascompile.model.mapdata import Float, Index, MapData
from aascompile.player.movement import Movement
from aascompile.records import dataclass
from aascompile.sampling.sample import traces
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

    def above(self, points: Float, half: float) -> NDArray[np.bool_]:
        """(k,) above or below which of ``points (k, 2)`` the brush is, if it is grown sideways by half the width of a
        player."""
        grown = self.dist + half * np.abs(self.normal[:, :2]).sum(axis=1)
        left = grown - points @ self.normal[:, :2].T
        slope = self.normal[:, 2]
        flat = np.abs(slope) < tolerances.PLANE_NORMAL
        high = (left[:, slope > 0] / slope[slope > 0]).min(axis=1, initial=np.inf)
        low = (left[:, slope < 0] / slope[slope < 0]).max(axis=1, initial=-np.inf)
        return np.asarray((left[:, flat] > tolerances.TOUCH).all(axis=1) & (low < high))


def brushes_of(map_data: MapData, model: int) -> list[Brush]:
    """The brushes of a model."""
    brushes, planes = map_data.brushes, map_data.planes
    rows = np.flatnonzero(brushes.model == model).tolist()
    sides = [brushes.side_plane[brushes.side_start[row] : brushes.side_start[row + 1]] for row in rows]
    return [Brush(planes.normal[plane], planes.dist[plane]) for plane in sides]


@dataclass(frozen=True, slots=True)
class Platform:
    """A brush model at some offset, and the points around it that are examined."""

    on: Float
    """(n, 2) on it, near its rim."""
    off: Float
    """(n, 2) beside it, straight outwards from there."""
    far: Float
    """(n,) distance from the rim to there."""
    middle: Float
    """(3,) middle of its top."""

    def moved(self, by: Point) -> Platform:
        """The same platform, moved."""
        offset = np.array(by)
        return Platform(self.on + offset[:2], self.off + offset[:2], self.far, self.middle + offset)


def platform(map_data: MapData, model: int) -> Platform:
    """A model as it is stored, at offset 0. Its top is the top of its box."""
    mins, maxs = map_data.models.mins[model], map_data.models.maxs[model]
    brushes = brushes_of(map_data, model)
    rim, out = _rim(_sections(brushes, mins, maxs))
    far = (_clear(brushes, rim, out) + np.array(OUTWARD)[:, None]).reshape(-1)
    on = np.tile(rim - INWARD * out, (len(OUTWARD), 1))
    off = np.tile(rim, (len(OUTWARD), 1)) + far[:, None] * np.tile(out, (len(OUTWARD), 1))
    beyond = ~_above(brushes, off)
    middle = rim.mean(axis=0) if len(rim) else (mins + maxs)[:2] / 2
    return Platform(on[beyond], off[beyond], far[beyond], np.append(middle, maxs[2]))


def _clear(brushes: Sequence[Brush], rim: Float, out: Float) -> Float:
    """(n,) units by which a platform sticks out below or above each point of its rim, rounded up to steps of WIDER."""
    wider = np.zeros(len(rim))
    for _ in range(WIDEST):
        under = _above(brushes, rim + (wider + OUTWARD[0])[:, None] * out)
        if not under.any():
            break
        wider[under] += WIDER
    return wider


def _above(brushes: Sequence[Brush], points: Float) -> NDArray[np.bool_]:
    """(k,) which of ``points (k, 2)`` are the middle of a player whom the platform touches at some height."""
    half = STANDING.maxs[0]
    return np.any([brush.above(points, half) for brush in brushes], axis=0) if brushes else np.zeros(len(points), bool)


def beside(platforms: Sequence[Platform], areas: Areas, movement: Movement) -> list[Beside]:
    """For each platform, all areas with ground that a player can walk to from its top, or from which onto it."""
    if not platforms:
        return []
    box, physics = movement.settings.boxes[0], movement.settings.physics
    which = np.tile(np.repeat(np.arange(len(platforms)), [len(each.far) for each in platforms]), 2)
    far = np.tile(np.concatenate([each.far for each in platforms]), 2)
    lift = np.repeat((physics.step, LEAST_LIFT), len(far) // 2)
    stood = np.array([each.middle[2] for each in platforms])[which] - box.mins[2]
    on = np.column_stack((np.tile(np.vstack([each.on for each in platforms]), (2, 1)), stood + lift))
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
    aside = np.hypot(*(off - np.array([each.middle for each in platforms])[which])[:, :2].T)
    order = np.lexsort((clear, aside, far, area, which))
    order = order[stands[order]]
    _, first = np.unique(which[order] * len(areas) + area[order], return_index=True)
    best = order[first]
    rows = [best[which[best] == number] for number in range(len(platforms))]
    return [Beside(area[mine], down.end[mine], down.end[mine, 2] - stood[mine], on[mine]) for mine in rows]


def boards(ground: Beside, movement: Movement) -> Beside:
    """Ground from which a player gets onto the platform: at most a step up, or a drop."""
    physics = movement.settings.physics
    return ground.where((ground.rise > -physics.max_step) & (ground.rise < physics.max_barrier))


def alights(ground: Beside, movement: Movement) -> Beside:
    """Ground to which a player gets from the platform: at most a step up, or a drop."""
    physics = movement.settings.physics
    return ground.where((ground.rise < physics.max_step) & (ground.rise > -physics.max_barrier))


def _sections(brushes: Sequence[Brush], mins: Float, maxs: Float) -> list[Float]:
    """(k, 2) counter-clockwise outlines of the brushes in a horizontal plane just below the platform's top."""
    box = [(mins[0], mins[1]), (maxs[0], mins[1]), (maxs[0], maxs[1]), (mins[0], maxs[1])]
    outlines = []
    for brush in brushes:
        ring = box
        for (x, y, z), dist in zip(brush.normal.tolist(), brush.dist.tolist(), strict=True):
            ring = _cut(ring, x, y, dist - z * (maxs[2] - LEAST_LIFT))
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
    length = np.hypot(edge[:, 0], edge[:, 1])
    start, edge, length = start[length > 0.0], edge[length > 0.0], length[length > 0.0]
    apart = max(ALONG, float(length.sum()) / MOST_ALONG)
    counts = 2 * (length / (2.0 * apart)).astype(np.int64) + 1
    which = np.repeat(np.arange(len(edge)), counts)
    places = start[which] + ((within(counts) + 0.5) / counts[which])[:, None] * edge[which]
    return places, np.column_stack((edge[:, 1], -edge[:, 0]))[which] / length[which, None]
