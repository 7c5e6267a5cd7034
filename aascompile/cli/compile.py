"""The command ``aascompile``: compile maps."""

from __future__ import annotations

import sys

import click

from aascompile.cli.common import (
    CONTEXT,
    FAILED,
    chosen_settings,
    cores,
    emit,
    maps_argument,
    plain,
    quiet_option,
    run,
    say_error,
    settings_options,
    version_option,
)
from aascompile.cli.maps import named_maps
from aascompile.cli.outputs import DRAWINGS, DRAWN, Dump, parse_dump, plan
from aascompile.cli.progress import Progress


def _dumps(ctx: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> tuple[Dump, ...]:
    """The values of --dump."""
    return tuple(parse_dump(text) for text in texts)


@click.command(context_settings=CONTEXT)
@maps_argument
@click.option("-o", "--output", metavar="OUT", type=click.Path(), help="File, or folder for several maps, to write.")
@click.option("--aas", "engine", is_flag=True, help="Also write the engine's binary .aas beside the output.")
@settings_options
@click.option("--threads", type=click.IntRange(1, 256), help="Threads to work in (default: one for each core).")
@click.option("--quality", is_flag=True, help="Search longer for fewer areas.")
@click.option("--allow-leak", is_flag=True, help="Compile a map that is not closed: it is closed at its bounds.")
@click.option("--check", is_flag=True, help="Check what was made against the requirements of the data model.")
@click.option(
    "--dump", "dumps", metavar="STAGE[=FILE]", multiple=True, callback=_dumps,
    help=f"Draw what a stage made into a {' or '.join(DRAWINGS)} file. Stages: {', '.join(DRAWN)}.",
)  # fmt: skip
@click.option("-v", "--verbose", is_flag=True, help="Show time, memory and counts of every stage.")
@click.option("--json", "as_json", is_flag=True, help="The report as a JSON list with an object for each map.")
@quiet_option
@version_option
@click.pass_context
def compile_maps(
    ctx: click.Context,
    /,
    maps: tuple[str, ...],
    output: str | None,
    settings_file: str | None,
    preset: str | None,
    threads: int | None,
    dumps: tuple[Dump, ...],
    verbose: bool,
    as_json: bool,
    quiet: bool,
    **flags: bool,
) -> None:
    """Compile Quake III maps into the Area Awareness System.

    MAP is a .bsp (IBSP 46 or 47) or .map file, a map inside an archive (pak.pk3/maps/x.bsp), or a pattern for either
    (pak.pk3/maps/*.bsp). Of x.bsp comes x.aas.hdf beside it, or in the current folder if the map is in an archive.

    A map whose entities can get outside it leaks: nothing is written but the way out, as x.lin, which map editors show.
    A file appears under its name when it is complete, or not at all. One map that fails does not stop the others.
    """
    from aascompile.cli.one_map import Wanted, compile_one, report_lines

    wanted = Wanted(chosen_settings(settings_file, preset), threads or cores(), dumps=dumps, **flags)
    sources, failed = named_maps(maps)
    if len(sources) > 1 and any(dump.file for dump in dumps):
        raise click.UsageError("--dump STAGE=FILE is for one map; with several, leave out FILE")
    jobs = plan(sources, output)
    progress = Progress(quiet, len(jobs))
    width = max((len(plain(job.source, 4096)) for job in jobs), default=0)
    objects = []
    for number, job in enumerate(jobs):
        try:
            done = compile_one(job, wanted, progress.watcher(number, plain(job.source)))
        finally:
            progress.clear()
        failed = failed or bool(done["error"])
        objects.append(done)
        if done["error"]:
            say_error(done["error"])
        if not as_json:
            emit("\n".join(report_lines(done, width, heading=number == 0, verbose=verbose)))
    if as_json:
        import json

        emit(json.dumps(objects, indent=2))
    if failed:
        ctx.exit(FAILED)


def main() -> None:
    """Entry point."""
    sys.exit(run(compile_maps, "aascompile"))
