"""Solid models in map source: the triangles of a ``misc_model`` become thin brushes, as map compilers make them.

A model is solid if its entity says so (spawnflags 2 or 4), or, triangle by triangle, if a shader says so
(``q3map_clipModel``). Shaders that do not block players, such as leaves, give no brush.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.errors import MapError
from aascompile.geometry.vectors import products
from aascompile.mapio.game_files import MODEL_SUFFIXES, is_model
from aascompile.mapio.model_files import ModelMesh, is_animated, read_model
from aascompile.mapio.source_text import MAX_PRIMITIVES, RawMap
from aascompile.mapio.textures import Texture, meaning, shader_name
from aascompile.model.contents import BLOCKS_PLAYER
from aascompile.model.mapdata import Entity, Float, Index

SOLID_MODEL: Final = 2 | 4
"""Spawnflags of a misc_model from which map compilers make solid brushes."""

DEPTH: Final = 2.0
"""Units: thickness of the brush behind a triangle. Enough for a hull, and too thin to reach through thin walls."""

_SIDES: Final = 5


def add_models(
    raw: RawMap, owner: Index, files: Sequence[tuple[str, bytes]], known: Mapping[str, Texture]
) -> list[str]:
    """Add brushes for the solid models of a map to the world. ``known``: textures of the shader scripts.

    ``owner``: row of each entity of the text in the map; 0 for those that join the world.

    Return a sentence for each solid model that could not be read.
    """
    found = dict(files)
    faults: list[str] = []
    meshes: dict[tuple[str, int], ModelMesh | str] = {}
    world = int(np.flatnonzero(owner == 0)[0])
    for row, entity in enumerate(map(_entity, raw.entities)):
        if entity.lower_class != "misc_model":
            continue
        name = entity.get("model").replace("\\", "/")
        frame = int(entity.number("_frame") or entity.number("frame")) if is_animated(name) else 0
        if name in found and (name, frame) not in meshes:
            try:
                meshes[name, frame] = read_model(found[name], name, frame)
            except MapError as error:
                meshes[name, frame] = error.what
        mesh = meshes.get((name, frame), _missing(name))
        solid = bool(entity.flags() & SOLID_MODEL)
        if not isinstance(mesh, str):
            mesh = _add(raw, world, mesh, entity, solid, known)
        if mesh and solid:
            faults.append(f"misc_model (entity {owner[row]}, {name or 'without a model'}) is solid, but {mesh}")
    return faults


def _entity(pairs: list[tuple[str, str]]) -> Entity:
    return Entity(tuple(pairs))


def _missing(name: str) -> str:
    """Why a model that was not found is missing."""
    if name and not is_model(name):
        return f"its format is not read; only {', '.join(MODEL_SUFFIXES)} are: compile the .bsp"
    return "its file is not found beside the map: --shaders names the game's folder or archive, or compile the .bsp"


def _add(raw: RawMap, world: int, mesh: ModelMesh, entity: Entity, solid: bool, known: Mapping[str, Texture]) -> str:
    """Add the brushes of a model; return what is wrong with it, or ""."""
    names = [_remapped(name, entity) for name in mesh.shaders]
    blocks = [_blocks(name, solid, known) for name in names]
    keep = np.array([*blocks, False])[mesh.shader]
    with np.errstate(all="ignore"):
        triangle = outward(placed(mesh.triangle, entity))
    if not np.isfinite(triangle).all() or np.abs(triangle).max(initial=0.0) > tolerances.WORLD_EXTENT:
        return "it is scaled or placed beyond any map"
    normal = np.cross(triangle[:, 1] - triangle[:, 0], triangle[:, 2] - triangle[:, 0])
    keep &= np.sqrt((normal * normal).sum(axis=1)) > 2 * tolerances.MIN_AREA
    if raw.primitives + int(keep.sum()) > MAX_PRIMITIVES:
        return f"the map would have more than {MAX_PRIMITIVES:,} brushes"
    shaders = [raw.shader_row(name) for name in names]
    raw.point.extend(prisms(triangle[keep], normal[keep]).ravel())
    for row in mesh.shader[keep].tolist():
        raw.side_shader.extend([shaders[row]] * _SIDES)
        raw.side_contents.extend([0] * _SIDES)
        raw.side_flags.extend([0] * _SIDES)
        raw.side_start.append(len(raw.side_shader))
        raw.detail.append(True)
        raw.brush_entity.append(world)
        raw.brush_number.append(raw.primitives)
        raw.primitives += 1
    return ""


def _remapped(name: str, entity: Entity) -> str:
    """Name of the shader that an entity puts in the place of a model's own (``_remap`` keys: ``from;to``)."""
    for key, value in entity.pairs:
        source, found, target = value.partition(";")
        if key.lower().startswith("_remap") and found and (source == "*" or name.lower().endswith(source.lower())):
            return target
    return name


