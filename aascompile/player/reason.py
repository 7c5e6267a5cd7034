"""Why a way is none: what probes and replays answer."""

from __future__ import annotations

from enum import IntEnum


class Reason(IntEnum):
    """Reasons; follow_kernel, probe_kernel and nearest_kernel give some of them, with the same numbers."""

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
    TAKEN = 15
    """A jump pad or a teleporter takes one away before."""
    APART = 20
    """The grounds do not touch: so many units lie between them."""
    ELSEWHERE = 21
    """It leads to other areas."""
    LINKED = 22
    """Another link joins the areas, so it was not tried."""
    SLOWER = 23
    """It takes so many hundredths of a second, the way round on foot less."""
    NOT_LOWER = 24
    """For a fall: the goal is not lower by more than a step."""
    NO_LIQUID = 25
    """One of the areas is dry, or has none at this bank."""
    NO_FACE = 26
    """The areas do not touch."""
    NO_LADDER = 27
    """Neither area has one."""
    NO_TELEPORTER = 28
    """The area is not in one."""
    NO_PAD = 29
    """The area is not on one."""
    NO_PLATFORM = 30
    """Nothing takes players along here."""
    NO_ITEM = 31
    """Nothing in the goal is worth it."""
    OFF = 32
    """The settings do not ask for it."""
    SAME_FLOOR = 33
    """One area of each level floor is enough; it leads to another one of it."""
    NEARER = 34
    """Nearer places lead there too, or were tried before."""
    NEEDLESS = 35
    """It takes skill, and one gets there in another way."""
    SHALLOW = 36
    """The liquid between the areas is not deep enough to swim through, or one would have to duck."""
