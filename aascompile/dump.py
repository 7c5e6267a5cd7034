"""Draws the result of a stage as coloured polygons in glTF (.glb) or Wavefront (.obj), for any 3D program.

Each item (a brush, a leaf, an area …) has a colour that depends only on its number, so that dumps can be compared.
Files are y-up, as these formats require: x, z and −y of the map.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import owners_of, rows_of, starts_of
from aascompile.geometry.hull import Hulls
from aascompile.model.areas import Areas
from aascompile.model.clusters import Clusters
from aascompile.model.facets import Facets
from aascompile.model.links import Links
from aascompile.model.mapdata import Brushes, Float, Index
from aascompile.model.tree import Portals, Tree
from aascompile.model.volumes import Surface, Volumes
from aascompile.records import dataclass
from aascompile.report import Records

SUFFIXES = (".glb", ".obj")

SHRUNK = 0.97
"""Areas are scaled by this factor, so that gaps show between them."""

DART = 4.0
"""Width of the tail of a link, units."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Coloured convex polygons."""

    start: Index
    """(n + 1,) CSR into ``xyz``."""
    xyz: Float
    """(k, 3) corners, counter-clockwise seen from the visible side."""
    item: NDArray[np.integer[Any]]
    """(n,) item that each polygon belongs to, which determines its colour."""


def draw(stage: str, records: Records) -> Drawing:
    """Draw the records of a stage."""
    return STAGES[stage](**records)


def encode(drawing: Drawing, suffix: str) -> bytes:
    """Contents of a .glb or .obj file."""
    import trimesh

    if not len(drawing.xyz) and suffix == ".obj":
        return b"# empty\n"  # as trimesh writes it, no reader accepts it
    size = np.diff(drawing.start)
    fans = np.maximum(size - 2, 0)
    polygon = np.repeat(np.arange(len(size)), fans)
    step = np.arange(len(polygon)) - np.repeat(starts_of(fans)[:-1], fans)
    first = drawing.start[polygon]
    upright = drawing.xyz[:, [0, 2, 1]] * (1.0, 1.0, -1.0)
    mesh = trimesh.Trimesh(
        upright.astype(np.float32),
        np.stack([first, first + 1 + step, first + 2 + step], axis=1),
        vertex_colors=np.repeat(colours(drawing.item), size, axis=0),
        process=False,
    )
    out = io.BytesIO()
    mesh.export(out, file_type=suffix[1:], **({} if suffix == ".glb" else {"header": "", "digits": 3}))
    return out.getvalue()


