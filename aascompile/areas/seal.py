"""From faces that lie side by side to faces that share their edges and vertices, so that every area is closed.

Whatever is done here is done to vertices and edges, never to one polygon alone: what bounded an area before still
bounds it after.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.areas.seal_kernel import area_faces, bounds, edges, moments
from aascompile.areas.weld_kernel import Welder, pinched
from aascompile.csr import rows_of, starts_of
from aascompile.geometry.merging import merge_polygons
from aascompile.model.mapdata import Float, Index, Int
from aascompile.records import dataclass
from aascompile.threads import both, over_ranges

LEAST_FACES = 4
"""Of an area: a tetrahedron's."""

EDGES = 2048
"""Edges on which a thread looks for vertices at a time."""

TOUCHES, OPEN = 1, 2
"""Marks of edges, as in ``weld_kernel.pinched``."""

LEAST_LEFT = 0.5
"""Share of its volume that a weld may leave of an area. Below that, the area is too thin to weld."""


@dataclass(frozen=True, slots=True)
class Faces:
    """Polygons between areas."""

    plane: Int
    """(f,) plane id; its normal points into the front area."""
    front: Int
    """(f,) area; −1: solid."""
    back: Int
    """(f,) area; −1: solid."""
    marks: Int
    """(f,) what the mesh noted of it."""
    start: Index
    """(f + 1,) CSR into ``corner``."""
    corner: Int
    """(k,) vertices, counter-clockwise seen from the front."""
    vertex: Float
    """(v, 3)"""

    def between_areas(self) -> Faces:
        """Those between two different areas, or between an area and solid."""
        row = np.flatnonzero(self.front != self.back)
        return Faces(
            plane=self.plane[row],
            front=self.front[row],
            back=self.back[row],
            marks=self.marks[row],
            start=starts_of(np.diff(self.start)[row]),
            corner=self.corner[rows_of(self.start, row)],
            vertex=self.vertex,
        )

    def joints(self, areas: int) -> Joints:
        """How they join."""
        around = area_faces(self.front, self.back, areas)
        return Joints(*around, *edges(self.start, self.corner, len(self.vertex)))


@dataclass(frozen=True, slots=True)
class Joints:
    """How faces join: around areas, and along edges."""

    area_start: Index
    """(a + 1,) CSR into ``area_face``."""
    area_face: Int
    """(2f at most,) the faces of every area, ascending."""
    edge: Int
    """(e, 2) vertices of the edges, the lower first."""
    face_edge: Int
    """(k,) the edge from each corner of the faces to the next."""


@dataclass(frozen=True, slots=True)
class Extents:
    """Where areas lie."""

    mins: Float
    """(a, 3)"""
    maxs: Float
    """(a, 3)"""
    centre: Float
    """(a, 3) centre of mass."""
    volume: Float
    """(a,)"""


def merge_faces(normal: Float, faces: Faces, threads: int = 1) -> Faces:
    """Faces of one plane between the same two areas joined where their union is convex."""
    order = np.lexsort((faces.marks, faces.back, faces.front, faces.plane))
    rows = np.stack([faces.plane, faces.front, faces.back, faces.marks])[:, order]
    new = np.ones(len(order), np.bool_)
    new[1:] = (rows[:, 1:] != rows[:, :-1]).any(axis=0)
    group = np.empty(len(order), np.int64)
    group[order] = np.cumsum(new) - 1
    key = rows[:, new]
    xyz = faces.vertex[faces.corner]
    merged = merge_polygons(faces.start, xyz, group, normal[key[0]], tolerances.SEAM / 2, threads)
    made = np.ascontiguousarray(key[:, merged.group])
    corner = np.arange(len(merged.xyz), dtype=np.int32)
    return Faces(made[0], made[1], made[2], made[3], merged.vertex_start, corner, merged.xyz)


def seal(faces: Faces, areas: int, threads: int = 1) -> tuple[Faces, Joints, Extents]:
    """Faces that share vertices and have no corner on another's edge, how they join, and the extents of their areas.

    First the seams left by rounding are closed, wider ones too if that leaves an area open. Then corners and edges
    nearer than the weld become one. Where an area would touch itself after that, its corners are kept; if that does not
    help, or the area would be too thin, all of its corners are. Corners of a seam that is still open are never kept: an
    area may touch itself, but not be open.
    """
    faces, _ = _welded(faces, tolerances.SEAM, np.zeros(len(faces.vertex), np.int8), threads)
    joints, spoilt, extents = _examined(faces, areas, threads)
    for near in (tolerances.FLAT_SEAM, tolerances.WELD) if spoilt.any() else (tolerances.WELD,):
        kept = np.zeros(len(faces.vertex), np.int8)
        seam = _touching(faces, joints, np.flatnonzero(spoilt), OPEN)[0][:-1]
        least = LEAST_LEFT * extents.volume
        whole = spoilt.copy()  # areas in which keeping corners at single places does not help
        while True:
            done, became = _welded(faces, near, kept, threads)
            joined, still, extents = _examined(done, areas, threads)
            new = (still | (extents.volume < least)) & ~spoilt
            if not new.any():
                break
            where, touches = _touching(done, joined, np.flatnonzero(new & ~whole))
            whole |= new & ~touches
            around = joints.area_face[rows_of(joints.area_start, np.flatnonzero(new & whole))]
            corners = faces.corner[rows_of(faces.start, around)]
            before = int(kept.sum())
            kept[where[became]] = 1
            kept[corners] = 1
            kept[seam] = 0
            if int(kept.sum()) == before:
                break
            whole |= new
        faces, joints, spoilt = done, joined, still
    return faces, joints, extents


