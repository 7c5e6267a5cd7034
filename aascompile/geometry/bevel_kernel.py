# mypy: ignore-errors
"""Bevels: extra planes of a brush, so that moving all its planes out by a box gives the exact Minkowski sum.

Thesis §6.2, figures 6.5 to 6.7. The sum of a brush and an axial box has three kinds of faces: those of the brush, those
of the box (the six axial planes), and those spanned by an edge of the brush and an edge of the box. The third kind are
the planes parallel to an edge and an axis that have the whole brush behind them.
A bevel goes through the outermost corner in its direction rather than through its edge, so it never cuts the brush.
"""

import cython
import numpy as np
from cython.cimports.libc.math import fabs, sqrt

from aascompile.columns import grown
from aascompile.geometry.planes_kernel import PlaneStore

FLAT = cython.declare(cython.int, 4)  # as in hull_kernel


class Beveller:
    """Sides of brushes as growable columns, in brush order. A brush's own sides come first, then its bevels."""

    def __init__(self, planes, behind, parallel, axial):
        self.planes = planes
        self.behind = behind
        self.parallel = parallel
        self.axial = axial
        self.plane = np.empty(256, np.intc)
        self.source = np.empty(256, np.intc)
        self.bevel = np.empty(256, np.int8)
        self.count = 0
        self.x = np.empty(64)
        self.y = np.empty(64)
        self.z = np.empty(64)
        self.corners = 0
        self.stamp = np.zeros(256, np.intc)  # of each plane: the brush that has it, counted from 1
        self.brush = 0

    def push(self, plane, source, bevel):
        """Append a side, unless the brush already has its plane."""
        if plane >= self.stamp.shape[0]:
            with cython.gil:
                (self.stamp,) = grown(plane + 1, self.stamp)
        if self.stamp[plane] == self.brush:
            return
        self.stamp[plane] = self.brush
        if self.count == self.plane.shape[0]:
            with cython.gil:
                self.plane, self.source, self.bevel = grown(self.count + 1, self.plane, self.source, self.bevel)
        self.plane[self.count] = plane
        self.source[self.count] = source
        self.bevel[self.count] = bevel
        self.count += 1

    def add(self, nx, ny, nz, d):
        """Intern a plane and append it as a bevel."""
        plane: cython.int = self.planes.add(nx, ny, nz, d)
        if plane >= 0:
            self.push(plane, -1, 1)

    def gather(self, xyz, first, end):
        """Collect a brush's corners, each once. Polygons that share a corner store it with identical bits."""
        i: cython.longlong
        k: cython.int
        self.corners = 0
        for i in range(first, end):
            for k in range(self.corners):
                if xyz[i, 0] == self.x[k] and xyz[i, 1] == self.y[k] and xyz[i, 2] == self.z[k]:
                    break
            else:
                if self.corners == self.x.shape[0]:
                    with cython.gil:
                        self.x, self.y, self.z = grown(self.corners + 1, self.x, self.y, self.z)
                self.x[self.corners] = xyz[i, 0]
                self.y[self.corners] = xyz[i, 1]
                self.z[self.corners] = xyz[i, 2]
                self.corners += 1

    def box(self):
        """Append the six axial planes."""
        k: cython.int
        x0: cython.double = self.x[0]
        x1: cython.double = self.x[0]
        y0: cython.double = self.y[0]
        y1: cython.double = self.y[0]
        z0: cython.double = self.z[0]
        z1: cython.double = self.z[0]
        for k in range(1, self.corners):
            x0 = min(x0, self.x[k])
            x1 = max(x1, self.x[k])
            y0 = min(y0, self.y[k])
            y1 = max(y1, self.y[k])
            z0 = min(z0, self.z[k])
            z1 = max(z1, self.z[k])
        self.add(1.0, 0.0, 0.0, x1)
        self.add(-1.0, 0.0, 0.0, -x0)
        self.add(0.0, 1.0, 0.0, y1)
        self.add(0.0, -1.0, 0.0, -y0)
        self.add(0.0, 0.0, 1.0, z1)
        self.add(0.0, 0.0, -1.0, -z0)

    def edge(self, xyz, a, b):
        """Append the bevels of an edge: for each axis, the plane parallel to both, unless it is an axial plane."""
        ex: cython.double = xyz[b, 0] - xyz[a, 0]
        ey: cython.double = xyz[b, 1] - xyz[a, 1]
        ez: cython.double = xyz[b, 2] - xyz[a, 2]
        # Each edge is visited twice, once in each direction.
        if ex < 0.0 or (ex == 0.0 and (ey < 0.0 or (ey == 0.0 and ez <= 0.0))):
            return
        square: cython.double = ex * ex + ey * ey + ez * ez
        least: cython.double = self.parallel * self.parallel * square
        flat: cython.double
        length: cython.double
        x: cython.double = xyz[a, 0]
        y: cython.double = xyz[a, 1]
        z: cython.double = xyz[a, 2]
        flat = ey * ey + ez * ez
        if flat > least:
            length = sqrt(flat)
            self.through(0.0, ez / length, -ey / length, (ez * y - ey * z) / length)
        flat = ez * ez + ex * ex
        if flat > least:
            length = sqrt(flat)
            self.through(-ez / length, 0.0, ex / length, (ex * z - ez * x) / length)
        flat = ex * ex + ey * ey
        if flat > least:
            length = sqrt(flat)
            self.through(ey / length, -ex / length, 0.0, (ey * x - ex * y) / length)

    def through(self, nx, ny, nz, d):
        """Append the plane, its opposite, or both: those that have all corners behind them."""
        e: cython.double = self.axial
        if (fabs(nx) < e) + (fabs(ny) < e) + (fabs(nz) < e) >= 2:
            return
        high: cython.double = 0.0
        low: cython.double = 0.0
        s: cython.double
        k: cython.int
        for k in range(self.corners):
            s = nx * self.x[k] + ny * self.y[k] + nz * self.z[k] - d
            if s > high:
                high = s
            elif s < low:
                low = s
            if high > self.behind and low < -self.behind:
                return
        if high <= self.behind:
            self.add(nx, ny, nz, d + high)
        if low >= -self.behind:
            self.add(-nx, -ny, -nz, -(d + low))

    def bevel_all(
        self,
        side_start: cython.longlong[::1],
        side_plane: cython.int[::1],
        status: cython.int[::1],
        vertex_start: cython.longlong[::1],
        xyz: cython.double[:, ::1],
        out_start: cython.longlong[::1],
    ):
        """Append the sides of all brushes with their bevels. A brush that is neither closed nor flat gets no bevels."""
        i: cython.int
        s: cython.longlong
        v: cython.longlong
        first: cython.longlong
        end: cython.longlong
        bare: cython.int
        with cython.nogil:
            for i in range(status.shape[0]):
                self.brush = i + 1
                out_start[i] = self.count
                for s in range(side_start[i], side_start[i + 1]):
                    bare = 1 if vertex_start[s] == vertex_start[s + 1] and status[i] != FLAT else 0
                    if side_plane[s] >= 0:
                        self.push(side_plane[s], cython.cast(cython.int, s), bare)
                if status[i] != 0 and status[i] != FLAT:
                    continue
                self.gather(xyz, vertex_start[side_start[i]], vertex_start[side_start[i + 1]])
                self.box()
                for s in range(side_start[i], side_start[i + 1]):
                    first = vertex_start[s]
                    end = vertex_start[s + 1]
                    for v in range(first, end):
                        self.edge(xyz, v, v + 1 if v + 1 < end else first)
            out_start[status.shape[0]] = self.count
