"""Finds the maps named on the command line, and reads them one after another."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from aascompile.cli.common import print_error
from aascompile.cli.progress import Progress
from aascompile.errors import MapError
from aascompile.report import Report
from aascompile.stages import Phase, names

if TYPE_CHECKING:
    from aascompile.model.understood import Understood


def named_maps(inputs: Iterable[str]) -> tuple[list[str], bool]:
    """Paths of all maps that match the names and patterns, each once; and whether any of these matched no map."""
    from aascompile.mapio.load import expand_inputs

    paths: dict[str, None] = {}
    failed = False
    for name in inputs:
        try:
            paths.update(dict.fromkeys(expand_inputs([name])))
        except MapError as error:
            print_error(error)
            failed = True
    return list(paths), failed


def sizes_of(paths: Iterable[str]) -> list[int]:
    """Size of each map in bytes, an estimate of how long it takes; 0 if it is unknown. An archive is opened once."""
    from aascompile.mapio.load import split_archive

    inside: dict[str, dict[str, int]] = {}
    sizes = []
    for path in paths:
        archive, member = split_archive(path)
        try:
            if archive is None:
                sizes.append(os.stat(path).st_size)
                continue
            from aascompile.mapio.pk3 import map_sizes, normalised

            if archive not in inside:
                inside[archive] = {}  # also if it cannot be read
                inside[archive] = map_sizes(archive)
            sizes.append(inside[archive].get(normalised(member), 0))
        except (MapError, OSError, ValueError):
            sizes.append(0)
    return sizes


class NamedMaps:
    """Iterates over maps and reads each. If a map cannot be read, prints an error and continues with the next."""

    def __init__(self, inputs: Iterable[str], quiet: bool) -> None:
        self._paths, self.failed = named_maps(inputs)
        """Whether any map could not be read so far."""
        self._progress = Progress(quiet, len(self._paths), names(Phase.READING))

    def __iter__(self) -> Iterator[tuple[Understood, Report]]:
        from aascompile import pipeline

        for number, path in enumerate(self._paths):
            report = Report(path, self._progress.watcher(number, path))
            try:
                understood = pipeline.understand(path, report)
            except MapError as error:
                self._progress.clear()
                print_error(error)
                self.failed = True
            else:
                self._progress.clear()
                yield understood, report
