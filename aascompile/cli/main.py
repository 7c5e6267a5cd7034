"""The command ``aas``: inspect maps and compiled files."""

from __future__ import annotations

import sys

import click

from aascompile.cli.common import CONTEXT, LazyGroup, run, version_option

COMMANDS = {
    "area": "aascompile.cli.area:area",
    "bsp": "aascompile.cli.bsp:bsp",
    "check": "aascompile.cli.check:check",
    "diff": "aascompile.cli.diff:diff",
    "explain": "aascompile.cli.explain:explain",
    "export": "aascompile.cli.export:export",
    "gate": "aascompile.cli.gate:gate_maps",
    "import": "aascompile.cli.import_:import_file",
    "info": "aascompile.cli.info:info",
    "regress": "aascompile.cli.regress:regress",
    "route": "aascompile.cli.route:route",
    "settings": "aascompile.cli.settings:settings",
    "sight": "aascompile.cli.sight:sight",
    "times": "aascompile.cli.times:times",
    "view": "aascompile.cli.view:view",
}


@click.group(cls=LazyGroup, lazy=COMMANDS, context_settings=CONTEXT)
@version_option
def aas() -> None:
    """Inspect Quake III maps and compiled files.

    Results go to stdout, progress and errors to stderr. Exit codes: 0 success, 1 a map or file cannot be read or fails
    a check, 2 wrong usage, 130 interrupted. NO_COLOR turns off bold headings.
    """


def main() -> None:
    """Entry point."""
    sys.exit(run(aas, "aas"))
