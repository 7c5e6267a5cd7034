"""``aas route``: the quickest routes between two places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from aascompile.cli.common import CONTEXT, Bold, emit_answer
from aascompile.cli.lines import counted, rounded
from aascompile.cli.places import PLACE_HELP, avoid_option, named
from aascompile.escaping import printable
from aascompile.records import dataclass

if TYPE_CHECKING:
    from aascompile.nav.names import NamedPlace
    from aascompile.nav.routes import Route


@click.command(context_settings=CONTEXT)
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("--from", "source", metavar="A", required=True, help=PLACE_HELP)
@click.option("--to", "target", metavar="B", required=True, help=PLACE_HELP)
@click.option(
    "--alternatives", "count", metavar="K", type=click.IntRange(1, 64), default=1, help="Show up to K different routes."
)
@avoid_option
@click.option(
    "--jump-tier",
    "tier",
    type=click.Choice(["standing", "running", "circle", "strafe"]),
    help="Fastest jumps to use; default: what the file's settings say players do.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the routes as a JSON object.")
def route(
    file: str, source: str, target: str, count: int, avoid: tuple[str, ...], tier: str | None, as_json: bool
) -> None:
    """Print the quickest route between two places.

    FILE is a compiled file (x.aas.hdf, or the engine's x.aas). A and B are area numbers, points x,y,z, or names as for
    `aas area`. Exit code 1 if there is no route.
    """
    from aascompile.nav.navigation import Navigation
    from aascompile.store.read import load_compiled

    compiled = load_compiled(file)
    start, goal = named(compiled, source, "--from"), named(compiled, target, "--to")
    ends = [place.area if place.is_area else place.point for place in (start, goal)]
    routes = Navigation(compiled).alternatives(ends[0], ends[1], count, avoid=avoid, jump_tier=tier)
    answer = RouteAnswer(file, _end(start), _end(goal), tuple(_found(each) for each in routes))
    emit_answer(answer, text_lines(answer), as_json)


@dataclass(frozen=True, slots=True)
class RouteEnd:
    """An end of the routes."""

    name: str
    area: int
    point: list[float]


@dataclass(frozen=True, slots=True)
class RouteStep:
    """A link of a route."""

    kind: str
    link: int
    area: int
    """Area that it leads to."""
    start: list[float]
    end: list[float]
    time: float
    """Seconds from the start of the route to the end of the link."""


@dataclass(frozen=True, slots=True)
class OneRoute:
    """A route."""

    time: float
    """Seconds."""
    steps: tuple[RouteStep, ...]


@dataclass(frozen=True, slots=True)
class RouteAnswer:
    """Routes between two places, the quickest first."""

    file: str
    from_: RouteEnd
    to: RouteEnd
    routes: tuple[OneRoute, ...]


def _end(place: NamedPlace) -> RouteEnd:
    return RouteEnd(place.name, place.area, list(place.point))


def _found(found: Route) -> OneRoute:
    steps = tuple(
        RouteStep(link.travel.name.lower(), link.row, link.target, list(link.start), list(link.end), round(time, 2))
        for link, time in zip(found.links, (found.times / 100.0).tolist(), strict=True)
    )
    return OneRoute(round(found.seconds, 2), steps)


def text_lines(answer: RouteAnswer) -> Iterator[str]:
    """The routes as text."""
    ends = [f"{printable(end.name)} (area {end.area}, {rounded(end.point)})" for end in (answer.from_, answer.to)]
    yield Bold(f"from {ends[0]} to {ends[1]}")
    for number, found in enumerate(answer.routes):
        title = "route" if len(answer.routes) == 1 else f"route {number + 1}"
        yield f"  {title}: {found.time:.1f} s, {counted(len(found.steps), 'link')}"
        for step in found.steps:
            name = step.kind.replace("_", " ")
            yield f"    {step.time:>6.1f} s  {name:<14} to area {step.area} ({rounded(step.end)})"
