"""Replays many links at once: whether a player who takes each of them arrives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.contents import DEADLY, TAKES_AWAY
from aascompile.model.mapdata import Bits, Float, Int
from aascompile.player.follow_kernel import Follower
from aascompile.player.movement import Movement
from aascompile.records import dataclass
from aascompile.settings import Settings
from aascompile.threads import over_ranges


@dataclass(frozen=True, slots=True)
class AreaTraits:
    """What replays and probes need to know about the areas. All threads share it."""

    presence: Bits
    """(areas,) boxes that fit."""
    liquid: NDArray[np.int8]
    """(areas,) 1 in liquid."""
    grounded: NDArray[np.uint8]
    """(areas,) 1 with ground."""
    trigger: NDArray[np.uint8]
    """(areas,) 1 where a jump pad or teleporter takes the player away."""
    pad: Int
    """(areas,) model of the jump pad or teleporter; −1: none."""
    deadly: NDArray[np.uint8]
    """(areas,) 1 in lava, slime or a hurt trigger."""
    standing: int
    """Presence of the standing box."""


def traits_of(areas: Areas, settings: Settings) -> AreaTraits:
    """Traits of the areas."""
    return AreaTraits(
        presence=areas.area_presence,
        liquid=((areas.area_flags & np.uint32(AreaFlag.LIQUID)) != 0).astype(np.int8),
        grounded=((areas.area_flags & np.uint32(AreaFlag.GROUNDED)) != 0).astype(np.uint8),
        trigger=((areas.area_contents & np.uint32(TAKES_AWAY)) != 0).astype(np.uint8),
        pad=areas.area_trigger,
        deadly=((areas.area_contents & np.uint32(DEADLY)) != 0).astype(np.uint8),
        standing=settings.boxes[0].presence,
    )


def replay_rows(areas: Areas, movement: Movement, number: Int, place: Float, threads: int = 1) -> tuple[Int, Float]:
    """Replay links: ``number (n, 3)`` source, target, travel type; ``place (n, 9)`` start, end, velocity.

    Returns (n, 3) Reason, area at the end, area where the first flight landed; (n, 6) the places of the two.
    """
    traits = traits_of(areas, movement.settings)
    found: Int = np.zeros((len(number), 3), np.int32)
    where = np.zeros((len(number), 6))

    def run(first: int, last: int) -> None:
        with movement.lent_mover() as mover:
            follower = Follower(mover, traits, movement.settings.physics)
            follower.replays(number, place, first, last, found, where)

    over_ranges(run, len(number), 256, threads)
    return found, where
