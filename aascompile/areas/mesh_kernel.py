# mypy: ignore-errors
"""Areas bounded by shared faces, and the tree that leads to them: what gravity, ladders and merging work on.

Glossary
    face    a convex polygon with a plane whose normal points into its *front* area (side 0); on its *back* (side 1)
            lies another area or solid (−1). ``up`` of a face seen from an area is the height of the normal that
            points into that area: 1 for a level floor, −1 for a ceiling.
    thin    a face narrower than ``on_plane``: what the weld makes an edge of, so no bound of anything.
    ground  a solid face with ``up ≥ floor_up`` whose shadow is not thin: a player stands on it.
    gap     a face to another area with ``up ≥ gap_up`` whose shadow is not thin: a player falls through it.
    ladder  a solid face whose flags say so: a player climbs it.
    slot    the child of a tree node that leads to an area. A merged area has several.

The faces of an area are a linked list through ``face_next``, coded 2·face + side; so are its slots through
``slot_next``, coded 2·node + child.
Planes made here stand behind those of the map's table; the caller interns them afterwards.
"""

import cython
import numpy as np
from cython.cimports.aascompile.areas.rim_kernel import Rim
from cython.cimports.aascompile.geometry.notch_kernel import Notches
from cython.cimports.aascompile.geometry.polygon_kernel import Polys
from cython.cimports.libc.math import fabs, sqrt

from aascompile.areas.mesh_faces import MeshFaces
from aascompile.columns import grown

THIN = cython.declare(cython.char, 1)
THIN_SHADOW = cython.declare(cython.char, 2)
LADDER = cython.declare(cython.int, 1)


