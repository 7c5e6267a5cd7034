"""Slow twin of times over links: each step settles the nearest unsettled area, found by comparing all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist

Point = tuple[float, float, float]


@dataclass(frozen=True)
class Link:
    """A link with its time; ``begin`` and ``end`` are the points where the player leaves and arrives."""

    source: int
    target: int
    time: float
    begin: Point
    end: Point


@dataclass(frozen=True)
class Entered:
    """Least time to an area, and the point where the player enters it."""

    time: float
    at: Point


def quickest(links: Sequence[Link], pace: float, area: int, point: Point, most: float) -> dict[int, Entered]:
    """All areas within ``most`` of a point in an area. From where an area is entered, the player walks to each link."""
    reached, settled = {area: Entered(0.0, point)}, set()
    while len(settled) < len(reached):
        nearest = min(reached.keys() - settled, key=lambda other: reached[other].time)
        settled.add(nearest)
        here = reached[nearest]
        for link in links:
            time = here.time + pace * dist(here.at, link.begin) + link.time
            known = reached.get(link.target)
            if link.source == nearest and time <= most and (known is None or time < known.time):
                reached[link.target] = Entered(time, link.end)
    return reached


def saves_time(
    links: Sequence[Link], pace: float, source: int, target: int, land: Point, jump: float, depart: Point
) -> bool:
    """Whether a jump to ``land`` that takes ``jump`` is quicker than links and walking from ``depart``."""
    found = quickest(links, pace, source, depart, jump).get(target)
    return found is None or found.time + pace * dist(found.at, land) > jump
