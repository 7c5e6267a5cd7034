# mypy: ignore-errors
"""Goals of agents: the nearest of them for each agent, with times and directions.

Goals share the walks from an agent to the links that leave its area, so those are measured once for each agent.
"""

import cython
import numpy as np
from cython.cimports.aascompile.nav.search_kernel import Goals, RouteSearch
from cython.cimports.libc.math import INFINITY, sqrt


def goal_rows(
    search: RouteSearch,
    area: cython.int[::1],
    at: cython.double[:, ::1],
    left: cython.double[:, ::1],
    goals: Goals,
    nearest: cython.int,
    no_route: cython.double,
    column: cython.int,
    made: cython.float[:, ::1],
):
    """Fill the columns of ``made`` from ``column`` on: seconds and direction to the nearest of the goals.

    ``left (goals, links)`` is what is left from the start of each link. Of goals that are equally near, the first
    comes first. Without a route, seconds are ``no_route`` and the direction is 0.
    """
    most: cython.longlong = 1
    i: cython.Py_ssize_t
    k: cython.longlong
    first: cython.longlong
    last: cython.longlong
    g: cython.int
    j: cython.int
    c: cython.int
    count: cython.int
    taken: cython.int
    time: cython.double
    cost: cython.double
    dx: cython.double
    dy: cython.double
    dz: cython.double
    length: cython.double
    for i in range(search.out_start.shape[0] - 1):
        most = max(most, search.out_start[i + 1] - search.out_start[i])
    walk: cython.double[::1] = np.empty(most)
    best: cython.double[::1] = np.empty(nearest + 1)
    which: cython.int[::1] = np.empty(nearest + 1, np.intc)
    link: cython.int[::1] = np.empty(nearest + 1, np.intc)
    with cython.nogil:
        for i in range(at.shape[0]):
            if area[i] < 0:
                continue
            first = search.out_start[area[i]]
            last = search.out_start[area[i] + 1]
            for k in range(first, last):
                walk[k - first] = search.walk(area[i], at[i, 0], at[i, 1], at[i, 2], cython.cast(cython.int, k))
            count = 0
            for g in range(goals.area.shape[0]):
                time = INFINITY
                taken = -1
                if goals.area[g] == area[i]:
                    time = search.arrive(area[i], at[i, 0], at[i, 1], at[i, 2], goals, g)
                else:
                    for k in range(first, last):
                        cost = walk[k - first] + left[g, k]
                        if cost < time:
                            time = cost
                            taken = cython.cast(cython.int, k)
                j = count
                while j > 0 and best[j - 1] > time:
                    best[j] = best[j - 1]
                    which[j] = which[j - 1]
                    link[j] = link[j - 1]
                    j -= 1
                best[j] = time
                which[j] = g
                link[j] = taken
                if count < nearest:
                    count += 1
            for j in range(count):
                c = column + 4 * j
                made[i, c] = cython.cast(cython.float, min(0.01 * best[j], no_route))
                if best[j] == INFINITY:
                    continue
                if link[j] >= 0:
                    dx = search.begin[link[j], 0] - at[i, 0]
                    dy = search.begin[link[j], 1] - at[i, 1]
                    dz = search.begin[link[j], 2] - at[i, 2]
                else:
                    dx = goals.point[which[j], 0] - at[i, 0]
                    dy = goals.point[which[j], 1] - at[i, 1]
                    dz = goals.point[which[j], 2] - at[i, 2]
                length = max(sqrt(dx * dx + dy * dy + dz * dz), 1.0)
                made[i, c + 1] = cython.cast(cython.float, dx / length)
                made[i, c + 2] = cython.cast(cython.float, dy / length)
                made[i, c + 3] = cython.cast(cython.float, dz / length)
