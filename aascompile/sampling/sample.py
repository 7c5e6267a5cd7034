"""Bulk queries to the compiled tree: arrays in, arrays out, threads over fixed ranges (thesis §6.3)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aascompile import tolerances
from aascompile.csr import starts_of
from aascompile.model.areas import Areas
from aascompile.records import dataclass
from aascompile.sampling.sample_kernel import (
    AreaTree,
    Sampler,
    all_passed,
    areas_by_cell,
    areas_of,
    cell_nodes,
    found_in,
    passed_of,
    rows_by_place,
    trace_rows,
)
from aascompile.threads import over_ranges

MOST_CELLS = 1 << 18
"""Limit on the cells of a grid."""

LEAST_CELL = 32.0
"""Units: smaller cells would not shorten the descent any more."""

WIDER = 1.05
"""How much wider cells become, step by step, until there are few enough. Rounding up adds few cells along each axis."""

CHUNK = 4096
"""Queries that a thread processes at a time."""

ORDERED_CHUNK = 65536
"""Traces that are put in order of place together, if there are many more."""

WORTH_ORDER = 2048
"""Traces that are worth being put in order of place."""

ANY_PRESENCE = 0xFFFFFFFF
"""Presence mask that matches every area."""


@dataclass(frozen=True, slots=True)
class Cells:
    """A grid over the map, with the deepest node of the tree that contains each cell whole.

    Looking up many points starts at these nodes instead of at the root, with the same results.
    """

    low: NDArray[np.float64]
    """(3,) lower corner."""
    size: float
    """Units along each side of a cell."""
    shape: tuple[int, int, int]
    """Cells along each axis."""
    node: NDArray[np.int32]
    """(cells,) node, or the leaf that contains the whole cell; x varies slowest."""


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


@contextmanager
def lent_sampler(tree: AreaTree) -> Iterator[Sampler]:
    """A sampler for one thread and a short time. Making one takes longer than a few traces."""
    try:
        sampler = tree.idle.pop()
    except IndexError:  # another thread may have taken the last one
        sampler = sampler_of(tree)
    try:
        yield sampler
    finally:
        tree.idle.append(sampler)


def rows_in_order(point: NDArray[np.float64], first: int, last: int) -> NDArray[np.int32]:
    """The rows first..last−1 of points, in the order in which traces from there are quickest."""
    if last - first < WORTH_ORDER:
        return np.arange(first, last, dtype=np.int32)
    rows: NDArray[np.int32] = rows_by_place(point, first, last)
    return rows


def _points(points: ArrayLike) -> NDArray[np.float64]:
    return np.ascontiguousarray(points, np.float64).reshape(-1, 3)


def cells_of(tree: AreaTree) -> Cells:
    """A grid over the areas of a tree."""
    bounds = np.asarray(tree.bounds)
    low = bounds[:, :3].min(axis=0, initial=0.0)
    span = np.maximum(bounds[:, 3:].max(axis=0, initial=0.0) - low, 1.0)
    size = max(LEAST_CELL, float(np.cbrt(span.prod() / MOST_CELLS)))
    while np.ceil(span / size).prod() > MOST_CELLS:
        size *= WIDER
    x, y, z = (int(count) for count in np.ceil(span / size))
    node: NDArray[np.int32] = np.empty(x * y * z, np.int32)
    with lent_sampler(tree) as sampler:
        cell_nodes(sampler, low, size, x, y, z, node)
    return Cells(low, size, (x, y, z), node)


def areas_at(tree: AreaTree, points: ArrayLike, threads: int = 1, cells: Cells | None = None) -> NDArray[np.int32]:
    """(n,) area of each of ``points (n, 3)``; −1 in solid."""
    at = _points(points)
    area: NDArray[np.int32] = np.empty(len(at), np.int32)

    def work(first: int, last: int) -> None:
        with lent_sampler(tree) as sampler:
            if cells is None:
                areas_of(sampler, at, first, last, area)
            else:
                areas_by_cell(sampler, cells.low, cells.size, *cells.shape, cells.node, at, first, last, area)

    over_ranges(work, len(at), CHUNK if threads > 1 else max(len(at), 1), threads)
    return area


def traces(tree: AreaTree, starts: ArrayLike, ends: ArrayLike, presence: ArrayLike, threads: int = 1) -> Traces:
    """Traces of a box from ``starts (n, 3)`` to ``ends (n, 3)``. Areas with any bit of ``presence`` are free."""
    start, end = _points(starts), _points(ends)
    n = len(start)
    boxes = np.array(np.broadcast_to(np.asarray(presence, np.uint32), (n,)), order="C")
    fraction, reached, normal = np.empty(n), np.empty((n, 3)), np.zeros((n, 3))
    number: NDArray[np.int32] = np.empty((n, 5), np.int32)

    def work(first: int, last: int) -> None:
        rows = rows_in_order(start, first, last)
        with lent_sampler(tree) as sampler:
            trace_rows(sampler, start, end, boxes, rows, fraction, reached, normal, number)

    over_ranges(work, n, max(CHUNK, min(ORDERED_CHUNK, n // (4 * threads))), threads)
    return trace_columns(fraction, reached, normal, number)


def trace_columns(
    fraction: NDArray[np.float64],
    reached: NDArray[np.float64],
    normal: NDArray[np.float64],
    number: NDArray[np.int32],
) -> Traces:
    """The record of what ``trace_rows`` filled."""
    columns = np.ascontiguousarray(number.T)
    return Traces(fraction, reached, normal, columns[0], columns[1], columns[2], columns[3], columns[4] != 0)


def areas_passed(
    sampler: Sampler, start: ArrayLike, end: ArrayLike, presence: int = ANY_PRESENCE
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """(k,) areas of a trace's free part in order, and (k, 3) points where it enters them."""
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    area, at = passed_of(sampler, a, b, presence)
    return area, a + at[:, None] * (b - a)


