"""Reader of map source (.map). It returns the records that the compiled map would hold.

It follows the map compilers: func_group belongs to the world, brush entities get model numbers in file order, an
origin brush sets its entity's origin, and a model is stored relative to that origin.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.csr import owners_of, rows_of, starts_of
from aascompile.digests import sha256
from aascompile.geometry.hull import hulls
from aascompile.geometry.planes import PlaneTable
from aascompile.geometry.vectors import lengths
from aascompile.mapio import textures
from aascompile.mapio.game_files import NO_FILES, GameFiles
from aascompile.mapio.game_format import climbed, contents_in_quake3, flags_in_quake3
from aascompile.mapio.source_text import RawMap, parse_source
from aascompile.model.contents import BLOCKS_PLAYER, LIQUID, Contents, SurfaceFlag
from aascompile.model.mapdata import (
    Bits,
    Brushes,
    Entity,
    Float,
    Index,
    Int,
    MapData,
    Models,
    Patches,
    Planes,
    Shaders,
)
from aascompile.records import dataclass
from aascompile.report import Dropped
from aascompile.settings import QUAKE3, Settings
from aascompile.threads import Begun

MAX_SIDES: Final = 1024
"""Limit on the sides of a brush, as in the map compilers. Brushes with more are dropped: a hull takes sides² steps."""

MIN_SIDES: Final = 4
"""Fewest planes that can enclose a volume."""

_FILLS: Final = LIQUID | BLOCKS_PLAYER | Contents.FOG | Contents.MONSTERCLIP
"""Contents that fill a brush. If the numbers of a brush have none of them, its texture decides."""

_JOINS_WORLD: Final = ("worldspawn", "func_group")


@dataclass(frozen=True, slots=True)
class _Sides:
    """Sides of brushes as planes, one row per side. The rows of a brush are adjacent."""

    brush: Index
    normal: Float
    dist: Float
    flags: Bits

    def where(self, keep: NDArray[np.bool_]) -> _Sides:
        """The sides selected by a mask."""
        return _Sides(self.brush[keep], self.normal[keep], self.dist[keep], self.flags[keep])

    def bounds(self, brushes: int) -> Float:
        """(brushes, 2, 3) minima and maxima of each brush. Minima exceed maxima if it encloses nothing."""
        start = np.searchsorted(self.brush, np.arange(brushes + 1))
        return hulls(self.normal, self.dist, start, np.arange(len(self.dist))).bounds.reshape(brushes, 2, 3)


def read_source(
    text: str, data: bytes, name: str, settings: Settings = QUAKE3, game: GameFiles = NO_FILES
) -> MapData:  # fmt: skip
    """Read a map from its source text. ``data`` holds the file's bytes, for the hash; ``game``: scripts and models.

    If the settings have a table of contents bits, as those of Quake II do, the numbers after a texture count.
    """
    raw = parse_source(text, name)
    with np.errstate(over="ignore", invalid="ignore"):  # a side with an overflowing number is dropped later
        return _records(raw, name, sha256(data), settings, game)


def _records(raw: RawMap, name: str, sha256: str, settings: Settings, game: GameFiles) -> MapData:
    """Records of a map from its parsed text."""
    entities, owner = _entities(raw)
    known = _known_textures(game.scripts)
    warnings = _add_models(raw, entities, owner, game, known)
    shaders = _shaders(raw, bool(settings.contents), known)
    brush_entity = owner[np.array(raw.brush_entity, np.int64)]
    patch_entity = owner[np.array(raw.patch_entity, np.int64)]
    dropped = list(raw.dropped)

    contents, shader = _contents(raw, shaders)
    side_flags = shaders.flags[np.array(raw.side_shader, np.int32)]
    if settings.contents:
        contents, side_flags = _with_numbers(raw, contents, side_flags, settings)
    sides = _sides(raw, side_flags, dropped)
    origin = _origins(entities, sides, contents, brush_entity)
    shift = origin[brush_entity[sides.brush]]
    sides = replace(sides, dist=sides.dist - np.sum(sides.normal * shift, axis=1))

    alive = _usable(raw, contents, brush_entity, dropped)
    sides = sides.where(alive[sides.brush])
    planes = PlaneTable()
    side_plane = planes.intern(sides.normal, sides.dist)
    distinct = _distinct(sides.brush, side_plane)
    sides, side_plane = sides.where(distinct), side_plane[distinct]
    count = np.bincount(sides.brush, minlength=len(alive))
    for row in np.flatnonzero(alive & (count < MIN_SIDES)):
        dropped.append(Dropped("brush", raw.brush_number[row], f"has only {count[row]} usable sides"))
    alive &= count >= MIN_SIDES

    model = _model_numbers(len(entities), brush_entity[alive], patch_entity)
    patches = _patches(raw, shaders, patch_entity, model, origin)
    models = _models(model, sides.bounds(len(alive)), alive, brush_entity, patches)
    order = np.flatnonzero(alive)
    order = order[np.argsort(model[brush_entity[order]], kind="stable")]
    brushes = _brushes(
        raw,
        order=order,
        sides=sides,
        side_plane=side_plane,
        contents=contents,
        shader=shader,
        brush_entity=brush_entity,
        model=model,
    )
    return MapData(
        name=name,
        format="map",
        digests=Begun(lambda: (sha256, 0), threads=1),
        planes=Planes(planes.normal, planes.dist),
        brushes=brushes,
        patches=patches,
        shaders=shaders,
        models=models,
        entities=_with_models(entities, model, origin),
        dropped=tuple(dropped),
        warnings=warnings,
    )


def _entities(raw: RawMap) -> tuple[list[Entity], Index]:
    """Entities with the world first, and the row of each entity of the text; row 0 for those that join the world."""
    found = [Entity(tuple(pairs)) for pairs in raw.entities]
    classes = [entity.lower_class for entity in found]
    world = classes.index("worldspawn") if "worldspawn" in classes else 0
    entities = [found[world]]
    owner = np.zeros(len(found), np.int64)
    for row, entity in enumerate(found):
        if row != world and classes[row] not in _JOINS_WORLD:
            owner[row] = len(entities)
            entities.append(entity)
    return entities, owner


def _known_textures(scripts: str) -> dict[str, textures.Texture]:
    """Textures of shader scripts, by name in lower case."""
    if not scripts:
        return {}
    from aascompile.mapio.shader_scripts import parse_scripts

    return parse_scripts(scripts)


def _add_models(
    raw: RawMap, entities: list[Entity], owner: Index, game: GameFiles, known: dict[str, textures.Texture]
) -> tuple[str, ...]:
    """Add the brushes of solid models; return sentences about those that could not be read."""
    if not any(entity.lower_class == "misc_model" for entity in entities):
        return ()
    from aascompile.mapio.solid_models import add_models

    return tuple(add_models(raw, owner, game.models, known))


def _shaders(raw: RawMap, in_any_folder: bool, known: dict[str, textures.Texture]) -> Shaders:
    """Shaders of the textures: as scripts have them, otherwise by their names. In Quake II the special textures lie in
    every folder, not only in "common"."""
    meanings = [textures.meaning(texture, in_any_folder) for texture in raw.shader]
    if known:
        names = [textures.shader_name(texture).lower() for texture in raw.shader]
        meanings = [
            meaning if textures.is_common(name) else known.get(name, meaning)
            for name, meaning in zip(names, meanings, strict=True)
        ]
    return Shaders(
        tuple(textures.shader_name(texture) for texture in raw.shader),
        np.array([meaning.flags for meaning in meanings], np.uint32),
        np.array([meaning.contents for meaning in meanings], np.uint32),
    )


def _contents(raw: RawMap, shaders: Shaders) -> tuple[Bits, Int]:
    """Contents of each brush, and the shader that decides them: that of the side ranked first by textures.MIXED."""
    start = np.array(raw.side_start, np.int64)
    brush = owners_of(start)
    side_shader = np.array(raw.side_shader, np.int32)
    different, which = np.unique(shaders.contents, return_inverse=True)
    rank = np.array([textures.precedence(bits) for bits in different.tolist()], np.int64)[which][side_shader]
    order = np.lexsort((np.arange(len(brush)), rank, brush))
    has_sides, first = np.unique(brush[order], return_index=True)
    shader = np.full(len(start) - 1, -1, np.int32)
    shader[has_sides] = side_shader[order[first]]
    contents = np.zeros(len(shader), np.uint32)
    contents[has_sides] = shaders.contents[shader[has_sides]]
    contents[np.array(raw.detail, np.bool_)] |= np.uint32(Contents.DETAIL)
    return contents, shader


def _with_numbers(raw: RawMap, contents: Bits, side_flags: Bits, settings: Settings) -> tuple[Bits, Bits]:
    """Contents of brushes and flags of sides where the text gives numbers for them, in the numbering of the game."""
    brush = owners_of(np.array(raw.side_start, np.int64))
    given = np.zeros(len(contents), np.uint32)
    np.bitwise_or.at(given, brush, np.array(raw.side_contents, np.uint64).astype(np.uint32))
    flags = np.array(raw.side_flags, np.uint64).astype(np.uint32)
    made = np.where(given != 0, contents_in_quake3(given, settings), contents)
    made_flags = np.where(flags != 0, flags_in_quake3(flags, settings), side_flags)
    made_flags |= np.where(climbed(given, settings)[brush], np.uint32(SurfaceFlag.LADDER), np.uint32(0))
    bare = (made & np.uint32(_FILLS)) == 0
    made[bare] |= contents[bare]
    return made, made_flags


def _sides(raw: RawMap, side_flags: Bits, dropped: list[Dropped]) -> _Sides:
    """Planes of all sides whose three points span one. Points are clockwise seen from outside, as in id's editors."""
    point = np.array(raw.point).reshape(-1, 3, 3)
    start = np.array(raw.side_start, np.int64)
    brush = owners_of(start)
    with np.errstate(all="ignore"):
        a, b = point[:, 0] - point[:, 1], point[:, 2] - point[:, 1]
        normal = np.cross(a, b)
        double_area = lengths(normal)
        longest = np.sqrt(np.max(np.sum([a * a, b * b, (a - b) ** 2], axis=2), axis=0))
        normal /= double_area[:, None]
        dist = np.sum(normal * point[:, 0], axis=1)
        finite = np.isfinite(normal).all(axis=1) & np.isfinite(dist) | ~(double_area > 0) & np.isfinite(longest)
        good = finite & (double_area > tolerances.MIN_EDGE * longest)
    for row in np.flatnonzero(~good):
        why = "has three collinear points" if finite[row] else "is not finite"
        number = raw.brush_number[brush[row]]
        dropped.append(Dropped("side", number, f"side {row - start[brush[row]]} {why}"))
    return _Sides(brush, normal, dist, side_flags).where(good)


