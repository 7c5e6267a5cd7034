"""Shared by all commands: how they are run, common options, output and error messages.

Exit codes: 0 success, 1 a map cannot be read or compiled, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from functools import wraps
from importlib import import_module
from typing import Any, NoReturn, TypeVar

import click

from aascompile import __version__
from aascompile.errors import AasError
from aascompile.escaping import log_line
from aascompile.settings import GAMES, MODES, QUAKE3, Settings
from aascompile.system import end_when_interrupted, raise_when_interrupted

FINE = 0
FAILED = 1
INTERRUPTED = 130

Command = TypeVar("Command", bound=Callable[..., Any])

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


class LazyGroup(click.Group):
    """A group that imports the module of a subcommand when it is first used."""

    def __init__(self, *args: Any, lazy: dict[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lazy = lazy or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*self.commands, *self.lazy})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self.lazy and cmd_name not in self.commands:
            module, _, name = self.lazy[cmd_name].partition(":")
            self.commands[cmd_name] = getattr(import_module(module), name)
        return super().get_command(ctx, cmd_name)


def run(command: click.Command, name: str, args: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code. Every error that a user can cause is one sentence on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if not gc.isenabled():  # since the package of the commands was imported
        gc.freeze()
        gc.enable()
    try:
        raise_when_interrupted()
        code = command.main(args=None if args is None else list(args), prog_name=name, standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return error.exit_code
    except click.UsageError as error:
        from aascompile.cli.fold import usage_text

        print_error(usage_text(error))
        if error.ctx is not None:
            print_note(f"  {error.ctx.command_path} --help says more")
        return error.exit_code
    except click.ClickException as error:
        print_error(error.format_message())
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except AasError as error:
        print_error(error)
        return FAILED
    except MemoryError:
        print_error("out of memory")
        return FAILED
    return code if isinstance(code, int) else FINE


def end_process(code: int) -> NoReturn:
    """End the process at once. Clearing all modules would take a tenth of the time of a small compile."""
    end_when_interrupted()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        sys.exit(code)
    os._exit(code)


class Bold(str):
    """A line that terminals show in bold."""

    __slots__ = ()


def print_error(error: object) -> None:
    """Print an error to stderr."""
    print_note(f"error: {error}")


def print_note(text: str) -> None:
    """Print a line to stderr, escaped, and folded to the width of a terminal."""
    click.echo(_fitting(text, sys.stderr), err=True)


def emit(*lines: str, fold: bool = True) -> None:
    """Write lines of a result to stdout, escaped: names from maps and files cannot control a terminal.

    On a terminal, lines that are too wide are folded, unless ``fold`` is off. In a pipe they stay whole, for grep.
    """
    _write("\n".join(_fitting(line, sys.stdout if fold else None) for line in lines))


def emit_json(record: object) -> None:
    """Write a record, or a list of records, to stdout as JSON. Its strings are ASCII, with escapes."""
    from aascompile.cli.json_types import json_text

    _write(json_text(record))


def emit_answer(record: object, lines: Iterable[str], as_json: bool) -> None:
    """Write a result to stdout: the record as JSON, or its lines."""
    if as_json:
        emit_json(record)
    else:
        emit(*lines)


def _write(text: str) -> None:
    """Write to stdout. If the reader is gone (``| head``), end the command quietly."""
    try:
        click.echo(text, color=False if os.environ.get("NO_COLOR") else None)
    except OSError as error:
        # The rest of the buffer would fail again when the interpreter exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise click.exceptions.Exit(FINE) from None
        print_error(f"stdout: cannot be written ({error.strerror})")
        raise click.exceptions.Exit(FAILED) from None


def _fitting(line: str, stream: Any) -> str:
    """The line, escaped, and folded if the stream is a terminal."""
    text = log_line(line)
    shown = click.style(text, bold=True) if isinstance(line, Bold) else text
    if stream is None:
        return shown
    from aascompile.cli import fold

    return fold.folded(shown, fold.width_of(stream))


def with_record(record: type[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Pass the arguments that are fields of a record to the command as one such record, after the context."""
    names = {field.name for field in fields(record)}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def wrapper(**arguments: object) -> None:
            rest = {name: value for name, value in arguments.items() if name not in names}
            given = {name: value for name, value in arguments.items() if name in names}
            command(click.get_current_context(), record(**given), **rest)

        return wrapper

    return decorate


def maps_argument(command: Command) -> Command:
    """MAP...: files, patterns, and maps inside archives."""
    return click.argument("maps", metavar="MAP...", nargs=-1, required=True, type=click.Path())(command)


def quiet_option(command: Command) -> Command:
    """--quiet: do not show progress."""
    return click.option("-q", "--quiet", is_flag=True, help="Show no progress on stderr; errors are still shown.")(
        command
    )


def _game(ctx: click.Context, option: click.Parameter, name: str | None) -> str | None:
    """Check the value of --game."""
    if name is not None and name not in GAMES and not name.lower().endswith(".toml"):
        raise click.BadParameter(f"'{name}' is not one of {', '.join(GAMES)}, and not a .toml file")
    return name


def settings_options(command: Command) -> Command:
    """--settings, --game and --mode."""
    command = click.option(
        "--mode",
        type=click.Choice(MODES),
        help="Take only entities that this game mode spawns, and their brushes (default: those of any mode).",
    )(command)
    command = click.option(
        "--game",
        "--preset",
        "preset",
        metavar="GAME",
        callback=_game,
        help=f"Game to compile for: {', '.join(GAMES)}, or a TOML file with the facts of another "
        f"(default: {QUAKE3.name}, and quake2 for its maps).",
    )(command)
    return click.option(
        "--settings",
        "settings_file",
        metavar="FILE",
        type=click.Path(),
        help="TOML file with the settings that differ from the preset, or a cfg file of the C compiler.",
    )(command)


def shaders_option(command: Command) -> Command:
    """--shaders: files of the game, for map source."""
    return click.option(
        "--shaders", metavar="PATH", multiple=True, type=click.Path(),
        help="For .map source: a .shader file, or a folder or archive of the game with scripts and models. May be "
        "given several times. Those beside the map and its folder are found without it.",
    )(command)  # fmt: skip


def chosen_settings(file: str | None, preset: str | None, mode: str | None = None) -> Settings:
    """Settings chosen by these options."""
    from aascompile.settings_file import find_preset, read_settings, with_mode

    found = read_settings(file, preset) if file else find_preset(preset or QUAKE3.name)
    return with_mode(found, mode, "--mode") if mode else found


def version_option(command: Command) -> Command:
    """--version."""
    return click.version_option(__version__, message="%(prog)s %(version)s")(command)
