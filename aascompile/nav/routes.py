"""Quickest routes through the areas by travel time (thesis §7.2). ``tables`` explains how they are found."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import rows_of, starts_of
from aascompile.distinct import distinct
from aascompile.errors import RouteError
from aascompile.model.compiled import Compiled
from aascompile.model.links import Links
from aascompile.model.mapdata import Float, Index, Int
from aascompile.nav.records import Link, link_of
from aascompile.nav.routes_kernel import follow, follow_many, in_order, search_from
from aascompile.nav.tables import GoalTable, TableCache, TermTables, network_of, walk_time
from aascompile.nav.terms import PLAIN, Wanted, checked_areas, closed_areas, terms_for
from aascompile.records import dataclass
from aascompile.threads import over_ranges

MEMORY: Final = 64 << 20
"""Bytes that the tables of a router may take."""

LONGEST: Final = 1.5
"""Times the quickest route that an alternative may take."""

MOST_SHARED: Final = 0.6
"""Share of an alternative's time that it may have in common with a better route."""


GOAL_CHUNK: Final = 16
"""Goals that each of several threads reads routes for at a time."""

GOALS_AT_ONCE: Final = 256
"""Goals that a single thread reads routes for at a time, if their tables fit into memory."""

MANY_STARTS: Final = 4
"""Starts from which all clusters of a goal are filled at once."""


@dataclass(frozen=True, slots=True)
class Route:
    """The quickest route between two ends. Times are in 1/100 s and counted from its start."""

    start: int
    """Area in which it begins."""
    goal: int
    """Area in which it ends."""
    rows: Index
    """(n,) rows of the links that it takes, in order; none when start and goal are the same area."""
    time: float
    """Time of the whole route."""
    cost: float
    """What was minimised: the time, unless links or areas have costs of their own."""
    begin: Float
    """(3,) point at which it begins."""
    end: Float | None
    """(3,) point at which it ends; None if the goal is an area, then it ends with the last link."""
    _links: Links
    _unit: Float

    @property
    def links(self) -> tuple[Link, ...]:
        """(n,) the links themselves."""
        return tuple(link_of(self._links, row) for row in self.rows.tolist())

    @property
    def areas(self) -> Int:
        """(n + 1,) the areas that it passes, from start to goal."""
        return np.concatenate([np.array([self.start], np.int32), self._links.target[self.rows]])

    @property
    def points(self) -> Float:
        """(m, 3) its corners: the start, the start and end of every link, and the goal if that is a point."""
        links = self._links
        corners = np.stack([links.start[self.rows], links.end[self.rows]], axis=1).reshape(-1, 3)
        return np.concatenate([self.begin[None], corners, *([] if self.end is None else [self.end[None]])])

    @property
    def times(self) -> Float:
        """(n,) time of arrival at the end of each link."""
        links, rows = self._links, self.rows
        before = np.concatenate([self.begin[None], links.end[rows[:-1]]])[: len(rows)]
        walked = walk_time(self._unit[links.source[rows]], before, links.start[rows])
        return np.cumsum(walked + links.time[rows])

    @property
    def seconds(self) -> float:
        """Time of the whole route in seconds."""
        return self.time / 100.0

    def __len__(self) -> int:
        """Number of links."""
        return len(self.rows)

    def __repr__(self) -> str:
        return f"Route(from area {self.start} to area {self.goal}, {len(self)} links, {self.seconds:.2f} s)"


@dataclass(frozen=True, slots=True)
class Paths:
    """Many routes at once."""

    start: Index
    """(n + 1,) CSR into ``link``."""
    link: Int
    """(k,) rows of the links to take, in order."""
    time: Float
    """(n,) time in 1/100 s, or cost if there were costs; infinite where there is no route."""

    def __len__(self) -> int:
        return len(self.time)


