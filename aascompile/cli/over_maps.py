"""One piece of work on many maps: some at a time, with a progress bar, and results in the order of the maps."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from aascompile.cli.common import plain
from aascompile.cli.maps import size_of
from aascompile.cli.progress import Progress
from aascompile.cli.workers import WorkerDied, run_all


class Task(Protocol):
    """What is to be done with a map."""

    @property
    def source(self) -> str:
        """Path of the map, as it was named."""


AnyTask = TypeVar("AnyTask", bound=Task)
Result = TypeVar("Result")


def over_maps(
    work: Callable[[AnyTask, Callable[[str], None]], Result],
    tasks: Sequence[AnyTask],
    jobs: int,
    quiet: bool,
    died: Callable[[AnyTask, str], Result],
) -> Iterator[Result]:
    """The results of ``work`` on all tasks, in their order, each as soon as it and those before it are there.

    ``died``: the result of a task whose worker ended without one, from a sentence that says how.
    """
    sizes = [size_of(task.source) for task in tasks] if len(tasks) > 1 else [0] * len(tasks)
    progress = Progress(quiet, len(tasks), sizes=sizes)
    watchers = [progress.watcher(number, plain(os.path.basename(task.source))) for number, task in enumerate(tasks)]
    if jobs > 1 and len(tasks) > 1:
        _import_ahead()
    ended: dict[int, Result] = {}
    following = 0
    try:
        for number, found in run_all(work, tasks, jobs, sizes, watchers.__getitem__):
            progress.ended(number)
            task = tasks[number]
            ended[number] = died(task, f"{task.source}: {found}") if isinstance(found, WorkerDied) else found
            while following in ended:
                progress.clear()
                yield ended.pop(following)
                following += 1
    finally:
        progress.clear()


def _import_ahead() -> None:
    """Import what compiling imports when it needs it: once, before there are workers."""
    import h5py  # noqa: F401

    import aascompile.mapio.ibsp
    import aascompile.nav.counts
    import aascompile.store.hdf  # noqa: F401
