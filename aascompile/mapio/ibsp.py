"""Reader of compiled maps of the Quake III family (IBSP 46 and 47, RBSP, FBSP): collision geometry and entities.

A broken lump directory raises a MapError. A broken brush, patch or model is left out and listed in
``MapData.dropped`` with its number in the file. All indexes are checked before use, a whole column at a time.
"""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.csr import ranges, starts_of
from aascompile.digests import sha256
from aascompile.errors import MapError
from aascompile.geometry.planes import PlaneTable
from aascompile.mapio.entity_text import decode_text, parse_entities
from aascompile.mapio.ibsp_columns import Faults, doubles, first_at_or_after, outside
from aascompile.mapio.ibsp_lumps import (
    BRUSHES,
    ENTITIES,
    MODELS,
    PLANES,
    SHADERS,
    SIDES,
    SURFACES,
    VERTICES,
    Lump,
    Rows,
    read_format,
    read_lumps,
    read_raven_lumps,
)
from aascompile.mapio.md4 import engine_checksum
from aascompile.model.mapdata import (
    Brushes,
    Entity,
    Index,
    Int,
    MapData,
    Models,
    Patches,
    Planes,
    Shaders,
)
from aascompile.patterns import pattern
from aascompile.report import Dropped
from aascompile.threads import Begun

QUAKE2: Final = 38
"""Version of IBSP in Quake II."""

PATCH: Final = 2
"""Surface kind of a Bezier patch."""

MAX_SIDES: Final = 1024
"""Limit on the sides of a brush, as in the map compilers: computing a hull takes sides² steps."""

MAX_SHARING: Final = 2
"""How often a side or vertex may be used, on average: once in real maps, without limit in hostile ones."""

MAX_PATCH_EDGE: Final = 129
MAX_PATCH_POINTS: Final = 1024
"""The engine's own limits on a patch: it rejects a map with a larger one."""

SMALL: Final = 1 << 16
"""Bytes up to which a map is digested sooner than another thread starts."""

_MODEL_NAME: Final = pattern(r"\*(\d{1,9})", re.ASCII)


def read_ibsp(data: bytes, name: str, threads: int = 1) -> MapData:
    """Read a compiled map from the bytes of its file. ``name`` names the file in messages."""
    magic, version = read_format(data, name)
    if version == QUAKE2:
        from aascompile.mapio.quake2 import read_quake2

        return read_quake2(data, name)
    digests = Begun(lambda: (sha256(data), engine_checksum(data)), threads if len(data) > SMALL else 1)
    lumps = read_lumps(data, name) if magic == b"IBSP" else read_raven_lumps(data, name)
    dropped: list[Dropped] = []
    entities = read_entity_text(lumps[ENTITIES], name)
    shaders = _read_shaders(lumps[SHADERS])
    models = read_models(lumps[MODELS], entities, name, dropped)
    owner = _owners(lumps[MODELS], "brush", len(lumps[BRUSHES]), name, dropped)
    planes, brushes = read_brushes(lumps, shaders, models, owner, name, dropped)
    patches = _read_patches(lumps, shaders, models, name, dropped)
    if threads <= 1:
        digests.result()  # later would be no sooner, and the bytes would be kept until then
    return MapData(
        name=name,
        format=f"{magic.decode()} {version}",
        digests=digests,
        planes=planes,
        brushes=brushes,
        patches=patches,
        shaders=shaders,
        models=models,
        entities=entities,
        dropped=tuple(dropped),
    )


def read_entity_text(lump: Rows, name: str) -> tuple[Entity, ...]:
    """Entities of the map. The text ends at the first zero byte, because the engine reads a C string."""
    text = decode_text(lump.tobytes().split(b"\0", 1)[0])
    try:
        entities = parse_entities(text, name)
    except MapError as error:
        raise MapError(name, error.what, f"entity text, {error.where}") from None
    if not entities:
        raise MapError(name, "has no entities; even worldspawn is missing")
    return entities


def _read_shaders(lump: Rows) -> Shaders:
    """Names, surface flags and contents of the shaders."""
    names = tuple(raw.split(b"\0", 1)[0].decode("latin-1") for raw in lump["name"].tolist())
    return Shaders(names, lump["flags"].astype(np.uint32), lump["contents"].astype(np.uint32))


