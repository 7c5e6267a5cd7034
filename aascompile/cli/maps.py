"""The maps a command line names, and reading them one after the other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from aascompile.cli.common import plain, say_error
from aascompile.cli.progress import Progress
from aascompile.errors import MapError
from aascompile.report import Report
from aascompile.stages import Phase, names

if TYPE_CHECKING:
    from aascompile.model.understood import Understood


def named_maps(inputs: Iterable[str]) -> tuple[list[str], bool]:
    """Paths that names, patterns and archives stand for, each once; and whether some stood for nothing."""
    from aascompile.mapio.load import expand_inputs

    paths: dict[str, None] = {}
    failed = False
    for one in inputs:
        try:
            paths.update(dict.fromkeys(expand_inputs([one])))
        except MapError as error:
            say_error(error)
            failed = True
    return list(paths), failed


def size_of(path: str) -> int:
    """Bytes of a map, for who wants to know which takes longest; 0 when that cannot be told."""
    from aascompile.mapio.load import split_archive

    archive, member = split_archive(path)
    try:
        if archive is None:
            return os.stat(path).st_size
        from aascompile.mapio.pk3 import member_size

        return member_size(archive, member)
    except (MapError, OSError, ValueError):
        return 0


class NamedMaps:
    """Reads maps as they are asked for; one that cannot be read is an error on stderr, and the others go on."""

    def __init__(self, inputs: Iterable[str], quiet: bool) -> None:
        self._paths, self.failed = named_maps(inputs)
        """Whether a map could not be read so far."""
        self._progress = Progress(quiet, len(self._paths), names(Phase.READING))

    def __iter__(self) -> Iterator[tuple[Understood, Report]]:
        from aascompile import pipeline

        for number, path in enumerate(self._paths):
            report = Report(path, self._progress.watcher(number, plain(path)))
            try:
                understood = pipeline.understand(path, report)
            except MapError as error:
                self._progress.clear()
                say_error(error)
                self.failed = True
            else:
                self._progress.clear()
                yield understood, report
