"""What blocks sight: the solid brushes and curves of a map as they are drawn, in a tree of boxes."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.csr import owners_of, rows_of, starts_of
from aascompile.geometry.vectors import products
from aascompile.model.compiled import Context
from aascompile.model.contents import Contents
from aascompile.model.mapdata import Float, Index, Int
from aascompile.records import dataclass
from aascompile.sampling.sight_kernel import Bodies, free_rows
from aascompile.threads import over_ranges

LEAF: Final = 2
"""Most bodies in a leaf of the tree."""

LINES: Final = 1024
"""Lines that a thread tests at a time."""


@dataclass(frozen=True, slots=True)
class Blockers:
    """Convex bodies in a tree of boxes."""

    start: Index
    """(b + 1,) CSR into ``plane``."""
    plane: Float
    """(p, 4) normal, which points out of the body, and distance."""
    node_box: Float
    """(n, 6) middle and half the size of the box around everything below a node."""
    node_skip: Int
    """(n,) node that follows if this box is missed. Nodes are in depth-first order."""
    node_first: Int
    """(n,) first body of a leaf."""
    node_count: Int
    """(n,) bodies of a leaf; 0 for an inner node."""

    def __len__(self) -> int:
        return len(self.start) - 1


def free_lines(blockers: Blockers, starts: Float, ends: Float, threads: int = 1) -> NDArray[np.bool_]:
    """(n,) whether nothing blocks sight between ``starts (n, 3)`` and ``ends (n, 3)``."""
    free: NDArray[np.uint8] = np.empty(len(starts), np.uint8)

    def work(first: int, last: int) -> None:
        free_rows(Bodies(blockers), starts, ends, first, last, free)

    over_ranges(work, len(starts), LINES, threads)
    return free.view(np.bool_)


def opaque(context: Context) -> NDArray[np.bool_]:
    """(faces,) whether each face belongs to something that hides what is behind it.

    Clip brushes stop players only. Glass and grates are translucent. Doors are not among the faces: they open.
    """
    solid = (context.contents & np.uint32(Contents.SOLID)) != 0
    clear = (context.contents & np.uint32(Contents.TRANSLUCENT)) != 0
    hides: NDArray[np.bool_] = solid & ~clear
    return hides


def blockers_of(context: Context) -> Blockers:
    """The bodies of a map's faces: a body for each brush, and one without depth for each piece of a curve."""
    face = np.flatnonzero(opaque(context))
    brush = face[context.brush[face] >= 0]
    brush = brush[np.argsort(context.brush[brush], kind="stable")]
    piece = face[context.brush[face] < 0]
    _, first = np.unique(context.brush[brush], return_index=True)
    bodies = [_brushes(context, brush, np.append(first, len(brush)).astype(np.int64)), _pieces(context, piece)]
    sizes = np.concatenate([np.diff(start) for start, _, _ in bodies])
    plane = np.concatenate([plane for _, plane, _ in bodies])
    boxes = np.concatenate([box for _, _, box in bodies])
    return _in_tree(starts_of(sizes), plane, boxes)


def _normals(context: Context, face: Index) -> Float:
    """(n, 3) unit normals of faces, outwards."""
    start = starts_of(np.diff(context.start)[face])
    xyz = context.vertex[context.corner[rows_of(context.start, face)]]
    owner = owners_of(start)
    origin = xyz[start[:-1]][owner] if len(face) else xyz
    following = np.arange(len(xyz)) + 1
    following[start[1:] - 1] = start[:-1]
    cross = np.cross(xyz - origin, xyz[following] - origin)
    normal: Float = np.add.reduceat(cross, start[:-1]) if len(face) else np.zeros((0, 3))
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), np.finfo(np.float64).tiny)
    return normal


def _brushes(context: Context, face: Index, first: Index) -> tuple[Index, Float, Float]:
    """Bodies of brushes, whose faces are those of ``face`` from each of ``first`` on: starts, planes and boxes.

    Each plane touches its brush, however small its face is and however rough its normal.
    """
    if not len(face):
        return np.zeros(1, np.int64), np.zeros((0, 4)), np.zeros((0, 6))
    normal = _normals(context, face)
    plane, boxes = np.empty((len(face), 4)), np.empty((len(first) - 1, 6))
    for body, (begin, end) in enumerate(zip(first[:-1].tolist(), first[1:].tolist(), strict=True)):
        xyz = context.vertex[context.corner[rows_of(context.start, face[begin:end])]]
        plane[begin:end, :3] = normal[begin:end]
        plane[begin:end, 3] = products(normal[begin:end], xyz).max(axis=1)
        boxes[body] = np.concatenate((xyz.min(axis=0), xyz.max(axis=0)))
    return first, plane, boxes


def _pieces(context: Context, face: Index) -> tuple[Index, Float, Float]:
    """Bodies of flat pieces, each thickened a little to close the cracks between them: starts, planes and boxes."""
    thick = tolerances.SIGHT_PIECE
    normals = _normals(context, face)
    planes, boxes, sizes = [], [], []
    for row, normal in zip(face.tolist(), normals, strict=True):
        xyz = context.vertex[context.corner[context.start[row] : context.start[row + 1]]]
        out = np.cross(np.roll(xyz, -1, axis=0) - xyz, normal)
        length = np.linalg.norm(out, axis=1)
        out = out[length > 0.0] / length[length > 0.0, None]
        sides = np.vstack((normal, -normal, out))
        planes.append(np.column_stack((sides, products(sides, xyz).max(axis=1) + thick)))
        boxes.append(np.concatenate((xyz.min(axis=0) - thick, xyz.max(axis=0) + thick)))
        sizes.append(len(sides))
    return (
        starts_of(np.array(sizes, np.int64)),
        np.concatenate([np.zeros((0, 4)), *planes]),
        np.array(boxes).reshape(-1, 6),
    )


def _in_tree(start: Index, plane: Float, box: Float) -> Blockers:
    """The bodies, ordered by a tree that halves them along the longest side of the box of their middles."""
    middle = 0.5 * (box[:, :3] + box[:, 3:])
    order: list[int] = []
    nodes: list[tuple[Float, int, int]] = []
    skip: list[int] = []

    def add(rows: Index) -> None:
        own = len(nodes)
        low, high = box[rows, :3].min(axis=0), box[rows, 3:].max(axis=0)
        few = len(rows) <= LEAF
        nodes.append((np.concatenate((0.5 * (low + high), 0.5 * (high - low))), len(order), len(rows) if few else 0))
        skip.append(0)
        if few:
            order.extend(rows.tolist())
        else:
            axis = int(np.ptp(middle[rows], axis=0).argmax())
            sorted_rows = rows[np.lexsort((rows, middle[rows, axis]))]
            add(sorted_rows[: len(rows) // 2])
            add(sorted_rows[len(rows) // 2 :])
        skip[own] = len(nodes)

    if len(box):
        add(np.arange(len(box)))
    bodies = np.array(order, np.int64)
    return Blockers(
        start=starts_of(np.diff(start)[bodies]),
        plane=np.ascontiguousarray(plane[rows_of(start, bodies)]),
        node_box=np.array([node for node, _, _ in nodes]).reshape(-1, 6),
        node_skip=np.array(skip, np.int32),
        node_first=np.array([first for _, first, _ in nodes], np.int32),
        node_count=np.array([count for _, _, count in nodes], np.int32),
    )
