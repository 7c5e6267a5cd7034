# mypy: ignore-errors
"""The convex hull of an outline in plan view, and how deep segments lie inside it.

A floor is plan-convex, within a tolerance, when no segment of its outline is deeper inside the hull than the tolerance.
"""

import cython
import numpy as np
from cython.cimports.libc.math import fabs, sqrt

from aascompile import tolerances
from aascompile.columns import grown

SAME = cython.declare(cython.double, tolerances.SAME_POINT)


class Outline:
    """The hull of points. ``corner`` lists ``corners`` rows of ``point``, counter-clockwise."""

    def __init__(self):
        self.point = np.empty((256, 2))
        self.order = np.empty(256, np.intc)
        self.corner = np.empty(512, np.intc)
        self.begin()

    def begin(self):
        """Start a new outline."""
        self.points = 0
        self.corners = 0
        self.size = 0.0
        self.around = 0.0
        self.extent = 0.0

    def add(self, x, y):
        """Add a point."""
        n: cython.int = self.points
        if n >= self.point.shape[0]:
            with cython.gil:
                self.point, self.order = grown(n + 1, self.point, self.order)
        self.point[n, 0] = x
        self.point[n, 1] = y
        self.points = n + 1

    def before(self, a, b):
        """Whether point a comes before b from left to right, then from bottom to top."""
        if self.point[a, 0] != self.point[b, 0]:
            return self.point[a, 0] < self.point[b, 0]
        return self.point[a, 1] < self.point[b, 1]

    def sift(self, root, end):
        """Restore the heap below a row of ``order``."""
        child: cython.int
        kept: cython.int
        while 2 * root + 1 < end:
            child = 2 * root + 1
            if child + 1 < end and self.before(self.order[child], self.order[child + 1]):
                child += 1
            if not self.before(self.order[root], self.order[child]):
                return
            kept = self.order[root]
            self.order[root] = self.order[child]
            self.order[child] = kept
            root = child

    def sort(self):
        """Fill ``order`` with the points from left to right (heap sort)."""
        i: cython.int
        kept: cython.int
        for i in range(self.points):
            self.order[i] = i
        i = self.points // 2 - 1
        while i >= 0:
            self.sift(i, self.points)
            i -= 1
        i = self.points - 1
        while i > 0:
            kept = self.order[0]
            self.order[0] = self.order[i]
            self.order[i] = kept
            self.sift(0, i)
            i -= 1

    def left_of(self, a, b, c):
        """Above 0 when point c lies to the left of the line from a to b."""
        return (self.point[b, 0] - self.point[a, 0]) * (self.point[c, 1] - self.point[a, 1]) - (
            self.point[b, 1] - self.point[a, 1]
        ) * (self.point[c, 0] - self.point[a, 0])

    def is_passed(self, n, k):
        """Whether the last of n corners is none, on the way from the one before it to point k. If these two lie together,
        they give no direction, and the last is dropped."""
        a: cython.int = self.corner[n - 2]
        b: cython.int = self.corner[n - 1]
        if fabs(self.point[b, 0] - self.point[a, 0]) + fabs(self.point[b, 1] - self.point[a, 1]) <= SAME:
            return True
        return self.left_of(a, b, k) <= 0.0

    def close(self):
        """Compute the hull of what was added, counter-clockwise; its size, its length around, and its longer extent along
        an axis."""
        i: cython.int
        k: cython.int
        n: cython.int
        low: cython.int
        if 2 * self.points + 2 > self.corner.shape[0]:
            with cython.gil:
                (self.corner,) = grown(2 * self.points + 2, self.corner)
        self.sort()
        n = 0
        for i in range(self.points):
            k = self.order[i]
            while n > 1 and self.is_passed(n, k):
                n -= 1
            self.corner[n] = k
            n += 1
        low = n
        i = self.points - 2
        while i >= 0:
            k = self.order[i]
            while n > low and self.is_passed(n, k):
                n -= 1
            self.corner[n] = k
            n += 1
            i -= 1
        self.corners = n - 1 if n > 1 else n
        self.size = 0.0
        self.around = 0.0
        lx: cython.double = 1e300
        ly: cython.double = 1e300
        hx: cython.double = -1e300
        hy: cython.double = -1e300
        for i in range(self.corners):
            k = self.corner[i]
            lx = min(lx, self.point[k, 0])
            ly = min(ly, self.point[k, 1])
            hx = max(hx, self.point[k, 0])
            hy = max(hy, self.point[k, 1])
            low = self.corner[i + 1 if i + 1 < self.corners else 0]
            self.size += 0.5 * (self.point[k, 0] * self.point[low, 1] - self.point[low, 0] * self.point[k, 1])
            self.around += sqrt(
                (self.point[low, 0] - self.point[k, 0]) ** 2 + (self.point[low, 1] - self.point[k, 1]) ** 2
            )
        self.extent = max(hx - lx, hy - ly)

    def depth_at(self, x, y):
        """Units that a point lies inside the hull; below 0 outside."""
        i: cython.int
        k: cython.int
        n: cython.int
        ex: cython.double
        ey: cython.double
        length: cython.double
        d: cython.double
        least: cython.double = 1e300
        for i in range(self.corners):
            k = self.corner[i]
            n = self.corner[i + 1 if i + 1 < self.corners else 0]
            ex = self.point[n, 0] - self.point[k, 0]
            ey = self.point[n, 1] - self.point[k, 1]
            length = sqrt(ex * ex + ey * ey)
            if length <= SAME:
                continue
            d = (ex * (y - self.point[k, 1]) - ey * (x - self.point[k, 0])) / length
            if d < least:
                least = d
        return least

    def depth(self, ax, ay, bx, by):
        """Units that the ends, the middle and the quarters of a segment lie inside the hull, the most of the five.

        Along a segment, depth rises ever less. So a quarter is looked at only if it can be deeper than the others.
        """
        a: cython.double = self.depth_at(ax, ay)
        b: cython.double = self.depth_at(bx, by)
        middle: cython.double = self.depth_at(0.5 * (ax + bx), 0.5 * (ay + by))
        best: cython.double = max(a, b, middle)
        if 2.0 * middle - b > best:
            best = max(best, self.depth_at(0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by))
        if 2.0 * middle - a > best:
            best = max(best, self.depth_at(0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by))
        return best

    # --- from Python ------------------------------------------------------------------------------------------------

    def enclose(self, points: cython.double[:, ::1]):
        """Make the hull of ``points (n, 2)``."""
        i: cython.int
        with cython.nogil:
            self.begin()
            for i in range(points.shape[0]):
                self.add(points[i, 0], points[i, 1])
            self.close()

    def depths(self, points: cython.double[:, ::1]):
        """(n,) units that ``points (n, 2)`` lie inside the hull."""
        found = np.empty(points.shape[0])
        rows: cython.double[::1] = found
        i: cython.int
        with cython.nogil:
            for i in range(points.shape[0]):
                rows[i] = self.depth_at(points[i, 0], points[i, 1])
        return found
