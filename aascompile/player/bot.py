"""Lets simulated bots take many links at once: how many arrive, and how many die."""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.model.areas import Areas
from aascompile.model.mapdata import Float, Index, Int
from aascompile.player.bot_kernel import Bot
from aascompile.player.follow import traits_of
from aascompile.player.movement import Movement
from aascompile.threads import over_ranges

COLUMNS: Final = 6
"""Numbers that are found for each link."""


def bots_take(
    areas: Areas,
    movement: Movement,
    number: Int,
    place: Float,
    begin: Index,
    origin: Float,
    threads: int = 1,
    wary: bool = False,
) -> Int:
    """Let bots take links: ``number (n, 3)`` source, target, travel type; ``place (n, 9)`` start, end, velocity. They
    come running from ``origin (m, 3)``, places in the source, of which link i has ``begin[i]:begin[i + 1]``.
    ``wary``: nobody tries walks around which there is only floor.

    Returns (n, 6): how many bots tried each link, how many arrived, and how many were harmed; the least room beyond a
    landing, in units, and the highest speed of one, in units/s, −1 without a landing; what a miss costs (MissCost).
    """
    traits = traits_of(areas, movement.settings)
    found: Int = np.zeros((len(number), COLUMNS), np.int32)

    def run(first: int, last: int) -> None:
        with movement.lent_mover() as mover:
            bot = Bot(mover, traits, movement.settings.physics)
            bot.tries(number, place, begin, origin, first, last, wary, found)

    over_ranges(run, len(number), 64, threads)
    return found
