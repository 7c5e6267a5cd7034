"""Movers: brush models that carry players, from the facts about their entities.

A mover is a list of stops in the order of travel. Plats, doors, bobbing platforms, trains, pendulums and rotating
brushes differ in their stops and in what starts them, not in how links are made from them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import accumulate
from typing import Final

from aascompile import tolerances
from aascompile.model.entity_facts import (
    Bobbing,
    Door,
    EntityFacts,
    Opener,
    Pendulum,
    Plat,
    Point,
    Rotating,
    Train,
)
from aascompile.records import dataclass

FOREVER: Final = float("inf")
"""Seconds that a mover waits if it never goes on."""

SLOWEST: Final = 1.0
"""Units/s: no mover counts as slower, so that times stay finite."""

POSES: Final = 16
"""Positions of a rotating brush that are examined."""

PLAT_WAIT: Final = 1.0
"""Seconds for which a plat stays at its top."""


class Carrier(IntEnum):
    """What a mover is, as numbered in compiled files."""

    PLAT = 1
    BOBBING = 2
    TRAIN = 3
    DOOR = 4
    PENDULUM = 5
    ROTATING = 6
    CALLED_DOOR = 7
    """A door, on rides that begin where it does not rest, if players have to go elsewhere to start it first."""


CALLED: Final = ((1, 0), (1, 1))
"""Legs of a door that begin where it does not rest."""

ALWAYS: Final = (Carrier.BOBBING, Carrier.TRAIN, Carrier.PENDULUM, Carrier.ROTATING)
"""Movers that move by themselves, in rounds. The others rest at their first stop until they are started."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A position in which players get on and off."""

    offsets: tuple[Point, ...]
    """Offset of each model, after it was turned about its stored origin."""
    wait: float
    """Seconds that it stands there; FOREVER: until it is started."""
    leg: float
    """Seconds of the way to the next stop."""
    axis: int = 2
    """Axis about which it is turned: 0 x, 1 y, 2 z."""
    turn: float = 0.0
    """Degrees by which it is turned."""
    yaw: float = 0.0
    """Degrees by which the axis itself is turned about z."""


@dataclass(frozen=True, slots=True)
class BrushMover:
    """A mover, or a team of doors that move together."""

    carrier: Carrier
    models: tuple[int, ...]
    """Its brush models."""
    stops: tuple[Stop, ...]
    """In the order of travel; from the last it returns to the first."""
    touch: bool = False
    """It starts for a player who steps on it or comes near."""
    shot: bool = False
    """It starts when it, or a button, is shot."""
    openers: tuple[Opener, ...] = ()
    """What else starts it."""

    @property
    def legs(self) -> tuple[tuple[int, int], ...]:
        """Stops between which it moves, in the order of travel; of a door also each stop by itself, where it may be a
        bridge, and once more those legs on which it may have to be called."""
        n = len(self.stops)
        moves = tuple((stop, (stop + 1) % n) for stop in range(n))
        return (*moves, (0, 0), (1, 1), *CALLED) if self.carrier == Carrier.DOOR else moves

    def leg(self, on: int, off: int, called: bool = False) -> int:
        """Number of the leg on which players get on at a stop; of the door that stands there if they get off there too.
        ``called``: they have to start it elsewhere first."""
        stands = on == off and self.carrier == Carrier.DOOR
        pair = (on, on) if stands else (on, (on + 1) % len(self.stops))
        return self.legs.index(pair, len(self.legs) - len(CALLED) if called else 0)

    @property
    def rides(self) -> int:
        """Number of its rides in a compiled file: the legs of its first model, then of the others."""
        return len(self.models) * len(self.legs)

    @property
    def round(self) -> float:
        """Seconds from a stop to the same stop; FOREVER if it rests."""
        return sum(stop.wait + stop.leg for stop in self.stops)

    def ride(self, on: int, off: int) -> float:
        """Seconds from leaving stop ``on`` to reaching stop ``off``: all legs, and the waits at stops between."""
        seconds, at = self.stops[on].leg, (on + 1) % len(self.stops)
        while at != off:
            seconds += self.stops[at].wait + self.stops[at].leg
            at = (at + 1) % len(self.stops)
        return seconds

    def waiting(self, stops: Sequence[int]) -> float:
        """Seconds of waiting, on average, where it comes to some of its stops in each round: half a round if it comes
        once."""
        gaps = [
            self.ride(here, there) + self.stops[here].wait
            for here, there in zip(stops, [*stops[1:], stops[0]], strict=True)
        ]
        return sum(gap * gap for gap in gaps) / (2.0 * self.round)


def movers(facts: EntityFacts) -> tuple[BrushMover, ...]:
    """All movers of a map: plats, bobbing platforms, trains, pendulums, rotating brushes, then doors by team."""
    return tuple(mover for mover in _movers(facts) if _is_inside(mover))


