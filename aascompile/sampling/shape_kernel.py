# mypy: ignore-errors
"""Distances between points and the faces of areas, and spheres that move among them (thesis §6.3).

The tree answers for points only. A sphere around a player's origin touches faces, edges and corners, so it is tested
against the polygons of all areas near its path. A face *blocks* a box if it has an area with room for the box on one
side only.
"""

import cython
import numpy as np
from cython.cimports.aascompile.sampling.sample_kernel import Sampler
from cython.cimports.libc.math import INFINITY, sqrt


@cython.final
@cython.cclass
class AreaFaces:
    """The faces of one compiled map, as one thread sees them, with the result of the last question.

    ``x``, ``y``, ``z`` is the nearest point of the polygon that was measured last.
    """

    area_start: cython.longlong[::1]
    area_face: cython.int[::1]
    face_start: cython.longlong[::1]
    corner: cython.double[:, ::1]
    plane: cython.double[:, ::1]
    front: cython.int[::1]
    back: cython.int[::1]
    top: cython.double[::1]
    sampler: Sampler
    x: cython.double
    y: cython.double
    z: cython.double
    normal: cython.double[::1]
    touch: cython.double[::1]

    def __init__(self, tables, sampler):
        self.area_start = tables.area_start
        self.area_face = tables.area_face
        self.face_start = tables.face_start
        self.corner = tables.corner
        self.plane = tables.plane
        self.front = tables.front
        self.back = tables.back
        self.top = tables.top
        self.sampler = sampler
        self.normal = np.zeros(3)
        self.touch = np.zeros(3)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def blocks(self, face: cython.int, presence: cython.uint) -> cython.int:
        """1 if a face stops a box in the area in front of it, −1 if in the area behind it, 0 if it does not."""
        front: cython.bint = self.front[face] >= 0 and (self.sampler.presence[self.front[face]] & presence) != 0
        back: cython.bint = self.back[face] >= 0 and (self.sampler.presence[self.back[face]] & presence) != 0
        return cython.cast(cython.int, front) - cython.cast(cython.int, back)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def covers(self, face: cython.int, x: cython.double, y: cython.double, z: cython.double) -> cython.bint:
        """Whether a point of a face's plane lies within its polygon."""
        first: cython.longlong = self.face_start[face]
        last: cython.longlong = self.face_start[face + 1]
        k: cython.longlong
        j: cython.longlong
        ex: cython.double
        ey: cython.double
        ez: cython.double
        side: cython.double
        for k in range(first, last):
            j = k + 1 if k + 1 < last else first
            ex = self.corner[j, 0] - self.corner[k, 0]
            ey = self.corner[j, 1] - self.corner[k, 1]
            ez = self.corner[j, 2] - self.corner[k, 2]
            # Corners run counter-clockwise seen from the front: the inside is on the left, along normal × edge.
            side = (
                (self.plane[face, 1] * ez - self.plane[face, 2] * ey) * (x - self.corner[k, 0])
                + (self.plane[face, 2] * ex - self.plane[face, 0] * ez) * (y - self.corner[k, 1])
                + (self.plane[face, 0] * ey - self.plane[face, 1] * ex) * (z - self.corner[k, 2])
            )
            if side < 0.0:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def away(self, face: cython.int, x: cython.double, y: cython.double, z: cython.double) -> cython.double:
        """Squared distance from a point to a face. ``x``, ``y``, ``z`` becomes the nearest point of the face."""
        first: cython.longlong = self.face_start[face]
        last: cython.longlong = self.face_start[face + 1]
        k: cython.longlong
        j: cython.longlong
        h: cython.double = (
            self.plane[face, 0] * x + self.plane[face, 1] * y + self.plane[face, 2] * z - self.plane[face, 3]
        )
        px: cython.double = x - h * self.plane[face, 0]
        py: cython.double = y - h * self.plane[face, 1]
        pz: cython.double = z - h * self.plane[face, 2]
        best: cython.double = INFINITY
        ex: cython.double
        ey: cython.double
        ez: cython.double
        t: cython.double
        square: cython.double
        if self.covers(face, px, py, pz):
            self.x = px
            self.y = py
            self.z = pz
            return h * h
        for k in range(first, last):
            j = k + 1 if k + 1 < last else first
            ex = self.corner[j, 0] - self.corner[k, 0]
            ey = self.corner[j, 1] - self.corner[k, 1]
            ez = self.corner[j, 2] - self.corner[k, 2]
            square = ex * ex + ey * ey + ez * ez
            t = (x - self.corner[k, 0]) * ex + (y - self.corner[k, 1]) * ey + (z - self.corner[k, 2]) * ez
            t = 0.0 if t <= 0.0 or square <= 0.0 else (1.0 if t >= square else t / square)
            px = self.corner[k, 0] + t * ex
            py = self.corner[k, 1] + t * ey
            pz = self.corner[k, 2] + t * ez
            square = (x - px) ** 2 + (y - py) ** 2 + (z - pz) ** 2
            if square < best:
                best = square
                self.x = px
                self.y = py
                self.z = pz
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def to_area(self, area: cython.int, x: cython.double, y: cython.double, z: cython.double) -> cython.double:
        """Squared distance from a point to an area, 0 inside; ``touch`` becomes the nearest point of the area."""
        k: cython.longlong
        face: cython.int
        h: cython.double
        best: cython.double = INFINITY
        square: cython.double
        inside: cython.bint = True
        for k in range(self.area_start[area], self.area_start[area + 1]):
            face = self.area_face[k]
            h = self.plane[face, 0] * x + self.plane[face, 1] * y + self.plane[face, 2] * z - self.plane[face, 3]
            if (h if self.front[face] == area else -h) < 0.0:
                inside = False
            square = self.away(face, x, y, z)
            if square < best:
                best = square
                self.touch[0] = self.x
                self.touch[1] = self.y
                self.touch[2] = self.z
        if inside:
            self.touch[0] = x
            self.touch[1] = y
            self.touch[2] = z
            return 0.0
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sphere_at(
        self, a: cython.double[::1], v: cython.double[::1], c: cython.double[::1], r: cython.double
    ) -> cython.double:
        """Fraction of the move v from a at which a sphere of radius r first touches the point c; infinite if never."""
        ox: cython.double = a[0] - c[0]
        oy: cython.double = a[1] - c[1]
        oz: cython.double = a[2] - c[2]
        qa: cython.double = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
        qb: cython.double = ox * v[0] + oy * v[1] + oz * v[2]
        qc: cython.double = ox * ox + oy * oy + oz * oz - r * r
        under: cython.double = qb * qb - qa * qc
        if qb >= 0.0 or under < 0.0 or qa <= 0.0:
            return INFINITY
        return (-qb - sqrt(under)) / qa

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def edge_at(
        self,
        a: cython.double[::1],
        v: cython.double[::1],
        c: cython.double[::1],
        d: cython.double[::1],
        r: cython.double,
    ) -> cython.double:
        """Fraction at which a sphere first touches the inside of the edge from c to d; infinite if it never does.

        ``x``, ``y``, ``z`` becomes the point of contact.
        """
        ex: cython.double = d[0] - c[0]
        ey: cython.double = d[1] - c[1]
        ez: cython.double = d[2] - c[2]
        ee: cython.double = ex * ex + ey * ey + ez * ez
        if ee <= 0.0:
            return INFINITY
        ox: cython.double = a[0] - c[0]
        oy: cython.double = a[1] - c[1]
        oz: cython.double = a[2] - c[2]
        ve: cython.double = (v[0] * ex + v[1] * ey + v[2] * ez) / ee
        oe: cython.double = (ox * ex + oy * ey + oz * ez) / ee
        # Both without their part along the edge.
        wx: cython.double = v[0] - ve * ex
        wy: cython.double = v[1] - ve * ey
        wz: cython.double = v[2] - ve * ez
        ux: cython.double = ox - oe * ex
        uy: cython.double = oy - oe * ey
        uz: cython.double = oz - oe * ez
        qa: cython.double = wx * wx + wy * wy + wz * wz
        qb: cython.double = ux * wx + uy * wy + uz * wz
        under: cython.double = qb * qb - qa * (ux * ux + uy * uy + uz * uz - r * r)
        if qb >= 0.0 or under < 0.0 or qa <= 0.0:
            return INFINITY
        t: cython.double = (-qb - sqrt(under)) / qa
        s: cython.double = oe + t * ve
        if s < 0.0 or s > 1.0:
            return INFINITY
        self.x = c[0] + s * ex
        self.y = c[1] + s * ey
        self.z = c[2] + s * ez
        return t

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def hit_face(
        self, face: cython.int, a: cython.double[::1], v: cython.double[::1], r: cython.double, best: cython.double
    ) -> cython.double:
        """Fraction at which a sphere first touches a face, if that is before ``best``, otherwise ``best``.

        ``touch`` becomes the point of contact.
        """
        first: cython.longlong = self.face_start[face]
        last: cython.longlong = self.face_start[face + 1]
        k: cython.longlong
        j: cython.longlong
        nx: cython.double = self.plane[face, 0]
        ny: cython.double = self.plane[face, 1]
        nz: cython.double = self.plane[face, 2]
        h: cython.double = nx * a[0] + ny * a[1] + nz * a[2] - self.plane[face, 3]
        to: cython.double = nx * v[0] + ny * v[1] + nz * v[2]
        t: cython.double
        if h < 0.0:
            nx = -nx
            ny = -ny
            nz = -nz
            h = -h
            to = -to
        if h + (to if to < 0.0 else 0.0) > r:
            return best
        if to < 0.0 and h >= r:
            t = (h - r) / -to
            if t < best:
                self.x = a[0] + t * v[0] - r * nx
                self.y = a[1] + t * v[1] - r * ny
                self.z = a[2] + t * v[2] - r * nz
                if self.covers(face, self.x, self.y, self.z):
                    self.set_touch()
                    return t
        for k in range(first, last):
            j = k + 1 if k + 1 < last else first
            t = self.edge_at(a, v, self.corner[k], self.corner[j], r)
            if 0.0 <= t < best:
                best = t
                self.set_touch()
            t = self.sphere_at(a, v, self.corner[k], r)
            if 0.0 <= t < best:
                best = t
                self.x = self.corner[k, 0]
                self.y = self.corner[k, 1]
                self.z = self.corner[k, 2]
                self.set_touch()
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def set_touch(self) -> cython.void:
        """Keep the point of contact."""
        self.touch[0] = self.x
        self.touch[1] = self.y
        self.touch[2] = self.z

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def sweep(
        self, a: cython.double[::1], v: cython.double[::1], r: cython.double, presence: cython.uint
    ) -> cython.double:
        """Fraction of the move v from a that a sphere can go; infinite if nothing stops it, negative if stuck.

        ``normal`` becomes the direction from the point of contact to the sphere's centre.
        """
        best: cython.double = INFINITY
        t: cython.double
        k: cython.longlong
        i: cython.int
        area: cython.int
        face: cython.int
        n: cython.int = self.sampler.areas_in_box(
            a[0] + (v[0] if v[0] < 0.0 else 0.0) - r,
            a[1] + (v[1] if v[1] < 0.0 else 0.0) - r,
            a[2] + (v[2] if v[2] < 0.0 else 0.0) - r,
            a[0] + (v[0] if v[0] > 0.0 else 0.0) + r,
            a[1] + (v[1] if v[1] > 0.0 else 0.0) + r,
            a[2] + (v[2] if v[2] > 0.0 else 0.0) + r,
        )
        for i in range(n):
            area = self.sampler.found[i]
            if (self.sampler.presence[area] & presence) == 0:
                continue
            for k in range(self.area_start[area], self.area_start[area + 1]):
                face = self.area_face[k]
                if self.blocks(face, presence) == 0:
                    continue
                if self.away(face, a[0], a[1], a[2]) < r * r:
                    return -1.0
                t = self.hit_face(face, a, v, r, best)
                if t < best:
                    best = t
                    self.normal[0] = (a[0] + t * v[0] - self.touch[0]) / r
                    self.normal[1] = (a[1] + t * v[1] - self.touch[1]) / r
                    self.normal[2] = (a[2] + t * v[2] - self.touch[2]) / r
        return best


