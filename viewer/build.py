"""The meshes of a compiled file, each made once: shells of areas, faces by what they are, links, the map, marks."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from aascompile.csr import owners_of, rows_of, starts_of
from aascompile.model.areas import Areas, FaceFlag
from aascompile.model.compiled import Compiled, Context
from aascompile.model.links import Links
from aascompile.model.mapdata import Float, Int
from aascompile.nav.arcs import ways
from aascompile.viewer.meshes import Mask, Mesh, Shape, equal_cells, flipped, joined, mesh, nothing

INSET: Final = 2.0
"""Units by which shells are smaller than their areas on every side, so that each is seen."""

LEAST: Final = 0.6
"""A shell keeps at least this share of its area's width."""

HEAD: Final = 14.0
"""Length of a link's arrow head, units."""

SHORTEST: Final = 28.0
"""Links are drawn at least this long, units: most walks are a step over an edge."""

LIFT: Final = 1.0
"""Units that faces are drawn in front of what they lie on."""

MARK: Final = 10.0
"""Half the width of an entity's mark, units."""

ABOVE: Final = np.array([0.0, 0.0, 4.0])
"""Links are drawn this much higher than they are, so that ground does not hide them."""

MARK_ABOVE: Final = np.array([0.0, 0.0, 20.0])
"""The same for marks: ground is where a player's origin is, 24 above the floor that items lie on."""

_BOX_FACES: Final = np.array(
    [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)], np.int64
)
"""Corners of a box's faces, counter-clockwise from outside; bit 0 of a corner's number is high x, 1 y, 2 z."""


def boxes(mins: Float, maxs: Float, item: Int) -> Mesh:
    """A box each."""
    high = (np.arange(8)[:, None] >> np.arange(3)) & 1
    corner = np.where(high[None], maxs[:, None], mins[:, None])
    return equal_cells(Shape.FACES, corner[:, _BOX_FACES].reshape(-1, 4, 3), np.repeat(item, 6))


def shells(areas: Areas) -> Mesh:
    """The faces of all areas, each area's drawn in a little; boxes for areas whose faces the file does not have."""
    number = np.arange(len(areas), dtype=np.int32)
    known = np.diff(areas.area_start) >= 4
    area = owners_of(areas.area_start)
    face = areas.area_face.astype(np.int64)
    row = rows_of(areas.face_start, face)
    out = mesh(
        Shape.FACES,
        starts_of(np.diff(areas.face_start)[face]),
        areas.vertex[areas.face_vertex[row]],
        area.astype(np.int32),
    )
    out = flipped(out, areas.face_front[face] == area).of_items(known)
    if not known.all():
        rest = boxes(areas.area_mins[~known], areas.area_maxs[~known], number[~known])
        out = rest if not len(out) else joined(out, rest)
    middle = (areas.area_mins + areas.area_maxs) / 2.0
    half = np.maximum((areas.area_maxs - areas.area_mins) / 2.0, INSET)
    scale = np.maximum((half - INSET) / half, LEAST)
    owner = out.item[owners_of(out.start)]
    return replace(out, xyz=middle[owner] + (out.xyz - middle[owner]) * scale[owner])


def faces_with(areas: Areas, flag: FaceFlag) -> Mesh:
    """Faces of one sort, drawn a little off their plane towards the area that they show to; the item is that area.

    Ground and ladders show to their area, gaps to the area above, surfaces of liquids to the open side.
    """
    chosen = np.flatnonzero(areas.face_flags & flag)
    front, back = areas.face_front[chosen], areas.face_back[chosen]
    normal = areas.planes.normal[areas.face_plane[chosen]]
    upwards = flag in (FaceFlag.GAP, FaceFlag.LIQUIDSURFACE)
    turn = (normal[:, 2] < 0.0) & (back >= 0) if upwards else front < 0
    start = starts_of(np.diff(areas.face_start)[chosen])
    xyz = areas.vertex[areas.face_vertex[rows_of(areas.face_start, chosen)]]
    toward = np.where(turn[:, None], -normal, normal)
    made = mesh(Shape.FACES, start, xyz + LIFT * toward[owners_of(start)], np.where(turn, back, front))
    return flipped(made, turn)


