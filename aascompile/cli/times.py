"""``aas times``: how long players take from the spawns to the items."""

from __future__ import annotations

from collections.abc import Iterator

import click

from aascompile.cli.common import CONTEXT, Bold, emit_answer
from aascompile.cli.places import avoid_option
from aascompile.escaping import printable
from aascompile.records import dataclass


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
    yield Bold(f"seconds from {spawns:,} spawns to {items:,} items")
    yield f"  {'item':<28}{'entity':>7}{'area':>7}{'least':>8}{'median':>8}{'most':>8}  {'nearest':<10}{'spawns':>7}"
    for item in answer.items:
        known = sorted((time, spawn) for spawn, time in enumerate(item.seconds) if time is not None)
        name = f"  {printable(item.classname, 27):<28}{item.entity:>7}{item.area:>7}"
        if not known:
            yield f"{name}{'no route':>24}{'':<12}{0:>7}"
            continue
        seconds = [time for time, _ in known]
        amounts = "".join(f"{amount:>8.1f}" for amount in (seconds[0], median(seconds), seconds[-1]))
        yield f"{name}{amounts}  {f'spawn:{known[0][1]}':<10}{len(known):>7}"
