"""What fills a piece of space, packed into one number: Kind bits, the door, the teleporter or jump pad, and the cost.

Volumes, leaves and unfinished areas have it. Where several volumes overlap, their kinds are combined, and each of the
other fields takes its highest value: of two doors, the door with the higher model. The trigger field is encoded so
that a teleporter beats a jump pad, because a player who is teleported is not thrown in the same frame. Among equals the
lower model wins: the game touches triggers from the last to the first, so the first decides. The cost field is the
rank of a cost factor, so that of two volumes the one with the higher factor counts.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.model.contents import TAKES_AWAY, Kind
from aascompile.model.mapdata import Bits, Index, Int

KIND_BITS: Final = 20
MODEL_BITS: Final = 17
KINDS: Final = (1 << KIND_BITS) - 1
"""Bits of the kinds."""
DOOR: Final = ((1 << MODEL_BITS) - 1) << KIND_BITS
"""Bits of the door: its model, 0 without a door."""
TRIGGER: Final = ((1 << (MODEL_BITS + 1)) - 1) << (KIND_BITS + MODEL_BITS)
"""Bits of the trigger, 0 without a trigger."""
MOST_MODEL: Final = (1 << MODEL_BITS) - 1
"""Highest model number of a door or trigger."""
MOST_FACTORS: Final = 255
"""Different cost factors in a map."""
_TELEPORTS: Final = 1 << MODEL_BITS
_TRIGGER_SHIFT: Final = KIND_BITS + MODEL_BITS
_COST_SHIFT: Final = _TRIGGER_SHIFT + MODEL_BITS + 1
COST: Final = MOST_FACTORS << _COST_SHIFT
"""Bits of the cost: 1 for the lowest factor of the map, 0 without a volume."""


def packed(kind: Bits, model: Int, rank: Int) -> Index:
    """(n,) fillings from ``kind (n,)``; ``model (n,)`` of the door or trigger, 1 to MOST_MODEL or −1; ``rank (n,)``
    of the cost factor, from 0, or −1."""
    number = model.astype(np.int64)
    door = np.where((kind & np.uint32(Kind.MOVER)) != 0, number, 0)
    order = 1 + MOST_MODEL - number + np.where((kind & np.uint32(Kind.TELEPORTER)) != 0, _TELEPORTS, 0)
    trigger = np.where((kind & np.uint32(TAKES_AWAY)) != 0, order, 0)
    cost = (rank.astype(np.int64) + 1) << _COST_SHIFT
    filling: Index = (kind.astype(np.int64) & KINDS) | (door << KIND_BITS) | (trigger << _TRIGGER_SHIFT) | cost
    return filling


def unpacked(filling: Index) -> tuple[Bits, Int, Int]:
    """(n,) Kind bits, models of the doors, and models of the teleporters or jump pads; −1: none."""
    kind = (filling & KINDS).astype(np.uint32)
    door, rank = (filling & DOOR) >> KIND_BITS, (filling & TRIGGER) >> _TRIGGER_SHIFT
    trigger = 1 + MOST_MODEL - (rank & MOST_MODEL)
    return (
        kind,
        np.where(door > 0, door, -1).astype(np.int32),
        np.where(rank > 0, trigger, -1).astype(np.int32),
    )


def cost_rank(filling: Index) -> Int:
    """(n,) ranks of the cost factors; −1: none."""
    return (((filling & COST) >> _COST_SHIFT) - 1).astype(np.int32)
