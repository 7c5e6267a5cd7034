"""Which areas see which."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile.model.mapdata import Index, Int
from aascompile.records import dataclass

FULL = 255
"""Share that stands for 1: every line is free."""


@dataclass(frozen=True, slots=True)
class Sight:
    """Pairs of areas that see each other, both ways, and each area itself.

    Only areas in which a player can stay have rows: those with ground, liquid or a ladder.
    """

    start: Index
    """(areas + 1,) CSR into the other columns."""
    area: Int
    """(n,) areas that are seen, ascending for each area that sees them."""
    share: NDArray[np.uint8]
    """(n,) share of the lines between eyes in both areas that are free, times 255; at least 1."""

    def __len__(self) -> int:
        return len(self.area)
