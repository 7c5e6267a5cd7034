"""Text output of ``aascompile``: notes on each map, and a table of all maps."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from aascompile.cli.common import Bold
from aascompile.cli.compile_task import MapResult
from aascompile.cli.lines import MAX_LISTED, screen_width, vector
from aascompile.cli.outputs import SUFFIX
from aascompile.cli.route_report import routes_line, trap_lines, unreached_lines
from aascompile.escaping import printable
from aascompile.stages import number_of

MAX_POINTS = 8
"""Limit on the points of a trail that are printed; the point file has all of them."""

MEMORY_WIDTH = 4
"""Least width of the last column, so that tables of different runs compare."""

COLUMNS = ("areas", "grounded", "liquid", "faces", "links", "clusters")


def table_lines(results: Sequence[MapResult], seconds: float) -> Iterator[str]:
    """A row for each map. With several maps, a last row has sums, and the time that all maps took together.

    Columns are as wide as they need to be. If that is too wide, maps are named without their folders.
    """
    rows = [["map", *COLUMNS, "seconds", "MB"], *(_row(result) for result in results)]
    if len(results) > 1:
        rows.append(_total(results, seconds))
    widths = [max(len(row[k]) for row in rows) for k in range(1, len(rows[0]))]
    widths[-1] = max(widths[-1], MEMORY_WIDTH)
    numbers = sum(widths) + 2 * len(widths)
    if max(len(row[0]) for row in rows) + numbers > screen_width():
        named = [os.path.basename(result.map) for result in results]
        for row, name in zip(rows[1:], named, strict=False):
            row[0] = name
    first = max(len(row[0]) for row in rows)
    for k, row in enumerate(rows):
        line = f"{row[0]:<{first}}" + "".join(f"  {cell:>{width}}" for cell, width in zip(row[1:], widths, strict=True))
        whole = k == 0 or (k > len(results))
        yield Bold(line.rstrip()) if whole else line.rstrip()


def _row(result: MapResult) -> list[str]:
    """Cells of a map."""
    name = result.map
    end = [f"{result.seconds:.2f}", _memory(result.peak_mb)]
    if result.error:
        return [name, "failed", *[""] * (len(COLUMNS) - 1), *end]
    return [name, *(_number(result.counts[column]) for column in COLUMNS), *end]


def _total(results: Sequence[MapResult], seconds: float) -> list[str]:
    """Cells of the last row: number of maps, sums of their counts, highest peak memory."""
    failed = sum(bool(result.error) for result in results)
    compiled = [result for result in results if not result.error]
    title = f"{len(results)} maps" + (f", {failed} failed" if failed else "")
    sums = [_number(sum(max(result.counts[column], 0) for result in compiled)) for column in COLUMNS]
    peaks = [result.peak_mb for result in results if result.peak_mb is not None]
    return [title, *sums, f"{seconds:.2f}", _memory(max(peaks, default=None))]


def written_lines(results: Sequence[MapResult]) -> Iterator[str]:
    """The files that were written."""
    files = [path for result in results for path in result.files]
    folders = {os.path.dirname(path) for path in files}
    if len(results) == 1:
        yield from (f"  {'wrote':<10}{path}" for path in files)
    elif len(folders) == 1 and files:
        yield f"wrote {len(files):,} files to {folders.pop() or '.'}"
    elif files:
        yield f"wrote {len(files):,} files beside their maps"


def _memory(peak: float | None) -> str:
    return "-" if peak is None else f"{peak:.0f}"


def note_lines(result: MapResult, verbose: bool, alone: bool = False) -> Iterator[str]:
    """Notes on a map that its author should read. A map compiled ``alone`` always has a line about its routes."""
    if result.leak:
        files = [path for path in result.files if path.endswith(".lin")]
        yield f"  trail out of the map: {' '.join(_few(result.leak))}, also in {' '.join(files)}"
    routes = result.routes
    if routes and (verbose or alone or routes.why or routes.traps):
        yield f"  {'routes':<10}{routes_line(routes)}"
        yield from _listed("no route", unreached_lines(routes))
        yield from _more(result)
        yield from _listed("trap", trap_lines(routes))
    yield from _listed("warning", result.warnings)
    yield from _listed("dropped", [f"{item.kind} {item.number}: {item.reason}" for item in result.dropped])
    if verbose:
        for stage in result.stages:
            counts = ", ".join(f"{number:,} {what}" for what, number in stage.counts.items())
            memory = "" if stage.peak_mb is None else f"{stage.peak_mb:>7.0f} MB"
            number = number_of(stage.name) or ""
            yield f"  {number:>2} {stage.name:<10}{stage.seconds:>8.3f} s{memory}  {counts}".rstrip()


def _more(result: MapResult) -> Iterator[str]:
    """The command that says more about what is not reached."""
    files = [path for path in result.files if path.endswith(SUFFIX)]
    if result.routes and result.routes.why and files:
        yield f"  {'':<10}aas explain {files[0]} --to unreached says more"


def _number(count: int) -> str:
    return "-" if count < 0 else f"{count:,}"


def _few(trail: Sequence[Sequence[float]]) -> Iterator[str]:
    """The first and last points of a trail."""
    most = MAX_POINTS // 2
    shown = trail if len(trail) <= MAX_POINTS else [*trail[:most], [], *trail[-most:]]
    return (f"({vector(point)})" if point else "..." for point in shown)


def _listed(what: str, rows: Sequence[str]) -> Iterator[str]:
    """The first rows, and the number of those left out."""
    for row in rows[:MAX_LISTED]:
        yield f"  {what:<10}{printable(row, 1000)}"
    if len(rows) > MAX_LISTED:
        yield f"  {what:<10}... and {len(rows) - MAX_LISTED:,} more (--json lists all)"
