"""Compiled maps of a few boxes, made by hand: no tree, no shared faces, links and portals as requested."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from aascompile.csr import starts_of
from aascompile.geometry.planes import PlaneTable
from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.clusters import Clusters
from aascompile.model.compiled import Boxes, Compiled, Context, Entities, Provenance, Rides
from aascompile.model.links import Travel
from aascompile.model.mapdata import Planes
from aascompile.settings import QUAKE3
from tests.store.hand_made import links_of

Box = tuple[float, float, float, float, float, float]
"""Mins, then maxs."""

QUADS = ((1, 3, 7, 5), (2, 6, 7, 3), (4, 5, 7, 6), (0, 4, 6, 2), (0, 1, 5, 4), (0, 2, 3, 1))
"""Corners of the sides +x, +y, +z, −x, −y, −z of a box; bits 1, 2, 4 of a corner select maxs along x, y, z."""


def areas_of(boxes: Sequence[Box]) -> Areas:
    """Boxes as areas, each the back area of its own six faces."""
    n = len(boxes)
    box = np.array(boxes, float).reshape(-1, 6)
    corner = np.array([[(row[3 * (c >> k & 1) + k]) for k in range(3)] for row in box for c in range(8)])
    table = PlaneTable()
    normal = np.vstack((np.eye(3), -np.eye(3)))
    plane = table.intern(np.tile(normal, (n, 1)), np.column_stack((box[:, 3:], -box[:, :3])).reshape(-1))
    owner = np.repeat(np.arange(n, dtype=np.int32), 6)
    none = np.zeros(0, np.int32)
    return Areas(
        planes=Planes(table.normal, table.dist),
        vertex=corner.reshape(-1, 3),
        edge=none.reshape(0, 2),
        face_plane=plane.astype(np.int32),
        face_front=np.full(6 * n, -1, np.int32),
        face_back=owner,
        face_flags=np.ones(6 * n, np.uint32),
        face_start=starts_of(np.full(6 * n, 4)),
        face_vertex=np.array([8 * i + c for i in range(n) for quad in QUADS for c in quad], np.int32),
        face_edge=np.zeros(24 * n, np.int32),
        area_start=starts_of(np.full(n, 6)),
        area_face=np.arange(6 * n, dtype=np.int32),
        area_contents=np.zeros(n, np.uint32),
        area_flags=np.full(n, AreaFlag.GROUNDED, np.uint32),
        area_presence=np.full(n, 6, np.uint32),
        area_model=np.full(n, -1, np.int32),
        area_trigger=np.full(n, -1, np.int32),
        area_cost=np.ones(n),
        area_mins=box[:, :3].copy(),
        area_maxs=box[:, 3:].copy(),
        area_centre=(box[:, :3] + box[:, 3:]) / 2,
        area_volume=(box[:, 3:] - box[:, :3]).prod(axis=1),
        node_plane=none,
        node_child=none.reshape(0, 2),
    )


def boxes_map(
    boxes: Sequence[Box], links: Iterable[tuple[int, int, Travel]] = (), portals: Sequence[int] = ()
) -> Compiled:
    """A map of boxes; a link leads from the middle of one to the middle of another."""
    areas = areas_of(boxes)
    rows = [
        {"source": a, "target": b, "kind": kind, "start": areas.area_centre[a], "end": areas.area_centre[b], "time": 10}
        for a, b, kind in links
    ]
    return Compiled(
        areas, links_of(rows, len(areas)), _clusters(len(areas), portals), Boxes.of(QUAKE3.boxes), Rides.none(),
        Context.none(), Entities.of([]), np.zeros((0, 3)), Provenance("", "", "", 0, "{}", "[]"),
    )  # fmt: skip


def _clusters(areas: int, portals: Sequence[int]) -> Clusters:
    """A chain of clusters. Only their number and the portal areas are valid."""
    p = len(portals)
    area_portal = np.full(areas, -1, np.int32)
    area_portal[list(portals)] = np.arange(p)
    ends = np.column_stack((np.arange(p), np.arange(p) + 1)).astype(np.int32)
    return Clusters(
        area_cluster=np.where(area_portal < 0, 0, -1).astype(np.int32),
        area_portal=area_portal,
        area_number=np.zeros(areas, np.int32),
        portal_area=np.array(portals, np.int32),
        portal_cluster=ends,
        portal_number=np.zeros((p, 2), np.int32),
        cluster_areas=np.zeros(p + 1, np.int32),
        cluster_routing=np.zeros(p + 1, np.int32),
        cluster_portal_start=np.zeros(p + 2, np.int64),
        cluster_portal=np.zeros(0, np.int32),
    )
