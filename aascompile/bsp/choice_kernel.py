# mypy: ignore-errors
"""Which plane splits a node of the tree best.

Glossary
    polygon     a piece of the visible surface; ``plane`` is its plane's pair number (id >> 1), ``facet`` the side of
                a volume it was cut from: pieces of one facet count as one.
    run         the polygons of one plane within a node; polygons are kept sorted by (plane, facet) throughout.
    cell        the node's convex space; with *section* explained in cell_kernel.

Score of a plane, the highest wins, the first of equals:

    + facet · facets on it        every facet on the plane is settled by one split
    − split · polygons it cuts    each cut is likely to become one more leaf
    − balance · |front − back|    polygons; a mild wish for shallow trees
    + cover · covered share       how much of the section is real surface: such a split cannot be a needless one
    − near · near misses          cuts that leave less than ``near_miss`` on one side: slivers
    + urge · ±1                   a mapper's hint side comes before everything, what only fills space after everything
    + upright · (1 − |up|)        gravity cuts columns of air later: a level cut across them is likely to be needless
"""

import cython
import numpy as np
from cython.cimports.aascompile.bsp.cell_kernel import CellStore
from cython.cimports.aascompile.geometry.polygon_kernel import Polys
from cython.cimports.libc.math import fabs

from aascompile.columns import grown


MOST = 64
"""Planes scored at a node; of more, half those with most surface and half spread over the rest."""
FEWER = 8
"""The same deep down in a tree."""

BLOCK = cython.declare(cython.int, 64)
"""Polygons after which a score is looked at: whether it can still win."""


