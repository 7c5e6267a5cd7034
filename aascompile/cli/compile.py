"""The command ``aascompile``: compile maps."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

import click

from aascompile.cli.common import (
    CONTEXT,
    FAILED,
    Bold,
    chosen_settings,
    emit,
    emit_json,
    end_process,
    maps_argument,
    print_error,
    quiet_option,
    run,
    settings_options,
    shaders_option,
    version_option,
    with_record,
)
from aascompile.cli.imports import quick_imports
from aascompile.cli.maps import named_maps
from aascompile.cli.outputs import DRAWINGS, Dump, Job, parse_dump, plan
from aascompile.cli.targets import COMPILED, DRAWING, ENGINE, TRAIL, checked, force_option
from aascompile.cli.workers import share_interpreter, threads_per_worker
from aascompile.records import dataclass
from aascompile.stages import DRAWN, Phase, names
from aascompile.store.files import CACHE_LIMIT
from aascompile.watchdog import Ceilings

if TYPE_CHECKING:
    from aascompile.cli.compile_task import CompileOptions, CompileTask
    from aascompile.cli.watch import Watched


REPORTING = (
    "aascompile.cli.route_report", "aascompile.nav.counts", "aascompile.cli.compile_report", "aascompile.store.engine",
    "aascompile.store.hdf",
)  # fmt: skip
"""Modules that are needed after a compile."""


def _dumps(ctx: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> tuple[Dump, ...]:
    """Parse the values of --dump."""
    return tuple(parse_dump(text) for text in texts)


@dataclass(frozen=True, slots=True)
class Options:
    """Options of the command line. Their help texts explain them."""

    maps: tuple[str, ...]
    output: str | None
    engine: bool
    optimize: bool
    sight: bool
    checksum_of: str | None
    links: str | None
    shaders: tuple[str, ...]
    extension: str
    settings_file: str | None
    preset: str | None
    mode: str | None
    threads: int | None
    jobs: int
    dask: str | None
    max_memory: float | None
    max_seconds: float | None
    quality: bool
    allow_leak: bool
    cache: str | None
    cache_size: int
    reach_only: bool
    clusters_only: bool
    check: bool
    watch: bool
    dumps: tuple[Dump, ...]
    verbose: bool
    as_json: bool
    quiet: bool
    force: bool

    @property
    def limits(self) -> Ceilings | None:
        """Limits of each map; None without any."""
        given = self.max_memory is not None or self.max_seconds is not None
        return Ceilings(self.max_memory, self.max_seconds) if given else None

    @property
    def skipped(self) -> tuple[str, ...]:
        """Names of the stages that are skipped."""
        if self.clusters_only:
            return names(Phase.DIVIDING, Phase.LINKING)
        return names(Phase.DIVIDING) if self.reach_only else ()


@click.command(context_settings=CONTEXT)
@maps_argument
@click.option("-o", "--output", metavar="OUT", type=click.Path(), help="File to write, or folder for several maps.")
@click.option("--aas", "engine", is_flag=True, help="Also write the engine's .aas file beside the output.")
@click.option(
    "--optimize",
    is_flag=True,
    help="Write the .aas file without the faces that bots do not need: about a third of the size. Implies --aas.",
)
@click.option("--sight", is_flag=True, help="Also measure which areas see which, and store it in the output.")
@click.option(
    "--checksum-of",
    metavar="BSP",
    type=click.Path(),
    help="Store the checksum of this .bsp, which the game will load, if MAP is a simplified copy of it.",
)
@click.option(
    "--links", metavar="FILE", type=click.Path(),
    help="Side file with links and volumes made by hand (default: x.links.toml beside x.bsp, if it exists).",
)  # fmt: skip
@shaders_option
@click.option("--ext", "extension", metavar="TEXT", default="", help="Add TEXT to the names of the output files.")
@settings_options
@click.option("--threads", type=click.IntRange(1, 256), help="Threads per map (default: one per core).")
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, show_default=True,
    help="Number of maps to compile at the same time, in separate processes; they share the cores.",
)  # fmt: skip
@click.option(
    "--dask", metavar="ADDRESS",
    help="Compile on the Dask cluster of this scheduler (tcp://host:8786). Needs the extra aascompile[farm].",
)  # fmt: skip
@click.option(
    "--max-memory", metavar="MB", type=click.FloatRange(1.0, 1 << 24),
    help="Give up a map that needs more memory than this, with everything that the process needs itself.",
)  # fmt: skip
@click.option(
    "--max-seconds", metavar="SECONDS", type=click.FloatRange(0.0, 1 << 24, min_open=True),
    help="Give up a map that takes longer than this.",
)  # fmt: skip
@click.option("--quality", is_flag=True, help="Search longer for fewer areas.")
@click.option("--allow-leak", is_flag=True, help="Compile a leaking map, with walls at its bounds.")
@click.option(
    "--cache", metavar="DIR", type=click.Path(),
    help="Folder that keeps results: maps that were compiled before are taken from it, and maps whose entities alone "
    "have changed keep their areas.",
)  # fmt: skip
@click.option(
    "--cache-size", metavar="MB", type=click.IntRange(1, 1 << 20), default=CACHE_LIMIT >> 20, show_default=True,
    help="Size that the folder of --cache may have; results unused for longest are deleted.",
)  # fmt: skip
@click.option("--reach-only", is_flag=True, help="Keep the areas of the existing output; recompute links and clusters.")
@click.option(
    "--clusters-only", is_flag=True, help="Keep the areas and links of the existing output; recompute clusters."
)
@click.option("--check", is_flag=True, help="Check the result against the requirements of the data model.")
@click.option("--watch", is_flag=True, help="Compile maps again whenever they change, and say what has changed.")
@click.option(
    "--dump", "dumps", metavar="STAGE[=FILE]", multiple=True, callback=_dumps,
    help=f"Draw the result of a stage into a {' or '.join(DRAWINGS)} file. Stages: {', '.join(DRAWN)}.",
)  # fmt: skip
@click.option("-v", "--verbose", is_flag=True, help="Show time, memory and counts of every stage.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as a JSON list with an object for each map.")
@quiet_option
@force_option
@version_option
@with_record(Options)
def compile_maps(ctx: click.Context, options: Options) -> None:
    """Compile Quake III maps into the Area Awareness System.

    MAP is a .bsp (IBSP 46, 47 or 38, RBSP, FBSP) or .map file, a map inside an archive (pak.pk3/maps/x.bsp), or a
    pattern for either (pak.pk3/maps/*.bsp). The output of x.bsp is x.aas.hdf: beside the map, or in the current folder
    if the map is in an archive.

    A map leaks if its entities can reach the outside. It is not compiled; only the path out is written, as x.lin, which
    map editors can show. An output file is written completely or not at all. A map that fails does not stop the others.

    With --reach-only or --clusters-only the output must exist and match the map: entities may have changed, geometry
    may not. The result is the same as that of a full compile.

    What the mapper adds by hand (links, volumes that bots avoid, cost factors, cluster portals) is read from entities
    of the map and from x.links.toml beside it, or in its archive; docs/links.md describes both.

    With several maps, the notes on each map are printed first and a table of all maps last.

    With --cache the result is the same as without it. Several commands may use the folder at the same time.

    With --dask, maps are sent to the workers as bytes, and files come back as bytes: workers need no access to the
    folders of this machine. They must run the same aascompile. A map whose worker dies is compiled by another worker.
    The folder of --cache is then one on the workers' machines.

    With --watch, the command goes on until it is interrupted. Maps that were saved are compiled again, in a fraction of
    a second if only entities have changed, and a line says how many areas and links are new, gone or changed.

    With --max-memory or --max-seconds, each map is compiled in a process of its own, which ends if it exceeds a limit.
    The map then counts as failed, and the others go on.

    With --jobs, the largest maps are started first. The output is the same as with one job.
    """
    _require_fitting(options)
    with quick_imports():
        from aascompile.cli.compile_task import CompileTask, MapResult, compile_and_write, worker_died
        from aascompile.cli.over_maps import over_maps
        from aascompile.pipeline import LATER

    sources, failed = named_maps(options.maps)
    if len(sources) > 1 and any(dump.file for dump in options.dumps):
        raise click.UsageError("--dump STAGE=FILE takes a single map; with several, leave out FILE")
    if options.checksum_of and len(sources) > 1:
        raise click.UsageError("--checksum-of takes a single map")
    if options.links and len(sources) > 1:
        raise click.UsageError("--links takes a single map; each map has its own x.links.toml beside it")
    planned = plan(sources, options.output, options.extension)
    _check_targets(planned, options)
    if planned:
        with quick_imports():
            for module in (*LATER, *REPORTING):
                import_module(module)
    compile_options = _compile_options(options, len(planned))
    if options.watch and not options.cache:
        from aascompile.cli.watch import own_cache

        compile_options = replace(compile_options, cache=ctx.with_resource(own_cache()))
    tasks = [CompileTask(job, compile_options) for job in planned]
    watched = _watched(tasks) if options.watch else []
    results: list[MapResult] = []
    start = time.perf_counter()
    runner = None
    if options.dask:
        from aascompile.cli.on_farm import runner_on_farm

        runner = runner_on_farm(options.dask)
    share_interpreter()
    for result in over_maps(compile_and_write, tasks, options.jobs, options.quiet, worker_died, runner, options.limits):
        if result.error:
            failed = True
            print_error(result.error)
        results.append(result)
        from aascompile.cli.compile_report import note_lines

        notes = [] if options.as_json or len(tasks) == 1 else list(note_lines(result, options.verbose))
        if notes:
            emit(Bold(result.map), *notes)
    if results and not options.as_json:
        from aascompile.cli.compile_report import note_lines, table_lines, written_lines

        single = len(results) == 1
        # A single map that failed needs no table: its error has been printed.
        table = () if single and results[0].error else table_lines(results, time.perf_counter() - start)
        notes = list(note_lines(results[0], options.verbose, alone=True)) if single else []
        lines = [*table, *notes, *written_lines(results)]
        if lines:
            emit(*lines)
    if options.as_json:
        emit_json(results)
    if watched:
        from aascompile.cli.watch import watch_maps

        watch_maps(watched, options.verbose)
    if failed:
        ctx.exit(FAILED)


def _check_targets(planned: Sequence[Job], options: Options) -> None:
    """Fail, before any work, if an output would overwrite an input or a file of another kind."""
    for job in planned:
        kinds = [(job.output, COMPILED), (job.beside(".lin"), TRAIL)]
        if options.engine or options.optimize:
            kinds.append((job.beside(".aas"), ENGINE))
        kinds += [(dump.path(job), DRAWING) for dump in options.dumps]
        for path, kind in kinds:
            inputs = [job.source, *options.shaders, *([options.links] if options.links else [])]
            checked(path, kind, inputs, force=options.force)


def _require_fitting(options: Options) -> None:
    """Raise a UsageError if options cannot be combined."""
    if options.reach_only and options.clusters_only:
        raise click.UsageError("--reach-only and --clusters-only cannot be combined")
    stages = bool(options.reach_only or options.clusters_only or options.dumps)
    for name, given in (("--cache", options.cache), ("--dask", options.dask), ("--watch", options.watch)):
        if given and stages:
            raise click.UsageError(f"{name} cannot be combined with --reach-only, --clusters-only or --dump")
    if options.limits is not None and (options.dask or options.watch):
        raise click.UsageError("--max-memory and --max-seconds cannot be combined with --dask or --watch")
    if options.watch and (options.dask or options.as_json):
        raise click.UsageError("--watch cannot be combined with --dask or --json")
    for dump in options.dumps:
        if dump.stage in options.skipped:
            raise click.UsageError(f"--dump {dump.stage}: this stage is skipped")


def _watched(tasks: Sequence[CompileTask]) -> list[Watched]:
    """The maps of a command, watched from now on."""
    from aascompile.cli.watch import Watched

    return [Watched(task) for task in tasks]


def checksum_of(path: str) -> int:
    """The engine's checksum of a .bsp file, which may be in an archive."""
    from aascompile.errors import MapError
    from aascompile.mapio.load import read_map_file
    from aascompile.mapio.md4 import engine_checksum

    source = read_map_file(path)
    if not source.name.lower().endswith(".bsp"):
        raise MapError(source.name, "has no checksum; expected a .bsp file")
    return engine_checksum(source.data)


def _compile_options(options: Options, maps: int) -> CompileOptions:
    """Options that apply to each of ``maps`` maps."""
    from aascompile.cli.compile_task import CompileOptions

    cache = None
    if options.cache:
        from aascompile.store.cache import Cache

        cache = Cache(options.cache, options.cache_size << 20)
    return CompileOptions(
        settings=chosen_settings(options.settings_file, options.preset, options.mode),
        threads=options.threads or 1 if options.dask else threads_per_worker(options.jobs, maps, options.threads),
        dumps=options.dumps,
        quality=options.quality,
        allow_leak=options.allow_leak,
        engine=options.engine or options.optimize,
        check=options.check,
        reach_only=options.reach_only,
        clusters_only=options.clusters_only,
        optimize=options.optimize,
        sight=options.sight,
        checksum=checksum_of(options.checksum_of) if options.checksum_of else None,
        cache=cache,
        links=options.links,
        shaders=options.shaders,
    )


def main() -> None:
    """Entry point."""
    end_process(run(compile_maps, "aascompile"))
