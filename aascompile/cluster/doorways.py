"""Where portals are wanted: in portal brushes and doorways (thesis §6.5). And where they must not be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import rows_of
from aascompile.distinct import distinct, occurs
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.contents import Kind
from aascompile.model.entity_classes import EntityClass, class_of, exists, is_suspended
from aascompile.model.mapdata import Entity, Index, Int
from aascompile.model.places import Places
from aascompile.sampling.locate import locate
from aascompile.sampling.sample import tree_of


def in_portal_brush(areas: Areas) -> NDArray[np.bool_]:
    """(areas,) which areas the mapper wants to be portals."""
    marked: NDArray[np.bool_] = (areas.area_contents & np.uint32(Kind.CLUSTERPORTAL)) != 0
    return marked


def in_doorway(areas: Areas) -> NDArray[np.bool_]:
    """(areas,) which areas with ground are open in exactly two planes, counted with neighbours where players must duck.

    Such neighbours lie under a lintel. They have the presence of fewer boxes and belong to the doorway, as do theirs.
    """
    count = len(areas)
    here, there, plane = neighbours(areas)
    own, their = areas.area_presence[here], areas.area_presence[there]
    lower = ((their & ~own) == 0) & (their != own)
    grounded = (areas.area_flags & np.uint32(AreaFlag.GROUNDED)) != 0
    planes = len(areas.planes)
    outer = distinct(here[~lower] * planes + plane[~lower]) // max(planes, 1)
    root = np.flatnonzero(grounded & (np.bincount(outer, minlength=count) <= 2)).astype(np.int64)

    # Codes root · count + member. Each round holds the members that the last round added.
    start = np.searchsorted(here, np.arange(count + 1))
    group = fresh = root * count + root
    while len(fresh):
        of, row = _rows(start, fresh, count)
        fresh = distinct(of[lower[row]] * count + there[row[lower[row]]])
        fresh = fresh[~occurs(fresh, group)]
        group = distinct(np.concatenate([group, fresh]))
    of, row = _rows(start, group, count)
    leaves = ~occurs(of * count + there[row], group)
    open_in = distinct(of[leaves] * planes + plane[row[leaves]]) // max(planes, 1)
    found: NDArray[np.bool_] = np.bincount(open_in, minlength=count) == 2
    return found


def _rows(start: NDArray[np.int64], codes: NDArray[np.int64], count: int) -> tuple[Index, Index]:
    """For codes root · count + member: the root and the row of every face that a member shares with another area."""
    root, member = np.divmod(codes, max(count, 1))
    return np.repeat(root, np.diff(start)[member]), rows_of(start, member)


def neighbours(areas: Areas) -> tuple[Index, Index, Index]:
    """Every face between two areas, once from each: the area, the other area, and the plane, whichever way it faces."""
    face = np.flatnonzero((areas.face_front >= 0) & (areas.face_back >= 0))
    front, back = areas.face_front[face].astype(np.int64), areas.face_back[face].astype(np.int64)
    here, there = np.concatenate([front, back]), np.concatenate([back, front])
    plane = np.tile(areas.face_plane[face].astype(np.int64) >> 1, 2)
    order = np.argsort(here, kind="stable")
    return here[order], there[order], plane[order]


def occupied(areas: Areas, places: Places, entities: Sequence[Entity]) -> Int:
    """First entity (areas,) in each area that bots go to or start from; −1 if there is none.

    The engine routes to a goal inside a portal from one of its sides only. To reach an item that hangs in the air it
    goes to a jump pad that leads through it, so such an item counts as being on every pad.
    """
    holder: Int = np.full(len(areas), -1, np.int32)
    if not len(areas):
        return holder
    found = np.flatnonzero(places.area >= 0)
    hanging = [row for row in places.entity[found].tolist() if is_suspended(entities[row])]
    if hanging:
        holder[(areas.area_contents & np.uint32(Kind.JUMPPAD)) != 0] = hanging[0]
    rows, area = _camps(areas, entities)
    rows, area = [*places.entity[found].tolist(), *rows], [*places.area[found].tolist(), *area]
    for row, at in sorted(zip(rows, area, strict=True)):
        if holder[at] < 0:
            holder[at] = row
    return holder


def _camps(areas: Areas, entities: Sequence[Entity]) -> tuple[list[int], list[int]]:
    """Rows of the spots where bots camp, and their areas, for spots that have one."""
    camps = [row for row, entity in enumerate(entities) if class_of(entity.classname) is EntityClass.CAMP]
    origins = [(row, at) for row in camps if exists(entities[row]) and (at := entities[row].vector("origin"))]
    if not origins:
        return [], []
    area, _ = locate(tree_of(areas), [at for _, at in origins])
    found = area >= 0
    return np.array([row for row, _ in origins])[found].tolist(), area[found].tolist()
