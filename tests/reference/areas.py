"""The requirements on areas, one by one and without haste: each test answers the rows that fail it."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from aascompile.model.areas import SOLID, AreaFlag, Areas, FaceFlag

Faults = list[str]


def polygon(areas: Areas, face: int) -> NDArray[np.float64]:
    """(n, 3) corners of a face, counter-clockwise seen from its front."""
    return areas.vertex[areas.face_vertex[areas.face_start[face] : areas.face_start[face + 1]]]


def faces_of(areas: Areas, area: int) -> NDArray[np.int32]:
    """The faces of an area."""
    return areas.area_face[areas.area_start[area] : areas.area_start[area + 1]]


def inward(areas: Areas, area: int, face: int) -> float:
    """1 when the face's normal points into the area, −1 when it points out of it."""
    return 1.0 if areas.face_front[face] == area else -1.0


def area_vector(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Along a polygon's normal, as long as its area."""
    around = np.cross(corners - corners[0], np.roll(corners, -1, axis=0) - corners[0])
    return around.sum(axis=0) / 2


def locate(areas: Areas, points: NDArray[np.float64]) -> NDArray[np.int64]:
    """The area each point lies in by the tree; −1: solid."""
    at = np.zeros(len(points), np.int64) if len(areas.node_plane) else np.full(len(points), SOLID)
    while (open_ := np.flatnonzero(at >= 0)).size:
        plane = areas.node_plane[at[open_]]
        above = (areas.planes.normal[plane] * points[open_]).sum(axis=1) >= areas.planes.dist[plane]
        at[open_] = areas.node_child[at[open_], np.where(above, 0, 1)]
    return np.where(at == SOLID, -1, -2 - at)


def check_tables(areas: Areas) -> Faults:
    """Every number points at a row, every list is in order."""
    out = []
    n, f, v, e = len(areas), len(areas.face_plane), len(areas.vertex), len(areas.edge)
    for name, column, low, high in (
        ("edge", areas.edge, 0, v), ("face_plane", areas.face_plane, 0, len(areas.planes)),
        ("face_front", areas.face_front, -1, n), ("face_back", areas.face_back, -1, n),
        ("face_vertex", areas.face_vertex, 0, v), ("face_edge", areas.face_edge, 0, e),
        ("area_face", areas.area_face, 0, f), ("node_plane", areas.node_plane, 0, len(areas.planes)),
        ("node_child", areas.node_child, -1 - n, len(areas.node_plane)),
    ):  # fmt: skip
        if column.size and not (low <= column.min() and column.max() < high):
            out.append(f"{name} out of range")
    if (areas.edge[:, 0] >= areas.edge[:, 1]).any() or len(np.unique(areas.edge, axis=0)) != e:
        out.append("edges not unique with the lower vertex first")
    if ((areas.face_front < 0) & (areas.face_back < 0)).any() or (areas.face_front == areas.face_back).any():
        out.append("face between nothing and nothing, or in one area")
    for face in range(f):
        start, stop = areas.face_start[face], areas.face_start[face + 1]
        loop = areas.face_vertex[start:stop]
        ends = np.sort(np.stack([loop, np.roll(loop, -1)], axis=1), axis=1)
        if stop - start < 3 or len(set(loop.tolist())) != len(loop):
            out.append(f"face {face} has fewer than three corners or one twice")
        if not np.array_equal(areas.edge[areas.face_edge[start:stop]], ends):
            out.append(f"edges of face {face} are not those between its corners")
    for area in range(n):
        mine = np.flatnonzero((areas.face_front == area) | (areas.face_back == area))
        if not np.array_equal(faces_of(areas, area), mine):
            out.append(f"faces of area {area} are not those beside it")
    reached = np.unique(-2 - areas.node_child[areas.node_child <= -2])
    if not np.array_equal(reached, np.arange(n)):
        out.append("not every area hangs on the tree")
    return out


def check_shapes(areas: Areas, flat: float, convex: float) -> Faults:
    """Faces are flat and face the right way; areas are convex, closed and have the volume they say."""
    out = []
    for face in range(len(areas.face_plane)):
        corners = polygon(areas, face)
        normal, dist = areas.planes.normal[areas.face_plane[face]], areas.planes.dist[areas.face_plane[face]]
        off = np.abs(corners @ normal - dist).max()
        if off > flat:
            out.append(f"face {face} is off its plane by {off:.3f}")
        if area_vector(corners) @ normal <= 0:
            out.append(f"face {face} faces the wrong way or has no area")
    for area in range(len(areas)):
        faces = faces_of(areas, area)
        corners = np.concatenate([polygon(areas, face) for face in faces])
        sign = np.array([inward(areas, area, face) for face in faces])
        normal = areas.planes.normal[areas.face_plane[faces]] * sign[:, None]
        out_by = (areas.planes.dist[areas.face_plane[faces]] * sign)[:, None] - normal @ corners.T
        if out_by.max() > convex:
            out.append(f"area {area} is dented by {out_by.max():.3f}")
        runs: Counter[tuple[int, int]] = Counter()
        for face in faces:
            loop = areas.face_vertex[areas.face_start[face] : areas.face_start[face + 1]].tolist()
            if areas.face_back[face] == area:
                loop = loop[::-1]
            runs.update(zip(loop, loop[1:] + loop[:1], strict=True))
        loose = [run for run, times in runs.items() if times != 1 or runs[run[::-1]] != 1]
        if loose:
            out.append(f"area {area} is not closed: {len(loose)} of {len(runs)} edges are loose")
        middle = corners.mean(axis=0)
        volume = sum(
            -inward(areas, area, face) * (area_vector(polygon(areas, face)) @ (polygon(areas, face)[0] - middle)) / 3
            for face in faces
        )
        if not np.isclose(volume, areas.area_volume[area], rtol=1e-3, atol=1.0) or volume <= 0:
            out.append(f"area {area} has volume {volume:.3f}, said to be {areas.area_volume[area]:.3f}")
        if len(faces) < 4:
            out.append(f"area {area} has {len(faces)} faces")
        low, high = corners.min(axis=0), corners.max(axis=0)
        if not (np.array_equal(low, areas.area_mins[area]) and np.array_equal(high, areas.area_maxs[area])):
            out.append(f"area {area} has other bounds")
        if not ((low <= areas.area_centre[area]) & (areas.area_centre[area] <= high)).all():
            out.append(f"area {area} has its centre outside")
    return out


def check_junctions(areas: Areas, near: float) -> Faults:
    """No vertex lies on an edge but at its ends, and no two vertices are one."""
    out = []
    a, b = areas.vertex[areas.edge[:, 0]], areas.vertex[areas.edge[:, 1]]
    length = np.linalg.norm(b - a, axis=1)
    along = (b - a) / length[:, None]
    if (length <= near).any():
        out.append(f"{int((length <= near).sum())} edges are shorter than the weld")
    for vertex, point in enumerate(areas.vertex):
        t = ((point - a) * along).sum(axis=1)
        off = np.linalg.norm(a + t[:, None] * along - point, axis=1)
        on = np.flatnonzero((t > near) & (t < length - near) & (off <= near))
        on = on[(areas.edge[on] != vertex).all(axis=1)]
        if len(on):
            out.append(f"vertex {vertex} lies on edge {on[0]}")
    return out


def check_gravity(areas: Areas, floor_up: float, gap_up: float) -> Faults:
    """Flags say what faces and areas are, and no dry area has both ground and a gap."""
    out = []
    flags = areas.face_flags
    solid = (areas.face_front < 0) | (areas.face_back < 0)
    if not np.array_equal((flags & FaceFlag.SOLID) != 0, solid):
        out.append("solid flag wrong")
    for area in range(len(areas)):
        faces = faces_of(areas, area)
        up = areas.planes.normal[areas.face_plane[faces], 2] * [inward(areas, area, face) for face in faces]
        ground = solid[faces] & (up >= floor_up)
        gap = ~solid[faces] & (up >= gap_up)
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
            sizes = [np.linalg.norm(area_vector(polygon(areas, face))) for face in faces]
            out.append(
                f"area {area} has ground ({np.array(sizes)[ground].max():.3f}) and a gap "
                f"({np.array(sizes)[gap].max():.3f})"
            )
    return out
