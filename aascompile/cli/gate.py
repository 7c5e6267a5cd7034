"""``aas gate``: check whether maps are fit to be played, for scripts that generate them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from aascompile.cli.common import (
    CONTEXT,
    FAILED,
    chosen_settings,
    emit,
    emit_json,
    print_error,
    settings_options,
    shaders_option,
    with_record,
)
from aascompile.errors import AasError
from aascompile.escaping import printable
from aascompile.nav.gate_options import CLEARANCE, GateCheck, GateOptions
from aascompile.records import dataclass
from aascompile.settings import Settings

if TYPE_CHECKING:
    from aascompile.model.compiled import Compiled
    from aascompile.nav.gate import GateFault, GateResult


@dataclass(frozen=True, slots=True)
class Options:
    """Options of the command line."""

    maps: tuple[str, ...]
    settings_file: str | None
    preset: str | None
    mode: str | None
    shaders: tuple[str, ...]
    cache: str | None
    items: bool
    spawns: bool
    traps: bool
    clearance: float
    alternatives: int
    as_json: bool


@dataclass(frozen=True, slots=True)
class Gated:
    """Result for one map, as JSON."""

    map: str
    """Path as given."""
    passed: bool
    error: str | None
    """One sentence if the map cannot be read or compiled; else None."""
    checked: tuple[GateCheck, ...] = ()
    spawns: int = 0
    items: int = 0
    faults: tuple[GateFault, ...] = ()


@click.command("gate", context_settings=CONTEXT)
@click.argument("maps", metavar="MAP...", nargs=-1, required=True, type=click.Path())
@click.option("--items/--no-items", default=True, help="Every item is reached from every spawn.")
@click.option("--spawns/--no-spawns", default=True, help="Every spawn is reached from every other spawn.")
@click.option("--traps/--no-traps", default=True, help="Players can leave every place that they can get to.")
@click.option(
    "--clearance", metavar="UNITS", type=click.FloatRange(0.0, 4096.0), default=CLEARANCE, show_default=True,
    help="Least distance between a spawning player and a wall. Spawns must also be free of hazards and of each other. "
    "0: not checked.",
)  # fmt: skip
@click.option(
    "--alternatives", metavar="N", type=click.IntRange(1, 16), default=1, show_default=True,
    help="Least number of routes that really differ, to each item from the spawn that is farthest from it.",
)  # fmt: skip
@settings_options
@shaders_option
@click.option("--cache", metavar="DIR", type=click.Path(), help="Folder that keeps results, as for aascompile.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list with an object for each map.")
@with_record(Options)
def gate_maps(ctx: click.Context, options: Options) -> None:
    """Check whether maps are fit to be played. The exit code is 0 if all maps pass, and 1 if not.

    MAP is a map (.bsp, .map, or either in a .pk3), which is compiled in memory, or a compiled file (x.aas.hdf). Nothing
    is written. A map that leaks or cannot be compiled does not pass.

    Routes that need a weapon do not count. Two routes differ if at most 60 % of the time of one is spent on links of
    the other; a route that takes more than 1.5 times as long as the quickest does not count.
    """
    from aascompile.nav.gate import gate

    chosen = chosen_settings(options.settings_file, options.preset, options.mode)
    wanted = GateOptions(
        options.items, options.spawns, options.traps, options.clearance or None, options.alternatives
    )  # fmt: skip
    results: list[Gated] = []
    for path in options.maps:
        try:
            result = gate(_compiled(path, chosen, options), wanted)
            results.append(Gated(path, result.passed, None, result.checked, result.spawns, result.items, result.faults))
        except AasError as error:
            results.append(Gated(path, False, str(error)))
            if not options.as_json:
                print_error(error)
            continue
        if not options.as_json:
            emit(*_lines(path, result))
    if options.as_json:
        emit_json(results)
    if not all(result.passed for result in results):
        ctx.exit(FAILED)


def _compiled(path: str, settings: Settings, options: Options) -> Compiled:
    """A compiled file, or a map compiled in memory."""
    from aascompile.store.read import is_compiled, load_compiled

    if is_compiled(path):
        return load_compiled(path)
    from aascompile.api import compile_map

    return compile_map(path, settings, cache=options.cache, shaders=options.shaders)


def _lines(path: str, result: GateResult) -> Iterator[str]:
    """A result as text."""
    from aascompile.cli.lines import MAX_LISTED, counted, rounded

    found = f"{counted(result.spawns, 'spawn')}, {counted(result.items, 'item')}"
    checks = ", ".join(result.checked) or "nothing"
    if result.passed:
        yield f"{path}: passes ({found}; checked: {checks})"
        return
    yield f"{path}: fails ({found}; checked: {checks})"
    for fault in result.faults[:MAX_LISTED]:
        name = f"{printable(fault.classname)} (entity {fault.entity}) " if fault.entity >= 0 else ""
        yield f"  {fault.check:<13}{name}at ({rounded(fault.point.tolist())}): {fault.reason}"
    if len(result.faults) > MAX_LISTED:
        yield f"  ... and {len(result.faults) - MAX_LISTED:,} more (--json lists all)"
