"""The command line of the C compiler: its switches, and the files that it names.

Switches start with a single dash and ignore case. A switch that selects the work (``-bsp2aas``) takes all words up to
the next switch as files; files may also come before the first switch.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import click

from aascompile.cli.outputs import SUFFIX, Job
from aascompile.errors import MapError, StoreError
from aascompile.mapio.load import expand_inputs, split_archive
from aascompile.store.files import without_ending

WORK: Final = {
    "bsp2aas": ("FILE...", "Compile maps to .aas files."),
    "aasall": ("DIR", "Compile all maps below DIR: loose files, and those in .pk3 archives."),
    "reach": ("FILE...", "Renew reachabilities and clusters: compiles the map again in full, with the same result."),
    "cluster": ("FILE...", "Renew clusters: compiles the map again in full, with the same result."),
    "aasopt": ("FILE...", "Strip existing .aas files of the faces that bots do not need."),
    "aasinfo": ("FILE...", "Show what .aas files contain."),
}
"""Switches that select the work; a line has one of them."""

VALUES: Final = {
    "output": ("DIR", "Write files to this folder. Default: beside the map, or `maps` beside the archive."),
    "ext": ("TEXT", "Add TEXT to the names of the .aas files, for example `_b0`."),
    "cfg": ("FILE", "Read player boxes, physics and costs from a cfg file; a .toml file works too."),
    "game": ("GAME", "Game to compile for, as `aascompile --game`; not a switch of the C compiler."),
    "threads": ("N", "Number of threads (default: one per core)."),
}
"""Switches with a value."""

FLAGS: Final = {
    "optimize": "Leave out of .aas files the faces that bots do not need.",
    "grapplereach": "Also make links that use the grappling hook.",
    "noverbose": "Print errors only.",
    "log": "Also write everything that is printed to bspc.log; so does BSPC_LOG in the environment.",
    "force": "Overwrite a file of another kind that has the name of an output; not a switch of the C compiler.",
}
"""Switches without a value that have an effect."""

IGNORED: Final = tuple(
    "forcesidesvisible breadthfirst nobrushmerge noliquids freetree nocsg capsule verbose".split()  # noqa: SIM905
)
"""Switches of the C compiler that are accepted and have no effect."""

MAX_THREADS: Final = 256
ENGINE_SUFFIX: Final = ".aas"
LOG: Final = "bspc.log"


@dataclass(slots=True)
class Line:
    """What a command line asks for."""

    work: str = ""
    """A key of WORK."""
    files: list[str] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)

    @property
    def threads(self) -> int | None:
        """Value of -threads; None if it is not given."""
        text = self.values.get("threads")
        if text is None:
            return None
        if not text.isascii() or not text.isdigit():
            raise click.UsageError(f"-threads {text}: must be a number")
        return min(max(int(text), 1), MAX_THREADS)


def parse_line(words: Sequence[str]) -> Line:
    """Parse the words of a command line. Raise a UsageError for an unknown switch or a missing value."""
    line = Line()
    rest = iter(words)
    for word in rest:
        name = word[1:].lower()
        if not word.startswith("-") or len(word) < 2:
            line.files.append(word)
        elif name in WORK:
            if line.work not in ("", name):
                raise click.UsageError(f"-{line.work} and -{name} cannot be combined")
            line.work = name
        elif name in VALUES:
            value = next(rest, None)
            if value is None:
                raise click.UsageError(f"{word}: needs a value: {VALUES[name][0]}")
            line.values[name] = value
        elif name in FLAGS:
            line.flags.add(name)
        elif name not in IGNORED:
            raise click.UsageError(f"{word}: no such switch")
    if not line.work:
        raise click.UsageError(f"nothing to do: give one of {', '.join(f'-{name}' for name in WORK)}")
    if not line.files:
        raise click.UsageError(f"-{line.work}: needs a file: {WORK[line.work][0]}")
    return line


# --- files ------------------------------------------------------------------------------------------------------------


def with_suffix(path: str, suffix: str) -> str:
    """Path with the ending that is meant: a map named x.map, x.aas or x means x.bsp."""
    if path.lower().endswith((suffix, ".pk3")):
        return path
    return without_ending(path) + suffix


def maps_of(line: Line) -> Iterator[str | MapError]:
    """Paths of the maps that a line names, each once; an error for each name that matches no map."""
    seen: set[str] = set()
    names = [found for folder in line.files for found in _below(folder)] if line.work == "aasall" else line.files
    for name in names:
        try:
            found = expand_inputs([with_suffix(name, ".bsp")])
        except MapError as error:
            yield error
            continue
        for path in found:
            if path not in seen:
                seen.add(path)
                yield path


def _below(folder: str) -> list[str]:
    """Maps below a folder. As in the game, loose maps replace those of archives, and later archives earlier ones."""
    if not os.path.isdir(folder):
        raise MapError(folder, "is not a folder")
    by_output: dict[str, str] = {}
    loose: dict[str, str] = {}
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names, key=str.lower):
            path = os.path.join(place, name)
            if name.lower().endswith(".bsp"):
                loose[engine_file(path, None, "").lower()] = path
            elif name.lower().endswith(".pk3"):
                try:
                    inside = expand_inputs([f"{path}/maps/*.bsp"])
                except MapError:
                    continue
                by_output |= {engine_file(member, None, "").lower(): member for member in inside}
    found = by_output | loose
    if not found:
        raise MapError(folder, "holds no map")
    return [found[output] for output in sorted(found)]


def engine_file(source: str, folder: str | None, extension: str) -> str:
    """Path of the .aas file of a map: in the given folder, else beside the map, or in ``maps`` beside its archive."""
    archive, inside = split_archive(source)
    if archive is not None:
        name, beside = os.path.basename(inside.replace("\\", "/")), os.path.join(os.path.dirname(archive), "maps")
    else:
        name, beside = os.path.basename(source), os.path.dirname(source)
    return os.path.join(beside if folder is None else folder, without_ending(name) + extension + ENGINE_SUFFIX)


def job_of(source: str, line: Line) -> Job:
    """A map and its output. The name is that of a compiled file; the engine's file is beside it."""
    target = engine_file(source, line.values.get("output"), line.values.get("ext", ""))
    return Job(source, without_ending(target) + SUFFIX)


def engine_files_of(line: Line) -> Iterator[str | StoreError]:
    """Paths of the .aas files that a line names; an error for each pattern that matches no file."""
    for name in line.files:
        path = with_suffix(name, ENGINE_SUFFIX)
        if not glob.has_magic(path) or os.path.lexists(path):
            yield path
            continue
        found = sorted(glob.glob(path))
        if not found:
            yield StoreError(f"{path}: matches no file")
        yield from found
