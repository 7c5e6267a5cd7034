"""Whether the areas, or the areas and links, of a compiled map can be used again when its map was changed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aascompile.errors import StoreError
from aascompile.model.compiled import Compiled, Entities
from aascompile.model.entity_classes import RAISES, stands
from aascompile.model.mapdata import Entity
from aascompile.model.understood import Understood
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.settings import Settings
from aascompile.settings_file import text_to_store


def geometry_hash(understood: Understood, settings: Settings) -> str:
    """SHA-256 of what areas are made from: brushes and facets, what they mean, and the settings of areas.

    Where entities stand is left out: that decides only which parts of the map are reached at all.
    """
    planes, facets = understood.planes, understood.facets
    columns: list[NDArray[Any]] = [planes.normal, planes.dist, facets.patch]
    for brushes in (understood.map.brushes, facets.brushes):
        columns += [brushes.side_start, brushes.side_plane, brushes.side_flags, brushes.contents]
    for meaning in (understood.meaning, understood.patch_meaning):
        columns += [meaning.kind, meaning.model, meaning.offset]
    digest = hashlib.sha256()
    for column in columns:
        digest.update(len(column).to_bytes(8, "little") + np.ascontiguousarray(column).tobytes())
    digest.update(repr((settings.boxes, settings.areas, settings.physics.floor_up)).encode())
    return digest.hexdigest()


def require_fit(understood: Understood, old: Compiled, file: str, settings: Settings) -> None:
    """StoreError, which calls it ``file``, unless the areas of a compiled map are those that its map would get."""
    if not old.provenance.geometry:
        raise StoreError(f"{file}: does not say what its areas were made from; compile the map as a whole")
    if old.provenance.geometry != geometry_hash(understood, settings):
        raise StoreError(
            f"{file}: its areas do not fit {understood.map.name}: geometry, what brushes mean, or the settings of "
            "areas have changed; compile the map as a whole"
        )
    row = _first_astray(old, understood.map.entities)
    if row >= 0:
        name = understood.map.named(row)
        raise StoreError(f"{file}: has no area at {name}, which is new; compile the map as a whole")


def require_links(understood: Understood, old: Compiled, file: str, settings: Settings) -> None:
    """StoreError, which calls it ``file``, unless the links of a compiled map are those that its map would get."""
    if old.links is None:
        raise StoreError(f"{file}: has no links; --reach-only makes them")
    if old.entities.keys != Entities.of(understood.map.entities).keys:
        raise StoreError(f"{file}: the map's entities have changed, so its links may have; use --reach-only")
    if old.provenance.settings != text_to_store(settings):
        raise StoreError(f"{file}: was compiled with other settings; name the same, or use --reach-only")


def _first_astray(old: Compiled, entities: Sequence[Entity]) -> int:
    """Row of the first new entity that stands in no area, where a full compile might reach further; −1: no such."""
    before = {(name, *place) for name, place in zip(old.entities.classname, old.entities.origin.tolist(), strict=True)}
    tree = tree_of(old.areas)
    for row, entity in enumerate(entities):
        origin = entity.vector("origin")
        if origin is None or (entity.classname, *origin) in before or not stands(entity):
            continue
        if (areas_at(tree, [(origin[0], origin[1], origin[2] + up) for up in RAISES]) < 0).all():
            return row
    return -1
