"""Currents in liquids: how fast players swim with and against them.

The game adds the current to what a swimmer wishes, and limits the sum to the top speed of a runner before it is scaled
to that of a swimmer. In Quake II a current adds 400 and a swimmer wishes 300: nobody swims against it, and with it
nobody is faster than without.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.geometry.vectors import lengths
from aascompile.model.contents import CURRENT_BITS, CURRENTS, FIRST_CURRENT
from aascompile.model.mapdata import Bits, Float
from aascompile.settings import Physics

SLOWEST: Final = 0.05
"""Share of the swimming speed below which a player makes no way against a current."""


def current_of(contents: Bits) -> Float:
    """(n, 3) unit vectors of the currents in areas; 0 without one."""
    number = np.zeros(len(contents), np.int64)
    for bit, _, kind in CURRENT_BITS:
        number[(contents & np.uint32(kind)) != 0] += bit
    table = np.array([*FIRST_CURRENT * [(0.0, 0.0, 0.0)], *CURRENTS.values()])
    return np.asarray(table[number])


def progress(contents: Bits, ahead: Float, physics: Physics) -> Float:
    """(n,) speed of players who swim in directions ``ahead (n, 3)`` in areas with ``contents (n,)``, as a share of the
    speed in still water; 0 or less if the current carries them back."""
    wish = physics.walk_speed * ahead + physics.current * current_of(contents)
    most = np.minimum(1.0, physics.walk_speed / np.maximum(lengths(wish), SLOWEST))
    share: Float = (wish * ahead).sum(axis=1) * most / physics.walk_speed
    return share
