"""Sight: which areas see which, how exposed an area is, and the spots that follow from it.

Sight is measured between the eyes of players who stand in the areas, by straight lines among the map's own solids. Two
areas see each other by the share of the lines between them that is free.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile.csr import owners_of, starts_of
from aascompile.errors import RouteError, StoreError
from aascompile.model.compiled import Compiled
from aascompile.model.mapdata import Float, Index, Int
from aascompile.model.sight import FULL, Sight
from aascompile.nav.records import Point, point_of
from aascompile.nav.terms import checked_numbers
from aascompile.records import dataclass
from aascompile.sampling.blockers import Blockers, blockers_of
from aascompile.sampling.eyes import eyes_of
from aascompile.sampling.middle import middles
from aascompile.sampling.sight_kernel import Bodies, seen_rows
from aascompile.sampling.spread import floor_sizes
from aascompile.threads import over_ranges

EYES: Final = 16
"""Eyes in each area."""

ROUNDS: Final = 4
"""Lines from each eye to another area, of which some see and some do not. If the first lines of all eyes agree, there
are no others."""

PARTNER: Final = np.array([[(5 * i + 3 + 4 * r) % EYES for i in range(EYES)] for r in range(ROUNDS)], np.int32)
"""(rounds, eyes) eye of the other area that each eye looks at: all different."""

ROWS: Final = 16
"""Areas whose sight a thread measures at a time."""

FAR: Final = 1000.0
"""Units from which on a player is seen from far away."""

SpotKind = Literal["hiding", "exposed", "sniper"]
"""Seen from the least ground, seen from the most ground, or with a far view that little ground nearby sees."""


@dataclass(frozen=True, slots=True)
class ViewSpot:
    """An area that stands out by what sees it."""

    area: int
    point: Point
    """Middle of its floor."""
    exposure: float
    """Share of the map's ground from which a player there is seen."""
    far: float
    """Part of the exposure that is more than 1,000 units away."""


def make_sight(compiled: Compiled, threads: int = 1) -> Sight:
    """Measure which areas see which. StoreError if the file has no faces of the map."""
    blockers = blockers_in(compiled)
    area, eye = eyes_of(compiled.areas, compiled.boxes, EYES)
    n = len(area)

    def work(first: int, last: int) -> tuple[Index, Index, Float]:
        seen, lines = np.zeros((last - first, n), np.int32), np.zeros((last - first, n), np.int32)
        seen_rows(Bodies(blockers), eye, PARTNER, first, last, seen, lines)
        own = np.arange(first, last)
        seen[own - first, own] = np.maximum(seen[own - first, own], 1)
        row, column = np.nonzero(seen)
        return row + first, column, seen[row, column] / lines[row, column]

    parts = over_ranges(work, n, ROWS, threads)
    row, column = (np.concatenate([np.zeros(0, np.int64), *(part[k] for part in parts)]) for k in (0, 1))
    share = np.concatenate([np.zeros(0), *(part[2] for part in parts)])
    packed = np.maximum(np.rint(FULL * share), 1.0).astype(np.uint8)
    other = row != column
    row, column = np.concatenate((row, column[other])), np.concatenate((column, row[other]))
    packed = np.concatenate((packed, packed[other]))
    order = np.lexsort((column, row))
    counts = np.bincount(area[row], minlength=len(compiled.areas))
    return Sight(starts_of(counts), area[column[order]].astype(np.int32), packed[order])


def blockers_in(compiled: Compiled) -> Blockers:
    """What blocks sight in a compiled map. StoreError if the file does not have it."""
    if not len(compiled.context):
        raise StoreError(
            f"{compiled.provenance.name}: has no faces of the map, so it is not known what blocks sight; "
            "aas import FILE --map MAP adds them to an engine file"
        )
    return blockers_of(compiled.context)


