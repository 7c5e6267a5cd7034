"""Questions about space, for many points at once (thesis §6.3): traces, boxes, walls, walks, movement.

The tree and the faces are prepared on first use and shared by all threads. A question that a file cannot answer,
because its tree or its faces were stripped, raises StoreError.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile.errors import RouteError, StoreError
from aascompile.model.areas import AreaFlag
from aascompile.model.compiled import Compiled
from aascompile.model.mapdata import Float, Int
from aascompile.nav.records import Point
from aascompile.player.movement import Movement
from aascompile.records import dataclass
from aascompile.sampling.fan import FanTree, fan_tree
from aascompile.sampling.sample import ANY_PRESENCE, Cells, Traces, cells_of, tree_of
from aascompile.sampling.sample_kernel import AreaTree
from aascompile.sampling.shape import Polygons, polygons_of
from aascompile.settings import Settings
from aascompile.settings_file import settings_from_json
from aascompile.system import cores

BoxName = Literal["stand", "crouch", "point"]
"""A standing player, a crouched player, or a player of whom any box will do."""

FEW: Final = 2048
"""Questions up to this number are answered by the calling thread: starting others would take longer."""

MANY: Final = 20_000
"""Points that are worth a grid over the map."""

USED: Final = np.uint32(AreaFlag.GROUNDED | AreaFlag.LIQUID | AreaFlag.LADDER)
"""Flags of areas in which a player can stay."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Where a straight move ends."""

    fraction: float
    """Fraction of the move that is free, 0 to 1."""
    point: Point
    """End of the free part, 1/8 unit before what was hit."""
    normal: Point
    """Normal of what was hit, towards the start; 0 if nothing was hit."""
    area: int
    """Area at the end; −1 if the start is blocked."""
    areas: Int
    """(k,) areas that the free part passes, in order."""
    start_solid: bool
    """Whether there is no room at the start. Then the fraction is 0."""


class Space:
    """Tree, faces and settings of one compiled map, prepared for questions."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled

    @property
    def name(self) -> str:
        """Name of the map, for messages."""
        return self.compiled.provenance.name

    @cached_property
    def tree(self) -> AreaTree:
        """Tree of the areas; StoreError if the file has none."""
        if not len(self.compiled.areas.node_plane):
            raise StoreError(f"{self.name}: has no tree, so areas are found by number only")
        return tree_of(self.compiled.areas)

    @cached_property
    def cells(self) -> Cells:
        """A grid that shortens the search for the areas of many points."""
        return cells_of(self.tree)

    @cached_property
    def fan_tree(self) -> FanTree:
        """The tree as a crouched player sees it, for fans of rays."""
        return fan_tree(self.tree, int(self.compiled.boxes.presence[-1]))

    @cached_property
    def polygons(self) -> Polygons:
        """Faces of the areas; StoreError if the file has none."""
        areas = self.compiled.areas
        if len(areas) and not (np.diff(areas.area_start) > 0).all():
            raise StoreError(f"{self.name}: has areas without faces, as in optimized files, so distances are not known")
        return polygons_of(areas)

    @cached_property
    def settings(self) -> Settings:
        """Settings that the file was compiled with; the game's own for an imported file."""
        return settings_from_json(self.compiled.provenance.settings, self.name)

    @cached_property
    def movement(self) -> Movement:
        """The player simulator on this map."""
        return Movement(self.compiled.areas, self.settings)

    @cached_property
    def used(self) -> NDArray[np.bool_]:
        """(areas,) those in which a player can stay: with ground, liquid or a ladder."""
        used: NDArray[np.bool_] = (self.compiled.areas.area_flags & USED) != 0
        return used

    def presence(self, box: BoxName) -> int:
        """Presence bits of a box; RouteError if there is no such box."""
        bits = self.compiled.boxes.presence
        if box == "point":
            return ANY_PRESENCE
        if box not in ("stand", "crouch"):
            raise RouteError(f"a box is stand, crouch or point, not {box!r}")
        return int(bits[0] if box == "stand" else bits[min(1, len(bits) - 1)])


def points_of(points: ArrayLike) -> Float:
    """An array ``(n, 3)`` of finite numbers; RouteError if it is something else. A single point is an array of one."""
    at = np.ascontiguousarray(points, np.float64)
    if at.ndim == 1 and len(at) in (0, 3):
        at = at.reshape(-1, 3)
    if at.ndim != 2 or at.shape[1] != 3:
        raise RouteError(f"points are an array of shape (n, 3), not {at.shape}")
    if not np.isfinite(at).all():
        raise RouteError("points are finite numbers; some of these are not")
    return at


def pairs_of(starts: ArrayLike, ends: ArrayLike) -> tuple[Float, Float]:
    """Two arrays ``(n, 3)`` of the same length; a single row on one side counts for all rows of the other."""
    a, b = points_of(starts), points_of(ends)
    if len(a) != len(b) and 1 not in (len(a), len(b)):
        raise RouteError(f"there are {len(a)} starts and {len(b)} ends")
    n = 0 if 0 in (len(a), len(b)) else max(len(a), len(b))
    return np.array(np.broadcast_to(a, (n, 3)), order="C"), np.array(np.broadcast_to(b, (n, 3)), order="C")


def threads_for(count: int, threads: int | None) -> int:
    """Threads for a number of questions: as many as requested, by default one per core if it is worth it."""
    return threads if threads is not None else cores() if count > FEW else 1


def first_trace(found: Traces, areas: Int) -> Trace:
    """The first row of a batch of traces as a record."""
    return Trace(
        fraction=float(found.fraction[0]),
        point=tuple(found.end[0].tolist()),
        normal=tuple((found.normal[0] + 0.0).tolist()),
        area=int(found.end_area[0]),
        areas=areas,
        start_solid=bool(found.start_solid[0]),
    )
