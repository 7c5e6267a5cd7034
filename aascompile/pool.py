"""Warm worker processes for programs that compile many maps, such as generators of levels.

Each worker imports the compiler once and then compiles map after map. A map that ends its worker, for lack of memory
say, fails alone: other maps that were under way are compiled again.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Generic, TypeVar

from aascompile.errors import AasError, MapError
from aascompile.system import START, cores

AHEAD = 2
"""Maps handed out ahead, per worker: a worker never waits, and a long list is not read at once."""

Result = TypeVar("Result")


class Workers(Generic[Result]):
    """Runs a function on many arguments in worker processes. A function that ends its worker fails alone."""

    def __init__(self, work: Callable[..., Result], workers: int) -> None:
        self._work = work
        self._count = workers
        self._executor: ProcessPoolExecutor | None = None

    def run(self, arguments: Iterable[tuple[Any, ...]], *, in_order: bool) -> Iterator[tuple[int, Result | None]]:
        """Number and result of each call, in order or as completed. None stands for a worker that died."""
        todo = enumerate(arguments)
        running: dict[Future[Result], tuple[int, tuple[Any, ...]]] = {}
        done: dict[int, Result | None] = {}
        upcoming = 0
        while True:
            for number, given in todo:
                running[self._submit(given)] = number, given
                if len(running) >= AHEAD * self._count:
                    break
            if not running:
                return
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            if any(isinstance(future.exception(), BrokenProcessPool) for future in finished):
                done |= self._again(running)
                running = {}
            else:
                done |= {running.pop(future)[0]: future.result() for future in finished}
            found = ready(done, upcoming, in_order)
            upcoming += len(found)
            yield from found

    def _submit(self, given: tuple[Any, ...]) -> Future[Result]:
        if self._executor is None:
            context = multiprocessing.get_context(START)
            self._executor = ProcessPoolExecutor(self._count, mp_context=context)
        return self._executor.submit(self._work, *given)

    def _again(self, running: dict[Future[Result], tuple[int, tuple[Any, ...]]]) -> dict[int, Result | None]:
        """Results of calls that were under way when a worker died: one at a time, to find the call that ended it."""
        found: dict[int, Result | None] = {}
        for future, (number, given) in running.items():
            if future.done() and future.exception() is None:
                found[number] = future.result()
                continue
            self.close()
            try:
                found[number] = self._submit(given).result()
            except BrokenProcessPool:
                found[number] = None
                self.close()
        return found

    def close(self) -> None:
        """End the workers."""
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)
            self._executor = None


def ready(done: dict[int, Result], upcoming: int, in_order: bool) -> list[tuple[int, Result]]:
    """Take the results that can be handed out from ``done``: all, or in order those from number ``upcoming`` on."""
    numbers = sorted(done)
    if in_order:
        numbers = [number for place, number in enumerate(numbers) if number == upcoming + place]
    return [(number, done.pop(number)) for number in numbers]


def error_of_death(name: str) -> AasError:
    """The error of a map whose worker died."""
    return MapError(name, "ended its worker process, perhaps for lack of memory")


def workers_for(workers: int | None) -> int:
    """Number of workers: one per core if none is given."""
    return max(1, workers if workers is not None else cores())
