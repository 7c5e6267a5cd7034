"""The window in a browser: ``aas view --web`` serves it on this machine alone, with trame.

The picture is drawn here, by the same view and window as ever, and sent as images; the page has the controls.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import socket
import sys
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from aascompile.errors import AasError
from aascompile.viewer import gl
from aascompile.viewer.meshes import Colour
from aascompile.viewer.options import Asked, camera_of
from aascompile.viewer.page import own_text, style
from aascompile.viewer.picture import open_view, set_smooth
from aascompile.viewer.scene import Scene
from aascompile.viewer.view import View
from aascompile.viewer.window import Window, help_lines
from aascompile.viewer.words import Row

HOST: Final = "127.0.0.1"
"""Nobody else can reach it."""

COARSE: Final = 0.5
"""Share of the picture's sides while one turns it."""

STILL_QUALITY: Final = 92
"""Of the picture as JPEG, while nothing moves."""

STEP: Final = 8
"""Units from one height to cut at to the next, as the page has them."""

KEY_NAMES: Final = {
    "[": "bracketleft",
    "]": "bracketright",
    "{": "braceleft",
    "}": "braceright",
    "?": "question",
    "-": "minus",
    "=": "equal",
}
"""Keys as browsers and as X call them."""

NOT_HERE: Final = ("p", "q")
"""Keys of the window that a page has no use for."""


class WebError(AasError, RuntimeError):
    """The page cannot be served."""


class WebPage:
    """What the page says and does: its words are the page's state, its picture is sent as an image."""

    def __init__(self, view: View, state: Any) -> None:
        self.view = view
        self.scene = view.scene
        self.window = Window(view, self.show)
        self.window.attach()
        self.send: Callable[[], None] = lambda: None
        """Sends the picture to the page, once there is one."""
        self._state = state
        self._heights = _heights(view.scene)

    def show(self) -> None:
        """Tell the page what the scene now is."""
        self.view.refresh()
        self.view.plotter.renderer.ResetCameraClippingRange()
        with self._state:
            self._state.update(self.told())
        self.send()

    def told(self) -> dict[str, Any]:
        """All that the page says in words."""
        scene = self.scene
        low, high = scene.cut.mins[2], scene.cut.maxs[2]
        return {
            "title": scene.title,
            "colour_by": scene.colour_by,
            "colourings": list(scene.colourings),
            "heights": self._heights,
            "cut_told": [round(low) if np.isfinite(low) else "", round(high) if np.isfinite(high) else ""],
            "shells": scene.shell_opacity,
            "legend": [
                {"title": section.title, "rows": [_told(row) for row in section.rows]}
                for section in scene.key()
                if section.rows
            ],
            "card": [_line(text) for text in scene.card()],
            "route": [_line(text) for text in scene.route_lines()],
            "picked": scene.picked,
            "focus": scene.focus,
            "message": scene.message,
            "help": "\n".join(help_lines(NOT_HERE)) if self.view.help_lines else "",
        }

    def on_press(self, key: str) -> None:
        """A key of the page."""
        if key not in (*NOT_HERE, "g"):  # numbers are typed into the page
            self.window.press(KEY_NAMES.get(key, key))

    def on_switch(self, operation: str, argument: str | int) -> None:
        """A row of the legend was clicked."""
        if operation in ("toggle", "toggle_area_kind", "toggle_link_kind"):
            self.window.done(lambda: getattr(self.scene, operation)(argument))

    def on_colour(self, name: str) -> None:
        """A colouring was chosen."""
        self.window.done(lambda: self.scene.colour(str(name)))

    def on_go_to(self, area: str | int) -> None:
        """An area was asked for."""
        if re.fullmatch(r"\d{1,9}", str(area).strip()):
            self.window.done(lambda: self.window.go_to(int(area)))

    def on_cut(self, low: str | None, high: str | None) -> None:
        """A height was chosen; at the rim of everything the cut is open."""
        bottom, top = self.scene.cut.mins[2], self.scene.cut.maxs[2]
        if low is not None:
            bottom = float(low) if float(low) > self._heights[0] else -np.inf
        if high is not None:
            top = float(high) if float(high) < self._heights[1] else np.inf
        self.window.done(lambda: self.scene.cut_height(bottom, max(bottom, top)))

    def on_shells(self, share: str) -> None:
        """An opacity was chosen."""
        self.scene.shell_opacity = min(max(float(share), 0.0), 1.0)
        self.window.done(lambda: None)


