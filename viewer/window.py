"""The window: keys, clicks and a prompt, on top of a view. Calls and events can drive it without a screen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import numpy as np

from aascompile.errors import AasError
from aascompile.model.links import Travel
from aascompile.viewer import camera, gl, palette
from aascompile.viewer.options import ViewOptions, camera_of
from aascompile.viewer.picture import pixels, save_picture, set_smooth
from aascompile.viewer.scene import LAYER_NAMES, Scene
from aascompile.viewer.view import View

STEP: Final = 32.0
"""Step by which keys move a cut, units."""

POLL: Final = 50
"""Milliseconds between two calls of a function that is polled."""

CLICK_SLACK: Final = 4
"""A press and release is a click if the mouse moved no farther than this, pixels."""

LAYER_KEYS: Final = {**dict(zip("123456789nmlurx", LAYER_NAMES, strict=True)), "minus": "gone", "equal": "lost"}


class Window:
    """Handles the keys and clicks of a view."""

    def __init__(self, view: View, show: Callable[[], None] | None = None) -> None:
        """``show`` brings the current scene to the screen; by default it is drawn here."""
        self.view = view
        self.scene = view.scene
        self._show = show or self._draw
        self.number: str | None = None
        """Digits typed so far for an area number; None if no number is being typed."""
        self.closed = False
        self._pressed_at = (0, 0)

    # --- keys ---------------------------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        """Handle a key, given by its X name."""
        if self.number is not None:
            self._type_number(key)
        elif key in LAYER_KEYS:
            self.perform(lambda: self.scene.toggle(LAYER_KEYS[key]))
        elif key in KEYS:
            self.perform(lambda: KEYS[key][1](self))

    def perform(self, operation: Callable[[], None]) -> None:
        """Run an operation and show the result. Errors appear as messages in the window."""
        self.scene.message = ""
        try:
            operation()
        except AasError as error:
            self.scene.message = str(error)
        if not self.closed:
            self._show()

    def replace(self, scene: Scene) -> None:
        """Show another scene in place, without moving the camera."""
        self.scene = self.view.scene = scene
        self.view.plotter.render_window.SetWindowName(scene.title)

    def _draw(self) -> None:
        self.view.refresh()
        self.view.plotter.render()

    def _type_number(self, key: str) -> None:
        """Handle a key while an area number is being typed."""
        typed = self.number or ""
        if key in ("Return", "KP_Enter"):
            self.number, self.view.prompt = None, ""
            self.perform(lambda: self.go_to(int(typed)) if typed else None)
            return
        if key == "Escape":
            self.number = None
        elif key == "BackSpace":
            self.number = typed[:-1]
        else:
            digit = key.removeprefix("KP_")
            self.number = (typed + digit if digit.isdigit() else typed)[:9]
        self.view.prompt = "" if self.number is None else f"go to area: {self.number}_"
        self.perform(lambda: None)

    def prompt_for_area(self) -> None:
        """Start typing an area number."""
        self.number = ""
        self.view.prompt = "go to area: _"

    def go_to(self, area: int) -> None:
        """Pick an area and look at it."""
        self.scene.pick(area)
        self.look_at_picked()

    def look_at_picked(self) -> None:
        """Look at the picked area from the current direction."""
        if self.scene.picked >= 0:
            azimuth, elevation = self._direction()
            self.view.look(camera.fit_areas(self.scene, [self.scene.picked], self.view.aspect, azimuth, elevation))

    def look_from_corner(self) -> None:
        """View everything from a corner."""
        self.view.look(camera.overview(self.scene, self.view.aspect))

    def look_from_above(self) -> None:
        """View everything as a plan."""
        self.view.look(camera.from_above(self.scene, self.view.aspect))

    def _direction(self) -> tuple[float, float]:
        """Azimuth and elevation of the camera, degrees."""
        own = self.view.plotter.camera
        x, y, z = np.array(own.position) - np.array(own.focal_point)
        return float(np.degrees(np.arctan2(y, x))), float(np.degrees(np.arctan2(z, np.hypot(x, y))))

    def next_colouring(self, by: int = 1) -> None:
        """Choose the next colouring; with ``by`` −1, the previous one."""
        names = self.scene.colourings
        self.scene.colour(names[(names.index(self.scene.colour_by) + by) % len(names)])

    def move_cut(self, ceiling: float = 0.0, floor: float = 0.0) -> None:
        """Move the top or the bottom of the cut. An open end starts at the bounds of the shown areas."""
        low, high = self.scene.bounds
        cut = self.scene.cut
        bottom = (cut.mins[2] if np.isfinite(cut.mins[2]) else float(low[2])) + floor if floor else cut.mins[2]
        top = (cut.maxs[2] if np.isfinite(cut.maxs[2]) else float(high[2])) + ceiling if ceiling else cut.maxs[2]
        if bottom < top:
            self.scene.cut_height(bottom, top)

    def toggle_box(self) -> None:
        """Cut to a box around the picked area, or remove the cut."""
        if self.scene.cut.open and self.scene.picked >= 0:
            self.scene.cut_around(self.scene.picked)
        else:
            self.scene.uncut()

    def toggle_focus(self) -> None:
        """Switch focus on or off: only the picked area, its neighbours and the route."""
        self.scene.focus = not self.scene.focus

    def fade(self, by: float) -> None:
        """Make the shells more or less opaque."""
        self.scene.shell_opacity = min(max(self.scene.shell_opacity + by, 0.0), 1.0)

    def toggle_help(self) -> None:
        """Show or hide the list of keys."""
        self.view.help_lines = [] if self.view.help_lines else help_lines()

    def save(self) -> None:
        """Save the picture to a new file in the current folder."""
        stem = Path(self.scene.name).stem or "map"
        free = (Path(f"{stem}-{number}.png") for number in range(1, 10000))
        path = next(str(name) for name in free if not name.exists())
        save_picture(pixels(self.view), path)
        self.scene.message = f"saved {path}"

    def close(self) -> None:
        """Close the window."""
        self.closed = True
        self.view.plotter.close()

    # --- mouse --------------------------------------------------------------------------------------------------------

    def click(self, x: float, y: float) -> None:
        """Handle a click at a pixel, counted from the lower left corner: on a legend row, an area, or neither."""
        action = self.view.panel.action_at(x, y) if self.view.panel is not None else None
        if action is not None:
            self.perform(lambda: action.run(self.scene))
        else:
            kind, row = self.view.thing_at(x, y)
            self.perform(lambda: self.scene.pick_entity(row) if kind == "entity" else self.scene.pick(row))

    def hover(self, x: float, y: float) -> None:
        """Name the entity under the mouse, at a pixel counted from the lower left corner."""
        found = self.view.entity_at(x, y)
        if found != self.scene.hovered:
            self.scene.hovered = found
            self._show()

    def ask_why(self) -> None:
        """Show why the picked item or area is not reached, and look at the attempt that comes nearest."""
        from aascompile.viewer.lost import path_of

        why = self.scene.ask_why()
        if why is not None:
            points = np.concatenate([path_of(why), why.point[None]])
            self.view.look(camera.fit_points(points, self.view.aspect, *self._direction()))

    def attach(self) -> None:
        """Listen to the plotter's keys and mouse, in place of pyvista's own keys."""
        own = self.view.plotter.iren
        own.enable_terrain_style(mouse_wheel_zooms=1.1, shift_pans=True)
        own.clear_key_event_callbacks()
        interactor, style = own.interactor, own.get_interactor_style()
        style.AddObserver("CharEvent", lambda *_: None)  # disables VTK's own keys
        # While a button is down, only the interactor style receives mouse events.
        style.AddObserver("LeftButtonPressEvent", lambda *_: self._down(interactor.GetEventPosition()))
        style.AddObserver("LeftButtonReleaseEvent", lambda *_: self._up(interactor.GetEventPosition()))
        interactor.AddObserver("MouseMoveEvent", lambda *_: self.hover(*interactor.GetEventPosition()))
        interactor.AddObserver("KeyPressEvent", lambda caller, _: self.press(caller.GetKeySym() or ""))
        interactor.AddObserver("ConfigureEvent", lambda *_: self.view.refresh())

    def poll(self, look: Callable[[Window], object]) -> None:
        """Call a function every few milliseconds while the window is open."""
        own = self.view.plotter.iren
        own.add_observer("TimerEvent", lambda *_: None if self.closed else look(self))
        own.initialize()
        own.create_timer(POLL, repeating=True)

    def _down(self, at: tuple[int, int]) -> None:
        self._pressed_at = at

    def _up(self, at: tuple[int, int]) -> None:
        if max(abs(at[0] - self._pressed_at[0]), abs(at[1] - self._pressed_at[1])) <= CLICK_SLACK:
            self.click(*at)


Handler = Callable[[Window], None]

KEYS: Final[dict[str, tuple[str, Handler]]] = {
    "c": ("next area colouring", lambda window: window.next_colouring()),
    "C": ("previous area colouring", lambda window: window.next_colouring(-1)),
    "a": ("air areas on or off", lambda window: window.scene.toggle_area_kind("air")),
    "w": ("walk links on or off", lambda window: window.scene.toggle_link_kind(Travel.WALK)),
    "bracketleft": ("lower the top of the cut", lambda window: window.move_cut(ceiling=-STEP)),
    "bracketright": ("raise the top of the cut", lambda window: window.move_cut(ceiling=STEP)),
    "braceleft": ("lower the bottom of the cut", lambda window: window.move_cut(floor=-STEP)),
    "braceright": ("raise the bottom of the cut", lambda window: window.move_cut(floor=STEP)),
    "b": ("cut to a box around the picked area", Window.toggle_box),
    "g": ("go to an area by number", Window.prompt_for_area),
    "v": ("look at the picked area", Window.look_at_picked),
    "s": ("start the route at the picked area", lambda window: window.scene.set_start(window.scene.picked)),
    "e": ("end the route at the picked area", lambda window: window.scene.set_goal(window.scene.picked)),
    "k": ("alternatives to the route on or off", lambda window: window.scene.toggle_alternatives()),
    "y": ("why it is not reached", Window.ask_why),
    "f": ("only the picked area and the route", Window.toggle_focus),
    "o": ("shells more opaque", lambda window: window.fade(0.1)),
    "O": ("shells less opaque", lambda window: window.fade(-0.1)),
    "t": ("view from above", Window.look_from_above),
    "i": ("view from a corner", Window.look_from_corner),
    "p": ("save a picture", Window.save),
    "Escape": ("clear pick, route and cut", lambda window: window.scene.clear()),
    "h": ("this list", Window.toggle_help),
    "question": ("this list", Window.toggle_help),
    "q": ("quit", Window.close),
}
"""Key → description and handler."""

_KEY_LABELS: Final = {
    "bracketleft": "[",
    "bracketright": "]",
    "braceleft": "{",
    "braceright": "}",
    "question": "?",
    "Escape": "Esc",
    "minus": "-",
    "equal": "=",
}


def help_lines(without: tuple[str, ...] = ()) -> list[str]:
    """Lines of the list of keys, without some of them."""
    hidden = ("question", *without)
    layers = [f"  {_KEY_LABELS.get(key, key):<5}{layer}" for key, layer in LAYER_KEYS.items()]
    keys = [f"  {_KEY_LABELS.get(key, key):<5}{about}" for key, (about, _) in KEYS.items() if key not in hidden]
    mouse = ["  click  pick an area or entity", "  drag   rotate; with shift: pan", "  wheel  zoom"]
    left = ["mouse", *mouse, "", "layers on and off", *layers]
    return [f"{a:<38}{b}".rstrip() for a, b in zip_longest(left, ["keys", *keys], fillvalue="")]


def open_window(
    scene: Scene, size: tuple[int, int], options: ViewOptions, poll: Callable[[Window], object] | None = None
) -> None:
    """Show a scene until its window is closed; GraphicsError if no window can be opened.

    ``poll`` is called every few milliseconds, and may change what the window shows.
    """
    gl.require_graphics(window=True)
    import pyvista

    plotter: Any = pyvista.Plotter(window_size=list(size), title=scene.title, lighting="light kit")
    plotter.render_window.Render()  # VTK knows its renderer only after the first picture
    set_smooth(plotter, not gl.renders_in_software(plotter.render_window))
    view = View(scene, plotter, full=True)
    view.refresh()
    window = Window(view)
    window.attach()
    view.look(camera_of(options, scene, view.aspect))
    plotter.add_axes(viewport=(0.9, 0.0, 1.0, 0.16), color=[part / 255.0 for part in palette.TEXT])
    scene.message = "press h for the list of keys"
    view.refresh()
    if poll is not None:
        window.poll(poll)
    plotter.show()


def offscreen_window(scene: Scene, size: tuple[int, int]) -> Window:
    """A window without a screen, driven by calls or by events of the interactor."""
    from aascompile.viewer.picture import open_view

    window = Window(open_view(scene, size, full=True, smooth=False))
    window.attach()
    window.look_from_corner()
    return window