def _movers(facts: EntityFacts) -> Iterator[BrushMover]:
    yield from (_plat(plat) for plat in facts.plats)
    yield from (_bobbing(bobbing) for bobbing in facts.bobbings)
    yield from (_train(train) for train in facts.trains if train.back >= 0 and len(train.stops) - train.back > 1)
    yield from (_pendulum(pendulum) for pendulum in facts.pendulums)
    yield from (_rotating(rotating) for rotating in facts.rotating)
    for doors in teams(facts):
        yield _doors(doors, facts)


def first_rides(movers: Sequence[BrushMover]) -> list[int]:
    """Number of the first ride of each mover among the rides of all."""
    ends = list(accumulate(mover.rides for mover in movers))
    return [0, *ends][: len(ends)]


def teams(facts: EntityFacts) -> list[list[Door]]:
    """Doors that move together, in entity order. A door without a team moves alone."""
    found: dict[str, list[Door]] = {}
    for door in facts.doors:
        found.setdefault(door.team or f"*{door.model}", []).append(door)
    return list(found.values())


def opens_near(doors: Sequence[Door]) -> bool:
    """Whether a team of doors opens for players who come near. The game asks the first of them, to which it gives the
    names of all: one door that something else opens is enough to keep the team closed."""
    return doors[0].touch and all(door.touch or door.shot for door in doors)


def _is_inside(mover: BrushMover) -> bool:
    """Whether it has brush models and all its stops lie within the extent of a map."""
    numbers = (abs(number) for stop in mover.stops for offset in stop.offsets for number in offset)
    return min(mover.models) >= 0 and max(numbers) <= tolerances.PLANE_FAR


def _seconds(here: Point, there: Point, speed: float) -> float:
    return math.dist(here, there) / max(speed, SLOWEST)


def _plat(plat: Plat) -> BrushMover:
    leg = _seconds(plat.bottom, plat.top, plat.speed)
    stops = (Stop((plat.bottom,), FOREVER, leg), Stop((plat.top,), PLAT_WAIT, leg))
    return BrushMover(Carrier.PLAT, (plat.model,), stops, touch=plat.touch, openers=plat.openers)


def _bobbing(bobbing: Bobbing) -> BrushMover:
    x, y, z = bobbing.middle
    ends: list[Point] = []
    for side in (-bobbing.amplitude, bobbing.amplitude):
        by = [side if axis == bobbing.axis else 0.0 for axis in range(3)]
        ends.append((x + by[0], y + by[1], z + by[2]))
    return BrushMover(Carrier.BOBBING, (bobbing.model,), tuple(Stop((end,), 0.0, bobbing.period / 2.0) for end in ends))


def _train(train: Train) -> BrushMover:
    stops = train.stops[train.back :]
    onward = (*stops[1:], stops[0])
    rows = zip(stops, onward, train.wait[train.back :], train.speed[train.back :], strict=True)
    return BrushMover(
        Carrier.TRAIN,
        (train.model,),
        tuple(Stop((here,), wait, _seconds(here, there, speed)) for here, there, wait, speed in rows),
    )


def _pendulum(pendulum: Pendulum) -> BrushMover:
    stops = tuple(
        Stop((pendulum.pivot,), 0.0, pendulum.period / 2.0, axis=0, turn=side * pendulum.amplitude, yaw=pendulum.yaw)
        for side in (-1.0, 1.0)
    )
    return BrushMover(Carrier.PENDULUM, (pendulum.model,), stops)


def _rotating(rotating: Rotating) -> BrushMover:
    leg = 360.0 / POSES / max(abs(rotating.speed), SLOWEST)
    step = math.copysign(360.0 / POSES, rotating.speed)
    stops = tuple(Stop((rotating.pivot,), 0.0, leg, axis=rotating.axis, turn=pose * step) for pose in range(POSES))
    return BrushMover(Carrier.ROTATING, (rotating.model,), stops)


def _doors(doors: list[Door], facts: EntityFacts) -> BrushMover:
    buttons = {button.row for button in facts.buttons if button.shot}
    openers: dict[Opener, None] = {opener: None for door in doors for opener in door.openers}
    leg = max(_seconds(door.rest, door.moved, door.speed) for door in doors)
    wait = min((door.wait if door.wait >= 0.0 else FOREVER) for door in doors)
    return BrushMover(
        Carrier.DOOR,
        tuple(door.model for door in doors),
        (Stop(tuple(door.rest for door in doors), FOREVER, leg), Stop(tuple(door.moved for door in doors), wait, leg)),
        touch=opens_near(doors),
        shot=doors[0].shot or any(opener.row in buttons for opener in openers),
        openers=tuple(openers),
    )
