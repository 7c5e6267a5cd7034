# mypy: ignore-errors
"""The floors of a mesh seen from above: what players walk on, whatever the tree cut it into.

Glossary
    polygon   the ground of one area of the mesh, seen from above: convex, counter-clockwise. Its height at a point is
              that of the highest of its ground planes, because an area is convex.
    over      square units of a polygon that lie less than a step above or below another (see contacts_kernel), counted
              for one of the two; a part of a polygon keeps the number of the whole.
    segment   a piece of a polygon's outline, directed so that polygon ``i`` lies to the left. On its right lies
                  CONTACT   polygon ``j``, onto which a player walks: no farther than a step up or down, nothing between;
                  BORDER    nothing that a player walks onto;
                  CUT       polygon ``j``, from which a cut parted it.
    walk      a straight line from polygon to polygon over contacts.

The segments of a polygon are a linked list through ``seg_next``, coded 2·segment + side.
"""

import cython
import numpy as np
from cython.cimports.aascompile.geometry.outline_kernel import Outline
from cython.cimports.libc.math import fabs, sqrt

from aascompile.geometry.outline_kernel import Outline as MakeOutline
from aascompile.columns import grown

CONTACT = cython.declare(cython.char, 0)
BORDER = cython.declare(cython.char, 1)
CUT = cython.declare(cython.char, 2)

ROUND = cython.declare(cython.double, 0.5)  # units that a walk may pass beside a contact's end
AWAY = cython.declare(cython.double, 0.25)  # units from a corner, along both axes, at which ground is looked for
SLIVER = cython.declare(cython.double, 0.05)  # units of ground that are too narrow to be a face


