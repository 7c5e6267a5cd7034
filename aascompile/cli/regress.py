"""``aas regress``: compare the counts of maps with a baseline."""

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
    print_error,
    quiet_option,
    settings_options,
    with_record,
)
from aascompile.cli.maps import named_maps
from aascompile.cli.workers import quick_imports, threads_per_worker
from aascompile.errors import AasError
from aascompile.records import dataclass

if TYPE_CHECKING:
    from aascompile.nav.baseline import Baseline, Move
    from aascompile.settings import Settings


@dataclass(frozen=True, slots=True)
class Options:
    """Options of the command line. Their help texts explain them."""

    maps: tuple[str, ...]
    baseline_file: str
    update: bool
    junit: str | None
    markdown: str | None
    jobs: int
    threads: int | None
    settings_file: str | None
    preset: str | None
    mode: str | None
    quality: bool
    allow_leak: bool
    as_json: bool
    quiet: bool


@click.command(context_settings=CONTEXT)
@click.argument("maps", metavar="MAP-OR-FILE...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--baseline",
    "baseline_file",
    metavar="FILE",
    required=True,
    type=click.Path(),
    help="JSON file with the expected counts.",
)
@click.option("--update", is_flag=True, help="Write the counts into the baseline, and show what moved.")
@click.option("--junit", metavar="FILE", type=click.Path(), help="Also write the results as JUnit XML.")
@click.option("--markdown", metavar="FILE", type=click.Path(), help="Also write the results as Markdown.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Number of maps to process at the same time.",
)
@click.option("--threads", type=click.IntRange(1, 256), help="Threads per map (default: the cores are shared).")
@settings_options
@click.option("--quality", is_flag=True, help="Compile like aascompile --quality.")
@click.option("--allow-leak", is_flag=True, help="Compile a leaking map, with walls at its bounds.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as a JSON list with an object for each map.")
@quiet_option
@with_record(Options)
def regress(ctx: click.Context, options: Options) -> None:
    """Compare the counts of maps with a baseline.

    The counts are areas and links by kind, clusters, portals, items that cannot be reached, and spawns that cannot be
    left.

    MAP-OR-FILE is a map or a pattern for maps, which are compiled without writing any output; or a compiled file
    (x.aas.hdf, or the engine's x.aas), which is read. In the baseline, a map is named after its file, without folder
    and suffix.

    The exit code is 1 if a count moved by more than the baseline tolerates, a map is not in the baseline, or a map
    cannot be compiled. A map that fails does not stop the others. --update writes the counts of these maps into the
    baseline, in a fixed order, and keeps its tolerances and other maps. docs/ci.md shows how to use it in CI.
    """
    with quick_imports():
        from aascompile.cli.json_types import json_text
        from aascompile.cli.over_maps import over_maps
        from aascompile.cli.regress_report import junit_text, markdown_text, text_lines
        from aascompile.nav.baseline import Baseline, read_baseline
        from aascompile.store.files import write_atomically

    baseline = (
        Baseline()
        if options.update and not os.path.lexists(options.baseline_file)
        else read_baseline(options.baseline_file)
    )
    sources, failed = _named(options.maps)
    settings = chosen_settings(options.settings_file, options.preset, options.mode)
    threads = threads_per_worker(options.jobs, len(sources), options.threads)
    tasks = [Task(source, settings, threads, options.quality, options.allow_leak) for source in sources]
    outcomes = []
    for task, counted in zip(
        tasks, over_maps(count_map, tasks, options.jobs, options.quiet, _worker_died), strict=True
    ):
        outcomes.append(_outcome(task.source, counted, baseline))
        if counted.error:
            print_error(counted.error)
    if options.update:
        _update(baseline, options.baseline_file, outcomes)
    if options.junit:
        write_atomically(options.junit, junit_text(outcomes).encode())
    if options.markdown:
        write_atomically(options.markdown, markdown_text(outcomes).encode())
    if options.as_json:
        emit(json_text(outcomes))
    else:
        emit("\n".join(text_lines(outcomes, options.baseline_file if options.update else None)))
    bad = ("failed",) if options.update else ("failed", "moved", "new")
    if failed or any(outcome.status in bad for outcome in outcomes):
        ctx.exit(FAILED)


def _named(inputs: Sequence[str]) -> tuple[list[str], bool]:
    """Paths of the named maps and files, and whether any name matched nothing. UsageError if two have the same name."""
    import glob

    from aascompile.nav.baseline import name_of
    from aascompile.store.read import is_compiled

    sources: dict[str, None] = {}
    failed = False
    for name in inputs:
        if is_compiled(name):
            pattern = glob.has_magic(name) and not os.path.lexists(name)
            found = sorted(glob.glob(name)) if pattern else [name]
            if not found:
                print_error(f"{name}: matches no file")
        else:
            found, _ = named_maps([name])
        failed = failed or not found
        sources.update(dict.fromkeys(found))
    named: dict[str, str] = {}
    for source in sources:
        other = named.setdefault(name_of(source), source)
        if other != source:
            raise click.UsageError(f"{other} and {source} would have the same name in the baseline")
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
    """Counts of a map or file."""

    counts: Mapping[str, int] = field(default_factory=dict)
    """As returned by ``nav.counts.count_all``; empty if it failed."""
    error: str | None = None
    """One sentence."""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """A map or file compared with the baseline."""

    map: str
    """Path as given."""
    name: str
    """Name in the baseline."""
    status: str
    """"same", "moved", "new" (not in the baseline) or "failed"."""
    error: str | None
    moved: Sequence[Move]
    counts: Mapping[str, int]
    seconds: float


def count_map(task: Task, watch: Callable[[str], None]) -> Counted:
    """Compile a map or read a compiled file, and count. If that fails, the result has an error."""
    from aascompile.nav.counts import count_all
    from aascompile.store.read import is_compiled, load_compiled

    start = time.perf_counter()
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
    except AasError as failure:
        error = str(failure)
    except MemoryError:
        error = f"{task.source}: out of memory"
    return Counted(counts, error, round(time.perf_counter() - start, 6))


def _worker_died(task: Task, error: str) -> Counted:
    """Result of a map whose worker process ended without returning one."""
    return Counted(error=error)


def _outcome(source: str, counted: Counted, baseline: Baseline) -> Outcome:
    """Compare counts with the baseline."""
    from aascompile.nav.baseline import name_of

    name = name_of(source)
    expected = name in baseline.maps
    moves = baseline.moves(name, counted.counts) if expected and not counted.error else []
    status = "failed" if counted.error else "moved" if moves else "same" if expected else "new"
    return Outcome(source, name, status, counted.error, moves, counted.counts, counted.seconds)


def _update(baseline: Baseline, path: str, outcomes: Sequence[Outcome]) -> None:
    """Write the counts into the baseline. A map that failed keeps its old counts."""
    for outcome in outcomes:
        if not outcome.error:
            baseline.maps[outcome.name] = dict(outcome.counts)
    baseline.write(path)
