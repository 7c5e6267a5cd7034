"""``aas sight``: which areas see which, and the spots that follow from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import click

from aascompile.cli.common import CONTEXT, Bold, emit_answer
from aascompile.cli.lines import MAX_LISTED, rounded, row
from aascompile.cli.places import PLACE_HELP, named
from aascompile.records import dataclass

if TYPE_CHECKING:
    from aascompile.model.compiled import Compiled
    from aascompile.nav.navigation import Navigation
    from aascompile.nav.sight import SpotKind, ViewSpot


@click.command(context_settings=CONTEXT)
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("--from", "place", metavar="PLACE", help=f"Print what this place sees instead of the spots. {PLACE_HELP}")
@click.option("--spots", type=click.IntRange(0, 1000), default=5, show_default=True, help="Spots of each kind.")
@click.option("--threads", type=click.IntRange(1, 256), help="Number of threads (default: one per core).")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def sight(file: str, place: str | None, spots: int, threads: int | None, as_json: bool) -> None:
    """Print which areas see which, and spots to hide, to avoid and to snipe from.

    FILE is a compiled file. If it has no sight yet, sight is measured and added to it; `aascompile --sight` does so at
    once. Sight is the share of lines between the eyes of players in two areas that no solid of the map blocks. Doors
    count as open.

    Exposure is the share of the map's ground from which a player in an area is seen. Hiding spots have the least and
    exposed spots the most. A sniper spot sees much ground more than 1,000 units away, and little that is nearer.
    """
    from aascompile.nav.navigation import Navigation
    from aascompile.store.read import load_compiled
    from aascompile.system import cores

    compiled = load_compiled(file)
    added = compiled.sight is None
    if added:
        compiled = _add(file, compiled, threads or cores())
    nav = Navigation(compiled)
    answer = view_of(file, nav, place) if place is not None else summary_of(file, nav, spots, added)
    lines = view_lines(answer) if isinstance(answer, ViewReport) else summary_lines(answer)
    emit_answer(answer, lines, as_json)


def _add(file: str, compiled: Compiled, threads: int) -> Compiled:
    """Measure sight and write it into the file. The engine's file cannot store it: then it is only printed."""
    from dataclasses import replace

    from aascompile.nav.sight import make_sight
    from aascompile.store.hdf import write_compiled
    from aascompile.store.hdf_writer import MAGIC

    made = replace(compiled, sight=make_sight(compiled, threads))
    with open(file, "rb") as stored:
        ours = stored.read(len(MAGIC)) == MAGIC
    if ours:
        write_compiled(file, made)
    return made


@dataclass(frozen=True, slots=True)
class SpotReport:
    """A spot."""

    area: int
    point: list[float]
    exposure: float
    far: float
    """Part of the exposure that is more than 1,000 units away."""


@dataclass(frozen=True, slots=True)
class SightReport:
    """Sight of a whole map."""

    file: str
    added: bool
    """Whether sight was measured now."""
    areas: int
    """Areas in which a player can stay."""
    pairs: int
    """Pairs of different areas that see each other."""
    seen: float
    """Share of all pairs."""
    exposure: list[float]
    """Least, median and most."""
    hiding: tuple[SpotReport, ...]
    exposed: tuple[SpotReport, ...]
    sniper: tuple[SpotReport, ...]


@dataclass(frozen=True, slots=True)
class ViewReport:
    """What an area sees."""

    file: str
    from_: int
    """Area."""
    point: list[float]
    exposure: float | None
    """None if no player can stay there."""
    areas: tuple[int, ...]
    """Areas that are seen, the most visible first."""
    shares: tuple[float, ...]


def summary_of(file: str, nav: Navigation, count: int, added: bool) -> SightReport:
    """The sight of a whole map."""
    import numpy as np

    exposure = nav.exposure[np.isfinite(nav.exposure)]
    areas = len(exposure)
    sight = nav.compiled.sight
    pairs = (0 if sight is None else len(sight) - areas) // 2
    middle = np.quantile(exposure, (0.0, 0.5, 1.0)) if areas else np.zeros(3)
    return SightReport(
        file, added, areas, pairs, round(pairs / max(areas * (areas - 1) // 2, 1), 4),
        [round(value, 4) for value in middle.tolist()], *(_spots(nav.spots(kind, count)) for kind in KINDS),
    )  # fmt: skip


KINDS: Final[tuple[SpotKind, ...]] = ("hiding", "exposed", "sniper")


def _spots(spots: tuple[ViewSpot, ...]) -> tuple[SpotReport, ...]:
    return tuple(SpotReport(spot.area, list(spot.point), round(spot.exposure, 4), round(spot.far, 4)) for spot in spots)


def view_of(file: str, nav: Navigation, text: str) -> ViewReport:
    """What a place sees."""
    import numpy as np

    place = named(nav.compiled, text, "--from")
    area, share = nav.seen_from(place.area)
    order = np.lexsort((area, -share))
    exposure = float(nav.exposure[place.area])
    return ViewReport(
        file, place.area, list(place.point), round(exposure, 4) if np.isfinite(exposure) else None,
        tuple(area[order].tolist()), tuple(round(value, 4) for value in share[order].tolist()),
    )  # fmt: skip


def summary_lines(answer: SightReport) -> Iterator[str]:
    """The sight of a map as text."""
    note = ", measured now" if answer.added else ""
    yield Bold(f"{answer.file}: sight of {answer.areas:,} areas{note}")
    yield row("pairs", f"{answer.pairs:,} see each other, {100 * answer.seen:.1f} % of all")
    least, median, most = (f"{100 * value:.1f} %" for value in answer.exposure)
    yield row("exposure", f"least {least}, median {median}, most {most} of the ground")
    for kind, spots in zip(KINDS, (answer.hiding, answer.exposed, answer.sniper), strict=True):
        for spot in spots:
            far = f", {100 * spot.far:.1f} % from far" if kind == "sniper" else ""
            seen = f"seen from {100 * spot.exposure:.1f} % of the ground{far}"
            yield row(kind, f"area {spot.area} ({rounded(spot.point)}), {seen}")


def view_lines(answer: ViewReport) -> Iterator[str]:
    """What an area sees, as text."""
    yield Bold(f"area {answer.from_} ({rounded(answer.point)}) sees {len(answer.areas):,} areas")
    if answer.exposure is None:
        yield row("exposure", "not known: no player can stay there")
        return
    yield row("exposure", f"seen from {100 * answer.exposure:.1f} % of the ground")
    for area, share in list(zip(answer.areas, answer.shares, strict=True))[:MAX_LISTED]:
        yield f"  {100 * share:>6.1f} %  area {area}"
    if len(answer.areas) > MAX_LISTED:
        yield f"      ... and {len(answer.areas) - MAX_LISTED:,} more (--json lists all)"
