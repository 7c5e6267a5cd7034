"""Surfaces that a .bsp file draws: visible sides of brushes as flat surfaces, and patches."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import ranges, starts_of
from aascompile.geometry.hull import Hulls
from aascompile.model.contents import SurfaceFlag
from aascompile.model.mapdata import Float, Index, Int, MapData, Patches
from aascompile.quickbsp.leaves import WorldTree
from aascompile.records import dataclass

VERTEX: Final = np.dtype(
    [("xyz", "<f4", 3), ("st", "<f4", 2), ("lightmap", "<f4", 2), ("normal", "<f4", 3), ("colour", "u1", 4)]
)
SURFACE: Final = np.dtype(
    [
        ("shader", "<i4"), ("fog", "<i4"), ("type", "<i4"), ("first_vertex", "<i4"), ("vertices", "<i4"),
        ("first_index", "<i4"), ("indexes", "<i4"), ("lightmap", "<i4"), ("lightmap_box", "<i4", 4),
        ("origin", "<f4", 3), ("vectors", "<f4", (3, 3)), ("width", "<i4"), ("height", "<i4"),
    ]
)  # fmt: skip

PLANAR, PATCH = 1, 2
BY_VERTEX: Final = -3
"""Lightmap number of a surface that is lit by its vertex colours."""

UNITS_PER_TEXTURE: Final = 128.0
"""Units covered by one repetition of a texture."""

LIFT: Final = 0.25
"""Units that a flat surface is moved forward to find its leaves: those in front, where it is visible, not those
behind."""

_INVISIBLE: Final = SurfaceFlag.NODRAW | SurfaceFlag.SKIP | SurfaceFlag.HINT


@dataclass(frozen=True, slots=True)
class Surfaces:
    """Lumps of surfaces, ordered by model, and the surfaces in each leaf of the world."""

    row: NDArray[np.void]
    """(n,) rows of dtype SURFACE."""
    vertex: NDArray[np.void]
    """Rows of dtype VERTEX."""
    index: Int
    """Corners of triangles, relative to their surface's first vertex."""
    model: Int
    """(n,) model of each surface, ascending."""
    leaf_start: Index
    """(leaves + 1,) CSR into ``leaf_surface``."""
    leaf_surface: Int
    """Surfaces in each leaf inside the map."""


def surfaces(source: MapData, hulls: Hulls, tree: WorldTree, side_shader: Int, patch_shader: Int) -> Surfaces:
    """Surfaces of a map that are visible from inside. Shaders are rows of the file's shader table."""
    side, side_item, side_leaf = _visible_sides(source, hulls, tree)
    flat, flat_vertex, index = _flat(source, hulls, side, side_shader)
    curved, curved_vertex = _curved(source.patches, patch_shader)
    curved["first_vertex"] += len(flat_vertex)
    patch_item, patch_leaf = _leaves(tree, source.patches.point_start, source.patches.point, source.patches.model)

    model = np.concatenate((_side_model(source)[side], source.patches.model))
    order = np.argsort(model, kind="stable")
    number = np.argsort(order)
    surface = number[np.concatenate((side_item, patch_item + len(flat)))]
    leaf = np.concatenate((side_leaf, patch_leaf))
    by_leaf = np.lexsort((surface, leaf))
    return Surfaces(
        row=np.concatenate((flat, curved))[order],
        vertex=np.concatenate((flat_vertex, curved_vertex)),
        index=index,
        model=model[order],
        leaf_start=np.searchsorted(leaf[by_leaf], np.arange(len(tree.leaf_inside) + 1)),
        leaf_surface=surface[by_leaf].astype(np.int32),
    )


def _side_model(source: MapData) -> Int:
    return np.repeat(source.brushes.model, np.diff(source.brushes.side_start))


def _polygons(hulls: Hulls, side: Index) -> tuple[Index, Float]:
    """CSR of the sides' corners, clockwise seen from outside, as the format requires."""
    count = np.diff(hulls.vertex_start)[side]
    forward = ranges(hulls.vertex_start[side], count)
    mirrored = np.repeat(2 * hulls.vertex_start[side] + count - 1, count) - forward
    return starts_of(count), hulls.xyz[mirrored] + 0.0


