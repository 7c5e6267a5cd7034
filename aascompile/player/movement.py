"""Movement prediction: where the game takes a player with a given start and wish.

    movement = Movement(areas, settings)
    found = movement.predict(start, velocity, Command(wish=(1, 0, 0), jump=True), Event.LANDED)
    found.area, found.end, found.seen

Kernels take a mover for each thread, ``with movement.lent_mover() as mover``, and call its ``run`` directly.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from enum import IntFlag
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile import tolerances
from aascompile.model.areas import Areas
from aascompile.model.mapdata import Bits, Float, Int
from aascompile.player.move_kernel import Mover, path_of, predict_rows, set_up
from aascompile.records import dataclass
from aascompile.sampling.sample import sampler_of, tree_of
from aascompile.sampling.sample_kernel import Sampler
from aascompile.settings import Point, Settings
from aascompile.threads import over_ranges

FRAME_TIME = 0.025
"""Seconds. The game's own frames last 8 to 50 ms. Flight is exact for any; steering hardly changes below this."""

CHUNK = 256
"""Predictions that a thread makes at a time."""


class Flag(IntFlag):
    """Flags of a command; move_kernel has the same numbers."""

    JUMP = 0x1
    """Jump once, from the first ground after ``jump_time``."""
    CROUCH = 0x2
    """Stay crouched."""
    STEER = 0x4
    """``wish`` is a point to go to, not a direction (see ``Command.steer_to``)."""
    TRACK = 0x8
    """Record the areas of the whole path."""
    LEVEL = 0x10
    """In liquid, go neither up nor down, as bots do that walk."""


class Event(IntFlag):
    """What can happen during a prediction, and end it; move_kernel has the same numbers."""

    LANDED = 0x1
    """Ground after air."""
    LEFT_GROUND = 0x2
    """Air, or a steep slope, after ground."""
    BUMP = 0x4
    """Hit a wall or a steep slope. A step that was climbed does not count."""
    HEAD = 0x8
    """Hit a ceiling."""
    LIQUID = 0x10
    """The feet touch liquid."""
    SWIM = 0x20
    """Liquid up to the waist."""
    LEFT_LIQUID = 0x40
    """No longer in liquid."""
    LAVA = 0x80
    SLIME = 0x100
    HURT = 0x200
    JUMP_PAD = 0x400
    TELEPORTER = 0x800
    DO_NOT_ENTER = 0x1000
    AREA = 0x2000
    """Entered the goal area, in the air or not."""
    AREA_GROUND = 0x4000
    """Stands or swims in the goal area."""
    MARKED = 0x8000
    """Entered a marked area."""
    GAP = 0x10000
    """Neither ground nor liquid within ``gap_depth`` below; checked only if it is a stop event."""
    GOAL = 0x20000
    """Within ``goal_near`` of the point to steer to."""
    STUCK = 0x40000
    """Has wished to move for 0.3 s, but hardly moved."""
    WATER_JUMP = 0x80000
    """Jumped out of the water."""
    TIME = 0x100000
    """The time is up; always ends the prediction."""
    START_SOLID = 0x200000
    """No player fits at the start, or within a unit of it; always ends the prediction."""


HAZARDS = Event.LAVA | Event.SLIME | Event.HURT
"""Hazards that no link may lead into."""


@dataclass(frozen=True, slots=True)
class Command:
    """A player's wish, the same in every frame."""

    wish: Point = (0.0, 0.0, 0.0)
    """Direction, of any length; its height counts only in liquid. 0: stand still."""
    speed: float = 320.0
    """Units per second; liquid and crouching limit it further."""
    steer_to: Point | None = None
    """Point to go to instead; the direction is updated in every frame. In the air it points from where the flight would
    land to where it should, as the engine's bots steer."""
    jump: bool = False
    """Jump once, as soon as there is ground."""
    crouch: bool = False