class AreaMesh:
    """Growable columns of faces, areas and nodes."""

    def __init__(self, normal, dist, node, areas, tolerances, floor_up, gap_up, step):
        self.plane_count = len(dist)
        self.normal = np.array(normal, np.float64, order="C")
        self.dist = np.array(dist, np.float64)
        self.polys = Polys(65536, 16384)
        self.face_poly = np.empty(1024, np.intc)
        self.face_plane = np.empty(1024, np.intc)
        self.face_area = np.empty((1024, 2), np.intc)
        self.face_next = np.empty((1024, 2), np.intc)
        self.face_flags = np.empty(1024, np.intc)
        self.face_thin = np.empty(1024, np.int8)
        self.face_count = 0
        rows = max(areas, 16)
        self.area_head = np.full(rows, -1, np.intc)
        self.area_key = np.zeros(rows, np.int64)
        self.area_liquid = np.zeros(rows, np.int8)
        self.area_slot = np.full(rows, -1, np.intc)
        self.area_count = 0
        self.node_count = len(node)
        self.node = np.array(node, np.intc, order="C").reshape(-1, 3)
        self.slot_next = np.full((len(self.node), 2), -1, np.intc)
        self.list = np.empty(256, np.intc)
        self.on_plane = tolerances.ON_PLANE
        self.beside = tolerances.MERGE
        self.clip = tolerances.CLIP
        self.extent = tolerances.WORLD_EXTENT
        self.floor_up = floor_up
        self.gap_up = gap_up
        self.step = step
        self.ladder_foot = 0.0
        self.hole = tolerances.HOLE
        self.seam = tolerances.SEAM
        self.rim = Rim(tolerances.MIN_EDGE)
        self.notches = Notches(self.polys, self.on_plane)

    # --- rows -------------------------------------------------------------------------------------------------------

    def add_plane(self, nx, ny, nz, d):
        """Add a plane and its opposite. Returns its id."""
        if self.plane_count + 2 > self.normal.shape[0]:
            with cython.gil:
                self.normal, self.dist = grown(self.plane_count + 2, self.normal, self.dist)
        p: cython.int = self.plane_count
        self.plane_count = p + 2
        self.normal[p, 0] = nx
        self.normal[p, 1] = ny
        self.normal[p, 2] = nz
        self.dist[p] = d
        self.normal[p + 1, 0] = -nx
        self.normal[p + 1, 1] = -ny
        self.normal[p + 1, 2] = -nz
        self.dist[p + 1] = -d
        return p

    def add_face(self, poly, plane, front, back, flags):
        """A face, linked to the areas on its two sides."""
        f: cython.int = self.face_count
        if f >= self.face_poly.shape[0]:
            with cython.gil:
                self.face_poly, self.face_plane, self.face_area, self.face_next, self.face_flags, self.face_thin = grown(
                    f + 1, self.face_poly, self.face_plane, self.face_area, self.face_next, self.face_flags,
                    self.face_thin,
                )  # fmt: skip
        self.face_count = f + 1
        self.face_plane[f] = plane
        self.shape(f, poly)
        self.face_flags[f] = flags
        self.face_area[f, 0] = -1
        self.face_area[f, 1] = -1
        self.face_next[f, 0] = -1
        self.face_next[f, 1] = -1
        if front >= 0:
            self.link(front, f, 0)
        if back >= 0:
            self.link(back, f, 1)
        return f

    def is_narrow(self, poly, nx, ny, nz, limit):
        """Whether a polygon, seen along a normal, is at most so wide: the least reach across one of its edges."""
        first: cython.int = self.polys.start[poly]
        last: cython.int = first + self.polys.size[poly]
        any_edge: cython.bint = False
        i: cython.int
        j: cython.int
        k: cython.int
        ex: cython.double
        ey: cython.double
        ez: cython.double
        x: cython.double
        y: cython.double
        z: cython.double
        length: cython.double
        enough: cython.double
        low: cython.double
        high: cython.double
        s: cython.double
        for i in range(first, last):
            j = i + 1 if i + 1 < last else first
            ex = self.polys.xyz[j, 0] - self.polys.xyz[i, 0]
            ey = self.polys.xyz[j, 1] - self.polys.xyz[i, 1]
            ez = self.polys.xyz[j, 2] - self.polys.xyz[i, 2]
            x = ny * ez - nz * ey
            y = nz * ex - nx * ez
            z = nx * ey - ny * ex
            length = sqrt(x * x + y * y + z * z)
            if length <= self.clip:
                continue
            any_edge = True
            enough = 2.0 * limit * length  # more than the limit, whatever the rounding; most edges reach it soon
            low = 0.0
            high = 0.0
            for k in range(first, last):
                s = (
                    x * (self.polys.xyz[k, 0] - self.polys.xyz[i, 0])
                    + y * (self.polys.xyz[k, 1] - self.polys.xyz[i, 1])
                    + z * (self.polys.xyz[k, 2] - self.polys.xyz[i, 2])
                )
                if s < low:
                    low = s
                if s > high:
                    high = s
                if high - low > enough:
                    break
            if (high - low) / length <= limit:
                return True
        return not any_edge

    def shape(self, face, poly):
        """Give a face its polygon, and note whether it is thin."""
        p: cython.int = self.face_plane[face]
        thin: cython.char = 0
        self.face_poly[face] = poly
        if self.is_narrow(poly, self.normal[p, 0], self.normal[p, 1], self.normal[p, 2], self.on_plane):
            thin = THIN | THIN_SHADOW
        elif self.is_narrow(poly, 0.0, 0.0, 1.0, self.on_plane):
            thin = THIN_SHADOW
        self.face_thin[face] = thin

    def add_area(self, key, liquid):
        """An area without faces."""
        a: cython.int = self.area_count
        if a >= self.area_head.shape[0]:
            with cython.gil:
                self.area_head, self.area_key, self.area_liquid, self.area_slot = grown(
                    a + 1, self.area_head, self.area_key, self.area_liquid, self.area_slot
                )
        self.area_count = a + 1
        self.area_head[a] = -1
        self.area_key[a] = key
        self.area_liquid[a] = liquid
        self.area_slot[a] = -1
        return a

    def add_node(self, plane, front, back):
        """A tree node."""
        n: cython.int = self.node_count
        if n >= self.node.shape[0]:
            with cython.gil:
                self.node, self.slot_next = grown(n + 1, self.node, self.slot_next)
        self.node_count = n + 1
        self.node[n, 0] = plane
        self.node[n, 1] = front
        self.node[n, 2] = back
        return n

    def link(self, area, face, side):
        """Put one side of a face at the head of an area's list."""
        self.face_area[face, side] = area
        self.face_next[face, side] = self.area_head[area]
        self.area_head[area] = 2 * face + side

    def gather(self, area):
        """Copy an area's face sides into ``list``. Returns their number."""
        n: cython.int = 0
        at: cython.int = self.area_head[area]
        while at >= 0:
            if n >= self.list.shape[0]:
                with cython.gil:
                    (self.list,) = grown(n + 1, self.list)
            self.list[n] = at
            n += 1
            at = self.face_next[at >> 1, at & 1]
        return n

    # --- what a face is to an area ----------------------------------------------------------------------------------

    def up(self, face, side):
        """Height of the face's normal seen from the area on that side."""
        z: cython.double = self.normal[self.face_plane[face], 2]
        return z if side == 0 else -z

    def is_thin(self, face):
        """Whether the face is so narrow that it bounds nothing."""
        return self.face_thin[face] & THIN != 0

    def is_ground(self, face, side):
        """Whether the area on that side stands on the face."""
        if self.face_area[face, 1 - side] >= 0 or self.face_thin[face] & THIN_SHADOW:
            return False
        return self.up(face, side) >= self.floor_up

    def is_gap(self, face, side):
        """Whether a player falls through the face, out of the area on that side."""
        if self.face_area[face, 1 - side] < 0 or self.face_thin[face] & THIN_SHADOW:
            return False
        return self.up(face, side) >= self.gap_up

    def hangs(self, a, b):
        """Whether the union of two areas has ground and a ladder whose foot is out of a step's reach above it.

        Leaves the foot's height in ``ladder_foot``.
        """
        foot: cython.double = self.extent
        ground: cython.double = -self.extent
        area: cython.int = a
        at: cython.int
        poly: cython.int
        k: cython.int
        climbed: cython.bint
        while True:
            at = self.area_head[area]
            while at >= 0:
                climbed = self.face_flags[at >> 1] & LADDER != 0
                if climbed or self.is_ground(at >> 1, at & 1):
                    poly = self.face_poly[at >> 1]
                    for k in range(self.polys.start[poly], self.polys.start[poly] + self.polys.size[poly]):
                        if climbed and self.polys.xyz[k, 2] < foot:
                            foot = self.polys.xyz[k, 2]
                        if not climbed and self.polys.xyz[k, 2] > ground:
                            ground = self.polys.xyz[k, 2]
                at = self.face_next[at >> 1, at & 1]
            if area == b:
                break
            area = b
        self.ladder_foot = foot
        return foot < self.extent and ground > -self.extent and foot - ground > self.step

    # --- splitting ----------------------------------------------------------------------------------------------------

    def encloses(self, area, side):
        """Whether all of an area lies behind the plane of one of its faces; a merged area may reach past thin ones."""
        p: cython.int = self.face_plane[side >> 1]
        s: cython.double = -1.0 if side & 1 else 1.0  # inward
        at: cython.int = self.area_head[area]
        poly: cython.int
        k: cython.int
        while at >= 0:
            poly = self.face_poly[at >> 1]
            for k in range(self.polys.start[poly], self.polys.start[poly] + self.polys.size[poly]):
                if (
                    s * (
                        self.normal[p, 0] * self.polys.xyz[k, 0] + self.normal[p, 1] * self.polys.xyz[k, 1]
                        + self.normal[p, 2] * self.polys.xyz[k, 2] - self.dist[p]
                    ) < -self.on_plane
                ):  # fmt: skip
                    return False
            at = self.face_next[at >> 1, at & 1]
        return True

    def section(self, area, nx, ny, nz, d):
        """The part of a plane inside an area, as a new polygon; −1 when there is none."""
        vertices: cython.int = self.polys.vertex_count
        polys: cython.int = self.polys.poly_count
        cap: cython.int = self.polys.base(nx, ny, nz, d, self.extent)
        at: cython.int = self.area_head[area]
        p: cython.int
        found: cython.int
        s: cython.double
        while at >= 0:
            if self.is_thin(at >> 1) and not self.encloses(area, at):
                at = self.face_next[at >> 1, at & 1]
                continue
            p = self.face_plane[at >> 1]
            s = 1.0 if at & 1 else -1.0  # outward
            found = self.polys.split(
                cap, s * self.normal[p, 0], s * self.normal[p, 1], s * self.normal[p, 2], s * self.dist[p], self.clip
            )
            if found == 1:
                self.polys.release(vertices, polys)
                return -1
            if found == 3:
                cap = self.polys.back
            at = self.face_next[at >> 1, at & 1]
        return self.polys.release_but(vertices, polys, cap)

    def opening(self, area, caps, count):
        """Square units by which polygons in a row that face out of an area fail to close it."""
        at: cython.int = self.area_head[area]
        i: cython.int
        k: cython.int
        s: cython.double
        sum: cython.double[3]
        for k in range(3):
            sum[k] = 0.0
        for i in range(count):
            self.polys.area(caps + i)
            for k in range(3):
                sum[k] += self.polys.vector[k]
        while at >= 0:
            s = 1.0 if at & 1 else -1.0  # outward
            self.polys.area(self.face_poly[at >> 1])
            for k in range(3):
                sum[k] += s * self.polys.vector[k]
            at = self.face_next[at >> 1, at & 1]
        return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2])

    def find_rim(self, area, nx, ny, nz, d):
        """Find the rim of the hole that a cut left in an area. Returns the number of its loops, counter-clockwise seen from
        where the normal points, which is out of the area.

        Merged areas are not quite convex. The part of the plane behind all of their faces misses what lies in dents.
        """
        at: cython.int = self.area_head[area]
        first: cython.int
        last: cython.int
        i: cython.int
        k: cython.int
        a: cython.int
        b: cython.int
        self.rim.clear()
        while at >= 0:
            first = self.polys.start[self.face_poly[at >> 1]]
            last = first + self.polys.size[self.face_poly[at >> 1]]
            for i in range(first, last):
                k = i + 1 if i + 1 < last else first
                if self.is_on(i, nx, ny, nz, d) and self.is_on(k, nx, ny, nz, d):
                    a = k if at & 1 else i
                    b = i if at & 1 else k
                    self.rim.add(
                        self.polys.xyz[a, 0], self.polys.xyz[a, 1], self.polys.xyz[a, 2],
                        self.polys.xyz[b, 0], self.polys.xyz[b, 1], self.polys.xyz[b, 2],
                    )  # fmt: skip
            at = self.face_next[at >> 1, at & 1]
        self.rim.close()
        return self.rim.loops

    def is_on(self, vertex, nx, ny, nz, d):
        """Whether a vertex lies on a plane, within the rounding of a cut."""
        x: cython.double = self.polys.xyz[vertex, 0]
        y: cython.double = self.polys.xyz[vertex, 1]
        z: cython.double = self.polys.xyz[vertex, 2]
        return fabs(nx * x + ny * y + nz * z - d) <= 2.0 * self.clip

    def loop(self, number):
        """A loop of the rim as a new polygon."""
        k: cython.int
        p: cython.int
        poly: cython.int = self.polys.begin(self.rim.start[number + 1] - self.rim.start[number])
        for k in range(self.rim.start[number], self.rim.start[number + 1]):
            p = self.rim.corner[k]
            self.polys.push(self.rim.xyz[p, 0], self.rim.xyz[p, 1], self.rim.xyz[p, 2])
        self.polys.close(poly)
        return poly

    def split_area(self, area, plane):
        """Split an area by a plane: it keeps the front part, a new area (answered) gets the back part.

        −1, with nothing changed, when the plane does not divide the area. Faces are cut as exactly as numbers allow:
        a corner moved onto the plane would no longer lie on its other faces.
        """
        nx: cython.double = self.normal[plane, 0]
        ny: cython.double = self.normal[plane, 1]
        nz: cython.double = self.normal[plane, 2]
        d: cython.double = self.dist[plane]
        n: cython.int = self.gather(area)
        seen: cython.int = 0
        i: cython.int
        for i in range(n):
            if seen != 3:
                seen |= self.polys.classify(self.face_poly[self.list[i] >> 1], nx, ny, nz, d, self.beside)
        if seen != 3:
            return -1
        cap: cython.int = self.section(area, nx, ny, nz, d)
        if cap < 0:
            return -1
        new: cython.int = self.add_area(self.area_key[area], self.area_liquid[area])
        self.area_head[area] = -1
        f: cython.int
        side: cython.int
        far: cython.int
        back: cython.int
        found: cython.int
        for i in range(n):
            f = self.list[i] >> 1
            side = self.list[i] & 1
            found = self.polys.split(self.face_poly[f], nx, ny, nz, d, self.clip)
            if found == 2:
                self.link(new, f, side)
                continue
            self.link(area, f, side)
            if found != 3:
                continue
            far = self.face_area[f, 1 - side]
            back = self.polys.back
            self.shape(f, self.polys.front)
            self.add_face(
                back,
                self.face_plane[f],
                new if side == 0 else far,
                far if side == 0 else new,
                self.face_flags[f],
            )
        self.add_cap(area, new, cap, plane)
        at: cython.int = self.area_slot[area]
        after: cython.int
        node: cython.int
        self.area_slot[area] = -1
        while at >= 0:
            after = self.slot_next[at >> 1, at & 1]
            node = self.add_node(plane, -1 - area, -1 - new)
            self.node[at >> 1, 1 + (at & 1)] = node
            self.slot_next[node, 0] = self.area_slot[area]
            self.slot_next[node, 1] = self.area_slot[new]
            self.area_slot[area] = 2 * node
            self.area_slot[new] = 2 * node + 1
            at = after
        return new

    def add_cap(self, area, new, cap, plane):
        """Close the hole between the two parts of an area: with a polygon, or with the rim of the hole if that fits better.

        A complete rim fits, whatever it encloses: its corners are those of the faces round it. It is cut where it has
        notches, because a face is convex.
        """
        apart: cython.double = self.opening(new, cap, 1)
        vertices: cython.int = self.polys.vertex_count
        first: cython.int = self.polys.poly_count
        nx: cython.double = self.normal[plane, 0]
        ny: cython.double = self.normal[plane, 1]
        nz: cython.double = self.normal[plane, 2]
        loops: cython.int = 0
        i: cython.int
        if apart > self.seam * self.seam:
            loops = self.find_rim(new, nx, ny, nz, self.dist[plane])
        if apart > self.hole or (apart > self.seam * self.seam and self.rim.strays(self.polys, cap, self.seam)):
            for i in range(loops):
                self.loop(i)
            self.notches.face(nx, ny, nz)
            loops = self.notches.cut_all(first)
            if self.rim.widest <= self.on_plane or self.opening(new, first, loops) < apart:
                for i in range(loops):
                    self.add_face(first + i, plane, area, new, 0)
                return
            self.polys.release(vertices, first)
        self.add_face(cap, plane, area, new, 0)

    def take(self, area, other):
        """Give all faces and slots of another area to an area; the faces between the two go."""
        n: cython.int = self.gather(area)
        i: cython.int
        f: cython.int
        side: cython.int
        self.area_head[area] = -1
        for i in range(n):
            f = self.list[i] >> 1
            side = self.list[i] & 1
            if self.face_area[f, 1 - side] == other:
                self.face_area[f, 0] = -1
                self.face_area[f, 1] = -1
            else:
                self.link(area, f, side)
        n = self.gather(other)
        self.area_head[other] = -1
        for i in range(n):
            f = self.list[i] >> 1
            side = self.list[i] & 1
            if self.face_area[f, side] == other:
                self.link(area, f, side)
        at: cython.int = self.area_slot[other]
        after: cython.int
        self.area_slot[other] = -1
        while at >= 0:
            after = self.slot_next[at >> 1, at & 1]
            self.slot_next[at >> 1, at & 1] = self.area_slot[area]
            self.area_slot[area] = at
            at = after

    # --- from and to Python ---------------------------------------------------------------------------------------------

    def load(self, key, liquid, plane, front, back, flags, vertex_start, xyz):
        """Take over areas (one a tree leaf, numbered as the tree's leaves are) and their faces."""
        keys: cython.longlong[::1] = key
        wet: cython.char[::1] = liquid
        planes: cython.int[::1] = plane
        fronts: cython.int[::1] = front
        backs: cython.int[::1] = back
        bits: cython.int[::1] = flags
        first: cython.int = self.polys.load(vertex_start, xyz)
        i: cython.int
        k: cython.int
        p: cython.int
        with cython.nogil:
            for i in range(keys.shape[0]):
                self.add_area(keys[i], wet[i])
            for i in range(planes.shape[0]):
                self.add_face(first + i, planes[i], fronts[i], backs[i], bits[i])
            for i in range(self.node_count):
                for k in range(1, 3):
                    p = self.node[i, k]
                    if p < 0 and -1 - p < self.area_count:
                        self.slot_next[i, k - 1] = self.area_slot[-1 - p]
                        self.area_slot[-1 - p] = 2 * i + k - 1

    def renumber_planes(self, new: cython.int[::1]):
        """Give all faces and nodes the plane ids of the map's table."""
        i: cython.int
        with cython.nogil:
            for i in range(self.face_count):
                self.face_plane[i] = new[self.face_plane[i]]
            for i in range(self.node_count):
                self.node[i, 0] = new[self.node[i, 0]]

    def use_planes(self, normal, dist):
        """Take over the planes of the map's table."""
        self.plane_count = len(dist)
        self.normal = np.array(normal, np.float64, order="C")
        self.dist = np.array(dist, np.float64)

    def faces(self):
        """The faces in use, as ``MeshFaces``."""
        n = self.face_count
        area = np.asarray(self.face_area)[:n]
        used = np.flatnonzero((area >= 0).any(axis=1))
        poly = np.asarray(self.face_poly)[used]
        size = np.asarray(self.polys.size)[poly].astype(np.int64)
        start = np.asarray(self.polys.start)[poly].astype(np.int64)
        vertex_start = np.zeros(len(used) + 1, np.int64)
        np.cumsum(size, out=vertex_start[1:])
        rows = np.repeat(start - vertex_start[: len(used)], size) + np.arange(vertex_start[len(used)])
        return MeshFaces(
            plane=np.asarray(self.face_plane)[used].copy(),
            front=area[used, 0].copy(),
            back=area[used, 1].copy(),
            marks=np.asarray(self.face_flags)[used].copy(),
            start=vertex_start,
            xyz=np.asarray(self.polys.xyz)[rows],
        )

    def clear(self):
        """Forget all faces and nodes, and free their memory."""
        self.polys = Polys(16, 16)
        self.notches = Notches(self.polys, self.on_plane)
        self.face_count = 0
        self.node_count = 0
        self.face_poly = self.face_plane = self.face_flags = np.empty(0, np.intc)
        self.face_area = self.face_next = self.slot_next = np.empty((0, 2), np.intc)
        self.face_thin = np.empty(0, np.int8)
        self.node = np.empty((0, 3), np.intc)
        self.area_head = np.full(len(self.area_head), -1, np.intc)

    def neighbours(self):
        """(n,) front and (n,) back areas of all faces between two areas."""
        area = np.asarray(self.face_area)[: self.face_count]
        between = (area >= 0).all(axis=1)
        return area[between, 0].copy(), area[between, 1].copy()

    def grounded(self):
        """(areas,) whether areas have ground."""
        found = np.zeros(self.area_count, np.int8)
        rows: cython.char[::1] = found
        a: cython.int
        at: cython.int
        with cython.nogil:
            for a in range(self.area_count):
                at = self.area_head[a]
                while at >= 0 and not rows[a]:
                    rows[a] = self.is_ground(at >> 1, at & 1)
                    at = self.face_next[at >> 1, at & 1]
        return found != 0

    def climbed(self):
        """(areas,) whether areas have a ladder."""
        found = np.zeros(self.area_count + 1, np.bool_)
        ladder = (np.asarray(self.face_flags)[: self.face_count] & LADDER) != 0
        found[np.asarray(self.face_area)[: self.face_count][ladder]] = True
        return found[: self.area_count]

    def bounds(self, area: cython.int[::1]):
        """(n, 6) lowest and highest coordinates of these areas."""
        box = np.empty((area.shape[0], 6))
        rows: cython.double[:, ::1] = box
        i: cython.int
        k: cython.int
        c: cython.int
        at: cython.int
        poly: cython.int
        with cython.nogil:
            for i in range(area.shape[0]):
                for c in range(3):
                    rows[i, c] = self.extent
                    rows[i, 3 + c] = -self.extent
                at = self.area_head[area[i]]
                while at >= 0:
                    poly = self.face_poly[at >> 1]
                    for k in range(self.polys.start[poly], self.polys.start[poly] + self.polys.size[poly]):
                        for c in range(3):
                            rows[i, c] = min(rows[i, c], self.polys.xyz[k, c])
                            rows[i, 3 + c] = max(rows[i, 3 + c], self.polys.xyz[k, c])
                    at = self.face_next[at >> 1, at & 1]
        return box

    def keys(self):
        """(areas,) what tells areas apart that may not be merged."""
        return np.asarray(self.area_key)[: self.area_count]

    def tree(self):
        """(n, 3) plane, front child, back child of all nodes."""
        return np.asarray(self.node)[: self.node_count].copy()