def _visible_sides(source: MapData, hulls: Hulls, tree: WorldTree) -> tuple[Index, Index, Int]:
    """Sides to draw, and the pairs (row of a side, leaf) that they touch, as two columns.

    All sides of models are drawn, but of the world only those that touch a leaf inside the map.
    """
    drawn = (np.diff(hulls.vertex_start) > 0) & ((source.brushes.side_flags & _INVISIBLE) == 0)
    side = np.flatnonzero(drawn)
    model = _side_model(source)[side]
    start, corner = _polygons(hulls, side)
    normal = source.planes.normal[source.brushes.side_plane[side]]
    lifted = corner + LIFT * np.repeat(normal, np.diff(start), axis=0)
    item, leaf = _leaves(tree, start, lifted, model)
    visible = model > 0
    visible[item] = True
    return side[visible], (np.cumsum(visible) - 1)[item], leaf


def _leaves(tree: WorldTree, start: Index, corner: Float, model: Int) -> tuple[Int, Int]:
    """Pairs (item, leaf) of world items and the leaves inside the map that they touch."""
    count = np.where(model == 0, np.diff(start), 0)
    item, leaf = tree.sink(starts_of(count), corner[ranges(start[:-1], count)])
    inside = tree.leaf_inside[leaf]
    return item[inside], leaf[inside]


def _flat(
    source: MapData, hulls: Hulls, side: Index, side_shader: Int
) -> tuple[NDArray[np.void], NDArray[np.void], Int]:
    """Rows, vertices and triangles of flat surfaces. Textures are projected along the axis closest to the normal."""
    start, corner = _polygons(hulls, side)
    count = np.diff(start)
    normal = source.planes.normal[source.brushes.side_plane[side]] + 0.0
    row = _rows(len(side), PLANAR)
    row["shader"] = side_shader[side]
    row["first_vertex"], row["vertices"] = start[:-1], count
    row["first_index"], row["indexes"] = starts_of(3 * (count - 2))[:-1], 3 * (count - 2)
    row["origin"], row["vectors"][:, 2] = corner[start[:-1]], normal

    across = np.array(((1, 2), (0, 2), (0, 1)))[np.argmax(np.abs(normal), axis=1)]
    vertex = np.zeros(len(corner), VERTEX)
    vertex["xyz"] = corner
    vertex["st"] = np.take_along_axis(corner, np.repeat(across, count, axis=0), axis=1) / UNITS_PER_TEXTURE
    vertex["normal"] = np.repeat(normal, count, axis=0)
    vertex["colour"] = 255
    middle = ranges(np.ones_like(count), count - 2)
    return row, vertex, np.stack((np.zeros_like(middle), middle, middle + 1), axis=1).ravel().astype(np.int32)


def _curved(patches: Patches, patch_shader: Int) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """Rows and control points of patches. The engine reads a patch's bounds from the first two vectors."""
    row = _rows(len(patches), PATCH)
    vertex = np.zeros(len(patches.point), VERTEX)
    vertex["xyz"] = patches.point + 0.0
    vertex["colour"] = 255
    row["shader"] = patch_shader
    row["first_vertex"], row["vertices"] = patches.point_start[:-1], np.diff(patches.point_start)
    row["width"], row["height"] = patches.width, patches.height
    for i, (first, stop) in enumerate(pairwise(patches.point_start.tolist())):
        grid = patches.point[first:stop].reshape(patches.height[i], patches.width[i], 3)
        row["vectors"][i, :2] = grid.min(axis=(0, 1)), grid.max(axis=(0, 1))
        vertex["normal"][first:stop] = _normals(grid)
        across = np.linspace(0.0, 1.0, grid.shape[1]), np.linspace(0.0, 1.0, grid.shape[0])
        vertex["st"][first:stop] = np.stack(np.meshgrid(*across), axis=2).reshape(-1, 2)
    return row, vertex


def _rows(count: int, kind: int) -> NDArray[np.void]:
    row = np.zeros(count, SURFACE)
    row["type"], row["fog"], row["lightmap"] = kind, -1, BY_VERTEX
    return row


def _normals(grid: Float) -> Float:
    """(points, 3) normals at control points ``(height, width, 3)``, from their neighbours; up if they span no plane."""
    normal = np.cross(np.gradient(grid, axis=0), np.gradient(grid, axis=1)).reshape(-1, 3)
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    return np.where(length > 0, normal / np.where(length > 0, length, 1.0), (0.0, 0.0, 1.0))
