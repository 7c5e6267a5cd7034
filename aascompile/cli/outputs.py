"""Names of the output files of each map."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

import click

from aascompile.records import dataclass
from aascompile.stages import DRAWN
from aascompile.store.files import without_ending

SUFFIX: Final = ".aas.hdf"

DRAWINGS: Final = (".glb", ".obj")
"""Suffixes of drawings, as in ``aascompile.dump``, which is slow to import."""


@dataclass(frozen=True, slots=True)
class Job:
    """A map and its output file."""

    source: str
    """Path of the map, as given."""
    output: str
    """Path of the compiled file."""

    def beside(self, suffix: str) -> str:
        """Path of the output with another suffix."""
        return without_ending(self.output) + suffix


def plan(sources: Sequence[str], output: str | None, extension: str = "") -> list[Job]:
    """Choose the output of each map. UsageError if two maps would share one or if the name is unsuitable.

    ``extension`` is added to the names of the maps: the engine of some games expects a file for each size of player.
    """
    if os.path.basename(extension) != extension:
        raise click.UsageError(f"--ext {extension}: must be part of a file name")
    if (
        output is not None
        and len(sources) > 1
        and output.lower().endswith((".hdf", ".aas"))
        and not os.path.isdir(output)
    ):
        raise click.UsageError(f"-o {output}: names one file, but there are {len(sources):,} maps; name a folder")
    folder = output is not None and (len(sources) > 1 or os.path.isdir(output) or output.endswith(("/", os.sep)))
    if output is not None and not folder and not output.lower().endswith(".hdf"):
        raise click.UsageError(
            f"-o {output}: the name of a compiled file must end in {SUFFIX}; --aas adds the engine's file"
        )
    if output is not None and folder and os.path.lexists(output) and not os.path.isdir(output):
        raise click.UsageError(f"-o {output}: must be a folder when there are several maps")
    if extension and output and not folder:
        raise click.UsageError("--ext cannot be combined with -o FILE")
    return distinct(
        [Job(source, output if output and not folder else _named(source, output, extension)) for source in sources]
    )


def distinct(jobs: list[Job]) -> list[Job]:
    """The jobs, if no two have the same output; otherwise a UsageError."""
    source_of: dict[str, str] = {}
    for job in jobs:
        place = os.path.realpath(job.output)
        if place in source_of:
            raise click.UsageError(f"{source_of[place]} and {job.source} would both be written to {job.output}")
        source_of[place] = job.source
    return jobs


def _named(source: str, folder: str | None, extension: str) -> str:
    """Path of the compiled file: in the given folder, else beside the map, or in the current folder for an archive."""
    from aascompile.mapio.load import split_archive

    archive, inside = split_archive(source)
    name = without_ending(os.path.basename(inside.replace("\\", "/") if archive else source)) + extension + SUFFIX
    beside = "" if archive else os.path.dirname(source)
    return os.path.join(folder if folder is not None else beside, name)


@dataclass(frozen=True, slots=True)
class Dump:
    """A stage to draw, and the file to write; if that is "", a file beside the output."""

    stage: str
    file: str

    def path(self, job: Job) -> str:
        """Path of the drawing of a map."""
        return self.file or job.beside(f".{self.stage}{DRAWINGS[0]}")


def parse_dump(text: str) -> Dump:
    """Parse STAGE or STAGE=FILE; for an unknown stage, the error lists the valid ones."""
    stage, _, file = text.partition("=")
    if stage not in DRAWN:
        raise click.BadParameter(f"'{stage}' cannot be drawn; expected one of {', '.join(DRAWN)}")
    if "=" in text and not file.lower().endswith(DRAWINGS):
        raise click.BadParameter(f"'{file}' must end in {' or '.join(DRAWINGS)}")
    return Dump(stage, file)
