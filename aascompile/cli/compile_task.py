"""Compiles a single map: runs the pipeline, writes the output files, and returns a result record."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from typing import TYPE_CHECKING

from aascompile.cli.outputs import Dump, Job
from aascompile.cli.targets import TRAIL, is_of_kind
from aascompile.errors import AasError, LeakError, StoreError
from aascompile.mapio.load import MapSource, read_map_file
from aascompile.model.compiled import Compiled
from aascompile.pipeline import compile_again, compile_map
from aascompile.records import dataclass
from aascompile.report import Dropped, Records, Report, Timing
from aascompile.settings import Settings
from aascompile.store.files import without_ending, write_atomically
from aascompile.system import signals_blocked
from aascompile.threads import Begun, over_ranges

if TYPE_CHECKING:
    from aascompile.cli.route_report import RoutesReport
    from aascompile.store.cache import Cache

WRITE = "write"
"""Name of the stage that makes and writes the files."""


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """Options that apply to every map of a command."""

    settings: Settings
    threads: int
    dumps: tuple[Dump, ...] = ()
    quality: bool = False
    allow_leak: bool = False
    engine: bool = False
    check: bool = False
    reach_only: bool = False
    clusters_only: bool = False
    optimize: bool = False
    """Leave out of the engine's file what bots do not need."""
    sight: bool = False
    """Measure which areas see which."""
    checksum: int | None = None
    """Checksum to store instead of the map's own."""
    compiled_file: bool = True
    """Whether to write the compiled file; False: only the engine's."""
    cache: Cache | None = None
    links: str | None = None
    """Side file with links made by hand; None: the one beside the map."""
    shaders: tuple[str, ...] = ()
    """Where map source finds the game's files, besides where the map lies."""


@dataclass(frozen=True, slots=True)
class CompileTask:
    """A map to compile, its output files, and the options."""

    job: Job
    options: CompileOptions

    @property
    def source(self) -> str:
        """Path of the map."""
        return self.job.source


