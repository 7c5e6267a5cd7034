"""Contents of a compiled file: the areas, the links between them, and what a viewer needs to show them.

docs/data-model.md describes every table and lists its requirements; ``checks.check_compiled`` checks them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np

from aascompile.model.areas import Areas
from aascompile.model.clusters import Clusters
from aascompile.model.links import Links
from aascompile.model.mapdata import Bits, Entity, Float, Index, Int, Planes
from aascompile.model.places import Places
from aascompile.model.sight import Sight
from aascompile.records import dataclass
from aascompile.settings import QUAKE3, Box


@dataclass(frozen=True, slots=True)
class Boxes:
    """Boxes of a player, the largest first."""

    presence: Bits
    """(n,) bit in the presence of an area."""
    mins: Float
    """(n, 3) relative to the player's origin."""
    maxs: Float
    """(n, 3)"""

    @classmethod
    def of(cls, boxes: Iterable[Box]) -> Boxes:
        """Boxes from the settings."""
        rows = list(boxes)
        return cls(
            np.array([box.presence for box in rows], np.uint32),
            np.array([box.mins for box in rows], np.float64).reshape(-1, 3),
            np.array([box.maxs for box in rows], np.float64).reshape(-1, 3),
        )

    @property
    def feet(self) -> float:
        """Distance in units from the player's origin down to the feet."""
        return -float(self.mins[0, 2])

    def __len__(self) -> int:
        return len(self.presence)


@dataclass(frozen=True, slots=True)
class Rides:
    """Where models carry players: a row for each two successive stops of a mover, and for each stop of a door,
    where it may be a bridge."""

    model: Int
    """(n,) brush model."""
    low: Float
    """(n, 3) middle of the model's box where the ride begins."""
    high: Float
    """(n, 3) middle of the model's box where the ride ends."""
    carrier: Int
    """(n,) Carrier: what moves; −1 if unknown."""
    seconds: Float
    """(n,) seconds of the ride; −1 if unknown."""
    wait: Float
    """(n,) seconds that it stands where the ride begins; −1 if unknown, or until something starts it."""
    entity: Int
    """(n,) row of the entity that moves; −1 if unknown."""
    half: Float
    """(n, 3) half the size of the model's box, as drawn; −1 if unknown."""
    floor: Float
    """(n,) height of the floor that carries players, above the middle of the box; −1 if the size is unknown."""
    angles: Float
    """(n, 3) degrees by which the model is turned about x, y and z, in this order, where the ride begins."""

    @classmethod
    def none(cls) -> Rides:
        """No rides."""
        return cls.unknown(np.zeros(0, np.int32), np.zeros((0, 3)), np.zeros((0, 3)))

    @classmethod
    def unknown(cls, model: Int, low: Float, high: Float) -> Rides:
        """Rides of which only the ends are known."""
        n = len(model)
        none, number = np.full(n, -1, np.int32), np.full(n, -1.0)
        return cls(model, low, high, none, number, number, none, np.full((n, 3), -1.0), number, np.zeros((n, 3)))

    def __len__(self) -> int:
        return len(self.model)


@dataclass(frozen=True, slots=True)
class Context:
    """Faces of the map that block a player, as drawn: not grown by a box."""

    vertex: Float
    """(v, 3) distinct points."""
    start: Index
    """(n + 1,) CSR into ``corner``."""
    corner: Int
    """(k,) vertex rows, counter-clockwise seen from outside the brush."""
    kind: Bits
    """(n,) Kind bits: the meaning of its brush."""
    contents: Bits
    """(n,) Contents bits of its brush or patch, as in the map."""
    flags: Bits
    """(n,) Surface bits, as in the map."""
    brush: Int
    """(n,) number of its brush in the map; −1 if it belongs to a patch."""
    patch: Int
    """(n,) number of its patch in the map; −1 if it belongs to a brush."""

    @classmethod
    def none(cls) -> Context:
        """No faces."""
        bits, ints = np.zeros(0, np.uint32), np.zeros(0, np.int32)
        return cls(np.zeros((0, 3)), np.zeros(1, np.int64), ints, bits, bits, bits, ints, ints)

    def __len__(self) -> int:
        return len(self.kind)


KEPT: Final = 4096
"""Entities that are kept after they were read from JSON, and characters of the JSON up to which they are kept."""


def entity_of(keys: str) -> Entity | None:
    """Entity from its keys as JSON; None if they are not a list of pairs of strings.

    Each part of a compile that looks at entities asks for all of them, so they are kept.
    """
    return _kept_entity(keys) if len(keys) <= KEPT else _read_entity(keys)


