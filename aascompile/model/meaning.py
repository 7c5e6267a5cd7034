"""Meaning of each brush or patch of a map: the output of ``brushes.meaning``."""

from __future__ import annotations

import numpy as np

from aascompile.distinct import distinct
from aascompile.model.contents import Kind
from aascompile.model.mapdata import Bits, Float, Int
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class Meaning:
    """One row per brush (or patch), in map order.

    Requirements: ``reason`` is −1 exactly where ``kind`` is not 0; ``model`` is −1 exactly where
    ``kind`` has none of MOVER, TELEPORTER and JUMPPAD; ``factor`` is 1 unless ``kind`` has COST.
    """

    kind: Bits
    """(n,) Kind bits; 0 if it is not used."""
    model: Int
    """(n,) model of the door, teleporter or jump pad that it is part of; −1: none."""
    entity: Int
    """(n,) row of the entity that owns it; −1 if no entity uses its model."""
    offset: Float
    """(n, 3) offset in units that moves it to where its entity stands."""
    factor: Float
    """(n,) factor of what walking in it costs."""
    reason: Int
    """(n,) row in ``reasons`` that says why it is not used; −1 if it is used."""
    reasons: tuple[str, ...]
    """Clauses such as "fog" or "func_plat: an elevator, …", in order of first use."""
    unknown: tuple[str, ...]
    """Unknown entity classes that have a brush model, sorted."""

    def __len__(self) -> int:
        return len(self.kind)

    def factors(self) -> Float:
        """The different cost factors, ascending."""
        return distinct(self.factor[(self.kind & np.uint32(Kind.COST)) != 0])
