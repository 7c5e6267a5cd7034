"""``aas view`` and ``aasview``: show compiled files in a window, in a browser or as pictures."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import click

from aascompile.cli.common import CONTEXT, emit, print_note, run, with_record
from aascompile.cli.targets import ANIMATION, PAGE, PICTURE, checked, force_option
from aascompile.records import dataclass

if TYPE_CHECKING:
    from aascompile.model.compiled import Compiled
    from aascompile.viewer.options import ViewOptions
    from aascompile.viewer.window import Window

MAX_PIXELS = 8192
"""Most pixels along a side of a picture."""


class Size(click.ParamType[tuple[int, int]]):
    """WIDTHxHEIGHT in pixels."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Parse WIDTHxHEIGHT."""
        if isinstance(value, tuple):
            return value[0], value[1]
        match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", str(value))
        if not match or not all(64 <= int(side) <= MAX_PIXELS for side in match.groups()):
            self.fail(
                f"'{value}' is not a size: write 1280x800, for example, with 64 to {MAX_PIXELS} pixels a side",
                param,
                ctx,
            )
        return int(match[1]), int(match[2])


@dataclass(frozen=True, slots=True)
class Options:
    """Input and output options. All other options say what is shown: ``viewer.options.ViewOptions``."""

    file: str
    newer: str | None
    screenshot: str | None
    turntable: str | None
    page: str | None
    web: bool
    watch: bool
    port: int
    host: str
    frames: int
    size: tuple[int, int]
    bare: bool
    palette: bool
    force: bool


