# mypy: ignore-errors
"""The underside of an area, and the vertical plane that divides it best.

Seen from above, the faces of an area's underside do not overlap, so a vertical plane through an edge of one of them
separates some of them from others. A class that extends ``Underside`` lists the faces that matter to it and scores
planes. Every edge is tried.

    under  the listed faces of one area.
    tag    what each of them is; the extending class defines the numbers.
"""

import cython
import numpy as np
from cython.cimports.libc.math import sqrt

from aascompile.columns import grown


class Underside:
    """Faces on the underside of one area at a time."""

    def __init__(self, mesh, min_edge):
        self.mesh = mesh
        self.under = np.empty(256, np.intc)
        self.tag = np.empty(256, np.intc)
        self.unders = 0
        self.min_edge = min_edge
        self.splits = 0

    def add_under(self, face, tag):
        """List a face."""
        if self.unders >= self.under.shape[0]:
            with cython.gil:
                self.under, self.tag = grown(self.unders + 1, self.under, self.tag)
        self.under[self.unders] = face
        self.tag[self.unders] = tag
        self.unders += 1

    def sides(self, i, nx, ny, d):
        """On which sides of a vertical plane a listed face lies: 1 front, 2 back, 3 both, 0 neither."""
        return self.mesh.polys.classify(self.mesh.face_poly[self.under[i]], nx, ny, 0.0, d, self.mesh.beside)

    def score(self, nx, ny, d):
        """How badly a vertical plane divides the underside; less is better, 1e300 if it does not divide it."""
        return 1e300

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
        for i in range(self.unders):
            first = self.mesh.polys.start[self.mesh.face_poly[self.under[i]]]
            size = self.mesh.polys.size[self.mesh.face_poly[self.under[i]]]
            for k in range(size):
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
                s = self.score(dy, -dx, d)
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
