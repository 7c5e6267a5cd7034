"""``aas area``: the areas of points, items and spawns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from aascompile.cli.common import CONTEXT, Bold, emit_answer
from aascompile.cli.lines import rounded
from aascompile.cli.places import named
from aascompile.escaping import printable
from aascompile.records import dataclass

if TYPE_CHECKING:
    from aascompile.model.compiled import Compiled
    from aascompile.nav.names import NamedPlace


@click.command(context_settings={**CONTEXT, "ignore_unknown_options": True})  # a point may begin with a minus
@click.argument("file", metavar="FILE", type=click.Path())
@click.argument("points", metavar="POINT...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list with an object for each point.")
def area(file: str, points: tuple[str, ...], as_json: bool) -> None:
    """Print the areas of points, items and spawns.

    FILE is a compiled file (x.aas.hdf, or the engine's x.aas). POINT is one of the following; put `--` before a point
    that begins with a minus sign:

    \b
      10,20,30       a point: the area of a player who stands there, or falls from there
      12             the number of an area
      item_quad      the only item or entity of a class; item_health:3 is the fourth of several
      spawn:0        a spawn; item:0 an item; entity:12 an entity of the map
    """
    from aascompile.store.read import load_compiled

    compiled = load_compiled(file)
    found = [report_of(compiled, named(compiled, text)) for text in points]
    emit_answer(found, (line for report in found for line in text_lines(report)), as_json)


@dataclass(frozen=True, slots=True)
class AreaReport:
    """An area, and the point that was asked for."""

    name: str
    area: int
    point: list[float]
    mins: list[float]
    maxs: list[float]
    volume: float
    flags: tuple[str, ...]
    contents: tuple[str, ...]
    cost: float
    """Factor of what walking in it costs."""
    by_hand: tuple[str, ...]
    """Volumes that the mapper put there, a clause each."""
    stand: bool
    """Whether a player can stand upright in it."""
    cluster: int
    """−1 if it has none; a portal has two."""
    portal: int
    """−1 if it is no portal."""
    links_from: int
    links_to: int
    entities: tuple[int, ...]
    """Items and spawns in it, as rows of the entities."""


def report_of(compiled: Compiled, place: NamedPlace) -> AreaReport:
    """Everything about the area of a place."""
    import numpy as np

    from aascompile.model.areas import AreaFlag
    from aascompile.model.contents import Kind
    from aascompile.nav.by_hand import volumes_at

    areas, links, clusters, number = compiled.areas, compiled.links, compiled.clusters, place.area
    places = compiled.places
    inside = [] if places is None else places.entity[places.area == number].tolist()
    return AreaReport(
        name=place.name,
        area=number,
        point=list(place.point),
        mins=areas.area_mins[number].tolist(),
        maxs=areas.area_maxs[number].tolist(),
        volume=float(areas.area_volume[number]),
        flags=tuple(str(flag.name).lower() for flag in AreaFlag if areas.area_flags[number] & flag),
        contents=tuple(str(kind.name).lower() for kind in Kind if areas.area_contents[number] & kind),
        cost=float(areas.area_cost[number]),
        by_hand=tuple(volumes_at(compiled, number)),
        stand=bool(areas.area_presence[number] & compiled.boxes.presence[0]),
        cluster=-1 if clusters is None else int(clusters.area_cluster[number]),
        portal=-1 if clusters is None else int(clusters.area_portal[number]),
        links_from=0 if links is None else int(links.area_start[number + 1] - links.area_start[number]),
        links_to=0 if links is None else int(np.count_nonzero(links.target == number)),
        entities=tuple(inside),
    )


def text_lines(report: AreaReport) -> Iterator[str]:
    """A report as text."""
    yield Bold(f"{printable(report.name)}: area {report.area} ({rounded(report.point)})")
    yield f"  bounds    ({rounded(report.mins)}) to ({rounded(report.maxs)})"
    yield f"  is        {', '.join([*report.flags, *report.contents, *([] if report.stand else ['crouch'])]) or 'air'}"
    yield from (f"  by hand   {text}" for text in report.by_hand)
    yield f"  cluster   {_cluster(report)}"
    yield f"  links     {report.links_from:,} from it, {report.links_to:,} to it"
    if report.entities:
        yield f"  contains  {', '.join(f'entity {row}' for row in report.entities)}"


def _cluster(report: AreaReport) -> str:
    if report.portal >= 0:
        return f"portal {report.portal}"
    return "none" if report.cluster < 0 else str(report.cluster)
