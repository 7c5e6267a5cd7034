# mypy: ignore-errors
"""Looks up a field (``nav.fields``) at points: the nearest goal, the time to it, and where to go."""

import cython
from cython.cimports.aascompile.nav.search_kernel import Goals, RouteSearch
from cython.cimports.libc.math import INFINITY, sqrt


@cython.final
@cython.cclass
class FieldRows:
    """A field, and its values at points.

    goals      sorted by area; ``goal_row`` is the number of each.
    left, via  by link: what is left to the goal, and which goal that is.
    begun      within so many units of the start of a link, the direction is that to its end.
    time, direction, link, goal   by point: the columns of ``found``, a ``nav.fields.FieldAt``.
    """

    goals: Goals
    goal_row: cython.int[::1]
    left: cython.double[::1]
    via: cython.int[::1]
    begun: cython.double
    time: cython.double[::1]
    direction: cython.double[:, ::1]
    link: cython.int[::1]
    goal: cython.int[::1]

    def __init__(self, goals: Goals, goal_row, left, via, begun: cython.double, found):
        self.goals = goals
        self.goal_row = goal_row
        self.left = left
        self.via = via
        self.begun = begun
        self.time = found.time
        self.direction = found.direction
        self.link = found.link
        self.goal = found.goal

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def first_goal(self, area: cython.int) -> cython.int:
        """The first goal whose area is not below this one."""
        low: cython.int = 0
        high: cython.int = cython.cast(cython.int, self.goals.area.shape[0])
        mid: cython.int
        while low < high:
            mid = (low + high) >> 1
            if self.goals.area[mid] < area:
                low = mid + 1
            else:
                high = mid
        return low

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def aim(self, i: cython.int, x: cython.double, y: cython.double, z: cython.double) -> cython.void:
        """Set a point's direction to that of a vector; to 0 if the vector is 0."""
        far: cython.double = sqrt(x * x + y * y + z * z)
        if far > 0.0:
            self.direction[i, 0] = x / far
            self.direction[i, 1] = y / far
            self.direction[i, 2] = z / far
        else:
            self.direction[i, 0] = self.direction[i, 1] = self.direction[i, 2] = 0.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look_up_goal(
        self, search: RouteSearch, i: cython.int, area: cython.int, x: cython.double, y: cython.double, z: cython.double
    ) -> cython.bint:
        """Look up a point in the area of goals: the nearest of them; False if there is none in its area."""
        best: cython.int = -1
        cost: cython.double
        k: cython.int = self.first_goal(area)
        while k < self.goals.area.shape[0] and self.goals.area[k] == area:
            cost = search.arrive(area, x, y, z, self.goals, k)
            if cost < self.time[i]:
                self.time[i] = cost
                best = k
            k += 1
        if best < 0:
            return False
        self.goal[i] = self.goal_row[best]
        if self.goals.exact:
            self.aim(i, self.goals.point[best, 0] - x, self.goals.point[best, 1] - y, self.goals.point[best, 2] - z)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look_up_link(
        self, search: RouteSearch, i: cython.int, area: cython.int, x: cython.double, y: cython.double, z: cython.double
    ) -> cython.void:
        """Look up a point in any other area: the link to take."""
        k: cython.int = search.first_of(area, x, y, z)
        if k < 0:
            return
        self.time[i] = self.left[k] + search.walk(area, x, y, z, k)
        self.link[i] = k
        self.goal[i] = self.via[k]
        dx: cython.double = search.begin[k, 0] - x
        dy: cython.double = search.begin[k, 1] - y
        dz: cython.double = search.begin[k, 2] - z
        if dx * dx + dy * dy + dz * dz < self.begun * self.begun:
            dx = search.end[k, 0] - x
            dy = search.end[k, 1] - y
            dz = search.end[k, 2] - z
        self.aim(i, dx, dy, dz)

    def fill(
        self,
        search: RouteSearch,
        area: cython.int[::1],
        point: cython.double[:, ::1],
        first: cython.int,
        last: cython.int,
    ):
        """Look up the points first..last−1."""
        i: cython.int
        with cython.nogil:
            search.left = self.left
            for i in range(first, last):
                self.time[i] = INFINITY
                self.link[i] = -1
                self.goal[i] = -1
                self.aim(i, 0.0, 0.0, 0.0)
                if area[i] >= 0 and not self.look_up_goal(search, i, area[i], point[i, 0], point[i, 1], point[i, 2]):
                    self.look_up_link(search, i, area[i], point[i, 0], point[i, 1], point[i, 2])
