"""Facets of patches: Bezier surfaces that block players, as flat convex brushes without volume (thesis §6.2).

A patch is a grid of 3×3 pieces, quadratic in both directions. As in the engine's collision code, a piece is halved in
one direction until each of its curves is within the tolerance of its chord. Each halving of a quadratic divides that
distance by four, so the number of halvings is known in advance. The result is a grid of points on the true surface,
with quads between them, or two triangles where a quad is not flat. Neighbours on one plane are then merged, because
every facet adds work to all later stages.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.brushes.crossings import corners_of, load_of
from aascompile.brushes.patches_kernel import bent_columns, convex_outlines, coplanar_groups, evaluate, halvings
from aascompile.csr import owners_of, rows_of, starts_of
from aascompile.distinct import occurs
from aascompile.geometry.hull import hulls
from aascompile.geometry.merging import merge_polygons
from aascompile.geometry.planes import PlaneTable
from aascompile.geometry.vectors import lengths
from aascompile.model.contents import BLOCKS_PLAYER
from aascompile.model.facets import Facets
from aascompile.model.mapdata import Brushes, Float, Index, Int, Patches
from aascompile.records import dataclass
from aascompile.report import Dropped

MAX_HALVINGS: Final = 7
"""Limit on the halvings of a piece: 128 spans, as many as the engine's collision code allows for a whole patch."""

LIMITS: Final = tolerances.PATCH_SUBDIVIDE * 4.0 ** np.arange(MAX_HALVINGS)
"""Units off the chord from which on a curve is halved once, twice and so on."""

MAX_SPANS: Final = 128
"""Limit on the spans across a patch. A patch with more pieces gets one span for each piece."""

MAX_QUADS: Final = 1 << 18
"""Limit on the quads of all patches before merging. Beyond it, all pieces are halved less often."""

MAX_GROUP: Final = 512
"""Limit on the faces merged at once, because merging compares all pairs."""

MAX_OUTLINE: Final = 256
"""Limit on the corners of an outline, because each corner is compared with each edge."""


@dataclass(frozen=True, slots=True)
class _Faces:
    """Quads and triangles between points on the surfaces of patches."""

    point: Float
    """(p, 3) points."""
    corner: Int
    """(n, 4) rows of ``point``; the fourth is −1 for a triangle."""
    area: Float
    """(n, 3) area vectors: along the normal, with the area as length."""
    patch: Int
    """(n,) row of the patch."""

    def where(self, keep: NDArray[np.bool_]) -> _Faces:
        """The faces selected by a mask."""
        return _Faces(self.point, self.corner[keep], self.area[keep], self.patch[keep])


def facets(patches: Patches, planes: PlaneTable) -> Facets:
    """Facets of all patches that block players. New planes are added to the table."""
    rows, dropped = _usable(patches)
    if len(rows) == 0:
        return replace(Facets.none(patches), dropped=tuple(dropped))
    grids, thinned, coarse, is_calm = _calm(rows, _grids(patches, rows))
    kept = np.ones(len(rows), np.bool_) if is_calm else _few(thinned)
    dropped += [Dropped("patch", int(patches.number[row]), "crosses too many others") for row in rows[~kept].tolist()]
    rows, coarse = rows[kept], coarse[occurs(coarse, rows[kept])]
    unmerged = len(_faces([grid for grid, keep in zip(grids, kept.tolist(), strict=True) if keep], rows).corner)
    polygons = _merge(_faces([grid for grid, keep in zip(thinned, kept.tolist(), strict=True) if keep], rows))
    found = _brushes(patches, polygons, planes, unmerged)
    for row in rows[~occurs(rows, found.patch)].tolist():
        dropped.append(Dropped("patch", int(patches.number[row]), "has no area"))
    return replace(found, dropped=tuple(dropped), coarse=tuple(patches.number[coarse].tolist()))


