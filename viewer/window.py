"""The window: keys, clicks and a prompt, on top of a view. All of it can be driven without a screen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import numpy as np

from aascompile.errors import AasError
from aascompile.model.links import Travel
from aascompile.viewer import camera, gl, palette
from aascompile.viewer.options import Asked, camera_of
from aascompile.viewer.picture import pixels, save_picture, set_smooth
from aascompile.viewer.scene import LAYER_NAMES, Scene
from aascompile.viewer.view import View

STEP: Final = 32.0
"""Units by which the height of a cut changes."""

STILL: Final = 4
"""Pixels: a button that was moved no farther while it was down was a click."""

LAYER_KEYS: Final = {**dict(zip("123456789nml", LAYER_NAMES, strict=True)), "minus": "gone", "equal": "lost"}


class Window:
    """What keys and clicks do to a view."""

    def __init__(self, view: View, show: Callable[[], None] | None = None) -> None:
        """``show``: how what the scene now is comes to the screen, unless it is drawn right here."""
        self.view = view
        self.scene = view.scene
        self._show = show or self._draw
        self.number: str | None = None
        """What has been typed of an area's number; None: nothing is being typed."""
        self.closed = False
        self._pressed_at = (0, 0)

    # --- keys ---------------------------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        """A key was pressed, by its name in X."""
        if self.number is not None:
            self._typed(key)
        elif key in LAYER_KEYS:
            self.done(lambda: self.scene.toggle(LAYER_KEYS[key]))
        elif key in KEYS:
            self.done(lambda: KEYS[key][1](self))

    def done(self, operation: Callable[[], None]) -> None:
        """Do something and show it; what cannot be done is said in the window."""
        self.scene.message = ""
        try:
            operation()
        except AasError as error:
            self.scene.message = str(error)
        if not self.closed:
            self._show()

    def _draw(self) -> None:
        self.view.refresh()
        self.view.plotter.render()

    def _typed(self, key: str) -> None:
        """A key while an area's number is being typed."""
        typed = self.number or ""
        if key in ("Return", "KP_Enter"):
            self.number, self.view.prompt = None, ""
            self.done(lambda: self.go_to(int(typed)) if typed else None)
            return
        if key == "Escape":
            self.number = None
        elif key == "BackSpace":
            self.number = typed[:-1]
        else:
            digit = key.removeprefix("KP_")
            self.number = (typed + digit if digit.isdigit() else typed)[:9]
        self.view.prompt = "" if self.number is None else f"go to area: {self.number}_"
        self.done(lambda: None)

    def ask_number(self) -> None:
        """Begin to type an area's number."""
        self.number = ""
        self.view.prompt = "go to area: _"

    def go_to(self, area: int) -> None:
        """Pick an area and look at it."""
        self.scene.pick(area)
        self.look_at_picked()

    def look_at_picked(self) -> None:
        """Look at the picked area from where one stands now."""
        if self.scene.picked >= 0:
            azimuth, elevation = self._direction()
            self.view.look(camera.of_areas(self.scene, [self.scene.picked], self.view.aspect, azimuth, elevation))

    def look_from_corner(self) -> None:
        """See all from a corner."""
        self.view.look(camera.overview(self.scene, self.view.aspect))

    def look_from_above(self) -> None:
        """See all as a plan."""
        self.view.look(camera.from_above(self.scene, self.view.aspect))

    def _direction(self) -> tuple[float, float]:
        """Azimuth and elevation of where one stands, in degrees."""
        own = self.view.plotter.camera
        x, y, z = np.array(own.position) - np.array(own.focal_point)
        return float(np.degrees(np.arctan2(y, x))), float(np.degrees(np.arctan2(z, np.hypot(x, y))))

    def next_colouring(self, by: int = 1) -> None:
        """Colour areas by the next thing."""
        names = self.scene.colourings
        self.scene.colour(names[(names.index(self.scene.colour_by) + by) % len(names)])

    def move_cut(self, ceiling: float = 0.0, floor: float = 0.0) -> None:
        """Move the heights between which things are shown; an open one starts at the rim of what is shown."""
        low, high = self.scene.bounds
        cut = self.scene.cut
        bottom = (cut.mins[2] if np.isfinite(cut.mins[2]) else float(low[2])) + floor if floor else cut.mins[2]
        top = (cut.maxs[2] if np.isfinite(cut.maxs[2]) else float(high[2])) + ceiling if ceiling else cut.maxs[2]
        if bottom < top:
            self.scene.cut_height(bottom, top)

    def toggle_box(self) -> None:
        """Cut away what is not near the picked area, or show everything again."""
        if self.scene.cut.open and self.scene.picked >= 0:
            self.scene.cut_round(self.scene.picked)
        else:
            self.scene.uncut()

    def toggle_focus(self) -> None:
        """Show only what is picked with its neighbours and the route, or everything again."""
        self.scene.focus = not self.scene.focus

    def fade(self, by: float) -> None:
        """Make shells more or less opaque."""
        self.scene.shell_opacity = min(max(self.scene.shell_opacity + by, 0.0), 1.0)

    def toggle_help(self) -> None:
        """Show or hide the list of keys."""
        self.view.help_lines = [] if self.view.help_lines else help_lines()

    def save(self) -> None:
        """Write what is seen into the current folder."""
        stem = Path(self.scene.name).stem or "map"
        free = (Path(f"{stem}-{number}.png") for number in range(1, 10000))
        path = next(str(each) for each in free if not each.exists())
        save_picture(pixels(self.view), path)
        self.scene.message = f"saved {path}"

    def close(self) -> None:
        """End."""
        self.closed = True
        self.view.plotter.close()

    # --- mouse --------------------------------------------------------------------------------------------------------

    def click(self, x: float, y: float) -> None:
        """A click at a pixel, counted from the lower left corner: a row of the legend, an area, or nothing."""
        action = self.view.panel.action_at(x, y) if self.view.panel is not None else None
        if action is not None:
            self.done(lambda: action.run(self.scene))
        else:
            self.done(lambda: self.scene.pick(self.view.area_at(x, y)))

    def attach(self) -> None:
        """Listen to the plotter's keys and mouse, in place of pyvista's own keys."""
        own = self.view.plotter.iren
        own.enable_terrain_style(mouse_wheel_zooms=1.1, shift_pans=True)
        own.clear_key_event_callbacks()
        interactor, style = own.interactor, own.get_interactor_style()
        style.AddObserver("CharEvent", lambda *_: None)  # in place of VTK's own keys
        # The style takes the mouse for itself while a button is down, so it is the one to listen to.
        style.AddObserver("LeftButtonPressEvent", lambda *_: self._down(interactor.GetEventPosition()))
        style.AddObserver("LeftButtonReleaseEvent", lambda *_: self._up(interactor.GetEventPosition()))
        interactor.AddObserver("KeyPressEvent", lambda caller, _: self.press(caller.GetKeySym() or ""))
        interactor.AddObserver("ConfigureEvent", lambda *_: self.view.refresh())

    def _down(self, at: tuple[int, int]) -> None:
        self._pressed_at = at

    def _up(self, at: tuple[int, int]) -> None:
        if max(abs(at[0] - self._pressed_at[0]), abs(at[1] - self._pressed_at[1])) <= STILL:
            self.click(*at)