def sweep_rows(
    shapes: AreaFaces,
    start: cython.double[:, ::1],
    end: cython.double[:, ::1],
    radius: cython.double,
    presence: cython.uint[::1],
    stop_before: cython.double,
    first: cython.int,
    last: cython.int,
    fraction: cython.double[::1],
    reached: cython.double[:, ::1],
    normal: cython.double[:, ::1],
    number: cython.int[:, ::1],
):
    """Shorten the traces first..last−1 of points, as ``trace_rows`` left them, to what a sphere around them can go."""
    v: cython.double[::1] = np.zeros(3)
    i: cython.int
    k: cython.int
    t: cython.double
    to: cython.double
    with cython.nogil:
        for i in range(first, last):
            if number[i, 4]:
                continue
            for k in range(3):
                v[k] = end[i, k] - start[i, k]
            t = shapes.sweep(start[i], v, radius, presence[i])
            if t < 0.0:
                number[i, 4] = 1
                t = 0.0
            elif t <= 1.0:
                to = -(v[0] * shapes.normal[0] + v[1] * shapes.normal[1] + v[2] * shapes.normal[2])
                t = max(t - stop_before / to, 0.0) if to > 0.0 else t
            if t > fraction[i] or t > 1.0:
                continue
            fraction[i] = t
            number[i, 0] = -1
            number[i, 3] = -1
            for k in range(3):
                reached[i, k] = start[i, k] + t * v[k]
                normal[i, k] = 0.0 if number[i, 4] else shapes.normal[k]
            number[i, 2] = shapes.sampler.area_at(reached[i, 0], reached[i, 1], reached[i, 2])