class PlaneChooser(CellStore):
    """The polygons of nodes, their cells, and the best planes of the node that was looked at last."""

    def __init__(self, planes, weights, tolerances):
        CellStore.__init__(self, planes, tolerances)
        self.polys = Polys(4096, 1024)
        self.plane = np.empty(1024, np.intc)
        self.facet = np.empty(1024, np.intc)
        self.urge = np.empty(1024, np.int8)
        self.area = np.empty(1024)
        self.box = np.empty((1024, 6))
        self.sides = np.empty((6, 1024))
        self.front_count = 0
        self.back_count = 0
        self.listed = np.empty(1024, np.intc)
        self.run_first = np.empty(256, np.intc)
        self.run_count = np.empty(256, np.intc)
        self.run_facets = np.empty(256, np.intc)
        self.run_area = np.empty(256)
        self.run_urge = np.empty(256, np.int8)
        self.runs = 0
        self.candidate = np.empty(MOST, np.intc)
        self.base = np.empty(MOST)
        self.choice = np.empty(8, np.intc)
        self.choice_score = np.empty(8)
        self.choices = 0
        self.tries = 1
        self.most = MOST
        self.scored = 0  # polygons compared with planes
        self.w_facet, self.w_split, self.w_balance, self.w_cover, self.w_near, self.w_urge, self.w_upright = weights
        self.near_miss = tolerances.NEAR_MISS

    def describe(self, poly, plane, facet, urge):
        """Fill the columns of a polygon just made."""
        if self.polys.start.shape[0] > self.plane.shape[0]:
            with cython.gil:
                self.plane, self.facet, self.urge, self.area, self.box = grown(
                    self.polys.start.shape[0], self.plane, self.facet, self.urge, self.area, self.box
                )
        self.plane[poly] = plane
        self.facet[poly] = facet
        self.urge[poly] = urge
        self.area[poly] = self.polys.area(poly)
        self.polys.bounds(poly)
        k: cython.int
        for k in range(6):
            self.box[poly, k] = self.polys.box[k]

    def _grow_runs(self):
        self.run_first, self.run_count, self.run_facets, self.run_area, self.run_urge = grown(
            self.runs + 1, self.run_first, self.run_count, self.run_facets, self.run_area, self.run_urge
        )

    def find_runs(self, first, count):
        """The planes of a node's polygons, in order."""
        self.runs = 0
        last: cython.int = -1
        facet: cython.int = -1
        r: cython.int = -1
        i: cython.int
        p: cython.int
        for i in range(first, first + count):
            p = self.listed[i]
            if self.plane[p] != last:
                last = self.plane[p]
                facet = -1
                r = self.runs
                if r >= self.run_first.shape[0]:
                    with cython.gil:
                        self._grow_runs()
                self.runs = r + 1
                self.run_first[r] = i
                self.run_count[r] = 0
                self.run_facets[r] = 0
                self.run_area[r] = 0.0
                self.run_urge[r] = self.urge[p]
            self.run_count[r] += 1
            self.run_area[r] += self.area[p]
            if self.urge[p] > self.run_urge[r]:
                self.run_urge[r] = self.urge[p]
            if self.facet[p] != facet:
                facet = self.facet[p]
                self.run_facets[r] += 1

    def find_candidates(self):
        """The runs to score: all, or the largest and a spread of the rest; the most urgent always."""
        r: cython.int
        if self.runs <= self.most:
            for r in range(self.runs):
                self.candidate[r] = r
            return self.runs
        half: cython.int = self.most // 2
        n: cython.int = 0
        i: cython.int
        weight: cython.double
        for r in range(self.runs):
            weight = self.run_area[r]
            if (
                n == half
                and weight <= self.run_area[self.candidate[n - 1]]
                and self.run_urge[r] <= self.run_urge[self.candidate[n - 1]]
            ):
                continue
            i = n if n < half else half - 1
            while i > 0 and (
                (
                    self.run_area[self.candidate[i - 1]] < weight
                    and self.run_urge[self.candidate[i - 1]] <= self.run_urge[r]
                )
                or self.run_urge[self.candidate[i - 1]] < self.run_urge[r]
            ):
                self.candidate[i] = self.candidate[i - 1]
                i -= 1
            self.candidate[i] = r
            if n < half:
                n += 1
        for i in range(half):
            self.candidate[n] = (i * self.runs) // half
            n += 1
        return n

    def gather_boxes(self, first, count):
        """Copy the boxes of a node's polygons into columns, in the order of its list: they are read once for each plane."""
        i: cython.int
        k: cython.int
        p: cython.int
        if count > self.sides.shape[1]:
            with cython.gil:
                (self.sides,) = grown(count, self.sides, axis=1)
        for i in range(count):
            p = self.listed[first + i]
            for k in range(6):
                self.sides[k, i] = self.box[p, k]

    def score(self, run, first, count, best):
        """A plane's score without its cover, or less than ``best`` as soon as it cannot win any more."""
        a: cython.int = self.run_first[run] - first
        id: cython.int = 2 * self.plane[self.listed[first + a]]
        nx: cython.double = self.normal[id, 0]
        ny: cython.double = self.normal[id, 1]
        nz: cython.double = self.normal[id, 2]
        score: cython.double = self.w_facet * self.run_facets[run]
        score += self.w_urge * self.run_urge[run] + self.w_upright * (1.0 - fabs(nz))
        self.scored += count
        self.front_count = 0
        self.back_count = 0
        # The polygons before and after those of the run itself.
        if fabs(nx) + fabs(ny) + fabs(nz) == 1.0 and (nx == 0.0) + (ny == 0.0) + (nz == 0.0) == 2:
            score = self.less_axial(id, 0, a, score, best)
            score = self.less_axial(id, a + self.run_count[run], count, score, best)
        else:
            score = self.less_cuts(id, first, 0, a, score, best)
            score = self.less_cuts(id, first, a + self.run_count[run], count, score, best)
        if score + self.w_cover < best:
            return score
        return score - self.w_balance * fabs(cython.cast(cython.double, self.front_count - self.back_count))

    def less_axial(self, id, begin, end, score, best):
        """A score less what the polygons begin..end−1 of a node's list take from it, for a plane along two axes.

        The box of a polygon says all about it. Counts are taken without branches, and the score looked at now and then.
        """
        axis: cython.int = 0 if self.normal[id, 0] != 0.0 else 1 if self.normal[id, 1] != 0.0 else 2
        n: cython.double = self.normal[id, axis]
        d: cython.double = self.dist[id]
        near: cython.int = axis if n > 0 else axis + 3
        far: cython.int = axis + 3 if n > 0 else axis
        on_plane: cython.double = self.on_plane
        near_miss: cython.double = self.near_miss
        low: cython.double
        high: cython.double
        front: cython.int = 0
        back: cython.int = 0
        both: cython.int
        slivers: cython.int
        in_front: cython.int
        behind: cython.int
        i: cython.int
        stop: cython.int
        while begin < end and score + self.w_cover >= best:
            stop = begin + BLOCK if begin + BLOCK < end else end
            both = 0
            slivers = 0
            for i in range(begin, stop):
                low = n * self.sides[near, i] - d
                high = n * self.sides[far, i] - d
                in_front = low > -on_plane
                behind = (high < on_plane) & (in_front ^ 1)
                front += in_front
                back += behind
                in_front = (in_front | behind) ^ 1
                both += in_front
                slivers += in_front & ((high < near_miss) | (-low < near_miss))
            front += both
            back += both
            score -= self.w_split * both + self.w_near * slivers
            begin = stop
        self.front_count += front
        self.back_count += back
        return score

    def less_cuts(self, id, first, begin, end, score, best):
        """A score less what the polygons begin..end−1 of the list of a node that begins at ``first`` take from it."""
        nx: cython.double = self.normal[id, 0]
        ny: cython.double = self.normal[id, 1]
        nz: cython.double = self.normal[id, 2]
        d: cython.double = self.dist[id]
        front: cython.int = 0
        back: cython.int = 0
        i: cython.int
        k: cython.int
        p: cython.int
        v: cython.int
        low: cython.double
        high: cython.double
        s: cython.double
        # Which corner of a box is nearest to and farthest from the plane depends on the normal's signs alone.
        ax: cython.int = 0 if nx > 0 else 3
        ay: cython.int = 1 if ny > 0 else 4
        az: cython.int = 2 if nz > 0 else 5
        bx: cython.int = 3 - ax
        by: cython.int = 5 - ay
        bz: cython.int = 7 - az
        for i in range(begin, end):
            low = nx * self.sides[ax, i] + ny * self.sides[ay, i] + nz * self.sides[az, i] - d
            if low > -self.on_plane:
                front += 1
                continue
            high = nx * self.sides[bx, i] + ny * self.sides[by, i] + nz * self.sides[bz, i] - d
            if high < self.on_plane:
                back += 1
                continue
            low = 0.0
            high = 0.0
            p = self.listed[first + i]
            v = self.polys.start[p]
            for k in range(v, v + self.polys.size[p]):
                s = nx * self.polys.xyz[k, 0] + ny * self.polys.xyz[k, 1] + nz * self.polys.xyz[k, 2] - d
                if s < low:
                    low = s
                if s > high:
                    high = s
            if low > -self.on_plane:
                front += 1
            elif high < self.on_plane:
                back += 1
            else:
                front += 1
                back += 1
                score -= self.w_split
                if high < self.near_miss or -low < self.near_miss:
                    score -= self.w_near
                if score + self.w_cover < best:
                    break
        self.front_count += front
        self.back_count += back
        return score

    def choose(self, first, count, cell_first, cell_count):
        """The best plane's run by score; −1 − run for a plane to drop because it divides nothing.

        The best ``tries`` are left in ``choice``, the best first. All candidates are scored without their cover first.
        The cover, which takes longer, is computed from the best score on down while it can still change the choice.
        """
        n: cython.int = self.find_candidates()
        c: cython.int
        r: cython.int
        i: cython.int
        s: cython.double
        area: cython.double
        least: cython.double
        self.choices = 0
        self.gather_boxes(first, count)
        for c in range(n):
            least = self.choice_score[self.choices - 1] if self.choices == self.tries else -1e300
            s = self.score(self.candidate[c], first, count, least)
            self.base[c] = s
            self.enter(self.candidate[c], s)
        self.choices = 0
        while True:
            c = 0
            for i in range(1, n):
                if self.base[i] > self.base[c]:
                    c = i
            least = self.choice_score[self.choices - 1] if self.choices == self.tries else -1e300
            s = self.base[c]
            if s == -1e301 or s + self.w_cover < least:
                break
            self.base[c] = -1e301
            r = self.candidate[c]
            area = self.section_area(self.plane[self.listed[self.run_first[r]]], cell_first, cell_count)
            if area < 0.0:
                return -1 - r
            area = self.run_area[r] / area
            self.enter(r, s + self.w_cover * (area if area < 1.0 else 1.0))
        return self.choice[0]

    def enter(self, run, score):
        """Put a run among the choices if it is better than the last of them; of equals the lower run is better."""
        i: cython.int
        for i in range(self.choices):
            if self.choice[i] == run:  # the spread of candidates may name a run twice
                return
        i = self.choices
        if i < self.tries:
            self.choices = i + 1
        else:
            i -= 1
            if self.choice_score[i] > score or (self.choice_score[i] == score and self.choice[i] < run):
                return
        while i > 0 and (
            self.choice_score[i - 1] < score or (self.choice_score[i - 1] == score and self.choice[i - 1] > run)
        ):
            self.choice_score[i] = self.choice_score[i - 1]
            self.choice[i] = self.choice[i - 1]
            i -= 1
        self.choice_score[i] = score
        self.choice[i] = run
