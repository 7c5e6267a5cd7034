# mypy: ignore-errors
"""Where players walk from one floor onto another: the contacts between the polygons of a floor plan.

Two edges that run side by side, in opposite directions, are a contact wherever the floors differ by no more than a step
and the space above the higher floor is open. Contacts are looked for in the plan, not among the faces of the mesh: the
tree cuts along sloped floors, so neighbours at a ridge share an edge with air between them, and no face.
"""

import cython
import numpy as np
from cython.cimports.aascompile.areas.plan_kernel import FloorPlan
from cython.cimports.aascompile.geometry.grid_kernel import BoxQuery
from cython.cimports.libc.math import fabs, sqrt

from aascompile.columns import grown
from aascompile.geometry.grid_kernel import BoxGrid

# The kinds of segments of plan_kernel.
CONTACT = cython.declare(cython.char, 0)
BORDER = cython.declare(cython.char, 1)

SAMPLE = cython.declare(cython.double, 16.0)  # units between samples along a common edge
ASIDE = cython.declare(cython.double, 0.3)  # units beside an edge where space must be open
OPEN_LOW = cython.declare(cython.double, 1.0)  # units above the higher floor where space must be open,
OPEN_HIGH = cython.declare(cython.double, 3.0)  # and once more
OPPOSITE = cython.declare(cython.double, -0.98)  # highest cosine of the angle between two edges that run side by side
SLACK = cython.declare(cython.double, 0.05)  # units that a step may be higher
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
    near: cython.double
    shortest: cython.double
    crack: cython.double
    step: cython.double

    span_edge: cython.int[::1]
    span: cython.double[:, ::1]
    spans: cython.int

    def __init__(self, plan, near: cython.double, shortest: cython.double, crack: cython.double):
        _, start, xy = plan.polygons()
        size = np.diff(start)
        follower = np.arange(1, len(xy) + 1)
        follower[start[1:] - 1] = start[: len(size)]
        self.plan = plan
        self.owner = np.repeat(np.arange(len(size), dtype=np.intc), size)
        self.a = np.ascontiguousarray(xy)
        self.b = np.ascontiguousarray(xy[follower])
        self.length = np.hypot(*(xy[follower] - xy).T)
        self.near = near
        self.shortest = shortest
        self.crack = crack
        self.step = plan.mesh.step
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
        self._borders()

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
        ux: cython.double = (self.b[e, 0] - self.a[e, 0]) / self.length[e]
        uy: cython.double = (self.b[e, 1] - self.a[e, 1]) / self.length[e]
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
        self.stretch(e, f, low, high)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def stretch(self, e: cython.int, f: cython.int, low: cython.double, high: cython.double) -> cython.void:
        """Contacts along a stretch of edge e, from ``low`` to ``high``, beside which f runs."""
        inset: cython.double = min(self.near, 0.25 * (high - low))
        n: cython.int = cython.cast(cython.int, (high - low) / SAMPLE) + 1
        k: cython.int
        t: cython.double = low + inset
        before: cython.double = low + inset
        begin: cython.double = low
        was: cython.bint = self.walkable(e, f, t)
        now: cython.bint
        for k in range(1, n + 1):
            t = low + inset + (high - low - 2.0 * inset) * k / n
            now = self.walkable(e, f, t)
            if now and not was:
                begin = self.turn(e, f, before, t)
            if was and not now:
                self.add(e, f, begin, self.turn(e, f, before, t))
            was = now
            before = t
        if was:
            self.add(e, f, begin, high)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walkable(self, e: cython.int, f: cython.int, t: cython.double) -> cython.bint:
        """Whether a player walks between the floors of two edges at a point, t units along edge e."""
        ux: cython.double = (self.b[e, 0] - self.a[e, 0]) / self.length[e]
        uy: cython.double = (self.b[e, 1] - self.a[e, 1]) / self.length[e]
        x: cython.double = self.a[e, 0] + t * ux
        y: cython.double = self.a[e, 1] + t * uy
        z: cython.double = self.plan.z_at(self.owner[e], x, y)
        other: cython.double = self.plan.z_at(self.owner[f], x, y)
        side: cython.int
        s: cython.double
        area: cython.int
        if fabs(z - other) > self.step + SLACK:
            return False
        if other > z:
            z = other
        for side in range(4):
            s = ASIDE if side & 1 else -ASIDE
            area = self.plan.area_at(x - s * uy, y + s * ux, z + (OPEN_HIGH if side & 2 else OPEN_LOW))
            if area < 0 or self.plan.mesh.area_key[area] != self.key_of(e):
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def turn(self, e: cython.int, f: cython.int, t0: cython.double, t1: cython.double) -> cython.double:
        """Where between t0 and t1 two floors begin, or cease, to be walkable."""
        first: cython.bint = self.walkable(e, f, t0)
        t: cython.double
        k: cython.int
        for k in range(HALVINGS):
            t = 0.5 * (t0 + t1)
            if self.walkable(e, f, t) == first:
                t0 = t
            else:
                t1 = t
        return 0.5 * (t0 + t1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add(self, e: cython.int, f: cython.int, t0: cython.double, t1: cython.double) -> cython.void:
        """A contact from t0 to t1 along edge e."""
        if t1 - t0 <= self.shortest:
            return
        ux: cython.double = (self.b[e, 0] - self.a[e, 0]) / self.length[e]
        uy: cython.double = (self.b[e, 1] - self.a[e, 1]) / self.length[e]
        ax: cython.double = self.a[e, 0] + t0 * ux
        ay: cython.double = self.a[e, 1] + t0 * uy
        bx: cython.double = self.a[e, 0] + t1 * ux
        by: cython.double = self.a[e, 1] + t1 * uy
        self.plan.add_seg(CONTACT, self.owner[e], self.owner[f], ax, ay, bx, by)
        self.cover(e, t0, t1)
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

    def _borders(self):
        """Borders of all edges where no contact covers them."""
        n = self.spans
        edge, span = np.asarray(self.span_edge)[:n], np.asarray(self.span)[:n]
        order = np.lexsort((span[:, 1], span[:, 0], edge))
        self._fill(np.ascontiguousarray(edge[order]), np.ascontiguousarray(span[order]))

    def _fill(self, edge: cython.int[::1], span: cython.double[:, ::1]):
        """Borders between the stretches of each edge, sorted."""
        e: cython.int
        at: cython.int = 0
        done: cython.double
        with cython.nogil:
            for e in range(self.owner.shape[0]):
                done = 0.0
                while at < edge.shape[0] and edge[at] == e:
                    self.border(e, done, span[at, 0])
                    if span[at, 1] > done:
                        done = span[at, 1]
                    at += 1
                self.border(e, done, self.length[e])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def border(self, e: cython.int, t0: cython.double, t1: cython.double) -> cython.void:
        """A border from t0 to t1 along an edge, unless it is too short to stop a player."""
        if t1 - t0 <= (self.near if t1 - t0 == self.length[e] else self.crack):
            return
        ux: cython.double = (self.b[e, 0] - self.a[e, 0]) / self.length[e]
        uy: cython.double = (self.b[e, 1] - self.a[e, 1]) / self.length[e]
        self.plan.add_seg(
            BORDER, self.owner[e], -1,
            self.a[e, 0] + t0 * ux, self.a[e, 1] + t0 * uy, self.a[e, 0] + t1 * ux, self.a[e, 1] + t1 * uy,
        )  # fmt: skip
