"""The maps a command line names, read one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from aascompile.cli.common import Progress, plain, say_error
from aascompile.errors import MapError
from aascompile.report import Report

if TYPE_CHECKING:
    from aascompile.pipeline import Understood


class NamedMaps:
    """Reads maps as they are asked for; one that cannot be read is an error on stderr, and the others go on."""

    def __init__(self, inputs: Iterable[str], quiet: bool) -> None:
        self.failed = False
        """Whether a map could not be read so far."""
        self._progress = Progress(quiet)
        self._paths = self._expand(inputs)

    def __iter__(self) -> Iterator[tuple[Understood, Report]]:
        from aascompile import pipeline

        for number, path in enumerate(self._paths, 1):
            report = Report(path, self._progress.watcher(f"{number}/{len(self._paths)} {plain(path)}"))
            try:
                understood = pipeline.understand(path, report)
            except MapError as error:
                self._fail(error)
            else:
                self._progress.clear()
                yield understood, report

    def _expand(self, inputs: Iterable[str]) -> list[str]:
        """Paths that patterns and archives stand for, each once."""
        from aascompile.mapio.load import expand_inputs

        paths: dict[str, None] = {}
        for one in inputs:
            try:
                paths.update(dict.fromkeys(expand_inputs([one])))
            except MapError as error:
                self._fail(error)
        return list(paths)

    def _fail(self, error: MapError) -> None:
        self._progress.clear()
        say_error(error)
        self.failed = True
