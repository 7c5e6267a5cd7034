# mypy: ignore-errors
"""The convex cells of a tree's nodes: how planes cut them.

Glossary
    cell        the convex space of a node, as the polygons that bound it, facing outward.
    section     the part of a plane inside a cell.
    cap         a section as a polygon: the face that a split adds to both parts of the cell.

A plane divides a cell if the cell reaches farther than ``on_plane`` on both sides of it.
"""

import cython
import numpy as np
from cython.cimports.aascompile.geometry.polygon_kernel import Polys
from cython.cimports.libc.math import fabs

from aascompile.columns import grown


class CellStore:
    """Cells as rows of polygons, and the caps made so far."""

    def __init__(self, planes, tolerances):
        self.normal = planes.normal
        self.dist = planes.dist
        self.cells = Polys(1024, 256)
        self.cell_plane = np.empty(256, np.intc)
        self.touched = np.empty(256, np.int8)
        self.caps = Polys(1024, 256)
        self.on_plane = tolerances.ON_PLANE
        self.min_area = tolerances.MIN_SECTION
        self.clip = tolerances.CLIP
        self.extent = tolerances.WORLD_EXTENT

    def add_cell_face(self, poly, plane):
        """Note the outward plane of a cell's face just made."""
        if self.cells.start.shape[0] > self.cell_plane.shape[0]:
            with cython.gil:
                self.cell_plane, self.touched = grown(self.cells.start.shape[0], self.cell_plane, self.touched)
        self.cell_plane[poly] = plane

    def section_area(self, pair, cell_first, cell_count):
        """Area of the section of a plane; −1 when the plane does not divide the cell.

        Each face that the plane crosses gives one edge of the section. The edges run round it the same way, so their
        cross products add up to the area in any order. Where the plane passes through an edge of the cell, rounding may
        put that edge on one side for both of its faces. Then an edge of the section is missing, and the sum may be as
        low as 0. So a plane is found not to divide the cell only if its cap says so.
        """
        id: cython.int = 2 * pair
        nx: cython.double = self.normal[id, 0]
        ny: cython.double = self.normal[id, 1]
        nz: cython.double = self.normal[id, 2]
        d: cython.double = self.dist[id]
        low: cython.double = 0.0
        high: cython.double = 0.0
        twice: cython.double = 0.0
        ox: cython.double = 0.0
        oy: cython.double = 0.0
        oz: cython.double = 0.0
        edge: cython.double[6]
        before: cython.double
        s: cython.double
        t: cython.double
        f: cython.int
        k: cython.int
        j: cython.int
        a: cython.int
        found: cython.int
        first: cython.int
        any_edge: cython.bint = False
        for f in range(cell_first, cell_first + cell_count):
            first = self.cells.start[f]
            j = first + self.cells.size[f] - 1
            before = nx * self.cells.xyz[j, 0] + ny * self.cells.xyz[j, 1] + nz * self.cells.xyz[j, 2] - d
            found = 0
            for k in range(first, first + self.cells.size[f]):
                s = nx * self.cells.xyz[k, 0] + ny * self.cells.xyz[k, 1] + nz * self.cells.xyz[k, 2] - d
                if s < low:
                    low = s
                if s > high:
                    high = s
                if (s > 0.0) != (before > 0.0):
                    a = 0 if s > 0.0 else 3
                    found |= 1 if s > 0.0 else 2
                    t = before / (before - s)
                    edge[a] = self.cells.xyz[j, 0] + t * (self.cells.xyz[k, 0] - self.cells.xyz[j, 0])
                    edge[a + 1] = self.cells.xyz[j, 1] + t * (self.cells.xyz[k, 1] - self.cells.xyz[j, 1])
                    edge[a + 2] = self.cells.xyz[j, 2] + t * (self.cells.xyz[k, 2] - self.cells.xyz[j, 2])
                before = s
                j = k
            if found == 3:
                if not any_edge:
                    any_edge = True
                    ox = edge[0]
                    oy = edge[1]
                    oz = edge[2]
                twice += (
                    nx * ((edge[1] - oy) * (edge[5] - oz) - (edge[2] - oz) * (edge[4] - oy))
                    + ny * ((edge[2] - oz) * (edge[3] - ox) - (edge[0] - ox) * (edge[5] - oz))
                    + nz * ((edge[0] - ox) * (edge[4] - oy) - (edge[1] - oy) * (edge[3] - ox))
                )
        if low > -self.on_plane or high < self.on_plane:
            return -1.0
        twice = 0.5 * fabs(twice)
        if twice >= self.min_area:
            return twice
        j = self.caps.vertex_count
        k = self.caps.poly_count
        f = self.section(pair, cell_first, cell_count)
        if f < 0:
            return -1.0
        twice = self.caps.area(f)
        self.caps.release(j, k)
        return twice

    def section(self, pair, cell_first, cell_count):
        """The section of a plane, appended to ``caps``; −1 when the plane does not divide the cell."""
        id: cython.int = 2 * pair
        nx: cython.double = self.normal[id, 0]
        ny: cython.double = self.normal[id, 1]
        nz: cython.double = self.normal[id, 2]
        d: cython.double = self.dist[id]
        low: cython.double = 0.0
        high: cython.double = 0.0
        face_low: cython.double
        face_high: cython.double
        s: cython.double
        f: cython.int
        k: cython.int
        q: cython.int
        for f in range(cell_first, cell_first + cell_count):
            face_low = 1e300
            face_high = -1e300
            for k in range(self.cells.start[f], self.cells.start[f] + self.cells.size[f]):
                s = nx * self.cells.xyz[k, 0] + ny * self.cells.xyz[k, 1] + nz * self.cells.xyz[k, 2] - d
                if s < face_low:
                    face_low = s
                if s > face_high:
                    face_high = s
            if face_low < low:
                low = face_low
            if face_high > high:
                high = face_high
            self.touched[f] = face_low <= self.on_plane and face_high >= -self.on_plane
        if low > -self.on_plane or high < self.on_plane:
            return -1
        vertices: cython.int = self.caps.vertex_count
        polys: cython.int = self.caps.poly_count
        cap: cython.int = self.caps.base(nx, ny, nz, d, self.extent)
        found: cython.int
        for f in range(cell_first, cell_first + cell_count):
            if not self.touched[f]:
                continue
            q = self.cell_plane[f]
            found = self.caps.classify(
                cap, self.normal[q, 0], self.normal[q, 1], self.normal[q, 2], self.dist[q], self.clip
            )
            if found == 1:
                self.caps.release(vertices, polys)
                return -1
            if found == 3:
                cap = self.caps.part(
                    self.caps.start[cap], self.caps.size[cap], 2,
                    self.normal[q, 0], self.normal[q, 1], self.normal[q, 2], self.dist[q],
                )  # fmt: skip
        if self.caps.area(cap) < self.min_area:
            self.caps.release(vertices, polys)
            return -1
        # Keep only the last cut of the chain.
        f = self.caps.start[cap]
        self.caps.release(vertices, polys)
        q = self.caps.size[cap]
        cap = self.caps.begin(q)
        for k in range(f, f + q):
            self.caps.push(self.caps.xyz[k, 0], self.caps.xyz[k, 1], self.caps.xyz[k, 2])
        self.caps.close(cap)
        return cap

    def split_cell(self, pair, cell_first, cell_count, cap, front):
        """Append the part of a cell on one side of a plane. Returns its number of faces."""
        id: cython.int = 2 * pair
        nx: cython.double = self.normal[id, 0]
        ny: cython.double = self.normal[id, 1]
        nz: cython.double = self.normal[id, 2]
        d: cython.double = self.dist[id]
        count: cython.int = 0
        f: cython.int
        k: cython.int
        found: cython.int
        keep: cython.int = 1 if front else 2
        for f in range(cell_first, cell_first + cell_count):
            found = self.cells.classify(f, nx, ny, nz, d, self.clip)
            if found == keep:
                self.add_cell_face(self.cells.copy_from(self.cells, f), self.cell_plane[f])
                count += 1
            elif found == 3:
                self.add_cell_face(
                    self.cells.part(self.cells.start[f], self.cells.size[f], keep, nx, ny, nz, d), self.cell_plane[f]
                )
                count += 1
        # The cap faces out of the part: against the plane's normal for the front part.
        n: cython.int = self.caps.size[cap]
        first: cython.int = self.caps.start[cap]
        new: cython.int = self.cells.begin(n)
        for k in range(n):
            f = first + n - 1 - k if front else first + k
            self.cells.push(self.caps.xyz[f, 0], self.caps.xyz[f, 1], self.caps.xyz[f, 2])
        self.cells.close(new)
        self.add_cell_face(new, id + 1 if front else id)
        return count + 1
