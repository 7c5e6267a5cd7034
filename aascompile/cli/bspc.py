"""The command ``bspc``: takes the command line of the C compiler, for scripts that call it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from aascompile import __version__
from aascompile.cli.bspc_line import (
    ENGINE_SUFFIX,
    FLAGS,
    IGNORED,
    LOG,
    VALUES,
    WORK,
    Line,
    engine_files_of,
    job_of,
    maps_of,
    parse_line,
)
from aascompile.cli.common import FAILED, emit, print_error, run
from aascompile.cli.targets import ENGINE, TRAIL, FileKind, checked
from aascompile.cli.targets import LOG as TEXT
from aascompile.errors import AasError
from aascompile.escaping import LONGEST, printable

if TYPE_CHECKING:
    from aascompile.settings import Settings

INTRODUCTION = """\
Takes the command line of the C compiler bspc, so that scripts which call that
one need no change. Switches ignore case, and files may precede them. FILE is a
map (x.bsp), a map in an archive (pak.pk3/maps/x.bsp) or a pattern for either; a
name with another ending, such as x.map, means the .bsp beside it. Unlike the C
compiler, it reports unknown switches and missing files as errors, and keeps
files of other kinds. Exit codes: 0 success, 1 a map or file failed, 2 wrong
usage."""


def switches() -> Iterator[tuple[str, str]]:
    """All switches with their meanings."""
    for name, (value, meaning) in (WORK | VALUES).items():
        yield f"-{name} {value}", meaning
    for name, meaning in FLAGS.items():
        yield f"-{name}", meaning
    yield ", ".join(f"-{name}" for name in IGNORED), "Accepted, without effect."


class Log:
    """Prints results and errors, and keeps them for the log file."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._kept: list[str] = []
        self.failed = False
        """Whether an error was printed."""

    def say(self, lines: Iterable[str]) -> None:
        """Print lines, unless the command is quiet."""
        shown = list(lines)
        self._kept += shown
        if shown and not self._quiet:
            emit(*shown)

    def error(self, error: object) -> None:
        """Print an error."""
        self.failed = True
        self._kept.append(f"error: {error}")
        print_error(error)

    def write(self, path: str) -> None:
        """Write everything that was printed to a file."""
        from aascompile.store.files import write_atomically

        write_atomically(path, "".join(f"{printable(line, LONGEST)}\n" for line in self._kept).encode())


@click.command(
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
    add_help_option=False,
    options_metavar="",
)
@click.argument("words", metavar="[-SWITCH|FILE]...", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def bspc(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Compile maps with the command line of the C compiler."""
    asked = words[0].lower().strip("-") if words else ""
    if asked in ("help", "h", "?"):
        emit(*usage().splitlines())
        return
    if asked == "version":
        emit(f"bspc of aascompile {__version__}")
        return
    line = parse_line(words)
    log = Log("noverbose" in line.flags)
    try:
        {"aasopt": _optimize, "aasinfo": _show}.get(line.work, _compile)(line, log)
    except AasError as error:
        log.error(error)
    finally:
        if "log" in line.flags or os.environ.get("BSPC_LOG"):
            _check_target(LOG, TEXT, line)
            log.write(LOG)
    if log.failed:
        ctx.exit(FAILED)


def usage() -> str:
    """Text of ``bspc -help``."""
    lines = [INTRODUCTION, ""]
    for name, meaning in switches():
        lines += [f"  {name:<18}  {meaning}" if len(name) <= 18 else f"  {name}\n  {'':<18}  {meaning}"]
    return "\n".join(lines)


def _compile(line: Line, log: Log) -> None:
    """Compile the maps of a line."""
    from aascompile.cli.compile_report import note_lines, table_lines
    from aascompile.cli.compile_task import CompileOptions, CompileTask, compile_and_write, worker_died
    from aascompile.cli.outputs import distinct
    from aascompile.cli.over_maps import over_maps
    from aascompile.cli.workers import threads_per_worker

    jobs = []
    for found in maps_of(line):
        if isinstance(found, AasError):
            log.error(found)
        else:
            jobs.append(job_of(found, line))
    options = CompileOptions(
        settings=_settings(line),
        threads=threads_per_worker(1, 1, line.threads),
        engine=True,
        optimize="optimize" in line.flags,
        compiled_file=False,
    )
    tasks = []
    for job in distinct(jobs):
        try:
            _check_target(job.beside(ENGINE_SUFFIX), ENGINE, line, [job.source])
            _check_target(job.beside(".lin"), TRAIL, line, [job.source])
        except AasError as error:
            log.error(error)
        else:
            tasks.append(CompileTask(job, options))
    for result in over_maps(compile_and_write, tasks, 1, "noverbose" in line.flags, worker_died):
        if result.error:
            log.error(result.error)
            log.say(note_lines(result, False))
        else:
            written = [f"  {'wrote':<10}{path}" for path in result.files]
            log.say([*table_lines([result], result.seconds), *note_lines(result, False), *written])


def _check_target(path: str, kind: FileKind, line: Line, inputs: Sequence[str] = ()) -> None:
    """Raise a StoreError if a file of another kind has the name of an output."""
    checked(path, kind, inputs, force="force" in line.flags, switch="-force")


def _settings(line: Line) -> Settings:
    """Settings of a line."""
    from aascompile.cli.common import chosen_settings

    chosen = chosen_settings(line.values.get("cfg"), line.values.get("game"))
    if "grapplereach" in line.flags:
        chosen = replace(chosen, reach=replace(chosen.reach, grapple=True))
    return chosen


def _optimize(line: Line, log: Log) -> None:
    """Strip the .aas files of a line: in place, or into the output folder."""
    from aascompile.store.engine_optimize import optimize_engine_file
    from aascompile.store.files import read_file, write_atomically

    for found in engine_files_of(line):
        try:
            if isinstance(found, AasError):
                raise found
            data = read_file(found)
            smaller = optimize_engine_file(data, found)
            folder = line.values.get("output")
            target = found if folder is None else os.path.join(folder, os.path.basename(found))
            _check_target(target, ENGINE, line)
            write_atomically(target, smaller)
            log.say([f"{target}: {len(data):,} bytes before, {len(smaller):,} bytes now"])
        except AasError as error:
            log.error(error)


def _show(line: Line, log: Log) -> None:
    """Summarise the .aas files of a line."""
    from aascompile.cli.file_summary import file_lines, summarise_file
    from aascompile.store.read import load_compiled

    for found in engine_files_of(line):
        try:
            if isinstance(found, AasError):
                raise found
            log.say(file_lines(summarise_file(found, load_compiled(found))))
        except AasError as error:
            log.error(error)


def main() -> None:
    """Entry point."""
    sys.exit(run(bspc, "bspc"))