def colours(item: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
    """(n, 4) colour of each number. Consecutive numbers differ much in hue."""
    turn = item * 0.618034 % 1.0 * 6.0
    bright = 1.0 - 0.15 * (item // 5 % 3)
    grey = 0.25 + 0.2 * (item // 3 % 2)
    phase = (turn[:, None] + np.array([5.0, 3.0, 1.0])) % 6.0
    strength = np.clip(np.minimum(phase, 4.0 - phase), 0.0, 1.0)
    rgb = bright[:, None] * (1.0 - (1.0 - grey[:, None]) * strength)
    return np.concatenate([np.round(rgb * 255), np.full((len(item), 1), 255)], axis=1).astype(np.uint8)


# --- what each stage looks like ---------------------------------------------------------------------------------------


def _hulls(*, brushes: Brushes, hulls: Hulls) -> Drawing:
    """Brushes of the map."""
    return Drawing(hulls.vertex_start, hulls.xyz, owners_of(brushes.side_start))


def _facets(*, facets: Facets, **_: object) -> Drawing:
    """Facets of patches, one colour per patch."""
    shapes = facets.hulls
    return Drawing(shapes.vertex_start, shapes.xyz, facets.patch[owners_of(facets.brushes.side_start)])


def _volumes(*, volumes: Volumes, **_: object) -> Drawing:
    """Grown brushes."""
    return Drawing(volumes.vertex_start, volumes.xyz, owners_of(volumes.side_start))


def _surface(*, volumes: Volumes, surface: Surface, **_: object) -> Drawing:
    """The surface that players can touch, one colour per volume."""
    return Drawing(surface.vertex_start, surface.xyz, owners_of(volumes.side_start)[surface.side])


def _inside(*, portals: Portals, reached: NDArray[np.bool_], **_: object) -> Drawing:
    """The boundary of the reached space, visible from inside, one colour per leaf of the first tree."""
    front, back = reached[portals.front], reached[portals.back]
    return _both(
        _select(portals.vertex_start, portals.xyz, portals.front, front & ~back),
        _flipped(_select(portals.vertex_start, portals.xyz, portals.back, back & ~front)),
    )


def _sections(*, tree: Tree, **_: object) -> Drawing:
    """The part of each node's plane inside the node's cell."""
    sections = Drawing(tree.section_start, tree.section_xyz, np.arange(len(tree.node)))
    return _two_sided(sections)


def _portals(*, tree: Tree, portals: Portals, all_boxes: int, **_: object) -> Drawing:
    """Portals between two open leaves."""
    open_leaf = tree.leaf_blocks != all_boxes
    between = open_leaf[portals.front] & open_leaf[portals.back]
    return _two_sided(_select(portals.vertex_start, portals.xyz, np.arange(len(portals)), between))


def _mesh(*, mesh: Any, into: NDArray[np.int32] | None = None) -> Drawing:
    """Areas before the last stage. ``into`` is the area that each was merged into."""
    faces = mesh.faces()
    front, back = faces.front, faces.back
    if into is not None:
        area = np.append(into, -1)
        front, back = area[front], area[back]
    return _cells(front, back, faces.start, faces.xyz)


def _areas(*, areas: Areas) -> Drawing:
    """Finished areas."""
    return _cells(areas.face_front, areas.face_back, areas.face_start, areas.vertex[areas.face_vertex])


def _links(*, links: Links, **_: object) -> Drawing:
    """Links as narrow triangles from start to end, one colour per travel type."""
    along = links.end - links.start
    across = np.stack([-along[:, 1], along[:, 0], np.zeros(len(along))], axis=1)
    length = np.linalg.norm(across, axis=1, keepdims=True)
    across = np.where(length > 0.0, across / np.where(length > 0.0, length, 1.0), (1.0, 0.0, 0.0)) * (DART / 2)
    corner = np.stack([links.start - across, links.end, links.start + across], axis=1)
    return _two_sided(Drawing(np.arange(len(links) + 1) * 3, corner.reshape(-1, 3), links.kind))


def _clusters(*, areas: Areas, clusters: Clusters) -> Drawing:
    """Finished areas, one colour per cluster and per portal, and one for all areas without a cluster."""
    cells = _areas(areas=areas)
    item = np.where(clusters.area_portal >= 0, len(clusters) + 1 + clusters.area_portal, clusters.area_cluster + 1)
    return Drawing(cells.start, cells.xyz, item[cells.item])


STAGES: dict[str, Callable[..., Drawing]] = {
    "hulls": _hulls,
    "patches": _facets,
    "expand": _volumes,
    "surface": _surface,
    "flood": _inside,
    "tree": _sections,
    "portals": _portals,
    "gravity": _mesh,
    "merge": _mesh,
    "walkable": _mesh,
    "finish": _areas,
    "reach": _links,
    "cluster": _clusters,
}
"""Functions that draw each stage in ``stages.DRAWN`` from its records."""


# --- polygons ---------------------------------------------------------------------------------------------------------


def _cells(front: NDArray[Any], back: NDArray[Any], start: Index, xyz: Float) -> Drawing:
    """Faces of cells, visible from outside and shrunk towards the middle of the cell. Shared faces are drawn twice."""
    inner = front != back
    in_front = _select(start, xyz, front, inner & (front >= 0))
    faces = _both(_flipped(in_front), _select(start, xyz, back, inner & (back >= 0)))
    corner = faces.item[owners_of(faces.start)]
    cells = int(np.max(corner, initial=-1)) + 1
    count = np.maximum(np.bincount(corner, minlength=cells), 1)
    middle = np.stack([np.bincount(corner, faces.xyz[:, axis], cells) / count for axis in range(3)], axis=1)
    return Drawing(faces.start, middle[corner] + SHRUNK * (faces.xyz - middle[corner]), faces.item)


def _select(start: Index, xyz: Float, item: NDArray[Any], mask: NDArray[np.bool_]) -> Drawing:
    rows = np.flatnonzero(mask)
    return Drawing(starts_of(np.diff(start)[rows]), xyz[rows_of(start, rows)], item[rows])


def _two_sided(drawing: Drawing) -> Drawing:
    """Polygons that are visible from both sides."""
    return _both(drawing, _flipped(drawing))


def _flipped(drawing: Drawing) -> Drawing:
    """Polygons that are visible from their other side."""
    start, owner = drawing.start, owners_of(drawing.start)
    return Drawing(start, drawing.xyz[start[owner] + start[owner + 1] - 1 - np.arange(len(owner))], drawing.item)


def _both(first: Drawing, second: Drawing) -> Drawing:
    return Drawing(
        starts_of(np.concatenate([np.diff(first.start), np.diff(second.start)])),
        np.concatenate([first.xyz, second.xyz]),
        np.concatenate([first.item, second.item]),
    )
