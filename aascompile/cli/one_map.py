"""Compiling one map: running the pipeline, writing its files, and saying what came of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from aascompile.cli.outputs import Dump, Job
from aascompile.cli.route_report import RoutesReport, routes_of
from aascompile.errors import AasError, LeakError, StoreError
from aascompile.model.compiled import Compiled
from aascompile.nav.counts import count, sizes
from aascompile.pipeline import compile_again, compile_map
from aascompile.records import dataclass
from aascompile.report import Dropped, Records, Report, Timing
from aascompile.settings import Settings
from aascompile.store.files import write_atomically


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for."""

    settings: Settings
    threads: int
    dumps: tuple[Dump, ...] = ()
    quality: bool = False
    allow_leak: bool = False
    engine: bool = False
    check: bool = False
    reach_only: bool = False
    clusters_only: bool = False


@dataclass(frozen=True, slots=True)
class CompileTask:
    """A map to compile, where its files go, and what else is asked for."""

    job: Job
    wanted: Wanted

    @property
    def source(self) -> str:
        """Path of the map."""
        return self.job.source


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a map."""

    map: str
    """As it was named."""
    error: str | None = None
    """One sentence; None: all went well."""
    files: tuple[str, ...] = ()
    """What was written."""
    leak: Sequence[Sequence[float]] = ()
    """Points of the trail out of a map that is not closed."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """As ``nav.counts.sizes``; empty when the map failed."""
    routes: RoutesReport | None = None
    """None: without links, or the map failed."""
    seconds: float = 0.0
    peak_mb: float | None = None
    dropped: tuple[Dropped, ...] = ()
    warnings: tuple[str, ...] = ()
    stages: tuple[Timing, ...] = ()


def compile_one(task: CompileTask, watch: Callable[[str], None] | None = None) -> Done:
    """Compile a map and write its files. Whatever is wrong with the map, or with the output, is the result's error."""
    began = time.perf_counter()
    job, wanted = task.job, task.wanted
    report = Report(job.source, watch, _observer(job, wanted))
    done = Done(job.source)
    try:
        _make_folder(job.output)
        compiled = _compiled(job, wanted, report)
        done = replace(done, leak=compiled.leak.tolist(), counts=sizes(count(compiled)))
        with report.stage("routes"):
            done = replace(done, routes=routes_of(compiled))
        if wanted.check:
            _check(job, compiled, report)
        with report.stage("write"):
            done = replace(done, files=tuple(_write(job, wanted, compiled)))
    except LeakError as error:
        done = replace(done, error=str(error), leak=error.trail, files=tuple(_write_trail(job, error.trail)))
    except AasError as error:
        done = replace(done, error=str(error))
    except MemoryError:
        done = replace(done, error=f"{job.source}: needs more memory than there is")
    peaks = [stage.peak_mb for stage in report.stages if stage.peak_mb is not None]
    return replace(
        done,
        seconds=round(time.perf_counter() - began, 6),
        peak_mb=round(max(peaks), 1) if peaks else None,
        dropped=tuple(report.dropped),
        warnings=tuple(report.warnings),
        stages=report.timings(),
    )


def died(task: CompileTask, how: str) -> Done:
    """The result of a map whose worker ended without one."""
    return Done(task.source, how)


def _compiled(job: Job, wanted: Wanted, report: Report) -> Compiled:
    """Run the pipeline: all of it, or its last stages on what the output holds already."""
    if not wanted.reach_only and not wanted.clusters_only:
        return compile_map(job.source, wanted.settings, report, wanted.threads, wanted.quality, wanted.allow_leak)
    from aascompile.store.hdf import read_compiled

    with report.stage("load"):
        old = read_compiled(job.output)
    return compile_again(
        job.source, old, job.output, wanted.settings, report, wanted.threads, clusters_only=wanted.clusters_only
    )


def _observer(job: Job, wanted: Wanted) -> Callable[[str, Records], None] | None:
    """Checks every stage, and draws those that were asked for, as they end."""
    if not wanted.dumps and not wanted.check:
        return None

    def observe(stage: str, records: Records) -> None:
        for path in [dump.path(job) for dump in wanted.dumps if dump.stage == stage]:
            from aascompile.dump import draw, encode

            write_atomically(path, encode(draw(stage, records), os.path.splitext(path)[1].lower()))
        if wanted.check:
            from aascompile.checks.check_stages import require_sound

            require_sound(job.source, stage, records)

    return observe


def _make_folder(output: str) -> None:
    """Find out before the work that there is no place to write to."""
    folder = os.path.dirname(output) or "."
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be made ({(error.strerror or 'unknown reason').lower()})") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(f"{folder}: cannot be written to")
    if os.path.isdir(output):
        raise StoreError(f"{output}: is a folder")


def _check(job: Job, compiled: Compiled, report: Report) -> None:
    """Hold what was made against the data model."""
    from aascompile.checks.check_compiled import failures, require_none

    with report.stage("check") as stage:
        found = failures(compiled)
        stage.count(failed=len(found))
    require_none(found, job.source)


def _write(job: Job, wanted: Wanted, compiled: Compiled) -> Iterator[str]:
    """Write all files of a map; answers their names."""
    from aascompile.store.hdf import write_compiled

    if wanted.engine:
        from aascompile.store.engine import write_engine

        engine = job.beside(".aas")
        write_atomically(engine, write_engine(compiled))
        yield engine
    if len(compiled.leak):
        yield from _write_trail(job, compiled.leak.tolist())
    write_compiled(job.output, compiled)
    yield job.output


def _write_trail(job: Job, trail: Sequence[Sequence[float]]) -> list[str]:
    """The way out as a point file, a point a line, as map editors read it."""
    path = job.beside(".lin")
    lines = [" ".join(f"{value:.6f}".rstrip("0").rstrip(".") for value in point) + "\n" for point in trail]
    write_atomically(path, "".join(lines).encode())
    return [path]
