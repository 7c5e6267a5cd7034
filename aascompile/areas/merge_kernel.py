# mypy: ignore-errors
"""Merging of neighbouring areas (thesis §6.2): the same key, a convex union, never ground with a gap, nor with a ladder
out of reach.

The union of two convex areas is convex when each lies behind all planes of the other, but for the plane they share.

Whether two areas may be one depends on nothing but the two. So a face is looked at again only if an area beside it has
grown since.
"""

import cython
import numpy as np
from cython.cimports.aascompile.areas.mesh_kernel import AreaMesh


@cython.final
@cython.cclass
class AreaMerger:
    mesh: AreaMesh
    into: cython.int[::1]
    grew: cython.int[::1]  # of each area: number of the last merge that it took part in
    tried: cython.int[::1]  # of each face: number of merges before it was looked at; −1: never
    box: cython.double[:, ::1]  # of each area: minima, maxima
    flat: cython.double
    merges = cython.declare(cython.int, visibility="readonly")

    def __init__(self, mesh, flat: cython.double):
        self.mesh = mesh
        self.into = np.arange(max(mesh.area_count, 1), dtype=np.intc)
        self.grew = np.zeros(len(self.into), np.intc)
        self.tried = np.full(max(mesh.face_count, 1), -1, np.intc)
        self.flat = flat
        self.box = mesh.bounds(np.arange(mesh.area_count, dtype=np.intc))
        self.merges = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def behind(self, a: cython.int, b: cython.int) -> cython.bint:
        """Whether all corners of area b lie behind all planes of a that do not lead to b."""
        at: cython.int = self.mesh.area_head[a]
        bt: cython.int
        p: cython.int
        k: cython.int
        s: cython.double
        poly: cython.int
        nx: cython.double
        ny: cython.double
        nz: cython.double
        d: cython.double
        while at >= 0:
            if self.mesh.face_area[at >> 1, 1 - (at & 1)] != b and not self.mesh.is_thin(at >> 1):
                p = self.mesh.face_plane[at >> 1]
                s = -1.0 if at & 1 else 1.0
                nx = s * self.mesh.normal[p, 0]
                ny = s * self.mesh.normal[p, 1]
                nz = s * self.mesh.normal[p, 2]
                d = s * self.mesh.dist[p] - self.flat
                bt = self.mesh.area_head[b]
                if (
                    nx * self.box[b, 0 if nx > 0.0 else 3]
                    + ny * self.box[b, 1 if ny > 0.0 else 4]
                    + nz * self.box[b, 2 if nz > 0.0 else 5]
                    >= d + self.flat
                ):
                    bt = -1  # the whole box lies behind it
                while bt >= 0:
                    poly = self.mesh.face_poly[bt >> 1]
                    for k in range(
                        self.mesh.polys.start[poly], self.mesh.polys.start[poly] + self.mesh.polys.size[poly]
                    ):
                        if (
                            nx * self.mesh.polys.xyz[k, 0] + ny * self.mesh.polys.xyz[k, 1]
                            + nz * self.mesh.polys.xyz[k, 2] < d
                        ):  # fmt: skip
                            return False
                    bt = self.mesh.face_next[bt >> 1, bt & 1]
            at = self.mesh.face_next[at >> 1, at & 1]
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def underside(self, a: cython.int, b: cython.int) -> cython.int:
        """Ground (1) and gaps (2) of area a, but for faces to b."""
        seen: cython.int = 0
        at: cython.int = self.mesh.area_head[a]
        while at >= 0:
            if self.mesh.is_ground(at >> 1, at & 1):
                seen |= 1
            elif self.mesh.face_area[at >> 1, 1 - (at & 1)] != b and self.mesh.is_gap(at >> 1, at & 1):
                seen |= 2
            at = self.mesh.face_next[at >> 1, at & 1]
        return seen

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def may_merge(self, a: cython.int, b: cython.int) -> cython.bint:
        """Whether the union is an area."""
        if self.mesh.area_key[a] != self.mesh.area_key[b]:
            return False
        if not (self.behind(a, b) and self.behind(b, a)):
            return False
        if self.mesh.area_liquid[a]:
            return True
        return (self.underside(a, b) | self.underside(b, a)) != 3 and not self.mesh.hangs(a, b)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def merge(self, a: cython.int, b: cython.int) -> cython.void:
        """Merge b into a."""
        k: cython.int
        for k in range(3):
            self.box[a, k] = min(self.box[a, k], self.box[b, k])
            self.box[a, 3 + k] = max(self.box[a, 3 + k], self.box[b, 3 + k])
        self.mesh.take(a, b)
        self.into[b] = a
        self.merges += 1
        self.grew[a] = self.merges

    def run(self):
        """Merge until no face separates two areas that may be one. The lower number survives."""
        f: cython.int
        a: cython.int
        b: cython.int
        before: cython.int = -1
        with cython.nogil:
            while before != self.merges:
                before = self.merges
                for f in range(self.mesh.face_count):
                    a = self.mesh.face_area[f, 0]
                    b = self.mesh.face_area[f, 1]
                    if a < 0 or b < 0 or a == b or max(self.grew[a], self.grew[b]) <= self.tried[f]:
                        continue
                    self.tried[f] = self.merges
                    if not self.may_merge(a, b):
                        continue
                    if a < b:
                        self.merge(a, b)
                    else:
                        self.merge(b, a)

    def result(self):
        """(areas,) the area that each one went into, itself when it survives."""
        into = np.asarray(self.into)[: self.mesh.area_count].copy()
        while True:
            further = into[into]
            if (further == into).all():
                return into
            into = further
