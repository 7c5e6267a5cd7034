"""Builds the meshes of a compiled file: area shells, flagged faces, links, map faces and entity marks."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from aascompile.csr import owners_of, rows_of, starts_of
from aascompile.model.areas import Areas, FaceFlag
from aascompile.model.compiled import Boxes, Compiled, Context
from aascompile.model.links import Links
from aascompile.model.mapdata import Float, Int
from aascompile.nav.arcs import link_paths
from aascompile.viewer.meshes import Mask, Mesh, Shape, empty_mesh, equal_cells, flipped, joined, mesh

INSET: Final = 2.0
"""Inset of a shell from its area on every side, units. It keeps neighbouring shells apart."""

MIN_SCALE: Final = 0.6
"""Smallest scale of a shell relative to its area, along each axis."""

HEAD_LENGTH: Final = 14.0
"""Length of an arrow head, units."""

MIN_LINK_LENGTH: Final = 28.0
"""Shorter links are drawn this long, units: most walk links are a single step over an edge."""

FACE_LIFT: Final = 1.0
"""Distance at which flagged faces float in front of their plane, units."""

MARK_RADIUS: Final = 10.0
"""Half the width of an entity mark, units."""

LINK_LIFT: Final = np.array([0.0, 0.0, 4.0])
"""Offset at which links are drawn, so that the ground does not hide them."""

MARK_LIFT: Final = np.array([0.0, 0.0, 20.0])
"""Offset of entity marks. Areas are drawn at the player's origin, 24 units above the floor that items lie on."""

FLOOR_GAP: Final = 2.0
"""Distance of the map's floors below the ground of areas, units."""

_BOX_FACES: Final = np.array(
    [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)], np.int64
)
"""Corners of a box's faces, counter-clockwise from outside. Bits 0, 1, 2 of a corner: high x, y, z."""


def boxes(mins: Float, maxs: Float, item: Int) -> Mesh:
    """Boxes from ``mins`` to ``maxs``, both ``(n, 3)``."""
    high = (np.arange(8)[:, None] >> np.arange(3)) & 1
    corner = np.where(high[None], maxs[:, None], mins[:, None])
    return equal_cells(Shape.FACES, corner[:, _BOX_FACES].reshape(-1, 4, 3), np.repeat(item, 6))


def shells(areas: Areas) -> Mesh:
    """Faces of all areas, each area shrunk a little. Areas whose faces are not in the file become boxes."""
    number = np.arange(len(areas), dtype=np.int32)
    has_faces = np.diff(areas.area_start) >= 4
    area = owners_of(areas.area_start)
    face = areas.area_face.astype(np.int64)
    row = rows_of(areas.face_start, face)
    out = mesh(
        Shape.FACES,
        starts_of(np.diff(areas.face_start)[face]),
        areas.vertex[areas.face_vertex[row]],
        area.astype(np.int32),
    )
    out = flipped(out, areas.face_front[face] == area).select_items(has_faces)
    if not has_faces.all():
        rest = boxes(areas.area_mins[~has_faces], areas.area_maxs[~has_faces], number[~has_faces])
        out = rest if not len(out) else joined(out, rest)
    middle = (areas.area_mins + areas.area_maxs) / 2.0
    half = np.maximum((areas.area_maxs - areas.area_mins) / 2.0, INSET)
    scale = np.maximum((half - INSET) / half, MIN_SCALE)
    owner = out.item[owners_of(out.start)]
    return replace(out, xyz=middle[owner] + (out.xyz - middle[owner]) * scale[owner])


def flagged_faces(areas: Areas, flag: FaceFlag) -> Mesh:
    """Faces with a flag, lifted off their plane towards the area they face. The item is that area.

    Ground and ladder faces face their own area, gaps the area above, liquid surfaces the open side.
    """
    chosen = np.flatnonzero(areas.face_flags & flag)
    front, back = areas.face_front[chosen], areas.face_back[chosen]
    normal = areas.planes.normal[areas.face_plane[chosen]]
    upwards = flag in (FaceFlag.GAP, FaceFlag.LIQUIDSURFACE)
    turn = (normal[:, 2] < 0.0) & (back >= 0) if upwards else front < 0
    start = starts_of(np.diff(areas.face_start)[chosen])
    xyz = areas.vertex[areas.face_vertex[rows_of(areas.face_start, chosen)]]
    toward = np.where(turn[:, None], -normal, normal)
    faces = mesh(Shape.FACES, start, xyz + FACE_LIFT * toward[owners_of(start)], np.where(turn, back, front))
    return flipped(faces, turn)