def many_areas_passed(
    tree: AreaTree, starts: ArrayLike, ends: ArrayLike, presence: int = ANY_PRESENCE, threads: int = 1
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Areas of the free parts of traces, in order (CSR): those of trace i are ``area[start[i]:start[i + 1]]``."""
    a, b = _points(starts), _points(ends)

    def work(first: int, last: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        count: NDArray[np.int32] = np.empty(last - first, np.int32)
        with lent_sampler(tree) as sampler:
            return count, all_passed(sampler, a[first:last], b[first:last], presence, count)

    parts = over_ranges(work, len(a), CHUNK, threads)
    none = np.zeros(0, np.int32)
    counts = np.concatenate([none, *(count for count, _ in parts)])
    return starts_of(counts), np.concatenate([none, *(area for _, area in parts)])


def many_areas_in_boxes(
    tree: AreaTree, mins: ArrayLike, maxs: ArrayLike, threads: int = 1
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Areas that boxes of player origins touch, ascending in each box (CSR)."""
    low, high = _points(mins), _points(maxs)

    def work(first: int, last: int) -> list[NDArray[np.int32]]:
        with lent_sampler(tree) as sampler:
            return [areas_in_box(sampler, low[row], high[row]) for row in range(first, last)]

    found = [row for part in over_ranges(work, len(low), CHUNK, threads) for row in part]
    counts = np.array([len(row) for row in found], np.int64)
    return starts_of(counts), np.concatenate([np.zeros(0, np.int32), *found])


def areas_in_box(sampler: Sampler, mins: ArrayLike, maxs: ArrayLike) -> NDArray[np.int32]:
    """Areas that a box of player origins touches, ascending.

    To find where a player can touch an object, first expand the object's box by the player's, as brushes are.
    """
    box = np.concatenate((np.asarray(mins, np.float64), np.asarray(maxs, np.float64)))
    found: NDArray[np.int32] = found_in(sampler, box)
    return found
