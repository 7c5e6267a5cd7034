"""Checks whether the areas, or areas and links, of a compiled file can be reused after its map was changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aascompile.digests import sha256
from aascompile.errors import StoreError
from aascompile.model.compiled import Compiled, Entities
from aascompile.model.entity_classes import RAISES, stands
from aascompile.model.hanging import hanging_boxes
from aascompile.model.mapdata import Entity
from aascompile.model.movers import movers
from aascompile.model.standing import standing_boxes
from aascompile.model.understood import Understood
from aascompile.sampling.sample import areas_at, tree_of
from aascompile.settings import Settings
from aascompile.settings_file import text_to_store


def geometry_hash(understood: Understood, settings: Settings) -> str:
    """SHA-256 of everything that areas are made from: brushes and facets, their meaning, and the area settings.

    Positions of entities are left out: they only decide which parts of the map are reached. If areas are walkable,
    platforms, hanging items and the height of steps count too.
    """
    planes, facets = understood.planes, understood.facets
    columns: list[NDArray[Any]] = [planes.normal, planes.dist, facets.patch]
    for brushes in (understood.map.brushes, facets.brushes):
        columns += [brushes.side_start, brushes.side_plane, brushes.side_flags, brushes.contents]
    for meaning in (understood.meaning, understood.patch_meaning):
        columns += [meaning.kind, meaning.model, meaning.offset, meaning.factor]
    if settings.areas.walkable:
        stood = standing_boxes(understood.map, movers(understood.facts), settings.boxes[0])
        columns += [stood, hanging_boxes(understood.map.entities)]
    parts: list[bytes] = []
    for column in columns:
        parts += [len(column).to_bytes(8, "little"), np.ascontiguousarray(column).tobytes()]
    step = settings.physics.max_step if settings.areas.walkable else 0.0
    parts.append(repr((settings.boxes, settings.areas, settings.physics.floor_up, step)).encode())
    return sha256(*parts)


def require_fit(understood: Understood, old: Compiled, file: str, settings: Settings) -> None:
    """Raise a StoreError about ``file`` unless a full compile of the map would give the same areas."""
    if not old.provenance.geometry:
        raise StoreError(f"{file}: does not record what its areas were made from; run a full compile")
    if old.provenance.geometry != geometry_hash(understood, settings):
        raise StoreError(
            f"{file}: its areas do not match {understood.map.name}: geometry, the meaning of brushes or area settings "
            "have changed; run a full compile"
        )
    row = _first_outside(old, understood.map.entities)
    if row >= 0:
        name = understood.map.named(row)
        raise StoreError(f"{file}: has no area at {name}, which is new; run a full compile")


def require_links(understood: Understood, old: Compiled, file: str, settings: Settings) -> None:
    """Raise a StoreError about ``file`` unless a full compile of the map would give the same links."""
    if old.links is None:
        raise StoreError(f"{file}: has no links; use --reach-only")
    if old.entities.keys != Entities.of(understood.map.entities).keys:
        raise StoreError(f"{file}: the map's entities have changed, so its links may have changed; use --reach-only")
    if old.provenance.settings != text_to_store(settings):
        raise StoreError(f"{file}: was compiled with other settings; use the same settings or --reach-only")


def _first_outside(old: Compiled, entities: Sequence[Entity]) -> int:
    """Row of the first new entity outside all areas, from which a full compile might reach more; −1 if none."""
    before = {(name, *place) for name, place in zip(old.entities.classname, old.entities.origin.tolist(), strict=True)}
    tree = tree_of(old.areas)
    for row, entity in enumerate(entities):
        origin = entity.vector("origin")
        if origin is None or (entity.classname, *origin) in before or not stands(entity):
            continue
        if (areas_at(tree, [(origin[0], origin[1], origin[2] + up) for up in RAISES]) < 0).all():
            return row
    return -1
