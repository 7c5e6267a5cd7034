# mypy: ignore-errors
"""What stands at a point: all that the volumes round it block and contain.

``model.filling`` says what the fields of ``contains`` are, and which of two counts.
"""

import cython
from cython.cimports.aascompile.geometry.grid_kernel import BoxQuery


@cython.final
@cython.cclass
class PointContents:
    """One thread's worker."""

    normal: cython.double[:, ::1]
    dist: cython.double[::1]
    side_start: cython.longlong[::1]
    side_plane: cython.int[::1]
    vertex_start: cython.longlong[::1]
    blocks: cython.uint[::1]
    contains: cython.longlong[::1]
    query: BoxQuery
    touch: cython.double
    kinds: cython.longlong
    door: cython.longlong
    trigger: cython.longlong
    cost: cython.longlong

    def __init__(self, planes, volumes, grid, touch: cython.double, kinds, door, trigger, cost):
        self.normal = planes.normal
        self.dist = planes.dist
        self.side_start = volumes.side_start
        self.side_plane = volumes.side_plane
        self.vertex_start = volumes.vertex_start
        self.blocks = volumes.blocks
        self.contains = volumes.contains
        self.query = BoxQuery(grid)
        self.touch = touch
        self.kinds = kinds
        self.door = door
        self.trigger = trigger
        self.cost = cost

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def inside(self, v: cython.int, x: cython.double, y: cython.double, z: cython.double) -> cython.bint:
        """Whether a point lies inside a volume or touches it. A player does not fit between two volumes that touch."""
        s: cython.int
        p: cython.int
        for s in range(self.side_start[v], self.side_start[v + 1]):
            if self.vertex_start[s + 1] == self.vertex_start[s]:
                continue
            p = self.side_plane[s]
            if self.normal[p, 0] * x + self.normal[p, 1] * y + self.normal[p, 2] * z > self.dist[p] + self.touch:
                return False
        return True

    def at(
        self,
        point: cython.double[:, ::1],
        first: cython.int,
        last: cython.int,
        blocks: cython.uint[::1],
        contains: cython.longlong[::1],
    ):
        """Fill the answers for the points first..last−1. Kinds add up, of the other fields the higher is kept."""
        i: cython.int
        k: cython.int
        v: cython.int
        n: cython.int
        more: cython.longlong
        with cython.nogil:
            for i in range(first, last):
                blocks[i] = 0
                contains[i] = 0
                n = self.query.overlapping(point[i, 0], point[i, 1], point[i, 2], point[i, 0], point[i, 1], point[i, 2])
                for k in range(n):
                    v = self.query.found[k]
                    if (blocks[i] | self.blocks[v]) == blocks[i] and (contains[i] | self.contains[v]) == contains[i]:
                        continue
                    if self.inside(v, point[i, 0], point[i, 1], point[i, 2]):
                        blocks[i] |= self.blocks[v]
                        more = self.contains[v]
                        contains[i] = (
                            ((contains[i] | more) & self.kinds)
                            | max(contains[i] & self.door, more & self.door)
                            | max(contains[i] & self.trigger, more & self.trigger)
                            | max(contains[i] & self.cost, more & self.cost)
                        )
