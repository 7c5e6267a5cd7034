# mypy: ignore-errors
"""Searches for quickest routes. A node of the search is a link that is about to be taken (see ``nav.tables``).

``left[l]`` is the cost from the start of link l to the goal, ``after[l]`` the link that follows it; −1: l leads into
the goal, or nowhere. All costs are multiples of 1 / SCALE, so sums are exact in any order, and a search of one cluster
after another gives the same numbers as a search of the whole map. Of equally good followers the lowest row counts.
"""

import cython
import numpy as np
from cython.cimports.libc.math import INFINITY, floor, sqrt

SCALE = cython.declare(cython.double, 1048576.0)


def scale():
    """Steps of cost in 1/100 s."""
    return SCALE


@cython.final
@cython.cclass
class RouteSearch:
    """RouteSearch of one thread, on the tables of ``nav.tables.Network`` and ``nav.tables.Terms``."""

    source: cython.int[::1]
    target: cython.int[::1]
    begin: cython.double[:, ::1]
    end: cython.double[:, ::1]
    out_start: cython.longlong[::1]
    in_start: cython.longlong[::1]
    in_link: cython.int[::1]
    group: cython.int[::1]
    group_start: cython.longlong[::1]
    group_link: cython.int[::1]

    time: cython.double[::1]
    unit: cython.double[::1]
    factor: cython.double[::1]
    closed: cython.uchar[::1]
    allowed: cython.uchar[::1]

    heap: cython.int[::1]
    place: cython.int[::1]
    count: cython.int
    left: cython.double[::1]
    after: cython.int[::1]

    def __init__(self, network, terms):
        self.source = network.source
        self.target = network.target
        self.begin = network.begin
        self.end = network.end
        self.out_start = network.out_start
        self.in_start = network.in_start
        self.in_link = network.in_link
        self.group = network.group
        self.group_start = network.group_start
        self.group_link = network.group_link
        self.time = terms.time
        self.unit = terms.unit
        self.factor = terms.factor
        self.closed = terms.closed
        self.allowed = terms.allowed
        n = max(len(network.source), 1)
        self.heap = np.empty(n, np.intc)
        self.place = np.full(n, -1, np.intc)
        self.count = 0
        self.left = np.empty(0)
        self.after = np.empty(0, np.intc)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walk(
        self, area: cython.int, x: cython.double, y: cython.double, z: cython.double, link: cython.int
    ) -> cython.double:
        """Cost to go from a point of an area to the start of a link; at least 1/100 s, as in the engine."""
        dx: cython.double = self.begin[link, 0] - x
        dy: cython.double = self.begin[link, 1] - y
        dz: cython.double = self.begin[link, 2] - z
        cost: cython.double = sqrt(dx * dx + dy * dy + dz * dz) * self.unit[area]
        if cost < 1.0:
            cost = 1.0
        return floor(cost * self.factor[area] * SCALE + 0.5) / SCALE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def cross(self, before: cython.int, link: cython.int) -> cython.double:
        """Cost of a link and of the way from its end to the start of a link that follows it."""
        return self.time[before] + self.walk(
            self.target[before], self.end[before, 0], self.end[before, 1], self.end[before, 2], link
        )

    # --- the queue: a binary heap of links by what is left, the lower row first among equals -------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sooner(self, a: cython.int, b: cython.int) -> cython.bint:
        return self.left[a] < self.left[b] or (self.left[a] == self.left[b] and a < b)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def push(self, link: cython.int) -> cython.void:
        """Put a link into the queue, or move it up because less is left than before."""
        i: cython.int = self.place[link]
        up: cython.int
        if i < 0:
            i = self.count
            self.count += 1
        while i > 0:
            up = (i - 1) >> 1
            if not self.sooner(link, self.heap[up]):
                break
            self.heap[i] = self.heap[up]
            self.place[self.heap[i]] = i
            i = up
        self.heap[i] = link
        self.place[link] = i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pop(self) -> cython.int:
        """Take the link with least left out of the queue."""
        first: cython.int = self.heap[0]
        link: cython.int
        i: cython.int = 0
        down: cython.int
        self.place[first] = -1
        self.count -= 1
        if self.count == 0:
            return first
        link = self.heap[self.count]
        while True:
            down = 2 * i + 1
            if down >= self.count:
                break
            if down + 1 < self.count and self.sooner(self.heap[down + 1], self.heap[down]):
                down += 1
            if not self.sooner(self.heap[down], link):
                break
            self.heap[i] = self.heap[down]
            self.place[self.heap[i]] = i
            i = down
        self.heap[i] = link
        self.place[link] = i
        return first

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def offer(self, link: cython.int, cost: cython.double, follower: cython.int) -> cython.void:
        """Use a follower of a link if it is better than the known one, or as good and of a lower row."""
        if cost < self.left[link]:
            self.left[link] = cost
            self.after[link] = follower
            self.push(link)
        elif cost == self.left[link] and follower < self.after[link]:
            self.after[link] = follower

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def enter(self, link: cython.int, follower: cython.int, cost: cython.double, group: cython.int) -> cython.bint:
        """Offer a follower, with what is left from its start, to a link; false if the link may not be used for it."""
        if self.allowed[link] == 0 or (group >= 0 and self.group[link] != group):
            return False
        self.offer(link, cost + self.cross(link, follower), follower)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def spread(self, link: cython.int, cost: cython.double, group: cython.int) -> cython.void:
        """Offer a link to all links that lead to it: to those of a cluster, or to all if ``group`` is −1."""
        k: cython.longlong
        area: cython.int = self.source[link]
        if self.closed[area]:
            return
        for k in range(self.in_start[area], self.in_start[area + 1]):
            self.enter(self.in_link[k], link, cost, group)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run(self, group: cython.int) -> cython.void:
        """Empty the queue."""
        link: cython.int
        while self.count > 0:
            link = self.pop()
            self.spread(link, self.left[link], group)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def clear(self, group: cython.int) -> cython.void:
        """Forget what is left from the links of a cluster, or from all."""
        k: cython.longlong
        if group < 0:
            for k in range(self.left.shape[0]):
                self.left[k] = INFINITY
                self.after[k] = -1
            return
        for k in range(self.group_start[group], self.group_start[group + 1]):
            self.left[self.group_link[k]] = INFINITY
            self.after[self.group_link[k]] = -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def aim(
        self, goal: cython.int, has_point: cython.bint, point: cython.double[::1], group: cython.int
    ) -> cython.void:
        """Offer the goal to all links that lead into it."""
        k: cython.longlong
        link: cython.int
        for k in range(self.in_start[goal], self.in_start[goal + 1]):
            link = self.in_link[k]
            if self.allowed[link] == 0 or (group >= 0 and self.group[link] != group):
                continue
            self.offer(link, self.time[link] + self.goal_walk(link, has_point, point), -1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def goal_walk(self, link: cython.int, has_point: cython.bint, point: cython.double[::1]) -> cython.double:
        """Cost to go from the end of a link into the goal to the goal's point, if it has one."""
        if not has_point:
            return 0.0
        return self.arrive(self.target[link], self.end[link, 0], self.end[link, 1], self.end[link, 2], point)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def arrive(
        self, area: cython.int, x: cython.double, y: cython.double, z: cython.double, point: cython.double[::1]
    ) -> cython.double:
        """Cost to go from one point of an area to another."""
        dx: cython.double = point[0] - x
        dy: cython.double = point[1] - y
        dz: cython.double = point[2] - z
        cost: cython.double = sqrt(dx * dx + dy * dy + dz * dz) * self.unit[area]
        if cost < 1.0:
            cost = 1.0
        return floor(cost * self.factor[area] * SCALE + 0.5) / SCALE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def first_of(self, area: cython.int, x: cython.double, y: cython.double, z: cython.double) -> cython.int:
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


def search_all(
    search: RouteSearch,
    goal: cython.int[::1],
    point: cython.double[:, ::1],
    has_point: cython.bint,
    left: cython.double[::1],
    after: cython.int[::1],
):
    """RouteSearch the whole map back from one or several goals, each an area or, if ``has_point``, a point of it."""
    i: cython.Py_ssize_t
    search.left = left
    search.after = after
    with cython.nogil:
        search.clear(-1)
        for i in range(goal.shape[0]):
            search.aim(goal[i], has_point, point[i], -1)
        search.run(-1)


def search_group(
    search: RouteSearch,
    group: cython.int,
    goal: cython.int,
    point: cython.double[::1],
    has_point: cython.bint,
    exits: cython.int[::1],
    value: cython.double[::1],
    left: cython.double[::1],
    after: cython.int[::1],
):
    """RouteSearch a cluster back from the goal, if that is in it, and from ``exits``, links of other clusters.

    ``value`` is what is left from the start of each exit. Only the rows of this cluster change.
    """
    i: cython.Py_ssize_t
    search.left = left
    search.after = after
    with cython.nogil:
        search.clear(group)
        if goal >= 0:
            search.aim(goal, has_point, point, group)
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
    search.left = left
    search.after = after
    with cython.nogil:
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


def times_from(
    search: RouteSearch,
    area: cython.int[::1],
    point: cython.double[:, ::1],
    left: cython.double[::1],
    goal: cython.int,
    goal_point: cython.double[::1],
    has_point: cython.bint,
    time: cython.double[::1],
    link: cython.int[::1],
):
    """Fill ``time`` and the first ``link`` of the routes from points of areas to the goal; −1 as area: no route."""
    i: cython.Py_ssize_t
    search.left = left
    with cython.nogil:
        for i in range(area.shape[0]):
            time[i] = INFINITY
            link[i] = -1
            if area[i] < 0:
                continue
            if area[i] == goal:
                time[i] = 0.0
                if has_point:
                    time[i] = search.arrive(goal, point[i, 0], point[i, 1], point[i, 2], goal_point)
                continue
            link[i] = search.first_of(area[i], point[i, 0], point[i, 1], point[i, 2])
            if link[i] >= 0:
                time[i] = left[link[i]] + search.walk(area[i], point[i, 0], point[i, 1], point[i, 2], link[i])


def search_from(
    search: RouteSearch,
    area: cython.int,
    point: cython.double[::1],
    gone: cython.double[::1],
    before: cython.int[::1],
):
    """RouteSearch the whole map forward from a point: ``gone`` is the cost to the start of each link, ``before`` the link
    taken before it; −1: it leaves the area of the point."""
    k: cython.longlong
    link: cython.int
    goal: cython.int
    search.left = gone
    search.after = before
    with cython.nogil:
        search.clear(-1)
        for k in range(search.out_start[area], search.out_start[area + 1]):
            if search.allowed[k]:
                search.offer(
                    cython.cast(cython.int, k),
                    search.walk(area, point[0], point[1], point[2], cython.cast(cython.int, k)),
                    -1,
                )
        while search.count > 0:
            link = search.pop()
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


def repair(
    search: RouteSearch,
    changed: cython.int[::1],
    goal: cython.int,
    point: cython.double[::1],
    has_point: cython.bint,
    left: cython.double[::1],
    after: cython.int[::1],
):
    """Correct ``left`` and ``after`` of a goal after areas were closed or opened.

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
    search.left = left
    search.after = after
    with cython.nogil:
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
            if area == goal:
                search.offer(link, search.time[link] + search.goal_walk(link, has_point, point), -1)
            if not search.closed[area]:
                for k in range(search.out_start[area], search.out_start[area + 1]):
                    if not marked[k] and left[k] < INFINITY:
                        search.enter(link, cython.cast(cython.int, k), left[k], -1)
        for i in range(changed.shape[0]):
            for k in range(search.out_start[changed[i]], search.out_start[changed[i] + 1]):
                if left[k] < INFINITY:
                    search.spread(cython.cast(cython.int, k), left[k], -1)
        search.run(-1)
    return n


def field_rows(
    search: RouteSearch,
    area: cython.int[::1],
    point: cython.double[:, ::1],
    left: cython.double[::1],
    via: cython.int[::1],
    goal_area: cython.int[::1],
    goal_row: cython.int[::1],
    goal_point: cython.double[:, ::1],
    has_point: cython.bint,
    begun: cython.double,
    first: cython.int,
    last: cython.int,
    time: cython.double[::1],
    direction: cython.double[:, ::1],
    link: cython.int[::1],
    goal: cython.int[::1],
):
    """Fill time, direction, link and goal for the points first..last−1 of a field.

    ``goal_area`` is sorted, and ``goal_row`` the goal of each of its rows. ``via`` is the goal of each link's route.
    Within ``begun`` of the start of a link, the direction is that to its end.
    """
    i: cython.int
    k: cython.int
    low: cython.int
    high: cython.int
    mid: cython.int
    n: cython.int = cython.cast(cython.int, goal_area.shape[0])
    cost: cython.double
    x: cython.double
    y: cython.double
    z: cython.double
    far: cython.double
    search.left = left
    with cython.nogil:
        for i in range(first, last):
            time[i] = INFINITY
            link[i] = -1
            goal[i] = -1
            direction[i, 0] = direction[i, 1] = direction[i, 2] = 0.0
            if area[i] < 0:
                continue
            x = y = z = 0.0
            low = 0
            high = n
            while low < high:
                mid = (low + high) >> 1
                if goal_area[mid] < area[i]:
                    low = mid + 1
                else:
                    high = mid
            while low < n and goal_area[low] == area[i]:
                k = goal_row[low]
                cost = 0.0
                if has_point:
                    cost = search.arrive(area[i], point[i, 0], point[i, 1], point[i, 2], goal_point[k])
                if cost < time[i]:
                    time[i] = cost
                    goal[i] = k
                    if has_point:
                        x = goal_point[k, 0] - point[i, 0]
                        y = goal_point[k, 1] - point[i, 1]
                        z = goal_point[k, 2] - point[i, 2]
                low += 1
            k = search.first_of(area[i], point[i, 0], point[i, 1], point[i, 2]) if goal[i] < 0 else -1
            if k >= 0:
                time[i] = left[k] + search.walk(area[i], point[i, 0], point[i, 1], point[i, 2], k)
                link[i] = k
                goal[i] = via[k]
                x = search.begin[k, 0] - point[i, 0]
                y = search.begin[k, 1] - point[i, 1]
                z = search.begin[k, 2] - point[i, 2]
                if x * x + y * y + z * z < begun * begun:
                    x = search.end[k, 0] - point[i, 0]
                    y = search.end[k, 1] - point[i, 1]
                    z = search.end[k, 2] - point[i, 2]
            far = sqrt(x * x + y * y + z * z)
            if far > 0.0:
                direction[i, 0] = x / far
                direction[i, 1] = y / far
                direction[i, 2] = z / far
