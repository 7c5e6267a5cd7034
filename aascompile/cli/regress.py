"""``aas regress``: whether the counts of maps are what they were."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

import click

from aascompile.cli.common import (
    CONTEXT,
    FAILED,
    chosen_settings,
    emit,
    gathered,
    quiet_option,
    say_error,
    settings_options,
)
from aascompile.cli.maps import named_maps
from aascompile.cli.workers import quick_imports, threads_each
from aascompile.errors import AasError
from aascompile.records import dataclass

if TYPE_CHECKING:
    from aascompile.nav.baseline import Baseline, Move
    from aascompile.settings import Settings


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says; help texts tell what each means."""

    maps: tuple[str, ...]
    baseline_file: str
    update: bool
    junit: str | None
    markdown: str | None
    jobs: int
    threads: int | None
    settings_file: str | None
    preset: str | None
    quality: bool
    allow_leak: bool
    as_json: bool
    quiet: bool


@click.command(context_settings=CONTEXT)
@click.argument("maps", metavar="MAP-OR-FILE...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--baseline", "baseline_file", metavar="FILE", required=True, type=click.Path(), help="JSON with what is expected."
)
@click.option("--update", is_flag=True, help="Write what is found into the baseline, and say what moved.")
@click.option("--junit", metavar="FILE", type=click.Path(), help="Also write the outcome as JUnit's XML.")
@click.option("--markdown", metavar="FILE", type=click.Path(), help="Also write the outcome as Markdown.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Maps to take at a time, in processes."
)
@click.option("--threads", type=click.IntRange(1, 256), help="Threads for each map (default: the cores, shared).")
@settings_options
@click.option("--quality", is_flag=True, help="Compile as aascompile --quality does.")
@click.option("--allow-leak", is_flag=True, help="Compile a map that is not closed: it is closed at its bounds.")
@click.option("--json", "as_json", is_flag=True, help="The outcome as a JSON list with an object for each map.")
@quiet_option
@gathered(Options)
def regress(ctx: click.Context, asked: Options) -> None:
    """Compare the counts of maps with a baseline.

    Counted are areas and links by kind, clusters, portals, and items and spawns that nobody gets to or away from.

    MAP-OR-FILE is a map, or a pattern for maps, which is compiled and not written; or a compiled file (x.aas.hdf, or
    the engine's x.aas), which is read. In the baseline a map has the name of its file without folder and ending.

    The exit code is 1 when a count moved by more than the baseline tolerates, a map is not in the baseline, or a map
    cannot be compiled; one that fails does not stop the others. --update writes the counts of these maps into the
    baseline, in an order that stays, and keeps its tolerances and other maps. docs/ci.md shows it in use.
    """
    with quick_imports():
        from aascompile.cli.json_types import json_text
        from aascompile.cli.over_maps import over_maps
        from aascompile.cli.regress_report import junit_text, markdown_text, text_lines
        from aascompile.nav.baseline import Baseline, read_baseline
        from aascompile.store.files import write_atomically

    baseline = (
        Baseline() if asked.update and not os.path.lexists(asked.baseline_file) else read_baseline(asked.baseline_file)
    )
    sources, failed = _named(asked.maps)
    settings = chosen_settings(asked.settings_file, asked.preset)
    each = threads_each(asked.jobs, len(sources), asked.threads)
    tasks = [Task(source, settings, each, asked.quality, asked.allow_leak) for source in sources]
    outcomes = []
    for task, counted in zip(tasks, over_maps(count_one, tasks, asked.jobs, asked.quiet, _died), strict=True):
        outcomes.append(_outcome(task.source, counted, baseline))
        if counted.error:
            say_error(counted.error)
    if asked.update:
        _update(baseline, asked.baseline_file, outcomes)
    if asked.junit:
        write_atomically(asked.junit, junit_text(outcomes).encode())
    if asked.markdown:
        write_atomically(asked.markdown, markdown_text(outcomes).encode())
    if asked.as_json:
        emit(json_text(outcomes))
    else:
        emit("\n".join(text_lines(outcomes, asked.baseline_file if asked.update else None)))
    wrong = ("failed",) if asked.update else ("failed", "moved", "new")
    if failed or any(outcome.status in wrong for outcome in outcomes):
        ctx.exit(FAILED)


def _named(inputs: Sequence[str]) -> tuple[list[str], bool]:
    """Maps and files that are named, and whether a name stood for nothing; wrong usage when two have one name."""
    import glob

    from aascompile.nav.baseline import name_of
    from aascompile.store.read import is_compiled

    sources: dict[str, None] = {}
    failed = False
    for one in inputs:
        if is_compiled(one):
            pattern = glob.has_magic(one) and not os.path.lexists(one)
            found = sorted(glob.glob(one)) if pattern else [one]
            if not found:
                say_error(f"{one}: matches no file")
        else:
            found, _ = named_maps([one])
        failed = failed or not found
        sources.update(dict.fromkeys(found))
    named: dict[str, str] = {}
    for source in sources:
        other = named.setdefault(name_of(source), source)
        if other != source:
            raise click.UsageError(f"{other} and {source} have the same name in a baseline")
    return list(sources), failed


# --- counting ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Task:
    """A map or compiled file, and how to compile it."""

    source: str
    settings: Settings
    threads: int
    quality: bool
    allow_leak: bool


@dataclass(frozen=True, slots=True)
class Counted:
    """What a map or file comes to."""

    counts: Mapping[str, int] = field(default_factory=dict)
    """As ``nav.counts.count_all``; empty when it failed."""
    error: str | None = None
    """One sentence."""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """A map or file held against the baseline."""

    map: str
    """As it was named."""
    name: str
    """In the baseline."""
    status: str
    """"same", "moved", "new" (not in the baseline) or "failed"."""
    error: str | None
    moved: Sequence[Move]
    counts: Mapping[str, int]
    seconds: float


def count_one(task: Task, watch: Callable[[str], None]) -> Counted:
    """Compile a map or read a compiled file, and count; what is wrong with it is the result's error."""
    from aascompile.nav.counts import count_all
    from aascompile.store.read import is_compiled, load_compiled

    began = time.perf_counter()
    counts: dict[str, int] = {}
    error = None
    try:
        if is_compiled(task.source):
            watch("read")
            compiled = load_compiled(task.source)
        else:
            from aascompile.pipeline import compile_map
            from aascompile.report import Report

            report = Report(task.source, watch)
            compiled = compile_map(task.source, task.settings, report, task.threads, task.quality, task.allow_leak)
        counts = count_all(compiled)
    except AasError as wrong:
        error = str(wrong)
    except MemoryError:
        error = f"{task.source}: needs more memory than there is"
    return Counted(counts, error, round(time.perf_counter() - began, 6))


def _died(task: Task, how: str) -> Counted:
    """The result of a map whose worker ended without one."""
    return Counted(error=how)


def _outcome(source: str, counted: Counted, baseline: Baseline) -> Outcome:
    """Hold what was counted against the baseline."""
    from aascompile.nav.baseline import name_of

    name = name_of(source)
    expected = name in baseline.maps
    moves = baseline.moves(name, counted.counts) if expected and not counted.error else []
    status = "failed" if counted.error else "moved" if moves else "same" if expected else "new"
    return Outcome(source, name, status, counted.error, moves, counted.counts, counted.seconds)


def _update(baseline: Baseline, path: str, outcomes: Sequence[Outcome]) -> None:
    """Write what was found; a map that failed keeps what was expected of it."""
    for outcome in outcomes:
        if not outcome.error:
            baseline.maps[outcome.name] = dict(outcome.counts)
    baseline.write(path)
