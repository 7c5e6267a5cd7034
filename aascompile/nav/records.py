"""Rows of a compiled map as plain records, for programs that need a few of them."""

from __future__ import annotations

import numpy as np

from aascompile.model.areas import AreaFlag, Areas
from aascompile.model.compiled import Compiled
from aascompile.model.entity_classes import PlaceKind, place_kind, respawn_of, team_of
from aascompile.model.links import Links, MissCost, Tier, Travel
from aascompile.model.mapdata import Float
from aascompile.records import dataclass

Point = tuple[float, float, float]
"""x, y and z of a player's origin, in map units."""


@dataclass(frozen=True, slots=True)
class Area:
    """A space of player origins. Players walk straight across its ground, if it has any."""

    number: int
    mins: Point
    maxs: Point
    centre: Point
    """A point in its middle: a player's origin on its floor; without ground its centre of mass, or another point."""
    volume: float
    """Cubic units."""
    flags: AreaFlag
    """GROUNDED, LIQUID, LADDER, DISABLED."""


@dataclass(frozen=True, slots=True)
class Link:
    """A reachability: how a player gets from one area into another."""

    row: int
    """Its row among the links."""
    source: int
    """Area that it leaves."""
    target: int
    """Area that it leads to."""
    travel: Travel
    """Travel type."""
    start: Point
    """Player's origin where it begins."""
    end: Point
    """Player's origin where it ends."""
    time: int
    """1/100 s."""
    needed_speed: float = -1.0
    """Least horizontal speed in units/s at take-off, for jumps over a gap; −1 if it has none."""
    tier: Tier | None = None
    """How a player gets that speed: STANDING, RUNNING, CIRCLE or STRAFE; None if it has no needed speed."""
    arrives: float = -1.0
    """Share of simulated bots that arrive, for links that they run at; −1 if it has none."""
    dies: float = -1.0
    """Share of them that die."""
    room: float = -1.0
    """Units of ground beyond their landings, at least; −1 if none of them lands."""
    landing_speed: float = -1.0
    """Highest horizontal speed in units/s with which they land."""
    miss: MissCost | None = None
    """What a miss costs: NOTHING, TIME or LIFE; None if it has no margins."""
    entity: int = -1
    """Row of the entity with which the mapper added it by hand; −1: the compiler found it."""


@dataclass(frozen=True, slots=True)
class Place:
    """An item or a spawn, where it is once the game has begun."""

    entity: int
    """Row among the map's entities."""
    classname: str
    point: Point
    """Origin of a player who is there."""
    area: int
    """−1: it is in no area."""
    reason: str
    """Why it is in no area, one clause; "" where it is in one."""
    kind: PlaceKind = PlaceKind.OTHER
    """WEAPON, HEALTH, FLAG, SPAWN and so on."""
    team: str = ""
    """Team, "red" or "blue", whose flag, obelisk or spawn it is; "" if it is anybody's."""
    respawn: float = float("inf")
    """Seconds until an item that was taken comes back; infinite if it never does, and for spawns."""


def point_of(row: Float) -> Point:
    """The three numbers of a row ``(3,)``."""
    x, y, z = row.tolist()
    return x, y, z


def area_of(areas: Areas, number: int) -> Area:
    """The record of an area."""
    return Area(
        number=number,
        mins=point_of(areas.area_mins[number]),
        maxs=point_of(areas.area_maxs[number]),
        centre=point_of(areas.area_centre[number]),
        volume=float(areas.area_volume[number]),
        flags=AreaFlag(int(areas.area_flags[number])),
    )


def link_of(links: Links, row: int) -> Link:
    """The record of a link."""
    return Link(
        row=int(row),
        source=int(links.source[row]),
        target=int(links.target[row]),
        travel=Travel(int(links.kind[row])),
        start=point_of(links.start[row]),
        end=point_of(links.end[row]),
        time=int(links.time[row]),
        needed_speed=float(links.needed_speed[row]),
        tier=Tier(int(links.tier[row])) if links.tier[row] >= 0 else None,
        arrives=float(links.arrives[row]),
        dies=float(links.dies[row]),
        room=float(links.room[row]),
        landing_speed=float(links.landing_speed[row]),
        miss=MissCost(int(links.miss[row])) if links.miss[row] >= 0 else None,
        entity=int(links.entity[row]),
    )


def places_of(compiled: Compiled, *, items: bool) -> tuple[Place, ...]:
    """All items, or all spawns, in the order of the entities; none when the file has no places."""
    places = compiled.places
    if places is None:
        return ()
    return tuple(
        Place(
            entity=int(places.entity[row]),
            classname=compiled.entities.classname[places.entity[row]],
            point=point_of(places.point[row]),
            area=int(places.area[row]),
            reason=places.reason[row],
            kind=place_kind(compiled.entities.classname[places.entity[row]]),
            team=team_of(compiled.entities.classname[places.entity[row]]),
            respawn=respawn_of(compiled.entities.entity(int(places.entity[row]))) if items else float("inf"),
        )
        for row in np.flatnonzero(places.item == items).tolist()
    )