def _read_entity(keys: str) -> Entity | None:
    try:
        pairs = json.loads(keys)
    except (ValueError, RecursionError):
        return None
    if not isinstance(pairs, list):
        return None
    for pair in pairs:
        if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and isinstance(pair[1], str)):
            return None
    return Entity(tuple((key, value) for key, value in pairs))


_kept_entity = lru_cache(KEPT)(_read_entity)


@dataclass(frozen=True, slots=True)
class Entities:
    """The map's entities, a row each, in map order."""

    classname: tuple[str, ...]
    """(n,) class name; "" if it has none."""
    origin: Float
    """(n, 3) origin; NaN if it has none."""
    keys: tuple[str, ...]
    """(n,) JSON: a list of [key, value] in map order. If a key occurs twice, the last value counts."""

    @classmethod
    def of(cls, entities: Iterable[Entity]) -> Entities:
        """Table of the entities of a map."""
        rows = list(entities)
        nowhere = (np.nan, np.nan, np.nan)
        return cls(
            tuple(entity.classname for entity in rows),
            np.array([entity.vector("origin") or nowhere for entity in rows], np.float64).reshape(-1, 3),
            tuple(json.dumps(entity.pairs, ensure_ascii=False, separators=(",", ":")) for entity in rows),
        )

    def entity(self, row: int) -> Entity:
        """Entity of a row, with all its keys."""
        found = entity_of(self.keys[row])
        if found is None:
            raise ValueError(f"the keys of entity {row} are not a list of pairs of strings")
        return found

    def __len__(self) -> int:
        return len(self.classname)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Origin of a compiled file. It holds no time and no machine name, so the same input gives the same bytes."""

    generator: str
    """Program and version that made it."""
    name: str
    """The input's file name, without folders."""
    sha256: str
    """SHA-256 of the input's bytes, hexadecimal."""
    checksum: int
    """The engine's checksum of the map (signed 32 bits); 0 if the map was source."""
    settings: str
    """JSON object: all settings of the compile; {} if the file was imported."""
    stages: str
    """JSON list of {"name", "counts"}: the counts of each stage."""
    geometry: str = ""
    """SHA-256 of everything that areas are made from, hexadecimal; "" if the file was imported."""


@dataclass(frozen=True, slots=True)
class Slopes:
    """How steep the ground of areas is, from an engine file that has no ground faces to compute it from."""

    share: Float
    """(areas,) mean of 1 − z of the normals of its ground faces, 0 to 1; 0 without ground."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A compiled map."""

    areas: Areas
    links: Links | None
    """None: not computed."""
    clusters: Clusters | None
    """None: not computed."""
    boxes: Boxes
    rides: Rides
    context: Context
    entities: Entities
    leak: Float
    """(n, 3) trail from an entity to the outside; empty if the map is closed."""
    provenance: Provenance
    places: Places | None = None
    """None: not computed."""
    sight: Sight | None = None
    """None: not computed."""
    slopes: Slopes | None = None
    """None: computed from the ground faces."""


def stored_number(compiled: Compiled, group: str, name: str) -> float:
    """A number from the settings that a file was compiled with; the game's own if the file does not contain it."""
    default: float = getattr(getattr(QUAKE3, group), name)
    value = _stored(compiled.provenance.settings, group).get(name)
    return float(value) if isinstance(value, int | float) else default


def stored_word(compiled: Compiled, group: str, name: str, options: Sequence[str]) -> str:
    """A word from the settings that a file was compiled with; the first of the options if the file has none of them."""
    value = _stored(compiled.provenance.settings, group).get(name)
    return next((option for option in options if option == value), options[0])


@lru_cache(16)
def _stored(settings: str, group: str) -> Mapping[str, object]:
    """A group of settings from their JSON; empty if they do not have it."""
    fields = json.loads(settings).get(group)
    return fields if isinstance(fields, Mapping) else {}


def with_used_planes(areas: Areas) -> Areas:
    """The areas without planes that no face and no node uses. Pairs stay together and in order."""
    used = np.zeros(len(areas.planes) // 2, np.bool_)
    used[areas.face_plane >> 1] = True
    used[areas.node_plane >> 1] = True
    pair = np.flatnonzero(used)
    number = np.zeros(len(used), np.int32)
    number[pair] = np.arange(len(pair), dtype=np.int32)
    rows = np.stack([2 * pair, 2 * pair + 1], axis=1).reshape(-1)
    return replace(
        areas,
        planes=Planes(areas.planes.normal[rows], areas.planes.dist[rows]),
        face_plane=2 * number[areas.face_plane >> 1] + (areas.face_plane & 1),
        node_plane=2 * number[areas.node_plane >> 1] + (areas.node_plane & 1),
    )
