"""``aas info``: show what maps and compiled files contain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import click

from aascompile.cli.common import CONTEXT, FAILED, Bold, emit, emit_json, maps_argument, print_error, quiet_option
from aascompile.cli.lines import bounds, counts, listed, row
from aascompile.cli.maps import NamedMaps
from aascompile.errors import StoreError

if TYPE_CHECKING:
    from aascompile.cli.file_summary import FileSummary
    from aascompile.cli.summary import MapSummary, Meanings
    from aascompile.report import Dropped


@click.command(context_settings=CONTEXT)
@maps_argument
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list with an object for each readable map.")
@quiet_option
@click.pass_context
def info(ctx: click.Context, maps: tuple[str, ...], as_json: bool, quiet: bool) -> None:
    """Show what maps and compiled files contain.

    MAP is a .bsp (IBSP 46, 47 or 38, RBSP, FBSP) or .map file, a map inside an archive (pak.pk3/maps/x.bsp), a pattern
    for either (pak.pk3/maps/*.bsp), or a compiled file (x.aas.hdf, or the engine's x.aas).

    For a map, this shows brushes by contents and by their meaning to the compiler, patches and their facets, models,
    entities by class, the bounds of the world, and everything that was dropped, with the reason. For a compiled file,
    it shows areas, links and clusters by kind, and where the file came from. With --json, the output is always a list,
    even for a single map. A map that cannot be read is left out and reported on stderr.
    """
    summaries: list[MapSummary | FileSummary] = []
    separator: list[str] = []
    failed = False
    for summary in _summaries(maps, quiet):
        if summary is None:
            failed = True
        elif as_json:
            summaries.append(summary)
        else:
            emit(*separator, *_lines(summary))
            separator = [""]
    if as_json:
        emit_json(summaries)
    if failed:
        ctx.exit(FAILED)


def _summaries(inputs: tuple[str, ...], quiet: bool) -> Iterator[MapSummary | FileSummary | None]:
    """Summaries of the maps and files in order; None for each that cannot be read, after its error is printed."""
    from aascompile.cli.file_summary import summarise_file
    from aascompile.cli.summary import summarise
    from aascompile.store.read import is_compiled, load_compiled

    for compiled, paths in groupby(inputs, is_compiled):
        if not compiled:
            found = NamedMaps(paths, quiet)
            yield from (summarise(understood, report) for understood, report in found)
            if found.failed:
                yield None
            continue
        for path in paths:
            try:
                summary = summarise_file(path, load_compiled(path))
            except StoreError as error:
                print_error(error)
                yield None
            else:
                yield summary


def _lines(summary: MapSummary | FileSummary) -> Iterator[str]:
    """A summary of either kind as text."""
    from aascompile.cli.file_summary import FileSummary, file_lines

    return file_lines(summary) if isinstance(summary, FileSummary) else text_lines(summary)


def text_lines(summary: MapSummary) -> Iterator[str]:
    """A summary as text."""
    brushes, patches, entities = summary.brushes, summary.patches, summary.entities
    width = len(f"{max(brushes.count, patches.count, entities.count):,}")
    yield Bold(summary.map)
    yield from _facts(summary)
    yield from _parts("brushes", brushes, f"{brushes.sides:,} sides", width)
    if patches.count:
        yield from _parts("patches", patches, f"{patches.facets:,} facets", width)
    else:
        yield row("patches", "none")
    yield row("entities", f"{entities.count:,}")
    yield from counts(entities.classes, width)
    yield from _dropped(summary.dropped)
    yield from listed("warnings", summary.warnings)


def _facts(summary: MapSummary) -> Iterator[str]:
    """Lines with a single value."""
    checksum = f", checksum {summary.checksum & 0xFFFFFFFF:08x}" if summary.checksum else ""
    yield row("format", f"{summary.format}, sha256 {summary.sha256[:12]}{checksum}")
    yield row("bounds", bounds(summary.bounds.mins, summary.bounds.maxs))
    yield row("planes", f"{summary.planes:,}")
    unowned = summary.models.without_entity
    yield row("models", f"{summary.models.count:,}" + (f", {unowned:,} used by no entity" if unowned else ""))


def _parts(title: str, part: Meanings, more: str, width: int) -> Iterator[str]:
    """Lines about brushes or patches: count, contents and meaning."""
    yield row(title, f"{part.count:,}, {more}")
    for heading, numbers in (("by contents", part.contents), ("by meaning", part.meaning), ("unused", part.unused)):
        if numbers:
            yield f"    {heading}"
            yield from counts(numbers, width)


def _dropped(dropped: Sequence[Dropped]) -> Iterator[str]:
    """Lines about what was dropped when the map was read."""
    yield from listed("dropped", [f"{item.kind} {item.number}: {item.reason}" for item in dropped])
