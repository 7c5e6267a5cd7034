"""A progress bar on stderr that names the maps and stages that are running.

It is shown only on a terminal, without --quiet, and after a short delay. It has no thread of its own: it is redrawn
when a stage starts.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from aascompile.escaping import printable
from aascompile.stages import names, share_of

DELAY = 0.3
"""Seconds until the bar is shown."""

MAX_NAME = 64
"""Limit on the characters of a map's name."""

MAX_NAMED = 3
"""Limit on the running maps that are named."""


class Progress:
    """Progress bar for all maps of a command."""

    def __init__(
        self,
        quiet: bool,
        maps: int = 1,
        stages: tuple[str, ...] = names(),
        sizes: Sequence[int] | None = None,
    ) -> None:
        """``sizes`` of the maps are their shares of the whole work."""
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
        """A function for the Report of map ``number`` (from 0) that shows each stage as it starts."""
        name = printable(what, MAX_NAME)
        named = f"{number + 1}/{self._maps} {name}" if self._maps > 1 else name
        running = 0

        def watch(stage: str) -> None:
            nonlocal running
            self._done[number] = min(self._done[number] + running, self._whole)
            running = self._shares.get(stage, 0)
            self._running[number] = f"{named}: {stage}"
            self._show()

        return watch

    def ended(self, number: int) -> None:
        """Mark a map as finished."""
        self._done[number] = self._whole
        self._running.pop(number, None)

    @property
    def share(self) -> float:
        """Share of the whole work that is finished, 0 to 1."""
        done = sum(done * size for done, size in zip(self._done, self._sizes, strict=True))
        return done / (self._whole * sum(self._sizes))

    @property
    def words(self) -> str:
        """Names of the running maps and stages."""
        named = [self._running[number] for number in sorted(self._running)]
        more = f" and {len(named) - MAX_NAMED} more" if len(named) > MAX_NAMED else ""
        return ", ".join(named[:MAX_NAMED]) + more

    def _show(self) -> None:
        if not self._shown or time.monotonic() - self._began < DELAY:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TaskProgressColumn, TextColumn
            from rich.progress import Progress as Bar

            columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn())
            self._bar = Bar(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
            self._task = self._bar.add_task("", total=1.0)
        self._bar.update(self._task, description=self.words, completed=self.share)
        self._bar.start()  # does nothing if it is already running
        self._bar.refresh()

    def clear(self) -> None:
        """Remove the bar; the next stage shows it again."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
