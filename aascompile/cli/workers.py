"""Runs work on many items: one after another in this process, or several at a time in worker processes.

Each worker processes one item after another. If an item crashes its worker, only that item fails; another worker takes
the rest. Workers ignore Ctrl-C; their parent ends them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from aascompile.system import (
    ENDING,
    START,
    cores,
    ignore_interrupts,
    signals_blocked,
)
from aascompile.watchdog import Ceilings, within

Result = TypeVar("Result")
Work = Callable[[Any, Callable[[str], None]], Result]
"""Function that processes an item and reports each stage to its second argument. It must be importable by name."""

HANDOVER = 0.5
"""Milliseconds after which a thread hands the interpreter over to another that waits for it. Python's own 5 ms are
longer than most kernels run: a thread that returns from a kernel would wait, and so would its next kernel."""

GRACE = 5.0
"""Seconds that a worker has to end before it is killed."""


class WorkerDied(Exception):
    """A worker ended without a result. The message is a clause."""


def threads_per_worker(jobs: int, items: int, threads: int | None) -> int:
    """Threads per worker: ``threads`` if given, else an equal share of the cores."""
    return threads or max(1, cores() // max(1, min(jobs, items)))


def share_interpreter() -> None:
    """Let threads that compile get in each other's way less."""
    sys.setswitchinterval(HANDOVER / 1000.0)


def run_all(
    work: Work[Result],
    items: Sequence[Any],
    jobs: int,
    sizes: Sequence[int],
    watcher: Callable[[int], Callable[[str], None]],
    limits: Ceilings | None = None,
) -> Iterator[tuple[int, Result | WorkerDied]]:
    """Yield number and result of each item as it finishes. Several workers start with the largest items.

    ``watcher(number)`` returns the function to which the stages of an item are reported. An exception from ``work`` is
    a bug: only its own item fails. With a single item the exception is passed on, so that its traceback is shown.
    ``limits`` apply to each item; it is then always processed by a worker.
    """
    if len(items) == 1 and limits is None:
        yield 0, work(items[0], watcher(0))
        return
    if jobs <= 1 and limits is None:
        for number, item in enumerate(items):
            yield number, _guarded(work, item, watcher(number))
        return
    order = sorted(range(len(items)), key=lambda number: (-sizes[number], number))
    yield from _Workers(work, items, watcher, limits).run(order, jobs)


class _Workers:
    """Worker processes and their current items, by this end of the pipe to each worker."""

    def __init__(
        self,
        work: Work[Any],
        items: Sequence[Any],
        watcher: Callable[[int], Callable[[str], None]],
        limits: Ceilings | None,
    ) -> None:
        import multiprocessing

        self._context: Any = multiprocessing.get_context(START)
        self._work = work
        self._items = items
        self._watcher = watcher
        self._limits = limits
        self._process: dict[Any, Any] = {}
        self._doing: dict[Any, tuple[int, Callable[[str], None]]] = {}

    def run(self, order: Sequence[int], jobs: int) -> Iterator[tuple[int, Any]]:
        """Keep ``jobs`` processes busy until all items are finished or the caller stops."""
        from multiprocessing.connection import wait

        waiting = list(reversed(order))
        try:
            while waiting or self._doing:
                while waiting and len(self._doing) < jobs:
                    self._assign(waiting.pop())
                for pipe in wait(list(self._doing)):
                    finished = self._receive(pipe)
                    if finished is not None:
                        yield finished
        finally:
            self._end_all()

    def _assign(self, number: int) -> None:
        """Give an item to an idle worker, or to a new one."""
        pipe = next((pipe for pipe in self._process if pipe not in self._doing), None) or self._start()
        self._doing[pipe] = (number, self._watcher(number))
        with suppress(ConnectionError):  # a dead worker is noticed in _receive
            pipe.send(self._items[number])

    def _start(self) -> Any:
        here, there = self._context.Pipe()
        given = (there, os.getpid(), self._work, self._limits)
        process = self._context.Process(target=_in_worker, args=given, daemon=True)
        with signals_blocked("SIGINT"):  # until the new process ignores it
            process.start()
        there.close()
        self._process[here] = process
        return here

    def _receive(self, pipe: Any) -> tuple[int, Any] | None:
        """Receive a message from a worker; return number and result if its item is finished."""
        number, watch = self._doing[pipe]
        try:
            what, value = pipe.recv()
        except (EOFError, OSError):
            process = self._process.pop(pipe)
            process.join()
            pipe.close()
            what, value = "done", WorkerDied(_exit_text(process.exitcode))
        if what == "stage":
            watch(value)
            return None
        if what == "exceeded":
            self._process.pop(pipe).join()
            pipe.close()
            value = WorkerDied(value)
        del self._doing[pipe]
        return number, value

    def _end_all(self) -> None:
        """End all workers. A worker that is just renaming a file finishes that first."""
        for process in self._process.values():
            process.terminate()
        for pipe, process in self._process.items():
            process.join(GRACE)
            if process.is_alive():
                process.kill()
                process.join()
            pipe.close()


def _in_worker(pipe: Any, parent: int, work: Work[Any], limits: Ceilings | None) -> None:
    """Main function of a worker process."""
    ignore_interrupts()
    share_interpreter()

    def watch(stage: str) -> None:
        if os.getppid() != parent:
            os._exit(1)  # the parent is gone
        with ENDING:
            pipe.send(("stage", stage))

    while True:
        try:
            item = pipe.recv()
        except (EOFError, ConnectionError):
            return
        with within(limits, lambda reason: pipe.send(("exceeded", reason))):
            result = _guarded(work, item, watch)
        try:
            pipe.send(("done", result))
        except ConnectionError:
            return  # the parent was interrupted


def _guarded(work: Work[Result], item: Any, watch: Callable[[str], None]) -> Result | WorkerDied:
    """Result of an item, or a description of the exception."""
    try:
        return work(item, watch)
    except Exception as error:
        import traceback

        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(os.path.dirname(last.filename))}/{os.path.basename(last.filename)}"
        what = " ".join(f"{type(error).__name__}: {error}".split())
        return WorkerDied(f"internal error: {what} ({place}, line {last.lineno})")


def _exit_text(code: int) -> str:
    """Description of an exit code."""
    if code >= 0:
        return f"its process exited with code {code}"
    from signal import Signals

    try:
        name = Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"its process was killed by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")
