"""Quickest routes through the areas by travel time (thesis §7.2, but without clusters: the whole map is searched).

A node of the search is a link that is about to be taken, because what follows a link depends on where in an area it
ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import rows_of, starts_of
from aascompile.errors import RouteError
from aascompile.model.areas import AreaFlag
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.model.links import Links
from aascompile.model.mapdata import Float, Index, Int
from aascompile.nav.arcs import stored_number
from aascompile.nav.records import Link, link_of
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class Route:
    """The quickest route between two ends. Times are in 1/100 s and counted from its start."""

    start: int
    """Area in which it begins."""
    goal: int
    """Area in which it ends."""
    rows: Index
    """(n,) rows of the links that it takes, in order; none when start and goal are the same area."""
    links: tuple[Link, ...]
    """(n,) the links themselves."""
    areas: Int
    """(n + 1,) the areas that it passes, from start to goal."""
    points: Float
    """(m, 3) its corners: the start, the start and end of every link, and the goal if that is a point."""
    times: Float
    """(n,) time of arrival at the end of each link."""
    time: float
    """Time of the whole route."""

    @property
    def seconds(self) -> float:
        """Time of the whole route in seconds."""
        return self.time / 100.0

    def __len__(self) -> int:
        """Number of links."""
        return len(self.links)


class Router:
    """Finds routes in one compiled map; the search from a goal is kept until another goal is asked for."""

    def __init__(self, compiled: Compiled) -> None:
        if compiled.links is None:
            raise RouteError(f"{compiled.provenance.name}: has no links, because they were not computed")
        self._areas = compiled.areas
        self.links: Links = compiled.links
        self.cost = _cost_a_unit(compiled)
        """(areas,) 1/100 s for a unit of distance inside each."""
        self.closed = _closed(compiled)
        """(areas,) those that a route may not pass through."""
        self._follow = self._followers()
        self._goal: tuple[int, tuple[float, ...] | None] = (-1, None)
        self._left: Float = np.zeros(0)
        self._next: NDArray[np.int32] = np.zeros(0, np.int32)

    def times_to(self, goal: int) -> Float:
        """(areas,) time from the middle of every area to the goal, 1/100 s; infinite where there is no route."""
        self._aim(goal, None)
        links = self.links
        ahead = self._walk(links.source, self._areas.area_centre[links.source], links.start) + self._left
        times = np.full(len(self._areas), np.inf)
        np.minimum.at(times, links.source, ahead)
        times[goal] = 0.0
        return times

    def route(self, start: int, goal: int, start_point: Float | None = None, goal_point: Float | None = None) -> Route:
        """Return the quickest route; RouteError when there is none.

        It begins at a point of the start area, by default in its middle, and ends at a point of the goal area, by
        default where the last link ends.
        """
        self._require(start)
        self._aim(goal, goal_point)
        links = self.links
        begin: Float = self._areas.area_centre[start] if start_point is None else start_point
        if start == goal:
            return self._assemble(start, goal, np.zeros(0, np.int64), begin, goal_point)
        row = np.arange(links.area_start[start], links.area_start[start + 1])
        ahead = self._walk(links.source[row], begin, links.start[row]) + self._left[row]
        if not np.isfinite(ahead).any():
            raise RouteError(f"there is no route from area {start} to area {goal}")
        taken = [int(row[np.argmin(ahead)])]
        while self._next[taken[-1]] != len(links):
            taken.append(int(self._next[taken[-1]]))
        return self._assemble(start, goal, np.array(taken, np.int64), begin, goal_point)

    def _assemble(self, start: int, goal: int, taken: Index, begin: Float, end: Float | None) -> Route:
        """A chain of links as a route."""
        links = self.links
        corners = np.stack([links.start[taken], links.end[taken]], axis=1).reshape(-1, 3)
        points = np.concatenate([begin[None], corners])
        times = np.cumsum(self._walk(links.source[taken], points[:-1:2], links.start[taken]) + links.time[taken])
        time = float(times[-1]) if len(taken) else 0.0
        if end is not None:
            time += float(self._walk(np.array([goal]), points[-1], end)[0])
            points = np.concatenate([points, end[None]])
        return Route(
            start=start,
            goal=goal,
            rows=taken,
            links=tuple(link_of(links, row) for row in taken.tolist()),
            areas=np.concatenate([np.array([start], np.int32), links.target[taken]]),
            points=points,
            times=times,
            time=time,
        )

    def _require(self, area: int) -> None:
        if not 0 <= area < len(self._areas):
            raise RouteError(f"there is no area {area}: they are numbered 0 to {len(self._areas) - 1}")

    def _walk(self, area: NDArray[Any], start: Float, end: Float) -> Float:
        """Time to cross an area in a straight line; at least 1/100 s, as in the engine."""
        walked: Float = np.maximum(np.linalg.norm(end - start, axis=-1) * self.cost[area], 1.0)
        return walked

    def _followers(self) -> tuple[Index, Index, Float]:
        """Pairs of links, the second leaving the area that the first leads to, and the time from start to start."""
        links = self.links
        first = np.flatnonzero(~self.closed[links.target])
        size = links.area_start[links.target[first] + 1] - links.area_start[links.target[first]]
        second = rows_of(links.area_start, links.target[first])
        first = np.repeat(first, size)
        return first, second, links.time[first] + self._walk(links.target[first], links.end[first], links.start[second])

    def _aim(self, goal: int, point: Float | None) -> None:
        """Find for every link the time from its start to the goal, and the link that comes after it."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import dijkstra

        self._require(goal)
        aim = (goal, None if point is None else tuple(point.tolist()))
        if aim == self._goal:
            return
        n = len(self.links)
        first, second, time = self._follow
        last = np.flatnonzero(self.links.target == goal)
        # Backwards, from the goal (node n): an edge leads from a later node to an earlier one.
        later = np.concatenate([second, np.full(len(last), n)])
        before = np.concatenate([first, last])
        arrive = self.links.time[last] if point is None else self._arrival(last, goal, point)
        cost = np.concatenate([time, arrive])
        order = np.lexsort((before, later))
        start = starts_of(np.bincount(later, minlength=n + 1))
        graph = csr_matrix((cost[order], before[order], start), shape=(n + 1, n + 1))
        left, after = dijkstra(graph, indices=[n], return_predecessors=True)
        self._goal, self._left, self._next = aim, left[0, :n], after[0, :n]

    def _arrival(self, last: Index, goal: int, point: Float) -> Float:
        """Time that each of the links into the goal's area takes, and the walk from its end to the point."""
        walk = self._walk(np.full(len(last), goal), self.links.end[last], point)
        return self.links.time[last] + walk


def _closed(compiled: Compiled) -> NDArray[np.bool_]:
    """(areas,) those that routes may begin and end in but not pass: disabled, or barred to bots by the mapper."""
    areas = compiled.areas
    shut: NDArray[np.bool_] = (areas.area_flags & AreaFlag.DISABLED) | (areas.area_contents & Kind.DONOTENTER) != 0
    return shut


def _cost_a_unit(compiled: Compiled) -> Float:
    """(areas,) 1/100 s for a unit of distance: swimming, crouched where there is no room to stand, or walking."""
    areas = compiled.areas
    walk, crouch, swim = (stored_number(compiled, "costs", name) for name in ("walk", "crouch", "swim"))
    stands = areas.area_presence & compiled.boxes.presence[0] != 0
    liquid = areas.area_flags & AreaFlag.LIQUID != 0
    return np.where(liquid, swim, np.where(stands, walk, crouch))
