"""What changed between two compiled files, as a scene shows it: areas only in one, links gained and lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.model.compiled import Compiled
from aascompile.nav.difference import AreaChange, LinkChange, difference
from aascompile.viewer import build, palette
from aascompile.viewer.colouring import Colouring, listed
from aascompile.viewer.meshes import Colour, Mask, Mesh, Shape, nothing

SORTS: Final[tuple[tuple[str, Colour], ...]] = (
    ("as it was", palette.SAME),
    ("changed", palette.CHANGED),
    ("new", palette.GAINED),
)


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """How the file that is shown differs from an older one."""

    area: NDArray[np.int64]
    """(areas,) row of SORTS."""
    gained: Mask
    """(links,) those that the older file does not have."""
    gone: Mesh
    """Shells of the older file's areas where there are none now; the item is the area's number there."""
    lost: Mesh
    """Links of the older file that there are no more; the item is the link's number there."""
    gone_count: int
    lost_count: int

    @property
    def colouring(self) -> Colouring:
        """Areas by what became of them."""
        return listed("areas", list(SORTS), self.area)

    def counts(self) -> str:
        """What changed, in a line."""
        new, changed = int(np.sum(self.area == 2)), int(np.sum(self.area == 1))
        areas = f"areas: {new:,} new, {changed:,} changed, {self.gone_count:,} gone"
        return f"{areas}; links: {int(self.gained.sum()):,} gained, {self.lost_count:,} lost"


def change(before: Compiled, after: Compiled) -> Change:
    """Hold a file against an older one."""
    found = difference(before, after)
    state = np.ones(len(after.areas), np.int64)
    state[found.new.area_change == AreaChange.SAME] = 0
    state[found.new.area_change == AreaChange.APPEARED] = 2
    vanished = found.old.area_change == AreaChange.VANISHED
    lost = found.old.link_change == LinkChange.GONE
    gained = found.new.link_change == LinkChange.GONE
    if before.links is None or after.links is None:
        lines = nothing(Shape.LINES)
        gained = np.zeros(0 if after.links is None else len(after.links), np.bool_)
    else:
        lines = build.link_lines(before, before.links).of_items(lost)
    shells = build.shells(before.areas).of_items(vanished)
    return Change(state, gained, shells, lines, int(vanished.sum()), int(lost.sum()))
