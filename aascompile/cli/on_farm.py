"""Compiles the maps of a command on a Dask cluster. Maps are sent as bytes, and files come back as bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from aascompile.cli.compile_task import CompileTask, Made, MapResult, compile_files, make_folder, write_files
from aascompile.cli.workers import WorkerDied
from aascompile.errors import AasError
from aascompile.farm import Farm
from aascompile.mapio.load import MapSource, read_map_file

SENT = "sent"
"""What progress says of a map that was sent to the cluster."""


def runner_on_farm(address: str) -> Callable[..., Iterator[tuple[int, MapResult | WorkerDied]]]:
    """A runner for ``over_maps`` that uses the cluster of a scheduler. The largest maps are sent first."""

    def run(
        work: object,
        tasks: Sequence[CompileTask],
        jobs: int,
        sizes: Sequence[int],
        watcher: Callable[[int], Callable[[str], None]],
    ) -> Iterator[tuple[int, MapResult | WorkerDied]]:
        order = sorted(range(len(tasks)), key=lambda number: (-sizes[number], number))

        def arguments() -> Iterator[tuple[Any, ...]]:
            for number in order:
                watcher(number)(SENT)
                yield tasks[number], _source(tasks[number])

        farm = Farm(compile_sent, address)
        try:
            for place, made in farm.run(arguments(), in_order=False):
                found = WorkerDied("it ended several workers of the cluster") if made is None else write_files(made)
                yield order[place], found
        finally:
            farm.close()

    return run


def _source(task: CompileTask) -> MapSource | str:
    """Bytes of a map; or an error, one sentence, if it cannot be read or its output cannot be written."""
    try:
        make_folder(task.job.output)
        return read_map_file(task.source, task.options.links, task.options.shaders)
    except AasError as error:
        return str(error)


def compile_sent(task: CompileTask, source: MapSource | str) -> Made:
    """Compile a map on a worker of the cluster."""
    return Made(MapResult(task.source, source)) if isinstance(source, str) else compile_files(task, source)
