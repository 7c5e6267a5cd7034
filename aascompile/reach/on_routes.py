"""Links as bots come to them on routes: better places for those that bots miss, and more time where there are none.

The margins of a link are those of bots from everywhere. On the quickest routes from spawns and items to items, bots
come to it by few other links. Where they miss it or die, it starts or ends elsewhere, if more bots arrive then, or the
link by which they come does. What is still missed takes longer, so that routes avoid it where they can.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.csr import within
from aascompile.distinct import distinct, occurs
from aascompile.model.areas import Areas
from aascompile.model.links import MOST_TIME, Links, MissCost, Travel, are_of
from aascompile.model.mapdata import Float, Index, Int
from aascompile.model.places import Places
from aascompile.player.bot import Tries, are_safe, bots_take
from aascompile.player.movement import Movement
from aascompile.reach import times
from aascompile.reach.approaches import approaches_by, are_safe_ways
from aascompile.reach.other_places import ON_FOOT, other_places, placed, with_others
from aascompile.reach.remembered import Remembered
from aascompile.reach.risk import try_links, with_new_margins
from aascompile.reach.uses import pairs_on_routes
from aascompile.records import dataclass
from aascompile.settings import Settings

REFINED: Final = (Travel.WALK, Travel.CROUCH, Travel.BARRIER_JUMP, Travel.JUMP, Travel.WALK_OFF_LEDGE)
"""Travel types that are looked at."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Links that routes take one after the other."""

    by: Index
    """(n,) the first."""
    row: Index
    """(n,) the second, that bots may miss."""
    uses: Int
    """(n,) how often."""

    def take(self, chosen: NDArray[np.bool_] | Index) -> Pairs:
        """Some of the pairs."""
        return Pairs(self.by[chosen], self.row[chosen], self.uses[chosen])

    def of(self, links: Index) -> tuple[Index, Index]:
        """The pairs to which each of some links belongs: (k,) row of ``links``, ascending, and (k,) pair."""
        which, pair = [], []
        for column in (self.row, self.by):
            order = np.argsort(column, kind="stable")
            first, last = (np.searchsorted(column[order], links, side) for side in ("left", "right"))
            which.append(np.repeat(np.arange(len(links)), last - first))
            pair.append(order[np.repeat(first, last - first) + within(last - first)])
        found = np.concatenate(which), np.concatenate(pair)
        sort = np.lexsort(found[::-1])
        return found[0][sort], found[1][sort]


class _Bots:
    """Bots on the areas of a map."""

    def __init__(self, areas: Areas, movement: Movement, threads: int, remembered: Remembered | None) -> None:
        self.areas, self.movement, self.threads, self.remembered = areas, movement, threads, remembered

    def risky(self, links: Links, pairs: Pairs) -> Pairs:
        """The pairs whose second link bots may miss: not on walks between floor without danger."""
        kind = links.kind[pairs.row]
        pairs = pairs.take(are_of(kind, REFINED) & (links.model[pairs.row] < 0) & (links.entity[pairs.row] < 0))
        calm = are_of(links.kind[pairs.row], ON_FOOT)
        used = distinct(np.concatenate((pairs.row[calm], pairs.by[calm])))
        walked = are_of(links.kind[used], ON_FOOT)[:, None]
        safe = self._is_safe(np.where(walked, links.start[used], links.end[used]))
        for column in (pairs.row, pairs.by):
            calm[calm] = safe[np.searchsorted(used, column[calm])]
        calm[calm] = are_safe_ways(links, pairs.by[calm], pairs.row[calm], self._is_safe)
        return pairs.take(~calm)

    def shares(self, links: Links, pairs: Pairs) -> Float:
        """(n, 2) share of the bots that miss the second link of each pair, and share that die on it."""
        if not len(pairs.row):
            return np.zeros((0, 2))
        rows = pairs.row
        number = np.ascontiguousarray(np.stack([links.source, links.target, links.kind], axis=1)[rows], np.int32)
        place = np.ascontiguousarray(np.hstack([links.start, links.end, links.velocity])[rows])
        tries = Tries(number, place, *approaches_by(links, rows, pairs.by, self.movement.settings))

        def simulate(which: Tries) -> Int:
            return bots_take(self.areas, self.movement, which, self.threads)

        found = simulate(tries) if self.remembered is None else self.remembered.results(tries, simulate)
        tried, arrived, died = found.T[:3]
        shares: Float = np.stack((tried - arrived - died, died), axis=1) / np.maximum(tried, 1)[:, None]
        return shares

    def measure(self, links: Links, rows: Index) -> Links:
        """The links, with new margins for those of ``rows`` that have margins."""
        rows = rows[links.arrives[rows] >= 0.0]
        trials = try_links(links, self.areas, self.movement, self.threads, self.remembered, wary=False, rows=rows)
        return with_new_margins(links, trials, self.movement.settings)

    def _is_safe(self, places: Float) -> NDArray[np.bool_]:
        return are_safe(self.areas, self.movement, np.ascontiguousarray(places), self.threads)