@click.command(context_settings=CONTEXT)
@click.argument("file", metavar="FILE", type=click.Path())
@click.argument("newer", metavar="[NEWER]", type=click.Path(), required=False)
@click.option("--screenshot", metavar="OUT", type=click.Path(), help="Write a picture (.png, .jpg) and open no window.")
@click.option(
    "--turntable", metavar="OUT", type=click.Path(), help="Write an animation that circles the map (.gif, .mp4)."
)
@click.option("--html", "page", metavar="OUT", type=click.Path(), help="Write a self-contained web page (.html).")
@click.option(
    "--web",
    is_flag=True,
    help="Serve the viewer as a page at a secret address, for browsers on this machine.",
)
@click.option(
    "--watch", is_flag=True, help="Show the file again whenever it changes. FILE may then be a map, which is compiled."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port of --web; 0, the default, takes a free one."
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address that --web listens on. With another than the default, other machines can open the page.",
)
@click.option("--frames", type=click.IntRange(2, 720), default=60, show_default=True, help="Frames of --turntable.")
@click.option(
    "--size", type=Size(), default="1280x800", show_default=True, metavar="WxH", help="Width and height in pixels."
)
@click.option(
    "--camera",
    default="iso",
    show_default=True,
    metavar="WHERE",
    help="top, iso, area:AREA (picks it) or route:AREA/AREA (shows the route).",
)
@click.option(
    "--azimuth", type=float, default=225.0, show_default=True, help="Direction of the camera: degrees from east."
)
@click.option(
    "--elevation", type=float, default=40.0, show_default=True, help="Height of the camera: degrees above the horizon."
)
@click.option("--zoom", type=click.FloatRange(0.01, 100.0), default=1.0, show_default=True, help="Zoom factor.")
@click.option("--layers", default="", metavar="NAMES", help="Layers to show: map,areas,links; or changes: +names,-map.")
@click.option("--color", "--colour", "colour", default="", metavar="BY", help="Colour areas by kind, time, sight …")
@click.option("--areas", default="", metavar="KINDS", help="Kinds of areas to show: ground,water; or changes: +air.")
@click.option("--links", default="", metavar="KINDS", help="Travel types to show: jump,jump_pad; or changes: -walk.")
@click.option("--goal", default="", metavar="AREA", help="Goal of the travel times of --color time.")
@click.option(
    "--alternatives", type=click.IntRange(0, 20), default=0, metavar="K", help="Alternatives to the route of --camera."
)
@click.option("--below", type=float, metavar="Z", help="Cut off everything above this height.")
@click.option("--above", type=float, metavar="Z", help="Cut off everything below this height.")
@click.option(
    "--near", type=click.FloatRange(0.0), metavar="UNITS", help="Cut off everything farther from the camera's aim."
)
@click.option("--focus", is_flag=True, help="Limit areas and links to the picked area, its neighbours and the route.")
@click.option("--shells", type=click.FloatRange(0.0, 1.0), metavar="SHARE", help="Opacity of the area shells, 0 to 1.")
@click.option("--unreached", is_flag=True, help="Show what players do not reach, and the attempts that come nearest.")
@click.option("--bare", is_flag=True, help="Draw no legend and no other text.")
@click.option("--palette", is_flag=True, help="Write a .png of 256 colours, which is smaller.")
@force_option
@with_record(Options)
def view(ctx: click.Context, output: Options, **shown: Any) -> None:
    """Show a compiled file.

    FILE is a compiled file (x.aas.hdf, or the engine's x.aas). A window opens unless --screenshot, --turntable, --html
    or --web is given; h lists its keys. With a second file, the differences are shown. An AREA is a number, a
    point x,y,z in the area, or a name as for `aas area`: numbers change when the map is recompiled.

    With --watch, a file that changes is shown in place: camera, layers and cuts stay as they are. If FILE is a map
    (.bsp, .map), it is compiled in memory each time it is saved. A message says what has changed.

    \b
    Layers: map, areas, ground, gaps, liquid, ladders, links, portals, entities, names, numbers, leak, unreached,
    movers, volumes.
    Colours: kind, cluster, presence, contents, links, time, reached.
    """
    from aascompile.store.read import load_compiled
    from aascompile.viewer import picture
    from aascompile.viewer.options import ViewOptions, apply, camera_of
    from aascompile.viewer.scene import Scene, SceneError

    inputs = [name for name in (output.file, output.newer) if name]
    outputs = (
        ("--html", output.page, PAGE),
        ("--screenshot", output.screenshot, PICTURE),
        ("--turntable", output.turntable, ANIMATION),
    )
    for option, name, kind in outputs:
        if name:
            checked(name, kind, inputs, force=output.force, option=option)
    options = ViewOptions(**shown)
    if output.watch:
        if output.newer or output.page or output.screenshot or output.turntable:
            raise click.UsageError("--watch takes one file, and shows it in a window or with --web")
        _watch(output, options)
        return
    scene = (
        Scene(load_compiled(output.file))
        if output.newer is None
        else Scene(load_compiled(output.newer), before=load_compiled(output.file))
    )
    try:
        apply(options, scene)
    except SceneError as error:
        raise click.UsageError(str(error)) from None
    if output.page:
        from aascompile.viewer.page import save_page

        save_page(scene, output.page, options)
        emit(output.page)
    if output.screenshot or output.turntable:
        scene_view = picture.open_view(scene, output.size, panel=not output.bare)
        camera = camera_of(options, scene, scene_view.aspect)
        if output.screenshot:
            scene_view.look(camera)
            picture.save_picture(picture.pixels(scene_view), output.screenshot, palette=output.palette)
            emit(output.screenshot)
        if output.turntable:
            picture.save_turntable(scene_view, camera, output.turntable, output.frames)
            emit(output.turntable)
    if output.web:
        from aascompile.viewer.web import serve

        _warn_of_others(output.host)
        serve(scene, output.size, options, output.port, emit, host=output.host)
    elif not (output.page or output.screenshot or output.turntable):
        from aascompile.viewer.window import open_window

        open_window(scene, output.size, options)


def _warn_of_others(host: str) -> None:
    """Warn if other machines can connect."""
    from aascompile.viewer.guard import LOOPBACK

    if host not in (LOOPBACK, "localhost", "::1"):
        print_note(f"warning: on {host}, everybody who learns the address can use the page, and it is not encrypted")


def _watch(output: Options, options: ViewOptions) -> None:
    """Show a file, and show it again in place whenever it changes."""
    from aascompile.cli.watch import own_cache, watched_files
    from aascompile.store.read import is_compiled, load_compiled
    from aascompile.viewer.follow import follow, show_news
    from aascompile.viewer.options import apply
    from aascompile.viewer.scene import Scene

    with own_cache() as cache:

        def load() -> Compiled:
            if is_compiled(output.file):
                return load_compiled(output.file)
            from aascompile.api import compile_map

            return compile_map(output.file, cache=cache)

        follower = follow(watched_files(output.file), load)

        def poll(window: Window) -> None:
            show_news(window, follower.take())

        try:
            scene = Scene(load())
            apply(options, scene)
            if output.web:
                from aascompile.viewer.web import serve

                _warn_of_others(output.host)
                serve(scene, output.size, options, output.port, emit, poll, output.host)
            else:
                from aascompile.viewer.window import open_window

                open_window(scene, output.size, options, poll)
        finally:
            follower.close()


def main() -> None:
    """Entry point of ``aasview``."""
    sys.exit(run(view, "aasview"))
