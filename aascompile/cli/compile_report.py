"""What ``aascompile`` says of maps: notes to each of them, and a table over all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from aascompile.cli.common import plain
from aascompile.cli.lines import MOST_LISTED, vector
from aascompile.cli.one_map import Done
from aascompile.cli.route_report import routes_line, trap_lines, unreached_lines
from aascompile.stages import number_of

MOST_POINTS = 8
"""Points of a trail that are printed; the point file has all."""

COLUMNS = ("areas", "grounded", "liquid", "faces", "links", "clusters")


def table_lines(every: Sequence[Done], seconds: float) -> Iterator[str]:
    """A row for each map; under several, their sum and the time they took together."""
    total = _total(every)
    width = max(len(plain(done.map, 4096)) for done in every)
    if len(every) > 1:
        width = max(width, len(total[0]))
    yield click.style(
        f"{'map':<{width}}" + "".join(f"{name:>10}" for name in COLUMNS) + f"{'seconds':>10}{'peak MB':>10}", bold=True
    )
    for done in every:
        if done.error:
            cells = f"{'failed':>10}" + " " * 10 * (len(COLUMNS) - 1)
        else:
            cells = "".join(f"{_number(done.counts[column]):>10}" for column in COLUMNS)
        yield f"{plain(done.map, 4096):<{width}}{cells}{done.seconds:>10.2f}{_memory(done.peak_mb):>10}"
    if len(every) > 1:
        yield click.style(f"{total[0]:<{width}}{total[1]}{seconds:>10.2f}{total[2]:>10}", bold=True)


def _total(every: Sequence[Done]) -> tuple[str, str, str]:
    """How many maps, sums of their counts, the highest memory."""
    failed = sum(bool(done.error) for done in every)
    fine = [done for done in every if not done.error]
    told = f"{len(every)} maps" + (f", {failed} failed" if failed else "")
    cells = "".join(f"{_number(sum(max(done.counts[column], 0) for done in fine)):>10}" for column in COLUMNS)
    peaks = [done.peak_mb for done in every if done.peak_mb is not None]
    return told, cells, _memory(max(peaks, default=None))


def _memory(peak: float | None) -> str:
    return "-" if peak is None else f"{peak:.0f}"


def note_lines(done: Done, verbose: bool) -> Iterator[str]:
    """What the mapper should know of a map."""
    if done.leak:
        files = [plain(path, 4096) for path in done.files if path.endswith(".lin")]
        yield f"  trail out of the map: {' '.join(_few(done.leak))}, also in {' '.join(files)}"
    routes = done.routes
    if routes and (verbose or routes.unreached or routes.traps):
        yield f"  {'routes':<10}{routes_line(routes)}"
        yield from _listed("no route", unreached_lines(routes))
        yield from _listed("trap", trap_lines(routes))
    yield from _listed("warning", done.warnings)
    yield from _listed("dropped", [f"{one.kind} {one.number}: {one.reason}" for one in done.dropped])
    if verbose:
        yield from (f"  {'wrote':<10}{plain(path, 4096)}" for path in done.files)
        for stage in done.stages:
            told = ", ".join(f"{number:,} {what}" for what, number in stage.counts.items())
            memory = "" if stage.peak_mb is None else f"{stage.peak_mb:>7.0f} MB"
            number = number_of(stage.name) or ""
            yield f"  {number:>2} {stage.name:<10}{stage.seconds:>8.3f} s{memory}  {told}".rstrip()


def _number(count: int) -> str:
    return "-" if count < 0 else f"{count:,}"


def _few(trail: Sequence[Sequence[float]]) -> Iterator[str]:
    """The first and the last points of a trail."""
    most = MOST_POINTS // 2
    shown = trail if len(trail) <= MOST_POINTS else [*trail[:most], [], *trail[-most:]]
    return (f"({vector(point)})" if point else "..." for point in shown)


def _listed(what: str, rows: Sequence[str]) -> Iterator[str]:
    """The first few of many."""
    for row in rows[:MOST_LISTED]:
        yield f"  {what:<10}{plain(row, 200)}"
    if len(rows) > MOST_LISTED:
        yield f"  {what:<10}... and {len(rows) - MOST_LISTED:,} more (--json lists all)"
