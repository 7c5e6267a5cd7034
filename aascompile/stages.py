"""The stages of a compile in the order in which they run: numbers, names, and what each is for.

Every list of stages comes from this table: the numbered steps of the pipeline, ``-v``, ``--dump``, the progress bar,
the stages that ``--reach-only`` skips, and the table in DESIGN.md. It imports nothing heavy: ``--help`` reads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Part(StrEnum):
    """The parts of a compile, in order; each can be run again without those before it."""

    READING = "reading"
    DIVIDING = "dividing"
    LINKING = "linking"
    CLUSTERS = "clusters"
    WRITING = "writing"


@dataclass(frozen=True, slots=True)
class StageInfo:
    """A row of the table."""

    number: int
    """From 1, in the order in which stages run."""
    name: str
    """As in reports, in ``--dump`` and in compiled files."""
    does: str
    """What it does, a clause."""
    part: Part
    share: int
    """Percent of the time of a compile on real maps, about."""
    drawn: bool
    """Whether ``--dump`` can draw what it made."""


STAGES: Final = (
    StageInfo(1, "read", "read a .bsp, a .map, or either in a .pk3", Part.READING, 3, drawn=False),
    StageInfo(2, "hulls", "drop brushes that enclose nothing", Part.READING, 1, drawn=True),
    StageInfo(3, "meaning", "decide what each brush, patch and entity means", Part.READING, 1, drawn=False),
    StageInfo(4, "patches", "flatten curved patches into facets", Part.READING, 3, drawn=True),
    StageInfo(5, "expand", "grow brushes and facets by the player's boxes", Part.DIVIDING, 4, drawn=True),
    StageInfo(6, "surface", "keep the surface that a player can touch", Part.DIVIDING, 6, drawn=True),
    StageInfo(7, "flood", "find what the entities can reach", Part.DIVIDING, 8, drawn=True),
    StageInfo(8, "tree", "divide the inside into convex leaves", Part.DIVIDING, 40, drawn=True),
    StageInfo(9, "portals", "find the polygons between leaves", Part.DIVIDING, 1, drawn=True),
    StageInfo(10, "gravity", "split areas at ledges and at ladders", Part.DIVIDING, 2, drawn=True),
    StageInfo(11, "merge", "join neighbours whose union is an area", Part.DIVIDING, 1, drawn=True),
    StageInfo(12, "walkable", "cut floors anew, as players walk them", Part.DIVIDING, 2, drawn=True),
    StageInfo(13, "finish", "share faces, edges and vertices; measure areas", Part.DIVIDING, 5, drawn=True),
    StageInfo(14, "places", "find the areas of items and spawns", Part.LINKING, 0, drawn=False),
    StageInfo(15, "reach", "find the reachabilities between areas", Part.LINKING, 20, drawn=True),
    StageInfo(16, "cluster", "choose cluster portals", Part.CLUSTERS, 2, drawn=True),
    StageInfo(17, "write", "write the compiled files", Part.WRITING, 3, drawn=False),
)

DRAWN: Final = tuple(stage.name for stage in STAGES if stage.drawn)
"""Names of the stages that ``--dump`` can draw."""

_BY_NAME: Final = {stage.name: stage for stage in STAGES}


def names(*parts: Part) -> tuple[str, ...]:
    """Names of the stages of these parts, in order; without parts all names."""
    return tuple(stage.name for stage in STAGES if not parts or stage.part in parts)


def number_of(name: str) -> int | None:
    """Number of a stage; None for work that is reported but is no stage of a compile, such as ``check``."""
    stage = _BY_NAME.get(name)
    return None if stage is None else stage.number


def share_of(name: str) -> int:
    """Percent of the time of a compile that a stage takes; 0 for other work."""
    stage = _BY_NAME.get(name)
    return 0 if stage is None else stage.share
