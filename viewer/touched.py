"""Finds the map faces that bound the space of players. The others, such as roofs and outer walls, only hide it.

The origin of a player who touches a face is a box extent away from it. So sample points on the face, move them out by
that distance, and look them up in the tree of areas.
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
"""Distance between sample points on a face, units, unless that takes more than MAX_POINTS along a side."""

MAX_POINTS: Final = 12
"""Most sample points along a side of a triangle."""

CLEARANCE: Final = 1.0
"""Distance of sample points beyond contact, units."""


def touched(context: Context, areas: Areas, boxes: Boxes) -> Mask:
    """``(context faces,)`` faces that bound an area; all faces if the file has no tree."""
    if not len(areas.node_plane) or not len(context):
        return np.ones(len(context), np.bool_)
    tree = tree_of(areas)
    point, face, normal = _sample_points(context)
    found = np.zeros(len(context), np.bool_)
    for mins, maxs in zip(boxes.mins, boxes.maxs, strict=True):
        off = np.where(normal > 0.0, normal * -mins, normal * -maxs).sum(axis=1) + CLEARANCE
        found[face[areas_at(tree, point + off[:, None] * normal) >= 0]] = True
    return found


def _sample_points(context: Context) -> tuple[Float, Index, Float]:
    """Sample points on the faces, with the face and the normal of each."""
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
    parts = np.clip(np.ceil(longest / SPACING), 1, MAX_POINTS).astype(np.int64)
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
    """``(p, 3)`` barycentric weights: the centres of the upright triangles of a regular subdivision."""
    i, j = np.meshgrid(np.arange(parts), np.arange(parts), indexing="ij")
    upright = (i + j < parts).reshape(-1)
    i, j = i.reshape(-1)[upright], j.reshape(-1)[upright]
    a, b = (i + 1 / 3) / parts, (j + 1 / 3) / parts
    return np.stack([1.0 - a - b, a, b], axis=1)
