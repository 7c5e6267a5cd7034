"""Which areas belong to one level floor."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.graph.components import components
from aascompile.model.areas import Areas
from aascompile.model.mapdata import Float

LEVEL: Final = 1.0
"""Units: floors whose heights differ by more are separate."""


def level_floors(areas: Areas, floor: Float) -> NDArray[np.int64]:
    """(a,) label of each area, equal for areas that touch and whose ``floor`` points have the same height."""
    front, back = areas.face_front.astype(np.int64), areas.face_back.astype(np.int64)
    open_face = (front >= 0) & (back >= 0)
    front, back = front[open_face], back[open_face]
    level = np.abs(floor[front, 2] - floor[back, 2]) <= LEVEL
    front, back = front[level], back[level]
    return components(len(areas), front, back)
