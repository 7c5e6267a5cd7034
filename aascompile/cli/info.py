"""``aas info``: what a map contains."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import click

from aascompile.cli.common import CONTEXT, FAILED, emit, maps_argument, plain, quiet_option
from aascompile.cli.maps import NamedMaps

MOST_LISTED = 10
"""Dropped things and warnings named one by one in text; --json names all."""


@click.command(context_settings=CONTEXT)
@maps_argument
@click.option("--json", "as_json", is_flag=True, help="A JSON list with an object for each map that can be read.")
@quiet_option
@click.pass_context
def info(ctx: click.Context, maps: tuple[str, ...], as_json: bool, quiet: bool) -> None:
    """Show what maps contain.

    MAP is a .bsp (IBSP 46 or 47) or .map file, a map inside an archive (pak.pk3/maps/x.bsp), or a pattern for either
    (pak.pk3/maps/*.bsp).

    Shown are brushes by contents and by what they mean to the compiler, patches and their facets, models, entities by
    class, the world's bounds, and all that was left out, with the reason. With --json, the answer is always a list,
    also for one map; a map that cannot be read is not in it, but on stderr.
    """
    from aascompile.cli.summary import summarise

    found = NamedMaps(maps, quiet)
    objects: list[dict[str, Any]] = []
    blank: list[str] = []
    for understood, report in found:
        summary = summarise(understood, report)
        if as_json:
            objects.append(summary)
        else:
            emit("\n".join([*blank, *text_lines(summary)]))
            blank = [""]
    if as_json:
        emit(json.dumps(objects, indent=2))
    if found.failed:
        ctx.exit(FAILED)


def text_lines(summary: Mapping[str, Any]) -> Iterator[str]:
    """A summary as readable text."""
    brushes, patches, entities = summary["brushes"], summary["patches"], summary["entities"]
    width = len(f"{max(brushes['count'], patches['count'], entities['count']):,}")
    yield click.style(plain(summary["map"], 4096), bold=True)
    yield from _facts(summary)
    yield from _parts("brushes", brushes, f"{brushes['sides']:,} sides", width)
    if patches["count"]:
        yield from _parts("patches", patches, f"{patches['facets']:,} facets", width)
    else:
        yield _row("patches", "none")
    yield _row("entities", f"{entities['count']:,}")
    yield from _counts(entities["classes"], width)
    yield from _dropped(summary["dropped"])
    yield from _listed("warnings", summary["warnings"])


def _facts(summary: Mapping[str, Any]) -> Iterator[str]:
    """The lines that are one value each."""
    checksum = f", checksum {summary['checksum'] & 0xFFFFFFFF:08x}" if summary["checksum"] else ""
    yield _row("format", f"{summary['format']}, sha256 {summary['sha256'][:12]}{checksum}")
    mins, maxs = summary["bounds"]["mins"], summary["bounds"]["maxs"]
    size = " x ".join(f"{high - low:g}" for low, high in zip(mins, maxs, strict=True))
    yield _row("bounds", f"({_vector(mins)}) to ({_vector(maxs)}), {size} units")
    yield _row("planes", f"{summary['planes']:,}")
    unowned = summary["models"]["without_entity"]
    yield _row("models", f"{summary['models']['count']:,}" + (f", {unowned:,} used by no entity" if unowned else ""))


def _parts(title: str, part: Mapping[str, Any], more: str, width: int) -> Iterator[str]:
    """Brushes or patches: how many, of what, and what they mean."""
    yield _row(title, f"{part['count']:,}, {more}")
    for heading in ("contents", "meaning", "unused"):
        if part[heading]:
            yield f"    by {heading}" if heading != "unused" else "    unused"
            yield from _counts(part[heading], width)


def _counts(counts: Mapping[str, int], width: int) -> Iterator[str]:
    """Counts with their names, the numbers in one column."""
    for name, count in counts.items():
        yield f"      {count:>{width},}  {plain(name, 120)}"


def _dropped(dropped: list[Mapping[str, Any]]) -> Iterator[str]:
    """What was left out when the map was read, each with its number."""
    rows = [f"{one['kind']} {one['number']}: {one['reason']}" for one in dropped]
    yield from _listed("dropped", rows)


def _listed(title: str, rows: list[str]) -> Iterator[str]:
    """A heading with its count, then the first few rows."""
    yield _row(title, f"{len(rows):,}" if rows else "none")
    for row in rows[:MOST_LISTED]:
        yield f"      {plain(row, 200)}"
    if len(rows) > MOST_LISTED:
        yield f"      ... and {len(rows) - MOST_LISTED:,} more (--json lists all)"


def _row(title: str, value: str) -> str:
    return f"  {title:<10}{value}"


def _vector(point: list[float]) -> str:
    return " ".join(f"{value:g}" for value in point)
