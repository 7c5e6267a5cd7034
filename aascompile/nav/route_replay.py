"""Replays routes: whether the engine's bots manage the links of the routes that they follow.

All links of a file count alike in ``nav.replay``, also those to a rim that nobody goes to. Here a link counts as often
as routes use it, and bots come to it by the link before it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aascompile.model.compiled import Compiled
from aascompile.model.links import MEASURED, are_of
from aascompile.model.mapdata import Index, Int
from aascompile.nav.navigation import Navigation
from aascompile.nav.routes import Paths
from aascompile.player.bot import Tries, bots_take
from aascompile.player.movement import Movement
from aascompile.reach.approaches import approaches_by
from aascompile.reach.risk import aims
from aascompile.records import dataclass
from aascompile.settings import Settings


@dataclass(frozen=True, slots=True)
class RouteTrials:
    """What became of the bots that followed routes."""

    routes: int
    """Number of routes."""
    rows: Index
    """(n,) rows of the links; a link has a row for each link that is taken before it."""
    by: Index
    """(n,) rows of the links before them."""
    uses: Index
    """(n,) how many routes take the two."""
    tried: Int
    """(n,) bots that took the link; 0 if all went elsewhere on foot first."""
    arrived: Int
    """(n,) bots that arrived."""
    died: Int
    """(n,) bots that died."""

    def share(self, count: Int, chosen: NDArray[np.bool_]) -> float:
        """Share of the bots on the ``chosen`` rows, each as often as it is used."""
        known = chosen & (self.tried > 0)
        uses = self.uses[known]
        return float((uses * count[known] / self.tried[known]).sum() / uses.sum()) if len(uses) else 1.0


def replay_routes(compiled: Compiled, settings: Settings, threads: int = 1) -> RouteTrials:
    """Let bots follow the quickest routes from all spawns and items to all items."""
    links = compiled.links
    assert links is not None
    paths = _paths(Navigation(compiled), threads)
    by, rows, uses = _steps(paths)
    kept = are_of(links.kind[rows], MEASURED) & (links.model[rows] < 0)
    by, rows, uses = by[kept], rows[kept], uses[kept]
    number = np.ascontiguousarray(np.stack([links.source, links.target, links.kind], axis=1)[rows], np.int32)
    place = np.ascontiguousarray(np.hstack([links.start, aims(links), links.velocity])[rows])
    tries = Tries(number, place, *approaches_by(links, rows, by, settings))
    found = bots_take(compiled.areas, Movement(compiled.areas, settings), tries, threads)
    tried, arrived, died = np.ascontiguousarray(found.T)[:3]
    return RouteTrials(int(np.isfinite(paths.time).sum()), rows, by, uses, tried, arrived, died)


def _paths(nav: Navigation, threads: int) -> Paths:
    """The quickest routes from all spawns and items to all items."""
    goals = [item.point for item in nav.items if item.area >= 0]
    starts = [spawn.point for spawn in nav.spawns if spawn.area >= 0] + goals
    begin, end = np.array(starts).reshape(-1, 3), np.array(goals).reshape(-1, 3)
    return nav.routes(np.repeat(begin, len(end), axis=0), np.tile(end, (len(begin), 1)), threads=threads)


def _steps(paths: Paths) -> tuple[Index, Index, Index]:
    """Pairs of links that routes take one after the other, each pair once: (n,) first, (n,) second, (n,) how often."""
    follows = np.ones(len(paths.link), np.bool_)
    follows[paths.start[:-1][np.diff(paths.start) > 0]] = False
    second = np.flatnonzero(follows)
    pairs, uses = np.unique(np.stack([paths.link[second - 1], paths.link[second]]), axis=1, return_counts=True)
    return pairs[0].astype(np.int64), pairs[1].astype(np.int64), uses
