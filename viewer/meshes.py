"""Coloured polygons and lines; selecting cells, and cutting them with a box.

Plain numpy: the window, pictures and web pages all draw these.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import owners_of, rows_of, starts_of
from aascompile.model.mapdata import Float, Index

Colour = tuple[int, int, int]
Colours = NDArray[np.uint8]
Mask = NDArray[np.bool_]


FAR: Final = float(1 << 20)
"""Largest coordinate, units: no map reaches this far, and nothing beyond it is drawn."""


class Shape(Enum):
    """What a mesh consists of."""

    FACES = "faces"
    LINES = "lines"


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """n convex polygons, or n polylines. Cells share no corners."""

    shape: Shape
    start: Index
    """``(n + 1,)`` CSR into ``xyz``."""
    xyz: Float
    """``(k, 3)`` corners; a polygon's are counter-clockwise as seen from its front."""
    item: NDArray[np.integer[Any]]
    """``(n,)`` owner of each cell: a row of areas, links, entities or context faces."""
    colour: Colours
    """``(n, 3)``"""

    def __len__(self) -> int:
        return len(self.item)

    def coloured(self, colours: Colours | Colour) -> Mesh:
        """The mesh in other colours: either ``(items, 3)``, or a single colour for all cells."""
        chosen = np.asarray(colours, np.uint8)
        if chosen.ndim == 1:
            return replace(self, colour=np.broadcast_to(chosen, (len(self), 3)))
        return replace(self, colour=chosen[self.item])

    def select(self, cells: Mask) -> Mesh:
        """The cells that a mask selects."""
        rows = np.flatnonzero(cells)
        if len(rows) == len(self):
            return self
        return Mesh(
            self.shape,
            starts_of(np.diff(self.start)[rows]),
            self.xyz[rows_of(self.start, rows)],
            self.item[rows],
            self.colour[rows],
        )

    def select_items(self, chosen: Mask) -> Mesh:
        """The cells whose items are chosen, by a mask over all items."""
        return self.select(chosen[self.item])


def empty_mesh(shape: Shape = Shape.FACES) -> Mesh:
    """A mesh without cells."""
    return mesh(shape, np.zeros(1, np.int64), np.zeros((0, 3)), np.zeros(0, np.int32))


def mesh(
    shape: Shape,
    start: Index,
    xyz: Float,
    item: NDArray[np.integer[Any]],
    colour: Colours | Colour = (255, 255, 255),
) -> Mesh:
    """A mesh in a single colour, or with a colour for each cell."""
    chosen = np.asarray(colour, np.uint8)
    return Mesh(shape, start, xyz, item, np.broadcast_to(chosen, (len(item), 3)))


def equal_cells(shape: Shape, xyz: Float, item: NDArray[np.integer[Any]]) -> Mesh:
    """A mesh whose cells all have the same number of corners: ``xyz`` is ``(n, corners, 3)``."""
    n, corners = xyz.shape[:2]
    return mesh(shape, np.arange(n + 1, dtype=np.int64) * corners, xyz.reshape(-1, 3), item)


def joined(first: Mesh, second: Mesh) -> Mesh:
    """The cells of two meshes of the same shape."""
    return Mesh(
        first.shape,
        np.concatenate([first.start, first.start[-1] + second.start[1:]]),
        np.concatenate([first.xyz, second.xyz]),
        np.concatenate([first.item, second.item]),
        np.concatenate([first.colour, second.colour]),
    )


def flipped(original: Mesh, cells: Mask) -> Mesh:
    """The mesh with some polygons turned to face the other side."""
    owner = owners_of(original.start)
    row = np.arange(len(owner))
    turned = original.start[owner] + original.start[owner + 1] - 1 - row
    return replace(original, xyz=original.xyz[np.where(cells[owner], turned, row)])


def outlines(faces: Mesh) -> Mesh:
    """Edges of the polygons as lines, in the polygons' colours."""
    owner = owners_of(faces.start)
    row = np.arange(len(owner))
    after = np.where(row + 1 == faces.start[owner + 1], faces.start[owner], row + 1)
    sides = equal_cells(Shape.LINES, np.stack([faces.xyz, faces.xyz[after]], axis=1), faces.item[owner])
    return replace(sides, colour=faces.colour[owner])


def segments(chains: Mesh) -> Mesh:
    """Every segment of the polylines as a line of its own."""
    row = np.setdiff1d(np.arange(chains.start[-1]), chains.start[1:] - 1)
    owner = owners_of(chains.start)[row]
    apart = equal_cells(Shape.LINES, np.stack([chains.xyz[row], chains.xyz[row + 1]], axis=1), chains.item[owner])
    return replace(apart, colour=chains.colour[owner])


def cut(original: Mesh, mins: Float, maxs: Float, *, capped: bool = False) -> Mesh:
    """The part of a mesh inside a box. Polylines become separate segments.

    With ``capped``, the cells of each item form a closed surface, and the cuts are closed with caps.
    """
    if not np.isfinite([mins, maxs]).any():
        return original
    if original.shape is Shape.LINES:
        original = segments(original)
    for axis in range(3):
        for side, limit in ((1.0, mins[axis]), (-1.0, maxs[axis])):
            if np.isfinite(limit):
                original = _cut(original, axis, side, float(limit), capped)
    return original


def _cut(original: Mesh, axis: int, side: float, limit: float, capped: bool) -> Mesh:
    """The part where side · (coordinate − limit) ≥ 0."""
    depth = side * (original.xyz[:, axis] - limit)
    inside = depth >= 0.0
    if inside.all():
        return original
    owner = owners_of(original.start)
    row = np.arange(len(owner))
    last = row + 1 == original.start[owner + 1]
    after = np.where(last, original.start[owner], row + 1)
    crosses = inside != inside[after]
    if original.shape is Shape.LINES:
        crosses &= ~last
    # Each corner adds itself if it is inside, then the point where its side crosses the plane.
    count = inside.astype(np.int64) + crosses
    place = starts_of(count)
    xyz = np.empty((place[-1], 3))
    xyz[place[:-1][inside]] = original.xyz[inside]
    share = depth[crosses] / (depth[crosses] - depth[after[crosses]])
    met = original.xyz[crosses] + share[:, None] * (original.xyz[after[crosses]] - original.xyz[crosses])
    xyz[(place[:-1] + inside)[crosses]] = met
    size = np.bincount(owner, count, len(original)).astype(np.int64)
    left = replace(original, start=starts_of(size), xyz=xyz).select(size >= (3 if original.shape is Shape.FACES else 2))
    if not capped or not crosses.any():
        return left
    return joined(left, _caps(original, owner[crosses], met, axis, side))


def _caps(original: Mesh, cell: Index, met: Float, axis: int, side: float) -> Mesh:
    """Polygons that close the cuts: the crossing points of each item, sorted by angle around their middle."""
    item = original.item[cell]
    number = int(item.max()) + 1
    count = np.bincount(item, minlength=number)
    sums = np.stack([np.bincount(item, met[:, column], number) for column in range(3)], axis=1)
    middle = sums / np.maximum(count, 1)[:, None]
    across, up = [(1, 2), (2, 0), (0, 1)][axis]
    off = met - middle[item]
    order = np.lexsort((-side * np.arctan2(off[:, up], off[:, across]), item))
    items = np.flatnonzero(count)
    colour = np.zeros((number, 3), np.uint8)
    colour[item] = original.colour[cell]
    caps = mesh(Shape.FACES, starts_of(count[items]), met[order], items, colour[items])
    return caps.select(count[items] >= 3)
