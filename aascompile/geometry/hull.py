"""Convex hulls of brushes: the polygon of every side, clipped by the brush's planes."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile import tolerances
from aascompile.csr import joined, rows_of, starts_of
from aascompile.geometry.hull_kernel import Hull
from aascompile.geometry.polygon_kernel import Polys
from aascompile.records import dataclass


class HullStatus(IntEnum):
    """Outcome of building a hull. Only CLOSED and FLAT hulls are usable."""

    CLOSED = 0
    """A solid with volume."""
    NO_VOLUME = 1
    """The space behind all planes is empty or too small."""
    UNCLOSED = 2
    """The planes do not enclose it: its polygons extend to the cube around the world."""
    BAD_PLANE = 3
    """A plane is missing (−1) or not finite."""
    FLAT = 4
    """A polygon between a plane and its opposite, without volume until it is expanded."""


@dataclass(frozen=True, slots=True)
class Hulls:
    """Hulls of n brushes with m sides in total."""

    vertex_start: NDArray[np.int64]
    """(m + 1,) CSR: the polygon of side i is ``xyz[vertex_start[i]:vertex_start[i + 1]]``, counter-clockwise seen from
    outside. It is empty for a side that bounds nothing (a bevel or a duplicate). A flat brush has its polygon on its
    two surface sides, and none on the planes of its edges."""
    xyz: NDArray[np.float64]
    """(k, 3) corners. Polygons of a brush that share a corner store it with identical bits."""
    bounds: NDArray[np.float64]
    """(n, 6) minima, maxima. Minima exceed maxima for a brush without polygons."""
    volume: NDArray[np.float64]
    """(n,) cubic units; 0 unless CLOSED or UNCLOSED."""
    status: NDArray[np.int32]
    """(n,) HullStatus."""

    def __len__(self) -> int:
        return len(self.status)

    @classmethod
    def none(cls) -> Hulls:
        """No hulls."""
        return cls(np.zeros(1, np.int64), np.zeros((0, 3)), np.zeros((0, 6)), np.zeros(0), np.zeros(0, np.int32))

    def take(self, side_start: NDArray[np.int64], rows: NDArray[np.int64]) -> Hulls:
        """The hulls of these brushes, in this order; ``side_start``: (n + 1,) the sides of all brushes."""
        sides = rows_of(side_start, rows)
        return Hulls(
            starts_of(np.diff(self.vertex_start)[sides]),
            self.xyz[rows_of(self.vertex_start, sides)],
            self.bounds[rows],
            self.volume[rows],
            self.status[rows],
        )

    def followed_by(self, other: Hulls) -> Hulls:
        """These hulls, then the other ones."""
        return Hulls(
            joined([self.vertex_start, other.vertex_start]),
            np.concatenate([self.xyz, other.xyz]),
            np.concatenate([self.bounds, other.bounds]),
            np.concatenate([self.volume, other.volume]),
            np.concatenate([self.status, other.status]),
        )

    def polygon(self, side: int) -> NDArray[np.float64]:
        """(k, 3) corners of a side's polygon."""
        return self.xyz[self.vertex_start[side] : self.vertex_start[side + 1]]


def builder() -> Hull:
    """Hull builder with the compiler's tolerances, for kernels that build hulls themselves."""
    return Hull(
        tolerances.WORLD_EXTENT, tolerances.CLIP, tolerances.MIN_EDGE, tolerances.MIN_VOLUME, tolerances.MIN_AREA
    )


def hulls(normal: ArrayLike, dist: ArrayLike, side_start: ArrayLike, side_plane: ArrayLike) -> Hulls:
    """Hulls of brushes. Planes ``normal (p, 3)``, ``dist (p,)`` face outward.

    Brush i has the sides ``side_plane[side_start[i]:side_start[i + 1]]``.
    """
    normals = np.ascontiguousarray(normal, np.float64).reshape(-1, 3)
    dists = np.ascontiguousarray(dist, np.float64).reshape(-1)
    starts = np.ascontiguousarray(side_start, np.int64)
    planes = np.ascontiguousarray(side_plane, np.int32)
    if len(dists) != len(normals) or len(starts) < 1 or starts[0] != 0 or starts[-1] != len(planes):
        raise ValueError("the columns of the brushes have inconsistent lengths")
    if (np.diff(starts) < 0).any():
        raise ValueError("side_start must not decrease")
    count = len(starts) - 1
    if not count:
        return Hulls.none()
    polys = Polys(max(4 * len(planes), 16), max(len(planes), 16))
    bounds = np.empty((count, 6))
    volume = np.empty(count)
    status = np.empty(count, np.int32)
    builder().build_all(normals, dists, starts, planes, polys, bounds, volume, status)
    vertex_start, xyz = polys.columns()
    return Hulls(vertex_start, xyz, bounds, volume, status)
