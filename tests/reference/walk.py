"""Straight walks against the brushes themselves, foothold by foothold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.reference.collision import STEP
from tests.reference.sample import STOP_BEFORE, Grown

STRIDES = (8.0, 2.0, 4.0, 6.0, 1.0, 0.5, 0.25)
"""Units of a stride; the others are tried, in this order, where the first fails."""

SHORT = 2.0
"""Strides up to this length follow the slope: what is beyond it counts from there."""

FLOOR_UP = 0.7
MOST_SLOPES = 6
LEVEL = np.array((0.0, 0.0, 1.0))
Array = NDArray[np.float64]


def follow(grown: Grown, at: Array, slope: Array, goal: Array) -> Array | None:
    """Where a player who follows floors and ceilings straight on comes above or below a goal; None if anything else is
    in the way."""
    for _ in range(MOST_SLOPES):
        rise = -(slope[:2] @ (goal - at)[:2]) / slope[2]
        there = np.array((goal[0], goal[1], at[2] + rise))
        found = grown.trace(at, there)
        if found.normal is None:
            return None if found.start_solid else there
        if abs(found.normal[2]) < FLOOR_UP:
            return None
        at, slope = found.end, found.normal
    return None


def foothold(grown: Grown, at: Array, slope: Array, goal: Array, follows: bool) -> tuple[str, Array, Array]:
    """Why a stride fails, or "arrives"; the next foothold and its slope."""
    there = follow(grown, at, slope, goal)
    if there is None:
        there = follow(grown, grown.trace(at, at + np.array((0.0, 0.0, STEP))).end, LEVEL, goal)
    if there is None:
        return "wall", at, slope
    floor = min(at[2], there[2]) if follows else at[2]
    low, high = (
        np.array((there[0], there[1], z)) for z in (floor - STEP - 2 * STOP_BEFORE, there[2] + 2 * STOP_BEFORE)
    )
    down = grown.trace(there, low)
    if down.normal is not None and (down.end == there).all() and not grown.trace(high, high).start_solid:
        down = grown.trace(high, low)  # nearer to the floor than players stop
    if down.normal is None:
        return "gap", at, slope
    return ("steep", at, slope) if down.normal[2] < FLOOR_UP else ("arrives", down.end, down.normal)


def straight_walk(grown: Grown, start: Array, end: Array) -> str:
    """Why a walk between two places on the floor ends: arrives, wall, gap, steep or other level."""
    why, at, slope = foothold(grown, start, LEVEL, start, False)
    far, gone = float(np.linalg.norm((end - start)[:2])), 0.0
    while why == "arrives" and gone < far:
        for length in STRIDES:
            there = min(gone + length, far)
            goal = start + (end - start) * (there / far)
            why, next_at, next_slope = foothold(grown, at, slope, goal, length <= SHORT)
            if why == "arrives":
                gone, at, slope = there, next_at, next_slope
                break
    return why if why != "arrives" or abs(at[2] - end[2]) <= STEP else "other level"
