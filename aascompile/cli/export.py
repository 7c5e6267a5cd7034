"""``aas export``: write the engine's file from a compiled file."""

from __future__ import annotations

import click

from aascompile.cli.common import CONTEXT, emit, printable
from aascompile.cli.targets import ENGINE, checked, force_option


@click.command(context_settings=CONTEXT)
@click.argument("file", metavar="FILE", type=click.Path())
@click.argument("output", metavar="OUT", type=click.Path())
@force_option
def export(file: str, output: str, force: bool) -> None:
    """Write the engine's .aas file from a compiled file.

    FILE is a compiled file (x.aas.hdf). OUT is the file to write (x.aas); the game looks for it in its maps folder. If
    FILE has no links or clusters, the engine computes them when it loads the map.
    """
    from aascompile.store.engine import for_engine, write_engine
    from aascompile.store.files import write_atomically
    from aascompile.store.read import load_compiled

    checked(output, ENGINE, [file], force=force)
    compiled = load_compiled(file)
    data = write_engine(for_engine(compiled))
    write_atomically(output, data)
    emit(f"{printable(output, 4096)}: {len(compiled.areas):,} areas, {len(data):,} bytes")
    if not compiled.provenance.checksum:
        click.echo(
            "warning: it was compiled from map source, so its checksum matches no .bsp and the game rejects it",
            err=True,
        )
