"""``aas bsp``: a quick .bsp of map source, to try a map in the game."""

from __future__ import annotations

import os

import click

from aascompile.cli.common import CONTEXT, emit, plain
from aascompile.errors import MapError, StoreError


@click.command(context_settings=CONTEXT)
@click.argument("source", metavar="MAP", type=click.Path())
@click.option(
    "-o", "--output", metavar="OUT", type=click.Path(), help="File to write; by default x.bsp, unless that exists."
)
def bsp(source: str, output: str | None) -> None:
    """Write a quick test BSP of map source, without vis and light.

    MAP is a .map file, or one inside an archive (pak.pk3/maps/x.map). Of x.map comes x.bsp (IBSP 46) beside it, or in
    the current folder if the map is in an archive.

    The game loads it, players and bots collide with everything, and aascompile compiles it, with the checksum that an
    .aas needs. It has no lightmaps and no visibility: everything is drawn, fully bright, and large maps are slow. To
    publish a map, compile it with a full BSP compiler.
    """
    from aascompile.brushes.brush_hulls import closed_brushes
    from aascompile.mapio.load import load_map
    from aascompile.quickbsp.write import write_ibsp
    from aascompile.store.files import write_atomically

    data = closed_brushes(load_map(source)).map
    if data.format != "map":
        raise MapError(source, "is a compiled map already; aas bsp reads .map source")
    target = output if output is not None else _beside(source, data.name)
    if os.path.exists(target) and os.path.exists(source) and os.path.samefile(source, target):
        raise StoreError(f"{target}: is the map itself; name another file to write")
    if output is None and os.path.exists(target):
        # It may well be the work of a full compiler, with hours of light in it.
        raise StoreError(f"{target}: exists already; -o {target} replaces it")
    made = write_ibsp(data)
    write_atomically(target, made)
    emit(f"{plain(target, 4096)}: {len(data.brushes):,} brushes, {len(data.patches):,} patches, {len(made):,} bytes")
    for left in data.dropped:
        click.echo(f"warning: {plain(f'{left.kind} {left.number}: {left.reason}', 200)}", err=True)


def _beside(source: str, name: str) -> str:
    """The .bsp beside a map, or in the current folder if the map is in an archive."""
    from aascompile.mapio.load import split_archive

    stem = os.path.splitext(name)[0] + ".bsp"
    return os.path.basename(stem) if split_archive(source)[0] else stem
