"""``aas regress``: compare the counts of maps with a baseline."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

import click

from aascompile import __version__
from aascompile.cli.common import (
    CONTEXT,
    FAILED,
    chosen_settings,
    emit,
    emit_json,
    print_error,
    print_note,
    quiet_option,
    settings_options,
    shaders_option,
    with_record,
)
from aascompile.cli.imports import quick_imports
from aascompile.cli.maps import named_maps
from aascompile.cli.targets import BASELINE, JUNIT, MARKDOWN, checked, force_option
from aascompile.cli.workers import threads_per_worker
from aascompile.errors import AasError, StoreError
from aascompile.records import dataclass

MAX_DIFFERENCES = 4
"""Limit on the settings that a note names."""

if TYPE_CHECKING:
    from aascompile.nav.baseline import Baseline, HowMade, Move
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
    shaders: tuple[str, ...]
    quality: bool
    allow_leak: bool
    as_json: bool
    quiet: bool
    force: bool
    complete: bool


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
@click.option("--complete", is_flag=True, help="Fail if a map of the baseline is not among the maps given.")
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
@shaders_option
@click.option("--quality", is_flag=True, help="Compile like aascompile --quality.")
@click.option("--allow-leak", is_flag=True, help="Compile a leaking map, with walls at its bounds.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as a JSON list with an object for each map.")
@quiet_option
@force_option
@with_record(Options)
def regress(ctx: click.Context, options: Options) -> None:
    """Compare the counts of maps with a baseline.

    The counts are areas and links by kind, clusters, portals, items that cannot be reached, spawns that cannot be left,
    and traps. Items that lost their route are named.

    MAP-OR-FILE is a map or a pattern for maps, which are compiled without writing any output; or a compiled file
    (x.aas.hdf, or the engine's x.aas), which is read. In the baseline, a map is named after its file, without folder
    and suffix.

    The exit code is 1 if a count moved by more than the baseline tolerates, a map is not in the baseline, or a map
    cannot be compiled; with --complete, also if the baseline has a map that is not given. If the baseline was made with
    another version or other settings, a note says so. A map that fails does not stop the others. --update writes the
    counts of these maps into the baseline, in a fixed order, and keeps its tolerances and other maps. docs/ci.md shows
    how to use it in CI.
    """
    with quick_imports():
        from aascompile.cli.over_maps import over_maps
        from aascompile.cli.regress_report import junit_text, markdown_text, text_lines
        from aascompile.nav.baseline import Baseline, HowMade, name_of, read_baseline
        from aascompile.store.files import write_atomically
        from aascompile.store.read import is_compiled

    _check_targets(options)
    baseline = (
        Baseline()
        if options.update and not os.path.lexists(options.baseline_file)
        else read_baseline(options.baseline_file)
    )
    try:
        baseline.check_tolerances()
    except StoreError as error:
        raise StoreError(f"{options.baseline_file}: {error}") from None
    sources, failed = _named(options.maps)
    settings = chosen_settings(options.settings_file, options.preset, options.mode)
    threads = threads_per_worker(options.jobs, len(sources), options.threads)
    tasks = [
        Task(source, settings, threads, options.quality, options.allow_leak, options.shaders) for source in sources
    ]
    used = HowMade(__version__, settings_used(options, settings))
    if not options.update:
        _warn(baseline, [name_of(source) for source in sources if not is_compiled(source)], used)
    outcomes = []
    for task, counted in zip(
        tasks, over_maps(count_map, tasks, options.jobs, options.quiet, _worker_died), strict=True
    ):
        outcomes.append(_outcome(task.source, counted, baseline))
        if counted.error:
            print_error(counted.error)
    if options.complete:
        outcomes += _missing(baseline, outcomes)
    if options.update:
        _update(baseline, options.baseline_file, outcomes, used)
    if options.junit:
        write_atomically(options.junit, junit_text(outcomes).encode())
    if options.markdown:
        write_atomically(options.markdown, markdown_text(outcomes).encode())
    if options.as_json:
        emit_json(outcomes)
    else:
        emit(*text_lines(outcomes, options.baseline_file if options.update else None))
    bad = ("failed",) if options.update else ("failed", "moved", "new", "missing")
    if failed or any(outcome.status in bad for outcome in outcomes):
        ctx.exit(FAILED)


def _check_targets(options: Options) -> None:
    """Fail, before any work, if a report has a wrong ending or would overwrite a file of another kind."""
    named = (("--junit", options.junit, JUNIT), ("--markdown", options.markdown, MARKDOWN))
    for option, path, kind in named:
        if path:
            checked(path, kind, [*options.maps, options.baseline_file], force=options.force, option=option)
    if options.update:
        checked(options.baseline_file, BASELINE, options.maps, force=options.force, option="--baseline")


def _warn(baseline: Baseline, names: Sequence[str], used: HowMade) -> None:
    """Say how the compiles of the baseline differ from those of now."""
    of: dict[tuple[str, ...], list[str]] = {}
    for name in names:
        of.setdefault(tuple(baseline.differences(name, used)), []).append(name)
    for differences, maps in of.items():
        if differences:
            shown = "; ".join(differences[:MAX_DIFFERENCES])
            more = len(differences) - MAX_DIFFERENCES
            whose = f" of {', '.join(maps[:MAX_DIFFERENCES])}{' ...' * (len(maps) > MAX_DIFFERENCES)}"
            print_note(
                f"note: the baseline{whose if len(of) > 1 else ''} has {shown}"
                + (f"; and {more:,} more" if more > 0 else "")
            )


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
    shaders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts of a map or file."""

    counts: Mapping[str, int] = field(default_factory=dict)
    """As returned by ``nav.counts.count_all``; empty if it failed."""
    lost: Sequence[str] = ()
    """As returned by ``nav.counts.lost_items``."""
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
    """"same", "moved", "new" (not in the baseline), "missing" (only in the baseline) or "failed"."""
    error: str | None
    moved: Sequence[Move]
    counts: Mapping[str, int]
    lost: Sequence[str]
    """Items without a route now that had one, by class and origin."""
    unreached: Sequence[str]
    """All items without a route."""
    seconds: float


def count_map(task: Task, watch: Callable[[str], None]) -> Counted:
    """Compile a map or read a compiled file, and count. If that fails, the result has an error."""
    from aascompile.nav.counts import count_all, lost_items
    from aascompile.store.read import is_compiled, load_compiled

    start = time.perf_counter()
    counts: dict[str, int] = {}
    lost: list[str] = []
    error = None
    try:
        if is_compiled(task.source):
            watch("read")
            compiled = load_compiled(task.source)
        else:
            from aascompile.mapio.load import read_map_file
            from aascompile.pipeline import compile_map
            from aascompile.report import Report

            report = Report(task.source, watch)
            source = read_map_file(task.source, shaders=task.shaders)
            compiled = compile_map(source, task.settings, report, task.threads, task.quality, task.allow_leak)
        counts, lost = count_all(compiled), lost_items(compiled)
    except AasError as failure:
        error = str(failure)
    except MemoryError:
        error = f"{task.source}: out of memory"
    return Counted(counts, tuple(lost), error, round(time.perf_counter() - start, 6))


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
    more = expected and counted.counts.get("items.unreached", 0) > baseline.maps[name].get("items.unreached", 0)
    lost = [item for item in counted.lost if item not in baseline.lost.get(name, ())] if more else []
    return Outcome(
        source, name, status, counted.error, moves, counted.counts, lost, list(counted.lost), counted.seconds
    )


def _missing(baseline: Baseline, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Maps of the baseline that were not named."""
    named = {outcome.name for outcome in outcomes}
    return [
        Outcome("", name, "missing", None, (), {}, (), (), 0.0) for name in sorted(baseline.maps) if name not in named
    ]


def settings_used(options: Options, settings: Settings) -> dict[str, Any]:
    """Settings and options of a compile, by name."""
    import json

    from aascompile.settings_file import text_to_store

    found: dict[str, Any] = {}
    for group, values in json.loads(text_to_store(settings)).items():
        if isinstance(values, dict):
            found |= {f"{group}.{name}": value for name, value in values.items()}
        else:
            found[group] = values if isinstance(values, str) else json.dumps(values, separators=(",", ":"))
    return found | {"--quality": options.quality, "--allow-leak": options.allow_leak}


def _update(baseline: Baseline, path: str, outcomes: Sequence[Outcome], used: HowMade) -> None:
    """Write the counts into the baseline. A map that failed keeps its old counts."""
    from aascompile.nav.baseline import HowMade
    from aascompile.store.read import is_compiled

    good = [outcome for outcome in outcomes if not outcome.error and outcome.counts]
    read = [outcome for outcome in good if is_compiled(outcome.map)]  # the options of this command do not apply to them
    for made, of_kind in ((used, [outcome for outcome in good if outcome not in read]), (HowMade(), read)):
        if of_kind:
            baseline.update({outcome.name: (outcome.counts, outcome.unreached) for outcome in of_kind}, made)
    baseline.write(path)
