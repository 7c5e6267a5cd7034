"""Hand-made maps of boxes, for tests of entities and their brushes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aascompile.geometry.planes import PlaneTable
from aascompile.model.contents import Contents
from aascompile.model.mapdata import Brushes, Entity, MapData, Models, Patches, Planes, Shaders
from aascompile.threads import Begun

Box = tuple[tuple[float, float, float], tuple[float, float, float]]
UNIT_BOX: Box = ((0.0, 0.0, 0.0), (64.0, 64.0, 64.0))


@dataclass(frozen=True)
class Solid:
    """A box brush or, with ``patch``, a flat 3×3 patch on the box's floor."""

    contents: int = int(Contents.SOLID)
    box: Box = UNIT_BOX
    flags: int = 0
    patch: bool = False


@dataclass(frozen=True)
class Thing:
    """An entity with its solids. The first entity of a map is the world."""

    keys: dict[str, str]
    solids: tuple[Solid, ...] = ()


def thing(classname: str, *solids: Solid, **keys: str) -> Thing:
    """An entity of a class."""
    return Thing({"classname": classname} | keys, solids)


def world(*solids: Solid, **keys: str) -> Thing:
    """The worldspawn."""
    return thing("worldspawn", *solids, **keys)


def make_map(*things: Thing, orphan: Solid | None = None) -> MapData:
    """A map of these entities. ``orphan`` is an additional model that no entity uses."""
    planes = PlaneTable()
    rows: list[tuple[Solid, int, int]] = []
    model_entity: list[int] = []
    entities: list[Entity] = []
    for row, one in enumerate(things):
        keys = dict(one.keys)
        if one.solids or row == 0:
            if row:
                keys["model"] = f"*{len(model_entity)}"
            rows += [(solid, len(model_entity), row) for solid in one.solids]
            model_entity.append(row)
        entities.append(Entity(tuple(keys.items())))
    if orphan is not None:
        rows.append((orphan, len(model_entity), -1))
        model_entity.append(-1)
    boxes = [
        np.array([solid.box for solid, model, _ in rows if model == m] or [((0, 0, 0), (0, 0, 0))], float)
        for m in range(len(model_entity))
    ]
    brushes = _brushes([r for r in rows if not r[0].patch], planes)
    return MapData(
        name="hand made",
        format="IBSP 46",
        digests=Begun(lambda: ("", 0), threads=1),
        planes=Planes(planes.normal, planes.dist),
        brushes=brushes,
        patches=_patches([r for r in rows if r[0].patch]),
        shaders=Shaders((), np.zeros(0, np.uint32), np.zeros(0, np.uint32)),
        models=Models(
            np.array([b[:, 0].min(axis=0) for b in boxes]),
            np.array([b[:, 1].max(axis=0) for b in boxes]),
            np.array(model_entity, np.int32),
        ),
        entities=tuple(entities),
        dropped=(),
    )


def _brushes(rows: list[tuple[Solid, int, int]], planes: PlaneTable) -> Brushes:
    normals = np.vstack([np.eye(3), -np.eye(3)])
    side_plane = [planes.intern(normals, np.concatenate([s.box[1], -np.array(s.box[0])])) for s, _, _ in rows]
    n = len(rows)
    return Brushes(
        side_start=np.arange(n + 1, dtype=np.int64) * 6,
        side_plane=np.concatenate([np.zeros(0, np.int32), *side_plane]),
        side_flags=np.repeat(np.array([s.flags for s, _, _ in rows], np.uint32), 6),
        contents=np.array([s.contents for s, _, _ in rows], np.uint32),
        shader=np.full(n, -1, np.int32),
        model=np.array([model for _, model, _ in rows], np.int32),
        entity=np.array([entity for _, _, entity in rows], np.int32),
        number=np.arange(n, dtype=np.int32),
    )


def _patches(rows: list[tuple[Solid, int, int]]) -> Patches:
    n = len(rows)
    point = [
        (s.box[0][0] + x / 2 * (s.box[1][0] - s.box[0][0]), s.box[0][1] + y / 2 * (s.box[1][1] - s.box[0][1]), 0.0)
        for s, _, _ in rows
        for y in range(3)
        for x in range(3)
    ]
    return Patches(
        width=np.full(n, 3, np.int32),
        height=np.full(n, 3, np.int32),
        point_start=np.arange(n + 1, dtype=np.int64) * 9,
        point=np.array(point, float).reshape(-1, 3),
        contents=np.array([s.contents for s, _, _ in rows], np.uint32),
        flags=np.array([s.flags for s, _, _ in rows], np.uint32),
        shader=np.full(n, -1, np.int32),
        model=np.array([model for _, model, _ in rows], np.int32),
        entity=np.array([entity for _, _, entity in rows], np.int32),
        number=np.arange(n, dtype=np.int32),
    )