def context(shown: Context, chosen: Mask) -> Mesh:
    """The map's own faces; the item is the row."""
    every = mesh(Shape.FACES, shown.start, shown.vertex[shown.corner], np.arange(len(shown), dtype=np.int32))
    return every.some(chosen)


def looks_up(faces: Mesh) -> Mask:
    """(n,) polygons that are rather floors than walls, by the area they cover seen from above."""
    if not len(faces):
        return np.zeros(0, np.bool_)
    owner = owners_of(faces.start)
    row = np.arange(len(owner))
    after = np.where(row + 1 == faces.start[owner + 1], faces.start[owner], row + 1)
    vector = np.add.reduceat(np.cross(faces.xyz, faces.xyz[after]), faces.start[:-1])
    up: Mask = vector[:, 2] > 0.5 * np.linalg.norm(vector, axis=1)
    return up


def link_lines(compiled: Compiled, links: Links) -> Mesh:
    """A line or arc for each link."""
    start, xyz = ways(compiled, links)
    short = np.diff(start) == 2
    row = start[:-1][short]
    way = xyz[row + 1] - xyz[row]
    length = np.maximum(np.linalg.norm(way, axis=1), 1.0)
    more = way * (np.maximum(SHORTEST / length - 1.0, 0.0) / 2.0)[:, None]
    xyz[row] -= more
    xyz[row + 1] += more
    return mesh(Shape.LINES, start, xyz + ABOVE, np.arange(len(links), dtype=np.int32))


def arrow_heads(lines: Mesh, length: float = HEAD) -> Mesh:
    """Two crossed darts at the end of each line, along its last piece."""
    if not len(lines):
        return nothing()
    tip = lines.xyz[lines.start[1:] - 1]
    before = lines.xyz[lines.start[1:] - 2]
    way = tip - before
    long = np.linalg.norm(lines.xyz[lines.start[:-1]] - tip, axis=1)
    way /= np.maximum(np.linalg.norm(way, axis=1), 1.0)[:, None]
    level = np.stack([-way[:, 1], way[:, 0], np.zeros(len(way))], axis=1)
    flat = np.linalg.norm(level, axis=1)
    level = np.where(flat[:, None] > 0.0, level / np.where(flat > 0.0, flat, 1.0)[:, None], (1.0, 0.0, 0.0))
    other = np.cross(way, level)
    size = np.minimum(length, long / 2.0)[:, None]
    foot = tip - size * way
    darts = [np.stack([tip, foot + 0.32 * size * side, foot - 0.32 * size * side], axis=1) for side in (level, other)]
    both = equal_cells(Shape.FACES, np.stack(darts, axis=1).reshape(-1, 3, 3), np.repeat(lines.item, 2))
    return replace(both, colour=np.repeat(lines.colour, 2, axis=0))


def marks(origin: Float, item: Int, half: float = MARK) -> Mesh:
    """A mark at each place: eight triangles, as of two pyramids foot to foot."""
    side = np.array([(half, 0.0, 0.0), (0.0, half, 0.0), (-half, 0.0, 0.0), (0.0, -half, 0.0)])
    after, top = np.roll(side, -1, axis=0), np.broadcast_to((0.0, 0.0, 1.5 * half), (4, 3))
    shape = np.concatenate([np.stack([side, after, top], axis=1), np.stack([after, side, -top], axis=1)])
    placed = (origin + MARK_ABOVE)[:, None, None] + shape
    return equal_cells(Shape.FACES, placed.reshape(-1, 3, 3), np.repeat(item, 8))


def chain(points: Float) -> Mesh:
    """One line through points."""
    if len(points) < 2:
        return nothing(Shape.LINES)
    return mesh(Shape.LINES, np.array([0, len(points)], np.int64), points, np.zeros(1, np.int32))