def serve(scene: Scene, size: tuple[int, int], asked: Asked, port: int, say: Callable[[str], None]) -> None:
    """Serve the page until interrupted; ``say`` is told its address. WebError when it cannot be served."""
    _check_port(port)
    _quiet()
    try:
        from trame.app import get_server
        from trame.ui.html import DivLayout
        from trame.widgets import client, vtk
    except ImportError as error:
        raise WebError(f"--web needs trame ({error}): pip install 'aascompile[viewer]'") from None
    view = open_view(scene, size, panel=False, smooth=False)
    view.plotter.render()  # before that, VTK does not know what draws
    set_smooth(view.plotter, not gl.in_software(view.plotter.render_window))
    server = get_server("aascompile", client_type="vue3")
    page = WebPage(view, server.state)
    view.look(camera_of(asked, scene, view.aspect))
    server.state.update({"trame__title": scene.title, "trame__favicon": "", **page.told()})
    for name in ("press", "switch", "colour", "go_to", "cut", "shells"):
        server.trigger(name)(getattr(page, f"on_{name}"))
    picture = vtk.VtkRemoteView(
        view.plotter.render_window, trame_server=server, interactive_ratio=COARSE, still_quality=STILL_QUALITY
    )
    with DivLayout(server) as layout:
        client.Style(style("style.css") + style("web.css"))
        client.Script(own_text("web.js"))
        layout.root.add_child(own_text("web.html").replace("<!-- picture -->", picture.html))
    page.send = picture.update
    asyncio.run(_run(server, port, say))


def _check_port(port: int) -> None:
    """Say at once when the port cannot be used."""
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((HOST, port))
        except OSError as error:
            raise WebError(f"port {port} of {HOST} cannot be used ({(error.strerror or '').lower()})") from None


async def _run(server: Any, port: int, say: Callable[[str], None]) -> None:
    """Serve until the process is interrupted."""
    server.controller.on_server_ready.add(lambda **_: say(f"http://{HOST}:{server.port}/"))
    await server.start(
        port=port,
        host=HOST,
        timeout=0,
        open_browser=False,
        show_connection_info=False,
        thread=True,  # its own handling of signals is not wanted
        exec_mode="coroutine",
    )


def _quiet() -> None:
    """Keep trame from reading this command's options and from writing to its output."""
    sys.argv = sys.argv[:1]
    os.environ.pop("TRAME_ARGS", None)
    os.environ["WSLINK_READY_MSG"] = ""
    logging.getLogger("wslink").setLevel(logging.CRITICAL)


def _heights(scene: Scene) -> list[int]:
    """The heights of the lowest and the highest area, in steps of the sliders."""
    areas = scene.compiled.areas
    low, high = areas.area_mins[:, 2].min(), areas.area_maxs[:, 2].max()
    return [int(np.floor(low / STEP)) * STEP, int(np.ceil(high / STEP)) * STEP]


def _told(row: Row) -> dict[str, Any]:
    """A row of the legend for the page; a number at its end is told apart."""
    found = re.fullmatch(r"(.+) ([\d,]+)", row.text)
    name, count = (found[1], found[2]) if found else (row.text, "")
    does = None if row.action is None else [row.action.operation, row.action.argument]
    return {"name": name, "count": count, "colour": _css(row.colour), "on": row.on, "does": does}


def _css(colour: Colour | None) -> str:
    return "" if colour is None else "rgb({} {} {})".format(*colour)


def _line(text: str) -> dict[str, Any]:
    """A line of the card or the route; one that tells of an area leads there."""
    found = re.search(r" (?:to|from) (\d+)(?: |$)", text)
    return {"text": text, "area": int(found[1]) if found and text.startswith("  ") and " s" in text else -1}
