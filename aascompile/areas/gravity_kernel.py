# mypy: ignore-errors
"""Gravitational subdivision (thesis §6.2, figures 6.12 and 6.13): no area keeps both ground and a gap.

In a convex area the ground faces and the gaps lie on its underside, so a vertical plane through an edge of one of them
separates some of them from others (see underside_kernel). The plane is chosen that leaves the fewest parts with both,
then cuts the fewest ground faces and gaps, then has the most even halves. The tag of a ground face is 1, of a gap 2.
"""

import cython
from cython.cimports.aascompile.areas.underside_kernel import Underside
from cython.cimports.libc.math import fabs


@cython.final
@cython.cclass
class Gravity(Underside):
    stuck = cython.declare(cython.int, visibility="readonly")

    def __init__(self, mesh, min_edge: cython.double):
        Underside.__init__(self, mesh, min_edge)
        self.stuck = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_underside(self, area: cython.int) -> cython.int:
        """List the area's ground faces and gaps. Returns the OR of their tags."""
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
                self.add_under(at >> 1, k)
                seen |= k
            at = self.mesh.face_next[at >> 1, at & 1]
        return seen

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def score(self) -> cython.double:
        """How badly the plane in hand divides the underside; less is better."""
        front: cython.int = 0
        back: cython.int = 0
        i: cython.int
        for i in range(self.unders):
            if self.found[i] & 1:
                front |= self.tag[i]
            if self.found[i] & 2:
                back |= self.tag[i]
        mixed: cython.int = (1 if front == 3 else 0) + (1 if back == 3 else 0)
        return 1e6 * mixed + 1e3 * self.cuts + fabs(cython.cast(cython.double, self.fronts - self.backs))

    def run(self):
        """Subdivide until no dry area has both ground and a gap."""
        area: cython.int = 0
        with cython.nogil:
            # Areas made by a split are appended, so one walk reaches them all; an area is left when it is settled.
            while area < self.mesh.area_count:
                if self.mesh.area_liquid[area] or self.list_underside(area) != 3:
                    area += 1
                    continue
                if self.cut(area) < 0:
                    self.stuck += 1
                    area += 1