def _origins(entities: list[Entity], sides: _Sides, contents: Bits, brush_entity: Index) -> Float:
    """(entities, 3) origin that an entity's brushes are relative to: its origin brush's centre, or its origin key."""
    origin = np.zeros((len(entities), 3))
    for row, entity in enumerate(entities[1:], 1):
        origin[row] = entity.vector("origin") or (0.0, 0.0, 0.0)
    marks = (contents & Contents.ORIGIN) != 0
    bounds = sides.where(marks[sides.brush]).bounds(len(contents))
    for mark in np.flatnonzero(marks & (bounds[:, 0] <= bounds[:, 1]).all(axis=1)):
        origin[brush_entity[mark]] = bounds[mark].mean(axis=0)
    origin[0] = 0.0
    return origin


def _usable(raw: RawMap, contents: Bits, brush_entity: Index, dropped: list[Dropped]) -> NDArray[np.bool_]:
    """Mask of the brushes to keep: no origin brushes, which are used up by now, and none with too many sides."""
    origin = (contents & Contents.ORIGIN) != 0
    huge = np.diff(raw.side_start) > MAX_SIDES
    for row in np.flatnonzero(huge):
        dropped.append(Dropped("brush", raw.brush_number[row], f"has more than {MAX_SIDES} sides"))
    for row in np.flatnonzero(origin & (brush_entity == 0)):
        dropped.append(Dropped("brush", raw.brush_number[row], "is an origin brush in the world"))
    return np.asarray(~(origin | huge))


