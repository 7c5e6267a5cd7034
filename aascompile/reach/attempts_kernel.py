# mypy: ignore-errors
"""Table of attempts that a replay confirmed, and notes on those that failed.

Glossary
    attempt  a candidate link: travel type, areas, rim, start, velocity at the start, and end.
    replay   a simulated bot makes the attempt: from its start, with its velocity, steering to its end. Only attempts
             that a replay confirms become links, so the links of a compiled file can be replayed at any time.
    note     what was tried and why it failed. Notes are taken only if ``noting`` is set, to explain missing links.

Each confirmed attempt is a row: source, target, travel type, rim, whether it is hard for a bot; start, end, velocity,
fall, gap.
"""

import cython
import numpy as np
from cython.cimports.aascompile.player.follow_kernel import ARRIVES, Attempt, Follower

from aascompile.columns import grown


class Attempts(Follower):
    """Attempts of one thread."""

    def __init__(self, mover, traits, physics):
        Follower.__init__(self, mover, traits, physics)
        self.number = np.empty((256, 5), np.intc)
        self.place = np.empty((256, 11))
        self.rows = 0
        self.noting = False
        self.note_number = np.empty((16, 5), np.intc)
        self.note_place = np.zeros((16, 12))
        self.notes = 0

    def attempt(self, kind, source, target, rim, x, y, z):
        """Return an attempt that starts at rest at a point. Its end is the same point until it is set."""
        made: Attempt
        made.kind = kind
        made.source = source
        made.target = target
        made.rim = rim
        made.sx = x
        made.sy = y
        made.sz = z
        made.vx = 0.0
        made.vy = 0.0
        made.vz = 0.0
        made.ex = x
        made.ey = y
        made.ez = z
        return made

    def note(self, tried, why, x, y, z, measure):
        """If ``noting``, record what was tried, where it failed and by how many units."""
        if not self.noting:
            return
        r: cython.int = self.notes
        if r >= self.note_number.shape[0]:
            with cython.gil:
                self.note_number, self.note_place = grown(r + 1, self.note_number, self.note_place)
        self.notes = r + 1
        self.note_number[r, 0] = tried.kind
        self.note_number[r, 1] = tried.source
        self.note_number[r, 2] = tried.target
        self.note_number[r, 3] = tried.rim
        self.note_number[r, 4] = why
        self.note_place[r, 0] = tried.sx
        self.note_place[r, 1] = tried.sy
        self.note_place[r, 2] = tried.sz
        self.note_place[r, 3] = x
        self.note_place[r, 4] = y
        self.note_place[r, 5] = z
        self.note_place[r, 6] = measure

    def note_replay(self, tried):
        """If ``noting``, record a replay that failed, with its velocity and end."""
        if not self.noting:
            return
        self.note(tried, self.why, self.mover.x, self.mover.y, self.mover.z, 0.0)
        r: cython.int = self.notes - 1
        self.note_place[r, 7] = tried.vx
        self.note_place[r, 8] = tried.vy
        self.note_place[r, 9] = tried.ex
        self.note_place[r, 10] = tried.ey
        self.note_place[r, 11] = tried.ez

    def keep(self, tried):
        """Replay an attempt and add it to the table if it arrives. Return whether it did."""
        if not self.replay(tried):
            self.note_replay(tried)
            return False
        self.note(tried, ARRIVES, tried.ex, tried.ey, tried.ez, 0.0)
        r: cython.int = self.rows
        if r >= self.number.shape[0]:
            with cython.gil:
                self.number, self.place = grown(r + 1, self.number, self.place)
        self.rows = r + 1
        self.number[r, 0] = tried.source
        self.number[r, 1] = tried.target
        self.number[r, 2] = tried.kind
        self.number[r, 3] = tried.rim
        self.number[r, 4] = 0
        self.place[r, 0] = tried.sx
        self.place[r, 1] = tried.sy
        self.place[r, 2] = tried.sz
        self.place[r, 3] = tried.ex
        self.place[r, 4] = tried.ey
        self.place[r, 5] = tried.ez
        self.place[r, 6] = tried.vx
        self.place[r, 7] = tried.vy
        self.place[r, 8] = tried.vz
        self.place[r, 9] = self.mover.fall
        self.place[r, 10] = -1.0
        return True

    def has(self, first, kind, target, hard):
        """Whether the rows since ``first`` have one of this travel type to this target. Hard rows count only if
        ``hard``."""
        i: cython.int
        for i in range(first, self.rows):
            if self.number[i, 2] == kind and self.number[i, 1] == target and (hard or not self.number[i, 4]):
                return True
        return False

    def call_hard(self, hard):
        """Mark the last row as hard for a bot, or as not hard."""
        self.number[self.rows - 1, 4] = hard

    def call_gap(self, gap):
        """Set the width of the gap that the last row crosses."""
        self.place[self.rows - 1, 10] = gap

    def result(self):
        """(n, 5) source, target, travel type, rim, hard; (n, 11) start, end, velocity, fall, gap (−1: none)."""
        return np.asarray(self.number)[: self.rows].copy(), np.asarray(self.place)[: self.rows].copy()

    def noted(self):
        """(n, 5) travel type, source, target (−1: none), rim, reason; (n, 12) start, place of failure, measure, and for
        replays the velocity (x and y) at the start and the intended end."""
        return np.asarray(self.note_number)[: self.notes].copy(), np.asarray(self.note_place)[: self.notes].copy()
