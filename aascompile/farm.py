"""Runs work on a Dask cluster, for programs and commands that compile many maps on several machines.

Arguments and results are sent as bytes, so workers need no shared disk. Dask runs the work of a worker that died on
another one; work that has ended several workers fails alone. All workers must run the same compiler, which is compared
by a digest of its sources before a map is sent, and again by each worker.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from queue import Empty, SimpleQueue
from typing import Any, Final, Generic, TypeVar

from aascompile.errors import FarmError
from aascompile.pool import AHEAD, ready

CONNECT: Final = 10.0
"""Seconds to wait for the scheduler."""
NO_WORKERS: Final = 60.0
"""Seconds that a cluster may be without workers: machines may be starting."""
LOOK: Final = 2.0
"""Seconds between looks at the workers while no result arrives."""

Result = TypeVar("Result")


def compiler_of_worker() -> str:
    """Version of aascompile, with a digest of its sources, on the machine that calls this."""
    from aascompile.cached import compiler

    return compiler()


def _on_worker(work: Callable[..., Result], compiler: str, given: tuple[Any, ...]) -> Result:
    """Do the work on a worker, if it runs the same compiler."""
    own = compiler_of_worker()
    if own != compiler:
        raise FarmError(f"a worker has aascompile {own}, but this is {compiler}")
    return work(*given)


def connected(dask: Any) -> Any:
    """A client of a scheduler, from itself or from an address such as tcp://host:8786."""
    if not isinstance(dask, str):
        return dask
    distributed = _distributed()
    try:
        return distributed.Client(dask, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise FarmError(f"{dask}: cannot be reached ({' '.join(str(error).split())[:200]})") from None


def _distributed() -> Any:
    """Dask's package, which is optional."""
    try:
        return import_module("distributed")
    except ImportError:
        raise FarmError("Dask is not installed: pip install 'aascompile[farm]'") from None


class Farm(Generic[Result]):
    """Runs a function on many arguments on the workers of a cluster, like ``pool.Workers``."""

    def __init__(self, work: Callable[..., Result], dask: Any) -> None:
        """``work`` must be importable by name. ``dask`` is a distributed.Client, or the address of a scheduler."""
        self._work = work
        self._client = connected(dask)
        self._own = isinstance(dask, str)
        self._compiler = compiler_of_worker()
        self._ended: SimpleQueue[Any] = SimpleQueue()

    def run(self, arguments: Iterable[tuple[Any, ...]], *, in_order: bool) -> Iterator[tuple[int, Result | None]]:
        """Number and result of each call, in order or as completed. None stands for work that ended its workers.

        Raises FarmError if there are no workers, or if one of them runs another compiler.
        """
        self._require_version()
        self._ended = SimpleQueue()
        todo = enumerate(arguments)
        running: dict[Any, int] = {}
        done: dict[int, Result | None] = {}
        upcoming = 0
        more = True
        try:
            while True:
                room = max(1, AHEAD * self._threads()) - len(running)
                while more and room > 0:
                    number, given = next(todo, (-1, ()))
                    more = number >= 0
                    room -= 1
                    if more:
                        running[self._submit(given)] = number
                if not running:
                    return
                future = self._finished()
                done[running.pop(future)] = self._result(future)
                found = ready(done, upcoming, in_order)
                upcoming += len(found)
                yield from found
        finally:
            for future in running:
                future.cancel()

    def close(self) -> None:
        """Disconnect, if this object made the connection."""
        if self._own:
            self._client.close()

    def _submit(self, given: tuple[Any, ...]) -> Any:
        with warnings.catch_warnings():
            # Maps are a part of the task: data that only one worker holds would be lost with it.
            warnings.filterwarnings("ignore", message="Sending large graph")
            future = self._client.submit(_on_worker, self._work, self._compiler, given, pure=False)
        future.add_done_callback(self._ended.put)
        return future

    def _threads(self) -> int:
        """Threads of all workers."""
        try:
            return sum(self._client.nthreads().values())
        except (OSError, RuntimeError, ValueError) as error:
            raise FarmError(f"the scheduler is gone ({error})") from None

    def _finished(self) -> Any:
        """The next future that is finished. Raises FarmError if there are no workers for long."""
        alone = time.monotonic()
        while True:
            try:
                return self._ended.get(timeout=LOOK)
            except Empty:
                if self._client.status != "running":
                    raise FarmError("the scheduler is gone") from None
                if self._threads():
                    alone = time.monotonic()
                elif time.monotonic() - alone > NO_WORKERS:
                    raise FarmError(f"the cluster has had no workers for {NO_WORKERS:.0f} seconds") from None

    def _result(self, future: Any) -> Result | None:
        distributed = _distributed()
        try:
            found: Result = future.result()
            return found
        except distributed.KilledWorker:
            return None
        except distributed.CancelledError:
            raise FarmError("the scheduler is gone") from None
        finally:
            future.release()

    def _require_version(self) -> None:
        """Raise FarmError unless all workers run this compiler."""
        try:
            if not self._threads():
                self._client.wait_for_workers(1, timeout=NO_WORKERS)
            found: dict[str, Any] = self._client.run(compiler_of_worker, on_error="return")
        except TimeoutError:
            raise FarmError(f"the cluster has had no workers for {NO_WORKERS:.0f} seconds") from None
        for worker, version in found.items():
            if isinstance(version, Exception):
                raise FarmError(f"the worker {worker} cannot import aascompile ({version})")
            if version != self._compiler:
                raise FarmError(f"the worker {worker} has aascompile {version}, but this is {self._compiler}")
