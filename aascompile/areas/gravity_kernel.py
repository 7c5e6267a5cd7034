# mypy: ignore-errors
"""Gravitational subdivision (thesis §6.2, figures 6.12 and 6.13): no area keeps both ground and a gap.

In a convex area the ground faces and the gaps lie on its underside, so seen from above they do not overlap, and a
vertical plane through an edge of one of them tells some of them apart. The plane is chosen that
leaves the fewest parts with both, then cuts the fewest ground faces and gaps, then has the most even halves.
"""

import cython
import numpy as np
from cython.cimports.aascompile.areas.mesh_kernel import AreaMesh
from cython.cimports.libc.math import fabs, sqrt

from aascompile.columns import grown


@cython.final
@cython.cclass
class Gravity:
    mesh: AreaMesh
    under: cython.int[::1]
    kind: cython.char[::1]
    unders: cython.int
    min_edge: cython.double
    splits = cython.declare(cython.int, visibility="readonly")
    stuck = cython.declare(cython.int, visibility="readonly")

    def __init__(self, mesh, min_edge: cython.double):
        self.mesh = mesh
        self.under = np.empty(256, np.intc)
        self.kind = np.empty(256, np.int8)
        self.unders = 0
        self.min_edge = min_edge
        self.splits = 0
        self.stuck = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def underside(self, area: cython.int) -> cython.int:
        """List the area's ground faces (1) and gaps (2). Returns the OR of what it found."""
        seen: cython.int = 0
        at: cython.int = self.mesh.area_head[area]
        k: cython.int
        self.unders = 0
        while at >= 0:
            k = 0
            if self.mesh.is_ground(at >> 1, at & 1):
                k = 1
            elif self.mesh.is_gap(at >> 1, at & 1):
                k = 2
            if k:
                if self.unders >= self.under.shape[0]:
                    with cython.gil:
                        self.under, self.kind = grown(self.unders + 1, self.under, self.kind)
                self.under[self.unders] = at >> 1
                self.kind[self.unders] = k
                self.unders += 1
                seen |= k
            at = self.mesh.face_next[at >> 1, at & 1]
        return seen

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def score(self, nx: cython.double, ny: cython.double, d: cython.double) -> cython.double:
        """How bad a vertical plane is; less is better, huge when all of the underside lies on one side."""
        front: cython.int = 0
        back: cython.int = 0
        cuts: cython.int = 0
        fronts: cython.int = 0
        backs: cython.int = 0
        i: cython.int
        found: cython.int
        for i in range(self.unders):
            found = self.mesh.polys.classify(self.mesh.face_poly[self.under[i]], nx, ny, 0.0, d, self.mesh.beside)
            if found & 1:
                front |= self.kind[i]
                fronts += 1
            if found & 2:
                back |= self.kind[i]
                backs += 1
            if found == 3:
                cuts += 1
        if front == 0 or back == 0:
            return 1e300
        mixed: cython.int = (1 if front == 3 else 0) + (1 if back == 3 else 0)
        return 1e6 * mixed + 1e3 * cuts + fabs(cython.cast(cython.double, fronts - backs))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(self) -> cython.int:
        """Add the best vertical plane to the mesh; −1 when none tells the underside apart."""
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

    def run(self):
        """Subdivide until no dry area has both ground and a gap."""
        area: cython.int = 0
        plane: cython.int
        with cython.nogil:
            # Areas made by a split are appended, so one walk reaches them all; an area is left when it is settled.
            while area < self.mesh.area_count:
                if self.mesh.area_liquid[area] or self.underside(area) != 3:
                    area += 1
                    continue
                plane = self.choose()
                if plane < 0 or self.mesh.split_area(area, plane) < 0:
                    self.stuck += 1
                    area += 1
                    continue
                self.splits += 1
