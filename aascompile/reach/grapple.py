"""The grappling hook, if enabled in the settings: up to a wall or ceiling in sight, then down to the ground below it.

For each ground, the faces above it with the shortest drop are used as hooks, each from the nearest areas below that see
it. The hook's face is the link's face. Areas do not know where the sky is, although hooks do not hold there.
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
from aascompile.sampling.locate import fall
from aascompile.sampling.middle import floor_points
from aascompile.sampling.sample import ANY_PRESENCE, traces

LEAST_RISE: Final = 64.0
"""Units: ground that is less high needs no hook."""

LONGEST: Final = 1000.0
"""Units of rope."""

OFF_WALL: Final = 1.0
"""Units in front of a face at which a player hangs."""

HOOKS: Final = 8
"""Faces tried above each ground."""

NEAREST: Final = 16
"""Starting areas tried for each hook."""


def grapple_links(candidates: Candidates, areas: Areas, movement: Movement) -> None:
    """Add links from floors to higher ground."""
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
    row, source = np.repeat(np.arange(len(face)), [len(below) for below in sources]), np.concatenate(sources)
    sight = traces(movement.tree, floor[source] + np.array((0.0, 0.0, OFF_WALL)), hook[row], ANY_PRESENCE)
    seen = (sight.fraction == 1.0) & ~sight.start_solid
    row, source = row[seen], source[seen]
    rope = np.sqrt(((floor[source] - hook[row]) ** 2).sum(axis=1))
    time = times.grapple(rope, settings)
    candidates.add(Travel.GRAPPLE, source, target[row], floor[source], lands[row], time, face=face[row])


def _below(start: Index, floor: Float, hook: Float, height: float) -> Index:
    """The nearest areas with floors below a height and within the rope's length of a hook."""
    rope = np.sqrt(((floor[start] - hook) ** 2).sum(axis=1))
    near = np.flatnonzero((height - floor[start, 2] >= LEAST_RISE) & (rope <= LONGEST))
    return start[near[np.lexsort((near, rope[near]))][:NEAREST]]


def _hooks(areas: Areas, movement: Movement) -> tuple[Index, Float, Float, Index]:
    """Faces, points (n, 3) where a player hangs in front of them, points (n, 3) of landing, and their areas: the best
    of each area."""
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
