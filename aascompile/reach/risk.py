"""Risk of links: the share of the engine's bots that arrive, and that die, when they take a link in the simulator.

Bots come by the links that lead into the source area (reach.approaches), turn to the end of a fall 48 units before its
start, keep their sideways speed, and aim past the end (player.bot_kernel). They run into a jump pad and are thrown from
where they touch it. Where a miss kills, that costs more than a detour.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aascompile.geometry.vectors import flat_lengths
from aascompile.model.areas import Areas
from aascompile.model.links import MEASURED, MOST_TIME, Links, Travel, are_of, null_columns
from aascompile.model.mapdata import Float, Index, Int
from aascompile.player.bot import COLUMNS, Tries, are_safe, bots_take
from aascompile.player.movement import Movement
from aascompile.reach import times
from aascompile.reach.approaches import approaches
from aascompile.reach.remembered import Remembered
from aascompile.records import dataclass
from aascompile.settings import Settings

DEADLY_SHARE: Final = 0.2
"""Share of bots that die above which a link is hard: it is kept only if nothing else leads to its target."""

MARGINS: Final = ("arrives", "dies", "room", "landing_speed", "miss")
"""Columns of links that trials fill."""

MISSED_SHARE: Final = 0.25
"""Share of bots that do not arrive above which a link is hard, too."""

AT_ONCE: Final = 1 << 15
"""Links that are tried at once: their bots take a hundred times the memory of the results."""


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

    def of(self, rows: Index) -> Trials:
        """The trials of some of the links."""
        at = np.searchsorted(self.rows, rows)
        columns = self.tried, self.arrived, self.died, self.room, self.landing_speed, self.miss
        return Trials(rows, *(column[at] for column in columns))

    def margins(self) -> dict[str, Float | Int]:
        """The MARGINS of the links."""
        return {
            "arrives": self.share(self.arrived, -1.0),
            "dies": self.share(self.died, -1.0),
            "room": self.room,
            "landing_speed": self.landing_speed,
            "miss": np.where(self.tried > 0, self.miss, -1),
        }

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
    safe: NDArray[np.bool_] | None = None,
) -> Trials:
    """Let bots take all links that they run at, or those of ``rows``. ``wary``: no walks that nobody can miss, because
    there is only floor around them and around the links before them; ``safe``: as found by ``are_amid_floor``, if it is
    known."""
    if rows is None:
        rows = np.flatnonzero(are_of(links.kind, MEASURED) & (links.model < 0))
    if len(rows) == 0:
        return Trials(rows, *np.zeros((COLUMNS, 0), np.int32))
    aim = aims(links)

    def is_safe(places: Float) -> NDArray[np.bool_]:
        return are_safe(areas, movement, np.ascontiguousarray(places), threads)

    def simulate(which: Tries) -> Int:
        return bots_take(areas, movement, which, threads)

    def results(some: Index, safe: NDArray[np.bool_]) -> Int:
        number = np.stack([links.source[some], links.target[some], links.kind[some]], axis=1).astype(np.int32)
        place = np.hstack([links.start[some], aim[some], links.velocity[some]])
        tries = Tries(number, place, *approaches(links, some, areas, movement.settings, safe, is_safe))
        return simulate(tries) if remembered is None else remembered.results(tries, simulate)

    if safe is None:
        safe = are_amid_floor(links, areas, movement, threads) if wary else np.zeros(len(links), np.bool_)
    tried = [results(rows[first : first + AT_ONCE], safe) for first in range(0, len(rows), AT_ONCE)]
    return Trials(rows, *np.ascontiguousarray(np.concatenate(tried).T))


def are_amid_floor(links: Links, areas: Areas, movement: Movement, threads: int = 1) -> NDArray[np.bool_]:
    """(n,) which links have only floor around them: walks around their start, others around their end."""
    walks = are_of(links.kind, (Travel.WALK, Travel.CROUCH))[:, None]
    return are_safe(areas, movement, np.ascontiguousarray(np.where(walks, links.start, links.end)), threads)


def with_margins(links: Links, trials: Trials, settings: Settings) -> Links:
    """The links with their margins, and with the time that misses and deaths cost."""
    columns = null_columns(len(links))
    for name, values in trials.margins().items():
        columns[name][trials.rows] = values
    known = (columns["arrives"] >= 0.0) & (links.kind != Travel.JUMP_PAD)
    missed = np.where(known, 1.0 - columns["arrives"] - columns["dies"], 0.0)
    time = np.rint(links.time + times.risks(missed, _deaths(links, columns["dies"]), settings))
    margins = {name: columns[name] for name in MARGINS}
    return replace(links, time=np.minimum(time, MOST_TIME).astype(np.int32), **margins)


def with_new_margins(links: Links, trials: Trials, settings: Settings) -> Links:
    """The links, no throws among those that were tried, with new margins and with the time that belongs to them."""
    rows = trials.rows
    columns: dict[str, Any] = {name: getattr(links, name).copy() for name in MARGINS}
    before = _risks(columns["arrives"][rows], columns["dies"][rows], settings)
    for name, values in trials.margins().items():
        columns[name][rows] = values
    time = links.time.astype(np.float64)
    time[rows] += _risks(columns["arrives"][rows], columns["dies"][rows], settings) - before
    return replace(links, time=np.minimum(np.rint(time), MOST_TIME).astype(np.int32), **columns)


def _risks(arrives: Float, dies: Float, settings: Settings) -> Float:
    """(n,) time that misses and deaths add; 0 where they are unknown."""
    return np.where(arrives >= 0.0, times.risks(1.0 - arrives - dies, dies, settings), 0.0)


def _deaths(links: Links, dies: Float) -> Float:
    """(n,) share of deaths that counts: 0 if it is unknown. All throws of a pad take a bot to the same place, so the
    highest share among them counts for all of them."""
    deaths = np.maximum(dies, 0.0)
    rows = np.flatnonzero(links.kind == Travel.JUMP_PAD)
    highest = np.zeros(len(links.area_start))
    np.maximum.at(highest, links.source[rows], deaths[rows])
    deaths[rows] = highest[links.source[rows]]
    return deaths


def is_missed(links: Links) -> NDArray[np.bool_]:
    """(n,) which links too many bots fail to take. Throws are left to their own rule, because all throws of a pad take
    a bot to the same place (reach.hard)."""
    missed: NDArray[np.bool_] = (links.arrives >= 0.0) & (links.arrives < 1.0 - MISSED_SHARE)
    missed &= links.kind != Travel.JUMP_PAD
    return missed


def aims(links: Links) -> Float:
    """(n, 3) where bots steer to: the end of each link. On a jump pad they cannot choose, and steer to the end of the
    quickest throw, of equals the farthest, which the engine's file lists last."""
    aims = links.end.copy()
    rows = np.flatnonzero(links.kind == Travel.JUMP_PAD)
    throw = (links.end - links.start)[rows]
    far = flat_lengths(throw)
    order = rows[np.lexsort((-rows, -far, links.time[rows], links.source[rows]))]
    source, first = np.unique(links.source[order], return_index=True)
    aims[rows] = links.end[order[first[np.searchsorted(source, links.source[rows])]]]
    return aims