def _distinct(brush: Index, plane: Int) -> NDArray[np.bool_]:
    """Mask of the sides that have a plane and are the first of their brush on it."""
    order = np.lexsort((plane, brush))
    again = np.zeros(len(brush), np.bool_)
    again[order[1:]] = (np.diff(brush[order]) == 0) & (np.diff(plane[order]) == 0)
    return np.asarray(~again & (plane >= 0))


def _model_numbers(entities: int, *owners: Index) -> Int:
    """(entities,) model of each entity: 0 for the world, 1, 2, … for brush entities, −1 for point entities."""
    owns = np.zeros(entities, np.bool_)
    for owner in owners:
        owns[owner] = True
    owns[0] = True
    return np.where(owns, np.cumsum(owns) - 1, -1).astype(np.int32)


def _patches(raw: RawMap, shaders: Shaders, entity: Index, model: Int, origin: Float) -> Patches:
    size = np.array(raw.patch_size, np.int32).reshape(-1, 2)
    points = size.prod(axis=1, dtype=np.int64)
    shader = np.array(raw.patch_shader, np.int32)
    return Patches(
        width=size[:, 0].copy(),
        height=size[:, 1].copy(),
        point_start=starts_of(points),
        point=np.array(raw.control).reshape(-1, 3) - np.repeat(origin[entity], points, axis=0),
        contents=shaders.contents[shader],
        flags=shaders.flags[shader],
        shader=shader,
        model=model[entity],
        entity=entity.astype(np.int32),
        number=np.array(raw.patch_number, np.int32),
    )


