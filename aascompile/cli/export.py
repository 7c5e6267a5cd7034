"""``aas export``: the engine's file of a compiled one."""

from __future__ import annotations

import click

from aascompile.cli.common import CONTEXT, emit, plain


@click.command(context_settings=CONTEXT)
@click.argument("file", metavar="FILE", type=click.Path())
@click.argument("output", metavar="OUT", type=click.Path())
def export(file: str, output: str) -> None:
    """Write the engine's binary .aas of a compiled file.

    FILE is a compiled file (x.aas.hdf), OUT the file to write (x.aas); the game looks for it as maps/x.aas. Links or
    clusters that FILE does not have are found by the engine when it loads the map.
    """
    from aascompile.store.engine import write_engine
    from aascompile.store.files import write_atomically
    from aascompile.store.read import load_compiled

    compiled = load_compiled(file)
    data = write_engine(compiled)
    write_atomically(output, data)
    emit(f"{plain(output, 4096)}: {len(compiled.areas):,} areas, {len(data):,} bytes")
    if not compiled.provenance.checksum:
        click.echo(
            "warning: it was compiled from map source, so no .bsp has its checksum, and the game refuses it", err=True
        )
