"""Bits of the map formats: contents of a brush (CONTENTS) and properties of its surfaces (SURF)."""

from __future__ import annotations

from enum import IntFlag
from typing import Final


class Contents(IntFlag):
    """Contents of a brush, numbered as in the Quake III family of games."""

    SOLID = 0x1
    WINDOW = 0x2
    LAVA = 0x8
    SLIME = 0x10
    WATER = 0x20
    FOG = 0x40
    NOTTEAM1 = 0x80
    NOTTEAM2 = 0x100
    NOBOTCLIP = 0x200
    DONOTENTER_LARGE = 0x400
    """Not in Quake III: keeps large bots out, in games that compile for two sizes."""
    CURRENT_1 = 0x800
    CURRENT_2 = 0x1000
    CURRENT_4 = 0x2000
    """Not in Quake III: these three bits are the number of the direction in which the liquid flows (``CURRENTS``)."""
    AREAPORTAL = 0x8000
    PLAYERCLIP = 0x10000
    MONSTERCLIP = 0x20000
    TELEPORTER = 0x40000
    JUMPPAD = 0x80000
    CLUSTERPORTAL = 0x100000
    DONOTENTER = 0x200000
    BOTCLIP = 0x400000
    MOVER = 0x800000
    ORIGIN = 0x1000000
    BODY = 0x2000000
    CORPSE = 0x4000000
    DETAIL = 0x8000000
    STRUCTURAL = 0x10000000
    TRANSLUCENT = 0x20000000
    TRIGGER = 0x40000000
    NODROP = 0x80000000


class SurfaceFlag(IntFlag):
    """Properties of a surface."""

    NODAMAGE = 0x1
    SLICK = 0x2
    SKY = 0x4
    LADDER = 0x8
    NOIMPACT = 0x10
    NOMARKS = 0x20
    FLESH = 0x40
    NODRAW = 0x80
    HINT = 0x100
    SKIP = 0x200
    NOLIGHTMAP = 0x400
    POINTLIGHT = 0x800
    METALSTEPS = 0x1000
    NOSTEPS = 0x2000
    NONSOLID = 0x4000
    LIGHTFILTER = 0x8000
    ALPHASHADOW = 0x10000
    NODLIGHT = 0x20000
    DUST = 0x40000


class AreaContents(IntFlag):
    """Contents of an area, numbered as in the engine's .aas file."""

    WATER = 0x1
    LAVA = 0x2
    SLIME = 0x4
    CLUSTERPORTAL = 0x8
    TELEPORTAL = 0x10
    ROUTEPORTAL = 0x20
    TELEPORTER = 0x40
    JUMPPAD = 0x80
    DONOTENTER = 0x100
    VIEWPORTAL = 0x200
    MOVER = 0x400
    NOTTEAM1 = 0x800
    NOTTEAM2 = 0x1000
    DONOTENTER_LARGE = 0x2000
    """Only in version 8 of the file, which numbers it and MOVER differently: ``store.engine``."""


class Kind(IntFlag):
    """Meaning of a brush to the compiler. The low sixteen bits are AreaContents; the others are internal."""

    NOTHING = 0
    WATER = 0x1
    LAVA = 0x2
    SLIME = 0x4
    CLUSTERPORTAL = 0x8
    TELEPORTER = 0x40
    JUMPPAD = 0x80
    DONOTENTER = 0x100
    MOVER = 0x400
    NOTTEAM1 = 0x800
    NOTTEAM2 = 0x1000
    DONOTENTER_LARGE = 0x2000
    CURRENT_1 = 0x20
    CURRENT_2 = 0x4000
    CURRENT_4 = 0x8000
    """These three bits are the number of the direction in which a liquid flows. The engine's file has none of them."""
    SOLID = 0x10000
    """Blocks bots only."""
    HURT = 0x20000
    """Hurts players in it: a hazard like lava, but not a liquid."""
    LADDER = 0x40000
    """One of its sides can be climbed. Set together with SOLID."""
    HINT = 0x80000
    """Its hint sides mark where the mapper wants the tree to split."""
    COST = 0x100000
    """Walking in it costs more or less, by a factor. Areas have the factor instead of this bit."""


LIQUID = Contents.WATER | Contents.LAVA | Contents.SLIME
BLOCKS_PLAYER = Contents.SOLID | Contents.WINDOW | Contents.PLAYERCLIP | Contents.BOTCLIP

WET = Kind.WATER | Kind.LAVA | Kind.SLIME
"""A player swims in areas with these."""

DEADLY = Kind.LAVA | Kind.SLIME | Kind.HURT
"""No link may end in areas with these."""

TAKES_AWAY = Kind.JUMPPAD | Kind.TELEPORTER
"""A player in areas with these leaves only by the trigger's throw or teleport."""

CURRENTS: Final = {
    "current_east": (1.0, 0.0, 0.0),
    "current_north": (0.0, 1.0, 0.0),
    "current_west": (-1.0, 0.0, 0.0),
    "current_south": (0.0, -1.0, 0.0),
    "current_up": (0.0, 0.0, 1.0),
    "current_down": (0.0, 0.0, -1.0),
}
"""Directions of currents, numbered from FIRST_CURRENT, by their names in the tables of games."""

FIRST_CURRENT: Final = 2
"""Number of the first direction. No direction is 1, since that bit alone means something else in imported files."""

CURRENT_BITS: Final = (
    (1, Contents.CURRENT_1, Kind.CURRENT_1),
    (2, Contents.CURRENT_2, Kind.CURRENT_2),
    (4, Contents.CURRENT_4, Kind.CURRENT_4),
)
"""Each bit of such a number, in contents and in kinds."""

FLOWS: Final = Kind.CURRENT_1 | Kind.CURRENT_2 | Kind.CURRENT_4
"""Bits of a current."""
