# mypy: ignore-errors
"""Where players walk from one floor onto another: the contacts between the polygons of a floor plan.

Two edges that run side by side, in opposite directions, are a contact wherever the floors differ by no more than a step
and the space above the higher floor is open. Contacts are looked for in the plan, not among the faces of the mesh: the
tree cuts along sloped floors, so neighbours at a ridge share an edge with air between them, and no face.

On terrain, where planes cross at flat angles, the tree takes space thinner than ON_PLANE as solid. One floor then covers
a strip of another by less than a step. So an edge that ends on another polygon is a contact too.
"""

import cython
import numpy as np
from cython.cimports.aascompile.areas.plan_kernel import FloorPlan
from cython.cimports.aascompile.geometry.grid_kernel import BoxQuery
from cython.cimports.aascompile.geometry.polygon_kernel import Polys
from cython.cimports.libc.math import fabs, sqrt

from aascompile.columns import grown
from aascompile.distinct import distinct_pairs
from aascompile.geometry.grid_kernel import BoxGrid
from aascompile.geometry.polygon_kernel import Polys as MakePolys
from aascompile.geometry.vectors import flat_lengths

# The kinds of segments of plan_kernel.
CONTACT = cython.declare(cython.char, 0)
BORDER = cython.declare(cython.char, 1)

SAMPLE = cython.declare(cython.double, 16.0)  # units between samples along a common edge
ASIDE = cython.declare(cython.double, 0.3)  # units beside an edge where space must be open
OPEN_LOW = cython.declare(cython.double, 1.0)  # units above the higher floor where space must be open,
OPEN_HIGH = cython.declare(cython.double, 3.0)  # and once more
LEVEL = cython.declare(cython.double, 0.3)  # units of rise that are no step
OPPOSITE = cython.declare(cython.double, -0.98)  # highest cosine of the angle between two edges that run side by side
HALVINGS = cython.declare(cython.int, 12)  # of a stretch of 16 units, to find where a contact ends
CELL = 128.0  # units: width of the cells of the grid of edges, and how many there are at most along an axis
MOST_CELLS = 256


