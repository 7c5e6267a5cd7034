"""Where players start and where items lie once the game has begun."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile.model.mapdata import Float, Int
from aascompile.records import dataclass


@dataclass(frozen=True, slots=True)
class Places:
    """Items and spawns, a row each, in the order of the entities.

    Requirements: ``area`` is −1 exactly where ``reason`` is not "".
    """

    entity: Int
    """(n,) row in the map's entities."""
    item: NDArray[np.bool_]
    """(n,) an item; otherwise a spawn."""
    point: Float
    """(n, 3) origin of a player who is there: on the floor, but for an item that hangs high in the air."""
    area: Int
    """(n,) the area in which one has it; −1: none."""
    reason: tuple[str, ...]
    """(n,) why it has none, one clause; "" where it has one."""

    @classmethod
    def none(cls) -> Places:
        """Nothing is known of any."""
        return cls(np.zeros(0, np.int32), np.zeros(0, np.bool_), np.zeros((0, 3)), np.zeros(0, np.int32), ())

    def areas_of_items(self) -> Int:
        """The areas with items, ascending, each once."""
        return np.unique(self.area[self.item & (self.area >= 0)])

    def __len__(self) -> int:
        return len(self.entity)
