"""From the mesh to the finished areas: faces merged, corners welded, junctions closed, all numbered and measured."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.areas.mesh import SOLID_CHILD, WET
from aascompile.areas.mesh_kernel import Mesh
from aascompile.areas.weld_kernel import Welder
from aascompile.geometry.merging import merge_polygons
from aascompile.geometry.ragged import owners_of, starts_of
from aascompile.model.areas import SOLID, AreaFlag, Areas, FaceFlag
from aascompile.model.contents import Kind
from aascompile.model.mapdata import Bits, Float, Index, Int, Planes

CELL = 64.0
"""Width of a cell of the weld's grid, units."""


def _merged_faces(
    normal: Float, plane: Int, front: Int, back: Int, flags: Int, start: Index, xyz: Float
) -> tuple[Int, Int, Int, Int, Index, Float]:
    """Faces of one plane between the same two areas joined where their union is convex."""
    rows = np.stack([plane, front, back, flags], axis=1)
    key, group = np.unique(rows, axis=0, return_inverse=True)
    merged = merge_polygons(start, xyz, group.reshape(-1), normal[key[:, 0]])
    made = key[merged.group]
    return made[:, 0], made[:, 1], made[:, 2], made[:, 3], merged.vertex_start, merged.xyz


def _area_faces(front: Int, back: Int, areas: int) -> tuple[Index, Int]:
    """CSR of the faces of every area, ascending."""
    both = np.concatenate([front, back])
    face = np.tile(np.arange(len(front), dtype=np.int32), 2)
    used = both >= 0
    order = np.lexsort((face[used], both[used]))
    return starts_of(np.bincount(both[used], minlength=areas)), face[used][order]


def _measure(
    areas: int, front: Int, back: Int, start: Index, corner: Int, vertex: Float
) -> tuple[Float, Float, Float, Float]:
    """Bounds, centre of mass and volume of the areas, from their faces as fans of triangles."""
    owner = owners_of(start)
    mins, maxs = np.full((areas, 3), np.inf), np.full((areas, 3), -np.inf)
    point = vertex[corner]
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
    return mins, maxs, np.clip(centre, mins, maxs), np.maximum(volume, 0.0)


def _face_flags(
    planes: Planes, plane: Int, front: Int, back: Int, marks: Int, wet: NDArray[np.bool_], up: tuple[float, float]
) -> Bits:
    """FaceFlag bits of the faces; ``up``: least height of the normal of ground and of a gap."""
    z = planes.normal[plane, 2]
    solid = (front < 0) | (back < 0)
    inward = np.where(front < 0, -z, z)  # of a solid face: into its area
    wet_front = (front >= 0) & wet[np.maximum(front, 0)]
    wet_back = (back >= 0) & wet[np.maximum(back, 0)]
    flags = np.zeros(len(plane), np.uint32)
    flags[solid] |= np.uint32(FaceFlag.SOLID)
    flags[solid & (inward >= up[0])] |= np.uint32(FaceFlag.GROUND)
    flags[~solid & (np.abs(z) >= up[1])] |= np.uint32(FaceFlag.GAP)
    flags[wet_front | wet_back] |= np.uint32(FaceFlag.LIQUID)
    flags[~solid & (wet_front != wet_back)] |= np.uint32(FaceFlag.LIQUIDSURFACE)
    flags[solid & (marks != 0)] |= np.uint32(FaceFlag.LADDER)
    return flags


