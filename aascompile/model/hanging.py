"""Where players touch items that hang in the air."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from aascompile.model.entity_classes import exists, is_suspended
from aascompile.model.mapdata import Entity, Float

TOUCH: Final = (16.0, 16.0, 32.0)
"""Half the size, in units, of the box around a hanging item in which a player's origin certainly touches it."""


def hanging_boxes(entities: Sequence[Entity]) -> Float:
    """(n, 6) boxes of the origins of players who touch an item that does not fall."""
    origins = [entity.vector("origin") for entity in entities if is_suspended(entity) and exists(entity)]
    point = np.array([origin for origin in origins if origin is not None]).reshape(-1, 3)
    return np.hstack([point - TOUCH, point + TOUCH])
