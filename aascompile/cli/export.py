"""``aas export``: write a compiled file in the format of the engine or of another program."""

from __future__ import annotations

import click

from aascompile.cli.common import CONTEXT, emit, print_note
from aascompile.cli.targets import EXPORTS, checked, force_option


@click.command(context_settings=CONTEXT)
@click.argument("file", metavar="FILE", type=click.Path())
@click.argument("output", metavar="OUT", type=click.Path())
@force_option
def export(file: str, output: str, force: bool) -> None:
    """Write a compiled file in another format.

    FILE is a compiled file (x.aas.hdf, or the engine's x.aas). OUT is the file to write. Its ending decides what is
    written:

    \b
      .aas       the engine's file; the game looks for it in its maps folder
      .graphml   areas and links as a directed graph, for programs such as Gephi and networkx
      .json      areas, links, items and spawns, an object for each
      .npz       all tables, for numpy.load
      .glb       floors, the map's faces and links as shapes, for Blender and other 3D programs

    If FILE has no links or clusters, the engine computes them when it loads the map.
    """
    from aascompile.errors import StoreError
    from aascompile.store.engine import for_engine, write_engine
    from aascompile.store.exports import ending_of, exported
    from aascompile.store.files import write_atomically
    from aascompile.store.read import load_compiled

    try:
        ending = ending_of(output)
    except StoreError as error:
        raise click.UsageError(str(error)) from None
    checked(output, EXPORTS[ending], [file], force=force, ending=False)
    compiled = load_compiled(file)
    engine = ending == ".aas"
    data = write_engine(for_engine(compiled)) if engine else exported(compiled, ending)
    write_atomically(output, data)
    emit(f"{output}: {len(compiled.areas):,} areas, {len(data):,} bytes")
    if engine and not compiled.provenance.checksum:
        print_note("warning: it was compiled from map source, so its checksum matches no .bsp and the game rejects it")
