"""Explanations of what is not reached, as records and as text: the same sentences in every command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aascompile.cli.lines import rounded
from aascompile.model.compiled import Compiled
from aascompile.nav.unreached import Routes
from aascompile.records import dataclass

if TYPE_CHECKING:
    from aascompile.nav.why import Why


MAX_PLACES = 3
"""Limit on the places of entities that a line lists."""


@dataclass(frozen=True, slots=True)
class WhyReport:
    """Why some items or spawns, or a place, are not reached."""

    name: str
    """What they are."""
    entities: tuple[int, ...]
    point: list[float]
    """Origin of the first entity, or the place."""
    points: list[list[float]]
    """Origins of all entities."""
    cause: str
    text: str
    """The whole explanation as a sentence."""
    areas: int
    """Number of areas of the island."""
    items: int
    """Number of items there."""
    spawns: tuple[int, ...]
    """Spawns without a route to it, if others have one."""
    from_: int
    """Area from which the best attempt starts; −1 if there is no attempt."""
    to: int
    """Area that it aims at."""
    kind: str
    """Travel type of the attempt; "" if there is none."""
    reason: str
    measure: float
    """Units by which it fails."""
    start: list[float] | None
    place: list[float] | None


def report_of(compiled: Compiled, why: Why) -> WhyReport:
    """An explanation as a record."""
    from aascompile.nav.why_text import island_text, names, sentence

    attempt = why.attempt
    verdict = None if attempt is None else attempt.verdict
    island = island_text(why)
    text = sentence(compiled, why)
    return WhyReport(
        name=names(compiled, why),
        entities=why.entities,
        point=_origin(compiled, why),
        points=[compiled.entities.origin[row].tolist() for row in why.entities],
        cause=str(why.cause),
        text=f"{island}: {text}" if island else text,
        areas=len(why.areas),
        items=why.items,
        spawns=why.spawns,
        from_=-1 if attempt is None else attempt.source,
        to=-1 if attempt is None else attempt.target,
        kind="" if verdict is None else verdict.kind.name.lower(),
        reason="" if verdict is None else verdict.why.name.lower(),
        measure=0.0 if verdict is None else round(verdict.measure, 3),
        start=None if verdict is None else list(verdict.start),
        place=None if verdict is None else list(verdict.place),
    )


def _origin(compiled: Compiled, why: Why) -> list[float]:
    """Where the map has the first entity."""
    if not why.entities:
        found: list[float] = why.point.tolist()
        return found
    origin: list[float] = compiled.entities.origin[why.entities[0]].tolist()
    return origin


def explained(compiled: Compiled, routes: Routes, file: str) -> tuple[WhyReport, ...]:
    """Explanations of everything that is not reached, or not from every spawn."""
    if not routes.unreached and not routes.rare:
        return ()
    from aascompile.nav.why import Investigator  # most maps need no explanation

    it = Investigator(compiled, file)
    return tuple(report_of(compiled, why) for why in it.explain(routes))


def why_lines(reports: Sequence[WhyReport], spawns: int) -> list[str]:
    """A line for each explanation."""
    return [why_line(report, spawns) for report in reports]


def why_line(report: WhyReport, spawns: int) -> str:
    """An explanation with the names and the place of what it is about."""
    entities = report.entities
    which = "" if not entities else f" (entit{'y' if len(entities) == 1 else 'ies'} {_numbers(entities)})"
    place = f" at {_places(report.points)}" if entities else ""
    few = ""
    if report.spawns:
        few = f", reached from {spawns - len(report.spawns):,} of {spawns:,} spawns only"
    joint = ", " if report.text.startswith("on an island") else ": "
    return f"{report.name}{which}{place}{few}{joint}{report.text}"


def _places(points: Sequence[Sequence[float]]) -> str:
    """Where some entities are."""
    shown = [f"({rounded(point)})" for point in points[:MAX_PLACES]]
    more = len(points) - MAX_PLACES
    if more > 0:
        return f"{' '.join(shown)} and {more:,} more places"
    return f"{' '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else shown[0]


def _numbers(entities: Sequence[int]) -> str:
    shown = " ".join(str(row) for row in entities[:6])
    return shown + (" ..." if len(entities) > 6 else "")
