"""Text output of ``aascompile``: notes on each map, and a table of all maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from aascompile.cli.common import printable
from aascompile.cli.compile_task import MapResult
from aascompile.cli.lines import MAX_LISTED, vector
from aascompile.cli.outputs import SUFFIX
from aascompile.cli.route_report import routes_line, trap_lines, unreached_lines
from aascompile.stages import number_of

MAX_POINTS = 8
"""Limit on the points of a trail that are printed; the point file has all of them."""

COLUMNS = ("areas", "grounded", "liquid", "faces", "links", "clusters")


def table_lines(results: Sequence[MapResult], seconds: float) -> Iterator[str]:
    """A row for each map. With several maps, a last row has sums, and the time that all maps took together."""
    total = _total(results)
    width = max(len(printable(result.map, 4096)) for result in results)
    if len(results) > 1:
        width = max(width, len(total[0]))
    yield click.style(
        f"{'map':<{width}}" + "".join(f"{name:>10}" for name in COLUMNS) + f"{'seconds':>10}{'peak MB':>10}", bold=True
    )
    for result in results:
        if result.error:
            cells = f"{'failed':>10}" + " " * 10 * (len(COLUMNS) - 1)
        else:
            cells = "".join(f"{_number(result.counts[column]):>10}" for column in COLUMNS)
        yield f"{printable(result.map, 4096):<{width}}{cells}{result.seconds:>10.2f}{_memory(result.peak_mb):>10}"
    if len(results) > 1:
        yield click.style(f"{total[0]:<{width}}{total[1]}{seconds:>10.2f}{total[2]:>10}", bold=True)


def _total(results: Sequence[MapResult]) -> tuple[str, str, str]:
    """Cells of the last row: number of maps, sums of their counts, highest peak memory."""
    failed = sum(bool(result.error) for result in results)
    compiled = [result for result in results if not result.error]
    title = f"{len(results)} maps" + (f", {failed} failed" if failed else "")
    cells = "".join(f"{_number(sum(max(result.counts[column], 0) for result in compiled)):>10}" for column in COLUMNS)
    peaks = [result.peak_mb for result in results if result.peak_mb is not None]
    return title, cells, _memory(max(peaks, default=None))


def _memory(peak: float | None) -> str:
    return "-" if peak is None else f"{peak:.0f}"


def note_lines(result: MapResult, verbose: bool) -> Iterator[str]:
    """Notes on a map that its author should read."""
    if result.leak:
        files = [printable(path, 4096) for path in result.files if path.endswith(".lin")]
        yield f"  trail out of the map: {' '.join(_few(result.leak))}, also in {' '.join(files)}"
    routes = result.routes
    if routes and (verbose or routes.why or routes.traps):
        yield f"  {'routes':<10}{routes_line(routes)}"
        yield from _listed("no route", unreached_lines(routes))
        yield from _more(result)
        yield from _listed("trap", trap_lines(routes))
    yield from _listed("warning", result.warnings)
    yield from _listed("dropped", [f"{item.kind} {item.number}: {item.reason}" for item in result.dropped])
    if verbose:
        yield from (f"  {'wrote':<10}{printable(path, 4096)}" for path in result.files)
        for stage in result.stages:
            counts = ", ".join(f"{number:,} {what}" for what, number in stage.counts.items())
            memory = "" if stage.peak_mb is None else f"{stage.peak_mb:>7.0f} MB"
            number = number_of(stage.name) or ""
            yield f"  {number:>2} {stage.name:<10}{stage.seconds:>8.3f} s{memory}  {counts}".rstrip()


def _more(result: MapResult) -> Iterator[str]:
    """The command that says more about what is not reached."""
    files = [path for path in result.files if path.endswith(SUFFIX)]
    if result.routes and result.routes.why and files:
        yield f"  {'':<10}aas explain {printable(files[0], 4096)} --to unreached says more"


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
        yield f"  {what:<10}{printable(row, 200)}"
    if len(rows) > MAX_LISTED:
        yield f"  {what:<10}... and {len(rows) - MAX_LISTED:,} more (--json lists all)"
