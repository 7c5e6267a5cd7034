"""What probers found and noted, as records. ``attempts_kernel`` explains the terms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from aascompile.model.mapdata import Float, Int
from aascompile.records import dataclass

Table = tuple[Int, Float]
"""Numbers and places, a row for each attempt, as a prober returns them."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Attempts that a replay confirmed."""

    source: Int
    """(n,) area."""
    target: Int
    """(n,) area."""
    kind: Int
    """(n,) travel type."""
    rim: Int
    """(n,) row of the rim."""
    hard: NDArray[np.bool_]
    """(n,) whether it is hard for a bot."""
    start: Float
    """(n, 3) player origin."""
    end: Float
    """(n, 3) player origin."""
    velocity: Float
    """(n, 3) at the start, units/s."""
    fall: Float
    """(n,) units that the player falls."""
    gap: Float
    """(n,) units between the rims that a jump crosses; −1 for other travel types."""

    @classmethod
    def of(cls, tables: Sequence[Table]) -> Confirmed:
        """The rows of ``result()`` of some probers, one prober after another."""
        number = np.concatenate([table[0] for table in tables])
        place = np.concatenate([table[1] for table in tables])
        source, target, kind, rim, hard = number.T
        start, end, velocity, fall, gap = place[:, :3], place[:, 3:6], place[:, 6:9], place[:, 9], place[:, 10]
        return cls(source, target, kind, rim, hard != 0, start, end, velocity, fall, gap)


@dataclass(frozen=True, slots=True)
class Notes:
    """All attempts that a prober noted."""

    kind: Int
    """(n,) travel type."""
    source: Int
    """(n,) area."""
    target: Int
    """(n,) area; −1: none."""
    why: Int
    """(n,) reason (``player.reason``)."""
    start: Float
    """(n, 3) player origin."""
    place: Float
    """(n, 3) where it failed."""
    measure: Float
    """(n,) by how many units it failed."""
    velocity: Float
    """(n, 3) at the start of a replay, units/s; 0 without a replay."""
    end: Float
    """(n, 3) where a replay should end; 0 without a replay."""

    @classmethod
    def of(cls, table: Table) -> Notes:
        """The rows of ``noted()`` of a prober."""
        number, place = table
        kind, source, target, _, why = number.T
        velocity = np.hstack([place[:, 7:9], np.zeros((len(place), 1))])
        return cls(kind, source, target, why, place[:, :3], place[:, 3:6], place[:, 6], velocity, place[:, 9:])
