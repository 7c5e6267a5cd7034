# mypy: ignore-errors
"""The underside of an area, and the vertical plane that divides it best.

Seen from above, the faces of an area's underside do not overlap, so a vertical plane through an edge of one of them
separates some of them from others. A class that extends ``Underside`` lists the faces that matter to it and scores
planes, CUT or more for each face that a plane cuts. Every edge is tried. Where an area has very many faces, a sample of
edges is tried, and the plane that divides the faces most evenly wins: otherwise time would grow with the cube of their
number.

    under  the listed faces of one area.
    tag    what each of them is; the extending class defines the numbers.
    around a rectangle around each of them, seen from above, with a margin: most planes lie beside it.
    found  on which sides of the plane in hand each of them lies: 1 front, 2 back, 3 both, 0 neither.
"""

import cython
import numpy as np
from cython.cimports.libc.math import fabs, sqrt

from aascompile.columns import grown

CROWD = cython.declare(cython.int, 256)  # faces: areas with more are divided evenly. The most in a real map are 100
SAMPLE = cython.declare(cython.int, 64)  # edges that are tried there, about
CUT = cython.declare(cython.double, 1e3)


class Underside:
    """Faces on the underside of one area at a time."""

    def __init__(self, mesh, min_edge):
        self.mesh = mesh
        self.under = np.empty(256, np.intc)
        self.tag = np.empty(256, np.intc)
        self.around = np.empty((256, 4))
        self.unders = 0
        self.found = np.empty(256, np.int8)
        self.fronts = 0
        self.backs = 0
        self.cuts = 0
        self.min_edge = min_edge
        self.splits = 0
        self.looks = 0  # faces compared with planes

    def add_under(self, face, tag):
        """List a face."""
        if self.unders >= self.under.shape[0]:
            with cython.gil:
                self.under, self.tag, self.found, self.around = grown(
                    self.unders + 1, self.under, self.tag, self.found, self.around
                )
        self.under[self.unders] = face
        self.tag[self.unders] = tag
        self.unders += 1

    def enclose(self):
        """Find the rectangles around the listed faces: their middles, and half of their widths."""
        i: cython.int
        k: cython.int
        a: cython.int
        first: cython.int
        last: cython.int
        low: cython.double
        high: cython.double
        for i in range(self.unders):
            first = self.mesh.polys.start[self.mesh.face_poly[self.under[i]]]
            last = first + self.mesh.polys.size[self.mesh.face_poly[self.under[i]]]
            for a in range(2):
                low = high = self.mesh.polys.xyz[first, a]
                for k in range(first + 1, last):
                    low = min(low, self.mesh.polys.xyz[k, a])
                    high = max(high, self.mesh.polys.xyz[k, a])
                self.around[i, a] = 0.5 * (low + high)
                # More than what counts as beside a plane, along any normal: |x| + |y| is 1 or more.
                self.around[i, 2 + a] = 0.5 * (high - low) + 2.0 * self.mesh.beside

    def divide(self, nx, ny, d, most):
        """Find on which sides of a vertical plane the listed faces lie, and count them. False if all lie on one side, or
        ``most`` of them or more on both."""
        i: cython.int
        side: cython.int
        away: cython.double
        wide: cython.double
        ax: cython.double = fabs(nx)
        ay: cython.double = fabs(ny)
        self.fronts = 0
        self.backs = 0
        self.cuts = 0
        for i in range(self.unders):
            self.looks += 1
            away = nx * self.around[i, 0] + ny * self.around[i, 1] - d
            wide = ax * self.around[i, 2] + ay * self.around[i, 3]
            if away > wide:
                side = 1
            elif away < -wide:
                side = 2
            else:
                side = self.mesh.polys.classify(self.mesh.face_poly[self.under[i]], nx, ny, 0.0, d, self.mesh.beside)
            self.found[i] = side
            self.fronts += side & 1
            self.backs += side >> 1
            if side == 3:
                self.cuts += 1
                if self.cuts >= most:
                    return False
        return self.fronts > 0 and self.backs > 0

    def score(self):
        """How badly the plane in hand divides the underside; less is better."""
        return 0.0

    def choose(self):
        """Add the vertical plane with the best score to the mesh; −1 if no plane divides the underside."""
        best: cython.double = 1e300
        bx: cython.double = 0.0
        by: cython.double = 0.0
        bd: cython.double = 0.0
        i: cython.int
        k: cython.int
        a: cython.int
        b: cython.int
        first: cython.int
        size: cython.int
        dx: cython.double
        dy: cython.double
        length: cython.double
        d: cython.double
        s: cython.double
        edges: cython.int = 0
        every: cython.int = 1
        self.enclose()
        if self.unders > CROWD:
            for i in range(self.unders):
                edges += self.mesh.polys.size[self.mesh.face_poly[self.under[i]]]
            every = edges // SAMPLE
            edges = 0
        for i in range(self.unders):
            first = self.mesh.polys.start[self.mesh.face_poly[self.under[i]]]
            size = self.mesh.polys.size[self.mesh.face_poly[self.under[i]]]
            for k in range(size):
                edges += 1
                if edges % every != 0:
                    continue
                a = first + k
                b = first + (k + 1 if k + 1 < size else 0)
                dx = self.mesh.polys.xyz[b, 0] - self.mesh.polys.xyz[a, 0]
                dy = self.mesh.polys.xyz[b, 1] - self.mesh.polys.xyz[a, 1]
                length = sqrt(dx * dx + dy * dy)
                if length < self.min_edge:
                    continue
                dx /= length
                dy /= length
                d = dy * self.mesh.polys.xyz[a, 0] - dx * self.mesh.polys.xyz[a, 1]
                # Once as many faces are cut as make the score of the best plane, this one is no better.
                if not self.divide(dy, -dx, d, best / CUT if every == 1 else best):
                    continue
                s = (
                    self.score()
                    if every == 1
                    else self.cuts + fabs(cython.cast(cython.double, self.fronts - self.backs))
                )
                if s < best:
                    best = s
                    bx = dy
                    by = -dx
                    bd = d
        if best >= 1e300:
            return -1
        return self.mesh.add_plane(bx, by, 0.0, bd)

    def cut(self, area):
        """Split an area, whose underside is listed, by the best plane. Returns the new area; −1 if there is none."""
        plane: cython.int = self.choose()
        new: cython.int = -1 if plane < 0 else self.mesh.split_area(area, plane)
        if new >= 0:
            self.splits += 1
        return new