@dataclass(frozen=True, slots=True)
class Prediction:
    """Result of a prediction."""

    end: Point
    velocity: Point
    """Units per second. If an area ended the prediction within a frame, the velocity at the end of that frame."""
    area: int
    """Area at the end; −1 only if the start was solid."""
    stopped: Event
    """Events that ended it."""
    seen: Event
    """All events, including those that ended it."""
    time: float
    """Seconds."""
    frames: int
    on_ground: bool
    water_level: int
    """0: dry; 1: the feet, 2: the waist, 3: the eyes are in liquid."""
    land_speed: float
    """Units per second downwards at the last landing."""
    fall: float
    """Units from the highest point of the last flight to its landing."""
    damage: int
    """Health lost in landings."""
    path_area: Int
    """(k,) areas on the path, beginning with the start's; empty if not requested."""
    path_point: Float
    """(k, 4) where (just inside) and when each was entered: x, y, z, seconds."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """Results of n predictions; the columns are those of ``Prediction``."""

    end: Float
    """(n, 3)"""
    velocity: Float
    """(n, 3)"""
    area: Int
    """(n,)"""
    stopped: Bits
    """(n,) Event bits."""
    seen: Bits
    """(n,) Event bits."""
    time: Float
    """(n,)"""
    frames: Int
    """(n,)"""
    on_ground: NDArray[np.bool_]
    """(n,)"""
    water_level: Int
    """(n,)"""
    land_speed: Float
    """(n,)"""
    fall: Float
    """(n,)"""
    damage: Int
    """(n,)"""

    def __len__(self) -> int:
        return len(self.area)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Starts and commands of n predictions."""

    start: Float
    """(n, 3)"""
    velocity: Float
    """(n, 3)"""
    wish: Float
    """(n, 3) a direction, or with Flag.STEER a point."""
    speed: Float
    """(n,)"""
    goal_area: Int
    """(n,)"""
    flags: Bits
    """(n,) Flag bits."""

    @classmethod
    def of(
        cls,
        starts: ArrayLike,
        velocities: ArrayLike,
        wishes: ArrayLike,
        speed: ArrayLike,
        goal_area: ArrayLike,
        flags: ArrayLike,
    ) -> _Rows:
        """Rows from columns of n values, or of one value for all."""
        start = np.ascontiguousarray(starts, np.float64).reshape(-1, 3)
        n = len(start)

        def column(values: ArrayLike, dtype: type, *shape: int) -> NDArray[Any]:
            return np.array(np.broadcast_to(np.asarray(values, dtype), (n, *shape)), order="C")

        velocity, wish = column(velocities, np.float64, 3), column(wishes, np.float64, 3)
        return cls(
            start,
            velocity,
            wish,
            column(speed, np.float64),
            column(goal_area, np.int32),
            column(flags, np.uint32),
        )


@dataclass(frozen=True, slots=True)
class _Limits:
    """What ends predictions, and further fields of the mover by name."""

    stop: Event
    frame_time: float
    max_time: float
    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Results:
    """Results of n predictions, as the kernel writes them."""

    end: Float
    """(n, 6) place and velocity."""
    number: NDArray[np.int64]
    """(n, 7) area, stopped, seen, frames, damage, on ground, water level."""
    amount: Float
    """(n, 3) time, landing speed, fall."""


