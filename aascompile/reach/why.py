"""Why a way is none: what probes and replays answer."""

from __future__ import annotations

from enum import IntEnum


class Why(IntEnum):
    """Reasons; follow_kernel, probe_kernel and nearest_kernel have the same numbers."""

    ARRIVES = 0
    """It is a way."""
    START_BLOCKED = 1
    """Nobody can be at its start."""
    HARMED = 2
    """It leads through lava, slime or what hurts."""
    HELD_UP = 3
    """Something is in the way."""
    LATE = 4
    """One who takes it never comes to stand in its goal."""
    NO_START = 5
    """The place before the rim is not in the area."""
    TOO_HIGH = 6
    """By so many units."""
    TOO_LOW = 7
    """For a barrier: it is no higher than a step."""
    CROUCHED = 8
    """Who must crouch cannot jump."""
    NO_GROUND = 9
    """There is none, or it is too steep."""
    NO_GAP = 10
    """Ground goes on, or a wall stands, right before the rim."""
    WALL = 11
    """It has no top."""
    TOUCHING = 12
    """The grounds are less than a unit apart."""
    TOO_FAR = 13
    """By so many units."""
    TOO_DEEP = 14
    """By so many units."""
