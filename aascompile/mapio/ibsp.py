"""Compiled maps of the Quake III family (IBSP 46 and 47): what of them collides, and their entities.

A file whose directory is broken is a MapError. A brush, patch or model that is broken is left out and noted in
``MapData.dropped``, with its number in the file; all indexes are checked before use, whole columns at a time.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile import tolerances
from aascompile.errors import MapError
from aascompile.geometry.planes import PlaneTable
from aascompile.mapio.entity_text import decode_text, parse_entities
from aascompile.mapio.ibsp_columns import Faults, csr, doubles, first_at_or_after, outside, ranges
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
    read_lumps,
    read_version,
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
from aascompile.report import Dropped

PATCH: Final = 2
"""The kind of surface that is a Bezier patch."""

MAX_SIDES: Final = 1024
"""Sides of a brush, as in the map compilers; a hull takes sides² steps."""

MAX_SHARING: Final = 2
"""How often a side or vertex may be used, on average: once in real maps, without end in hostile ones."""

MAX_PATCH_EDGE: Final = 129
MAX_PATCH_POINTS: Final = 1024
"""The engine's own limits of a patch: it refuses a map with a larger one."""

_MODEL_NAME: Final = re.compile(r"\*(\d{1,9})", re.ASCII)


def read_ibsp(data: bytes, name: str) -> MapData:
    """A compiled map from the bytes of its file; ``name`` is what messages call it."""
    version = read_version(data, name)
    lumps = read_lumps(data, name)
    dropped: list[Dropped] = []
    entities = _read_entities(lumps[ENTITIES], name)
    shaders = _read_shaders(lumps[SHADERS])
    models = _read_models(lumps[MODELS], entities, name, dropped)
    planes, brushes = _read_brushes(lumps, shaders, models, name, dropped)
    patches = _read_patches(lumps, shaders, models, name, dropped)
    return MapData(
        name=name,
        format=f"IBSP {version}",
        sha256=hashlib.sha256(data).hexdigest(),
        checksum=engine_checksum(data),
        planes=planes,
        brushes=brushes,
        patches=patches,
        shaders=shaders,
        models=models,
        entities=entities,
        dropped=tuple(dropped),
    )


def _read_entities(lump: Rows, name: str) -> tuple[Entity, ...]:
    """The entities; the text ends at the first zero byte, as it is a C string to the engine."""
    text = decode_text(lump.tobytes().split(b"\0", 1)[0])
    try:
        entities = parse_entities(text, name)
    except MapError as error:
        raise MapError(name, error.what, f"entity text, {error.where}") from None
    if not entities:
        raise MapError(name, "has no entities, not even worldspawn")
    return entities


def _read_shaders(lump: Rows) -> Shaders:
    """Names and bits of the materials."""
    names = tuple(raw.split(b"\0", 1)[0].decode("latin-1") for raw in lump["name"].tolist())
    return Shaders(names, lump["flags"].astype(np.uint32), lump["contents"].astype(np.uint32))


def _read_models(lump: Rows, entities: tuple[Entity, ...], name: str, dropped: list[Dropped]) -> Models:
    """Bounds of the models and which entity uses each; worldspawn is the world's, wherever it stands."""
    if len(lump) == 0:
        raise MapError(name, "has no models, not even the world")
    mins, maxs = doubles(lump["mins"]), doubles(lump["maxs"])
    unbounded = ~(np.isfinite(mins).all(1) & np.isfinite(maxs).all(1))
    mins[unbounded] = maxs[unbounded] = 0.0
    dropped += [Dropped("model", int(row), "its bounds are not finite") for row in np.flatnonzero(unbounded)]

    users = np.full(len(lump), -1, np.int32)
    users[0] = next((row for row, entity in enumerate(entities) if entity.classname == "worldspawn"), 0)
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
            dropped.append(Dropped("entity", row, f"its model '{value}' is already that of entity {users[number]}"))
    return Models(mins, maxs, users)


