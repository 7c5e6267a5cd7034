"""``aas bsp``: convert map source to a quick .bsp, to try the map in the game."""

from __future__ import annotations

import os

import click

from aascompile.cli.common import CONTEXT, emit, print_note, shaders_option
from aascompile.cli.targets import BSP, checked, force_option
from aascompile.errors import MapError
from aascompile.escaping import printable


@click.command(context_settings=CONTEXT)
@click.argument("source", metavar="MAP", type=click.Path())
@click.option("-o", "--output", metavar="OUT", type=click.Path(), help="File to write (default: x.bsp).")
@shaders_option
@force_option
def bsp(source: str, output: str | None, shaders: tuple[str, ...], force: bool) -> None:
    """Write a quick test BSP from map source, without visibility and lighting.

    MAP is a .map file, or one inside an archive (pak.pk3/maps/x.map). The output of x.map is x.bsp (IBSP 46): beside
    the map, or in the current folder if the map is in an archive.

    The game can load the file, with full collision for players and bots, and aascompile can compile it, with the
    checksum that an .aas needs. It has no lightmaps and no visibility data: everything is drawn fully bright, and large
    maps are slow. To publish a map, use a full BSP compiler.
    """
    from aascompile.brushes.brush_hulls import closed_brushes
    from aascompile.mapio.load import load_map, read_map_file
    from aascompile.mapio.textures import source_warnings
    from aascompile.quickbsp.write import write_ibsp
    from aascompile.store.files import write_atomically

    data = closed_brushes(load_map(read_map_file(source, shaders=shaders))).map
    if data.format != "map":
        raise MapError(source, "is already a compiled map; aas bsp reads .map source")
    target = output if output is not None else _beside(source, data.name)
    # An existing .bsp may come from a full compiler, with hours of lighting in it.
    checked(target, BSP, [source], force=force, option="-o" if output else "")
    content = write_ibsp(data)
    write_atomically(target, content)
    counts = f"{len(data.brushes):,} brushes, {len(data.patches):,} patches, {len(content):,} bytes"
    emit(f"{target}: {counts}")
    for warning in source_warnings(data):
        print_note(f"warning: {warning}")
    for dropped in data.dropped:
        print_note(f"warning: {dropped.kind} {dropped.number}: {printable(dropped.reason, 200)}")


def _beside(source: str, name: str) -> str:
    """Path of the .bsp: beside the map, or in the current folder if the map is in an archive."""
    from aascompile.mapio.load import split_archive

    stem = os.path.splitext(name)[0] + ".bsp"
    return os.path.basename(stem) if split_archive(source)[0] else stem
