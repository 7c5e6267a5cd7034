"""The stages of a compile in the order in which they run, with their numbers, names and purposes.

Every list of stages comes from this table: the numbered steps of the pipeline, ``-v``, ``--dump``, the progress bar,
the stages that ``--reach-only`` skips, and the table in DESIGN.md. Nothing heavy is imported, since ``--help`` uses it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from aascompile.records import dataclass


class Phase(StrEnum):
    """Phases of a compile, in order. Each can be run again without those before it."""

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
    """What it does, as a clause."""
    phase: Phase
    share: int
    """Approximate percentage of the compile time on real maps."""
    drawn: bool
    """Whether ``--dump`` can draw its result."""


STAGES: Final = (
    StageInfo(1, "read", "read a .bsp, a .map, or either in a .pk3", Phase.READING, 3, drawn=False),
    StageInfo(2, "hulls", "drop brushes that enclose nothing", Phase.READING, 1, drawn=True),
    StageInfo(3, "meaning", "decide what each brush, patch and entity means", Phase.READING, 1, drawn=False),
    StageInfo(4, "patches", "flatten curved patches into facets", Phase.READING, 3, drawn=True),
    StageInfo(5, "expand", "grow brushes and facets by the player's boxes", Phase.DIVIDING, 4, drawn=True),
    StageInfo(6, "surface", "keep the surface that a player can touch", Phase.DIVIDING, 6, drawn=True),
    StageInfo(7, "flood", "find what the entities can reach", Phase.DIVIDING, 8, drawn=True),
    StageInfo(8, "tree", "divide the inside into convex leaves", Phase.DIVIDING, 38, drawn=True),
    StageInfo(9, "portals", "find the polygons between leaves", Phase.DIVIDING, 1, drawn=True),
    StageInfo(10, "gravity", "split areas at ledges and at ladders", Phase.DIVIDING, 2, drawn=True),
    StageInfo(11, "merge", "join neighbours whose union is an area", Phase.DIVIDING, 1, drawn=True),
    StageInfo(12, "walkable", "cut floors anew, as players walk them", Phase.DIVIDING, 2, drawn=True),
    StageInfo(13, "finish", "share faces, edges and vertices; measure areas", Phase.DIVIDING, 5, drawn=True),
    StageInfo(14, "places", "find the areas of items and spawns", Phase.LINKING, 0, drawn=False),
    StageInfo(15, "reach", "find the reachabilities between areas", Phase.LINKING, 20, drawn=True),
    StageInfo(16, "cluster", "choose cluster portals", Phase.CLUSTERS, 2, drawn=True),
    StageInfo(17, "write", "write the compiled files", Phase.WRITING, 3, drawn=False),
)

DRAWN: Final = tuple(stage.name for stage in STAGES if stage.drawn)
"""Names of the stages that ``--dump`` can draw."""

_BY_NAME: Final = {stage.name: stage for stage in STAGES}


def names(*phases: Phase) -> tuple[str, ...]:
    """Names of the stages of these phases, in order; of all stages if no phase is given."""
    return tuple(stage.name for stage in STAGES if not phases or stage.phase in phases)


def number_of(name: str) -> int | None:
    """Number of a stage; None for other work that is reported, such as ``check``."""
    stage = _BY_NAME.get(name)
    return None if stage is None else stage.number


def share_of(name: str) -> int:
    """Percentage of the compile time that a stage takes; 0 for other work."""
    stage = _BY_NAME.get(name)
    return 0 if stage is None else stage.share
