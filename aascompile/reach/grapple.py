"""The grappling hook, if the settings ask for it: up to a wall or ceiling in sight, then down to the ground below.

Of every ground the few faces above it from which the drop is shortest are hooked to, each from the nearest areas below
that see it. The hook's face is the link's face. Areas do not know the sky, to which no hook holds.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.csr import owners_of, rows_of, starts_of
from aascompile.model.areas import AreaFlag, Areas, FaceFlag
from aascompile.model.contents import DEADLY
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float, Index
from aascompile.player.movement import Movement
from aascompile.reach import times
from aascompile.reach.candidates import Candidates
from aascompile.reach.floors import floor_points
from aascompile.sampling.locate import fall
from aascompile.sampling.sample import ANY_PRESENCE, traces

LEAST_RISE: Final = 64.0
"""Units: whatever is lower needs no hook."""

LONGEST: Final = 1000.0
"""Units of rope."""

OFF_WALL: Final = 1.0
"""Units before a face where a player hangs."""

HOOKS: Final = 8
"""Faces tried above each ground."""

NEAREST: Final = 16
"""Places tried for each hook."""


def grapple_links(candidates: Candidates, areas: Areas, movement: Movement) -> None:
    """Links from floors to grounds that are higher."""
    if not movement.settings.reach.grapple:
        return
    settings = movement.settings
    floor = floor_points(areas)
    face, hook, lands, target = _hooks(areas, movement)
    standing = (areas.area_presence & np.uint32(settings.boxes[0].presence)) != 0
    safe = (areas.area_contents & np.uint32(DEADLY)) == 0
    start = np.flatnonzero(~np.isnan(floor[:, 0]) & standing & safe)
    sources = [_below(start, floor, end, lands_at) for end, lands_at in zip(hook, lands[:, 2].tolist(), strict=True)]
    if not sources:
        return
    row, source = np.repeat(np.arange(len(face)), [len(some) for some in sources]), np.concatenate(sources)
    sight = traces(movement.tree, floor[source] + np.array((0.0, 0.0, OFF_WALL)), hook[row], ANY_PRESENCE)
    seen = (sight.fraction == 1.0) & ~sight.start_solid
    row, source = row[seen], source[seen]
    rope = np.sqrt(((floor[source] - hook[row]) ** 2).sum(axis=1))
    time = times.grapple(rope, settings)
    candidates.add(Travel.GRAPPLE, source, target[row], floor[source], lands[row], time, face=face[row])


def _below(start: Index, floor: Float, hook: Float, height: float) -> Index:
    """The nearest areas with rope enough to a hook whose floors are below a height."""
    rope = np.sqrt(((floor[start] - hook) ** 2).sum(axis=1))
    near = np.flatnonzero((height - floor[start, 2] >= LEAST_RISE) & (rope <= LONGEST))
    return start[near[np.lexsort((near, rope[near]))][:NEAREST]]


def _hooks(areas: Areas, movement: Movement) -> tuple[Index, Float, Float, Index]:
    """Faces, where one hangs before them (n, 3), where one lands (n, 3), and in which area: the best of each."""
    flags = areas.face_flags
    face = np.flatnonzero(((flags & np.uint32(FaceFlag.SOLID)) != 0) & ((flags & np.uint32(FaceFlag.GROUND)) == 0))
    sizes = np.diff(areas.face_start)[face]
    start = starts_of(sizes)
    corners = areas.vertex[areas.face_vertex[rows_of(areas.face_start, face)]]
    middle = np.zeros((len(face), 3))
    np.add.at(middle, owners_of(start), corners)
    middle /= sizes[:, None]
    inward = np.where(areas.face_front[face] >= 0, 1.0, -1.0)[:, None] * areas.planes.normal[areas.face_plane[face]]
    hook = middle + OFF_WALL * inward
    down = fall(movement.tree, hook)
    area = down.end_area.astype(np.int64)
    good = (down.fraction < 1.0) & ~down.start_solid & (down.normal[:, 2] >= movement.settings.physics.floor_up)
    good &= ((areas.area_flags[area] & np.uint32(AreaFlag.GROUNDED)) != 0) & (
        (areas.area_contents[area] & np.uint32(DEADLY)) == 0
    )
    rows = np.flatnonzero(good)
    rows = rows[np.lexsort((rows, (hook[rows] - down.end[rows])[:, 2], area[rows]))]
    _, first, count = np.unique(area[rows], return_index=True, return_counts=True)
    rows = rows[np.arange(len(rows)) - np.repeat(first, count) < HOOKS]
    return face[rows], hook[rows], down.end[rows], area[rows]