def _models(model: Int, bounds: Float, alive: NDArray[np.bool_], brush_entity: Index, patches: Patches) -> Models:
    """Bounds of the brushes and control points of each model."""
    count = int(model.max()) + 1
    mins, maxs = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    rows = np.flatnonzero(alive & (bounds[:, 0] <= bounds[:, 1]).all(axis=1))
    np.minimum.at(mins, model[brush_entity[rows]], bounds[rows, 0])
    np.maximum.at(maxs, model[brush_entity[rows]], bounds[rows, 1])
    finite = np.isfinite(patches.point).all(axis=1)
    of_point = np.repeat(patches.model, np.diff(patches.point_start))[finite]
    np.minimum.at(mins, of_point, patches.point[finite])
    np.maximum.at(maxs, of_point, patches.point[finite])
    empty = mins > maxs
    mins[empty] = maxs[empty] = 0.0
    return Models(mins + 0.0, maxs + 0.0, np.flatnonzero(model >= 0).astype(np.int32))


def _brushes(
    raw: RawMap,
    *,
    order: Index,
    sides: _Sides,
    side_plane: Int,
    contents: Bits,
    shader: Int,
    brush_entity: Index,
    model: Int,
) -> Brushes:
    """The brushes listed in ``order``, with their sides gathered in that order."""
    start = np.searchsorted(sides.brush, np.arange(len(contents) + 1))
    gather = rows_of(start, order)
    entity = brush_entity[order]
    return Brushes(
        side_start=starts_of(np.diff(start)[order]),
        side_plane=side_plane[gather],
        side_flags=sides.flags[gather],
        contents=contents[order],
        shader=shader[order],
        model=model[entity],
        entity=entity.astype(np.int32),
        number=np.array(raw.brush_number, np.int32)[order],
    )


def _with_models(entities: list[Entity], model: Int, origin: Float) -> tuple[Entity, ...]:
    """The entities with the keys that a map compiler adds: the model's name, and the origin from an origin brush."""
    out = [entities[0]]
    for row, entity in enumerate(entities[1:], 1):
        if model[row] > 0:
            entity = _with(entity, "model", f"*{model[row]}")
            if origin[row].any():
                entity = _with(entity, "origin", " ".join(f"{value:.9g}" for value in origin[row]))
        out.append(entity)
    return tuple(out)


def _with(entity: Entity, key: str, value: str) -> Entity:
    """Copy of an entity with a key set, replacing any earlier value."""
    pairs = [pair for pair in entity.pairs if pair[0].lower() != key]
    return Entity((*pairs, (key, value)))
