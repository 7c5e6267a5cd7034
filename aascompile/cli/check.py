"""``aas check``: check compiled files against the data model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from aascompile.cli.common import CONTEXT, FAILED, emit, emit_json, print_error
from aascompile.errors import AasError
from aascompile.records import dataclass
from aascompile.system import cores

if TYPE_CHECKING:
    from aascompile.checks.requirement import Failure
    from aascompile.cli.replay import Replayed

MAX_ROWS = 100
"""Limit on the rows that --json lists per requirement."""


@dataclass(frozen=True, slots=True)
class FailedRequirement:
    """A requirement that is violated."""

    id: str
    table: str
    requirement: str
    """The requirement as a sentence."""
    count: int
    rows: list[int]
    """First rows that violate it."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Result for one file."""

    file: str
    """Path as given."""
    ok: bool
    failed: tuple[FailedRequirement, ...]


@dataclass(frozen=True, slots=True)
class CheckedReplay(Checked):
    """Result for one file with ``--replay``."""

    replay: Replayed | None
    """None if the structure is broken."""


@click.command(context_settings=CONTEXT)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--replay", is_flag=True, help="Also simulate a player on every link travelled on foot, by jump or by jump pad."
)
@click.option(
    "--least", type=click.FloatRange(0.0, 1.0), default=0.99, show_default=True,
    help="Share of replayed links that must arrive.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list with an object for each readable file.")
@click.pass_context
def check(ctx: click.Context, files: tuple[str, ...], replay: bool, least: float, as_json: bool) -> None:
    """Check compiled files against the requirements of the data model.

    FILE is a compiled file (x.aas.hdf) or an engine file (x.aas). Each violated requirement is printed on a line with
    its id in docs/data-model.md and the first rows that violate it, and the exit code is 1. If the structure of a file
    is broken, only those requirements are shown, because nothing else can be checked.

    With --replay, a player simulated by the game's rules takes every walk, crouch, barrier jump, jump, walk off ledge,
    water jump and jump pad link from its start. The share that arrives is printed for each travel type, with the links
    that miss by most. A share below --least makes the exit code 1. Bots take them too, as the engine's bots run at a
    link: from several sides and at several moments, with their turns, aim and sideways speed. Bots that leave the area
    on foot before they have taken the link do not count. Then bots follow the quickest routes from all spawns and items
    to all items: each link counts as often as routes take it.
    """
    from aascompile.checks.check_compiled import REQUIREMENTS, failures
    from aascompile.checks.check_structure import STRUCTURE
    from aascompile.cli.replay import replay_file, replay_lines
    from aascompile.store.read import load_compiled

    results: list[Checked] = []
    failed = False
    for path in files:
        try:
            compiled = load_compiled(path, check=False)
            found = failures(compiled)
            sound = not found or found[0].requirement not in STRUCTURE
            replayed = replay_file(path, compiled, cores()) if replay and sound else None
        except AasError as error:
            print_error(error)
            failed = True
            continue
        failed = failed or bool(found) or (replayed is not None and replayed.share < least)
        if as_json:
            wrong = tuple(_failed(failure) for failure in found)
            results.append(
                CheckedReplay(path, not found, wrong, replayed) if replay else Checked(path, not found, wrong)
            )
            continue
        verdict = f"{len(found)} of {len(REQUIREMENTS)} requirements do not hold" if found else "all requirements hold"
        lines = [f"{path}: {verdict}", *(f"  {failure.sentence()}" for failure in found)]
        emit(*lines, *(replay_lines(replayed, least) if replayed is not None else ()))
    if as_json:
        emit_json(results)
    if failed:
        ctx.exit(FAILED)


def _failed(failure: Failure) -> FailedRequirement:
    """Convert a failure to its JSON record."""
    requirement, rows = failure.requirement, failure.rows
    return FailedRequirement(requirement.id, requirement.table, requirement.text, len(rows), rows[:MAX_ROWS].tolist())
