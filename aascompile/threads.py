"""Parallel work: over fixed ranges, two pieces at once, or a piece ahead of time. Results do not depend on the number
of threads.

The standard executors do the same, but importing them takes as long as all kernels need for a small map.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")


def over_ranges(work: Callable[[int, int], T], count: int, chunk: int, threads: int) -> list[T]:
    """Results of ``work(first, end)`` for consecutive ranges of ``chunk`` rows (``end`` excluded), in order."""
    ranges = [(first, min(first + chunk, count)) for first in range(0, count, chunk)]
    if threads <= 1 or len(ranges) <= 1:
        return [work(first, end) for first, end in ranges]
    results: list[Any] = [None] * len(ranges)
    waiting = deque(range(len(ranges)))

    def work_on() -> None:
        try:
            while waiting:
                try:
                    number = waiting.popleft()
                except IndexError:  # another thread took the last range
                    return
                results[number] = work(*ranges[number])
        except BaseException:
            waiting.clear()
            raise

    helpers = [_Helper(work_on) for _ in range(min(threads, len(ranges)) - 1)]
    _beside(helpers, work_on)
    return results


def both(first: Callable[[], T], second: Callable[[], U], threads: int) -> tuple[T, U]:
    """Results of two pieces of work that do not need each other: at the same time, with several threads."""
    if threads <= 1:
        return first(), second()
    helper = _Helper(second)
    return _beside([helper], first), helper.result


class Begun(Generic[T]):
    """Work whose result is needed later: with several threads it begins now, beside what comes first, or if ``waits``
    when it is begun."""

    def __init__(self, work: Callable[[], T], threads: int, waits: bool = False) -> None:
        self._helper = _Helper(work)
        self._threads = threads
        self._beside = self._done = False
        if not waits:
            self.begin()

    def begin(self) -> None:
        """Begin the work, with several threads, unless it has begun."""
        if self._threads > 1 and not self._beside:
            self._beside = True
            self._helper.start()

    def result(self) -> T:
        """Result of the work. Raises what ended it."""
        if self._beside:
            self._helper.join()
        elif not self._done:
            self._helper.run()
        self._done = True
        if self._helper.fault is not None:
            raise self._helper.fault
        result: T = self._helper.result
        return result


def _nothing() -> None:
    """Stands for work that is done."""


class _Helper:
    """Work for another thread. Keeps its result, or the exception that ended it."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self._running = Lock()
        self.result: Any = None
        self.fault: BaseException | None = None

    def start(self) -> None:
        """Begin the work in an idle thread, or in a new one."""
        self._running.acquire()
        try:
            worker = _idle.pop()
        except IndexError:  # another thread may have taken the last one
            worker = _Worker()
            worker.start()
        worker.take(self)

    def run(self) -> None:
        """Do the work in this thread."""
        work, self._work = self._work, _nothing  # what it needed may be large
        try:
            self.result = work()
        except BaseException as fault:
            self.fault = fault

    def end(self) -> None:
        """Let those go on who wait for the work."""
        self._running.release()

    def join(self) -> None:
        """Wait for the end of the work."""
        with self._running:
            pass


class _Worker(Thread):
    """A thread that does the work of helpers, and between them waits for the next: starting a thread for each would
    take longer than many of them do."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._helper: _Helper | None = None
        self._given = Lock()
        self._given.acquire()

    def take(self, helper: _Helper) -> None:
        """Begin the work of a helper."""
        self._helper = helper
        self._given.release()

    def run(self) -> None:
        while True:
            self._given.acquire()
            helper, self._helper = self._helper, None
            assert helper is not None
            helper.run()
            _idle.append(self)
            helper.end()
            del helper  # its result may be large


_idle: list[_Worker] = []
"""Threads that wait for work."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # only the thread that forks is in the child


def _beside(helpers: list[_Helper], work: Callable[[], T]) -> T:
    """Result of ``work``, done in this thread while the helpers do theirs. Raises what ended any of them."""
    started: list[_Helper] = []
    try:
        for helper in helpers:
            helper.start()
            started.append(helper)
        result = work()
    finally:
        for helper in started:
            helper.join()
    for helper in started:
        if helper.fault is not None:
            raise helper.fault
    return result
