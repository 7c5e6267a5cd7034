"""What a gate for generated maps checks. Nothing heavy is imported, since ``--help`` uses it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from aascompile.records import dataclass

CLEARANCE: Final = 8.0
"""Units between a spawning player and the nearest wall, by default."""


class GateCheck(StrEnum):
    """What a gate checks."""

    ITEMS = "items"
    """Every item is reached from every spawn."""
    SPAWNS = "spawns"
    """Every spawn is reached from every other."""
    TRAPS = "traps"
    """Wherever players get, they can leave."""
    CLEARANCE = "clearance"
    """Players have room where they spawn, away from walls, hazards and each other."""
    ALTERNATIVES = "alternatives"
    """Several routes that really differ lead to every item."""


@dataclass(frozen=True, slots=True)
class GateOptions:
    """Which checks count."""

    items: bool = True
    spawns: bool = True
    traps: bool = True
    clearance: float | None = CLEARANCE
    """Least units between a spawning player and a wall; None: not checked."""
    alternatives: int = 1
    """Least number of routes to each item from the spawn farthest from it; 1: not checked."""
