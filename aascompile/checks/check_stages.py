"""Requirements of the records between stages. --check tests the result of every stage against them.

``check_compiled`` has the requirements of compiled files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.checks.requirement import bad_starts
from aascompile.csr import owners_of
from aascompile.distinct import distinct
from aascompile.errors import CheckError
from aascompile.model.mapdata import Float, Index, Int, Planes
from aascompile.model.tree import Portals, Tree
from aascompile.model.volumes import Surface, Volumes
from aascompile.report import Records

MOST = 3
"""Number of rows that a clause names."""


def require_sound(source: str, stage: str, records: Records) -> None:
    """Raise a CheckError that names the map and the stage if a record that the stage made is invalid."""
    for fault in stage_faults(records):
        raise CheckError(f"{source}: what '{stage}' made is wrong: {fault}")


def stage_faults(records: Records) -> Iterator[str]:
    """A clause for each fault in the records that a stage made. Records without a check are ignored."""
    if "planes" not in records:
        return
    for name, check in CHECKS.items():
        if name in records:
            for what, rows in check(**records):
                if len(rows):
                    yield f"{name.capitalize()} {_named(rows)}: {what}"
                    break  # what comes after may rely on it


Faults = Iterator[tuple[str, NDArray[np.integer[Any]]]]


def _planes(*, planes: Planes, **_: object) -> Faults:
    length = (planes.normal * planes.normal).sum(axis=1)
    yield "normals have unit length", np.flatnonzero(~(np.abs(length - 1.0) <= tolerances.PLANE_NORMAL))
    even, odd = planes.normal[0::2], planes.normal[1::2]
    opposite = (even == -odd).all(axis=1) & (planes.dist[0::2] == -planes.dist[1::2])
    yield "the planes of a pair are opposites", np.flatnonzero(~opposite) * 2


def _volumes(*, volumes: Volumes, planes: Planes, **_: object) -> Faults:
    yield "side_start cuts the sides", bad_starts(volumes.side_start, len(volumes.side_plane))
    yield "vertex_start cuts the corners", bad_starts(volumes.vertex_start, len(volumes.xyz))
    yield "planes exist", np.flatnonzero((volumes.side_plane < 0) | (volumes.side_plane >= len(planes)))
    volume = np.repeat(owners_of(volumes.side_start), np.diff(volumes.vertex_start))
    box = volumes.bounds[volume]
    yield (
        "corners lie in the bounds",
        distinct(volume[~((volumes.xyz >= box[:, :3]) & (volumes.xyz <= box[:, 3:])).all(axis=1)]),
    )
    off = _off(planes, volumes.side_plane, volumes.vertex_start, volumes.xyz)
    yield "a side's corners lie on its plane", distinct(volume[off > tolerances.ON_PLANE])
    yield "no volume both blocks and contains", np.flatnonzero((volumes.blocks != 0) & (volumes.contains != 0))


def _surface(*, surface: Surface, planes: Planes, volumes: Volumes, **_: object) -> Faults:
    yield "vertex_start cuts the corners", bad_starts(surface.vertex_start, len(surface.xyz))
    later = np.arange(1, len(surface))
    step, same = np.diff(surface.plane), np.diff(surface.plane) == 0
    yield "pieces are sorted by plane and side", later[(step < 0) | (same & (np.diff(surface.side) < 0))]
    off = _off(planes, 2 * surface.plane, surface.vertex_start, surface.xyz)
    yield "a piece's corners lie on its plane", distinct(owners_of(surface.vertex_start)[off > tolerances.ON_PLANE])
    yield "a piece lies on its side's plane", np.flatnonzero(volumes.side_plane[surface.side] >> 1 != surface.plane)


def _tree(*, tree: Tree, planes: Planes, **_: object) -> Faults:
    nodes, child = len(tree.node), tree.node[:, 1:]
    yield "planes exist", np.flatnonzero((tree.node[:, 0] < 0) | (tree.node[:, 0] >= len(planes)))
    yield "children exist", np.flatnonzero(((child >= nodes) | (-1 - child >= tree.leaves)).any(axis=1))
    below = child >= 0
    yield "children have higher numbers", np.flatnonzero((below & (child <= np.arange(nodes)[:, None])).any(axis=1))
    hung = np.bincount(child[below], minlength=nodes)
    hung[:1] += 1
    yield "a node has one parent", np.flatnonzero(hung != 1)
    yield "a leaf has one parent", np.flatnonzero(np.bincount(-1 - child[~below], minlength=tree.leaves) != 1)
    point, box = tree.leaf_point, tree.leaf_box
    inside = (point >= box[:, :3]) & (point <= box[:, 3:])
    yield "a leaf's point lies in its box", np.flatnonzero(~inside.all(axis=1)) if nodes else np.zeros(0, np.int64)


def _portals(*, portals: Portals, planes: Planes, tree: Tree, all_boxes: int, **_: object) -> Faults:
    yield "vertex_start cuts the corners", bad_starts(portals.vertex_start, len(portals.xyz))
    yield "its two leaves differ", np.flatnonzero(portals.front == portals.back)
    off = _off(planes, portals.plane, portals.vertex_start, portals.xyz)
    yield "corners lie on the plane", distinct(owners_of(portals.vertex_start)[off > 2 * tolerances.ON_PLANE])
    leaf = np.stack([portals.front, portals.back])
    yield "leaves exist", np.flatnonzero(((leaf < 0) | (leaf >= tree.leaves)).any(axis=0))
    solid = tree.leaf_blocks[leaf] == all_boxes
    yield "one of its leaves is open", np.flatnonzero(solid.all(axis=0))


def _off(planes: Planes, plane: Int, start: Index, xyz: Float) -> Float:
    """Distance of each corner from its polygon's plane."""
    of = np.repeat(plane, np.diff(start))
    off: Float = np.abs((planes.normal[of] * xyz).sum(axis=1) - planes.dist[of])
    return off


def _named(rows: NDArray[np.integer[Any]]) -> str:
    """The first few rows."""
    return ", ".join(str(row) for row in rows[:MOST]) + (f" and {len(rows) - MOST:,} more" if len(rows) > MOST else "")


CHECKS: dict[str, Callable[..., Faults]] = {
    "planes": _planes,
    "volumes": _volumes,
    "surface": _surface,
    "tree": _tree,
    "portals": _portals,
}
"""Check of each record, by the name that stages give it."""