def wall_rows(
    shapes: AreaFaces,
    point: cython.double[:, ::1],
    reach: cython.double,
    level: cython.double,
    step: cython.double,
    presence: cython.uint,
    first: cython.int,
    last: cython.int,
    distance: cython.double[::1],
    nearest: cython.double[:, ::1],
    face: cython.int[::1],
):
    """Find the nearest wall of the points first..last−1, within ``reach``.

    A wall is a blocking face whose normal rises or falls by less than ``level``, and whose top is more than ``step``
    above the point.
    """
    i: cython.int
    j: cython.int
    n: cython.int
    k: cython.longlong
    area: cython.int
    f: cython.int
    square: cython.double
    best: cython.double
    with cython.nogil:
        for i in range(first, last):
            best = reach * reach
            n = shapes.sampler.areas_in_box(
                point[i, 0] - reach, point[i, 1] - reach, point[i, 2] - reach,
                point[i, 0] + reach, point[i, 1] + reach, point[i, 2] + reach,
            )  # fmt: skip
            for j in range(n):
                area = shapes.sampler.found[j]
                if (shapes.sampler.presence[area] & presence) == 0:
                    continue
                for k in range(shapes.area_start[area], shapes.area_start[area + 1]):
                    f = shapes.area_face[k]
                    if not -level < shapes.plane[f, 2] < level or shapes.top[f] <= point[i, 2] + step:
                        continue
                    if shapes.blocks(f, presence) == 0:
                        continue
                    square = shapes.away(f, point[i, 0], point[i, 1], point[i, 2])
                    if square < best or (square == best and (face[i] < 0 or f < face[i])):
                        best = square
                        face[i] = f
                        distance[i] = sqrt(square)
                        nearest[i, 0] = shapes.x
                        nearest[i, 1] = shapes.y
                        nearest[i, 2] = shapes.z


