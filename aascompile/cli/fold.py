"""Lines that fit the terminal, and usage errors in one form."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any, Final

import click

from aascompile.patterns import pattern

MAX_WIDTH: Final = 120
"""Columns that folded text fills at most."""

MIN_WIDTH: Final = 40
"""Columns that folded text fills at least, however narrow the terminal is."""

MAX_LABEL: Final = 24
"""Text that starts after this column is not taken as the value of a label."""

_LABEL: Final = pattern(r"\s*\S.*?\s{2,}(?=\S)")
_BOLD: Final = "\x1b[1m"


def width_of(stream: Any) -> int:
    """Columns of a terminal that text fills; unlimited for files and pipes, whose lines stay whole, for grep."""
    if not stream.isatty():
        return sys.maxsize
    import shutil

    return max(min(shutil.get_terminal_size().columns, MAX_WIDTH), MIN_WIDTH)


def folded(text: str, width: int) -> str:
    """The text, with lines that are wider than ``width`` folded. A line goes on below the value of its label."""
    return "\n".join(part for line in text.split("\n") for part in _parts(line, width))


def _parts(line: str, width: int) -> Iterator[str]:
    plain = click.unstyle(line)
    if len(plain) <= width:
        yield line
        return
    from textwrap import wrap

    label = _LABEL.match(plain)
    indent = len(plain) - len(plain.lstrip()) + 2
    if label is not None and label.end() <= MAX_LABEL:
        indent = label.end()
    below = " " * indent
    for part in wrap(plain, width, subsequent_indent=below, break_long_words=False, break_on_hyphens=False):
        yield click.style(part, bold=True) if line.startswith(_BOLD) else part


def usage_text(error: click.UsageError) -> str:
    """A usage error as a sentence: what was given, a colon, and what is wrong with it."""
    option = ""
    if isinstance(error, click.BadParameter) and error.param is not None:
        names = [*error.param.opts, *error.param.secondary_opts]
        context = error.ctx or click.get_current_context()
        option = names[0] if isinstance(error.param, click.Option) else error.param.make_metavar(context)
    if isinstance(error, click.MissingParameter):
        return f"{option.removesuffix('...')} is missing"
    if isinstance(error, click.NoSuchOption):
        near = [f"; did you mean {' or '.join(sorted(error.possibilities))}?"] if error.possibilities else []
        return f"{error.option_name}: no such option" + "".join(near)
    text = error.message if error.message.endswith("...") else error.message.removesuffix(".")
    extra = re.fullmatch(r"Got unexpected extra arguments? \((.*)\)", text)
    if extra is not None:
        return f"{extra[1]}: unexpected argument"
    command = re.fullmatch(r"No such command '(.*)'", text)
    if command is not None:
        return f"{command[1]}: no such command"
    return f"{option}: {text}" if option else text
