"""Fields of travel time: how far everything is from the nearest of many goals, and where to go (thesis §7.2).

A field gives every area a time and a link, and every point a time and a direction: potential fields as used for
steering, but made of travel times instead of straight lines. So they lead around walls, up lifts and through
teleporters, and have no local minima.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile.errors import RouteError
from aascompile.model.mapdata import Float, Int
from aascompile.nav.fields_kernel import FieldRows
from aascompile.nav.queries import Space, points_of, threads_for
from aascompile.nav.routes import Router
from aascompile.nav.search_kernel import Goals
from aascompile.nav.tables_kernel import search_all
from aascompile.nav.terms import Wanted
from aascompile.records import dataclass
from aascompile.sampling.sample import areas_at
from aascompile.threads import over_ranges

FIELD_CHUNK: Final = 1024
"""Points that a thread looks up at a time."""

BEGUN: Final = 12.0
"""Units from the start of a link within which a player goes on to its end. The engine's bots use 10."""


@dataclass(frozen=True, slots=True)
class FieldAt:
    """A field at n points."""

    time: Float
    """(n,) travel time to the nearest goal, 1/100 s; infinite in solid and without a route."""
    direction: Float
    """(n, 3) unit vector to go; 0 at the goal, in solid and without a route."""
    link: Int
    """(n,) link to take; −1 in the area of a goal, in solid and without a route."""
    goal: Int
    """(n,) row of the goal that is reached; −1 if none is."""


class Field:
    """Travel times from everywhere to the nearest of many goals."""

    def __init__(self, router: Router, space: Space, goals: Int, points: Float | None, wanted: Wanted) -> None:
        self._router, self._space = router, space
        self._tables = router.tables(wanted)
        n = len(router.links)
        self._left, after = np.empty(n), np.empty(n, np.int32)
        self._order = np.argsort(goals, kind="stable").astype(np.int32)
        by_area = np.ascontiguousarray(goals[self._order], np.int32)
        at = np.ascontiguousarray(router.centre[by_area] if points is None else points[self._order])
        self._goals = Goals(by_area, at, points is not None)
        search_all(self._tables.search(), self._goals, self._left, after)
        self._via = self._reached(goals, points, after)
        middle = self._look_up(np.arange(len(router.centre), dtype=np.int32), router.centre, 1)
        self.time: Float = middle.time
        """(areas,) time from the middle of each area, 1/100 s; infinite without a route."""
        self.link: Int = middle.link
        """(areas,) link to take from there; −1 in the area of a goal and without a route."""
        self.goal: Int = middle.goal
        """(areas,) row of the goal that is reached; −1 without a route."""

    def at(self, points: ArrayLike, *, threads: int | None = None) -> FieldAt:
        """Return the field at points ``(n, 3)``: times are exact, not interpolated between areas."""
        at = points_of(points)
        area = areas_at(self._space.tree, at)
        return self._look_up(area, at, threads_for(len(at), threads))

    def _look_up(self, area: Int, at: Float, threads: int) -> FieldAt:
        n = len(area)
        found = FieldAt(np.empty(n), np.zeros((n, 3)), np.empty(n, np.int32), np.empty(n, np.int32))
        rows = FieldRows(self._goals, self._order, self._left, self._via, BEGUN, found)

        def work(first: int, last: int) -> None:
            rows.fill(self._tables.search(), area, at, first, last)

        over_ranges(work, n, FIELD_CHUNK, threads)
        return found

    def _reached(self, goals: Int, points: Float | None, after: Int) -> Int:
        """(links,) row of the goal that the route over each link reaches; −1 if none."""
        links, left = self._router.links, self._left
        via: Int = np.full(len(links), -1, np.int32)
        final = np.isfinite(left) & (after < 0)
        by_area: dict[int, list[int]] = {}
        for row, area in enumerate(goals.tolist()):
            by_area.setdefault(area, []).append(row)
        for link in np.flatnonzero(final).tolist():
            rows = by_area[int(links.target[link])]
            away = np.zeros(1) if points is None else np.linalg.norm(points[rows] - links.end[link], axis=1)
            via[link] = rows[int(away.argmin())]
        for link in np.argsort(left, kind="stable").tolist():  # a link after those that follow it
            if after[link] >= 0:
                via[link] = via[after[link]]
        return via


@dataclass(frozen=True, slots=True)
class Charges:
    """Places that attract (positive) or repel (negative), each falling off with travel time."""

    area: Int
    """(c,) area of each charge."""
    point: Float | None
    """(c, 3) point of each charge; None if they are areas."""
    strength: Float
    """(c,) value at the charge itself."""
    reach: Float
    """(c,) travel time in 1/100 s at which it has fallen to 0."""


def charges_of(area: Int, point: Float | None, strength: ArrayLike, reach: ArrayLike) -> Charges:
    """Charges; RouteError if a reach is not positive. Strength and reach are one value for all, or one each."""
    n = len(area)
    strengths, reaches = (np.array(np.broadcast_to(np.asarray(v, np.float64), (n,))) for v in (strength, reach))
    if not (reaches > 0.0).all():
        raise RouteError("the reach of a charge is a time greater than 0")
    return Charges(area, point, strengths, reaches)


def potential(charges: Charges, times: Float, falloff: Callable[[Float], NDArray[Any]] | None = None) -> Float:
    """(n,) sum of charges at places, given the travel times ``(n, charges)``.

    ``falloff`` maps time / reach to the share of the strength that is left; by default linear to 0.
    """
    share = times / charges.reach
    fallen = np.maximum(1.0 - share, 0.0) if falloff is None else np.where(np.isfinite(share), falloff(share), 0.0)
    summed: Float = fallen @ charges.strength
    return summed
