"""``aas view`` and ``aasview``: look at compiled files, in a window, a browser or as pictures."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import Any

import click

from aascompile.cli.common import CONTEXT, emit, gathered, plain, run

MOST_PIXELS = 8192
"""Along a side of a picture."""


class Size(click.ParamType[tuple[int, int]]):
    """WIDTHxHEIGHT in pixels."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Two numbers."""
        if isinstance(value, tuple):
            return value[0], value[1]
        found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", str(value))
        if not found or not all(64 <= int(side) <= MOST_PIXELS for side in found.groups()):
            self.fail(f"'{value}' is not a size: write 1280x800, with 64 to {MOST_PIXELS} each", param, ctx)
        return int(found[1]), int(found[2])


@dataclass(frozen=True, slots=True)
class Options:
    """What to look at and where it is shown; all other arguments say what is shown, as ``viewer.options.Asked``."""

    file: str
    newer: str | None
    screenshot: str | None
    turntable: str | None
    page: str | None
    web: bool
    port: int
    frames: int
    size: tuple[int, int]
    bare: bool
    palette: bool


@click.command(context_settings=CONTEXT)
@click.argument("file", metavar="FILE", type=click.Path())
@click.argument("newer", metavar="[NEWER]", type=click.Path(), required=False)
@click.option("--screenshot", metavar="OUT", type=click.Path(), help="Write a picture (.png, .jpg) and open no window.")
@click.option("--turntable", metavar="OUT", type=click.Path(), help="Write a turn round the map (.gif, .mp4).")
@click.option("--html", "page", metavar="OUT", type=click.Path(), help="Write one page for browsers (.html).")
@click.option("--web", is_flag=True, help="Show it in a browser instead: serves a page to this machine alone.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Of --web; 0, the default: any that is free.")
@click.option("--frames", type=click.IntRange(2, 720), default=60, show_default=True, help="Pictures of --turntable.")
@click.option("--size", type=Size(), default="1280x800", show_default=True, metavar="WxH", help="Pixels.")
@click.option(
    "--camera",
    default="iso",
    show_default=True,
    metavar="WHERE",
    help="top, iso, area:AREA (picks it) or route:AREA/AREA (shows the route).",
)
@click.option("--azimuth", type=float, default=225.0, show_default=True, help="Degrees: where one stands, from east.")
@click.option("--elevation", type=float, default=40.0, show_default=True, help="Degrees above the horizon.")
@click.option("--zoom", type=click.FloatRange(0.01, 100.0), default=1.0, show_default=True, help="How much nearer.")
@click.option("--layers", default="", metavar="NAMES", help="What is shown: map,areas,links; or +names,-map.")
@click.option("--color", "--colour", "colour", default="", metavar="BY", help="Colour areas by: kind, cluster, time …")
@click.option("--areas", default="", metavar="KINDS", help="Kinds of areas that are shown: ground,water; or +air.")
@click.option("--links", default="", metavar="KINDS", help="Kinds of links that are shown: jump,jump_pad; or -walk.")
@click.option("--goal", default="", metavar="AREA", help="Where the times of --color time lead to.")
@click.option("--below", type=float, metavar="Z", help="Cut away what is higher.")
@click.option("--above", type=float, metavar="Z", help="Cut away what is lower.")
@click.option("--near", type=click.FloatRange(0.0), metavar="UNITS", help="Cut away what is farther from the aim.")
@click.option("--focus", is_flag=True, help="Of areas and links only the picked ones, their neighbours and the route.")
@click.option("--shells", type=click.FloatRange(0.0, 1.0), metavar="SHARE", help="Opacity of the areas' shells.")
@click.option("--bare", is_flag=True, help="No legend and no words over the picture.")
@click.option("--palette", is_flag=True, help="A .png in 256 colours, which is smaller.")
@gathered(Options)
def view(ctx: click.Context, output: Options, **asked: Any) -> None:
    """Look at a compiled file.

    FILE is a compiled file (x.aas.hdf, or the engine's x.aas). Without --screenshot, --turntable, --html and --web a
    window opens; h lists its keys. With a second file, what changed between the two is shown. An AREA is its number, or
    a point in it (x,y,z): numbers change when a map is compiled anew.

    \b
    Layers: map, areas, ground, gaps, liquid, ladders, links, portals, entities, names, numbers, leak.
    Colours: kind, cluster, presence, contents, links, time.
    """
    from aascompile.store.read import load_compiled
    from aascompile.viewer import picture
    from aascompile.viewer.options import Asked, apply, camera_of
    from aascompile.viewer.scene import Scene

    wanted = Asked(**asked)
    scene = (
        Scene(load_compiled(output.file))
        if output.newer is None
        else Scene(load_compiled(output.newer), before=load_compiled(output.file))
    )
    apply(wanted, scene)
    if output.page:
        from aascompile.viewer.page import save_page

        save_page(scene, output.page, wanted)
        emit(plain(output.page, 4096))
    if output.screenshot or output.turntable:
        shown = picture.open_view(scene, output.size, panel=not output.bare)
        camera = camera_of(wanted, scene, shown.aspect)
        if output.screenshot:
            shown.look(camera)
            picture.save_picture(picture.pixels(shown), output.screenshot, palette=output.palette)
            emit(plain(output.screenshot, 4096))
        if output.turntable:
            picture.save_turntable(shown, camera, output.turntable, output.frames)
            emit(plain(output.turntable, 4096))
    if output.web:
        from aascompile.viewer.web import serve

        serve(scene, output.size, wanted, output.port, emit)
    elif not (output.page or output.screenshot or output.turntable):
        from aascompile.viewer.window import open_window

        open_window(scene, output.size, wanted)


def main() -> None:
    """Entry point of ``aasview``."""
    sys.exit(run(view, "aasview"))
