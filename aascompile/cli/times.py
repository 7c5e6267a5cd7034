"""``aas times``: how long players take from the spawns to the items."""

from __future__ import annotations

from collections.abc import Iterator

import click

from aascompile.cli.common import CONTEXT, Bold, emit_answer
from aascompile.cli.lines import counted
from aascompile.cli.places import avoid_option
from aascompile.escaping import printable
from aascompile.records import dataclass

MAX_NAME = 24
"""Longest class name in the table, which then fits 80 columns."""


@click.command(context_settings=CONTEXT)
@click.argument("file", metavar="FILE", type=click.Path())
@avoid_option
@click.option("--json", "as_json", is_flag=True, help="Print all times as a JSON object.")
def times(file: str, avoid: tuple[str, ...], as_json: bool) -> None:
    """Print the travel times from spawns to items.

    FILE is a compiled file. For each item, the table shows the quickest, the median and the slowest time from a spawn,
    in seconds, the nearest spawn, and how many spawns have a route; --json has the time from each spawn.
    """
    import numpy as np

    from aascompile.errors import StoreError
    from aascompile.nav.navigation import Navigation
    from aascompile.store.read import load_compiled

    compiled = load_compiled(file)
    if compiled.places is None:
        raise StoreError(f"{file}: has no items and spawns; files imported from the engine's never do")
    nav = Navigation(compiled)
    spawns, items = nav.spawns, [place for place in nav.items if place.area >= 0]
    ends = [[place.point for place in places] for places in (spawns, items)]
    matrix = nav.times(*(np.array(points).reshape(-1, 3) for points in ends), avoid=avoid) / 100.0
    rows = tuple(
        ItemTimes(
            item.classname, item.entity, item.area,
            tuple(round(time, 2) if np.isfinite(time) else None for time in column.tolist()),
        )
        for item, column in zip(items, matrix.T, strict=True)
    )  # fmt: skip
    answer = SpawnTimes(file, tuple(spawn.entity for spawn in spawns), rows)
    emit_answer(answer, text_lines(answer), as_json)


@dataclass(frozen=True, slots=True)
class ItemTimes:
    """Times to one item."""

    classname: str
    entity: int
    area: int
    seconds: tuple[float | None, ...]
    """From each spawn; None: no route."""


@dataclass(frozen=True, slots=True)
class SpawnTimes:
    """Times from all spawns to all items."""

    file: str
    spawns: tuple[int, ...]
    """Entities of the spawns, in order: spawn:0, spawn:1, ..."""
    items: tuple[ItemTimes, ...]


def text_lines(answer: SpawnTimes) -> Iterator[str]:
    """The times as a table."""
    from statistics import median

    spawns, items = len(answer.spawns), len(answer.items)
    yield Bold(f"seconds from {counted(spawns, 'spawn')} to {counted(items, 'item')}")
    names = [printable(item.classname, MAX_NAME) for item in answer.items]
    width = max(map(len, ["item", *names]))
    amounts = f"{'least':>7}{'median':>8}{'most':>7}"
    yield f"  {'item':<{width}}{'entity':>8}{'area':>7}{amounts}  {'nearest':<9}{'spawns':>6}"
    for item, name in zip(answer.items, names, strict=True):
        known = sorted((time, spawn) for spawn, time in enumerate(item.seconds) if time is not None)
        place = f"  {name:<{width}}{item.entity:>8}{item.area:>7}"
        if not known:
            yield f"{place}{'no route':>22}{'':<11}{0:>6}"
            continue
        seconds = [time for time, _ in known]
        amounts = f"{seconds[0]:>7.1f}{median(seconds):>8.1f}{seconds[-1]:>7.1f}"
        yield f"{place}{amounts}  {f'spawn:{known[0][1]}':<9}{len(known):>6}"
