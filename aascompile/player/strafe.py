"""Lets simulated players take many jumps that need more speed than a runner has: circle jumps and strafe jumps."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from aascompile.geometry.vectors import flat_lengths
from aascompile.model.areas import Areas
from aascompile.model.links import Links, Tier, Travel
from aascompile.model.mapdata import Float, Index, Int
from aascompile.player.follow import AreaTraits, traits_of
from aascompile.player.movement import Movement
from aascompile.player.strafe_kernel import Strafer
from aascompile.records import dataclass
from aascompile.settings import Physics
from aascompile.threads import over_ranges

CHUNK: Final = 16
"""Jumps that a thread simulates at a time."""

RUN: Final = -1
"""In place of a number of hops: a straight run."""

STRAIGHT: Final = 160.0
"""Units of a straight run-up; strafe_kernel has the same number."""

PHYSICS_KEPT: Final = 16
"""Settings of physics whose run-ups are remembered."""

MOST_HOPS: Final = 3
"""Hops before the last jump; strafe_kernel has the same number."""


NO_AREAS: Final = AreaTraits(
    presence=np.zeros(0, np.uint32),
    liquid=np.zeros(0, np.int8),
    grounded=np.zeros(0, np.uint8),
    trigger=np.zeros(0, np.uint8),
    pad=np.zeros(0, np.int32),
    deadly=np.zeros(0, np.uint8),
    standing=0,
)
"""For what does not depend on a map."""


@dataclass(frozen=True, slots=True)
class FastJumps:
    """What simulated players did."""

    why: Int
    """(n,) Reason why each fails; ARRIVES if it does not."""
    hops: Int
    """(n,) jumps on the way to the rim; RUN: a straight run; −2 if none succeeds."""
    jumps: Int
    """(n,) jumps from the rim on: 2 for a double jump."""
    area: Int
    """(n,) area where it ended."""
    point: Float
    """(n, 3) where the player jumped from the rim."""
    velocity: Float
    """(n, 3) in units/s, right after that jump."""
    seconds: Float
    """(n,) from the beginning of the run-up, at rest, to the landing."""
    room: Float
    """(n,) units between the beginning of the run-up and the rim."""
    end: Float
    """(n, 3) where it ended."""


def take_fast(areas: Areas, movement: Movement, number: Int, place: Float, hops: Int, threads: int = 1) -> FastJumps:
    """Let players take links: ``number (n, 3)`` source, target, travel type; ``place (n, 6)`` start and end;
    ``hops (n, 3)`` the fewest and the most hops, and whether to jump again at the first landing."""
    traits = traits_of(areas, movement.settings)
    number, hops = np.ascontiguousarray(number, np.int32), np.ascontiguousarray(hops, np.int32)
    place = np.ascontiguousarray(place, np.float64)
    found: Int = np.zeros((len(number), 4), np.int32)
    where = np.zeros((len(number), 11))

    def run(first: int, last: int) -> None:
        with movement.lent_mover() as mover:
            player = Strafer(mover, traits, movement.settings.physics)
            player.rows(number, place, hops, first, last, found, where)

    over_ranges(run, len(number), CHUNK, threads)
    why, count, jumps, area = np.ascontiguousarray(found.T)
    return FastJumps(why, count, jumps, area, where[:, :3], where[:, 3:6], where[:, 6], where[:, 7], where[:, 8:11])


def hops_of(tier: Int, needed_speed: Float, physics: Physics) -> Int:
    """(n, 3) the hops that players make for jumps of each Tier that need a speed, as for ``take_fast``: for strafe
    jumps at least as many as give that speed on a level floor."""
    strafe = tier == Tier.STRAFE
    least = np.searchsorted(level_run_ups(physics)[1], needed_speed).clip(1, MOST_HOPS)
    fewest = np.where(strafe, least, np.where(tier == Tier.CIRCLE, 0, RUN))
    return np.column_stack((fewest, np.where(strafe, MOST_HOPS, fewest), np.zeros(len(tier)))).astype(np.int32)


def replay_fast(areas: Areas, movement: Movement, links: Links, rows: Index, threads: int = 1) -> FastJumps:
    """Let players take the double, ramp and strafe jumps ``rows`` of some links, as their tiers say. A link without a
    tier is taken as a strafe jump."""
    tier = np.where(links.tier[rows] < 0, int(Tier.STRAFE), links.tier[rows])
    number = np.stack([links.source, links.target, links.kind], axis=1)[rows]
    hops = hops_of(tier, links.needed_speed[rows], movement.settings.physics)
    hops[:, 2] = links.kind[rows] == Travel.DOUBLE_JUMP
    return take_fast(areas, movement, number, np.hstack([links.start, links.end])[rows], hops, threads)


@lru_cache(PHYSICS_KEPT)
def level_run_ups(physics: Physics) -> tuple[Float, Float]:
    """(hops + 1,) units of run-up on a level floor that jumps with 0, 1, … hops take, and the speeds they give."""
    ahead, aside, speed = Strafer(None, NO_AREAS, physics).level()
    return flat_lengths(np.column_stack((ahead, aside))), speed
