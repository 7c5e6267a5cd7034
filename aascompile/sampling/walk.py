"""Straight walks over the floor."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.model.mapdata import Float, Int
from aascompile.records import dataclass
from aascompile.sampling.sample import lent_sampler
from aascompile.sampling.sample_kernel import AreaTree
from aascompile.sampling.walk_kernel import walk_rows
from aascompile.settings import Physics
from aascompile.threads import over_ranges

WALKS: Final = 64
"""Walks that a thread tries at a time."""


class WalkEnd(IntEnum):
    """Why a straight walk ends; walk_kernel has the same numbers."""

    ARRIVES = 0
    NO_ROOM = 1
    """No player fits at an end."""
    WALL = 2
    """Something higher than a step is in the way."""
    GAP = 3
    """The floor ends, or continues more than a step below."""
    STEEP = 4
    """The ground is too steep to stand on."""
    LIQUID = 5
    """The player would swim."""
    HAZARD = 6
    """Lava, slime or a hurt trigger."""
    TRIGGER = 7
    """A jump pad or teleporter takes the player away."""
    OTHER_LEVEL = 8
    """It arrives above or below the goal."""


@dataclass(frozen=True, slots=True)
class Walks:
    """Results of n straight walks."""

    why: Int
    """(n,) WalkEnd."""
    end: Float
    """(n, 3) player's origin where the walk ends."""
    left: NDArray[np.bool_]
    """(n,) whether it leads over the ground of another area than it starts on."""


def straight_walks(
    tree: AreaTree, starts: Float, ends: Float, physics: Physics, presence: int, threads: int = 1
) -> Walks:
    """Walks from ``starts (n, 3)`` to ``ends (n, 3)``, which are origins of players who stand there."""
    n = len(starts)
    why, reached, left = np.empty(n, np.int32), np.empty((n, 3)), np.empty(n, np.int8)

    def work(first: int, last: int) -> None:
        with lent_sampler(tree) as sampler:
            step, floor_up = physics.step, physics.floor_up
            walk_rows(sampler, starts, ends, step, floor_up, presence, first, last, why, reached, left)

    over_ranges(work, n, WALKS, threads)
    return Walks(why, reached, left != 0)