def _blocks(name: str, solid: bool, known: Mapping[str, Texture]) -> bool:
    """Whether triangles with a shader block players."""
    texture = known.get(shader_name(name).lower()) or meaning(name)
    return (solid or texture.clips_models) and bool(texture.contents & BLOCKS_PLAYER)


def placed(triangle: Float, entity: Entity) -> Float:
    """Triangles of a model where its entity places them: scaled, then turned by roll, pitch and yaw, then moved."""
    scale = np.array(entity.vector("modelscale_vec") or [entity.number("modelscale") or 1.0] * 3)
    pitch, yaw, roll = entity.vector("angles") or (0.0, entity.number("angle"), 0.0)
    turn = products(products(_about(2, yaw), _about(1, pitch).T), _about(0, roll).T)
    turned = products((triangle * scale).reshape(-1, 3), turn).reshape(triangle.shape)
    moved = turned + np.array(entity.vector("origin") or (0.0, 0.0, 0.0))
    return np.asarray(moved[:, ::-1] if np.prod(scale) < 0 else moved)


def _about(axis: int, degrees: float) -> NDArray[np.float64]:
    """Matrix of a turn about an axis, counter-clockwise seen from its tip; exact for quarter turns."""
    quarter = degrees % 360 / 90
    known = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
    cos, sin = (
        known[int(quarter)] if quarter == int(quarter) else (np.cos(quarter * np.pi / 2), np.sin(quarter * np.pi / 2))
    )
    second, third = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[second, second] = matrix[third, third] = cos
    matrix[second, third], matrix[third, second] = -sin, sin
    return matrix


def outward(triangle: Float) -> Float:
    """Triangles counter-clockwise seen from outside: a closed body that would be inside out is turned over, because
    formats and programs differ."""
    corners, row = np.unique(triangle.reshape(-1, 3), axis=0, return_inverse=True)
    face = row.reshape(-1, 3)
    edges = np.concatenate([face[:, [0, 1]], face[:, [1, 2]], face[:, [2, 0]]])
    both = edges[:, 0] * len(corners) + edges[:, 1]
    closed = np.array_equal(np.sort(both), np.sort(edges[:, 1] * len(corners) + edges[:, 0]))
    volume = float((triangle[:, 0] * np.cross(triangle[:, 1], triangle[:, 2])).sum())
    return triangle[:, ::-1] if closed and volume < 0 else triangle


def prisms(triangle: Float, normal: Float) -> Float:
    """(n, 5, 3, 3) three points of each side of the brush behind each triangle, clockwise seen from outside.

    A brush reaches back along the axis that the triangle faces most, so that neighbours share their side planes.
    """
    rows = np.arange(len(triangle))
    axis = np.abs(normal).argmax(axis=1) if len(normal) else rows
    back = np.zeros((len(triangle), 3))
    back[rows, axis] = -np.sign(normal[rows, axis]) * DEPTH
    front = triangle
    behind = triangle + back[:, None]
    sides = [(front[:, 1], front[:, 0], front[:, 2]), (behind[:, 2], behind[:, 0], behind[:, 1])]
    sides += [(behind[:, a], front[:, a], front[:, b]) for a, b in ((0, 1), (1, 2), (2, 0))]
    return np.stack(list(chain.from_iterable(sides)), axis=1).reshape(-1, _SIDES, 3, 3)
