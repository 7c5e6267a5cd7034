"""From the mesh to the finished areas: faces sealed, all numbered and measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.areas.mesh import SOLID_CHILD, StartMesh
from aascompile.areas.mesh_faces import MeshFaces
from aascompile.areas.mesh_kernel import AreaMesh
from aascompile.areas.seal import Faces, measure, merge_faces, seal
from aascompile.areas.seal_kernel import pruned
from aascompile.areas.subdivide import Merged
from aascompile.csr import owners_of
from aascompile.geometry.width_kernel import widths
from aascompile.model.areas import SOLID, AreaFlag, Areas, FaceFlag
from aascompile.model.contents import WET
from aascompile.model.filling import cost_rank, unpacked
from aascompile.model.mapdata import Bits, Float, Index, Int, Planes
from aascompile.sampling.middle import middles
from aascompile.settings import Settings


def _face_flags(planes: Planes, faces: Faces, wet: NDArray[np.bool_], settings: Settings) -> Bits:
    """FaceFlag bits of the faces.

    A face no wider than a crack is neither ground nor a gap.
    """
    front, back, z = faces.front, faces.back, planes.normal[faces.plane, 2]
    solid = (front < 0) | (back < 0)
    inward = np.where(front < 0, -z, z)  # of a solid face: into its area
    wet_front = (front >= 0) & wet[np.maximum(front, 0)]
    wet_back = (back >= 0) & wet[np.maximum(back, 0)]
    shadow = np.empty(len(z))
    widths(faces.start, faces.vertex[faces.corner] * (1.0, 1.0, 0.0), shadow)
    wide = shadow > tolerances.CRACK
    flags = np.zeros(len(z), np.uint32)
    flags[solid] |= np.uint32(FaceFlag.SOLID)
    flags[solid & wide & (inward >= settings.physics.floor_up)] |= np.uint32(FaceFlag.GROUND)
    flags[~solid & wide & (np.abs(z) >= settings.areas.gap_up)] |= np.uint32(FaceFlag.GAP)
    flags[wet_front | wet_back] |= np.uint32(FaceFlag.LIQUID)
    flags[~solid & (wet_front != wet_back)] |= np.uint32(FaceFlag.LIQUIDSURFACE)
    flags[solid & (faces.marks != 0)] |= np.uint32(FaceFlag.LADDER)
    return flags


def finish(
    planes: Planes, start: StartMesh, merged: Merged, settings: Settings, factors: Float, threads: int = 1
) -> Areas:
    """The finished areas of a mesh, which is empty afterwards; ``factors``: the map's cost factors by rank."""
    mesh = start.mesh
    alive, number, faces = _living(mesh, merged)
    kind, model, trigger, cost, boxes = _fill(start, alive, [box.presence for box in settings.boxes], factors)
    node_plane, node_child = _tree(mesh, merged.into, number)
    mesh.clear()  # of large maps, hundreds of megabytes
    faces = merge_faces(planes.normal, faces, threads)
    faces, joints, extents = seal(faces, len(alive), threads)

    wet = (kind & np.uint32(WET)) != 0
    face_flags = _face_flags(planes, faces, wet, settings)
    flags = np.where(wet, np.uint32(AreaFlag.LIQUID), np.uint32(0))
    owner = owners_of(joints.area_start)
    for mark, meaning in ((FaceFlag.GROUND, AreaFlag.GROUNDED), (FaceFlag.LADDER, AreaFlag.LADDER)):
        flags[owner[(face_flags[joints.area_face] & np.uint32(mark)) != 0]] |= np.uint32(meaning)
    areas = Areas(
        planes=planes,
        vertex=faces.vertex,
        edge=joints.edge,
        face_plane=faces.plane,
        face_front=faces.front,
        face_back=faces.back,
        face_flags=face_flags,
        face_start=faces.start,
        face_vertex=faces.corner,
        face_edge=joints.face_edge,
        area_start=joints.area_start,
        area_face=joints.area_face,
        area_contents=kind,
        area_flags=flags,
        area_presence=boxes,
        area_model=model,
        area_trigger=trigger,
        area_cost=cost,
        area_mins=extents.mins,
        area_maxs=extents.maxs,
        area_centre=extents.centre,
        area_volume=extents.volume,
        node_plane=node_plane,
        node_child=node_child,
    )
    return replace(areas, area_centre=middles(areas))


def _living(mesh: AreaMesh, merged: Merged) -> tuple[Index, Int, Faces]:
    """The areas that are left, the number that each of the mesh's areas gets (the last entry answers for solid), and
    the faces between them. An area without volume, the tip of a needle, becomes solid."""
    found: MeshFaces = mesh.faces()
    front, back = np.append(merged.into, -1)[found.front], np.append(merged.into, -1)[found.back]
    alive = merged.left
    corner = np.arange(len(found.xyz), dtype=np.int32)
    while True:
        number = np.full(len(merged.into) + 1, -1, np.int32)
        number[alive] = np.arange(len(alive), dtype=np.int32)
        faces = Faces(found.plane, number[front], number[back], found.marks, found.start, corner, found.xyz)
        filled = measure(faces, len(alive)).volume > tolerances.MIN_VOLUME
        if filled.all():
            return alive, number, faces.between_areas()
        alive = alive[filled]


def _fill(
    start: StartMesh, alive: Index, presence: Sequence[int], factors: Float
) -> tuple[Bits, Int, Int, Float, Bits]:
    """Kind bits, door model, trigger model, cost factor and presence of the areas that are left; ``presence``: bit of
    each box."""
    mesh, blocks, contains = start.mesh, start.contents.blocks, start.contents.contains
    first = np.zeros(int(np.max(mesh.keys(), initial=-1)) + 1, np.int64)
    start_keys = mesh.keys()[: len(blocks)]
    first[start_keys[::-1]] = np.arange(len(blocks))[::-1]
    row = first[mesh.keys()[alive]]
    kind, model, trigger = unpacked(contains[row])
    cost = np.append(factors, 1.0)[cost_rank(contains[row])]  # the last answers for no volume
    boxes = np.zeros(len(alive), np.uint32)
    for bit, value in enumerate(presence):
        boxes[(blocks[row] & np.uint32(1 << bit)) == 0] |= np.uint32(value)
    return kind, model, trigger, cost, boxes


def _tree(mesh: AreaMesh, into: Int, number: Int) -> tuple[Int, Int]:
    """The tree with final area numbers; nodes that lead to nothing but solid, or to one area alone, are left out."""
    node = mesh.tree()
    child = node[:, 1:]
    area = number[into[np.clip(-1 - child, 0, len(into) - 1)]]
    solid = (child <= SOLID_CHILD) | (area < 0)
    child = np.where(child >= 0, child, np.where(solid, SOLID, -2 - area)).astype(np.int32)
    plane, made = pruned(node, child)
    return plane, made