def _usable(patches: Patches) -> tuple[Index, list[Dropped]]:
    """Rows of the patches that block players and can be subdivided, and the patches that were dropped."""
    dropped = []
    finite = np.isfinite(patches.point)
    near = np.abs(patches.point) <= tolerances.WORLD_EXTENT
    rows = []
    for row in np.flatnonzero(patches.contents & np.uint32(BLOCKS_PLAYER)):
        part = slice(patches.point_start[row], patches.point_start[row + 1])
        if not finite[part].all():
            dropped.append(Dropped("patch", int(patches.number[row]), "a control point is not finite"))
        elif not near[part].all():
            dropped.append(Dropped("patch", int(patches.number[row]), "a control point lies outside the world"))
        else:
            rows.append(row)
    return np.array(rows, np.int64), dropped


# --- subdivision -----------------------------------------------------------------------------------------------------


def subdivide(control: Float, most: int = MAX_HALVINGS) -> Float:
    """Points on a patch's surface ``(rows, columns, 3)``. The numbers of rows and columns of control points are odd."""
    across = _along_rows(control, most)
    return _along_rows(across.transpose(1, 0, 2), most).transpose(1, 0, 2)


def _along_rows(control: Float, most: int) -> Float:
    """Points along the rows of control points, so many that every curve stays close to its chord."""
    halved = np.empty(control.shape[1] // 2, np.int64)
    halvings(control, LIMITS[:most], MAX_SPANS, halved)
    points = np.empty((len(control), int(np.sum(1 << halved)) + 1, 3))
    evaluate(control, halved, points)
    return points


def _thinned(grid: Float) -> Float:
    """The grid without rows and columns where the surface does not bend."""
    for _ in range(2):
        grid = np.ascontiguousarray(grid.transpose(1, 0, 2))
        keep = np.empty(grid.shape[1], np.uint8)
        bent_columns(grid, tolerances.PATCH_COPLANAR, keep)
        grid = grid[:, keep.astype(np.bool_)]
    return grid


def _grids(patches: Patches, rows: Index) -> list[Float]:
    """Surface points of each patch. If there would be too many, all patches are halved less often."""
    for most in range(MAX_HALVINGS, -1, -1):
        grids: list[Float] = []
        quads = 0
        for row in rows:
            control = patches.point[patches.point_start[row] : patches.point_start[row + 1]]
            grid = subdivide(control.reshape(patches.height[row], patches.width[row], 3), most)
            quads += (grid.shape[0] - 1) * (grid.shape[1] - 1)
            if quads > MAX_QUADS and most > 0:
                break
            grids.append(grid)
        else:
            return grids
    return []


def _calm(rows: Index, grids: list[Float]) -> tuple[list[Float], list[Float], Index, bool]:
    """The grids, with coarser ones for patches that cross themselves or others too often; the same thinned; the rows of
    the coarser ones; and whether that is enough."""
    grids = list(grids)
    coarse: set[int] = set()
    thinned = [_thinned(grid) for grid in grids]
    while (load := load_of(thinned)).sum() > 1.0:
        busy = [at for at in np.flatnonzero(load * len(rows) > 1.0).tolist() if max(grids[at].shape[:2]) > 2]
        if not busy:
            return grids, thinned, rows[sorted(coarse)], False
        for at in busy:
            grids[at] = _coarser(grids[at])
            thinned[at] = _thinned(grids[at])
        coarse.update(busy)
    return grids, thinned, rows[sorted(coarse)], True


def _coarser(grid: Float) -> Float:
    """Every other row and column of a grid, and the last."""
    for axis in range(2):
        grid = np.delete(grid, np.arange(1, grid.shape[axis] - 1, 2), axis)
    return grid


def _few(thinned: list[Float]) -> NDArray[np.bool_]:
    """(n,) which thinned grids to keep so that what is left does not cross too often: those that cross least."""
    left = np.arange(len(thinned))
    while (load := load_of([thinned[row] for row in left])).sum() > 1.0:
        # If all cross each other, pairs are the square of their number.
        fewer = int(len(left) * max(0.5, 1.0 / np.sqrt(load.sum())))
        left = np.sort(left[np.argsort(load, kind="stable")[: min(fewer, len(left) - 1)]])
    return occurs(np.arange(len(thinned)), left)


# --- faces -----------------------------------------------------------------------------------------------------------


def _faces(grids: list[Float], rows: Index) -> _Faces:
    """Quads between surface points; two triangles, split along the engine's diagonal, if not flat and convex."""
    start, quads = corners_of(grids)
    point = np.concatenate([grid.reshape(-1, 3) for grid in grids]) if grids else np.empty((0, 3))
    point_patch = owners_of(start)
    patch = rows[point_patch[quads[:, 0]]].astype(np.int32)
    corner = _weld(point, point_patch)[quads]

    flat = _is_flat(point[corner]) & _has_corners(corner)
    split = corner[~flat]
    none = np.full(len(split), -1)
    triangles = [np.column_stack((*(split[:, k] for k in pick), none)) for pick in ((0, 1, 2), (2, 3, 0))]
    corner = np.concatenate((corner[flat], *triangles))
    patch = np.concatenate((patch[flat], patch[~flat], patch[~flat]))
    order = np.argsort(patch, kind="stable")
    faces = corner[order].astype(np.int32)
    a, b, c, d = (point[faces[:, k]] for k in range(4))
    area = 0.5 * np.where(faces[:, 3:] < 0, np.cross(b - a, c - a), np.cross(c - a, d - b))
    real = lengths(area) > tolerances.MIN_EDGE**2
    return _Faces(point, faces, area, patch[order]).where(real)


def _weld(point: Float, patch: Index) -> Index:
    """For each point, the first point of its patch at the same position. This closes seams and merges poles."""
    cell = 2.0 ** np.floor(
        np.log2(tolerances.MIN_EDGE)
    )  # a power of two, so that points on a grid lie in the middle of cells
    key = np.column_stack((patch, np.rint(point / cell)))
    order = np.lexsort(key.T[::-1])
    fresh = np.ones(len(point), np.bool_)
    fresh[1:] = (key[order[1:]] != key[order[:-1]]).any(axis=1)
    first = np.empty(len(point), np.int64)
    first[order] = order[fresh][np.cumsum(fresh) - 1]
    return first


def _has_corners(corner: Index) -> NDArray[np.bool_]:
    """(n,) whether each quad has four different corners."""
    sorted_corner = np.sort(corner, axis=1)
    return np.asarray((np.diff(sorted_corner, axis=1) > 0).all(axis=1))


def _is_flat(quad: Float) -> NDArray[np.bool_]:
    """(n,) whether each quad ``(n, 4, 3)`` is planar and convex."""
    normal = np.cross(quad[:, 2] - quad[:, 0], quad[:, 3] - quad[:, 1])
    length = lengths(normal)  # twice the area; the two halves of a crossed quad may cancel out
    normal /= np.maximum(length, tolerances.MIN_EDGE**2)[:, None]
    twist = np.abs(np.sum((quad[:, 1] - quad[:, 0]) * normal, axis=1)) / 2.0
    flat = (twist <= tolerances.PATCH_COPLANAR) & (length > 2.0 * tolerances.MIN_EDGE**2)
    for k in range(4):
        before, here, after = quad[:, k - 1], quad[:, k], quad[:, (k + 1) % 4]
        bulge = np.sum(np.cross(here - before, after - here) * normal, axis=1)
        flat &= bulge >= -tolerances.MIN_EDGE * lengths(after - before)
    return np.asarray(flat)


# --- merging ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Polygons:
    """Flat convex polygons. Those on one plane are adjacent."""

    vertex_start: Index
    vertex: Float
    normal: Float
    dist: Float
    patch: Int


def _merge(faces: _Faces) -> _Polygons:
    """Merge coplanar faces: a group with a convex outline as a whole, any other group pair by pair."""
    group, plane = _groups(faces)
    whole, outline_start, outline = _outlines(faces, group, plane)
    rest = ~whole[group]
    loose = faces.corner[rest]
    size = np.where(loose[:, 3] < 0, 3, 4)
    owner = np.concatenate((np.flatnonzero(whole), group[rest]))
    corner = np.concatenate((outline, loose[loose >= 0]))
    start = starts_of(np.concatenate((np.diff(outline_start), size)))
    at = plane[np.repeat(owner, np.diff(start))]
    vertex = faces.point[corner]
    vertex = vertex - at[:, :3] * (np.sum(vertex * at[:, :3], axis=1) - at[:, 3])[:, None]
    merged = merge_polygons(start, vertex, owner, plane[:, :3])
    patch = np.empty(len(plane), np.int32)
    patch[group] = faces.patch
    order = np.argsort(patch[merged.group], kind="stable")
    vertex_start, vertex = _gather(merged.vertex_start, merged.xyz, order)
    owner = merged.group[order]
    return _Polygons(vertex_start, vertex, plane[owner, :3], plane[owner, 3], patch[owner])


def _groups(faces: _Faces) -> tuple[Int, Float]:
    """Group of coplanar neighbours of each face, and plane (n, 4) of each group. Groups start at large faces."""
    count = len(faces.corner)
    neighbour = np.full((count, 4), -1, np.int32)
    face, place, tail, head = _edges(faces.corner)
    width = max(len(faces.point), 1)
    key, opposite = tail * width + head, head * width + tail
    order = np.argsort(key, kind="stable")
    low = np.searchsorted(key[order], opposite, side="left")
    high = np.searchsorted(key[order], opposite, side="right")
    once = np.searchsorted(key[order], key, side="right") - np.searchsorted(key[order], key, side="left") == 1
    paired = once & (high - low == 1)  # an edge of three faces connects none of them
    neighbour[face[paired], place[paired]] = face[order[low[paired]]]
    size = lengths(faces.area)
    group = np.full(count, -1, np.int32)
    plane = np.empty((count, 4))
    groups = coplanar_groups(
        faces.point,
        faces.corner,
        np.ascontiguousarray(faces.area),
        neighbour,
        np.argsort(-size, kind="stable").astype(np.int32),
        tolerances.PATCH_COPLANAR,
        MAX_GROUP,
        group,
        plane,
        np.empty(count + 1, np.int32),
    )
    return group, plane[:groups]


def _edges(corner: Int) -> tuple[Index, Index, Index, Index]:
    """All edges of faces: the face, the position in it, the start point and the end point."""
    after = np.roll(corner, -1, axis=1)
    triangle = corner[:, 3] < 0
    after[triangle, 2] = corner[triangle, 0]
    face, place = np.nonzero(corner >= 0)
    return face, place, corner[face, place].astype(np.int64), after[face, place].astype(np.int64)


def _outlines(faces: _Faces, group: Int, plane: Float) -> tuple[NDArray[np.bool_], Index, Int]:
    """Whether each group forms a single convex polygon, and the corners of those polygons as CSR."""
    face, _, tail, head = _edges(faces.corner)
    owner = group[face].astype(np.int64)
    width = max(len(faces.point), 1)
    key, opposite = _packed(owner, tail, head, width), _packed(owner, head, tail, width)
    outer = ~occurs(key, opposite)
    owner, tail, head = owner[outer], tail[outer], head[outer]
    order = np.lexsort((tail, owner))
    owner, tail, head = owner[order], tail[order], head[order]
    edge_start = np.searchsorted(owner, np.arange(len(plane) + 1))
    starts, ends = owner * width + tail, owner * width + head
    low = np.searchsorted(starts, ends, side="left")
    high = np.searchsorted(starts, ends, side="right")
    after = np.where(high - low == 1, low, -1)
    convex = np.zeros(len(plane), np.uint8)
    loop = np.empty(len(tail), np.int32)
    convex_outlines(
        faces.point,
        plane,
        edge_start,
        tail.astype(np.int32),
        after,
        tolerances.MERGE,
        MAX_OUTLINE,
        convex,
        loop,
    )
    whole = convex.astype(np.bool_)
    size = np.diff(edge_start)
    return whole, starts_of(size[whole]), loop[np.repeat(whole, size)]


# --- brushes ---------------------------------------------------------------------------------------------------------


def _brushes(patches: Patches, polygons: _Polygons, planes: PlaneTable, unmerged: int) -> Facets:
    """Polygons as brushes: plane, opposite plane, and a plane through each edge."""
    surface = planes.intern(polygons.normal, polygons.dist)
    size = np.diff(polygons.vertex_start)
    area, width = _areas_and_widths(polygons)
    broad = (area >= tolerances.MIN_AREA) & (width >= tolerances.PATCH_COPLANAR)
    keep = np.flatnonzero((surface >= 0) & (size >= 3) & broad)
    surface, patch = surface[keep], polygons.patch[keep]
    vertex_start, vertex = _gather(polygons.vertex_start, polygons.vertex, keep)
    size = size[keep]
    of = np.repeat(np.arange(len(keep)), size)
    normal, dist = planes.normal[surface][of], planes.dist[surface][of]
    vertex = vertex - normal * (np.sum(vertex * normal, axis=1) - dist)[:, None]
    after = vertex[_next(vertex_start)]
    outward = np.cross(after - vertex, normal)
    outward /= lengths(outward)[:, None]
    edge = planes.intern(outward, np.sum(outward * (vertex + after), axis=1) / 2.0)

    side_start = vertex_start + 2 * np.arange(len(keep) + 1)
    side_plane = np.empty(side_start[-1], np.int32)
    side_plane[side_start[:-1]] = surface
    side_plane[side_start[:-1] + 1] = surface ^ 1
    side_plane[np.arange(len(edge)) + 2 * (of + 1)] = edge
    brushes = Brushes(
        side_start=side_start,
        side_plane=side_plane,
        side_flags=np.repeat(patches.flags[patch], size + 2),
        contents=patches.contents[patch],
        shader=patches.shader[patch],
        model=patches.model[patch],
        entity=patches.entity[patch],
        number=patches.number[patch],
    )
    flat = hulls(planes.normal, planes.dist, side_start, side_plane)
    return Facets(brushes, flat, patch, vertex_start, vertex, unmerged)


def _areas_and_widths(polygons: _Polygons) -> tuple[Float, Float]:
    """(n,) areas of polygons, and the widths of strips with the same areas and perimeters."""
    count = len(polygons.dist)
    of = owners_of(polygons.vertex_start)
    after = _next(polygons.vertex_start)
    inner = polygons.vertex - polygons.vertex[polygons.vertex_start[of]]
    area = np.bincount(of, np.sum(np.cross(inner, inner[after]) * polygons.normal[of], axis=1), count) / 2.0
    length = np.bincount(of, lengths(polygons.vertex[after] - polygons.vertex), count)
    return area, 2.0 * area / np.maximum(length, tolerances.MIN_EDGE)


def _next(start: Index) -> Index:
    """For each row of CSR data, the next row of the same part; the first row follows the last."""
    after = np.arange(1, start[-1] + 1)
    filled = np.diff(start) > 0
    after[start[1:][filled] - 1] = start[:-1][filled]
    return after


def _gather(start: Index, column: Float, rows: Index) -> tuple[Index, Float]:
    """Selected parts of CSR data, in the given order."""
    return starts_of(np.diff(start)[rows]), column[rows_of(start, rows)]


def _packed(owner: Index, a: Index, b: Index, width: int) -> Index:
    """A single number for a group and two points, for comparison."""
    return (owner * width + a) * width + b
