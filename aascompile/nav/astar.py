"""Search with costs of the caller's own, guided by the exact times of the tables (A*)."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

import numpy as np

from aascompile.errors import RouteError
from aascompile.model.mapdata import Float, Index
from aascompile.nav.routes import Route, Router
from aascompile.nav.tables import walk_time


def search_with(
    router: Router,
    start: int,
    goal: int,
    start_point: Float | None,
    goal_point: Float | None,
    cost: Callable[[int, float], float],
) -> Route:
    """The cheapest route if link ``row`` costs ``cost(row, time)`` in addition, taken at ``time``; RouteError if none.

    The caller's costs are never negative, so the times left without them guide the search to the goal.
    """
    if start == goal:
        return router.route(start, goal, start_point, goal_point)
    table = router.table(goal, goal_point)
    table.fill()
    links, left, closed = router.links, table.left, table.tables.terms.closed
    begin: Float = router.centre[start] if start_point is None else start_point
    queue: list[tuple[float, int, float, float, int]] = []  # estimate, link, cost and time at its start, link before
    before: dict[int, int] = {}

    def reach(area: int, point: Float, spent: float, time: float, last: int) -> None:
        rows = np.arange(links.area_start[area], links.area_start[area + 1])
        rows = rows[np.isfinite(left[rows])]
        walked = walk_time(router.cost[area], point, links.start[rows])
        for row, walk in zip(rows.tolist(), walked.tolist(), strict=True):
            if row not in before:
                heappush(queue, (spent + walk + left[row], row, spent + walk, time + walk, last))

    reach(start, begin, 0.0, 0.0, -1)
    while queue:
        estimate, row, spent, time, last = heappop(queue)
        if row < 0:
            rows = _chain(before, last)
            return router.assembled(table, start, rows, begin, goal_point, estimate, timed=True)
        if row in before:
            continue
        before[row] = last
        extra = float(cost(row, time))
        if not extra >= 0.0:
            raise RouteError(f"the cost of link {row} is {extra}, but must be 0 or more")
        if np.isinf(extra):
            continue
        area = int(links.target[row])
        spent, time = spent + extra + int(links.time[row]), time + int(links.time[row])
        if area == goal:
            end = 0.0 if goal_point is None else float(walk_time(router.cost[goal], links.end[row], goal_point))
            heappush(queue, (spent + end, -1, spent, time, row))
        if not closed[area]:
            reach(area, links.end[row], spent, time, row)
    raise RouteError(f"there is no route from area {start} to area {goal}")


def _chain(before: dict[int, int], last: int) -> Index:
    """(n,) the links up to the last."""
    rows = []
    while last >= 0:
        rows.append(last)
        last = before[last]
    return np.array(rows[::-1], np.int64)
