"""Serves the viewer to browsers on this machine, with trame: ``aas view --web``.

Python draws the picture with the usual view and window, and sends it as images. The page has the controls.
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
from aascompile.viewer.guard import LOOPBACK, Guard
from aascompile.viewer.meshes import Colour
from aascompile.viewer.options import ViewOptions, camera_of
from aascompile.viewer.page import page_file, style_sheet
from aascompile.viewer.picture import open_view, set_smooth
from aascompile.viewer.scene import Scene
from aascompile.viewer.text import Row
from aascompile.viewer.view import View
from aascompile.viewer.window import POLL, Window, help_lines

DRAG_RATIO: Final = 0.5
"""Scale of the picture while the camera moves."""

STILL_QUALITY: Final = 92
"""JPEG quality of the picture while nothing moves."""

SLIDER_STEP: Final = 8
"""Step of the height sliders, units."""

KEY_NAMES: Final = {
    "[": "bracketleft",
    "]": "bracketright",
    "{": "braceleft",
    "}": "braceright",
    "?": "question",
    "-": "minus",
    "=": "equal",
}
"""Key names of browsers → key names of X."""

WINDOW_KEYS: Final = ("p", "q")
"""Keys that make no sense on a page."""


Announce = Callable[[str], None]


class WebError(AasError, RuntimeError):
    """The page cannot be served."""


class WebPage:
    """State and controls of the page. Its texts are trame state; its picture is sent as an image."""

    def __init__(self, view: View, state: Any) -> None:
        self.view = view
        self.window = Window(view, self.show)
        self.window.attach()
        self.send: Callable[[], None] = lambda: None
        """Sends the picture to the page. Does nothing until the page exists."""
        self._state = state

    @property
    def scene(self) -> Scene:
        """What is shown."""
        return self.view.scene

    @property
    def _heights(self) -> list[int]:
        return _heights(self.scene)

    def show(self) -> None:
        """Send the current state of the scene to the page."""
        self.view.refresh()
        self.view.plotter.renderer.ResetCameraClippingRange()
        with self._state:
            self._state.update(self.page_state())
        self.send()

    def page_state(self) -> dict[str, Any]:
        """Texts and control values of the page."""
        scene = self.scene
        low, high = scene.cut.mins[2], scene.cut.maxs[2]
        return {
            "title": scene.title,
            "colour_by": scene.colour_by,
            "colourings": list(scene.colourings),
            "heights": self._heights,
            "cut_heights": [round(low) if np.isfinite(low) else "", round(high) if np.isfinite(high) else ""],
            "shells": scene.shell_opacity,
            "legend": [
                {"title": section.title, "rows": [_row_state(row) for row in section.rows]}
                for section in scene.legend()
                if section.rows
            ],
            "card": [_line(text) for text in scene.card()],
            "route": [_line(text) for text in scene.route_lines()],
            "picked": scene.picked,
            "focus": scene.focus,
            "message": scene.message,
            "help": "\n".join(help_lines(WINDOW_KEYS)) if self.view.help_lines else "",
        }

    def on_press(self, key: str) -> None:
        """Handle a key press."""
        if key not in (*WINDOW_KEYS, "g"):  # the page has a field for area numbers
            self.window.press(KEY_NAMES.get(key, key))

    def on_switch(self, operation: str, argument: str | int) -> None:
        """Handle a click on a row of the legend."""
        if operation in ("toggle", "toggle_area_kind", "toggle_link_kind", "toggle_entity_kind"):
            self.window.perform(lambda: getattr(self.scene, operation)(argument))

    def on_colour(self, name: str) -> None:
        """Handle the choice of a colouring."""
        self.window.perform(lambda: self.scene.colour(str(name)))

    def on_go_to(self, area: str | int) -> None:
        """Handle a request for an area."""
        if re.fullmatch(r"\d{1,9}", str(area).strip()):
            self.window.perform(lambda: self.window.go_to(int(area)))

    def on_cut(self, low: str | None, high: str | None) -> None:
        """Handle a height slider. At its end, the cut is open."""
        bottom, top = self.scene.cut.mins[2], self.scene.cut.maxs[2]
        if low is not None:
            bottom = float(low) if float(low) > self._heights[0] else -np.inf
        if high is not None:
            top = float(high) if float(high) < self._heights[1] else np.inf
        self.window.perform(lambda: self.scene.cut_height(bottom, max(bottom, top)))

    def on_shells(self, share: str) -> None:
        """Handle the opacity slider."""
        self.scene.shell_opacity = min(max(float(share), 0.0), 1.0)
        self.window.perform(lambda: None)


def serve(
    scene: Scene,
    size: tuple[int, int],
    options: ViewOptions,
    port: int,
    announce: Announce,
    poll: Callable[[Window], object] | None = None,
    host: str = LOOPBACK,
) -> None:
    """Serve the page until interrupted, and announce its address. WebError if it cannot be served.

    ``host`` is the address to listen on. ``poll`` is called every few milliseconds, and may change what the page shows.
    """
    _check_port(host, port)
    _quiet()
    try:
        from trame.app import get_server
        from trame.ui.html import DivLayout
        from trame.widgets import client, vtk
    except ImportError as error:
        raise WebError(f"--web needs trame ({error}): pip install 'aascompile[viewer]'") from None
    view = open_view(scene, size, panel=False, smooth=False)
    view.plotter.render()  # VTK knows its renderer only after the first picture
    set_smooth(view.plotter, not gl.renders_in_software(view.plotter.render_window))
    server = get_server("aascompile", client_type="vue3")
    page = WebPage(view, server.state)
    view.look(camera_of(options, scene, view.aspect))
    server.state.update({"trame__title": scene.title, "trame__favicon": "", **page.page_state()})
    for name in ("press", "switch", "colour", "go_to", "cut", "shells"):
        server.trigger(name)(getattr(page, f"on_{name}"))
    picture = vtk.VtkRemoteView(
        view.plotter.render_window, trame_server=server, interactive_ratio=DRAG_RATIO, still_quality=STILL_QUALITY
    )
    with DivLayout(server) as layout:
        client.Style(style_sheet("style.css") + style_sheet("web.css"))
        client.Script(page_file("web.js"))
        layout.root.add_child(page_file("web.html").replace("<!-- picture -->", picture.html))
    page.send = picture.update
    asyncio.run(_run(server, host, port, announce, None if poll is None else lambda: poll(page.window)))


def _check_port(host: str, port: int) -> None:
    """Raise WebError if the port cannot be used."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise WebError(f"cannot use port {port} of {host} ({(error.strerror or '').lower()})") from None


