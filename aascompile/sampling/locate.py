"""Where a player is: the area of a point, and the area of a player standing at, or falling from, a point."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile.model.contents import WET
from aascompile.sampling.sample import ANY_PRESENCE, Traces, areas_at, traces
from aascompile.sampling.sample_kernel import AreaTree
from aascompile.settings import STANDING

__all__ = ["FALLS", "area_at", "areas_at", "fall", "locate"]

FALLS: Final = 4096.0
"""Units below a place in which a floor is looked for."""

FEET: Final = -STANDING.mins[2]
"""Units from the game's player origin down to the feet."""


def area_at(tree: AreaTree, point: ArrayLike) -> int:
    """Area that the point is in; −1 in solid."""
    return int(areas_at(tree, point)[0])


def fall(tree: AreaTree, starts: ArrayLike, most: ArrayLike = FALLS) -> Traces:
    """Traces of boxes that fall straight down from ``starts (n, 3)``, ``most`` units (each) at most."""
    start = np.asarray(starts, np.float64).reshape(-1, 3)
    down = np.zeros_like(start)
    down[:, 2] = most
    return traces(tree, start, start - down, ANY_PRESENCE)


def locate(tree: AreaTree, points: ArrayLike, feet: float = FEET) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Areas (n,) of players standing at, or falling from, ``points (n, 3)``, and their origins (n, 3).

    A point on the floor means a player whose feet are there, ``feet`` units below the origin. Players fall to the floor
    below, but stay where they are in liquid, and where there is no floor. In solid the area is −1 and the origin the
    point itself.
    """
    point = np.asarray(points, np.float64).reshape(-1, 3)
    lifts = np.outer((0.0, feet / 2.0, feet, feet + 1.0), (0.0, 0.0, 1.0))
    tried = areas_at(tree, point[:, None] + lifts).reshape(len(point), len(lifts))
    first = (tried >= 0).argmax(axis=1)
    area = tried[np.arange(len(point)), first]
    origin = point + np.where((area >= 0)[:, None], lifts[first], 0.0)

    wet = np.append((np.asarray(tree.contents) & np.uint32(WET)) != 0, False)  # the last answers for solid
    dry = np.flatnonzero((area >= 0) & ~wet[area])
    fallen = fall(tree, origin[dry])
    lands = fallen.fraction < 1.0
    area[dry[lands]] = fallen.end_area[lands]
    origin[dry[lands]] = fallen.end[lands]
    return area, origin