def nearest_rows(
    shapes: AreaFaces,
    point: cython.double[:, ::1],
    wanted: cython.uchar[::1],
    first: cython.int,
    last: cython.int,
    area: cython.int[::1],
    nearest: cython.double[:, ::1],
    distance: cython.double[::1],
):
    """Find the nearest of the ``wanted`` areas for the points first..last−1; the lowest number of equally near ones."""
    i: cython.int
    a: cython.int
    k: cython.int
    seed: cython.int
    low: cython.double
    best: cython.double
    square: cython.double
    with cython.nogil:
        for i in range(first, last):
            seed = -1
            best = INFINITY
            for a in range(wanted.shape[0]):
                if wanted[a]:
                    low = from_bounds(shapes, a, point[i, 0], point[i, 1], point[i, 2])
                    if low < best:
                        best = low
                        seed = a
            if seed < 0:
                continue
            best = shapes.to_area(seed, point[i, 0], point[i, 1], point[i, 2])
            for a in range(wanted.shape[0]):
                if wanted[a] and from_bounds(shapes, a, point[i, 0], point[i, 1], point[i, 2]) <= best:
                    square = shapes.to_area(a, point[i, 0], point[i, 1], point[i, 2])
                    if square < best or (square == best and area[i] < 0):
                        best = square
                        area[i] = a
                        distance[i] = sqrt(square)
                        for k in range(3):
                            nearest[i, k] = shapes.touch[k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def from_bounds(
    shapes: AreaFaces, area: cython.int, x: cython.double, y: cython.double, z: cython.double
) -> cython.double:
    """Squared distance from a point to the bounds of an area."""
    b: cython.double[:, ::1] = shapes.sampler.bounds
    dx: cython.double = max(b[area, 0] - x, x - b[area, 3], 0.0)
    dy: cython.double = max(b[area, 1] - y, y - b[area, 4], 0.0)
    dz: cython.double = max(b[area, 2] - z, z - b[area, 5], 0.0)
    return dx * dx + dy * dy + dz * dz
