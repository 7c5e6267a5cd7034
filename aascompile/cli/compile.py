"""The command ``aascompile``: compile maps."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from aascompile.cli.common import (
    CONTEXT,
    FAILED,
    chosen_settings,
    emit,
    gathered,
    maps_argument,
    plain,
    quiet_option,
    run,
    say_error,
    settings_options,
    version_option,
)
from aascompile.cli.maps import named_maps
from aascompile.cli.outputs import DRAWINGS, Dump, parse_dump, plan
from aascompile.cli.workers import alone_in_threads, threads_each
from aascompile.stages import DRAWN, Phase, names

if TYPE_CHECKING:
    from aascompile.cli.one_map import Wanted


def _dumps(ctx: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> tuple[Dump, ...]:
    """The values of --dump."""
    return tuple(parse_dump(text) for text in texts)


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says; help texts tell what each means."""

    maps: tuple[str, ...]
    output: str | None
    engine: bool
    settings_file: str | None
    preset: str | None
    threads: int | None
    jobs: int
    quality: bool
    allow_leak: bool
    reach_only: bool
    clusters_only: bool
    check: bool
    dumps: tuple[Dump, ...]
    verbose: bool
    as_json: bool
    quiet: bool

    @property
    def kept(self) -> tuple[str, ...]:
        """Names of the stages that are not run again."""
        if self.clusters_only:
            return names(Phase.DIVIDING, Phase.LINKING)
        return names(Phase.DIVIDING) if self.reach_only else ()


@click.command(context_settings=CONTEXT)
@maps_argument
@click.option("-o", "--output", metavar="OUT", type=click.Path(), help="File, or folder for several maps, to write.")
@click.option("--aas", "engine", is_flag=True, help="Also write the engine's binary .aas beside the output.")
@settings_options
@click.option("--threads", type=click.IntRange(1, 256), help="Threads for each map (default: one for each core).")
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, show_default=True,
    help="Maps to compile at a time, in processes of their own; they share the threads.",
)  # fmt: skip
@click.option("--quality", is_flag=True, help="Search longer for fewer areas.")
@click.option("--allow-leak", is_flag=True, help="Compile a map that is not closed: it is closed at its bounds.")
@click.option("--reach-only", is_flag=True, help="Keep the areas of the output, which exists: only links and clusters.")
@click.option("--clusters-only", is_flag=True, help="Keep the areas and links of the output, which exists.")
@click.option("--check", is_flag=True, help="Check what was made against the requirements of the data model.")
@click.option(
    "--dump", "dumps", metavar="STAGE[=FILE]", multiple=True, callback=_dumps,
    help=f"Draw what a stage made into a {' or '.join(DRAWINGS)} file. Stages: {', '.join(DRAWN)}.",
)  # fmt: skip
@click.option("-v", "--verbose", is_flag=True, help="Show time, memory and counts of every stage.")
@click.option("--json", "as_json", is_flag=True, help="The report as a JSON list with an object for each map.")
@quiet_option
@version_option
@gathered(Options)
def compile_maps(ctx: click.Context, asked: Options) -> None:
    """Compile Quake III maps into the Area Awareness System.

    MAP is a .bsp (IBSP 46 or 47) or .map file, a map inside an archive (pak.pk3/maps/x.bsp), or a pattern for either
    (pak.pk3/maps/*.bsp). Of x.bsp comes x.aas.hdf beside it, or in the current folder if the map is in an archive.

    A map whose entities can get outside it leaks: nothing is written but the way out, as x.lin, which map editors show.
    A file appears under its name when it is complete, or not at all. One map that fails does not stop the others.

    With --reach-only or --clusters-only the output must exist and fit the map: entities may have changed, geometry may
    not. What comes out is the same as from a compile of everything.

    Of several maps, what the mapper should know of each comes first, and the table of all last.

    With --jobs the largest maps are begun first; what is said, and all files, are the same as with one job.
    """
    alone_in_threads(asked.jobs)
    from aascompile.cli.compile_report import note_lines, table_lines
    from aascompile.cli.json_types import json_text
    from aascompile.cli.one_map import CompileTask, Done, compile_one, died
    from aascompile.cli.over_maps import over_maps

    if asked.reach_only and asked.clusters_only:
        raise click.UsageError("--reach-only and --clusters-only exclude each other")
    for dump in asked.dumps:
        if dump.stage in asked.kept:
            raise click.UsageError(f"--dump {dump.stage}: this stage is not run again")
    sources, failed = named_maps(asked.maps)
    if len(sources) > 1 and any(dump.file for dump in asked.dumps):
        raise click.UsageError("--dump STAGE=FILE is for one map; with several, leave out FILE")
    planned = plan(sources, asked.output)
    wanted = _wanted(asked, len(planned))
    tasks = [CompileTask(job, wanted) for job in planned]
    every: list[Done] = []
    began = time.perf_counter()
    for done in over_maps(compile_one, tasks, asked.jobs, asked.quiet, died):
        if done.error:
            failed = True
            say_error(done.error)
        every.append(done)
        notes = [] if asked.as_json or len(tasks) == 1 else list(note_lines(done, asked.verbose))
        if notes:
            emit("\n".join([click.style(plain(done.map, 4096), bold=True), *notes]))
    if every and not asked.as_json:
        alone = len(every) == 1
        # A single map that failed needs no table: the error is already there.
        table = () if alone and every[0].error else table_lines(every, time.perf_counter() - began)
        lines = [*table, *(note_lines(every[0], asked.verbose) if alone else [])]
        if lines:
            emit("\n".join(lines))
    if asked.as_json:
        emit(json_text(every))
    if failed:
        ctx.exit(FAILED)


def _wanted(asked: Options, maps: int) -> Wanted:
    """What is asked for each of so many maps."""
    from aascompile.cli.one_map import Wanted

    return Wanted(
        settings=chosen_settings(asked.settings_file, asked.preset),
        threads=threads_each(asked.jobs, maps, asked.threads),
        dumps=asked.dumps,
        quality=asked.quality,
        allow_leak=asked.allow_leak,
        engine=asked.engine,
        check=asked.check,
        reach_only=asked.reach_only,
        clusters_only=asked.clusters_only,
    )


def main() -> None:
    """Entry point."""
    sys.exit(run(compile_maps, "aascompile"))
