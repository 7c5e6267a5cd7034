"""Pairs of links that routes take one after the other: the quickest routes from all spawns and items to all items."""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.csr import starts_of
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.contents import Kind
from aascompile.model.links import FAST_JUMPS, Links, are_of
from aascompile.model.mapdata import Index, Int
from aascompile.model.places import Places
from aascompile.reach import times
from aascompile.reach.uses_kernel import Uses
from aascompile.settings import Settings
from aascompile.threads import over_ranges

MOST_WORK: Final = 200_000_000
"""Pairs of links, times goals, that are searched. If there are more, routes lead only to some of the items, spread over
the map's list: a map with thousands of items would take minutes."""


GOALS: Final = 8
"""Goals that are worth a search by another thread, which has to prepare itself."""


def pairs_on_routes(
    links: Links, areas: Areas, places: Places, settings: Settings, threads: int = 1
) -> tuple[Index, Index, Int]:
    """Pairs of links that routes take one after the other: (n,) first, (n,) second, (n,) how often."""
    out = np.diff(links.area_start)[links.target]
    pair_start = starts_of(out)
    pairs = int(pair_start[-1])
    into = starts_of(np.bincount(links.target, minlength=len(areas))), np.argsort(links.target, kind="stable")
    closed = (areas.area_flags & AreaFlag.DISABLED != 0) | (areas.area_contents & np.uint32(Kind.DONOTENTER) != 0)
    unit = times.inside(areas, settings)
    allowed = ~are_of(links.kind, FAST_JUMPS)
    there = places.area >= 0
    goals, starts = np.flatnonzero(there & places.item), np.flatnonzero(there)
    goals = goals[:: 1 + len(goals) * pairs // MOST_WORK]

    def count(first: int, last: int) -> Int:
        search = Uses(links, into, pair_start, unit, areas.area_cost, closed.view(np.uint8), allowed.view(np.uint8))
        mine, found = goals[first:last], np.zeros(pairs, np.int32)
        search.count(places.area[starts], places.point[starts], places.area[mine], places.point[mine], found)
        return found

    each = max(-(-len(goals) // threads), GOALS)
    uses: Int = np.zeros(pairs, np.int32)
    for found in over_ranges(count, len(goals), each, threads):
        uses += found
    taken = np.flatnonzero(uses)
    first = np.searchsorted(pair_start, taken, side="right") - 1
    return first, links.area_start[links.target[first]] + taken - pair_start[first], uses[taken]
