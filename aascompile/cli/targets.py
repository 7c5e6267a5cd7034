"""Files that commands write: their endings, and that nothing else is overwritten."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from typing import Final

import click

from aascompile.cli.common import Command
from aascompile.errors import StoreError
from aascompile.records import dataclass

LOOKED_AT: Final = 4096
"""Bytes at the start of an existing file that decide what it is."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file that a command writes."""

    name: str
    endings: tuple[str, ...]
    starts: bytes
    """Pattern that the start of such a file matches."""
    is_map: bool = False
    """Such a file may hold work that the command cannot repeat, so it is never overwritten without --force."""


COMPILED: Final = FileKind("compiled file", (".hdf",), rb"\x89HDF")
ENGINE: Final = FileKind("engine file", (".aas",), rb"EAAS")
BSP: Final = FileKind("map", (".bsp",), rb"[IRF]BSP", is_map=True)
TRAIL: Final = FileKind("point file", (".lin",), rb"[-0-9.\s]+\Z")
DRAWING: Final = FileKind("drawing", (".glb", ".obj"), rb"glTF|[ovmg#] ?")
BASELINE: Final = FileKind("baseline", (".json",), rb'\s*\{\s*"format"')
JUNIT: Final = FileKind("JUnit report", (".xml",), rb"\s*<")
MARKDOWN: Final = FileKind("Markdown page", (".md", ".markdown"), rb"[^\x00]*\Z")
PAGE: Final = FileKind("web page", (".html", ".htm"), rb"\s*<")
PICTURE: Final = FileKind("picture", (".png", ".jpg", ".jpeg"), rb"\x89PNG|\xff\xd8\xff")
LOG: Final = FileKind("log", (".log",), rb"[^\x00]*\Z")
ANIMATION: Final = FileKind("animation", (".gif", ".mp4"), rb"GIF8|.{4}ftyp")


EXPORTS: Final = {
    ".aas": ENGINE,
    ".graphml": FileKind("GraphML file", (".graphml",), rb"\s*<"),
    ".json": FileKind("JSON file", (".json",), rb"\s*[{\[]"),
    ".npz": FileKind("NumPy archive", (".npz",), rb"PK\x03\x04"),
    ".glb": FileKind("glTF file", (".glb",), rb"glTF"),
}
"""What `aas export` writes, by ending."""


def checked(
    path: str,
    kind: FileKind,
    inputs: Iterable[str] = (),
    *,
    force: bool = False,
    option: str = "",
    ending: bool = True,
    switch: str = "--force",
) -> str:
    """The path, if a command may write a file of some kind there.

    UsageError if the ending is wrong. StoreError if it is one of the command's inputs, a map, or an existing file of
    another kind; ``force`` allows these, and is given by the command's ``switch``.
    """
    label = f"{option} {path}".strip()
    if ending and not path.lower().endswith(kind.endings):
        raise click.UsageError(f"{label}: the name of {_a(kind)} must end in {_either(kind.endings)}")
    if force or not os.path.lexists(path) or os.path.isdir(path):
        return path
    if any(_same(path, other) for other in inputs):
        raise StoreError(f"{label}: is the input; choose another name, or use {switch}")
    if (not kind.is_map and is_of_kind(path, kind)) or not os.access(path, os.R_OK):
        return path  # what cannot be read cannot be replaced either, and that error says why
    what = "exists already" if kind.is_map else f"exists, and is not {_a(kind)}"
    raise StoreError(f"{label}: {what}; {switch} replaces it")


def _a(kind: FileKind) -> str:
    return f"{'an' if kind.name[0] in 'aeiou' else 'a'} {kind.name}"


def _either(endings: Sequence[str]) -> str:
    return endings[0] if len(endings) == 1 else f"{', '.join(endings[:-1])} or {endings[-1]}"


def _same(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:
        return False


def is_of_kind(path: str, kind: FileKind) -> bool:
    """Whether a file exists and is of a kind; an empty one is of any."""
    try:
        with open(path, "rb") as file:
            start = file.read(LOOKED_AT)
    except OSError:
        return False
    return not start or re.match(kind.starts, start, re.DOTALL) is not None


def force_option(command: Command) -> Command:
    """--force."""
    return click.option(
        "--force", is_flag=True, help="Overwrite the input, a map, or a file of another kind, if an output is named so."
    )(command)
