"""The command ``aascompile``: compile maps."""

from __future__ import annotations

import sys

import click

from aascompile.cli.common import (
    CONTEXT,
    FAILED,
    emit,
    maps_argument,
    plain,
    quiet_option,
    run,
    say_error,
    version_option,
)
from aascompile.cli.maps import NamedMaps


@click.command(context_settings=CONTEXT)
@maps_argument
@click.option("-o", "--output", metavar="OUT", type=click.Path(), help="File, or folder for several maps, to write.")
@quiet_option
@version_option
@click.pass_context
def compile_maps(ctx: click.Context, maps: tuple[str, ...], output: str | None, quiet: bool) -> None:
    """Compile Quake III maps into the Area Awareness System.

    This version reads the maps, works out what each brush means, says so, and stops there with exit code 1: nothing
    is written. `aas info` shows in full what was read.
    """
    for understood, report in NamedMaps(maps, quiet):
        used = int((understood.meaning.kind != 0).sum())
        emit(
            f"{plain(report.source, 4096)}: read {len(understood.meaning):,} brushes, {used:,} of them used, and "
            f"{len(understood.facets):,} facets of patches; {len(report.dropped):,} dropped, "
            f"{len(report.warnings):,} warnings"
        )
    say_error("compiling is not implemented in this version; nothing was written")
    ctx.exit(FAILED)


def main() -> None:
    """Entry point."""
    sys.exit(run(compile_maps, "aascompile"))
