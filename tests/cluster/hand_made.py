"""Areas and links for tests of clusters: made by hand, and a stand-in for the reach stage on real areas."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from hypothesis import strategies as st

from aascompile.csr import starts_of
from aascompile.model.areas import AreaFlag, Areas, FaceFlag
from aascompile.model.links import Links, Travel, null_columns
from aascompile.model.mapdata import Planes

Pair = tuple[int, int]


def links_of(pairs: Iterable[Pair], areas: int, time: dict[Pair, int] | None = None) -> Links:
    """Walk links, one for each (source, target), of one unit of time unless given."""
    rows = np.array(sorted(set(pairs)), np.int32).reshape(-1, 2)
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
        **null_columns(n),
        area_start=starts_of(np.bincount(rows[:, 0], minlength=areas)),
    )


def both_ways(pairs: Iterable[Pair]) -> list[Pair]:
    """Each pair and its reverse."""
    once = list(pairs)
    return [*once, *((b, a) for a, b in once)]


def room(first: int, count: int) -> list[Pair]:
    """Areas that are all linked to each other."""
    return [(a, b) for a in range(first, first + count) for b in range(first, first + count) if a != b]


def bare_areas(count: int) -> Areas:
    """A row of areas with nothing but their number: no faces, no ground, no tree."""
    ints, starts, points = np.zeros(0, np.int32), np.zeros(1, np.int64), np.zeros((0, 3))
    bits, place = np.zeros(count, np.uint32), np.arange(count)[:, None] * np.array([64.0, 0.0, 0.0])
    return Areas(
        planes=Planes(points, np.zeros(0)),
        vertex=points,
        edge=np.zeros((0, 2), np.int32),
        face_plane=ints,
        face_front=ints,
        face_back=ints,
        face_flags=np.zeros(0, np.uint32),
        face_start=starts,
        face_vertex=ints,
        face_edge=ints,
        area_start=np.zeros(count + 1, np.int64),
        area_face=ints,
        area_contents=bits,
        area_flags=bits,
        area_presence=bits,
        area_model=np.full(count, -1, np.int32),
        area_trigger=np.full(count, -1, np.int32),
        area_cost=np.ones(count),
        area_mins=place,
        area_maxs=place,
        area_centre=place,
        area_volume=np.ones(count),
        node_plane=ints,
        node_child=np.zeros((0, 2), np.int32),
    )


@st.composite
def clumps(draw: st.DrawFn, most: int = 24) -> tuple[int, list[Pair]]:
    """Areas and links somewhat like a map: rooms of areas with many links, few links between rooms, some of them in one
    direction only, and some areas without links."""
    count = draw(st.integers(0, most))
    rooms = draw(st.lists(st.integers(0, max(count // 5, 1)), min_size=count, max_size=count))
    dense, sparse = draw(st.integers(2, 9)), draw(st.integers(0, 3))
    chance = st.integers(0, 9)
    pairs = []
    for a in range(count):
        for b in range(count):
            if a != b and draw(chance) < (dense if rooms[a] == rooms[b] else sparse if abs(a - b) < 4 else 0):
                pairs.append((a, b))
    return count, pairs


def stand_in_links(areas: Areas) -> Links:
    """Approximate links: in both directions between areas that share a face and have ground or liquid, and down through
    the air beside them to the landing."""
    good = (areas.area_flags & np.uint32(AreaFlag.GROUNDED | AreaFlag.LIQUID)) != 0
    face = np.flatnonzero((areas.face_front >= 0) & (areas.face_back >= 0))
    front, back = areas.face_front[face], areas.face_back[face]
    both = good[front] & good[back]
    pairs = both_ways(zip(front[both].tolist(), back[both].tolist(), strict=True))
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


def landings(air: int, below: dict[int, list[int]], good: np.ndarray) -> list[int]:
    """Where a player lands who falls from an area of air."""
    seen, waiting, found = {air}, [air], []
    while waiting:
        for low in below.get(waiting.pop(), ()):
            if low not in seen:
                seen.add(low)
                (found if good[low] else waiting).append(low)
    return found