@cython.final
@cython.cclass
class Contacts:
    plan: FloorPlan
    owner: cython.int[::1]
    a: cython.double[:, ::1]
    b: cython.double[:, ::1]
    length: cython.double[::1]
    along_x: cython.double[::1]
    along_y: cython.double[::1]
    near: cython.double
    shortest: cython.double
    crack: cython.double
    step: cython.double
    polys: Polys

    span_edge: cython.int[::1]
    span: cython.double[:, ::1]
    spans: cython.int

    def __init__(self, plan, near: cython.double, shortest: cython.double, crack: cython.double, step: cython.double):
        _, start, xy = plan.polygons()
        size = np.diff(start)
        follower = np.arange(1, len(xy) + 1)
        follower[start[1:] - 1] = start[: len(size)]
        self.plan = plan
        self.owner = np.repeat(np.arange(len(size), dtype=np.intc), size)
        self.a = np.ascontiguousarray(xy)
        self.b = np.ascontiguousarray(xy[follower])
        self.length = flat_lengths(xy[follower] - xy)
        self.along_x = (xy[follower, 0] - xy[:, 0]) / np.asarray(self.length)
        self.along_y = (xy[follower, 1] - xy[:, 1]) / np.asarray(self.length)
        self.near = near
        self.shortest = shortest
        self.crack = crack
        self.step = step
        self.polys = MakePolys()
        self.span_edge = np.empty(256, np.intc)
        self.span = np.empty((256, 2))
        self.spans = 0

    def run(self):
        """Give the plan all its contacts, and borders for what is left of the outlines."""
        a, b = np.asarray(self.a), np.asarray(self.b)
        z = np.empty((len(a), 2))
        self._heights(z)
        room = self.step + 1.0
        bounds = np.column_stack(
            (
                np.minimum(a, b) - self.near, z.min(axis=1) - room, np.maximum(a, b) + self.near, z.max(axis=1) + room,
            )
        )  # fmt: skip
        self._meet_all(BoxQuery(BoxGrid(bounds, CELL, MOST_CELLS)), np.ascontiguousarray(bounds))
        polygons = BoxQuery(BoxGrid(self._around(bounds), CELL, MOST_CELLS))
        before = self.plan.seg_count
        self._bare(polygons, True)
        pairs = np.sort(np.asarray(self.plan.seg_poly)[before : self.plan.seg_count], axis=1)
        self._overlap(np.ascontiguousarray(distinct_pairs(pairs)))
        self._bare(polygons, False)

    def _around(self, bounds):
        """(p, 6) boxes around all edges of each polygon."""
        if len(bounds) == 0:
            return bounds
        first = np.flatnonzero(np.diff(np.asarray(self.owner), prepend=-1))
        return np.column_stack((np.minimum.reduceat(bounds[:, :3], first), np.maximum.reduceat(bounds[:, 3:], first)))

    def _heights(self, out: cython.double[:, ::1]):
        """(n, 2) heights of the floor at both ends of each edge."""
        e: cython.int
        with cython.nogil:
            for e in range(self.owner.shape[0]):
                out[e, 0] = self.plan.z_at(self.owner[e], self.a[e, 0], self.a[e, 1])
                out[e, 1] = self.plan.z_at(self.owner[e], self.b[e, 0], self.b[e, 1])

    def _meet_all(self, query: BoxQuery, bounds: cython.double[:, ::1]):
        """Contacts of all pairs of edges, the lower number first."""
        e: cython.int
        k: cython.int
        with cython.nogil:
            for e in range(self.owner.shape[0]):
                query.overlapping(bounds[e, 0], bounds[e, 1], bounds[e, 2], bounds[e, 3], bounds[e, 4], bounds[e, 5])
                for k in range(query.count):
                    if query.found[k] > e:
                        self.meet(e, query.found[k])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def x_at(self, edge: cython.int, t: cython.double) -> cython.double:
        """x of the point t units along an edge."""
        return self.a[edge, 0] + t * self.along_x[edge]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def y_at(self, edge: cython.int, t: cython.double) -> cython.double:
        """y of the point t units along an edge."""
        return self.a[edge, 1] + t * self.along_y[edge]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def key_of(self, edge: cython.int) -> cython.longlong:
        """What tells the areas of an edge's floor apart from others."""
        return self.plan.mesh.area_key[self.plan.poly_area[self.owner[edge]]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def meet(self, e: cython.int, f: cython.int) -> cython.void:
        """Contacts of two edges."""
        if self.owner[e] == self.owner[f] or self.key_of(e) != self.key_of(f):
            return
        ux: cython.double = self.along_x[e]
        uy: cython.double = self.along_y[e]
        vx: cython.double = self.b[f, 0] - self.a[f, 0]
        vy: cython.double = self.b[f, 1] - self.a[f, 1]
        if ux * vx + uy * vy > OPPOSITE * self.length[f]:
            return
        # Both ends of f along and beside e; then the stretch along which f is near.
        t0: cython.double = (self.b[f, 0] - self.a[e, 0]) * ux + (self.b[f, 1] - self.a[e, 1]) * uy
        t1: cython.double = (self.a[f, 0] - self.a[e, 0]) * ux + (self.a[f, 1] - self.a[e, 1]) * uy
        off0: cython.double = (self.b[f, 1] - self.a[e, 1]) * ux - (self.b[f, 0] - self.a[e, 0]) * uy
        off1: cython.double = (self.a[f, 1] - self.a[e, 1]) * ux - (self.a[f, 0] - self.a[e, 0]) * uy
        slope: cython.double = (off1 - off0) / (t1 - t0)
        low: cython.double = t0 if t0 > 0.0 else 0.0
        high: cython.double = t1 if t1 < self.length[e] else self.length[e]
        if high - low <= self.shortest:
            return
        if fabs(off0 + slope * (low - t0)) > self.near or fabs(off0 + slope * (high - t0)) > self.near:
            return
        self.stretch(e, self.owner[f], f, low, high)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def stretch(
        self, e: cython.int, poly: cython.int, f: cython.int, low: cython.double, high: cython.double
    ) -> cython.void:
        """Contacts with a polygon along a stretch of edge e, from ``low`` to ``high``, beside which its edge f runs
        (−1: none does)."""
        inset: cython.double = min(self.near, 0.25 * (high - low))
        n: cython.int = cython.cast(cython.int, (high - low) / SAMPLE) + 1
        k: cython.int
        t: cython.double = low + inset
        before: cython.double = low + inset
        begin: cython.double = low
        was: cython.bint = self.walkable(e, poly, t)
        now: cython.bint
        for k in range(1, n + 1):
            t = low + inset + (high - low - 2.0 * inset) * k / n
            now = self.walkable(e, poly, t)
            if now and not was:
                begin = self.turn(e, poly, before, t)
            if was and not now:
                self.add(e, poly, f, begin, self.turn(e, poly, before, t))
            was = now
            before = t
        if was:
            self.add(e, poly, f, begin, high)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walkable(self, e: cython.int, poly: cython.int, t: cython.double) -> cython.bint:
        """Whether a player walks between the floor of edge e and a polygon at a point, t units along the edge."""
        ux: cython.double = self.along_x[e]
        uy: cython.double = self.along_y[e]
        x: cython.double = self.x_at(e, t)
        y: cython.double = self.y_at(e, t)
        z: cython.double = self.plan.z_at(self.owner[e], x, y)
        other: cython.double = self.plan.z_at(poly, x, y)
        side: cython.int
        s: cython.double
        rise: cython.double = other - z
        top: cython.double = max(z, other)
        lifted: cython.double = max(min(z, other) + self.step - OPEN_LOW, top + OPEN_LOW)
        if fabs(rise) > self.step:
            return False
        for side in range(4):
            s = ASIDE if side & 1 else -ASIDE
            if not self.is_open(e, x - s * uy, y + s * ux, top + (OPEN_HIGH if side & 2 else OPEN_LOW)):
                return False
        # Players lift themselves by a step before they move on, whatever the step's height: they do not get below a
        # lintel that is lower. The floor of the edge lies to its left.
        s = ASIDE if rise > 0.0 else -ASIDE
        return (
            fabs(rise) < LEVEL
            or self.is_open(e, x + s * uy, y - s * ux, lifted)
            or not self.is_open(e, x - s * uy, y + s * ux, lifted)
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_open(self, e: cython.int, x: cython.double, y: cython.double, z: cython.double) -> cython.bint:
        """Whether a player on the floor of edge e may be at a point."""
        area: cython.int = self.plan.area_at(x, y, z)
        return area >= 0 and self.plan.mesh.area_key[area] == self.key_of(e)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def turn(self, e: cython.int, poly: cython.int, t0: cython.double, t1: cython.double) -> cython.double:
        """Where between t0 and t1 two floors begin, or cease, to be walkable."""
        first: cython.bint = self.walkable(e, poly, t0)
        t: cython.double
        k: cython.int
        for k in range(HALVINGS):
            t = 0.5 * (t0 + t1)
            if self.walkable(e, poly, t) == first:
                t0 = t
            else:
                t1 = t
        return 0.5 * (t0 + t1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add(self, e: cython.int, poly: cython.int, f: cython.int, t0: cython.double, t1: cython.double) -> cython.void:
        """A contact with a polygon from t0 to t1 along edge e, and along its edge f."""
        if t1 - t0 <= self.shortest:
            return
        ax: cython.double = self.x_at(e, t0)
        ay: cython.double = self.y_at(e, t0)
        bx: cython.double = self.x_at(e, t1)
        by: cython.double = self.y_at(e, t1)
        self.plan.add_seg(CONTACT, self.owner[e], poly, ax, ay, bx, by)
        self.cover(e, t0, t1)
        if f >= 0:
            self.cover(f, self.along(f, bx, by), self.along(f, ax, ay))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def along(self, edge: cython.int, x: cython.double, y: cython.double) -> cython.double:
        """Units along an edge at which a point lies beside it."""
        return (
            (x - self.a[edge, 0]) * (self.b[edge, 0] - self.a[edge, 0])
            + (y - self.a[edge, 1]) * (self.b[edge, 1] - self.a[edge, 1])
        ) / self.length[edge]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def cover(self, edge: cython.int, t0: cython.double, t1: cython.double) -> cython.void:
        """Note a stretch of an edge that is no border."""
        n: cython.int = self.spans
        if n >= self.span_edge.shape[0]:
            with cython.gil:
                self.span_edge, self.span = grown(n + 1, self.span_edge, self.span)
        self.span_edge[n] = edge
        self.span[n, 0] = t0
        self.span[n, 1] = t1
        self.spans = n + 1

    def _bare(self, polygons, over: cython.bint):
        """Contacts (``over``) or borders of all stretches of edges that no contact covers yet."""
        n = self.spans
        edge, span = np.asarray(self.span_edge)[:n], np.asarray(self.span)[:n]
        order = np.lexsort((span[:, 1], span[:, 0], edge))
        self._fill(polygons, over, np.ascontiguousarray(edge[order]), np.ascontiguousarray(span[order]))

    def _fill(self, polygons: BoxQuery, over: cython.bint, edge: cython.int[::1], span: cython.double[:, ::1]):
        """Contacts or borders between the stretches of each edge, sorted."""
        e: cython.int
        at: cython.int = 0
        done: cython.double
        with cython.nogil:
            for e in range(self.owner.shape[0]):
                done = 0.0
                while at < edge.shape[0] and edge[at] == e:
                    if over:
                        self.onto(polygons, e, done, span[at, 0])
                    else:
                        self.border(e, done, span[at, 0])
                    if span[at, 1] > done:
                        done = span[at, 1]
                    at += 1
                if over:
                    self.onto(polygons, e, done, self.length[e])
                else:
                    self.border(e, done, self.length[e])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def onto(self, polygons: BoxQuery, e: cython.int, t0: cython.double, t1: cython.double) -> cython.void:
        """Contacts from t0 to t1 along an edge that ends on other polygons, not beside their edges."""
        if t1 - t0 <= self.shortest:
            return
        ax: cython.double = self.x_at(e, t0)
        ay: cython.double = self.y_at(e, t0)
        bx: cython.double = self.x_at(e, t1)
        by: cython.double = self.y_at(e, t1)
        za: cython.double = self.plan.z_at(self.owner[e], ax, ay)
        zb: cython.double = self.plan.z_at(self.owner[e], bx, by)
        k: cython.int
        poly: cython.int
        polygons.overlapping(
            min(ax, bx), min(ay, by), min(za, zb) - self.step, max(ax, bx), max(ay, by), max(za, zb) + self.step
        )
        for k in range(polygons.count):
            poly = polygons.found[k]
            if poly != self.owner[e] and self.key_of(e) == self.plan.mesh.area_key[self.plan.poly_area[poly]]:
                self.clip(e, poly, t0, t1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def clip(self, e: cython.int, poly: cython.int, t0: cython.double, t1: cython.double) -> cython.void:
        """Contacts with a polygon from t0 to t1 along an edge, as far as it lies beside the edge."""
        ux: cython.double = self.along_x[e]
        uy: cython.double = self.along_y[e]
        x: cython.double = self.a[e, 0] + ASIDE * uy
        y: cython.double = self.a[e, 1] - ASIDE * ux
        first: cython.int = self.plan.poly_start[poly]
        last: cython.int = first + self.plan.poly_size[poly]
        k: cython.int
        n: cython.int
        ex: cython.double
        ey: cython.double
        h: cython.double
        rise: cython.double
        for k in range(first, last):
            n = k + 1 if k + 1 < last else first
            ex = self.plan.xy[n, 0] - self.plan.xy[k, 0]
            ey = self.plan.xy[n, 1] - self.plan.xy[k, 1]
            # Above 0 on the polygon's side of its edge: at the start of e, and for each unit along e.
            h = ex * (y - self.plan.xy[k, 1]) - ey * (x - self.plan.xy[k, 0])
            rise = ex * uy - ey * ux
            if h + rise * t0 < 0.0 and h + rise * t1 < 0.0:
                return
            if h + rise * t0 < 0.0:
                t0 = -h / rise
            elif h + rise * t1 < 0.0:
                t1 = -h / rise
        if t1 - t0 > self.shortest:
            self.stretch(e, poly, -1, t0, t1)

    def _overlap(self, pairs: cython.int[:, ::1]):
        """Measure where polygons overlap in plan view."""
        i: cython.int
        with cython.nogil:
            for i in range(pairs.shape[0]):
                self.plan.poly_over[pairs[i, 0]] += self.common(pairs[i, 0], pairs[i, 1])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def common(self, p: cython.int, q: cython.int) -> cython.double:
        """Square units that two polygons have in common, seen from above."""
        first: cython.int = self.plan.poly_start[q]
        last: cython.int = first + self.plan.poly_size[q]
        k: cython.int
        n: cython.int
        ex: cython.double
        ey: cython.double
        length: cython.double
        self.polys.release(0, 0)
        left: cython.int = self.polys.begin(self.plan.poly_size[p])
        for k in range(self.plan.poly_start[p], self.plan.poly_start[p] + self.plan.poly_size[p]):
            self.polys.push(self.plan.xy[k, 0], self.plan.xy[k, 1], 0.0)
        self.polys.close(left)
        for k in range(first, last):
            n = k + 1 if k + 1 < last else first
            ex = self.plan.xy[n, 0] - self.plan.xy[k, 0]
            ey = self.plan.xy[n, 1] - self.plan.xy[k, 1]
            length = sqrt(ex * ex + ey * ey)
            ex /= length
            ey /= length
            self.polys.split(left, ey, -ex, 0.0, ey * self.plan.xy[k, 0] - ex * self.plan.xy[k, 1], self.plan.shortest)
            left = self.polys.back
            if left < 0:
                return 0.0
        return self.polys.area(left)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def border(self, e: cython.int, t0: cython.double, t1: cython.double) -> cython.void:
        """A border from t0 to t1 along an edge, unless it is too short to stop a player."""
        if t1 - t0 <= (self.near if t1 - t0 == self.length[e] else self.crack):
            return
        self.plan.add_seg(
            BORDER, self.owner[e], -1,
            self.x_at(e, t0), self.y_at(e, t0), self.x_at(e, t1), self.y_at(e, t1),
        )  # fmt: skip
