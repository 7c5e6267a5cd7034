"""``--watch``: compile maps again whenever they change, and say what the change did to them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from aascompile.cli.common import emit, print_error
from aascompile.cli.compile_report import note_lines
from aascompile.cli.compile_task import CompileTask, MapResult, compile_and_write
from aascompile.cli.lines import counted
from aascompile.errors import AasError
from aascompile.mapio.load import side_file_of, split_archive
from aascompile.model.compiled import Compiled
from aascompile.nav.difference import changes_line, difference, has_shapes
from aascompile.store.cache import Cache
from aascompile.store.hdf import read_compiled
from aascompile.system import ended_by_exit, own_folder
from aascompile.watching import LOOK, FileWatch

UNCHANGED = "nothing has changed for players"


def watched_files(source: str, links: str | None = None) -> list[str]:
    """The files to watch for a map, which may be in an archive: the map, and the side file, if it is not in the archive
    too."""
    archive = split_archive(source)[0]
    beside = links or (None if archive else side_file_of(source))
    return [archive or source, *([beside] if beside else [])]


@contextmanager
def own_cache() -> Iterator[Cache]:
    """A cache for as long as maps are watched: most changes are those of entities."""
    with ended_by_exit(), own_folder("aascompile-watch-") as folder:
        yield Cache(folder)


class Watched:
    """A map that is compiled again and again."""

    def __init__(self, task: CompileTask) -> None:
        """The map is watched from now on, so create this before its first compile."""
        self.task = task
        self._watch = FileWatch(*watched_files(task.source, task.options.links))
        self._last: Compiled | None = None

    def compiled(self) -> None:
        """Remember the result to compare the next with."""
        self._last = self._read()

    def look(self) -> tuple[MapResult, str] | None:
        """If the map has changed, compile it, and describe what the change did; else None."""
        if not self._watch.changed():
            return None
        result = compile_and_write(self.task)
        if result.error:
            return result, ""
        before, self._last = self._last, self._read()
        return result, changes(before, self._last)

    def _read(self) -> Compiled | None:
        try:
            return read_compiled(self.task.job.output)
        except AasError:
            return None


def changes(before: Compiled | None, after: Compiled | None) -> str:
    """What has changed from one result to the next, as a line; "" if that is not known."""
    if before is None or after is None or not (has_shapes(before.areas) and has_shapes(after.areas)):
        return ""
    found = difference(before, after)
    return UNCHANGED if found.equal else changes_line(found)


def watch_maps(watched: Sequence[Watched], verbose: bool) -> None:
    """Compile maps whenever they change, until interrupted."""
    for item in watched:
        item.compiled()
    emit(f"watching {counted(len(watched), 'map')}; Ctrl-C ends")
    while True:
        time.sleep(LOOK)
        for item in watched:
            found = item.look()
            if found is None:
                continue
            result, change = found
            if result.error:
                print_error(result.error)
                continue
            name = result.map
            line = f"{name}: {result.counts['areas']:,} areas, {result.counts['links']:,} links, {result.seconds:.2f} s"
            emit(line, *([f"  {'changed':<10}{change}"] * bool(change)), *note_lines(result, verbose))
