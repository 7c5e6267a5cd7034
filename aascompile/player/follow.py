"""Replays many links at once: whether a player who takes each of them arrives."""

from __future__ import annotations

import numpy as np

from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.contents import TAKES_AWAY
from aascompile.model.mapdata import Float, Int
from aascompile.player.follow_kernel import Follower
from aascompile.player.movement import Movement
from aascompile.threads import over_ranges


def replay_rows(areas: Areas, movement: Movement, number: Int, place: Float, threads: int = 1) -> tuple[Int, Float]:
    """Replay links: ``number (n, 3)`` source, target, travel type; ``place (n, 9)`` start, end, velocity.

    Returns (n, 3) Reason, area at the end, area where the first flight landed; (n, 6) the places of the two.
    """
    settings = movement.settings
    liquid = ((areas.area_flags & np.uint32(AreaFlag.LIQUID)) != 0).astype(np.int8)
    grounded = (areas.area_flags & np.uint32(AreaFlag.GROUNDED)) != 0
    trigger = (areas.area_contents & np.uint32(TAKES_AWAY)) != 0
    found: Int = np.zeros((len(number), 3), np.int32)
    where = np.zeros((len(number), 6))

    def run(first: int, last: int) -> None:
        follower = Follower(
            movement.mover(),
            areas.area_presence,
            liquid,
            grounded,
            trigger,
            settings.physics,
            settings.boxes[0].presence,
        )
        follower.replays(number, place, first, last, found, where)

    over_ranges(run, len(number), 256, threads)
    return found, where
