"""Questions to the compiled tree in bulk: arrays in, arrays out, threads over fixed ranges (thesis §6.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile import tolerances
from aascompile.model.areas import Areas
from aascompile.sampling.sample_kernel import AreaTree, Sampler, areas_of, found_in, passed_of, trace_rows
from aascompile.threads import over_ranges

CHUNK = 4096
"""Questions a thread takes at a time."""

ANYBODY = 0xFFFFFFFF
"""A presence that every area has."""


@dataclass(frozen=True, slots=True)
class Traces:
    """Answers of n traces."""

    fraction: NDArray[np.float64]
    """(n,) how much of the way is free."""
    end: NDArray[np.float64]
    """(n, 3) the end of the free part, ``tolerances.STOP_BEFORE`` before the plane that was hit."""
    normal: NDArray[np.float64]
    """(n, 3) of the plane that was hit, towards the start; 0: none was."""
    plane: NDArray[np.int32]
    """(n,) its id, facing the start; −1: none."""
    start_area: NDArray[np.int32]
    """(n,) area at the start; −1: it is blocked."""
    end_area: NDArray[np.int32]
    """(n,) area at the end of the free part."""
    blocker: NDArray[np.int32]
    """(n,) the area without room for the box that ended the way; −1: solid, or nothing did."""
    start_solid: NDArray[np.bool_]
    """(n,) the start is blocked."""


def tree_of(areas: Areas) -> AreaTree:
    """The tables that samplers share."""
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
    """A sampler for one thread."""
    return Sampler(tree, tolerances.STOP_BEFORE)


def _points(points: ArrayLike) -> NDArray[np.float64]:
    return np.ascontiguousarray(points, np.float64).reshape(-1, 3)


def areas_at(tree: AreaTree, points: ArrayLike, threads: int = 1) -> NDArray[np.int32]:
    """(n,) the area that each of ``points (n, 3)`` is in; −1: solid."""
    at = _points(points)
    area: NDArray[np.int32] = np.empty(len(at), np.int32)
    over_ranges(lambda first, last: areas_of(sampler_of(tree), at, first, last, area), len(at), CHUNK, threads)
    return area


def traces(tree: AreaTree, starts: ArrayLike, ends: ArrayLike, presence: ArrayLike, threads: int = 1) -> Traces:
    """Traces from each of ``starts (n, 3)`` to ``ends (n, 3)`` of a box; of several ``presence`` bits any will do."""
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
    sampler: Sampler, start: ArrayLike, end: ArrayLike, presence: int = ANYBODY
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """The areas of a trace's free part in order (k,), and the points (k, 3) at which it enters them."""
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    area, at = passed_of(sampler, a, b, presence)
    return area, a + at[:, None] * (b - a)


def areas_in_box(sampler: Sampler, mins: ArrayLike, maxs: ArrayLike) -> NDArray[np.int32]:
    """The areas that a box of origins touches, ascending.

    To find who can touch a thing, grow the thing's box by the player's first, as brushes are.
    """
    box = np.concatenate((np.asarray(mins, np.float64), np.asarray(maxs, np.float64)))
    found: NDArray[np.int32] = found_in(sampler, box)
    return found
