"""Operations on single convex polygons. A winding is a ``(k, 3)`` float64 array of corners.

Corners run counter-clockwise seen from the front. For tests and for callers where speed does not matter; kernels use
the polygon store directly.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile import tolerances
from aascompile.geometry import winding_kernel
from aascompile.geometry.merging_kernel import PolygonMerger
from aascompile.geometry.polygon_kernel import Polys
from aascompile.geometry.vectors import dot, lengths, norm

Winding: TypeAlias = NDArray[np.float64]


def from_plane(normal: ArrayLike, dist: float, extent: float = tolerances.WORLD_EXTENT) -> Winding:
    """Square of half-width ``extent`` on a plane, centred on the plane's point closest to the origin."""
    polys = Polys(16, 16)
    return _rows(polys, winding_kernel.base(polys, *_vector(normal), dist, extent))


def split(
    winding: ArrayLike, normal: ArrayLike, dist: float, eps: float = tolerances.ON_PLANE
) -> tuple[Winding | None, Winding | None]:
    """Parts in front of and behind a plane, None if empty. A winding on the plane has neither."""
    polys, row = _store(winding)
    winding_kernel.split(polys, row, *_vector(normal), dist, eps)
    front = _rows(polys, polys.front) if polys.front >= 0 else None
    back = _rows(polys, polys.back) if polys.back >= 0 else None
    return front, back


def clip(winding: ArrayLike, normal: ArrayLike, dist: float, eps: float = tolerances.ON_PLANE) -> Winding | None:
    """Part that is not in front of a plane, None if empty. A winding on the plane is returned whole."""
    front, back = split(winding, normal, dist, eps)
    if front is None and back is None:
        return np.array(winding, np.float64)
    return back


def area(winding: ArrayLike) -> float:
    """Area in square units."""
    return norm(area_vector(winding))


def area_vector(winding: ArrayLike) -> NDArray[np.float64]:
    """(3,) vector along the normal whose length is the area."""
    polys, row = _store(winding)
    vector: NDArray[np.float64] = winding_kernel.area_vector(polys, row)
    return vector


def plane(winding: ArrayLike) -> tuple[NDArray[np.float64], float] | None:
    """Unit normal and distance of the plane that fits the corners; None if the winding has no area."""
    corners = np.asarray(winding, np.float64)
    vector = area_vector(corners)
    size = norm(vector)
    if not size > tolerances.NORMAL_LENGTH:
        return None
    normal = vector / size
    return normal, dot(normal, corners.mean(axis=0))


def is_convex(winding: ArrayLike, normal: ArrayLike, eps: float = tolerances.MERGE) -> bool:
    """Whether no corner lies more than ``eps`` outside any edge, seen against the normal."""
    corners = np.asarray(winding, np.float64)
    edges = np.roll(corners, -1, axis=0) - corners
    length = lengths(edges)
    long = length > eps
    inward = np.cross(np.asarray(normal, np.float64), edges[long]) / length[long, None]
    reach = (inward[:, None] * (corners[None] - corners[long, None])).sum(axis=2)
    return len(corners) >= 3 and bool((reach >= -eps).all())


def merge(a: ArrayLike, b: ArrayLike, normal: ArrayLike, eps: float = tolerances.MERGE) -> Winding | None:
    """Union of two coplanar windings that share an edge, without collinear corners; None if it is not convex."""
    polys, row = _store(a)
    other = winding_kernel.load(polys, np.ascontiguousarray(b, np.float64))
    merged = PolygonMerger(polys, eps).merge_pair(row, other, *_vector(normal))
    return _rows(polys, merged) if merged >= 0 else None


def _store(winding: ArrayLike) -> tuple[Polys, int]:
    polys = Polys(64, 16)
    return polys, winding_kernel.load(polys, np.ascontiguousarray(winding, np.float64).reshape(-1, 3))


def _rows(polys: Polys, row: int) -> Winding:
    first = polys.start[row]
    return np.array(polys.xyz)[first : first + polys.size[row]]


def _vector(normal: ArrayLike) -> tuple[float, float, float]:
    x, y, z = np.asarray(normal, np.float64).tolist()
    return x, y, z
