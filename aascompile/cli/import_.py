"""``aas import``: convert an engine file to a compiled file."""

from __future__ import annotations

import os

import click

from aascompile.cli.common import CONTEXT, emit
from aascompile.cli.targets import COMPILED, checked, force_option
from aascompile.errors import StoreError


@click.command("import", context_settings=CONTEXT)
@click.argument("file", metavar="FILE", type=click.Path())
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=click.Path(),
    help="File to write; the default, FILE.hdf, is never overwritten.",
)
@click.option(
    "--map",
    "map_file",
    metavar="BSP",
    type=click.Path(),
    help="Take the map's faces and entities, items and spawns from this map, for which FILE was made.",
)
@force_option
def import_file(file: str, output: str | None, map_file: str | None, force: bool) -> None:
    """Convert the engine's .aas file to a compiled file.

    FILE is an .aas file of version 4, 5 or 8, made by any compiler. What it does not contain stays empty: the map's
    faces and entities (unless --map gives them), settings, the velocities of flights, and often the faces of areas,
    which shipped files leave out.
    """
    from aascompile.store.engine import read_engine
    from aascompile.store.files import read_file
    from aascompile.store.hdf import write_compiled

    target = output if output is not None else f"{file}.hdf"
    if output is None and os.path.exists(target) and not force:
        # FILE may have been exported from it, and it contains more.
        raise StoreError(f"{target}: already exists; --force replaces it")
    checked(target, COMPILED, [file], force=force, option="-o" if output else "")
    compiled = read_engine(read_file(file), file)
    if map_file is not None:
        from aascompile.pipeline import with_map
        from aascompile.report import Report

        compiled = with_map(compiled, file, map_file, Report(map_file))
    write_compiled(target, compiled)
    emit(f"{target}: {len(compiled.areas):,} areas")
