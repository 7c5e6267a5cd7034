"""Where a compile writes: the names of the files of each map."""

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
"""Endings of drawings, as in ``aascompile.dump``, which is slow to import."""


@dataclass(frozen=True, slots=True)
class Job:
    """A map and where its files go."""

    source: str
    """Path of the map, as it was named."""
    output: str
    """The compiled file."""

    def beside(self, suffix: str) -> str:
        """A file of the same name with another ending."""
        return without_ending(self.output) + suffix


def plan(sources: Sequence[str], output: str | None) -> list[Job]:
    """The output of each map; wrong usage when two would share one or a name does not fit."""
    folder = output is not None and (len(sources) > 1 or os.path.isdir(output) or output.endswith(("/", os.sep)))
    if output is not None and not folder and not output.lower().endswith(".hdf"):
        raise click.UsageError(
            f"-o {output}: the name of a compiled file ends in {SUFFIX}; --aas writes the engine's beside"
        )
    if output is not None and folder and os.path.lexists(output) and not os.path.isdir(output):
        raise click.UsageError(f"-o {output}: several maps go into a folder, and this is none")
    jobs = [Job(source, output if output and not folder else _named(source, output)) for source in sources]
    taken: dict[str, str] = {}
    for job in jobs:
        place = os.path.realpath(job.output)
        if place in taken:
            raise click.UsageError(f"{taken[place]} and {job.source} would both be written to {job.output}")
        taken[place] = job.source
    return jobs


def _named(source: str, folder: str | None) -> str:
    """The compiled file of a map: in the folder asked for, else beside the map, or here if it is in an archive."""
    from aascompile.mapio.load import split_archive

    archive, inside = split_archive(source)
    name = without_ending(os.path.basename(inside.replace("\\", "/") if archive else source)) + SUFFIX
    beside = "" if archive else os.path.dirname(source)
    return os.path.join(folder if folder is not None else beside, name)


@dataclass(frozen=True, slots=True)
class Dump:
    """A stage to draw, and the file to draw it into; "": beside the output."""

    stage: str
    file: str

    def path(self, job: Job) -> str:
        """Where the drawing of a map goes."""
        return self.file or job.beside(f".{self.stage}{DRAWINGS[0]}")


def parse_dump(text: str) -> Dump:
    """Parse STAGE or STAGE=FILE; wrong usage names the stages that there are."""
    stage, _, file = text.partition("=")
    if stage not in DRAWN:
        raise click.BadParameter(f"'{stage}' is no stage that can be drawn: there are {', '.join(DRAWN)}")
    if "=" in text and not file.lower().endswith(DRAWINGS):
        raise click.BadParameter(f"'{file}' ends in neither {' nor '.join(DRAWINGS)}")
    return Dump(stage, file)
