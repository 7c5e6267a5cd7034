"""Whether the areas of a compiled map can be used again when its map was changed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aascompile.model.compiled import Compiled
from aascompile.model.entity_classes import RAISES, stands
from aascompile.model.mapdata import Brushes, Entity, Int, Planes
from aascompile.model.meaning import Meaning
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.settings import Settings


def geometry_hash(
    brushes: Sequence[Brushes], meanings: Sequence[Meaning], patch: Int, planes: Planes, settings: Settings
) -> str:
    """SHA-256 of what areas are made from: brushes and facets, what they mean, and the settings of areas.

    ``patch``: of each facet. Where entities stand is left out: that decides only which parts are reached at all.
    """
    columns: list[NDArray[Any]] = [planes.normal, planes.dist, patch]
    for some in brushes:
        columns += [some.side_start, some.side_plane, some.side_flags, some.contents]
    for meaning in meanings:
        columns += [meaning.kind, meaning.model, meaning.offset]
    digest = hashlib.sha256()
    for column in columns:
        digest.update(len(column).to_bytes(8, "little") + np.ascontiguousarray(column).tobytes())
    digest.update(repr((settings.boxes, settings.areas, settings.physics.floor_up)).encode())
    return digest.hexdigest()


def first_astray(old: Compiled, entities: Sequence[Entity]) -> int:
    """The first new entity that stands in none of the areas; −1 if there is none. A full compile may reach further."""
    known = {(name, *origin) for name, origin in zip(old.entities.classname, old.entities.origin.tolist(), strict=True)}
    tree = tree_of(old.areas)
    for row, entity in enumerate(entities):
        origin = entity.vector("origin")
        if origin is None or (entity.classname, *origin) in known or not stands(entity):
            continue
        if (areas_at(tree, [(origin[0], origin[1], origin[2] + up) for up in RAISES]) < 0).all():
            return row
    return -1