def _welded(faces: Faces, near: float, kept: NDArray[np.int8], threads: int) -> tuple[Faces, Int]:
    """Vertices nearer than ``near`` become one, and those on an edge corners of its faces; not so if ``kept``.

    Also returns which vertex each has become; the last, which there is not, if its faces are gone.
    """
    welder = Welder(len(faces.vertex), near)
    place: Int = np.empty(len(faces.vertex), np.int32)
    welder.weld(np.ascontiguousarray(faces.vertex), kept, place)
    at = place[faces.corner]
    ends, edge = edges(faces.start, at, len(faces.vertex))
    over, _ = vertices_on(ends, welder, threads)
    came, start, corner = welder.close_junctions(faces.start, at, edge, over)
    vertex = welder.vertices()
    used = np.zeros(len(vertex), np.bool_)
    used[corner] = True
    number = np.cumsum(used, dtype=np.int32) - 1
    done = Faces(
        plane=faces.plane[came],
        front=faces.front[came],
        back=faces.back[came],
        marks=faces.marks[came],
        start=start,
        corner=number[corner],
        vertex=vertex[used],
    )
    return done, np.where(used, number, len(done.vertex))[place]


def vertices_on(ends: Int, welder: Welder, threads: int = 1) -> tuple[Int, int]:
    """(e,) the vertex on each of the edges ``ends (e, 2)`` that is nearest to it; −1: none. Also how many nodes of the
    welder's tree and vertices were looked at."""
    over: Int = np.empty(len(ends), np.int32)

    def look(first: int, last: int) -> int:
        return int(welder.searcher().look(ends, first, last, over))

    return over, sum(over_ranges(look, len(ends), EDGES, threads))


def _touching(
    faces: Faces, joints: Joints, rows: Index, marks: int = TOUCHES | OPEN
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(v + 1,) vertices, the last for none, of the edges with one of ``marks`` along which the areas ``rows`` touch
    themselves or are open. (areas,) which of the areas touch themselves or are open."""
    start, edge = joints.area_start, joints.edge
    found, bad = np.zeros(len(start) - 1, np.int8), np.zeros(len(edge), np.int8)
    times = np.zeros(len(edge), np.int32)
    pinched(rows, start, joints.area_face, faces.start, joints.face_edge, times, found, bad)
    at = np.zeros(len(faces.vertex) + 1, np.bool_)
    at[edge[(bad & marks) != 0]] = True
    return at, found != 0


def _examined(faces: Faces, areas: int, threads: int) -> tuple[Joints, NDArray[np.bool_], Extents]:
    """How faces join; which areas touch themselves along an edge, or have too few faces or too little volume left; the
    extents of all areas."""

    def joined() -> tuple[Joints, NDArray[np.bool_]]:
        joints = faces.joints(areas)
        few = np.diff(joints.area_start) < LEAST_FACES
        return joints, few | _touching(faces, joints, np.arange(areas, dtype=np.int64))[1]

    (joints, spoilt), extents = both(joined, lambda: measure(faces, areas), threads)
    return joints, spoilt | (extents.volume <= tolerances.MIN_VOLUME), extents


def measure(faces: Faces, areas: int) -> Extents:
    """The extents of the areas, from their faces as fans of triangles; all 0 for one without faces."""
    mins, maxs = np.full((areas, 3), np.inf), np.full((areas, 3), -np.inf)
    for side in (faces.front, faces.back):
        bounds(side, faces.start, faces.corner, faces.vertex, mins, maxs)
    gone = mins[:, 0] > maxs[:, 0]
    mins[gone] = maxs[gone] = 0.0
    middle = (mins + maxs) / 2
    volume, moment = np.zeros(areas), np.zeros((areas, 3))
    for side, sign in ((faces.front, -1.0), (faces.back, 1.0)):
        moments(side, sign, faces.start, faces.corner, faces.vertex, middle, volume, moment)
    solid = volume > tolerances.MIN_VOLUME
    centre = middle.copy()
    centre[solid] += moment[solid] / volume[solid][:, None]
    return Extents(mins, maxs, np.clip(centre, mins, maxs), np.maximum(volume, 0.0))
