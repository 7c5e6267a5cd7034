"""Which of the map's faces bound the space that players are in: the rest (roofs, the outside) only hides it.

A player who touches a face has the origin a box's extent in front of it. So points are strewn over the face, moved out
by that much, and looked up in the areas' tree.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.csr import within
from aascompile.model.areas import Areas
from aascompile.model.compiled import Boxes, Context
from aascompile.model.mapdata import Float, Index
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.viewer.meshes import Mask

SPACING: Final = 64.0
"""Units between points on a face, where that gives no more than MOST of them along a side."""

MOST: Final = 12
"""Points along a side of a triangle."""

NEAR: Final = 1.0
"""Units that points are moved out beyond the touch."""


def touched(context: Context, areas: Areas, boxes: Boxes) -> Mask:
    """(faces of the context,) whether an area lies against the face; all when the file has no tree to ask."""
    if not len(areas.node_plane) or not len(context):
        return np.ones(len(context), np.bool_)
    tree = tree_of(areas)
    point, face, normal = _strewn(context)
    found = np.zeros(len(context), np.bool_)
    for mins, maxs in zip(boxes.mins, boxes.maxs, strict=True):
        off = np.where(normal > 0.0, normal * -mins, normal * -maxs).sum(axis=1) + NEAR
        found[face[areas_at(tree, point + off[:, None] * normal) >= 0]] = True
    return found


def _strewn(context: Context) -> tuple[Float, Index, Float]:
    """Points on the faces, the face of each, and the face's normal there."""
    size = np.diff(context.start)
    fans = size - 2
    face = np.repeat(np.arange(len(size)), fans)
    step = within(fans)
    first = context.start[face]
    corner = context.vertex[context.corner]
    triangle = np.stack([corner[first], corner[first + 1 + step], corner[first + 2 + step]], axis=1)
    normal = np.cross(triangle[:, 1] - triangle[:, 0], triangle[:, 2] - triangle[:, 0])
    length = np.linalg.norm(normal, axis=1)
    longest = np.linalg.norm(triangle - np.roll(triangle, 1, axis=1), axis=2).max(axis=1, initial=0.0)
    parts = np.clip(np.ceil(longest / SPACING), 1, MOST).astype(np.int64)
    wide = length > 0.0
    points, faces, normals = [np.zeros((0, 3))], [np.zeros(0, np.int64)], [np.zeros((0, 3))]
    for number in np.unique(parts[wide]):
        chosen = np.flatnonzero(wide & (parts == number))
        weight = _lattice(int(number))
        points.append(np.einsum("pw,twc->tpc", weight, triangle[chosen]).reshape(-1, 3))
        faces.append(np.repeat(face[chosen], len(weight)))
        normals.append(np.repeat(normal[chosen] / length[chosen, None], len(weight), axis=0))
    return np.concatenate(points), np.concatenate(faces), np.concatenate(normals)


def _lattice(parts: int) -> Float:
    """(p, 3) weights of a triangle's corners: the middles of the triangles it is divided into along parallels."""
    i, j = np.meshgrid(np.arange(parts), np.arange(parts), indexing="ij")
    upright = (i + j < parts).reshape(-1)
    i, j = i.reshape(-1)[upright], j.reshape(-1)[upright]
    a, b = (i + 1 / 3) / parts, (j + 1 / 3) / parts
    return np.stack([1.0 - a - b, a, b], axis=1)