def finish(
    planes: Planes,
    mesh: Mesh,
    into: Int,
    blocks: Bits,
    contains: Index,
    presence: Sequence[int],
    up: tuple[float, float],
) -> Areas:
    """The finished areas.

    ``into``: the surviving area of each area of the mesh; ``blocks``, ``contains``: of each area that the mesh began
    with, by key; ``presence``: the presence bit of each agent box.
    """
    alive = np.flatnonzero(into == np.arange(len(into)))
    number = np.full(len(into) + 1, -1, np.int32)  # its last entry answers for solid
    number[alive] = np.arange(len(alive), dtype=np.int32)
    plane, front, back, marks, start, xyz = mesh.faces()
    front, back = number[front], number[back]
    plane, front, back, marks, start, xyz = _merged_faces(planes.normal, plane, front, back, marks, start, xyz)

    welder = Welder(len(xyz), CELL, tolerances.WELD)
    corner: Int = np.empty(len(xyz), np.int32)
    welder.weld(np.ascontiguousarray(xyz), corner)
    out_start = np.empty(len(start), np.int64)
    corner = welder.close_junctions(start, corner, out_start)
    whole = np.flatnonzero(np.diff(out_start))
    plane, front, back, marks = plane[whole], front[whole], back[whole], marks[whole]
    start = starts_of(np.diff(out_start)[whole])

    used, again = np.unique(corner, return_inverse=True)
    corner = again.astype(np.int32).reshape(-1)
    vertex = welder.vertices()[used]
    follower = np.arange(1, len(corner) + 1)
    follower[start[1:] - 1] = start[:-1]
    pairs = np.sort(np.stack([corner, corner[follower]], axis=1), axis=1)
    edge, face_edge = np.unique(pairs[:, 0].astype(np.int64) << 32 | pairs[:, 1], return_inverse=True)

    kind, model, boxes = _fill(mesh, alive, blocks, contains, presence)
    wet = (kind & np.uint32(WET)) != 0
    face_flags = _face_flags(planes, plane, front, back, marks, wet, up)
    area_start, area_face = _area_faces(front, back, len(alive))
    flags = np.where(wet, np.uint32(AreaFlag.LIQUID), np.uint32(0))
    owner = owners_of(area_start)
    for mark, meaning in ((FaceFlag.GROUND, AreaFlag.GROUNDED), (FaceFlag.LADDER, AreaFlag.LADDER)):
        flags[owner[(face_flags[area_face] & np.uint32(mark)) != 0]] |= np.uint32(meaning)
    mins, maxs, centre, volume = _measure(len(alive), front, back, start, corner, vertex)
    node_plane, node_child = _tree(mesh, into, number)
    return Areas(
        planes=planes,
        vertex=vertex,
        edge=np.stack([edge >> 32, edge & 0xFFFFFFFF], axis=1).astype(np.int32),
        face_plane=plane.astype(np.int32),
        face_front=front.astype(np.int32),
        face_back=back.astype(np.int32),
        face_flags=face_flags,
        face_start=start,
        face_vertex=corner,
        face_edge=face_edge.astype(np.int32).reshape(-1),
        area_start=area_start,
        area_face=area_face,
        area_contents=kind,
        area_flags=flags,
        area_presence=boxes,
        area_model=model,
        area_mins=mins,
        area_maxs=maxs,
        area_centre=centre,
        area_volume=volume,
        node_plane=node_plane,
        node_child=node_child,
    )


def _fill(mesh: Mesh, alive: Index, blocks: Bits, contains: Index, presence: Sequence[int]) -> tuple[Bits, Int, Bits]:
    """Kind bits, door model and presence of the areas that are left."""
    first = np.zeros(int(np.max(mesh.keys(), initial=-1)) + 1, np.int64)
    start_keys = mesh.keys()[: len(blocks)]
    first[start_keys[::-1]] = np.arange(len(blocks))[::-1]
    row = first[mesh.keys()[alive]]
    kind = (contains[row] & 0xFFFFFFFF).astype(np.uint32)
    model = np.where((kind & np.uint32(Kind.MOVER)) != 0, contains[row] >> 32, -1).astype(np.int32)
    boxes = np.zeros(len(alive), np.uint32)
    for bit, value in enumerate(presence):
        boxes[(blocks[row] & np.uint32(1 << bit)) == 0] |= np.uint32(value)
    return kind, model, boxes


def _tree(mesh: Mesh, into: Int, number: Int) -> tuple[Int, Int]:
    """The tree with final area numbers; nodes that lead to nothing but solid, or to one area alone, are left out."""
    node = mesh.tree()
    child = node[:, 1:].astype(np.int64)
    area = number[into[np.clip(-1 - child, 0, len(into) - 1)]]
    child = np.where(child >= 0, child, np.where(child <= SOLID_CHILD, SOLID, -2 - area))
    # A node may hang under one with a higher number once areas were split, so go by depth, the deepest first.
    depth = np.zeros(len(node), np.int64)
    order = [0] if len(node) else []
    for at in order:
        for below in child[at]:
            if below >= 0:
                depth[below] = depth[at] + 1
                order.append(int(below))
    stands_for = np.arange(len(node))
    for at in reversed(order):
        left, right = (stands_for[c] if c >= 0 else c for c in child[at])
        child[at] = left, right
        if left == right:
            stands_for[at] = left
    return _numbered(node[:, 0], child, stands_for)


def _numbered(plane: Int, child: Index, stands_for: Index) -> tuple[Int, Int]:
    """Nodes in the order of a walk from the root, without those that something else stands for."""
    root = stands_for[0] if len(plane) else SOLID
    walk = [int(root)] if root >= 0 else []
    for at in walk:
        walk.extend(int(c) for c in child[at] if c >= 0)
    rows = np.array(walk, np.int64)
    renumber = np.zeros(len(plane) + 1, np.int64)
    renumber[rows] = np.arange(len(rows))
    kept = child[rows]
    return plane[rows].astype(np.int32), np.where(kept >= 0, renumber[np.maximum(kept, 0)], kept).astype(np.int32)
