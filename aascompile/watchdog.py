"""Limits on the time and memory of a process: a thread looks at the clock and at what is used, on every system.

A kernel cannot be interrupted, so a process that exceeds a limit ends. Work with limits is therefore done in processes
of its own: the map that exceeds a limit fails, and others go on.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from aascompile.records import dataclass
from aascompile.system import ENDING, memory_used

INTERVAL: Final = 0.02
"""Seconds between two looks, at most."""


@dataclass(frozen=True, slots=True)
class Ceilings:
    """What a piece of work may use; None: as much as it needs."""

    megabytes: float | None = None
    """Resident memory of the process, MiB."""
    seconds: float | None = None

    def exceeded(self, seconds: float) -> str:
        """The limit that is exceeded after this time, as a clause; "" if none is."""
        if self.seconds is not None and seconds > self.seconds:
            return f"takes more than {self.seconds:g} s"
        used = None if self.megabytes is None else memory_used()
        if used is not None and self.megabytes is not None and used > self.megabytes:
            return f"needs more than {self.megabytes:g} MB of memory"
        return ""

    def next_look(self, seconds: float) -> float:
        """Seconds from this time to the next look: no later than the time is up, as a small map takes less."""
        if self.seconds is None:
            return INTERVAL
        return min(max(self.seconds - seconds, 0.0), INTERVAL)


@contextmanager
def within(limits: Ceilings | None, tell: Callable[[str], object]) -> Iterator[None]:
    """Do work within limits. If one is exceeded, ``tell`` gets a clause that names it, and the process ends with 1.

    It does not end while a temporary file has a name.
    """
    if limits is None:
        yield
        return
    done = threading.Event()
    watching = threading.Thread(target=_watch, args=(limits, tell, done), daemon=True)
    watching.start()
    try:
        yield
    finally:
        done.set()
        watching.join()


def _watch(limits: Ceilings, tell: Callable[[str], object], done: threading.Event) -> None:
    began = time.monotonic()
    passed = 0.0
    while not done.wait(limits.next_look(passed)):
        passed = time.monotonic() - began
        reason = limits.exceeded(passed)
        if reason:
            with ENDING:
                if not done.is_set():
                    tell(reason)
                    os._exit(1)
