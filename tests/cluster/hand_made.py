"""Links for tests of clusters: by hand, and a stand-in for the reachability stage on real areas."""

from __future__ import annotations

import numpy as np

from aascompile.geometry.ragged import starts_of
from aascompile.model.areas import AreaFlag, Areas, FaceFlag
from aascompile.model.links import Links, Travel


def links_of(pairs, areas: int, time=None) -> Links:
    """Walk links from area to area, each (source, target) once; of one unit of time unless told."""
    rows = np.array(sorted({(int(a), int(b)) for a, b in pairs}), np.int32).reshape(-1, 2)
    n = len(rows)
    times = np.ones(n, np.int32) if time is None else np.array([time[int(a), int(b)] for a, b in rows], np.int32)
    none, point = np.full(n, -1, np.int32), np.zeros((n, 3))
    return Links(
        source=rows[:, 0].copy(),
        target=rows[:, 1].copy(),
        kind=np.full(n, Travel.WALK, np.int32),
        start=point,
        end=point,
        face=none,
        edge=none,
        time=times,
        model=none,
        velocity=point,
        area_start=starts_of(np.bincount(rows[:, 0], minlength=areas)),
    )


def both_ways(pairs):
    """Each pair and its reverse."""
    return [*pairs, *((b, a) for a, b in pairs)]


def stand_in_links(areas: Areas) -> Links:
    """What links roughly are: to and fro between areas that share a face and can be stood or swum in, and down
    through the air beside them to where one lands.
    """
    good = (areas.area_flags & np.uint32(AreaFlag.GROUNDED | AreaFlag.LIQUID)) != 0
    face = np.flatnonzero((areas.face_front >= 0) & (areas.face_back >= 0))
    front, back = areas.face_front[face], areas.face_back[face]
    both = good[front] & good[back]
    pairs = both_ways(list(zip(front[both].tolist(), back[both].tolist(), strict=True)))
    upright = np.abs(areas.planes.normal[areas.face_plane[face], 2]) < 0.7
    below: dict[int, list[int]] = {}
    gap = (areas.face_flags[face] & np.uint32(FaceFlag.GAP)) != 0
    for a, b in zip(front[gap].tolist(), back[gap].tolist(), strict=True):
        high, low = (a, b) if areas.area_centre[a, 2] > areas.area_centre[b, 2] else (b, a)
        below.setdefault(high, []).append(low)
    for a, b in zip(front[upright & ~both].tolist(), back[upright & ~both].tolist(), strict=True):
        for here, air in ((a, b), (b, a)):
            if good[here] and not good[air]:
                pairs += [(here, land) for land in landings(air, below, good) if land != here]
    return links_of(pairs, len(areas))


def landings(air: int, below: dict[int, list[int]], good) -> list[int]:
    """Where one lands who falls from an area of air."""
    seen, waiting, found = {air}, [air], []
    while waiting:
        for low in below.get(waiting.pop(), ()):
            if low not in seen:
                seen.add(low)
                (found if good[low] else waiting).append(low)
    return found
