# mypy: ignore-errors
"""Reads routes out of tables, and searches forward from a start. Columns by link are those of search_kernel."""

import cython
import numpy as np
from cython.cimports.aascompile.nav.search_kernel import GoalColumns, RouteSearch
from cython.cimports.libc.math import INFINITY

from aascompile.columns import grown


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def needs(search: RouteSearch, table: GoalColumns, area: cython.int) -> cython.int:
    """A cluster that must be filled before a route from an area is known; −1: none."""
    k: cython.longlong
    for k in range(search.out_start[area], search.out_start[area + 1]):
        if table.filled[search.group[k]] == 0:
            return search.group[k]
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def chain(search: RouteSearch, table: GoalColumns, link: cython.int) -> cython.int:
    """Put a link and those that follow it into ``search.taken``; their number, or −1 − g if cluster g is not filled."""
    n: cython.int = 0
    while link >= 0:
        if table.filled[search.group[link]] == 0:
            return -1 - search.group[link]
        search.taken[n] = link
        n += 1
        link = table.after[link]
    return n


def follow(
    search: RouteSearch, area: cython.int, x: cython.double, y: cython.double, z: cython.double, table: GoalColumns
):
    """Return the rows of the links of the quickest route from a point of an area, and its cost.

    Without a route there are no rows. If cluster g must be filled first, return g and −1.
    """
    n: cython.int = 0
    i: cython.int
    link: cython.int
    cost: cython.double = INFINITY
    need: cython.int
    with cython.nogil:
        search.left = table.left
        need = needs(search, table, area)
        if need < 0:
            link = search.first_of(area, x, y, z)
            if link >= 0:
                cost = table.left[link] + search.walk(area, x, y, z, link)
                n = chain(search, table, link)
                if n < 0:
                    need = -1 - n
    if need >= 0:
        return need, -1.0
    rows: cython.longlong[::1] = np.empty(n, np.int64)
    for i in range(n):
        rows[i] = search.taken[i]
    return rows.base, cost


def follow_many(
    search: RouteSearch,
    tables: list,
    start: cython.longlong[::1],
    row: cython.longlong[::1],
    area: cython.int[::1],
    point: cython.double[:, ::1],
    central: cython.bint,
    goal: cython.int[::1],
    count: cython.int[::1],
    cost: cython.double[::1],
    need: cython.int[::1],
):
    """Return the links of the quickest routes to the goals of ``tables``, route after route.

    The routes to the goal of table t are those of rows ``row[start[t]:start[t + 1]]``: from a point of an area, or if
    they are ``central`` from the middle of it; then ``point`` has the middles of all areas. ``count`` becomes the number
    of links of each, ``cost`` its cost; infinite without a route. If a cluster must be filled first, it is put into
    ``need`` (tables,), and the count is −1. Starts in the goal's area are left to the caller.
    """
    longest: cython.Py_ssize_t = search.taken.shape[0]  # no route takes a link twice
    taken: cython.int[::1] = np.empty(16 * row.shape[0] + longest, np.intc)
    table: GoalColumns
    total: cython.Py_ssize_t = 0
    t: cython.Py_ssize_t
    r: cython.longlong
    i: cython.longlong
    p: cython.longlong
    n: cython.int
    k: cython.int
    link: cython.int
    for t in range(len(tables)):
        table = tables[t]
        with cython.nogil:
            search.left = table.left
            for r in range(start[t], start[t + 1]):
                i = row[r]
                count[i] = 0
                cost[i] = INFINITY
                if area[i] < 0 or area[i] == goal[i]:
                    continue
                if total + longest > taken.shape[0]:
                    with cython.gil:
                        (taken,) = grown(total + longest, taken)
                if central and table.area_first.shape[0] > 0:
                    cost[i] = table.area_left[area[i]]
                    link = table.area_first[area[i]]
                    n = 0
                    while link >= 0:
                        taken[total + n] = link
                        n += 1
                        link = table.after[link]
                    total += n
                    count[i] = n
                    continue
                p = area[i] if central else i
                n = -1 - needs(search, table, area[i])
                if n == 0:
                    link = search.first_of(area[i], point[p, 0], point[p, 1], point[p, 2])
                    if link >= 0:
                        cost[i] = table.left[link] + search.walk(area[i], point[p, 0], point[p, 1], point[p, 2], link)
                        n = chain(search, table, link)
                if n < 0:
                    need[t] = -1 - n
                    count[i] = -1
                    continue
                for k in range(n):
                    taken[total + k] = search.taken[k]
                total += n
                count[i] = n
    return np.asarray(taken)[:total]


def in_order(
    taken: cython.int[::1],
    row: cython.longlong[::1],
    count: cython.int[::1],
    start: cython.longlong[::1],
    link: cython.int[::1],
):
    """Copy the links of routes, which ``taken`` has in the order of ``row``, to where ``start`` says in ``link``."""
    r: cython.Py_ssize_t
    i: cython.longlong
    k: cython.int
    at: cython.Py_ssize_t = 0
    with cython.nogil:
        for r in range(row.shape[0]):
            i = row[r]
            for k in range(count[i]):
                link[start[i] + k] = taken[at + k]
            at += count[i]


def search_from(
    search: RouteSearch,
    area: cython.int,
    point: cython.double[::1],
    gone: cython.double[::1],
    before: cython.int[::1],
):
    """Search the whole map forward from a point of an area.

    ``gone`` is the cost to the start of each link, ``before`` the link taken before it; −1: it leaves that area.
    """
    k: cython.longlong
    link: cython.int
    goal: cython.int
    with cython.nogil:
        search.use(gone, before)
        search.clear(-1)
        for k in range(search.out_start[area], search.out_start[area + 1]):
            if search.allowed[k]:
                search.offer(
                    cython.cast(cython.int, k),
                    search.walk(area, point[0], point[1], point[2], cython.cast(cython.int, k)),
                    -1,
                )
        while search.queue.count > 0:
            link = search.queue.pop()
            goal = search.target[link]
            if search.closed[goal]:
                continue
            for k in range(search.out_start[goal], search.out_start[goal + 1]):
                if search.allowed[k]:
                    search.offer(
                        cython.cast(cython.int, k),
                        gone[link] + search.cross(link, cython.cast(cython.int, k)),
                        link,
                    )
