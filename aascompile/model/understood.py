"""A map with all that is known of it before areas are made: the output of the reading stages."""

from __future__ import annotations

from aascompile.geometry.hull import Hulls
from aascompile.geometry.planes import PlaneTable
from aascompile.model.entity_facts import EntityFacts
from aascompile.model.facets import Facets
from aascompile.model.mapdata import MapData, Planes
from aascompile.model.meaning import Meaning
from aascompile.records import dataclass
from aascompile.settings import Settings


@dataclass(frozen=True, slots=True)
class Understood:
    """A map, and what its brushes, patches and entities mean."""

    map: MapData
    """Without the brushes that enclose nothing."""
    hulls: Hulls
    """Of its brushes, a row each, not yet moved to where their entities stand."""
    facts: EntityFacts
    meaning: Meaning
    """Of its brushes."""
    patch_meaning: Meaning
    """Of its patches."""
    facets: Facets
    """Of all patches that would block a player; ``patch_meaning`` tells which of them count."""
    planes: Planes
    """The map's planes, their ids unchanged, then those of the facets."""
    table: PlaneTable
    """The compile's plane table. It starts with ``planes``, and later stages add theirs: ids never change."""
    settings: Settings
    """Settings of the compile, with the map's gravity: what all later stages use."""
