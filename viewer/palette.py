"""Colours of areas, links, faces and marks, on a dark background.

Colours of one legend differ for everybody: a test simulates colour-blind eyes and measures how far they are apart.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from aascompile.model.links import Travel
from aascompile.viewer.meshes import Colour, Colours

BACKGROUND: Final[Colour] = (24, 27, 33)
"""Background of the picture."""
TEXT: Final[Colour] = (228, 231, 236)
FAINT: Final[Colour] = (132, 140, 152)
"""Text of rows that are switched off."""
MAP: Final[Colour] = (112, 118, 128)
"""Faces of the map itself."""
PICKED: Final[Colour] = (255, 255, 255)
LIT: Final[Colour] = (255, 214, 92)
"""Neighbours of the picked area, messages, and controls in use."""
ROUTE: Final[Colour] = (239, 97, 225)
ALTERNATIVES: Final[tuple[Colour, ...]] = ((120, 190, 255), (255, 190, 90), (170, 230, 120))
"""Alternatives to the route, the quickest first."""
START: Final[Colour] = (137, 214, 197)
GOAL: Final[Colour] = (245, 69, 21)
PORTAL: Final[Colour] = (255, 255, 255)
LEAK: Final[Colour] = (255, 40, 40)
UNREACHED: Final[Colour] = (243, 114, 94)
"""What no spawn has a route to."""
REACHED: Final[Colour] = (26, 102, 100)
TRAPPED: Final[Colour] = (241, 244, 21)
"""What players can enter but not leave."""
MISSED: Final[Colour] = (255, 255, 255)
"""The attempt that comes nearest."""
GAINED: Final[Colour] = (76, 167, 226)
LOST: Final[Colour] = (212, 147, 67)
SAME: Final[Colour] = (79, 123, 143)
CHANGED: Final[Colour] = (255, 255, 135)

LINKS: Final[dict[Travel, Colour]] = {
    Travel.WALK: (197, 251, 217),
    Travel.CROUCH: (111, 152, 147),
    Travel.BARRIER_JUMP: (200, 174, 130),
    Travel.JUMP: (231, 255, 78),
    Travel.LADDER: (227, 141, 193),
    Travel.WALK_OFF_LEDGE: (216, 132, 70),
    Travel.SWIM: (114, 105, 175),
    Travel.WATER_JUMP: (106, 191, 255),
    Travel.TELEPORT: (181, 126, 249),
    Travel.ELEVATOR: (78, 108, 238),
    Travel.ROCKET_JUMP: (204, 92, 93),
    Travel.BFG_JUMP: (199, 225, 107),
    Travel.GRAPPLE: (180, 64, 137),
    Travel.DOUBLE_JUMP: (255, 88, 127),
    Travel.RAMP_JUMP: (139, 124, 177),
    Travel.STRAFE_JUMP: (156, 203, 69),
    Travel.JUMP_PAD: (48, 243, 169),
    Travel.BOBBING: (255, 204, 247),
}
OTHER_LINK: Final[Colour] = (200, 200, 200)
BY_HAND: Final[Colour] = (255, 30, 200)
"""Links that the mapper added by hand, whatever their travel type."""

MOVER: Final[Colour] = (72, 225, 148)
"""Movers that carry players, at their stops."""
BOARDED: Final[Colour] = (255, 255, 255)
"""Where players get on and off."""

CLUSTERS: Final[tuple[Colour, ...]] = (
    (70, 184, 255),
    (255, 222, 120),
    (181, 182, 163),
    (175, 40, 52),
    (123, 84, 170),
    (88, 249, 244),
    (169, 126, 167),
    (255, 153, 40),
    (235, 81, 40),
    (112, 117, 253),
)
"""Cluster colours; adjacent clusters get different ones."""

ENTITIES: Final[dict[str, Colour]] = {
    "spawn": (43, 154, 223),
    "item": (244, 159, 21),
    "target": (225, 183, 229),
    "trigger": (245, 28, 20),
    "mover": MOVER,
    "other": (172, 162, 164),
}

RAMP: Final = np.array(
    [(68, 60, 140), (52, 104, 190), (36, 150, 180), (70, 190, 140), (160, 215, 90), (250, 225, 80)], np.float64
)
"""Colour ramp, from low to high values."""


def ramp(share: NDArray[np.float64]) -> Colours:
    """``(n, 3)`` colours along the ramp, for positions from 0 to 1."""
    at = np.clip(share, 0.0, 1.0) * (len(RAMP) - 1)
    return np.stack([np.interp(at, np.arange(len(RAMP)), RAMP[:, c]) for c in range(3)], axis=-1).astype(np.uint8)


def varied(colours: Colours) -> Colours:
    """The colours, each row slightly lighter or darker, so that neighbours of the same colour stay distinct."""
    shade = 1.0 + VARIES * (2.0 * (np.arange(len(colours)) * GOLDEN % 1.0) - 1.0)
    return np.clip(colours * shade[:, None], 0.0, 255.0).astype(np.uint8)


def by_height(colours: Colours, z: NDArray[np.float64], weight: NDArray[np.float64]) -> Colours:
    """The colours, darker for what is low and lighter for what is high, so that floors at different heights differ.

    ``weight`` says how much each row counts: half of the shade is the height itself, half how much lies below it.
    """
    heights, order = np.unique(z, return_inverse=True)
    order = order.reshape(-1)
    below = np.cumsum(np.bincount(order, weight, len(heights)))
    counted = heights[np.diff(below, prepend=0.0) > 0.0] if below[-1] > 0.0 else heights
    low, high = float(counted[0]), float(counted[-1])
    share = np.clip(0.5 + (z - (low + high) / 2.0) / max(high - low, SHALLOW), 0.0, 1.0)
    if below[-1] > 0.0:
        middle = below - np.diff(below, prepend=0.0) / 2.0
        share = (share + middle[order] / below[-1]) / 2.0
    bright = LOWEST + (HIGHEST - LOWEST) * share
    return np.clip(varied(colours) * bright[:, None], 0.0, 255.0).astype(np.uint8)


SHALLOW: Final = 256.0
"""A map that is lower than this does not use the whole range of shades, units."""

LOWEST: Final = 0.5
HIGHEST: Final = 1.25
"""Brightness of the lowest and the highest floor."""

VARIES: Final = 0.03
"""Largest relative change in brightness."""

GOLDEN: Final = 0.618034
"""The fractional parts of consecutive multiples of the golden ratio are far apart."""


def link_colour(kind: int) -> Colour:
    """Colour of a travel type."""
    return next((colour for travel, colour in LINKS.items() if travel == kind), OTHER_LINK)


def link_colours(kind: NDArray[np.integer]) -> Colours:
    """``(n, 3)`` colours of travel types."""
    table = np.array([link_colour(row) for row in range(max(LINKS) + 2)], np.uint8)
    chosen: Colours = table[np.clip(kind, 0, len(table) - 1)]
    return chosen
