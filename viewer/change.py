"""Differences between two compiled files, ready to draw: areas in only one of them, links gained and lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.model.compiled import Compiled
from aascompile.nav.difference import AreaChange, LinkChange, difference
from aascompile.viewer import build, palette
from aascompile.viewer.colouring import Colouring, categorical
from aascompile.viewer.meshes import Colour, Mask, Mesh, Shape, empty_mesh

AREA_STATES: Final[tuple[tuple[str, Colour], ...]] = (
    ("as it was", palette.SAME),
    ("changed", palette.CHANGED),
    ("new", palette.GAINED),
)


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """How the file on display differs from an older one."""

    area: NDArray[np.int64]
    """``(areas,)`` row of AREA_STATES."""
    gained: Mask
    """``(links,)`` links that the older file lacks."""
    gone: Mesh
    """Shells of areas that only the older file has. The item is the area's row there."""
    lost: Mesh
    """Links that only the older file has. The item is the link's row there."""
    gone_count: int
    lost_count: int

    @property
    def colouring(self) -> Colouring:
        """Areas coloured by their row of AREA_STATES."""
        return categorical("areas", list(AREA_STATES), self.area)

    def counts(self) -> str:
        """Summary of the differences, as a single line."""
        new, changed = int(np.sum(self.area == 2)), int(np.sum(self.area == 1))
        areas = f"areas: {new:,} new, {changed:,} changed, {self.gone_count:,} gone"
        return f"{areas}; links: {int(self.gained.sum()):,} gained, {self.lost_count:,} lost"


def change(before: Compiled, after: Compiled) -> Change:
    """Compare a file with an older one."""
    found = difference(before, after)
    state = np.ones(len(after.areas), np.int64)
    state[found.new.area_change == AreaChange.SAME] = 0
    state[found.new.area_change == AreaChange.APPEARED] = 2
    vanished = found.old.area_change == AreaChange.VANISHED
    lost = found.old.link_change == LinkChange.GONE
    gained = found.new.link_change == LinkChange.GONE
    if before.links is None or after.links is None:
        lines = empty_mesh(Shape.LINES)
        gained = np.zeros(0 if after.links is None else len(after.links), np.bool_)
    else:
        lines = build.link_lines(before, before.links).select_items(lost)
    shells = build.shells(before.areas).select_items(vanished)
    return Change(state, gained, shells, lines, int(vanished.sum()), int(lost.sum()))