def for_routes(
    links: Links,
    areas: Areas,
    places: Places,
    movement: Movement,
    threads: int = 1,
    remembered: Remembered | None = None,
) -> Links:
    """The links, with better places for those that bots miss on routes, or with more time."""
    settings, bots = movement.settings, _Bots(areas, movement, threads, remembered)
    pairs = bots.risky(links, Pairs(*pairs_on_routes(links, areas, places, settings, threads)))
    shares = bots.shares(links, pairs)
    if not shares.any():
        return links
    links, moved = _moved(links, pairs, shares, bots)
    links = bots.measure(links, moved)
    again = occurs(pairs.row, moved) | occurs(pairs.by, moved)
    shares[again] = bots.shares(links, pairs.take(again))
    return _charged(links, pairs, shares, settings)


def _moved(links: Links, pairs: Pairs, shares: Float, bots: _Bots) -> tuple[Links, Index]:
    """The links, with other places for those that make bots lose less on the ``pairs``: the second links of pairs that
    bots miss, or the first. Also which links these are."""
    settings, lossy = bots.movement.settings, shares.any(axis=1)
    rows = distinct(np.concatenate((pairs.row[lossy], pairs.by[lossy])))
    rows = rows[(links.model[rows] < 0) & (links.entity[rows] < 0)]
    others = other_places(links, rows, bots.areas, bots.movement)
    # Every other place is a link of its own, after all links, that takes the place of its link in the pairs.
    number = len(links) + np.arange(len(others.row))
    which, pair = pairs.of(others.row)
    some = pairs.take(pair)
    by, row = (np.where(column == others.row[which], number[which], column) for column in (some.by, some.row))
    some = Pairs(by, row, some.uses)
    less = _lost(shares, rows, pairs, settings)[np.searchsorted(rows, others.row)]
    less -= _lost(bots.shares(with_others(links, others), some), number, some, settings)
    # The best place of each link; where two links of a pair are to be moved, only the link that gains more.
    best = np.lexsort((number, -less, others.row))
    best = best[np.flatnonzero(np.diff(others.row[best], prepend=-1))]
    best = best[np.argsort(-less[best], kind="stable")]
    chosen: list[int] = []
    fixed: set[int] = set()
    for k in best[less[best] > 0.0].tolist():
        link = int(others.row[k])
        if link not in fixed:
            chosen.append(k)
            fixed.update(pairs.by[pairs.row == link].tolist(), pairs.row[pairs.by == link].tolist())
    return placed(links, others, np.array(chosen, np.int64), settings), np.sort(others.row[chosen])


def _lost(shares: Float, rows: Index, pairs: Pairs, settings: Settings) -> Float:
    """(n,) time that bots lose on the pairs to which each of the links ``rows`` belongs."""
    lost = pairs.uses * times.risks(shares[:, 0], shares[:, 1], settings)
    sums = np.zeros(len(rows))
    for column in (pairs.row, pairs.by):
        mine = occurs(column, rows)
        np.add.at(sums, np.searchsorted(rows, column[mine]), lost[mine])
    return sums


def _charged(links: Links, pairs: Pairs, shares: Float, settings: Settings) -> Links:
    """The links, with the margins that bots on routes have, and the time that their misses and deaths cost, where that
    is more than before."""
    rows = distinct(pairs.row[shares.any(axis=1)])
    mine = occurs(pairs.row, rows)
    at, uses = np.searchsorted(rows, pairs.row[mine]), pairs.uses[mine]
    used = np.bincount(at, uses, len(rows))
    missed, died = (np.bincount(at, uses * share, len(rows)) / used for share in shares[mine].T)
    arrives, dies, miss = links.arrives.copy(), links.dies.copy(), links.miss.copy()
    known = arrives[rows] >= 0.0
    before = np.where(known, times.risks(1.0 - arrives[rows] - dies[rows], dies[rows], settings), 0.0)
    more = times.risks(missed, died, settings) - before
    slower = more > 0.0
    rows = rows[slower]
    arrives[rows], dies[rows] = (1.0 - missed - died)[slower], died[slower]
    miss[rows] = np.maximum(miss[rows], np.where(dies[rows] > 0.0, MissCost.LIFE, MissCost.TIME))
    time = links.time.astype(np.float64)
    time[rows] += more[slower]
    return replace(
        links, arrives=arrives, dies=dies, miss=miss, time=np.minimum(np.rint(time), MOST_TIME).astype(np.int32)
    )