def read_models(lump: Rows, entities: tuple[Entity, ...], name: str, dropped: list[Dropped]) -> Models:
    """Bounds of the models, and the entity that uses each. The world belongs to worldspawn, wherever that is listed."""
    if len(lump) == 0:
        raise MapError(name, "has no models; even the world is missing")
    mins, maxs = doubles(lump["mins"]), doubles(lump["maxs"])
    unbounded = ~(np.isfinite(mins).all(1) & np.isfinite(maxs).all(1))
    mins[unbounded] = maxs[unbounded] = 0.0
    dropped += [Dropped("model", int(row), "its bounds are not finite") for row in np.flatnonzero(unbounded)]
    far = (np.abs(np.hstack([mins, maxs])) > tolerances.WORLD_EXTENT).any(axis=1)
    np.clip(mins, -tolerances.WORLD_EXTENT, tolerances.WORLD_EXTENT, out=mins)
    np.clip(maxs, -tolerances.WORLD_EXTENT, tolerances.WORLD_EXTENT, out=maxs)
    dropped += [
        Dropped("model", int(row), "its bounds reach farther than a map can, so they are cut off")
        for row in np.flatnonzero(far)
    ]

    users = np.full(len(lump), -1, np.int32)
    users[0] = next((row for row, entity in enumerate(entities) if entity.lower_class == "worldspawn"), 0)
    for row, entity in enumerate(entities):
        value = entity.get("model")
        if not value.startswith("*"):
            continue
        found = _MODEL_NAME.fullmatch(value)
        number = int(found[1]) if found else 0
        if not 0 < number < len(lump):
            dropped.append(Dropped("entity", row, f"its model {value[:12]!r} is not one of *1 to *{len(lump) - 1}"))
        elif users[number] < 0:
            users[number] = row
        else:
            dropped.append(Dropped("entity", row, f"its model '{value}' already belongs to entity {users[number]}"))
    return Models(mins, maxs, users)


def read_brushes(
    lumps: dict[Lump, Rows], shaders: Shaders, models: Models, model: Int, name: str, dropped: list[Dropped]
) -> tuple[Planes, Brushes]:
    """Brushes and their interned planes. ``model`` is the model of each brush of the file, −1 if none."""
    rows, sides = lumps[BRUSHES], lumps[SIDES]
    first, count = rows["first_side"].astype(np.int64), rows["sides"].astype(np.int64)
    shader = rows["shader"].astype(np.int32)
    table, side_plane = _intern_planes(lumps[PLANES], sides["plane"])

    faults = Faults("brush", len(rows))
    faults.note(count <= 0, lambda row: "has no sides")
    faults.note(count > MAX_SIDES, lambda row: f"has {count[row]:,} sides, more than {MAX_SIDES:,}")
    faults.note(
        (first < 0) | (first + count > len(sides)),
        lambda row: (
            f"its sides {first[row]} to {first[row] + count[row] - 1} are out of range: the file has {len(sides)}"
        ),
    )
    faults.note(outside(shader, len(shaders)), lambda row: f"shader {shader[row]} is not in the file")
    _note_bad_sides(faults, first, count, lumps, side_plane)
    faults.note(model < 0, lambda row: "belongs to no model")
    keep = faults.keep(name, dropped)

    _refuse_sharing(int(count[keep].sum()), SIDES, lumps, name)
    side = ranges(first[keep], count[keep])
    brushes = Brushes(
        side_start=starts_of(count[keep]),
        side_plane=side_plane[side],
        side_flags=shaders.flags[sides["shader"][side]],
        contents=shaders.contents[shader[keep]],
        shader=shader[keep],
        model=model[keep],
        entity=models.entity[model[keep]],
        number=keep.astype(np.int32),
    )
    return Planes(table.normal, table.dist), brushes


def _intern_planes(lump: Rows, wanted: NDArray[Any]) -> tuple[PlaneTable, Int]:
    """Intern the planes that sides use, in file order. Return the table and each side's plane id, −1 if invalid."""
    table = PlaneTable()
    used = np.zeros(len(lump), np.bool_)
    valid = ~outside(wanted, len(lump))
    used[wanted[valid]] = True
    ids = np.full(len(lump), -1, np.int32)
    ids[used] = table.intern(doubles(lump["normal"][used]), doubles(lump["dist"][used]))
    side_plane = np.full(len(wanted), -1, np.int32)
    side_plane[valid] = ids[wanted[valid]]
    return table, side_plane


def _note_bad_sides(faults: Faults, first: Index, count: Index, lumps: dict[Lump, Rows], side_plane: Int) -> None:
    """Note the brushes that have a side with an invalid plane or shader. The reason names the first such side."""
    sides, planes, shaders = lumps[SIDES], len(lumps[PLANES]), len(lumps[SHADERS])
    bad = np.flatnonzero((side_plane < 0) | outside(sides["shader"], shaders))
    next_bad = first_at_or_after(bad, first)

    def reason(row: int) -> str:
        side = int(next_bad[row])
        plane, shader = int(sides["plane"][side]), int(sides["shader"][side])
        label = f"side {side - int(first[row])}"
        if not 0 <= plane < planes:
            return f"{label}: plane {plane} is not in the file"
        if side_plane[side] < 0:
            return f"{label}: plane {plane} is not finite or has no direction"
        return f"{label}: shader {shader} is not in the file"

    faults.note(next_bad < first + count, reason)


