"""Replaying links: does a player who takes a link as it is stored come to the area it promises?"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.links import Links, Travel
from aascompile.reach.jumppad import replay_pads
from aascompile.reach.local import SWIM_DEPTH
from aascompile.reach.movement import Movement
from aascompile.reach.probe_kernel import Prober
from aascompile.settings import Settings
from aascompile.threads import over_ranges

REPLAYED: Final = (
    Travel.WALK,
    Travel.CROUCH,
    Travel.BARRIER_JUMP,
    Travel.JUMP,
    Travel.WALK_OFF_LEDGE,
    Travel.WATER_JUMP,
    Travel.JUMP_PAD,
)
"""Kinds that movement alone decides, unless a brush model bears the player; the others need an entity, a weapon or a
ladder."""


def replay_links(
    areas: Areas, links: Links, settings: Settings, threads: int = 1
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Rows of the links that can be replayed, and whether each leads where it says."""
    rows = np.flatnonzero(np.isin(links.kind, REPLAYED) & (links.model < 0))
    movement = Movement(areas, settings)
    liquid = ((areas.area_flags & np.uint32(AreaFlag.LIQUID)) != 0).astype(np.int8)
    grounded = (areas.area_flags & np.uint32(AreaFlag.GROUNDED)) != 0
    number = np.ascontiguousarray(np.stack([links.source, links.target, links.kind], axis=1)[rows], np.int32)
    place = np.ascontiguousarray(np.hstack([links.start, links.end, links.velocity])[rows])
    arrives = np.zeros(len(rows), np.int8)

    def run(first: int, last: int) -> None:
        prober = Prober(
            movement.mover(),
            areas.area_presence,
            liquid,
            grounded,
            settings.physics,
            settings.boxes[0].presence,
            SWIM_DEPTH,
        )
        prober.replays(number, place, first, last, arrives)

    over_ranges(run, len(rows), 256, threads)
    good: NDArray[np.bool_] = arrives != 0
    thrown = np.flatnonzero(links.kind[rows] == Travel.JUMP_PAD)
    good[thrown] = replay_pads(areas, links, rows[thrown], movement)
    return rows, good
