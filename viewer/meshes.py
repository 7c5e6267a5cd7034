"""Polygons and lines in colours, and what is done with them: choosing some, cutting them with a box.

Plain numpy: window, picture and web page all draw these.
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
"""Units: no map is as large, and what lies farther off is lost."""


class Shape(Enum):
    """What the corners of a mesh's cells make."""

    FACES = "faces"
    LINES = "lines"


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """n convex polygons, or n chains of lines; no corner is shared."""

    shape: Shape
    start: Index
    """(n + 1,) CSR into ``xyz``."""
    xyz: Float
    """(k, 3) corners; those of a polygon counter-clockwise seen from the side that shows."""
    item: NDArray[np.integer[Any]]
    """(n,) what each cell belongs to: a row of areas, links, entities or context faces."""
    colour: Colours
    """(n, 3)"""

    def __len__(self) -> int:
        return len(self.item)

    def coloured(self, colours: Colours | Colour) -> Mesh:
        """The same in other colours: one for each item (items, 3), or one for all."""
        chosen = np.asarray(colours, np.uint8)
        if chosen.ndim == 1:
            return replace(self, colour=np.broadcast_to(chosen, (len(self), 3)))
        return replace(self, colour=chosen[self.item])

    def some(self, cells: Mask) -> Mesh:
        """Some of the cells."""
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

    def of_items(self, chosen: Mask) -> Mesh:
        """The cells of some items, a mask over all items."""
        return self.some(chosen[self.item])


def nothing(shape: Shape = Shape.FACES) -> Mesh:
    """A mesh without cells."""
    return mesh(shape, np.zeros(1, np.int64), np.zeros((0, 3)), np.zeros(0, np.int32))


def mesh(
    shape: Shape,
    start: Index,
    xyz: Float,
    item: NDArray[np.integer[Any]],
    colour: Colours | Colour = (255, 255, 255),
) -> Mesh:
    """A mesh in one colour, or one for each cell."""
    chosen = np.asarray(colour, np.uint8)
    return Mesh(shape, start, xyz, item, np.broadcast_to(chosen, (len(item), 3)))


def equal_cells(shape: Shape, xyz: Float, item: NDArray[np.integer[Any]]) -> Mesh:
    """A mesh whose cells have as many corners each: ``xyz (n, corners, 3)``."""
    n, corners = xyz.shape[:2]
    return mesh(shape, np.arange(n + 1, dtype=np.int64) * corners, xyz.reshape(-1, 3), item)


def joined(one: Mesh, other: Mesh) -> Mesh:
    """The cells of both."""
    return Mesh(
        one.shape,
        np.concatenate([one.start, one.start[-1] + other.start[1:]]),
        np.concatenate([one.xyz, other.xyz]),
        np.concatenate([one.item, other.item]),
        np.concatenate([one.colour, other.colour]),
    )


def flipped(one: Mesh, cells: Mask) -> Mesh:
    """The mesh with some polygons seen from their other side."""
    owner = owners_of(one.start)
    row = np.arange(len(owner))
    turned = one.start[owner] + one.start[owner + 1] - 1 - row
    return replace(one, xyz=one.xyz[np.where(cells[owner], turned, row)])


def outlines(faces: Mesh) -> Mesh:
    """The sides of polygons as lines, in the polygons' colours."""
    owner = owners_of(faces.start)
    row = np.arange(len(owner))
    after = np.where(row + 1 == faces.start[owner + 1], faces.start[owner], row + 1)
    sides = equal_cells(Shape.LINES, np.stack([faces.xyz, faces.xyz[after]], axis=1), faces.item[owner])
    return replace(sides, colour=faces.colour[owner])


def pieces(chains: Mesh) -> Mesh:
    """Chains of lines, each line by itself."""
    row = np.setdiff1d(np.arange(chains.start[-1]), chains.start[1:] - 1)
    owner = owners_of(chains.start)[row]
    apart = equal_cells(Shape.LINES, np.stack([chains.xyz[row], chains.xyz[row + 1]], axis=1), chains.item[owner])
    return replace(apart, colour=chains.colour[owner])


def cut(one: Mesh, mins: Float, maxs: Float, *, capped: bool = False) -> Mesh:
    """What of a mesh lies in a box; chains of lines come apart.

    ``capped``: the cells of an item enclose it, and what is cut is closed again.
    """
    if not np.isfinite([mins, maxs]).any():
        return one
    if one.shape is Shape.LINES:
        one = pieces(one)
    for axis in range(3):
        for side, limit in ((1.0, mins[axis]), (-1.0, maxs[axis])):
            if np.isfinite(limit):
                one = _cut(one, axis, side, float(limit), capped)
    return one


def _cut(one: Mesh, axis: int, side: float, limit: float, capped: bool) -> Mesh:
    """The part where side · (coordinate − limit) ≥ 0."""
    depth = side * (one.xyz[:, axis] - limit)
    inside = depth >= 0.0
    if inside.all():
        return one
    owner = owners_of(one.start)
    row = np.arange(len(owner))
    last = row + 1 == one.start[owner + 1]
    after = np.where(last, one.start[owner], row + 1)
    crosses = inside != inside[after]
    if one.shape is Shape.LINES:
        crosses &= ~last
    # Each corner gives itself where it is inside, then the point where its side crosses the plane.
    count = inside.astype(np.int64) + crosses
    place = starts_of(count)
    xyz = np.empty((place[-1], 3))
    xyz[place[:-1][inside]] = one.xyz[inside]
    share = depth[crosses] / (depth[crosses] - depth[after[crosses]])
    met = one.xyz[crosses] + share[:, None] * (one.xyz[after[crosses]] - one.xyz[crosses])
    xyz[(place[:-1] + inside)[crosses]] = met
    size = np.bincount(owner, count, len(one)).astype(np.int64)
    left = replace(one, start=starts_of(size), xyz=xyz).some(size >= (3 if one.shape is Shape.FACES else 2))
    if not capped or not crosses.any():
        return left
    return joined(left, _caps(one, owner[crosses], met, axis, side))


def _caps(one: Mesh, cell: Index, met: Float, axis: int, side: float) -> Mesh:
    """Polygons that close what was cut: the crossings of each item's sides, in order round their middle."""
    item = one.item[cell]
    number = int(item.max()) + 1
    count = np.bincount(item, minlength=number)
    sums = np.stack([np.bincount(item, met[:, column], number) for column in range(3)], axis=1)
    middle = sums / np.maximum(count, 1)[:, None]
    across, up = [(1, 2), (2, 0), (0, 1)][axis]
    off = met - middle[item]
    order = np.lexsort((-side * np.arctan2(off[:, up], off[:, across]), item))
    items = np.flatnonzero(count)
    colour = np.zeros((number, 3), np.uint8)
    colour[item] = one.colour[cell]
    caps = mesh(Shape.FACES, starts_of(count[items]), met[order], items, colour[items])
    return caps.some(count[items] >= 3)
