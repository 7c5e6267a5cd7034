"""What each brush or patch of a map means to the compiler: the output of ``brushes.meaning``."""

from __future__ import annotations

from aascompile.model.mapdata import Bits, Float, Int
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class Meaning:
    """One row a brush (or a patch), in the order of the map's own columns.

    Requirements: ``reason`` is −1 exactly where ``kind`` is not 0; ``model`` is −1 exactly where
    ``kind`` has none of MOVER, TELEPORTER and JUMPPAD.
    """

    kind: Bits
    """(n,) Kind bits; 0: it is not used."""
    model: Int
    """(n,) model of the door, teleporter or jump pad it is part of; −1: none."""
    entity: Int
    """(n,) row of the entity that owns it; −1: a model that no entity uses."""
    offset: Float
    """(n, 3) units to add to its coordinates to have it stand where the entity stands."""
    reason: Int
    """(n,) row in ``reasons``: why it is not used; −1: it is."""
    reasons: tuple[str, ...]
    """Clauses such as "fog" or "func_plat: an elevator, …", in the order in which the map first needs them."""
    unknown: tuple[str, ...]
    """Classes with a brush model that the compiler does not know, sorted."""

    def __len__(self) -> int:
        return len(self.kind)
