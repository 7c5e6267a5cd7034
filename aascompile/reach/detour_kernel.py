# mypy: ignore-errors
"""Which jumps are worth keeping: a jump that takes longer than the detour on foot would never be used.

From each area Dijkstra's algorithm runs over the links found so far, up to the time of the slowest of its jumps.
Between the end of one link and the start of the next the player walks. The point where an area is first entered stands
for all.
"""

import cython
import numpy as np
from cython.cimports.aascompile.graph.queue_kernel import NodeQueue
from cython.cimports.libc.math import sqrt


@cython.final
@cython.cclass
class Detours:
    """Searches of one thread over links sorted by source."""

    start: cython.longlong[::1]
    target: cython.int[::1]
    time: cython.double[::1]
    begin: cython.double[:, ::1]
    end: cython.double[:, ::1]
    pace: cython.double

    cost: cython.double[::1]
    via: cython.int[::1]
    touched: cython.int[::1]
    touches: cython.int
    queue: NodeQueue

    def __init__(self, areas, start, target, time, begin, end, pace):
        self.start = start
        self.target = target
        self.time = time
        self.begin = begin
        self.end = end
        self.pace = pace
        self.cost = np.full(max(areas, 1), np.inf)
        self.via = np.full(max(areas, 1), -1, np.intc)
        self.touched = np.empty(max(areas, 1), np.intc)
        self.touches = 0
        self.queue = NodeQueue(areas)
        self.queue.key = self.cost

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walk(
        self, x: cython.double, y: cython.double, z: cython.double, to: cython.double[:, ::1], row: cython.int
    ) -> cython.double:
        """Time on foot from a point to a row of points."""
        dx: cython.double = to[row, 0] - x
        dy: cython.double = to[row, 1] - y
        dz: cython.double = to[row, 2] - z
        return self.pace * sqrt(dx * dx + dy * dy + dz * dz)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def flood(
        self, area: cython.int, x: cython.double, y: cython.double, z: cython.double, most: cython.double
    ) -> cython.void:
        """Compute the times to all areas within ``most`` of a point."""
        i: cython.int
        for i in range(self.touches):
            self.cost[self.touched[i]] = 1e300
        self.touched[0] = area
        self.touches = 1
        self.cost[area] = 0.0
        self.via[area] = -1
        self.queue.push(area)
        k: cython.int
        t: cython.int
        c: cython.double
        px: cython.double
        py: cython.double
        pz: cython.double
        while self.queue.count > 0:
            i = self.queue.pop()
            px = x if self.via[i] < 0 else self.end[self.via[i], 0]
            py = y if self.via[i] < 0 else self.end[self.via[i], 1]
            pz = z if self.via[i] < 0 else self.end[self.via[i], 2]
            for k in range(self.start[i], self.start[i + 1]):
                t = self.target[k]
                c = self.cost[i] + self.walk(px, py, pz, self.begin, k) + self.time[k]
                if c > most or c >= self.cost[t]:
                    continue
                if self.cost[t] >= 1e300:
                    self.touched[self.touches] = t
                    self.touches += 1
                self.cost[t] = c
                self.via[t] = k
                self.queue.push(t)

    def worth(
        self,
        source: cython.int[::1],
        goal: cython.int[::1],
        leave: cython.double[:, ::1],
        land: cython.double[:, ::1],
        jump: cython.double[::1],
        first: cython.int,
        last: cython.int,
        out: cython.char[::1],
    ):
        """Set ``out`` for the jumps first..last−1 (sorted by source): whether each is quicker than the detour."""
        i: cython.int = first
        k: cython.int
        end: cython.int
        most: cython.double
        v: cython.int
        round_: cython.double
        with cython.nogil:
            self.reset()
            while i < last:
                end = i
                most = 0.0
                while end < last and source[end] == source[i]:
                    if jump[end] > most:
                        most = jump[end]
                    end += 1
                self.flood(source[i], leave[i, 0], leave[i, 1], leave[i, 2], most)
                for k in range(i, end):
                    out[k] = 1
                    if self.cost[goal[k]] < 1e300:
                        v = self.via[goal[k]]
                        round_ = self.cost[goal[k]] + self.walk(self.end[v, 0], self.end[v, 1], self.end[v, 2], land, k)
                        if round_ <= jump[k]:
                            out[k] = 0
                i = end

    def times(self, area: cython.int, point, most: cython.double):
        """From a point (3,) in an area: (k,) areas reached in less than ``most``, (k,) times, (k, 3) entry points."""
        x: cython.double = point[0]
        y: cython.double = point[1]
        z: cython.double = point[2]
        with cython.nogil:
            self.reset()
            self.flood(area, x, y, z, most)
        areas = np.asarray(self.touched)[: self.touches].copy()
        via = np.asarray(self.via)[areas]
        place = np.tile(np.asarray(point, float), (len(areas), 1))
        place[via >= 0] = np.asarray(self.end)[via[via >= 0]]
        return areas, np.asarray(self.cost)[areas], place

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def reset(self) -> cython.void:
        """Forget all times."""
        i: cython.int
        for i in range(self.cost.shape[0]):
            self.cost[i] = 1e300
        self.touches = 0
