"""What agents perceive, as a vector of fixed size for each: input for agents that learn."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile.errors import RouteError
from aascompile.model.contents import WET
from aascompile.model.mapdata import Float, Int
from aascompile.nav.queries import Space, pairs_of, threads_for
from aascompile.nav.routes import Router
from aascompile.records import dataclass
from aascompile.sampling.sample import areas_at, traces
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

        def work(first: int, last: int) -> None:
            made[first:last] = self._rows(at[first:last], velocity[first:last])

        over_ranges(work, len(at), AGENTS, threads_for(16 * len(at), threads))
        return made

    def _rows(self, at: Float, velocity: Float) -> Float:
        tree, boxes = self._space.tree, self._space.compiled.boxes
        area = areas_at(tree, at, 1, self._space.cells)
        n, r = len(at), len(self.rays)
        ends = at[:, None] + self.reach * self.rays
        free = traces(tree, np.repeat(at, r, axis=0), ends.reshape(-1, 3), int(boxes.presence[-1])).fraction
        floor = traces(tree, at, at - np.array((0.0, 0.0, GROUND_NEAR)), int(boxes.presence[-1]))
        walk_speed = self._space.settings.physics.walk_speed
        wet = np.asarray(tree.contents)[area] & np.uint32(WET) != 0
        stands = np.asarray(tree.presence)[area] & boxes.presence[0] != 0
        ground = (floor.fraction < 1.0) & (floor.normal[:, 2] >= self._space.settings.physics.floor_up)
        own = np.column_stack((velocity / walk_speed, ground, wet, stands))
        made = np.hstack((free.reshape(n, r), own, self._goals(area, at)))
        made[area < 0] = 0.0
        return made

    def _goals(self, area: Int, at: Float) -> Float:
        """(n, 4 · nearest) time and direction to the nearest goals."""
        n, g = len(at), len(self.goals)
        time, link = np.empty((n, g)), np.empty((n, g), np.int32)
        for column in range(g):
            table = self._router.table(int(self.goals[column]), self.points[column])
            table.fill()
            time[:, column], link[:, column] = table.times(area, at)
        order = np.argsort(time, axis=1, kind="stable")[:, : self.nearest]
        rows = np.arange(n)[:, None]
        best, taken = time[rows, order], link[rows, order]
        towards = np.where((taken >= 0)[..., None], self._router.links.start[taken], self.points[order]) - at[:, None]
        length = np.linalg.norm(towards, axis=2, keepdims=True)
        direction = np.where(np.isfinite(best)[..., None], towards / np.maximum(length, 1.0), 0.0)
        seconds = np.minimum(best / 100.0, self.no_route)
        return np.concatenate((seconds[..., None], direction), axis=2).reshape(n, -1)


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
    return Observer(tuple(names), goals, points, nearest, directions, reach, no_route, space, router)
