"""Where players spawn, and where items lie once they have dropped to the floor."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.distinct import distinct
from aascompile.model.mapdata import Float, Int
from aascompile.records import dataclass

ITEM_BOX: Final = (15.0, 15.0, 15.0)
"""Half the size of an item's box, in the game."""

LOOKS_DOWN: Final = 50.0
"""Units below an item in which the engine looks for its area. A suspended item that is higher stays in the air."""

IN_A_BRUSH: Final = "its box starts in solid: the game removes it"
NO_FLOOR: Final = "there is no floor below it"
NO_AREA: Final = "no area is near it"


@dataclass(frozen=True, slots=True)
class Places:
    """Items and spawns, a row each, in entity order.

    Requirements: ``area`` is −1 exactly where ``reason`` is not "".
    """

    entity: Int
    """(n,) row in the map's entities."""
    item: NDArray[np.bool_]
    """(n,) whether it is an item; otherwise it is a spawn."""
    point: Float
    """(n, 3) origin of a player there: on the floor, except for an item that hangs high in the air."""
    area: Int
    """(n,) area from which a player takes it or in which a player spawns; −1: none."""
    reason: tuple[str, ...]
    """(n,) clause that says why it has no area; "" if it has an area."""

    @classmethod
    def none(cls) -> Places:
        """No items and no spawns."""
        return cls(np.zeros(0, np.int32), np.zeros(0, np.bool_), np.zeros((0, 3)), np.zeros(0, np.int32), ())

    def areas_of_items(self) -> Int:
        """Areas with items, ascending, each once."""
        return distinct(self.area[self.item & (self.area >= 0)])

    def __len__(self) -> int:
        return len(self.entity)
