"""Cheapest ways through the areas, by travel time (thesis §7.2, without its clusters: a whole map is searched at once).

A place in the search is a link that is about to be taken: what follows a link depends on where in an area it ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import rows_of, starts_of
from aascompile.errors import AasError
from aascompile.model.areas import AreaFlag
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.model.links import Links
from aascompile.model.mapdata import Float, Index
from aascompile.nav.arcs import told


class RouteError(AasError, ValueError):
    """There is no such area, or no way."""


@dataclass(frozen=True, slots=True)
class Route:
    """A way from an area to another."""

    start: int
    goal: int
    links: Index
    """(n,) rows of the links it takes, in order; none when start and goal are one area."""
    arrival: Float
    """(n,) time since the start at the end of each link, 1/100 s."""
    time: float
    """1/100 s from the middle of the start area to where the last link ends."""
    point: Float
    """(2 n + 1, 3) the middle of the start area, then start and end of each link."""

    def __len__(self) -> int:
        return len(self.links)


class Router:
    """Answers about ways in one compiled map; what it finds out about a goal it keeps while the goal stays."""

    def __init__(self, compiled: Compiled) -> None:
        if compiled.links is None:
            raise RouteError("the file has no links: they were not computed")
        self._areas = compiled.areas
        self._links: Links = compiled.links
        self.cost = _cost_a_unit(compiled)
        """(areas,) 1/100 s for a unit of way inside each."""
        self.closed = _closed(compiled)
        """(areas,) those that a way does not lead through."""
        self._follow = self._followers()
        self._goal = -1
        self._left: Float = np.zeros(0)
        self._next: NDArray[np.int32] = np.zeros(0, np.int32)

    def times_to(self, goal: int) -> Float:
        """(areas,) time from the middle of every area to the goal, 1/100 s; infinite where no way leads there."""
        self._aim(goal)
        links = self._links
        ahead = self._walk(links.source, self._areas.area_centre[links.source], links.start) + self._left
        times = np.full(len(self._areas), np.inf)
        np.minimum.at(times, links.source, ahead)
        times[goal] = 0.0
        return times

    def route(self, start: int, goal: int) -> Route:
        """The cheapest way; RouteError when there is none."""
        self._known(start)
        self._aim(goal)
        if start == goal:
            middle = self._areas.area_centre[[start]]
            return Route(start, goal, np.zeros(0, np.int64), np.zeros(0), 0.0, middle)
        links = self._links
        row = np.arange(links.area_start[start], links.area_start[start + 1])
        ahead = self._walk(links.source[row], self._areas.area_centre[[start]], links.start[row]) + self._left[row]
        if not np.isfinite(ahead).any():
            raise RouteError(f"no way leads from area {start} to area {goal}")
        taken = [int(row[np.argmin(ahead)])]
        while links.target[taken[-1]] != goal:
            taken.append(int(self._next[taken[-1]]))
        return self._told(start, goal, np.array(taken, np.int64))

    def _told(self, start: int, goal: int, taken: Index) -> Route:
        """A chain of links with its places and times."""
        links = self._links
        middle = self._areas.area_centre[start]
        point = np.stack([links.start[taken], links.end[taken]], axis=1).reshape(-1, 3)
        before = np.concatenate([middle[None], links.end[taken[:-1]]])
        arrival = np.cumsum(self._walk(links.source[taken], before, links.start[taken]) + links.time[taken])
        return Route(start, goal, taken, arrival, float(arrival[-1]), np.concatenate([middle[None], point]))

    def _known(self, area: int) -> None:
        if not 0 <= area < len(self._areas):
            raise RouteError(f"there is no area {area}: they are numbered 0 to {len(self._areas) - 1}")

    def _walk(self, area: NDArray[Any], start: Float, end: Float) -> Float:
        """Time for the way inside an area; at least one hundredth, as the engine has it."""
        walked: Float = np.maximum(np.linalg.norm(end - start, axis=-1) * self.cost[area], 1.0)
        return walked

    def _followers(self) -> tuple[Index, Index, Float]:
        """Pairs of links, the second leaving the area that the first leads to, and the time from start to start."""
        links = self._links
        first = np.flatnonzero(~self.closed[links.target])
        size = links.area_start[links.target[first] + 1] - links.area_start[links.target[first]]
        second = rows_of(links.area_start, links.target[first])
        first = np.repeat(first, size)
        return first, second, links.time[first] + self._walk(links.target[first], links.end[first], links.start[second])

    def _aim(self, goal: int) -> None:
        """Find for every link the time from its start to the goal, and the link that comes after it."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import dijkstra

        self._known(goal)
        if goal == self._goal:
            return
        n = len(self._links)
        first, second, time = self._follow
        last = np.flatnonzero(self._links.target == goal)
        # Backwards, from the goal (node n): an edge leads from what comes later to what comes before it.
        later = np.concatenate([second, np.full(len(last), n)])
        before = np.concatenate([first, last])
        cost = np.concatenate([time, self._links.time[last]])
        order = np.lexsort((before, later))
        start = starts_of(np.bincount(later, minlength=n + 1))
        graph = csr_matrix((cost[order], before[order], start), shape=(n + 1, n + 1))
        left, after = dijkstra(graph, indices=[n], return_predecessors=True)
        self._goal, self._left, self._next = goal, left[0, :n], after[0, :n]


def _closed(compiled: Compiled) -> NDArray[np.bool_]:
    """(areas,) those that a way does not lead through: disabled ones and those that bots are told not to enter. A way
    may begin and end there."""
    areas = compiled.areas
    shut: NDArray[np.bool_] = (areas.area_flags & AreaFlag.DISABLED) | (areas.area_contents & Kind.DONOTENTER) != 0
    return shut


def _cost_a_unit(compiled: Compiled) -> Float:
    """(areas,) 1/100 s for a unit of way inside each: swimming, crouched where nobody can stand, or walking."""
    areas = compiled.areas
    walk, crouch, swim = (told(compiled, "costs", name) for name in ("walk", "crouch", "swim"))
    stands = areas.area_presence & compiled.boxes.presence[0] != 0
    liquid = areas.area_flags & AreaFlag.LIQUID != 0
    return np.where(liquid, swim, np.where(stands, walk, crouch))