class Router:
    """Finds routes in one compiled map. Tables of times are made on demand and kept, up to ``memory`` bytes.

    All methods may be called from several threads at once.
    """

    def __init__(self, compiled: Compiled, memory: int = MEMORY) -> None:
        if compiled.links is None:
            raise RouteError(f"{compiled.provenance.name}: has no links, because they were not computed")
        self._compiled = compiled
        self._areas = compiled.areas
        self.links: Links = compiled.links
        self.network = network_of(compiled, compiled.links)
        self.cache = TableCache(memory)
        self.centre: Float = np.array(compiled.areas.area_centre, np.float64, order="C")
        plain = self._made(PLAIN, None)
        self.plain_tables = plain
        self.cost = plain.terms.unit
        """(areas,) 1/100 s for a unit of distance inside each."""
        self.closed = closed_areas(plain.terms)
        """(areas,) those that a route may not pass through."""
        self.blocked: frozenset[int] = frozenset()
        """Areas that are blocked for all routes."""
        self._latest: dict[Wanted, Wanted] = {}
        self._lock = threading.Lock()

    def set_blocked(self, areas: Iterable[int]) -> None:
        """Block exactly these areas for all later queries. Routes may begin and end in them, but not pass."""
        self.blocked = checked_areas(len(self._areas), areas)

    def tables(self, wanted: Wanted = PLAIN) -> TermTables:
        """The tables for what a caller wants, and for the areas that are blocked for all."""
        if self.blocked:
            wanted = _with_blocked(wanted, wanted.blocked | self.blocked)
        if wanted is PLAIN or wanted == PLAIN:
            return self.plain_tables
        found = self.cache.get(wanted)
        if found is None:
            # The latest tables that differ only in blocked areas have the most in common with these.
            family = _with_blocked(wanted, frozenset())
            with self._lock:
                nearest, self._latest[family] = self._latest.get(family, family), wanted
                while len(self._latest) > 64:
                    self._latest.pop(next(iter(self._latest)))
            parent = self.plain_tables if nearest == PLAIN else self.cache.get(nearest)
            made = self._made(wanted, parent if isinstance(parent, TermTables) else None)
            found = self.cache.put(wanted, made)
        assert isinstance(found, TermTables)
        return found

    def table(self, goal: int, point: Float | None = None, wanted: Wanted = PLAIN) -> GoalTable:
        """The table of a goal: an area, or a point of it."""
        if not 0 <= goal < len(self._areas):
            self._require(goal)
        return self._table(self.tables(wanted), goal, point)

    def _table(self, tables: TermTables, goal: int, point: Float | None) -> GoalTable:
        end = _key(goal, point)
        found = self.cache.get((tables, end))
        if found is None:
            source = tables.parent()
            parent = None if source is None else self.cache.get((source, end))
            made = GoalTable(tables, goal, point, parent if isinstance(parent, GoalTable) else None)
            found = self.cache.put((tables, end), made)
        assert isinstance(found, GoalTable)
        return found

    def times_to(self, goal: int, wanted: Wanted = PLAIN) -> Float:
        """(areas,) time from the middle of every area to the goal, 1/100 s; infinite where there is no route."""
        return self.table(goal, None, wanted).of_areas(self.centre)[0]

    def next_links(self, goal: int, wanted: Wanted = PLAIN) -> Int:
        """(areas,) link to take from the middle of every area to the goal; −1 at the goal and without a route."""
        return self.table(goal, None, wanted).of_areas(self.centre)[1]

    def times(
        self, areas: Int, points: Float, goals: Int, goal_points: Float | None, wanted: Wanted, threads: int
    ) -> Float:
        """(starts, goals) costs from points of areas to goals; −1 as an area: no route."""
        groups = self._groups(areas)
        made: Float = np.full((len(areas), len(goals)), np.inf)

        def work(first: int, last: int) -> None:
            for column in range(first, last):
                if goals[column] >= 0:
                    table = self.table(int(goals[column]), None if goal_points is None else goal_points[column], wanted)
                    table.fill(groups)
                    made[:, column] = table.times(areas, points)[0]

        over_ranges(work, len(goals), 4, threads)
        return made

    def reached(self, start: int) -> NDArray[np.bool_]:
        """(areas,) those with a route from an area, and the area itself."""
        self._require(start)
        links, closed = self.links, self.tables().terms.closed
        found = np.zeros(len(self._areas), np.bool_)
        found[start] = True
        todo = np.array([start])
        while len(todo):
            target = distinct(links.target[rows_of(links.area_start, todo)])
            todo = target[~found[target]]
            found[todo] = True
            todo = todo[closed[todo] == 0]
        return found

    def route(
        self,
        start: int,
        goal: int,
        start_point: Float | None = None,
        goal_point: Float | None = None,
        wanted: Wanted = PLAIN,
    ) -> Route:
        """Return the quickest route; RouteError when there is none.

        It begins at a point of the start area, by default in its middle, and ends at a point of the goal area, by
        default where the last link ends.
        """
        if not 0 <= start < len(self._areas):
            self._require(start)
        table = self.table(goal, goal_point, wanted)
        begin: Float = self.centre[start] if start_point is None else start_point
        if start == goal:
            cost = 0.0
            if goal_point is not None:
                cost = float(table.times(np.array([start], np.int32), begin[None])[0][0])
            return self.assembled(table, start, np.zeros(0, np.int64), begin, goal_point, cost)
        search, (x, y, z) = table.tables.search(), begin.tolist()
        rows, cost = follow(search, start, x, y, z, table.columns)
        while cost < 0.0:
            table.fill((rows,))
            rows, cost = follow(search, start, x, y, z, table.columns)
        if not len(rows):
            raise RouteError(f"there is no route from area {start} to area {goal}")
        return self.assembled(table, start, rows, begin, goal_point, cost)

    def routes(
        self, areas: Int, points: Float | None, goals: Int, goal_points: Float | None, wanted: Wanted, threads: int
    ) -> Paths:
        """The quickest routes from points or middles of areas to goals, row by row; −1 as an area: no route."""
        order, ends = _by_goal(goals, goal_points)
        count: Int = np.zeros(len(areas), np.int32)
        cost: Float = np.full(len(areas), np.inf)
        tables = self.tables(wanted)

        def work(first: int, last: int) -> tuple[Int, Index]:
            rows = order[ends[first:last]]
            to = self._goal_tables(tables, goals[rows], None if goal_points is None else goal_points[rows])
            rows = order[ends[first] : ends[last]]
            return self._routes_to(to, ends[first : last + 1] - ends[first], rows, areas, points, goals, count, cost)

        chunk = GOAL_CHUNK
        if threads <= 1:
            chunk = max(1, min(GOALS_AT_ONCE, self.cache.limit // (24 * (len(self.links) + len(self._areas) + 1))))
        parts = over_ranges(work, len(ends) - 1, chunk, threads)
        here = np.flatnonzero((areas == goals) & (areas >= 0))
        if len(here):
            terms, area = tables.terms, areas[here]
            cost[here] = 0.0
            if goal_points is not None:
                begin = self.centre[area] if points is None else points[here]
                cost[here] = walk_time(terms.unit[area], begin, goal_points[here], terms.factor[area])
        start = starts_of(count)
        link: Int = np.empty(int(start[-1]), np.int32)
        for taken, rows in parts:
            in_order(taken, rows, count, start, link)
        return Paths(start, link, cost)

    def _goal_tables(self, tables: TermTables, goals: Int, points: Float | None) -> list[GoalTable]:
        """The tables of many goals."""
        ends = list(zip(goals.tolist(), [None] * len(goals) if points is None else points, strict=True))
        found = self.cache.get_many([(tables, _key(*end)) for end in ends])
        return [
            table if isinstance(table, GoalTable) else self._table(tables, *end)
            for table, end in zip(found, ends, strict=True)
        ]

    def _routes_to(
        self, tables: list[GoalTable], ends: Index, rows: Index,
        areas: Int, points: Float | None, goals: Int, count: Int, cost: Float,
    ) -> tuple[Int, Index]:  # fmt: skip
        """Links of the routes of some rows in the order of the rows, which is returned too.

        Rows ``rows[ends[t]:ends[t + 1]]`` lead to the goal of table t. ``count`` and ``cost`` are filled for them.
        """
        central, points = points is None, self.centre if points is None else points
        if central:
            for number in np.flatnonzero(np.diff(ends) > MANY_STARTS).tolist():
                tables[number].of_areas(self.centre)
        columns = [table.columns for table in tables]
        taken: list[Int] = []
        done: list[Index] = []
        while len(rows):
            need = np.full(len(tables), -1, np.int32)
            search = tables[0].tables.search()
            taken.append(follow_many(search, columns, ends, rows, areas, points, central, goals, count, cost, need))
            if need.max() < 0:
                done.append(rows)
                break
            missing = count[rows] < 0
            done.append(rows[~missing])
            for number in np.flatnonzero(need >= 0).tolist():
                asked = int(missing[ends[number] : ends[number + 1]].sum())
                tables[number].fill(None if asked > MANY_STARTS else (int(need[number]),))
            ends = starts_of(missing.astype(np.int64))[ends]
            rows = rows[missing]
        return np.concatenate(taken), np.concatenate(done)

    def alternatives(
        self,
        start: int,
        goal: int,
        count: int,
        start_point: Float | None = None,
        goal_point: Float | None = None,
        wanted: Wanted = PLAIN,
    ) -> tuple[Route, ...]:
        """Return up to ``count`` routes that differ, the quickest first; RouteError when there is none.

        Each passes some link by the quickest routes to and from it, and takes at most LONGEST times as long as the
        first. It passes no area twice, and shares at most MOST_SHARED of its time with any route before it.
        """
        best = self.route(start, goal, start_point, goal_point, wanted)
        routes = [best]
        if not len(best):
            return tuple(routes)
        table = self.table(goal, goal_point, wanted)
        table.fill()
        n = len(self.links)
        gone, before = np.empty(n), np.empty(n, np.int32)
        search_from(table.tables.search(), start, best.begin, gone, before)
        through = gone + table.left
        order = np.argsort(through, kind="stable")
        order = order[through[order] <= LONGEST * best.cost]
        tried = np.zeros(n, np.bool_)
        tried[best.rows] = True
        for via in order.tolist():
            if len(routes) >= count:
                break
            if tried[via]:
                continue
            rows = _chain(via, before)[::-1][:-1] + _chain(via, table.after)
            tried[[row for row in rows if through[row] == through[via]]] = True
            areas = [start, *self.links.target[rows].tolist()]
            if len(set(areas)) < len(areas):
                continue
            route = self.assembled(table, start, np.array(rows, np.int64), best.begin, goal_point, float(through[via]))
            if all(_shared(route, other) <= MOST_SHARED for other in routes):
                routes.append(route)
        return tuple(routes)

    def assembled(
        self,
        table: GoalTable,
        start: int,
        rows: Index,
        begin: Float,
        end: Float | None,
        cost: float,
        *,
        timed: bool = False,
    ) -> Route:
        """A chain of links as a route. ``timed``: its time differs from its cost."""
        made = Route(start, table.goal, rows, cost, cost, begin, end, self.links, self.cost)
        return replace(made, time=self._time_of(made)) if timed or table.tables.weighted else made

    def _time_of(self, route: Route) -> float:
        """Time of a route without any factors."""
        time = float(route.times[-1]) if len(route) else 0.0
        if route.end is not None:
            last = self.links.end[route.rows[-1]] if len(route) else route.begin
            time += float(walk_time(self.cost[route.goal], last, route.end))
        return time

    def _groups(self, areas: Int) -> list[int]:
        """Clusters of the links that leave some areas."""
        known = distinct(areas[areas >= 0])
        return distinct(self.network.group[rows_of(self.links.area_start, known)]).tolist()  # type: ignore[no-any-return]

    def _made(self, wanted: Wanted, parent: TermTables | None) -> TermTables:
        weighted = wanted.weighted or bool((self._compiled.areas.area_cost != 1.0).any())
        plain = self.plain_tables.terms if wanted != PLAIN else None
        terms = terms_for(self._compiled, self.links, self.network, wanted, plain)
        return TermTables(self.network, terms, parent, weighted=weighted)

    def _require(self, area: int) -> None:
        if not 0 <= area < len(self._areas):
            raise RouteError(f"there is no area {area}: they are numbered 0 to {len(self._areas) - 1}")


def _key(goal: int, point: Float | None) -> int | tuple[int, bytes]:
    """What stands for a goal in the keys of tables."""
    return goal if point is None else (goal, point.tobytes())


def _with_blocked(wanted: Wanted, blocked: frozenset[int]) -> Wanted:
    return replace(wanted, blocked=blocked)


def _by_goal(goals: Int, points: Float | None) -> tuple[Index, Index]:
    """Rows with a goal, sorted so that rows of equal goals are consecutive, and where the rows of each goal begin."""
    narrow = goals.max(initial=0) < 1 << 15  # numpy sorts short integers several times as fast
    order = np.argsort(goals.astype(np.int16) if narrow else goals, kind="stable")
    order = order[np.count_nonzero(goals < 0) :]
    if points is not None:
        order = order[np.lexsort((*points[order].T, goals[order]))]
    same = goals[order[1:]] == goals[order[:-1]]
    if points is not None:
        same &= (points[order[1:]] == points[order[:-1]]).all(axis=1)
    ends = np.flatnonzero(np.concatenate([[True], ~same, [True]])) if len(order) else np.zeros(1, np.int64)
    return order, ends


def _chain(link: int, following: Int) -> list[int]:
    """A link and all that follow it."""
    chain = []
    while link >= 0:
        chain.append(link)
        link = int(following[link])
    return chain


def _shared(route: Route, other: Route) -> float:
    """Share of a route's time that it spends on links of another, and on the way to them."""
    legs = np.diff(route.times, prepend=0.0)
    return float(legs[np.isin(route.rows, other.rows)].sum() / legs.sum())
