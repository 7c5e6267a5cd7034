# mypy: ignore-errors
"""Overlap of two convex shapes: the volume of the hull behind the sides of both."""

import cython

from aascompile.geometry.hull_kernel import Hull

FAR = cython.declare(cython.double, 1e30)  # larger than any distance


class Shapes:
    """Convex shapes as outward-facing sides and as corners, both in CSR."""

    def __init__(self, normal, dist, side_start, corner_start, corner):
        self.normal = normal
        self.dist = dist
        self.side_start = side_start
        self.corner_start = corner_start
        self.corner = corner

    def front(self, i, other, side, sign):
        """Distance of shape i in front of a side of ``other``: of its nearest corner (sign 1) or farthest (sign −1)."""
        nx: cython.double = sign * other.normal[side, 0]
        ny: cython.double = sign * other.normal[side, 1]
        nz: cython.double = sign * other.normal[side, 2]
        least: cython.double = FAR
        at: cython.double
        k: cython.longlong
        for k in range(self.corner_start[i], self.corner_start[i + 1]):
            at = self.corner[k, 0] * nx + self.corner[k, 1] * ny + self.corner[k, 2] * nz
            if at < least:
                least = at
        return sign * least - other.dist[side]

    def apart(self, i, other, j, touch):
        """Whether a side of shape i separates it from shape j of ``other``, except for ``touch`` units."""
        s: cython.longlong
        for s in range(self.side_start[i], self.side_start[i + 1]):
            if other.front(j, self, s, 1.0) > -touch:
                return 1
        return 0

    def sticking(self, i, other, j):
        """Greatest distance of a corner of shape i outside shape j of ``other``; 0 if it is inside."""
        most: cython.double = 0.0
        out: cython.double
        s: cython.longlong
        for s in range(other.side_start[j], other.side_start[j + 1]):
            out = self.front(i, other, s, -1.0)
            if out > most:
                most = out
        return most

    def cut_out(self, i, hull):
        """Clip a hull to the space behind all sides of shape i."""
        s: cython.longlong
        for s in range(self.side_start[i], self.side_start[i + 1]):
            hull.cut(self.normal[s, 0], self.normal[s, 1], self.normal[s, 2], self.dist[s], 0)


def measure(
    hull: Hull,
    old: Shapes,
    new: Shapes,
    pair_old: cython.int[::1],
    pair_new: cython.int[::1],
    touch: cython.double,
    first: cython.int,
    last: cython.int,
    volume: cython.double[::1],
    sticks_out: cython.double[::1],
):
    """Fill the shared volume of the pairs first..last−1, and how far either shape sticks out of the other."""
    k: cython.int
    i: cython.int
    j: cython.int
    with cython.nogil:
        for k in range(first, last):
            i = pair_old[k]
            j = pair_new[k]
            volume[k] = 0.0
            sticks_out[k] = FAR
            if old.apart(i, new, j, touch) or new.apart(j, old, i, touch):
                continue
            hull.start()
            old.cut_out(i, hull)
            new.cut_out(j, hull)
            hull.finish()
            volume[k] = hull.volume
            sticks_out[k] = max(old.sticking(i, new, j), new.sticking(j, old, i))
