"""``aas check``: whether compiled files are what the data model says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from aascompile.cli.common import CONTEXT, FAILED, emit, plain, say_error
from aascompile.cli.json_types import json_text
from aascompile.errors import AasError
from aascompile.records import dataclass
from aascompile.threads import cores

if TYPE_CHECKING:
    from aascompile.checks.check_compiled import Failure
    from aascompile.cli.replay import Replayed

MOST_ROWS = 100
"""Offending rows of a requirement that --json names."""


@dataclass(frozen=True, slots=True)
class FailedRequirement:
    """A requirement that does not hold."""

    id: str
    table: str
    requirement: str
    """In words."""
    count: int
    rows: list[int]
    """The first of those of which it does not."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that was checked."""

    file: str
    """As it was named."""
    ok: bool
    failed: tuple[FailedRequirement, ...]


@dataclass(frozen=True, slots=True)
class CheckedReplay(Checked):
    """A file that was checked and whose links were replayed."""

    replay: Replayed | None
    """None: its structure is broken."""


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

    every: list[Checked] = []
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
        failed = failed or bool(found) or (replayed is not None and replayed.share < least)
        if as_json:
            wrong = tuple(_failed(failure) for failure in found)
            every.append(CheckedReplay(path, not found, wrong, replayed) if replay else Checked(path, not found, wrong))
            continue
        told = f"{len(found)} of {len(REQUIREMENTS)} requirements do not hold" if found else "all requirements hold"
        lines = [f"{plain(path, 4096)}: {told}", *(f"  {one.sentence()}" for one in found)]
        emit("\n".join([*lines, *(replay_lines(replayed, least) if replayed is not None else ())]))
    if as_json:
        emit(json_text(every))
    if failed:
        ctx.exit(FAILED)


def _failed(failure: Failure) -> FailedRequirement:
    """A failure for --json."""
    wanted, rows = failure.requirement, failure.rows
    return FailedRequirement(wanted.id, wanted.table, wanted.text, len(rows), rows[:MOST_ROWS].tolist())