class Movement:
    """A player in a compiled map."""

    def __init__(self, areas: Areas, settings: Settings) -> None:
        self.tree = tree_of(areas)
        self.settings = settings
        self._idle: list[Mover] = []

    def mover(self) -> Mover:
        """A mover with its own sampler, for one thread."""
        return self._mover(sampler_of(self.tree))

    @contextmanager
    def lent_mover(self) -> Iterator[Mover]:
        """A mover for one thread and a short time. It still has the command that it was given last. Its sampler keeps
        the copies of the tree that others made."""
        try:
            mover = self._idle.pop()
        except IndexError:  # another thread may have taken the last one
            mover = self.mover()
        try:
            yield mover
        finally:
            self._idle.append(mover)

    def _mover(self, sampler: Sampler) -> Mover:
        return Mover(sampler, self.settings.physics, self.settings.boxes, tolerances.GROUND_NEAR)

    @contextmanager
    def _mover_with(self, settings: dict[str, Any]) -> Iterator[Mover]:
        """A lent mover; for settings, which stay with a mover, another one with the lent sampler."""
        with self.lent_mover() as mover:
            yield self._mover(mover.sampler) if settings else mover

    def predict(
        self,
        start: Point,
        velocity: Point,
        command: Command,
        stop: Event,
        *,
        max_time: float = 5.0,
        frame_time: float = FRAME_TIME,
        goal_area: int = -1,
        track: bool = False,
        **settings: Any,
    ) -> Prediction:
        """Make one prediction. ``settings``: further fields of the mover, such as ``marks``, ``gap_depth``,
        ``goal_near``."""
        flags = Flag.TRACK if track else Flag(0)
        flags |= (Flag.JUMP if command.jump else Flag(0)) | (Flag.CROUCH if command.crouch else Flag(0))
        flags |= Flag.STEER if command.steer_to is not None else Flag(0)
        wish = command.wish if command.steer_to is None else command.steer_to
        rows = _Rows.of(start, velocity, wish, command.speed, goal_area, flags)
        with self._mover_with(settings) as mover:
            found = self._run(rows, _Limits(stop, frame_time, max_time, settings), mover)
            path_area, path_point = path_of(mover)
        return Prediction(
            end=tuple(found.end[0].tolist()),
            velocity=tuple(found.velocity[0].tolist()),
            area=int(found.area[0]),
            stopped=Event(int(found.stopped[0])),
            seen=Event(int(found.seen[0])),
            time=float(found.time[0]),
            frames=int(found.frames[0]),
            on_ground=bool(found.on_ground[0]),
            water_level=int(found.water_level[0]),
            land_speed=float(found.land_speed[0]),
            fall=float(found.fall[0]),
            damage=int(found.damage[0]),
            path_area=path_area,
            path_point=path_point,
        )

    def predict_many(
        self,
        starts: ArrayLike,
        velocities: ArrayLike,
        wishes: ArrayLike,
        speed: ArrayLike,
        flags: ArrayLike,
        stop: Event,
        *,
        max_time: float = 5.0,
        frame_time: float = FRAME_TIME,
        goal_area: ArrayLike = -1,
        threads: int = 1,
        **settings: Any,
    ) -> Predictions:
        """Make many predictions: ``starts (n, 3)``; everything else one row each, or one for all.

        ``wishes``: directions, or points with Flag.STEER. ``settings`` as for ``predict``.
        """
        rows = _Rows.of(starts, velocities, wishes, speed, goal_area, flags)
        return self._run(rows, _Limits(stop, frame_time, max_time, settings), threads=threads)

    def _run(self, rows: _Rows, limits: _Limits, mover: Mover | None = None, threads: int = 1) -> Predictions:
        """Run rows in threads, each with its own mover (or with the given one)."""
        n = len(rows.start)
        results = _Results(np.empty((n, 6)), np.empty((n, 7), np.int64), np.empty((n, 3)))

        def work(first: int, last: int) -> None:
            with self._mover_with(limits.settings) if mover is None else nullcontext(mover) as player:
                set_up(player, int(limits.stop), limits.frame_time, limits.max_time, limits.settings)
                predict_rows(player, rows, results, first, last)

        over_ranges(work, n, CHUNK, threads)
        end, number, amount = results.end, results.number, results.amount
        return Predictions(
            end=end[:, :3].copy(),
            velocity=end[:, 3:].copy(),
            area=number[:, 0].astype(np.int32),
            stopped=number[:, 1].astype(np.uint32),
            seen=number[:, 2].astype(np.uint32),
            time=amount[:, 0].copy(),
            frames=number[:, 3].astype(np.int32),
            on_ground=number[:, 5] != 0,
            water_level=number[:, 6].astype(np.int32),
            land_speed=amount[:, 1].copy(),
            fall=amount[:, 2].copy(),
            damage=number[:, 4].astype(np.int32),
        )
