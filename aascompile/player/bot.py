"""Lets simulated bots take many links at once: how many arrive, and how many die."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import rows_of, starts_of
from aascompile.model.areas import Areas
from aascompile.model.mapdata import Float, Index, Int
from aascompile.player.bot_kernel import Bot
from aascompile.player.follow import traits_of
from aascompile.player.movement import Movement
from aascompile.records import dataclass
from aascompile.threads import over_ranges

COLUMNS: Final = 6
"""Numbers that are found for each link."""

DIGEST: Final = 16
"""Bytes of the digest of a try."""


@dataclass(frozen=True, slots=True)
class Tries:
    """Links that bots are to take, and how they come there."""

    number: Int
    """(n, 3) source, target, travel type."""
    place: Float
    """(n, 9) start, end, velocity."""
    begin: Index
    """(n + 1,) CSR into ``onto`` and ``origin``."""
    onto: Int
    """(m, 3) link by which a bot comes: source, target, travel type; −1: it appears in the source."""
    origin: Float
    """(m, 7) start and end of that link; of a bot that appears, place and velocity (x, y, 0); then the moment at which
    it begins, as a share of the time between two decisions."""
    sure: NDArray[np.uint8]
    """(m,) whether the bot is sure to arrive, because there is no danger where it runs."""
    then: Int
    """(m, 3) link to which a bot goes on after a landing: source, target, travel type; −1: it stays at the end."""
    beyond: Float
    """(m, 6) start and end of that link."""

    def take(self, rows: Index) -> Tries:
        """The tries of these rows."""
        coming = rows_of(self.begin, rows)
        return Tries(
            np.ascontiguousarray(self.number[rows]),
            np.ascontiguousarray(self.place[rows]),
            starts_of(np.diff(self.begin)[rows]),
            np.ascontiguousarray(self.onto[coming]),
            np.ascontiguousarray(self.origin[coming]),
            np.ascontiguousarray(self.sure[coming]),
            np.ascontiguousarray(self.then[coming]),
            np.ascontiguousarray(self.beyond[coming]),
        )

    def digests(self) -> list[bytes]:
        """A digest of each row: equal rows have equal results."""
        from hashlib import blake2b

        begin = self.begin.tolist()
        found = []
        for number, place, first, last in zip(self.number, self.place, begin[:-1], begin[1:], strict=True):
            coming = (self.onto, self.origin, self.sure, self.then, self.beyond)
            row = b"".join(column.tobytes() for column in (number, place, *(column[first:last] for column in coming)))
            found.append(blake2b(row, digest_size=DIGEST).digest())
        return found

    def __len__(self) -> int:
        return len(self.number)


def bots_take(areas: Areas, movement: Movement, tries: Tries, threads: int = 1) -> Int:
    """Let bots take links.

    Returns (n, 6): how many bots tried each link, how many arrived, and how many were harmed; the least room beyond a
    landing, in units, and the highest speed of one, in units/s, −1 without a landing; what a miss costs (MissCost).
    """
    traits = traits_of(areas, movement.settings)
    found: Int = np.zeros((len(tries), COLUMNS), np.int32)

    def run(first: int, last: int) -> None:
        with movement.lent_mover() as mover:
            bot = Bot(mover, traits, movement.settings.physics)
            coming = tries.onto, tries.origin, tries.sure, tries.then, tries.beyond
            bot.tries(tries.number, tries.place, tries.begin, *coming, first, last, found)

    over_ranges(run, len(tries), 64, threads)
    return found


def are_safe(areas: Areas, movement: Movement, places: Float, threads: int = 1) -> NDArray[np.bool_]:
    """(n,) whether the floor goes on all round places (n, 3), up to walls, without hazards and triggers."""
    traits = traits_of(areas, movement.settings)
    found = np.zeros(len(places), np.uint8)

    def run(first: int, last: int) -> None:
        with movement.lent_mover() as mover:
            Bot(mover, traits, movement.settings.physics).safe_places(places, first, last, found)

    over_ranges(run, len(places), 64, threads)
    return found.view(np.bool_)
