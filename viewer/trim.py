"""Trims map faces to the surroundings of areas: brushes reach far into walls and under floors, where nobody gets."""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.csr import starts_of
from aascompile.model.mapdata import Float
from aascompile.viewer.meshes import Mask, Mesh, Shape, mesh

SMALL: Final = 96.0
"""Faces no longer than this are kept whole, units."""

DEEPEST: Final = 14
"""Most cuts in a row. A piece that would take more is kept whole."""

CHUNK: Final = 1 << 21
"""Pairs of faces and boxes that are compared at a time."""

Point = list[float]


def trimmed(faces: Mesh, mins: Float, maxs: Float) -> Mesh:
    """The parts of polygons that lie in any of the boxes from ``mins`` to ``maxs``, both ``(n, 3)``.

    A polygon is cut along sides of the boxes until every piece is inside a box or outside all of them.
    """
    if not len(faces) or not len(mins):
        return faces
    low, high = (at.reduceat(faces.xyz, faces.start[:-1]) for at in (np.minimum, np.maximum))
    large = (high - low).max(axis=1) > SMALL
    corners: list[list[Point]] = []
    item: list[int] = []
    step = max(CHUNK // len(mins), 1)
    rows = np.flatnonzero(large)
    for first in range(0, len(rows), step):
        some = rows[first : first + step]
        meets: Mask = ((low[some, None] <= maxs[None]) & (high[some, None] >= mins[None])).all(axis=2)
        inside: Mask = ((low[some, None] >= mins[None]) & (high[some, None] <= maxs[None])).all(axis=2)
        for i, row in enumerate(some.tolist()):
            near, whole = meets[i], bool(inside[i].any())
            polygon = faces.xyz[faces.start[row] : faces.start[row + 1]].tolist()
            boxes = list(zip(mins[near].tolist(), maxs[near].tolist(), strict=True))
            pieces = [polygon] if whole else _pieces(polygon, boxes, DEEPEST)
            corners += pieces
            item += [int(faces.item[row])] * len(pieces)
    kept = faces.select(~large)
    sizes = np.concatenate([np.diff(kept.start), np.array([len(polygon) for polygon in corners], np.int64)])
    xyz = np.concatenate([kept.xyz, np.array([at for polygon in corners for at in polygon]).reshape(-1, 3)])
    return mesh(Shape.FACES, starts_of(sizes), xyz, np.concatenate([kept.item, np.array(item, np.int32)]))


def _pieces(polygon: list[Point], boxes: list[tuple[Point, Point]], depth: int) -> list[list[Point]]:
    """Pieces of a polygon inside the boxes."""
    low = [min(at[axis] for at in polygon) for axis in range(3)]
    high = [max(at[axis] for at in polygon) for axis in range(3)]
    near = [
        (mins, maxs)
        for mins, maxs in boxes
        if all(low[axis] < maxs[axis] and high[axis] > mins[axis] for axis in range(3))
    ]
    if not near:
        return []
    # The side that leaves the most on either side of it comes first, so that few cuts in a row are needed.
    best, cut = 0.0, (-1, 0.0)
    for mins, maxs in near:
        inside = True
        for axis in range(3):
            for limit in (mins[axis], maxs[axis]):
                if low[axis] < limit < high[axis]:
                    inside = False
                    share = min(limit - low[axis], high[axis] - limit)
                    if share > best:
                        best, cut = share, (axis, limit)
        if inside:
            return [polygon]
    if depth == 0:
        return [polygon]
    axis, limit = cut
    found = []
    for side in (1.0, -1.0):
        part = _half(polygon, axis, limit, side)
        if len(part) >= 3:
            found += _pieces(part, near, depth - 1)
    return found


def _half(polygon: list[Point], axis: int, limit: float, side: float) -> list[Point]:
    """The part of a polygon where side · (coordinate − limit) ≥ 0."""
    found: list[Point] = []
    for row, at in enumerate(polygon):
        after = polygon[(row + 1) % len(polygon)]
        here, there = side * (at[axis] - limit), side * (after[axis] - limit)
        if here >= 0.0:
            found.append(at)
        if (here > 0.0 > there) or (here < 0.0 < there):
            share = here / (here - there)
            crossing = [a + share * (b - a) for a, b in zip(at, after, strict=True)]
            crossing[axis] = limit  # exactly, so that the other part does not meet the box
            found.append(crossing)
    return found