class Views:
    """Answers about the sight of one compiled map."""

    def __init__(self, compiled: Compiled) -> None:
        if compiled.sight is None:
            raise StoreError(
                f"{compiled.provenance.name}: has no sight; compile with --sight, or add it with aas sight FILE"
            )
        self._compiled = compiled
        self._sight = compiled.sight
        self._source = owners_of(self._sight.start)
        self._key = self._source * len(compiled.areas) + self._sight.area
        self.has: NDArray[np.bool_] = np.diff(self._sight.start) > 0
        """(areas,) whether a player can stay in an area, so that its sight is known."""

    def sees(self, a: ArrayLike, b: ArrayLike) -> Float:
        """Shares of free lines between areas; NaN where no player can stay."""
        n = len(self._compiled.areas)
        first, second = np.broadcast_arrays(checked_numbers(n, a), checked_numbers(n, b))
        key = first.astype(np.int64) * n + second
        at = np.minimum(np.searchsorted(self._key, key), max(len(self._key) - 1, 0))
        share = np.where(self._key[at] == key, self._sight.share[at] / FULL, 0.0) if len(self._key) else 0.0 * key
        found: Float = np.where(self.has[first] & self.has[second], share, np.nan)
        return found

    def seen_from(self, area: int) -> tuple[Int, Float]:
        """Areas that an area sees, ascending, and the shares of free lines."""
        rows = slice(self._sight.start[area], self._sight.start[area + 1])
        return self._sight.area[rows], self._sight.share[rows] / FULL

    @cached_property
    def exposure(self) -> Float:
        """(areas,) share of the map's ground from which a player is seen; NaN where no player can stay."""
        exposure = self._seen_by(np.ones(len(self._source)))
        exposure[~self.has] = np.nan
        return exposure

    @cached_property
    def far(self) -> Float:
        """(areas,) share of the map's ground from which a player is seen from more than 1,000 units away."""
        away = np.linalg.norm(self._middle[self._source] - self._middle[self._sight.area], axis=1)
        return self._seen_by((away > FAR).astype(np.float64))

    def spots(self, kind: SpotKind, count: int, apart: float) -> tuple[ViewSpot, ...]:
        """The areas that stand out most, at least ``apart`` units from each other."""
        seen = np.maximum(self.exposure, np.finfo(np.float64).tiny)
        scores = {"hiding": -self.exposure, "exposed": self.exposure, "sniper": self.far**2 / seen}
        if kind not in scores:
            raise RouteError(f"spots are hiding, exposed or sniper, not {kind!r}")
        score, chosen = scores[kind], np.zeros(0, np.int64)
        candidates = np.flatnonzero(self._entered & ((self.far > 0.0) | (kind != "sniper")))
        for area in candidates[np.lexsort((candidates, -score[candidates]))].tolist():
            if len(chosen) == count:
                break
            if (np.linalg.norm(self._middle[chosen] - self._middle[area], axis=1) >= apart).all():
                chosen = np.append(chosen, area)
        return tuple(
            ViewSpot(area, point_of(self._middle[area]), float(self.exposure[area]), float(self.far[area]))
            for area in chosen.tolist()
        )

    @cached_property
    def _middle(self) -> Float:
        return middles(self._compiled.areas)

    @cached_property
    def _floor(self) -> Float:
        """(areas,) share of the map's ground."""
        size = np.where(self.has, floor_sizes(self._compiled.areas), 0.0)
        return size / max(float(size.sum()), np.finfo(np.float64).tiny)

    @cached_property
    def _entered(self) -> NDArray[np.bool_]:
        """(areas,) whether it has ground, and a link leads into it."""
        entered: NDArray[np.bool_] = self._floor > 0.0
        links = self._compiled.links
        return entered if links is None else entered & np.isin(np.arange(len(entered)), links.target)

    def _seen_by(self, weight: Float) -> Float:
        """(areas,) sum of the ground that sees an area, times the weight of each pair."""
        part = weight * self._sight.share / FULL * self._floor[self._sight.area]
        return np.bincount(self._source, part, minlength=len(self._compiled.areas)).astype(np.float64)