async def _run(server: Any, host: str, port: int, announce: Announce, poll: Callable[[], object] | None) -> None:
    """Serve until the process is interrupted."""
    polling = None if poll is None else asyncio.create_task(_poll(poll))
    guard = Guard(host)
    server.controller.on_server_bind.add(guard.protect)
    server.controller.on_server_ready.add(lambda **_: announce(guard.address(server.port)))
    await server.start(
        port=port,
        host=host,
        timeout=0,
        open_browser=False,
        show_connection_info=False,
        thread=True,  # keeps trame from installing signal handlers
        exec_mode="coroutine",
    )
    if polling is not None:
        polling.cancel()


async def _poll(look: Callable[[], object]) -> None:
    """Call a function every few milliseconds."""
    while True:
        await asyncio.sleep(POLL / 1000.0)
        look()


def _quiet() -> None:
    """Keep trame from reading this command's options and from writing to its output."""
    sys.argv = sys.argv[:1]
    os.environ.pop("TRAME_ARGS", None)
    os.environ["WSLINK_READY_MSG"] = ""
    for name in ("wslink", "aiohttp"):
        logger = logging.getLogger(name)
        logger.addHandler(logging.NullHandler())
        logger.propagate = False  # they would print tracebacks of what a page sends


def _heights(scene: Scene) -> list[int]:
    """Bottom of the lowest area and top of the highest, rounded outwards to slider steps."""
    areas = scene.compiled.areas
    low, high = areas.area_mins[:, 2].min(), areas.area_maxs[:, 2].max()
    return [int(np.floor(low / SLIDER_STEP)) * SLIDER_STEP, int(np.ceil(high / SLIDER_STEP)) * SLIDER_STEP]


def _row_state(row: Row) -> dict[str, Any]:
    """A row of the legend for the page. A count at the end of its text becomes a separate field."""
    match = re.fullmatch(r"(.+) ([\d,]+)", row.text)
    name, count = (match[1], match[2]) if match else (row.text, "")
    action = None if row.action is None else [row.action.operation, row.action.argument]
    return {"name": name, "count": count, "colour": _css(row.colour), "on": row.on, "action": action}


def _css(colour: Colour | None) -> str:
    return "" if colour is None else "rgb({} {} {})".format(*colour)


def _line(text: str) -> dict[str, Any]:
    """A line of the card or the route. If it describes a link, a click on it leads to the link's other area."""
    match = re.search(r" (?:to|from) (\d+)(?: |$)", text)
    return {"text": text, "area": int(match[1]) if match and text.startswith("  ") and " s" in text else -1}
