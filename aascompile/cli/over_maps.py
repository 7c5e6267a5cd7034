"""Runs the same work on many maps, several at a time, with a progress bar. Results come in the order of the maps."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from aascompile.cli.maps import sizes_of
from aascompile.cli.progress import Progress
from aascompile.cli.workers import WorkerDied, run_all


class Task(Protocol):
    """Work on one map."""

    @property
    def source(self) -> str:
        """Path of the map, as given."""


AnyTask = TypeVar("AnyTask", bound=Task)
Result = TypeVar("Result")


def over_maps(
    work: Callable[[AnyTask, Callable[[str], None]], Result],
    tasks: Sequence[AnyTask],
    jobs: int,
    quiet: bool,
    died: Callable[[AnyTask, str], Result],
    runner: Callable[..., Iterator[tuple[int, Result | WorkerDied]]] | None = None,
) -> Iterator[Result]:
    """Yield the results of ``work`` on all tasks in order, each as soon as it and all before it are finished.

    ``died`` makes the result of a task whose worker ended without one, from an error message. ``runner`` does the work;
    by default processes of this machine.
    """
    sizes = sizes_of(task.source for task in tasks) if len(tasks) > 1 else [0] * len(tasks)
    progress = Progress(quiet, len(tasks), sizes=sizes)
    watchers = [progress.watcher(number, os.path.basename(task.source)) for number, task in enumerate(tasks)]
    if jobs > 1 and len(tasks) > 1:
        _import_ahead()
    finished: dict[int, Result] = {}
    upcoming = 0
    try:
        for number, found in (runner or run_all)(work, tasks, jobs, sizes, watchers.__getitem__):
            progress.ended(number)
            task = tasks[number]
            finished[number] = died(task, f"{task.source}: {found}") if isinstance(found, WorkerDied) else found
            while upcoming in finished:
                progress.clear()
                yield finished.pop(upcoming)
                upcoming += 1
    finally:
        progress.clear()


def _import_ahead() -> None:
    """Import what a compile needs once, before workers are forked."""
    import h5py  # noqa: F401

    import aascompile.mapio.ibsp
    import aascompile.nav.counts
    import aascompile.store.hdf  # noqa: F401
