"""``aas check``: whether compiled files are what the data model says."""

from __future__ import annotations

import json
from typing import Any

import click

from aascompile.cli.common import CONTEXT, FAILED, emit, plain, say_error
from aascompile.errors import AasError
from aascompile.threads import cores

MOST_ROWS = 100
"""Offending rows of a requirement that --json names."""


@click.command(context_settings=CONTEXT)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path())
@click.option("--replay", is_flag=True, help="Also let a predicted player take every way on foot, by jump and by pad.")
@click.option(
    "--least", type=click.FloatRange(0.0, 1.0), default=0.99, show_default=True,
    help="Share of replayed links that must lead where they say.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="A JSON list with an object for each file that can be read.")
@click.pass_context
def check(ctx: click.Context, files: tuple[str, ...], replay: bool, least: float, as_json: bool) -> None:
    """Check compiled files against the requirements of the data model.

    FILE is a compiled file (x.aas.hdf) or the engine's own (x.aas). Each requirement that does not hold is a line with
    its number in docs/data-model.md and the first rows of which it does not; then the exit code is 1. When starts or
    row numbers are broken, these alone are shown, since nothing else can be looked at.

    With --replay, a player moved by the game's own rules takes each walk, crouch, barrier jump, jump, ledge, water jump
    and jump pad of the file from its start. Shares by kind are shown, and the links that miss by most; fewer than
    --least make the exit code 1.
    """
    from aascompile.checks.check_compiled import REQUIREMENTS, failures
    from aascompile.checks.check_structure import STRUCTURE
    from aascompile.cli.replay import replay_file, replay_lines
    from aascompile.store.read import load_compiled

    objects: list[dict[str, Any]] = []
    failed = False
    for path in files:
        try:
            compiled = load_compiled(path, check=False)
            found = failures(compiled)
            sound = not found or found[0].requirement not in STRUCTURE
            replayed = replay_file(path, compiled, cores()) if replay and sound else None
        except AasError as error:
            say_error(error)
            failed = True
            continue
        failed = failed or bool(found) or (replayed is not None and replayed["share"] < least)
        if as_json:
            wrong = [
                {
                    "id": one.requirement.id,
                    "table": one.requirement.table,
                    "requirement": one.requirement.text,
                    "count": len(one.rows),
                    "rows": one.rows[:MOST_ROWS].tolist(),
                }
                for one in found
            ]
            objects.append({"file": path, "ok": not found, "failed": wrong} | ({"replay": replayed} if replay else {}))
            continue
        told = f"{len(found)} of {len(REQUIREMENTS)} requirements do not hold" if found else "all requirements hold"
        lines = [f"{plain(path, 4096)}: {told}", *(f"  {one.sentence()}" for one in found)]
        emit("\n".join([*lines, *(replay_lines(replayed, least) if replayed is not None else ())]))
    if as_json:
        emit(json.dumps(objects, indent=2))
    if failed:
        ctx.exit(FAILED)
