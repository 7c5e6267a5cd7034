# mypy: ignore-errors
"""Reads routes out of tables, and searches forward from a start. Columns by link are those of search_kernel."""

import cython
import numpy as np
from cython.cimports.aascompile.nav.search_kernel import RouteSearch
from cython.cimports.libc.math import INFINITY

from aascompile.columns import grown


def follow(
    search: RouteSearch,
    area: cython.int,
    point: cython.double[::1],
    left: cython.double[::1],
    after: cython.int[::1],
    filled: cython.uchar[::1],
    taken: cython.longlong[::1],
    cost: cython.double[::1],
):
    """Fill ``taken`` with the links of the quickest route from a point of an area, and ``cost`` with its cost.

    Return their number, or −1 − g if cluster g must be filled first. 0: there is no route.
    """
    n: cython.int = 0
    link: cython.int
    k: cython.longlong
    need: cython.int = -1
    search.left = left
    with cython.nogil:
        for k in range(search.out_start[area], search.out_start[area + 1]):
            if filled[search.group[k]] == 0:
                need = search.group[k]
        link = search.first_of(area, point[0], point[1], point[2]) if need < 0 else -1
        if link >= 0:
            cost[0] = left[link] + search.walk(area, point[0], point[1], point[2], link)
        while link >= 0:
            if filled[search.group[link]] == 0:
                need = search.group[link]
                break
            taken[n] = link
            n += 1
            link = after[link]
    return n if need < 0 else -1 - need


def follow_many(
    search: RouteSearch,
    area: cython.int[::1],
    point: cython.double[:, ::1],
    left: cython.double[::1],
    after: cython.int[::1],
    goal: cython.int,
    count: cython.longlong[::1],
    cost: cython.double[::1],
):
    """Return the links of the quickest routes from points of areas to a single goal, whose table is filled.

    ``count`` becomes the number of links of each route, ``cost`` its cost: infinite without a route. Starts in the
    goal's area are left to the caller.
    """
    taken: cython.int[::1] = np.empty(16 * area.shape[0] + 64, np.intc)
    total: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    link: cython.int
    with cython.nogil:
        search.left = left
        for i in range(area.shape[0]):
            count[i] = 0
            cost[i] = INFINITY
            if area[i] < 0 or area[i] == goal:
                continue
            link = search.first_of(area[i], point[i, 0], point[i, 1], point[i, 2])
            if link >= 0:
                cost[i] = left[link] + search.walk(area[i], point[i, 0], point[i, 1], point[i, 2], link)
            while link >= 0:
                if total == taken.shape[0]:
                    with cython.gil:
                        (taken,) = grown(total + 1, taken)
                taken[total] = link
                total += 1
                count[i] += 1
                link = after[link]
    return np.asarray(taken)[:total]


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
