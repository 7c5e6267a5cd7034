"""Colours of areas, links, faces and marks, chosen to be distinct on a dark background."""

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
ROUTE: Final[Colour] = (255, 77, 166)
ALTERNATIVES: Final[tuple[Colour, ...]] = ((120, 190, 255), (255, 190, 90), (170, 230, 120))
"""Alternatives to the route, the quickest first."""
START: Final[Colour] = (98, 224, 120)
GOAL: Final[Colour] = (255, 96, 80)
PORTAL: Final[Colour] = (255, 240, 130)
LEAK: Final[Colour] = (255, 40, 40)
UNREACHED: Final[Colour] = (255, 122, 26)
"""What no spawn has a route to."""
REACHED: Final[Colour] = (74, 140, 196)
TRAPPED: Final[Colour] = (246, 222, 120)
"""What players can enter but not leave."""
MISSED: Final[Colour] = (255, 255, 255)
"""The attempt that comes nearest."""
GAINED: Final[Colour] = (86, 214, 108)
LOST: Final[Colour] = (240, 84, 84)
SAME: Final[Colour] = (120, 128, 140)
CHANGED: Final[Colour] = (238, 186, 84)

LINKS: Final[dict[Travel, Colour]] = {
    Travel.WALK: (232, 240, 226),
    Travel.CROUCH: (196, 160, 104),
    Travel.BARRIER_JUMP: (255, 160, 70),
    Travel.JUMP: (255, 222, 66),
    Travel.LADDER: (214, 140, 255),
    Travel.WALK_OFF_LEDGE: (255, 120, 104),
    Travel.SWIM: (72, 168, 255),
    Travel.WATER_JUMP: (96, 222, 255),
    Travel.TELEPORT: (190, 110, 255),
    Travel.ELEVATOR: (120, 200, 210),
    Travel.ROCKET_JUMP: (255, 70, 70),
    Travel.BFG_JUMP: (160, 255, 60),
    Travel.GRAPPLE: (230, 190, 230),
    Travel.DOUBLE_JUMP: (255, 190, 150),
    Travel.RAMP_JUMP: (214, 214, 110),
    Travel.STRAFE_JUMP: (255, 150, 30),
    Travel.JUMP_PAD: (60, 240, 200),
    Travel.BOBBING: (150, 170, 255),
}
OTHER_LINK: Final[Colour] = (200, 200, 200)
BY_HAND: Final[Colour] = (255, 30, 200)
"""Links that the mapper added by hand, whatever their travel type."""

CLUSTERS: Final[tuple[Colour, ...]] = (
    (88, 156, 232),
    (240, 158, 72),
    (108, 196, 120),
    (222, 98, 110),
    (168, 132, 226),
    (84, 200, 204),
    (232, 132, 196),
    (190, 190, 92),
    (160, 122, 98),
    (128, 146, 178),
)
"""Cluster colours; adjacent clusters get different ones."""

ENTITIES: Final[dict[str, Colour]] = {
    "spawn": (80, 216, 255),
    "item": (255, 196, 40),
    "target": (196, 140, 255),
    "trigger": (255, 130, 90),
    "mover": (120, 190, 230),
    "other": (170, 176, 186),
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


def by_height(colours: Colours, z: NDArray[np.float64]) -> Colours:
    """The colours, darker for what is low and lighter for what is high, so that floors at different heights differ."""
    order = np.unique(z, return_inverse=True)[1].reshape(-1)
    share = order / max(int(order.max(initial=0)), 1)
    return np.clip(varied(colours) * (LOWEST + (HIGHEST - LOWEST) * share)[:, None], 0.0, 255.0).astype(np.uint8)


LOWEST: Final = 0.6
HIGHEST: Final = 1.2
"""Brightness of the lowest and the highest floor."""

VARIES: Final = 0.06
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
