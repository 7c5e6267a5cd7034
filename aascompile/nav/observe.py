"""What agents perceive, as a vector of fixed size for each: input for agents that learn."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile.errors import RouteError
from aascompile.model.contents import WET
from aascompile.model.mapdata import Float, Int
from aascompile.nav.observe_kernel import goal_rows
from aascompile.nav.queries import Space, pairs_of, threads_for
from aascompile.nav.routes import Router
from aascompile.nav.search_kernel import Goals
from aascompile.records import dataclass
from aascompile.sampling.fan import fan_of
from aascompile.sampling.fan_kernel import fan_rows
from aascompile.sampling.sample import areas_at
from aascompile.threads import over_ranges
from aascompile.tolerances import GROUND_NEAR

OWN: Final = ("velocity_x", "velocity_y", "velocity_z", "on_ground", "in_liquid", "can_stand")
"""Fields of an agent's own state. Velocities are in multiples of the running speed."""

GOAL: Final = ("seconds", "direction_x", "direction_y", "direction_z")
"""Fields of each goal. Without a route, seconds are ``Observer.no_route`` and the direction is 0."""

AGENTS: Final = 1024
"""Agents that a thread observes at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Observer:
    """Observations of agents: ``nav.observer(goals)`` makes one, ``observe`` is called in every frame."""

    fields: tuple[str, ...]
    """Names of the columns, in order: rays, own state, then the nearest goals."""
    goals: Int
    """(g,) areas of the goals."""
    points: Float
    """(g, 3) where they are."""
    nearest: int
    """How many of the goals are observed: those with the least travel time first."""
    rays: Float
    """(r, 3) directions of the rays: level, from east counter-clockwise."""
    reach: float
    """Length of the rays in units. A ray's field is the share of it that is free."""
    no_route: float
    """Seconds that stand for no route."""
    _space: Space
    _router: Router

    def observe(
        self, origins: ArrayLike, velocities: ArrayLike = (0.0, 0.0, 0.0), *, threads: int | None = None
    ) -> NDArray[np.float32]:
        """Return the observations (n, fields) of agents at ``origins (n, 3)``; 0 for agents in solid."""
        at, velocity = pairs_of(origins, np.atleast_2d(np.asarray(velocities, np.float64)))
        made: NDArray[np.float32] = np.zeros((len(at), len(self.fields)), np.float32)
        tables = self._router.tables()
        left = self._left()
        cells, tree = self._space.cells, self._space.fan_tree  # made once, before threads need them
        lines = np.concatenate([self.reach * self.rays, [(0.0, 0.0, -GROUND_NEAR)]])  # the last one finds the ground

        def work(first: int, last: int) -> None:
            rows, own = slice(first, last), made[first:last]
            area = areas_at(self._space.tree, at[rows], 1, cells)
            up = np.zeros(len(area))
            fan_rows(fan_of(tree, lines), area, at[rows], own, up)
            goals = Goals(self.goals, self.points, True)
            column = len(self.rays) + len(OWN)
            goal_rows(tables.search(), area, at[rows], left, goals, self.nearest, self.no_route, column, own)
            state = self._own(area, up, velocity[rows])
            state[area < 0] = 0.0
            own[:, len(self.rays) : column] = state

        over_ranges(work, len(at), AGENTS, threads_for(16 * len(at), threads))
        return made

    def _own(self, area: Int, up: Float, velocity: Float) -> Float:
        """(n, 6) an agent's own state. ``up``: upward part of the normal of what is right below; 0: nothing is."""
        tree, boxes, physics = self._space.tree, self._space.compiled.boxes, self._space.settings.physics
        wet = np.asarray(tree.contents)[area] & np.uint32(WET) != 0
        stands = np.asarray(tree.presence)[area] & boxes.presence[0] != 0
        return np.column_stack((velocity / physics.walk_speed, up >= physics.floor_up, wet, stands))

    def _left(self) -> Float:
        """(goals, links) what is left from the start of each link to each goal."""
        left = np.empty((len(self.goals), len(self._router.links)))
        for row, (goal, point) in enumerate(zip(self.goals.tolist(), self.points, strict=True)):
            table = self._router.table(goal, point)
            table.fill()
            left[row] = table.left
        return left


def observer_of(
    space: Space, router: Router, goals: Int, points: Float, nearest: int, rays: int, reach: float, no_route: float
) -> Observer:
    """An observer; RouteError if a goal has no room, or there are fewer goals than are to be observed."""
    if (goals < 0).any():
        raise RouteError("there is no room for a player at some of the goals")
    if not 0 <= nearest <= len(goals):
        raise RouteError(f"{nearest} of {len(goals)} goals cannot be observed")
    angle = 2.0 * np.pi * np.arange(rays) / max(rays, 1)
    names = [f"ray_{number}" for number in range(rays)]
    names += [*OWN, *(f"goal_{number}_{name}" for number in range(nearest) for name in GOAL)]
    directions = np.column_stack((np.cos(angle), np.sin(angle), np.zeros(rays)))
    areas, places = np.ascontiguousarray(goals, np.int32), np.ascontiguousarray(points)
    return Observer(tuple(names), areas, places, nearest, directions, reach, no_route, space, router)
