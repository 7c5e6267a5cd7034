"""Straight walks against the brushes themselves, stride by stride."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.reference.collision import STEP
from tests.reference.sample import STOP_BEFORE, Grown

STRIDE = 8.0
FLOOR_UP = 0.7


def straight_walk(grown: Grown, start: NDArray[np.float64], end: NDArray[np.float64]) -> str:
    """Why a walk between two places on the floor ends: arrives, wall, gap, steep or other level."""
    at, floor = start.copy(), start[2]
    strides = int(np.linalg.norm((end - start)[:2]) / STRIDE) + 1
    for k in range(strides + 1):
        goal = start + (end - start) * (k / strides)
        goal[2] = at[2]
        if grown.trace(at, goal).fraction < 1:
            at = grown.trace(at, at + np.array((0.0, 0.0, STEP))).end
            goal[2] = at[2]
            if grown.trace(at, goal).fraction < 1:
                return "wall"
        down = grown.trace(goal, np.array((goal[0], goal[1], floor - STEP - STOP_BEFORE)))
        if down.normal is None:
            return "gap"
        if down.normal[2] < FLOOR_UP:
            return "steep"
        at, floor = down.end, down.end[2]
    return "arrives" if abs(at[2] - end[2]) <= STEP else "other level"
