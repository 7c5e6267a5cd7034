# mypy: ignore-errors
"""Cutting floors anew: each connected floor into few plan-convex pieces, with vertical cuts through the mesh.

Glossary
    region  polygons that contacts connect: what is left of a floor between cuts.
    bad     a segment of a region's outline that lies deeper inside its hull than ``flat``: a corner of a wall, a pillar,
            the edge of a pit.
    chord   the straight line on from the end of a bad segment to the next border. Cutting there makes the corner at
            that end convex. The shortest chord is cut first, and a chord from corner to corner before others.

A region without bad segments, and that does not lie above itself, is a piece.
"""

import cython
import numpy as np
from cython.cimports.aascompile.areas.mesh_kernel import AreaMesh
from cython.cimports.aascompile.geometry.outline_kernel import Outline
from cython.cimports.aascompile.areas.plan_kernel import FloorPlan
from cython.cimports.libc.math import ceil, fabs, floor, sqrt

from aascompile.geometry.outline_kernel import Outline as MakeOutline
from aascompile.columns import grown

# The kinds of segments of plan_kernel.
CONTACT = cython.declare(cython.char, 0)
CUT = cython.declare(cython.char, 2)

ASIDE = cython.declare(cython.double, 0.3)  # units beside a chord where both of its sides are walked
BEHIND = cython.declare(cython.double, 1.0)  # units behind a corner where a walk starts
LEAST = cython.declare(cython.double, 0.5)  # units: shorter segments give no direction
PAST = cython.declare(cython.double, 0.2)  # units that a cut reaches past both ends of its chord
CORNER = cython.declare(cython.double, 2.0)  # units: a chord that ends this near to another corner makes both convex
BONUS = cython.declare(cython.double, 0.5)  # share of its length that such a chord counts
FAR = cython.declare(cython.double, 1e6)
MANY = cython.declare(cython.int, 16)  # bad segments for each cut before a region is looked at again
FEW = cython.declare(cython.int, 64)  # cuts that any region may take, besides
EACH = cython.declare(cython.int, 4)  # so many for each segment of its outline


