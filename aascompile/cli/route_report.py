"""Report on the routes of a map, as a record and as text."""

from __future__ import annotations

from collections.abc import Sequence

from aascompile.cli.lines import counted, rounded
from aascompile.cli.why_report import WhyReport, explained, why_lines
from aascompile.model.compiled import Compiled
from aascompile.model.links import Travel
from aascompile.model.mapdata import Float, Int
from aascompile.nav.unreached import Hazard, Rare, Unreached, find_routes
from aascompile.records import dataclass

MAX_AREAS = 8
"""Limit on the areas of a trap or hazard that are listed in text."""


@dataclass(frozen=True, slots=True)
class TrapReport:
    """A trap: areas that players can enter but not leave. Described by the first link into it."""

    areas: Int
    point: Float
    """(3,) end of that link."""
    links: int
    """Number of links into it."""
    from_: int
    """Area that the link leaves."""
    kind: str
    """Travel type of the link."""
    entities: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoutesReport:
    """The routes of a map."""

    spawns: int
    items: int
    reached: int
    """Items with a route from at least one spawn."""
    pairs: int
    """Pairs of a spawn and an item with a route."""
    unreached: tuple[Unreached, ...]
    rare: tuple[Rare, ...]
    """Items that only some spawns have a route to."""
    why: tuple[WhyReport, ...]
    """Explanations of both."""
    traps: tuple[TrapReport, ...]
    hazards: tuple[Hazard, ...]


def routes_of(compiled: Compiled, file: str) -> RoutesReport | None:
    """Unreached entities, traps and hazards; None if there are no links or places."""
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
    why = explained(compiled, found, file)
    return RoutesReport(
        found.spawns, found.items, found.reached, found.pairs, found.unreached, found.rare, why, traps, found.hazards
    )


def routes_line(routes: RoutesReport) -> str:
    """Summary of the report."""
    parts = [_share(routes)]
    traps, hazards = len(routes.traps), len(routes.hazards)
    if traps:
        parts.append(counted(traps, "one-way trap"))
    if hazards:
        parts.append(counted(hazards, "hazard"))
    return ", ".join(parts)


def _share(routes: RoutesReport) -> str:
    """How many items spawns have routes to."""
    if not routes.items:
        return "no items"
    if not routes.spawns:
        return f"{counted(routes.items, 'item')}, no spawns"
    lost, rare, most = routes.items - routes.reached, len(routes.rare), routes.spawns * routes.items
    if not lost and not rare:
        counts = f"{counted(routes.spawns, 'spawn')}, {counted(routes.items, 'item')}"
        return f"every spawn has a route to every item ({counts})"
    text = f"{routes.reached - rare:,} of {routes.items:,} items have a route from every spawn"
    text += f", {rare:,} from some" * bool(rare) + f", {lost:,} from none" * bool(lost)
    return f"{text} ({routes.pairs:,} of {most:,} pairs)"


def unreached_lines(routes: RoutesReport) -> list[str]:
    """A line for each item, spawn or island without a route."""
    return why_lines(routes.why, routes.spawns)


def trap_lines(routes: RoutesReport) -> list[str]:
    """A line for each trap."""
    return [
        f"{_areas(trap.areas.tolist())}, entered at {_point(trap.point)} from area {trap.from_} by "
        f"{trap.kind.replace('_', ' ')}"
        + (f" (and {trap.links - 1:,} more)" if trap.links > 1 else "")
        + (f", contains {_things(len(trap.entities))}" if trap.entities else "")
        for trap in routes.traps
    ]


def hazard_lines(routes: RoutesReport) -> list[str]:
    """A line for each hazard."""
    return [
        f"{hazard.kind}: {_areas(hazard.areas.tolist())}, from {_point(hazard.mins)} to {_point(hazard.maxs)}"
        for hazard in routes.hazards
    ]


def _areas(numbers: Sequence[int]) -> str:
    """Area numbers as text."""
    if len(numbers) == 1:
        return f"area {numbers[0]}"
    shown = " ".join(str(number) for number in numbers[:MAX_AREAS])
    return f"{len(numbers):,} areas ({shown}{' ...' if len(numbers) > MAX_AREAS else ''})"


def _point(point: Float) -> str:
    return f"({rounded(point.tolist())})"


def _things(count: int) -> str:
    return "an item or spawn" if count == 1 else f"{count:,} items or spawns"
