"""Risk of links: the share of the engine's bots that arrive, and that die, when they take a link in the simulator.

Bots come running from the links that lead into the source area, turn to the end of a fall 48 units before its start,
keep their sideways speed, and aim past the end (player.bot_kernel). They run into a jump pad and are thrown from where
they touch it. Where a miss kills, that costs more than a detour.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import owners_of, ranges, rows_of, starts_of
from aascompile.model.areas import Areas
from aascompile.model.contents import DEADLY
from aascompile.model.links import MEASURED, MOST_TIME, SPECIAL, Links, Travel, null_columns
from aascompile.model.mapdata import Float, Index, Int
from aascompile.player.bot import bots_take
from aascompile.player.movement import Movement
from aascompile.reach import times
from aascompile.reach.remembered import Remembered, Tries
from aascompile.records import dataclass
from aascompile.settings import Settings

ON_FOOT: Final = (Travel.WALK, Travel.JUMP, Travel.WALK_OFF_LEDGE)
"""Travel types that bots leave running."""

DEADLY_SHARE: Final = 0.2
"""Share of bots that die above which a link is hard: it is kept only if nothing else leads to its target."""

MISSED_SHARE: Final = 0.25
"""Share of bots that do not arrive above which a link is hard, too."""

APPROACHES: Final = 6
"""Links into the source from which bots come, at most."""

BEHIND: Final = 120.0
"""Units from the start to places from which bots come, whatever links lead into the source."""

BEFORE: Final = (12.0, 36.0)
"""Units before the start of a link onto a jump pad from which bots run at it."""

TURNS: Final = np.radians((0.0, 60.0, -60.0))
"""Directions of these places, from straight behind the start."""


@dataclass(frozen=True, slots=True)
class Trials:
    """What became of the bots that took some links."""

    rows: Index
    """(n,) rows of the links."""
    tried: Int
    """(n,) bots that took each."""
    arrived: Int
    """(n,) bots that came to stand in its target, and stayed there."""
    died: Int
    """(n,) bots that died."""
    room: Int
    """(n,) least units of ground beyond their landings; −1: none landed."""
    landing_speed: Int
    """(n,) highest speed of a landing in units/s; −1: none landed."""
    miss: Int
    """(n,) MissCost."""

    def share(self, count: Int, null: float) -> Float:
        """(n,) share of the bots; ``null`` where no bot tried."""
        return np.where(self.tried > 0, count / np.maximum(self.tried, 1), null)


def try_links(
    links: Links,
    areas: Areas,
    movement: Movement,
    threads: int = 1,
    remembered: Remembered | None = None,
    wary: bool = True,
    rows: Index | None = None,
) -> Trials:
    """Let bots take all links that they run at, or those of ``rows``. ``wary``: no walks around which there is only
    floor."""
    if rows is None:
        rows = np.flatnonzero(np.isin(links.kind, MEASURED) & (links.model < 0))
    number = np.ascontiguousarray(np.stack([links.source, links.target, links.kind], axis=1)[rows], np.int32)
    place = np.ascontiguousarray(np.hstack([links.start, _aims(links), links.velocity])[rows])
    begin, origin = _approaches(links, rows, areas, movement.settings.physics.walk_speed)
    tries = Tries(number, place, begin, origin)

    def simulate(which: Tries) -> Int:
        return bots_take(areas, movement, which.number, which.place, which.begin, which.origin, threads, wary)

    tried = simulate(tries) if remembered is None else remembered.results(tries, simulate)
    return Trials(rows, *np.ascontiguousarray(tried.T))


def with_margins(links: Links, trials: Trials, settings: Settings) -> Links:
    """The links with their margins, and with the time that deaths cost."""
    columns = null_columns(len(links))
    known = trials.tried > 0
    columns["arrives"][trials.rows] = trials.share(trials.arrived, -1.0)
    columns["dies"][trials.rows] = trials.share(trials.died, -1.0)
    columns["room"][trials.rows] = trials.room
    columns["landing_speed"][trials.rows] = trials.landing_speed
    columns["miss"][trials.rows] = np.where(known, trials.miss, -1)
    time = np.rint(links.time + times.deaths(np.maximum(columns["dies"], 0.0), settings))
    margins = {name: columns[name] for name in ("arrives", "dies", "room", "landing_speed", "miss")}
    return replace(links, time=np.minimum(time, MOST_TIME).astype(np.int32), **margins)


def is_missed(links: Links) -> NDArray[np.bool_]:
    """(n,) which links too many bots fail to take. Throws are left to their own rule, because all throws of a pad take
    a bot to the same place (reach.hard)."""
    missed: NDArray[np.bool_] = (links.arrives >= 0.0) & (links.arrives < 1.0 - MISSED_SHARE)
    missed &= links.kind != Travel.JUMP_PAD
    return missed


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


def _approaches(links: Links, rows: Index, areas: Areas, speed: float) -> tuple[Index, Float]:
    """Where bots come from when they take each of the links ``rows``, as CSR: (m, 5) place x, y, z and velocity x, y.

    They come from the ends of the links into the source area, in the direction of these, and from behind the start.
    At a jump pad they run from before the links into it to its middle.
    Nobody comes out of lava, slime or a hurt trigger.
    """
    deadly = (areas.area_contents & np.uint32(DEADLY)) != 0
    used = np.flatnonzero(~np.isin(links.kind, SPECIAL) & ~deadly[links.source])
    order = used[np.argsort(links.target[used], kind="stable")]
    into = starts_of(np.bincount(links.target[used], minlength=len(areas)))
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
    # Of each link first the bots that come as they are, then those that run at a pad, or those from behind.
    link, pad = owners_of(some), links.kind[rows] == Travel.JUMP_PAD
    runs = walked[onto] & pad[link]
    direct, running = onto[~runs], np.bincount(link[runs], minlength=len(rows))
    sizes = np.diff(some) - running
    begin = starts_of(sizes + np.where(pad, len(BEFORE) * running, len(TURNS)))
    origin = np.empty((begin[-1], 5))
    origin[ranges(begin[:-1], sizes)] = came[direct]
    at = ranges(begin[:-1] + sizes, running)
    for number, far in enumerate(BEFORE):
        place = _run_at(links.start[onto[runs]], links.start[rows[link[runs]]], far, speed)
        origin[at + number * running[link[runs]]] = place
    origin[ranges((begin[:-1] + sizes)[~pad], np.full((~pad).sum(), len(TURNS)))] = behind[~pad].reshape(-1, 5)
    return begin, origin


def _spread(counts: Index) -> Index:
    """At most APPROACHES numbers below each of ``counts``, evenly spread, one count after the other."""
    some, which = np.unique(counts, return_inverse=True)
    spread = [np.linspace(0, count - 1, min(count, APPROACHES)).astype(np.int64) for count in some.tolist()]
    start = starts_of(np.array([len(each) for each in spread], np.int64))
    return np.concatenate([np.zeros(0, np.int64), *spread])[rows_of(start, which.reshape(-1))]


def _run_at(place: Float, goal: Float, far: float, speed: float) -> Float:
    """(n, 5) places ``far`` before ``place (n, 3)``, with velocities that point to ``goal (n, 3)``."""
    towards = (goal - place)[:, :2]
    towards /= np.maximum(np.hypot(towards[:, 0], towards[:, 1]), 1.0)[:, None]
    return np.hstack([place - far * np.pad(towards, ((0, 0), (0, 1))), speed * towards])
