"""Bulk queries to the compiled tree: arrays in, arrays out, threads over fixed ranges (thesis §6.3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile import tolerances
from aascompile.model.areas import Areas
from aascompile.records import dataclass
from aascompile.sampling.sample_kernel import AreaTree, Sampler, areas_of, found_in, passed_of, trace_rows
from aascompile.threads import over_ranges

CHUNK = 4096
"""Queries that a thread processes at a time."""

ANY_PRESENCE = 0xFFFFFFFF
"""Presence mask that matches every area."""


@dataclass(frozen=True, slots=True)
class Traces:
    """Results of n traces."""

    fraction: NDArray[np.float64]
    """(n,) fraction of the trace that is free."""
    end: NDArray[np.float64]
    """(n, 3) end of the free part, ``tolerances.STOP_BEFORE`` before the plane that was hit."""
    normal: NDArray[np.float64]
    """(n, 3) normal of the plane that was hit, towards the start; 0 if none was hit."""
    plane: NDArray[np.int32]
    """(n,) id of the plane that was hit, facing the start; −1 if none was hit."""
    start_area: NDArray[np.int32]
    """(n,) area at the start; −1 if the start is blocked."""
    end_area: NDArray[np.int32]
    """(n,) area at the end of the free part."""
    blocker: NDArray[np.int32]
    """(n,) area without room for the box that stopped the trace; −1 if it was solid or nothing."""
    start_solid: NDArray[np.bool_]
    """(n,) whether the start is blocked."""


def tree_of(areas: Areas) -> AreaTree:
    """Tree of the areas, which samplers share."""
    planes = areas.planes
    return AreaTree(
        planes.normal,
        planes.dist,
        areas.node_plane,
        areas.node_child,
        areas.area_presence,
        areas.area_contents,
        areas.area_mins,
        areas.area_maxs,
    )


def sampler_of(tree: AreaTree) -> Sampler:
    """Sampler for use by one thread."""
    return Sampler(tree, tolerances.STOP_BEFORE)


def _points(points: ArrayLike) -> NDArray[np.float64]:
    return np.ascontiguousarray(points, np.float64).reshape(-1, 3)


def areas_at(tree: AreaTree, points: ArrayLike, threads: int = 1) -> NDArray[np.int32]:
    """(n,) area of each of ``points (n, 3)``; −1 in solid."""
    at = _points(points)
    area: NDArray[np.int32] = np.empty(len(at), np.int32)
    over_ranges(lambda first, last: areas_of(sampler_of(tree), at, first, last, area), len(at), CHUNK, threads)
    return area


def traces(tree: AreaTree, starts: ArrayLike, ends: ArrayLike, presence: ArrayLike, threads: int = 1) -> Traces:
    """Traces of a box from ``starts (n, 3)`` to ``ends (n, 3)``. Areas with any bit of ``presence`` are free."""
    start, end = _points(starts), _points(ends)
    n = len(start)
    boxes = np.array(np.broadcast_to(np.asarray(presence, np.uint32), (n,)), order="C")
    fraction, reached, normal = np.empty(n), np.empty((n, 3)), np.zeros((n, 3))
    number: NDArray[np.int32] = np.empty((n, 5), np.int32)

    def work(first: int, last: int) -> None:
        trace_rows(sampler_of(tree), start, end, boxes, first, last, fraction, reached, normal, number)

    over_ranges(work, n, CHUNK, threads)
    columns = np.ascontiguousarray(number.T)
    return Traces(fraction, reached, normal, columns[0], columns[1], columns[2], columns[3], columns[4] != 0)


def areas_passed(
    sampler: Sampler, start: ArrayLike, end: ArrayLike, presence: int = ANY_PRESENCE
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """(k,) areas of a trace's free part in order, and (k, 3) points where it enters them."""
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    area, at = passed_of(sampler, a, b, presence)
    return area, a + at[:, None] * (b - a)


def areas_in_box(sampler: Sampler, mins: ArrayLike, maxs: ArrayLike) -> NDArray[np.int32]:
    """Areas that a box of player origins touches, ascending.

    To find where a player can touch an object, first expand the object's box by the player's, as brushes are.
    """
    box = np.concatenate((np.asarray(mins, np.float64), np.asarray(maxs, np.float64)))
    found: NDArray[np.int32] = found_in(sampler, box)
    return found
