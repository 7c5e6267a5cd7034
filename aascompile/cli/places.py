"""Names of places in the options of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from aascompile.cli.common import Command
from aascompile.escaping import printable
from aascompile.model.entity_classes import EXAMPLE

if TYPE_CHECKING:
    from aascompile.model.compiled import Compiled
    from aascompile.nav.names import NamedPlace

PLACE_HELP = f"Area number, point x,y,z, or a name: {EXAMPLE}, spawn:0, entity:12."


def named(compiled: Compiled, text: str, option: str = "") -> NamedPlace:
    """The place that a user named. A wrong name is a usage error."""
    from aascompile.errors import RouteError
    from aascompile.nav.names import place_named

    try:
        return place_named(compiled, text)
    except RouteError as error:
        raise click.UsageError(f"{option} {printable(text)}: {error}".strip()) from None


def named_entity(compiled: Compiled, text: str, option: str = "") -> int:
    """Row of the entity that a user named; −1 for an area or a point. A wrong name is a usage error."""
    from aascompile.errors import RouteError
    from aascompile.nav.names import entity_named

    try:
        return entity_named(compiled, text)
    except RouteError as error:
        raise click.UsageError(f"{option} {printable(text)}: {error}".strip()) from None


def avoid_option(command: Command) -> Command:
    """--avoid, which may be given several times."""
    return click.option(
        "--avoid",
        metavar="KIND",
        multiple=True,
        help="Travel type (rocket_jump, crouch, ...) or contents (water, lava, slime, ...) to avoid; may be repeated.",
    )(command)
