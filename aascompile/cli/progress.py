"""A bar on stderr that says what is being done and how much of it, where somebody can see it.

Only on a terminal, unless --quiet, and not before something takes long enough to wonder about it. It is drawn when it
is told something, by no thread of its own: workers are forked beside it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from aascompile.stages import names, share_of

PATIENCE = 0.3
"""Seconds before the bar is shown."""

MOST_NAMED = 3
"""Maps under way at once that are named."""


class Progress:
    """The bar over all maps of a command."""

    def __init__(
        self,
        quiet: bool,
        maps: int = 1,
        stages: tuple[str, ...] = names(),
        sizes: Sequence[int] | None = None,
    ) -> None:
        """``sizes``: of the maps; how much of all the work each of them is."""
        self._shown = not quiet and sys.stderr.isatty()
        self._maps = maps
        self._shares = {name: share_of(name) for name in stages}
        self._whole = max(sum(self._shares.values()), 1)
        self._sizes = [max(size, 1) for size in sizes] if sizes else [1] * maps
        self._done = [0] * maps
        self._running: dict[int, str] = {}
        self._began = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def watcher(self, number: int, what: str) -> Callable[[str], None]:
        """A function to tell a Report of map ``number`` (from 0): it shows each stage that starts."""
        named = f"{number + 1}/{self._maps} {what}" if self._maps > 1 else what
        running = 0

        def watch(stage: str) -> None:
            nonlocal running
            self._done[number] = min(self._done[number] + running, self._whole)
            running = self._shares.get(stage, 0)
            self._running[number] = f"{named}: {stage}"
            self._show()

        return watch

    def ended(self, number: int) -> None:
        """A map is done."""
        self._done[number] = self._whole
        self._running.pop(number, None)

    @property
    def share(self) -> float:
        """How much of everything is done, 0 to 1."""
        done = sum(done * size for done, size in zip(self._done, self._sizes, strict=True))
        return done / (self._whole * sum(self._sizes))

    @property
    def words(self) -> str:
        """What is being done."""
        named = [self._running[number] for number in sorted(self._running)]
        more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
        return ", ".join(named[:MOST_NAMED]) + more

    def _show(self) -> None:
        if not self._shown or time.monotonic() - self._began < PATIENCE:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TaskProgressColumn, TextColumn
            from rich.progress import Progress as Bar

            columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn())
            self._bar = Bar(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
            self._task = self._bar.add_task("", total=1.0)
        self._bar.update(self._task, description=self.words, completed=self.share)
        self._bar.start()  # does nothing when it runs already
        self._bar.refresh()

    def clear(self) -> None:
        """Leave no trace of it; the next stage shows it again."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