def _read_brushes(
    lumps: dict[Lump, Rows], shaders: Shaders, models: Models, name: str, dropped: list[Dropped]
) -> tuple[Planes, Brushes]:
    """The brushes with their interned planes."""
    rows, sides = lumps[BRUSHES], lumps[SIDES]
    first, count = rows["first_side"].astype(np.int64), rows["sides"].astype(np.int64)
    shader = rows["shader"].astype(np.int32)
    table, side_plane = _intern_planes(lumps[PLANES], sides["plane"])
    model = _owners(lumps[MODELS], "brush", len(rows), name, dropped)

    faults = Faults("brush", len(rows))
    faults.note(count <= 0, lambda row: "has no sides")
    faults.note(count > MAX_SIDES, lambda row: f"has {count[row]:,} sides, more than {MAX_SIDES:,}")
    faults.note(
        (first < 0) | (first + count > len(sides)),
        lambda row: f"its sides {first[row]} to {first[row] + count[row] - 1} are not among the file's {len(sides)}",
    )
    faults.note(outside(shader, len(shaders)), lambda row: f"shader {shader[row]} is not in the file")
    _note_bad_sides(faults, first, count, lumps, side_plane)
    faults.note(model < 0, lambda row: "belongs to no model")
    keep = faults.keep(name, dropped)

    _refuse_sharing(int(count[keep].sum()), SIDES, lumps, name)
    side = ranges(first[keep], count[keep])
    brushes = Brushes(
        side_start=csr(count[keep]),
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
    """Interns the planes that sides name, in file order; answers each side's id, −1 where there is none."""
    table = PlaneTable()
    used = np.zeros(len(lump), np.bool_)
    there = ~outside(wanted, len(lump))
    used[wanted[there]] = True
    ids = np.full(len(lump), -1, np.int32)
    ids[used] = table.intern(doubles(lump["normal"][used]), doubles(lump["dist"][used]))
    side_plane = np.full(len(wanted), -1, np.int32)
    side_plane[there] = ids[wanted[there]]
    return table, side_plane


def _note_bad_sides(faults: Faults, first: Index, count: Index, lumps: dict[Lump, Rows], side_plane: Int) -> None:
    """Notes the brushes with a side whose plane or shader is amiss, with the first such side."""
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
    """The Bezier surfaces with their control points."""
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
        lambda row: f"is {width[row]}×{height[row]}, not odd and at least 3×3",
    )
    faults.note(
        (np.maximum(width, height) > MAX_PATCH_EDGE) | (count > MAX_PATCH_POINTS),
        lambda row: f"is {width[row]}×{height[row]}, more than the engine's {MAX_PATCH_POINTS:,} points",
    )
    faults.note(
        (first < 0) | (first + count > len(vertices)),
        lambda row: f"its vertices from {first[row]} on are not all among the file's {len(vertices)}",
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
        point_start=csr(count[keep]),
        point=doubles(vertices["point"][ranges(first[keep], count[keep])]),
        contents=shaders.contents[shader[keep]],
        flags=shaders.flags[shader[keep]],
        shader=shader[keep],
        model=model[keep],
        entity=models.entity[model[keep]],
        number=number[keep].astype(np.int32),
    )


def _refuse_sharing(used: int, lump: Lump, lumps: dict[Lump, Rows], name: str) -> None:
    """Keeps a small file from growing large because all its brushes or patches use the same rows."""
    there = len(lumps[lump])
    if used > MAX_SHARING * there:
        what = f"is damaged: it uses {used:,} {lump.what}, but has only {there:,}"
        raise MapError(name, what, f"lump {lump.index}, {lump.what}")


def _owners(models: Rows, what: str, total: int, name: str, dropped: list[Dropped]) -> Int:
    """Which model each brush or surface belongs to, −1: none. A brush model takes precedence over the world."""
    plural = "brushes" if what == "brush" else "surfaces"
    first, count = models[f"first_{what}"].astype(np.int64), models[plural].astype(np.int64)
    broken = (count < 0) | ((count > 0) & ((first < 0) | (first + count > total)))
    if broken[0]:
        what = f"has a world of {count[0]} {plural} from {first[0]} on, but only {total}"
        raise MapError(name, what, "lump 7, models")
    order = np.argsort(first, kind="stable")
    order = order[(order > 0) & ~broken[order] & (count[order] > 0)]
    ends = np.maximum.accumulate((first + count)[order])
    overlap = order[1:][first[order[1:]] < ends[:-1]]

    faults = Faults("model", len(models))
    faults.note(broken, lambda row: f"its {count[row]} {plural} from {first[row]} on are not among the file's {total}")
    shared = np.zeros(len(models), np.bool_)
    shared[overlap] = True
    faults.note(shared, lambda row: f"some of its {plural} belong to another model too")
    whole = faults.keep(name, dropped)[1:]

    owner = np.full(total, -1, np.int32)
    owner[first[0] : first[0] + count[0]] = 0
    owner[ranges(first[whole], count[whole])] = np.repeat(whole, count[whole])
    return owner
