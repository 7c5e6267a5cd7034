"""Links by way of a mover that players start: between the ground at both of its ends, and the areas of riders.

A bot on a door goes on only if a link leaves the area that it is in, so every area that the door carries it through
has links to the door's other end. On a plat only the areas of players on the resting plat have them, which may be their
only floor. Once an area has links, bots take it for the place of a player whom they chase, and stand still if no route
leads there. So links by the mover lead into all these areas, too.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.distinct import occurs
from aascompile.geometry.vectors import flat_lengths, norm
from aascompile.model.mapdata import Float, Index
from aascompile.player.movement import Movement
from aascompile.reach.platforms import LEAST_LIFT, Beside, Platform
from aascompile.records import dataclass
from aascompile.sampling.sample import areas_at

ALONG: Final = 16.0
"""Units between the points of a ride or a bridge that are examined."""


@dataclass(frozen=True, slots=True)
class ByMover:
    """Links by way of a mover, without their travel type and time."""

    source: Index
    """(n,)"""
    target: Index
    """(n,)"""
    start: Float
    """(n, 3)"""
    end: Float
    """(n, 3)"""


@dataclass(frozen=True, slots=True)
class Riders:
    """Areas of players whom a mover carries, ascending."""

    area: Index
    """(n,)"""
    first: Float
    """(n, 3) player origin on the mover where it first carries somebody in the area."""
    last: Float
    """(n, 3) the same where it last does."""


def between(here: Beside, there: Beside) -> ByMover:
    """From every area here to every area there."""
    n, m = len(here.area), len(there.area)
    return ByMover(
        np.repeat(here.area, m),
        np.tile(there.area, n),
        np.repeat(here.point, m, axis=0),
        np.tile(there.point, (n, 1)),
    )


def with_riders(
    low: Platform, high: Platform, below: Beside, above: Beside, movement: Movement, *, on_the_way: bool
) -> ByMover:
    """From every area beside a mover at rest to every area beside its other end, from there into the areas of riders,
    and from these to the other end. Bots in them that are not on the mover wait beside it. ``on_the_way``: riders are
    all whom it carries, not only those in the areas of players on the resting mover. Nothing if nobody gets off."""
    if not len(above.area):
        return between(below, above)
    riders = _riders(low, high, np.concatenate((below.area, above.area)), movement, on_the_way)
    aside = flat_lengths(below.point - low.middle)
    waits = below.point[[aside.argmin()] * len(riders.area)] if len(aside) else riders.first
    level = np.zeros(len(riders.area))
    out = between(Beside(riders.area, waits, level, riders.first), above)
    into = between(below, Beside(riders.area, riders.last, level, riders.last))
    through = between(below, above)
    source, target = (
        np.concatenate([getattr(each, name) for each in (through, out, into)]) for name in ("source", "target")
    )
    start, end = (np.vstack([getattr(each, name) for each in (through, out, into)]) for name in ("start", "end"))
    return ByMover(source, target, start, end)


def standing_on(there: Platform, movement: Movement) -> Float:
    """(n, 3) origins of players on a mover: in its middle, and halfway to its rim."""
    feet = -movement.settings.boxes[0].mins[2]
    level = np.vstack((there.middle[:2], (there.middle[:2] + there.on[:, :2]) / 2.0))
    points: Float = np.column_stack((level, np.full(len(level), there.middle[2] + feet)))
    return points


def path(here: Float, there: Float) -> Float:
    """(n, 3) points on the straight line between two."""
    count = int(norm(there - here) / ALONG) + 2
    points: Float = here + np.linspace(0.0, 1.0, count)[:, None] * (there - here)
    return points


def _riders(low: Platform, high: Platform, but: Index, movement: Movement, on_the_way: bool) -> Riders:
    """The areas of riders, but for some."""
    lift = np.array((0.0, 0.0, LEAST_LIFT))
    by = path(lift, high.middle - low.middle + lift)
    on = standing_on(low, movement)
    points = (by[:, None] + on).reshape(-1, 3)
    area = areas_at(movement.tree, points).astype(np.int64)
    found, first = np.unique(area, return_index=True)
    last = len(area) - 1 - np.unique(area[::-1], return_index=True)[1]
    new = (found >= 0) & ~occurs(found, but)
    if not on_the_way:
        new &= first < len(on)
    return Riders(found[new], points[first[new]], points[last[new]])
