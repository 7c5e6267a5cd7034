"""Compiling one map: running the pipeline, writing its files, and saying what came of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aascompile.cli.common import plain
from aascompile.cli.maps import size_of
from aascompile.cli.outputs import Dump, Job
from aascompile.cli.progress import Progress
from aascompile.cli.route_report import routes_of
from aascompile.cli.workers import WorkerDied, run_all
from aascompile.errors import AasError, LeakError, StoreError
from aascompile.model.areas import AreaFlag
from aascompile.model.compiled import Compiled
from aascompile.pipeline import compile_again, compile_map
from aascompile.report import Records, Report
from aascompile.settings import Settings
from aascompile.store.files import write_whole


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


class CheckError(AasError):
    """What was made is not what the data model says."""


def compile_one(job: Job, wanted: Wanted, watch: Callable[[str], None] | None = None) -> dict[str, Any]:
    """Compile a map and write its files; answers what is to be said of it, in JSON's types with keys that stay.

    Whatever is wrong with the map, or with where it is to be written, is the answer's "error".
    """
    began = time.perf_counter()
    report = Report(job.source, watch, _observer(job, wanted))
    done: dict[str, Any] = {"map": job.source, "error": None, "files": [], "leak": [], "counts": {}, "routes": None}
    try:
        _make_folder(job.output)
        compiled = _compiled(job, wanted, report)
        done["counts"] = counts(compiled)
        done["leak"] = compiled.leak.tolist()
        with report.stage("routes"):
            done["routes"] = routes_of(compiled)
        if wanted.check:
            _check(job, compiled, report)
        with report.stage("write"):
            done["files"] = list(_write(job, wanted, compiled))
    except LeakError as error:
        done["error"] = str(error)
        done["leak"] = [list(point) for point in error.trail]
        done["files"] = _write_trail(job, error.trail)
    except AasError as error:
        done["error"] = str(error)
    except MemoryError:
        done["error"] = f"{job.source}: needs more memory than there is"
    said = report.to_dict()
    peaks = [stage.peak_mb for stage in report.stages if stage.peak_mb is not None]
    return done | {
        "seconds": round(time.perf_counter() - began, 6),
        "peak_mb": round(max(peaks), 1) if peaks else None,
        "dropped": said["dropped"],
        "warnings": said["warnings"],
        "stages": said["stages"],
    }


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


def compile_all(jobs: Sequence[Job], wanted: Wanted, at_a_time: int, quiet: bool) -> Iterator[dict[str, Any]]:
    """Compile maps, some at a time; answers what is to be said of each, in their order, as soon as that is known."""
    sizes = [size_of(job.source) for job in jobs] if len(jobs) > 1 else [0] * len(jobs)
    progress = Progress(quiet, len(jobs), sizes=sizes)
    watchers = [progress.watcher(number, plain(os.path.basename(job.source))) for number, job in enumerate(jobs)]
    items = [(job, wanted) for job in jobs]
    if at_a_time > 1 and len(jobs) > 1:
        import_ahead()
    ended: dict[int, dict[str, Any]] = {}
    told = 0
    try:
        for number, done in run_all(_compile_item, items, at_a_time, sizes, watchers.__getitem__):
            progress.ended(number)
            ended[number] = _died(jobs[number], done) if isinstance(done, WorkerDied) else done
            while told in ended:
                progress.clear()
                yield ended.pop(told)
                told += 1
    finally:
        progress.clear()


def import_ahead() -> None:
    """Import what compiling imports when it needs it: once, before there are workers."""
    import h5py  # noqa: F401

    import aascompile.mapio.ibsp
    import aascompile.nav.unreached
    import aascompile.store.hdf  # noqa: F401


def _compile_item(item: tuple[Job, Wanted], watch: Callable[[str], None]) -> dict[str, Any]:
    """What a worker does."""
    return compile_one(*item, watch)


def _died(job: Job, how: WorkerDied) -> dict[str, Any]:
    """What is to be said of a map whose worker is gone."""
    return {
        "map": job.source, "error": f"{job.source}: {how}", "files": [], "leak": [], "counts": {}, "routes": None,
        "seconds": 0.0, "peak_mb": None, "dropped": [], "warnings": [], "stages": [],
    }  # fmt: skip


def counts(compiled: Compiled) -> dict[str, int]:
    """How much of everything there is; -1 for what was not computed."""
    areas, links, clusters = compiled.areas, compiled.links, compiled.clusters

    def flagged(flag: AreaFlag) -> int:
        return int(np.count_nonzero(areas.area_flags & np.uint32(flag)))

    return {
        "areas": len(areas),
        "grounded": flagged(AreaFlag.GROUNDED),
        "liquid": flagged(AreaFlag.LIQUID),
        "ladder": flagged(AreaFlag.LADDER),
        "faces": len(areas.face_plane),
        "edges": len(areas.edge),
        "vertices": len(areas.vertex),
        "nodes": len(areas.node_plane),
        "links": -1 if links is None else len(links),
        "clusters": -1 if clusters is None else len(clusters),
        "portals": -1 if clusters is None else len(clusters.portal_area),
    }


def _observer(job: Job, wanted: Wanted) -> Callable[[str, Records], None] | None:
    """Checks every stage, and draws those that were asked for, as they end."""
    if not wanted.dumps and not wanted.check:
        return None

    def observe(stage: str, records: Records) -> None:
        for path in [dump.path(job) for dump in wanted.dumps if dump.stage == stage]:
            from aascompile.dump import draw, encode

            write_whole(path, encode(draw(stage, records), os.path.splitext(path)[1].lower()))
        if wanted.check:
            from aascompile.checks.check_stages import stage_faults

            for fault in stage_faults(records):
                raise CheckError(f"{job.source}: what '{stage}' made is wrong: {fault}")

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
    from aascompile.checks.check_compiled import failures

    with report.stage("check") as stage:
        found = failures(compiled)
        stage.count(failed=len(found))
    if found:
        raise CheckError(
            f"{job.source}: {found[0].sentence()}" + (f" (and {len(found) - 1} more)" if found[1:] else "")
        )


def _write(job: Job, wanted: Wanted, compiled: Compiled) -> Iterator[str]:
    """Write all files of a map; answers their names."""
    from aascompile.store.hdf import write_compiled

    if wanted.engine:
        from aascompile.store.engine import write_engine

        engine = job.beside(".aas")
        write_whole(engine, write_engine(compiled))
        yield engine
    if len(compiled.leak):
        yield from _write_trail(job, compiled.leak.tolist())
    write_compiled(job.output, compiled)
    yield job.output


def _write_trail(job: Job, trail: Sequence[Sequence[float]]) -> list[str]:
    """The way out as a point file, a point a line, as map editors read it."""
    path = job.beside(".lin")
    lines = [" ".join(f"{value:.6f}".rstrip("0").rstrip(".") for value in point) + "\n" for point in trail]
    write_whole(path, "".join(lines).encode())
    return [path]
