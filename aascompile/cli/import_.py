"""``aas import``: a compiled file of the engine's."""

from __future__ import annotations

import os

import click

from aascompile.cli.common import CONTEXT, emit, plain
from aascompile.errors import StoreError


@click.command("import", context_settings=CONTEXT)
@click.argument("file", metavar="FILE", type=click.Path())
@click.option(
    "-o", "--output", metavar="OUT", type=click.Path(), help="File to write; by default FILE.hdf, unless that exists."
)
def import_file(file: str, output: str | None) -> None:
    """Read the engine's binary .aas into a compiled file.

    FILE is an .aas of version 4 or 5, by whatever compiler. What it does not tell stays empty: the map's own faces,
    entities and settings, how links fly, and often the faces of areas, of which shipped files are stripped.
    """
    from aascompile.store.engine import read_engine
    from aascompile.store.files import read_file
    from aascompile.store.hdf import write_compiled

    target = output if output is not None else f"{file}.hdf"
    if output is None and os.path.exists(target):
        # It may well be what FILE was exported from, and holds more.
        raise StoreError(f"{target}: exists already; -o {target} replaces it")
    compiled = read_engine(read_file(file), file)
    write_compiled(target, compiled)
    emit(f"{plain(target, 4096)}: {len(compiled.areas):,} areas")
