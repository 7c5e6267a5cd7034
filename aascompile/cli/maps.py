"""The maps a command line names, and reading them one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from aascompile.cli.common import plain, say_error
from aascompile.cli.progress import Progress
from aascompile.errors import MapError
from aascompile.report import Report

if TYPE_CHECKING:
    from aascompile.pipeline import Understood


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


class NamedMaps:
    """Reads maps as they are asked for; one that cannot be read is an error on stderr, and the others go on."""

    def __init__(self, inputs: Iterable[str], quiet: bool) -> None:
        self._paths, self.failed = named_maps(inputs)
        """Whether a map could not be read so far."""
        self._progress = Progress(quiet, len(self._paths), ("read", "hulls", "meaning", "patches"))

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
