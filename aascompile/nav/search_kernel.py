# mypy: ignore-errors
"""Searches for quickest routes. A node of the search is a link that is about to be taken (see ``nav.tables``).

``left[l]`` is the cost from the start of link l to the goal, ``after[l]`` the link that follows it; −1: l leads into
the goal, or nowhere. All costs are multiples of 1 / SCALE, so sums are exact in any order, and a search of one cluster
after another gives the same numbers as a search of the whole map. Of equally good followers the lowest row counts.
"""

import cython
import numpy as np
from cython.cimports.aascompile.graph.queue_kernel import NodeQueue
from cython.cimports.libc.math import INFINITY, floor, sqrt

SCALE = cython.declare(cython.double, 1048576.0)


def scale():
    """Steps of cost in 1/100 s."""
    return SCALE


class Goals:
    """Where routes lead: to areas (n,) or, if ``exact``, to points (n, 3) in them."""

    def __init__(self, area, point, exact):
        self.area = area
        self.point = point
        self.exact = exact


class GoalColumns:
    """What is left to a goal: ``left`` and ``after`` by link, and ``filled`` (clusters,): whether their rows are valid.

    ``area_left`` (areas,) is what is left from the middle of each area, ``area_first`` the link to take from there. If
    they are not empty, all clusters are filled.
    """

    def __init__(self, left, after, filled, area_left, area_first):
        self.left = left
        self.after = after
        self.filled = filled
        self.area_left = area_left
        self.area_first = area_first


class RouteSearch:
    """The search of one thread, on a ``nav.tables.Network`` under ``nav.tables.Terms``."""

    def __init__(self, network, terms):
        self.source = network.source
        self.target = network.target
        self.begin = network.begin
        self.end = network.end
        self.out_start = network.out_start
        self.in_start = network.in_start
        self.in_link = network.in_link
        self.pair_start = network.pair_start
        self.group = network.group
        self.group_start = network.group_start
        self.group_link = network.group_link
        self.time = terms.time
        self.onward = terms.onward
        self.unit = terms.unit
        self.factor = terms.factor
        self.closed = terms.closed
        self.allowed = terms.allowed
        self.queue = NodeQueue(len(network.source))
        self.taken = np.empty(max(len(network.source), 1), np.intc)
        self.left = np.empty(0)
        self.after = np.empty(0, np.intc)

    def use(self, left, after):
        """Work on these columns, which are the caller's."""
        self.left = left
        self.after = after
        self.queue.key = left

    def clear(self, group):
        """Forget what is left from the links of a cluster, or from all if ``group`` is −1."""
        k: cython.longlong
        if group < 0:
            for k in range(self.left.shape[0]):
                self.left[k] = INFINITY
                self.after[k] = -1
            return
        for k in range(self.group_start[group], self.group_start[group + 1]):
            self.left[self.group_link[k]] = INFINITY
            self.after[self.group_link[k]] = -1

    # --- costs --------------------------------------------------------------------------------------------------------

    def stretch(self, area, dx, dy, dz):
        """Cost to go by a vector inside an area; at least 1/100 s, as in the engine."""
        cost: cython.double = sqrt(dx * dx + dy * dy + dz * dz) * self.unit[area]
        if cost < 1.0:
            cost = 1.0
        return floor(cost * self.factor[area] * SCALE + 0.5) / SCALE

    def walk(self, area, x, y, z, link):
        """Cost to go from a point of an area to the start of a link."""
        return self.stretch(area, self.begin[link, 0] - x, self.begin[link, 1] - y, self.begin[link, 2] - z)

    def arrive(self, area, x, y, z, goals, row):
        """Cost to go from a point of a goal's area to the goal."""
        if not goals.exact:
            return 0.0
        return self.stretch(area, goals.point[row, 0] - x, goals.point[row, 1] - y, goals.point[row, 2] - z)

    def cross(self, before, link):
        """Cost of a link, and of going from its end to the start of a link that follows it."""
        return self.time[before] + self.walk(
            self.target[before], self.end[before, 0], self.end[before, 1], self.end[before, 2], link
        )

    def finish(self, link, goals, row):
        """Cost of a link into a goal's area, and of going from its end to the goal."""
        return self.time[link] + self.arrive(
            self.target[link], self.end[link, 0], self.end[link, 1], self.end[link, 2], goals, row
        )

    # --- searching ----------------------------------------------------------------------------------------------------

    def usable(self, link, group):
        """Whether routes inside a cluster, or anywhere if ``group`` is −1, may use a link."""
        return self.allowed[link] != 0 and (group < 0 or self.group[link] == group)

    def offer(self, link, cost, follower):
        """Use a follower of a link if it is better than the known one, or as good and of a lower row."""
        if cost < self.left[link]:
            self.left[link] = cost
            self.after[link] = follower
            self.queue.push(link)
        elif cost == self.left[link] and follower < self.after[link]:
            self.after[link] = follower

    def aim(self, goals, group):
        """Offer each goal to the usable links that lead into its area."""
        row: cython.int
        area: cython.int
        k: cython.longlong
        for row in range(goals.area.shape[0]):
            area = goals.area[row]
            for k in range(self.in_start[area], self.in_start[area + 1]):
                if self.usable(self.in_link[k], group):
                    self.offer(self.in_link[k], self.finish(self.in_link[k], goals, row), -1)

    def spread(self, link, cost, group):
        """Offer a link, from whose start ``cost`` is left, to the usable links that lead to it."""
        k: cython.longlong
        area: cython.int = self.source[link]
        row: cython.longlong = self.pair_start[link] - self.in_start[area]
        if self.closed[area]:
            return
        for k in range(self.in_start[area], self.in_start[area + 1]):
            if self.usable(self.in_link[k], group):
                self.offer(self.in_link[k], cost + self.onward[row + k], link)

    def run(self, group):
        """Search until the queue is empty."""
        link: cython.int
        while self.queue.count > 0:
            link = self.queue.pop()
            self.spread(link, self.left[link], group)

    def first_of(self, area, x, y, z):
        """The best link to take from a point of an area, the lowest row of equals; −1 if no route leads on."""
        k: cython.longlong
        best: cython.double = INFINITY
        cost: cython.double
        found: cython.int = -1
        for k in range(self.out_start[area], self.out_start[area + 1]):
            if self.left[k] < INFINITY:
                cost = self.walk(area, x, y, z, cython.cast(cython.int, k)) + self.left[k]
                if cost < best:
                    best = cost
                    found = cython.cast(cython.int, k)
        return found
