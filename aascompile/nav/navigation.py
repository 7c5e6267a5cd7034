"""Queries to a compiled map: the area at a point, routes, links, items and spawns."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile.errors import RouteError
from aascompile.model.compiled import Compiled
from aascompile.model.mapdata import Float, Index, Int
from aascompile.nav.allpairs import AllPairs, all_pairs
from aascompile.nav.astar import search_with
from aascompile.nav.fields import Field, charges_of, potential
from aascompile.nav.hanging import touching
from aascompile.nav.observe import Observer, observer_of
from aascompile.nav.occupancy import Occupancy
from aascompile.nav.queries import MANY, BoxName, Space, Trace, first_trace, pairs_of, points_of, threads_for
from aascompile.nav.records import Area, Link, Place, Point, area_of, link_of, places_of, point_of
from aascompile.nav.routes import Paths, Route, Router
from aascompile.nav.sight import SpotKind, Views, ViewSpot, blockers_in
from aascompile.nav.terms import PLAIN, Limits, TravelName, Wanted, checked_areas, checked_numbers, wanted_of
from aascompile.player.movement import HAZARDS, Event, Flag, Predictions
from aascompile.sampling.blockers import Blockers, free_lines
from aascompile.sampling.locate import areas_at, locate
from aascompile.sampling.sample import Traces, many_areas_in_boxes, many_areas_passed, sampler_of, traces
from aascompile.sampling.shape import NearestAreas, Walls, nearest_areas, nearest_walls, sphere_traces
from aascompile.sampling.walk import WalkEnd, Walks, straight_walks

End = int | Sequence[float] | Float
"""An end of a route: the number of an area, or a point."""


class Navigation:
    """Answers questions about one compiled map: ``Navigation(compiled)``, or ``load(path)`` for a file.

    Points are player's origins in map units: 24 units above the feet with the default settings. Areas are numbered
    from 0; −1 stands for no area.
    """

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        """All tables of the map, as docs/data-model.md describes them."""
        self._space = Space(compiled)

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

    def areas_at(self, points: ArrayLike, *, threads: int | None = None) -> NDArray[np.int32]:
        """Return the area that holds each of the points ``(n, 3)``; −1 in solid and outside the map."""
        at = np.asarray(points, np.float64)
        if at.ndim != 2 or at.shape[1] != 3:
            raise RouteError(f"points are an array of shape (n, 3), not {at.shape}")
        cells = self._space.cells if len(at) > MANY else None
        found = areas_at(self._space.tree, at, threads_for(len(at), threads), cells)
        if not np.isfinite(at).all():
            found[~np.isfinite(at).all(axis=1)] = -1
        return found

    def locate(self, point: Sequence[float] | Float) -> int:
        """Return the area of a player standing at, or falling from, the point; −1 where there is no room.

        A point on a floor, such as an item's origin, stands for a player whose feet are there.
        """
        return self.place_at(point)[0]

    def place_at(self, point: Sequence[float] | Float) -> tuple[int, Point]:
        """Return the area and the origin of a player standing at, or falling from, the point; −1: no room."""
        area, origin = locate(self._space.tree, _checked(point), self.compiled.boxes.feet)
        return int(area[0]), point_of(origin[0])

    def trace(
        self,
        start: Sequence[float] | Float,
        end: Sequence[float] | Float,
        *,
        box: BoxName = "stand",
        radius: float = 0.0,
    ) -> Trace:
        """Move a player's origin in a straight line, until something blocks it.

        ``box``: "stand" or "crouch" moves where that box fits, "point" where any box fits. ``radius``: additional
        distance in units, in all directions, that the origin keeps from everything that blocks the box.
        """
        a, b = points_of([_checked(start)]), points_of([_checked(end)])
        found = self.traces(a, b, box=box, radius=radius)
        reached = self.areas_passed(a, found.end, box=box)[1] if not found.start_solid[0] else np.zeros(0, np.int32)
        return first_trace(found, reached)

    def traces(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        *,
        box: BoxName = "stand",
        radius: float = 0.0,
        threads: int | None = None,
    ) -> Traces:
        """Make many traces, from ``starts (n, 3)`` to ``ends (n, 3)``; one row on a side counts for all."""
        a, b = pairs_of(starts, ends)
        presence, count = self._space.presence(box), threads_for(len(a), threads)
        if radius <= 0.0:
            return traces(self._space.tree, a, b, presence, count)
        return sphere_traces(self._space.tree, self._space.polygons, a, b, radius, presence, count)

    def areas_passed(
        self, starts: ArrayLike, ends: ArrayLike, *, box: BoxName = "stand", threads: int | None = None
    ) -> tuple[Index, Int]:
        """Return the areas that the free parts of traces pass, in order.

        The result is CSR: the areas of trace i are ``area[start[i]:start[i + 1]]``.
        """
        a, b = pairs_of(starts, ends)
        return many_areas_passed(self._space.tree, a, b, self._space.presence(box), threads_for(len(a), threads))

    def areas_in_box(self, mins: Sequence[float] | Float, maxs: Sequence[float] | Float) -> Int:
        """Return the areas that a box of player's origins touches, ascending.

        To find where a player can touch an object, grow the object's box by the player's first.
        """
        return self.areas_in_boxes([_checked(mins)], [_checked(maxs)])[1]

    def areas_in_boxes(self, mins: ArrayLike, maxs: ArrayLike, *, threads: int | None = None) -> tuple[Index, Int]:
        """Return the areas that boxes ``mins (n, 3)`` to ``maxs (n, 3)`` touch, as CSR like ``areas_passed``."""
        low, high = pairs_of(mins, maxs)
        return many_areas_in_boxes(self._space.tree, low, high, threads_for(len(low), threads))

    def nearest(
        self, points: ArrayLike, *, reachable_from: int | None = None, threads: int | None = None
    ) -> NearestAreas:
        """Return the area nearest to each of the points ``(n, 3)``, among those in which a player can stay.

        ``reachable_from``: only areas with a route from this area, and this area itself.
        """
        at = points_of(points)
        wanted = self._space.used
        if reachable_from is not None:
            wanted = wanted & self._router.reached(reachable_from)
        return nearest_areas(self._space.tree, self._space.polygons, at, wanted, threads_for(8 * len(at), threads))

    def walkable(
        self, starts: ArrayLike, ends: ArrayLike, *, box: BoxName = "stand", threads: int | None = None
    ) -> NDArray[np.bool_]:
        """Return for each row whether a straight walk over the floor leads from start to end.

        Steps are climbed. The walk must not fall, swim, touch a hazard or enter a trigger; ``walks`` says why not.
        """
        found: NDArray[np.bool_] = self.walks(starts, ends, box=box, threads=threads).why == WalkEnd.ARRIVES
        return found

    def walks(self, starts: ArrayLike, ends: ArrayLike, *, box: BoxName = "stand", threads: int | None = None) -> Walks:
        """Walk straight from ``starts (n, 3)`` to ``ends (n, 3)``; players at both ends fall to the floor first."""
        a, b = pairs_of(starts, ends)
        feet = self.compiled.boxes.feet
        (start_area, start), (end_area, end) = (locate(self._space.tree, points, feet) for points in (a, b))
        presence = self._space.presence(box)
        found = straight_walks(
            self._space.tree, start, end, self._space.settings.physics, presence, threads_for(16 * len(a), threads)
        )
        found.why[(start_area < 0) | (end_area < 0)] = WalkEnd.NO_ROOM
        return found

    def distance_to_wall(
        self, points: ArrayLike, *, reach: float = 512.0, box: BoxName = "stand", threads: int | None = None
    ) -> Walls:
        """Return the nearest wall of each of the points ``(n, 3)``, within ``reach`` units.

        A wall is what blocks the box, is too steep to stand on, and rises more than a step above the point.
        """
        at, physics = points_of(points), self._space.settings.physics
        return nearest_walls(
            self._space.tree, self._space.polygons, at, reach, physics.floor_up, physics.step,
            self._space.presence(box), threads_for(16 * len(at), threads),
        )  # fmt: skip

    def predict(
        self,
        starts: ArrayLike,
        *,
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        wish: ArrayLike = (0.0, 0.0, 0.0),
        steer_to: ArrayLike | None = None,
        speed: ArrayLike = 320.0,
        jump: bool = False,
        crouch: bool = False,
        seconds: float = 5.0,
        stop: Event = HAZARDS,
        goal_area: ArrayLike = -1,
        threads: int | None = None,
    ) -> Predictions:
        """Simulate players who keep up one input: run, jump, fall or swim from ``starts (n, 3)``.

        - ``velocity``: units/s at the start.
        - ``wish``: direction to go, or ``steer_to``: point to go to. ``speed``: units/s that the player wishes.
        - ``jump``: jump once, as soon as there is ground. ``crouch``: stay crouched.
        - ``seconds``: longest time. ``stop``: events that end a simulation earlier, such as ``Event.LANDED``.

        ``velocity``, ``wish``, ``steer_to``, ``speed`` and ``goal_area`` are one value for all, or a row for each.
        """
        at = points_of(starts)
        flags = (Flag.JUMP if jump else Flag(0)) | (Flag.CROUCH if crouch else Flag(0))
        flags |= Flag.STEER if steer_to is not None else Flag(0)
        return self._space.movement.predict_many(
            at, velocity, wish if steer_to is None else steer_to, speed, flags, stop,
            max_time=seconds, goal_area=goal_area, threads=threads_for(64 * len(at), threads),
        )  # fmt: skip

    def route(
        self,
        start: End,
        goal: End,
        **limits: Unpack[Limits],
    ) -> Route:
        """Return the quickest route between two ends, each an area number or a point.

        An area number stands for the middle of the area; a point for a player standing at, or falling from, it. The
        point of an item that hangs in the air stands for the area in which players take it.
        RouteError when there is no route, no such area, or no room at a point. The keywords of ``Limits`` say what the
        route may use: ``avoid``, ``travel``, ``team``, ``blocked`` and ``cost``.
        """
        wanted = self._wanted(limits)
        start_area, start_point = self._end(start)
        goal_area, goal_point = self._end(goal)
        return self._router.route(start_area, goal_area, start_point, goal_point, wanted)

    def alternatives(
        self,
        start: End,
        goal: End,
        count: int = 3,
        **limits: Unpack[Limits],
    ) -> tuple[Route, ...]:
        """Return up to ``count`` routes that really differ, the quickest first.

        An alternative takes at most 1.5 times as long as the quickest route, passes no area twice, and shares at most
        60 % of its time with any route before it.
        """
        wanted = self._wanted(limits)
        start_area, start_point = self._end(start)
        goal_area, goal_point = self._end(goal)
        return self._router.alternatives(start_area, goal_area, count, start_point, goal_point, wanted)

    def times(
        self,
        starts: ArrayLike,
        goals: ArrayLike,
        *,
        threads: int | None = None,
        **limits: Unpack[Limits],
    ) -> Float:
        """Return the matrix (starts, goals) of travel times in 1/100 s; infinite where there is no route.

        Starts and goals are area numbers (n,) or points (n, 3), as in ``route``. With ``cost``, the matrix holds costs.
        """
        wanted = self._wanted(limits)
        start_area, start_point = self._ends(starts)
        goal_area, goal_point = self._ends(goals)
        begin = self._router.centre[start_area] if start_point is None else start_point
        workers = threads_for(64 * len(goal_area), threads)
        return self._router.times(start_area, begin, goal_area, goal_point, wanted, workers)

    def routes(
        self,
        starts: ArrayLike,
        goals: ArrayLike,
        *,
        threads: int | None = None,
        **limits: Unpack[Limits],
    ) -> Paths:
        """Return the quickest routes from each of the starts to the goal in the same row.

        Starts and goals are area numbers (n,) or points (n, 3), as in ``route``; a single goal counts for all starts.
        """
        wanted = self._wanted(limits)
        start_area, start_point = self._ends(starts)
        goal_area, goal_point = self._ends(goals)
        if len(goal_area) == 1:
            goal_area = np.repeat(goal_area, len(start_area))
            goal_point = None if goal_point is None else np.repeat(goal_point, len(start_area), axis=0)
        if len(start_area) != len(goal_area):
            raise RouteError(f"there are {len(start_area)} starts and {len(goal_area)} goals")
        workers = threads_for(len(start_area), threads)
        return self._router.routes(start_area, start_point, goal_area, goal_point, wanted, workers)

    def next_links(
        self,
        areas: ArrayLike,
        goal: int,
        **limits: Unpack[Limits],
    ) -> Int:
        """Return the row of the link to take from the middle of each of the areas to the goal area.

        −1 in the goal, and where there is no route.
        """
        number = checked_numbers(len(self), areas)
        wanted = self._wanted(limits)
        found: Int = self._router.next_links(int(goal), wanted)[number]
        return found

    def search(self, start: End, goal: End, cost: Callable[[int, float], float]) -> Route:
        """Return the cheapest route with costs that depend on the moment.

        ``cost(row, time)`` is what the link of that row costs in addition to its time, if it is taken at ``time`` after
        the start, both in 1/100 s: 0 or more, infinite to forbid it. RouteError when there is no route.
        """
        start_area, start_point = self._end(start)
        goal_area, goal_point = self._end(goal)
        return search_with(self._router, start_area, goal_area, start_point, goal_point, cost)

    def field(
        self,
        goals: ArrayLike,
        **limits: Unpack[Limits],
    ) -> Field:
        """Return the travel times from everywhere to the nearest of many goals, with the direction to go.

        Goals are area numbers (n,) or points (n, 3). RouteError when there is no goal, or no room at one
        of the points.
        """
        area, point = self._ends(goals)
        if not len(area) or (area < 0).any():
            raise RouteError("a field needs goals, and room for a player at each of them")
        return Field(self._router, self._space, area, point, self._wanted(limits))

    def potential(
        self,
        places: ArrayLike,
        charges: ArrayLike,
        *,
        strength: ArrayLike = 1.0,
        reach: ArrayLike = 1000.0,
        falloff: Callable[[Float], NDArray[Any]] | None = None,
        avoid: Iterable[TravelName] = (),
        threads: int | None = None,
    ) -> Float:
        """Return the sum of charges at places, each falling off with the travel time from the place to the charge.

        Places and charges are area numbers (n,) or points (n, 3). ``strength`` is positive to attract and negative to
        repel, ``reach`` the time in 1/100 s at which nothing is left; each one value, or a value for each charge.
        ``falloff`` maps time / reach to the share of the strength that is left; by default it is linear.
        """
        area, point = self._ends(charges)
        made = charges_of(area, point, strength, reach)
        return potential(made, self.times(places, charges, avoid=avoid, threads=threads), falloff)

    def observer(
        self, goals: ArrayLike, *, nearest: int = 4, rays: int = 8, reach: float = 1024.0, no_route: float = 60.0
    ) -> Observer:
        """Return what makes a vector of each agent for learning: rays, own state, times and directions to goals.

        Goals are area numbers (n,) or points (n, 3). The ``nearest`` of them are observed. ``rays`` level rays have a
        length of ``reach`` units. ``no_route`` seconds are the most that a goal can be away.
        """
        area, point = self._ends(goals)
        points = self._router.centre[area] if point is None else point
        return observer_of(self._space, self._router, area, points, nearest, rays, reach, no_route)

    def visible(self, starts: ArrayLike, ends: ArrayLike, *, threads: int | None = None) -> NDArray[np.bool_]:
        """Return for each row whether nothing blocks sight between ``starts (n, 3)`` and ``ends (n, 3)``.

        Points are taken as they are: a standing player's eyes are 26 units above the origin. Solid brushes and curves
        block sight; clip brushes, glass, doors and other things that move do not. StoreError if the file has no faces
        of the map.
        """
        a, b = pairs_of(starts, ends)
        return free_lines(self._blockers, a, b, threads_for(len(a), threads))

    def sees(self, a: ArrayLike, b: ArrayLike) -> Float:
        """Return how much of areas ``b`` players in areas ``a`` see, from 0 to 1.

        It is the share of the lines between eyes of players in both areas that nothing blocks, so it is the same both
        ways. NaN where no player can stay: in the air. StoreError if the file was compiled without sight.
        """
        return self._views.sees(a, b)

    def seen_from(self, area: int) -> tuple[Int, Float]:
        """Return the areas that players in an area see, ascending, and how much of each, as ``sees``."""
        self._require(area)
        return self._views.seen_from(area)

    @property
    def exposure(self) -> Float:
        """(areas,) share of the map's ground from which players in each area are seen; NaN where none can stay."""
        return self._views.exposure

    def spots(self, kind: SpotKind, count: int = 10, *, apart: float = 256.0) -> tuple[ViewSpot, ...]:
        """Return the areas with ground that stand out most by what sees them, at least ``apart`` units from each other.

        ``kind``: "hiding" for the least exposure, "exposed" for the most, "sniper" for much ground in sight that is
        more than 1,000 units away, and little that is nearer: the far part of the exposure, squared, over all of it.
        """
        return self._views.spots(kind, count, apart)

    @cached_property
    def occupancy(self) -> Occupancy:
        """Entities by area and areas by entity, for boxes that move at run time; empty at first."""
        return Occupancy(self._space)

    def block(self, areas: Iterable[int]) -> None:
        """Let no route pass these areas, until they are opened: a closed door, a crowd. Other tables are kept."""
        self._router.set_blocked(self._router.blocked | checked_areas(len(self), areas))

    def open(self, areas: Iterable[int] | None = None) -> None:
        """Open areas that were blocked; by default all."""
        self._router.set_blocked(() if areas is None else self._router.blocked - checked_areas(len(self), areas))

    def table(self, path: str | os.PathLike[str] | None = None, *, threads: int | None = None) -> AllPairs:
        """Return times and next links between all areas, for answers in constant time.

        With ``path``, the table is read from that file, memory-mapped; if the file does not exist or belongs to another
        map, it is written first. Areas that were blocked do not count.
        """
        return all_pairs(self._router, self.compiled, path, threads_for(64 * len(self), threads))

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
    def _hanging(self) -> dict[Point, int]:
        """Points of items that hang in the air, and the areas in which players take them in flight.

        An item to whose area no link leads, but that players touch from the floor below, is not among them.
        """
        known = [item for item in self.items if item.area >= 0]
        if not known:
            return {}
        falls = locate(self._space.tree, [item.point for item in known], self.compiled.boxes.feet)[0]
        hang = [(item, area) for item, area in zip(known, falls.tolist(), strict=True) if area != item.area]
        if not hang:
            return {}
        entered, sampler = frozenset(self._router.links.target.tolist()), sampler_of(self._space.tree)
        return {
            item.point: item.area
            for item, area in hang
            if item.area in entered or area not in touching(sampler, item.point)
        }

    @cached_property
    def _views(self) -> Views:
        return Views(self.compiled)

    @cached_property
    def _blockers(self) -> Blockers:
        return blockers_in(self.compiled)

    @cached_property
    def _router(self) -> Router:
        return Router(self.compiled)

    def _require(self, area: int) -> None:
        if not 0 <= area < len(self):
            raise RouteError(f"there is no area {area}: they are numbered 0 to {len(self) - 1}")

    def _wanted(self, limits: Limits) -> Wanted:
        return wanted_of(len(self), **limits) if limits else PLAIN

    def _ends(self, ends: ArrayLike) -> tuple[Int, Float | None]:
        """Areas of many ends, and the points in them if the ends are points; −1: no room."""
        values = np.asarray(ends)
        if values.ndim == 1 and (values.dtype.kind in "iu" or not len(values)):
            return checked_numbers(len(self), values).astype(np.int32), None
        at = points_of(values)
        area, origin = locate(self._space.tree, at, self.compiled.boxes.feet)
        for point, hangs_in in self._hanging.items():
            same = (at == point).all(axis=1)
            area[same], origin[same] = hangs_in, point
        return area, origin

    def _end(self, end: End) -> tuple[int, Float | None]:
        """Area of an end of a route, and the point in it if the end is a point."""
        if isinstance(end, int | np.integer):
            return int(end), None
        x, y, z = _checked(end)
        hanging = self._hanging.get((x, y, z))
        area, origin = self.place_at(end) if hanging is None else (hanging, (x, y, z))
        if area < 0:
            raise RouteError("there is no room for a player at ({:g} {:g} {:g})".format(*end))
        return area, np.array(origin)


def _checked(point: Sequence[float] | Float) -> list[float]:
    """The three numbers of a point; RouteError if it is something else."""
    numbers = [float(value) for value in point]
    if len(numbers) != 3 or not np.isfinite(numbers).all():
        raise RouteError(f"a point is three finite numbers, not {numbers}")
    return numbers
