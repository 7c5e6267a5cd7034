"""Interned plane table: planes are compared by id, not with an epsilon."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile import tolerances
from aascompile.geometry.planes_kernel import PlaneStore


class PlaneTable:
    """Assigns every plane an id for the whole compile. Ids come in opposite pairs, ``id ^ 1``."""

    def __init__(self) -> None:
        self._store = PlaneStore(
            tolerances.PLANE_NORMAL,
            tolerances.PLANE_DIST,
            tolerances.PLANE_SNAP,
            tolerances.NORMAL_LENGTH,
            tolerances.PLANE_FAR,
        )

    @classmethod
    def of(cls, normal: ArrayLike, dist: ArrayLike) -> PlaneTable:
        """Table that starts with the rows of an earlier one, with unchanged ids."""
        normals = np.ascontiguousarray(normal, np.float64).reshape(-1, 3)
        dists = np.ascontiguousarray(dist, np.float64).reshape(-1)
        if len(dists) % 2 or len(dists) != len(normals):
            raise ValueError("planes must come in opposite pairs, each with a normal and a distance")
        table = cls()
        table._store.adopt(normals, dists)
        return table

    def intern(self, normal: ArrayLike, dist: ArrayLike) -> NDArray[np.int32]:
        """Ids of planes ``normal (n, 3)``, ``dist (n,)``; −1 if a plane is not finite or has no direction."""
        normals = np.ascontiguousarray(normal, np.float64).reshape(-1, 3)
        dists = np.ascontiguousarray(dist, np.float64).reshape(-1)
        if len(dists) != len(normals):
            raise ValueError("every plane needs a normal and a distance")
        out = np.empty(len(dists), np.int32)
        self._store.intern(normals, dists, out)
        return out

    @property
    def store(self) -> PlaneStore:
        """The underlying columns, for kernels that create planes."""
        return self._store

    def __len__(self) -> int:
        return int(self._store.count)

    @property
    def normal(self) -> NDArray[np.float64]:
        """(n, 3) unit normals of all planes so far; a view, whose rows never change."""
        return np.asarray(self._store.normal)[: len(self)]

    @property
    def dist(self) -> NDArray[np.float64]:
        """(n,) distances of all planes so far; a view, whose rows never change."""
        return np.asarray(self._store.dist)[: len(self)]