@dataclass(frozen=True, slots=True)
class MapResult:
    """Result of compiling a map."""

    map: str
    """Path as given."""
    error: str | None = None
    """One sentence; None if the map was compiled."""
    files: tuple[str, ...] = ()
    """Files that were written."""
    leak: Sequence[Sequence[float]] = ()
    """Points of the trail out of a leaking map."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """As returned by ``nav.counts.sizes``; empty if the map failed."""
    routes: RoutesReport | None = None
    """None if there are no links or the map failed."""
    seconds: float = 0.0
    peak_mb: float | None = None
    dropped: tuple[Dropped, ...] = ()
    warnings: tuple[str, ...] = ()
    stages: tuple[Timing, ...] = ()


@dataclass(frozen=True, slots=True)
class Made:
    """A compiled map whose files are still to be written."""

    result: MapResult
    files: tuple[tuple[str, bytes], ...] = ()
    """Path and bytes of each file."""


def compile_and_write(task: CompileTask, watch: Callable[[str], None] | None = None) -> MapResult:
    """Compile a map and write its files. If the map or the output is faulty, the result has an error."""
    try:
        make_folder(task.job.output)
    except StoreError as error:
        return MapResult(task.source, str(error))
    return write_files(compile_files(task, task.source, watch), task.options.threads)


def compile_files(
    task: CompileTask, source: MapSource | str, watch: Callable[[str], None] | None = None
) -> Made:  # fmt: skip
    """Compile a map, and make its files in memory. If the map is faulty, the result has an error."""
    start = time.perf_counter()
    job, options = task.job, task.options
    report = Report(job.source, watch, _observer(job, options))
    result = MapResult(job.source)
    files: tuple[tuple[str, bytes], ...] = ()
    try:
        compiled = _with_checksum(_compiled(job, source, options, report), options.checksum)
        if options.sight:
            compiled = _with_sight(compiled, report, options.threads)
        from aascompile.cli.route_report import routes_of
        from aascompile.nav.counts import count, sizes

        packed = Begun(lambda: _packed(compiled, options), options.threads)
        result = replace(result, leak=compiled.leak.tolist(), counts=sizes(count(compiled)))
        with report.stage("routes"):
            result = replace(result, routes=routes_of(compiled, job.source))
        if options.check:
            _check(job, compiled, report)
        with report.stage(WRITE):
            files = tuple(_files(job, options, compiled, packed))
    except LeakError as error:
        result = replace(result, error=str(error), leak=error.trail)
        files = (_trail_file(job, error.trail),)
    except AasError as error:
        result = replace(result, error=str(error))
    except MemoryError:
        result = replace(result, error=f"{job.source}: out of memory")
    peaks = [stage.peak_mb for stage in report.stages if stage.peak_mb is not None]
    result = replace(
        result,
        seconds=round(time.perf_counter() - start, 6),
        peak_mb=round(max(peaks), 1) if peaks else None,
        dropped=tuple(report.dropped),
        warnings=tuple(report.warnings),
        stages=report.timings(),
    )
    return Made(result, files)


def write_files(made: Made, threads: int = 1) -> MapResult:
    """Write the files of a map, with several threads at the same time. The time counts as that of its last stage."""
    start = time.perf_counter()
    result = made.result

    def write(first: int, last: int) -> str | None:
        try:
            write_atomically(*made.files[first])
        except StoreError as error:
            return str(error)
        return None

    with signals_blocked():  # in all threads: none of them may leave a temporary file
        faults = over_ranges(write, len(made.files), 1, threads)
    written = tuple(path for (path, _), fault in zip(made.files, faults, strict=True) if fault is None)
    result = replace(result, files=written, error=next(filter(None, faults), result.error))
    if not result.error and not result.leak:
        _remove_trail(result.files)
    took = time.perf_counter() - start
    stages = tuple(
        replace(stage, seconds=round(stage.seconds + took, 6)) if stage.name == WRITE else stage
        for stage in result.stages
    )
    return replace(result, seconds=round(result.seconds + took, 6), stages=stages)


def worker_died(task: CompileTask, error: str) -> MapResult:
    """Result of a map whose worker process ended without returning one."""
    return MapResult(task.source, error)


def _compiled(job: Job, source: MapSource | str, options: CompileOptions, report: Report) -> Compiled:
    """Run the whole pipeline, or only its last stages on the existing output."""
    if (options.links is not None or options.shaders) and not isinstance(source, MapSource):
        source = read_map_file(source, options.links, options.shaders)
    if options.cache is not None:
        from aascompile.cached import compile_cached

        return compile_cached(
            source, options.settings, report, options.cache, options.threads, options.quality, options.allow_leak
        )
    if not options.reach_only and not options.clusters_only:
        return compile_map(source, options.settings, report, options.threads, options.quality, options.allow_leak)
    from aascompile.store.hdf import read_compiled

    with report.stage("load"):
        old = read_compiled(job.output)
    return compile_again(
        source, old, job.output, options.settings, report, options.threads, clusters_only=options.clusters_only
    )


def _with_checksum(compiled: Compiled, checksum: int | None) -> Compiled:
    """The result with another checksum, if one is given."""
    if checksum is None:
        return compiled
    return replace(compiled, provenance=replace(compiled.provenance, checksum=checksum))


def _with_sight(compiled: Compiled, report: Report, threads: int) -> Compiled:
    """The result with what areas see."""
    from aascompile.nav.sight import make_sight

    with report.stage("sight") as stage:
        sight = make_sight(compiled, threads)
        stage.count(views=len(sight))
    return replace(compiled, sight=sight)


def _observer(job: Job, options: CompileOptions) -> Callable[[str, Records], None] | None:
    """Function that checks and draws the result of each stage as it ends, if the options ask for it."""
    if not options.dumps and not options.check:
        return None

    def observe(stage: str, records: Records) -> None:
        for path in [dump.path(job) for dump in options.dumps if dump.stage == stage]:
            from aascompile.dump import draw, encode

            write_atomically(path, encode(draw(stage, records), os.path.splitext(path)[1].lower()))
        if options.check:
            from aascompile.checks.check_stages import require_sound

            require_sound(job.source, stage, records)

    return observe


def make_folder(output: str) -> None:
    """Create the output folder; StoreError, before any work is done, if the output cannot be written there."""
    folder = os.path.dirname(output) or "."
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be created ({(error.strerror or 'unknown reason').lower()})") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(f"{folder}: cannot be written to")
    if os.path.isdir(output):
        raise StoreError(f"{output}: is a folder")


def _check(job: Job, compiled: Compiled, report: Report) -> None:
    """Check the result against the data model."""
    from aascompile.checks.check_compiled import failures, require_none

    with report.stage("check") as stage:
        found = failures(compiled)
        stage.count(failed=len(found))
    require_none(found, job.source)


def _packed(compiled: Compiled, options: CompileOptions) -> bytes | None:
    """Bytes of the compiled file, if it is to be written."""
    if not options.compiled_file:
        return None
    from aascompile.store.hdf import compiled_bytes

    return compiled_bytes(compiled, options.threads)


def _files(
    job: Job, options: CompileOptions, compiled: Compiled, packed: Begun[bytes | None]
) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of each output file of a map."""
    if options.engine:
        from aascompile.store.engine import for_engine, write_engine

        # The other file, if there is one, is not made of a broken map: then neither is written.
        sound = compiled if options.compiled_file else None
        yield job.beside(".aas"), write_engine(for_engine(compiled), optimize=options.optimize, sound=sound)
    if len(compiled.leak):
        yield _trail_file(job, compiled.leak.tolist())
    ours = packed.result()
    if ours is not None:
        yield job.output, ours


def _remove_trail(files: Sequence[str]) -> None:
    """Remove the point file of a leak that is closed now. Editors would still show it."""
    for path in {without_ending(path) + TRAIL.endings[0] for path in files}:
        if is_of_kind(path, TRAIL):
            with suppress(OSError):
                os.unlink(path)


def _trail_file(job: Job, trail: Sequence[Sequence[float]]) -> tuple[str, bytes]:
    """The trail of a leak as a point file, one point per line, as map editors read it."""
    lines = [" ".join(f"{value:.6f}".rstrip("0").rstrip(".") for value in point) + "\n" for point in trail]
    return job.beside(".lin"), "".join(lines).encode()