Handler = Callable[[Window], None]

KEYS: Final[dict[str, tuple[str, Handler]]] = {
    "c": ("colour areas by the next thing", lambda window: window.next_colouring()),
    "C": ("… by the one before", lambda window: window.next_colouring(-1)),
    "a": ("areas of air on or off", lambda window: window.scene.toggle_area_kind("air")),
    "w": ("walking links on or off", lambda window: window.scene.toggle_link_kind(Travel.WALK)),
    "bracketleft": ("cut lower", lambda window: window.move_cut(ceiling=-STEP)),
    "bracketright": ("cut higher", lambda window: window.move_cut(ceiling=STEP)),
    "braceleft": ("lower end of the cut, down", lambda window: window.move_cut(floor=-STEP)),
    "braceright": ("lower end of the cut, up", lambda window: window.move_cut(floor=STEP)),
    "b": ("a box round the picked area, or none", Window.toggle_box),
    "g": ("go to an area by its number", Window.ask_number),
    "v": ("look at the picked area", Window.look_at_picked),
    "s": ("the route starts at the picked area", lambda window: window.scene.set_start(window.scene.picked)),
    "e": ("the route ends at the picked area", lambda window: window.scene.set_goal(window.scene.picked)),
    "f": ("only what is picked, and the route", Window.toggle_focus),
    "o": ("shells more opaque", lambda window: window.fade(0.1)),
    "O": ("shells less opaque", lambda window: window.fade(-0.1)),
    "t": ("from above", Window.look_from_above),
    "i": ("from a corner", Window.look_from_corner),
    "p": ("save a picture here", Window.save),
    "Escape": ("forget pick, route and cut", lambda window: window.scene.clear()),
    "h": ("this list", Window.toggle_help),
    "question": ("this list", Window.toggle_help),
    "q": ("quit", Window.close),
}
"""Key → what it does, in words and in deed."""

_SHOWN: Final = {
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
    """The list of keys, without some of them."""
    hidden = ("question", *without)
    layers = [f"  {_SHOWN.get(key, key):<5}{layer}" for key, layer in LAYER_KEYS.items()]
    keys = [f"  {_SHOWN.get(key, key):<5}{words}" for key, (words, _) in KEYS.items() if key not in hidden]
    mouse = ["  click  pick, or switch a row", "  drag   turn; with shift: move", "  wheel  nearer, farther"]
    left = ["mouse", *mouse, "", "layers on and off", *layers]
    return [f"{one:<38}{other}".rstrip() for one, other in zip_longest(left, ["keys", *keys], fillvalue="")]


def open_window(scene: Scene, size: tuple[int, int], asked: Asked) -> None:
    """Show a scene until the window is closed; GraphicsError when none can be opened here."""
    gl.ready(window=True)
    import pyvista

    plotter: Any = pyvista.Plotter(window_size=list(size), title=scene.title, lighting="light kit")
    plotter.render_window.Render()  # before that, VTK does not know what draws
    set_smooth(plotter, not gl.in_software(plotter.render_window))
    view = View(scene, plotter, full=True)
    view.refresh()
    window = Window(view)
    window.attach()
    view.look(camera_of(asked, scene, view.aspect))
    plotter.add_axes(viewport=(0.9, 0.0, 1.0, 0.16), color=[part / 255.0 for part in palette.TEXT])
    scene.message = "h: keys"
    view.refresh()
    plotter.show()


def offscreen_window(scene: Scene, size: tuple[int, int]) -> Window:
    """A window without a screen, which is driven by calls or by the interactor's events."""
    from aascompile.viewer.picture import open_view

    window = Window(open_view(scene, size, full=True, smooth=False))
    window.attach()
    window.look_from_corner()
    return window
