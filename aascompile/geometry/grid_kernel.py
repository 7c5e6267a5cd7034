# mypy: ignore-errors
"""Search for the boxes that overlap a box: a uniform grid over the map, whose cells list the boxes that touch them.

All threads share one ``BoxGrid``. Each thread has its own ``BoxQuery``, which holds the result and the stamps that
prevent a box from being reported twice. Results are in ascending order of box number within a cell, and cells are
visited in a fixed order, so results are the same in every run.
"""

import cython
import numpy as np
from cython.cimports.libc.math import floor


class BoxGrid:
    """Boxes ``(n, 6)``, minima and maxima, and the cells they touch."""

    def __init__(self, bounds, cell: cython.double, most_per_axis: cython.int):
        boxes = np.ascontiguousarray(bounds, np.float64).reshape(-1, 6)
        self.bounds = boxes
        n: cython.int = boxes.shape[0]
        low = boxes[:, :3].min(axis=0) if n else np.zeros(3)
        high = boxes[:, 3:].max(axis=0) if n else np.ones(3)
        counts = np.clip(np.ceil((high - low) / cell), 1, most_per_axis).astype(np.intc)
        self.low = np.ascontiguousarray(low)
        self.scale = counts / np.maximum(high - low, cell)
        self.cells = counts
        self._fill(n)

    def _fill(self, n: cython.int):
        """Count and then list the boxes of every cell."""
        boxes = np.asarray(self.bounds)
        most = np.asarray(self.cells) - 1
        low: cython.int[:, ::1] = self._columns(boxes[:, :3], most)
        high: cython.int[:, ::1] = self._columns(boxes[:, 3:], most)
        total: cython.int = self.cells[0] * self.cells[1] * self.cells[2]
        sizes: cython.int[::1] = np.zeros(total + 1, np.intc)
        i: cython.int
        x: cython.int
        y: cython.int
        z: cython.int
        c: cython.int
        run: cython.int
        with cython.nogil:
            for i in range(n):
                for x in range(low[i, 0], high[i, 0] + 1):
                    for y in range(low[i, 1], high[i, 1] + 1):
                        for z in range(low[i, 2], high[i, 2] + 1):
                            sizes[(x * self.cells[1] + y) * self.cells[2] + z + 1] += 1
        start = np.cumsum(sizes, dtype=np.intc)
        self.cell_start = start
        self.cell_item = np.empty(max(int(start[total]), 1), np.intc)
        at: cython.int[::1] = start.copy()
        with cython.nogil:
            for i in range(n):
                for x in range(low[i, 0], high[i, 0] + 1):
                    for y in range(low[i, 1], high[i, 1] + 1):
                        for z in range(low[i, 2], high[i, 2] + 1):
                            c = (x * self.cells[1] + y) * self.cells[2] + z
                            run = at[c]
                            self.cell_item[run] = i
                            at[c] = run + 1

    def _columns(self, corner, most):
        """(n, 3) cell of each corner ``(n, 3)``, clamped to the grid."""
        at = np.floor((corner - np.asarray(self.low)) * np.asarray(self.scale))
        return np.ascontiguousarray(np.clip(at, 0, most), dtype=np.intc)


class BoxQuery:
    """Queries of one thread to a grid."""

    def __init__(self, grid):
        self.bounds = grid.bounds
        self.low = grid.low
        self.scale = grid.scale
        self.cells = grid.cells
        self.cell_start = grid.cell_start
        self.cell_item = grid.cell_item
        n = len(np.asarray(grid.bounds))
        self.stamp = np.zeros(max(n, 1), np.intc)
        self.found = np.empty(max(n, 1), np.intc)
        self.round = 0
        self.count = 0

    def column(self, value, axis):
        """Cell index of a coordinate along an axis, clamped to the grid."""
        at: cython.double = floor((value - self.low[axis]) * self.scale[axis])
        if not at > 0.0:
            return 0
        if at >= self.cells[axis]:
            return self.cells[axis] - 1
        return cython.cast(cython.int, at)

    def overlapping(self, x0, y0, z0, x1, y1, z1):
        """Fill ``found`` with the boxes that touch this box and return their number."""
        self.round += 1
        stamp: cython.int = self.round
        count: cython.int = 0
        x: cython.int
        y: cython.int
        z: cython.int
        c: cython.int
        k: cython.int
        i: cython.int
        first: cython.int = self.column(z0, 2)
        last: cython.int = self.column(z1, 2)
        for x in range(self.column(x0, 0), self.column(x1, 0) + 1):
            for y in range(self.column(y0, 1), self.column(y1, 1) + 1):
                for z in range(first, last + 1):
                    c = (x * self.cells[1] + y) * self.cells[2] + z
                    for k in range(self.cell_start[c], self.cell_start[c + 1]):
                        i = self.cell_item[k]
                        if self.stamp[i] == stamp:
                            continue
                        self.stamp[i] = stamp
                        if (
                            self.bounds[i, 0] <= x1
                            and self.bounds[i, 3] >= x0
                            and self.bounds[i, 1] <= y1
                            and self.bounds[i, 4] >= y0
                            and self.bounds[i, 2] <= z1
                            and self.bounds[i, 5] >= z0
                        ):
                            self.found[count] = i
                            count += 1
        self.count = count
        return count

    def ask(self, box):
        """Boxes that touch ``box (6,)``, ascending."""
        n = self.overlapping(box[0], box[1], box[2], box[3], box[4], box[5])
        return np.sort(np.asarray(self.found)[:n])
