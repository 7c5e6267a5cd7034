# mypy: ignore-errors
"""Fills the tables of ``nav.tables``: searches of the whole map, of one cluster, and between portals; and repairs.

``left`` and ``after`` are columns by link, as in search_kernel.
"""

import cython
import numpy as np
from cython.cimports.aascompile.nav.search_kernel import Goals, RouteSearch
from cython.cimports.libc.math import INFINITY


def search_all(search: RouteSearch, goals: Goals, left: cython.double[::1], after: cython.int[::1]):
    """Search the whole map back from all goals."""
    with cython.nogil:
        search.use(left, after)
        search.clear(-1)
        search.aim(goals, -1)
        search.run(-1)


def search_group(
    search: RouteSearch,
    group: cython.int,
    goals: Goals,
    exits: cython.int[::1],
    value: cython.double[::1],
    left: cython.double[::1],
    after: cython.int[::1],
):
    """Search a cluster back from the goals in it, and from ``exits``, links of other clusters.

    ``value`` is what is left from the start of each exit. Only the rows of this cluster change.
    """
    i: cython.Py_ssize_t
    with cython.nogil:
        search.use(left, after)
        search.clear(group)
        search.aim(goals, group)
        for i in range(exits.shape[0]):
            if value[i] < INFINITY:
                search.spread(exits[i], value[i], group)
        search.run(group)


def cross_group(
    search: RouteSearch,
    group: cython.int,
    exits: cython.int[::1],
    entries: cython.int[::1],
    left: cython.double[::1],
    after: cython.int[::1],
    cost: cython.double[:, ::1],
):
    """Fill ``cost`` (exits, entries): from the start of each entry of a cluster to the start of each exit."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    with cython.nogil:
        search.use(left, after)
        for i in range(exits.shape[0]):
            search.clear(group)
            if search.allowed[exits[i]]:
                search.spread(exits[i], 0.0, group)
            search.run(group)
            for k in range(entries.shape[0]):
                cost[i, k] = left[entries[k]]


def solve_portals(
    start: cython.longlong[::1],
    entry: cython.int[::1],
    cost: cython.double[::1],
    value: cython.double[::1],
):
    """Settle ``value`` (entries): what is left from each entry, given what is left inside the goal's clusters.

    The edges of exit e are rows ``start[e]:start[e + 1]``: from entry ``entry[row]`` to the exit it takes ``cost``.
    """
    n: cython.int = cython.cast(cython.int, value.shape[0])
    done: cython.uchar[::1] = np.zeros(max(n, 1), np.uint8)
    best: cython.int
    i: cython.int
    k: cython.longlong
    after: cython.double
    with cython.nogil:
        while True:
            best = -1
            for i in range(n):
                if not done[i] and value[i] < INFINITY and (best < 0 or value[i] < value[best]):
                    best = i
            if best < 0:
                break
            done[best] = 1
            for k in range(start[best], start[best + 1]):
                after = value[best] + cost[k]
                if after < value[entry[k]]:
                    value[entry[k]] = after


def times_from(
    search: RouteSearch,
    area: cython.int[::1],
    point: cython.double[:, ::1],
    left: cython.double[::1],
    goals: Goals,
    time: cython.double[::1],
    link: cython.int[::1],
):
    """Fill ``time`` and the first ``link`` of the routes from points of areas to a single goal; −1 as area: no route."""
    i: cython.Py_ssize_t
    with cython.nogil:
        search.left = left
        for i in range(area.shape[0]):
            time[i] = INFINITY
            link[i] = -1
            if area[i] < 0:
                continue
            if area[i] == goals.area[0]:
                time[i] = search.arrive(area[i], point[i, 0], point[i, 1], point[i, 2], goals, 0)
                continue
            link[i] = search.first_of(area[i], point[i, 0], point[i, 1], point[i, 2])
            if link[i] >= 0:
                time[i] = left[link[i]] + search.walk(area[i], point[i, 0], point[i, 1], point[i, 2], link[i])


def repair(
    search: RouteSearch,
    changed: cython.int[::1],
    goals: Goals,
    left: cython.double[::1],
    after: cython.int[::1],
):
    """Correct ``left`` and ``after`` of a single goal after areas were closed or opened.

    Links whose routes pass a closed area are searched again. Links into an opened area may have become better.
    Return the number of the former.
    """
    n: cython.int = 0
    i: cython.Py_ssize_t
    k: cython.longlong
    link: cython.int
    area: cython.int
    marked: cython.uchar[::1] = np.zeros(max(left.shape[0], 1), np.uint8)
    found: cython.int[::1] = np.empty(max(left.shape[0], 1), np.intc)
    with cython.nogil:
        search.use(left, after)
        for i in range(changed.shape[0]):
            if search.closed[changed[i]]:
                for k in range(search.in_start[changed[i]], search.in_start[changed[i] + 1]):
                    link = search.in_link[k]
                    if after[link] >= 0 and not marked[link]:
                        marked[link] = 1
                        found[n] = link
                        n += 1
        i = 0
        while i < n:  # and what leads to them
            area = search.source[found[i]]
            for k in range(search.in_start[area], search.in_start[area + 1]):
                link = search.in_link[k]
                if after[link] == found[i] and not marked[link]:
                    marked[link] = 1
                    found[n] = link
                    n += 1
            i += 1
        for i in range(n):
            left[found[i]] = INFINITY
            after[found[i]] = -1
        for i in range(n):
            link = found[i]
            area = search.target[link]
            if not search.usable(link, -1):
                continue
            if area == goals.area[0]:
                search.offer(link, search.finish(link, goals, 0), -1)
            if not search.closed[area]:
                for k in range(search.out_start[area], search.out_start[area + 1]):
                    if not marked[k] and left[k] < INFINITY:
                        search.offer(
                            link,
                            left[k] + search.cross(link, cython.cast(cython.int, k)),
                            cython.cast(cython.int, k),
                        )
        for i in range(changed.shape[0]):
            for k in range(search.out_start[changed[i]], search.out_start[changed[i] + 1]):
                if left[k] < INFINITY:
                    search.spread(cython.cast(cython.int, k), left[k], -1)
        search.run(-1)
    return n