def _read_patches(
    lumps: dict[Lump, Rows], shaders: Shaders, models: Models, name: str, dropped: list[Dropped]
) -> Patches:
    """Bezier patches with their control points."""
    surfaces, vertices = lumps[SURFACES], lumps[VERTICES]
    number = np.flatnonzero(surfaces["kind"] == PATCH)
    model = _owners(lumps[MODELS], "surface", len(surfaces), name, dropped)[number]
    rows = surfaces[number]
    first, shader = rows["first_vertex"].astype(np.int64), rows["shader"].astype(np.int32)
    width, height = rows["width"].astype(np.int64), rows["height"].astype(np.int64)
    count = width * height

    faults = Faults("patch", len(rows), number)
    faults.note(
        (np.minimum(width, height) < 3) | (width % 2 == 0) | (height % 2 == 0),
        lambda row: f"is {width[row]}×{height[row]}; both must be odd and at least 3",
    )
    faults.note(
        (np.maximum(width, height) > MAX_PATCH_EDGE) | (count > MAX_PATCH_POINTS),
        lambda row: f"is {width[row]}×{height[row]}, more than the engine's {MAX_PATCH_POINTS:,} points",
    )
    faults.note(
        (first < 0) | (first + count > len(vertices)),
        lambda row: f"its {count[row]} vertices from {first[row]} on are out of range: the file has {len(vertices)}",
    )
    faults.note(outside(shader, len(shaders)), lambda row: f"shader {shader[row]} is not in the file")
    with np.errstate(invalid="ignore"):
        astray = np.flatnonzero(~(np.abs(vertices["point"]) <= tolerances.WORLD_EXTENT).all(1))
    faults.note(
        first_at_or_after(astray, first) < first + count,
        lambda row: "a control point is not finite or lies outside the world",
    )
    faults.note(model < 0, lambda row: "belongs to no model")
    keep = faults.keep(name, dropped)

    _refuse_sharing(int(count[keep].sum()), VERTICES, lumps, name)
    return Patches(
        width=width[keep].astype(np.int32),
        height=height[keep].astype(np.int32),
        point_start=starts_of(count[keep]),
        point=doubles(vertices["point"][ranges(first[keep], count[keep])]),
        contents=shaders.contents[shader[keep]],
        flags=shaders.flags[shader[keep]],
        shader=shader[keep],
        model=model[keep],
        entity=models.entity[model[keep]],
        number=number[keep].astype(np.int32),
    )


def _refuse_sharing(used: int, lump: Lump, lumps: dict[Lump, Rows], name: str) -> None:
    """Raise a MapError if brushes or patches reuse the same rows so often that a small file would grow large."""
    rows = len(lumps[lump])
    if used > MAX_SHARING * rows:
        what = f"is damaged: it uses {used:,} {lump.what}, but has only {rows:,}"
        raise MapError(name, what, f"lump {lump.index}, {lump.what}")


def _owners(models: Rows, what: str, total: int, name: str, dropped: list[Dropped]) -> Int:
    """Model that each brush or surface belongs to, −1 if none. A brush model takes precedence over the world."""
    plural = "brushes" if what == "brush" else "surfaces"
    first, count = models[f"first_{what}"].astype(np.int64), models[plural].astype(np.int64)
    broken = (count < 0) | ((count > 0) & ((first < 0) | (first + count > total)))
    if broken[0]:
        what = f"is damaged: its world has {count[0]} {plural} from {first[0]} on, but the file has only {total}"
        raise MapError(name, what, "lump 7, models")
    order = np.argsort(first, kind="stable")
    order = order[(order > 0) & ~broken[order] & (count[order] > 0)]
    ends = np.maximum.accumulate((first + count)[order])
    overlap = order[1:][first[order[1:]] < ends[:-1]]

    faults = Faults("model", len(models))
    faults.note(
        broken, lambda row: f"its {count[row]} {plural} from {first[row]} on are out of range: the file has {total}"
    )
    shared = np.zeros(len(models), np.bool_)
    shared[overlap] = True
    faults.note(shared, lambda row: f"some of its {plural} also belong to another model")
    kept = faults.keep(name, dropped)[1:]

    owner = np.full(total, -1, np.int32)
    owner[first[0] : first[0] + count[0]] = 0
    owner[ranges(first[kept], count[kept])] = np.repeat(kept, count[kept])
    return owner
