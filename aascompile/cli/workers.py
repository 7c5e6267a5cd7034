"""Work on many maps: one after the other here, or some at a time in processes of their own.

A worker is forked where that can be done, so that all it would import is there already, and takes map after map. A map
that brings its worker down fails alone: another worker takes the rest. Workers do not hear the keyboard's interrupt:
whoever started them ends them.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from aascompile.threads import cores

Result = TypeVar("Result")
Work = Callable[[Any, Callable[[str], None]], Result]
"""What is done with one item; it tells each of its stages to a function. Must be a function of a module."""

START = "fork" if sys.platform == "linux" else "spawn"
"""How workers begin; elsewhere system libraries do not bear a fork."""

PATIENCE = 5.0
"""Seconds a worker has to end when it is asked to, before it is killed."""


class WorkerDied(Exception):
    """A worker ended without a result; the message is a clause."""


def threads_each(jobs: int, items: int, threads: int | None) -> int:
    """Threads for each worker, so that all of them together use the cores and no more; ``threads``: as asked for."""
    return threads or max(1, cores() // max(1, min(jobs, items)))


@contextmanager
def quick_imports() -> Iterator[None]:
    """Import numpy and all else that a compile needs without delay.

    Threads of numpy's linear algebra, which nothing here uses, are not started, and what is imported is never searched
    for garbage.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def run_all(
    work: Work[Result],
    items: Sequence[Any],
    jobs: int,
    sizes: Sequence[int],
    watcher: Callable[[int], Callable[[str], None]],
) -> Iterator[tuple[int, Result | WorkerDied]]:
    """Numbers and results of all items, as they end; the largest are begun first, in one process all in their order.

    ``watcher(number)`` answers the function that hears the stages of an item. An exception that ``work`` lets through
    is a fault of ours: it costs only its own item, but of a single one it is shown in full.
    """
    if len(items) == 1:
        yield 0, work(items[0], watcher(0))
        return
    if jobs <= 1:
        for number, item in enumerate(items):
            yield number, _guarded(work, item, watcher(number))
        return
    order = sorted(range(len(items)), key=lambda number: (-sizes[number], number))
    yield from _Workers(work, items, watcher).run(order, jobs)


class _Workers:
    """Processes with what they are doing, by this end of the pipe to each."""

    def __init__(self, work: Work[Any], items: Sequence[Any], watcher: Callable[[int], Callable[[str], None]]) -> None:
        import multiprocessing

        self._context: Any = multiprocessing.get_context(START)
        self._work = work
        self._items = items
        self._watcher = watcher
        self._process: dict[Any, Any] = {}
        self._doing: dict[Any, tuple[int, Callable[[str], None]]] = {}

    def run(self, order: Sequence[int], jobs: int) -> Iterator[tuple[int, Any]]:
        """Keep ``jobs`` processes busy until everything is done, or everything is to end."""
        from multiprocessing.connection import wait

        waiting = list(reversed(order))
        try:
            while waiting or self._doing:
                while waiting and len(self._doing) < jobs:
                    self._give(waiting.pop())
                for pipe in wait(list(self._doing)):
                    ended = self._hear(pipe)
                    if ended is not None:
                        yield ended
        finally:
            self._end_all()

    def _give(self, number: int) -> None:
        """Have an item done by a worker that has nothing to do, or by a new one."""
        pipe = next((one for one in self._process if one not in self._doing), None) or self._start()
        self._doing[pipe] = (number, self._watcher(number))
        with suppress(ConnectionError):  # a worker that is gone is heard of
            pipe.send(self._items[number])

    def _start(self) -> Any:
        here, there = self._context.Pipe()
        process = self._context.Process(target=_in_worker, args=(there, os.getpid(), self._work), daemon=True)
        with _uninterrupted(), warnings.catch_warnings():
            # Newer Pythons warn of forks beside threads; ours are numpy's, which wait for work and hold nothing.
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        there.close()
        self._process[here] = process
        return here

    def _hear(self, pipe: Any) -> tuple[int, Any] | None:
        """One message of a worker; answers its number and result when it has one."""
        number, watch = self._doing[pipe]
        try:
            what, told = pipe.recv()
        except (EOFError, OSError):
            process = self._process.pop(pipe)
            process.join()
            pipe.close()
            what, told = "done", WorkerDied(_way_it_ended(process.exitcode))
        if what == "stage":
            watch(told)
            return None
        del self._doing[pipe]
        return number, told

    def _end_all(self) -> None:
        """No worker outlives this; a file that one is about to name is finished first."""
        for process in self._process.values():
            process.terminate()
        for pipe, process in self._process.items():
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()
                process.join()
            pipe.close()


def _in_worker(pipe: Any, parent: int, work: Work[Any]) -> None:
    """All that a worker does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

    def watch(stage: str) -> None:
        if os.getppid() != parent:
            os._exit(1)  # nobody is left to hear the result
        pipe.send(("stage", stage))

    while True:
        try:
            item = pipe.recv()
        except (EOFError, ConnectionError):
            return
        pipe.send(("done", _guarded(work, item, watch)))


def _guarded(work: Work[Result], item: Any, watch: Callable[[str], None]) -> Result | WorkerDied:
    """The result of an item, or in words what broke it off."""
    try:
        return work(item, watch)
    except Exception as error:
        import traceback

        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(os.path.dirname(last.filename))}/{os.path.basename(last.filename)}"
        what = " ".join(f"{type(error).__name__}: {error}".split())
        return WorkerDied(f"a fault of the compiler: {what} ({place}, line {last.lineno})")


def _way_it_ended(code: int) -> str:
    """What an exit code says."""
    if code >= 0:
        return f"its process ended with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"its process was ended by {name}" + (" (too little memory?)" if name == "SIGKILL" else "")


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keep the interrupt from a process that is not ready to ignore it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
