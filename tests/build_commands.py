"""Writes docs/commands.md from the commands themselves: `python -m tests.build_commands > docs/commands.md`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from aascompile.cli import bspc
from aascompile.cli.compile import compile_maps
from aascompile.cli.main import COMMANDS, aas
from tests.json_fields import FIELDS

INTRODUCTION = """\
# Commands

`make docs` generates this page from the code; `COMMAND --help` prints the same text. Results go to stdout, progress and
errors to stderr. An error is one sentence that starts with `error:`. No command prompts for input or needs a terminal.

| exit code | meaning |
|---|---|
| 0 | success |
| 1 | a map or file cannot be read, compiled or written; a leak, a violated requirement, a moved count, a difference |
| 2 | wrong usage; for `aas diff` also a file that cannot be compared |
| 130 | interrupted |

`NO_COLOR` in the environment turns off bold headings. For completion in bash, run `eval
"$(_AAS_COMPLETE=bash_source aas)"`, and the same with `_AASCOMPILE_COMPLETE` for `aascompile`; in zsh and fish, use
`zsh_source` or `fish_source`.

With `--json`, a command prints a single JSON value and nothing else on stdout. The fields are listed below: `x[]` is
each element of a list, `x.*` stands for keys that depend on the map. Points are `[x, y, z]` in map units. Later
versions may add fields, but existing fields keep their names and meanings."""


def every_command() -> dict[str, click.Command]:
    """All commands by name."""
    with click.Context(aas) as context:
        found = {f"aas {name}": aas.get_command(context, name) for name in COMMANDS}
    return {"aascompile": compile_maps} | {name: command for name, command in found.items() if command is not None}


def page() -> str:
    """Text of the page."""
    parts = [INTRODUCTION, *("\n".join(_section(name, command)) for name, command in every_command().items())]
    parts.append("\n".join(_bspc()))
    return "\n\n".join(parts) + "\n"


def _section(name: str, command: click.Command) -> Iterator[str]:
    """Section of a command: usage, description, options and JSON fields."""
    yield f"## {name}"
    with click.Context(command, info_name=name) as context:
        yield f"\n    {' '.join([name, *command.collect_usage_pieces(context)])}"
        for paragraph in re.split(r"\n\n+", inspect.cleandoc(command.help or "")):
            yield ""
            yield from (line for line in paragraph.replace("\b\n", "").splitlines())
        records = [
            option.get_help_record(context)
            for option in command.get_params(context)
            if isinstance(option, click.Option)
        ]
    yield "\n| option | meaning |\n|---|---|"
    yield from (
        f"| `{_cell(names)}` | {_cell(text)} |" for names, text in filter(None, records) if "--help" not in names
    )
    if name == "aas view":
        yield "\n`aasview` is the same command. [viewer.md](viewer.md) explains layers, keys and pictures."
    for title, fields in FIELDS.get(name, {}).items():
        yield f"\n{title}\n\n| field | meaning |\n|---|---|"
        yield from (f"| `{path}` | {meaning} |" for path, meaning in fields)


def _bspc() -> Iterator[str]:
    """Section of the command that takes the C compiler's command line."""
    yield f"## bspc\n\n    bspc [-SWITCH|FILE]...\n\n{bspc.INTRODUCTION}\n\n| switch | meaning |\n|---|---|"
    yield from (f"| `{_cell(name)}` | {_cell(meaning)} |" for name, meaning in bspc.switches())


def _cell(text: str) -> str:
    """Text escaped for a table cell."""
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    print(page(), end="")
