"""What fills space, in one number: Kind bits, the door, and the teleporter or jump pad.

Volumes, leaves and areas in the making carry it. Where several volumes overlap, the kinds add up, and each of the other
two fields takes its highest value: of two doors the one with the higher model. A trigger's field is made so that a
teleporter comes before a jump pad, which throws nobody who is teleported in the same frame, and otherwise the lower
model before the higher: the game touches triggers from the last to the first, so the first has the last word.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from aascompile.model.contents import TAKES_AWAY, Kind
from aascompile.model.mapdata import Bits, Index, Int

KIND_BITS: Final = 20
MODEL_BITS: Final = 21
KINDS: Final = (1 << KIND_BITS) - 1
"""The bits of the kinds."""
DOOR: Final = ((1 << MODEL_BITS) - 1) << KIND_BITS
"""The bits of the door: its model, 0 without a door."""
TRIGGER: Final = ((1 << (MODEL_BITS + 1)) - 1) << (KIND_BITS + MODEL_BITS)
"""The bits of the trigger: 0 without one."""
MOST_MODEL: Final = (1 << MODEL_BITS) - 1
"""The highest model that can be a door or a trigger."""
_TELEPORTS: Final = 1 << MODEL_BITS
_TRIGGER_SHIFT: Final = KIND_BITS + MODEL_BITS


def packed(kind: Bits, model: Int) -> Index:
    """(n,) fillings of ``kind (n,)``; ``model (n,)``: of the door or trigger, 1 to MOST_MODEL, −1 without."""
    number = model.astype(np.int64)
    door = np.where((kind & np.uint32(Kind.MOVER)) != 0, number, 0)
    rank = 1 + MOST_MODEL - number + np.where((kind & np.uint32(Kind.TELEPORTER)) != 0, _TELEPORTS, 0)
    trigger = np.where((kind & np.uint32(TAKES_AWAY)) != 0, rank, 0)
    filling: Index = kind.astype(np.int64) | (door << KIND_BITS) | (trigger << _TRIGGER_SHIFT)
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
