"""Quickest routes by a plain search over all links: a heap, and no clusters."""

from __future__ import annotations

from collections.abc import Callable, Collection
from heapq import heappop, heappush

import numpy as np

from aascompile.model.areas import AreaFlag
from aascompile.model.compiled import Compiled
from aascompile.model.contents import Kind
from aascompile.settings import QUAKE3

STEPS = 2**20
COSTS = QUAKE3.costs


def rounded(cost: float) -> float:
    """A cost in whole steps of 1/100 s / STEPS."""
    return float(np.floor(cost * STEPS + 0.5)) / STEPS


class PlainRoutes:
    """Searches of one map. ``link_factor(link)``, ``area_factor(area)`` and the factors of the map multiply times."""

    def __init__(
        self,
        compiled: Compiled,
        banned: Collection[int] = (),
        closed: Collection[int] = (),
        contents: int = 0,
        link_factor: Callable[[int], float] = lambda _: 1.0,
        area_factor: Callable[[int], float] = lambda _: 1.0,
    ) -> None:
        areas, links = compiled.areas, compiled.links
        self.areas, self.links = areas, links
        barred = (areas.area_flags & AreaFlag.DISABLED) | (areas.area_contents & (Kind.DONOTENTER | contents))
        self.closed = {*closed, *np.flatnonzero(barred).tolist()}
        self.used = [kind not in banned for kind in links.kind.tolist()]
        own = areas.area_cost.tolist()
        self.factor = lambda area: own[area] * area_factor(area)
        self.cost = [
            rounded(time * link_factor(link) * self.factor(target))
            for link, (time, target) in enumerate(zip(links.time.tolist(), links.target.tolist(), strict=True))
        ]
        self.into: list[list[int]] = [[] for _ in range(len(areas))]
        for link, target in enumerate(links.target.tolist()):
            if self.used[link]:
                self.into[target].append(link)
        self.unit = [self._unit(area) for area in range(len(areas))]
        self.start, self.end = links.start.tolist(), links.end.tolist()

    def _unit(self, area: int) -> float:
        if self.areas.area_flags[area] & AreaFlag.LIQUID:
            return COSTS.swim
        return COSTS.walk if self.areas.area_presence[area] & 2 else COSTS.crouch

    def walk(self, area: int, a: list[float], b: list[float]) -> float:
        """Time to go straight from one point of an area to another."""
        far = np.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2 + (b[2] - a[2]) ** 2)
        return rounded(max(float(far) * self.unit[area], 1.0) * self.factor(area))

    def left(self, goal: int, point: list[float] | None = None) -> tuple[list[float], list[int]]:
        """For each link, the time from its start to the goal, and the link after it; −1: none."""
        best, after = [np.inf] * len(self.links), [-1] * len(self.links)
        queue: list[tuple[float, int]] = []
        for link in self.into[goal]:
            best[link] = self.cost[link] + (0.0 if point is None else self.walk(goal, self.end[link], point))
            heappush(queue, (best[link], link))
        done = set()
        while queue:
            left, link = heappop(queue)
            area = int(self.links.source[link])
            if link in done or area in self.closed:
                continue
            done.add(link)
            for before in self.into[area]:
                time = left + (self.cost[before] + self.walk(area, self.end[before], self.start[link]))
                if time < best[before]:
                    best[before], after[before] = time, link
                    heappush(queue, (time, before))
                elif time == best[before] and link < after[before]:
                    after[before] = link
        return best, after

    def times(self, goal: int, starts: Collection[int]) -> list[float]:
        """Time from the middle of each start area to a goal area."""
        best, _ = self.left(goal)
        return [self.time(best, goal, area) for area in starts]

    def time(self, best: list[float], goal: int, area: int) -> float:
        """Time from the middle of an area, given what is left from every link."""
        if area == goal:
            return 0.0
        centre = self.areas.area_centre[area].tolist()
        rows = range(self.links.area_start[area], self.links.area_start[area + 1])
        return min((self.walk(area, centre, self.start[row]) + best[row] for row in rows), default=np.inf)
