"""Shows a file in place whenever it has changed, with the camera and the settings of the view as they were."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from aascompile.errors import AasError
from aascompile.model.compiled import Compiled
from aascompile.nav.difference import changes_line, difference, has_shapes
from aascompile.viewer.scene import Scene
from aascompile.viewer.window import Window
from aascompile.watching import FileFollower

News = Compiled | AasError
"""A new file, or why there is none."""


def follow(paths: Sequence[str], load: Callable[[], Compiled]) -> FileFollower[News]:
    """Load a file again, in a thread, each time ``path`` changes."""

    def make() -> News:
        try:
            return load()
        except AasError as error:
            return error

    return FileFollower(paths, make)


def show_news(window: Window, news: News | None) -> bool:
    """Show a new file in a window, or say why there is none. Returns whether there was anything new."""
    if news is None:
        return False
    if isinstance(news, AasError):
        text = str(news)
        window.perform(lambda: _say(window.scene, text))
        return True

    def replace() -> None:
        old = window.scene.compiled
        made = Scene(news)
        made.take_over(window.scene)
        window.replace(made)
        _say(made, _changes(old, news))

    window.perform(replace)
    return True


def _say(scene: Scene, text: str) -> None:
    scene.message = text


def _changes(old: Compiled, new: Compiled) -> str:
    """What has changed, as a line."""
    if not (has_shapes(old.areas) and has_shapes(new.areas)):
        return "shows the new file"
    found = difference(old, new)
    return "nothing has changed for players" if found.equal else changes_line(found)
