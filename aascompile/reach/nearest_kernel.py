# mypy: ignore-errors
"""The nearest points of two grounds, seen from above: where a player might jump across (thesis §6.4).

Two rims are compared edge by edge in the horizontal plane. Where a range of points is equally near (parallel edges),
the middle of the range is used.
"""

import cython
import numpy as np
from cython.cimports.aascompile.geometry.grid_kernel import BoxQuery
from cython.cimports.libc.math import sqrt

from aascompile.columns import grown
from aascompile.player.flight import highest

# Why no jump is possible; numbers as in player.reason.
TOO_HIGH = cython.declare(cython.int, 6)
TOO_FAR = cython.declare(cython.int, 13)
TOO_DEEP = cython.declare(cython.int, 14)


@cython.final
@cython.cclass
class Nearest:
    """Search of one thread over rims sorted by area."""

    a: cython.double[:, ::1]
    b: cython.double[:, ::1]
    start: cython.longlong[::1]
    bounds: cython.double[:, ::1]
    linked: cython.longlong[::1]
    query: BoxQuery
    rise: cython.double
    fall: cython.double
    gravity: cython.double
    lift: cython.double
    speed: cython.double
    level: cython.double

    found = cython.declare(cython.int, visibility="readonly")
    pair: cython.int[:, ::1]
    point: cython.double[:, ::1]

    s: cython.double
    t: cython.double
    span: cython.double

    lack: cython.double
    least: cython.double
    least_why: cython.int
    square: cython.double
    miss: cython.double[::1]

    def __init__(self, rims, linked, grid, physics, level, speed, lift):
        """``speed`` and ``lift``: horizontal and upward velocity of the fastest jumps."""
        self.a = rims.a
        self.b = rims.b
        self.start = rims.start
        self.bounds = rims.bounds
        self.linked = linked
        self.query = BoxQuery(grid)
        self.rise = highest(lift, physics)
        self.fall = physics.max_jump_fall
        self.gravity = physics.gravity
        self.lift = lift
        self.speed = speed
        self.level = level
        self.found = 0
        self.pair = np.empty((256, 4), np.intc)
        self.point = np.empty((256, 6))
        self.least = np.inf
        self.least_why = 0
        self.miss = np.zeros(6)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def reach(self, drop: cython.double) -> cython.double:
        """Length of a jump at full speed that lands ``drop`` lower; negative if a jump does not get that high."""
        under: cython.double = self.lift * self.lift + 2.0 * self.gravity * drop
        if under < 0.0:
            return -1.0
        return self.speed * (self.lift + sqrt(under)) / self.gravity

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_linked(self, code: cython.longlong) -> cython.bint:
        """Whether a pair of areas has a link already."""
        low: cython.Py_ssize_t = 0
        high: cython.Py_ssize_t = self.linked.shape[0]
        mid: cython.Py_ssize_t
        while low < high:
            mid = (low + high) >> 1
            if self.linked[mid] < code:
                low = mid + 1
            else:
                high = mid
        return low < self.linked.shape[0] and self.linked[low] == code

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def project(self, e: cython.int, x: cython.double, y: cython.double) -> cython.double:
        """Parameter, 0 to 1, of the point of edge e nearest to (x, y)."""
        dx: cython.double = self.b[e, 0] - self.a[e, 0]
        dy: cython.double = self.b[e, 1] - self.a[e, 1]
        square: cython.double = dx * dx + dy * dy
        if square <= 0.0:
            return 0.0
        t: cython.double = ((x - self.a[e, 0]) * dx + (y - self.a[e, 1]) * dy) / square
        return 0.0 if t < 0.0 else (1.0 if t > 1.0 else t)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def away(self, e: cython.int, f: cython.int, s: cython.double, t: cython.double) -> cython.double:
        """Squared horizontal distance between two points of two edges."""
        x: cython.double = (
            self.a[e, 0] + s * (self.b[e, 0] - self.a[e, 0]) - self.a[f, 0] - t * (self.b[f, 0] - self.a[f, 0])
        )
        y: cython.double = (
            self.a[e, 1] + s * (self.b[e, 1] - self.a[e, 1]) - self.a[f, 1] - t * (self.b[f, 1] - self.a[f, 1])
        )
        return x * x + y * y

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def compare(self, e: cython.int, f: cython.int) -> cython.double:
        """Squared least horizontal distance between two edges that do not cross.

        Sets ``s`` and ``t`` to the parameters of the points, and ``span`` to the length of the range of equally near
        points on e.
        """
        best: cython.double = 1e300
        d: cython.double
        s: cython.double
        t: cython.double
        low_s: cython.double = 0.0
        low_t: cython.double = 0.0
        high_s: cython.double = 0.0
        high_t: cython.double = 0.0
        k: cython.int
        for k in range(4):
            if k < 2:
                s = cython.cast(cython.double, k)
                t = self.project(
                    f,
                    self.a[e, 0] + s * (self.b[e, 0] - self.a[e, 0]),
                    self.a[e, 1] + s * (self.b[e, 1] - self.a[e, 1]),
                )
            else:
                t = cython.cast(cython.double, k - 2)
                s = self.project(
                    e,
                    self.a[f, 0] + t * (self.b[f, 0] - self.a[f, 0]),
                    self.a[f, 1] + t * (self.b[f, 1] - self.a[f, 1]),
                )
            d = self.away(e, f, s, t)
            if d < best - self.level:
                best = d
                low_s = high_s = s
                low_t = high_t = t
            elif d < best + self.level:
                if s < low_s:
                    low_s = s
                    low_t = t
                if s > high_s:
                    high_s = s
                    high_t = t
        self.s = 0.5 * (low_s + high_s)
        self.t = 0.5 * (low_t + high_t)
        self.span = (high_s - low_s) * sqrt((self.b[e, 0] - self.a[e, 0]) ** 2 + (self.b[e, 1] - self.a[e, 1]) ** 2)
        return self.away(e, f, self.s, self.t)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def between(self, source: cython.int, target: cython.int) -> cython.void:
        """Record the nearest points of the rims of two areas, if a jump could get across."""
        best: cython.double = 1e300
        best_span: cython.double = 0.0
        best_e: cython.int = -1
        best_f: cython.int = -1
        best_s: cython.double = 0.0
        best_t: cython.double = 0.0
        d: cython.double
        e: cython.int
        f: cython.int
        z: cython.double
        w: cython.double
        why: cython.int
        self.least = 1e300
        for e in range(self.start[source], self.start[source + 1]):
            for f in range(self.start[target], self.start[target + 1]):
                d = self.compare(e, f)
                if d > best + self.level or (d > best - self.level and self.span <= best_span):
                    continue
                z = self.a[e, 2] + self.s * (self.b[e, 2] - self.a[e, 2])
                w = self.a[f, 2] + self.t * (self.b[f, 2] - self.a[f, 2])
                why = self.misfit(d, z, w)
                if why != 0:
                    if self.lack < self.least - self.level or (self.lack < self.least + self.level and d < self.square):
                        self.near_miss(why, d, e, f)
                    continue
                best = d
                best_span = self.span
                best_e = e
                best_f = f
                best_s = self.s
                best_t = self.t
        if best_e < 0:
            return
        if self.found >= self.pair.shape[0]:
            with cython.gil:
                self.pair, self.point = grown(self.found + 1, self.pair, self.point)
        self.pair[self.found, 0] = source
        self.pair[self.found, 1] = target
        self.pair[self.found, 2] = best_e
        self.pair[self.found, 3] = best_f
        k: cython.int
        for k in range(3):
            self.point[self.found, k] = self.a[best_e, k] + best_s * (self.b[best_e, k] - self.a[best_e, k])
            self.point[self.found, 3 + k] = self.a[best_f, k] + best_t * (self.b[best_f, k] - self.a[best_f, k])
        self.found += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def misfit(self, square: cython.double, z: cython.double, w: cython.double) -> cython.int:
        """Why no jump leads from height z to height w at a squared distance; 0 if one may. Sets ``lack``: by how much
        it fails."""
        if w - z > self.rise:
            self.lack = w - z - self.rise
            return TOO_HIGH
        if z - w > self.fall:
            self.lack = z - w - self.fall
            return TOO_DEEP
        self.lack = sqrt(square) - self.reach(z - w)
        return TOO_FAR if self.lack > 0.0 else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def near_miss(self, why: cython.int, square: cython.double, e: cython.int, f: cython.int) -> cython.void:
        """Remember the points that lack the least; of those that lack the same, the nearest."""
        k: cython.int
        self.least = self.lack
        self.least_why = why
        self.square = square
        for k in range(3):
            self.miss[k] = self.a[e, k] + self.s * (self.b[e, k] - self.a[e, k])
            self.miss[3 + k] = self.a[f, k] + self.t * (self.b[f, k] - self.a[f, k])

    def look(self, source: cython.int, target: cython.int):
        """For explanations: why no jump crosses between two grounds (0: one may), by how many units, and the nearest
        points (6,)."""
        before: cython.int = self.found
        self.between(source, target)
        if self.found > before:
            return 0, 0.0, np.asarray(self.point)[before].copy()
        return self.least_why, self.least, np.asarray(self.miss).copy()

    def run(self, area: cython.int[::1], first: cython.int, last: cython.int, areas: cython.longlong):
        """Record the pairs that start in area[first..last−1]. ``area`` lists the areas of these rims and bounds."""
        i: cython.int
        k: cython.int
        j: cython.int
        n: cython.int
        far: cython.double = self.reach(self.fall)
        with cython.nogil:
            for i in range(first, last):
                n = self.query.overlapping(
                    self.bounds[i, 0] - far, self.bounds[i, 1] - far, self.bounds[i, 2] - self.fall,
                    self.bounds[i, 3] + far, self.bounds[i, 4] + far, self.bounds[i, 5] + self.rise,
                )  # fmt: skip
                for k in range(n):
                    j = self.query.found[k]
                    if j == i or self.is_linked(area[i] * areas + area[j]) or not self.near(i, j):
                        continue
                    self.between(i, j)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def near(self, i: cython.int, j: cython.int) -> cython.bint:
        """Whether the boxes of two grounds are within a jump of each other."""
        drop: cython.double = self.bounds[i, 5] - self.bounds[j, 2]
        far: cython.double = self.reach(drop if drop < self.fall else self.fall)
        if far < 0.0:
            return False
        x: cython.double = self.gap(self.bounds[i, 0], self.bounds[i, 3], self.bounds[j, 0], self.bounds[j, 3])
        y: cython.double = self.gap(self.bounds[i, 1], self.bounds[i, 4], self.bounds[j, 1], self.bounds[j, 4])
        return x * x + y * y <= far * far

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def gap(self, a: cython.double, b: cython.double, c: cython.double, d: cython.double) -> cython.double:
        """Distance between two intervals."""
        if c > b:
            return c - b
        if a > d:
            return a - d
        return 0.0

    def result(self):
        """(n, 4) source row, target row, rim of each; (n, 6) the two points."""
        return np.asarray(self.pair)[: self.found].copy(), np.asarray(self.point)[: self.found].copy()


def reasons():
    """Reasons given here, by name: a test compares them with player.reason."""
    return dict(TOO_HIGH=TOO_HIGH, TOO_FAR=TOO_FAR, TOO_DEEP=TOO_DEEP)
