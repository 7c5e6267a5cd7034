# mypy: ignore-errors
"""Joining pieces of a floor whose union is plan-convex: cuts that turned out to be needless.

The polygons of a piece are a linked list through ``poly_next``.
"""

import cython
import numpy as np
from cython.cimports.aascompile.geometry.outline_kernel import Outline
from cython.cimports.aascompile.areas.plan_kernel import FloorPlan

from aascompile.geometry.outline_kernel import Outline as MakeOutline


@cython.final
@cython.cclass
class PieceJoiner:
    plan: FloorPlan
    outline: Outline
    piece: cython.int[::1]
    head: cython.int[::1]
    poly_next: cython.int[::1]
    flat: cython.double
    widest: cython.double

    def __init__(self, plan, piece, flat: cython.double, widest: cython.double):
        self.plan = plan
        self.outline = MakeOutline()
        self.piece = np.array(piece, np.intc)
        count = int(np.max(piece, initial=-1)) + 1
        self.head = np.full(max(count, 1), -1, np.intc)
        self.poly_next = np.full(max(len(piece), 1), -1, np.intc)
        self.flat = flat
        self.widest = widest
        p: cython.int
        for p in range(len(piece) - 1, -1, -1):
            self.poly_next[p] = self.head[self.piece[p]]
            self.head[self.piece[p]] = p

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def bounds(self, at: cython.int, a: cython.int, b: cython.int) -> cython.bint:
        """Whether a polygon's segment bounds the union of two pieces."""
        other: cython.int = self.plan.seg_poly[at >> 1, 1 - (at & 1)]
        return other < 0 or (self.piece[other] != a and self.piece[other] != b)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fits(self, a: cython.int, b: cython.int) -> cython.bint:
        """Whether the union of two pieces is plan-convex and nowhere above itself."""
        size: cython.double = 0.0
        widest: cython.double = self.widest
        part: cython.int
        p: cython.int
        at: cython.int
        self.outline.begin()
        for part in range(2):
            p = self.head[b if part else a]
            while p >= 0:
                size += self.plan.size_of(p) - self.plan.poly_over[p]
                widest = max(widest, self.plan.poly_wide[p])
                at = self.plan.poly_head[p]
                while at >= 0:
                    if self.bounds(at, a, b):
                        self.plan.outline(at >> 1, self.outline)
                    at = self.plan.seg_next[at >> 1, at & 1]
                p = self.poly_next[p]
        self.outline.close()
        if self.outline.extent > widest:
            return False
        if size > self.outline.size + self.flat * (self.outline.around + 1.0):
            return False
        for part in range(2):
            p = self.head[b if part else a]
            while p >= 0:
                at = self.plan.poly_head[p]
                while at >= 0:
                    if self.bounds(at, a, b) and self.plan.depth(at >> 1, self.outline) > self.flat:
                        return False
                    at = self.plan.seg_next[at >> 1, at & 1]
                p = self.poly_next[p]
        return True

    def join(self, first: cython.int[::1], second: cython.int[::1]):
        """Join pairs of pieces in this order where that fits, each piece at most once. Returns the number of joins."""
        i: cython.int
        a: cython.int
        b: cython.int
        p: cython.int
        joined: cython.int = 0
        used: cython.char[::1] = np.zeros(self.head.shape[0], np.int8)
        with cython.nogil:
            for i in range(first.shape[0]):
                a = first[i]
                b = second[i]
                if used[a] or used[b] or not self.fits(a, b):
                    continue
                used[a] = 1
                used[b] = 1
                joined += 1
                p = self.head[b]
                while True:
                    self.piece[p] = a
                    if self.poly_next[p] < 0:
                        break
                    p = self.poly_next[p]
                self.poly_next[p] = self.head[a]
                self.head[a] = self.head[b]
                self.head[b] = -1
        return joined

    def result(self):
        """(n,) the piece of each polygon."""
        return np.asarray(self.piece).copy()
