"""From faces that lie side by side to faces that share their edges and vertices, so that every area is closed.

Whatever is done here is done to vertices and edges, never to one polygon alone: what bounded an area before still
bounds it after.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.areas.weld_kernel import Welder, pinched
from aascompile.geometry.merging import merge_polygons
from aascompile.geometry.ragged import owners_of, rows_of, starts_of
from aascompile.model.mapdata import Float, Index, Int

CELL = 64.0
"""Width of a cell of the weld's grid, units."""

LEAST_FACES = 4
"""Of an area: a tetrahedron's."""


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
        """Those with an area on at least one side."""
        row = np.flatnonzero((self.front >= 0) | (self.back >= 0))
        return Faces(
            plane=self.plane[row],
            front=self.front[row],
            back=self.back[row],
            marks=self.marks[row],
            start=starts_of(np.diff(self.start)[row]),
            corner=self.corner[rows_of(self.start, row)],
            vertex=self.vertex,
        )

    def of_areas(self, areas: int) -> tuple[Index, Int]:
        """CSR of the faces of every area, ascending."""
        both = np.concatenate([self.front, self.back])
        face = np.tile(np.arange(len(self.front), dtype=np.int32), 2)
        used = both >= 0
        order = np.lexsort((face[used], both[used]))
        return starts_of(np.bincount(both[used], minlength=areas)), face[used][order]

    def edges(self) -> tuple[Int, Int]:
        """(e, 2) the edges, the lower vertex first, and (k,) the edge from each corner to the next."""
        follower = np.arange(1, len(self.corner) + 1)
        follower[self.start[1:] - 1] = self.start[:-1]
        pairs = np.sort(np.stack([self.corner, self.corner[follower]], axis=1), axis=1).astype(np.int64)
        edge, of_corner = np.unique(pairs[:, 0] << 32 | pairs[:, 1], return_inverse=True)
        ends = np.stack([edge >> 32, edge & 0xFFFFFFFF], axis=1)
        return ends.astype(np.int32), of_corner.reshape(-1).astype(np.int32)


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


def merge_faces(normal: Float, faces: Faces) -> Faces:
    """Faces of one plane between the same two areas joined where their union is convex."""
    rows = np.stack([faces.plane, faces.front, faces.back, faces.marks], axis=1)
    key, group = np.unique(rows, axis=0, return_inverse=True)
    xyz = faces.vertex[faces.corner]
    merged = merge_polygons(faces.start, xyz, group.reshape(-1), normal[key[:, 0]], tolerances.SEAM / 2)
    made = key[merged.group]
    corner = np.arange(len(merged.xyz), dtype=np.int32)
    return Faces(made[:, 0], made[:, 1], made[:, 2], made[:, 3], merged.vertex_start, corner, merged.xyz)


def seal(faces: Faces, areas: int) -> tuple[Faces, Extents]:
    """Faces that share vertices and have no corner on another's edge; the extents of the areas they bound.

    First the seams left by rounding are closed. Then corners and edges nearer than the weld become one, but for those
    of areas that would be no areas after it: thin ones that would touch themselves or lose their volume.
    """
    fine = _welded(faces, tolerances.SEAM, np.zeros(len(faces.vertex), np.int8))
    kept = np.zeros(len(fine.vertex), np.int8)
    start, face = fine.of_areas(areas)
    while True:
        done = _welded(fine, tolerances.WELD, kept)
        extents = measure(done, areas)
        spoilt = np.flatnonzero(_spoilt(done, areas) | (extents.volume <= tolerances.MIN_VOLUME))
        corners = fine.corner[rows_of(fine.start, face[rows_of(start, spoilt)])]
        if kept[corners].all():
            return done, extents
        kept[corners] = 1


def _welded(faces: Faces, near: float, kept: NDArray[np.int8]) -> Faces:
    """Vertices nearer than ``near`` become one, and those on an edge corners of its faces; not so if ``kept``."""
    welder = Welder(len(faces.vertex), CELL, near)
    place: Int = np.empty(len(faces.vertex), np.int32)
    welder.weld(np.ascontiguousarray(faces.vertex), kept, place)
    came, start, corner = welder.close_junctions(faces.start, place[faces.corner])
    used, again = np.unique(corner, return_inverse=True)
    return Faces(
        plane=faces.plane[came],
        front=faces.front[came],
        back=faces.back[came],
        marks=faces.marks[came],
        start=start,
        corner=again.reshape(-1).astype(np.int32),
        vertex=welder.vertices()[used],
    )


def _spoilt(faces: Faces, areas: int) -> NDArray[np.bool_]:
    """Which areas touch themselves along an edge, or have too few faces left to enclose anything."""
    start, face = faces.of_areas(areas)
    ends, edge = faces.edges()
    found = (np.diff(start) < LEAST_FACES).astype(np.int8)
    pinched(start, face, faces.start, edge, np.zeros(len(ends), np.int32), found)
    return found.astype(bool)


def measure(faces: Faces, areas: int) -> Extents:
    """The extents of the areas, from their faces as fans of triangles."""
    front, back, start = faces.front, faces.back, faces.start
    owner = owners_of(start)
    mins, maxs = np.full((areas, 3), np.inf), np.full((areas, 3), -np.inf)
    point = faces.vertex[faces.corner]
    for side in (front, back):
        has = side[owner] >= 0
        np.minimum.at(mins, side[owner][has], point[has])
        np.maximum.at(maxs, side[owner][has], point[has])
    # Tetrahedra from the middle of the area's box to each triangle of the fans.
    middle = (mins + maxs) / 2
    size = np.diff(start)
    fans = np.maximum(size - 2, 0)
    face = np.repeat(np.arange(len(size)), fans)
    step = np.arange(len(face)) - np.repeat(starts_of(fans)[:-1], fans)
    a = point[start[face]]
    b = point[start[face] + 1 + step]
    c = point[start[face] + 2 + step]
    volume, moment = np.zeros(areas), np.zeros((areas, 3))
    for side, sign in ((front, -1.0), (back, 1.0)):
        has = side[face] >= 0
        area = side[face][has]
        p, q, r = a[has] - middle[area], b[has] - middle[area], c[has] - middle[area]
        six = sign * (p * np.cross(q, r)).sum(axis=1)
        np.add.at(volume, area, six / 6)
        np.add.at(moment, area, six[:, None] / 24 * (p + q + r))
    solid = volume > tolerances.MIN_VOLUME
    centre = middle.copy()
    centre[solid] += moment[solid] / volume[solid][:, None]
    return Extents(mins, maxs, np.clip(centre, mins, maxs), np.maximum(volume, 0.0))
