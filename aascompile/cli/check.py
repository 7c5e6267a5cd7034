"""``aas check``: whether compiled files are what the data model says."""

from __future__ import annotations

import json
from typing import Any

import click

from aascompile.cli.common import CONTEXT, FAILED, emit, plain, say_error
from aascompile.errors import StoreError

MOST_ROWS = 100
"""Offending rows of a requirement that --json names."""


@click.command(context_settings=CONTEXT)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="A JSON list with an object for each file that can be read.")
@click.pass_context
def check(ctx: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Check compiled files against the requirements of the data model.

    FILE is a compiled file (x.aas.hdf) or the engine's own (x.aas). Each requirement that does not hold is a line with
    its number in docs/data-model.md and the first rows of which it does not; then the exit code is 1. When starts or
    row numbers are broken, these alone are shown, since nothing else can be looked at.
    """
    from aascompile.model.checks import REQUIREMENTS, failures
    from aascompile.store.load import load_compiled

    objects: list[dict[str, Any]] = []
    failed = False
    for path in files:
        try:
            found = failures(load_compiled(path, check=False))
        except StoreError as error:
            say_error(error)
            failed = True
            continue
        failed = failed or bool(found)
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
            objects.append({"file": path, "ok": not found, "failed": wrong})
            continue
        told = f"{len(found)} of {len(REQUIREMENTS)} requirements do not hold" if found else "all requirements hold"
        emit("\n".join([f"{plain(path, 4096)}: {told}", *(f"  {one.sentence()}" for one in found)]))
    if as_json:
        emit(json.dumps(objects, indent=2))
    if failed:
        ctx.exit(FAILED)