class FloorPlan:
    """Growable columns of polygons and segments."""

    def __init__(self, mesh, into, shortest, flat, dent, broad):
        self.shortest = shortest
        self.broad = broad
        self.flat = flat
        self.dent = dent
        self.clip = mesh.clip
        self.mesh = mesh
        self.into = np.array(into, np.intc)
        self.poly_area = np.empty(256, np.intc)
        self.poly_start = np.empty(256, np.intc)
        self.poly_size = np.empty(256, np.intc)
        self.poly_plane = np.empty(256, np.intc)
        self.poly_planes = np.empty(256, np.intc)
        self.poly_head = np.empty(256, np.intc)
        self.poly_wide = np.empty(256)
        self.poly_over = np.empty(256)
        self.poly_count = 0
        self.xy = np.empty((1024, 2))
        self.xy_count = 0
        self.height = np.empty((256, 3))
        self.height_count = 0
        self.seg_xy = np.empty((1024, 4))
        self.seg_poly = np.empty((1024, 2), np.intc)
        self.seg_next = np.empty((1024, 2), np.intc)
        self.seg_kind = np.empty(1024, np.int8)
        self.seg_count = 0
        self.passed = 0
        self.trail = np.empty(256, np.intc)
        self.trails = 0
        self.at_poly = -1

    # --- rows -------------------------------------------------------------------------------------------------------

    def add_poly(self, area, start, size, plane, planes, wide):
        """A polygon without segments; its points and planes exist already."""
        p: cython.int = self.poly_count
        if p >= self.poly_area.shape[0]:
            with cython.gil:
                (
                    self.poly_area, self.poly_start, self.poly_size, self.poly_plane, self.poly_planes, self.poly_head,
                    self.poly_wide, self.poly_over,
                ) = grown(
                    p + 1, self.poly_area, self.poly_start, self.poly_size, self.poly_plane, self.poly_planes,
                    self.poly_head, self.poly_wide, self.poly_over,
                )  # fmt: skip
        self.poly_count = p + 1
        self.poly_area[p] = area
        self.poly_start[p] = start
        self.poly_size[p] = size
        self.poly_plane[p] = plane
        self.poly_planes[p] = planes
        self.poly_head[p] = -1
        self.poly_wide[p] = wide
        self.poly_over[p] = 0.0
        return p

    def add_point(self, x, y):
        """A point at the end of ``xy``."""
        n: cython.int = self.xy_count
        if n >= self.xy.shape[0]:
            with cython.gil:
                (self.xy,) = grown(n + 1, self.xy)
        self.xy[n, 0] = x
        self.xy[n, 1] = y
        self.xy_count = n + 1

    def add_seg(self, kind, i, j, ax, ay, bx, by):
        """A segment from a to b with polygon i on its left and j on its right (−1: none)."""
        s: cython.int = self.seg_count
        if s >= self.seg_kind.shape[0]:
            with cython.gil:
                self.seg_xy, self.seg_poly, self.seg_next, self.seg_kind = grown(
                    s + 1, self.seg_xy, self.seg_poly, self.seg_next, self.seg_kind
                )
        self.seg_count = s + 1
        self.seg_kind[s] = kind
        self.seg_xy[s, 0] = ax
        self.seg_xy[s, 1] = ay
        self.seg_xy[s, 2] = bx
        self.seg_xy[s, 3] = by
        self.seg_poly[s, 0] = i
        self.seg_poly[s, 1] = j
        self.hang(i, s, 0)
        if j >= 0:
            self.hang(j, s, 1)
        return s

    def hang(self, poly, seg, side):
        """Put one side of a segment at the head of a polygon's list."""
        self.seg_poly[seg, side] = poly
        self.seg_next[seg, side] = self.poly_head[poly]
        self.poly_head[poly] = 2 * seg + side

    def add_height(self, at, x, y):
        """A ground plane: its z at the origin, and its slopes along x and y."""
        n: cython.int = self.height_count
        if n >= self.height.shape[0]:
            with cython.gil:
                (self.height,) = grown(n + 1, self.height)
        self.height[n, 0] = at
        self.height[n, 1] = x
        self.height[n, 2] = y
        self.height_count = n + 1

    def add_floor(self, area, outline):
        """The polygon of an area's ground; none for an area without ground, or whose ground is not convex in plan view."""
        at: cython.int = self.mesh.area_head[area]
        planes: cython.int = self.height_count
        start: cython.int = self.xy_count
        poly: cython.int
        p: cython.int
        k: cython.int
        s: cython.double
        x: cython.double
        y: cython.double
        size: cython.double = 0.0
        outline.begin()
        while at >= 0:
            # Thin ground counts only for the outline: the weld makes it part of the ground beside it.
            if self.mesh.face_area[at >> 1, 1 - (at & 1)] < 0 and self.mesh.up(at >> 1, at & 1) >= self.mesh.floor_up:
                p = self.mesh.face_plane[at >> 1]
                poly = self.mesh.face_poly[at >> 1]
                if self.mesh.is_ground(at >> 1, at & 1):
                    s = 1.0 / self.mesh.normal[p, 2]
                    self.add_height(self.mesh.dist[p] * s, -self.mesh.normal[p, 0] * s, -self.mesh.normal[p, 1] * s)
                    size += self.mesh.polys.area(poly) * fabs(self.mesh.normal[p, 2])
                for k in range(self.mesh.polys.start[poly], self.mesh.polys.start[poly] + self.mesh.polys.size[poly]):
                    outline.add(self.mesh.polys.xyz[k, 0], self.mesh.polys.xyz[k, 1])
            at = self.mesh.face_next[at >> 1, at & 1]
        if self.height_count == planes:
            return
        outline.close()
        for k in range(outline.corners):
            x = outline.point[outline.corner[k], 0]
            y = outline.point[outline.corner[k], 1]
            p = self.xy_count - 1
            if p < start or fabs(self.xy[p, 0] - x) + fabs(self.xy[p, 1] - y) > self.shortest:
                self.add_point(x, y)
        p = self.xy_count - 1
        if (
            p > start
            and fabs(self.xy[p, 0] - self.xy[start, 0]) + fabs(self.xy[p, 1] - self.xy[start, 1]) <= self.shortest
        ):
            self.xy_count = p
        # Where ground and steep slopes alternate below an area, its ground is no polygon.
        if (
            self.xy_count - start < 3
            or outline.size - size > self.flat * (0.5 * outline.around + 1.0)
            or self.is_dented(area, outline)
        ):
            self.xy_count = start
            self.height_count = planes
            return
        # Only halls may stay as wide as they are: floors of at least this mean width.
        wide: cython.double = outline.extent if outline.size >= self.broad * outline.extent else 0.0
        self.add_poly(area, start, self.xy_count - start, planes, self.height_count - planes, wide)

    def is_dented(self, area, outline):
        """Whether a corner of an area's ground lies deep inside its hull, and ground does not go all the way round it."""
        i: cython.int
        k: cython.int
        x: cython.double
        y: cython.double
        for i in range(outline.points):
            x = outline.point[i, 0]
            y = outline.point[i, 1]
            if outline.depth_at(x, y) > self.dent:
                for k in range(9):
                    # The corner itself and eight points around it.
                    if not self.is_covered(area, x + AWAY * (k % 3 - 1), y + AWAY * (k // 3 - 1)):
                        return True
        return False

    def is_covered(self, area, x, y):
        """Whether a point lies in the ground of an area, seen from above, or no farther beside it than a sliver."""
        at: cython.int = self.mesh.area_head[area]
        while at >= 0:
            if self.mesh.is_ground(at >> 1, at & 1) and self.is_over(self.mesh.face_poly[at >> 1], x, y):
                return True
            at = self.mesh.face_next[at >> 1, at & 1]
        return False

    def is_over(self, poly, x, y):
        """Whether a point lies in a polygon of the mesh, seen from above, or no farther beside it than a sliver."""
        first: cython.int = self.mesh.polys.start[poly]
        size: cython.int = self.mesh.polys.size[poly]
        k: cython.int
        a: cython.int
        b: cython.int
        ex: cython.double
        ey: cython.double
        left: cython.double
        slack: cython.double
        lefts: cython.int = 0
        rights: cython.int = 0
        for k in range(size):
            a = first + k
            b = first + (k + 1 if k + 1 < size else 0)
            ex = self.mesh.polys.xyz[b, 0] - self.mesh.polys.xyz[a, 0]
            ey = self.mesh.polys.xyz[b, 1] - self.mesh.polys.xyz[a, 1]
            left = ex * (y - self.mesh.polys.xyz[a, 1]) - ey * (x - self.mesh.polys.xyz[a, 0])
            slack = SLIVER * sqrt(ex * ex + ey * ey)
            lefts += left > slack
            rights += left < -slack
        return lefts == 0 or rights == 0

    def load(self, area: cython.int[::1]):
        """The floors of these areas of the mesh."""
        outline: Outline = MakeOutline()
        i: cython.int
        with cython.nogil:
            for i in range(area.shape[0]):
                self.add_floor(area[i], outline)

    # --- questions --------------------------------------------------------------------------------------------------

    def z_at(self, poly, x, y):
        """Height of a polygon's floor at a point."""
        k: cython.int
        z: cython.double
        best: cython.double = -1e300
        for k in range(self.poly_plane[poly], self.poly_plane[poly] + self.poly_planes[poly]):
            z = self.height[k, 0] + self.height[k, 1] * x + self.height[k, 2] * y
            if z > best:
                best = z
        return best

    def size_of(self, poly):
        """Square units of a polygon."""
        first: cython.int = self.poly_start[poly]
        k: cython.int
        total: cython.double = 0.0
        for k in range(first + 1, first + self.poly_size[poly] - 1):
            total += (self.xy[k, 0] - self.xy[first, 0]) * (self.xy[k + 1, 1] - self.xy[first, 1]) - (
                self.xy[k + 1, 0] - self.xy[first, 0]
            ) * (self.xy[k, 1] - self.xy[first, 1])
        return 0.5 * total

    def area_at(self, x, y, z):
        """Area of the mesh at a point; −1 in solid."""
        node: cython.int = 0
        p: cython.int
        if self.mesh.node_count == 0:
            return -1
        while node >= 0:
            p = self.mesh.node[node, 0]
            if (
                self.mesh.normal[p, 0] * x + self.mesh.normal[p, 1] * y + self.mesh.normal[p, 2] * z
                - self.mesh.dist[p] >= 0.0
            ):  # fmt: skip
                node = self.mesh.node[node, 1]
            else:
                node = self.mesh.node[node, 2]
        node = -1 - node
        return self.into[node] if node < self.into.shape[0] else -1

    # --- walking ----------------------------------------------------------------------------------------------------

    def leaves(self, poly, x, y, dx, dy):
        """Units along d after which a line through a point leaves a polygon."""
        first: cython.int = self.poly_start[poly]
        last: cython.int = first + self.poly_size[poly]
        k: cython.int
        n: cython.int
        ex: cython.double
        ey: cython.double
        ahead: cython.double
        t: cython.double
        best: cython.double = 1e300
        for k in range(first, last):
            n = k + 1 if k + 1 < last else first
            ex = self.xy[n, 0] - self.xy[k, 0]
            ey = self.xy[n, 1] - self.xy[k, 1]
            ahead = ey * dx - ex * dy
            if ahead > self.clip * (fabs(ex) + fabs(ey)):
                t = (ey * (self.xy[k, 0] - x) - ex * (self.xy[k, 1] - y)) / ahead
                if t < best:
                    best = t
        return best

    def walk(self, poly, x, y, dx, dy, far):
        """Units that a straight walk from a point of a polygon goes, at most ``far``.

        Past slivers a walk may go round in circles, where it makes no headway. It is compared with where it was after 1,
        2, 4, 8 … steps, and ends when it is there again.

        ``at_poly``: where it ends; the polygons that it passed are added to ``trail``.
        """
        before: cython.int = -1
        steps: cython.int = 0
        mark: cython.int = 1
        mark_poly: cython.int = -1
        mark_before: cython.int = -1
        at: cython.int
        s: cython.int
        other: cython.int
        best: cython.int
        t: cython.double = 0.0
        off: cython.double
        least: cython.double
        while True:
            self.at_poly = poly
            if self.trails >= self.trail.shape[0]:
                with cython.gil:
                    (self.trail,) = grown(self.trails + 1, self.trail)
            self.trail[self.trails] = poly
            self.trails += 1
            self.passed += 1
            # A walk that passes beside a polygon, past a contact's end, may meet the line of its far side earlier.
            t = max(t, self.leaves(poly, x, y, dx, dy))
            if t >= far:
                return far
            best = -1
            least = ROUND
            at = self.poly_head[poly]
            while at >= 0:
                s = at >> 1
                other = self.seg_poly[s, 1 - (at & 1)]
                if self.seg_kind[s] == CONTACT and other != before:
                    off = self.beside(s, x + t * dx, y + t * dy)
                    if off < least:
                        least = off
                        best = other
                at = self.seg_next[s, at & 1]
            if best < 0:
                return t
            before = poly
            poly = best
            if poly == mark_poly and before == mark_before:
                return t
            steps += 1
            if steps == mark:
                mark_poly = poly
                mark_before = before
                mark *= 2

    def beside(self, seg, x, y):
        """Units between a point and a segment."""
        ux: cython.double = self.seg_xy[seg, 2] - self.seg_xy[seg, 0]
        uy: cython.double = self.seg_xy[seg, 3] - self.seg_xy[seg, 1]
        square: cython.double = ux * ux + uy * uy
        t: cython.double = 0.0
        if square > 0.0:
            t = ((x - self.seg_xy[seg, 0]) * ux + (y - self.seg_xy[seg, 1]) * uy) / square
            t = 0.0 if t < 0.0 else (1.0 if t > 1.0 else t)
        x -= self.seg_xy[seg, 0] + t * ux
        y -= self.seg_xy[seg, 1] + t * uy
        return sqrt(x * x + y * y)

    # --- outlines ---------------------------------------------------------------------------------------------------

    def outline(self, seg, outline):
        """Add the ends of a segment to an outline."""
        outline.add(self.seg_xy[seg, 0], self.seg_xy[seg, 1])
        outline.add(self.seg_xy[seg, 2], self.seg_xy[seg, 3])

    def depth(self, seg, outline):
        """Units that a segment lies inside an outline's hull."""
        return outline.depth(self.seg_xy[seg, 0], self.seg_xy[seg, 1], self.seg_xy[seg, 2], self.seg_xy[seg, 3])

    # --- to Python --------------------------------------------------------------------------------------------------

    def polygons(self):
        """Area, CSR start and corners of all polygons."""
        n = self.poly_count
        size = np.asarray(self.poly_size)[:n].astype(np.int64)
        start = np.zeros(n + 1, np.int64)
        np.cumsum(size, out=start[1:])
        rows = np.repeat(np.asarray(self.poly_start)[:n] - start[:n], size) + np.arange(start[n])
        return np.asarray(self.poly_area)[:n].copy(), start, np.asarray(self.xy)[rows]

    def segments(self):
        """(n,) kind, (n, 2) polygons to the left and right, (n, 4) ends of all segments."""
        n = self.seg_count
        return (
            np.asarray(self.seg_kind)[:n].copy(),
            np.asarray(self.seg_poly)[:n].copy(),
            np.asarray(self.seg_xy)[:n].copy(),
        )
