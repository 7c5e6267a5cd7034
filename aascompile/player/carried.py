"""Players on movers: simulates a player who waits beside a mover, gets on, is carried, and gets off.

The areas know nothing of movers. So the world is the compiled tree, as everywhere, and the mover is a box that moves
through it: a player walks onto it, is lifted and pushed by it, and falls where it is not. What turns takes players
round with it, as the game does, and they stand on its floor however it leans.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from aascompile import tolerances
from aascompile.geometry.vectors import dot, flat_lengths, norm
from aascompile.model.areas import Areas
from aascompile.model.contents import DEADLY
from aascompile.model.mapdata import Float
from aascompile.player.movement import Movement
from aascompile.player.moving import Moving, Pose
from aascompile.player.reason import Reason
from aascompile.records import dataclass
from aascompile.sampling.sample import areas_at, traces

FRAME: Final = 0.05
"""Seconds: a frame of the server, which moves movers and bots."""

BEFORE: Final = 1.0
"""Seconds before the mover arrives from which it is watched: it must not hit the player who waits."""

PATIENCE: Final = 6.0
"""Seconds to get on, and to get off and walk to the end."""

LONGEST: Final = 300.0
"""Seconds of a ride: longer rides are not followed. The times of a damaged file have no bound."""

MOST_FRAMES: Final = 1000
"""Of a player who stands on a mover and waits. On a long ride, frames are longer then."""

INNER: Final = 16.0
"""Units inside the rim of a mover at which players stand on it."""

TRIGGER: Final = 33.0
"""Units inside the rim of a plat at which the trigger begins that starts it."""

ACROSS: Final = 9
"""Points across a mover, in both directions, where players may stand."""

NEAR: Final = 0.5
"""Units from a point at which players are there."""

BUTTON: Final = 64
"""Units before a button within which a player fits."""

PRESSED: Final = 1.0
"""Units by which a mover may overlap a player, as the game moves both in turn."""


@dataclass(frozen=True, slots=True)
class Trip:
    """A ride to simulate."""

    moving: Moving
    carrier: int
    """Number of the box that carries the player."""
    start: Float
    """(3,) where the player waits."""
    end: Float
    """(3,) where the player goes afterwards."""
    target: int
    """Area of the end."""
    leaves: float
    """Seconds at which the mover is where the player gets off; below 0: the player only walks over it."""
    started: bool
    """Nothing moves before the player is in the middle of the mover."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """How a ride ended."""

    why: Reason
    place: Float
    """(3,) player origin there."""
    area: int
    seconds: float
    """From when the mover is there to get on until the end."""


class Rider:
    """Simulates rides in a compiled map."""

    def __init__(self, areas: Areas, movement: Movement) -> None:
        self.movement, self.areas = movement, areas
        box, physics = movement.settings.boxes[0], movement.settings.physics
        self.presence, self.feet, self.head = box.presence, -box.mins[2], box.maxs[2]
        self.stands = self.feet + tolerances.STOP_BEFORE
        self.wide = np.array(box.maxs[:2])
        self.step, self.gravity, self.speed = physics.step, physics.gravity, physics.walk_speed

    def ride(self, trip: Trip) -> Arrival:
        """Simulate a ride."""
        moving, on = trip.moving, self._on(trip)
        place, fall, time = self._start(trip), 0.0, 0.0 if trip.started or trip.leaves < 0.0 else -BEFORE
        pose, aboard, begun = moving.at(time), -1, not trip.started
        waited, frame = 0.0, FRAME
        if trip.leaves > LONGEST:
            return self._ended(Reason.LATE, place, time)
        while time < max(trip.leaves, 0.0) + PATIENCE and waited < PATIENCE:
            if begun:
                time += frame
            else:
                waited += FRAME
            before, pose = pose, moving.at(time)
            moved = self._carried(place, aboard, before, pose, moving)
            if moved is None:
                return self._ended(Reason.HELD_UP, place, time)
            place, stands = moved, aboard
            boarded = pose.out(trip.carrier, on)
            goal = self._goal(trip, boarded, place, time, aboard)
            if goal is not None:
                place = self._walked(place, goal, pose, moving)
            place, fall, aboard, grounded = self._fallen(place, fall, pose, moving)
            frame = max(FRAME, trip.leaves / MOST_FRAMES) if goal is None and aboard >= 0 else FRAME
            begun = begun or (aboard == trip.carrier and self._is_at(place, boarded))
            area = self._area(place)
            if area < 0 or self.areas.area_contents[area] & np.uint32(DEADLY):
                return self._ended(Reason.HARMED, place, time)
            walks = goal is trip.end and (grounded or stands >= 0) and (aboard < 0 or trip.leaves < 0.0)
            if area == trip.target and (walks or (aboard == trip.carrier and self._ends_on(trip, pose))):
                return self._ended(Reason.ARRIVES, place, time)
        return self._ended(Reason.LATE, place, time)

    def _ends_on(self, trip: Trip, pose: Pose) -> bool:
        """Whether the end of the link is over the mover, where it carries the player."""
        away = np.abs(pose.into(trip.carrier, trip.end))[:2]
        return bool((away <= trip.moving.half[trip.carrier][:2]).all())

    def _start(self, trip: Trip) -> Float:
        """(3,) where the player waits: at the start, or as near to it as a player fits, if it is a button."""
        to = np.append((trip.moving.at(0.0).middle[trip.carrier] - trip.start)[:2], 0.0)
        to /= max(norm(to), NEAR)
        for away in range(BUTTON):
            place: Float = trip.start + away * to
            if self._area(place) >= 0:
                return place
        return trip.start

    def _on(self, trip: Trip) -> Float:
        """(3,) where players stand on a mover, from its middle, as drawn: clear of its rim and of the world, near the
        start, or near the middle if they start it."""
        half, pose = trip.moving.half[trip.carrier], trip.moving.at(0.0)
        inner = np.maximum(half[:2] - (TRIGGER if trip.started else INNER), 0.0)
        wanted = np.zeros(2) if trip.started else np.clip(pose.into(trip.carrier, trip.start)[:2], -inner, inner)
        x, y = (np.linspace(-side, side, ACROSS) for side in inner)
        tried = np.vstack((wanted, np.array([(u, v) for u in x.tolist() for v in y.tolist()])))
        height = np.full(len(tried), trip.moving.floor[trip.carrier] + self.stands)
        tried = np.column_stack((tried, height))
        free = areas_at(self.movement.tree, [pose.out(trip.carrier, point) for point in tried]) >= 0
        away = flat_lengths(tried[:, :2] - wanted)
        best: Float = tried[np.where(free, away, np.inf).argmin()]
        return best

    def _goal(self, trip: Trip, on: Float, place: Float, time: float, aboard: int) -> Float | None:
        """(3,) where the player walks to; None: the player stands and waits."""
        if time < 0.0:
            return None
        if trip.leaves < 0.0 or time >= trip.leaves:
            return trip.end
        return None if aboard == trip.carrier and self._is_at(place, on) else on

    @staticmethod
    def _is_at(place: Float, goal: Float) -> bool:
        return math.dist(place[:2], goal[:2]) <= NEAR

    def _ended(self, why: Reason, place: Float, time: float) -> Arrival:
        return Arrival(why, place, self._area(place), time)

    def _area(self, place: Float) -> int:
        return int(self._trace(place, place)[2])

    def _trace(self, here: Float, there: Float) -> tuple[float, Float, int]:
        """Free share of a way through the world, its end, and the area there."""
        found = traces(self.movement.tree, here, there, self.presence)
        if found.start_solid[0]:
            return 0.0, here, -1
        return float(found.fraction[0]), found.end[0], int(found.end_area[0])

    def _slid(self, here: Float, by: Float) -> Float:
        """(3,) the end of a way through the world, which goes on along the first wall it meets."""
        found = traces(self.movement.tree, here, here + by, self.presence)
        rest = (1.0 - float(found.fraction[0])) * by
        rest -= found.normal[0] * dot(rest, found.normal[0])
        return self._trace(found.end[0], found.end[0] + np.array((rest[0], rest[1], 0.0)))[1]

    def _tops(self, place: Float, pose: Pose, moving: Moving) -> list[tuple[int, float]]:
        """Boxes above or below which a player is, and the heights of their floors there."""
        tops = ((row, moving.top(row, place, pose, self.wide)) for row in range(len(moving.half)))
        return [(row, top) for row, top in tops if top > -math.inf]

    def _inside(self, place: Float, pose: Pose, moving: Moving) -> int:
        """The box that overlaps a player; −1: none."""
        for row, top in self._tops(place, pose, moving):
            bottom = top - moving.floor[row] - moving.half[row, 2]
            if place[2] - self.feet < top - PRESSED and place[2] + self.head > bottom + PRESSED:
                return row
        return -1

    def _carried(self, place: Float, aboard: int, before: Pose, pose: Pose, moving: Moving) -> Float | None:
        """Where a mover takes a player in a frame: with it, up onto it, or aside; None if there is no room."""
        row = aboard if aboard >= 0 else self._inside(place, pose, moving)
        if row < 0:
            return place
        by = pose.out(row, before.into(row, place)) - place
        top = moving.top(row, place, pose, self.wide) + self.stands
        if aboard < 0 and place[2] >= top - self.step:
            by = np.array((0.0, 0.0, top - place[2]))
        free, end, _ = self._trace(place, place + by)
        inside = self._inside(end, pose, moving)
        return end if free == 1.0 or inside < 0 else None

    def _walked(self, place: Float, goal: Float, pose: Pose, moving: Moving) -> Float:
        """Where a player who walks towards a goal is after a frame. Steps are climbed."""
        by = np.append((goal - place)[:2], 0.0)
        far = norm(by)
        by *= min(1.0, self.speed * FRAME / max(far, NEAR))
        for lift in (self.step, 0.0):
            up = self._trace(place, place + np.array((0.0, 0.0, lift)))[1]
            end = self._slid(up, by)
            if self._inside(end, pose, moving) < 0 and math.dist(end[:2], place[:2]) > NEAR * FRAME:
                down = np.append(end[:2], place[2])
                for _, top in self._tops(end, pose, moving):
                    if top + self.stands <= end[2] + PRESSED:
                        down[2] = max(down[2], top + self.stands)
                return self._trace(end, down)[1] if lift else end
        return place

    def _fallen(self, place: Float, fall: float, pose: Pose, moving: Moving) -> tuple[Float, float, int, bool]:
        """Where gravity takes a player in a frame: the place, the speed downwards, the box stood on (−1: none), and
        whether the player stands on the ground of the world."""
        deep = fall * FRAME + self.gravity * FRAME * FRAME / 2.0
        under, on = place[2] - deep, -1
        for row, top in self._tops(place, pose, moving):
            if under <= top + self.stands <= place[2] + PRESSED:
                under, on = max(under, top + self.stands), row
        free, end, _ = self._trace(place, np.append(place[:2], under))
        if free < 1.0:
            return end, 0.0, -1, True
        return end, 0.0 if on >= 0 else fall + self.gravity * FRAME, on, False
