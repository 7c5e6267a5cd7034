"""Queries to a compiled map: the area at a point, routes, links, items and spawns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile.errors import RouteError, StoreError
from aascompile.model.compiled import Compiled
from aascompile.model.mapdata import Float
from aascompile.nav.records import Area, Link, Place, Point, area_of, link_of, places_of, point_of
from aascompile.nav.routes import Route, Router
from aascompile.sampling.locate import areas_at, locate
from aascompile.sampling.sample import tree_of
from aascompile.sampling.sample_kernel import AreaTree


class Navigation:
    """Answers questions about one compiled map: ``Navigation(compiled)``, or ``load(path)`` for a file.

    Points are player's origins in map units: 24 units above the feet with the default settings. Areas are numbered
    from 0; −1 stands for no area.
    """

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        """All tables of the map, as docs/data-model.md describes them."""

    def __len__(self) -> int:
        """Number of areas."""
        return len(self.compiled.areas)

    def area(self, number: int) -> Area:
        """Return the record of an area; RouteError when there is no such area."""
        self._require(number)
        return area_of(self.compiled.areas, number)

    def area_at(self, point: Sequence[float] | Float) -> int:
        """Return the area that holds the point; −1 in solid and outside the map."""
        return int(self.areas_at([_checked(point)])[0])

    def areas_at(self, points: ArrayLike) -> NDArray[np.int32]:
        """Return the area that holds each of the points ``(n, 3)``; −1 in solid and outside the map."""
        at = np.asarray(points, np.float64)
        if at.ndim != 2 or at.shape[1] != 3:
            raise RouteError(f"points are an array of shape (n, 3), not {at.shape}")
        found = areas_at(self._tree, at)
        found[~np.isfinite(at).all(axis=1)] = -1
        return found

    def locate(self, point: Sequence[float] | Float) -> int:
        """Return the area of a player standing at, or falling from, the point; −1 where there is no room.

        A point on a floor, such as an item's origin, stands for a player whose feet are there.
        """
        return self.place_at(point)[0]

    def place_at(self, point: Sequence[float] | Float) -> tuple[int, Point]:
        """Return the area and the origin of a player standing at, or falling from, the point; −1: no room."""
        area, origin = locate(self._tree, _checked(point), self.compiled.boxes.feet)
        return int(area[0]), point_of(origin[0])

    def route(self, start: int | Sequence[float] | Float, goal: int | Sequence[float] | Float) -> Route:
        """Return the quickest route between two ends, each an area number or a point.

        An area number stands for the middle of the area; a point for a player standing at, or falling from, it.
        RouteError when there is no route, no such area, or no room at a point.
        """
        start_area, start_point = self._end(start)
        goal_area, goal_point = self._end(goal)
        return self._router.route(start_area, goal_area, start_point, goal_point)

    def link(self, row: int) -> Link:
        """Return the record of a link by its row; RouteError when there is no such link."""
        links = self._router.links
        if not 0 <= row < len(links):
            raise RouteError(f"there is no link {row}: they are numbered 0 to {len(links) - 1}")
        return link_of(links, row)

    def links_from(self, area: int) -> tuple[Link, ...]:
        """Return the links that leave an area; RouteError when there is no such area."""
        self._require(area)
        links = self._router.links
        return tuple(link_of(links, row) for row in range(links.area_start[area], links.area_start[area + 1]))

    @cached_property
    def items(self) -> tuple[Place, ...]:
        """The items, in the order of the map's entities; empty for a file imported from the engine's."""
        return places_of(self.compiled, items=True)

    @cached_property
    def spawns(self) -> tuple[Place, ...]:
        """The players' spawns, in the order of the map's entities; empty for a file imported from the engine's."""
        return places_of(self.compiled, items=False)

    @cached_property
    def _tree(self) -> AreaTree:
        if not len(self.compiled.areas.node_plane):
            raise StoreError(f"{self.compiled.provenance.name}: has no tree, so areas are found by number only")
        return tree_of(self.compiled.areas)

    @cached_property
    def _router(self) -> Router:
        return Router(self.compiled)

    def _require(self, area: int) -> None:
        if not 0 <= area < len(self):
            raise RouteError(f"there is no area {area}: they are numbered 0 to {len(self) - 1}")

    def _end(self, end: int | Sequence[float] | Float) -> tuple[int, Float | None]:
        """Area of an end of a route, and the point in it if the end is a point."""
        if isinstance(end, int | np.integer):
            return int(end), None
        area, origin = self.place_at(end)
        if area < 0:
            raise RouteError("there is no room for a player at ({:g} {:g} {:g})".format(*end))
        return area, np.array(origin)


def _checked(point: Sequence[float] | Float) -> list[float]:
    """The three numbers of a point; RouteError if it is something else."""
    numbers = [float(value) for value in point]
    if len(numbers) != 3 or not np.isfinite(numbers).all():
        raise RouteError(f"a point is three finite numbers, not {numbers}")
    return numbers
