"""Risk of jumps, falls and throws: the share of the engine's bots that die when they take a link in the simulator.

Bots come running from the links that lead into the source area, turn to the end of a fall 48 units before its start,
keep their sideways speed, and aim past the end (player.bot_kernel). They run into a jump pad and are thrown from where
they touch it. Where a miss kills, that costs more than a detour.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from aascompile.csr import starts_of
from aascompile.model.areas import Areas
from aascompile.model.links import MOST_TIME, SPECIAL, Links, Travel
from aascompile.model.mapdata import Float, Index, Int
from aascompile.player.bot import bots_take
from aascompile.player.movement import Movement
from aascompile.reach import times
from aascompile.reach.remembered import Remembered, Tries
from aascompile.settings import Settings

RISKY: Final = (Travel.JUMP, Travel.WALK_OFF_LEDGE, Travel.JUMP_PAD)
"""Travel types on which bots may fall."""

ON_FOOT: Final = (Travel.WALK, Travel.JUMP, Travel.WALK_OFF_LEDGE)
"""Travel types that bots leave running."""

DEADLY_SHARE: Final = 0.2
"""Share of bots that die above which a link is hard: it is kept only if nothing else leads to its target."""

APPROACHES: Final = 6
"""Links into the source from which bots come, at most."""

BEHIND: Final = 120.0
"""Units from the start to places from which bots come, whatever links lead into the source."""

BEFORE: Final = (12.0, 36.0)
"""Units before the start of a link onto a jump pad from which bots run at it."""

TURNS: Final = np.radians((0.0, 60.0, -60.0))
"""Directions of these places, from straight behind the start."""


def deaths(
    links: Links, areas: Areas, movement: Movement, threads: int = 1, remembered: Remembered | None = None
) -> Float:
    """(n,) share of the bots that die when they take each link; 0 for links that are not simulated."""
    rows = np.flatnonzero(np.isin(links.kind, RISKY) & (links.model < 0))
    share = np.zeros(len(links))
    if not len(rows):
        return share
    number = np.ascontiguousarray(np.stack([links.source, links.target, links.kind], axis=1)[rows], np.int32)
    place = np.ascontiguousarray(np.hstack([links.start, _aims(links), links.velocity])[rows])
    begin, origin = _approaches(links, rows, len(areas), movement.settings.physics.walk_speed)
    tries = Tries(number, place, begin, origin)

    def simulate(which: Tries) -> Int:
        return bots_take(areas, movement, which.number, which.place, which.begin, which.origin, threads)

    tried = simulate(tries) if remembered is None else remembered.results(tries, simulate)
    share[rows] = tried[:, 2] / np.maximum(tried[:, 0], 1)
    return share


def with_risk(links: Links, died: Float, settings: Settings) -> Links:
    """The links with the time that deaths cost; ``died (n,)``: share of bots that die on each."""
    time = np.rint(links.time + times.deaths(died, settings))
    return replace(links, time=np.minimum(time, MOST_TIME).astype(np.int32))


def _aims(links: Links) -> Float:
    """(n, 3) where bots steer to: the end of each link. On a jump pad they cannot choose, and steer to the end of the
    quickest throw, of equals the farthest, which the engine's file lists last."""
    aims = links.end.copy()
    rows = np.flatnonzero(links.kind == Travel.JUMP_PAD)
    throw = (links.end - links.start)[rows]
    far = np.hypot(throw[:, 0], throw[:, 1])
    order = rows[np.lexsort((-rows, -far, links.time[rows], links.source[rows]))]
    source, first = np.unique(links.source[order], return_index=True)
    aims[rows] = links.end[order[first[np.searchsorted(source, links.source[rows])]]]
    return aims


def _approaches(links: Links, rows: Index, areas: int, speed: float) -> tuple[Index, Float]:
    """Where bots come from when they take each of the links ``rows``, as CSR: (m, 5) place x, y, z and velocity x, y.

    They come from the ends of the links into the source area, in the direction of these, and from behind the start.
    At a jump pad they run from before the links into it to its middle.
    """
    used = np.flatnonzero(~np.isin(links.kind, SPECIAL))
    order = used[np.argsort(links.target[used], kind="stable")]
    into = starts_of(np.bincount(links.target[used], minlength=areas))
    ahead = links.end - links.start
    ahead = ahead[:, :2] / np.maximum(np.hypot(ahead[:, 0], ahead[:, 1]), 1.0)[:, None]
    came = np.hstack([links.end, speed * ahead * np.isin(links.kind, ON_FOOT)[:, None]])
    walked = np.isin(links.kind, (Travel.WALK, Travel.CROUCH))
    source = links.source[rows]
    count = into[source + 1] - into[source]
    some = starts_of(np.minimum(count, APPROACHES))
    onto = order[np.repeat(into[source], np.diff(some)) + _spread(count)]
    x, y = ahead[rows, 0, None], ahead[rows, 1, None]
    towards = np.stack([np.cos(TURNS) * x - np.sin(TURNS) * y, np.sin(TURNS) * x + np.cos(TURNS) * y], axis=2)
    behind = np.empty((len(rows), len(TURNS), 5))
    behind[:, :, :3] = links.start[rows, None]
    behind[:, :, 3:] = speed * towards
    behind[:, :, :2] -= BEHIND * towards
    parts: list[Float] = []
    for k, (row, first, end) in enumerate(zip(rows.tolist(), some[:-1].tolist(), some[1:].tolist(), strict=True)):
        before = onto[first:end]
        if links.kind[row] == Travel.JUMP_PAD:
            at = _run_at(links.start[before[walked[before]]], links.start[row], speed)
            parts += [came[before[~walked[before]]], at]
        else:
            parts += [came[before], behind[k]]
    sizes = np.array([len(part) for part in parts]).reshape(-1, 2).sum(axis=1)
    return starts_of(sizes), np.ascontiguousarray(np.concatenate(parts))


def _spread(counts: Index) -> Index:
    """At most APPROACHES numbers below each of ``counts``, evenly spread, one count after the other."""
    some = {count: np.linspace(0, count - 1, min(count, APPROACHES)).astype(np.int64) for count in set(counts.tolist())}
    return np.concatenate([np.zeros(0, np.int64), *(some[count] for count in counts.tolist())])


def _run_at(place: Float, goal: Float, speed: float) -> Float:
    """(2 n, 5) places before ``place (n, 3)``, with velocities that point to a goal (3,)."""
    towards = (goal - place)[:, :2]
    towards /= np.maximum(np.hypot(towards[:, 0], towards[:, 1]), 1.0)[:, None]
    rows = [np.hstack([place - far * np.pad(towards, ((0, 0), (0, 1))), speed * towards]) for far in BEFORE]
    return np.concatenate(rows)
