"""Slow checks of the requirements of areas. Each check returns its failures as sentences."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from aascompile.model.areas import SOLID, AreaFlag, Areas, FaceFlag
from tests.reference.solids import area_vector, leak, off_plane, volume, width

Faults = list[str]


def polygon(areas: Areas, face: int) -> NDArray[np.float64]:
    """(n, 3) corners of a face, counter-clockwise seen from its front."""
    return areas.vertex[areas.face_vertex[areas.face_start[face] : areas.face_start[face + 1]]]


def faces_of(areas: Areas, area: int) -> NDArray[np.int32]:
    """Faces of an area."""
    return areas.area_face[areas.area_start[area] : areas.area_start[area + 1]]


def inward(areas: Areas, area: int, face: int) -> float:
    """1 if the face's normal points into the area, −1 if it points out."""
    return 1.0 if areas.face_front[face] == area else -1.0


def outward_polygons(areas: Areas, area: int) -> list[NDArray[np.float64]]:
    """Faces of an area, facing outward."""
    return [polygon(areas, face)[:: int(-inward(areas, area, face))] for face in faces_of(areas, area)]


def locate(areas: Areas, points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Area that the tree finds for each point; −1: solid."""
    at = np.zeros(len(points), np.int64) if len(areas.node_plane) else np.full(len(points), SOLID)
    while (going := np.flatnonzero(at >= 0)).size:
        plane = areas.node_plane[at[going]]
        above = (areas.planes.normal[plane] * points[going]).sum(axis=1) >= areas.planes.dist[plane]
        at[going] = areas.node_child[at[going], np.where(above, 0, 1)]
    return np.where(at == SOLID, -1, -2 - at)


def depth(areas: Areas, area: int, points: NDArray[np.float64], thin: float) -> NDArray[np.float64]:
    """Least distances of points behind the faces of an area that are wider than ``thin``."""
    faces = [face for face in faces_of(areas, area) if width(polygon(areas, face)) > thin]
    sign = np.array([inward(areas, area, face) for face in faces])
    plane = areas.face_plane[faces]
    return ((points @ areas.planes.normal[plane].T - areas.planes.dist[plane]) * sign).min(axis=1)


def check_shapes(areas: Areas, flat: float, convex: float, thin: float) -> Faults:
    """Faces are flat and face the right direction; areas are convex, closed and have the volume stored."""
    out = []
    for face in range(len(areas.face_plane)):
        corners = polygon(areas, face)
        normal, dist = areas.planes.normal[areas.face_plane[face]], areas.planes.dist[areas.face_plane[face]]
        off = np.abs(corners @ normal - dist).max()
        if off > flat:
            out.append(f"face {face} is off its plane by {off:.3f}")
        if area_vector(corners) @ normal <= 0 and width(corners) > thin:
            out.append(f"face {face} faces the wrong way")
    for area in range(len(areas)):
        outer = outward_polygons(areas, area)
        corners = np.concatenate(outer)
        dent = -depth(areas, area, corners, thin).min()
        if dent > convex:
            out.append(f"area {area} is dented by {dent:.3f}")
        out += _closed(areas, area)
        if leak(outer) > 0.01 + 1e-6 * sum(np.linalg.norm(area_vector(face)) for face in outer):
            out.append(f"area {area} leaks by {leak(outer)}")
        # The volume below a face is not exact if welding moved its corners off its plane.
        slack = (
            1e-6 + 1e-9 * volume(outer) + sum(2 * off_plane(face) * np.linalg.norm(area_vector(face)) for face in outer)
        )
        if abs(volume(outer) - areas.area_volume[area]) > slack or volume(outer) <= 0:
            out.append(f"area {area} has volume {volume(outer):.3f}, said to be {areas.area_volume[area]:.3f}")
        low, high = corners.min(axis=0), corners.max(axis=0)
        if not (np.array_equal(low, areas.area_mins[area]) and np.array_equal(high, areas.area_maxs[area])):
            out.append(f"area {area} has other bounds")
        if not ((low <= areas.area_centre[area]) & (areas.area_centre[area] <= high)).all():
            out.append(f"area {area} has its centre outside")
    return out


def _closed(areas: Areas, area: int) -> Faults:
    """Whether the faces of an area run along each edge once in each direction."""
    runs: Counter[tuple[int, int]] = Counter()
    for face in faces_of(areas, area):
        loop = areas.face_vertex[areas.face_start[face] : areas.face_start[face + 1]].tolist()
        if areas.face_back[face] == area:
            loop = loop[::-1]
        runs.update(zip(loop, loop[1:] + loop[:1], strict=True))
    loose = [run for run, times in runs.items() if times != 1 or runs[run[::-1]] != 1]
    return [f"area {area}: {len(loose)} of {len(runs)} edges are loose"] if loose else []


def check_junctions(areas: Areas, near: float) -> Faults:
    """No vertex lies on an edge except at its ends."""
    out = []
    a, b = areas.vertex[areas.edge[:, 0]], areas.vertex[areas.edge[:, 1]]
    length = np.linalg.norm(b - a, axis=1)
    along = (b - a) / length[:, None]
    for vertex, point in enumerate(areas.vertex):
        t = ((point - a) * along).sum(axis=1)
        off = np.linalg.norm(a + t[:, None] * along - point, axis=1)
        on = np.flatnonzero((t > near) & (t < length - near) & (off < near))
        on = on[(areas.edge[on] != vertex).all(axis=1)]
        if len(on):
            out.append(f"vertex {vertex} lies on edge {on[0]}")
    return out


def check_gravity(areas: Areas, floor_up: float, gap_up: float, crack: float) -> Faults:
    """Flags of faces and areas are right, and no dry area has both ground and a gap."""
    out = []
    flags = areas.face_flags
    solid = (areas.face_front < 0) | (areas.face_back < 0)
    wide = np.array([width(polygon(areas, face) * (1, 1, 0)) > crack for face in range(len(flags))], bool)
    if not np.array_equal((flags & FaceFlag.SOLID) != 0, solid):
        out.append("solid flag wrong")
    for area in range(len(areas)):
        faces = faces_of(areas, area)
        up = areas.planes.normal[areas.face_plane[faces], 2] * [inward(areas, area, face) for face in faces]
        ground = solid[faces] & (up >= floor_up) & wide[faces]
        gap = ~solid[faces] & (up >= gap_up) & wide[faces]
        wet = bool(areas.area_flags[area] & AreaFlag.LIQUID)
        if not np.array_equal((flags[faces] & FaceFlag.GROUND) != 0, ground):
            out.append(f"ground flag wrong in area {area}")
        if ((flags[faces][gap] & FaceFlag.GAP) == 0).any():
            out.append(f"gap flag missing in area {area}")
        if bool(areas.area_flags[area] & AreaFlag.GROUNDED) != bool(ground.any()):
            out.append(f"grounded flag wrong in area {area}")
        if wet != bool(areas.area_contents[area] & 7):
            out.append(f"liquid flag wrong in area {area}")
        if not wet and ground.any() and gap.any():
            out.append(f"area {area} has ground and a gap")
    return out
