"""Where portals are wanted: in portal brushes and in doorways (thesis §6.5); and where they must not be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import rows_of
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.contents import Kind
from aascompile.model.mapdata import Entity, Index, Int
from aascompile.sampling.sample import areas_at, areas_passed, sampler_of, tree_of

ITEMS = ("item_", "weapon_", "ammo_", "holdable_")
SUSPENDED = 1
"""The spawnflag of an item that stays where it is drawn."""

GOALS = ("item_", "weapon_", "ammo_", "holdable_", "team_", "info_player_", "info_camp")
"""How the classes begin of things that bots go to or start from."""

RAISE = (0.0, 8.0, 16.0, 24.0, 32.0)
"""Units above an origin to look for free space: an item's box is smaller than a player's and rests lower."""

ASIDE = ((0, 0), (8, 0), (-8, 0), (0, 8), (0, -8), (16, 16), (-16, 16), (16, -16), (-16, -16))
"""Units beside an origin to look for it, as a bot's box reaches round a corner."""

DROP = 4096.0
"""Units to fall: what hangs in the air is fetched from below."""


def in_portal_brush(areas: Areas) -> NDArray[np.bool_]:
    """(areas,) which areas the mapper wants to be portals."""
    marked: NDArray[np.bool_] = (areas.area_contents & np.uint32(Kind.CLUSTERPORTAL)) != 0
    return marked


def in_doorway(areas: Areas) -> NDArray[np.bool_]:
    """(areas,) which areas with ground are open in exactly two planes, with the neighbours where one has to duck.

    Such neighbours lie under a lintel: they have the presence of fewer boxes and belong to the doorway, as do theirs.
    """
    count = len(areas)
    here, there, plane = neighbours(areas)
    own, their = areas.area_presence[here], areas.area_presence[there]
    lower = ((their & ~own) == 0) & (their != own)
    grounded = (areas.area_flags & np.uint32(AreaFlag.GROUNDED)) != 0
    planes = len(areas.planes)
    outer = np.unique(here[~lower] * planes + plane[~lower]) // max(planes, 1)
    root = np.flatnonzero(grounded & (np.bincount(outer, minlength=count) <= 2)).astype(np.int64)

    # Codes root · count + member, and per round the members that the last round added.
    start = np.searchsorted(here, np.arange(count + 1))
    group = fresh = root * count + root
    while len(fresh):
        of, row = _rows(start, fresh, count)
        fresh = np.setdiff1d(of[lower[row]] * count + there[row[lower[row]]], group)
        group = np.union1d(group, fresh)
    of, row = _rows(start, group, count)
    leaves = ~np.isin(of * count + there[row], group)
    open_in = np.unique(of[leaves] * planes + plane[row[leaves]]) // max(planes, 1)
    found: NDArray[np.bool_] = np.bincount(open_in, minlength=count) == 2
    return found


def _rows(start: NDArray[np.int64], codes: NDArray[np.int64], count: int) -> tuple[Index, Index]:
    """Of codes root · count + member: the root and the row of every face that a member has with another area."""
    root, member = np.divmod(codes, max(count, 1))
    return np.repeat(root, np.diff(start)[member]), rows_of(start, member)


def neighbours(areas: Areas) -> tuple[Index, Index, Index]:
    """Every face between two areas, once from each: the area, the other, and the plane whichever way it faces."""
    face = np.flatnonzero((areas.face_front >= 0) & (areas.face_back >= 0))
    front, back = areas.face_front[face].astype(np.int64), areas.face_back[face].astype(np.int64)
    here, there = np.concatenate([front, back]), np.concatenate([back, front])
    plane = np.tile(areas.face_plane[face].astype(np.int64) >> 1, 2)
    order = np.argsort(here, kind="stable")
    return here[order], there[order], plane[order]


def occupied(areas: Areas, entities: Sequence[Entity]) -> Int:
    """(areas,) the first entity that is to be found in each area, dropped as the game drops it; −1: none.

    The engine routes to a goal inside a portal from one of its sides only. For an item that hangs in the air it goes to
    a jump pad that throws through it, so where there is such an item, it is taken to be on every pad.
    """
    holder: Int = np.full(len(areas), -1, np.int32)
    hanging = [row for row, one in enumerate(entities) if one.classname.startswith(ITEMS) and one.flags() & SUSPENDED]
    if hanging:
        holder[(areas.area_contents & np.uint32(Kind.JUMPPAD)) != 0] = hanging[0]
    rows = [row for row, entity in enumerate(entities) if entity.classname.startswith(GOALS)]
    origins = [(row, origin) for row in rows if (origin := entities[row].vector("origin")) is not None]
    if not origins or not len(areas):
        return holder
    tree = tree_of(areas)
    sampler = sampler_of(tree)
    tries = np.array([(x, y, up) for x, y in ASIDE for up in RAISE])
    points = np.array([origin for _, origin in origins])[:, None, :] + tries
    area = areas_at(tree, points.reshape(-1, 3)).reshape(len(origins), len(tries))
    for (row, _), place, inside in zip(origins, points, area >= 0, strict=True):
        if inside.any():
            top = place[inside.argmax()]
            passed, _ = areas_passed(sampler, top, top - (0.0, 0.0, DROP))
            fresh = passed[holder[passed] < 0]
            holder[fresh] = row
    return holder