def map_faces(context: Context, chosen: Mask) -> Mesh:
    """Chosen faces of the map itself. The item is the row in ``context``."""
    faces = mesh(Shape.FACES, context.start, context.vertex[context.corner], np.arange(len(context), dtype=np.int32))
    return faces.select(chosen)


def lifted(faces: Mesh, boxes: Boxes) -> Mesh:
    """Map faces as high as areas are drawn: areas hold origins of players, which are that far above the floor."""
    return replace(faces, xyz=faces.xyz - np.array([0.0, 0.0, boxes.mins[0, 2] + FLOOR_GAP]))


def is_floor(faces: Mesh) -> Mask:
    """``(n,)`` polygons that are floors rather than walls: more than half of their area shows from above."""
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
    start, xyz = link_paths(compiled, links)
    short = np.diff(start) == 2
    row = start[:-1][short]
    along = xyz[row + 1] - xyz[row]
    length = np.maximum(np.linalg.norm(along, axis=1), 1.0)
    extension = along * (np.maximum(MIN_LINK_LENGTH / length - 1.0, 0.0) / 2.0)[:, None]
    xyz[row] -= extension
    xyz[row + 1] += extension
    return mesh(Shape.LINES, start, xyz + LINK_LIFT, np.arange(len(links), dtype=np.int32))


def arrow_heads(lines: Mesh, length: float = HEAD_LENGTH) -> Mesh:
    """Two crossed triangles at the end of each line, aligned with its last segment."""
    if not len(lines):
        return empty_mesh()
    tip = lines.xyz[lines.start[1:] - 1]
    before = lines.xyz[lines.start[1:] - 2]
    along = tip - before
    long = np.linalg.norm(lines.xyz[lines.start[:-1]] - tip, axis=1)
    along /= np.maximum(np.linalg.norm(along, axis=1), 1.0)[:, None]
    level = np.stack([-along[:, 1], along[:, 0], np.zeros(len(along))], axis=1)
    flat = np.linalg.norm(level, axis=1)
    level = np.where(flat[:, None] > 0.0, level / np.where(flat > 0.0, flat, 1.0)[:, None], (1.0, 0.0, 0.0))
    across = np.cross(along, level)
    size = np.minimum(length, long / 2.0)[:, None]
    foot = tip - size * along
    darts = [np.stack([tip, foot + 0.32 * size * side, foot - 0.32 * size * side], axis=1) for side in (level, across)]
    heads = equal_cells(Shape.FACES, np.stack(darts, axis=1).reshape(-1, 3, 3), np.repeat(lines.item, 2))
    return replace(heads, colour=np.repeat(lines.colour, 2, axis=0))


def marks(origin: Float, item: Int, half: float = MARK_RADIUS) -> Mesh:
    """A mark at each origin: eight triangles that form two pyramids, base to base."""
    side = np.array([(half, 0.0, 0.0), (0.0, half, 0.0), (-half, 0.0, 0.0), (0.0, -half, 0.0)])
    after, top = np.roll(side, -1, axis=0), np.broadcast_to((0.0, 0.0, 1.5 * half), (4, 3))
    shape = np.concatenate([np.stack([side, after, top], axis=1), np.stack([after, side, -top], axis=1)])
    placed = (origin + MARK_LIFT)[:, None, None] + shape
    return equal_cells(Shape.FACES, placed.reshape(-1, 3, 3), np.repeat(item, 8))


def polyline(points: Float) -> Mesh:
    """A single line through the points; an empty mesh for fewer than two."""
    if len(points) < 2:
        return empty_mesh(Shape.LINES)
    return mesh(Shape.LINES, np.array([0, len(points)], np.int64), points, np.zeros(1, np.int32))
