"""A map and everything known about it before areas are made: the output of the reading stages."""

from __future__ import annotations

from aascompile.geometry.hull import Hulls
from aascompile.geometry.planes import PlaneTable
from aascompile.model.by_hand import ByHand
from aascompile.model.entity_facts import EntityFacts
from aascompile.model.facets import Facets
from aascompile.model.mapdata import MapData, Planes
from aascompile.model.meaning import Meaning
from aascompile.records import dataclass
from aascompile.settings import Settings


@dataclass(frozen=True, slots=True)
class Understood:
    """A map, and the meaning of its brushes, patches and entities."""

    map: MapData
    """The map without brushes that enclose no volume."""
    hulls: Hulls
    """Hulls of the brushes, a row each, not yet moved to where their entities stand."""
    facts: EntityFacts
    by_hand: ByHand
    """Links and volumes that the mapper adds by hand."""
    meaning: Meaning
    """Meaning of the brushes."""
    patch_meaning: Meaning
    """Meaning of the patches."""
    facets: Facets
    """Facets of all patches that would block a player. ``patch_meaning`` says which patches count."""
    planes: Planes
    """The map's planes with unchanged ids, then the planes of the facets."""
    table: PlaneTable
    """Plane table of the compile. It starts with ``planes``; later stages add planes. Ids never change."""
    settings: Settings
    """Settings of the compile, with the map's gravity, for all later stages."""
