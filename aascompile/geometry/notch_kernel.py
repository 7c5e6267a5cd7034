# mypy: ignore-errors
"""Polygons with notches are cut into polygons without.

Glossary
    reflex    a corner at which the outline turns clockwise.
    lid       a line from a corner to another with all corners behind it, but for ``deep``.
    notch     a reflex corner that lies more than ``deep`` behind a lid from a corner before it to a corner after it.
    diagonal  a line inside a polygon from a notch to another corner. It touches no other corner and no edge.
"""

import cython
import numpy as np
from cython.cimports.aascompile.geometry.polygon_kernel import Polys
from cython.cimports.libc.math import sqrt


class Notches:
    """Cuts polygons of a store."""

    def __init__(self, polys, deep):
        self.polys = polys
        self.deep = deep

    def face(self, nx, ny, nz):
        """Set the normal about which the corners of all polygons run counter-clockwise."""
        self.nx = nx
        self.ny = ny
        self.nz = nz

    def turn(self, a, b, c):
        """Twice the area of the triangle of three vertices; negative if it is clockwise."""
        ux: cython.double = self.polys.xyz[b, 0] - self.polys.xyz[a, 0]
        uy: cython.double = self.polys.xyz[b, 1] - self.polys.xyz[a, 1]
        uz: cython.double = self.polys.xyz[b, 2] - self.polys.xyz[a, 2]
        vx: cython.double = self.polys.xyz[c, 0] - self.polys.xyz[a, 0]
        vy: cython.double = self.polys.xyz[c, 1] - self.polys.xyz[a, 1]
        vz: cython.double = self.polys.xyz[c, 2] - self.polys.xyz[a, 2]
        return self.nx * (uy * vz - uz * vy) + self.ny * (uz * vx - ux * vz) + self.nz * (ux * vy - uy * vx)

    def apart(self, a, b):
        """Squared distance of two vertices."""
        k: cython.int
        d: cython.double
        sum: cython.double = 0.0
        for k in range(3):
            d = self.polys.xyz[b, k] - self.polys.xyz[a, k]
            sum += d * d
        return sum

    def is_lid(self, first, n, p, q, least):
        """Whether no corner of a polygon is so far outside the line from p to q that the triangle is smaller than this."""
        k: cython.int
        for k in range(first, first + n):
            if self.turn(p, q, k) < least:
                return False
        return True

    def is_notch(self, first, n, i):
        """Whether corner i of a polygon is a notch."""
        r: cython.int = first + i
        j: cython.int
        k: cython.int
        p: cython.int
        q: cython.int
        most: cython.double
        if self.turn(first + (i + n - 1) % n, r, first + (i + 1) % n) >= 0.0:
            return False
        for j in range(1, n - 1):
            q = first + (i + j) % n
            for k in range(j + 1, n):
                p = first + (i + k) % n
                most = self.deep * sqrt(self.apart(p, q))
                if self.turn(p, q, r) > most and self.is_lid(first, n, p, q, -most):
                    return True
        return False

    def points_inside(self, first, n, i, k):
        """Whether the line from corner i to corner k sets out into the polygon."""
        r: cython.int = first + i
        to: cython.int = first + k
        before: cython.int = first + (i + n - 1) % n
        after: cython.int = first + (i + 1) % n
        if self.turn(before, r, after) >= 0.0:
            return self.turn(r, to, before) > 0.0 and self.turn(r, after, to) > 0.0
        return self.turn(r, to, before) > 0.0 or self.turn(r, after, to) > 0.0

    def is_diagonal(self, first, n, i, k):
        """Whether the line from corner i to corner k runs inside the polygon and touches it only there."""
        a: cython.int
        b: cython.int
        j: cython.int
        if not self.points_inside(first, n, i, k) or not self.points_inside(first, n, k, i):
            return False
        for j in range(n):
            if j == i or j == k or (j + 1) % n == i or (j + 1) % n == k:
                continue
            a = first + j
            b = first + (j + 1) % n
            if (
                self.turn(first + i, first + k, a) * self.turn(first + i, first + k, b) <= 0.0
                and self.turn(a, b, first + i) * self.turn(a, b, first + k) <= 0.0
            ):
                return False
        return True

    def cut(self, poly):
        """Cut a polygon along the shortest diagonal from a notch. It keeps one part, and a new row gets the other. False
        if there is no notch, or no diagonal from any."""
        first: cython.int = self.polys.start[poly]
        n: cython.int = self.polys.size[poly]
        i: cython.int
        k: cython.int
        new: cython.int
        a: cython.int = -1
        b: cython.int = -1
        length: cython.double
        least: cython.double = 0.0
        for i in range(n):
            if not self.is_notch(first, n, i):
                continue
            for k in range(n):
                if k == i or k == (i + 1) % n or i == (k + 1) % n:
                    continue
                length = self.apart(first + i, first + k)
                if (a < 0 or length < least) and self.is_diagonal(first, n, i, k):
                    a = i
                    b = k
                    least = length
        if a < 0:
            return False
        new = self.part(first, n, b, a)
        self.polys.start[poly] = self.polys.start[new]
        self.polys.size[poly] = self.polys.size[new]
        self.polys.release(self.polys.vertex_count, new)
        self.part(first, n, a, b)
        return True

    def part(self, first, n, a, b):
        """Append the polygon of the corners from a on to b."""
        poly: cython.int = self.polys.begin(n)
        i: cython.int = a
        while True:
            self.polys.push(self.polys.xyz[first + i, 0], self.polys.xyz[first + i, 1], self.polys.xyz[first + i, 2])
            if i == b:
                break
            i = (i + 1) % n
        self.polys.close(poly)
        return poly

    def cut_all(self, first):
        """Cut the polygons of the store from a row on until none has a notch. Returns how many there are then."""
        poly: cython.int = first
        while poly < self.polys.poly_count:
            if not self.cut(poly):
                poly += 1
        return self.polys.poly_count - first


def without_notches(polygon: cython.double[:, ::1], normal: cython.double[::1], deep: cython.double):
    """The parts of a polygon: a list of arrays of corners."""
    polys: Polys = Polys()
    polys.load(np.array([0, polygon.shape[0]]), np.asarray(polygon))
    notches: Notches = Notches(polys, deep)
    with cython.nogil:
        notches.face(normal[0], normal[1], normal[2])
        notches.cut_all(0)
    start, xyz = polys.columns()
    return [xyz[start[k] : start[k + 1]] for k in range(len(start) - 1)]
