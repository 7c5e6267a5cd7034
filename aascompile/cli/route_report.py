"""The routes of a map, as a record and as lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from aascompile.cli.lines import rounded
from aascompile.model.compiled import Compiled
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float, Int
from aascompile.nav.unreached import Hazard, Unreached, find_routes
from aascompile.records import dataclass

MOST_AREAS = 8
"""Areas of a trap or hazard that text names."""


@dataclass(frozen=True, slots=True)
class TrapReport:
    """A trap, with the link that first leads into it."""

    areas: Int
    point: Float
    """(3,) where the link ends."""
    links: int
    """Links that lead into it."""
    from_: int
    """Area where the link starts."""
    kind: str
    """Travel type of the link."""
    entities: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoutesReport:
    """The routes of a map."""

    spawns: int
    items: int
    reached: int
    """Items that some spawn has a route to."""
    unreached: tuple[Unreached, ...]
    traps: tuple[TrapReport, ...]
    hazards: tuple[Hazard, ...]


def routes_of(compiled: Compiled) -> RoutesReport | None:
    """What no route leads to, traps and hazards; None without links or places."""
    found, links = find_routes(compiled), compiled.links
    if found is None or links is None:
        return None
    traps = tuple(
        TrapReport(
            trap.areas, trap.point, trap.links, int(links.source[trap.link]),
            Travel(int(links.kind[trap.link])).name.lower(), trap.entities,
        )
        for trap in found.traps
    )  # fmt: skip
    return RoutesReport(found.spawns, found.items, found.reached, found.unreached, traps, found.hazards)


def routes_line(routes: RoutesReport) -> str:
    """All of it in one line."""
    told = [f"{routes.reached:,} of {routes.items:,} items have a route from one of {routes.spawns:,} spawns"]
    traps, hazards = len(routes.traps), len(routes.hazards)
    if traps:
        told.append(f"{traps:,} one-way trap{'s' * (traps > 1)}")
    if hazards:
        told.append(f"{hazards:,} hazard{'s' * (hazards > 1)}")
    return ", ".join(told)


def unreached_lines(routes: RoutesReport) -> list[str]:
    """A line for each item and spawn without a route."""
    return [
        f"{one.classname} (entity {one.entity}) at {_point(one.point)}: {one.reason}"
        + (f" (area {one.area}; the nearest that has one is {one.nearest})" if _has_both(one) else "")
        for one in routes.unreached
    ]


def _has_both(one: Unreached) -> bool:
    """Whether there are two areas to ask `aas explain` about."""
    return one.area >= 0 and one.nearest >= 0


def trap_lines(routes: RoutesReport) -> list[str]:
    """A line for each trap."""
    return [
        f"{_areas(one.areas.tolist())}, entered at {_point(one.point)} from area {one.from_} by "
        f"{one.kind.replace('_', ' ')}"
        + (f" (and {one.links - 1:,} more)" if one.links > 1 else "")
        + (f", with {_things(len(one.entities))}" if one.entities else "")
        for one in routes.traps
    ]


def hazard_lines(routes: RoutesReport) -> list[str]:
    """A line for each hazard."""
    return [
        f"{one.kind}: {_areas(one.areas.tolist())}, from {_point(one.mins)} to {_point(one.maxs)}"
        for one in routes.hazards
    ]


def _areas(numbers: Sequence[int]) -> str:
    """Some area numbers."""
    if len(numbers) == 1:
        return f"area {numbers[0]}"
    told = " ".join(str(number) for number in numbers[:MOST_AREAS])
    return f"{len(numbers):,} areas ({told}{' ...' if len(numbers) > MOST_AREAS else ''})"


def _point(point: Float) -> str:
    return f"({rounded(point.tolist())})"


def _things(count: int) -> str:
    return "an item or spawn" if count == 1 else f"{count:,} items or spawns"