@cython.final
@cython.cclass
class FloorCutter:
    plan: FloorPlan
    mesh: AreaMesh
    outline: Outline
    flat: cython.double
    widest: cython.double
    on_line: cython.double

    member: cython.int[::1]
    members: cython.int
    stamp: cython.int[::1]
    piece: cython.int[::1]  # counted from 1; 0: not yet in a piece
    round: cython.int
    rims: cython.int

    bad: cython.int[::1]
    bads: cython.int
    end: cython.int[::1]
    ends: cython.int
    score: cython.double[::1]
    chord: cython.int[::1]

    # the chord in hand
    x: cython.double
    y: cython.double
    dx: cython.double
    dy: cython.double
    reach: cython.double
    plane: cython.int

    pieces = cython.declare(cython.int, visibility="readonly")
    cuts = cython.declare(cython.int, visibility="readonly")
    forced = cython.declare(cython.int, visibility="readonly")
    given_up = cython.declare(cython.int, visibility="readonly")

    def __init__(self, plan, flat: cython.double, widest: cython.double, on_line: cython.double):
        self.plan = plan
        self.mesh = plan.mesh
        self.outline = MakeOutline()
        self.flat = flat
        self.widest = widest
        self.on_line = on_line
        n = max(plan.poly_count, 16)
        self.member = np.empty(n, np.intc)
        self.stamp = np.zeros(n, np.intc)
        self.piece = np.zeros(n, np.intc)
        self.members = 0
        self.round = 0
        self.rims = 0
        self.bad = np.empty(256, np.intc)
        self.end = np.empty(512, np.intc)
        self.ends = 0
        self.score = np.empty(512)
        self.chord = np.empty(512, np.intc)
        self.bads = 0
        self.pieces = 0
        self.cuts = 0
        self.forced = 0
        self.given_up = 0

    # --- regions ----------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def gather(self, seed: cython.int) -> cython.void:
        """List the region of a polygon in ``member``, and stamp its polygons with the round."""
        i: cython.int = 0
        p: cython.int
        at: cython.int
        other: cython.int
        self.round += 1
        self.stamp[seed] = self.round
        self.member[0] = seed
        self.members = 1
        while i < self.members:
            p = self.member[i]
            at = self.plan.poly_head[p]
            while at >= 0:
                other = self.plan.seg_poly[at >> 1, 1 - (at & 1)]
                if self.plan.seg_kind[at >> 1] == CONTACT and self.stamp[other] != self.round:
                    self.stamp[other] = self.round
                    self.member[self.members] = other
                    self.members += 1
                at = self.plan.seg_next[at >> 1, at & 1]
            i += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_piece(self) -> cython.bint:
        """Whether the region is plan-convex and nowhere above itself; else its bad segments are listed."""
        i: cython.int
        at: cython.int
        size: cython.double = 0.0
        widest: cython.double = self.widest
        self.outline.begin()
        self.rims = 0
        for i in range(self.members):
            widest = max(widest, self.plan.poly_wide[self.member[i]])
            size += self.plan.size_of(self.member[i]) - self.plan.poly_over[self.member[i]]
            at = self.plan.poly_head[self.member[i]]
            while at >= 0:
                if self.plan.seg_kind[at >> 1] != CONTACT:
                    self.plan.outline(at >> 1, self.outline)
                    self.rims += 1
                at = self.plan.seg_next[at >> 1, at & 1]
        self.outline.close()
        self.bads = 0
        for i in range(self.members):
            at = self.plan.poly_head[self.member[i]]
            while at >= 0:
                if self.plan.seg_kind[at >> 1] != CONTACT and self.plan.depth(at >> 1, self.outline) > self.flat:
                    if self.bads >= self.bad.shape[0]:
                        with cython.gil:
                            (self.bad,) = grown(self.bads + 1, self.bad)
                            (self.score,) = grown(2 * self.bads + 2, self.score)
                    self.bad[self.bads] = at
                    self.bads += 1
                at = self.plan.seg_next[at >> 1, at & 1]
        if self.bads > 0 or self.outline.extent > widest:
            return False
        return size <= self.outline.size + self.flat * (self.outline.around + 1.0)

    # --- chords -----------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def aim(self, code: cython.int, end: cython.int) -> cython.bint:
        """Take in hand the line on from one end of a bad segment; False when the segment gives no direction."""
        s: cython.int = code >> 1
        ax: cython.double = self.plan.seg_xy[s, 0]
        ay: cython.double = self.plan.seg_xy[s, 1]
        bx: cython.double = self.plan.seg_xy[s, 2]
        by: cython.double = self.plan.seg_xy[s, 3]
        length: cython.double = sqrt((bx - ax) ** 2 + (by - ay) ** 2)
        if length < LEAST:
            return False
        # Along the segment with the region on the left for end 0, on the right for end 1.
        if (code & 1) == end:
            self.x = bx
            self.y = by
            self.dx = (bx - ax) / length
            self.dy = (by - ay) / length
        else:
            self.x = ax
            self.y = ay
            self.dx = (ax - bx) / length
            self.dy = (ay - by) / length
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def follow(self, code: cython.int, end: cython.int) -> cython.bint:
        """Find how far the chord in hand reaches, walking on both sides of it; False when it has no length."""
        s: cython.int = code >> 1
        poly: cython.int = self.plan.seg_poly[s, code & 1]
        length: cython.double = sqrt(
            (self.plan.seg_xy[s, 2] - self.plan.seg_xy[s, 0]) ** 2
            + (self.plan.seg_xy[s, 3] - self.plan.seg_xy[s, 1]) ** 2
        )
        back: cython.double = BEHIND if BEHIND < 0.5 * length else 0.5 * length
        # To the inner side of the chord, where the region lies along the segment.
        side: cython.double = ASIDE if end == 0 else -ASIDE
        ix: cython.double = -side * self.dy
        iy: cython.double = side * self.dx
        sx: cython.double = self.x - back * self.dx + ix
        sy: cython.double = self.y - back * self.dy + iy
        inner: cython.double = self.plan.walk(poly, sx, sy, self.dx, self.dy, FAR) - back
        outer: cython.double = -1.0
        ahead: cython.double = 2.0
        cx: cython.double
        cy: cython.double
        # Where the wall turns away at a flat angle, its other side is open only some way on.
        while ahead <= 32.0 and ahead < inner:
            self.plan.walk(poly, sx, sy, self.dx, self.dy, back + ahead)
            cx = self.x + ahead * self.dx + ix
            cy = self.y + ahead * self.dy + iy
            if self.plan.walk(self.plan.at_poly, cx, cy, -ix / ASIDE, -iy / ASIDE, 2.0 * ASIDE) >= 2.0 * ASIDE:
                outer = ahead + self.plan.walk(self.plan.at_poly, cx - 2.0 * ix, cy - 2.0 * iy, self.dx, self.dy, FAR)
                break
            ahead *= 4.0
        self.reach = inner if inner < outer else outer
        return self.reach > 0.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def near_corner(self, code: cython.int) -> cython.bint:
        """Whether the chord in hand ends near an end of a bad segment other than its own."""
        x: cython.double = self.x + self.reach * self.dx
        y: cython.double = self.y + self.reach * self.dy
        low: cython.int = 0
        high: cython.int = self.ends
        i: cython.int
        e: cython.int
        s: cython.int
        while low < high:  # the first end that is not too far to the left
            i = (low + high) // 2
            e = self.end[i]
            if self.plan.seg_xy[e >> 1, 2 * (e & 1)] <= x - CORNER:
                low = i + 1
            else:
                high = i
        for i in range(low, self.ends):
            e = self.end[i]
            s = e >> 1
            if self.plan.seg_xy[s, 2 * (e & 1)] - x >= CORNER:
                break
            if s == code >> 1:
                continue
            if fabs(self.plan.seg_xy[s, 2 * (e & 1)] - x) + fabs(self.plan.seg_xy[s, 2 * (e & 1) + 1] - y) < CORNER:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sort_ends(self) -> cython.void:
        """List the ends of the bad segments by x, as 2 · segment + end: insertion sort over shrinking gaps."""
        i: cython.int
        j: cython.int
        e: cython.int
        x: cython.double
        if 2 * self.bads > self.end.shape[0]:
            with cython.gil:
                (self.end,) = grown(2 * self.bads, self.end)
        for i in range(self.bads):
            self.end[2 * i] = self.bad[i] & ~1
            self.end[2 * i + 1] = self.bad[i] | 1
        self.ends = 2 * self.bads
        gap: cython.int = 1
        while 3 * gap + 1 < self.ends:
            gap = 3 * gap + 1
        while gap > 0:
            for i in range(gap, self.ends):
                e = self.end[i]
                x = self.plan.seg_xy[e >> 1, 2 * (e & 1)]
                j = i
                while j >= gap and self.plan.seg_xy[self.end[j - gap] >> 1, 2 * (self.end[j - gap] & 1)] > x:
                    self.end[j] = self.end[j - gap]
                    j -= gap
                self.end[j] = e
            gap //= 3

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sort_chords(self) -> cython.void:
        """List the chords, as 2 · bad segment + end, by score and number: insertion sort over shrinking gaps."""
        i: cython.int
        j: cython.int
        n: cython.int = 2 * self.bads
        other: cython.int
        if n > self.chord.shape[0]:
            with cython.gil:
                (self.chord,) = grown(n, self.chord)
        gap: cython.int = 1
        while 3 * gap + 1 < n:
            gap = 3 * gap + 1
        for i in range(n):
            self.chord[i] = i
        while gap > 0:
            for i in range(gap, n):
                other = self.chord[i]
                j = i
                while j >= gap and (
                    self.score[self.chord[j - gap]] > self.score[other]
                    or (self.score[self.chord[j - gap]] == self.score[other] and self.chord[j - gap] > other)
                ):
                    self.chord[j] = self.chord[j - gap]
                    j -= gap
                self.chord[j] = other
            gap //= 3

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def cut(self) -> cython.bint:
        """Cut the region along its best chord; along a whole line if no chord will do. False when nothing was cut."""
        i: cython.int
        best: cython.int
        self.sort_ends()
        for i in range(2 * self.bads):
            self.score[i] = FAR
            self.plan.trails = 0
            if self.aim(self.bad[i >> 1], i & 1) and self.follow(self.bad[i >> 1], i & 1):
                self.score[i] = self.reach * (BONUS if self.near_corner(self.bad[i >> 1]) else 1.0)
        # In a large region several corners are cut before it is looked at again: most of them are far apart.
        wanted: cython.int = 1 + self.bads // MANY
        done: cython.int = 0
        self.sort_chords()
        for i in range(2 * self.bads):
            best = self.chord[i]
            if done >= wanted or self.score[best] >= FAR:
                break
            self.plan.trails = 0
            if not self.aim(self.bad[best >> 1], best & 1) or not self.follow(self.bad[best >> 1], best & 1):
                continue
            if self.split(-PAST, self.reach + PAST):
                self.cuts += 1
                done += 1
        if done > 0:
            return True
        self.forced += self.bads > 0
        for i in range(2 * self.bads):
            if (i & 1) == 0 and self.aim(self.bad[i >> 1], 0):
                self.take_all()
                if self.split(-FAR, FAR):
                    return True
        self.halve()
        self.take_all()
        return self.split(-FAR, FAR)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take_all(self) -> cython.void:
        """Put the whole region on the trail."""
        i: cython.int
        self.plan.trails = 0
        if self.members > self.plan.trail.shape[0]:
            with cython.gil:
                (self.plan.trail,) = grown(self.members, self.plan.trail)
        for i in range(self.members):
            self.plan.trail[i] = self.member[i]
        self.plan.trails = self.members

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def halve(self) -> cython.void:
        """Take in hand a line across the longer extent of the region: through its middle, or where parts of equal width,
        as few as ``widest`` allows, are divided into two groups."""
        i: cython.int
        k: cython.int
        lx: cython.double = 1e300
        ly: cython.double = 1e300
        hx: cython.double = -1e300
        hy: cython.double = -1e300
        p: cython.int
        for i in range(self.members):
            p = self.member[i]
            for k in range(self.plan.poly_start[p], self.plan.poly_start[p] + self.plan.poly_size[p]):
                lx = min(lx, self.plan.xy[k, 0])
                ly = min(ly, self.plan.xy[k, 1])
                hx = max(hx, self.plan.xy[k, 0])
                hy = max(hy, self.plan.xy[k, 1])
        parts: cython.double = ceil(max(hx - lx, hy - ly) / self.widest)
        share: cython.double = floor(0.5 * parts) / parts if parts > 1.0 else 0.5
        self.x = lx + share * (hx - lx)
        self.y = ly + share * (hy - ly)
        self.dx = 0.0 if hx - lx > hy - ly else 1.0
        self.dy = 1.0 - self.dx

    # --- cutting ----------------------------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def height(self, x: cython.double, y: cython.double) -> cython.double:
        """Units that a point lies to the left of the chord in hand."""
        return (y - self.y) * self.dx - (x - self.x) * self.dy

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def along(self, x: cython.double, y: cython.double) -> cython.double:
        """Units that a point lies along the chord in hand."""
        return (x - self.x) * self.dx + (y - self.y) * self.dy

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def side_of(self, poly: cython.int) -> cython.double:
        """Height of the polygon's corner that is farthest from the chord in hand."""
        k: cython.int
        h: cython.double
        best: cython.double = 0.0
        for k in range(self.plan.poly_start[poly], self.plan.poly_start[poly] + self.plan.poly_size[poly]):
            h = self.height(self.plan.xy[k, 0], self.plan.xy[k, 1])
            if fabs(h) > fabs(best):
                best = h
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def split(self, first: cython.double, last: cython.double) -> cython.bint:
        """Cut the polygons on the trail along the chord in hand, between two places along it. False if it cuts none."""
        n: cython.int = self.plan.trails
        before: cython.int = self.plan.poly_count
        i: cython.int
        p: cython.int
        done: cython.bint = False
        self.plane = -1
        self.round += 1
        for i in range(n):
            p = self.plan.trail[i]
            if self.stamp[p] == self.round:
                continue
            self.stamp[p] = self.round
            done = self.split_poly(p, first, last) or done
        if self.plan.poly_count > self.stamp.shape[0]:
            with cython.gil:
                self.member, self.stamp, self.piece = grown(self.plan.poly_count, self.member, self.stamp, self.piece)
        for i in range(before, self.plan.poly_count):
            self.stamp[i] = self.round
            done = self.part(i, first, last) or done
        for i in range(n):
            done = self.part(self.plan.trail[i], first, last) or done
        return done

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def part(self, poly: cython.int, first: cython.double, last: cython.double) -> cython.bint:
        """Turn a polygon's contacts across the chord in hand into cuts. False if there are none."""
        at: cython.int = self.plan.poly_head[poly]
        s: cython.int
        other: cython.int
        t: cython.double
        mine: cython.double = self.side_of(poly)
        done: cython.bint = False
        while at >= 0:
            s = at >> 1
            other = self.plan.seg_poly[s, 1 - (at & 1)]
            if self.plan.seg_kind[s] == CONTACT and self.stamp[other] == self.round:
                t = self.along(
                    0.5 * (self.plan.seg_xy[s, 0] + self.plan.seg_xy[s, 2]),
                    0.5 * (self.plan.seg_xy[s, 1] + self.plan.seg_xy[s, 3]),
                )
                if first <= t <= last and (self.side_of(other) > 0.0) != (mine > 0.0):
                    self.plan.seg_kind[s] = CUT
                    done = True
            at = self.plan.seg_next[s, at & 1]
        return done

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def split_poly(self, poly: cython.int, first: cython.double, last: cython.double) -> cython.bint:
        """Cut one polygon, and its area in the mesh, along the chord in hand. False if that does not cross it."""
        start: cython.int = self.plan.poly_start[poly]
        size: cython.int = self.plan.poly_size[poly]
        k: cython.int
        m: cython.int
        h: cython.double
        g: cython.double
        t: cython.double
        low: cython.double = 0.0
        high: cython.double = 0.0
        a: cython.double = FAR
        b: cython.double = -FAR
        for k in range(size):
            m = k + 1 if k + 1 < size else 0
            h = self.height(self.plan.xy[start + k, 0], self.plan.xy[start + k, 1])
            g = self.height(self.plan.xy[start + m, 0], self.plan.xy[start + m, 1])
            low = min(low, h)
            high = max(high, h)
            if (h < 0.0) != (g < 0.0):
                t = h / (h - g)
                t = self.along(
                    self.plan.xy[start + k, 0] + t * (self.plan.xy[start + m, 0] - self.plan.xy[start + k, 0]),
                    self.plan.xy[start + k, 1] + t * (self.plan.xy[start + m, 1] - self.plan.xy[start + k, 1]),
                )
                a = min(a, t)
                b = max(b, t)
        if low >= -self.on_line or high <= self.on_line or min(b, last) - max(a, first) < self.plan.shortest:
            return False
        if self.plane < 0:
            self.plane = self.mesh.add_plane(-self.dy, self.dx, 0.0, self.y * self.dx - self.x * self.dy)
        area: cython.int = self.mesh.split_area(self.plan.poly_area[poly], self.plane)
        if area < 0:
            return False
        right: cython.int = self.plan.xy_count
        self.half(start, size, -1.0)
        other: cython.int = self.plan.add_poly(
            area, right, self.plan.xy_count - right, self.plan.poly_plane[poly], self.plan.poly_planes[poly],
            self.plan.poly_wide[poly],
        )  # fmt: skip
        self.plan.poly_over[other] = self.plan.poly_over[poly]
        left: cython.int = self.plan.xy_count
        self.half(start, size, 1.0)
        self.plan.poly_start[poly] = left
        self.plan.poly_size[poly] = self.plan.xy_count - left
        self.deal(poly, other)
        self.plan.add_seg(
            CUT, poly, other, self.x + a * self.dx, self.y + a * self.dy, self.x + b * self.dx, self.y + b * self.dy
        )
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def half(self, start: cython.int, size: cython.int, side: cython.double) -> cython.void:
        """Add the corners of a polygon's part to the left (1) or to the right (−1) of the chord in hand."""
        k: cython.int
        i: cython.int
        j: cython.int
        h: cython.double
        g: cython.double
        t: cython.double
        for k in range(size):
            i = start + k
            j = start + (k + 1 if k + 1 < size else 0)
            h = side * self.height(self.plan.xy[i, 0], self.plan.xy[i, 1])
            g = side * self.height(self.plan.xy[j, 0], self.plan.xy[j, 1])
            if h >= 0.0:
                self.plan.add_point(self.plan.xy[i, 0], self.plan.xy[i, 1])
            if (h < 0.0) != (g < 0.0) and h != 0.0 and g != 0.0:
                t = h / (h - g)
                self.plan.add_point(
                    self.plan.xy[i, 0] + t * (self.plan.xy[j, 0] - self.plan.xy[i, 0]),
                    self.plan.xy[i, 1] + t * (self.plan.xy[j, 1] - self.plan.xy[i, 1]),
                )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def deal(self, poly: cython.int, other: cython.int) -> cython.void:
        """Share the segments of a polygon with its part on the right of the chord in hand; cut those that cross it."""
        at: cython.int = self.plan.poly_head[poly]
        after: cython.int
        s: cython.int
        side: cython.int
        g: cython.double
        h: cython.double
        t: cython.double
        x: cython.double
        y: cython.double
        self.plan.poly_head[poly] = -1
        while at >= 0:
            s = at >> 1
            side = at & 1
            after = self.plan.seg_next[s, side]
            g = self.height(self.plan.seg_xy[s, 0], self.plan.seg_xy[s, 1])
            h = self.height(self.plan.seg_xy[s, 2], self.plan.seg_xy[s, 3])
            if min(g, h) >= -self.on_line or max(g, h) <= self.on_line:
                self.plan.hang(poly if g + h > 0.0 else other, s, side)
                at = after
                continue
            t = g / (g - h)
            x = self.plan.seg_xy[s, 0] + t * (self.plan.seg_xy[s, 2] - self.plan.seg_xy[s, 0])
            y = self.plan.seg_xy[s, 1] + t * (self.plan.seg_xy[s, 3] - self.plan.seg_xy[s, 1])
            # A new segment takes what lies on the right.
            if g > 0.0:
                self.plan.add_seg(
                    self.plan.seg_kind[s],
                    other if side == 0 else self.plan.seg_poly[s, 0],
                    other if side == 1 else self.plan.seg_poly[s, 1],
                    x, y, self.plan.seg_xy[s, 2], self.plan.seg_xy[s, 3],
                )  # fmt: skip
                self.plan.seg_xy[s, 2] = x
                self.plan.seg_xy[s, 3] = y
            else:
                self.plan.add_seg(
                    self.plan.seg_kind[s],
                    other if side == 0 else self.plan.seg_poly[s, 0],
                    other if side == 1 else self.plan.seg_poly[s, 1],
                    self.plan.seg_xy[s, 0], self.plan.seg_xy[s, 1], x, y,
                )  # fmt: skip
                self.plan.seg_xy[s, 0] = x
                self.plan.seg_xy[s, 1] = y
            self.plan.hang(poly, s, side)
            at = after

    # --- all of it --------------------------------------------------------------------------------------------------

    def run(self):
        """Cut until every polygon belongs to a piece."""
        seed: cython.int = 0
        i: cython.int
        left: cython.int
        with cython.nogil:
            while seed < self.plan.poly_count:
                left = -1
                while self.piece[seed] == 0:
                    self.gather(seed)
                    if self.is_piece():
                        self.pieces += 1
                        for i in range(self.members):
                            self.piece[self.member[i]] = self.pieces
                        break
                    if left < 0:
                        left = FEW + EACH * self.rims
                    left -= 1
                    if left <= 0 or not self.cut():
                        self.given_up += 1
                        for i in range(self.members):
                            self.pieces += 1
                            self.piece[self.member[i]] = self.pieces
                        break
                seed += 1

    def result(self):
        """(n,) the piece of each polygon."""
        return np.asarray(self.piece)[: self.plan.poly_count] - 1
