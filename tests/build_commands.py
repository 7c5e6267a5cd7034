"""Writes docs/commands.md from the commands themselves: `python -m tests.build_commands > docs/commands.md`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from aascompile.cli.compile import compile_maps
from aascompile.cli.main import COMMANDS, aas
from tests.json_fields import FIELDS

INTRODUCTION = """\
# Commands

`make docs` writes this page from the code; `COMMAND --help` says the same. Results go to stdout, progress and errors to
stderr; an error is one sentence that begins with `error:`. No command asks anything or needs a terminal.

| exit code | meaning |
|---|---|
| 0 | fine |
| 1 | a map or file cannot be read, compiled or written, or does not pass: a leak, a requirement, a count, a change |
| 2 | wrong usage; of `aas diff` also a file that cannot be compared |
| 130 | interrupted |

`NO_COLOR` in the environment turns bold headings off. Completion of names in bash: `eval
"$(_AAS_COMPLETE=bash_source aas)"`, likewise `_AASCOMPILE_COMPLETE`; for zsh and fish `zsh_source`, `fish_source`.

With `--json` a command prints one JSON value and nothing else on stdout. Fields are listed below; `x[]` stands for each
element of a list, `x.*` for keys that depend on the map. Points are `[x, y, z]` in map units. Fields may be
added, but those that are there keep their names and meaning."""


def every_command() -> dict[str, click.Command]:
    """All commands by the words that start them."""
    with click.Context(aas) as context:
        found = {f"aas {name}": aas.get_command(context, name) for name in COMMANDS}
    return {"aascompile": compile_maps} | {name: command for name, command in found.items() if command is not None}


def page() -> str:
    """The page."""
    parts = [INTRODUCTION, *("\n".join(_section(name, command)) for name, command in every_command().items())]
    return "\n\n".join(parts) + "\n"


def _section(name: str, command: click.Command) -> Iterator[str]:
    """One command: how it is called, what it does, its options and its JSON."""
    yield f"## {name}"
    with click.Context(command, info_name=name) as context:
        yield f"\n    {' '.join([name, *command.collect_usage_pieces(context)])}"
        for paragraph in re.split(r"\n\n+", inspect.cleandoc(command.help or "")):
            yield ""
            yield from (line for line in paragraph.replace("\b\n", "").splitlines())
        records = [one.get_help_record(context) for one in command.get_params(context) if isinstance(one, click.Option)]
    yield "\n| option | meaning |\n|---|---|"
    yield from (
        f"| `{_cell(names)}` | {_cell(text)} |" for names, text in filter(None, records) if "--help" not in names
    )
    if name == "aas view":
        yield "\n`aasview` is the same command by itself. [viewer.md](viewer.md) explains layers, keys and pictures."
    for title, fields in FIELDS.get(name, {}).items():
        yield f"\n{title}\n\n| field | meaning |\n|---|---|"
        yield from (f"| `{path}` | {meaning} |" for path, meaning in fields)


def _cell(text: str) -> str:
    """Text for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    print(page(), end="")
