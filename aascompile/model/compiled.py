"""All that a compiled file holds: the areas, the ways between them, and what a viewer needs to show them.

docs/data-model.md describes every table and lists what must hold of it; ``model.checks`` checks that list.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from aascompile.model.areas import Areas
from aascompile.model.clusters import Clusters
from aascompile.model.links import Links
from aascompile.model.mapdata import Bits, Entity, Float, Index, Int, Planes
from aascompile.model.places import Places
from aascompile.records import dataclass
from aascompile.settings import Box


@dataclass(frozen=True, slots=True)
class Boxes:
    """The shapes an agent takes, the largest first."""

    presence: Bits
    """(n,) its bit in an area's presence."""
    mins: Float
    """(n, 3) round the player's origin."""
    maxs: Float
    """(n, 3)"""

    @classmethod
    def of(cls, boxes: Iterable[Box]) -> Boxes:
        """The boxes of settings."""
        rows = list(boxes)
        return cls(
            np.array([box.presence for box in rows], np.uint32),
            np.array([box.mins for box in rows], np.float64).reshape(-1, 3),
            np.array([box.maxs for box in rows], np.float64).reshape(-1, 3),
        )

    @property
    def feet(self) -> float:
        """Units from the player's origin down to the feet."""
        return -float(self.mins[0, 2])

    def __len__(self) -> int:
        return len(self.presence)


@dataclass(frozen=True, slots=True)
class Rides:
    """Where brush models carry players: a row for every two places that a platform or train goes between."""

    model: Int
    """(n,) brush model."""
    low: Float
    """(n, 3) middle of the model's box at one end."""
    high: Float
    """(n, 3) middle of its box at the other."""

    @classmethod
    def none(cls) -> Rides:
        """Nothing carries."""
        return cls(np.zeros(0, np.int32), np.zeros((0, 3)), np.zeros((0, 3)))

    def __len__(self) -> int:
        return len(self.model)


@dataclass(frozen=True, slots=True)
class Context:
    """The map's own faces that block a player, as they were drawn: not grown by a box."""

    vertex: Float
    """(v, 3) no two equal."""
    start: Index
    """(n + 1,) CSR into ``corner``."""
    corner: Int
    """(k,) vertex rows, counter-clockwise seen from outside the brush."""
    kind: Bits
    """(n,) Kind bits: what its brush means to the compiler."""
    contents: Bits
    """(n,) Contents bits of its brush or patch, as in the map."""
    flags: Bits
    """(n,) Surface bits, as in the map."""
    brush: Int
    """(n,) number of its brush in the map; −1: it is of a patch."""
    patch: Int
    """(n,) number of its patch in the map; −1: it is of a brush."""

    @classmethod
    def none(cls) -> Context:
        """Nothing to look at."""
        bits, ints = np.zeros(0, np.uint32), np.zeros(0, np.int32)
        return cls(np.zeros((0, 3)), np.zeros(1, np.int64), ints, bits, bits, bits, ints, ints)

    def __len__(self) -> int:
        return len(self.kind)


@dataclass(frozen=True, slots=True)
class Entities:
    """The map's entities, a row each, in the map's order."""

    classname: tuple[str, ...]
    """(n,) "" for one without."""
    origin: Float
    """(n, 3) not a number for one without."""
    keys: tuple[str, ...]
    """(n,) JSON: a list of [key, value] in the map's order; a key may come twice, then the last counts."""

    @classmethod
    def of(cls, entities: Iterable[Entity]) -> Entities:
        """The entities of a map."""
        rows = list(entities)
        nowhere = (np.nan, np.nan, np.nan)
        return cls(
            tuple(entity.classname for entity in rows),
            np.array([entity.vector("origin") or nowhere for entity in rows], np.float64).reshape(-1, 3),
            tuple(json.dumps(entity.pairs, ensure_ascii=False, separators=(",", ":")) for entity in rows),
        )

    def entity(self, row: int) -> Entity:
        """One entity with all its keys."""
        return Entity(tuple((key, value) for key, value in json.loads(self.keys[row])))

    def __len__(self) -> int:
        return len(self.classname)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a compiled file came from. No times and no names of machines: the same input gives the same bytes."""

    generator: str
    """Program and version that made it."""
    name: str
    """The input's file name, without folders."""
    sha256: str
    """Of the input's bytes, hexadecimal."""
    checksum: int
    """The engine's checksum of the map (signed 32 bits); 0: none, the map was source."""
    settings: str
    """JSON object: every setting of the compile; {} when the file was imported."""
    stages: str
    """JSON list of {"name", "counts"}: what each stage counted."""
    geometry: str = ""
    """SHA-256 of all that areas are made from, hexadecimal; "": unknown, the file was imported."""


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
    """(n, 3) points from an entity to the outside; empty: the map is closed."""
    provenance: Provenance
    places: Places | None = None
    """None: not computed, as links."""


def with_used_planes(areas: Areas) -> Areas:
    """The same areas without the planes that neither a face nor a node lies on; pairs stay pairs, in their order."""
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
