"""A bar on stderr that says what is being done and how much of it, where somebody can see it.

Only on a terminal, unless --quiet, and not before something takes long enough to wonder about it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 0.3
"""Seconds before the bar is shown."""

SHARES = {
    "read": 3, "hulls": 1, "meaning": 1, "patches": 3, "expand": 4, "surface": 6, "flood": 8, "tree": 40,
    "portals": 1, "gravity": 2, "merge": 1, "finish": 5, "reach": 20, "cluster": 2, "write": 3,
}  # fmt: skip
"""Percent of the time that each stage takes on real maps, about; a stage that is not here counts as nothing."""


class Progress:
    """The bar over all maps of a command."""

    def __init__(self, quiet: bool, maps: int = 1, stages: tuple[str, ...] = tuple(SHARES)) -> None:
        self._shown = not quiet and sys.stderr.isatty()
        self._maps = maps
        self._shares = {name: SHARES.get(name, 0) for name in stages}
        self._whole = max(sum(self._shares.values()), 1)
        self._began = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def watcher(self, number: int, what: str) -> Callable[[str], None]:
        """A function to tell a Report of map ``number`` (from 0): it shows each stage that starts."""
        done = 0
        running = 0

        def watch(stage: str) -> None:
            nonlocal done, running
            done = min(done + running, self._whole)
            running = self._shares.get(stage, 0)
            self._show(f"{number + 1}/{self._maps} {what}" if self._maps > 1 else what, stage, number, done)

        return watch

    def _show(self, what: str, stage: str, number: int, done: int) -> None:
        if not self._shown or time.monotonic() - self._began < PATIENCE:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TaskProgressColumn, TextColumn
            from rich.progress import Progress as Bar

            columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn())
            self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("", total=self._maps * self._whole)
        self._bar.update(self._task, description=f"{what}: {stage}", completed=number * self._whole + done)
        self._bar.start()  # does nothing when it runs already

    def clear(self) -> None:
        """Leave no trace of it; the next stage shows it again."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
