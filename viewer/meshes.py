"""Coloured polygons and lines; selecting cells, and cutting them with a box.

Plain numpy: the window, pictures and web pages all draw these.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import reduce
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
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
    return joined(left, _caps(original, owner[crosses], met, inside[crosses], axis, side))


def _caps(original: Mesh, cell: Index, met: Float, leaves: Mask, axis: int, side: float) -> Mesh:
    """Polygons that close the cuts: the crossing points of each item, sorted by angle around their middle.

    Where that polygon is not what the cut left open, because the item is not convex, the cap is made of trapezoids.
    """
    item = original.item[cell]
    number = int(item.max()) + 1
    count = np.bincount(item, minlength=number)
    sums = np.stack([np.bincount(item, met[:, column], number) for column in range(3)], axis=1)
    middle = sums / np.maximum(count, 1)[:, None]
    across, up = [(1, 2), (2, 0), (0, 1)][axis]
    off = (met - middle[item])[:, [across, up]]
    order = np.lexsort((-side * np.arctan2(off[:, 1], off[:, 0]), item))
    items = np.flatnonzero(count)
    colour = np.zeros((number, 3), np.uint8)
    colour[item] = original.colour[cell]
    start = starts_of(count[items])
    caps = mesh(Shape.FACES, start, met[order], items, colour[items])
    # Both crossing points of a cell are the ends of a segment of the opening, from where the cell's outline leaves.
    pairs = off.reshape(-1, 2, 2)
    pairs = np.where(leaves[::2, None, None], pairs, pairs[:, ::-1])
    opening = np.abs(np.bincount(item[::2], _turns(pairs[:, 0], pairs[:, 1]), number)[items])
    around = off[order]
    follower = np.arange(1, len(around) + 1)
    follower[start[1:] - 1] = start[:-1]
    closed = np.add.reduceat(np.abs(_turns(around, around[follower])), start[:-1])
    fits = np.abs(closed - opening) <= tolerances.CAP * np.maximum(closed, 1.0)
    parts = [caps.select((count[items] >= 3) & fits)]
    for row in items[~fits].tolist():
        flat = _trapezoids(pairs[item[::2] == row] + middle[row, [across, up]])[:, :: int(-side)]
        corners = np.empty((*flat.shape[:2], 3))
        corners[..., axis], corners[..., [across, up]] = met[0, axis], flat
        cells = equal_cells(Shape.FACES, corners, np.full(len(flat), row))
        parts.append(replace(cells, colour=np.tile(colour[row], (len(flat), 1))))
    return reduce(joined, parts)


def _turns(a: Float, b: Float) -> Float:
    """(n,) twice the signed areas of the triangles from the origin to a and b, both (n, 2)."""
    turns: Float = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return turns


def _trapezoids(segment: Float) -> Float:
    """(m, 4, 2) counter-clockwise trapezoids that fill closed outlines of segments (n, 2, 2), slab by slab."""
    rising = np.where((segment[:, 0, 1] > segment[:, 1, 1])[:, None, None], segment[:, ::-1], segment)
    rising = rising[rising[:, 1, 1] > rising[:, 0, 1]]
    heights = np.unique(segment[:, :, 1])
    slope = (rising[:, 1, 0] - rising[:, 0, 0]) / (rising[:, 1, 1] - rising[:, 0, 1])
    found = [np.zeros((0, 4, 2))]
    for low, high in pairwise(heights.tolist()):
        row = np.flatnonzero((rising[:, 0, 1] <= low) & (rising[:, 1, 1] >= high))
        bottom, top = (rising[row, 0, 0] + slope[row] * (at - rising[row, 0, 1]) for at in (low, high))
        order = np.argsort(bottom + top, kind="stable")
        bottom, top = bottom[order], top[order]
        n = len(row) // 2
        xs = np.stack([bottom[0 : 2 * n : 2], bottom[1 : 2 * n : 2], top[1 : 2 * n : 2], top[0 : 2 * n : 2]], axis=1)
        ys = np.broadcast_to(np.array([low, low, high, high]), xs.shape)
        found.append(np.stack([xs, ys], axis=2))
    return np.concatenate(found)
